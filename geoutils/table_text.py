"""Tables for papers: the same rows as the CSV, as Markdown and as LaTeX, with numbers as the report prints them.

Text is escaped so that neither a model's id nor a response can break the document; the bytes depend on the table only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from geoutils import display

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 200  # characters of a cell; a table for a paper holds no responses
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "–": "--", "−": "$-$", "∞": r"$\infty$", "√": r"$\surd$", "π": r"$\pi$",
    "°": r"\textdegree{}",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def latex_text(text: Any) -> str:
    """Any value as LaTeX that prints it: one line, special characters escaped, long ones cut."""
    shown = " ".join(display.visible(str(text)).split())
    shown = shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."
    return _SPECIAL.sub(lambda match: _LATEX[match[0]], shown)


def _columns(table: pd.DataFrame) -> list[tuple[str, bool, list[str]]]:
    """Name, whether it holds numbers, and the cells as text, of each column."""
    made = []
    for place, name in enumerate(table.columns):
        values = table.iloc[:, place].tolist()
        numeric, counts = display._column_kind(values)
        cells = []
        for value in values:
            if display._is_missing(value):
                cells.append(display.MISSING)
            elif numeric:
                cells.append(display.number(int(value) if counts else value))
            else:
                cells.append(str(value))
        made.append((str(name), numeric, cells))
    return made


def to_markdown(table: pd.DataFrame, caption: str = "") -> str:
    """A table in GitHub's Markdown; numbers are aligned to the right."""
    columns = _columns(table)
    lines = [f"{display.markdown(caption, limit=2000)}\n"] if caption else []
    lines.append("| " + " | ".join(display.markdown(name) for name, _, _ in columns) + " |")
    lines.append("|" + "|".join(" ---: " if numeric else " --- " for _, numeric, _ in columns) + "|")
    for row in zip(*(cells for _, _, cells in columns), strict=True):
        lines.append("| " + " | ".join(display.markdown(cell, limit=LONGEST) for cell in row) + " |")
    return "\n".join(lines) + "\n"


def to_latex(table: pd.DataFrame, caption: str = "") -> str:
    r"""A table as a LaTeX `tabular` in a `table` (needs `\usepackage{booktabs}` and `textcomp`); numbers to the right."""
    columns = _columns(table)
    lines = [r"\begin{table}", r"\centering"]
    if caption:
        lines.append(rf"\caption{{{latex_text(caption)}}}")
    lines += [rf"\begin{{tabular}}{{{''.join('r' if numeric else 'l' for _, numeric, _ in columns)}}}", r"\toprule"]
    lines.append(" & ".join(latex_text(name.replace("_", " ")) for name, _, _ in columns) + r" \\")
    lines.append(r"\midrule")
    for row in zip(*(cells for _, _, cells in columns), strict=True):
        lines.append(" & ".join(map(latex_text, row)) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"
