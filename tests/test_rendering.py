"""Templates print by type, and what is printed reads back exactly."""

from __future__ import annotations

import pytest

from geoutils.exact import EXACT, Real, degrees, sqrt
from geoutils.problems.expressions import evaluate, parse
from geoutils.problems.geometry import Circle, Ellipse, Line
from geoutils.problems.rendering import (
    ROUNDING,
    RenderError,
    Scope,
    Statement,
    kind_of,
    print_value,
    read_back,
    read_value,
    render,
    render_solution,
    same_value,
)

R = Real.of


def scope() -> Scope:
    values = {
        "A": (R(3), R(-4)), "u": (R(1) / 2, sqrt(R(2))), "AB": 3 * sqrt(R(2)) / 5, "w": degrees(60), "n": R(7),
        "T": (R(0), R(0)), "k": Circle((R(3), R(-1)), sqrt(R(5))), "answer": R(9) / 2,
    }  # fmt: skip
    return Scope({"A": "P", "u": "v"}, values, lambda text: evaluate(parse(text), values, EXACT))


def test_each_type_prints_in_its_own_way():
    text = render("The point <A><A.xy>, <u> = <u.xy>, <A>X = <AB>, <w>, circle <k>.", scope())
    assert text.text == "The point P(3, -4), v = (1/2, √2), PX = 3√2/5, 60°, circle (x - 3)² + (y + 1)² = 5."
    assert [item.kind for item in text.shown] == [
        "name", "components", "name", "components", "name", "number", "angle", "circle",
    ]  # fmt: skip
    assert text.text[text.shown[5].start : text.shown[5].end] == "3√2/5"


@pytest.mark.parametrize("template", ["<zz>", "<T>", "<T.xy>", "<AB.xy>", "<AB + n>", "<answer>", "a < b", "<"])
def test_statements_allow_names_only(template: str):
    with pytest.raises(RenderError):
        render(template, scope())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Line((R(0), R(5)), (R(4), R(3))), "3x - 4y = -20"),
        (Line((R(3), R(1)), (R(0), R(2))), "x = 3"),
        (Line((R(3), R(-2)), (R(5), R(0))), "y = -2"),
        (Line((R(0), R(0)), (R(1), sqrt(R(3)))), "√3x - y = 0"),
        (Line((R(1) / 2, R(0)), (R(1), R(1) / 3)), "2x - 6y = 1"),
        (Circle((R(0), R(0)), R(5)), "x² + y² = 25"),
        (Circle((R(1) / 2, R(-3)), sqrt(R(2))), "(x - 1/2)² + (y + 3)² = 2"),
        (Ellipse((R(-4), R(0)), (R(4), R(0)), R(10)), "x²/25 + y²/9 = 1"),
        (Ellipse((R(1), R(2)), (R(1), R(-4)), R(10)), "(x - 1)²/16 + (y + 1)²/25 = 1"),
        ((R(3), R(-4), sqrt(R(2))), "(3, -4, √2)"),
        (5 + 2 * sqrt(R(6)), "5 + 2√6"),
        (degrees(60), "60°"),
    ],
)
def test_what_is_printed_reads_back(value, text: str):
    assert print_value(value) == text
    assert same_value(read_value(print_value(value), kind_of(value)), value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3x + = 2", "line"),
        ("= 2", "line"),
        ("x² + y = 2", "circle"),
        ("(1)", "components"),
        ("60", "angle"),
        ("2..", "number"),
    ],
)
def test_a_text_that_does_not_read_is_an_error(text: str, kind: str):
    with pytest.raises(RenderError):
        read_value(text, kind)


def test_read_back_gives_values_and_never_bare_names():
    sentences = (render("Point <A><A.xy> and <AB>.", scope()), render("<n> and <AB>.", scope()))
    statement = Statement("coord", sentences, render("Find <A>.", scope()), ROUNDING["length"])
    shown = read_back(statement)
    assert set(shown) == {"A", "AB", "n"}
    assert same_value(shown["A"], (R(3), R(-4))) and shown["AB"] == 3 * sqrt(R(2)) / 5
    assert statement.text.endswith("Find P. " + ROUNDING["length"])


def test_a_value_printed_in_two_ways_is_an_error():
    first = render("<AB>.", scope())
    second = type(first)(first.text.replace("3", "4"), first.shown)
    with pytest.raises(RenderError, match="printed as"):
        read_back(Statement("coord", (first, second), render("Find <A>.", scope()), ""))


def test_solutions_evaluate_expressions_as_latex():
    made = render_solution("$<A>X^2 = <AB**2>$, $<9/24>$, about <answer.dec>, <A.xy>", scope())
    assert made == r"$PX^2 = \frac{18}{25}$, $\frac{3}{8}$, about 4.500, (3, -4)"
