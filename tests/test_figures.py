"""Figures: right edges dashed, letters clear of strokes, the same bytes every time."""

import io
import itertools
import math

import pytest
from matplotlib import image

from geoutils.problems.figures import describe, draw
from geoutils.problems.geometry import Circle, Ellipse
from geoutils.problems.labels import place
from geoutils.problems.projection import faces_of, hidden, view
from geoutils.problems.scenes import FigureError


def on_circle(degrees, r=5.0):
    return (r * math.cos(math.radians(degrees)), r * math.sin(math.radians(degrees)))


CEVIANS = {"A": (0, 0), "B": (12, 0), "C": (4, 6), "D": (28 / 3, 2), "E": (8 / 3, 4), "P": (8, 12 / 7)}
BOX = dict(
    zip(
        "ABCDEFGH",
        [(0, 0, 0), (4, 0, 0), (4, 3, 0), (0, 3, 0), (0, 0, 5), (4, 0, 5), (4, 3, 5), (0, 3, 5)],
        strict=True,
    )
)
EDGES = ["AB", "BC", "CD", "DA", "EF", "FG", "GH", "HE", "AE", "BF", "CG", "DH"]

PLANE = {
    "cevians": (CEVIANS, {"segments": ["AB", "BC", "CA", "AD", "BE"], "fill": ["ABP"], "labels": list("ABCDEP")}),
    "chords": (
        {
            "O": (0, 0),
            **{k: on_circle(t) for k, t in zip("ABCD", (10, 100, 190, 250), strict=True)},
            "T": on_circle(60),
        },
        {
            "segments": ["AC", "BD", "AB", "CD", "OT"],
            "circles": ["O A"],
            "angles": ["ABD 1", "ACD 2"],
            "arcs": ["OAT"],
        },
    ),
    "altitude": (
        {"A": (0, 0), "B": (14, 0), "C": (5, 12), "H": (5, 0), "M": (7, 0)},
        {"segments": ["AB", "BC", "CA", "CH", "CM"], "right": ["CHB"], "angles": ["HCM 1", "BAC"], "lines": ["AB"]},
    ),
    "pentagon": (
        {k: on_circle(90 + 72 * i) for i, k in enumerate("ABCDE")},
        {"segments": ["AB", "BC", "CD", "DE", "EA", "AC", "AD", "BD", "BE", "CE"], "circles": ["ABC"]},
    ),
    "ellipse": (
        {"F": (-4, 0), "G": (4, 0), "P": (4, 9 / 5)},
        {"segments": ["FG", "FP", "GP"], "ellipses": ["F G 10"], "right": ["FGP"]},
    ),
}


@pytest.mark.parametrize("name", PLANE)
def test_letters_keep_clear_of_strokes_and_one_another(name):
    points, figure = PLANE[name]
    for quarter in range(4):  # any pose of the figure
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter]
        made = draw({k: (c * x - s * y, s * x + c * y) for k, (x, y) in points.items()}, figure)
        assert made.clearance >= 0.8
        assert made.gap > 0.1


def ink(png):
    return image.imread(io.BytesIO(png))


def test_the_picture_has_the_promised_size_and_the_same_bytes():
    points, figure = PLANE["chords"]
    first, second = draw(points, figure).png(), draw(points, figure).png()
    assert first == second
    assert ink(first).shape[:2] == (400, 400)
    assert b"Software" not in first and b"tEXt" not in first
    assert draw(points, figure, colours=1).png() != first
    assert draw(points, figure, names={"A": "Q"}).png() != first


def test_nothing_is_cut_off_at_the_border():
    for points, figure in PLANE.values():
        shade = ink(draw(points, figure).png())[..., :3].mean(axis=2)
        if "lines" not in figure:
            border = [shade[0], shade[-1], shade[:, 0], shade[:, -1]]
            assert all((edge > 0.99).all() for edge in border)


def test_pyplot_is_not_touched():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    draw(*PLANE["cevians"]).png()
    assert plt.get_fignums() == before


# ---------------------------------------------------------------- solids


def turned(points, order, signs):
    return {k: tuple(s * p[i] for i, s in zip(order, signs, strict=True)) for k, p in points.items()}


POSES = [(order, signs) for order in itertools.permutations(range(3)) for signs in itertools.product((1, -1), repeat=3)]


@pytest.mark.parametrize("order, signs", POSES[::5])
def test_every_pose_of_a_box_hides_the_three_edges_of_one_corner(order, signs):
    made = draw(turned(BOX, order, signs), {"segments": EDGES})
    assert len(made.dashed) == 3
    corner = set(made.dashed[0]) & set(made.dashed[1]) & set(made.dashed[2])
    assert len(corner) == 1
    assert made.clearance >= 0.8


