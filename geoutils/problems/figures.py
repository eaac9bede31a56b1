"""Figures of problems, drawn from the same points as the statements.

`figure` is the record's own description: lists of short entries over the points' names.

========== ==================================================================
segments   ``AB``; those of a solid that cannot be seen come out dashed
dashed     ``AB``, always dashed
lines      ``AB``, drawn past both points
circles    ``O A`` through A, ``O r`` with a radius (any expression), ``ABC``
           through three points, or the name of a circle
arcs       ``OAB``, the shorter arc round O from A to B; ``OABC`` the one past C
ellipses   ``F G k`` with foci and long axis, or the name of an ellipse
right      ``ABC``, the mark of a right angle at B
angles     ``ABC 2``, two arcs in the angle at B
fill       ``ABC``, ``sector OAB``, ``circle O r``
labels     the points to be labelled; all of them when left out
faces      ``ABCD``, the faces of a convex solid; its hull when left out
view       ``azimuth elevation`` in degrees; chosen by itself when left out
========== ==================================================================
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from geoutils.problems import projection
from geoutils.problems.labels import Placement, place
from geoutils.problems.scenes import (
    NAME,
    Array,
    Place,
    Scene,
    angle_mark,
    corner_mark,
    floats,
    pair_of,
    run_across,
    split,
    used_points,
)

INCHES = 4.0
MARGIN = 0.42  # inches kept free round the figure for its letters
FONT_SIZES = (14.0, 12.0, 10.5)  # points; smaller ones only where letters would touch
WANTED = 0.9  # clearance, in letter heights, that the first font size must reach

INK = "#222222"
SCHEMES = (  # curve, shade and mark: colours that stay apart for colour-blind readers
    ("#0072B2", "#E69F00", "#D55E00"),
    ("#D55E00", "#56B4E9", "#0072B2"),
    ("#009E73", "#CC79A7", "#0072B2"),
    ("#0072B2", "#009E73", "#CC79A7"),
)


@dataclass(frozen=True)
class Drawing:
    """A figure, the least room its letters have (in letter heights) and what it shows."""

    figure: Figure
    clearance: float
    gap: float
    alt: str
    dashed: tuple[str, ...] = ()

    def png(self, dpi: int = 100) -> bytes:
        """The picture: the same bytes for the same input and the same matplotlib."""
        out = io.BytesIO()
        self.figure.set_dpi(dpi)
        FigureCanvasAgg(self.figure).print_png(out, metadata={"Software": None})
        return out.getvalue()


@dataclass
class _Sheet:
    """What is to be drawn, in inches, and the strokes letters must keep clear of."""

    lines: list[tuple[Array, str, bool, float]] = field(default_factory=list)  # path, colour, dashed, width
    shades: list[Array] = field(default_factory=list)

    def stroke(self, path: Any, colour: str = INK, dashed: bool = False, width: float = 1.2) -> None:
        self.lines.append((np.asarray(path, float), colour, dashed, width))

    def pieces(self) -> Array:
        parts = [np.concatenate([p[:-1], p[1:]], axis=1) for p, *_ in self.lines if len(p) > 1]
        return np.concatenate(parts) if parts else np.empty((0, 4))


@dataclass
class Composition:
    """A figure on paper before its letters: places in inches, strokes, and what is dashed."""

    places: dict[str, Place]
    sheet: _Sheet
    used: list[str]
    labelled: list[str]
    dashed: set[tuple[str, str]]
    solid: bool
    scale: float  # inches for each unit of the plane
    size: Place  # width and height of the paper
    shade: str
    mark: str


def compose(
    points: Mapping[str, Sequence[float]],
    figure: Mapping[str, Sequence[str]],
    *,
    values: Mapping[str, Any] | None = None,
    colours: int = 0,
    width: float = INCHES,
    margin: float = MARGIN,
    low_paper: bool = False,
    extra: Sequence[tuple[str, str]] = (),
) -> Composition:
    """Place a figure's points and strokes on paper `width` inches wide; see `draw`.

    `low_paper` makes the paper no higher than the figure needs; `extra` are further segments, dashed.
    Raises FigureError naming the entry that cannot be drawn.
    """
    spec = {key: tuple(entries) for key, entries in figure.items()}
    points = {k: tuple(map(float, p)) for k, p in points.items()}
    solid = any(len(p) == 3 for p in points.values())
    segments = [pair_of(e, points) for e in spec.get("segments", ())]
    dashed = {pair_of(e, points) for e in spec.get("dashed", ())} | set(extra)
    flat: dict[str, Place] = {k: (p[0], p[1]) for k, p in points.items()}
    if solid:
        flat, behind = _project(points, spec, segments + sorted(dashed))
        dashed |= behind
    scene = Scene(flat, {**{k: floats(v) for k, v in (values or {}).items()}, **points}, solid)
    curves = [("circles", e, scene.circle(e)) for e in spec.get("circles", ())]
    curves += [("ellipses", e, scene.ellipse(e)) for e in spec.get("ellipses", ())]
    arcs = [scene.arc(e) for e in spec.get("arcs", ())]
    shades = [scene.shade(e) for e in spec.get("fill", ())]
    used = used_points(spec, points)
    used += [k for k in dict.fromkeys(k for pair in extra for k in pair) if k not in used]
    shown = [flat[k] for k in used]
    extent = np.concatenate([np.array(shown).reshape(-1, 2), *(c for _, _, c in curves), *arcs, *shades])
    low, high = extent.min(axis=0), extent.max(axis=0)
    size = float((high - low).max()) or 1.0
    if spec.get("lines"):  # lines need a little room to run on
        low, high, size = low - 0.06 * size, high + 0.06 * size, size * 1.12
    scale = (width - 2 * margin) / size
    height = float((high - low)[1]) * scale + 2 * margin if low_paper else width
    shift = np.array([width / 2, height / 2]) - (low + high) / 2 * scale

    def put(path: Any) -> Array:
        return np.asarray(path, float).reshape(-1, 2) * scale + shift

    on_paper = {k: (float(p[0]), float(p[1])) for k in flat for p in put(flat[k])}
    curve, shade, mark = SCHEMES[colours % len(SCHEMES)]
    sheet = _Sheet([], [put(s) for s in shades])
    for e in spec.get("lines", ()):
        a, b = pair_of(e, points)
        sheet.stroke(run_across(on_paper[a], on_paper[b], put([low, high])))
    for _, _, path in curves:
        sheet.stroke(put(path), curve)
    for path in arcs:
        sheet.stroke(put(path), curve)
    for pair in dict.fromkeys([*segments, *sorted(dashed)]):
        sheet.stroke(
            [on_paper[pair[0]], on_paper[pair[1]]], dashed=pair in dashed, width=0.9 if pair in dashed else 1.2
        )
    for e in spec.get("right", ()):
        sheet.stroke(corner_mark(*(on_paper[k] for k in split(e, points, 3))), mark, width=0.9)
    for e in spec.get("angles", ()):
        head, _, count = e.partition(" ")
        start, corner, end = (on_paper[k] for k in split(head, points, 3))
        for path in angle_mark(start, corner, end, int(count or 1)):
            sheet.stroke(path, mark, width=0.9)
    labelled = [k for e in spec["labels"] for k in split(e, points)] if "labels" in spec else list(used)
    return Composition(on_paper, sheet, used, labelled, dashed, solid, scale, (width, height), shade, mark)


def draw(
    points: Mapping[str, Sequence[float]],
    figure: Mapping[str, Sequence[str]],
    *,
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Any] | None = None,
    colours: int = 0,
) -> Drawing:
    """Draw a problem's figure, with its letters and no measure.

    Parameters
    ----------
    points : place of each point (two or three numbers), under the names `figure` uses
    figure : the entries to draw, see the module
    names : what a point is called on the paper, where that differs
    values : lengths, circles and ellipses that entries may name (floats or exact)
    colours : number of the colour scheme

    Raises
    ------
    FigureError naming the entry that cannot be drawn.
    """
    names = dict(names or {})
    made = compose(points, figure, values=values, colours=colours)
    dots = np.array([made.places[k] for k in made.used]).reshape(-1, 2)
    placed, size_in_points = letters(made.labelled, names, made.places, made.sheet.pieces(), dots)
    shown = render(made, placed, names, size_in_points)
    hidden_now = tuple("".join(names.get(k, k) for k in pair) for pair in sorted(made.dashed))
    alt = describe(points, figure, names=names, dashed=made.dashed)
    return Drawing(shown, placed.clearance, placed.gap, alt, hidden_now)


def _project(
    points: Mapping[str, Sequence[float]], spec: Mapping[str, Sequence[str]], segments: list[tuple[str, str]]
) -> tuple[dict[str, Place], set[tuple[str, str]]]:
    """Points of space on the paper, and the segments the solid hides."""
    space = {k: (*p, 0.0)[:3] for k, p in points.items()}
    used = used_points(spec, points)
    if spec.get("view"):
        azimuth, elevation = (float(k) for k in " ".join(spec["view"]).split())
        v = projection.view(azimuth, elevation)
    else:
        v = projection.best_view({k: space[k] for k in used}, segments)
    if spec.get("faces"):
        faces: list[Sequence[str]] = [split(e, points) for e in spec["faces"]]
    else:
        corners = list(dict.fromkeys(k for s in segments for k in s))
        faces = [[corners[i] for i in face] for face in projection.faces_of([space[k] for k in corners])]
    return {k: v.project(p) for k, p in space.items()}, projection.hidden(space, segments, faces, v)


# ---------------------------------------------------------------- letters and ink


@lru_cache(maxsize=4096)
def glyphs(text: str, size: float, style: str = "italic") -> tuple[Path, Place, Place]:
    """The outline of a word in inches, its size, and the middle of its ink; letters are italic, numbers `normal`."""
    font = FontProperties(family="DejaVu Serif", style="italic" if style == "italic" else "normal")
    path = TextPath((0, 0), text, size=size, prop=font).transformed(Affine2D().scale(1 / 72))
    box = path.get_extents()
    return path, (box.width, box.height), ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)


def letters(
    labelled: Sequence[str],
    names: Mapping[str, str],
    places: Mapping[str, Place],
    strokes: Array,
    dots: Array,
    *,
    size: Place = (INCHES, INCHES),
    fonts: Sequence[float] = FONT_SIZES,
) -> tuple[Placement, float]:
    """Where the points' letters go on paper of the given size, and their font size in points."""
    best: tuple[Placement, float] | None = None
    for font in fonts:
        boxes = {k: glyphs(names.get(k, k), font)[1] for k in labelled}
        height = glyphs("H", font)[1][1]
        frame = (0.03, 0.03, size[0] - 0.03, size[1] - 0.03)
        placed = place({k: places[k] for k in labelled}, boxes, strokes, dots, height=height, frame=frame)
        if best is None or placed.clearance > best[0].clearance:
            best = placed, font
        if placed.clearance >= WANTED and placed.gap > 0.15:
            return placed, font
    assert best is not None
    return best


