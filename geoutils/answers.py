"""Exact values of answers: reading one expression, comparing with a gold, writing a gold in many forms.

`read_gold` reads a gold (`3*sqrt(2)/5`, `46.36 deg`), `compare` decides whether a value read from a
response equals it, `same_answer` whether two responses say the same, `written_forms` lists
spellings of one answer. How a value is found inside a response is the matter of `geoutils.parsing`.

The rules of comparison:

1. Exact with exact: equal or not. Rationals are compared as such; other closed forms first by enclosures
   (disjoint balls prove a difference), then by proof in the field of `geoutils.exact`, and outside
   that field (e, logarithms, cube roots) by agreement to 2,048 bits.
2. A decimal counts by the digits that it shows: it must be the gold rounded (half-up or half-even) to those
   digits, and show at least `min_significant` figures; more digits than a decimal gold prints are first
   rounded to its places. A whole gold is matched exactly.
3. A bare number takes the unit of the gold; radians never match a gold in degrees; degrees match a gold
   without unit as a number or as the same angle in radians.
4. Intervals, lists, infinities and numbers beyond the bounds are values that equal no gold.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace

from flint import arb, fmpq

from geoutils.exact import read_exact
from geoutils.normalise import fold, untex
from geoutils.reader import INVERSE, Budget, Reader, TooBig, Tree, tokenise
from geoutils.values import HIGH_PRECISION, PRECISION, Number, Undefined, decimal_text, evaluate, has, precision, show

MIN_SIGNIFICANT = 3
NUMERIC = frozenset({"integer", "rational", "decimal", "closed", "enclosed"})


@dataclass(frozen=True, slots=True)
class Value:
    """One answer: what it is, not how it was written.

    `kind` is integer, rational, decimal (a literal with the digits it shows), closed (in the field of
    square roots and pi), enclosed (known as a ball only), or one of the kinds that equal no gold:
    multiple, range, infinite, undefined, huge. `unit` is "", "degrees" or "radians".
    """

    kind: str
    text: str
    unit: str = ""
    tree: Tree | None = None
    number: Number | None = field(default=None, compare=False)  # balls never compare equal
    places: int = 0
    figures: int = 0
    cut_digits: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC


def value_of(tree: Tree, unit: str = "") -> Value:
    """The value of a tree; never raises: what cannot be computed becomes kind huge or undefined."""
    if tree[0] == "deg":
        tree, unit = tree[1], "degrees"
    elif tree[0] == "neg" and tree[1][0] == "deg":
        tree, unit = ("neg", tree[1][1]), "degrees"
    suffix = {"degrees": " deg", "radians": " rad"}.get(unit, "")
    core, negative, percent = tree, False, 0
    while core[0] in ("neg", "pct"):
        negative, percent = negative ^ (core[0] == "neg"), percent + 2 * (core[0] == "pct")
        core = core[1]
    shown = _scientific(core)
    if core[0] == "d":
        shown = core
    if shown is not None:
        number = -shown[1] if negative else shown[1]
        if percent:
            number = number / 10**percent
        places = shown[2] + percent
        text = decimal_text(number, places) + ("..." if shown[4] else "")
        return Value("decimal", text + suffix, unit, tree, number, places, shown[3], shown[4])
    try:
        number = evaluate(tree)
    except TooBig:
        return Value("huge", "huge", unit)
    except (Undefined, RecursionError):
        return Value("undefined", "undefined", unit)
    if isinstance(number, fmpq):
        kind = "integer" if number.q == 1 else "rational"
        figures = len(str(abs(number.p))) if kind == "integer" else 0
        text = show(tree) if kind == "rational" and tree[0] in "/:n" else str(number)
        return Value(kind, text.replace(":", "/") + suffix, unit, tree, number, 0, figures)
    kind = "enclosed" if has(tree, "e", "exp", "ln", "lg", "log", "sinh", "cosh", "tanh") else "closed"
    return Value(kind, show(tree) + suffix, unit, tree, number)


def _scientific(tree: Tree) -> Tree | None:
    """1.2 * 10^3 as the literal 1.2e3, with its two figures."""
    if tree[0] != "*" or tree[1][0] != "d" or tree[2][0] != "^" or tree[2][1] != ("n", fmpq(10)):
        return None
    sign, exponent = 1, tree[2][2]
    if exponent[0] == "neg":
        sign, exponent = -1, exponent[1]
    if exponent[0] != "n" or exponent[1].q != 1 or exponent[1] > 400:
        return None
    shift = sign * int(exponent[1].p)
    _, number, places, figures, more = tree[1]
    return ("d", number * fmpq(10) ** shift, places - shift, figures, more)


_UNIT_ENDINGS = (
    (" degrees", "degrees"), (" degree", "degrees"), (" deg", "degrees"), (" radians", "radians"), (" rad", "radians"),
)  # fmt: skip


@functools.lru_cache(maxsize=8192)
def read_gold(text: str, unit: str | None = None) -> Value:
    """The value of a gold or of a `predicted` cell: one closed form or decimal, with its unit.

    Raises ValueError when `text` is no single number; a gold that cannot be read must never grade anything.
    """
    plain = untex(fold(str(text))).strip()
    for ending, meaning in _UNIT_ENDINGS:
        if plain.endswith(ending):
            plain, unit = plain[: -len(ending)], meaning
            break
    unit = {"deg": "degrees", "degree": "degrees", "rad": "radians", "radian": "radians"}.get(unit or "", unit or "")
    if plain in ("multiple", "range", "infinite", "undefined", "huge"):
        return Value(plain, plain, unit)
    for kind in ("multiple", "range", "infinite"):
        if plain.startswith(kind + ":"):
            return Value(kind, plain, unit)
    tokens = tokenise(plain)
    if len(plain) > 20_000 or not tokens:
        raise ValueError(f"not a number: {str(text)[:60]!r}")
    try:
        reader = Reader(tokens, strict=True, steps=40_000, deepest=90)  # what we print has more parentheses
        found = reader.read(0)
        if found is not None and found[1] + 2 == len(tokens) and tokens[found[1]].text == ":":
            right = reader.read(found[1] + 1)
            found = None if right is None else (("/", found[0], right[0]), right[1])
    except (TooBig, Budget) as error:
        raise ValueError(f"not a number within bounds: {str(text)[:60]!r}: {error}") from None
    if found is None or found[1] != len(tokens):
        raise ValueError(f"not a number: {str(text)[:60]!r}")
    value = value_of(found[0], unit if unit in ("degrees", "radians") else "")
    if not value.is_number:
        raise ValueError(f"not a number within bounds: {str(text)[:60]!r}")
    return value


def _number(value: Value, degrees: bool) -> Number:
    assert value.tree is not None and value.number is not None
    if isinstance(value.number, fmpq) and not (degrees and has(value.tree, "deg", *INVERSE)):
        return value.number
    return evaluate(value.tree, degrees=degrees)


def _equal(a: Value, b: Value, a_degrees: bool, b_degrees: bool, scale: bool = False) -> bool:
    """Exact equality; `scale` turns a from degrees into radians first."""
    x, y = _number(a, a_degrees), _number(b, b_degrees)
    if isinstance(x, fmpq) and isinstance(y, fmpq) and not scale:
        return bool(x == y)
    for bits in (PRECISION, HIGH_PRECISION):
        with precision(bits):
            x, y = _number(a, a_degrees), _number(b, b_degrees)
            if scale:
                x = x * arb.pi() / 180
            difference = arb(x) - arb(y) if isinstance(x, fmpq) else x - y
            if not difference.contains(0):
                return False
        if bits == PRECISION and not (scale or a_degrees or b_degrees):
            proved = _proved_equal(a, b)
            if proved is not None:
                return proved
    return True


def _proved_equal(a: Value, b: Value) -> bool | None:
    try:
        return bool(read_exact(a.text.split(" ")[0]) == read_exact(b.text.split(" ")[0]))
    except (ValueError, OverflowError, ArithmeticError, TypeError):
        return None


def _rounds_to(gold: Value, degrees: bool, shown: fmpq, places: int, *, cut: bool = False) -> bool:
    """Whether `shown` is the gold rounded to `places`, half-up or half-even (or cut there, if `cut`)."""
    for bits in (PRECISION, HIGH_PRECISION):
        with precision(bits):
            number = _number(gold, degrees)
            scaled = number * fmpq(10) ** places
            target = shown * fmpq(10) ** places
            if isinstance(scaled, fmpq):
                return _is_rounding(scaled, target) or (cut and 0 <= abs(scaled) - abs(target) < 1)
            gap = scaled - target
            if abs(gap) < arb(0.5):
                return True
            if cut and 0 <= gap * (1 if target > 0 else -1) < 1:
                return True
            if abs(gap) > arb(0.5):
                return False
    return True


def _is_rounding(scaled: fmpq, target: fmpq) -> bool:
    gap = abs(scaled - target)
    if gap != fmpq(1, 2):
        return bool(gap < fmpq(1, 2))
    return bool(abs(target) > abs(scaled)) or int(target.p) % 2 == 0


def _rounded(x: fmpq, places: int) -> tuple[fmpq, fmpq]:
    """`x` to `places`, half-up and half-even."""
    scaled = abs(x) * fmpq(10) ** places
    up = fmpq((scaled + fmpq(1, 2)).floor())
    even = up - 1 if scaled + fmpq(1, 2) == up and int(up.p) % 2 else up
    sign = -1 if x < 0 else 1
    return sign * up / fmpq(10) ** places, sign * even / fmpq(10) ** places


def _matches(value: Value, gold: Value, min_significant: int, *, degrees: bool) -> bool:
    """Rules 1 and 2, units settled; `degrees` says in which unit angles and arctan count."""
    if _equal(value, gold, degrees, degrees):
        return True
    if degrees and has(value.tree or (), *INVERSE) and _equal(value, gold, False, True):
        return True  # arctan(..)*180/pi
    decimal_gold = gold.kind == "decimal"
    if gold.kind == "integer":
        return False
    number = value.number
    if value.kind in ("decimal", "integer") and isinstance(number, fmpq):
        if decimal_gold and value.places > gold.places:
            return gold.number in _rounded(number, gold.places)
        if value.figures < min_significant:
            return False
        return _rounds_to(gold, degrees, number, value.places, cut=value.cut_digits)
    if decimal_gold and gold.figures >= min_significant and isinstance(gold.number, fmpq):
        return _rounds_to(value, degrees, gold.number, gold.places)
    return False


def compare(value: Value | None, gold: Value, unit: str | None = None, min_significant: int = MIN_SIGNIFICANT) -> bool:
    """Whether `value` equals `gold` by the rules in this module's docstring.

    `unit` ("degrees", "radians" or none) overrides the unit of the gold. False for None.
    """
    if value is None or not value.is_number or not gold.is_number:
        return False
    wanted = {"deg": "degrees", "degree": "degrees", "rad": "radians"}.get(unit or "", unit or "") or gold.unit
    if wanted == "degrees":
        return value.unit != "radians" and _matches(value, gold, min_significant, degrees=True)
    if value.unit == "degrees":
        if wanted != "radians" and _matches(value, gold, min_significant, degrees=True):
            return True
        return _equal(value, gold, True, False, scale=True)
    return _matches(value, gold, min_significant, degrees=False)


def same_answer(a: Value | None, b: Value | None, min_significant: int = MIN_SIGNIFICANT) -> bool:
    """Whether two readings say the same thing, right or wrong; symmetric, False when either is None.

    Numbers are the same when either would be accepted with the other as its gold; answers that
    are no number (a list, an infinity) when they print alike.
    """
    if a is None or b is None:
        return False
    if not (a.is_number and b.is_number):
        return a.kind == b.kind and a.text == b.text
    degrees = "degrees" in (a.unit, b.unit) or has(a.tree or (), *INVERSE) or has(b.tree or (), *INVERSE)
    if degrees and "radians" not in (a.unit, b.unit):
        a, b = replace(a, unit="degrees"), replace(b, unit="degrees")
    return compare(a, b, None, min_significant) or compare(b, a, None, min_significant)
