"""The figure that stands for a statement: drawn to scale, with every given written or marked in it.

A length stands beside its segment only where it can be nobody else's: the segment is in one piece, and the number is
nearer to it than to any other stroke and touches no letter. Where there is no such place, and for ratios, cosines,
areas and parallels, the given is a line of text under the drawing. `geoutils.problems.figure_checks` measures it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from geoutils.problems import figures
from geoutils.problems.building import Variant
from geoutils.problems.figures import Composition, Place, compose, glyphs, letters, render, write
from geoutils.problems.givens import Givens, Mark, givens_of, line_text
from geoutils.problems.labels import Array, _box_to_segments
from geoutils.problems.scenes import NAME, angle_mark, corner_mark

WIDTH = 6.0  # inches; 768 pixels at DPI
DPI = 128
MARGIN = 0.55
FONTS = (15.0, 13.5, 12.0)
NUMBER = 14.0  # points
LINE = 15.0
STRIP = 0.34  # inches for a line of text
TOUCH = 0.04  # inches that a number keeps from strokes and other writing
MOST_TICKS = 3


@dataclass
class Labelled:
    """A figure with its givens: the picture, what is written where (boxes in inches), and in words."""

    figure: Figure
    givens: Givens
    made: Composition
    alt: str
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)  # name: x1, y1, x2, y2
    beside: list[tuple[Mark, Place]] = field(default_factory=list)  # numbers in the drawing
    lines: list[str] = field(default_factory=list)
    strokes: Array = field(default_factory=lambda: np.empty((0, 4)))
    font: float = 0.0
    unsaid: list[Mark] = field(default_factory=list)  # neither drawn nor written: a fault
    kinds: frozenset[str] = frozenset()  # of marks that were drawn: number, ticks, arcs, right

    def png(self) -> bytes:
        """The picture as it is sent: the same bytes for the same variant and the same matplotlib."""
        out = io.BytesIO()
        self.figure.set_dpi(DPI)
        FigureCanvasAgg(self.figure).print_png(out, metadata={"Software": None}, pil_kwargs={"optimize": True})
        return out.getvalue()

    @property
    def text(self) -> str:
        """The short text that goes with the picture, question last."""
        return figure_text(self.givens, self.kinds)


def figure_text(given: Givens, kinds: Collection[str]) -> str:
    """What the text of the representation `figure` says: how to read the picture, what it cannot show, the question.

    `kinds` are the marks that were drawn: number, ticks, arcs, right.
    """
    statement = given.variant.statements["euclid"]
    said = ["The givens are written and marked in the figure."]
    if given.solid:
        said.append("It shows a solid in space.")
    said.append("Points lie on the lines and curves on which they are drawn, in that order.")
    keys = []
    if "number" in kinds:
        keys.append("a number beside a segment is its length")
    if "ticks" in kinds:
        keys.append("segments with equally many ticks are equal")
    if "arcs" in kinds:
        keys.append("angles with equally many arcs are equal")
    if "right" in kinds:
        keys.append("a small square marks a right angle")
    if keys:
        keys[0] = keys[0][0].upper() + keys[0][1:]
        said.append("; ".join(keys) + ".")
    return " ".join([*said, *given.told, statement.question.text, statement.rounding])


def label(variant: Variant, *, colours: int = 0) -> Labelled:
    """The figure of a variant with every given of its Euclidean statement drawn, written or told.

    Raises FigureError where the record's figure cannot be drawn.
    """
    given = givens_of(variant)
    spec = {k: v for k, v in variant.problem.figure.items() if k not in ("right", "angles")}
    spec["labels"] = tuple(given.labels)
    values = {k: v for k, v in variant.scope.values.items() if k not in given.points}
    made = compose(
        given.points, spec, values=values, colours=colours, width=WIDTH, margin=MARGIN, low_paper=True, extra=given.extra
    )
    return _Layout(given, made).lay()


class _Layout:
    def __init__(self, given: Givens, made: Composition) -> None:
        self.g, self.made = given, made
        self.base = made.sheet.pieces()
        self.lines = [text for c in given.lines if (text := line_text(given, c)) is not None]
        self.boxes: dict[str, tuple[Place, Place]] = {}  # middle and size
        self.unsaid: list[Mark] = []  # marks for which there was neither room nor a line
        self.kinds: set[str] = set()

    def lay(self) -> Labelled:
        g, made = self.g, self.made
        numbers = self._marks()
        dots = np.array([made.places[k] for k in made.labelled]).reshape(-1, 2)
        strokes = made.sheet.pieces()
        placed, font = letters(made.labelled, g.variant.names, made.places, strokes, dots, size=made.size, fonts=FONTS)
        for name, at in placed.places.items():
            self.boxes[name] = at, glyphs(g.variant.names[name], font)[1]
        beside = []
        for mark in numbers:
            spot = self._number(mark, strokes, dots)
            if spot is None:
                self._write_line(mark)
            else:
                beside.append((mark, spot))
                self.kinds.add("number")
        rows = _rows(dict.fromkeys(self.lines))
        below = STRIP * len(rows) + (0.16 if rows else 0.0)
        picture = self._raised(below, placed, font, beside)
        width = made.size[0]
        boxes = {}
        for name, (middle, size) in self.boxes.items():
            boxes[name] = (middle[0] - size[0] / 2, middle[1] - size[1] / 2, middle[0] + size[0] / 2, middle[1] + size[1] / 2)
        for i, row in enumerate(rows):
            size = glyphs(row, LINE, "normal")[1]
            middle = (width / 2, below - 0.13 - STRIP * (i + 0.5))
            write(picture, row, middle, LINE, style="normal")
            boxes[f"line {i}"] = (
                middle[0] - size[0] / 2, middle[1] - size[1] / 2 - below, middle[0] + size[0] / 2, middle[1] + size[1] / 2 - below,
            )  # fmt: skip
        out = Labelled(picture, g, made, "", boxes, beside, list(dict.fromkeys(self.lines)), strokes, font, self.unsaid, frozenset(self.kinds))
        out.alt = alt_text(out)
        return out

    def _raised(self, below: float, placed: Any, font: float, beside: list[tuple[Mark, Place]]) -> Figure:
        """The drawing above a strip of the given height."""
        made = self.made
        width, height = made.size
        up = np.array([0.0, below])
        lifted = Composition(
            {k: (x, y + below) for k, (x, y) in made.places.items()},
            type(made.sheet)([(p + up, c, d, w) for p, c, d, w in made.sheet.lines], [p + up for p in made.sheet.shades]),
            made.used, made.labelled, made.dashed, made.solid, made.scale, (width, height + below), made.shade, made.mark,
        )  # fmt: skip
        where = type(placed)({k: (x, y + below) for k, (x, y) in placed.places.items()}, placed.clearance, placed.gap)
        picture = render(lifted, where, self.g.variant.names, font)
        for mark, at in beside:
            write(picture, mark.text, (at[0], at[1] + below), NUMBER, style="normal", colour="#8A2B00")
        return picture

    # --- ticks, arcs and squares

    def _marks(self) -> list[Mark]:
        """Draw the marks that are strokes; the numbers that are to stand beside a segment."""
        numbers: list[Mark] = []
        ticks = [k for k in self.g.marks if k.kind == "ticks"]
        arcs = [k for k in self.g.marks if k.kind == "arcs"]
        medians = [k for k in self.g.marks if k.kind == "median"]
        pairs = [(k, (k.points[0], k.points[1]), (k.points[2], k.points[3])) for k in ticks]
        pairs += [(k, (k.points[2], k.points[1]), (k.points[1], k.points[3])) for k in medians if self._halved(k)]
        self._ticks(pairs)
        turns: list[Mark] = []
        for mark in arcs:
            if len(turns) < MOST_TICKS and self._bare(mark):
                turns.append(mark)
            else:
                self._write_line(mark)
        self.kinds |= {"arcs"} if turns else set()
        for count, mark in enumerate(turns, 1):
            for angle in (mark.points[:3], mark.points[3:]):
                arm, tip, other = (self._near(angle[1], k) for k in angle)
                for path in angle_mark(arm, tip, other, count):
                    self.made.sheet.stroke(path, self.made.mark, width=1.1)
        done: set[tuple[str, ...]] = set()
        for mark in self.g.marks:
            if mark.kind in ("right", "height"):
                a, corner, b = mark.points[:3]
                key = (corner, *sorted((a, b)))
                if key not in done:
                    done.add(key)
                    self.kinds.add("right")
                    self.made.sheet.stroke(corner_mark(*(self.made.places[k] for k in (a, corner, b))), self.made.mark, width=1.1)
            if mark.kind in ("length", "height", "median") and not (mark.kind == "median" and not self._halved(mark)):
                numbers.append(mark)
            elif mark.kind == "median":
                self._write_line(mark)
        return numbers

    def _near(self, corner: str, k: str) -> Place:
        """A point on the arm towards k, for arcs of a size that does not depend on the arm."""
        p, q = np.array(self.made.places[corner]), np.array(self.made.places[k])
        long = float(np.linalg.norm(q - p))
        return (float(p[0]), float(p[1])) if long == 0 else tuple(map(float, p + (q - p) * max(1.0, 0.8 / long)))  # type: ignore[return-value]

    def _halved(self, mark: Mark) -> bool:
        """Whether both halves that a median makes are in one piece, so that ticks can show them."""
        _, foot, c, d = mark.points
        return self._is_middle(foot, c, d) and self.whole(c, foot) and self.whole(foot, d)

    def _is_middle(self, m: str, a: str, b: str) -> bool:
        p = self.made.places
        return math.dist(p[m], ((p[a][0] + p[b][0]) / 2, (p[a][1] + p[b][1]) / 2)) < 1e-6

    def _ticks(self, pairs: list[tuple[Mark, tuple[str, str], tuple[str, str]]]) -> None:
        """Equally many ticks on the segments of each class of equal ones; a line of text where they would mislead."""
        group: dict[tuple[str, ...], tuple[str, ...]] = {}

        def root(pair: tuple[str, ...]) -> tuple[str, ...]:
            while group.setdefault(pair, pair) != pair:
                pair = group[pair]
            return pair

        good, count = [], 0
        classes: dict[tuple[str, ...], int] = {}
        for mark, first, second in pairs:
            if all(self.whole(*p) and self._long(*p) > 0.35 for p in (first, second)):
                good.append((mark, first, second))
                group[root(tuple(sorted(first)))] = root(tuple(sorted(second)))
            else:
                self._write_line(mark)
        drawn: dict[tuple[str, ...], int] = {}
        for mark, first, second in good:
            key = root(tuple(sorted(first)))
            if key not in classes:
                if count == MOST_TICKS:
                    self._write_line(mark)
                    continue
                count += 1
                classes[key] = count
            for pair in (first, second):
                drawn[tuple(sorted(pair))] = classes[key]
        self.kinds |= {"ticks"} if drawn else set()
        for (a, b), number in drawn.items():
            p, q = np.array(self.made.places[a]), np.array(self.made.places[b])
            unit = (q - p) / np.linalg.norm(q - p)
            across = np.array([-unit[1], unit[0]]) * 0.07
            for k in range(number):
                middle = p + (q - p) / 2 + unit * 0.06 * (k - (number - 1) / 2)
                self.made.sheet.stroke([middle - across, middle + across], self.made.mark, width=1.3)

    def _long(self, a: str, b: str) -> float:
        return math.dist(self.made.places[a], self.made.places[b])

    def whole(self, a: str, b: str) -> bool:
        """Whether no labelled point and no other stroke divides the segment ab on paper."""
        p, q = np.array(self.made.places[a]), np.array(self.made.places[b])
        along = q - p
        long = float(np.linalg.norm(along))
        if long < 0.1:
            return False
        unit = along / long
        for k in self.made.labelled:
            r = np.array(self.made.places[k]) - p
            t = float(r @ unit)
            if 0.04 < t < long - 0.04 and np.linalg.norm(r - t * unit) < 0.03:
                return False
        normal = np.array([-unit[1], unit[0]])
        for x1, y1, x2, y2 in self.base:
            u, v = np.array([x1, y1]) - p, np.array([x2, y2]) - p
            s, e = float(u @ normal), float(v @ normal)
            if abs(s) < 1e-3 and abs(e) < 1e-3:
                continue
            if s * e > 0 and min(abs(s), abs(e)) > 1e-3:
                continue
            t = float(u @ unit) + (float(v @ unit) - float(u @ unit)) * (s / (s - e) if s != e else 0.0)
            if 0.06 < t < long - 0.06:
                return False
        return True

    def _bare(self, mark: Mark) -> bool:
        """Whether no further stroke starts inside either of the angles."""
        corner = mark.points[1]
        at = np.array(self.made.places[corner])
        a, on, b = mark.points[0], mark.points[2], mark.points[5]
        arms = [math.atan2(*(np.array(self.made.places[k]) - at)[::-1]) for k in (a, on, b)]
        for x1, y1, x2, y2 in self.base:
            for p, q in (((x1, y1), (x2, y2)), ((x2, y2), (x1, y1))):
                if math.dist(p, at) > 0.02 or math.dist(q, at) < 0.3:
                    continue
                turn = math.atan2(q[1] - at[1], q[0] - at[0])
                for first, second in ((arms[0], arms[1]), (arms[1], arms[2])):
                    inside, wide = _turn(first, turn), _turn(first, second)
                    if inside * wide > 0 and 0.03 < abs(inside) < abs(wide) - 0.03:
                        return False
        return True

    # --- numbers

    def _number(self, mark: Mark, strokes: Array, dots: Array) -> Place | None:
        """Where a number can stand beside its segment, or None."""
        a, b = mark.points[:2]
        if not self.whole(a, b):
            return None
        p, q = np.array(self.made.places[a]), np.array(self.made.places[b])
        unit = (q - p) / np.linalg.norm(q - p)
        normal = np.array([-unit[1], unit[0]])
        size = glyphs(mark.text, NUMBER, "normal")[1]
        half = np.array(size) / 2
        own = np.array([[*p, *q]])
        reach = float(abs(normal) @ half)
        at, cost = [], []
        for away, worse in ((0.07, 0.0), (0.11, 0.03), (0.16, 0.08)):
            for t in (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74):
                for side in (1.0, -1.0):
                    at.append(p + (q - p) * t + normal * side * (reach + away))
                    cost.append(worse + 0.5 * abs(t - 0.5))
        places = np.array(at)
        mine = _box_to_segments(places, half, own)
        others = strokes_apart(strokes, p, q)
        free = _box_to_segments(places, half, others) if len(others) else np.full(len(places), 9.0)
        if len(dots):
            free = np.minimum(free, _box_to_segments(places, half, np.tile(dots, 2)))
        for middle, box in self.boxes.values():
            gap = np.maximum(np.abs(places - np.array(middle)) - (np.array(box) + np.array(size)) / 2, 0.0)
            free = np.minimum(free, np.hypot(gap[:, 0], gap[:, 1]))
        width, height = self.made.size
        inside = (
            (places[:, 0] - half[0] > 0.04) & (places[:, 0] + half[0] < width - 0.04)
            & (places[:, 1] - half[1] > 0.04) & (places[:, 1] + half[1] < height - 0.02)
        )  # fmt: skip
        good = inside & (mine > 0.02) & (free > np.maximum(TOUCH, mine + 0.02))
        if not good.any():
            return None
        score = np.where(good, np.minimum(free, 0.25) - np.array(cost), -9.0)
        best = places[int(np.argmax(np.round(score, 9)))]
        at_best = (float(best[0]), float(best[1]))
        self.boxes[f"{''.join(mark.points[:2])} = {mark.text}"] = at_best, size
        return at_best

    def _write_line(self, mark: Mark) -> None:
        """State a mark's condition as a line of text instead."""
        condition = mark.condition
        if mark.kind == "ticks" and mark.points[1] == mark.points[2]:
            a, m, _, b = mark.points
            names = self.g.variant.names
            if m in names and m in self.made.labelled:
                self.lines.append(f"{names[a]}{names[m]} = {names[m]}{names[b]}")
            else:
                self.unsaid.append(mark)
            return
        text = line_text(self.g, condition)
        if text is None:
            self.unsaid.append(mark)
        else:
            self.lines.append(text)


