"""Tables and sentences for notebooks and reports: everything that comes from a model is escaped."""

from __future__ import annotations

import html
import math
import numbers
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

LONGEST_CELL = 400
TALL = 16  # rows; a longer table scrolls in a box
MISSING = "\N{EN DASH}"
_LABELS = {"baseline/": "baseline", "simulated/": "SIMULATED"}


def visible(text: str) -> str:
    """The text with control and direction-changing characters written out as U+XXXX."""

    def written(character: str) -> str:
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"):
            return character
        return f"[U+{ord(character):04X}]"

    return text if text.isascii() and text.isprintable() else "".join(map(written, text))


def escape(text: Any, *, limit: int = LONGEST_CELL) -> str:
    """Any value as harmless HTML, cut after `limit` characters with a note of how many are left out."""
    shown = str(text)
    rest = len(shown) - limit
    cut = f" … ({rest:,} more characters)" if rest > 0 else ""
    return html.escape(visible(shown[:limit]), quote=True) + cut


def markdown(text: Any, *, limit: int = LONGEST_CELL) -> str:
    """Any value as harmless Markdown: no markup, link, mathematics or HTML of its own takes effect."""
    shown = " ".join(visible(str(text)[:limit]).split())
    return re.sub(r"([\\`*_{}\[\]()#+!|<>$~&-])", r"\\\1", shown)


def number(value: Any) -> str:
    """A number as tables print it: whole numbers whole, others to three places or three figures."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return MISSING
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}" if abs(int(value)) >= 10_000 else str(int(value))
    size = abs(float(value))
    if math.isinf(size):
        return "∞" if value > 0 else "−∞"
    if size and size < 0.001:
        return f"{float(value):.1e}"
    return f"{float(value):,.3f}" if size < 1000 else f"{float(value):,.0f}"


def percent(value: float, places: int = 1) -> str:
    """A share as a percentage, `MISSING` where there is none."""
    return MISSING if value is None or math.isnan(value) else f"{100 * value:.{places}f}\N{NO-BREAK SPACE}%"


def model_label(model: Any) -> str:
    """A model id as HTML; what is a baseline or simulated carries that word."""
    kind = next((word for prefix, word in _LABELS.items() if str(model).startswith(prefix)), "")
    badge = f' <span class="badge">{kind}</span>' if kind else ""
    return f"<bdi>{escape(model)}</bdi>{badge}"


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and type(value).__name__ not in ("bool", "bool_")


def _cell(value: Any, column: str, *, counts: bool) -> tuple[str, str]:
    """The HTML of a cell, and its attributes; `counts` prints the number whole."""
    if column == "model":
        return model_label(value), ' class="model"'
    if _is_missing(value):
        return MISSING, ' class="number"'
    if _is_number(value):
        return number(int(value) if counts else value), f' class="number" data-value="{float(value)!r}"'
    if type(value).__name__ in ("bool", "bool_"):
        return ("yes" if value else "no"), ""
    return f"<bdi>{escape(value)}</bdi>", ' class="long"' if len(str(value)) > 60 else ""


def _column_kind(values: Iterable[Any]) -> tuple[bool, bool]:
    """Whether a column holds numbers only, and whether they are counts (whole, not all 0 and 1)."""
    there = [value for value in values if not _is_missing(value)]
    if not there or not all(map(_is_number, there)):
        return False, False
    whole = all(float(value).is_integer() for value in there)
    return True, whole and any(abs(value) > 1 for value in there)


def table_html(
    table: pd.DataFrame,
    caption: str = "",
    *,
    columns: Iterable[str] | None = None,
    max_rows: int | None = 50,
    source: str = "",
) -> str:
    """A table as escaped HTML with a caption; rows beyond `max_rows` are counted, not shown.

    `source` is the file that holds all of it, as the report's pages link it. The table is marked so that neither
    Markdown nor mathematics in its text takes effect, and so that the report's script lets its columns be sorted; a
    long one scrolls in a box of its own.
    """
    shown = table if columns is None else table[list(columns)]
    total = len(shown)
    if max_rows is not None:
        shown = shown.head(max_rows)
    names = [str(name) for name in shown.columns]
    kinds = [_column_kind(shown.iloc[:, place]) for place in range(len(names))]
    head = "".join(
        f'<th scope="col"{" class=number" if numeric else ""}>{escape(name.replace("_", " "))}</th>'
        for name, (numeric, _) in zip(names, kinds, strict=True)
    )
    rows = []
    for row in shown.itertuples(index=False, name=None):
        cells = (_cell(value, name, counts=counts) for value, name, (_, counts) in zip(row, names, kinds, strict=True))
        rows.append("<tr>" + "".join(f"<td{attributes}>{text}</td>" for text, attributes in cells) + "</tr>")
    more = f" (the first {len(shown)} of {total:,} rows)" if total > len(shown) else f" ({total} rows)" if total > TALL else ""
    file = f' · all of it: <a href="{escape(source)}">{escape(source)}</a>' if source else ""
    label = f"<caption>{escape(caption, limit=2000)}{more}{file}</caption>" if caption or more or file else ""
    tall = " tall" if len(shown) > TALL else ""
    return (
        f'<div class="table-scroll{tall}" tabindex="0" role="region" aria-label="{escape(caption, limit=80) or "table"}">'
        '<table class="sortable tex2jax_ignore mathjax_ignore">'
        f"{label}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def readable_columns(table: pd.DataFrame) -> list[str]:
    """The columns of a table as a page shows them: the strategy beside the model, none that is blank in every row.

    `kind` is left out beside `model`, whose label says it.
    """
    names = [str(name) for name in table.columns]
    if "model" in names:
        names = [name for name in names if name != "kind"]
        if "strategy" in names:
            names.remove("strategy")
            names.insert(names.index("model") + 1, "strategy")
    blank = {name for name in names if len(table) and all(_is_missing(value) or value == "" for value in table[name])}
    return [name for name in names if name not in blank]


def show_html(content: str) -> None:
    """Display HTML in a notebook."""
    from IPython.display import HTML, display

    display(HTML(content))


def show_markdown(content: str) -> None:
    """Display Markdown in a notebook."""
    from IPython.display import Markdown, display

    display(Markdown(content))
