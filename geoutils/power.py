"""Which difference can this design detect? Before a run from a guess, after it from what was observed.

The unit is a problem answered in two representations (or by two models). ``discordance`` is the share of problems
on which the two differ, ``difference`` = (b - c) / n. Power after a run is never computed from the observed
difference (that only restates p); only the detectable difference from the observed discordance is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from geoutils.errors import UserError
from geoutils.stats.proportions import FEW


def mcnemar_power(
    problems: int, discordance: float, difference: float, *, alpha: float = 0.05, exact: bool = False
) -> float:
    """Exact power of the mid-p (or exact) McNemar test: the sum over b + c and b of the chance to reject."""
    if not 0 <= abs(difference) <= discordance <= 1:
        raise ValueError(f"needs |difference| <= discordance <= 1, got {difference} and {discordance}")
    if discordance == 0:
        return 0.0
    weight = stats.binom.pmf(np.arange(1, problems + 1), problems, discordance)
    m = np.flatnonzero(weight > 1e-12) + 1
    weight, edge = weight[m - 1], _last_rejected(problems, alpha, exact)[m - 1]
    up = (discordance + abs(difference)) / (2 * discordance)
    chance = stats.binom.cdf(edge, m, up) + stats.binom.sf(m - edge - 1, m, up)
    return float(weight @ np.where(edge < 0, 0.0, np.minimum(chance, 1.0)))


@lru_cache(maxsize=64)
def _last_rejected(most: int, alpha: float, exact: bool) -> np.ndarray:
    """Largest min(b, c) that the test rejects, for each b + c = 1..most; -1 if none (the p rises with min(b, c))."""
    m = np.arange(1, most + 1)
    edge = np.full(m.shape, -1)
    start = stats.binom.ppf(alpha / 2, m, 0.5).astype(int)
    for step in (-2, -1, 0, 1):
        c = start + step
        p = 2 * stats.binom.cdf(c, m, 0.5) - (0 if exact else stats.binom.pmf(c, m, 0.5))
        edge = np.where((c >= 0) & (2 * c < m) & (p <= alpha), np.maximum(edge, c), edge)
    return edge


def detectable_difference(
    problems: int,
    discordance: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    tests: int = 1,
    repeats: int = 1,
    noise_share: float = 0.0,
) -> float:
    """Smallest difference found with the given power at ``alpha / tests``; ``nan`` if none up to the discordance is.

    With one run a cell it inverts :func:`mcnemar_power`. With ``repeats`` K of each cell averaged, chance
    makes ``noise_share`` of the discordance and shrinks by K: the variance of a problem's difference is
    discordance (1 - noise_share + noise_share / K) - difference^2, and a normal approximation is used (Miller 2024).
    """
    level = alpha / tests
    if repeats > 1:
        z = stats.norm.isf(level / 2) + stats.norm.ppf(power)
        spread = discordance * (1 - noise_share + noise_share / repeats)
        d = float(z * math.sqrt(spread / (problems + z * z)))
        return d if d <= discordance else math.nan
    if mcnemar_power(problems, discordance, discordance, alpha=level) < power:
        return math.nan
    return float(
        optimize.brentq(
            lambda d: mcnemar_power(problems, discordance, d, alpha=level) - power, 0.0, discordance, xtol=1e-4
        )
    )


def problems_needed(
    difference: float,
    discordance: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    tests: int = 1,
    repeats: int = 1,
    noise_share: float = 0.0,
) -> int:
    """Problems needed to find ``difference`` (normal approximation, null and alternative variances told apart)."""
    if not 0 < abs(difference) <= discordance:
        raise ValueError("needs 0 < difference <= discordance")
    spread = discordance * (1 - noise_share + noise_share / repeats)
    za, zb = stats.norm.isf(alpha / tests / 2), stats.norm.ppf(power)
    return math.ceil((za * math.sqrt(spread) + zb * math.sqrt(max(spread - difference**2, 0.0))) ** 2 / difference**2)


def miller_problems(
    difference: float,
    omega2: float,
    *,
    sigma2_first: float = 0.0,
    sigma2_second: float = 0.0,
    repeats_first: int = 1,
    repeats_second: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Miller (2024): n = (z_alpha/2 + z_beta)^2 (omega^2 + s_A^2 / K_A + s_B^2 / K_B) / difference^2, rounded."""
    z = stats.norm.isf(alpha / 2) + stats.norm.ppf(power)
    return round(z * z * (omega2 + sigma2_first / repeats_first + sigma2_second / repeats_second) / difference**2)


