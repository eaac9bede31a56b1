"""The letter that a response to a multiple choice commits to. Used only where the gold is itself a letter.

A letter is easily found where none is meant ("A triangle ...", "I think"), so this reader asks for more than the one of
numbers does: the letter stands in a box, in the answer key of a JSON object, after an answer marker or "option", or a
line is nothing but the letter (and what it stands for). Two letters side by side ("A or B") commit to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from geoutils import lexicon as lex
from geoutils.normalise import fold
from geoutils.spans import strip_think

LETTER = "letter"  # the unit of an answer that is a letter
HEAD = TAIL = 10_000
_GOLD = re.compile(r"[A-J]")
_OPEN, _CLOSE = r"[\s*_`\"'({\[$]{0,6}", r"[\s*_`\"')}\]$.,:;]"
_NOT = r"(?!because|since|as\b|is\b|and\b|or\b|with\b)"  # what may follow the letter A; "A triangle" is no choice
_ONE = rf"{_OPEN}(?:\\(?:text|mathrm|mathbf|textbf)\s?\{{)?{_OPEN}(?:(?P<big>[B-HJ]|[AI](?!\s+{_NOT}[a-z]))|(?P<small>[a-j])(?=[)\]}}]|\W{{0,4}}$))(?![A-Za-z'’])"
_MORE = re.compile(rf"{_CLOSE}{{0,4}}\s?(?:or|and|/|,|oder|und)\s?{_OPEN}(?:option|choice|answer)?\s?{_OPEN}[A-J](?![A-Za-z'’])")
_WORD = r"(?:option|choice|alternative|answer choice)"
RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("box", re.compile(rf"\\boxed\s?\{{{_ONE}")),
    ("json", re.compile(rf"\"(?:final_answer|answer|choice|option)\"\s?:\s?\"{_ONE}")),
    (
        "marker",
        re.compile(
            rf"(?i:\banswer\b{_OPEN}(?:is|:|=|would be|must be|should be){_CLOSE}?{_OPEN}(?:is{_OPEN})?(?:{_WORD}{_OPEN})?|"
            rf"\bcorrect {_WORD}\b{_OPEN}(?:is|:){_OPEN}|\b(?:choose|select|pick)\b{_OPEN}(?:{_WORD}{_OPEN})?|答案(?:是|为|：|:)?){_ONE}",
            re.M,
        ),
    ),
    ("marker", re.compile(rf"(?i:\b{_WORD}){_ONE}(?=\W{{0,3}}(?:is|$|because))", re.M)),
    ("line", re.compile(rf"^{_ONE}{_CLOSE}{{0,4}}$", re.M)),
    ("line", re.compile(r"^[\s*_(]{0,4}(?P<big>[A-J])(?P<small>)[):.][\s*_)]{0,3}\S.{0,80}\s*\Z", re.M)),
)  # fmt: skip


@dataclass(slots=True)
class ChoiceReading:
    """What was read of a multiple choice; the fields mean what those of `geoutils.parsing.Reading` do."""

    predicted: str = ""
    span: str = ""
    rule: str = ""
    reading: str = "none"
    warnings: list[str] = field(default_factory=list)


def is_letter(gold: str) -> bool:
    """Whether a gold is the letter of a choice: one capital from A to J."""
    return bool(_GOLD.fullmatch(str(gold).strip()))


def read_choice(text: str | None, *, strategy: str | None = None, unit: str | None = None, truncated: bool = False) -> ChoiceReading:
    """The letter that a response commits to, a capital from A to J; never raises, bounded in size.

    The parameters are those of `geoutils.parsing.read_answer`. Of a rule the last place counts; a cut response says only
    what a box, a key or a marker says before its last line.
    """
    plain, open_think = strip_think(text or "")
    if len(plain) > HEAD + TAIL:
        plain = f"{plain[:HEAD]}\n{plain[-TAIL:]}"
    plain = fold(plain).strip()
    if not plain:
        return ChoiceReading(rule="think" if open_think else "empty", reading="cut" if open_think else "none")
    for rule, pattern in RULES:
        if rule == "line" and (truncated or open_think):
            continue
        found = None
        for found in pattern.finditer(plain):  # noqa: B007  (the last one counts)
            pass
        if found is None:
            continue
        span = found.group().strip()[-80:]
        if _MORE.match(plain, found.end()):
            return ChoiceReading(span=span, rule=rule, warnings=["two letters side by side"])
        return ChoiceReading((found["big"] or found["small"]).upper(), span, rule, "answered")
    if truncated or open_think:
        return ChoiceReading(reading="cut")
    return ChoiceReading(reading="refusal" if lex.REFUSAL.search(plain) else "none")
