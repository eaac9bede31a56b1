"""What a statement has introduced so far: figures, lines, circles, vectors; and how a point is said to lie on them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from .engine import Misread
from .equations import Curve, at_point
from .terms import names, number, parse, tidy


@dataclass
class Line:
    """A line, ray or segment. `kind` says what `data` are; `extent` how far it reaches."""

    kind: str
    data: tuple = ()
    extent: str = "line"
    seen: list[str] = field(default_factory=list)

    def points(self) -> tuple[str, str]:
        if self.kind == "two":
            return self.data[0], self.data[1]
        if self.kind.startswith("free") and len(self.seen) > 1:
            return self.seen[0], self.seen[1]
        raise Misread("a line without two named points")

    def args(self) -> str:
        """As arguments of perp, parallel, foot and so on."""
        if self.kind in ("two", "free", "free_parallel"):
            return ",".join(self.points())
        return self.obj()

    def direction(self) -> str:
        if self.kind in ("two", "free", "free_parallel"):
            return f"vec({self.args()})"
        if self.kind == "eq":
            a, b, _ = self.data
            return f"({b}, -({a}))"
        if self.kind == "parallel":
            return self.data[1].direction()
        raise Misread("no direction")

    def obj(self) -> str:
        """As one object."""
        kind, data = self.kind, self.data
        if kind in ("two", "free", "free_parallel"):
            return f"line({self.args()})"
        if kind == "eq":
            return f"line_eq({','.join(data)})"
        if kind == "parallel":
            return f"line({data[0]}, {data[0]} + {data[1].direction()})"
        if kind == "perp":
            return f"line({data[0]}, {data[0]} + rotate({data[1].direction()},(0, 0),deg(90)))"
        if kind == "bisector":
            return f"line({data[1]}, {'incenter' if data[3] else 'excenter'}({','.join(data[:3])}))"
        if kind == "perp_bisector":
            return f"line(mid({data[0]},{data[1]}), rotate({data[0]},mid({data[0]},{data[1]}),deg(90)))"
        if kind == "median":
            return f"line({data[0]}, mid({data[1]},{data[2]}))"
        if kind == "tangent":
            return f"line({data[1]}, rotate({data[0].centre_of()},{data[1]},deg(90)))"
        raise Misread("a line that is not known well enough")

    def ends(self) -> list[str]:
        """Named points that the line is drawn from (for *again*)."""
        if self.kind == "two":
            return list(self.data[:2])
        if self.kind in ("parallel", "perp", "median"):
            return [self.data[0]]
        if self.kind == "bisector":
            return [self.data[1]]
        if self.kind == "tangent":
            return [self.data[1]]
        return self.seen[:1]

    def on(self, state: State, point: str, ray: bool = False) -> None:
        """Say that a point lies on it; `ray` for *meets the circle again*, where a cevian goes on past its end."""
        kind, data = self.kind, self.data
        if kind == "two":
            a, b = data[0], data[1]
            if self.extent == "line" and point in (a, b):
                return
            name = {"line": "on_line", "segment": "on_segment", "ray": "on_ray", "beyond": "beyond"}[self.extent]
            state.add(f"{name}({point},{a},{b})")
        elif kind == "free":
            if point in self.seen:
                return
            if len(self.seen) > 1:
                state.add(f"on_line({point},{self.seen[0]},{self.seen[1]})")
            self.seen.append(point)
        elif kind == "free_parallel":
            if self.seen:
                state.add(f"parallel({self.seen[0]},{point},{data[0].args()})")
            self.seen.append(point)
        elif kind == "eq":
            state.add(f"on_line({point},{self.obj()})")
        elif kind in ("parallel", "perp"):
            if point != data[0]:
                state.add(f"{kind}({data[0]},{point},{data[1].args()})")
        elif kind == "bisector":
            a, b, c, inner = data
            state.add(f"bisects({point},{a},{b},{c})" if inner else f"bisects_outer({point},{a},{b},{c})")
        elif kind == "perp_bisector":
            state.add(f"dist({point},{data[0]}) == dist({point},{data[1]})")
        elif kind == "median":
            state.add(f"{'on_ray' if ray else 'on_segment'}({point},{data[0]},mid({data[1]},{data[2]}))")
        elif kind == "tangent":
            circle, touch = data
            if point != touch:
                state.add(f"right({circle.centre_of(state)},{touch},{point})")
        else:
            raise Misread(f"points on {kind}")


@dataclass
class Circle:
    """A circle by centre and radius, by points, by a diameter, or of a triangle."""

    centre: str = ""
    radius: str = ""
    seen: list[str] = field(default_factory=list)
    around: tuple[str, ...] = ()  # circumcircle of
    diameter: tuple[str, ...] = ()
    half: bool = False

    def on(self, state: State, point: str, ray: bool = False) -> None:
        if self.diameter:
            if point not in self.diameter:
                state.add(f"right({self.diameter[0]},{point},{self.diameter[1]})")
        elif self.around and not self.seen:
            if point not in self.around:
                state.add(f"cyclic({','.join(self.around)},{point})")
        elif self.centre or (self.radius and not self.around):
            if not self.centre:
                self.centre_of(state)
            if not self.radius:
                self.radius = f"dist({self.centre},{point})"
            state.add(f"dist({self.centre},{point}) == {self.radius}")
        elif point not in self.seen:
            self.seen.append(point)
            if len(self.seen) > 3:
                state.add(f"cyclic({','.join(self.seen[:3])},{point})")

    def centre_of(self, state: State | None = None) -> str:
        if self.centre:
            return self.centre
        if self.diameter:
            return f"mid({','.join(self.diameter)})"
        if len(self.around or self.seen) >= 3:
            return f"circumcenter({','.join((self.around or tuple(self.seen))[:3])})"
        if state is None:
            raise Misread("the centre is not known")
        self.name_centre(state, state.take_hidden())
        return self.centre

    def name_centre(self, state: State, name: str) -> None:
        """Give the centre a name."""
        if self.centre and self.centre != name:
            state.add(f"{name} == {self.centre}")
        elif self.diameter:
            state.add(f"midpoint({name},{','.join(self.diameter)})")
        elif self.around:
            state.add(f"{name} == circumcenter({','.join(self.around)})")
        seen, self.seen, self.centre = self.seen, [], name
        radius = self.radius
        for point in seen:
            if not self.radius:
                self.radius = f"dist({name},{point})"
            state.add(f"dist({name},{point}) == {self.radius}")
        if not radius and self.around:
            self.radius = f"dist({name},{self.around[0]})"

    def radius_of(self, state: State | None = None) -> str:
        if self.radius:
            return self.radius
        if self.diameter:
            return f"dist({','.join(self.diameter)})/2"
        if len(self.around or self.seen) >= 3:
            return f"circumradius({','.join((self.around or tuple(self.seen))[:3])})"
        raise Misread("the radius is not known")

    def has_radius(self, state: State, text: str) -> None:
        """Say the radius."""
        if self.radius or self.diameter or len(self.around or self.seen) >= 3:
            state.add(f"{self.radius_of()} == {text}")
            if number(text) is not None and self.centre:
                self.radius = text
        else:
            self.radius = text

    def touched_by(self, state: State, line: Line, touch: str = "") -> None:
        """Say that a line touches the circle, at a point if one is given."""
        if touch:
            if (line.kind == "two" and self.centre.startswith("incenter")) or (
                line.kind == "two" and self.centre.startswith("excenter")
            ):
                state.add(f"{touch} == foot({self.centre},{line.args()})")
                return
            centre = self.centre_of(state)
            ends: tuple[str, ...] = line.points() if line.kind == "two" or len(line.seen) > 1 else ()
            self.on(state, touch)
            if touch in ends:
                other = ends[1] if touch == ends[0] else ends[0]
                state.add(f"right({centre},{touch},{other})")
            elif line.kind == "free" and not line.seen[1:]:
                line.on(state, touch)
                if line.seen[0] != touch:
                    state.add(f"right({centre},{touch},{line.seen[0]})")
            else:
                line.on(state, touch)
                state.add(f"perp({centre},{touch},{line.args()})")
        else:
            state.add(f"dist({self.centre_of(state)},{line.obj()}) == {self.radius_of(state)}")


@dataclass
class Conic:
    """An ellipse (foci and sum, or equation) or a parabola (focus and directrix)."""

    shape: str
    foci: tuple[str, ...] = ()
    total: str = ""
    line: Line | None = None
    curve: Curve | None = None

    def on(self, state: State, point: str, ray: bool = False) -> None:
        if self.curve:
            state.add(at_point(self.curve.tree, point, state))
        elif self.shape == "parabola" and self.line and self.foci:
            state.add(f"dist({point},{self.foci[0]}) == dist({point},{self.line.obj()})")
        elif self.shape == "ellipse" and len(self.foci) == 2:
            if not self.total:
                self.total = f"dist({point},{self.foci[0]}) + dist({point},{self.foci[1]})"
            else:
                state.add(f"dist({point},{self.foci[0]}) + dist({point},{self.foci[1]}) == {self.total}")
        else:
            raise Misread("a conic that is not known well enough")

    def has_total(self, state: State, text: str) -> None:
        """The sum of the distances of its points from the foci: the length of the long axis."""
        if self.total:
            state.add(f"{self.total} == {text}")
        self.total = text


@dataclass
class Figure:
    """A polygon or solid with its vertices in order."""

    word: str
    points: tuple[str, ...]


@dataclass
class PointDef:
    """A point described by what it is: how to say that a named point is it, and an expression for it."""

    say: Any
    text: str = ""


@dataclass
class State:
    """The memory of one statement."""

    representation: str = "euclid"
    points: tuple[str, ...] = ()
    hidden: list[str] = field(default_factory=list)
    solid: bool = False
    conditions: list[str] = field(default_factory=list)
    history: list[str] = field(default_factory=list)  # conditions of all sentences
    figures: list[Figure] = field(default_factory=list)
    circles: list[Circle] = field(default_factory=list)
    conics: list[Conic] = field(default_factory=list)
    curves: dict[str, Any] = field(default_factory=dict)
    vectors: dict[str, str] = field(default_factory=dict)
    origin: str = ""
    subject: list = field(default_factory=list)
    mention: Any = None  # the last line or curve: *it*
    topic: Any = None  # the last figure or circle: whose *side*, *centre*, *radius*
    segment: tuple[str, ...] = ()  # the last pair: *its midpoint*
    taken: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    tokens: list = field(default_factory=list)

    def fork(self) -> State:
        new = copy.deepcopy(self)
        new.conditions, new.used = [], []
        return new

    def add(self, condition: str) -> None:
        """Add a condition; what says nothing (`A = A`) is left out. Raises Misread for a senseless one."""
        try:
            text = tidy(condition)
        except ValueError as error:
            raise Misread(str(error)) from error
        left, sign, right = text.partition(" == ")
        if sign and left == right:
            return
        if text not in self.conditions:
            self.conditions.append(text)
            self.history.append(text)

    def take_hidden(self) -> str:
        if not self.hidden:
            raise Misread("a centre without a name, and no hidden point is left")
        name = self.hidden.pop(0)
        self.taken.append(name)
        return name

    def new_figure(self, word: str, points: tuple[str, ...]) -> Figure:
        figure = Figure(word, points)
        self.figures.append(figure)
        self.topic = figure
        return figure

    def triangle_of(self, corner: str) -> tuple[str, str]:
        """The other two corners of the last triangle with this corner."""
        for figure in reversed(self.figures):
            if len(figure.points) == 3 and corner in figure.points and figure.word == "polygon":
                return tuple(item for item in figure.points if item != corner)  # type: ignore[return-value]
        raise Misread("no triangle with this corner")

    def triangle(self) -> tuple[str, ...]:
        for figure in reversed(self.figures):
            if len(figure.points) == 3 and figure.word == "polygon":
                return figure.points
        raise Misread("no triangle")

    def figure(self, size: int = 0) -> Figure:
        for item in reversed(self.figures):
            if not size or len(item.points) == size:
                return item
        raise Misread("no figure")

    def circle(self) -> Circle:
        if not self.circles:
            raise Misread("no circle")
        return self.circles[-1]

    def new_circle(self, circle: Circle) -> Circle:
        self.circles.append(circle)
        self.mention = self.topic = circle
        return circle

    def circle_about(self, centre: str) -> Circle:
        """The known circle with this centre, or a new one."""
        for item in reversed(self.circles):
            if item.centre == centre:
                self.mention = self.topic = item
                return item
        return self.new_circle(Circle(centre=centre))


def place(state: State, points: list[str], curves: list, ray: bool = False) -> None:
    """Points on curves: one each where there are as many, else every point on every curve."""
    if len(points) == len(curves) and len(points) > 1:
        for point, item in zip(points, curves, strict=False):
            item.on(state, point, ray)
    else:
        for point in points:
            for item in curves:
                item.on(state, point, ray)


def same(state: State, left: Any, right: Any) -> None:
    """Two values are equal; Misread where their types cannot be."""
    kinds = {left.type, right.type}
    if len(kinds) > 1 and kinds not in ({"vec", "tuple"}, {"pt", "tuple"}):
        raise Misread("unlike things are equal")
    state.add(f"{left} == {right}")


def need(point_names: set[str], known: set[str]) -> None:
    if not point_names <= known:
        raise Misread("a name that is no point of the figure: " + ", ".join(sorted(point_names - known)))


def free_names(condition: str) -> set[str]:
    return names(parse(condition))
