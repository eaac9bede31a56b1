"""The solver proves that a text fixes its answer, and says when it does not."""

import math

import numpy as np
import pytest

from geoutils.problems.solver import realise

ORIGIN = (0.0, 0.0)


def triangle(a, b, c):
    """A, B, C with BC = a, CA = b, AB = c."""
    x = (c * c + b * b - a * a) / (2 * c)
    return {"A": ORIGIN, "B": (float(c), 0.0), "C": (x, math.sqrt(b * b - x * x))}


def divide(p, q, m, n):
    return tuple((n * s + m * t) / (m + n) for s, t in zip(p, q, strict=True))


def meet(a, b, c, d):
    u, v, w = np.subtract(b, a), np.subtract(d, c), np.subtract(c, a)
    t = (w[0] * v[1] - w[1] * v[0]) / (u[0] * v[1] - u[1] * v[0])
    return tuple(np.add(a, t * u))


def one(conditions, asked, gold, truth, **options):
    return realise([conditions], asked, [gold], [truth], **options)[0]


# ---------------------------------------------------------------- triangles

SIDES = [(9, 6 + k, 7 + k) for k in range(4)]


def medians(without=None):
    conditions, gold, truth = [], [], []
    for a, b, c in SIDES:
        figure = triangle(a, b, c)
        figure["M"] = divide(figure["B"], figure["C"], 1, 1)
        truth.append(figure)
        gold.append(math.dist(figure["A"], figure["M"]))
        found = [
            f"dist(A,B) == {c}", f"dist(B,C) == {a}", f"dist(A,C) == {b}", "midpoint(M,B,C)", "triangle(A,B,C)",
        ]  # fmt: skip
        conditions.append([k for i, k in enumerate(found) if i != without])
    return realise(conditions, "dist(A,M)", gold, truth)


def test_a_text_that_fixes_its_answer_is_unique_in_every_variant():
    results = medians()
    assert [r.verdict for r in results] == ["unique"] * 4
    assert all(r.accepted >= 20 and r.worst < 1e-9 for r in results)


@pytest.mark.parametrize("dropped", range(4))
def test_a_dropped_condition_is_caught_in_every_variant(dropped):
    results = medians(without=dropped)
    assert {r.verdict for r in results} <= {"moved", "vacuous"}
    if dropped < 3:
        assert all(r.verdict == "moved" and r.worst > 0.01 for r in results)
        assert set(results[0].example) == {"A", "B", "C", "M"}
    else:
        assert "no condition speaks of M" in results[0].reason


def test_the_word_triangle_is_redundant_beside_three_sides():
    assert [r.verdict for r in medians(without=4)] == ["unique"] * 4


def ssa(obtuse):
    a, b, cosine = 7.0, 5.0, 0.8  # AB, AC and the angle at B leave two triangles
    bc = a * cosine - math.sqrt((a * cosine) ** 2 - (a * a - b * b))
    figure = triangle(bc, b, a)
    conditions = ["triangle(A,B,C)", "dist(A,B) == 7", "dist(A,C) == 5", "cos(angle(A,B,C)) == 4/5"]
    return one(conditions + ["obtuse(A,C,B)"] * obtuse, "dist(B,C)", bc, figure)


def test_two_sides_and_an_angle_need_the_word_obtuse():
    assert ssa(obtuse=True).verdict == "unique"
    assert ssa(obtuse=False).verdict == "moved"


def test_the_search_repeats_exactly():
    assert medians() == medians()


def test_renamed_and_reordered_points_share_one_search():
    figure = triangle(4, 5, 6)
    other = dict(zip("ZQX", figure.values(), strict=True))
    results = realise(
        [
            ["dist(A,B) == 6", "dist(A,C) == 5", "dist(B,C) == 4"],
            ["dist(Z,Q) == 6", "dist(Z,X) == 5", "dist(Q,X) == 4"],
        ],
        ["area(A,B,C)", "area(Z,Q,X)"],
        [15 * math.sqrt(7) / 4] * 2,
        [figure, other],
    )
    assert [r.verdict for r in results] == ["unique"] * 2
    assert set(results[1].example) == set("ZQX")


# ---------------------------------------------------------------- cevians, parallels

CEVIANS = [
    "triangle(A,B,C)", "dist(A,B) == 12", "dist(C,line(A,B)) == 6", "on_segment(D,B,C)",
    "2*dist(B,D) == 1*dist(C,D)", "on_segment(E,A,C)", "1*dist(C,E) == 2*dist(A,E)",
    "on_segment(P,A,D)", "on_segment(P,B,E)",
]  # fmt: skip


