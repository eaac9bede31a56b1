"""Static problems: the seed's PROBLEMS file as a literal, JSONL, CSV; faults named, the rest read."""

from __future__ import annotations

import json

import pytest

from geoutils.errors import UserError
from geoutils.problems.static import lint_static, load_static

GOOD = {
    "id": "length_hard_01", "category": "length", "coord": "Points A(0,0) and B(3,4) are given. Find the length of AB.",
    "euclid": "In triangle ABC, AC = 6, BC = 8 and angle ACB is right. Find half the length of AB.",
    "vector": "The vector u = (3,4) leads from A to B. Find the length of AB.", "answer": "5",
}  # fmt: skip


def write(tmp_path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_problems_file_is_read_as_a_literal(tmp_path):
    path = write(tmp_path, "dataset.py", f"# the list\nPROBLEMS: list = [\n    {GOOD!r},\n]\n")
    problems, findings = load_static(path)
    assert findings == [] and problems[0].id == "length_hard_01" and problems[0].difficulty == "hard"
    assert problems[0].statements["vector"].startswith("The vector u")


def test_a_problems_file_is_never_executed(tmp_path):
    marker = tmp_path / "ran"
    text = f"open({str(marker)!r}, 'w')\nPROBLEMS = [{GOOD!r}, dict(id='x'), {{'id': 'a_1', 'answer': str(5)}}]\n"
    problems, findings = load_static(write(tmp_path, "d.py", text))
    assert not marker.exists()
    assert [made.id for made in problems] == ["length_hard_01"]
    lines = [finding.line() for finding in findings]
    assert any("record 2" in line and "no literal dictionary" in line for line in lines)
    assert any("d.py: a_1: answer: line 2 is not a literal value" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PROBLEMS = load()\n", "not a literal list"),
        ("OTHER = []\n", "no assignment PROBLEMS"),
        ("PROBLEMS = [\n", "not Python (line 1)"),
        ("PROBLEMS = " + "[" * 5000 + "]" * 5000, "PROBLEMS"),
        ("PROBLEMS = [1]\x00", "PROBLEMS"),
    ],
)
def test_a_file_that_is_no_literal_is_named(tmp_path, text: str, reason: str):
    problems, findings = load_static(write(tmp_path, "p.py", text))
    assert problems == [] and findings and reason in findings[0].line()


def test_jsonl_and_csv_in_both_shapes(tmp_path):
    wide = write(tmp_path, "wide.jsonl", json.dumps(GOOD) + "\n{broken\n[1]\n")
    problems, findings = load_static(wide)
    assert len(problems) == 1 and [f.id for f in findings] == ["line 2", "line 3"]
    rows = [
        {
            "problem": "area_easy_01",
            "category": "area",
            "representation": rep,
            "statement": f"{rep} text",
            "answer": "3*sqrt(2)",
        }
        for rep in ("coord", "euclid", "vector")
    ]
    long = write(tmp_path, "long.jsonl", "\n".join(map(json.dumps, rows)))
    problems, findings = load_static(long)
    assert findings == [] and set(problems[0].statements) == {"coord", "euclid", "vector"}
    table = "id,category,coord,euclid,vector,answer\n" + "angle_easy_01,angle,c,e,v,60\nangle_easy_02,angle,c,e,v\n"
    problems, findings = load_static(write(tmp_path, "w.csv", table))
    assert problems[0].unit == "degrees" and "another number of fields" in findings[0].message
    assert load_static(write(tmp_path, "w.json", json.dumps([GOOD])))[0][0].answer == "5"


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"id": ""}, "id", "missing"),
        ({"category": "volume"}, "category", "one of length"),
        ({"answer": None}, "answer", "missing"),
        ({"answer": [1, 2]}, "answer", "neither text nor number"),
        ({"coord": 7}, "coord", "is no text"),
        ({"coord": "", "euclid": "", "vector": ""}, "coord, euclid, vector", "no statement"),
    ],
)
def test_a_bad_row_is_named_and_the_rest_is_read(tmp_path, change, field: str, reason: str):
    rows = [{**GOOD, **change}, {**GOOD, "id": "length_hard_02"}]
    problems, findings = load_static(write(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows))))
    assert [made.id for made in problems] == ["length_hard_02"]
    assert findings[0].field == field and reason in findings[0].message


def test_duplicate_ids(tmp_path):
    problems, findings = load_static(write(tmp_path, "x.jsonl", "\n".join(map(json.dumps, [GOOD, GOOD]))))
    assert len(problems) == 1 and findings[0].kind == "duplicate-id"


def test_lints_without_a_program(tmp_path):
    bad = {
        "id": "angle_hard_09", "category": "angle", "answer": "12 and 13", "coord": "The vectors u and v.",
        "euclid": "A(1, 2) and B. By the law of cosines find the angle of 12 and 13.", "vector": "\u200bFind it.",
    }  # fmt: skip
    rows = [
        GOOD,
        bad,
        {**GOOD, "id": "length_hard_02"},
        {**GOOD, "id": "length_hard_03", "coord": GOOD["coord"].replace("3", "6")},
    ]
    problems, none = load_static(write(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows))))
    assert none == []
    found = lint_static(problems, readable=lambda answer, unit: answer.isdigit())
    kinds = {(f.id, f.kind) for f in found}
    assert {
        ("angle_hard_09", kind) for kind in ("answer", "spacing", "representation", "theorem", "unit", "question")
    } <= kinds
    assert ("length_hard_02", "duplicate") in kinds
    assert [f.id for f in found if f.level == "error"] == ["angle_hard_09"]
    assert any("law of" in f.message for f in found)


def test_missing_and_unknown_files(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        load_static(tmp_path / "none.py")
    with pytest.raises(UserError, match="unknown kind"):
        load_static(write(tmp_path, "x.txt", ""))
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not UTF-8"):
        load_static(tmp_path / "b.csv")
