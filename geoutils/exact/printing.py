"""Printing exact numbers: as statements do (text), as tables do (ascii), as solutions do (latex)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flint import fmpq

from geoutils.exact import algebraic as alg
from geoutils.exact import terms as form
from geoutils.exact.angle import Angle, degrees
from geoutils.exact.terms import Terms

if TYPE_CHECKING:
    from geoutils.exact.real import Real

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Style(NamedTuple):
    """Spelling of the parts."""

    name: str
    times: str
    plus: str
    minus: str
    pi: str


TEXT = Style("text", "", " + ", " - ", "π")
ASCII = Style("ascii", "*", "+", "-", "pi")
LATEX = Style("latex", " ", " + ", " - ", r"\pi")


class Term(NamedTuple):
    """A rational coefficient and the printed factors it multiplies."""

    coefficient: fmpq
    factors: tuple[str, ...]


def _root(style: Style, inside: str) -> str:
    if style is TEXT:
        return f"√{inside}" if inside.isdigit() or inside == "π" else f"√({inside})"
    return f"sqrt({inside})" if style is ASCII else rf"\sqrt{{{inside}}}"


def _power_of_pi(style: Style, half: int) -> tuple[str, ...]:
    """Factors for the square root of pi to the power `half`."""
    whole, odd = divmod(half, 2)
    factors: tuple[str, ...] = ()
    if whole:
        if whole == 1:
            factors = (style.pi,)
        elif style is TEXT:
            factors = (style.pi + str(whole).translate(_SUPERSCRIPTS),)
        else:
            factors = (f"pi**{whole}",) if style is ASCII else (rf"\pi^{{{whole}}}",)
    return (*factors, _root(style, style.pi)) if odd else factors


def _over(style: Style, top: str, bottom: str, plain: bool) -> str:
    """top / bottom, where `plain` tells that top needs no brackets."""
    if style is LATEX:
        return rf"\frac{{{top}}}{{{bottom}}}"
    return f"{top}/{bottom}" if plain else f"({top})/{bottom}"


def _print_term(style: Style, term: Term) -> str:
    """A term without its sign."""
    p, q = abs(term.coefficient.p), term.coefficient.q
    parts = list(term.factors) if p == 1 and term.factors else [str(p), *term.factors]
    top = style.times.join(parts)
    return top if q == 1 else _over(style, top, str(q), True)


def _join(style: Style, terms: list[Term]) -> str:
    """The sum, a positive term first where there is one."""
    if not terms:
        return "0"
    first = next((i for i, t in enumerate(terms) if t.coefficient > 0), 0)
    terms = [terms[first], *terms[:first], *terms[first + 1 :]]
    out = "-" if terms[0].coefficient < 0 else ""
    out += _print_term(style, terms[0])
    for term in terms[1:]:
        out += (style.minus if term.coefficient < 0 else style.plus) + _print_term(style, term)
    return out


def _sum(style: Style, terms: list[Term]) -> str:
    """The sum as it stands, or over one denominator if that is not longer."""
    apart = _join(style, terms)
    bottom = 1
    for term in terms:
        bottom = int(term.coefficient.q.lcm(bottom)) if bottom != 1 else int(term.coefficient.q)
    if len(terms) < 2 or bottom == 1:
        return apart
    whole = _join(style, [Term(t.coefficient * bottom, t.factors) for t in terms])
    together = _over(style, whole, str(bottom), False)
    if style is LATEX:
        return together if _sum_is_short(terms, bottom) else apart
    return together if len(together) <= len(apart) else apart


def _sum_is_short(terms: list[Term], bottom: int) -> bool:
    plain = Style("plain", "", "+", "-", "p")
    whole = _join(plain, [Term(t.coefficient * bottom, t.factors) for t in terms])
    return len(f"({whole})/{bottom}") + len(terms) <= len(_join(plain, terms)) + len(terms)


def _algebraic_terms(style: Style, a: Terms) -> list[Term]:
    """Printed terms of an algebraic number: nested roots grouped and put in their shortest form."""
    groups: dict[tuple[form.Root, ...], Terms] = {}
    for key in sorted(a, key=form.key_order):
        d, roots = (key, ()) if type(key) is int else key
        groups.setdefault(roots, {})[d] = a[key]
    out: list[Term] = []
    for roots in sorted(groups, key=lambda rs: (len(rs), tuple(r.order for r in rs))):
        out.extend(_group_terms(style, groups[roots], roots))
    return out


def _group_terms(style: Style, factor: Terms, roots: tuple[form.Root, ...]) -> list[Term]:
    tail = tuple(_root(style, algebraic(style, root.radicand)) for root in roots)
    spread = [
        Term(c, tail if d == 1 else (_root(style, str(d)), *tail)) for d, c in sorted(factor.items())
    ]
    if len(roots) != 1:
        return spread
    inside = alg.mul(alg.mul(factor, factor), roots[0].radicand)
    outer = alg.content(inside)
    s, d = alg.sqrt_rational(outer).popitem()[::-1] if _factors(outer) else (None, 0)
    if s is None:
        return spread
    rest = alg.scale(inside, fmpq(d) / outer)
    negative = form.sign(factor) < 0
    one = [Term(-s if negative else s, (_root(style, algebraic(style, rest)),))]
    # outer = s*s*d, so that factor * root = s * sqrt(d * inside / outer)
    return one if len(_join(style, one)) <= len(_join(style, spread)) else spread


def _factors(q: fmpq) -> bool:
    """Whether the number is small enough to look for squares in it."""
    return q.height_bits() <= form.MAX_RADICAND_BITS


def algebraic(style: Style, a: Terms) -> str:
    """An algebraic number in the style."""
    return _sum(style, _algebraic_terms(style, a))


def _polynomial_terms(style: Style, p: list[Terms]) -> list[Term]:
    out: list[Term] = []
    for power in range(len(p) - 1, -1, -1):
        pis = _power_of_pi(style, power)
        out.extend(Term(t.coefficient, (*pis, *t.factors)) for t in _algebraic_terms(style, p[power]))
    return out


def _print(style: Style, x: Real) -> str:
    if not x.has_pi():
        q = x._rational()
        return algebraic(style, x.terms() if q is None else alg.rational(q))
    top, bottom = x.quotient()
    if len(bottom) == 1:
        return _sum(style, _polynomial_terms(style, top))
    scale = form.denominator({(i, k): c for i, t in enumerate([*top, *bottom]) for k, c in t.items()})
    numerator = _polynomial_terms(style, [alg.scale(c, fmpq(scale)) for c in top])
    denominator = _polynomial_terms(style, [alg.scale(c, fmpq(scale)) for c in bottom])
    above, below = _join(style, numerator), _join(style, denominator)
    if style is LATEX:
        return rf"\frac{{{above}}}{{{below}}}"
    if len(numerator) > 1:
        above = f"({above})"
    simple = len(denominator) == 1 and denominator[0].coefficient == 1 and len(denominator[0].factors) == 1
    return f"{above}/{below}" if simple else f"{above}/({below})"


def real_text(x: Real) -> str:
    """`3√2/5`"""
    return _print(TEXT, x)


def real_ascii(x: Real) -> str:
    """`3*sqrt(2)/5`"""
    return _print(ASCII, x)


def real_latex(x: Real) -> str:
    r"""`\\frac{3\\sqrt{2}}{5}`"""
    return _print(LATEX, x)


# --- angles ----------------------------------------------------------------------------------------------------------


def _inverse(style: Style, name: str, inside: str) -> str:
    if style is LATEX:
        one_fraction = inside.startswith(r"\frac") and inside.count("frac") == 1 and inside.endswith("}")
        plain = inside.isdigit() or one_fraction
        return rf"\{name} {inside}" if plain else rf"\{name}\left({inside}\right)"
    return f"{name}({inside})"


def _print_angle(style: Style, angle: Angle) -> str:
    degree = {"text": "°", "ascii": "", "latex": r"^\circ"}[style.name]
    q = angle._rational_degrees()
    if q is not None:
        return (_short_decimal(q) if style is TEXT else algebraic(style, alg.rational(q))) + degree
    if angle._turns:
        inner = angle - degrees(360 * angle._turns)
        rest = _print_angle(style, inner)
        joint = style.minus if rest.startswith("-") else style.plus
        return f"{360 * angle._turns}{degree}{joint}{rest.removeprefix('-')}"
    if angle.sign() < 0:
        return "-" + _print_angle(style, -angle)
    candidates = []
    acute = angle < degrees(90)
    if acute:
        candidates.append(_inverse(style, "arctan", _print(style, angle.tan)))
    candidates.append(_inverse(style, "arccos", _print(style, angle.cos)))
    if acute:
        candidates.append(_inverse(style, "arcsin", _print(style, angle.sin)))
    return min(candidates, key=len)


def _short_decimal(q: fmpq) -> str:
    """A rational number for the degree sign: `22.5`, and `(100/3)` where decimals do not end soon."""
    if q.q == 1:
        return str(q.p)
    if 1000 % int(q.q):
        return f"({q})"
    scaled = abs(int((q * 1000).p))
    return ("-" if q < 0 else "") + f"{scaled // 1000}.{scaled % 1000:03d}".rstrip("0")


def angle_text(angle: Angle) -> str:
    """`60°` or `arctan(2/3)`"""
    return _print_angle(TEXT, angle)


def angle_ascii(angle: Angle) -> str:
    """`60` or `arctan(2/3)`"""
    return _print_angle(ASCII, angle)


def angle_latex(angle: Angle) -> str:
    r"""`60^\\circ` or `\\arctan \\frac{2}{3}`"""
    return _print_angle(LATEX, angle)