def cevians(conditions):
    a, b, c = ORIGIN, (12.0, 0.0), (4.0, 6.0)
    d, e = divide(b, c, 1, 2), divide(c, a, 2, 1)
    p = meet(a, d, b, e)
    return one(conditions, "area(A,B,P)", 6 * p[1], {"A": a, "B": b, "C": c, "D": d, "E": e, "P": p})


def test_crossing_cevians_are_unique_and_every_needed_condition_is_missed():
    assert cevians(CEVIANS).verdict == "unique"
    verdicts = [cevians(CEVIANS[:i] + CEVIANS[i + 1 :]).verdict for i in range(9)]
    assert verdicts == ["unique"] + ["moved"] * 8  # only the word triangle is implied


def test_a_parallel_cut_gives_no_false_alarm_by_a_collapsed_triangle():
    a, b, c = ORIGIN, (10.0, 0.0), (3.0, 8.0)
    d, e = divide(a, b, 2, 3), divide(a, c, 2, 3)
    conditions = [
        "triangle(A,B,C)", "on_segment(D,A,B)", "on_segment(E,A,C)", "parallel(D,E,B,C)", "3*dist(A,D) == 2*dist(B,D)",
    ]  # fmt: skip
    truth = {"A": a, "B": b, "C": c, "D": d, "E": e}
    assert one(conditions, "area(A,D,E)/area(A,B,C)", 4 / 25, truth).verdict == "unique"
    assert one(conditions[:3] + conditions[4:], "area(A,D,E)/area(A,B,C)", 4 / 25, truth).verdict == "moved"


# ---------------------------------------------------------------- polygons, circles, conics


def polygon(n, radius=1.0, sense=1):
    turn = 2 * math.pi / n
    return {"ABCDEFGHIJKL"[k]: (radius * math.cos(k * turn), sense * radius * math.sin(k * turn)) for k in range(n)}


@pytest.mark.parametrize("n", [3, 5, 8])
@pytest.mark.parametrize("sense", [1, -1])
def test_regular_polygons_are_found_in_either_sense(n, sense):
    figure = polygon(n, 3.0, sense)
    side = math.dist(figure["A"], figure["B"])
    names = ",".join(figure)
    result = one([f"regular({names})", "dist(A,B) == 7"], "dist(A,C)", 7 * math.dist(figure["A"], figure["C"]) / side,
                 {k: tuple(7 * x / side for x in p) for k, p in figure.items()})  # fmt: skip
    assert result.verdict == "unique" and result.accepted >= 12


def test_a_pentagon_in_a_circle_does_not_shrink_to_its_centre():
    figure = {**polygon(5, 4.0), "O": ORIGIN}
    conditions = ["regular(A,B,C,D,E)", *(f"dist(O,{p}) == 4" for p in "ABCDE")]
    assert one(conditions, "area(A,B,C)", abs(_area(figure, "ABC")), figure).verdict == "unique"


def _area(figure, names):
    (a, b), (c, d), (e, f) = (figure[p] for p in names)
    return ((c - a) * (f - b) - (e - a) * (d - b)) / 2


def test_tangent_from_a_point():
    figure = {"O": ORIGIN, "P": (13.0, 0.0), "T": (25 / 13, 60 / 13)}
    conditions = ["dist(O,T) == 5", "right(O,T,P)", "dist(O,P) == 13"]
    assert one(conditions, "dist(P,T)", 12.0, figure).verdict == "unique"


def test_double_roots_do_not_look_like_second_figures():
    """A line that touches a circle: residuals are quadratic in the error."""
    figure = {"A": (-7.0, 5.0), "O": ORIGIN, "T": (0.0, 5.0)}
    conditions = ["O == (0,0)", "A == (-7,5)", "y(T) == 5", "dist(O,T) == 5"]
    assert one(conditions, "dist(A,T)", 7.0, figure).verdict == "unique"


def test_cyclic_quadrilateral_from_its_sides():
    a, b, c, d = 3.0, 4.0, 5.0, 6.0
    diagonal2 = (a * c + b * d) * (a * d + b * c) / (a * b + c * d)  # the one from A to C
    ac = math.sqrt(diagonal2)
    x = (diagonal2 + a * a - b * b) / (2 * ac)
    z = (diagonal2 + d * d - c * c) / (2 * ac)
    figure = {"A": ORIGIN, "B": (x, -math.sqrt(a * a - x * x)), "C": (ac, 0.0), "D": (z, math.sqrt(d * d - z * z))}
    conditions = [
        "convex(A,B,C,D)", "cyclic(A,B,C,D)", "dist(A,B) == 3", "dist(B,C) == 4", "dist(C,D) == 5", "dist(A,D) == 6",
    ]  # fmt: skip
    gold = math.acos((a * a + b * b - diagonal2) / (2 * a * b))
    assert one(conditions, "angle(A,B,C)", gold, figure).verdict == "unique"
    assert one([k for k in conditions if "cyclic" not in k], "angle(A,B,C)", gold, figure).verdict == "moved"


