"""From printed text to conditions: the bridge between a variant and the grammar.

The grammar reads the printed sentences; here its conditions are translated from printed
names to the record's names, and hand-written meanings stand in where a sentence was not
read and its review mark is fresh.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from geoutils.exact import Angle
from geoutils.problems.building import Variant
from geoutils.problems.record_fields import Sentence
from geoutils.problems.rendering import PLACEHOLDER, RenderError, read_back

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_]*\s*\()")


@dataclass
class Reading:
    """What one statement says, over base names.

    conditions: every condition, with the numbers printed; unread: sentences without any meaning;
    by_hand: sentences whose reviewed hand-written meaning was used; stale: unread sentences whose
    meaning has no fresh review mark; reasons: why a sentence is unread; names: the base points named.
    """

    conditions: list[str] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    by_hand: list[int] = field(default_factory=list)
    stale: list[int] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


def review_mark(sentence: Sentence) -> str:
    """The mark that a review of this sentence and meaning leaves; any edit changes it."""
    said = "\n".join([sentence.say, *sentence.means])
    return hashlib.sha256(said.encode()).hexdigest()[:10]


def is_reviewed(sentence: Sentence) -> bool:
    """Whether the review mark belongs to exactly this sentence and this meaning."""
    return bool(sentence.means) and review_mark(sentence) in sentence.reviewed.split()


def rename(text: str, names: Mapping[str, str]) -> str:
    """The expression with whole names replaced; function names stay."""
    return _WORD.sub(lambda match: names.get(match.group(), match.group()), text)


def read(variant: Variant, representation: str) -> Reading:
    """Read one printed statement of a variant into conditions over base names."""
    from geoutils.problems import grammar

    statement = variant.statements[representation]
    printed = variant.printed
    visible = [variant.names[name] for name in variant.problem.visible]
    hidden = [variant.names[name] for name in variant.problem.hidden]
    made = grammar.read_statement(
        [sentence.text for sentence in statement.sentences], representation, points=visible, hidden=hidden
    )
    conditions = [grammar.canonical([rename(condition, printed)])[0] for condition in made.conditions]
    result = Reading(conditions, entries=list(made.entries), reasons=dict(made.reasons))
    result.names = {printed.get(name, name) for name in made.names}
    sources = variant.problem.statements[representation]
    shown: dict[str, Any] | None = None
    for index in made.unread:
        sentence = sources[index] if index < len(sources) else Sentence("")
        if not sentence.means:
            result.unread.append(index)
            continue
        if not is_reviewed(sentence):
            result.stale.append(index)
            continue
        shown = read_back(statement) if shown is None else shown
        result.by_hand.append(index)
        for text in sentence.means:
            result.conditions.append(fill(text, shown))
    return result


def fill(text: str, shown: Mapping[str, Any]) -> str:
    """A hand-written condition with its placeholders replaced by what the text shows."""

    def replace(match: re.Match[str]) -> str:
        key = match.group(1).strip().split(".")[0]
        if key not in shown:
            raise RenderError(f"means uses <{match.group(1)}>, which the text does not show")
        return literal(shown[key])

    return PLACEHOLDER.sub(replace, text)


def literal(value: Any) -> str:
    """A value as the expression language writes it."""
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(part) for part in value) + ")"
    text = str(value.ascii())
    if isinstance(value, Angle):
        return text.replace("arc", "a") if "arc" in text else f"deg({text})"
    return f"({text})"


def question(variant: Variant) -> str:
    """The asked quantity that the printed question is read as, over base names; ValueError if unread."""
    from geoutils.problems import grammar

    sentence = variant.problem.question
    try:
        asked = grammar.read_question(variant.statements["coord"].question.text)
        return grammar.canonical([rename(asked, variant.printed)])[0]
    except ValueError:
        if sentence.means and is_reviewed(sentence):
            return sentence.means[0]
        raise
