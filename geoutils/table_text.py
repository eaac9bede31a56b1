"""Tables for papers: the same rows as the CSV, as Markdown and as LaTeX, with numbers as the report prints them.

Text is escaped so that neither a model's id nor a response can break the document; the bytes depend on the table only.
LaTeX fits the text width of `article`: a wide table is split into parts that repeat its first columns, a long one is a
`longtable`. Tables of more than `MOST_ROWS` rows are cut there, and say so: the CSV holds all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from geoutils import display

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

LONGEST = 200  # characters of a cell; a table for a paper holds no responses
MOST_ROWS = 2000  # of Markdown and LaTeX
LONG = 40  # lines; a longer table may break over pages
PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{lmodern,array,booktabs,longtable}"
UNIT_PT = 4.3  # an ordinary character in \footnotesize
TEXT_WIDTH = 345 / UNIT_PT  # of article
GAP = 6 / UNIT_PT  # between two columns
WIDEST_TEXT = 24.0  # a wider text is broken into lines
HEADING = 11  # characters of one line of a heading
_KEYS = (
    "model",
    "other",
    "strategy",
    "problem",
    "feature",
    "rule",
    "representation",
    "category",
    "variant",
    "pair",
    "first",
    "second",
)
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "\N{NO-BREAK SPACE}": "~",
    "\N{EN DASH}": r"\textendash{}", "\N{EM DASH}": r"\textemdash{}", "−": "$-$", "∞": r"$\infty$", "√": r"$\surd$", "π": r"$\pi$",
    "°": r"\textdegree{}", "²": "$^2$", "³": "$^3$", "×": r"$\times$", "·": r"$\cdot$", "±": r"$\pm$", "≤": r"$\leq$",
    "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$", "∠": r"$\angle$", "△": r"$\triangle$", "⊥": r"$\perp$", "∥": r"$\parallel$",
    "…": r"\textellipsis{}", "‘": r"\textquoteleft{}", "’": r"\textquoteright{}", "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}", "½": "1/2", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "θ": r"$\theta$", "→": r"$\to$",
}  # fmt: skip
_LETTERS = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŤťŮůŰűŸŹźŻżŽž"
)
_PLAIN = frozenset(map(chr, range(32, 127))) | _LETTERS


def _character(character: str) -> str:
    return _LATEX.get(character) or (character if character in _PLAIN else f"[U+{ord(character):04X}]")


def latex_text(text: Any, *, breaks: bool = False) -> str:
    """Any value as LaTeX that prints it: one line, special characters escaped, long ones cut.

    Characters that pdflatex has no letter for are written out as [U+XXXX]. With `breaks` a long word may be broken after
    a stroke, a hyphen, an underscore or a full stop, and after every twelve characters without one.
    """
    shown = " ".join(display.visible(str(text)).split())
    shown = shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."
    out, run = [], 0
    for character in shown:
        out.append(_character(character))
        run = 0 if character == " " else run + (12 if out[-1].startswith("[U+") else 1)
        if breaks and (character in "/-_.:;,|=+" or run >= 12):
            out.append(r"\allowbreak{}")
            run = 0
    made = "".join(out)
    return "{}" + made if made.startswith(("[", "*")) else made  # else the end of the row before takes it as its option


@dataclass(frozen=True, slots=True)
class _Column:
    """One column as text: its cells, the lines of its heading, and how wide each cell is in ordinary characters."""

    name: str
    numeric: bool
    cells: list[str]
    heading: list[str]
    widths: list[float]

    @property
    def width(self) -> float:
        """The width in ordinary characters, at most WIDEST_TEXT (the widest line of the heading, if that is more)."""
        return max(*map(_width, self.heading), min(max(self.widths, default=0.0), WIDEST_TEXT))

    @property
    def broken(self) -> bool:
        return max(self.widths, default=0.0) > WIDEST_TEXT


def _column(name: str, numeric: bool, cells: list[str]) -> _Column:
    lines: list[str] = []
    for word in name.replace("_", " ").split():
        if lines and len(lines[-1]) + len(word) < HEADING:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    known: dict[str, float] = {}
    widths = [known[cell] if cell in known else known.setdefault(cell, _width(cell)) for cell in cells]
    return _Column(name, numeric, cells, lines or [""], widths)


_WIDE = {**dict.fromkeys("MW", 2.05), **dict.fromkeys("m%@", 1.65), "w": 1.5, **dict.fromkeys("il.,:;|'!/ ", 0.65)}


@cache
def _character_width(character: str) -> float:
    if character in _PLAIN:
        return _WIDE.get(character, 1.5 if character.isupper() else 1.05)
    return 1.5 if character in _LATEX else 9.0


def _width(text: str) -> float:
    """The width of a text in ordinary characters, rather too much than too little."""
    return sum(map(_character_width, text))


def _columns(table: pd.DataFrame) -> list[_Column]:
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
                shown = " ".join(display.visible(str(value)).split())
                cells.append(shown if len(shown) <= LONGEST else shown[:LONGEST] + " ...")
        made.append(_column(str(name), numeric, cells))
    return made


def _left_out(table: pd.DataFrame) -> str:
    rest = len(table) - MOST_ROWS
    return (
        f"{rest:,} more rows are left out here; the CSV file beside this one holds all {len(table):,}."
        if rest > 0
        else ""
    )


def to_markdown(table: pd.DataFrame, caption: str = "") -> str:
    """A table in GitHub's Markdown; numbers are aligned to the right."""
    columns = _columns(table.head(MOST_ROWS))
    lines = [f"{display.markdown(caption, limit=2000)}\n"] if caption else []
    lines.append("| " + " | ".join(display.markdown(column.name) for column in columns) + " |")
    lines.append("|" + "|".join(" ---: " if column.numeric else " --- " for column in columns) + "|")
    for row in zip(*(column.cells for column in columns), strict=True):
        lines.append("| " + " | ".join(display.markdown(cell, limit=LONGEST + 4) for cell in row) + " |")
    left_out = _left_out(table)
    return "\n".join(lines) + "\n" + (f"\n{left_out}\n" if left_out else "")


