"""Does a right answer survive new numbers, a turned figure, other names? Average case, worst case and their ratio.

With N seed problems and M variants of each (Zou et al. 2024, DynaMath): average = mean over seeds of the share of
variants answered rightly, worst = share of seeds with every variant right, RR = worst / average. All of it is counted
on repeat 0, the primary answer; further repeats are the subject of :mod:`geoutils.repetition`. Intervals resample
whole seeds, since the variants of one seed are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from geoutils.compact import by_pair
from geoutils.panel import KNOWN, STRATEGIES, kind_of
from geoutils.stats.paired import mean_difference
from geoutils.stats.proportions import share
from geoutils.stats.resampling import percentile, resampled_means, weights

DRAWS = 5_000
NO_CORRECT = "no correct answer"
CANONICAL = "canonical"
VARIATIONS = ("names only", "numbers", "motion or scale", "numbers and motion")
ALL = "all"


def variation_of(kinds: str) -> str:
    """What a variant changes, from the column `kinds`; changed names beside numbers or a motion are not told apart."""
    changed = {part.strip() for part in str(kinds).split(",") if part.strip()}
    if not changed:
        return ""
    if CANONICAL in changed:
        return CANONICAL
    moved, numbers = bool(changed & {"motion", "scale"}), "numbers" in changed
    if moved and numbers:
        return "numbers and motion"
    return "motion or scale" if moved else "numbers" if numbers else "names only"


@dataclass(frozen=True)
class Cube:
    """One model and strategy: `correct` is seeds x representations x variants (0/1, repeat 0).

    `variation` is seeds x variants: what each variant changes ("" where it is not known). `left_out` counts the
    problems that were planned with fewer variants than the others; they are not in the cube. Nor are the representations
    in `apart`, of which no problem was asked in all variants.
    """

    model: str
    strategy: str
    problems: tuple[str, ...]
    categories: tuple[str, ...]
    difficulties: tuple[str, ...]
    representations: tuple[str, ...]
    variants: tuple[int, ...]
    correct: np.ndarray
    variation: np.ndarray
    left_out: int = 0
    apart: tuple[str, ...] = ()

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.model, "strategy": self.strategy, "kind": kind_of(self.model)}

    @property
    def n(self) -> int:
        return len(self.problems)

    @property
    def m(self) -> int:
        return len(self.variants)

    def only(self, *, problems: Iterable[str] | None = None, variants: Iterable[int] | None = None) -> Cube:
        """The cube on some of its seeds and variants, in the order given."""
        seeds = list(self.problems if problems is None else problems)
        kept = list(self.variants if variants is None else variants)
        place = {name: i for i, name in enumerate(self.problems)}
        rows, columns = [place[name] for name in seeds], [self.variants.index(v) for v in kept]
        return replace(
            self,
            problems=tuple(seeds),
            categories=tuple(self.categories[i] for i in rows),
            difficulties=tuple(self.difficulties[i] for i in rows),
            variants=tuple(kept),
            correct=self.correct[rows][:, :, columns],
            variation=self.variation[rows][:, columns],
        )

    def views(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each representation with its seeds x variants cells, and all of them together where there are several."""
        if len(self.representations) > 1:
            yield ALL, self.correct.reshape(self.n, -1)
        for i, name in enumerate(self.representations):
            yield name, self.correct[:, i]


def cubes(cells: pd.DataFrame) -> list[Cube]:
    """One :class:`Cube` for each model and strategy of `cells` (see :func:`geoutils.robust_cells.read_cells`).

    Seeds with every variant of the model are in; those planned with fewer are counted in `left_out`.
    """
    primary = cells[cells["repeat"] == 0]
    out = []
    for (model, strategy), g in by_pair(primary):
        most = g.groupby("representation", observed=True)["variant"].nunique()
        present = tuple(r for r in KNOWN if r in most.index and most[r] == most.max())
        apart = tuple(r for r in KNOWN if r in most.index and most[r] < most.max())  # asked in fewer variants by plan
        g = g[g["representation"].isin(present)]
        variants = tuple(sorted(g["variant"].unique()))
        wide = g.pivot(index="problem", columns=["representation", "variant"], values="correct")
        wide = wide.reindex(columns=pd.MultiIndex.from_product([present, variants])).sort_index()
        full = wide.dropna()
        about = g.drop_duplicates("problem").set_index("problem").loc[full.index]
        kinds = g.drop_duplicates(["problem", "variant"]).pivot(index="problem", columns="variant", values="variation")
        kinds = kinds.reindex(index=full.index, columns=list(variants)).fillna("")
        out.append(
            Cube(
                str(model),
                str(strategy),
                tuple(map(str, full.index)),
                tuple(about["category"]),
                tuple(about["difficulty"]),
                present,
                tuple(int(v) for v in variants),
                full.to_numpy(dtype=int).reshape(len(full), len(present), len(variants)),
                kinds.to_numpy(dtype=object),
                len(wide) - len(full),
                apart,
            )
        )
    return sorted_cubes(out)


