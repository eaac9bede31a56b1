"""Reading records: every fault is named by file, id, field and reason, and the rest is read."""

from __future__ import annotations

import pytest
from problem_samples import MEDIAN, problem

from geoutils.errors import UserError
from geoutils.problems.records import load_records, read_text


def lines(text: str) -> list[str]:
    return [finding.line() for finding in read_text(text, "f.yaml")[1]]


def other(text: str = MEDIAN) -> str:
    return text.replace("length_easy_04", "length_easy_05")


def test_a_sound_record_is_read_with_its_types():
    made = problem()
    assert made.params["p"] == (5, 9, 16, -5, -9) and made.canonical["h"] == 12
    assert made.scales == (1, 2, 3) and made.motion == "lattice"
    assert made.visible == ("A", "B", "C", "M")
    assert made.statements["vector"][1].say == "The point <M> is the midpoint of segment <B><C>."


def test_statements_have_one_minus_sign():
    spelled = problem(("- The point <M> is the midpoint of segment <B><C>.", "- They satisfy |<u> \u2212 <v>| = <BC>."))
    assert spelled.statements["vector"][1].say == "They satisfy |<u> - <v>| = <BC>."


@pytest.mark.parametrize(
    ("old", "new", "field", "reason"),
    [
        ("category: length", "category: width", "category", "one of length, area"),
        ("id: length_easy_04", "id: length_04", "id", "must look like"),
        ("difficulty: easy", "difficulty: hard", "id", "the fields say length, hard"),
        ("canonical: {p: 5, s: 9, h: 12}", "canonical: {p: 5, s: 9}", "canonical", "differs in h"),
        ("canonical: {p: 5,", "canonical: {p: 6,", "canonical.p", "not in the parameter's list"),
        ("h: [12]", "h: 12", "params.h", "list of whole numbers"),
        ("h: [12]", "h: [1e3]", "params.h", "'1e3' is not a whole number"),
        ("PQRM", "PQRR", "names.points", "'PQRR' must be 4 different capital letters"),
        ("XYZW]", "XYZ]", "names.points", "'XYZ' must be"),
        ("  family: medians\n", "", "family", "missing"),
        ("  family: medians\n", "  family: medians\n  colour: red\n", "colour", "unknown field"),
        ("  coord:\n  - Tri", "  coord:\n  - B : Tri", "coord[0]", "quote a text that holds ': '"),
        ("    vector: norm(u + v)/2\n", "", "check.vector", "missing"),
        ("figure: {segments", "figure: {sticks", "figure.sticks", "unknown"),
        ("scales: [1, 2, 3]", "scales: [2, 3]", "motion.scales", "with 1 among them"),
        ("    u: vec", "    A: vec", "let.A", "already used in points"),
        ("    u: vec", "    pi: vec", "let.pi", "cannot be used as a name"),
        ("  motion: {", "  hidden: [T]\n  motion: {", "hidden", "'T' is not among points"),
    ],
)
def test_a_fault_names_file_id_field_and_reason(old: str, new: str, field: str, reason: str):
    assert old in MEDIAN
    found = lines(MEDIAN.replace(old, new, 1))
    assert found, "no finding"
    assert any(line.startswith("f.yaml: ") and f": {field}: " in line and reason in line for line in found), found


def test_the_rest_is_read_after_a_fault():
    problems, findings = read_text(MEDIAN.replace("category: length", "category: width") + other(), "f.yaml")
    assert [made.id for made in problems] == ["length_easy_05"]
    assert all(finding.id == "length_easy_04" for finding in findings)


def test_broken_yaml_of_one_record_spares_the_others():
    broken = MEDIAN.replace("concepts: [median]", "concepts: [median")
    problems, findings = read_text(broken + other(), "f.yaml")
    assert [made.id for made in problems] == ["length_easy_05"]
    assert findings[0].kind == "yaml" and findings[0].id == "length_easy_04"


def test_duplicate_keys_and_ids_are_reported(tmp_path):
    assert any("given twice" in line for line in lines(MEDIAN + "  family: other\n"))
    (tmp_path / "a.yaml").write_text(MEDIAN, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(MEDIAN, encoding="utf-8")
    (tmp_path / "concepts.yaml").write_text("median: a line\n", encoding="utf-8")
    problems, findings = load_records(tmp_path)
    assert len(problems) == 1
    assert findings[0].kind == "duplicate-id" and "first in a.yaml" in findings[0].message


def test_yaml_words_that_look_like_booleans_stay_text():
    assert problem(("ABCM, PQRM", "NOST, PQRM")).point_names[0] == "NOST"


def test_aliases_and_foreign_shapes_are_refused(tmp_path):
    assert "aliases" in lines("- &a {id: x, family: y, where: *a}")[0] or lines("- &a {id: x, where: *a}")
    assert "a list of records" in lines("id: x\n")[0]
    assert "no record" in lines("\n")[0]
    (tmp_path / "a.yaml").write_bytes(b"- id: \xff\n")
    assert "not UTF-8" in load_records(tmp_path)[1][0].message
    with pytest.raises(UserError, match="no such file"):
        load_records(tmp_path / "none.yaml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="holds no problem files"):
        load_records(tmp_path / "empty")
