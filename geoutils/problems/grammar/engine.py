"""A small grammar engine: entries with patterns, all readings of a sentence, and the meaning of a reading.

A pattern is words with `(a|b)` for a choice, `[a]` for something optional, `<name:Kind>` for a part read by another
kind of entry and `<name:Kind*>` (`+`: at least two) for a list joined by commas and *and*. Words match in lower case at
the start of a sentence. A reading is a tree of entries; only when the whole sentence is used up does it get a meaning.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .tokens import Token, tokenize

MOST_READINGS = 40  # kept at one place for one kind
MOST_STEPS = 60000  # of matching in one sentence


class Misread(Exception):
    """A reading that fits the words but has no meaning here, for example *the circle* where there is none."""


@dataclass
class Entry:
    kind: str
    name: str
    patterns: list[str]
    meaning: Callable[..., Any]
    example: tuple[str, str] | None
    counter: str | None
    matchers: list[Matcher] = field(default_factory=list)


@dataclass(frozen=True)
class Node:
    entry: Entry
    parts: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Leaf:
    """A part read by hand-written code, by its place: the same tree serves all sentences of the same shape."""

    kind: str
    start: int
    end: int


ENTRIES: list[Entry] = []
KINDS: dict[str, list[Entry]] = {}
PRIMITIVES: dict[str, Callable[[list[Token], int], list[tuple[int, Any]]]] = {}


def entry(
    kind: str, *patterns: str, example: str = "", counter: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an entry to the grammar.

    `example` is `text => condition; condition` (what the last sentence of the text adds);
    `counter` is a text whose last sentence must not be read, or `text => conditions` for one that is read differently.
    """

    def add(meaning: Callable[..., Any]) -> Callable[..., Any]:
        text, _, conditions = example.partition("=>")
        item = Entry(
            kind,
            meaning.__name__,
            list(patterns),
            meaning,
            (text.strip(), conditions.strip()) if example else None,
            counter or None,
        )
        item.matchers = [_compile(pattern) for pattern in patterns]
        ENTRIES.append(item)
        KINDS.setdefault(kind, []).append(item)
        return meaning

    return add


def primitive(kind: str) -> Callable[..., Any]:
    """Register a hand-written reader of a kind: (tokens, place) -> [(end, value)]."""

    def add(reader: Callable[[list[Token], int], list[tuple[int, Any]]]) -> Any:
        PRIMITIVES[kind] = reader
        return reader

    return add


def arrange(modules: tuple[str, ...]) -> None:
    """Set which entries are tried first: by module, whatever the order of import."""
    places = {name: place for place, name in enumerate(modules)}
    for items in KINDS.values():
        items.sort(key=lambda item: places[item.meaning.__module__.rpartition(".")[2]])


# ---- patterns -------------------------------------------------------------------------------------------------------

Matcher = tuple  # ("lit", word) | ("ref", name, kind, least, most_one) | ("seq", ...) | ("alt", ...) | ("opt", item)
_PIECE = re.compile(r"<(\w+):(\w+)([*+]?)>|[()\[\]|]|[^\s()\[\]|<>]+")


def _compile(pattern: str) -> Matcher:
    pieces = [match.group(0) for match in _PIECE.finditer(pattern)]
    at = 0

    def alternatives(stop: str) -> Matcher:
        nonlocal at
        rows: list[list[Matcher]] = [[]]
        while at < len(pieces) and pieces[at] != stop:
            piece = pieces[at]
            at += 1
            if piece == "|":
                rows.append([])
            elif piece in "([":
                inner = alternatives(")" if piece == "(" else "]")
                at += 1
                rows[-1].append(inner if piece == "(" else ("opt", inner))
            elif match := _PIECE.fullmatch(piece):
                if match.group(1):
                    rows[-1].append(("ref", match.group(1), match.group(2), match.group(3)))
                else:
                    piece = {"LT": "<", "GT": ">"}.get(piece, piece)
                    words = tokenize(piece + " x") or []
                    rows[-1] += [("lit", word.low or word.text) for word in words[:-1]]
        items = [("seq", *row) for row in rows]
        return items[0] if len(items) == 1 else ("alt", *items)

    return alternatives("")