def sorted_cubes(given: Iterable[Cube]) -> list[Cube]:
    """Models first, then simulated ones, then baselines; strategies in their usual order."""
    kinds_order = {"model": 0, "SIMULATED": 1, "BASELINE": 2}
    usual = {s: i for i, s in enumerate(STRATEGIES)}
    return sorted(given, key=lambda c: (kinds_order[kind_of(c.model)], c.model, usual.get(c.strategy, 9), c.strategy))


def measures(seeds: Sequence[np.ndarray] | np.ndarray) -> dict[str, Any]:
    """Average, worst and RR of seeds x cells, each with 95 % limits.

    `seeds` is a 0/1 array (seeds first), or a list with one array a seed where their numbers of cells differ. The
    average and RR have percentile limits over resampled seeds; the worst case is one 0/1 value a seed, so Wilson's
    interval (exact at the edge) is that of the seeds, and never of width zero.
    """
    mean = np.array([np.mean(row) for row in seeds], dtype=float)
    every = np.array([np.min(row) for row in seeds], dtype=float)
    n = len(mean)
    out: dict[str, Any] = {"seeds": n, **dict.fromkeys(_MEASURED, np.nan), "note": ""}
    if not n:
        return out | {"note": "no seed"}
    worst = share(int(every.sum()), n)
    average = float(mean.mean())
    drawn = resampled_means(np.column_stack([mean, every]), weights(n, draws=DRAWS))
    (low, _), (high, _) = percentile(drawn)
    if average in (0.0, 1.0):
        edge = share(n if average else 0, n)
        low, high = edge.low, edge.high
    out |= {"average": average, "average_low": float(low), "average_high": float(high)}
    out |= {"worst": worst.value, "worst_low": worst.low, "worst_high": worst.high, "always_right": worst.k}
    if average == 0:
        return out | {"rr": 0.0, "note": NO_CORRECT}
    ratio = np.divide(drawn[:, 1], drawn[:, 0], out=np.zeros(len(drawn)), where=drawn[:, 0] > 0)
    rr_low, rr_high = map(float, percentile(ratio))
    if worst.k in (0, n):  # all resamples say the same: take the limits of the worst case
        rr_low, rr_high = worst.low / average, min(1.0, worst.high / average)
    return out | {"rr": worst.value / average, "rr_low": rr_low, "rr_high": rr_high}


_MEASURED = (
    "average", "average_low", "average_high", "worst", "worst_low", "worst_high", "rr", "rr_low", "rr_high",
    "always_right",
)  # fmt: skip


def summary(given: Sequence[Cube]) -> pd.DataFrame:
    """One row a model, strategy and representation: seeds, variants, average, worst, rr, with limits.

    Representation `all` (where several were asked) takes the worst over representations and variants together.
    """
    rows = [
        {**c.labels, "representation": name, "variants": c.m, **measures(cells), "left_out": c.left_out}
        for c in given
        for name, cells in c.views()
    ]
    columns = ["model", "strategy", "kind", "representation", "seeds", "variants", *_MEASURED, "left_out", "note"]
    return pd.DataFrame(rows, columns=columns)


def by_group(given: Sequence[Cube], by: str) -> pd.DataFrame:
    """The same within each `category` or `difficulty`, over all representations together."""
    rows = []
    for c in given:
        levels = np.array(c.categories if by == "category" else c.difficulties, dtype=object)
        rows += [
            {**c.labels, by: level, "variants": c.m, **measures(c.correct[levels == level].reshape(sum(levels == level), -1))}
            for level in sorted(set(levels))
            if level
        ]
    return pd.DataFrame(rows, columns=["model", "strategy", "kind", by, "seeds", "variants", *_MEASURED, "note"])


def by_variation(given: Sequence[Cube]) -> pd.DataFrame:
    """The same for each kind of variation, and canonical minus variant accuracy, paired by seed.

    `variants` is the mean number of variants of that kind a seed has: kinds with more variants have a lower worst case
    for that reason alone, so the averages compare across kinds and the worst cases do not. `drop` is the accuracy on
    the canonical problem (variant 0) minus that on the kind, with Student limits over seeds.
    """
    rows = []
    for c in given:
        for level in (CANONICAL, *VARIATIONS):
            chosen = c.variation == level
            seeds = np.flatnonzero(chosen.any(axis=1))
            if not len(seeds):
                continue
            picked = [c.correct[i][:, chosen[i]].ravel() for i in seeds]
            row = {**c.labels, "variation": level, "variants": float(chosen[seeds].sum(axis=1).mean()), **measures(picked)}
            if level != CANONICAL and 0 in c.variants:
                first = c.correct[seeds][:, :, c.variants.index(0)].mean(axis=1)
                gap, p = mean_difference(first, np.array([x.mean() for x in picked]))
                row |= {"canonical": float(first.mean()), "drop": gap.value, "drop_low": gap.low, "drop_high": gap.high, "p": p}
            rows.append(row)
    columns = ["model", "strategy", "kind", "variation", "seeds", "variants", *_MEASURED]
    return pd.DataFrame(rows, columns=[*columns, "canonical", "drop", "drop_low", "drop_high", "p", "note"])


