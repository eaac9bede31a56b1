"""Surface features on texts where a naive pattern fails."""

from __future__ import annotations

import time

import pandas as pd
import pytest

from geoutils.features import COUNTED, FEATURES, statement_features, surface_features, tokenize, value_of


def kinds(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a capturing group returned decimal parts only: 1 instead of 4
        ("A(0,0), B(5,0), C(3,4)", {"numbers": 6, "distinct_numbers": 4, "coordinates": 3, "points": 3}),
        # the article is no point, but the point A is one
        ("A circle passes through B.", {"points": 1, "words": 4}),
        ("A is the midpoint of BC. A and D lie on it.", {"points": 4}),
        ("Consider ABC. A point P lies on AB.", {"points": 4}),
        # hyphens are no minus signs
        ("A right-angled, three-dimensional 3-D cube on the x-axis.", {"operators": 0, "numbers": 1, "points": 0}),
        ("AB - CD = u-v and 7 - 3 = 2x-1", {"operators": 4, "numbers": 4}),
        ("B(-5, 0) and C(9, -12)", {"operators": 0, "numbers": 4, "distinct_numbers": 4, "coordinates": 2}),
        # a fraction is one number and is counted once
        (
            "BC = 7/12 and CA = 14/24",
            {"numbers": 2, "distinct_numbers": 1, "fractions": 2, "operators": 0, "arithmetic_load": 2},
        ),
        ("AB = 3√2/5", {"numbers": 3, "fractions": 1, "roots": 1, "operators": 0, "arithmetic_load": 2}),
        ("AB/CD = 2", {"fractions": 0, "operators": 1}),
        # tuples may hold roots, fractions and brackets; a call or a pair of names is none
        ("O(√3, 2), P(1 + √(2), -3/2), Q(1, 2, 0)", {"coordinates": 3, "roots": 2}),
        ("dist(3, 4), (x, y) and sqrt(2, 3)", {"coordinates": 0}),
        ("u = (3, -4)", {"coordinates": 1, "numbers": 2}),
        # a comma between digits: a thousand in prose, two entries in a point
        ("a length of 1,000 units", {"numbers": 1, "distinct_numbers": 1}),
        ("A(3,400) is given", {"numbers": 2, "coordinates": 1}),
        ("5, 5.0, -3 and 3", {"numbers": 4, "distinct_numbers": 3, "decimals": 1}),
        # powers are operations, not numbers
        ("(x - 1)²/25 + (y + 2)²/9 = 1", {"operators": 7, "numbers": 5, "fractions": 0, "coordinates": 0}),
        ("x^2 + y^2 = 25", {"operators": 3, "numbers": 3}),
        ("the ratio AB : CD is 3:2. Given: x", {"operators": 2}),
        ("P₁P2 and A'B", {"points": 4}),
        ("", {"tokens": 0, "punctuation_density": 0.0, "characters": 0}),
    ],
)
def test_counts(text: str, expected: dict[str, float]) -> None:
    found = surface_features(text)
    assert {name: found[name] for name in expected} == expected


def test_every_character_belongs_to_one_token() -> None:
    text = "Triangle ABC has A(0, -12), 3√2/5 and 1,000; x² - y² = 7/12 (right-angled).  Find |u + v|!"
    assert "".join(t.text for t in tokenize(text)) == "".join(text.split())
    assert kinds("-3 - -4") == [("number", "-3"), ("operator", "-"), ("number", "-4")]


def test_density_and_load_follow_from_the_counts() -> None:
    found = surface_features("AB = 2.5, BC = √2 + 1/2.")
    assert found["punctuation"] == 2
    assert found["punctuation_density"] == 2 / found["characters"]
    assert found["arithmetic_load"] == found["operators"] + found["fractions"] + found["roots"] + found["decimals"] == 4


def test_value_of() -> None:
    assert value_of("7/12") == value_of("14/24")
    assert value_of("1,000") == 1000
    assert value_of("-2.50") == value_of("−2.5")
    assert value_of("1/0") is None


def test_hostile_texts_take_no_time() -> None:
    started = time.process_time()
    for text in (
        "(" * 50_000,
        "A-" * 30_000,
        "1/" * 30_000,
        "A'" * 30_000,
        "a. A " * 10_000,
        "\n " * 20_000,
        "$" * 50_000,
    ):
        surface_features(text)
    assert time.process_time() - started < 6


def test_statement_features_are_one_row_a_statement() -> None:
    problems = pd.DataFrame(
        {
            "problem": ["p", "p"],
            "representation": ["coord", "euclid"],
            "variant": ["0", "0"],
            "statement": ["A(0, 1)", "AB = 3"],
            "solution": ["one\n\ntwo", "one\n\ntwo"],
        },
        index=[7, 9],
    )
    table = statement_features(problems)
    assert list(table.columns) == ["problem", "variant", "representation", *COUNTED, "solution_steps"]
    assert set(COUNTED) | {"solution_steps"} == set(FEATURES)
    assert table["solution_steps"].tolist() == [2, 2]
    assert table["coordinates"].tolist() == [1, 0]
    assert statement_features(problems.drop(columns=["solution", "variant"]))["solution_steps"].isna().all()
