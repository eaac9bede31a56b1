"""Quotients of polynomials in the square root of pi, with algebraic coefficients.

Pi is transcendental, so its square root is too: a quotient in lowest terms with a monic denominator is a normal form,
and two numbers are equal exactly when the coefficients are.
"""

from __future__ import annotations

from flint import arb, ctx, fmpq

from geoutils.exact import algebraic as alg
from geoutils.exact import terms as form
from geoutils.exact.terms import Terms

Poly = list[Terms]  # coefficient of the k-th power of sqrt(pi) at place k, no zero at the end
Quotient = tuple[Poly, Poly]

MAX_DEGREE = 128
MAX_DENOMINATOR = 8  # degree of a denominator that is a sum; common factors cost more the higher it is


def trim(p: Poly) -> Poly:
    """Drop leading zeros, proved zero."""
    while p and form.is_zero(p[-1]):
        p.pop()
    if len(p) > MAX_DEGREE + 1:
        raise OverflowError(f"more than {MAX_DEGREE // 2} factors pi")
    return p


def poly_add(p: Poly, q: Poly) -> Poly:
    """p + q"""
    if len(p) < len(q):
        p, q = q, p
    return trim([alg.add(c, q[i]) if i < len(q) else c for i, c in enumerate(p)])


def poly_mul(p: Poly, q: Poly) -> Poly:
    """p * q"""
    if not p or not q:
        return []
    out: Poly = [form.ZERO] * (len(p) + len(q) - 1)
    for i, c in enumerate(p):
        if c:
            for j, e in enumerate(q):
                if e:
                    out[i + j] = alg.add(out[i + j], alg.mul(c, e))
    return trim(out)


def poly_divmod(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Quotient and remainder."""
    rest = list(p)
    lead = alg.inv(q[-1])
    out: Poly = [form.ZERO] * max(len(p) - len(q) + 1, 0)
    while len(rest) >= len(q):
        shift = len(rest) - len(q)
        factor = alg.mul(rest[-1], lead)
        out[shift] = factor
        for i, c in enumerate(q[:-1]):
            rest[shift + i] = alg.sub(rest[shift + i], alg.mul(factor, c))
        rest.pop()
        rest = trim(rest)
    return trim(out), rest


def poly_neg(p: Poly) -> Poly:
    """-p"""
    return [alg.neg(c) for c in p]


def reduce(top: Poly, bottom: Poly) -> Quotient:
    """The normal form of top / bottom."""
    if not bottom:
        raise ZeroDivisionError("division by zero")
    if not top:
        return [], [form.ONE]
    if len(bottom) > MAX_DENOMINATOR + 1 and any(bottom[:-1]):
        raise OverflowError("denominator with too many powers of pi")
    if len(bottom) > 1 and len(top) > 1:
        p, q = top, bottom
        while q:
            p, q = q, poly_divmod(p, q)[1]
        if len(p) > 1:
            top, bottom = poly_divmod(top, p)[0], poly_divmod(bottom, p)[0]
    if bottom[-1] != form.ONE:
        lead = alg.inv(bottom[-1])
        top = [alg.mul(c, lead) for c in top]
        bottom = [alg.mul(c, lead) for c in bottom[:-1]] + [form.ONE]
    return top, bottom


def quotient(a: Terms) -> Quotient:
    """An algebraic number as a quotient."""
    return ([a] if a else []), [form.ONE]


def add(a: Quotient, b: Quotient) -> Quotient:
    """a + b"""
    if len(a[1]) == 1 and len(b[1]) == 1:
        return poly_add(a[0], b[0]), a[1]
    return reduce(poly_add(poly_mul(a[0], b[1]), poly_mul(b[0], a[1])), poly_mul(a[1], b[1]))


def neg(a: Quotient) -> Quotient:
    """-a"""
    return poly_neg(a[0]), a[1]


def mul(a: Quotient, b: Quotient) -> Quotient:
    """a * b"""
    return reduce(poly_mul(a[0], b[0]), poly_mul(a[1], b[1]))


def inv(a: Quotient) -> Quotient:
    """1 / a"""
    return reduce(a[1], a[0])


def sqrt(a: Quotient) -> Quotient:
    """Square root of an algebraic number times a power of pi; ValueError for other sums."""
    top, bottom = a
    if any(top[:-1]) or any(bottom[:-1]):
        raise ValueError("square root of a sum with pi has no closed form here")
    power = len(top) - len(bottom)
    if power % 2:
        raise ValueError("fourth root of pi has no closed form here")
    root = alg.sqrt(top[-1])
    shifted: Poly = [form.ZERO] * abs(power // 2)
    return ([*shifted, root], [form.ONE]) if power > 0 else ([root], [*shifted, form.ONE])


def equal(a: Quotient, b: Quotient) -> bool:
    """Whether two normal forms are the same number."""
    return all(
        len(p) == len(q) and all(form.is_zero(alg.sub(c, e)) for c, e in zip(p, q, strict=True))
        for p, q in zip(a, b, strict=True)
    )


def ball(a: Quotient, precision: int) -> arb:
    """A ball that holds the number."""
    with ctx.workprec(precision):
        s = arb.pi().sqrt()
        values = []
        for p in a:
            total = arb(0)
            for c in reversed(p):
                total = total * s + form.ball(c, precision)
            values.append(total)
        return values[0] / values[1]


PI: Quotient = ([form.ZERO, form.ZERO, {1: fmpq(1)}], [form.ONE])
