"""From parsed answers and golds to scores: one row for each planned cell, nothing dropped.

`score` compares each reading with its gold by the rules of `geoutils.answers`, finds which representations of a
problem got the same answer (by that same comparison, pair by pair, never as strings), and applies human overrides.
`sensitivity` shows how every headline number moves with the rules.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from geoutils.answers import MIN_SIGNIFICANT, Value, compare, read_gold, same_answer
from geoutils.choices import is_letter
from geoutils.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

CELL = ["model", "strategy", "problem", "variant", "repeat"]
PAIRS = (("coord", "euclid"), ("coord", "vector"), ("euclid", "vector"))
COLUMNS = [
    "problem", "category", "representation", "predicted", "gold", "correct", "model", "strategy", "variant", "repeat",
    "difficulty", "unit", "outcome", "reading", "verdict", "rule", "warnings", "same_group",
    "same_coord_euclid", "same_coord_vector", "same_euclid_vector", "response_sha256", "dataset_sha256", "overridden",
    "correct_before_cut",
]  # fmt: skip
TRUE_WORDS = frozenset({"1", "1.0", "true", "yes", "y", "correct", "t"})
FALSE_WORDS = frozenset({"0", "0.0", "false", "no", "n", "wrong", "incorrect", "f"})
NOT_CORRECT_WORDS = frozenset({"med"})


@lru_cache(maxsize=65536)
def _read(text: str, unit: str) -> Value | None:
    if not text.strip():
        return None
    try:
        return read_gold(text, unit or None)
    except ValueError:
        return None


@lru_cache(maxsize=65536)
def _correct(predicted: str, gold: str, unit: str, min_significant: int) -> bool:
    if is_letter(gold):
        return predicted.strip().upper() == gold.strip()
    value, truth = _read(predicted, ""), _read(gold, unit)
    return truth is not None and compare(value, truth, unit or None, min_significant)


@lru_cache(maxsize=65536)
def _same(first: str, second: str, min_significant: int) -> bool:
    if not first or not second:
        return False
    if is_letter(first) or is_letter(second):
        return first == second
    return first == second or same_answer(_read(first, ""), _read(second, ""), min_significant)


def read_correct(text: Any) -> int | None:
    """A `correct` cell of someone's scores: 1, 0, or None when blank; MED is 0.

    Raises ValueError for anything else.
    """
    word = "" if text is None else str(text).strip().lower()
    if word in ("", "nan", "none", "<na>"):
        return None
    if word in TRUE_WORDS:
        return 1
    if word in FALSE_WORDS or word in NOT_CORRECT_WORDS:
        return 0
    raise ValueError(f"{text!r} is neither 1, 0, true, false, yes, no, MED nor blank")


def golds(problems: pd.DataFrame) -> pd.DataFrame:
    """One row for each problem and variant: `gold, unit, difficulty, dataset_sha256`, each gold checked.

    Raises UserError naming the problem when a gold cannot be read: such a gold must never grade anything.
    """
    names = {"answer": "gold"}
    keep = ["problem", "variant", "answer", *(c for c in ("unit", "difficulty", "dataset_sha256") if c in problems)]
    table = problems[keep].drop_duplicates(["problem", "variant"]).rename(columns=names)
    table = table.astype({c: object for c in keep[2:] if c != "answer"}).fillna("")
    for row in table.itertuples(index=False):
        text, unit = str(row.gold), str(getattr(row, "unit", ""))
        if text.strip() and not is_letter(text) and _read(text, unit) is None:
            raise UserError(f"problem {row.problem}, variant {row.variant}: the gold {text[:60]!r} cannot be read as a number")
    return table


def score(
    parsed: pd.DataFrame, problems: pd.DataFrame, *, min_significant: int = MIN_SIGNIFICANT, overrides: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One row of scores for each row of `parsed`, in its order, with the columns `COLUMNS`.

    `parsed` has the key columns, `outcome, reading, predicted, rule, warnings, response_sha256` (and `before_cut`);
    rows of imported results may bring their own `gold` and `imported_correct`, whose blanks are filled by our grader.
    `problems` has `problem, variant, answer, unit` (and difficulty, dataset_sha256). `overrides` (see
    `geoutils.overrides`) are applied where the response is the one they were made for.

    `correct` is 1 or 0, never blank: whatever is not correct, for any reason, is 0. `verdict` is correct, wrong or
    unparsed (nothing committed, or no answer at all). `same_group` numbers equal answers within one problem, variant and
    repeat, blank where there is none; `same_<a>_<b>` is 1 where both representations got the same answer.
    """
    if min_significant < 1:
        raise UserError(f"grading.min_significant is {min_significant}; it must be 1 or more")
    table = parsed.merge(golds(problems), on=["problem", "variant"], how="left", suffixes=("", "_known"))
    table.index = parsed.index
    for name in ("gold", "unit", "difficulty", "dataset_sha256"):
        known = f"{name}_known"
        if known in table:
            own = table[name].astype(object).where(table[name].notna(), "")
            table[name] = own.where(own != "", table[known])
        if name not in table:
            table[name] = ""
        table[name] = table[name].astype(object).where(table[name].notna(), "").astype(str)
    missing = table["gold"].str.strip() == ""
    if missing.any():
        row = table[missing].iloc[0]
        raise UserError(f"problem {row['problem']}, variant {row['variant']}: no gold is known; make the problems table again (notebook 01_dataset)")
    for name in ("predicted", "rule", "warnings", "reading", "response_sha256", "before_cut", "imported_correct", "category"):
        table[name] = table[name].astype(object).where(table[name].notna(), "").astype(str) if name in table else ""
    verdicts, marks, warnings = [], [], []
    names = ("outcome", "predicted", "gold", "unit", "imported_correct", "warnings")
    for outcome, predicted, gold, unit, imported, said in zip(*(table[c] for c in names), strict=True):
        verdict, mark, warning = _verdict(outcome, predicted, gold, unit, imported, said, min_significant)
        verdicts.append(verdict)
        marks.append(mark)
        warnings.append(warning)
    table["verdict"], table["correct"], table["warnings"] = verdicts, marks, warnings
    table["correct_before_cut"] = [
        int(_correct(text, gold, unit, min_significant)) if text else ""
        for text, gold, unit in zip(table["before_cut"], table["gold"], table["unit"], strict=True)
    ]
    table["overridden"] = 0
    if overrides is not None and len(overrides):
        from geoutils.overrides import apply_overrides

        table = apply_overrides(table, overrides)
    table = add_same(table, min_significant=min_significant)
    extra = [c for c in table if c.startswith("same_") and c not in COLUMNS]
    return table[[*COLUMNS, *extra]]