def to_latex(table: pd.DataFrame, caption: str = "") -> str:
    r"""A table in LaTeX, numbers to the right; the packages that it needs are named in its first line (PREAMBLE).

    It is a `tabular` in a `table`, or a `longtable` where it has more than LONG lines, in \footnotesize. A table wider than
    the text of `article` comes in parts; each repeats the columns that say which row it is, with a number of the row.
    """
    columns = _columns(table.head(MOST_ROWS))
    parts = _parts(columns, min(len(table), MOST_ROWS))
    lines = [f"% Needs {PREAMBLE}"]
    for number, part in enumerate(parts, start=1):
        told = f"Part {number} of {len(parts)}." if len(parts) > 1 else ""
        said = " ".join(
            filter(
                None,
                [
                    caption if not caption or caption.endswith((".", "?", "!")) or not told else f"{caption}.",
                    told,
                    _left_out(table),
                ],
            )
        )
        lines += _long(part, said) if _height(part) > LONG else _short(part, said)
    return "\n".join(lines) + "\n"


def _parts(columns: list[_Column], rows: int) -> list[list[_Column]]:
    """The columns in parts that fit the width of the text."""
    if sum(column.width + GAP for column in columns) <= TEXT_WIDTH:
        return [columns]
    keys = [_column("row", True, [str(number) for number in range(1, rows + 1)])]
    for name in _KEYS:
        for column in columns:
            if column.name == name and sum(key.width + GAP for key in [*keys, column]) <= TEXT_WIDTH / 2:
                keys.append(column)
    chosen = {key.name for key in keys}
    start = sum(key.width + GAP for key in keys)
    parts: list[list[_Column]] = []
    used = TEXT_WIDTH + 1
    for column in columns:
        if column.name in chosen:
            continue
        if used + column.width + GAP > TEXT_WIDTH or not parts:
            parts.append(list(keys))
            used = start
        parts[-1].append(column)
        used += column.width + GAP
    return parts


def _height(columns: list[_Column]) -> float:
    """The lines of a table, those of broken texts counted."""
    lines = ([max(1.0, 1.2 * width / WIDEST_TEXT) for width in column.widths] for column in columns if column.broken)
    rows = len(columns[0].cells) if columns else 0
    return sum(map(max, zip([1.0] * rows, *lines, strict=True)))


def _kind(column: _Column) -> str:
    if column.broken:
        return rf">{{\raggedright\arraybackslash}}p{{{column.width * UNIT_PT:.0f}pt}}"
    return "r" if column.numeric else "l"


def _head(columns: list[_Column]) -> str:
    headings = []
    for column in columns:
        lines = r" \\ ".join(map(latex_text, column.heading))
        side = "r" if column.numeric else "l"
        headings.append(
            rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{lines}\end{{tabular}}" if len(column.heading) > 1 else lines
        )
    return " & ".join(headings) + r" \\"


def _rows(columns: list[_Column]) -> list[str]:
    cells = []
    for column in columns:
        known: dict[str, str] = {}
        breaks = column.broken
        cells.append(
            [
                known[cell] if cell in known else known.setdefault(cell, latex_text(cell, breaks=breaks))
                for cell in column.cells
            ]
        )
    return [" & ".join(row) + r" \\" for row in zip(*cells, strict=True)]


def _short(columns: list[_Column], caption: str) -> list[str]:
    kinds = "".join(map(_kind, columns))
    return [
        r"\begin{table}[htbp]", r"\centering\footnotesize\setlength{\tabcolsep}{3pt}",
        *([rf"\caption{{{latex_text(caption)}}}"] if caption else []),
        rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", _head(columns), r"\midrule", *_rows(columns), r"\bottomrule",
        r"\end{tabular}", r"\end{table}",
    ]  # fmt: skip


def _long(columns: list[_Column], caption: str) -> list[str]:
    kinds = "".join(map(_kind, columns))
    head = [r"\toprule", _head(columns), r"\midrule"]
    return [
        r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}", rf"\begin{{longtable}}{{{kinds}}}",
        *([rf"\caption{{{latex_text(caption)}}} \\"] if caption else []), *head, r"\endfirsthead", *head, r"\endhead",
        r"\bottomrule", r"\endfoot", *_rows(columns), r"\end{longtable}", r"\endgroup",
    ]  # fmt: skip


def save_table_files(table: pd.DataFrame, path: Path, *, caption: str = "") -> Path:
    """Write a table as CSV to `path`, and beside it as Markdown and LaTeX; returns the path."""
    from geoutils.files import write_text

    write_text(path, table.to_csv(index=False, lineterminator="\n"))
    write_text(path.with_suffix(".md"), to_markdown(table, caption))
    write_text(path.with_suffix(".tex"), to_latex(table, caption))
    return path
