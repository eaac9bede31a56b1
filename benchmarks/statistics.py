"""Do the intervals and tests keep what they promise, and are they quick?

    python benchmarks/statistics.py [--quick]

Coverage and error rates of the methods that the notebooks use, by exact sums where possible and by simulation
elsewhere, beside the rates that they must have; then the speed of the bootstrap and of the whole analysis. Each
line says what was expected, what was found, the Monte Carlo error (0 for an exact sum) and whether it agrees within
three of them. Exit code 1 when a line does not.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from synthetic_scores import irt_cells, panel_frame

from geoutils import comparisons, effects, flips, power, tabulation
from geoutils.panel import panels
from geoutils.stats import paired, permutation, proportions, repeats, resampling

FAILED: list[str] = []
EASY = 1.32**2  # ability of an accuracy of about .79 at a problem SD of 1.5
ABILITIES = np.linspace(-0.3, 2.6, 11)


def line(
    name: str, expected: float | tuple[float, float], got: float, error: float = 0.0, *, slack: float = 0.0015
) -> None:
    """Print a check; ``expected`` is a value or a range."""
    low, high = expected if isinstance(expected, tuple) else (expected, expected)
    agrees = low - 3 * error - slack <= got <= high + 3 * error + slack
    if not agrees:
        FAILED.append(name)
    wanted = f"{low:.3f} to {high:.3f}" if isinstance(expected, tuple) else f"{low:.3f}"
    print(
        f"{name:<70} expected {wanted:>15}  found {got:.3f} +- {error:.3f}  {'ok' if agrees else 'DIFFERS'}", flush=True
    )


def rate(hits: np.ndarray) -> tuple[float, float]:
    p = float(np.mean(hits))
    return p, float(np.sqrt(max(p * (1 - p), 1e-4) / len(hits)))


# --- one share ----------------------------------------------------------------------------------------------------


def share_coverage(n: int, p: float) -> dict[str, float]:
    k = np.arange(n + 1)
    half = stats.norm.ppf(0.975) * np.sqrt(k / n * (1 - k / n) / n)
    limits = {
        "Wilson": proportions.wilson(k, n),
        "Jeffreys": proportions.beta_interval(k, n, prior=(0.5, 0.5)),
        "Wald": (k / n - half, k / n + half),
        "percentile bootstrap": tuple(stats.binom.ppf(q, n, k / n) / n for q in (0.025, 0.975)),
    }
    mass = stats.binom.pmf(k, n, p)
    return {name: float(mass[(low <= p + 1e-12) & (p - 1e-12 <= high)].sum()) for name, (low, high) in limits.items()}


def shares() -> None:
    print("\nCoverage of 95 % intervals of one share, by exact sum (percentile bootstrap and Wald: not used here)")
    wanted = {
        (158, 0.044): {"Wilson": 0.970, "percentile bootstrap": 0.949, "Wald": 0.910},
        (158, 0.5): {"Wilson": 0.954, "percentile bootstrap": 0.954, "Wald": 0.954},
        (158, 0.9): {"Wilson": 0.955, "percentile bootstrap": 0.935, "Wald": 0.946},
        (158, 0.98): {"Wilson": 0.959, "percentile bootstrap": 0.822, "Wald": 0.822},
        (38, 0.044): {"Wilson": 0.975, "percentile bootstrap": 0.813},
        (38, 0.9): {"Wilson": 0.950, "percentile bootstrap": 0.894},
        (38, 0.95): {"Wilson": 0.960, "percentile bootstrap": 0.847},
        (38, 0.98): {"Wilson": 0.960, "percentile bootstrap": 0.529},
        (10, 0.95): {"Wilson": 0.914, "Jeffreys": 0.988, "percentile bootstrap": 0.400},
    }
    for (n, p), methods in wanted.items():
        found = share_coverage(n, p)
        for method, expected in methods.items():
            slack = 0.006 if method == "percentile bootstrap" else 0.0015
            line(f"{method}, n={n}, p={p}", expected, found[method], slack=slack)


# --- pairs --------------------------------------------------------------------------------------------------------


def difference_coverage(n: int, pb: float, pc: float) -> dict[str, float]:
    b, c = np.indices((n + 1, n + 1))
    inside = b + c <= n
    mass = np.where(
        inside, stats.multinomial.pmf(np.stack([b, c, np.where(inside, n - b - c, 0)], -1), n, [pb, pc, 1 - pb - pc]), 0
    )
    z, truth = stats.norm.ppf(0.975), pb - pc
    middle, se = paired.bonett_price_terms(b, c, n)
    d = (b - c) / n
    wald = np.sqrt(np.maximum(b + c - (b - c) ** 2 / n, 0)) / n
    out = {"Bonett-Price": (middle, se), "Wald": (d, wald)}
    return {name: float(mass[np.abs(at - truth) <= z * s + 1e-12].sum()) for name, (at, s) in out.items()}


def differences() -> None:
    print("\nCoverage of 95 % intervals of a paired difference, by exact sum")
    wanted = {
        (0.05, 0.0): {10: (1.000, 0.40), 38: (1.000, 0.86), 158: (0.952, 0.89)},
        (0.2, 0.06): {10: (0.996, 0.868), 38: (0.954, 0.940), 158: (0.953, 0.947)},
    }
    for (pb, pc), sizes in wanted.items():
        for n, (bonett, wald) in sizes.items():
            found = difference_coverage(n, pb, pc)
            line(f"Bonett-Price, (pb, pc)=({pb}, {pc}), n={n}", bonett, found["Bonett-Price"], slack=0.003)
            line(f"Wald (not used), (pb, pc)=({pb}, {pc}), n={n}", wald, found["Wald"], slack=0.006)
    print("\nMcNemar, n=158, 30 % discordant, by exact sum")
    line("size of the exact test", 0.037, power.mcnemar_power(158, 0.3, 0, exact=True))
    line("size of mid-p", 0.050, power.mcnemar_power(158, 0.3, 0))
    for d, midp, exact in ((0.05, 0.21, 0.014), (0.08, 0.45, 0.069), (0.10, 0.64, 0.158), (0.14, 0.91, 0.496)):
        line(f"power of mid-p at {100 * d:.0f} points", midp, power.mcnemar_power(158, 0.3, d), slack=0.005)
        line(f"power of exact at {100 * d:.0f} points, level .05 / 33", exact,
             power.mcnemar_power(158, 0.3, d, alpha=0.05 / 33, exact=True), slack=0.012)  # fmt: skip
    line("Miller's n for delta .03, omega^2 1/9, power .8", 969, power.miller_problems(0.03, 1 / 9))


def equivalence(sims: int) -> None:
    print("\nEquivalence within 5 points when the true difference is 5 points: claimed at most in 5 %")
    rng = np.random.default_rng(11)
    claims = []
    for _ in range(sims):
        tables = []
        for pb, pc in ((0.10, 0.05), (0.05, 0.05), (0.05, 0.10)):
            b, c, rest = rng.multinomial(1000, [pb, pc, 1 - pb - pc])
            tables.append(paired.Table(rest // 2, b, c, rest - rest // 2))
        claims.append(paired.within_margin(tables))
    line("claimed although one difference is 5 points (n=1000)", (0, 0.05), *rate(np.array(claims)))


# --- permutation --------------------------------------------------------------------------------------------------


def cochran(sims: int) -> None:
    print("\nCochran's Q without an effect (problem SD 1.5): rejections at .05")
    rng = np.random.default_rng(1)
    for n, expected in ((158, 0.055), (20, 0.037), (10, 0.050)):
        found = [permutation.cochran_q(irt_cells(rng, n)) for _ in range(sims)]
        chi2 = np.array([q.p_chi2 <= 0.05 for q in found])
        exact = np.array([q.p_exact <= 0.05 for q in found])
        p, error = rate(chi2)
        line(f"chi-square, n={n}", expected, p, float(np.hypot(error, 0.01)))  # the expectation has an error of its own
        line(f"exact, n={n}", (0.02 if n < 100 else 0.04, 0.05), *rate(exact))


def gaps(sims: int) -> None:
    print("\nThe accuracy gap of eleven models of different ability without an effect (as shares)")
    rng = np.random.default_rng(2)
    p_max, p_one = [], []
    for sd, largest95 in ((3.0, 0.114), (1.5, 0.139), (0.0, 0.158)):
        single, largest = [], []
        for i in range(sims):
            difficulty = rng.normal(0, sd, 158)
            cells = np.stack([irt_cells(rng, 158, ability=a, difficulty=difficulty) for a in ABILITIES])
            width = np.ptp(cells.mean(axis=1), axis=1)
            single += list(width)
            largest.append(width.max())
            if sd == 1.5 and i < sims // 2:
                p_max.append(permutation.max_gap_test(cells, draws=999).p <= 0.05)
                p_one.append(permutation.gap_test(cells[0]).p <= 0.05)
        error = float(1.9 * np.std(largest) / np.sqrt(sims))  # of a 95 % quantile, roughly
        line(f"mean gap of one model, n=158, SD {sd}", (0.043, 0.055), float(np.mean(single)), 0.0005)
        line(f"mean of the largest of 11, SD {sd}", (0.084, 0.110), float(np.mean(largest)), error / 2)
        line(f"95 % of the largest of 11, SD {sd}", largest95, float(np.quantile(largest, 0.95)), error, slack=0.0065)
    line("rejections of the gap's exact null", (0.03, 0.05), *rate(np.array(p_one)))
    line("rejections of the null of the largest gap", (0.03, 0.05), *rate(np.array(p_max)))


def simultaneous(sims: int) -> None:
    print("\nSimultaneous limits of the three differences, and the gap's limits")
    rng = np.random.default_rng(3)
    for n in (158, 38):
        w = resampling.weights(n, draws=2_000)
        for effect in ((0.0, 0.0, 0.0), (0.0, 0.0, -0.4), (0.0, 0.0, -1.0)):
            nodes = rng.normal(0, 1.5, 400_000)
            truth = np.array([(1 / (1 + np.exp(-(0.5 + e - nodes)))).mean() for e in effect])
            wide, gap = [], []
            for _ in range(sims):
                bounds = resampling.simultaneous_differences(irt_cells(rng, n, effect), w)
                inside = [
                    i.low <= truth[a] - truth[b] <= i.high
                    for (a, b), i in zip(bounds.pairs, bounds.intervals, strict=True)
                ]
                wide.append(all(inside))
                gap.append(bounds.gap_low - 1e-9 <= np.ptp(truth) <= bounds.gap_high)
            label = f"n={n}, true gap {100 * np.ptp(truth):.1f} points"
            line(f"all three differences, {label}", (0.945, 0.985), *rate(np.array(wide)))
            line(f"the gap, {label}", (0.945, 1.0), *rate(np.array(gap)))


def families(sims: int) -> None:
    print("\nEleven models without an effect: some p below .05")
    rng = np.random.default_rng(4)
    some = {"33 exact tests": [], "33 mid-p tests": [], "Q with Holm": [], "pairs after Q with Holm": []}
    for _ in range(sims):
        difficulty = rng.normal(0, 1.5, 158)
        cells = [irt_cells(rng, 158, ability=EASY, difficulty=difficulty) for _ in range(11)]
        tables = [[paired.paired_table(c[:, i], c[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))] for c in cells]
        exact = min(paired.mcnemar_exact(t.b, t.c) for three in tables for t in three)
        midp = np.array([[paired.mcnemar_midp(t.b, t.c) for t in three] for three in tables])
        q = paired.holm([permutation.cochran_q(c).p_exact for c in cells])
        some["33 exact tests"].append(exact <= 0.05)
        some["33 mid-p tests"].append(midp.min() <= 0.05)
        some["Q with Holm"].append(q.min() <= 0.05)
        some["pairs after Q with Holm"].append((np.maximum(midp, q[:, None]) <= 0.05).any())
    wanted = {"33 exact tests": (0.58, 0.68), "33 mid-p tests": (0.70, 0.80), "Q with Holm": (0.02, 0.05),
              "pairs after Q with Holm": (0.0, 0.05)}  # fmt: skip
    for name, hits in some.items():
        line(name, wanted[name], *rate(np.array(hits)))


def strategies(sims: int) -> None:
    print("\nDifference of two gaps (convert minus direct), n=158")
    rng = np.random.default_rng(5)
    for first, second in (
        ((0.0, 0.0, -1.0), (0.0, 0.0, -1.0)),
        ((0.0, 0.0, -0.3), (0.0, 0.0, -1.2)),
        ((0.0,) * 3, (0.0,) * 3),
    ):
        nodes = rng.normal(0, 1.5, 400_000)
        truth = [np.ptp([(1 / (1 + np.exp(-(0.5 + e - nodes)))).mean() for e in effect]) for effect in (first, second)]
        inside, rejected = [], []
        for _ in range(sims):
            difficulty = rng.normal(0, 1.5, 158)
            x, y = (irt_cells(rng, 158, effect, difficulty=difficulty) for effect in (first, second))
            found = comparisons.gap_difference(x, y)
            inside.append(found["low"] <= truth[0] - truth[1] <= found["high"])
            rejected.append(found["p"] <= 0.05)
        label = f"true gaps {100 * truth[0]:.1f} and {100 * truth[1]:.1f} points"
        line(f"coverage, {label}", (0.93, 1.0), *rate(np.array(inside)))
        if truth[0] == truth[1]:
            line(f"rejections by swapping labels, {label}", (0.0, 0.05), *rate(np.array(rejected)))


def noise(sims: int) -> None:
    print("\nSplit of flips with 3 repeats and no effect of the representation, n=60")
    rng = np.random.default_rng(6)
    inside, excess = [], []
    for _ in range(sims):
        difficulty = rng.normal(0, 1.5, 60)
        cells = np.stack([irt_cells(rng, 60, difficulty=difficulty) for _ in range(3)], axis=2)
        found = repeats.decompose(cells, draws=1_000).excess
        inside.append(found.low <= 0 <= found.high)
        excess.append(found.value)
    line("coverage of excess = 0", (0.92, 0.96), *rate(np.array(inside)))
    line("mean excess (unbiased: 0)", 0.0, float(np.mean(excess)), float(np.std(excess) / np.sqrt(sims)))


# --- speed --------------------------------------------------------------------------------------------------------


def timed(name: str, limit: float, work) -> None:
    work()  # caches that live for a run (imports) are not what is measured
    resampling.weights.cache_clear()
    permutation._exact_three.cache_clear()
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    if seconds > limit:
        FAILED.append(name)
    print(
        f"{name:<70} limit {limit:>8.2f} s         {seconds:.2f} s  {'ok' if seconds <= limit else 'TOO SLOW'}",
        flush=True,
    )


def speed() -> None:
    print("\nSpeed")
    rng = np.random.default_rng(7)
    cells = (rng.random((160, 20, 3)) < 0.6).astype(float)

    def bootstrap() -> None:
        every, some = cells.min(axis=2), cells.max(axis=2)
        means = resampling.resampled_means(
            np.concatenate([cells, every[:, :, None], some[:, :, None]], axis=2), resampling.weights(160)
        )
        resampling.percentile(means)

    timed("10,000 resamples of 160 problems, 20 models x 5 statistics", 1.0, bootstrap)
    timed(
        "exact Q and gap, 20 models", 2.0, lambda: [permutation.cochran_q(cells[:, i].astype(int)) for i in range(20)]
    )
    scores = panel_frame(models={f"lab/{i}": -1 + i / 8 for i in range(20)}, effects=(0, 0.1, -0.7))

    def analysis() -> None:
        found = panels(scores)
        for table in (tabulation.check_identities, tabulation.accuracy, tabulation.summarise, tabulation.summarise_with_cis,
                      tabulation.summarise_with_mcnemar, tabulation.invariance_by_category, tabulation.sensitivity,
                      effects.representation_effect, effects.representation_differences, effects.largest_gap, effects.equivalence,
                      comparisons.between_models, comparisons.ranks, comparisons.between_strategies, power.detectable_after,
                      flips.pattern_counts, flips.pattern_exchangeability, flips.pairwise, flips.coherence, flips.single_failures,
                      flips.audit, flips.audit_over_models, flips.suspects):  # fmt: skip
            table(found)
        flips.flip_sources(scores)

    timed("all tables of notebooks 05 and 06, 20 models x 480 answers", 20.0, analysis)


def main(arguments: list[str]) -> int:
    scale = 0.1 if "--quick" in arguments else 1.0
    start = time.perf_counter()
    shares()
    differences()
    equivalence(int(4000 * scale))
    cochran(int(4000 * scale))
    gaps(int(1200 * scale))
    simultaneous(int(1000 * scale))
    families(int(600 * scale))
    strategies(int(400 * scale))
    noise(int(600 * scale))
    speed()
    print(
        f"\n{time.perf_counter() - start:.0f} s; "
        + (f"{len(FAILED)} differ: " + "; ".join(FAILED) if FAILED else "all agree")
    )
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
