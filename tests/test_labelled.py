"""Figures that stand for statements: every given in them or told, readable, to scale, and faults are found."""

import dataclasses
import io
import pathlib
import re

import numpy as np
import pytest
from matplotlib import image

from geoutils.problems import grammar, reading
from geoutils.problems.figure_checks import faults, findings
from geoutils.problems.givens import givens_of
from geoutils.problems.labelled import DPI, WIDTH, label
from geoutils.problems.phrases import line, phrase, read_line
from geoutils.problems.records import load_records
from geoutils.problems.restating import missing, restated
from geoutils.problems.variants import draw_variants

PROBLEMS = {p.id: p for p in load_records(pathlib.Path(__file__).resolve().parents[1] / "data" / "problems")[0]}


def variant(name, number=0):
    return draw_variants(PROBLEMS[name], number + 1).variants[number]


@pytest.mark.parametrize("name", sorted(PROBLEMS)[::2])
def test_every_condition_of_every_statement_is_drawn_written_or_told(name):
    for made in draw_variants(PROBLEMS[name], 4).variants[::3]:  # of all variants: geoutils check --figures
        given = givens_of(made)
        assert missing(given) == []
        assert set(given.conditions) == set(reading.read(made, "euclid").conditions)


@pytest.mark.parametrize("name", sorted(PROBLEMS)[::8])
def test_the_picture_is_readable_and_to_scale(name):
    assert faults(variant(name)) == []
    assert faults(variant(name, 3)) == []


def test_numbers_stand_where_the_statement_gives_them():
    made = label(variant("length_easy_04"))  # AB = 13, BC = 14, CA = 15, M the midpoint of BC
    assert {(mark.points, mark.text) for mark, _ in made.beside} == {(("A", "B"), "13"), (("A", "C"), "15")}
    assert made.lines == ["BC = 14"]  # M divides BC: a number there could be that of a half
    assert made.text.endswith("Give the exact value, or a decimal rounded to three decimal places.")
    assert "13" not in made.text and "Find the length of AM." in made.text
    assert "AB = 13" in made.alt and "BM = MC" in made.alt


def test_what_cannot_be_drawn_is_told_in_a_sentence_that_the_grammar_reads_as_just_that():
    given = givens_of(variant("angle_easy_06"))
    assert given.told == ["E lies on the external bisector of angle ABC.", "E lies on the external bisector of angle ACB."]
    assert grammar.read_statement(given.told, "euclid").conditions == ["bisects_outer(E,A,B,C)", "bisects_outer(E,A,C,B)"]
    assert "cos(angle(B,A,C)) == -(5/13)" in restated(given)


@pytest.mark.parametrize("name", ["area_easy_01", "angle_easy_32", "ratio_easy_15"])
def test_the_question_unit_and_rounding_are_those_of_the_siblings(name):
    chosen = variant(name)
    for representation in ("coord", "euclid", "vector"):
        statement = chosen.statements[representation]
        assert label(chosen).text.endswith(f"{statement.question.text} {statement.rounding}")


@pytest.mark.parametrize("name", ["area_easy_03", "angle_easy_32", "area_hard_06", "length_medium_16"])
def test_writing_and_strokes_share_no_dark_pixel(name):
    """What is at the boxes in the picture itself, and the strokes drawn anew."""
    from geoutils.problems import labelled

    chosen = variant(name)
    whole = image.imread(io.BytesIO(label(chosen).png()))[..., :3].min(axis=2)
    made = label(chosen)
    height, width = whole.shape
    assert width == WIDTH * DPI
    ink = np.zeros_like(whole, dtype=bool)
    below = whole.shape[0] - round(made.made.size[1] * DPI)
    for name, (x1, y1, x2, y2) in made.boxes.items():
        if name.startswith("line "):
            continue
        rows = slice(height - below - round(y2 * DPI), height - below - round(y1 * DPI))
        ink[rows, round(x1 * DPI) : round(x2 * DPI)] = True
        assert (whole[rows, round(x1 * DPI) : round(x2 * DPI)] < 0.5).any(), f"{name} is not there"
    strokes = np.zeros_like(ink)
    for x1, y1, x2, y2 in made.strokes:
        t = np.linspace(0, 1, 400)
        xs, ys = (x1 + (x2 - x1) * t) * DPI, height - below - (y1 + (y2 - y1) * t) * DPI
        strokes[ys.astype(int).clip(0, height - 1), xs.astype(int).clip(0, width - 1)] = True
    assert not (ink & strokes).any()
    assert labelled.DPI == 128


