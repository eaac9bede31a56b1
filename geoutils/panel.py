"""Scores as the analysis sees them: checked rows, and one right/wrong array per model and strategy.

A score row is one cell of the plan (key columns ``model, strategy, problem, category, variant,
representation, repeat``). Nothing is dropped: a cell without a graded answer is not correct, and it is
counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from geoutils.display import markdown
from geoutils.errors import RunError, UserError
from geoutils.experiment import safe_name

if TYPE_CHECKING:
    from geoutils.study import Study

KEYS = ["model", "strategy", "problem", "category", "variant", "representation", "repeat"]
REPRESENTATIONS = ("coord", "euclid", "vector")
KNOWN = (*REPRESENTATIONS, "figure")
STRATEGIES = ("direct", "convert", "reason", "zeroshot", "fewshot", "cot")
SEED_COLUMNS = ["problem", "category", "representation", "predicted", "gold", "correct"]
RIGHT = {"1", "1.0", "true", "yes"}
WRONG = {"0", "0.0", "false", "no"}
LISTED_AS_WRONG = {"med"}
MISSING_OUTCOMES = ("not_run", "api_error", "timeout", "malformed")


def kind_of(model: str) -> str:
    """``BASELINE`` for heuristics, ``SIMULATED`` for invented answerers, ``model`` for everything else."""
    return {"baseline": "BASELINE", "simulated": "SIMULATED"}.get(str(model).split("/", 1)[0], "model")


def pairs_of(representations: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs in the fixed order (coord-euclid, coord-vector, euclid-vector, then others)."""
    return list(combinations(representations, 2))


def _where(scores: pd.DataFrame, index: int) -> str:
    """File and row of a score row: as read, else the file that a model and strategy are kept in."""
    row = scores.iloc[index]
    if "file" in scores.columns and isinstance(row["file"], str):
        return f"{row['file']}, row {int(row['line'])}"
    if not {"model", "strategy"} <= set(scores.columns):
        return f"scores, row {index + 2}"
    before = scores.iloc[:index]
    place = int((before["model"].eq(row["model"]) & before["strategy"].eq(row["strategy"])).sum())
    return f"exp1_{safe_name(str(row['model']))}__{row['strategy']}.csv, row {place + 2}"


def read_correct(scores: pd.DataFrame) -> tuple[pd.Series, list[str]]:
    """The column ``correct`` as 0/1, and notices about spellings that were counted as not correct.

    Accepted in any case: 1/0, 1.0/0.0, true/false, yes/no. ``MED`` is counted as not correct and listed. A
    blank is 0 where the row says that there is no answer (``outcome`` other than ok, or ``verdict``
    unparsed). Anything else raises :class:`UserError` with file, row and value.
    """
    column = scores["correct"]
    if pd.api.types.is_bool_dtype(column) or (
        pd.api.types.is_integer_dtype(column) and not column.isna().any() and column.isin((0, 1)).all()
    ):
        return column.astype(int), []
    text = column.astype("string").str.strip().str.lower().fillna("")
    out = pd.Series(-1, index=scores.index, dtype=int)
    out[text.isin(RIGHT)] = 1
    out[text.isin(WRONG)] = 0
    listed = text.isin(LISTED_AS_WRONG)
    out[listed] = 0
    silent = pd.Series(False, index=scores.index)
    if "outcome" in scores.columns:
        silent |= ~scores["outcome"].fillna("ok").isin(("ok", ""))
    if "verdict" in scores.columns:
        silent |= scores["verdict"].eq("unparsed")
    out[text.eq("") & silent] = 0
    bad = np.flatnonzero(out.to_numpy() < 0)
    if bad.size:
        first = int(bad[0])
        raise UserError(
            f"{_where(scores, first)}: correct is {column.iloc[first]!r}, expected 1 or 0 (also true/false, yes/no); "
            f"{bad.size} such row(s): grade them (notebook 04_scoring) before the analysis"
        )
    notices = []
    if listed.any():
        rows = ", ".join(_where(scores, int(i)) for i in np.flatnonzero(listed)[:5])
        notices.append(f"{int(listed.sum())} row(s) say MED and count as not correct ({rows})")
    return out, notices