def test_foci_have_no_order():
    figure = {"F": (4.0, 0.0), "G": (-4.0, 0.0), "P": (4.0, 9 / 5)}
    conditions = ["foci(F,G,ellipse_xy((0,0),5,3))", "dist(P,F) + dist(P,G) == 10", "perp(P,F,F,G)"]
    assert one(conditions, "dist(P,F)", 1.8, figure).verdict == "unique"


# ---------------------------------------------------------------- coordinates and vectors


def test_coordinates_pin_points():
    figure = {"A": (1.0, 2.0), "B": (13.0, 2.0), "C": (5.0, 8.0), "D": (9.0, 5.0)}
    conditions = ["A == (1,2)", "B == (13,2)", "C == (5,8)", "midpoint(D,B,C)"]
    assert one(conditions, "angle(B,A,D)", math.atan(3 / 8), figure).verdict == "unique"
    assert one([*conditions[:3], "on_segment(D,B,C)"], "angle(B,A,D)", math.atan(3 / 8), figure).verdict == "moved"


def test_vectors_by_lengths_and_products():
    u, v = np.array([4.0, 0.0]), np.array([1.5, 2.0])
    figure = {"A": ORIGIN, "B": tuple(u), "C": tuple(v), "D": tuple(u + 2 * v / 3)}
    conditions = [
        "norm(vec(A,B)) == 4", "norm(vec(A,C)) == 5/2", "dot(vec(A,B),vec(A,C)) == 6",
        "vec(A,D) == vec(A,B) + 2/3*vec(A,C)",
    ]  # fmt: skip
    gold = float(np.linalg.norm(u + 2 * v / 3))
    assert one(conditions, "dist(A,D)", gold, figure).verdict == "unique"
    assert one([conditions[0], *conditions[2:]], "dist(A,D)", gold, figure).verdict == "moved"


def test_perpendicular_vectors_of_zero_product():
    figure = {"A": ORIGIN, "B": (3.0, 0.0), "C": (0.0, 4.0)}
    conditions = ["norm(vec(A,B)) == 3", "norm(vec(A,C)) == 4", "dot(vec(A,B),vec(A,C)) == 0"]
    assert one(conditions, "dist(B,C)", 5.0, figure).verdict == "unique"


# ---------------------------------------------------------------- space


def box(a, b, c):
    base = [(0, 0, 0), (a, 0, 0), (a, b, 0), (0, b, 0)]
    top = [(x, y, c) for x, y, _ in base]
    return dict(zip("ABCDEFGH", [tuple(map(float, p)) for p in base + top], strict=True))


def test_a_box_in_space():
    conditions = ["box(A,B,C,D,E,F,G,H)", "dist(A,B) == 3", "dist(A,D) == 4", "dist(A,E) == 12"]
    assert one(conditions, "dist(A,G)", 13.0, box(3, 4, 12)).verdict == "unique"
    assert one(conditions[:3], "dist(A,G)", 13.0, box(3, 4, 12)).verdict == "moved"


def test_a_regular_pyramid():
    figure = {
        "S": (2.0, 2.0, 6.0),
        "A": (0.0, 0.0, 0.0),
        "B": (4.0, 0.0, 0.0),
        "C": (4.0, 4.0, 0.0),
        "D": (0.0, 4.0, 0.0),
    }
    conditions = ["right_pyramid(S,A,B,C,D)", "square(A,B,C,D)", "dist(A,B) == 4", "dist(S,plane(A,B,C)) == 6"]
    assert one(conditions, "dist(S,A)", math.sqrt(44), figure).verdict == "unique"


# ---------------------------------------------------------------- empty proofs


def test_contradictory_conditions_are_vacuous():
    figure = triangle(4, 5, 6)
    conditions = ["dist(A,B) == 6", "dist(A,C) == 5", "dist(B,C) == 4", "right(A,C,B)"]
    result = one(conditions, "area(A,B,C)", 15 * math.sqrt(7) / 4, figure)
    assert result.verdict == "vacuous" and "true figure does not meet" in result.reason


def test_an_inequality_that_barely_holds_is_refused():
    figure = triangle(4.99, 3, 4)
    conditions = ["dist(A,B) == 4", "dist(A,C) == 3", "dist(B,C) == 499/100", "acute(B,A,C)"]
    result = one(conditions, "dist(B,C)", 4.99, figure)
    assert result.verdict == "vacuous" and "too narrowly" in result.reason


