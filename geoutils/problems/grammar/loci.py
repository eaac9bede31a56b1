"""The radius and centre of a circle, circles as sets of points, circles by equation."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .equations import curve
from .state import Circle, State


@entry(
    "Qty",
    "[the] radius of <c:Curve>",
    "its radius",
    example="The radius of the incircle of triangle ABC is 2. => triangle(A,B,C); inradius(A,B,C) == 2",
    counter="The radius of the line AB is 2.",
)
def radius_of(s: State, c: Any = None) -> Value:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    return Value(circle.radius_of(), "num")


@entry(
    "Clause",
    "[the] radius of <c:Curve> is <q:Qty>",
    "(its|the) radius is <q:Qty>",
    example="A circle has centre O. The radius of the circle is 5. A lies on it. => dist(A,O) == 5",
    counter="The radius of the line AB is 5.",
)
def radius_is(s: State, q: Value, c: Any = None) -> None:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    circle.has_radius(s, q.text)


@entry(
    "VP",
    "consists of [all] [the] points [that are] <k:Far>",
    "is the set of [all] [the] points [that are] <k:Far>",
    "is formed by [all] [the] points [that are] <k:Far>",
    example="A circle with centre O consists of all points that are twice as far from A as from B. => O == center(apollonius(A,B,2))",
    counter="A circle with centre O consists of all points that are far from A.",
)
def apollonius(s: State, k: str) -> None:
    circle = s.subject[0]
    if not isinstance(circle, Circle):
        raise Misread("a circle")
    if circle.centre:
        s.add(f"{circle.centre} == center({k})")
    else:
        circle.centre = f"center({k})"
    circle.radius = f"radius({k})"


@entry(
    "Clause",
    "[all|the] points [that are] <k:Far> form a circle [with centre <p:Point>]",
    "all [the] points [that are] <k:Far> form a circle [with centre <p:Point>]",
    "all [the] points [that are] <k:Far> lie on a circle [with centre <p:Point>]",
    example="The points that are twice as far from A as from B form a circle with centre M. => M == center(apollonius(A,B,2))",
    counter="The points that are far from A form a circle with centre M.",
)
def points_form_circle(s: State, k: str, p: str = "") -> None:
    circle = s.new_circle(Circle(centre=f"center({k})", radius=f"radius({k})"))
    if p:
        circle.name_centre(s, p)


@entry(
    "Far",
    "<k:Factor> as far from <a:Point> as from <b:Point>",
    "<k:Times> as far from <a:Point> as from <b:Point>",
    example="A circle with centre O consists of all points that are 3 times as far from A as from B. => O == center(apollonius(A,B,3))",
    counter="A circle with centre O consists of all points that are 3° times as far from A as from B.",
)
def apollonius_circle(s: State, k: str, a: str, b: str) -> str:
    return f"apollonius({a},{b},{k})"


@entry(
    "Curve",
    "[the|a] circle [with [the] equation] <e:Equation>",
    example="A lies on the circle x² + y² = 25. => dist(A,(0, 0)) == 5",
    counter="A lies on the circle y = x².",
)
def circle_by_equation(s: State, e: Any) -> Circle:
    shape = curve(e, s)
    if shape.shape != "circle":
        raise Misread("no circle")
    return s.new_circle(Circle(centre=shape.data[0], radius=shape.data[1]))


@entry(
    "Curve",
    "[the] circles [with [the] equations] <es:Equation+>",
    example="The circles x² + y² = 25 and (x − 8)² + y² = 25 meet at A and B. => dist(A,(0, 0)) == 5; dist(A,(8, 0)) == 5; dist(B,(0, 0)) == 5; dist(B,(8, 0)) == 5; distinct(A,B)",
    counter="The circles x² + y² = 25 meet at A and B.",
)
def circles_by_equation(s: State, es: list) -> list:
    return [circle_by_equation(s, e) for e in es]


@entry(
    "VP",
    "have [the] centres <ps:Point+>",
    example="The circles x² + y² = 25 and (x − 8)² + y² = 25 have centres O and Q. => O == (0, 0); Q == (8, 0)",
    counter="The circles x² + y² = 25 and (x − 8)² + y² = 25 have centres O, P and Q.",
)
def have_centres(s: State, ps: list) -> None:
    items = [item for item in s.subject if isinstance(item, Circle)]
    if len(items) != len(ps):
        raise Misread("as many centres as circles")
    for item, p in zip(items, ps, strict=False):
        item.name_centre(s, p)
