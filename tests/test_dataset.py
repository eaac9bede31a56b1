"""The door to the problems: the table, its hash, both kinds of sources, figures."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from problem_samples import MEDIAN

from geoutils import dataset
from geoutils.errors import UserError
from geoutils.experiment import experiment_from_dict


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "problems"
    made.mkdir()
    (made / "length.yaml").write_text(MEDIAN, encoding="utf-8")
    (made / "concepts.yaml").write_text("median: a line to a midpoint\n", encoding="utf-8")
    return made


def test_the_table_has_one_row_per_problem_variant_and_representation(folder):
    table = dataset.problems_table(folder, variants=11)
    assert tuple(table.columns) == dataset.COLUMNS and len(table) == 33
    assert not table.duplicated(["problem", "variant", "representation"]).any()
    assert not table.duplicated(["representation", "statement"]).any()
    first = table.iloc[0]
    assert (first["answer"], first["value"], first["unit"], first["kinds"]) == ("2*sqrt(37)", "12.166", "", "canonical")
    assert first["solution"].count("\n") == 2 and r"2 \sqrt{37}" in first["solution"]
    assert (table[table["variant"] == 1]["kinds"] == "names").all()


def test_the_hash_is_of_the_content_not_of_what_was_asked(folder):
    one, eleven = dataset.problems_table(folder), dataset.problems_table(folder, variants=11)
    assert (
        one["dataset_sha256"].iloc[0] == eleven["dataset_sha256"].iloc[0] and len(one["dataset_sha256"].iloc[0]) == 64
    )
    assert dataset.problems_table(folder, seed=5)["dataset_sha256"].iloc[0] != one["dataset_sha256"].iloc[0]
    (folder / "length.yaml").write_text(MEDIAN.replace("p: [5,", "p: [5, 35,"), encoding="utf-8")
    assert dataset.problems_table(folder)["dataset_sha256"].iloc[0] != one["dataset_sha256"].iloc[0]


def test_remembered_rows_are_the_same_rows(folder):
    assert dataset.problems_table(folder, variants=3).equals(dataset.problems_table(folder, variants=3))


def test_an_experiment_chooses_what_it_needs(folder):
    given = {"name": "t", "problems": {"source": str(folder)}, "representations": ["euclid"], "variants": 2}
    table = dataset.load_problems(experiment_from_dict(given))
    assert list(table["representation"]) == ["euclid", "euclid"]
    given["problems"] = {"source": str(folder), "categories": ["angle"]}
    with pytest.raises(UserError, match="no problem of angle"):
        dataset.load_problems(experiment_from_dict(given))


def test_a_broken_record_stops_the_table_with_its_name(folder):
    (folder / "length.yaml").write_text(MEDIAN.replace("category: length", "category: width"), encoding="utf-8")
    with pytest.raises(UserError, match=r"length\.yaml: length_easy_04: category: 'width'"):
        dataset.problems_table(folder)
    (folder / "length.yaml").write_text(MEDIAN.replace("answer: dist(A, M)", "answer: dist(A, X)"), encoding="utf-8")
    with pytest.raises(UserError, match=r"length_easy_04: answer: unknown name X"):
        dataset.problems_table(folder)
    with pytest.raises(UserError, match="no such file or folder"):
        dataset.problems_table("nowhere")


def test_static_problems_come_through_the_same_door(tmp_path):
    rows = [
        {"id": "angle_hard_01", "category": "angle", "answer": "arctan(2/3)"},
        {"id": "ratio_easy_01", "category": "ratio", "answer": "1.333"},
    ]
    rows = [{**row, "coord": "c", "euclid": "e", "vector": "v"} for row in rows]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    table = dataset.problems_table(path, variants=11)
    assert tuple(table.columns) == dataset.COLUMNS and len(table) == 6
    by = table.drop_duplicates("problem").set_index("problem")
    assert (by.at["angle_hard_01", "answer"], by.at["angle_hard_01", "value"]) == ("arctan(2/3)", "33.690")
    assert by.at["angle_hard_01", "unit"] == "degrees" and by.at["ratio_easy_01", "answer"] == "1.333"
    summary = dataset.check(path)
    assert summary.problems == 2 and summary.ok and not summary.findings.empty
    assert set(summary.findings["level"]) == {"warning"}


def test_an_unreadable_static_gold_and_a_wrong_decimal_are_errors(tmp_path):
    row = {"id": "area_easy_01", "category": "area", "coord": "c", "euclid": "e", "vector": "v", "answer": "about ten"}
    good = {**row, "id": "area_easy_02", "answer": "9*sqrt(2)", "value": "12.728"}
    cut = {**good, "id": "area_easy_03", "value": "12.727"}
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, (row, good, cut))), encoding="utf-8")
    errors = [(f.id, f.kind) for f in dataset.check(path).faults if f.level == "error"]
    assert errors == [("area_easy_01", "answer"), ("area_easy_03", "rounding")]


def test_check_takes_files_folders_and_experiments(folder, tmp_path):
    assert dataset.check(folder, variants=2).proved == 6
    assert dataset.check(folder / "length.yaml", variants=2).ok
    path = tmp_path / "exp.yaml"
    path.write_text(f"name: exp\nproblems: {{source: '{folder}'}}\n", encoding="utf-8")
    assert dataset.check(path, variants=2).proved == 6


def test_figures_are_drawn_from_the_variants_points(folder):
    drawing = dataset.figure("length_easy_04", variant=1, source=folder)
    table = dataset.problems_table(folder, variants=2)
    letters = re.findall(r"[A-Z](?=\()", table[table["representation"] == "coord"].iloc[1]["statement"])
    letters += re.findall(r"point ([A-Z]) is the midpoint", table.iloc[4]["statement"])
    assert drawing.clearance >= 0.8
    assert f"points {', '.join(letters[:3])} and {letters[3]}" in drawing.alt
    with pytest.raises(UserError, match="no problem x"):
        dataset.figure("x", source=folder)


def test_counts_for_the_report(folder):
    table = dataset.problems_table(folder, variants=2)
    assert dataset.summary_counts(table) == {"problems": 1, "statements": 6, "sha256": table["dataset_sha256"].iloc[0]}


def test_variants_are_drawn_only_where_a_part_asks_them() -> None:
    """The union of the parts is what is drawn, and the hash stays that of the whole set."""
    parts = [{"variants": 3, "limit_per_category": 1}, {"variants": 1, "limit_per_category": 2}]
    given = {"name": "x", "problems": {"source": "data/problems/area_01_20.yaml"}, "parts": parts}
    experiment = experiment_from_dict(given)
    table = dataset.load_problems(experiment)
    assert sorted(table.groupby("problem")["variant"].max()) == [0, 2]
    assert set(table["dataset_sha256"]) == set(dataset.problems_table("data/problems/area_01_20.yaml")["dataset_sha256"])
    assert len(experiment.plan(table)) == len(table) == 3 * (3 + 1)


def test_figures_are_rows_with_a_text_and_a_picture(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    given = {
        "name": "x", "problems": {"source": "data/problems/area_01_20.yaml", "limit_per_category": 2}, "variants": 2,
        "representations": ["coord", "figure"],
    }  # fmt: skip
    experiment = experiment_from_dict(given)
    table = dataset.load_problems(experiment)
    assert list(table["representation"]) == ["coord", "figure"] * 4
    rows = table[table["representation"] == "figure"]
    assert (table.loc[table["representation"] == "coord", "image"] == "").all()
    for row in rows.itertuples():
        content = (experiment.data_dir / row.image).read_bytes()
        assert content.startswith(b"\x89PNG") and hashlib.sha256(content).hexdigest() == row.image_sha256
        other = table.loc[row.Index - 1]
        assert (row.problem, row.variant, row.answer, row.value) == (other.problem, other.variant, other.answer, other.value)
        assert "figure" in row.statement
    assert rows["image_sha256"].is_unique
    assert set(table["dataset_sha256"]) == set(dataset.problems_table("data/problems/area_01_20.yaml")["dataset_sha256"])
    assert table.equals(dataset.load_problems(experiment))
    with pytest.raises(UserError, match="static problems"):
        (tmp_path / "s.jsonl").write_text('{"id": "a", "category": "area", "coord": "x", "answer": "1"}\n')
        dataset.load_problems(experiment_from_dict({**given, "problems": {"source": str(tmp_path / "s.jsonl")}}))


def test_the_overview_shows_a_figure_with_its_text_and_says_how_many_are_asked() -> None:
    from geoutils.problems import overview

    made = dataset.labelled_figure("area_easy_01", source="data/problems/area_01_20.yaml", variant=1)
    html = overview.figure_card(made)
    assert made is not None and 'alt="' in html and "data:image/png;base64," in html and "variant 1" in html
    table = dataset.problems_table("data/problems/area_01_20.yaml", only=["area_easy_01"])
    assert "asks no figures" in overview.said_figures(table)
    assert "3 figures of 1 problems" in overview.said_figures(table.assign(representation="figure"))