class Reader:
    """All readings of one sentence, remembered by kind and place."""

    def __init__(self, tokens: list[Token]):
        self.tokens = tokens
        self.lows = [token.low for token in tokens] + [""]
        self.words = frozenset(self.lows)
        self.memo: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        self.steps = 0
        self.farthest = 0

    def read(self, kind: str, at: int) -> list[tuple[int, Any]]:
        key = (kind, at)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = []  # no left recursion: an entry that begins with itself does not match
        out: list[tuple[int, Any]] = []
        if kind in PRIMITIVES:
            out = [(end, Leaf(kind, at, end)) for end, _ in PRIMITIVES[kind](self.tokens, at)]
        else:
            for item, matcher, needed in _candidates(kind, self.tokens[at] if at < len(self.tokens) else None):
                if not needed <= self.words:
                    continue
                for end, parts in self.match(matcher, at, ()):
                    out.append((end, Node(item, parts)))
            if len(out) > MOST_READINGS:
                out = out[:MOST_READINGS]
        for end, _ in out:
            self.farthest = max(self.farthest, end)
        self.memo[key] = out
        return out

    def match(self, matcher: Matcher, at: int, parts: tuple) -> list[tuple[int, tuple]]:
        self.steps += 1
        if self.steps > MOST_STEPS:
            return []
        what = matcher[0]
        if what == "lit":
            if self.lows[at] == matcher[1]:
                self.farthest = max(self.farthest, at + 1)
                return [(at + 1, parts)]
            return []
        if what == "ref":
            name, kind, how = matcher[1:]
            rows = self.many(kind, at, 2 if how == "+" else 1) if how else self.read(kind, at)
            return [(end, (*parts, (name, value))) for end, value in rows]
        if what == "seq":
            states = [(at, parts)]
            for item in matcher[1:]:
                kind = item[0]
                if kind == "lit":
                    states = [(place + 1, so_far) for place, so_far in states if self.lows[place] == item[1]]
                    if states and states[-1][0] > self.farthest:
                        self.farthest = states[-1][0]
                elif kind == "ref" and not item[3]:
                    states = [
                        (end, (*so_far, (item[1], value)))
                        for place, so_far in states
                        for end, value in self.read(item[2], place)
                    ]
                else:
                    states = [new for place, so_far in states for new in self.match(item, place, so_far)]
                if not states:
                    break
            return states
        if what == "alt":
            return [new for item in matcher[1:] for new in self.match(item, at, parts)]
        return [*self.match(matcher[1], at, parts), (at, parts)]

    def many(self, kind: str, at: int, least: int) -> list[tuple[int, list]]:
        """Lists joined by commas and *and*, the longest first; `X and Y` closes a list."""
        key = (kind + "*" + str(least), at)
        if key in self.memo:
            return self.memo[key]
        out: list[tuple[int, list]] = []
        for end, value in self.read(kind, at):
            out += self._more(kind, end, [value], 0)
        out = [row for row in out if len(row[1]) >= least]
        out.sort(key=lambda row: (-row[0], len(row[1])))
        self.memo[key] = out[:MOST_READINGS]
        return self.memo[key]

    def _more(self, kind: str, at: int, values: list, depth: int) -> list[tuple[int, list]]:
        out = [(at, values)]
        self.steps += 1
        if depth > 12 or self.steps > MOST_STEPS:
            return out
        low = [token.low for token in self.tokens[at : at + 2]] + ["", ""]
        if low[0] == ",":
            place = at + 2 if low[1] == "and" else at + 1
            for end, value in self.read(kind, place):
                more = self._more(kind, end, [*values, value], depth + 1)
                out += [(end, [*values, value])] if low[1] == "and" else more
        elif low[0] == "and":
            out += [(end, [*values, value]) for end, value in self.read(kind, at + 1)]
        return out


# ---- what a match can begin with ----------------------------------------------------------------------------------------

_NUMBERS = frozenset({"#num", "#pts", "#same", "#letter", "√", "π", "|", "(", "-", "arctan", "arccos", "arcsin"})
_BEGIN: dict[str, frozenset[str]] = {
    "Name": frozenset({"#pts"}),
    "Pair": frozenset({"#pts"}),
    "Three": frozenset({"#pts"}),
    "Quad": frozenset({"#pts"}),
    "Many": frozenset({"#pts"}),
    "Formula": _NUMBERS,
    "Equation": _NUMBERS,
    "Coords": frozenset({"("}),
    "Small": frozenset({"#letter"}),
}
_ANY = "#any"
_FIRSTS: dict[str, set[str]] = {}
_CANDIDATES: dict[tuple[str, str], list[tuple[Entry, Matcher, frozenset[str]]]] = {}
_Row = tuple[Entry, Matcher, frozenset[str], set[str]]
_ROWS: dict[str, list[_Row]] = {}


