"""Geometry agrees with known figures, and with itself over exact numbers, floats and tapes."""

import math

import numpy as np
import pytest

from geoutils.exact import EXACT, Real
from geoutils.problems.expressions import evaluate, holds, parse
from geoutils.problems.floats import FLOAT, to_float
from geoutils.problems.geometry import CONDITIONS, FUNCTIONS, Circle, Constraint
from geoutils.problems.tape import Symbol, Tape


def exact(p):
    return tuple(Real.of(k) for k in p)


def listed(text):
    """Entries between semicolons."""
    return [" ".join(entry.split()) for entry in text.split(";")]


# triangle with sides BC = 15, CA = 13, AB = 14 and a few companions
PLANE = {
    "A": (0, 0), "B": (14, 0), "C": (5, 12), "D": (9, 0), "E": (7, 6), "O": (0, 0), "P": (5, 0), "Q": (-4, 3),
    "R": (3, 4), "S": (3, -4), "T": (14, 12), "U": (0, 12),
}  # fmt: skip
BASE = [(0, 0), (4, 0), (4, 3), (0, 3)]
SPACE = {"ABCDEFGH"[i + 4 * k]: (*p, 12 * k) for k in (0, 1) for i, p in enumerate(BASE)}

VALUES = dict(
    entry.split(" = ")
    for entry in listed("""
    dist(B,C) = 15; dist(C,line(A,B)) = 12; dist(line(A,B),line(U,T)) = 12; dist(C,line_eq(1,0,0)) = 5;
    x(C) = 5; y(C) = 12; norm(vec(A,C)) = 13; dot(vec(A,B),vec(A,C)) = 70; cross(vec(A,B),vec(A,C)) = 168;
    norm(unit(vec(B,C))) = 1; dist(perp(vec(A,C)), (-12,5)) = 0; area(A,B,C) = 84; area(C,B,A) = 84;
    area(A,B,T,U) = 168; perimeter(A,B,C) = 42; inradius(A,B,C) = 4; circumradius(A,B,C) = 65/8;
    exradius(A,B,C) = 14; dist(incenter(A,B,C),(6,4)) = 0; dist(excenter(A,B,C),(21,14)) = 0;
    dist(orthocenter(A,B,C),(5,15/4)) = 0; dist(circumcenter(A,B,C),A) = 65/8;
    dist(centroid(A,B,C),(19/3,4)) = 0; y(centroid(A,B,T,U)) = 6; dist(B,bisector_foot(A,B,C)) = 70/9;
    dist(B,outer_bisector_foot(A,B,C)) = 210; dist(mid(A,B),(7,0)) = 0; dist(divide(A,B,3,4),(6,0)) = 0;
    dist(at(A,B,1/2),(7,0)) = 0; dist(foot(C,A,B),(5,0)) = 0; dist(reflect(C,A,B),(5,-12)) = 0;
    dist(reflect(C,line_eq(0,1,0)),(5,-12)) = 0; dist(meet(A,T,B,U),(7,6)) = 0;
    dist(meet(line(A,B),line(C,P)),P) = 0; dist(rotate(P,O,deg(90)),(0,5)) = 0;
    dist(rotate((2,0),O,deg(-60)),(1,-sqrt(3))) = 0; dist(homothety(P,O,3),(15,0)) = 0;
    dist(regular_vertex(A,(2,0),6,3),(2,2*sqrt(3))) = 0; cos(angle(B,A,C)) = 5/13; sin(angle(B,A,C)) = 12/13;
    tan(angle(vec(A,B),vec(A,C))) = 12/5; cos(angle(line(A,B),line(C,(4,12)))) = 1;
    radius(circle(A,B,C)) = 65/8; radius(incircle(A,B,C)) = 4; x(center(circle(C,1))) = 5;
    area(circle(O,P)) = 25*pi; radius(apollonius(A,(3,0),2)) = 2; x(center(apollonius(A,(3,0),2))) = 4;
    power(B,circle(O,5)) = 171; tangent_length((13,0),circle(O,5)) = 12;
    dist(cut2(line(O,B),circle(O,5)),P) = 0; dist(second(Q,R,circle(O,5)),R) = 0;
    dist(cross2(circle(O,5),circle((6,0),5)),R) = 0; dist(cross1(circle(O,5),circle((6,0),5)),S) = 0;
    dist(touch1((25/3,0),circle(O,5)),R) = 0; dist(touch2((25/3,0),circle(O,5)),S) = 0;
    area(ellipse_xy(O,5,3)) = 15*pi; major(ellipse_xy(O,3,5)) = 10; minor(ellipse((4,0),(-4,0),10)) = 6;
    y(focus2(ellipse_xy(O,3,5))) = 4; x(center(ellipse_xy(C,5,3))) = 5; arc_length(O,P,(0,5)) = 5*pi/2;
    sector_area(O,P,(0,5)) = 25*pi/4; segment_area(O,P,(0,5)) = 25*pi/4 - 25/2;
    lens_area(O,(2,0),(2,0),O) = 8*pi/3 - 2*sqrt(3); gap_area(O,(2,0),(1,sqrt(3))) = sqrt(3) - pi/2;
    overlap_area(polygon(A,B,T,U),polygon(E,(21,6),(21,20),(7,20))) = 42;
    nearer_area(polygon(A,B,T,U),A,B) = 84
    """)
)

