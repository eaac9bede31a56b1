"""Points by coordinates, lines by equation, axes and slopes."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value
from .engine import Misread, entry
from .equations import curve
from .loci import circle_by_equation
from .state import Line, State


@entry(
    "VP",
    "(has|have) [the] coordinates <cs:Coords*>",
    "(is|=|lies at) <cs:Coords*>",
    "are <cs:Coords+>",
    example="The points A and B have coordinates (3, −4) and (1, 2). => A == (3, -4); B == (1, 2)",
    counter="The points A and B have coordinates (3, −4).",
)
def have_coordinates(s: State, cs: list) -> None:
    if len(s.subject) != len(cs) or not all(isinstance(p, str) for p in s.subject):
        raise Misread("as many coordinates as points")
    for p, c in zip(s.subject, cs, strict=False):
        s.add(f"{p} == {value(c, s)}")


@entry(
    "Standing",
    "<p:Name> <c:Coords>",
    example="P is as far from A as from B, where A(1, 2) and B(5, 4). => A == (1, 2); B == (5, 4); dist(A,P) == dist(B,P)",
    counter="P is as far from A as from B, where A(1, 2) and B.",
)
def point_stands_at(s: State, p: str, c: Any) -> None:
    s.add(f"{p} == {value(c, s)}")


_SIZES = {
    "triangle": 3,
    "quadrilateral": 4,
    "parallelogram": 4,
    "rectangle": 4,
    "rhombus": 4,
    "square": 4,
    "trapezoid": 4,
    "pentagon": 5,
    "hexagon": 6,
}
for _word, _size in _SIZES.items():
    _rule = {
        "triangle": "triangle",
        "parallelogram": "parallelogram",
        "rectangle": "rectangle",
        "rhombus": "rhombus",
        "square": "square",
    }.get(_word, "convex")

    def _of(s: State, ps: list, _size: int = _size, _rule: str = _rule) -> None:
        if len(ps) != _size:
            raise Misread("as many vertices as corners")
        s.add(f"{_rule}({','.join(ps)})")
        s.new_figure("polygon", tuple(ps))

    _of.__name__ = f"{_word}_by_vertices"
    _names = "ABCDEF"[:_size]
    _list = ", ".join(f"{x}({i}, {i * i})" for i, x in enumerate(_names[:-1])) + f" and {_names[-1]}(0, 9)"
    _said = (
        f"{_rule}({','.join(_names)}); "
        + "; ".join(f"{x} == ({i}, {i * i})" for i, x in enumerate(_names[:-1]))
        + f"; {_names[-1]} == (0, 9)"
    )
    entry(
        "Clause",
        f"(a|the) [convex] {_word} (has|with) [the] vertices <ps:Dot+> [is given]",
        f"[the] points <ps:Dot+> are the vertices of a [convex] {_word} [in this order]",
        example=f"A {_word} has the vertices {_list}. => {_said}",
        counter=f"A {_word} has the vertices A(0, 0) and B(1, 1).",
    )(_of)


@entry(
    "Clause",
    "[the] line <p:Pair> has [the] equation <e:Equation>",
    example="The line AB has the equation y = 2x + 1. => on_line(A,line_eq(-2,1,1)); on_line(B,line_eq(-2,1,1))",
    counter="The line AB has the equation y = x².",
)
def line_has_equation(s: State, p: tuple, e: Any) -> None:
    line = line_by_equation(s, e)
    for x in p:
        line.on(s, x)
    s.mention = Line("two", p)


@entry(
    "NamedLine",
    "<g:Small> : <e:Equation>",
    example="The lines g: y = 2x + 1 and h: y = 4 meet at P. => on_line(P,line_eq(-2,1,1)); on_line(P,line_eq(0,1,4))",
    counter="The lines g: y = x² and h: y = 4 meet at P.",
)
def inline_name(s: State, g: str, e: Any) -> Line:
    s.curves[g] = line_by_equation(s, e)
    return s.curves[g]


@entry(
    "Curve",
    "[the] line <x:NamedLine>",
    "[the] lines <x:NamedLine+>",
    example="The line g: y = 2x + 1 meets the line h: y = 4 at P. => on_line(P,line_eq(-2,1,1)); on_line(P,line_eq(0,1,4))",
    counter="The line g: y = x² meets the line h: y = 4 at P.",
)
def line_named_inline(s: State, x: Any) -> Any:
    return x


@entry(
    "Curve",
    "[the] circle <g:Small> : <e:Equation>",
    "(the|a) circle <e:Equation> with centre <p:Point>",
    "(the|a) circle with centre <p:Point> and [the] equation <e:Equation>",
    example="The circle x² + y² = 25 with centre O meets the line y = 3 at A. => O == (0, 0); on_line(A,line_eq(0,1,3)); dist(A,O) == 5",
    counter="The circle y = x with centre O meets the line y = 3 at A.",
)
def circle_named_inline(s: State, e: Any, g: str = "", p: str = "") -> Any:
    circle = circle_by_equation(s, e)
    if g:
        s.curves[g] = circle
    if p:
        circle.name_centre(s, p)
    return circle


@entry(
    "Clause",
    "(a|the) circle has [the] equation <e:Equation> [and [the] centre <p:Point>]",
    example="A circle has the equation x² + y² = 25 and the centre O. A lies on the circle. => O == (0, 0); dist(A,O) == 5",
    counter="A circle has the equation y = x.",
)
def circle_has_equation(s: State, e: Any, p: str = "") -> None:
    circle_named_inline(s, e, p=p)


@entry(
    "Clause",
    "[the] line <g:Small> through <p:Point> has [the] slope <m:Formula>",
    "[the] line <g:Small> (goes|passes) through <p:Point> and has [the] slope <m:Formula>",
    example="The line g through A has slope 3. P lies on g. => parallel(vec(A,P),(1, 3))",
    counter="The line g through A has slope 3°. P lies on g.",
)
def named_line_with_slope(s: State, g: str, p: str, m: Any) -> None:
    s.curves[g] = with_slope(s, p, m)


@entry(
    "VP",
    "(lie|lies) in the [coordinate] plane",
    "(lie|lies) in the [same] plane",
    "(are|is) given in (the plane|space)",
    example="The points A(1, 2) and B(3, 4) lie in the plane. => A == (1, 2); B == (3, 4)",
    counter="The points A(1, 2) and B(3, 4) lie in the plain.",
)
def in_the_plane(s: State) -> None:
    return None


@entry(
    "Curve",
    "[the|a] line [with [the] equation] <e:Equation>",
    "<e:Equation>",
    example="P lies on the line y = 2x + 1. => on_line(P,line_eq(-2,1,1))",
    counter="P lies on the line y = x².",
)
def line_by_equation(s: State, e: Any) -> Line:
    shape = curve(e, s)
    if shape.shape != "line":
        raise Misread("no line")
    line = Line("eq", shape.data)
    s.mention = line
    return line


@entry(
    "Curve",
    "[the] lines [with [the] equations] <es:Equation+>",
    "[the] lines <es:Equation+>",
    example="The lines y = 2x + 1 and 3x − 4y = 12 meet at P. => on_line(P,line_eq(-2,1,1)); on_line(P,line_eq(3,-4,12))",
    counter="The lines y = 2x + 1 meet at P.",
)
def lines_by_equation(s: State, es: list) -> list:
    return [line_by_equation(s, e) for e in es]


@entry(
    "Clause",
    "[the] line <g:Small> has [the] equation <e:Equation>",
    "[the] line <g:Small> : <e:Equation>",
    "[let] <g:Small> be the line <e:Equation>",
    "[the] line <g:Small> is <e:Equation>",
    example="The line g has the equation y = 2x + 1. P lies on g. => on_line(P,line_eq(-2,1,1))",
    counter="The line g has the equation y = x². P lies on g.",
)
def named_line(s: State, g: str, e: Any) -> None:
    s.curves[g] = line_by_equation(s, e)


@entry(
    "Clause",
    "[the] lines <gs:Small+> have [the] equations <es:Equation+>",
    example="The lines g and h have the equations y = x and y = 2x + 1. P lies on h. => on_line(P,line_eq(-2,1,1))",
    counter="The lines g and h have the equations y = x. P lies on h.",
)
def named_lines(s: State, gs: list, es: list) -> None:
    if len(gs) != len(es):
        raise Misread("as many equations as lines")
    for g, e in zip(gs, es, strict=False):
        named_line(s, g, e)


@entry(
    "Clause",
    "[the|a] circle <g:Small> has [the] (centre <p:Point> and radius <q:Qty>|equation <e:Equation>)",
    "[the] circle <g:Small> with centre <p:Point> [and] has radius <q:Qty>",
    example="The circle k has the equation x² + y² = 25. P lies on k. => dist(P,(0, 0)) == 5",
    counter="The circle k has the equation y = x. P lies on k.",
)
def named_circle(s: State, g: str, p: str = "", q: Value | None = None, e: Any = None) -> None:
    if e:
        s.curves[g] = circle_by_equation(s, e)
    else:
        circle = s.circle_about(p)
        circle.has_radius(s, str(q))
        s.curves[g] = circle


@entry(
    "Curve",
    "<g:Small>",
    "[the] (line|circle|curve) <g:Small>",
    example="The line g has the equation y = 2x + 1. P lies on the line g. => on_line(P,line_eq(-2,1,1))",
    counter="P lies on the line g.",
)
def by_name(s: State, g: str) -> Any:
    if g not in s.curves:
        raise Misread("no line or circle of this name")
    s.mention = s.curves[g]
    return s.mention


@entry(
    "Curve",
    "[the] lines <gs:Small+>",
    example="The lines g and h have the equations y = x and y = 2x + 1. The lines g and h meet at P. => on_line(P,line_eq(-1,1,0)); on_line(P,line_eq(-2,1,1))",
    counter="The lines g and h meet at P.",
)
def lines_by_name(s: State, gs: list) -> list:
    return [by_name(s, g) for g in gs]


@entry(
    "Curve", "the x-axis", example="P lies on the x-axis. => on_line(P,line_eq(0,1,0))", counter="P lies on the z-axis."
)
def x_axis(s: State) -> Line:
    s.mention = Line("eq", ("0", "1", "0"))
    return s.mention


@entry(
    "Curve", "the y-axis", example="P lies on the y-axis. => on_line(P,line_eq(1,0,0))", counter="P lies on the w-axis."
)
def y_axis(s: State) -> Line:
    s.mention = Line("eq", ("1", "0", "0"))
    return s.mention


@entry(
    "Curve",
    "the [coordinate] axes",
    "the two axes",
    example="The line y = 2x + 1 meets the axes at A and B. => on_line(A,line_eq(-2,1,1)); on_line(A,line_eq(0,1,0)); on_line(B,line_eq(-2,1,1)); on_line(B,line_eq(1,0,0))",
    counter="The line y = 2x + 1 meets the axles at A and B.",
)
def axes(s: State) -> list:
    return [x_axis(s), y_axis(s)]


@entry(
    "Curve",
    "(the|a) line through <p:Point> with [the] slope <m:Formula>",
    "(the|a) line of slope <m:Formula> through <p:Point>",
    "(the|a) line with slope <m:Formula> through <p:Point>",
    example="The line through A with slope 2 meets BC at P. => parallel(A,P,(1, 2)); on_segment(P,B,C)",
    counter="The line through A with slope meets BC at P.",
)
def with_slope(s: State, p: str, m: Any) -> Line:
    slope = value(m, s)
    if slope.type != "num":
        raise Misread("a slope is a number")
    return Line("parallel", (p, Direction(f"(1, {slope})")))


class Direction(Line):
    """A direction by components."""

    def __init__(self, text: str):
        super().__init__("direction", (text,))

    def args(self) -> str:
        return self.data[0]

    def direction(self) -> str:
        return self.data[0]