def design_table(
    problems: int,
    *,
    discordance: Sequence[float] = (0.1, 0.2, 0.3, 0.4),
    alpha: float = 0.05,
    power: float = 0.8,
    tests: int = 1,
    repeats: int = 1,
    noise_share: float = 0.0,
) -> pd.DataFrame:
    """Detectable difference for each guess of the discordance, alone and when corrected for ``tests`` tests.

    ``detectable`` and ``detectable_corrected`` are shares (0.12 = 12 points); ``nan`` means not even the
    largest possible difference is found.
    """
    rows = []
    for psi in discordance:
        options: dict[str, Any] = {"alpha": alpha, "power": power, "repeats": repeats, "noise_share": noise_share}
        rows.append(
            {
                "problems": problems,
                "repeats": repeats,
                "discordance": psi,
                "detectable": detectable_difference(problems, psi, **options),
                "tests": tests,
                "detectable_corrected": detectable_difference(problems, psi, tests=tests, **options),
            }
        )
    return pd.DataFrame(rows)


def power_curve(
    problems: int,
    *,
    discordance: float = 0.3,
    differences: Sequence[float] | None = None,
    alpha: float = 0.05,
    tests: int = 1,
) -> pd.DataFrame:
    """Power over the difference, alone and corrected for ``tests`` tests: difference, power, power_corrected."""
    grid = np.linspace(0, min(discordance, 0.3), 31) if differences is None else np.asarray(differences)
    return pd.DataFrame(
        [
            {
                "difference": float(d),
                "power": mcnemar_power(problems, discordance, float(d), alpha=alpha),
                "power_corrected": mcnemar_power(problems, discordance, float(d), alpha=alpha / tests),
            }
            for d in grid
        ]
    )


def detectable_after(scores: pd.DataFrame | Sequence[Any], *, alpha: float = 0.05, power: float = 0.8) -> pd.DataFrame:
    """After a run: the detectable difference of each model, strategy and pair from its observed discordance.

    Not observed power. ``corrected`` is for Bonferroni over the pairs and the models of the same kind.
    """
    from geoutils.panel import pairs_of, panels

    rows, group = [], panels(scores)
    for p in group:
        family = 3 * sum(q.kind == p.kind for q in group)
        for first, second in pairs_of(p.representations):
            psi = float((p.column(first) != p.column(second)).mean()) if p.n else math.nan
            usable = p.n >= FEW and psi > 0
            rows.append(
                {
                    **p.labels,
                    "first": first,
                    "second": second,
                    "n": p.n,
                    "discordance": psi,
                    "detectable": detectable_difference(p.n, psi, alpha=alpha, power=power) if usable else math.nan,
                    "tests": family,
                    "corrected": detectable_difference(p.n, psi, alpha=alpha, power=power, tests=family)
                    if usable
                    else math.nan,
                    "note": "" if usable else f"too few for tests (n={p.n})" if p.n < FEW else "no discordant problem",
                }
            )
    return pd.DataFrame(
        rows,
        columns=[
            "model",
            "strategy",
            "kind",
            "first",
            "second",
            "n",
            "discordance",
            "detectable",
            "tests",
            "corrected",
            "note",
        ],
    )