def _all_of(k: int, count: np.ndarray, m: int) -> np.ndarray:
    """Per seed the unbiased chance that k variants drawn without replacement are all right."""
    return np.array([comb(int(c), k) for c in count], dtype=float) / comb(m, k)


def decay(given: Sequence[Cube]) -> pd.DataFrame:
    """How the worst case falls with the number of variants: observed, and as independence would have it.

    `observed` at k is the mean over seeds of C(c, k) / C(M, k), with c of M variants right: the worst case that k
    variants would show. `independent` is average^k, what it would be if every answer were a coin of its own; for the
    representations together, with R of them, a variant is right when all are, against average^(R k).
    """
    rows = []
    for c in given:
        views: list[tuple[str, np.ndarray, int]] = [(r, c.correct[:, i], 1) for i, r in enumerate(c.representations)]
        if len(c.representations) > 1:
            views.insert(0, (ALL, c.correct.min(axis=1), len(c.representations)))
        for name, cells, power in views:
            average = c.correct.mean() if name == ALL else cells.mean()
            count = cells.sum(axis=1)
            ks = range(1, c.m + 1)
            chances = np.column_stack([_all_of(k, count, c.m) for k in ks]) if c.n else np.zeros((0, c.m))
            if not c.n:
                continue
            low, high = percentile(resampled_means(chances, weights(c.n, draws=DRAWS)))
            rows += [
                {
                    **c.labels, "representation": name, "k": k, "seeds": c.n, "observed": float(chances[:, k - 1].mean()),
                    "low": float(low[k - 1]), "high": float(high[k - 1]), "independent": float(average ** (k * power)),
                }
                for k in ks
            ]  # fmt: skip
    columns = ["model", "strategy", "kind", "representation", "k", "seeds", "observed", "low", "high", "independent"]
    return pd.DataFrame(rows, columns=columns)


def noise_floor(given: Sequence[Cube]) -> pd.DataFrame:
    """Flips between representations beside flips inside one when only the names change.

    `names` is the share of pairs (canonical, names-only variant) of one representation whose correctness differs,
    `other` the same for pairs of the canonical problem and any other variant, `representations` the share of pairs of
    two representations of the same variant. Names carry no geometry, so `names` is the floor that flips
    between representations must be read against: `excess` = representations - names, with limits over resampled seeds.
    """
    rows = []
    for c in given:
        if 0 not in c.variants or not c.n:
            continue
        base = c.correct[:, :, c.variants.index(0)]
        flipped = np.abs(c.correct - base[:, :, None]).mean(axis=1)
        names, changed = c.variation == "names only", ~np.isin(c.variation, (CANONICAL, "names only", ""))
        pairs = [(i, j) for i in range(len(c.representations)) for j in range(i)]
        between = np.stack([np.abs(c.correct[:, i] - c.correct[:, j]).mean(axis=1) for i, j in pairs]).mean(axis=0) if pairs else None
        row: dict[str, Any] = {**c.labels, "seeds": c.n, "average": float(c.correct.mean())}
        row |= _floor("names", flipped, names) | _floor("other", flipped, changed)
        if between is not None:
            row["representations"] = float(between.mean())
            both = names.any(axis=1)
            if both.sum() > 1:
                own = np.array([flipped[i, names[i]].mean() for i in np.flatnonzero(both)])
                parts = between[both] - own
                low, high = percentile(resampled_means(parts, weights(len(parts), draws=DRAWS)))
                row |= {"excess": float(parts.mean()), "excess_low": float(low), "excess_high": float(high)}
        rows.append(row)
    columns = ["names_seeds", "names", "other_seeds", "other", "representations", "excess", "excess_low", "excess_high"]
    return pd.DataFrame(rows, columns=["model", "strategy", "kind", "seeds", "average", *columns])


def _floor(name: str, flipped: np.ndarray, chosen: np.ndarray) -> dict[str, Any]:
    seeds = np.flatnonzero(chosen.any(axis=1))
    shares = [flipped[i, chosen[i]].mean() for i in seeds]
    return {f"{name}_seeds": len(seeds), name: float(np.mean(shares)) if shares else np.nan}


def robustness_records(given: Sequence[Cube]) -> list[dict[str, Any]]:
    """Flat records for results.json: model, average, worst, rr, seeds, variants and their limits.

    A model asked one variant only has none: its worst case would be its average.
    """
    from geoutils.records import records_of

    columns = ["model", "strategy", "representation", "average", "average_low", "average_high", "worst", "worst_low",
               "worst_high", "rr", "rr_low", "rr_high", "seeds", "variants", "kind"]  # fmt: skip
    return records_of(summary([c for c in given if c.n and c.m > 1]), columns)
