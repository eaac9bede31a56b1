"""Do the regressions keep what they promise, and are they quick?

    python benchmarks/regression.py [--quick]

Recovery of a random-intercept model, error rates of the clustered logit (beside those of a logit that takes all
answers for independent), size of the joint tests, coverage of the average marginal effect and agreement of its two
standard errors; then the speed. Each line says what was expected, what was found, the Monte Carlo error and whether
it agrees within three of them. Exit code 1 when a line does not.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from simulated_panel import problems_table
from synthetic_scores import irt_cells, panel_frame

from geoutils import feature_tables, per_model, regression
from geoutils.stats import logit, mixed
from geoutils.stats.resampling import weights

FAILED: list[str] = []
MODELS, PROBLEMS, SD = 11, 158, 1.5
ABILITIES = np.linspace(-0.3, 2.6, MODELS)


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


def rate(hits: list[bool]) -> tuple[float, float]:
    p = float(np.mean(hits))
    return p, float(np.sqrt(max(p * (1 - p), 0.0475) / len(hits)))


def recovery(runs: int) -> None:
    """(0.8, 0, -0.8) and a problem SD of 1.5, 158 problems, one model."""
    rng = np.random.default_rng(1)
    fits = [
        mixed.pattern_intercept(irt_cells(rng, PROBLEMS, (0.0, 0.0, -0.8), ability=0.8, sd=SD)) for _ in range(runs)
    ]
    params = np.column_stack([np.array([f.params for f in fits]), [f.sd for f in fits]])
    errors = params.std(axis=0, ddof=1) / np.sqrt(runs)
    for i, (name, expected) in enumerate(
        (("intercept", 0.827), ("Euclidean", 0.002), ("vector", -0.831), ("problem SD", 1.527))
    ):
        # the expectation is itself a mean over 300 simulations
        line(
            f"random intercept, mean of {name}",
            expected,
            params[:, i].mean(),
            float(errors[i] * np.sqrt(1 + runs / 300)),
        )
    spread = float(params[:, 2].std(ddof=1))
    line("random intercept, SD of the vector estimate", 0.291, spread, spread * np.sqrt(1 / (2 * runs) + 1 / 600))
    line(
        "random intercept, 95 % coverage of vector",
        0.950,
        *rate([abs(f.params[2] + 0.8) < 1.96 * f.se[2] for f in fits]),
    )


def pooled(
    rng: np.random.Generator, effects: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> tuple[np.ndarray, np.ndarray]:
    """Right/wrong of 11 models x 158 problems x 3, and the problem of each row."""
    difficulty = rng.normal(0, SD, PROBLEMS)
    cells = np.stack([irt_cells(rng, PROBLEMS, effects, ability=a, difficulty=difficulty) for a in ABILITIES])
    return cells.ravel().astype(float), np.tile(np.repeat(np.arange(PROBLEMS), 3), MODELS)


def base_design() -> dict[str, np.ndarray]:
    rep, model = np.tile(np.arange(3), PROBLEMS * MODELS), np.repeat(np.arange(MODELS), 3 * PROBLEMS)
    columns = {"intercept": np.ones(len(rep)), "euclid": rep == 1, "vector": rep == 2}
    return columns | {f"model {m}": model == m for m in range(1, MODELS)}


def error_rates(runs: int) -> None:
    """No effect of anything: how often is a covariate or the representation called significant?"""
    rng = np.random.default_rng(2)
    hits: dict[str, list[bool]] = {
        f"{c}, {t}": [] for c in ("clustered", "independent") for t in ("problem", "statement", "vector")
    }
    joint: list[bool] = []
    for _ in range(runs):
        y, problem = pooled(rng)
        own = rng.normal(size=PROBLEMS)
        statement = (rng.normal(size=PROBLEMS)[:, None] + rng.normal(size=(PROBLEMS, 3))).ravel()
        columns = base_design() | {"problem": own[problem], "statement": np.tile(statement, MODELS)}
        fit = logit.fit_logit(np.column_stack(list(columns.values())).astype(float), y, problem, list(columns))
        for term in ("problem", "statement", "vector"):
            hits[f"clustered, {term}"].append(fit.term(term).p <= 0.05)
            i = fit.names.index(term)
            hits[f"independent, {term}"].append(abs(fit.params[i]) > 1.96 * np.sqrt(fit.model_covariance[i, i]))
        joint.append(logit.wald(fit, ["euclid", "vector"]).p <= 0.05)
    for term in ("problem", "statement", "vector"):
        line(
            f"clustered logit, 11 models, error rate of a covariate per {term}",
            (0.043, 0.053),
            *rate(hits[f"clustered, {term}"]),
            slack=0.01,
        )
        print(
            f"{'':<4}the same when answers are taken for independent: {np.mean(hits[f'independent, {term}']):.3f}",
            flush=True,
        )
    line("joint test of the representation, error rate", 0.05, *rate(joint), slack=0.005)


def interaction_size(runs: int) -> None:
    """All models react alike (vector -0.8): the joint test of 20 terms on 158 problems."""
    rng = np.random.default_rng(3)
    base = base_design()
    crossed = {f"{m} x {r}": base[m] & base[r] for m in list(base)[3:] for r in ("euclid", "vector")}
    columns = base | crossed
    x = np.column_stack(list(columns.values())).astype(float)
    hits = []
    for _ in range(runs):
        y, problem = pooled(rng, (0.0, 0.0, -0.8))
        hits.append(logit.wald(logit.fit_logit(x, y, problem, list(columns)), list(crossed)).p <= 0.05)
    line("joint test of model x representation, 20 terms, error rate", 0.05, *rate(hits), slack=0.01)


def effects(runs: int) -> None:
    """Coverage of the average marginal effect and its two standard errors."""
    rng = np.random.default_rng(4)
    nodes, w = np.polynomial.hermite_e.hermegauss(61)
    share = [np.mean([w @ (1 / (1 + np.exp(-(a + e - SD * nodes)))) / w.sum() for a in ABILITIES]) for e in (0.0, -0.8)]
    truth = share[1] - share[0]
    columns = base_design()
    x = np.column_stack(list(columns.values())).astype(float)
    covered, deltas, boots, values = [], [], [], []
    for i in range(runs):
        y, problem = pooled(rng, (0.0, 0.0, -0.8))
        fit = logit.fit_logit(x, y, problem, list(columns))
        designs = logit.settings(fit, [[], ["vector"]])
        e = logit.contrast(fit, *logit.standardised(fit, designs), 1, 0)
        covered.append(e.low <= truth <= e.high)
        values.append(e.value)
        if i < 40:
            draws = logit.bootstrap_contrasts(fit, y, problem, designs, weights(PROBLEMS)[:1000] * PROBLEMS)
            deltas.append(e.se)
            boots.append(float((draws[:, 1] - draws[:, 0]).std(ddof=1)))
    line("average marginal effect of vector, 95 % coverage", 0.95, *rate(covered), slack=0.01)
    line("average marginal effect, mean", truth, float(np.mean(values)), float(np.std(values) / np.sqrt(runs)))
    line(
        "its bootstrap error over its delta-method error",
        1.0,
        float(np.mean(boots) / np.mean(deltas)),
        0.01,
        slack=0.02,
    )


def speed() -> None:
    data = panel_frame(models={f"lab/{i:02d}": -1 + i / 8 for i in range(20)}, effects=(0, 0.1, -0.7))
    problems = problems_table(160)
    names = dict(zip(dict.fromkeys(problems["problem"]), data.drop_duplicates("problem")["problem"], strict=True))
    merged = feature_tables.merge_features(data, problems.assign(problem=problems["problem"].map(names)))
    for name, limit, work in (
        ("all pooled regressions, 20 models x 480 answers", 8.0, lambda: regression.analyse(merged)),
        ("all regressions of single models, 20 models", 6.0, lambda: per_model.per_model(merged)),
        ("features of 480 statements, correlations", 3.0, lambda: feature_tables.correlations(merged)),
    ):
        work()  # imports
        started = time.process_time()
        work()
        line(f"{name}, seconds of one core", (0.0, limit), time.process_time() - started)


def main(arguments: list[str]) -> int:
    scale = 0.1 if "--quick" in arguments else 1.0
    start = time.perf_counter()
    recovery(max(200, int(300 * scale)))
    error_rates(int(600 * scale))
    interaction_size(int(400 * scale))
    effects(int(400 * scale))
    speed()
    print(
        f"\n{time.perf_counter() - start:.0f} s; "
        + (f"{len(FAILED)} differ: " + "; ".join(FAILED) if FAILED else "all agree")
    )
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
