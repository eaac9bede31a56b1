"""The closed grammar: printed sentences in, conditions out.

A sentence means exactly what its entries say, every word is used, and a sentence that does not fit is reported as
unread. The entries live in small modules by subject; each has an example and a counter-example, which are its tests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import (  # noqa: F401
    asked_regions,
    attributes,
    axes,
    basics,
    cevian_pairs,
    cevians,
    chords,
    circles,
    conics,
    coordinates,
    curves,
    facts,
    figures,
    images,
    loci,
    motions,
    polygon_words,
    positions,
    pyramids,
    quantities,
    questions,
    relations,
    solids,
    tangents,
    vector_facts,
    vector_names,
    vectors,
    verbs,
)
from . import points as _points  # noqa: F401
from .engine import ENTRIES, Entry, Misread, arrange, meaning, readings, stopped_at
from .state import State
from .terms import canonical, names, normal, parse, show, substitute, tidy
from .tokens import tokenize

__all__ = ["ENTRIES", "Entry", "StatementReading", "canonical", "read_question", "read_statement", "split_sentences"]

arrange(
    (
        "basics",
        "quantities",
        "facts",
        "circles",
        "chords",
        "loci",
        "tangents",
        "conics",
        "coordinates",
        "axes",
        "curves",
        "cevians",
        "cevian_pairs",
        "figures",
        "polygon_words",
        "attributes",
        "motions",
        "points",
        "images",
        "questions",
        "asked_regions",
        "solids",
        "pyramids",
        "vectors",
        "vector_names",
        "vector_facts",
        "verbs",
        "positions",
        "relations",
    )
)

ROUNDING = re.compile(
    r"\s*(Give the exact value, or a decimal rounded to three decimal places\.|Round to three decimal places\.)\s*$"
)
MOST_TRIED = 60
SENSELESS = (Misread, LookupError, ValueError, TypeError, AttributeError, StopIteration)  # of a reading, not of a text


@dataclass
class StatementReading:
    """What a statement says.

    `conditions` in order, canonical, over the printed names; `unread` the places of sentences that no entry consumed
    wholly; `reasons` why; `names` all names that occur in conditions; `entries` for each sentence the entries that read
    it; `by_sentence` the conditions each sentence added; `hidden` the hidden points that stand for unnamed centres.
    """

    conditions: list[str] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    entries: list[str] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)
    by_sentence: list[list[str]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


def split_sentences(text: str) -> list[str]:
    """Sentences of a statement: a full stop and a space end one."""
    return [part.strip() for part in re.split(r"(?<=[.?])\s+", text.strip()) if part.strip()]


def read_statement(
    sentences: Sequence[str], representation: str, *, points: Sequence[str] = (), hidden: Sequence[str] = ()
) -> StatementReading:
    """Read printed sentences into conditions.

    `points` are the names the figure has (none: any capital letter may be one), `hidden` those that stand for unnamed
    centres, in the order in which the text needs them. Never raises on a text: what is not read is in `unread`.
    """
    reading = StatementReading()
    state = State(representation=representation, points=tuple(points), hidden=list(hidden))
    state.solid = any(re.search(r"\([^(),]*,[^(),]*,[^(),]*\)", item) for item in sentences)
    known = set(points) | set(hidden)
    states: list[State] = [state]
    for place, item in enumerate(sentences):
        new, reason = _read_one(item, state, known if points else None)
        if new is None:
            reading.unread.append(place)
            reading.reasons[place] = reason
            reading.by_sentence.append([])
            reading.entries.append("")
            continue
        reading.by_sentence.append(list(new.conditions))
        reading.entries.append(" ".join(dict.fromkeys(new.used)))
        state = new
        states.append(state)
    _resolve(reading, state)
    reading.hidden = list(state.taken)
    for row in reading.by_sentence:
        for condition in row:
            if condition not in reading.conditions:
                reading.conditions.append(condition)
    reading.names = set().union(*(names(parse(text)) for text in reading.conditions), set())
    return reading


def _read_one(text: str, state: State, known: set[str] | None) -> tuple[State | None, str]:
    tokens = tokenize(text)
    if tokens is None:
        return None, "a character outside the language"
    if known is not None:
        strange = (
            {p for token in tokens for p in token.points if token.kind == "pts" and token.low != "a"} - known - {"X"}
        )
        if strange:
            return None, "no point of the figure: " + ", ".join(sorted(strange))
    reason = ""
    for count, node in enumerate(readings(tokens)):
        if count >= MOST_TRIED:
            break
        new = state.fork()
        new.tokens = tokens
        try:
            meaning(node, new)
            if not new.conditions and not _says_something(new, state):
                raise Misread("this says nothing")
            if known is not None:
                for condition in new.conditions:
                    extra = {name for name in names(parse(condition)) if name[0].isupper()} - known
                    if extra:
                        raise Misread("no point of the figure: " + ", ".join(sorted(extra)))
        except SENSELESS as error:
            reason = reason or str(error)
            continue
        return new, ""
    if not reason:
        place = stopped_at(tokens)
        reason = "reading stopped at: " + " ".join(token.text for token in tokens[max(0, place - 3) : place + 2])
    return None, reason


def _says_something(new: State, old: State) -> bool:
    return (
        new.vectors != old.vectors
        or new.curves != old.curves
        or new.origin != old.origin
        or len(new.figures) > len(old.figures)
        or [vars(c) for c in new.circles] != [vars(c) for c in old.circles]
        or [vars(c) for c in new.conics] != [vars(c) for c in old.conics]
    )


def _resolve(reading: StatementReading, state: State) -> None:
    """Put what they stand for in the place of the vectors' names; a name without a meaning makes its sentences unread."""
    values = {name: parse(text) for name, text in state.vectors.items()}
    if state.origin:
        values["origin"] = ("name", state.origin)
    terms = [[parse(text) for text in row] for row in reading.by_sentence]

    def small(term: tuple) -> set[str]:
        return {name for name in names(term) if not name[0].isupper()}

    for points_only in (True, False):
        changed = True
        while changed:
            changed = False
            for row in terms:
                for term in row:
                    if term[0] != "==":
                        continue
                    for one, two in ((term[1], term[2]), (term[2], term[1])):
                        fresh = (
                            one[0] == "name" and not one[1][0].isupper() and one[1] not in values and one[1] != "origin"
                        )
                        simple = two[0] == "call" and two[1] == "vec"
                        if (
                            fresh
                            and one[1] not in names(two)
                            and (simple or not points_only)
                            and not small(two) - set(values)
                        ):
                            values[one[1]] = two
                            changed = True
    for _ in range(4):
        values = {name: substitute(term, values) for name, term in values.items()}
    for place, row in enumerate(terms):
        out = []
        for term in row:
            term = normal(substitute(term, values))
            lost = small(term)
            if lost:
                reading.reasons[place] = "nothing is known of " + ", ".join(sorted(lost))
                if place not in reading.unread:
                    reading.unread.append(place)
                continue
            if term[0] == "==" and term[1] == term[2]:
                continue
            out.append(tidy(show(term)))
        reading.by_sentence[place] = list(dict.fromkeys(out))
    reading.unread.sort()


def read_question(text: str) -> str:
    """The asked quantity of a question as an expression over points; ValueError where no entry reads it."""
    text = ROUNDING.sub("", text.strip())
    tokens = tokenize(text)
    if tokens:
        for node in readings(tokens, "Question"):
            state = State(tokens=tokens)
            try:
                return tidy(meaning(node, state))
            except SENSELESS:
                continue
    raise ValueError(f"question not read: {text[:120]}")
