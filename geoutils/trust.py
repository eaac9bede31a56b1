"""Can the verdicts be trusted? The gold against itself, the baseline that knows the truth, and what moves a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geoutils.grading import grade, written_forms
from geoutils.scoring import golds

if TYPE_CHECKING:
    import pandas as pd


def gold_self_test(problems: pd.DataFrame) -> pd.DataFrame:
    """Every gold graded against itself in all its written forms: `problem, variant, gold, unit, forms, refused, example`.

    Raises UserError when a gold cannot be read.
    """
    import pandas as pd

    rows = []
    for row in golds(problems).itertuples(index=False):
        forms = written_forms(str(row.gold), str(row.unit) or None)
        bad = [form for form in forms if grade(form, str(row.gold), str(row.unit) or None).verdict != "correct"]
        rows.append((row.problem, row.variant, row.gold, row.unit, len(forms), len(bad), bad[0] if bad else ""))
    return pd.DataFrame(rows, columns=["problem", "variant", "gold", "unit", "forms", "refused", "example"])


def said_self_test(table: pd.DataFrame) -> str:
    """The sentence about the self-test."""
    forms, refused = int(table["forms"].sum()), int(table["refused"].sum())
    return f"{len(table):,} golds in {forms:,} written forms: {forms - refused:,} accepted, {refused:,} refused."


def said_gold_baseline(scores: pd.DataFrame) -> str:
    """The sentence about baseline/gold, which must score 100 % or the pipeline is broken; of scores or `verdict_counts`."""
    rows = scores[scores["model"] == "baseline/gold"]
    if rows.empty:
        return "baseline/gold is not part of this experiment, so the pipeline as a whole is not tested here."
    right, asked = int(rows["correct"].sum()), int(rows["planned"].sum()) if "planned" in rows else len(rows)
    verdict = "as it must" if right == asked else "**which means that the pipeline is broken**"
    return f"baseline/gold, which answers with the truth in many forms, is right on {right:,} of {asked:,} cells, {verdict}."


def verdict_counts(scores: pd.DataFrame) -> pd.DataFrame:
    """Cells by verdict: `model, strategy, planned, correct, wrong, unparsed, overridden`."""
    import pandas as pd

    rows = []
    for (model, strategy), group in scores.groupby(["model", "strategy"], sort=False):
        counts = {name: int((group["verdict"] == name).sum()) for name in ("correct", "wrong", "unparsed")}
        rows.append({"model": model, "strategy": strategy, "planned": len(group), **counts, "overridden": int(group["overridden"].sum())})
    return pd.DataFrame(rows)


def said_verdicts(counts: pd.DataFrame) -> str:
    """The sentence about the verdicts."""
    planned, right = int(counts["planned"].sum()), int(counts["correct"].sum())
    unparsed = int(counts["unparsed"].sum())
    share = f" ({100 * right / planned:.1f} %)" if planned else ""
    return (
        f"{right:,} of {planned:,} planned cells{share} are correct over all models and strategies; {unparsed:,} have no "
        "answer that could be compared and count as not correct."
    )


def same_counts(scores: pd.DataFrame) -> pd.DataFrame:
    """How often two representations got the same answer, right or wrong: shares over problems, variants and repeats."""
    cell = ["model", "strategy", "problem", "variant", "repeat"]
    names = ["same_coord_euclid", "same_coord_vector", "same_euclid_vector"]
    once = scores.drop_duplicates(cell)
    table = once.assign(all_same=once[names].astype(int).min(axis=1)).groupby(["model", "strategy"], sort=False)
    result = table[[*names, "all_same"]].mean()
    result.insert(0, "n", table.size())
    return result.reset_index()


def said_sensitivity(table: pd.DataFrame) -> str:
    """The sentence under the sensitivity table."""
    if table.empty:
        return "No headline number yet."
    real = table[~table["model"].str.startswith("baseline/")]
    table = table if real.empty else real  # baseline/gold varies its spelling on purpose
    worst = table.loc[table["largest_move"].idxmax()]
    strict = (table["strict"] - table["used"]).abs().max()
    digits = table[["figures_2", "figures_3", "figures_4"]].sub(table["used"], axis=0).abs().max().max()
    where = "" if real.empty else "of a model "
    return (
        f"Between 2 and 4 significant figures no headline number {where}moves by more than {100 * digits:.1f} points; comparing strings "
        f"instead of numbers moves one by {100 * strict:.1f}. The largest move of all is {100 * worst['largest_move']:.1f} points "
        f"({worst['measure']}, {worst['model']}, {worst['strategy']}, n={int(worst['n'])})."
    )


def imported_notices(scores: pd.DataFrame) -> pd.DataFrame:
    """Rows of imported results whose mark is MED or differs from our grader's verdict."""
    rows = scores[scores["warnings"].str.contains("by hand|our grader says", regex=True)]
    return rows[["model", "strategy", "problem", "representation", "predicted", "gold", "correct", "warnings"]].reset_index(drop=True)
