"""Responses as a table, read: the work behind `geoutils.parsing.parse_responses`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from geoutils.choices import LETTER, read_choice
from geoutils.json_answers import convert_fields
from geoutils.normalise import fold
from geoutils.parsing import read_answer

if TYPE_CHECKING:
    import pandas as pd

ADDED = ("reading", "predicted", "rule", "span", "warnings", "json_keys", "before_cut")


def read_table(responses: pd.DataFrame, units: dict[str, str]) -> pd.DataFrame:
    """See `geoutils.parsing.parse_responses`."""
    added = read_rows(responses, units)
    return responses.drop(columns=[c for c in added.columns if c in responses]).join(added)


def read_rows(responses: pd.DataFrame, units: dict[str, str], timed: Callable[..., Any] | None = None) -> pd.DataFrame:
    """The columns `ADDED` of a table of responses; `timed` calls the reader and may note how long it took."""
    rows: list[dict[str, str]] = []
    names = ("outcome", "content", "strategy", "problem")
    columns = [responses[name] if name in responses else [""] * len(responses) for name in names]
    for outcome, content, strategy, problem in zip(*columns, strict=True):
        text = content if isinstance(content, str) else ""
        row = dict.fromkeys(ADDED, "")
        if outcome in ("ok", "truncated"):
            cut = outcome == "truncated"
            given = {"strategy": strategy, "unit": units.get(problem), "truncated": cut}
            read = read_choice if given["unit"] == LETTER else read_answer
            reading = timed(read, text, **given) if timed else read(text, **given)
            if cut:
                row["before_cut"] = reading.predicted
            else:
                row["predicted"] = reading.predicted
            row["reading"] = "cut" if cut else reading.reading
            row["rule"], row["span"], row["warnings"] = reading.rule, reading.span, "; ".join(reading.warnings)
        if strategy == "convert" and text:
            row["json_keys"] = ";".join(name for name, value in convert_fields(fold(text)).items() if value is not None)
        rows.append(row)
    return type(responses)(rows, index=responses.index, columns=list(ADDED))
