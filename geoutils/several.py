"""Several values in one clause: lists, intervals, ratios, alternatives, and two forms of one value."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

from flint import arb, fmpq

from geoutils import lexicon as lex
from geoutils.answers import Value, compare, same_answer, value_of
from geoutils.scanning import Item
from geoutils.values import has


@dataclass(slots=True)
class Choice:
    """What a clause commits to; `value` None if nothing. `start`, `end` are its place in the clause."""

    value: Value | None = None
    start: int = 0
    end: int = 0
    warnings: list[str] = field(default_factory=list)
    claimed: bool = False

    def becomes(self, value: Value) -> Choice:
        """This choice with another value."""
        self.value = value
        return self


def other(kind: str, text: str) -> Value:
    """A value that is no number: `kind` is multiple, range or infinite."""
    return Value(kind, f"{kind}: {' '.join(text.split())[:80]}")


def gap(items: list[Item], a: int, b: int) -> list[Item]:
    return [item for item in items[a + 1 : b] if item.text not in ("{", "}", "*", "**", "_", "`", '"')]


def agrees(a: Value, b: Value) -> bool:
    if a.is_number and b.is_number and "degrees" in (a.unit, b.unit) and a.unit != b.unit:
        degrees, other = (a, b) if a.unit == "degrees" else (b, a)
        assert degrees.number is not None and other.number is not None
        size = float(arb(degrees.number)) * math.pi / 180
        if abs(size - float(arb(other.number))) <= 5e-3 * abs(size):
            return True
    return same_answer(a, b, 2) or compare(b, a, None, 2)


def listed(items: list[Item], kept: list[int], text: str, strict: bool) -> Value | None:
    """A clause that is a list, an interval or a pair as a whole: [4, 6], (5, 7), 1, 2, 3, x = -5 or x = 5."""
    if any(item.text == "∪" for item in items) or (any(item.text == "∞" for item in items) and any(item.text == "," for item in items)):
        return other("range", text)
    if len(kept) > 1 and (lex.BOTH.search(text) or lex.CASES.search(text)) and not _all_agree(items, kept[:2]) and not _concluded(items, kept):
        return other("multiple", text)
    if len(kept) < 2:
        if any(item.text == "±" for item in items):
            return other("multiple", text)
        return None
    for a, b in itertools.pairwise(kept):
        between = gap(items, a, b)
        comma = any(g.text in (",", ";") for g in between) and all(g.kind == "p" or (g.kind == "w" and g.text.lower() in lex.LISTING) for g in between)
        before = items[a - 1].text if a else ""
        after = items[b + 1].text if b + 1 < len(items) else ""
        if comma and before in "[({" and before and after in "])},":
            return other("range" if before == "[" or after == "]" else "multiple", text)
    if strict:
        gaps = [gap(items, a, b) for a, b in itertools.pairwise(kept)]
        plain = [g for g in gaps if g and all(x.text in (",", ";", "\\") or (x.kind == "w" and x.text.lower() in lex.LISTING) or x.kind == "l" for x in g)]
        if plain and len(plain) == len(gaps) and not _all_agree(items, kept):
            return other("multiple", text)
    return None


def _concluded(items: list[Item], kept: list[int]) -> bool:
    """Something like "so" stands before the last value."""
    return any(i.kind == "w" and i.text.lower() in lex.CONCLUSIONS for i in items[kept[0] : kept[-1]])


def _all_agree(items: list[Item], kept: list[int]) -> bool:
    first = items[kept[0]].value
    return all(first is not None and items[k].value is not None and agrees(first, items[k].value) for k in kept[1:])  # type: ignore[arg-type]


def settle(choice: Choice, items: list[Item], at: int, kept: list[int], text: str) -> Choice:
    """The chosen value at item `at` in the light of what stands around it: bounds, further values, other forms of it."""
    if _is_bound(items, at, text):
        return choice.becomes(other("range", text[max(0, items[at].start - 20) : items[at].end + 12]))
    if "±" in (items[at - 1].text if at else "", items[at + 1].text if at + 1 < len(items) else ""):
        return choice.becomes(other("multiple", text))
    following = next((k for k in kept if k > at), None)
    if following is not None and not _with_following(choice, items, at, following, kept, text):
        return choice
    previous = next((k for k in reversed(kept) if k < at), None)
    if previous is not None:
        _with_previous(choice, items, at, previous, text)
    return choice


_SIGNS = ("<", ">", "≤", "≥", "<=", ">=")


def _is_bound(items: list[Item], at: int, text: str) -> bool:
    """at least 7 · x > 7 · 7 or more"""
    if (at and items[at - 1].text in _SIGNS) or (at + 1 < len(items) and items[at + 1].text in _SIGNS):
        return True
    if lex.RANGE_BEHIND.match(text[items[at].end : items[at].end + 32]):
        return True
    return lex.RANGES.search(text[max(0, items[at].start - 40) : items[at].start]) is not None


_JOINTS = frozenset((",", "/", "&", "..", "...", "-", ";", "≈", "=", "(", ".", "→", "the", "is", "which"))
_ABOUT = frozenset(("≈", "=", "which", "("))


def _with_following(choice: Choice, items: list[Item], at: int, following: int, kept: list[int], text: str) -> bool:
    """What a value right behind the chosen one makes of it: a list, a range, a ratio, a mixed number, another form.

    False when that settles the matter.
    """
    value, second = choice.value, items[following].value
    assert value is not None and second is not None
    between = gap(items, at, following)
    words = [item.text.lower() for item in between]
    aside = not between and items[following].text.startswith("(")
    known = lex.LISTING | lex.ABOUT | lex.THAT_IS | lex.HEDGES | _JOINTS
    if not aside and not (between and all(w in known or g.kind == "l" or (_variable(g) and "=" in words) for g, w in zip(between, words, strict=True))):
        return True
    if words == ["and"] and _is_proper_fraction(second) and value.kind == "integer":
        choice.becomes(value_of(("+", value.tree, second.tree), second.unit))
        return False
    lists = any(w in lex.LISTING or w in (",", "/", "-") for w in words)
    about = aside or any(w in lex.ABOUT or w in lex.THAT_IS or w in _ABOUT for w in words)
    alternative = any(w in lex.ALTERNATIVES and w != "or" for w in words) or ("or" in words and not any(w in lex.ABOUT for w in words))
    if agrees(value, second):
        if (value.kind == "decimal" and second.kind in ("closed", "rational") and second.unit == value.unit) or (value.unit != "degrees" and second.unit == "degrees"):
            choice.becomes(second)
    elif about and not alternative:
        choice.warnings.append("a second form disagrees")
    elif lists and ("to" in words or ":" in words) and "ratio" in text.lower():
        choice.becomes(_ratio(value, second) or other("multiple", text))
    elif lists and not _is_apposition(items, following, words):
        between_two = lex.BETWEEN.search(text[max(0, items[at].start - 40) : items[at].start])
        kind = "range" if between_two or "to" in words else "multiple"
        choice.becomes(other(kind, text[items[at].start : items[kept[-1]].end]))
        return False
    return True


def _with_previous(choice: Choice, items: list[Item], at: int, previous: int, text: str) -> None:
    """What a value right before the chosen one makes of it: an alternative, or the exact form of a decimal."""
    value, first = items[at].value, items[previous].value
    assert value is not None and first is not None
    between = gap(items, previous, at)
    words = [item.text.lower() for item in between]
    alike = agrees(first, value)
    span = text[items[previous].start : items[at].end]
    if _same_name(items, previous, between) and not alike:
        choice.becomes(other("multiple", span))
        return
    if first.unit == "degrees" and value.unit != "degrees" and len(between) <= 3 and choice.value is value and alike:
        choice.becomes(first)
    known = lex.LISTING | lex.ABOUT | {",", "=", "(", ")"}
    listing = any(w in lex.ALTERNATIVES for w in words) and not any(w in lex.ABOUT for w in words)
    if listing and all(w in known or _variable(g) for g, w in zip(between, words, strict=True)):
        if not alike:
            choice.becomes(other("multiple", span))
    elif first.kind == "closed" and value.kind == "decimal" and all(w in lex.ABOUT or w in ("(", ",", "≈", "which", "is", "or", "and") for w in words):
        if not alike and choice.value is value:
            choice.warnings.append("a second form disagrees")
        if alike or choice.value is value:
            choice.becomes(first)


def _is_proper_fraction(value: Value) -> bool:
    return value.kind == "rational" and value.tree is not None and value.tree[0] == "/" and isinstance(value.number, fmpq) and 0 < value.number < 1


def _same_name(items: list[Item], previous: int, gap: list[Item]) -> bool:
    """x = 2 and x = 3"""
    if len(gap) < 3 or gap[-1].text != "=" or previous < 2 or items[previous - 1].text != "=":
        return False
    return gap[-2].text == items[previous - 2].text and all(g.text == "," or g.text.lower() in lex.LISTING for g in gap[:-2])


def _variable(item: Item) -> bool:
    return item.kind == "w" and len(item.text) <= 2


def _is_apposition(items: list[Item], following: int, words: list[str]) -> bool:
    """12, 3 times the base — the second number starts a remark, so there is no list."""
    if "," not in words or any(w in lex.LISTING for w in words):
        return False
    after = items[following + 1] if following + 1 < len(items) else None
    return after is not None and after.kind == "w" and after.text.lower() in ("times", "more", "less", "is", "being", "of", "because")


def _ratio(a: Value, b: Value) -> Value | None:
    return None if a.tree is None or b.tree is None or has(a.tree, "deg") else value_of(("/", a.tree, b.tree))
