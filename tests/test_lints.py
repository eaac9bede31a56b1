"""Lints: each fires on its fault and leaves sound text alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from problem_samples import problem

from geoutils.exact import Real
from geoutils.problems import duplicates, lints
from geoutils.problems.building import Draw, build, with_statements
from geoutils.problems.expressions import parse
from geoutils.problems.variants import draw_variants

CONCEPTS = {"median": "a line from a vertex to a midpoint"}


def canonical(made):
    return with_statements(build(made, Draw(made.canonical)))


def found(*edits: tuple[str, str]) -> list[tuple[str, str]]:
    made = problem(*edits)
    first = canonical(made)
    every = [*lints.lint_record(made, first, CONCEPTS), *lints.lint_variant(first)]
    return [(finding.kind, f"{finding.field}: {finding.message}") for finding in every]


def test_a_sound_record_has_no_findings():
    assert found() == []


VECTOR_END = "  - The point <M> is the midpoint of segment <B><C>."
LAST = "midpoint of segment <B><C>."


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        (LAST, LAST + "\n  - By the Pythagorean theorem it is right.", "theorem", "Pythagorean"),
        (LAST, LAST + "\n  - Use the law of cosines.", "theorem", "law of"),
        (LAST, LAST + "\n  - Hence the two parts are equal.", "method", "Hence"),
        (LAST, LAST + "\n  - The triangles have the same angles.", "method", "same angles"),
        (LAST, LAST + "\n  - One draws the height.", "method", "One draws"),
        (LAST, LAST + "\n  - The parts are equal, that is, halves.", "remark", "that is"),
        (LAST, LAST + "\n  - The height is sqrt(<h>).", "formula", "sqrt("),
        (LAST, LAST + "\n  - The area is S = b*h.", "formula", "= b*h"),
        ("<C><A> = <CA>.", "<C><A> = <CA> and 5.", "digit", "typed by hand"),
        ("side <B><C>.\n  vector", "side <B><C>\n  vector", "spacing", "full stop"),
        (LAST, LAST[:-1] + " ,.", "spacing", "odd spacing"),
        ("<C><A> = <CA>.", "<C><A> = <CA> in the plane with <A><A.xy>.", "representation", "a tuple"),
        ("<C><A> = <CA>.", "<C><A> = <CA> on the x axis.", "representation", "axis"),
        ("Triangle <A>", "With vectors, triangle <A>", "representation", "speaks of 'vectors'"),
        ("The vectors from <A> to <B>", "The arrows from <A> to <B>", "representation", "no vector"),
        (LAST, LAST + "\n  - The vector to <A><A.xy> is given.", "representation", "coordinates in the vector text"),
        ("vector: norm(u + v)/2", "vector: 2", "check", "uses nothing"),
        ("vector: norm(u + v)/2", "vector: dist(A, M)", "check", "repeats the answer"),
        (
            "vector: norm(u + v)/2",
            "vector: sqrt(2*AB**2 + 2*CA**2 - BC**2)/2",
            "check",
            "the same formula as check.euclid",
        ),
        ("concepts: [median]", "concepts: [medians]", "concept", "did you mean 'median'"),
        ('  - "Twice the law of cosines gives', '  - "$Twice', "solution", "not closed"),
        ("<A><M> = <answer>$, about <answer.dec>.", "<A><M> = <AB>$.", "solution", "does not print <answer>"),
        ("labels: [A, B, C, M]", "labels: [A, B, C, Q]", "figure", "'Q', which is no point"),
        ("    u: vec(A, B)", "    z: dist(A, M)\n    u: vec(A, B)", "unused", "'z' is never used"),
        ("length of <A><M>.", "length of <A><M>", "spacing", "full stop"),
        ("length of <A><M>.", "length of <A><M>, <AB.xy>.", "question", "points only"),
    ],
)
def test_a_lint_fires(old: str, new: str, kind: str, words: str):
    if "AB.xy" in new:
        made = problem()
        broken = replace(made, question=replace(made.question, say="Find <A.xy>."))
        every = [(f.kind, f.message) for f in lints.lint_record(broken, canonical(made), CONCEPTS)]
    else:
        every = found((old, new))
    assert any(k == kind and words in message for k, message in every), every


def test_a_point_that_is_asked_must_be_introduced():
    every = found((VECTOR_END + "\n", ""))
    assert any(kind == "asked" and "M" in message for kind, message in every)


def test_gold_is_found_inside_tuples_equations_and_ratios():
    made = problem(("h: [12]\n", "h: [12]\n"))
    first = canonical(made)
    statement = first.statements["coord"]
    assert "at <C.xy>" in lints.gold_among_givens(statement, Real.of(9))
    assert lints.gold_among_givens(statement, Real.of(7)) == ""
    circle = problem(
        ("    u: vec", "    k: circle(B, CA)\n    u: vec"),
        ("is the midpoint of side <B><C>.\n  euclid", "is on <k>.\n  euclid"),
    )
    assert "at <k>" in lints.gold_among_givens(canonical(circle).statements["coord"], Real.of(225))
    ratio = problem(
        ("- In triangle <A><B><C>, <A><B> = <AB>, <B><C> = <BC> and <C><A> = <CA>.", '- "Parts are <p> : <s>."')
    )
    assert "as the ratio" in lints.gold_among_givens(canonical(ratio).statements["euclid"], Real.of(9) / 5)


def test_unreduced_ratios_and_odd_signs_are_found():
    every = found(
        ("- In triangle <A><B><C>, <A><B> = <AB>, <B><C> = <BC> and <C><A> = <CA>.", '- "Parts are <h> : <s>."')
    )
    assert any(kind == "printed" and "unreduced as 12 : 9" in message for kind, message in every)
    once = found(("    u: vec", "    o: p - p + 1\n    u: vec"), ("<C><A> = <CA>.", "<C><A> = <CA> and <o> times it."))
    assert any("'1 times'" in message for _, message in once)


def test_invisible_characters_are_named():
    for char, code in (("\u200b", "200B"), ("\u00a0", "00A0"), ("\u202e", "202E"), ("\x07", "0007")):
        assert any(code in message for message in lints.character_findings(f"a{char}b"))
    assert lints.character_findings("BD : DC = 2 : 3, √2 − 1.") == []


def test_free_euclidean_text():
    assert lints.euclid_findings("In triangle ABC, AB = 5 and the angle BAC is 60°. The long axis is 10.") == []
    for text in (
        "A(1, 2) is given.",
        "Let x = 3.",
        "The slope is 2.",
        "The vectors u and v.",
        "x² + y² = 4",
        "the origin O",
    ):
        assert lints.euclid_findings(text), text


@pytest.mark.parametrize(
    ("asked", "category"),
    [
        ("dist(A, B)", "length"), ("area(A, B, C)", "area"), ("angle(A, B, C)", "angle"),
        ("sector_area(O, A, B)", "area"),
        ("dist(B, D)/dist(D, C)", "ratio"), ("area(A, B, D)/area(A, D, C)", "ratio"),
        ("min(angle(A,B,C), deg(60))", "angle"),
        ("dist(A, B)/2", "length"), ("7", ""),
        ("pi*inradius(A, B, C)**2", "area"), ("abs(pi*dist(A, O)**2 - pi*dist(O, T)**2)", "area"),
        ("2*3*dist(A, B) + pi*dist(A, B)**2", "area"), ("dist(A, B)*dist(C, D)", "area"),
        ("dist(A, B)**2/dist(C, D)**2", "ratio"), ("dist(A, B) + dist(B, C)", "length"),
    ],
)  # fmt: skip
def test_the_category_follows_from_the_question(asked: str, category: str):
    assert lints.category_of(parse(asked)) == category


def test_answers_must_spread():
    constant = problem(("answer: dist(A, M)", "answer: dist(A, M)/dist(A, M)*7"))
    variants = draw_variants(constant, 11, conditions=lambda variant: []).variants
    messages = [finding.message for finding in lints.lint_answers(constant, variants)]
    assert any("1 different answers among 11" in message for message in messages)
    sound = draw_variants(problem(), 11, conditions=lambda variant: []).variants
    assert list(lints.lint_answers(problem(), sound)) == []


def test_planted_copies_are_found():
    made = problem()
    first = canonical(made)
    bigger = with_statements(build(made, Draw(made.canonical, scale=3, matrix=((0, 1), (1, 0)), shift=(2, 5))))
    other = with_statements(build(made, Draw({"p": 9, "s": 16, "h": 12})))
    assert duplicates.figure_key(first) == duplicates.figure_key(bigger) != duplicates.figure_key(other)
    sides = ["dist(A,B) == 13", "dist(A,C) == 15", "dist(B,C) == 14", "midpoint(M,B,C)"]
    renamed = ["midpoint(X,P,Q)", "dist(P,R) == 20", "dist(Q,R) == 37/2", "dist(P,Q) == sqrt(3)"]
    assert duplicates.idea_key(sides, "dist(A,M)") == duplicates.idea_key(renamed, "dist(R,X)")
    assert duplicates.idea_key(sides, "dist(A,M)") != duplicates.idea_key(sides, "dist(B,M)")
    median = ["dist(A,B) == 13", "dist(A,C) == 15", "dist(A,M) == 12", "midpoint(M,B,C)"]
    assert duplicates.idea_key(sides, "dist(A,M)") != duplicates.idea_key(median, "dist(B,C)")


def test_lints_over_the_set():
    made = problem()
    copies = [replace(made, id=f"length_easy_0{n}") for n in range(1, 5)]
    facts = {
        copy.id: {"figure": (n,), "idea": ("same",) if n < 3 else (str(n),), "gold": "5"}
        for n, copy in enumerate(copies, 1)
    }
    kinds = [(finding.id, finding.kind) for finding in duplicates.lint_set(copies, facts)]
    assert ("length_easy_04", "family") in kinds and ("length_easy_02", "duplicate") in kinds
    assert kinds.count(("length_easy_03", "gold-cap")) == 1 and ("length_easy_02", "gold-cap") not in kinds
    twice = [made, replace(made, id="length_hard_04")]
    assert any(finding.kind == "id" and "used twice" in finding.message for finding in duplicates.lint_set(twice, {}))
