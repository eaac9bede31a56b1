"""Published tables with one column a variant come in, fault by fault, and give the published numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from geoutils.cli import main
from geoutils.errors import UserError
from geoutils.experiment import load_experiment
from geoutils.results import collect_results
from geoutils.robust_cells import load_cells
from geoutils.robustness import cubes, summary
from geoutils.study import open_study
from geoutils.variant_tables import import_variants

SHARED = Path(__file__).resolve().parents[2] / "shared"
HEAD = ["Question ID", "Variant 1", "Variant 2", "Variant 3", "# of correct per question", "Topic", "Difficulty Level"]
SEEDS = [
    ["Q1", "correct", "correct", "correct", "3", "algebra", "high school"],
    ["Q2", "fail", "Correct ", "FAIL", "1", "solid geometry", "undergraduate"],
    ["Q3", "fail", "fail", "fail", "0", "algebra", "high school"],
    ["Q4", "correct", "correct", "fail", "2", "algebra", ""],
]
TAIL = [["# of correct per variant", "2", "3", "1", "", "", ""], ["A_avg", "50.00 ", "75.00 ", "25.00 ", "", "", ""], [""] * 7, [""] * 7]


def write(path: Path, rows: list[list[str]], head: list[str] = HEAD) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])


def table(home: Path, name: str = "theirs") -> pd.DataFrame:
    cells, _ = load_cells(open_study(name, stage="robustness", quiet=True))
    return summary(cubes(cells)).set_index("model")


def test_seeds_count_and_sums_do_not(home: Path) -> None:
    write(home / "in" / "Model A-result.csv", SEEDS + TAIL)
    done = import_variants(home / "in", name="theirs")
    assert (done.models, done.seeds, done.variants, done.rows) == (["imported/Model-A"], 4, [1, 2, 3], 12)
    assert done.skipped == 4 and not done.faults and not done.typed
    assert "no column says the type of a question" in done.text()
    row = table(home).loc["imported/Model-A"]
    assert row["average"] == pytest.approx((1 + 1 / 3 + 0 + 2 / 3) / 4)
    assert (row["worst"], row["seeds"], row["variants"]) == (0.25, 4, 3)
    assert row["rr"] == pytest.approx(0.5)


def test_faults_are_told_with_file_row_and_value(home: Path) -> None:
    rows = [
        ["Q1", "correct", "perhaps", "correct", "3", "algebra", "high school"],
        ["Q2", "", "correct", "correct", "2", "algebra", "high school"],
        ["Q2", "fail", "fail", "fail", "0", "algebra", "high school"],
    ]
    write(home / "in" / "a-result.csv", rows)
    write(home / "in" / "b-result.csv", [*SEEDS[:2], ["Q5", "correct", "correct", "correct", "3", "algebra", "high school"]])
    done = import_variants(home / "in", name="theirs")
    text = done.text()
    assert "a-result.csv, row 2, Q1: variant 2 is 'perhaps'; counts as not correct" in text
    assert "a-result.csv, row 4: 'Q2' is also in row 3; the first counts" in text
    assert "3 correct by its own count, 2 by its marks" in text
    assert "'algebra' and 'solid geometry' in different tables" in text
    assert done.empty == 1 and "1 cell(s) without a mark" in text
    cells, faults = load_cells(open_study("theirs", stage="robustness", quiet=True))
    told = faults.set_index(["file", "row", "variant"])
    assert told.loc[("a-result.csv", 2, 2), ["problem", "value", "what"]].tolist() == ["Q1", "perhaps", "an unknown mark"]
    assert told.loc[("a-result.csv", 3, 1), ["problem", "value"]].tolist() == ["Q2", "(empty)"]
    assert "a-result.csv, row 3, Q2: no mark of variant 1; counts as not correct" in text
    assert "a-result.csv: no row of Q5, which other tables have; its 3 variant(s) count as not correct" in text
    assert (faults["what"] == "a seed without a row").sum() == 1 and (faults["model"] == "imported/a").sum() == 5
    a = cells[cells["model"] == "imported/a"]
    assert len(a) == 9  # Q5 of the other table counts as not run
    assert a["correct"].sum() == 4 and (a["outcome"] == "not_run").sum() == 4 and (a["outcome"] == "malformed").sum() == 1
    assert table(home)["seeds"].tolist() == [3, 3]


def test_types_of_questions_come_in_with_their_chance(home: Path) -> None:
    from geoutils.robust_comparisons import by_question_type

    head = [*HEAD, "Question Type", "Choices"]
    rows = [[*SEEDS[0], "multiple choice", "4"], [*SEEDS[1], "free form", ""], [*SEEDS[2], "multiple choice", "2"]]
    write(home / "in" / "a.csv", rows, head)
    assert import_variants(home / "in", name="theirs").typed
    cells, _ = load_cells(open_study("theirs", stage="robustness", quiet=True))
    types = by_question_type(cells).set_index("question_type")
    assert types.loc["multiple choice", "accuracy"] == 0.5 and types.loc["multiple choice", "chance"] == 0.375
    assert types.loc["free form", "accuracy"] == pytest.approx(1 / 3) and pd.isna(types.loc["free form", "chance"])


@pytest.mark.parametrize(
    ("head", "rows", "says"),
    [
        (["ID", "Variant 1"], [["Q1", "fail"]], "Question ID is missing"),
        (["Question ID", "Topic"], [["Q1", "algebra"]], "Variant 1 is missing"),
        (["Question ID", "Variant 1", "Variant 1"], [["Q1", "fail", "fail"]], "two columns"),
        (HEAD, TAIL, "no row with a Question ID"),
    ],
)
def test_other_files_are_refused(home: Path, head: list[str], rows: list[list[str]], says: str) -> None:
    write(home / "in" / "x.csv", rows, head)
    with pytest.raises(UserError, match=says):
        import_variants(home / "in", name="theirs")


def test_the_command_line_takes_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(home / "in" / "a-result.csv", SEEDS + TAIL)
    assert main(["import", "variants", str(home / "in"), "--name", "theirs"]) == 0
    assert "geoutils run data/experiments/theirs.yaml --only robustness" in capsys.readouterr().out
    assert main(["import", "variants", str(home / "none"), "--name", "theirs"]) == 2


def test_a_run_of_imported_variants_is_the_stage_that_can_run(home: Path) -> None:
    from geoutils.pipeline import run_experiment

    write(home / "in" / "a-result.csv", SEEDS + TAIL)
    write(home / "in" / "b-result.csv", SEEDS[:3])
    import_variants(home / "in", name="theirs")
    assert run_experiment("theirs").stages.keys() == {"robustness"}
    record = json.loads((home / "reports" / "theirs" / "results.json").read_text())["robustness"]
    assert [(r["model"], r["worst"], r["seeds"], r["variants"]) for r in record] == [("imported/a", 0.25, 4, 3), ("imported/b", 0.25, 4, 3)]
    assert record[0]["average"] == 0.5 and record[1]["average"] == pytest.approx(1 / 3)


@pytest.mark.skipif(not (SHARED / "dynamath").is_dir(), reason="the published tables are not here")
def test_the_published_tables(home: Path) -> None:
    done = import_variants(SHARED / "dynamath", name="dynamath")
    assert (len(done.models), done.seeds, len(done.variants)) == (14, 501, 10) and not done.faults
    found = {r["model"]: r for r in collect_results(load_experiment("dynamath"), started="", seconds=0)["robustness"]}
    for model, average, worst in (("GPT4o", 0.6333, 0.3473), ("llava1.5-7B", 0.1639, 0.0180), ("claude3.5", 0.6483, 0.3573)):
        row = found[f"imported/{model}"]
        assert (round(row["average"], 4), round(row["worst"], 4)) == (average, worst)
        assert row["average_low"] < average < row["average_high"] and row["worst_low"] < worst < row["worst_high"]