def test_the_answer_must_be_that_of_the_true_figure():
    result = one(["dist(A,B) == 6", "dist(A,C) == 5", "dist(B,C) == 4"], "area(A,B,C)", 10.0, triangle(4, 5, 6))
    assert result.verdict == "vacuous" and "another answer" in result.reason


@pytest.mark.parametrize(
    "conditions, reason",
    [
        (["dist(A,B) == 6", "dist(A,X) == 5"], "no point X"),
        (["dist(A,B) == 6"], "no condition speaks of C"),
        (["dist(A,B) == 6", "dist(A,C)"], "not a condition"),
        (["dist(A,B) == 6", "dist(A,C) =="], ""),
        ([], "no condition speaks"),
    ],
)
def test_unusable_conditions_are_reported_and_not_raised(conditions, reason):
    result = one(conditions, "area(A,B,C)", 1.0, triangle(4, 5, 6))
    assert result.verdict == "vacuous" and reason in result.reason


def test_the_starts_of_a_variant_do_not_depend_on_its_company():
    alone = one(
        ["dist(A,B) == 7", "dist(B,C) == 9", "dist(A,C) == 6", "midpoint(M,B,C)", "triangle(A,B,C)"],
        "dist(A,M)",
        math.dist(ORIGIN, divide(triangle(9, 6, 7)["B"], triangle(9, 6, 7)["C"], 1, 1)),
        {**triangle(9, 6, 7), "M": divide(triangle(9, 6, 7)["B"], triangle(9, 6, 7)["C"], 1, 1)},
    )
    company = medians()[0]
    assert (alone.verdict, alone.accepted, alone.starts) == (company.verdict, company.accepted, company.starts)


def test_areas_of_overlap_can_be_asked_for():
    corners = [(0, 0), (4, 0), (4, 4), (0, 4), (2, 2), (6, 2), (6, 6)]
    figure = {k: tuple(map(float, p)) for k, p in zip("ABCDEFG", corners, strict=True)}
    conditions = ["square(A,B,C,D)", "dist(A,B) == 4", "midpoint(E,A,C)"]
    conditions += ["vec(E,F) == vec(A,B)", "vec(F,G) == vec(B,C)"]
    asked = "overlap_area(polygon(A,B,C,D),polygon(E,F,G))"
    assert one(conditions, asked, 2.0, figure).verdict == "unique"
    assert one([conditions[0], *conditions[2:]], asked, 2.0, figure).verdict == "moved"


def test_skew_lines():
    conditions = ["cube(A,B,C,D,E,F,G,H)", "dist(A,B) == 6"]
    assert one(conditions, "dist(line(A,C),line(B,H))", math.sqrt(6), box(6, 6, 6)).verdict == "unique"


def test_points_of_the_plane_and_of_space_do_not_mix():
    result = one(["dist(A,B) == 6"], "dist(A,B)", 6.0, {"A": ORIGIN, "B": (6.0, 0.0, 0.0)})
    assert result.verdict == "vacuous" and "plane and of space" in result.reason


# ---------------------------------------------------------------- what the text defines is computed


def test_feet_of_altitudes_are_computed_and_found_for_every_seed():
    base = {"A": (-3.0, 0.0), "B": (-3.0, -40.0), "C": (21.0, -28.0)}
    feet = {"D": (13.0, -32.0), "E": (285 / 17, -392 / 17), "F": (-3.0, -28.0)}
    conditions = [
        "triangle(A,B,C)", "acute(B,A,C)", "acute(A,B,C)", "acute(A,C,B)", "on_line(B,C,D)", "perp(A,D,B,C)",
        "on_line(A,C,E)", "perp(A,C,B,E)", "on_line(A,B,F)", "perp(A,B,C,F)", "dist(A,F) == 28", "dist(B,F) == 12",
        "dist(C,F) == 24",
    ]  # fmt: skip
    for seed in range(5):
        result = one(conditions, "dist(A,C)", math.hypot(28, 24), {**base, **feet}, seed=seed)
        assert result.verdict == "unique" and result.starts == 24


def test_a_far_point_of_a_line_is_found():
    truth = {"A": (12.0, -3.0), "B": (-8.0, -3.0), "C": (8.0, -6.0), "X": (4.0, -3.0), "D": (-11.36, 8.52)}
    conditions = [f"{name} == ({x:.0f}, {y:.0f})" for name, (x, y) in truth.items() if name != "D"]
    conditions += ["on_line(C,D,X)", "cyclic(A,B,C,D)", "distinct(C,D)", "distinct(D,X)"]
    for seed in range(5):
        assert one(conditions, "dist(X,D)", math.dist(truth["X"], truth["D"]), truth, seed=seed).verdict == "unique"