def check_scores(scores: pd.DataFrame, *, representations: Sequence[str] = KNOWN) -> tuple[pd.DataFrame, list[str]]:
    """Scores with every column the analysis needs, and the notices that must be shown.

    The seed's six columns are enough: ``model`` then defaults to "model", ``strategy`` to "direct",
    ``variant`` and ``repeat`` to 0. Raises :class:`UserError` for missing columns, unknown representations,
    unreadable ``correct`` and duplicate cells.
    """
    absent = [c for c in ("problem", "representation", "correct") if c not in scores.columns]
    if absent:
        raise UserError(
            f"scores lack the column(s) {', '.join(absent)}; present: {', '.join(map(str, scores.columns))}"
        )
    out = scores.reset_index(drop=True).copy()
    for name, default in (("model", "model"), ("strategy", "direct"), ("category", ""), ("variant", 0), ("repeat", 0)):
        out[name] = out[name] if name in out.columns else default
    unknown = ~out["representation"].isin(list(representations))
    if unknown.any():
        first = int(np.flatnonzero(unknown)[0])
        raise UserError(
            f"{_where(out, first)}: unknown representation {out['representation'].iloc[first]!r}, "
            f"expected one of {', '.join(representations)}"
        )
    for name in ("variant", "repeat"):
        number = pd.to_numeric(out[name], errors="coerce")
        if number.isna().any() or (number % 1 != 0).any():
            first = int(np.flatnonzero(number.isna() | (number % 1 != 0))[0])
            raise UserError(f"{_where(out, first)}: {name} is {out[name].iloc[first]!r}, expected a whole number")
        out[name] = number.astype(int)
    for name in ("model", "strategy", "problem", "category"):
        out[name] = out[name].astype(str)
    key = ["model", "strategy", "problem", "variant", "representation", "repeat"]
    twice = out.duplicated(key, keep="first")
    if twice.any():
        second = int(np.flatnonzero(twice)[0])
        same = out[key].eq(out[key].iloc[second]).all(axis=1)
        first = int(np.flatnonzero(same)[0])
        cell = ", ".join(f"{k}={out[k].iloc[second]}" for k in key)
        raise UserError(
            f"{_where(out, second)}: repeats {_where(out, first)} ({cell}); {int(twice.sum())} such "
            "row(s): keep one row per cell"
        )
    out["correct"], notices = read_correct(out)
    if "outcome" not in out.columns:
        out["outcome"] = "ok"
    out["outcome"] = out["outcome"].fillna("ok").replace("", "ok").astype(str)
    graded = pd.Series(True, index=out.index)
    if "predicted" in out.columns:
        graded = out["predicted"].notna() & out["predicted"].astype(str).str.strip().ne("")
    if "verdict" in out.columns:
        judged = out["verdict"].fillna("").astype(str)
        graded = graded.where(judged.eq(""), judged.isin(("correct", "wrong")))
    out["answered"] = (graded & out["outcome"].eq("ok")) | out["correct"].eq(1)
    out["kind"] = out["model"].map(kind_of)
    return out, notices


@dataclass(frozen=True)
class Panel:
    """One model and strategy on one variant and repeat: problems x representations.

    ``correct`` and ``answered`` are 0/1 arrays; ``same`` maps a pair of representations to 0/1 per problem
    (the same answer under the grader's comparer), or is None when the scores do not tell.
    """

    model: str
    strategy: str
    kind: str
    problems: tuple[str, ...]
    categories: tuple[str, ...]
    representations: tuple[str, ...]
    missing: tuple[str, ...]
    correct: np.ndarray
    answered: np.ndarray
    silent: np.ndarray
    same: dict[tuple[str, str], np.ndarray] | None
    notices: tuple[str, ...] = field(default=())

    @property
    def n(self) -> int:
        return len(self.problems)

    @property
    def k(self) -> int:
        return len(self.representations)

    @property
    def complete(self) -> bool:
        """No planned representation is missing: Invariance, Consistency and Q exist."""
        return self.k >= 2 and not self.missing

    @property
    def core(self) -> Panel:
        """The panel on coord, euclid and vector: what the measures named @3 mean."""
        return self.select(REPRESENTATIONS)

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.model, "strategy": self.strategy, "kind": self.kind}

    def column(self, representation: str) -> np.ndarray:
        return self.correct[:, self.representations.index(representation)]

    def select(self, representations: Sequence[str]) -> Panel:
        """The same panel as if only these representations had been planned."""
        if tuple(representations) == (*self.representations, *self.missing):
            return self
        present = tuple(r for r in representations if r in self.representations)
        keep = [self.representations.index(r) for r in present]
        same = None if self.same is None else {pair: self.same[pair] for pair in pairs_of(present)}
        missing = tuple(r for r in representations if r not in present)
        return replace(
            self,
            representations=present,
            missing=missing,
            correct=self.correct[:, keep],
            answered=self.answered[:, keep],
            silent=self.silent[:, keep],
            same=same,
        )

    def restrict(self, problems: Iterable[str]) -> Panel:
        """The same panel on some of its problems, in the order given."""
        wanted = list(problems)
        place = {p: i for i, p in enumerate(self.problems)}
        rows = [place[p] for p in wanted]
        same = None if self.same is None else {pair: v[rows] for pair, v in self.same.items()}
        return replace(
            self,
            problems=tuple(wanted),
            categories=tuple(self.categories[i] for i in rows),
            correct=self.correct[rows],
            answered=self.answered[rows],
            silent=self.silent[rows],
            same=same,
        )


