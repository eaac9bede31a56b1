"""Names for vectors, position vectors, points reached by vectors."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value
from .engine import Misread, entry, primitive
from .state import State
from .tokens import Token
from .vectors import is_vector, remember

# ---- introducing ------------------------------------------------------------------------------------------------------


def _define(s: State, name: str, text: str) -> None:
    if name in s.vectors:
        raise Misread(f"{name} is already a vector")
    s.vectors[name] = text


@entry(
    "Named",
    "<u:Small>",
    "<u:Small> = <c:Coords>",
    example="The vectors u = (1, 2) and v = (3, 4) lead from A to B and C. => vec(A,B) == (1, 2); vec(A,C) == (3, 4)",
    counter="The vectors u = 5 and v lead from A to B and C.",
)
def named(s: State, u: str, c: Any = None) -> tuple:
    return u, str(value(c, s)) if c else ""


@entry(
    "Named",
    "<u:Small> of length <q:Qty>",
    example="The vector u of length 6 leads from A to B. => dist(A,B) == 6",
    counter="The vector u of length 6° leads from A to B.",
)
def named_with_length(s: State, u: str, q: Value) -> tuple:
    if q.type != "num":
        raise Misread("a length")
    return u, "|" + q.text


def _say_size(s: State, vector: str, comps: str) -> None:
    if comps.startswith("|"):
        s.add(f"norm({vector}) == {comps[1:]}")
    elif comps:
        s.add(f"{vector} == {comps}")


@entry(
    "Clause",
    "let <us:Small+> be <qs:Qtys>",
    example="Let u and v be the vectors from A to B and from A to C. |u| = 3. => dist(A,B) == 3",
    counter="Let u and v be the vectors from A to B and from A. |u| = 3.",
)
def let_vectors(s: State, us: list, qs: list) -> None:
    if len(us) != len(qs):
        raise Misread("as many names as vectors")
    for u, q in zip(us, qs, strict=False):
        _define(s, u, is_vector(q).text)


@entry(
    "Clause",
    "[the] (vector|vectors) <us:Named*> (lead|leads|go|goes|run|runs|point|points) from <a:Point> to <bs:Point*>",
    "<us:Named*> (lead|leads) from <a:Point> to <bs:Point*>",
    "[the] (vector|vectors) <us:Named*> (lead|leads) from <a:Point> to [the points] <bs:Point*> respectively",
    example="The vectors u and v lead from A to B and C. |u| = 3. => dist(A,B) == 3",
    counter="The vectors u and v lead from A to B. |u| = 3.",
)
def lead(s: State, us: list, a: str, bs: list) -> None:
    if len(us) != len(bs):
        raise Misread("as many ends as vectors")
    for (name, comps), b in zip(us, bs, strict=False):
        _define(s, name, f"vec({a},{b})")
        _say_size(s, f"vec({a},{b})", comps)
    remember(s, [Value(name, "vec") for name, _ in us])


@entry(
    "Clause",
    "[the] (vector|vectors) <us:Named*> (lead|leads) from <as_:Point*> to <bs:Point*> , respectively",
    "[the] (vector|vectors) <us:Small+> lead from <p:Point> to <q:Point> and from <c:Point> to <d:Point>",
    "[the] vector <us:Small*> leads from <p:Point> to <q:Point> and [the vector] <vs:Small*> [leads] from <c:Point> to <d:Point>",
    example="The vectors u and v lead from A to B and from C to D. |u| = 3 and |v| = 4. => dist(A,B) == 3; dist(C,D) == 4",
    counter="The vectors u and v lead from A to B and from C.",
)
def lead_from_each(
    s: State,
    us: list,
    as_: list | None = None,
    bs: list | None = None,
    p: str = "",
    q: str = "",
    c: str = "",
    d: str = "",
    vs: list | None = None,
) -> None:
    names = [u[0] if isinstance(u, tuple) else u for u in us] + (vs or [])
    starts, ends = (as_ or [p, c]), (bs or [q, d])
    if not len(names) == len(starts) == len(ends):
        raise Misread("as many ends as vectors")
    for name, a, b in zip(names, starts, ends, strict=False):
        _define(s, name, f"vec({a},{b})")
    remember(s, [Value(name, "vec") for name in names])


@entry(
    "Clause",
    "[let] <u:Small> (be|denote|is|=) [the] vector from <a:Point> to <b:Point>",
    "[let] <u:Small> (be|denote|is|=) [the] vector <p:Pair>",
    "<u:Small> [be] the vector from <a:Point> to <b:Point>",
    "<u:Small> the vector <p:Pair>",
    "[the] vector <u:Small> from <a:Point> to <b:Point>",
    example="Let u be the vector from A to B and v the vector from A to C. |u| = 3. => dist(A,B) == 3",
    counter="Let u be the vector from A and v the vector from A to C.",
)
def let_vector(s: State, u: str, a: str = "", b: str = "", p: tuple = ()) -> None:
    _define(s, u, f"vec({a or p[0]},{b or p[1]})")


@entry(
    "Clause",
    "<qs:Qtys> are <us:Named+>",
    example="The vectors from A to B and from A to C are u = (4, 1) and v = (1, 3). => vec(A,B) == (4, 1); vec(A,C) == (1, 3)",
    counter="The vectors from A to B and from A to C are u = (4, 1).",
)
def vectors_are_named(s: State, qs: list, us: list) -> None:
    if len(qs) != len(us) or not any(comps for _, comps in us):
        raise Misread("as many names as vectors")
    for q, (name, comps) in zip(qs, us, strict=False):
        is_vector(q)
        if name in s.vectors:
            s.add(f"{q} == {name}")
        else:
            _define(s, name, q.text)
        _say_size(s, q.text, comps)


@entry(
    "Clause",
    "<q:Qty> (is|=) <u:Named>",
    example="The vector from A to B is u = (4, 1). => vec(A,B) == (4, 1)",
    counter="The vector from A to B is u = 4.",
)
def vector_is_named(s: State, q: Value, u: tuple) -> None:
    if not u[1]:
        raise Misread("read elsewhere")
    vectors_are_named(s, [q], [u])


@entry(
    "Clause",
    "relative to [the] [origin|point] <o:Name>",
    "with respect to [the] [origin|point] <o:Name>",
    "relative to <o:Name> as origin",
    example="Relative to the origin O, the points A and B have position vectors a and b. |a| = 3. => dist(A,O) == 3",
    counter="Relative to the origin OP, A has position vector a.",
)
def relative(s: State, o: str) -> None:
    s.origin = o


@entry(
    "VP",
    "(has|have) [the] position (vector|vectors) <fs:Formula*> [relative to [the] [origin|point] <o:Name>|with respect to [the] [origin|point] <o:Name>]",
    example="The points A and B have the position vectors a and b relative to O. |a| = 3. => dist(A,O) == 3",
    counter="The points A and B have the position vectors a relative to O.",
)
def position_vectors(s: State, fs: list, o: str = "") -> None:
    points = [x for x in s.subject if isinstance(x, str)]
    if len(points) != len(fs):
        raise Misread("as many vectors as points")
    s.origin = o or s.origin
    for p, f in zip(points, fs, strict=False):
        item = value(f, s, "vec")
        if item.type == "tuple" and not s.origin:
            s.add(f"{p} == {item}")
            continue
        if not s.origin:
            s.curves.setdefault("waiting position", []).append((p, f))  # type: ignore[union-attr]
            s.add(f"vec(origin,{p}) == {is_vector(item)}")
            continue
        if f[0] == "var" and f[1] not in s.vectors:
            _define(s, f[1], f"vec({s.origin},{p})")
        else:
            s.add(f"vec({s.origin},{p}) == {is_vector(item)}")


@entry(
    "Clause",
    "[the] position vectors of <ps:Point+> [relative to [the] [origin|point] <o:Name>] are <fs:Formula+>",
    "[the] position vector of <ps:Point*> [relative to [the] [origin|point] <o:Name>] is <fs:Formula*>",
    example="The position vectors of A and B relative to O are a and b. |a| = 3. => dist(A,O) == 3",
    counter="The position vectors of A and B are a.",
)
def position_vectors_of(s: State, ps: list, fs: list, o: str = "") -> None:
    s.subject = ps
    position_vectors(s, fs, o)


@entry(
    "Clause",
    "<p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>",
    "[the] point <p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>",
    "(going|starting) from <a:Point> by [the] [vector] <q:Qty> (leads to|gives) <p:Point>",
    example="The vectors u and v lead from A to B and C. The point D is reached from A by the vector (2u + v)/3. => vec(A,D) == (2*vec(A,B) + vec(A,C))/3",
    counter="The point D is reached from A by the vector 3.",
)
def reached(s: State, p: str, a: str, q: Value) -> None:
    s.add(f"vec({a},{p}) == {is_vector(q)}")


@entry(
    "Clause",
    "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t with 0 LT t LT 1",
    "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> with 0 LT t LT 1",
    example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t with 0 < t < 1. => on_segment(P,A,B)",
    counter="The point P is A + tu.",
)
def on_parameter_segment(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_segment({p},{a},{a} + ({t}))")


@entry(
    "Clause",
    "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) (positive number t|number t GT 0)",
    example="The vectors u and v lead from A to B and C. The point P is A + tu for a positive number t. => on_ray(P,A,B)",
    counter="The point P is A + tu.",
)
def on_parameter_ray(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_ray({p},{a},{a} + ({t}))")


@entry(
    "Clause",
    "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t",
    example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t. => on_line(P,A,B)",
    counter="The point P is A + tu.",
)
def on_parameter_line(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_line({p},{a},{a} + ({t}))")


@primitive("Scaled")
def read_scaled(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
    """`tu`: the number t times the vector u."""
    if at < len(tokens) and tokens[at].kind == "word" and len(tokens[at].text) == 2 and tokens[at].text[0] == "t":
        return [(at + 1, ("var", tokens[at].text[1]))]
    return []


@entry(
    "Multiple",
    "<f:Scaled>",
    "t <f:Formula>",
    example="The vectors u and v lead from A to B and C. The point P is B + t(v − u) for a number t. => on_line(P,B,C)",
    counter="The point P is B + t5 for a number t.",
)
def multiple(s: State, f: Any) -> Value:
    return is_vector(value(f, s, "vec"))
