"""The numbers of a clause, with their units, among its words and signs.

`scan` turns a clause into items. A number that belongs to a formula with letters (3x - y + 1), a name (A4), an
exponent of a unit (cm2), an ordinal or a "5-gon" is no value.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from flint import fmpq

from geoutils import lexicon as lex
from geoutils.answers import Value, value_of
from geoutils.reader import FUNCTIONS, ROOTS, Reader, Token, TooBig, Tree, tokenise

MAX_SPAN = 1000
MAX_TOKENS = 300


@dataclass(slots=True)
class Item:
    """A value ("v"), a word ("w"), a sign ("p") or a formula with letters ("s"), at `start`..`end` of its text."""

    kind: str
    text: str
    start: int
    end: int
    value: Value | None = None


HUGE = Value("huge", "huge")
_STARTS = "π√∛(-+{|[±∞"


@functools.lru_cache(maxsize=8)
def comma_language(text: str) -> bool:
    """Whether `text` writes 3,14: it has words of such a language and no number that shows a decimal point."""
    return bool(lex.COMMA_WORD.search(text)) and not lex.DOT_EVIDENCE.search(text)


def _word_number(tokens: list[Token], at: int) -> tuple[fmpq, int] | None:
    """A number in words from token `at`: twenty-four, three quarters, one hundred and five, 二十一."""
    first = tokens[at].text.lower()
    if first[0] in lex.HAN or first[0] in lex.HAN_SCALES:
        return _han(first, at)
    if first in lex.FOREIGN:
        return _foreign(tokens, at)
    unit, _, ten = first.partition("und")
    if unit in lex.UNITS_DE and ten in lex.TENS_DE:
        return fmpq(lex.UNITS_DE[unit] + lex.TENS_DE[ten]), at + 1
    total = current = 0
    seen = False
    index, count = at, len(tokens)
    while index < count and index - at < 16:
        word = tokens[index].text.lower()
        if word in lex.SMALL:
            current += lex.SMALL[word]
        elif word in lex.TENS:
            current += lex.TENS[word]
        elif word in lex.SCALES and seen:
            scale = lex.SCALES[word]
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        elif not (seen and word in ("-", "and") and index + 1 < count and _continues(tokens, index, word)):
            break
        seen = seen or word not in ("-", "and")
        index += 1
    if not seen:
        return (fmpq(1, lex.PARTS[first]), at + 1) if first in ("half", "quarter") else None
    number = fmpq(total + current)
    after = index + (index < count and tokens[index].text == "-")
    if after < count and (part := lex.PARTS.get(tokens[after].text.lower())) is not None:
        return number / part, after + 1
    if index + 2 < count and tokens[index].text.lower() == "and":  # two and a half
        words = [t.text.lower() for t in tokens[index + 1 : index + 3]]
        if words[0] in ("a", "one") and words[1] in lex.PARTS:
            return number + fmpq(1, lex.PARTS[words[1]]), index + 3
        if words[0] in lex.SMALL and words[1] in lex.PARTS:
            return number + fmpq(lex.SMALL[words[0]], lex.PARTS[words[1]]), index + 3
    return number, index


def _foreign(tokens: list[Token], at: int) -> tuple[fmpq, int]:
    """trente-six, treinta y seis, тридцать шесть"""
    value, after = lex.FOREIGN[tokens[at].text.lower()], at + 1
    if value >= 20 and value % 10 == 0:
        skip = after + (after < len(tokens) and tokens[after].text.lower() in ("-", "y", "e", "et"))
        word = tokens[skip].text.lower() if skip < len(tokens) else ""
        small = lex.FOREIGN.get(word, lex.SMALL.get(word, 0))
        if 0 < small < 10:
            return fmpq(value + small), skip + 1
    return fmpq(value), after


def _continues(tokens: list[Token], index: int, word: str) -> bool:
    before, after = tokens[index - 1].text.lower(), tokens[index + 1].text.lower()
    if word == "-":
        return before in lex.TENS and after in lex.SMALL
    return before in lex.SCALES and (after in lex.SMALL or after in lex.TENS) and not (
        index + 2 < len(tokens) and tokens[index + 2].text.lower() in lex.PARTS
    )


def _han(word: str, at: int) -> tuple[fmpq, int] | None:
    total = digit = length = 0
    for char in word[:12]:
        if char in lex.HAN:
            digit = digit * 10 + lex.HAN[char]
        elif char in lex.HAN_SCALES:
            total, digit = total + max(digit, 1) * lex.HAN_SCALES[char], 0
        else:
            break
        length += 1
    rest = word[length:]
    return (fmpq(total + digit), at + 1) if length and (not rest or rest.startswith(lex.HAN_ENDINGS)) else None


def _is_point(tokens: list[Token], index: int, closings: dict[int, int]) -> bool:
    """A (0, 15)"""
    group = tokens[index + 2 : closings.get(index + 1, 0) - 1]
    return len(tokens[index].text) == 1 and tokens[index].text.isupper() and len(group) < 16 and any(t.text == "," for t in group)


def _is_name(token: Token) -> bool:
    """A word that stands for a variable, a point or a segment inside a formula."""
    return token.kind == "w" and (len(token.text) == 1 or (token.text.isupper() and len(token.text) <= 4))


def scan(text: str, *, comma: bool = False, strict: bool = False) -> list[Item]:
    """The items of one clause of folded and untexed text."""
    tokens = tokenise(text[:MAX_SPAN])[:MAX_TOKENS]
    reader = Reader(tokens, comma=comma, strict=strict)
    closings = _closings(tokens)
    items: list[Item] = []
    index, count = 0, len(tokens)
    while index < count:
        token = tokens[index]
        kind, word = token.kind, token.text
        found = None
        if kind == "n" or (kind == "o" and word in _STARTS) or kind == "c" or (kind == "w" and (word in FUNCTIONS or word in ROOTS or word in ("pi", "Pi", "e"))):
            if word in "±∞":
                items.append(Item("p", word, token.start, token.end))
                index += 1
                continue
            if strict or not (word in "+-" and _is_bullet(tokens, index)):
                try:
                    found = reader.read(index)
                except TooBig:
                    items.append(Item("v", word[:20], token.start, token.end, HUGE))
                    index += 1
                    continue
        elif kind == "w":
            lower = word.lower()
            if lower in lex.SMALL or lower in lex.TENS or lower in lex.FOREIGN or lower in ("half", "quarter") or "und" in lower or word[0] in lex.HAN or word[0] in lex.HAN_SCALES:
                number = _word_number(tokens, index)
                if number is not None:
                    found = ("n", number[0]), number[1]
                    if not _counts(tokens, index, number[1]):
                        found = None
        if found is None:
            if kind == "n":
                try:
                    listed = not _is_list(word)
                except ValueError:
                    listed = True
                items.append(Item("s" if listed else "list", word, token.start, token.end))
            elif (kind == "c" and word == "\\frac") or word in ROOTS:
                items.append(Item("s", word, token.start, token.end))
                index = _skip_group(tokens, index + 1, "{(", closings)
                continue
            elif kind == "w" and index + 2 < count and tokens[index + 1].text == "_":
                items.append(Item("w", word, token.start, token.end))
                index = index + 3 if tokens[index + 2].text not in "{(" else min(_skip_group(tokens, index + 2, "{(", closings), count)
                continue
            elif kind == "w" and index + 1 < count and tokens[index + 1].text == "(" and word.lower() not in lex.CLAIMS and (not tokens[index + 1].gap or _is_point(tokens, index, closings)):
                items.append(Item("w", word, token.start, token.end))
                index = _skip_group(tokens, index + 1, "(", closings)
                continue
            elif word in "({" and kind == "o" and _skip_group(tokens, index, "({", closings) > count:
                items.append(Item("open", word, token.start, token.end))
            else:
                items.append(Item("w" if kind == "w" else "l" if kind == "l" else "p", word, token.start, token.end))
            index += 1
            continue
        tree, after = found
        start = token.start
        if after < count and tokens[after].text == ":":
            tree, after = _ratio(tokens, reader, tree, after)
        end = tokens[after - 1].end
        if word == "(" and after == index + 3 and "," in tokens[index + 1].text and tokens[index + 1].text[0] != "0" and tree[0] == "d":
            tree = ("list",)
        if tree[0] == "list":
            items.append(Item("list", text[start:end], start, end))
            index = after
            continue
        if _is_symbolic(tokens, index, after) or (after < count and tokens[after].text.lower() in lex.PRECISION_WORDS):
            items.append(Item("s", text[start:end], start, end))
            index = after
            continue
        if after < count and tree[0] == "n" and after == index + 1 and kind == "n" and (part := lex.PARTS.get(tokens[after].text.lower())) is not None:
            tree, after = ("/", tree, ("n", fmpq(part))), after + 1
        if after < count and tokens[after].text.lower() in lex.SCALES and tree[0] in "nd":
            tree, after = ("n", tree[1] * lex.SCALES[tokens[after].text.lower()]), after + 1
        unit, tree, after = _unit(tokens, after, tree)
        if items and items[-1].kind == "w" and items[-1].text.lower() in lex.MINUS and not (len(items) > 1 and items[-2].kind == "v"):
            tree, start = ("neg", tree), items.pop().start
        value = value_of(tree, unit)
        items.append(Item("v", text[start:end], start, tokens[after - 1].end, value))
        index = after
    return items


def _closings(tokens: list[Token]) -> dict[int, int]:
    """For each opening parenthesis, brace or bracket the index after the one that closes it."""
    closings: dict[int, int] = {}
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if token.text in ("(", "{", "["):
            stack.append(at)
        elif token.text in (")", "}", "]") and stack:
            closings[stack.pop()] = at + 1
    return closings


def _skip_group(tokens: list[Token], index: int, opening: str, closings: dict[int, int]) -> int:
    """The index after the group that opens at `index`; beyond the end if it never closes; `index` if none opens."""
    if index >= len(tokens) or tokens[index].text not in opening or not tokens[index].text:
        return index
    return closings.get(index, len(tokens) + 1)


def _ratio(tokens: list[Token], reader: Reader, tree: Tree, after: int) -> tuple[Tree, int]:
    """6:8 and 6 : 8 is 6/8; a:b:c is a list; in "option 3: 12" the sign is no ratio."""
    parts = [tree]
    while after + 1 < len(tokens) and tokens[after].text == ":" and tokens[after].gap == tokens[after + 1].gap and len(parts) < 9:
        right = reader.read(after + 1)
        if right is None:
            break
        parts.append(right[0])
        after = right[1]
    if len(parts) == 1:
        return tree, after
    return (("/", parts[0], parts[1]) if len(parts) == 2 else ("list",)), after


def _is_list(word: str) -> bool:
    return word.count(",") > 1 or "." in word


def _counts(tokens: list[Token], start: int, after: int) -> bool:
    """Whether a number word is a number here and not a pronoun ("one of", "no one") or an article."""
    word = tokens[start].text.lower()
    if word in ("one", "once", "es", "elf", "sept", "dos", "neuf", "once"):
        follower = tokens[after].text.lower() if after < len(tokens) else ""
        before = tokens[start - 1].text.lower() if start else ""
        return follower in ("unit", "units", "cm", "square", "degree", "degrees", ".", "") and before not in ("the", "no", "this", "that", "each", "which")
    return True


def _is_bullet(tokens: list[Token], index: int) -> bool:
    """A dash that opens a list line, joins words (x-y), or stands between words."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before = tokens[index - 1] if index else None
    if after is None:
        return True
    if before is None or before.kind == "l":
        return after.gap
    if before.kind == "w" and not tokens[index].gap:
        return True
    return before.kind == "w" and after.gap and len(before.text) > 2 and before.text.lower() not in lex.CLAIMS