def _same_columns(
    frame: pd.DataFrame, present: Sequence[str], problems: pd.Index, correct: np.ndarray, answered: np.ndarray
) -> dict[tuple[str, str], np.ndarray] | None:
    out = {}
    for i, j in combinations(range(len(present)), 2):
        name = f"same_{present[i]}_{present[j]}"
        value = pd.to_numeric(frame[name], errors="coerce") if name in frame.columns else pd.Series(dtype=float)
        if not value.notna().any():
            return None
        value = value.fillna(0)
        said = value.groupby(frame["problem"]).max().reindex(problems).fillna(0).to_numpy() > 0
        both, either = (correct[:, i] & correct[:, j]) == 1, (correct[:, i] | correct[:, j]) == 1
        read = answered[:, i] & answered[:, j]
        # a correct answer stands for the gold, so two of them are the same and one beside a wrong one is not
        out[(present[i], present[j])] = (both | (said & ~either & read)).astype(int)
    return out


def panels(
    scores: pd.DataFrame | Sequence[Panel],
    *,
    variant: int = 0,
    repeat: int = 0,
    representations: Sequence[str] | None = None,
) -> list[Panel]:
    """One :class:`Panel` per model and strategy (variant 0 and repeat 0 unless told otherwise).

    ``representations`` are those that were planned; without it coord, euclid and vector, and figure for whom it
    was asked.

    Models come first, then simulated ones, then baselines; strategies in their usual order. A cell that has
    no row although the model has the problem and the representation counts as not correct and is told in
    ``notices``; a representation with no row at all is in ``missing``.
    """
    if not isinstance(scores, pd.DataFrame):
        return list(scores)
    checked, told = check_scores(scores, representations=representations or KNOWN)
    checked = checked[(checked["variant"] == variant) & (checked["repeat"] == repeat)]
    out = []
    for (model, strategy), frame in checked.groupby(["model", "strategy"], sort=False):
        problems = pd.Index(sorted(frame["problem"].unique()), name="problem")
        asked = set(frame["representation"])
        notices = list(told)
        for r in [r for r in KNOWN[3:] if r in asked and representations is None and len(asked) > 1]:
            some = frame.loc[frame["representation"] == r, "problem"].nunique()
            if some < len(problems):  # asked of a part of the plan: no cell of the others is missing
                asked.discard(r)
                notices.append(f"{r} was asked of {some} of {len(problems)} problems only and is left out here; its answers are in the scores")
        planned = representations or (*REPRESENTATIONS, *(r for r in KNOWN[3:] if r in asked))
        present = tuple(r for r in planned if r in asked)
        wide = frame.set_index(["problem", "representation"])
        grid = pd.MultiIndex.from_product([problems, present])
        shape = (len(problems), len(present))
        cells = wide[["correct", "answered", "outcome"]].reindex(grid)
        absent = int(cells["correct"].isna().sum())
        correct = cells["correct"].fillna(0).to_numpy(dtype=int).reshape(shape)
        answered = cells["answered"].eq(True).to_numpy(dtype=bool).reshape(shape)
        silent = cells["outcome"].fillna("not_run").isin(MISSING_OUTCOMES).to_numpy(dtype=bool).reshape(shape)
        if absent:
            notices.append(f"{absent} of {cells.shape[0]} planned cells have no row and count as not correct")
        missing = tuple(r for r in planned if r not in present)
        if missing:
            notices.append(
                f"no answers in {', '.join(missing)}: Invariance, Consistency and Q need all of {', '.join(planned)}"
            )
        category = frame.groupby("problem")["category"].first().reindex(problems)
        out.append(
            Panel(
                str(model),
                str(strategy),
                kind_of(str(model)),
                tuple(problems),
                tuple(category),
                present,
                missing,
                correct,
                answered,
                silent,
                _same_columns(frame, present, problems, correct, answered),
                tuple(notices),
            )
        )
    kinds = {"model": 0, "SIMULATED": 1, "BASELINE": 2}
    usual = {s: i for i, s in enumerate(STRATEGIES)}
    return sorted(out, key=lambda p: (kinds[p.kind], p.model, usual.get(p.strategy, len(usual)), p.strategy))


def foreign_files(study: Study) -> list[str]:
    """Names of the files in the folder of scores that belong to no model and strategy of the experiment."""
    known = {f"exp1_{safe_name(model)}__{strategy}.csv" for model, strategy in study.experiment.pairs()}
    folder = study.data / "scores"
    return sorted(p.name for p in folder.iterdir() if p.name not in known and not p.name.startswith("."))