def _check(
    problems: int,
    discordance: Sequence[float],
    difference: float,
    repeats: int,
    noise_share: float,
    tests: int,
    alpha: float,
    power: float,
) -> None:
    wrong = [
        (not 1 <= problems <= 100_000, f"problems must be 1 to 100,000, not {problems}"),
        (not discordance, "discordance needs at least one value"),
        (
            any(not 0 < d <= 1 for d in discordance),
            f"discordance must be above 0 and at most 1, not {list(discordance)}",
        ),
        (not 0 <= difference <= 1, f"difference must be between 0 and 1 (0.1 = 10 points), not {difference}"),
        (repeats < 1, f"repeats must be at least 1, not {repeats}"),
        (not 0 <= noise_share <= 1, f"noise_share must be between 0 and 1, not {noise_share}"),
        (tests < 1, f"tests must be at least 1, not {tests}"),
        (not 0 < alpha < 1, f"alpha must be between 0 and 1, not {alpha}"),
        (not 0 < power < 1, f"power must be between 0 and 1, not {power}"),
    ]
    for fails, message in wrong:
        if fails:
            raise UserError(message)


def power_report(
    *,
    problems: int = 160,
    discordance: Sequence[float] = (0.1, 0.2, 0.3, 0.4),
    difference: float = 0.0,
    repeats: int = 1,
    noise_share: float = 0.0,
    tests: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
    scores: pd.DataFrame | None = None,
) -> str:
    """The text of ``geoutils power``: before a run from the design, and after it from ``scores`` as well.

    Raises :class:`UserError` for an option out of range.
    """
    discordance = [float(d) for d in discordance]
    _check(problems, discordance, difference, repeats, noise_share, tests, alpha, power)
    runs = f"{repeats} run{'s' if repeats > 1 else ''} a cell"
    lines = [
        f"{problems} problems, {runs}; two-sided level {alpha:g}, power {power:.0%}, mid-p McNemar"
        + (f"; chance makes {noise_share:.0%} of the discordance" if repeats > 1 else ""),
        "discordance: share of problems on which two representations (or models) differ",
        "",
    ]
    table = design_table(
        problems,
        discordance=discordance,
        alpha=alpha,
        power=power,
        tests=tests,
        repeats=repeats,
        noise_share=noise_share,
    )
    points = [
        f"{'discordance':>12} {'detectable':>12}"
        + (f" {f'/ {tests} tests':>12}" if tests > 1 else "")
        + (f" {f'power at {100 * difference:g}':>14} {'needed n':>9}" if difference else "")
    ]
    for row in table.to_dict("records"):
        psi = row["discordance"]
        line = f"{psi:>12.2f} {_points(row['detectable']):>12}" + (
            f" {_points(row['detectable_corrected']):>12}" if tests > 1 else ""
        )
        if difference:
            if difference <= psi:
                chance = (
                    f"{mcnemar_power(problems, psi, difference, alpha=alpha / tests):.2f}" if repeats == 1 else "n/a"
                )
                need = str(
                    problems_needed(
                        difference, psi, alpha=alpha, power=power, tests=tests, repeats=repeats, noise_share=noise_share
                    )
                )
            else:
                chance = need = "n/a"
            line += f" {chance:>14} {need:>9}"
        points.append(line)
    lines += points
    if difference and tests > 1:
        lines.append(f"power and needed n are those at level {alpha:g} / {tests}")
    if difference and repeats > 1:
        lines.append("power at a difference is exact for one run a cell only; read 'needed n'")
    if scores is not None:
        lines += ["", "detectable from the observed discordance (not observed power):"]
        after = detectable_after(scores, alpha=alpha, power=power)
        for row in after.to_dict("records"):
            kind = "" if row["kind"] == "model" else f" [{row['kind']}]"
            lines.append(
                f"{row['model']} ({row['strategy']}){kind} {row['first']}-{row['second']}: n={row['n']}, "
                f"discordance {row['discordance']:.3f}, detectable {_points(row['detectable'])}, "
                f"corrected for {row['tests']} tests {_points(row['corrected'])}"
                + (f" ({row['note']})" if row["note"] else "")
            )
    return "\n".join(lines)


def _points(value: float) -> str:
    return "none" if math.isnan(value) else f"{100 * value:.1f} points"
