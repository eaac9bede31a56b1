"""From the tree of an answer to its number, and back to text.

`evaluate` gives a rational `fmpq` where the value is one, else an `arb` ball that encloses it. Magnitudes
are bounded before anything is computed: beyond `MAX_BITS` bits `TooBig` is raised, so a tower of powers
or a factorial costs nothing. `exact` proves with `geoutils.exact` where the value lies in its field.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flint import arb, ctx, fmpq, fmpz

from geoutils.reader import INVERSE, TooBig, Tree

Number = fmpq | arb

MAX_BITS = 4096  # of a numerator or denominator
PRECISION = 192  # bits of a first enclosure
HIGH_PRECISION = 2048  # bits behind "equal" where no proof is at hand
_LOCK = threading.RLock()


class Undefined(ValueError):
    """An expression without a real value: 1/0, the square root of a negative number."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls are computed with `bits` bits inside (the setting is global in flint, hence the lock)."""
    with _LOCK:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


def _ball(x: Number) -> arb:
    return x if isinstance(x, arb) else arb(x)


def _bounded(x: fmpq) -> fmpq:
    if x.height_bits() > MAX_BITS:
        raise TooBig("a number of more than 4096 bits")
    return x


def _finite(x: arb) -> arb:
    if not x.is_finite():
        raise Undefined("no finite value")
    return x


def _sign(x: Number) -> int:
    """-1, 0, 1; 0 also for a ball that holds 0."""
    return 1 if x > 0 else -1 if x < 0 else 0


def _root(x: Number, k: int) -> Number:
    if _sign(x) < 0:
        if k % 2 == 0:
            raise Undefined("an even root of a negative number")
        return -_root(-x, k)
    if isinstance(x, fmpq):
        top, bottom = x.p.root(k), x.q.root(k)
        if top**k == x.p and bottom**k == x.q:
            return fmpq(top, bottom)
    return _finite(_ball(x).nonnegative_part().root(k))


def _power(x: Number, n: Number) -> Number:
    if isinstance(n, fmpq):
        if n.q == 1:
            if abs(n.p) > MAX_BITS and x not in (0, 1, -1):
                raise TooBig("an exponent beyond 4096")
            if x == 0 and n < 0:
                raise Undefined("division by zero")
            k = int(n.p) if abs(n.p) <= MAX_BITS else int(n.p % 2) + 2
            if isinstance(x, fmpq):
                if x.height_bits() * abs(k) > MAX_BITS:
                    raise TooBig("a power beyond 4096 bits")
                return x**k
            return _finite(x ** fmpz(k))
        if n.q <= 64 and abs(n.p) <= 1024:
            return _power(_root(x, int(n.q)), fmpq(n.p))
    if _sign(x) <= 0:
        raise Undefined("a power of a number that is not positive")
    exponent = _ball(n)
    if abs(exponent) > MAX_BITS or abs(_ball(x).log() * exponent) > MAX_BITS:
        raise TooBig("a power beyond 4096 bits")
    return _finite(_ball(x) ** exponent)


def _divide(a: Number, b: Number) -> Number:
    if _sign(b) == 0:
        raise Undefined("division by zero")
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return _bounded(a / b)
    return _finite(_ball(a) / _ball(b))


def _log(x: Number) -> Number:
    if _sign(x) <= 0:
        raise Undefined("the logarithm of a number that is not positive")
    return fmpq(0) if x == 1 else _ball(x).log()


def _factorial(x: Number) -> Number:
    if not isinstance(x, fmpq) or x.q != 1 or x < 0:
        raise Undefined("the factorial of something else than a natural number")
    if x > 400:
        raise TooBig("a factorial beyond 4096 bits")
    return fmpq(fmpz.fac_ui(int(x.p)))


def _function(name: str, x: Number) -> Number:
    if name == "abs":
        return abs(x)
    if name == "ln":
        return _log(x)
    if name == "log":  # without a base: common of a power of ten, else natural
        power = isinstance(x, fmpq) and x > 1 and x.q == 1 and str(x.p).strip("0") == "1"
        return fmpq(len(str(x.p)) - 1) if power and isinstance(x, fmpq) else _log(x)
    if name == "lg":
        return _divide(_log(x), arb(10).log())
    if x == 0 and name in ("sin", "tan", "asin", "atan", "sinh", "tanh"):
        return fmpq(0)
    if name in ("exp", "sinh", "cosh") and abs(x) > MAX_BITS // 2:
        raise TooBig("an exponential beyond 4096 bits")
    ball = _ball(x)
    if name in ("asin", "acos") and abs(ball) > 1:
        raise Undefined(f"{name} of a number beyond 1")
    if name in ("sec", "csc", "cot"):
        below = ball.cos() if name == "sec" else ball.sin() if name == "csc" else ball.tan()
        return _divide(fmpq(1), below)
    return _finite(getattr(ball, name)())