SOLID_VALUES = dict(
    entry.split(" = ")
    for entry in listed("""
    dist(A,G) = 13; dist(A,plane(B,D,E)) = 12*sqrt(1/26); dist(line(A,B),line(C,G)) = 3;
    norm(cross(vec(A,B),vec(A,D))) = 12; volume(A,B,D,E) = 24; area(A,B,C,D) = 12; area(A,C,G,E) = 60;
    cos(angle(B,A,D)) = 0; tan(angle(line(A,G),plane(A,B,C))) = 12/5;
    cos(angle(plane(A,B,C),plane(A,B,F))) = 0; dist(foot(G,plane(A,B,C)),C) = 0;
    dist(reflect(G,plane(A,B,C)),(4,3,-12)) = 0; dist(foot(B,A,G),(64/169,48/169,192/169)) = 0;
    dist(meet(A,G,E,C),(2,3/2,6)) = 0; dist(meet(line(A,G),plane(B,D,E)),centroid(B,D,E)) = 0; z(G) = 12;
    circumradius(A,B,C) = 5/2
    """)
)


def test_known_figures_exactly_and_in_floats():
    for points, values in ((PLANE, VALUES), (SPACE, SOLID_VALUES)):
        proved, rough = {k: exact(p) for k, p in points.items()}, {k: tuple(map(float, p)) for k, p in points.items()}
        for text, expected in values.items():
            wanted = evaluate(parse(expected), {})
            found = evaluate(parse(text), proved)
            assert found == wanted, text
            assert evaluate(parse(text), rough, FLOAT) == pytest.approx(to_float(wanted), abs=1e-9), text


HOLDING = listed("""
    on_line(P,A,B); on_line(C,line_eq(1,0,5)); on_segment(D,A,B); on_ray(B,A,P); beyond(B,A,P);
    midpoint(E,A,T); perp(A,B,C,P); perp(A,B,line_eq(1,0,5)); perp(vec(A,B),vec(P,C)); parallel(A,B,U,T);
    parallel(line(A,B),line_eq(0,1,3)); parallel(vec(A,B),vec(U,T) - 3*vec(A,P)); right(A,U,T); acute(B,A,C);
    obtuse(A,(7,1),B); bisects((6,4),B,A,C); bisects_outer((-4,6),B,A,C); same_side(C,E,A,B);
    opposite(C,S,A,B); same_side(C,E,line_eq(0,1,0)); distinct(A,B,C); triangle(A,B,C); convex(A,B,T,U);
    convex(U,T,B,A); parallelogram(A,B,T,U); rectangle(A,B,T,U); square(P,(0,5),(-5,0),(0,-5));
    rhombus(P,(0,2),(-5,0),(0,-2)); trapezoid(A,B,T,(3,12)); cyclic(P,Q,R,S); cyclic(R,S,P,Q,(-5,0));
    inside(E,A,B,T,U); inside(E,U,T,B,A); outside(S,A,B,C); ccw(A,B,C); cw(A,C,B); same_sense(A,B,C,U,A,T);
    foci((4,0),(-4,0),ellipse_xy(O,5,3)); foci((-4,0),(4,0),ellipse_xy(O,5,3));
    foci((0,4),(0,-4),ellipse_xy(O,3,5)); regular(A,(2,0),(1,sqrt(3))); regular(A,(1,sqrt(3)),(2,0));
    regular(P,(0,5),(-5,0),(0,-5)); regular((2,0),(1,sqrt(3)),(-1,sqrt(3)),(-2,0),(-1,-sqrt(3)),(1,-sqrt(3)));
    coplanar(A,B,C,D); dist(A,B) == 14; angle(B,A,U) == deg(90); dist(A,B) > dist(A,C); E == A + 1/2*vec(A,T)
""")

