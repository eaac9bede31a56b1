"""Variants: repeatable, distinct in every representation, of the kinds they say they are."""

from __future__ import annotations

import hashlib
import itertools

import pytest
from problem_samples import problem

from geoutils.exact import EXACT, Real
from geoutils.problems.building import Draw, FieldError, Rejected, build, evaluate, with_statements
from geoutils.problems.records import REPRESENTATIONS
from geoutils.problems.rendering import same_value
from geoutils.problems.variants import PLAN, Stream, draw_variants


def drawn(made, count=11, seed=0):
    return draw_variants(made, count, seed=seed, conditions=lambda variant: [])


def texts(variant):
    return [variant.statements[rep].text for rep in REPRESENTATIONS]


def test_variant_0_is_the_canonical_problem():
    first = drawn(problem(), 1).variants[0]
    assert first.kinds == ("canonical",)
    assert first.statements["euclid"].text.startswith("In triangle ABC, AB = 13, BC = 14 and CA = 15. The point M is")
    assert first.statements["coord"].sentences[0].text == "Triangle ABC has vertices A(0, 12), B(-5, 0) and C(9, 0)."
    assert first.answer.text() == "2√37"


def test_variants_are_a_function_of_seed_id_and_number_alone():
    made = problem()
    long, short = drawn(made, 11), drawn(made, 4)
    assert [texts(v) for v in long.variants[:4]] == [texts(v) for v in short.variants]
    renamed = problem(("length_easy_04", "length_easy_05"))
    assert [texts(v) for v in drawn(renamed).variants[1:]] != [texts(v) for v in long.variants[1:]]


def test_no_two_variants_are_alike_in_any_representation():
    variants = drawn(problem()).variants
    assert len(variants) == 11
    for rep in REPRESENTATIONS:
        assert len({variant.statements[rep].text for variant in variants}) == 11


def test_kinds_are_what_really_changed_and_hold_names_only():
    variants = drawn(problem()).variants
    first = variants[0].draw
    for variant in variants[1:]:
        draw = variant.draw
        changed = {
            "numbers": dict(draw.params) != dict(first.params),
            "motion": (draw.matrix, draw.shift) != (first.matrix, first.shift),
            "scale": draw.scale != first.scale,
            "names": draw.names != first.names,
        }
        assert set(variant.kinds) == {kind for kind, did in changed.items() if did}
    only = [variant for variant in variants if variant.kinds == ("names",)]
    assert len(only) >= 2 and all(same_value(v.answer, variants[0].answer) for v in only)
    assert {kind for variant in variants[1:] for kind in variant.kinds} == {"numbers", "motion", "scale", "names"}


def test_every_plan_entry_is_a_kind_and_names_only_comes_first():
    assert PLAN[0] == "names" and PLAN.count("names") == 2
    assert all(set(entry.split()) <= {"numbers", "motion", "scale", "names"} for entry in PLAN)


def test_a_motion_keeps_every_distance_up_to_the_scale():
    for variant in drawn(problem()).variants:
        for a, b in itertools.combinations("ABCM", 2):
            env = {"P": variant.base[a], "Q": variant.base[b], "X": variant.points[a], "Y": variant.points[b]}
            assert evaluate("dist(P, Q)", env) * variant.draw.scale == evaluate("dist(X, Y)", env)


def test_a_fresh_seed_moves_a_solid_too():
    solid = problem(("A: (0, h)", "A: (0, h, 0)"), ("B: (-p, 0)", "B: (-p, 0, 0)"), ("C: (s, 0)", "C: (s, 0, 0)"))
    old, new = drawn(solid, 3).variants, drawn(solid, 3, seed=4).variants
    assert len(new) == 3 and all(len(point) == 3 for point in new[0].points.values())
    assert new[0].statements["coord"].text != old[0].statements["coord"].text


def test_a_fresh_seed_gives_fresh_problems_from_variant_0_on():
    old, new = drawn(problem()).variants, drawn(problem(), 3, seed=7).variants
    assert len(new) == 3 and new[0].kinds == ("canonical",)
    assert not set(texts(new[0])) & {text for variant in old[:1] for text in texts(variant)}
    assert texts(drawn(problem(), 3, seed=8).variants[0]) != texts(new[0])