def test_hidden_edges_in_a_known_view():
    seen_from_front_right_above = view(30, 20)  # towards +x, +y, +z
    faces = ["ABCD", "EFGH", "ABFE", "BCGF", "CDHG", "DAEH"]
    pairs = [tuple(e) for e in EDGES]
    found = hidden(BOX, pairs, [list(f) for f in faces], seen_from_front_right_above)
    assert {"".join(p) for p in found} == {"AB", "DA", "AE"}


def test_diagonals_are_seen_in_front_faces_and_hidden_inside():
    faces = [list(f) for f in ("ABCD", "EFGH", "ABFE", "BCGF", "CDHG", "DAEH")]
    inside_and_out = [("A", "G"), ("B", "G"), ("A", "F"), ("E", "G")]
    assert hidden(BOX, inside_and_out, faces, view(30, 20)) == {("A", "G"), ("A", "F")}


def test_faces_are_found_from_the_points():
    corners = list(BOX.values())
    faces = faces_of(corners)
    assert len(faces) == 6 and all(len(f) == 4 for f in faces)
    assert faces_of(corners[:4]) == []
    middles = [*corners, (2.0, 0.0, 0.0)]  # a point on an edge belongs to both of its faces
    assert sum(8 in f for f in faces_of(middles)) == 2


def test_a_pyramid_with_a_section():
    points = {
        "S": (2, 2, 5), "A": (0, 0, 0), "B": (4, 0, 0), "C": (4, 4, 0), "D": (0, 4, 0), "O": (2, 2, 0), "M": (4, 2, 0),
    }  # fmt: skip
    figure = {
        "segments": ["AB", "BC", "CD", "DA", "SA", "SB", "SC", "SD", "SO", "OM", "SM"], "right": ["SOM"],
        "view": ["30 20"],
        "faces": ["ABCD", "SAB", "SBC", "SCD", "SDA"],
    }  # fmt: skip
    made = draw(points, figure)
    assert {"SO", "OM", "AB", "DA", "SA"} <= set(made.dashed)
    assert not {"BC", "CD", "SC", "SM"} & set(made.dashed)


# ---------------------------------------------------------------- entries, words, errors


def test_curves_may_be_named_by_values():
    points = {"O": (0, 0), "A": (3, 0), "F": (-4, 0), "G": (4, 0)}
    values = {"k": Circle((0.0, 0.0), 3.0), "e": Ellipse((-4.0, 0.0), (4.0, 0.0), 10.0), "R": 3.0}
    for entry in ({"circles": ["k"]}, {"circles": ["O R"]}, {"circles": ["O 2*R"]}, {"ellipses": ["e"]}):
        draw(points, {"segments": ["OA"], **entry}, values=values)


def test_an_arc_can_go_the_long_way():
    points = {"O": (0, 0), "A": on_circle(0), "B": on_circle(100), "C": on_circle(200)}
    short = draw(points, {"arcs": ["OAB"], "labels": list("OAB")})
    long = draw(points, {"arcs": ["OABC"], "labels": list("OAB")})
    assert ink(short.png()).mean() > ink(long.png()).mean()  # less ink


def test_the_figure_in_words_has_the_printed_names_and_no_numbers():
    points, figure = PLANE["altitude"]
    text = describe(points, figure, names=dict(zip("ABCHM", "PQRST", strict=True)))
    assert text.startswith("Figure with the points P, Q, R, S and T")
    assert "a right angle marked at S" in text and "the line PQ" in text
    assert not any(c.isdigit() for c in text)
    made = draw(BOX, {"segments": EDGES})
    assert made.alt.startswith("Solid") and "dashed" in made.alt


@pytest.mark.parametrize(
    "figure, message",
    [
        ({"segments": ["AX"]}, "no point X"),
        ({"segments": ["ABC"]}, "2 points"),
        ({"right": ["AB"]}, "3 points"),
        ({"circles": ["O"]}, "'O'"),
        ({"circles": ["A q"]}, "q"),
        ({"segments": ["a b"]}, "'a b'"),
    ],
)
def test_a_bad_entry_is_named(figure, message):
    with pytest.raises(FigureError, match=message):
        draw({"A": (0, 0), "B": (1, 0), "C": (0, 1)}, figure)


def test_labels_without_points_or_strokes():
    assert place({}, {}, [], [], height=0.1, frame=(0, 0, 4, 4)).places == {}
    alone = place({"A": (2, 2)}, {"A": (0.1, 0.1)}, [], [], height=0.1, frame=(0, 0, 4, 4))
    assert alone.clearance >= 0.8


def test_crowded_points_still_get_letters_apart():
    points = {"A": (0, 0), "B": (10, 0), "C": (5, 8), "D": (5, 0.9), "E": (5.9, 1.6), "F": (4.1, 1.6)}
    made = draw(points, {"segments": ["AB", "BC", "CA", "DE", "EF", "FD", "AE", "BF", "CD"]})
    assert made.gap > 0.05
