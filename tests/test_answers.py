"""Golds, exact equality, rounding, units: the rules of comparison one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoutils.answers import compare, read_gold, same_answer
from geoutils.grading import grade
from geoutils.written import written_forms


def equal(answer: str, gold: str, unit: str | None = None, figures: int = 3) -> bool:
    return compare(read_gold(answer), read_gold(gold, unit), unit, figures)


@pytest.mark.parametrize(
    ("answer", "gold", "same"),
    [
        ("sqrt(20)/4", "sqrt(5)/2", True),
        ("sqrt(5/2)", "sqrt(5)/2", False),
        ("22/7", "pi", False),
        ("12/16", "3/4", True),
        ("1000001", "1000000", False),
        ("sqrt(3+2*sqrt(2))", "1+sqrt(2)", True),
        ("(4*pi-3*sqrt(3))/3", "4*pi/3-sqrt(3)", True),
        ("8^(1/3)", "2", True),
        ("log(8)/log(2)", "3", True),
        ("1-e^(-1)", "1-exp(-1)", True),
        ("sin(30°)", "1/2", True),
        ("6:8", "3/4", True),
    ],
)
def test_exact_with_exact(answer: str, gold: str, same: bool) -> None:
    assert equal(answer, gold) is same
    assert equal(gold, answer) is same


@pytest.mark.parametrize(
    ("answer", "gold", "figures", "same"),
    [
        ("1.118", "sqrt(5)/2", 3, True),
        ("1.12", "sqrt(5)/2", 3, True),
        ("1.11", "sqrt(5)/2", 3, False),
        ("1.1", "sqrt(5)/2", 3, False),
        ("1.1", "sqrt(5)/2", 2, True),
        ("1.12", "sqrt(5)/2", 4, False),
        ("0.0123", "0.01234", 3, True),
        ("0.012", "0.01234", 3, False),
        ("0.125", "1/8", 3, True),
        ("0.13", "1/8", 2, True),
        ("0.12", "1/8", 2, True),  # half-even
        ("0.13", "1/8", 3, False),
        ("46.3567", "46.36", 3, True),
        ("46.3549", "46.36", 3, False),
        ("0.0018", "0.001", 3, False),
        ("12.0", "12", 3, True),
        ("12.001", "12", 3, False),
        ("sqrt(5)/2", "1.118", 3, True),
        ("0.2", "1/6", 1, True),
        ("1/6", "0.2", 3, False),
        ("0.333...", "1/3", 3, True),
        ("0.666...", "2/3", 3, True),
        ("0.666", "2/3", 3, False),
    ],
)
def test_a_decimal_counts_by_the_digits_it_shows(answer: str, gold: str, figures: int, same: bool) -> None:
    assert equal(answer, gold, None, figures) is same


@pytest.mark.parametrize(
    ("answer", "gold", "unit", "same"),
    [
        ("60", "60", "degrees", True),
        ("60 deg", "60", "degrees", True),
        ("60 rad", "60", "degrees", False),
        ("pi/3 rad", "60", "degrees", False),
        ("pi/3", "60", "degrees", False),
        ("60 deg", "pi/3", None, True),
        ("60", "pi/3", None, False),
        ("arctan(2/3)", "arctan(2/3)", "degrees", True),
        ("33.690", "arctan(2/3)", "degrees", True),
        ("0.588", "arctan(2/3)", "degrees", False),
        ("90-arctan(3/2)", "arctan(2/3)", "degrees", True),
        ("arcsin(2/sqrt(13))", "arctan(2/3)", "degrees", True),
        ("arctan(2/3)*180/pi", "arctan(2/3)", "degrees", True),
        ("arctan(3/2)", "arctan(2/3)", "degrees", False),
        ("154 deg", "154", None, True),
    ],
)
def test_units(answer: str, gold: str, unit: str | None, same: bool) -> None:
    assert equal(answer, gold, unit) is same


@pytest.mark.parametrize("text", ["", "x", "3 apples", "9**9**9", "1/0", "[1, 2]", "sqrt(-1)", "infinity", "()", "1" * 5000])
def test_a_gold_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        read_gold(text)


def test_an_unreadable_gold_never_grades() -> None:
    with pytest.raises(ValueError, match="not a number"):
        grade("12", "see figure 3")


def test_same_answer_is_symmetric_and_ignores_spelling() -> None:
    pairs = [("1.118", "sqrt(5)/2", True), ("60 deg", "60", True), ("33.69", "arctan(2/3)", True), ("5", "7", False), ("4.123", "4.1231", True)]
    for a, b, same in pairs:
        assert same_answer(read_gold(a), read_gold(b)) is same
        assert same_answer(read_gold(b), read_gold(a)) is same
    assert not same_answer(None, None)


GOLDS = [
    ("3*sqrt(2)/5", ""), ("5+2*sqrt(6)", ""), ("4*pi/3-sqrt(3)", ""), ("7/12", ""), ("60", "degrees"), ("arctan(2/3)", "degrees"),
    ("0.125", ""), ("12", ""), ("sqrt(10-2*sqrt(5))", ""), ("180-arctan(3)", "degrees"), ("45/2", "degrees"), ("-sqrt(5)/2", ""),
    ("1/1000", ""), ("pi", ""), ("1-exp(-1)", ""),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "unit"), GOLDS)
def test_every_gold_grades_itself_in_all_its_forms(answer: str, unit: str) -> None:
    forms = written_forms(answer, unit or None)
    assert len(forms) >= 10
    for form in forms:
        assert grade(form, answer, unit or None).verdict == "correct", form


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 400), st.integers(1, 60), st.integers(1, 60), st.integers(3, 7))
def test_the_correct_rounding_is_accepted_and_its_neighbours_are_not(radicand: int, top: int, bottom: int, places: int) -> None:
    from geoutils.written import rounded

    gold = read_gold(f"{top}*sqrt({radicand})/{bottom}")
    if gold.kind == "integer":
        return
    text = rounded(gold, places)
    figures = len(text.replace(".", "").lstrip("0"))
    assert compare(read_gold(text), gold) is (figures >= 3 or (compare(read_gold(text), gold, None, 1) and gold.kind == "rational" and float(text) * bottom == top * radicand**0.5))
    if gold.kind != "rational":
        step = 10 ** -places
        for other in (float(text) + step, float(text) - step):
            assert not compare(read_gold(f"{other:.{places}f}"), gold, None, 1)


@settings(max_examples=150, deadline=None)
@given(st.fractions(min_value=-50, max_value=50, max_denominator=40))
def test_fractions_equal_themselves_in_any_writing(x) -> None:
    gold = f"{x.numerator}/{x.denominator}"
    for form in (gold, f"{3 * x.numerator}/{3 * x.denominator}", rf"\frac{{{x.numerator}}}{{{x.denominator}}}"):
        assert grade(f"The answer is ${form}$.", gold).verdict == "correct"


def test_a_deeply_nested_value_is_read_back() -> None:
    from geoutils.parsing import read_answer

    reading = read_answer("½" + "**½" * 12)
    assert reading.value is not None
    assert same_answer(read_gold(reading.predicted), reading.value)