FAILING = listed("""
    on_line(C,A,B); on_segment(B,A,P); on_ray(P,A,Q); beyond(P,A,B); midpoint(D,A,B); perp(A,B,A,C);
    parallel(A,B,A,C); right(B,A,C); acute(A,(7,1),B); obtuse(B,A,C); bisects((-6,-4),B,A,C);
    bisects((7,6),B,A,C); bisects_outer((6,4),B,A,C); same_side(C,S,A,B); opposite(C,E,A,B); distinct(A,B,O);
    triangle(A,P,B); convex(A,B,U,T); convex(A,B,E,U); parallelogram(A,B,C,U); parallelogram(A,P,D,(4,0));
    rectangle(A,B,(16,5),(2,5)); square(A,B,T,U); rhombus(A,B,T,U); trapezoid(A,B,U,T); cyclic(A,P,Q,R);
    inside(S,A,B,C); outside(E,A,B,T,U); ccw(A,C,B); cw(A,B,C); same_sense(A,B,C,A,U,T);
    foci((4,0),(4,0),ellipse_xy(O,5,3)); foci((0,4),(0,-4),ellipse_xy(O,5,3)); regular(A,B,T,U);
    regular(A,B,C)
""")

SOLID_HOLDING = listed("""
    box(A,B,C,D,E,F,G,H); prism(A,B,D,E,F,H); prism(B,A,D,F,E,H); perp_plane(A,E,B,C,D); coplanar(A,C,G,E);
    rectangle(A,C,G,E); tetrahedron(A,B,D,E); right_pyramid((2,3/2,5),A,B,C,D); square(A,(3,0,0),(3,3,0),D);
    cube(A,(3,0,0),(3,3,0),D,(0,0,3),(3,0,3),(3,3,3),(0,3,3)); regular_tetrahedron(A,(1,1,0),(1,0,1),(0,1,1));
    convex(A,B,C,D); perp(A,E,B,C); parallel(A,B,H,G); midpoint((2,3/2,6),A,G);
    regular((1,0,0),(0,1,0),(0,0,1)); regular((1,0,-1),(0,1,-1),(-1,1,0),(-1,0,1),(0,-1,1),(1,-1,0));
    on_segment((2,3/2,6),A,G); right(B,A,E)
""")
SOLID_FAILING = listed("""
    cube(A,B,C,D,E,F,G,H); box(A,B,C,D,E,F,G,(0,3,11)); coplanar(A,B,C,G); tetrahedron(A,B,C,D);
    right_pyramid((1,1,5),A,B,C,D); right_pyramid((2,3/2,0),A,B,C,D); square(A,B,C,D); perp_plane(A,G,B,C,D);
    regular_tetrahedron(A,B,C,E); prism(A,B,C,E,F,H); regular((1,0,0),(0,1,0),(0,0,2)); convex(A,B,C,H)
""")


def roughly(value):
    return all(abs(k) < 1e-9 for k in value.equalities) and all(k > 1e-9 for k in value.margins)


@pytest.mark.parametrize(
    "points, texts, truth",
    [(PLANE, HOLDING, True), (PLANE, FAILING, False), (SPACE, SOLID_HOLDING, True), (SPACE, SOLID_FAILING, False)],
)
def test_relations_hold_exactly_and_in_floats(points, texts, truth):
    proved, rough = {k: exact(p) for k, p in points.items()}, {k: tuple(map(float, p)) for k, p in points.items()}
    for text in texts:
        if text == "coplanar(A,B,C,D)" and points is PLANE:
            continue
        assert holds(parse(text), proved) is truth, text
        assert roughly(evaluate(parse(text), rough, FLOAT)) is truth, text


def test_margins_and_equalities_have_no_units():
    """The same figure a thousand times larger and moved gives the same numbers."""
    for points, texts in ((PLANE, [*HOLDING, *FAILING]), (SPACE, [*SOLID_HOLDING, *SOLID_FAILING])):
        for text in texts:
            node = parse(text)
            if "(" in text[text.index("(") + 1 :] or "==" in text or ">" in text:
                continue  # literal coordinates do not scale
            near = evaluate(node, {k: tuple(map(float, p)) for k, p in points.items()}, FLOAT)
            far = evaluate(node, {k: tuple(1000.0 * x + 7.0 for x in p) for k, p in points.items()}, FLOAT)
            assert far.equalities == pytest.approx(near.equalities, abs=1e-9), text
            assert far.margins == pytest.approx(near.margins, abs=1e-9), text


def test_a_star_is_not_a_convex_pentagon():
    corners = [(math.cos(k * 0.4 * math.pi), math.sin(k * 0.4 * math.pi)) for k in range(5)]
    assert roughly(CONDITIONS["convex"](FLOAT, *corners))
    assert not roughly(CONDITIONS["convex"](FLOAT, *(corners[i] for i in (0, 2, 4, 1, 3))))
    assert roughly(CONDITIONS["regular"](FLOAT, *corners[::-1]))