def render(made: Composition, placed: Placement, names: Mapping[str, str], size: float) -> Figure:
    """The picture of a composition and its letters."""
    width, height = made.size
    picture = Figure(figsize=(width, height), dpi=100, facecolor="white")
    FigureCanvasAgg(picture)
    inches = picture.dpi_scale_trans
    for path in made.sheet.shades:
        picture.add_artist(
            Polygon(path, closed=True, facecolor=made.shade, alpha=0.35, linewidth=0, transform=inches)
        )
    for path, colour, dashed, thick in made.sheet.lines:
        line = Line2D(
            path[:, 0], path[:, 1], color=colour, linewidth=thick, transform=inches,
            solid_capstyle="round", solid_joinstyle="round",
        )  # fmt: skip
        if dashed:
            line.set_dashes((4, 3))
        picture.add_artist(line)
    dots = [made.places[k] for k in made.labelled]
    if dots:
        across, upward = zip(*dots, strict=True)
        picture.add_artist(
            Line2D(across, upward, linestyle="none", marker="o", markersize=3, color=INK, transform=inches)
        )
    for name, at in placed.places.items():
        write(picture, names.get(name, name), at, size)
    return picture


def write(picture: Figure, text: str, middle: Place, size: float, *, style: str = "italic", colour: str = INK) -> None:
    """Put a word on the picture, its ink centred on a place given in inches."""
    outline, _, own = glyphs(text, size, style)
    moved = Affine2D().translate(middle[0] - own[0], middle[1] - own[1]) + picture.dpi_scale_trans
    picture.add_artist(PathPatch(outline, facecolor=colour, linewidth=0, transform=moved))