def _is_symbolic(tokens: list[Token], start: int, after: int) -> bool:
    """Whether the expression is part of a formula with letters (3x, a + 5), or an ordinal or "5-gon"."""
    if after < len(tokens):
        follower = tokens[after]
        if follower.kind == "w" and not follower.gap and tokens[after - 1].kind == "n" and _glued(follower.text):
            return True
        if follower.kind == "w" and _is_name(follower) and not follower.gap and tokens[after - 1].text in "π)}":
            return True
        if follower.kind == "w" and len(follower.text) == 1 and follower.text.isascii() and follower.text not in "msghlLuNJWaAeoiyIxX":
            beyond = tokens[after + 1] if after + 1 < len(tokens) else None
            if beyond is None or beyond.kind != "w":
                return True
        if follower.kind == "w" and follower.gap and len(follower.text) == 1 and follower.text.isascii() and follower.text in "nkxyzabcrt" and tokens[start].kind == "n":
            nxt = tokens[after + 1].text if after + 1 < len(tokens) else ""
            if nxt in ("+", "-", "=", "^", "*", "/"):
                return True
        if follower.kind == "o" and follower.text in "+-*/^" and after + 1 < len(tokens):
            then = tokens[after + 1]
            if then.kind == "w" and (_is_name(then) or (not follower.gap and follower.text == "-" and not then.gap)) and then.text.lower() not in lex.SMALL:
                return True
            if then.kind == "c" and then.text != "\\frac":
                return True
    if start >= 1:
        before = tokens[start - 1]
        if before.kind == "o" and before.text in "+-*/^_" and start >= 2 and tokens[start].text not in "+-":
            earlier = tokens[start - 2]
            if before.text == "_" or (earlier.kind == "w" and _is_name(earlier)) or earlier.text in ")]}":
                return True
        if tokens[start].text in "+-" and before.kind == "w" and _is_name(before) and before.text.lower() not in ("a", "e", "y", "o", "é", "è"):
            return True
        if before.kind == "w" and not tokens[start].gap and tokens[start].kind == "n" and before.text.isascii() and before.end == tokens[start].start:
            return True  # cm2, x1, A4
    return False


