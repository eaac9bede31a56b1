"""What notebooks open: tables that survive, figures with alt text, text that stays harmless."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoutils import display
from geoutils.errors import RunError, UserError
from geoutils.experiment import experiment_from_dict
from geoutils.files import locked, write_text
from geoutils.study import Study, open_study, read_table


@pytest.fixture
def study(home: Path) -> Study:
    return open_study(
        experiment_from_dict({"name": "small", "models": ["baseline/gold"]}), stage="tabulation", quiet=True
    )


def test_opening_makes_the_folders_and_echoes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = open_study("quickstart", stage="flips")
    assert opened.tables.is_dir()
    assert opened.figures == home / "reports" / "quickstart" / "figures"
    told = capsys.readouterr().out
    assert "experiment quickstart, stage flips" in told
    assert str(home) not in told


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(UserError, match="unknown stage 'tables'; known are dataset"):
        open_study("quickstart", stage="tables")


def test_imported_problems_are_never_overwritten(home: Path) -> None:
    experiment = home / "theirs.yaml"
    experiment.write_text("name: theirs\nmodels: [baseline/gold]\n", encoding="utf-8")
    record = home / "data" / "theirs" / "imported.json"
    record.parent.mkdir(parents=True)
    record.write_text('{"models": ["imported/x"], "strategies": ["direct"]}', encoding="utf-8")
    with pytest.raises(UserError, match="were imported"):
        open_study(experiment, stage="dataset", quiet=True)
    assert open_study(experiment, stage="tabulation", quiet=True).data == record.parent


def test_a_missing_stage_is_named(study: Study) -> None:
    with pytest.raises(
        UserError, match="run notebook 04_scoring first: data/small/scores/exp1_baseline--gold__direct.csv"
    ):
        study.scores()
    with pytest.raises(UserError, match="run notebook 03_parsing first"):
        study.parsed()
    with pytest.raises(UserError, match="run notebook 06_flips first"):
        study.table("flip_patterns", stage="flips")
    assert study.scores.__doc__


def test_a_user_error_is_one_line_in_a_notebook() -> None:
    assert UserError("two\nlines")._render_traceback_() == ["UserError: two lines"]


def test_scores_keep_text_as_text(study: Study) -> None:
    folder = study.data / "scores"
    write_text(
        folder / "exp1_baseline--gold__direct.csv",
        "problem,predicted,gold,correct,variant,repeat,same_group,rule\np1,007,7/12,1,0,0,1,NA\np2,,1e5,0,0,0,,\n",
    )
    scores = study.scores()
    assert scores["predicted"].tolist() == ["007", ""]
    assert scores["gold"].tolist() == ["7/12", "1e5"]
    assert scores["rule"].tolist() == ["NA", ""]
    assert scores["correct"].tolist() == [1, 0]
    assert scores["correct"].dtype == "int64"
    assert scores["same_group"].isna().tolist() == [False, True]
    assert scores["line"].tolist() == [2, 3]


def test_a_broken_table_names_file_and_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("problem,correct\np1,1\np2,maybe\n")
    with pytest.raises(UserError, match=r"t.csv: column correct must hold whole numbers, not row 3: 'maybe'"):
        read_table(path)
    path.write_text("")
    with pytest.raises(UserError, match="not a readable CSV"):
        read_table(path)


def test_saved_tables_have_the_same_bytes_anywhere(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.DataFrame({"model": ["a/b"], "share": [0.1 + 0.2]})
    path = study.save_table(table, "shares", caption="Shares")
    assert path.read_bytes() == b"model,share\na/b,0.30000000000000004\n"
    assert "saved reports/small/tables/shares.csv (1 rows: Shares)" in capsys.readouterr().out
    assert study.table("shares", stage="tabulation")["share"].tolist() == [0.1 + 0.2]
    with pytest.raises(ValueError, match="cannot name a file"):
        study.save_table(table, "../shares")
    study.finish()
    assert "versions: python" in capsys.readouterr().out


def test_figures_carry_alt_text_and_repeat_byte_for_byte(study: Study) -> None:
    import matplotlib.pyplot as plt

    from geoutils.report import png_description

    def drawn() -> tuple[bytes, bytes]:
        figure, axes = plt.subplots()
        axes.plot([0, 1], label="x")
        axes.legend()
        path = study.save_figure(figure, "line", alt="A rising line")
        assert not plt.fignum_exists(figure.number)
        return path.read_bytes(), path.with_suffix(".svg").read_bytes()

    assert drawn() == drawn()
    assert png_description(study.figures / "line.png") == "A rising line"
    with pytest.raises(ValueError, match="needs alt text"):
        study.save_figure(plt.figure(), "line", alt=" ")


def test_a_table_is_escaped_counted_and_labelled() -> None:
    table = pd.DataFrame(
        {
            "model": ["baseline/gold", "simulated/coin", "lab/<b>"],
            "answer": ["<script>alert(1)</script>", "\u202e9", "x" * 1000],
            "share": [0.5, None, 12345.0],
            "n": [1, 20000, 3],
        }
    )
    page = display.table_html(table, "A & B", max_rows=3)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "[U+202E]9" in page
    assert "(600 more characters)" in page
    assert '<span class="badge">baseline</span>' in page
    assert '<span class="badge">SIMULATED</span>' in page
    assert "<caption>A &amp; B</caption>" in page
    assert ">20,000<" in page
    assert ">–<" in page
    assert "(the first 1 of 3 rows)" in display.table_html(table, max_rows=1)


def test_a_shown_table_has_strategy_beside_model_and_links_to_its_file_in_a_report(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[str] = []
    monkeypatch.setattr(display, "show_html", pages.append)
    table = pd.DataFrame({"model": ["baseline/gold"], "n": [3], "strategy": ["direct"], "kind": ["BASELINE"], "note": [""], "low": [None]})
    study.save_table(table, "shares")
    study.show(table, "Shares")
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)', pages[0])
    assert heads == ["model", "strategy", "n"]
    assert "href" not in pages[0], "in JupyterLab there is no such file beside the notebook"
    monkeypatch.setenv("GEOUTILS_STAGED", study.experiment.name)
    study.show(table, "Shares", columns=["model", "low"])
    assert re.findall(r'<th scope="col"[^>]*>([^<]*)', pages[1]) == ["model", "low"]
    assert '<a href="tables/shares.csv">tables/shares.csv</a>' in pages[1]
    study.show(table.copy(), "Another")
    assert "href" not in pages[2]


def test_counts_stay_whole_beside_missing_ones() -> None:
    table = pd.DataFrame(
        {"n": [4.0, None], "share": [1.0, 0.0], "m": pd.array([1, None], dtype="Int64"), "ok": [True, False]}
    )
    page = display.table_html(table)
    assert ">4<" in page
    assert page.count(">–<") == 2
    assert ">1.000<" in page
    assert ">yes<" in page
    assert page.count('<th scope="col" class=number>') == 3


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1, "1"),
        (12345, "12,345"),
        (0.5, "0.500"),
        (0.0001, "1.0e-04"),
        (None, "–"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
        (-3.0, "-3.000"),
    ],
)
def test_numbers(value: float | None, shown: str) -> None:
    assert display.number(value) == shown


@given(st.text(max_size=60))
def test_markdown_of_any_text_has_no_markup_of_its_own(text: str) -> None:
    from nbconvert.filters import markdown2html

    page = markdown2html("Said: " + display.markdown(text) + " end.")
    inside = page.replace("<p>", "").replace("</p>", "")
    assert "<" not in inside
    assert "$$" not in display.markdown(text)


def test_a_file_is_whole_or_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_text(tmp_path / "a" / "f.csv", "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(RunError, match="cannot be written: No space left on device"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [item.name for item in path.parent.iterdir()] == ["f.csv"]


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "run.lock", "experiment x"),
        pytest.raises(RunError, match="experiment x is already running"),
        locked(tmp_path / "run.lock", "experiment x"),
    ):
        pass
    with locked(tmp_path / "run.lock", "experiment x"):
        pass