def _verdict(
    outcome: str, predicted: str, gold: str, unit: str, imported: str, warnings: str, min_significant: int
) -> tuple[str, int, str]:
    given = read_correct(imported)
    if given is not None:
        ours = int(outcome == "ok" and bool(predicted) and _correct(predicted, gold, unit, min_significant))
        if imported.strip().lower() in NOT_CORRECT_WORDS:
            warnings = "; ".join(filter(None, [warnings, f"graded {imported.strip()} by hand"]))
        elif given != ours:
            warnings = "; ".join(filter(None, [warnings, f"imported as {given}, our grader says {ours}"]))
        return "correct" if given else ("wrong" if predicted else "unparsed"), given, warnings
    if outcome != "ok" or not predicted:
        return "unparsed", 0, warnings
    correct = _correct(predicted, gold, unit, min_significant)
    return "correct" if correct else "wrong", int(correct), warnings


def add_same(scores: pd.DataFrame, *, min_significant: int = MIN_SIGNIFICANT) -> pd.DataFrame:
    """`scores` with `same_group` and one column `same_<a>_<b>` for each pair of representations.

    Tolerance is not transitive, so every pair is asked; the group of an answer is that of the first
    representation that says the same.
    """
    import pandas as pd

    order = list(dict.fromkeys(["coord", "euclid", "vector", *scores["representation"].unique()]))
    present = [r for r in order if r in set(scores["representation"])]
    pairs = list(dict.fromkeys([*PAIRS, *combinations(present, 2)]))
    result = scores.copy()
    answers = result["predicted"].where(result["outcome"].eq("ok"), "")
    wide = result[CELL].assign(representation=result["representation"], answer=answers)
    wide = wide.pivot_table(index=CELL, columns="representation", values="answer", aggfunc="first", sort=False, dropna=False)
    wide = wide.reindex(columns=order).astype(object).fillna("")
    same: dict[str, list[int]] = {f"same_{a}_{b}": [] for a, b in pairs}
    groups: dict[tuple[Any, ...], str] = {}
    for key, row in zip(wide.index, wide.to_numpy(), strict=True):
        found = dict(zip(order, row, strict=True))
        agree = {(a, b): _same(found.get(a, ""), found.get(b, ""), min_significant) for a, b in pairs}
        for (a, b), value in agree.items():
            same[f"same_{a}_{b}"].append(int(value))
        labels: dict[str, int] = {}
        for name in present:
            if not found[name]:
                continue
            earlier = next((labels[other] for other in labels if agree.get((other, name)) or agree.get((name, other))), None)
            labels[name] = earlier if earlier is not None else len(set(labels.values())) + 1
            groups[(*key, name)] = str(labels[name])
    flags = pd.DataFrame(same, index=wide.index).reset_index()
    result = result.drop(columns=[c for c in flags if c.startswith("same_") and c in result])
    index = result.index
    result = result.merge(flags, on=CELL, how="left")
    result.index = index
    keys = zip(*(result[c] for c in [*CELL, "representation"]), strict=True)
    result["same_group"] = [groups.get(key, "") for key in keys]
    return result


