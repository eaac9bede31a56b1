"""Arithmetic and square roots of the algebraic numbers of `terms`."""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from geoutils.exact.terms import (
    MAX_RADICAND_BITS,
    MAX_TERMS,
    ONE,
    WORK_BITS,
    Root,
    Terms,
    ball,
    denominator,
    field,
    is_flat,
    is_zero,
    refine,
    sign,
)


def rational(q: fmpq) -> Terms:
    """The number `q` as terms."""
    return {1: q} if q else {}


def _checked(a: Terms) -> Terms:
    if len(a) > MAX_TERMS:
        raise OverflowError(f"more than {MAX_TERMS} different square roots in one number")
    for c in a.values():
        if c.height_bits() > WORK_BITS:
            raise OverflowError("number too large in an intermediate step")
    return a


def add(a: Terms, b: Terms) -> Terms:
    """a + b"""
    if len(a) < len(b):
        a, b = b, a
    out = dict(a)
    for key, c in b.items():
        old = out.get(key)
        if old is None:
            out[key] = c
        else:
            c = old + c
            if c:
                out[key] = c
            else:
                del out[key]
    return out


def neg(a: Terms) -> Terms:
    """-a"""
    return {key: -c for key, c in a.items()}


def sub(a: Terms, b: Terms) -> Terms:
    """a - b"""
    return add(a, neg(b))


def scale(a: Terms, q: fmpq) -> Terms:
    """a times a rational number"""
    return {key: c * q for key, c in a.items()} if q else {}


