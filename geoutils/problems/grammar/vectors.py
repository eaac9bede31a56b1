"""Vectors: names, lengths, scalar products, multiples, points reached by vectors, position vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .algebra import Value, value
from .engine import Misread, entry, primitive
from .state import State, same
from .tokens import Token


def vector(a: str, b: str) -> Value:
    return Value(f"vec({a},{b})", "vec")


def _remember(s: State, rows: list) -> list:
    s.curves["vectors"] = rows
    return rows


def is_vector(item: Value) -> Value:
    if item.type not in ("vec", "tuple"):
        raise Misread("a vector")
    return item


@entry("Qty", "[the] vector from <a:Point> to <b:Point>", example="The vector from A to B is (3, −4). => vec(A,B) == (3, -4)", counter="The vector from A is (3, −4).")
def vector_from(s: State, a: str, b: str) -> Value:
    return vector(a, b)


@entry("Qty", "[the] vector <p:Pair>", example="The vector AB is (3, −4). => vec(A,B) == (3, -4)", counter="The vector ABC is (3, −4).")
def vector_of(s: State, p: tuple) -> Value:
    return vector(*p)


@entry("Qty", "[the] vector <f:Formula>", example="The vectors u and v lead from A to B and C. The vector u + v has length 5. => norm(vec(A,B) + vec(A,C)) == 5", counter="The vector 5 has length 5.")
def vector_formula(s: State, f: Any) -> Value:
    return replace(is_vector(value(f, s, "vec")), loose=False)


@entry("Qty", "[the] zero vector", example="The sum of the vectors from P to A and B is the zero vector. => vec(P,A) + vec(P,B) == (0, 0)", counter="The sum of the vectors from P to A and B is zero.")
def zero_vector(s: State) -> Value:
    return Value("(0, 0, 0)" if s.solid else "(0, 0)", "tuple", 3 if s.solid else 2)


@entry("Qty", "[the] (point) <p:Point>", example="The vectors u and v lead from A to B and C. The point D is A + 2u − v. => D == A + 2*vec(A,B) - vec(A,C)", counter="The point D is 2u.")
def point_value(s: State, p: str) -> Value:
    return Value(p, "pt")


@entry("Qtys", "[the] points <ps:Point+>", example="The vectors u and v lead from A to B and C. The points D and E are A + u/2 and A + v/3. => D == A + vec(A,B)/2; E == A + vec(A,C)/3", counter="The points D and E are A + u/2.")
def point_values(s: State, ps: list) -> list:
    return [Value(p, "pt") for p in ps]


@entry("Qtys", "[the] vectors from <a:Point> to <bs:Point+>", example="The vectors from A to B and C are (1, 2) and (3, 4). => vec(A,B) == (1, 2); vec(A,C) == (3, 4)", counter="The vectors from A to B are (1, 2) and (3, 4).")
def vectors_from_one(s: State, a: str, bs: list) -> list:
    return _remember(s, [vector(a, b) for b in bs])


@entry("Qtys", "[the] vectors from <a:Point> to <b:Point> and [from] <c:Point> to <d:Point>", "[the] vectors from <a:Point> to <b:Point> , [from] <c:Point> to <d:Point> and [from] <e:Point> to <f:Point>", example="The vectors from A to C and B to D are perpendicular. => perp(A,C,B,D)", counter="The vectors from A to C and B are perpendicular.")
def vectors_from(s: State, a: str, b: str, c: str, d: str, e: str = "", f: str = "") -> list:
    return _remember(s, [vector(a, b), vector(c, d)] + ([vector(e, f)] if e else []))


@entry("Qtys", "[the] vectors <ps:Pair+>", example="The vectors AB and CD are parallel. => parallel(A,B,C,D)", counter="The vectors AB and C are parallel.")
def vectors_named_by_points(s: State, ps: list) -> list:
    return _remember(s, [vector(*p) for p in ps])


@entry("Qtys", "[the] vectors <fs:Formula*>", example="The vectors u and v lead from A to B and C. The vectors u + v and u − v are perpendicular. => perp(vec(A,B) + vec(A,C),vec(C,B))", counter="The vectors u and 5 are perpendicular.")
def vectors_named(s: State, fs: list) -> list:
    return _remember(s, [is_vector(value(f, s, "vec")) for f in fs])


@entry("Qty", "[the] sum of <qs:Qtys>", example="The sum of the vectors from P to A and B is (3, 4). => vec(P,A) + vec(P,B) == (3, 4)", counter="The sum of the vectors from P to A is (3, 4).")
def sum_of_vectors(s: State, qs: list) -> Value:
    if len(qs) < 2 or any(q.type != qs[0].type for q in qs):
        raise Misread("two of a kind")
    return Value(" + ".join(q.text for q in qs), qs[0].type)


@entry("Total", "<k:Formula> times <f:Formula> plus <m:Formula> times <g:Formula>", "<f:Formula> plus <m:Formula> times <g:Formula>", "<f:Formula> plus <g:Formula>", example="The vectors u and v lead from A to B and C. The vector from A to D is 2/5 times u plus 3/5 times v. => 2/5*vec(A,B) + 3/5*vec(A,C) == vec(A,D)", counter="The vector from A to D is 2/5 times u plus.")
def plus(s: State, f: Any, g: Any, k: Any = None, m: Any = None) -> Value:
    left, right = is_vector(value(f, s, "vec")), is_vector(value(g, s, "vec"))
    one = f"({value(k, s)})*({left})" if k else left.text
    two = f"({value(m, s)})*({right})" if m else f"({right})"
    return Value(f"{one} + {two}", "vec")


@entry("Clause", "<q:Qty> (is|equals) <t:Total>", example="The vectors u and v lead from A to B and C. The vector from A to D is u plus 1/2 times v. => vec(A,D) == vec(A,B) + 1/2*vec(A,C)", counter="The vector from A to D is u plus 5.")
def is_total(s: State, q: Value, t: Value) -> None:
    same(s, q, t)


@entry("Qty", "<k:Formula> of <q:Qty>", example="The vector from B to D is 2/3 of the vector from B to C. => vec(B,D) == 2/3*vec(B,C)", counter="The vector from B to D is 60° of the vector from B to C.")
def part_of(s: State, k: Any, q: Value) -> Value:
    number = value(k, s)
    if number.type != "num" or q.loose:
        raise Misread("a number of it, and a sum needs brackets")
    return Value(f"({number})*({is_vector(q)})", "vec")


@entry("Qty", "<f:Formula> turned by <q:Qty> <w:Sense>", example="The vectors u and v lead from A to B and C. The vector from A to D is u turned by 90° anticlockwise. => rotate(vec(A,B),(0, 0),deg(90)) == vec(A,D)", counter="The vector from A to D is u turned by 90°.")
def turned(s: State, f: Any, q: Value, w: int) -> Value:
    if not q.text.startswith("deg("):
        raise Misread("whole degrees")
    return Value(f"rotate({is_vector(value(f, s, 'vec'))},(0, 0),deg({'-' if w < 0 else ''}{q.text[4:-1]}))", "vec")


@entry("Clause", "[the] vector <p:Pair> (is|equals|=) <f:Formula>", example="The vector AC is AB + AD. => vec(A,B) + vec(A,D) == vec(A,C)", counter="The vector AC is AB + 5.")
def vector_is(s: State, p: tuple, f: Any) -> None:
    same(s, vector(*p), is_vector(value(f, s, "vec")))


@entry("Clause", "[the] vector <p:Pair> is the sum of [the vectors] <a:Pair> and <b:Pair>", example="The vector AC is the sum of AB and AD. => vec(A,B) + vec(A,D) == vec(A,C)", counter="The vector AC is the sum of AB.")
def vector_is_sum(s: State, p: tuple, a: tuple, b: tuple) -> None:
    s.add(f"vec({','.join(p)}) == vec({','.join(a)}) + vec({','.join(b)})")


@entry("Clause", "<qs:Qtys> add up to <q:Qty>", example="The vectors from G to A, B and C add up to the zero vector. => vec(G,A) + vec(G,B) + vec(G,C) == (0, 0)", counter="The vectors from G to A, B and C add up to 5.")
def add_up(s: State, qs: list, q: Value) -> None:
    same(s, sum_of_vectors(s, qs), q)


@entry("Qtys", "their (lengths|magnitudes)", example="The vectors u and v lead from A to B and C. Their lengths are 3 and 4. => dist(A,B) == 3; dist(A,C) == 4", counter="Their lengths are 3 and 4.")
def their_lengths(s: State) -> list:
    return [Value(f"norm({is_vector(item)})", "num") for item in s.curves["vectors"]]


@entry("Qty", "[the] difference <f:Formula>", "[the] sum <f:Formula>", example="The vectors u and v lead from A to B and C. The difference v − u has length 5. => dist(B,C) == 5", counter="The difference has length 5.")
def difference(s: State, f: Any) -> Value:
    return value(f, s, "vec")


# ---- introducing ------------------------------------------------------------------------------------------------------

def _define(s: State, name: str, text: str) -> None:
    if name in s.vectors:
        raise Misread(f"{name} is already a vector")
    s.vectors[name] = text


@entry("Named", "<u:Small>", "<u:Small> = <c:Coords>", example="The vectors u = (1, 2) and v = (3, 4) lead from A to B and C. => vec(A,B) == (1, 2); vec(A,C) == (3, 4)", counter="The vectors u = 5 and v lead from A to B and C.")
def named(s: State, u: str, c: Any = None) -> tuple:
    return u, str(value(c, s)) if c else ""


@entry("Named", "<u:Small> of length <q:Qty>", example="The vector u of length 6 leads from A to B. => dist(A,B) == 6", counter="The vector u of length 6° leads from A to B.")
def named_with_length(s: State, u: str, q: Value) -> tuple:
    if q.type != "num":
        raise Misread("a length")
    return u, "|" + q.text


def _say_size(s: State, vector: str, comps: str) -> None:
    if comps.startswith("|"):
        s.add(f"norm({vector}) == {comps[1:]}")
    elif comps:
        s.add(f"{vector} == {comps}")


@entry("Clause", "let <us:Small+> be <qs:Qtys>", example="Let u and v be the vectors from A to B and from A to C. |u| = 3. => dist(A,B) == 3", counter="Let u and v be the vectors from A to B and from A. |u| = 3.")
def let_vectors(s: State, us: list, qs: list) -> None:
    if len(us) != len(qs):
        raise Misread("as many names as vectors")
    for u, q in zip(us, qs, strict=False):
        _define(s, u, is_vector(q).text)


@entry("Clause", "[the] (vector|vectors) <us:Named*> (lead|leads|go|goes|run|runs|point|points) from <a:Point> to <bs:Point*>", "<us:Named*> (lead|leads) from <a:Point> to <bs:Point*>", "[the] (vector|vectors) <us:Named*> (lead|leads) from <a:Point> to [the points] <bs:Point*> respectively",
       example="The vectors u and v lead from A to B and C. |u| = 3. => dist(A,B) == 3", counter="The vectors u and v lead from A to B. |u| = 3.")
def lead(s: State, us: list, a: str, bs: list) -> None:
    if len(us) != len(bs):
        raise Misread("as many ends as vectors")
    for (name, comps), b in zip(us, bs, strict=False):
        _define(s, name, f"vec({a},{b})")
        _say_size(s, f"vec({a},{b})", comps)
    _remember(s, [Value(name, "vec") for name, _ in us])


@entry("Clause", "[the] (vector|vectors) <us:Named*> (lead|leads) from <as_:Point*> to <bs:Point*> , respectively", "[the] (vector|vectors) <us:Small+> lead from <p:Point> to <q:Point> and from <c:Point> to <d:Point>", "[the] vector <us:Small*> leads from <p:Point> to <q:Point> and [the vector] <vs:Small*> [leads] from <c:Point> to <d:Point>",
       example="The vectors u and v lead from A to B and from C to D. |u| = 3 and |v| = 4. => dist(A,B) == 3; dist(C,D) == 4", counter="The vectors u and v lead from A to B and from C.")
def lead_from_each(s: State, us: list, as_: list | None = None, bs: list | None = None, p: str = "", q: str = "", c: str = "", d: str = "", vs: list | None = None) -> None:
    names = [u[0] if isinstance(u, tuple) else u for u in us] + (vs or [])
    starts, ends = (as_ or [p, c]), (bs or [q, d])
    if not len(names) == len(starts) == len(ends):
        raise Misread("as many ends as vectors")
    for name, a, b in zip(names, starts, ends, strict=False):
        _define(s, name, f"vec({a},{b})")
    _remember(s, [Value(name, "vec") for name in names])


@entry("Clause", "[let] <u:Small> (be|denote|is|=) [the] vector from <a:Point> to <b:Point>", "[let] <u:Small> (be|denote|is|=) [the] vector <p:Pair>", "<u:Small> [be] the vector from <a:Point> to <b:Point>", "<u:Small> the vector <p:Pair>", "[the] vector <u:Small> from <a:Point> to <b:Point>",
       example="Let u be the vector from A to B and v the vector from A to C. |u| = 3. => dist(A,B) == 3", counter="Let u be the vector from A and v the vector from A to C.")
def let_vector(s: State, u: str, a: str = "", b: str = "", p: tuple = ()) -> None:
    _define(s, u, f"vec({a or p[0]},{b or p[1]})")


@entry("Clause", "<qs:Qtys> are <us:Named+>", example="The vectors from A to B and from A to C are u = (4, 1) and v = (1, 3). => vec(A,B) == (4, 1); vec(A,C) == (1, 3)", counter="The vectors from A to B and from A to C are u = (4, 1).")
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


@entry("Clause", "<q:Qty> (is|=) <u:Named>", example="The vector from A to B is u = (4, 1). => vec(A,B) == (4, 1)", counter="The vector from A to B is u = 4.")
def vector_is_named(s: State, q: Value, u: tuple) -> None:
    if not u[1]:
        raise Misread("read elsewhere")
    vectors_are_named(s, [q], [u])


@entry("Clause", "relative to [the] [origin|point] <o:Name>", "with respect to [the] [origin|point] <o:Name>", "relative to <o:Name> as origin", example="Relative to the origin O, the points A and B have position vectors a and b. |a| = 3. => dist(A,O) == 3", counter="Relative to the origin OP, A has position vector a.")
def relative(s: State, o: str) -> None:
    s.origin = o


@entry("VP", "(has|have) [the] position (vector|vectors) <fs:Formula*> [relative to [the] [origin|point] <o:Name>|with respect to [the] [origin|point] <o:Name>]", example="The points A and B have the position vectors a and b relative to O. |a| = 3. => dist(A,O) == 3", counter="The points A and B have the position vectors a relative to O.")
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


@entry("Clause", "[the] position vectors of <ps:Point+> [relative to [the] [origin|point] <o:Name>] are <fs:Formula+>", "[the] position vector of <ps:Point*> [relative to [the] [origin|point] <o:Name>] is <fs:Formula*>", example="The position vectors of A and B relative to O are a and b. |a| = 3. => dist(A,O) == 3", counter="The position vectors of A and B are a.")
def position_vectors_of(s: State, ps: list, fs: list, o: str = "") -> None:
    s.subject = ps
    position_vectors(s, fs, o)


@entry("Clause", "<p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>", "[the] point <p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>", "(going|starting) from <a:Point> by [the] [vector] <q:Qty> (leads to|gives) <p:Point>",
       example="The vectors u and v lead from A to B and C. The point D is reached from A by the vector (2u + v)/3. => vec(A,D) == (2*vec(A,B) + vec(A,C))/3", counter="The point D is reached from A by the vector 3.")
def reached(s: State, p: str, a: str, q: Value) -> None:
    s.add(f"vec({a},{p}) == {is_vector(q)}")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t with 0 LT t LT 1", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> with 0 LT t LT 1",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t with 0 < t < 1. => on_segment(P,A,B)", counter="The point P is A + tu.")
def on_parameter_segment(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_segment({p},{a},{a} + ({t}))")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) (positive number t|number t GT 0)",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a positive number t. => on_ray(P,A,B)", counter="The point P is A + tu.")
def on_parameter_ray(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_ray({p},{a},{a} + ({t}))")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t. => on_line(P,A,B)", counter="The point P is A + tu.")
def on_parameter_line(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_line({p},{a},{a} + ({t}))")


@primitive("Scaled")
def read_scaled(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
    """`tu`: the number t times the vector u."""
    if at < len(tokens) and tokens[at].kind == "word" and len(tokens[at].text) == 2 and tokens[at].text[0] == "t":
        return [(at + 1, ("var", tokens[at].text[1]))]
    return []


@entry("Multiple", "<f:Scaled>", "t <f:Formula>", example="The vectors u and v lead from A to B and C. The point P is B + t(v − u) for a number t. => on_line(P,B,C)", counter="The point P is B + t5 for a number t.")
def multiple(s: State, f: Any) -> Value:
    return is_vector(value(f, s, "vec"))
