"""Existing results come in, join the plan, and go out again."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from geoutils.errors import UserError
from geoutils.experiment import load_experiment
from geoutils.exports import export_parsed, export_raw, export_scores
from geoutils.imports import import_parsed, import_raw, import_scores
from geoutils.parsed_files import parse_study
from geoutils.scoring import score, write_scores
from geoutils.study import open_study

HEADER = "problem,category,representation,predicted,gold,correct\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("GEOUTILS_HOME", str(folder))
    return folder


def scored(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in files.items():
        (folder / f"{name}.csv").write_text(HEADER + rows, encoding="utf-8")
    return folder


def run(name: str) -> pd.DataFrame:
    study = open_study(load_experiment(name), stage="scoring", quiet=True)
    parse_study(study)
    scores = score(study.parsed(), study.problems())
    write_scores(scores, study.data / "scores")
    return scores


ROWS = (
    "length_hard_91,length,coord,3.162,3.162,1\nlength_hard_91,length,euclid,3.16,3.162,\nlength_hard_91,length,vector,3.1,3.162,True\n"
    "angle_easy_92,angle,coord,60°,60,1.0\nangle_easy_92,angle,euclid,60,60,yes\nangle_easy_92,angle,vector,,60,\n"
    "area_easy_93,area,coord,12,12,MED\narea_easy_93,area,vector,13,12,0\n"
)


def test_scores_of_every_spelling_come_in_and_missing_rows_are_counted(tmp_path: Path) -> None:
    folder = scored(tmp_path / "in", exp1_one=ROWS, exp1_two="ratio_easy_94,ratio,coord,0.5,0.5,\n", exp1_one_skipped="x,y,coord,,1,\n")
    summary = import_scores(folder, name="old")
    assert (summary.problems, summary.cells, summary.rows, summary.missing, summary.blank) == (4, 24, 9, 15, 3)
    assert summary.skipped_files == ["exp1_one_skipped.csv"]
    assert len(summary.med) == 1
    assert not summary.problems_known
    assert "geoutils run" in summary.text()
    scores = run("old").set_index(["model", "problem", "representation"])
    one = scores.loc["imported/one"]
    assert list(one.loc["length_hard_91", "correct"]) == [1, 1, 1]
    assert list(one.loc["angle_easy_92", "correct"]) == [1, 1, 0]
    assert one.loc[("area_easy_93", "coord"), "correct"] == 0
    assert "MED" in one.loc[("area_easy_93", "coord"), "warnings"]
    assert one.loc[("area_easy_93", "euclid"), "outcome"] == "not_run"
    assert one.loc[("angle_easy_92", "coord"), "same_coord_euclid"] == 1
    assert scores.loc[("imported/two", "ratio_easy_94", "coord"), "correct"] == 1
    assert (scores.sort_index().loc["imported/two", "outcome"] == "not_run").sum() == 11


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a_b_1,length,coord,1,1,perhaps\n", r"row 2.*perhaps"),
        ("a_b_1,length,polar,1,1,1\n", r"row 2.*polar"),
        ("a_b_1,length,coord,1,see figure,1\n", r"row 2.*gold"),
        ("a_b_1,length,coord,1,1,1\na_b_1,length,coord,2,1,1\n", "two rows for a_b_1 coord"),
        ("a_b_1,length,coord,1,1,1\na_b_1,length,euclid,1,2,1\n", "two golds"),
        (",length,coord,1,1,1\n", "problem is blank"),
    ],
)
def test_bad_scores_are_refused_with_their_place(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        import_scores(scored(tmp_path / "in", exp1_one=rows), name="old")


def test_nothing_to_import_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        import_scores(tmp_path / "none", name="old")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="exp1_"):
        import_scores(tmp_path / "empty", name="old")
    with pytest.raises(UserError, match=r"length_hard_01_coord\.txt"):
        import_raw(tmp_path / "empty", name="old", model="m")
    with pytest.raises(UserError, match="predicted|representation|missing"):
        (tmp_path / "empty" / "exp1_x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
        import_scores(tmp_path / "empty", name="old")


def seed_problems(folder: Path) -> Path:
    place = folder / "problems" / "length"
    place.mkdir(parents=True)
    for part, text in {"coord": "Find AB.", "euclid": "Find AB.", "vector": "Find |u|.", "answer": "3.162"}.items():
        (place / f"length_hard_91_{part}.txt").write_text(text, encoding="utf-8")
    return folder / "problems"


def test_raw_responses_are_stored_parsed_and_scored(tmp_path: Path) -> None:
    raw = tmp_path / "raw" / "length"
    raw.mkdir(parents=True)
    (raw / "length_hard_91_coord.txt").write_text("The answer is sqrt(10).", encoding="utf-8")
    (raw / "length_hard_91_euclid.txt").write_text('{"numeric_answer": 3.16}', encoding="utf-8")
    (raw / "notes.txt").write_text("not a response", encoding="utf-8")
    with pytest.raises(UserError, match="--problems"):
        import_raw(tmp_path / "raw", name="raw", model="vendor/model")
    summary = import_raw(tmp_path / "raw", name="raw", model="vendor/model", strategy="convert", problems=seed_problems(tmp_path))
    assert (summary.cells, summary.missing, summary.problems_known) == (3, 1, True)
    scores = run("raw")
    assert list(scores["correct"]) == [1, 1, 0]
    assert list(scores["outcome"]) == ["ok", "ok", "not_run"]
    again = import_raw(tmp_path / "raw", name="raw", model="vendor/model", strategy="convert", problems=tmp_path / "problems")
    assert again.missing == 1
    study = open_study("raw", stage="inference", quiet=True)
    assert list(study.responses()["attempts"]) == [1, 1, 0]
    assert "Find AB." in set(study.problems()["statement"])


def test_parsed_answers_come_in_as_files_and_as_records(tmp_path: Path) -> None:
    folder = tmp_path / "parsed" / "gpt"
    folder.mkdir(parents=True)
    for name, content in {"coord": {"numeric_answer": 0}, "euclid": 3.162, "vector": {"answer": "sqrt(10)"}}.items():
        (folder / f"length_hard_91_{name}.json").write_text(json.dumps(content), encoding="utf-8")
    import_parsed(tmp_path / "parsed", name="parsed", problems=seed_problems(tmp_path))
    scores = run("parsed")
    assert list(scores["model"].unique()) == ["imported/gpt"]
    assert list(scores["predicted"]) == ["0", "3.162", "sqrt(10)"]
    assert list(scores["correct"]) == [0, 1, 1]
    records = [{"problem": "p_easy_1", "representation": r, "predicted": "7", "gold": "7", "model": "a/b"} for r in ("coord", "vector")]
    (tmp_path / "all.json").write_text(json.dumps(records), encoding="utf-8")
    summary = import_parsed(tmp_path / "all.json", name="records")
    assert (summary.models, summary.missing) == (["a/b"], 1)


def test_two_imports_into_one_name_join(tmp_path: Path) -> None:
    import_scores(scored(tmp_path / "a", exp1_one="p_x_1,length,coord,1,1,1\n"), name="both")
    import_scores(scored(tmp_path / "b", exp1_two="p_x_2,length,coord,1,1,1\n"), name="both")
    experiment = load_experiment("both")
    assert set(experiment.models) == {"imported/one", "imported/two"}
    assert set(open_study(experiment, stage="scoring", quiet=True).problems()["problem"]) == {"p_x_1", "p_x_2"}


def test_what_goes_out_comes_in_again(tmp_path: Path) -> None:
    import_scores(scored(tmp_path / "in", exp1_one=ROWS), name="old")
    before = run("old")
    export_scores("old", tmp_path / "scores")
    assert import_scores(tmp_path / "scores", name="again").missing == 0
    after = run("again")
    columns = ["model", "problem", "representation", "predicted", "gold", "correct", "verdict"]
    assert before[columns].astype(str).to_numpy().tolist() == after[columns].astype(str).to_numpy().tolist()
    export_parsed("old", tmp_path / "parsed")
    assert len(json.loads(next((tmp_path / "parsed").glob("*.json")).read_text(encoding="utf-8"))) == 9
    assert export_raw("old", tmp_path / "raw")["rows"].sum() == 0
