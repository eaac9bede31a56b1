"""The data dictionary is true of the code: tables that notebooks save, files of the data folder, the page and the document."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from geoutils import dictionary
from geoutils.dictionary import Table, compare_files, load_dictionary, to_frame, to_markdown, write_page

ROOT = Path(__file__).resolve().parents[1]
TABLES = load_dictionary()


def of(file: str, part: str = "") -> Table:
    return next(table for table in TABLES if (table.file, table.part) == (file, part))


def names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def test_every_table_that_a_notebook_saves_has_an_entry_and_every_entry_a_notebook() -> None:
    saved = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for name in re.findall(r'save_table\(.*?, "(\w+)"', "".join(cell["source"])):
                saved[name] = path.stem
    described = {table.name: table.source for table in TABLES if table.file == f"reports/NAME/tables/{table.name}.csv"}
    assert described == saved


def test_the_document_is_the_dictionary() -> None:
    text = (ROOT / "docs" / "data-dictionary.md").read_text(encoding="utf-8")
    assert text == to_markdown(), "make it again: python -m geoutils.dictionary docs/data-dictionary.md"


def test_every_column_is_explained_in_words_of_its_own() -> None:
    table = to_frame()
    assert len(table) > 1000
    assert (table["meaning"].str.len() >= 3).all()
    assert not table["meaning"].str.contains(r"\{base\}|TODO").any()
    assert set(table["unit"]) <= {
        "", "none", "share", "count", "points", "percent", "1 or 0", "US dollars", "seconds", "tokens", "degrees", "log odds",
    }  # fmt: skip
    estimates = table[table["unit"].eq("share") & ~table["column"].str.endswith(("_low", "_high"))]
    assert estimates["formula"].ne("").mean() > 0.6


def test_no_meaning_that_tables_share_is_unused() -> None:
    written = " ".join(
        path.read_text(encoding="utf-8")
        for path in (Path(dictionary.__file__).parent / "templates" / "dictionary").glob("[0-9]*")
    )
    for name in dictionary.shared_columns():
        word = name.replace("{base}", "")
        assert word in written, f"{name} is in columns.yaml, and in no table"


def test_response_files(tmp_path: Path) -> None:
    from geoutils.store import SCHEMA

    with sqlite3.connect(tmp_path / "x.sqlite") as store:
        store.executescript(SCHEMA)
        parts = [row[0] for row in store.execute("select name from sqlite_master where type = 'table'")]
        assert {f"table {part}" for part in parts} == {
            t.part for t in TABLES if t.file == "data/NAME/responses/*.sqlite"
        }
        for part in parts:
            found = [row[1] for row in store.execute(f"pragma table_info({part})")]
            assert found == names(of("data/NAME/responses/*.sqlite", f"table {part}"))


def test_files_of_the_data_folder_and_of_comparisons() -> None:
    from geoutils import compare, overrides, scoring
    from geoutils.landing import PROBLEM_COLUMNS

    assert [c.name for c in of("data/NAME/problems.csv").columns if not c.sometimes] == list(PROBLEM_COLUMNS)
    assert names(of("data/NAME/scores/exp1_*.csv")) == scoring.COLUMNS
    assert names(of("reports/NAME/scores/exp1_*.csv")) == scoring.COLUMNS
    assert names(of("data/overrides.csv")) == overrides.COLUMNS
    for name, columns in (
        ("differences", compare.DIFFERENCE_COLUMNS),
        ("causes", compare.CAUSE_COLUMNS),
        ("changed", compare.CHANGED_COLUMNS),
    ):
        assert names(of(f"reports/comparisons/*/tables/{name}.csv")) == columns


def test_what_differs_from_the_files_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = (
        of("reports/NAME/tables/outcomes.csv"),
        of("reports/NAME/tables/parsing_rules.csv"),
        of("reports/NAME/tables/flips.csv"),
    )
    monkeypatch.setattr(dictionary, "load_dictionary", lambda: few)
    folder = tmp_path / "reports" / "x" / "tables"
    folder.mkdir(parents=True)
    (folder / "outcomes.csv").write_text("model,strategy,kind,representation,outcome,number\n")
    (folder / "parsing_rules.csv").write_text("rule,meaning,answers,lab/a direct,lab/b convert\n")
    (folder / "mine.csv").write_text("a\n")
    assert compare_files(tmp_path, "x") == [
        "reports/x/tables/outcomes.csv: column 'number' is not in the dictionary",
        "reports/x/tables/outcomes.csv: there is no column 'count', which the dictionary has",
        "reports/x/tables/flips.csv: is in the dictionary, but not made",
        "reports/x/tables/mine.csv: is not in the dictionary",
    ]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"table": "x", "rows": "row"}, "needs table, rows and columns"),
        ({"table": "x", "rows": "row", "columns": ["odd"]}, "column 'odd' has no meaning"),
        ({"table": "x", "rows": "row", "columns": ["model", "model"]}, "a column stands twice"),
        ({"table": "x", "rows": "row", "columns": ["model"], "here": {"odd": "?"}}, "'odd' is no column"),
        ({"table": "x", "rows": "row", "columns": ["odd"], "here": {"odd": {"unit": "share"}}}, "needs a meaning"),
        ({"table": "x", "rows": "row", "columns": ["odd_low"]}, "column 'odd_low' has no meaning"),
    ],
)
def test_faulty_entries_are_refused(entry: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        dictionary._table(entry, dictionary.shared_columns(), "05_x.yaml")


def test_the_page_lists_the_tables_of_the_report(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "outcomes.csv").write_text("model\n")
    page = write_page(tmp_path, "mine").read_text(encoding="utf-8")
    assert 'href="tables/outcomes.csv"' in page
    assert "reports/mine/tables/outcomes.csv" in page
    assert "data/mine/problems.csv" in page
    assert "tables/ranks.csv" not in page
    assert "http" not in page.replace("http_code", "").replace("HTTP", "").replace("http-equiv", "")