def mul(a: Terms, b: Terms) -> Terms:
    """a * b"""
    out: Terms = {}
    for key, c in a.items():
        for other, e in b.items():
            if type(key) is int and type(other) is int:
                if key == 1:
                    new, factor = other, c * e
                elif other == 1:
                    new, factor = key, c * e
                elif key == other:
                    new, factor = 1, c * e * key
                else:
                    g = gcd(key, other)
                    new, factor = (key // g) * (other // g), c * e * g
                old = out.get(new)
                if old is not None:
                    factor = old + factor
                if factor:
                    out[new] = factor
                elif old is not None:
                    del out[new]
            else:
                for new, factor in _mul_keys(key, other).items():
                    factor = factor * c * e
                    old = out.get(new)
                    if old is not None:
                        factor = old + factor
                    if factor:
                        out[new] = factor
                    elif old is not None:
                        del out[new]
    return _checked(out)


@lru_cache(maxsize=1 << 15)
def _mul_keys(key: Any, other: Any) -> Terms:
    d, roots = (key, ()) if type(key) is int else key
    e, more = (other, ()) if type(other) is int else other
    g = gcd(d, e)
    extra: Terms = {(d // g) * (e // g): fmpq(g)}
    left = [root for root in roots if root not in more] + [root for root in more if root not in roots]
    for root in roots:
        if root in more:
            extra = mul(extra, root.radicand)
    for i, first in enumerate(left):
        for second in left[i + 1 :]:
            product = _root_product(first, second)
            if product is not None:
                rest = [root for root in left if root is not first and root is not second]
                return mul(mul(extra, product), _monomial(rest))
    if not left:
        return extra
    tail = _monomial(left)
    return tail if extra == ONE else _attach(extra, left)


def _monomial(roots: list[Root]) -> Terms:
    return {(1, tuple(sorted(roots))): fmpq(1)} if roots else ONE


def _attach(a: Terms, roots: list[Root]) -> Terms:
    """a times the product of `roots`, none of which needs simplifying against each other."""
    if is_flat(a):
        tail = tuple(sorted(roots))
        return {(d, tail): c for d, c in a.items()}
    return mul(a, _monomial(roots))


@lru_cache(maxsize=4096)
def _root_product(first: Root, second: Root) -> Terms | None:
    """The product of two nested roots without new roots, if it has such a form."""
    return denest(mul(first.radicand, second.radicand))


def split(a: Terms, root: Root) -> tuple[Terms, Terms]:
    """(A, B) with a = A + B * root."""
    rest: Terms = {}
    part: Terms = {}
    for key, c in a.items():
        if type(key) is not int and root in key[1]:
            left = tuple(r for r in key[1] if r != root)
            part[(key[0], left) if left else key[0]] = c
        else:
            rest[key] = c
    return rest, part


def _split_flat(a: Terms) -> tuple[int, Terms, Terms]:
    """(b, A, B) with a = A + B * sqrt(b), b > 1 prime to all numbers under roots in A and B."""
    b = min(d for d in a if d != 1)
    settled = False
    while not settled:
        settled = True
        for d in a:
            g = gcd(b, d)
            if 1 < g < b:
                b, settled = g, False
    return b, {d: c for d, c in a.items() if d % b}, {d // b: c for d, c in a.items() if d % b == 0}


def _generator(a: Terms) -> tuple[Terms, Terms, Terms, Terms]:
    """(A, B, r, t): a = A + B * t, t * t = r, with t the deepest root of a."""
    top = max((root for key in a if type(key) is not int for root in key[1]), default=None)
    if top is not None:
        return (*split(a, top), top.radicand, _monomial([top]))
    b, rest, part = _split_flat(a)
    return rest, part, {1: fmpq(b)}, {b: fmpq(1)}


def inv(a: Terms) -> Terms:
    """1 / a, by conjugates.  ZeroDivisionError if a is zero, which is proved."""
    if len(a) == 1:
        ((key, c),) = a.items()
        if type(key) is int:
            return {key: 1 / (c * key)}
        d, roots = key
        out = _attach({d: 1 / (c * d)}, list(roots))
        for root in roots:
            out = mul(out, inv(root.radicand))
        return out
    if is_zero(a):
        raise ZeroDivisionError("division by zero")
    rest, part, square, root = _generator(a)
    norm = sub(mul(rest, rest), mul(mul(part, part), square))
    if is_zero(norm):  # the deepest root is not independent, and a is twice its other half
        return inv(scale(rest, fmpq(2)))
    return mul(sub(rest, mul(part, root)), inv(norm))


def as_rational(a: Terms) -> fmpq | None:
    """The rational number that a is, or None if it is proved to be none."""
    if not a:
        return fmpq(0)
    if is_flat(a):
        return a[1] if len(a) == 1 and 1 in a else None
    whole = denominator(a)
    precision = 64
    while True:
        with ctx.workprec(precision):
            near = ball(a, precision) * whole
            guess = (near.mid() + arb(0.5)).floor().unique_fmpz()
        if near.rad() < 0.125:
            break
        precision *= 2
    if guess is None or not near.contains(arb(guess)):
        return None
    value = fmpq(guess, whole)  # whole * a is an algebraic integer: if rational, it is this integer
    return value if is_zero(sub(a, rational(value))) else None


_SMALL_PRIMES = [n for n in range(2, 200) if all(n % k for k in range(2, isqrt(n) + 1))]


@lru_cache(maxsize=8192)
def squarefree(n: int) -> tuple[int, int]:
    """(s, d) with n = s*s*d and d squarefree, n >= 1."""
    root = isqrt(n)
    if root * root == n:
        return root, 1
    s = d = 1
    if n.bit_length() > MAX_RADICAND_BITS:  # small factors may still leave a square
        for prime in _SMALL_PRIMES:
            while n % (prime * prime) == 0:
                n //= prime * prime
                s *= prime
            if n % prime == 0:
                n //= prime
                d *= prime
        root = isqrt(n)
        if root * root == n:
            return s * root, d
        if n.bit_length() > MAX_RADICAND_BITS:
            raise OverflowError(f"number under a square root has more than {MAX_RADICAND_BITS} bits")
    for factor, power in fmpz(n).factor():
        s *= int(factor) ** (power // 2)
        if power % 2:
            d *= int(factor)
    return s, d


def sqrt_rational(q: fmpq) -> Terms:
    """Square root of a rational number >= 0."""
    if not q:
        return {}
    s, d = squarefree(int(q.p))
    t, e = squarefree(int(q.q))
    return {d * e: fmpq(s, t * e)}


def content(a: Terms) -> fmpq:
    """The positive rational g for which a/g has coprime whole coefficients."""
    top, bottom = fmpz(0), fmpz(1)
    for c in a.values():
        top, bottom = top.gcd(c.p), bottom.lcm(c.q)
    return fmpq(top, bottom)


def _within(a: Terms, base: list[int], roots: set[Root]) -> bool:
    more, others = field(a)
    grown = list(base)
    for d in more:
        refine(grown, d)
    return len(grown) == len(base) and others <= roots


def denest(a: Terms) -> Terms | None:
    """Square root of a >= 0 with no nested root that a has not, or None if there is none within the bounds."""
    try:
        return _denest(a)
    except OverflowError:
        return None


def _denest(a: Terms) -> Terms | None:
    if not a:
        return {}
    if len(a) == 1 and 1 in a:
        return sqrt_rational(a[1])
    rest, part, square, root = _generator(a)
    norm = sub(mul(rest, rest), mul(mul(part, part), square))
    if sign(norm) < 0:
        return None
    base, roots = field(rest, part, *([] if len(square) == 1 and 1 in square else [square]))
    half = _denest(norm)  # if a = c*y*y with c rational, this is c times the norm of y, and in the smaller field
    if half is None or not _within(half, base, roots):
        return None
    for difference in (half, neg(half)):
        candidate = scale(add(rest, difference), fmpq(1, 2))
        if sign(candidate) <= 0:
            continue
        first = _denest(candidate)
        if first is not None:
            whole = add(first, scale(mul(mul(part, root), inv(first)), fmpq(1, 2)))
            return whole if sign(whole) > 0 else neg(whole)
    return None


def sqrt(a: Terms) -> Terms:
    """The square root; ValueError below zero, OverflowError past the bounds on size and nesting."""
    s = sign(a)
    if s < 0:
        raise ValueError("square root of a negative number")
    if s == 0:
        return {}
    if len(a) == 1 and 1 in a:
        return sqrt_rational(a[1])
    if not is_flat(a):
        value = as_rational(a)
        if value is not None:
            return sqrt_rational(value)
    simple = denest(a)
    if simple is not None:
        return simple
    outer = content(a)
    inner = scale(a, 1 / outer)
    factor = sqrt_rational(outer)
    if is_flat(inner) and len(inner) == 2 and 1 in inner:
        # of two conjugates use one, so that the field has one generator: sqrt(p - q) = sqrt(p*p - q*q) / sqrt(p + q)
        ((d, q),) = ((d, q) for d, q in inner.items() if d != 1)
        p = inner[1]
        norm = p * p - q * q * d
        if q < 0 and norm > 0:
            other = {1: p, d: -q}
            factor = mul(mul(factor, sqrt_rational(norm)), inv(other))
            inner = other
    return _attach(factor, [Root(inner)])