def _glued(word: str) -> bool:
    """A word stuck to a number that is neither a unit nor of a script without blanks."""
    if not word.isascii():
        return False
    lower = word.lower()
    return lower not in lex.LENGTHS and lower not in lex.DEGREES and lower not in lex.RADIANS and lower not in ("x",)


def _unit(tokens: list[Token], after: int, tree: Tree) -> tuple[str, Tree, int]:
    """Reads the unit behind a value: its meaning, the tree (divided by 100 for per cent), the index after it."""
    index, count, unit = after, len(tokens), ""
    steps = 0
    while index < count and steps < 6:
        token = tokens[index]
        word = token.text.lower()
        steps += 1
        if token.kind == "w":
            if not word.isascii():
                word = next((u for u in _SCRIPT_UNITS if word.startswith(u)), word)
            if word in lex.DEGREES:
                unit = unit or "degrees"
            elif word in lex.RADIANS:
                unit = unit or "radians"
            elif word in lex.PERCENT and tree[0] != "pct":
                tree = ("pct", tree)
            elif word == "per" and index + 1 < count and tokens[index + 1].text == "cent":
                tree, index = ("pct", tree), index + 1
            elif word not in lex.LENGTHS:
                break
            if word == "in" and not (index + 1 >= count or tokens[index + 1].kind != "w"):
                break
            if word == "area" or word == "length":
                break
            index += 1
            if index < count and tokens[index].kind == "n" and not tokens[index].gap and tokens[index].text in "23":
                index += 1
        elif word == "^" and index > after and index + 1 < count:
            if tokens[index + 1].kind == "n":
                index += 2
            elif tokens[index + 1].text in "{(" and index + 3 < count and tokens[index + 3].text in "})":
                index += 4
            else:
                break
        elif word == "{" and index + 2 < count and tokens[index + 1].kind == "w" and tokens[index + 2].text == "}":
            inner = tokens[index + 1].text.lower()
            unit = unit or ("degrees" if inner in lex.DEGREES else "radians" if inner in lex.RADIANS else "")
            index += 3
        elif word == "." and index > after and tokens[index - 1].text.lower() in ("sq", "in", "ft", "cm", "deg") and index + 1 < count and tokens[index + 1].kind == "w" and tokens[index + 1].text.islower() and not tokens[index].gap:
            index += 1
        else:
            break
    return unit, tree, index


_SCRIPT_UNITS = sorted(
    (w for w in lex.DEGREES | lex.RADIANS | lex.PERCENT | lex.LENGTHS if not w.isascii()), key=len, reverse=True
)