def evaluate(tree: Tree, *, degrees: bool = False) -> Number:
    """The number that `tree` stands for, at the current precision.

    With `degrees`, arctan and its kin, and the sign °, count in degrees (what a geometry answer
    means by ``arctan(2/3)`` where degrees are asked); otherwise in radians. Raises `TooBig`, `Undefined`.
    """
    op = tree[0]
    if op == "n" or op == "d":
        return tree[1]
    if op == "pi":
        return arb.pi()
    if op == "e":
        return arb.const_e()
    if op == "neg":
        return -evaluate(tree[1], degrees=degrees)
    if op == "root":
        return _root(evaluate(tree[2]), tree[1])
    if op == "fn":
        value = _function(tree[1], evaluate(tree[2]))
        return value * 180 / arb.pi() if degrees and tree[1] in INVERSE else value
    if op == "deg":
        inner = evaluate(tree[1], degrees=degrees)
        return inner if degrees else inner * arb.pi() / 180
    if op == "pct":
        return evaluate(tree[1], degrees=degrees) / 100
    if op == "!":
        return _factorial(evaluate(tree[1]))
    if op == "abs":
        return abs(evaluate(tree[1], degrees=degrees))
    if op == "log":
        return _divide(_log(evaluate(tree[2])), _log(evaluate(tree[1])))
    a, b = evaluate(tree[1], degrees=degrees), evaluate(tree[2], degrees=degrees)
    if op == "^":
        return _power(a, b)
    if op == "/" or op == ":":
        return _divide(a, b)
    exact = isinstance(a, fmpq) and isinstance(b, fmpq)
    value = a + b if op == "+" else a - b if op == "-" else a * b
    return _bounded(value) if exact else _finite(_ball(value))


def has(tree: Tree, *kinds: str) -> bool:
    """Whether a node of one of `kinds` occurs; functions count by their own name too."""
    if tree[0] in kinds or (tree[0] == "fn" and tree[1] in kinds):
        return True
    return any(has(part, *kinds) for part in tree[1:] if isinstance(part, tuple))


_LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2, ":": 2, "neg": 3, "^": 4}
_INVERSE_NAME = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "lg": "log10"}


def decimal_text(number: fmpq, places: int) -> str:
    """A rational that has `places` decimals, as digits; a negative `places` means a power of ten."""
    sign = "-" if number < 0 else ""
    digits = str(int(abs(number) * fmpq(10) ** max(places, 0)))
    if places <= 0:
        return sign + digits
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _wrap(tree: Tree, level: int, style: str) -> str:
    text = show(tree, style)
    if _LEVEL.get(tree[0], 9) < level or (level > 2 and tree[0] == "n" and (tree[1].q != 1 or tree[1] < 0)):
        return rf"\left({text}\right)" if style == "latex" else f"({text})"
    return text


def show(tree: Tree, style: str = "ascii") -> str:
    """`tree` as text; `style` is ascii, latex or unicode. What is printed is read back as the same tree's value."""
    op = tree[0]
    latex, unicode = style == "latex", style == "unicode"
    if op == "n":
        top, bottom = tree[1].p, tree[1].q
        if latex and bottom != 1:
            return rf"{'-' if top < 0 else ''}\frac{{{abs(top)}}}{{{bottom}}}"
        return str(top) if bottom == 1 else f"{top}/{bottom}"
    if op == "d":
        return decimal_text(tree[1], tree[2]) + ("..." if tree[4] else "")
    if op == "pi":
        return r"\pi" if latex else "π" if unicode else "pi"
    if op == "e":
        return "e"
    if op == "neg":
        return "-" + _wrap(tree[1], 2, style)
    if op == "root":
        degree, inner = tree[1], tree[2]
        if latex:
            return (rf"\sqrt{{{show(inner, style)}}}" if degree == 2 else rf"\sqrt[{degree}]{{{show(inner, style)}}}")
        if degree != 2:
            return f"({show(inner, style)})^(1/{degree})"
        if unicode:
            return "√" + (show(inner, style) if inner[0] == "n" and inner[1].q == 1 else f"({show(inner, style)})")
        return f"sqrt({show(inner, style)})"
    if op == "fn":
        name = _INVERSE_NAME.get(tree[1], tree[1])
        inner = show(tree[2], style)
        return rf"\{name}\left({inner}\right)" if latex else f"{name}({inner})"
    if op == "deg":
        inner = _wrap(tree[1], 4, style)
        return rf"{inner}^\circ" if latex else f"{inner}°" if unicode else f"({inner}*pi/180)"
    if op == "pct":
        return _wrap(tree[1], 4, style) + (r"\%" if latex else "%")
    if op == "!":
        return _wrap(tree[1], 5, style) + "!"
    if op == "abs":
        return f"abs({show(tree[1], style)})"
    if op == "log":
        return f"log({show(tree[2], style)})/log({show(tree[1], style)})"
    left, right = tree[1], tree[2]
    if op == "^":
        exponent = show(right, style)
        if latex:
            return f"{_wrap(left, 5, style)}^{{{exponent}}}"
        return f"{_wrap(left, 5, style)}^{exponent if exponent.isdigit() else f'({exponent})'}"
    if op == "/" and latex:
        return rf"\frac{{{show(left, style)}}}{{{show(right, style)}}}"
    level = _LEVEL[op]
    first, second = _wrap(left, level, style), _wrap(right, level + 1, style)
    if op == "*":
        if right[0] in ("root", "pi") and (latex or unicode) and not first.endswith("π"):
            return first + (" " if latex and first[-1].isalpha() else "") + second
        return first + (r" \cdot " if latex else "*" if not unicode else "·") + second
    return f"{first} {op} {second}" if op in "+-" and style != "ascii" else f"{first}{op}{second}"