def _begin(matcher: Matcher) -> tuple[set[str], bool]:
    """Words and classes a match can begin with, as far as known, and whether it can be empty."""
    what = matcher[0]
    if what == "lit":
        return {matcher[1]}, False
    if what == "ref":
        kind = matcher[2]
        return set(_BEGIN.get(kind, {_ANY}) if kind in PRIMITIVES else _FIRSTS.get(kind, ())), False
    if what == "opt":
        return _begin(matcher[1])[0], True
    words: set[str] = set()
    empty = what == "seq"
    for item in matcher[1:]:
        first, maybe = _begin(item)
        words |= first
        if what == "seq" and not maybe:
            return words, False
        if what == "alt":
            empty = empty or maybe
    return words, empty


def _prepare() -> None:
    """Find out for every kind what it can begin with: repeat until nothing changes."""
    changed = True
    while changed:
        changed = False
        for kind, items in KINDS.items():
            words = _FIRSTS.setdefault(kind, set())
            before = len(words)
            for item in items:
                for matcher in item.matchers:
                    first, empty = _begin(matcher)
                    words |= first | ({_ANY} if empty else set())
            changed = changed or len(words) > before
    for kind, items in KINDS.items():
        _ROWS[kind] = []
        for item in items:
            for matcher in item.matchers:
                first, empty = _begin(matcher)
                _ROWS[kind].append((item, matcher, _needed(matcher), first | ({_ANY} if empty else set())))


def _needed(matcher: Matcher) -> frozenset[str]:
    """Words that every match contains."""
    what = matcher[0]
    if what == "lit":
        return frozenset([matcher[1]])
    if what == "seq":
        return frozenset().union(*(_needed(item) for item in matcher[1:]))
    if what == "alt":
        rows = [_needed(item) for item in matcher[1:]]
        return frozenset.intersection(*rows)
    return frozenset()


def _classes(token: Token) -> list[str]:
    out = ["#" + token.kind, token.low]
    if token.kind == "word" and len(token.text) == 1:
        out.append("#letter")
    return out


def _candidates(kind: str, token: Token | None) -> list[tuple[Entry, Matcher, frozenset[str]]]:
    """Entries of a kind that can begin with this token, each with the words it cannot do without."""
    if not _ROWS:
        _prepare()
    key = (kind, "" if token is None else f"{token.kind} {token.low}" if token.kind != "num" else "#num")
    known = _CANDIDATES.get(key)
    if known is None:
        classes = {_ANY} if token is None else {_ANY, *_classes(token)}
        known = [(item, matcher, needed) for item, matcher, needed, first in _ROWS.get(kind, ()) if first & classes]
        if len(_CANDIDATES) < 20000:
            _CANDIDATES[key] = known
    return known


# ---- meaning --------------------------------------------------------------------------------------------------------


def meaning(value: Any, state: Any) -> Any:
    """Run a reading: the parts in the order of the text, then the entry itself. A part called `subj` becomes the subject."""
    if isinstance(value, Node):
        parts: dict[str, Any] = {}
        for name, item in value.parts:
            result = meaning(item, state)
            if name == "subj":
                state.subject = result if isinstance(result, list) else [result]
            parts[name] = [*parts[name], *result] if name in parts and isinstance(result, list) else result
        state.used.append(value.entry.name)
        return value.entry.meaning(state, **parts)
    if isinstance(value, Leaf):
        return next(item for end, item in PRIMITIVES[value.kind](state.tokens, value.start) if end == value.end)
    if isinstance(value, list):
        return [meaning(item, state) for item in value]
    return value


Shape = tuple[str, tuple[tuple[str, str, int, bool], ...]]
_KNOWN: OrderedDict[Shape, list[Node]] = OrderedDict()
MOST_KNOWN = 4000


def shape(tokens: list[Token], kind: str) -> Shape:
    """What decides how a sentence is read: its words and signs, but not its numbers and letters."""
    row = []
    for token in tokens:
        if token.kind == "pts":
            distinct = len(set(token.points)) == len(token.points)
            row.append(("pts" if distinct else "same", token.low, len(token.points), token.tight))
        elif token.kind == "num":
            row.append(("num", "", 0, token.tight))
        else:
            row.append((token.kind, token.low, 0, token.tight))
    return kind, tuple(row)


def readings(tokens: list[Token], kind: str = "Sentence") -> list[Node]:
    """All readings that use every token; remembered by the shape of the sentence."""
    key = shape(tokens, kind)
    known = _KNOWN.get(key)
    if known is None:
        reader = Reader(tokens)
        known = [node for end, node in reader.read(kind, 0) if end == len(tokens)]
        _KNOWN[key] = known
        if len(_KNOWN) > MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return known


def stopped_at(tokens: list[Token], kind: str = "Sentence") -> int:
    """How far the best attempt came: for messages."""
    reader = Reader(tokens)
    reader.read(kind, 0)
    return reader.farthest
