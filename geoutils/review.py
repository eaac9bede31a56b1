"""What deserves a human look, and how far two readers agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.answers import MIN_SIGNIFICANT, Value
from geoutils.scoring import _correct, _read

if TYPE_CHECKING:
    import pandas as pd

KEY = ["model", "strategy", "problem", "variant", "representation", "repeat"]
NEAR = 0.02
COLUMNS = [*KEY, "reasons", "predicted", "gold", "unit", "verdict", "correct", "rule", "span", "response_sha256"]


@lru_cache(maxsize=65536)
def _sized(text: str, own: str, unit: str) -> float | None:
    return _size(_read(text, own), unit)


def _size(value: Value | None, unit: str) -> float | None:
    if value is None or not value.is_number or value.tree is None:
        return None
    from flint import arb

    from geoutils.values import evaluate

    try:
        return float(arb(evaluate(value.tree, degrees=unit == "degrees")))
    except (ValueError, OverflowError):
        return None


def reasons(row: Any, *, min_significant: int = MIN_SIGNIFICANT) -> list[str]:
    """Why one row of scores deserves a look: near miss, coarse decimal, warnings, unread text, rules that disagree."""
    found = []
    predicted, gold, unit = str(row.predicted), str(row.gold), str(row.unit)
    if row.verdict == "wrong" and predicted:
        value, truth = _sized(predicted, "", unit), _sized(gold, unit, unit)
        if value is not None and truth is not None:
            if truth and abs(value - truth) <= NEAR * abs(truth):
                found.append("near miss")
            elif truth and abs(value + truth) <= 1e-6 * abs(truth):
                found.append("only the sign differs")
            elif unit == "degrees" and abs(math.degrees(value) - truth) <= 1e-2 * abs(truth):
                found.append("right in radians")
            elif value and truth and abs(value * truth - 1) <= 1e-3:
                found.append("the reciprocal of the gold")
    if predicted and row.outcome == "ok":
        loose = _correct(predicted, gold, unit, 2)
        if loose != _correct(predicted, gold, unit, min_significant):
            found.append("correct to two figures only")
    warnings = str(row.warnings)
    for word in ("retraction", "several candidates", "repaired JSON", "a second form disagrees", "by hand", "our grader says", "long text"):
        if word in warnings:
            found.append(word)
    if row.verdict == "unparsed" and row.outcome == "ok" and str(row.reading) in ("none", "cut"):
        found.append("nothing was read")
    if str(row.correct_before_cut) in ("1", "1.0"):
        found.append("right before the cut")
    return found


def review_table(scores: pd.DataFrame, parsed: pd.DataFrame | None = None, *, min_significant: int = MIN_SIGNIFICANT, limit: int = 0) -> pd.DataFrame:
    """The rows of `scores` that deserve a human look, most telling first, with the `reasons` for each.

    `parsed` adds the `span` that was read. `limit` keeps so many rows (0 = all). Rows already overridden are left out.
    """
    import pandas as pd

    rows = []
    for row in scores.itertuples():
        if int(row.overridden):
            continue
        why = reasons(row, min_significant=min_significant)
        if why:
            rows.append((row.Index, "; ".join(why), _weight(why)))
    chosen = pd.DataFrame(rows, columns=["at", "reasons", "weight"]).sort_values("weight", ascending=False, kind="stable")
    if limit:
        chosen = chosen.head(limit)
    table = scores.loc[chosen["at"]].assign(reasons=chosen["reasons"].to_numpy())
    if parsed is not None and "span" in parsed:
        spans = parsed[[*KEY, "span"]].drop_duplicates(KEY)
        table = table.merge(spans, on=KEY, how="left")
    else:
        table["span"] = ""
    return table[COLUMNS].reset_index(drop=True)


def _weight(why: list[str]) -> int:
    """How telling the reasons of a row are together."""
    return len(why) + 2 * ("near miss" in why) + 3 * ("retraction" in why)


def most_telling(tables: Sequence[pd.DataFrame], *, limit: int = 0) -> pd.DataFrame:
    """Review tables as one, most telling first and otherwise in their order; `limit` keeps so many rows (0 = all)."""
    import pandas as pd

    whole = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)
    weights = pd.Series([_weight(text.split("; ")) for text in whole["reasons"]], index=whole.index, dtype=int)
    order = weights.sort_values(ascending=False, kind="stable").index
    return whole.loc[order[:limit] if limit else order].reset_index(drop=True)


def reason_counts(table: pd.DataFrame) -> pd.DataFrame:
    """How often each reason occurs in a review table: `reason, rows`."""
    counts = table["reasons"].str.split("; ").explode().value_counts()
    return counts.rename_axis("reason").reset_index(name="rows")


def cohen_kappa(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Agreement of two readers on the responses that both judged.

    Both tables have the columns of `geoutils.overrides`. Returns one row: `n` (responses in both), `agreement`,
    `expected` (by chance), `kappa`, `low, high` (95 %, large-sample standard error), `only_first, only_second`,
    `disagree`. Kappa is blank where both readers give one and the same value throughout.
    Formula: Cohen, Educational and Psychological Measurement 20 (1960) 37.
    """
    import pandas as pd

    key = ["experiment", *KEY, "response_sha256"]
    one, two = (t.astype(dict.fromkeys(key, str)) for t in (first, second))
    both = one.merge(two, on=key, suffixes=("_1", "_2"))
    n = len(both)
    a, b = both["correct_1"].astype(int), both["correct_2"].astype(int)
    observed = float((a == b).mean()) if n else math.nan
    p, q = (float(a.mean()), float(b.mean())) if n else (math.nan, math.nan)
    expected = p * q + (1 - p) * (1 - q)
    kappa = (observed - expected) / (1 - expected) if n and expected < 1 else math.nan
    error = math.sqrt(observed * (1 - observed) / n) / (1 - expected) if n and expected < 1 else math.nan
    return pd.DataFrame(
        [
            {
                "n": n, "agreement": observed, "expected": expected, "kappa": kappa, "low": max(-1.0, kappa - 1.96 * error),
                "high": min(1.0, kappa + 1.96 * error), "only_first": len(one) - n, "only_second": len(two) - n,
                "disagree": int((a != b).sum()),
            }
        ]
    )  # fmt: skip


def kappa_files(first: str | Path, second: str | Path) -> pd.DataFrame:
    """`cohen_kappa` of two override files."""
    from geoutils.errors import UserError
    from geoutils.overrides import load_overrides

    for path in (first, second):
        if not Path(path).is_file():
            raise UserError(f"{path}: no such file")
    return cohen_kappa(load_overrides(Path(first)), load_overrides(Path(second)))
