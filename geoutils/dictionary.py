"""The data dictionary: what each column of each table means, its unit and its formula.

The one source are the files `templates/dictionary/*.yaml`; they lie in the package, so that the report of an installed
copy can be made without the project's folder. `columns.yaml` holds the meanings that tables share, each other file the
tables of one notebook. `python -m geoutils.dictionary FILE` renders all of it as Markdown, `write_page` as a page of a
report with the tables that this report has.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

SHARED = "columns.yaml"
FIELDS = ("meaning", "unit", "formula")
TABLE_FIELDS = frozenset({"table", "file", "part", "rows", "of", "columns", "here", "sometimes", "only"})
_PLACE = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `name` may hold a {word} that stands for any text; `sometimes` says when it is there ("" = always)."""

    name: str
    meaning: str
    unit: str = ""
    formula: str = ""
    sometimes: str = ""

    def fits(self, name: str) -> bool:
        """Whether a column of a file is this one."""
        return name == self.name or ("{" in self.name and re.fullmatch(_pattern(self.name), name) is not None)


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its file, what makes it, what a row is, which cells it is of, when it is made ("" = always)."""

    name: str
    file: str
    source: str
    rows: str
    columns: tuple[Column, ...]
    of: str = ""
    part: str = ""
    only: str = ""

    def column(self, name: str) -> Column | None:
        """The entry of a column of the file, exact names first."""
        fitting = [column for column in self.columns if column.fits(name)]
        return min(fitting, key=lambda column: "{" in column.name, default=None)


def _pattern(name: str) -> str:
    return ".+".join(map(re.escape, _PLACE.split(name)))


def _read(name: str) -> Any:
    import yaml

    return yaml.safe_load(files("geoutils").joinpath("templates", "dictionary", name).read_text(encoding="utf-8"))


def _entry(given: Any, where: str) -> dict[str, str]:
    if isinstance(given, str):
        given = {"meaning": given}
    if not isinstance(given, dict) or not given.get("meaning") or set(given) - set(FIELDS):
        raise ValueError(f"{where}: an entry needs a meaning, and may have a unit and a formula")
    return {name: str(value) for name, value in given.items()}


def _shared(name: str, names: Sequence[str], shared: dict[str, Any], where: str) -> dict[str, str]:
    """The shared meaning of a column: under its name, or built from the column that it belongs to ({base}_low)."""
    if name in shared:
        return _entry(shared[name], f"{SHARED}: {name}")
    for pattern in sorted((key for key in shared if "{base}" in key), key=len, reverse=True):
        match = re.fullmatch(re.escape(pattern).replace(re.escape("{base}"), "(.+)"), name)
        if match and match[1] in names:
            found = _entry(shared[pattern], f"{SHARED}: {pattern}")
            return {field: text.replace("{base}", match[1]) for field, text in found.items()}
    raise ValueError(f"{where}: column {name!r} has no meaning, neither here nor in {SHARED}")


def _table(given: dict[str, Any], shared: dict[str, Any], source: str) -> Table:
    name = str(given.get("table", ""))
    where = f"{source}: table {name!r}"
    unknown = set(given) - TABLE_FIELDS
    if unknown or not name or not given.get("rows") or not given.get("columns"):
        raise ValueError(f"{where}: needs table, rows and columns; unknown: {', '.join(sorted(unknown)) or 'nothing'}")
    here, sometimes = given.get("here") or {}, given.get("sometimes") or {}
    always = [str(column) for column in given["columns"]]
    names = [*always, *map(str, sometimes)]
    lost = [column for column in here if column not in names]
    if lost or len(set(names)) != len(names):
        raise ValueError(f"{where}: {f'{lost[0]!r} is no column' if lost else 'a column stands twice'}")
    columns = []
    for column in names:
        entry = _entry(here[column], f"{where}, {column}") if column in here else _shared(column, names, shared, where)
        columns.append(Column(column, **entry, sometimes=str(sometimes.get(column, ""))))
    return Table(
        name=name,
        file=str(given.get("file") or f"reports/NAME/tables/{name}.csv"),
        source=source.removesuffix(".yaml"),
        rows=str(given["rows"]),
        columns=tuple(columns),
        of=str(given.get("of") or ""),
        part=str(given.get("part") or ""),
        only=str(given.get("only") or ""),
    )


@cache
def load_dictionary() -> tuple[Table, ...]:
    """All tables, in the order of the notebooks. Raises ValueError naming file, table and column for a faulty entry."""
    folder = files("geoutils").joinpath("templates", "dictionary")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".yaml") and item.name != SHARED)
    shared = _read(SHARED)
    tables = [_table(given, shared, name) for name in names for given in _read(name) or []]
    places = [(table.file, table.part) for table in tables]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice:
        raise ValueError(f"{twice[0]}: described twice")
    return tuple(tables)


def shared_columns() -> dict[str, Any]:
    """The meanings that tables share, as they stand in `columns.yaml`."""
    return dict(_read(SHARED))


def to_frame(tables: Iterable[Table] | None = None) -> pd.DataFrame:
    """The dictionary as a table: file, part, column, meaning, unit, formula, sometimes."""
    import pandas as pd

    rows = [
        (table.file, table.part, column.name, column.meaning, column.unit, column.formula, column.sometimes)
        for table in (load_dictionary() if tables is None else tables)
        for column in table.columns
    ]
    return pd.DataFrame(rows, columns=["file", "part", "column", "meaning", "unit", "formula", "sometimes"])


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file), [])


def _glob(file: str, name: str) -> str:
    return file.replace("NAME", name)


def compare_files(home: Path, name: str) -> list[str]:
    """Where the CSV files of an experiment and the dictionary differ; [] when they agree.

    `home` is the folder that holds data/NAME and reports/NAME. Said are: a file without an entry, a column without an
    entry, an entry's column that the file lacks (unless it is there only `sometimes`, or for each of any number of
    models), and an entry without a file (unless the table is made `only` in some runs).
    """
    faults, known = [], set()
    for table in load_dictionary():
        if table.part or not table.file.endswith(".csv"):
            continue
        found = sorted(home.glob(_glob(table.file, name)))
        if not found and not table.only:
            faults.append(f"{_glob(table.file, name)}: is in the dictionary, but not made")
        for path in found:
            known.add(path)
            shown, header = path.relative_to(home).as_posix(), _header(path)
            faults += [
                f"{shown}: column {column!r} is not in the dictionary"
                for column in header
                if table.column(column) is None
            ]
            faults += [
                f"{shown}: there is no column {column.name!r}, which the dictionary has"
                for column in table.columns
                if not column.sometimes and "{" not in column.name and column.name not in header
            ]
    made = {path for folder in (home / "data" / name, home / "reports" / name) for path in folder.rglob("*.csv")}
    faults += [f"{path.relative_to(home).as_posix()}: is not in the dictionary" for path in sorted(made - known)]
    return faults


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _title(table: Table) -> str:
    return f"`{table.file}`" + (f", {table.part}" if table.part else "")


def _about(table: Table) -> str:
    words = [f"One row for each {table.rows}" + (f"; {table.of}" if table.of else "") + "."]
    return " ".join([*words, *([f"Only {table.only}."] if table.only else [])])


def _meaning(column: Column) -> str:
    return column.meaning + (f" (only {column.sometimes})" if column.sometimes else "")


def to_markdown(tables: Iterable[Table] | None = None) -> str:
    """The dictionary as a Markdown page."""
    listed = list(load_dictionary() if tables is None else tables)
    lines = [
        "# Data dictionary",
        "",
        "Every table that a run writes: what a row is, and of each column the meaning, the unit and the formula. Made by",
        "`python -m geoutils.dictionary docs/data-dictionary.md` from `geoutils/templates/dictionary/`, and held to the files of a run",
        "by a test. Every table of a report is also there as Markdown and LaTeX. NAME is the experiment. A share is between 0",
        "and 1; a blank cell of a CSV is a value that does not exist. Limits are of 95 % intervals unless said otherwise.",
    ]
    source = None
    for table in listed:
        if table.source != source:
            source = table.source
            lines += ["", f"## {source}"]
        lines += [
            "",
            f"### {_title(table)}",
            "",
            _about(table),
            "",
            "| column | meaning | unit | formula |",
            "| --- | --- | --- | --- |",
        ]
        lines += [
            f"| `{_cell(column.name)}` | {_cell(_meaning(column))} | {_cell(column.unit)} | {_cell(column.formula)} |"
            for column in table.columns
        ]
    return "\n".join(lines) + "\n"


def write_page(report: Path, name: str) -> Path:
    """Write dictionary.html into a report's folder: the tables that this report has, and the files of its data folder."""
    from geoutils.files import write_text
    from geoutils.report import environment, page_head, page_script

    inside = f"reports/{name}/"
    groups: dict[str, list[dict[str, Any]]] = {}
    for table in load_dictionary():
        file = _glob(table.file, name)
        if file.startswith(inside):
            if not any(report.glob(file.removeprefix(inside))):
                continue
            link = file.removeprefix(inside) if "*" not in file else ""
        elif table.only:
            continue
        else:
            link = ""
        shown = {
            "id": Path(file).stem.replace("*", "") + table.part,
            "file": file,
            "part": table.part,
            "link": link,
            "about": _about(table),
        }
        groups.setdefault(table.source, []).append({**shown, "columns": [(c, _meaning(c)) for c in table.columns]})
    template = environment().get_template("dictionary.html.j2")
    page = template.render(head=page_head(), script=page_script(), name=name, groups=groups)
    return write_text(report / "dictionary.html", page)


if __name__ == "__main__":
    from geoutils.files import write_text as save

    save(Path(sys.argv[1]), to_markdown())