# ---------------------------------------------------------------- in words


def describe(
    points: Mapping[str, Sequence[float]],
    figure: Mapping[str, Sequence[str]],
    *,
    names: Mapping[str, str] | None = None,
    dashed: Iterable[tuple[str, str]] = (),
) -> str:
    """What a figure shows, in one or two sentences without any measure: its alternative text."""
    names = dict(names or {})

    def called(entry: str) -> str:
        return NAME.sub(lambda m: names.get(m.group(), m.group()), entry)

    def listed(items: Sequence[str]) -> str:
        return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"

    unseen = ["".join(called(k) for k in pair) for pair in sorted(set(dashed))]
    drawn = [called(e) for e in figure.get("segments", ())]
    parts = []
    full = [e for e in drawn if e not in unseen]
    if full:
        parts.append(f"the segment{'s' * (len(full) > 1)} {listed(full)}")
    if unseen:
        parts.append(f"dashed {listed(unseen)}")
    for key, word in (("lines", "line"), ("circles", "circle"), ("arcs", "arc"), ("ellipses", "ellipse")):
        entries = list(figure.get(key, ()))
        if not entries:
            continue
        plural = f"{len(entries)} {word}s" if len(entries) > 1 else f"{'an' if word[0] in 'ae' else 'a'} {word}"
        centres = [called(e.split()[0]) for e in entries if key == "circles" and len(e.split()) == 2]
        if key == "lines":
            parts.append(f"the line{'s' * (len(entries) > 1)} {listed([called(e) for e in entries])}")
        else:
            parts.append(plural + (f" round {listed(centres)}" if len(centres) == len(entries) else ""))
    if figure.get("right"):
        corners = [called(NAME.findall(e)[1]) for e in figure["right"]]
        parts.append(
            f"right angles marked at {listed(corners)}" if len(corners) > 1 else f"a right angle marked at {corners[0]}"
        )
    if figure.get("angles"):
        marked = [called(e.split()[0]) for e in figure["angles"]]
        parts.append(f"the angle{'s' * (len(marked) > 1)} {listed(marked)} marked")
    if figure.get("fill"):
        parts.append(f"{listed([called(e) for e in figure['fill']])} shaded")
    wanted = (
        [k for e in figure["labels"] for k in NAME.findall(e)] if "labels" in figure else used_points(figure, points)
    )
    kind = "Solid" if any(len(p) == 3 for p in points.values()) else "Figure"
    start = f"{kind} with the points {listed([called(k) for k in wanted])}" if wanted else kind
    return f"{start}: {'; '.join(parts)}." if parts else f"{start}."