def headline(study: Study) -> tuple[pd.DataFrame, list[Panel]]:
    """The scores of a study on variant 0 (with all repeats), and its panels of variant 0 and repeat 0.

    Raises :class:`UserError` when 04_scoring has not run or no score is of variant 0 and repeat 0.
    """
    scores = study.scores(variant=0)
    foreign = foreign_files(study)
    if foreign:
        study.say(
            f"{len(foreign)} files among the scores are of no model and strategy of this experiment and are not read: "
            + ", ".join(markdown(name) for name in foreign[:5])
            + ("." if len(foreign) <= 5 else " and more.")
        )
    found = panels(scores, representations=study.experiment.representations)
    if not found:
        raise UserError(
            f"{study.experiment.name}: no score is of variant 0 and repeat 0, which the headline tables need"
        )
    return scores, found


def common_problems(group: Sequence[Panel]) -> tuple[list[str], str]:
    """Problems that all panels share, and a sentence that counts what was left out ("" when nothing was)."""
    if not group:
        return [], ""
    shared = sorted(set.intersection(*(set(p.problems) for p in group)))
    union = set.union(*(set(p.problems) for p in group))
    left = len(union) - len(shared)
    return shared, f"restricted to the {len(shared)} problems that all have; {left} left out" if left else ""


def load_scores(directory: Path) -> pd.DataFrame:
    """All score files of a folder in one frame, with columns ``file`` and ``line`` for messages.

    Every CSV in the folder must be a score file: another one (for example a list of skipped problems) raises
    :class:`UserError`, because a pattern that happens to match would mix it in. Hidden files are ignored.
    """
    directory = Path(directory)
    files = sorted(p for p in directory.glob("*.csv") if not p.name.startswith(".")) if directory.is_dir() else []
    if not files:
        raise UserError(f"no score files in {directory.name}/: run notebook 04_scoring first")
    frames = []
    for path in files:
        try:
            frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
            raise UserError(f"{path.name}: not readable as CSV ({str(error).splitlines()[0]}); move it away") from error
        absent = [c for c in SEED_COLUMNS if c not in frame.columns]
        if absent or not path.name.startswith("exp1_"):
            why = f"lacks {', '.join(absent)}" if absent else "its name does not start with exp1_"
            raise UserError(f"{path.name}: not a score file ({why}); move it out of {directory.name}/")
        name, _, strategy = path.stem.removeprefix("exp1_").rpartition("__")
        if "model" not in frame.columns:
            frame["model"] = name or path.stem.removeprefix("exp1_")
        if "strategy" not in frame.columns:
            frame["strategy"] = strategy if name else "direct"
        for key in {"variant", "repeat"} - set(frame.columns):
            frame[key] = 0
        frame["file"], frame["line"] = path.name, np.arange(2, len(frame) + 2)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def assert_identities(panel: Panel) -> int:
    """Check what must hold in any data; returns the number of identities checked, raises :class:`RunError`.

    The bounds of Invariance (Frechet), mean accuracy = invariance + fragile share, gap <= flip share,
    Consistency >= Invariance, and that the correctness patterns add up to the number of problems.
    """
    if panel.n == 0 or panel.k < 2:
        return 0
    y, n, k = panel.correct, panel.n, panel.k
    totals, right = y.sum(axis=0), y.sum(axis=1)
    every, some = int((right == k).sum()), int((right > 0).sum())
    fragile = int(right[(right < k)].sum())
    checks = {
        "max(0, sum of accuracies - (k - 1)) <= invariance": max(0, int(totals.sum()) - (k - 1) * n) <= every,
        "invariance <= lowest accuracy": every <= int(totals.min()),
        "highest accuracy <= any <= 1": int(totals.max()) <= some <= n,
        "mean accuracy = invariance + fragile share": int(totals.sum()) == k * every + fragile,
        "gap <= flip share": int(totals.max() - totals.min()) <= some - every,
        "patterns add up": int(np.bincount(y @ (2 ** np.arange(k)), minlength=2**k).sum()) == n,
        "correct answers were read": bool((panel.answered | (y == 0)).all()),
    }
    if panel.same is not None and panel.complete:
        checks["consistency >= invariance"] = int(all_same(panel).sum()) >= every
    for name, holds in checks.items():
        if not holds:
            raise RunError(
                f"{panel.model} ({panel.strategy}): the identity '{name}' does not hold; the scores are inconsistent"
            )
    return len(checks)


def all_same(panel: Panel) -> np.ndarray:
    """0/1 per problem: all pairs of answers are the same (tolerance is not transitive, so every pair is asked)."""
    if panel.same is None:
        raise ValueError("the scores do not say which answers are the same")
    return np.min(np.stack([panel.same[pair] for pair in pairs_of(panel.representations)]), axis=0)