def headline(scores: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by representation, invariance@3 and consistency@3 on variant 0 and repeat 0, in long form.

    Columns `model, strategy, measure, value, n`; denominators are the planned cells.
    """
    import pandas as pd

    table = scores[(scores["variant"].astype(int) == 0) & (scores["repeat"].astype(int) == 0)]
    rows = []
    for (model, strategy), group in table.groupby(["model", "strategy"], sort=False):
        for name in [r for r in ("coord", "euclid", "vector", "figure") if r in set(group["representation"])]:
            cells = group[group["representation"] == name]
            rows.append((model, strategy, f"accuracy {name}", cells["correct"].astype(int).mean(), len(cells)))
        three = group[group["representation"].isin(("coord", "euclid", "vector"))]
        if set(three["representation"]) == {"coord", "euclid", "vector"}:
            by = three.groupby("problem", sort=False)
            rows.append((model, strategy, "invariance@3", float((by["correct"].sum() == 3).mean()), by.ngroups))
            all_same = three[[f"same_{a}_{b}" for a, b in PAIRS]].astype(int).min(axis=1)
            rows.append((model, strategy, "consistency@3", float(all_same.groupby(three["problem"], sort=False).min().mean()), by.ngroups))
    return pd.DataFrame(rows, columns=["model", "strategy", "measure", "value", "n"])


def sensitivity(
    scores: pd.DataFrame, *, min_significant: int = MIN_SIGNIFICANT, others: tuple[int, ...] = (2, 3, 4)
) -> pd.DataFrame:
    """How each headline number moves with the rules of grading, one row a model, strategy and measure.

    Columns: `model, strategy, measure, n, used` (as scored, overrides included), then `figures_2, figures_3, figures_4`
    (decimals need that many significant figures), `strict` (the answer as a string equals the gold or its three-place decimal),
    `before_cut` (truncated responses count by what they had committed before the cut) and `largest_move`.
    """
    base = headline(scores).rename(columns={"value": "used"})
    keys = ["model", "strategy", "measure"]
    table = base[[*keys, "n", "used"]]
    for figures in others:
        table = table.merge(_renamed(_regraded(scores, figures), f"figures_{figures}"), on=keys, how="left")
    table = table.merge(_renamed(_strict(scores), "strict"), on=keys, how="left")
    table = table.merge(_renamed(_before_cut(scores), "before_cut"), on=keys, how="left")
    moved = table.drop(columns=[*keys, "n"])
    table["largest_move"] = moved.sub(moved["used"], axis=0).abs().max(axis=1)
    return table


def _renamed(scores: pd.DataFrame, name: str) -> pd.DataFrame:
    return headline(scores).drop(columns="n").rename(columns={"value": name})


def _regraded(scores: pd.DataFrame, figures: int) -> pd.DataFrame:
    table = scores.copy()
    table["correct"] = [
        kept if overridden else int(outcome == "ok" and bool(text) and _correct(str(text), str(gold), str(unit), figures))
        for kept, overridden, outcome, text, gold, unit in zip(
            *(table[c] for c in ("correct", "overridden", "outcome", "predicted", "gold", "unit")), strict=True
        )
    ]
    return add_same(table, min_significant=figures)


def _strict(scores: pd.DataFrame) -> pd.DataFrame:
    from geoutils.written import rounded

    table = scores.copy()

    @cache
    def spellings(gold: str, unit: str) -> frozenset[str]:
        value = _read(gold, unit)
        assert value is not None
        return frozenset({gold, rounded(value, 3)} if value.kind != "integer" else {gold})

    def bare(text: str) -> str:
        return text.removesuffix(" deg").strip()

    table["correct"] = [
        int(outcome == "ok" and bool(text) and bare(str(text)) in spellings(str(gold), str(unit)))
        for outcome, text, gold, unit in zip(*(table[c] for c in ("outcome", "predicted", "gold", "unit")), strict=True)
    ]
    wide = table.assign(answer=table["predicted"].where(table["outcome"].eq("ok"), "")).pivot_table(
        index=CELL, columns="representation", values="answer", aggfunc="first", sort=False, dropna=False
    )
    for a, b in PAIRS:
        if a in wide and b in wide:
            equal = (wide[a].fillna("") == wide[b].fillna("")) & (wide[a].fillna("") != "")
            table = table.drop(columns=f"same_{a}_{b}").merge(
                equal.astype(int).rename(f"same_{a}_{b}").reset_index(), on=CELL, how="left"
            )
    return table


def _before_cut(scores: pd.DataFrame) -> pd.DataFrame:
    table = scores.copy()
    committed = table["correct_before_cut"].astype(str).isin(("1", "1.0"))
    table.loc[committed, "correct"] = 1
    return table


def write_scores(scores: pd.DataFrame, folder: Any) -> list[Any]:
    """Write `exp1_<model>__<strategy>.csv` for each model and strategy; returns the paths."""
    from pathlib import Path

    from geoutils.experiment import safe_name
    from geoutils.study import write_table

    paths = []
    for (model, strategy), group in scores.groupby(["model", "strategy"], sort=False):
        paths.append(write_table(group, Path(folder) / f"exp1_{safe_name(str(model))}__{strategy}.csv"))
    return paths
