"""Models against each other on variants: only at the same seeds, representations and number of variants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from geoutils.compact import by_pair
from geoutils.panel import kind_of
from geoutils.robustness import DRAWS, Cube
from geoutils.stats.paired import bonett_price, holm, mcnemar_exact, mcnemar_midp, mean_difference, paired_table
from geoutils.stats.proportions import share
from geoutils.stats.resampling import percentile, rank_intervals, resampled_means, weights

WHY = "the worst case falls with every further variant"


def comparable(given: Sequence[Cube]) -> list[tuple[list[Cube], str]]:
    """Groups of cubes of one strategy and the same representations, each cut to what all of it have in common.

    With each group comes a sentence that says what was cut ("" when nothing was) and why.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Cube]] = {}
    for cube in given:
        if cube.n:
            groups.setdefault((cube.strategy, cube.representations), []).append(cube)
    out = []
    for group in groups.values():
        variants = sorted(set.intersection(*(set(c.variants) for c in group)))
        problems = sorted(set.intersection(*(set(c.problems) for c in group)))
        told = []
        if any(set(c.variants) != set(variants) for c in group):
            told.append(f"compared at the {len(variants)} variant(s) that all have, since {WHY}")
        if any(set(c.problems) != set(problems) for c in group):
            told.append(f"compared on the {len(problems)} seeds that all have")
        if variants and problems:
            out.append(([c.only(problems=problems, variants=variants) for c in group], "; ".join(told)))
        else:
            out.append(([], "; ".join([*told, "nothing left to compare"])))
    return out


def _seed_scores(cube: Cube) -> tuple[np.ndarray, np.ndarray]:
    cells = cube.correct.reshape(cube.n, -1)
    return cells.mean(axis=1), cells.min(axis=1)


def ranks(given: Sequence[Cube]) -> pd.DataFrame:
    """Ranks (1 = best) by average and by worst case, with 95 % limits over resampled seeds."""
    rows = []
    for group, told in comparable(given):
        if len(group) < 2:
            continue
        scores = [_seed_scores(c) for c in group]
        both = [np.column_stack([s[i] for s in scores]) for i in (0, 1)]
        w = weights(group[0].n, draws=DRAWS)
        by = [rank_intervals(values, w) for values in both]
        for i, cube in enumerate(group):
            row: dict[str, Any] = {**cube.labels, "seeds": cube.n, "variants": cube.m}
            for name, values, rank in zip(("average", "worst"), both, by, strict=True):
                row |= {name: float(values[:, i].mean()), f"{name}_rank": int(rank[i, 0])}
                row |= {f"{name}_rank_low": int(rank[i, 1]), f"{name}_rank_high": int(rank[i, 2])}
            rows.append({**row, "note": told})
    columns = [f"{n}{e}" for n in ("average", "worst") for e in ("", "_rank", "_rank_low", "_rank_high")]
    table = pd.DataFrame(rows, columns=["model", "strategy", "kind", "seeds", "variants", *columns, "note"])
    return table.sort_values(["strategy", "average_rank", "model"], kind="stable", ignore_index=True)


def differences(given: Sequence[Cube]) -> pd.DataFrame:
    """Paired differences (first minus second) of average, worst case and RR, for every two models.

    Average: Student limits and p over seeds (a sign test where every seed differs alike). Worst case: Bonett and Price's limits and mid-p McNemar. RR: percentile
    limits over resampled seeds, without a test. `p_holm` is adjusted over all pairs of one measure.
    """
    rows = []
    for group, told in comparable(given):
        scores = [_seed_scores(c) for c in group]
        drawn = [resampled_means(np.column_stack(s), weights(len(s[0]), draws=DRAWS)) for s in scores]
        for i, j in combinations(range(len(group)), 2):
            base = {
                "first": group[i].model, "second": group[j].model, "strategy": group[i].strategy,
                "kinds": " - ".join(dict.fromkeys([kind_of(group[i].model), kind_of(group[j].model)])),
                "seeds": group[i].n, "variants": group[i].m,
            }  # fmt: skip
            gap, p = mean_difference(scores[i][0], scores[j][0])
            if np.isnan(p) and gap.value:  # the same difference in every seed: no spread, but a sign test
                p = mcnemar_exact(group[i].n, 0)
            table = paired_table(scores[i][1], scores[j][1])
            worst = bonett_price(table)
            one, two = (_ratio(d) for d in (drawn[i], drawn[j]))
            low, high = percentile(one - two)
            ratio = [float(s[1].mean() / s[0].mean()) if s[0].mean() else 0.0 for s in (scores[i], scores[j])]
            for name, value, p_value in (
                ("average", gap, p),
                ("worst", worst, mcnemar_midp(table.b, table.c)),
                ("rr", (ratio[0] - ratio[1], float(low), float(high)), np.nan),
            ):
                rows.append({**base, "measure": name, "difference": value[0], "low": value[1], "high": value[2], "p": p_value, "note": told})
    columns = ["first", "second", "strategy", "kinds", "seeds", "variants", "measure", "difference", "low", "high", "p"]
    out = pd.DataFrame(rows, columns=[*columns, "note"])
    out.insert(len(columns), "p_holm", np.nan)
    for name in ("average", "worst"):
        mine = out["measure"] == name
        out.loc[mine, "p_holm"] = holm(out.loc[mine, "p"].to_list())
    return out


def _ratio(drawn: np.ndarray) -> np.ndarray:
    return np.divide(drawn[:, 1], drawn[:, 0], out=np.zeros(len(drawn)), where=drawn[:, 0] > 0)


def by_question_type(cells: pd.DataFrame) -> pd.DataFrame:
    """Accuracy on repeat 0 by the type of a question, with the chance level of multiple choice beside it.

    `chance` is the mean of 1 / `choices`, where the source says how many there are. Empty when the source has no type of
    question. Limits are percentiles over resampled seeds (exact at 0 and 1).
    """
    columns = ["model", "strategy", "kind", "question_type", "seeds", "cells", "accuracy", "low", "high", "chance"]
    if "question_type" not in cells or not cells["question_type"].fillna("").ne("").any():
        return pd.DataFrame(columns=columns)
    rows = []
    typed = cells[(cells["repeat"] == 0) & cells["question_type"].fillna("").ne("")]
    groups = ((pair, kind, g) for pair, own in by_pair(typed) for kind, g in own.groupby("question_type", sort=False))
    for (model, strategy), kind, g in groups:
        seeds = g.groupby("problem")["correct"].mean().to_numpy()
        accuracy, n = float(seeds.mean()), len(seeds)
        low, high = map(float, percentile(resampled_means(seeds, weights(n, draws=DRAWS))))
        if accuracy in (0.0, 1.0):
            edge = share(n if accuracy else 0, n)
            low, high = edge.low, edge.high
        choices = pd.to_numeric(g["choices"], errors="coerce") if "choices" in g else pd.Series(dtype=float)
        chance = float((1 / choices[choices > 0]).mean()) if (choices > 0).any() else np.nan
        rows.append([model, strategy, kind_of(model), kind, n, len(g), accuracy, low, high, chance])
    return pd.DataFrame(rows, columns=columns)