def test_faults_are_found():
    made = label(variant("length_easy_04"))
    assert list(findings(made)) == []
    a, b = (made.made.places[k] for k in "AB")
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    moved = dict(made.boxes, A=(middle[0] - 0.1, middle[1] - 0.1, middle[0] + 0.1, middle[1] + 0.1))
    assert any("A touches a line" in f for f in findings(dataclasses.replace(made, boxes=moved)))
    assert any("overlap" in f for f in findings(dataclasses.replace(made, boxes=dict(made.boxes, A=made.boxes["C"]))))
    assert any("off the paper" in f for f in findings(dataclasses.replace(made, boxes=dict(made.boxes, A=(-1, 0, 0, 0.1)))))
    assert any("pixels high" in f for f in findings(dataclasses.replace(made, font=6.0)))
    assert any("alternative text" in f for f in findings(dataclasses.replace(made, alt="")))
    mark = next(mark for mark, _ in made.beside if mark.text == "13")
    across, upward = made.made.places["C"]
    elsewhere = [(mark, (across, upward + 0.3))]
    assert any("nearer to another line" in f for f in findings(dataclasses.replace(made, beside=elsewhere)))
    wrong = [dataclasses.replace(mark, text="31") if mark.text == "13" else mark for mark in made.givens.marks]
    found = list(findings(dataclasses.replace(made, givens=dataclasses.replace(made.givens, marks=wrong))))
    assert any("AB = 31 is not drawn to scale" in f for f in found)
    assert any(re.match(r"dist\(A,B\) == 13 is given neither", f) for f in found)
    fewer = dataclasses.replace(made.givens, marks=[m for m in made.givens.marks if m.kind != "ticks"])
    assert missing(fewer) == ["midpoint(M,B,C)"]


def test_lines_are_read_back_as_what_they_were_written_for():
    for condition in (
        "dist(A,B) == 2*sqrt(29)", "2*dist(B,D) == 3*dist(C,D)", "3*dist(B,D) == dist(C,D)", "dist(A,B) == dist(C,D)",
        "dist(F,P) + dist(G,P) == 14", "dist(C,P) < dist(D,P)", "cos(angle(B,A,C)) == -(5/13)", "tan(angle(A,B,C)) == 1/2",
        "angle(A,B,C) == deg(60)", "angle(A,B,C) == angle(B,C,D)", "parallel(A,B,C,D)", "perp(A,B,C,D)", "right(A,B,C)",
        "acute(A,B,C)", "obtuse(A,B,C)", "bisects(D,A,B,C)", "dist(A,line(B,C)) == 9", "dist(A,mid(B,C)) == 45",
        "area(A,B,C) == 126", "perimeter(A,B,C) == 42", "inradius(A,B,C) == 9", "dist(A,B) == sqrt(233)/2",
    ):  # fmt: skip
        text = line(condition)
        assert text is not None
        assert grammar.canonical([read_line(text)]) == grammar.canonical([condition]), text
    assert line("P == invert(A,B)") is None
    with pytest.raises(ValueError, match="no line"):
        read_line("AB is rather long")
    with pytest.raises(ValueError, match="corner"):
        read_line("AD bisects ∠BCA")


def test_phrases_are_read_back_as_their_condition():
    names = {k: k for k in "ABCDEFGHMP"}
    for condition in (
        "square(A,B,C,D)", "parallelogram(A,B,C,D)", "regular(A,B,C,D,E)", "midpoint(M,A,B)", "bisects_outer(E,A,B,C)",
        "on_segment(D,A,B)", "on_ray(P,C,D)", "beyond(P,A,B)", "box(A,B,C,D,E,F,G,H)", "D == reflect(P,A,B)",
        "M == circumcenter(A,B,C)", "D == foot(incenter(A,B,C),B,C)",
    ):  # fmt: skip
        said = phrase(condition, names)
        assert said is not None
        assert condition in grammar.read_statement([said], "euclid").conditions, said
    assert phrase("dist(A,B) == 3", names) is None


def test_the_same_bytes_every_time():
    assert label(variant("area_easy_03")).png() == label(variant("area_easy_03")).png()


def test_a_sentence_whose_meaning_was_written_by_hand_is_told_as_it_stands():
    problem = PROBLEMS["length_easy_04"]
    said = problem.statements["euclid"]
    odd = dataclasses.replace(said[-1], say="Somebody halved <B><C> at <M>, as it were.", means=("midpoint(M, B, C)",))
    odd = dataclasses.replace(odd, reviewed=reading.review_mark(odd))
    other = dataclasses.replace(problem, statements={**problem.statements, "euclid": (*said[:-1], odd)})
    made = label(draw_variants(other, 1).variants[0])
    assert "Somebody halved BC at M, as it were." in made.text
    assert list(findings(made)) == []
