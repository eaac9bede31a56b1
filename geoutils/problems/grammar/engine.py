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

MOST_READINGS = 40     # kept at one place for one kind
MOST_STEPS = 60000     # of matching in one sentence


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
    matchers: list["Matcher"] = field(default_factory=list)


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


def entry(kind: str, *patterns: str, example: str = "", counter: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an entry to the grammar.

    `example` is `text => condition; condition` (what the last sentence of the text adds);
    `counter` is a text whose last sentence must not be read, or `text => conditions` for one that is read differently.
    """
    def add(meaning: Callable[..., Any]) -> Callable[..., Any]:
        text, _, conditions = example.partition("=>")
        item = Entry(kind, meaning.__name__, list(patterns), meaning, (text.strip(), conditions.strip()) if example else None, counter or None)
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
        self.memo: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        self.steps = 0
        self.farthest = 0

    def read(self, kind: str, at: int) -> list[tuple[int, Any]]:
        key = (kind, at)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = []          # no left recursion: an entry that begins with itself does not match
        if kind in PRIMITIVES:
            out = [(end, Leaf(kind, at, end)) for end, _ in PRIMITIVES[kind](self.tokens, at)]
        else:
            out = []
            for item in KINDS.get(kind, ()):
                for matcher in item.matchers:
                    if self._hopeless(matcher, at):
                        continue
                    for end, parts in self.match(matcher, at, ()):
                        out.append((end, Node(item, parts)))
            if len(out) > MOST_READINGS:
                out = out[:MOST_READINGS]
        for end, _ in out:
            self.farthest = max(self.farthest, end)
        self.memo[key] = out
        return out

    def _hopeless(self, matcher: Matcher, at: int) -> bool:
        first = _first(matcher)
        if first is None:
            return False
        if at >= len(self.tokens):
            return True
        token = self.tokens[at]
        return not (token.low in first or "#" + token.kind in first)

    def match(self, matcher: Matcher, at: int, parts: tuple) -> list[tuple[int, tuple]]:
        self.steps += 1
        if self.steps > MOST_STEPS:
            return []
        what = matcher[0]
        if what == "lit":
            if at < len(self.tokens) and self.tokens[at].low == matcher[1]:
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
                states = [new for place, so_far in states for new in self.match(item, place, so_far)]
                if not states:
                    break
            return states
        if what == "alt":
            return [new for item in matcher[1:] for new in self.match(item, at, parts)]
        return self.match(matcher[1], at, parts) + [(at, parts)]

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
        low = [token.low for token in self.tokens[at:at + 2]] + ["", ""]
        if low[0] == ",":
            place = at + 2 if low[1] == "and" else at + 1
            for end, value in self.read(kind, place):
                more = self._more(kind, end, [*values, value], depth + 1)
                out += [(end, [*values, value])] if low[1] == "and" else more
        elif low[0] == "and":
            out += [(end, [*values, value]) for end, value in self.read(kind, at + 1)]
        return out


_FIRST: dict[int, tuple[Matcher, frozenset[str] | None]] = {}


def _first(matcher: Matcher) -> frozenset[str] | None:
    """Words a match can begin with (`#pts` for a class of tokens), or None where anything can."""
    known = _FIRST.get(id(matcher))
    if known:
        return known[1]
    value = _first_words(matcher)
    _FIRST[id(matcher)] = (matcher, value)
    return value


def _first_words(matcher: Matcher) -> frozenset[str] | None:
    what = matcher[0]
    if what == "lit":
        return frozenset([matcher[1]])
    if what == "ref":
        return frozenset(["#pts"]) if matcher[2] in ("Name", "Pair", "Three", "Many") else None
    if what == "alt":
        rows = [_first_words(item) for item in matcher[1:]]
        return None if any(row is None for row in rows) else frozenset().union(*rows)  # type: ignore[arg-type]
    if what == "opt":
        return None
    words: set[str] = set()
    for item in matcher[1:]:
        inner = _first_words(item[1] if item[0] == "opt" else item)
        if inner is None:
            return None
        words |= inner
        if item[0] != "opt":
            return frozenset(words)
    return None


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