def test_every_name_is_documented_and_constraints_add_up():
    assert all(f.__doc__ for f in (*FUNCTIONS.values(), *CONDITIONS.values()))
    assert Constraint([1], [2]) + Constraint([3], []) == Constraint([1, 3], [2])


@pytest.mark.parametrize(
    "text",
    [
        "dist(A,3)",
        "area(A,B)",
        "meet(A,B,C)",
        "foot(A,3)",
        "perp(A,B,C)",
        "center(A)",
        "plane(A,B,C)",
        "z(A)",
        "same_sense(A,B,C)",
    ],
)
def test_objects_without_meaning_are_refused(text):
    node = parse(text)
    with pytest.raises(ValueError):
        evaluate(node, {k: tuple(map(float, p)) for k, p in PLANE.items()}, FLOAT)


# ---------------------------------------------------------------- the tape


def tape_of(text, points):
    tape = Tape()
    env = {k: tuple(tape.unknown() for _ in p) for k, p in points.items()}
    value = evaluate(parse(text), env, tape)
    lines = [*value.equalities, *value.margins] if isinstance(value, Constraint) else [value]
    return tape, [k.line for k in lines if isinstance(k, Symbol)]


@pytest.mark.parametrize("points, texts", [(PLANE, [*VALUES, *HOLDING]), (SPACE, [*SOLID_VALUES, *SOLID_HOLDING])])
def test_the_tape_repeats_the_floats_and_its_derivatives_are_true(points, texts):
    rng = np.random.default_rng(5)
    skipped = ("overlap_area", "nearer_area", "coplanar(A,B,C,D)")
    for text in texts:
        if any(k in text for k in skipped):
            continue
        tape, lines = tape_of(text, points)
        start = np.array([c for p in points.values() for c in p], float)[:, None]
        x = start + rng.normal(0, 0.05, (len(start), 1))
        values = tape.run(x, tape.settle(np.empty((0, 1))))
        env, flat = {}, iter(x[:, 0])
        for k, p in points.items():
            env[k] = tuple(float(next(flat)) for _ in p)
        value = evaluate(parse(text), env, FLOAT)
        expected = [*value.equalities, *value.margins] if isinstance(value, Constraint) else [value]
        if len(expected) == len(lines) and "==" not in text and ">" not in text:
            assert [float(values[k][0]) for k in lines] == pytest.approx(expected, abs=1e-9), text
        slopes = tape.derive(values)
        way, h = rng.normal(0, 1, x.shape), 1e-6
        ahead = tape.run(x + h * way, tape.settle(np.empty((0, 1))))
        behind = tape.run(x - h * way, tape.settle(np.empty((0, 1))))
        for k in lines:
            if slopes[k] is not None:
                numeric = float((ahead[k] - behind[k])[0]) / (2 * h)
                assert float((np.broadcast_to(slopes[k], x.shape) * way).sum()) == pytest.approx(
                    numeric, rel=1e-4, abs=1e-5
                ), text


def test_equal_operations_are_recorded_once():
    tape, _ = tape_of("dist(A,B) + dist(B,A) + norm(vec(A,B))", {"A": (0, 0), "B": (1, 1)})
    assert sum(op == "sqrt" for op, *_ in tape.code) <= 2


def test_numbers_fold_away():
    tape = Tape()
    x = tape.unknown()
    assert x * 0 == 0.0 and (x + 0) is x and (1 * x) is x and (x / 1) is x
    assert tape.sqrt(4) == 2.0 and tape.degrees(180) == pytest.approx(math.pi)
    with pytest.raises(ValueError):
        x**50


def test_circles_of_exact_numbers_stay_exact():
    made = FUNCTIONS["circle"](EXACT, exact((0, 0)), exact((8, 0)), exact((0, 6)))
    assert isinstance(made, Circle) and made.radius == Real.of(5)


def test_lines_that_meet_have_no_distance():
    from geoutils.exact import EXACT
    from geoutils.problems.expressions import evaluate, parse

    points = {"A": (0, 0), "B": (4, 0), "C": (0, 3), "D": (8, 3), "E": (8, 4)}
    exact = {name: tuple(map(EXACT.of, place)) for name, place in points.items()}
    assert evaluate(parse("dist(line(A, B), line(C, D))"), exact, EXACT).text() == "3"
    with pytest.raises(ValueError, match="two lines that meet"):
        evaluate(parse("dist(line(A, B), line(C, E))"), exact, EXACT)