def test_solids_stay_upright():
    solid = problem(
        ("A: (0, h)", "A: (0, h, h)"), ("B: (-p, 0)", "B: (-p, 0, 0)"), ("C: (s, 0)", "C: (s, 0, 0)"),
    )  # fmt: skip
    for variant in drawn(solid).variants:
        rise = variant.points["A"][2] - variant.points["B"][2]
        assert rise == variant.base["A"][2] * variant.draw.scale


def test_axis_and_fixed_motions():
    for variant in drawn(problem(("motion: {scales", "motion: {kind: axis, scales"))).variants:
        m = variant.draw.matrix
        assert not m or m[0][0] * m[1][1] - m[0][1] * m[1][0] == 1
    fixed = drawn(problem(("motion: {scales", "motion: {kind: fixed, scales"))).variants
    assert len(fixed) == 11 and all(not variant.draw.matrix for variant in fixed)


def test_too_few_names_give_fewer_names_only_variants():
    few = problem(("[ABCM, PQRM, KLMN, DEFT, XYZW]", "[ABCM, PQRM, KLMN]"), ("[uv, pq, kl, de, ab]", "[uv, pq, kl]"))
    variants = drawn(few).variants
    assert len(variants) == 11
    assert sum(variant.kinds == ("names",) for variant in variants) in (1, 2)


def test_a_sparse_domain_ends_with_the_reasons():
    sparse = problem(('"not p == s"', '"p == 5", "s == 9"'), ("scales: [1, 2, 3]", "scales: [1]"))
    made = drawn(sparse)
    finding = made.findings[-1]
    assert len(made.variants) < 11 and finding.kind == "sparse-domain"
    assert "where p == 5" in finding.message and "widen the domain" in finding.message


def test_a_printed_answer_is_redrawn():
    for variant in drawn(problem()).variants:
        gold = variant.answer.text()
        for statement in variant.statements.values():
            assert f" {gold} " not in statement.text and f"({gold}," not in statement.text


@pytest.mark.parametrize(
    ("edit", "where", "reason"),
    [
        (("answer: dist(A, M)", "answer: dist(A, X)"), "answer", "unknown name X"),
        (("M: mid(B, C)", "M: dist(B, C)"), "points.M", "is no point"),
        (("    BC: dist(B, C)", "    BC: dist(B, q)"), "let.BC", "unknown name q"),
        (("<B><C> = <BC>", "<B><C> = <BX>"), "euclid[0]", "unknown"),
        (("vectors: [uv", "vectors: [u"), "names.vectors", "must name the vectors"),
    ],
)
def test_an_authors_error_names_the_field(edit, where: str, reason: str):
    edits = [edit]
    if where == "names.vectors":
        edits = [("[uv, pq, kl, de, ab]", "[u, p, k, d, a]")]
    finding = drawn(problem(*edits)).findings[0]
    assert finding.field == where and reason in finding.message


def test_degenerate_answers_are_refused():
    made = problem(("A: (0, h)", "A: ((s - p)/2, 0*h)"))
    with pytest.raises(Rejected, match="zero"):
        build(made, Draw(made.canonical))
    assert drawn(made).findings[0].kind == "answer"
    with pytest.raises(Rejected, match="above"):
        build(problem(("answer: dist(A, M)", "answer: dist(A, M)*10**6")), Draw(problem().canonical))
    flat = problem(("M: mid(B, C)", "M: meet(B, C, B, C)"))
    with pytest.raises(Rejected, match="degenerate"):
        build(flat, Draw(flat.canonical))


def test_let_may_use_the_scale_and_where_the_answer():
    made = problem(
        ("h: [12]\n  where: [", 'h: [12]\n  where: ["answer > 1", '), ("    u: vec", "    r: 2*scale\n    u: vec")
    )
    variant = with_statements(build(made, Draw(made.canonical, scale=3)))
    assert variant.scope.values["r"] == Real.of(6) == EXACT.of(6)


def test_where_that_is_no_condition_is_an_error():
    made = problem(('"p + s > 0"', '"p + s"'))
    with pytest.raises(FieldError, match="condition is needed"):
        build(made, Draw(made.canonical))


def test_the_stream_is_fixed_for_all_times():
    stream = Stream(0, "length_easy_04", 1)
    digests = [hashlib.sha256(f"0/length_easy_04/1/{i}".encode()).digest() for i in range(4)]
    assert [stream.below(100) for _ in range(4)] == [int.from_bytes(digest[:8], "big") % 100 for digest in digests]