def strokes_apart(strokes: Array, p: Array, q: Array) -> Array:
    """The strokes that are no part of the segment pq; its own ticks are among them."""
    along = q - p
    unit = along / np.linalg.norm(along)
    normal = np.array([-unit[1], unit[0]])
    ends = strokes.reshape(-1, 2, 2) - p
    off, on = np.abs(ends @ normal), ends @ unit
    long = float(np.linalg.norm(along))
    same = (off.max(axis=1) < 1e-3) & (on.min(axis=1) > -1e-3) & (on.max(axis=1) < long + 1e-3)
    covers = (off.max(axis=1) < 1e-3) & (on.min(axis=1) < 1e-3) & (on.max(axis=1) > long - 1e-3)
    return strokes[~(same | covers)]


def _turn(first: float, second: float) -> float:
    return (second - first + math.pi) % (2 * math.pi) - math.pi


def _rows(lines: Mapping[str, Any]) -> list[str]:
    """The lines of text in as few rows as fit."""
    rows: list[str] = []
    for text in lines:
        joined = f"{rows[-1]}      {text}" if rows else text
        if rows and glyphs(joined, LINE, "normal")[1][0] < WIDTH - 0.3:
            rows[-1] = joined
        else:
            rows.append(text)
    return rows


def alt_text(made: Labelled) -> str:
    """What the picture shows, with its givens: for readers who cannot see it."""
    given = made.givens
    names = {**given.variant.names}
    spec = {k: v for k, v in given.variant.problem.figure.items() if k not in ("right", "angles", "dashed", "segments")}
    spec["labels"] = tuple(given.labels)
    pairs = [NAME.findall(e) for key in ("segments", "dashed") for e in given.variant.problem.figure.get(key, ())]
    pairs += [list(pair) for pair in given.extra]
    named = [f"{a}{b}" for a, b in pairs if a in given.labels and b in given.labels]
    spec["segments"] = tuple(dict.fromkeys(named))
    shown = figures.describe({k: v for k, v in given.points.items() if k in names}, spec, names=names, dashed=())
    if len(pairs) > len(named):
        shown = f"{shown.rstrip('.')}; {len(pairs) - len(named)} further segment(s) to points without a letter."
    parts = []
    for mark in given.marks:
        text = line_text(given, mark.condition)
        if text is None and mark.kind == "ticks":
            a, m, _, b = mark.points
            halves = f"{names[a]}{names[m]} = {names[m]}{names[b]}" if m in given.labels else ""
            text = halves or f"the middle of {names.get(a, a)}{names.get(b, b)} is marked"
        parts.append(text or "")
    stated = list(dict.fromkeys([*filter(None, parts), *made.lines]))
    return f"{shown} Given: {'; '.join(stated)}." if stated else shown
