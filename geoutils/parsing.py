r"""From a response to its answer: value, the span read, the rule that read it, reading and warnings.

Model text is hostile and is never executed. Only the last `TAIL` characters (and the first `HEAD`) of a long text
are looked at, every pass is linear, every number bounded: no text takes longer than milliseconds.

The rules, in this order, and why:

1. `think` - thinking is not answering: what stands in think blocks is dropped; a block left open is a cut answer.
2. `question` - a further question that the model wrote itself, and what follows, is dropped.
3. `json` - the last object with an answer key: a format that was asked for is the clearest commitment. Not closed: cut.
   A box or a marker after it is later and wins.
4. `box` - the last box that is not negated; two different ones joined by "and" are two answers; one that never closes
   is a cut answer, whatever stood before.
5. `tag` - the last <answer> pair.
6. `marker` - "answer", "Antwort", "####" and their kin in some thirty languages. A marker with a colon whose span holds
   no value gives no value: another number of the text is never taken instead.
7. `lead` - a first line that is nothing but a value, followed by its explanation.
8. `bold`, `last sentence` - a last line or bold text that is a value, else what the last sentence with a
   number claims. A text that stops in mid-sentence commits to nothing.

After 3 to 6 a retraction ("wait, that is wrong") sends the reader to what follows it. Within a span
`geoutils.clauses` chooses among several numbers; reading: `answered`, `refusal`, `cut`, else `none`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geoutils import lexicon as lex
from geoutils.answers import Value
from geoutils.clauses import Choice, decide
from geoutils.json_answers import Literal, convert_fields, find_json
from geoutils.normalise import fold, untex
from geoutils.reader import Budget
from geoutils.scanning import comma_language
from geoutils.spans import (
    before_next_question,
    before_special_token,
    boxes,
    sentences,
    strip_markup,
    strip_think,
    tagged,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Reading", "convert_fields", "parse_responses", "read_answer"]

HEAD, TAIL = 1_000, 6_000
_BLANKS = re.compile(r"[^\S\n]{3,}")
_BLANK_LINES = re.compile(r"\n\s{2,}")
_COMMA_MATTERS = re.compile(r"\d[.,]\d")
_OUTER_UNIT = re.compile(r"\s{0,3}[$)]{0,3}\s{0,3}(\^\s{0,3}\{?\s{0,3}\\circ\s{0,3}\}?|°|\\degree|\\,?\s{0,3}(?:\\text|\\mathrm)?\{?\s{0,3}(?:deg|rad|°)\w{0,8}\s{0,3}\}?|degrees?\b|deg\b|radians?\b|rad\b|\\?%|percent\b)")
_NEGATED_BEFORE = re.compile(r"(?:\bnot|n't|\bnicht|\bpas|\bno es|\brather than|\binstead of|不是)\s*(?:be|equal to|exactly|simply|just|just the|the|[*_$=\s:])*$", re.I)
_JOINED = re.compile(r"^[\s$)(\\\[\]]*(?:and|or|und|oder|et|ou|y|o|e|и|или|和|或|,|;|/|&|\\quad|\\text\{\s*(?:and|or)\s*\})[\s$]*(?:and|or)?[\s$]*(?:[A-Za-z]\w?(?:_\{?\w+\}?)?\s*=\s*)?[\s$.,;)(\\\[\]]*$", re.I)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_OPEN_END = re.compile(
    r"(?:[,=+*/^({\[<>:\\-]|\b(?:the|a|an|of|and|or|to|is|are|we|with|by|for|in|on|at|that|then|so|from|as|its|this|which|if|be|can|thus|therefore|because|since|it|want|need|have|has|get|find|use|know|let|where|when|must|obtain|gives|equals|will|would|could|should|using|apply|compute|calculate|draw|was|were|from|into|than|our|but|while|not|und|der|die|das|ist|le|la|est|de|el|es))\s*$",
    re.I,
)
_ENUMERATED = re.compile(r"^\s*\(?1[.)]\s")
_SKIPPED = re.compile(r"^\W{0,12}(?:check|verify|verification|note|probe|example|hint|see|recall|remember|ref|confidence|time)\b", re.I)
_LATE_KEY = re.compile(r"\"(?:numeric_answer|final_answer|answer|result)\"\s{0,3}:")
_FAILURE = re.compile(r"\W{0,12}(?:error|http(?:/[\d.]+)?\s*\d{3}|exception|traceback|timed?\s?out|\d{3}\s+(?:bad\s+gateway|service|too\s+many|gateway|not\s+found)|internal\s+server|rate\s+limit)\b", re.I)
_FILLER = re.compile(r"[\s$*_`\"'.,:;!()\[\]{}|\\#=-]+")


@dataclass(slots=True)
class Reading:
    """What was read: `value` (None if nothing is committed), `span` (the text that was read, normalised), `rule`,
    `reading` (answered, none, refusal, cut) and `warnings`."""

    value: Value | None = None
    span: str = ""
    rule: str = ""
    reading: str = "none"
    warnings: list[str] = field(default_factory=list)

    @property
    def predicted(self) -> str:
        """The value as ASCII text that `geoutils.answers.read_gold` reads back; empty without a value."""
        return "" if self.value is None else self.value.text


def read_answer(text: str | None, *, strategy: str | None = None, unit: str | None = None, truncated: bool = False) -> Reading:
    """The answer that the response `text` commits to.

    `strategy` is accepted for the record (every strategy is read alike); `unit` the unit that was asked for, only used to
    warn when a degree sign is missing; `truncated` says that the token limit cut the response, so only
    an answer that was committed before the end of the text counts. Never raises on any text.
    """
    try:
        reading = _read(text or "", truncated)
    except (Budget, RecursionError):
        return Reading(rule="bounds", warnings=["more steps than an answer is worth"])
    if unit in ("degrees", "deg") and reading.value is not None and reading.value.is_number and not reading.value.unit:
        reading.warnings.append("unit missing")
    return reading


def _read(text: str, truncated: bool) -> Reading:
    warnings: list[str] = []
    text, open_think = strip_think(text)
    if open_think and not text.strip():
        return Reading(rule="think", reading="cut", warnings=["open think block"])
    if open_think:
        warnings.append("open think block")
    if len(text) > 400:
        text = _BLANK_LINES.sub("\n\n", _BLANKS.sub("  ", text))
    if len(text) > HEAD + TAIL:
        text = _ends(text)
        warnings.append("long text: only its ends were read")
    text = _BLANKS.sub("  ", before_special_token(fold(text)))
    shorter = before_next_question(text)
    if len(shorter) < len(text):
        text, truncated = shorter, False
        warnings.append("a further question was dropped")
    if not text.strip():
        return Reading(rule="empty", reading="cut" if open_think else "none", warnings=warnings)
    reading = _committed(text, truncated) or _plain(text, truncated, whole=True)
    if reading.value is None and open_think:
        reading.reading = "cut"
    if reading.value is None and reading.reading == "none" and lex.REFUSAL.search(text):
        reading.reading = "refusal"
    reading.warnings = warnings + reading.warnings
    return reading


def _ends(text: str) -> str:
    """The head and the tail of a long text; a JSON object that reaches into the tail keeps its answer key."""
    tail = text[-TAIL:]
    key = next(reversed(list(_LATE_KEY.finditer(tail))), None)
    if key is not None and "{" not in tail[: key.start()]:
        return "{" + tail[key.start() :]
    return text[:HEAD] + "\n" + tail


def _answered(choice: Choice, span: str, rule: str) -> Reading:
    span = " ".join(span.split())[:200]
    if choice.value is None:
        return Reading(span=span, rule=rule, warnings=choice.warnings)
    if lex.REFUSAL.search(span):
        return Reading(span=span, rule=rule, reading="refusal", warnings=choice.warnings)
    return Reading(choice.value, span, rule, "answered", choice.warnings)


def _comma(span: str, text: str) -> bool:
    return _COMMA_MATTERS.search(span) is not None and comma_language(text)


def _span(span: str, context: str, *, strict: bool = True, prose: bool = False) -> Choice:
    plain = untex(strip_markup(span[:4000]))
    return decide(plain, comma=_comma(plain, context), strict=strict, prose=prose)


def _committed(text: str, truncated: bool) -> Reading | None:
    """Rules 3 to 5, on the text as the model wrote it."""
    found = find_json(text)
    if found is not None and found.cut and not (found.has_key or boxes(text)[0]):
        return Reading(rule="json", reading="cut", span=text[found.start : found.start + 80])
    closed, unclosed = boxes(text)
    if found is not None and (found.has_key or (not closed and _is_all(text, found.start, found.end))):
        inside = [box for box in closed if box.start > found.end]
        if not inside and unclosed < 0:
            reading = _json_reading(found, text)
            return _later(reading, text[found.end :], truncated)
    if unclosed >= 0 and (not closed or closed[-1].end <= unclosed or closed[-1].start > unclosed):
        return Reading(rule="box", reading="cut", span=text[unclosed : unclosed + 80])
    if closed:
        return _box_reading(closed, text, truncated)
    content, end, opened = tagged(text)
    if opened:
        return Reading(rule="tag", reading="cut")
    if content is not None:
        return _later(_answered(_span(content, text), content, "tag"), text[end:], truncated)
    return None


def _is_all(text: str, start: int, end: int) -> bool:
    return len(_WORDS.findall(text[:start].replace("json", ""))) + len(_WORDS.findall(text[end:])) < 3


def _json_reading(found: Any, text: str) -> Reading:
    answer, warnings = found.answer, ["repaired JSON"] if found.repaired else []
    if not found.has_key:
        fields = {k: v for k, v in (found.fields or {}).items() if isinstance(v, Literal)}
        if len(fields) != 1 or (len(found.fields or {}) > 1 and not lex.QUANTITIES & set(next(iter(fields)).lower().split("_"))):
            return Reading(rule="json", span=text[found.start : found.end][:200], warnings=warnings)
        answer = next(iter(fields.values()))
        warnings.append("no answer key")
    if isinstance(answer, list):
        shown = ", ".join(str(part) for part in answer[:8])
        value = Value("multiple", f"multiple: {shown}"[:80]) if answer else None
        return Reading(value, shown, "json", "answered" if answer else "none", warnings)
    if answer is None:
        return Reading(rule="json", warnings=warnings)
    span = fold(str(answer))
    if found.unit and len(found.unit) < 24:
        span += " " + fold(found.unit)
    if isinstance(answer, Literal) and span.strip("-+") in ("Infinity", "inf", "∞"):
        return Reading(Value("infinite", "infinite"), span, "json", "answered", warnings)
    reading = _answered(_span(span, text), span, "json")
    reading.warnings = warnings + reading.warnings
    return reading


def _box_reading(closed: list[Any], text: str, truncated: bool) -> Reading:
    kept = [box for box in closed if not _is_hearsay(text, box.start) and not _NEGATED_BEFORE.search(text[max(0, box.start - 40) : box.start]) and not lex.REJECTED.match(text[box.end : box.end + 48].lstrip("$) "))]
    if not kept:
        tail = _plain(text[closed[-1].end :], truncated)
        return tail if tail.value is not None else Reading(rule="box", warnings=["only a negated box"])
    box = kept[-1]
    content = box.content
    before = text[max(0, box.start - 12) : box.start]
    if re.search(r"(?:^|[=\s$(:])-\s*$", before) and not re.search(r"[\w)}]\s*-\s*$", before):
        content = "-" + content
    unit = _OUTER_UNIT.match(text, box.end)
    choice = _span(content + (" " + unit[1] if unit else ""), text)
    if choice.value is None and unit:
        choice = _span(content, text)
    reading = _answered(choice, content, "box")
    if len(kept) > 1:
        previous = kept[-2]
        if _JOINED.match(text[previous.end : box.start]) and _span(previous.content, text).value != reading.value:
            reading.value = Value("multiple", f"multiple: {previous.content}, {box.content}"[:80])
        elif any(other.content != box.content for other in kept):
            reading.warnings.append("several candidates")
    return _later(reading, text[box.end :], truncated)


def _later(reading: Reading, tail: str, truncated: bool) -> Reading:
    """`reading`, unless the text after it retracts it or commits to something else."""
    if len(tail) < 4 or not _WORDS.search(tail):
        return reading
    if len(tail) > 2_400:
        tail = tail[:800] + "\n" + tail[-1600:]
    if lex.GRADER_TALK.search(tail):
        return reading
    markers = list(lex.MARKER.finditer(tail))
    if markers and reading.rule != "marker":
        later = _marked(untex(strip_markup(tail)), tail, truncated, need_colon=True)
        if later is not None and later.value is not None:
            return later
    retraction = next((m for m in lex.RETRACTION.finditer(tail) if not _is_hearsay(tail, m.start())), None)
    if retraction is not None:
        afterwards = tail[retraction.start() :]
        replaced = _plain(afterwards, truncated)
        if replaced.value is not None and not lex.CONFIRMED.search(afterwards):
            replaced.warnings.append("retraction")
            return replaced
        if lex.WRONG.search(tail) and not lex.CONFIRMED.search(tail.replace("not right", "").replace("not correct", "")):
            return Reading(rule=reading.rule, span=reading.span, warnings=[*reading.warnings, "retraction"])
        reading.warnings.append("retraction")
    return reading


def _plain(text: str, truncated: bool, *, whole: bool = False) -> Reading:
    """Rules 6 to 8, on the text without markup and LaTeX dress."""
    marked = untex(strip_markup(text))
    reading = _marked(marked, text, truncated)
    if reading is not None:
        return reading
    return _prose(marked, text, truncated, whole)


def _marked(plain: str, context: str, truncated: bool, *, need_colon: bool = False) -> Reading | None:
    """The last marker that is followed (or preceded) by a value."""
    matches = list(lex.MARKER.finditer(plain))
    for match in reversed(matches[-5:]):
        prefix = plain[max(0, match.start() - 40) : match.start()]
        if lex.NOT_MARKERS.search(prefix):
            continue
        link = lex.MARKER_LINK.match(plain, match.end())
        if _asked(plain, match.end()):
            continue
        if match[0] == "####" and not plain[match.end() : match.end() + 40].strip(" \n#*"):
            continue
        colon = match[0] == "####" or (link is not None and any(c in link["link"] for c in ":=≈→"))
        line_start = not plain[: match.start()].rpartition("\n")[2].strip(" \t#*_>-|[(\"'")
        if need_colon and not colon and not (line_start and link is None):
            continue
        start = match.end() if match[0] == "####" or link is None else link.end()
        if link is None and match[0] != "####" and not line_start and match[0].isascii():
            reading = _value_first(plain, match.start(), match.end(), context)
            if reading is not None:
                return _later(reading, plain[match.end() :], truncated)
            continue
        reading, end = _after_marker(plain, start, context, colon or link is None, link is not None)
        if reading is None:
            continue
        if reading.value is not None and (_is_hearsay(plain, match.start()) or lex.DENIED.match(plain[plain.find(reading.span[-6:], start) : end][6:])):
            continue
        if truncated and end >= len(plain.rstrip()):
            return Reading(rule="marker", reading="cut", span=reading.span)
        if reading.value is None and not colon and not reading.warnings:
            before = _value_first(plain, match.start(), match.end(), context)
            if before is not None:
                return before
            if reading.reading == "cut" and match is matches[-1]:
                return reading
            continue
        return _later(reading, plain[end:], truncated)
    return None


def _is_hearsay(plain: str, at: int) -> bool:
    """The sentence speaks of what others would say."""
    start = max(plain.rfind(".", 0, at), plain.rfind("\n", 0, at), at - 90) + 1
    return lex.HEARSAY.search(plain[start:at]) is not None


def _asked(plain: str, at: int) -> bool:
    """The sentence is a question: "Is the answer 5?"."""
    mark = plain.find("?", at, at + 80)
    return mark >= 0 and not any(c in plain[at:mark] for c in "\n.:=")


def _value_first(plain: str, start: int, end: int, context: str) -> Reading | None:
    """5 is the answer."""
    base = max(0, start - 300)  # a sentence that matters here is not longer
    spans = [(base + a, base + b) for a, b in sentences(plain[base : end + 200]) if a <= start - base < b]
    if not spans:
        return None
    a, b = spans[0]
    clause = plain[a : min(b, len(plain))]
    if not re.search(r"\b(?:is|are|being|as|was|gives|ist|est|es)\b[\w\s]{0,24}$", plain[a:start], re.I):
        return None
    choice = decide(clause, comma=_comma(clause, context), prose=True)
    return None if choice.value is None else _answered(choice, clause, "marker")


def _after_marker(plain: str, start: int, context: str, strong: bool, colon_before: bool = True) -> tuple[Reading | None, int]:
    """What a marker introduces, and where that ends: the rest of its sentence, or the next line that says something."""
    rest = plain[start : start + 1200]
    offset = len(rest) - len(rest.lstrip(" \t\r\n:=*_—"))
    if not colon_before and rest[offset : offset + 2] == "- ":
        offset += 2
    if rest[offset : offset + 2] == "- " and colon_before and "\n" not in rest[:offset]:
        offset, rest = offset + 1, rest[: offset + 1] + "-" + rest[offset + 2 :].lstrip(" ")
    rest = rest[offset:]
    if not rest.strip(" \n.*_`$#"):
        return (Reading(rule="marker", reading="cut") if strong else None), len(plain)
    pieces = sentences(rest, 3)
    if not pieces:
        return (Reading(rule="marker", reading="cut") if strong else None), len(plain)
    for count in range(1, min(len(pieces), 3) + 1):
        end = pieces[count - 1][1]
        clause = _own_words(rest[:end])
        choice = decide(clause, comma=_comma(clause, context))
        if choice.value is not None:
            return _answered(choice, clause, "marker"), start + offset + end
        open_ended = clause.rstrip().endswith((":", "=", "≈", "is", "are")) or "only a negated value or a label" in choice.warnings
        if not open_ended and not (strong and count == 1 and len(clause) < 40 and rest[end - 1 : end] == "\n"):
            break
    reading = _answered(choice, rest[: pieces[0][1]], "marker")
    if start + offset + pieces[0][1] >= len(plain) and _OPEN_END.search(rest):
        reading.reading = "cut"
    return reading, start + offset + pieces[0][1]


def _own_words(clause: str) -> str:
    """`clause` up to where it starts to speak about its grading."""
    talk = lex.GRADER_TALK.search(clause)
    return clause if talk is None else clause[: talk.start()]


def _prose(plain: str, context: str, truncated: bool, whole: bool) -> Reading:
    """A leading value, a bold one, or what the last sentence with a number claims."""
    if len(plain) > 5000:  # a claim stands at the end, a leading value at the start
        plain = plain[:600].rsplit("\n", 1)[0] + "\n" + plain[-4000:]
    pieces = sentences(plain)
    if not pieces:
        return Reading(rule="empty")
    if _FAILURE.match(plain):
        return Reading(rule="last sentence", warnings=["an error message"])
    first = plain[pieces[0][0] : pieces[0][1]]
    if len(pieces) == 1 and len(first) < 200:
        choice = decide(first, comma=_comma(first, context), prose=bool(_WORDS.search(first)), strict=not _WORDS.search(first))
        spoilt = lex.GRADER_TALK.search(first) or lex.REFUSAL.search(first) or _is_cut(first, choice) or first.rstrip()[-1:] == "?"
        if (choice.claimed or _is_bare(first, choice)) and choice.value is not None and not spoilt and not truncated:
            return _answered(choice, first, "whole text")
    elif whole and len(first) < 60 and not (_ENUMERATED.match(plain) and re.search(r"\n\s*\(?2[.)]\s", plain)):
        choice = decide(first, comma=_comma(first, context))
        numbered = re.fullmatch(r"\s*1?\d[.)]\s*", first) and len(pieces) == 2 and _bare_value(plain[pieces[1][0] : pieces[1][1]])
        if choice.value is not None and not numbered and _is_bare(first, choice) and not re.match(r"\s*[-+*/=]", plain[pieces[0][1] :]):
            return _later(_answered(choice, first, "lead"), plain[pieces[0][1] :], truncated)
    bold = list(re.finditer(r"(?<![\w)*])\*\*([^\n*]{1,60})\*\*(?![\w(])", context))
    body = plain
    afterword = lex.AFTERWORD.search(plain)
    if afterword is not None and any(decide(plain[a:b], prose=True).claimed for a, b in sentences(plain[: afterword.start()])[-3:]):
        body, pieces = plain[: afterword.start()], sentences(plain[: afterword.start()])
    elif truncated:
        return Reading(rule="last sentence", reading="cut")
    for number, (start, end) in enumerate(reversed(pieces[-8:])):
        clause = body[max(start, end - 1000) : end]
        choice = decide(clause, comma=_comma(clause, context), prose=True)
        if number == 0 and body is plain and _is_cut(clause, choice):
            return Reading(rule="last sentence", reading="cut", span=clause[-200:])
        if choice.value is None or lex.GRADER_TALK.search(clause) or _SKIPPED.match(clause) or clause.rstrip().endswith("?") or lex.REFUSAL.search(clause):
            continue
        words = clause.split(None, 1)
        if words and words[0].lower().strip("*_,:") in lex.ASSUMPTIONS:
            continue
        if choice.claimed or _is_bare(clause, choice):
            reading = _answered(choice, clause, "last sentence")
            if bold and number == 0:
                inner = _span(bold[-1][1], context)
                if inner.value is not None and inner.value != reading.value and _is_bare(bold[-1][1], inner):
                    reading = _answered(inner, bold[-1][1], "bold")
            return reading
    return Reading(rule="last sentence")


def _bare_value(clause: str) -> bool:
    return _is_bare(clause, decide(clause, prose=True))


def _is_bare(clause: str, choice: Choice) -> bool:
    """Nothing but the value (and signs) stands in the clause."""
    if choice.value is None:
        return False
    rest = clause[: choice.start] + clause[choice.end :]
    return not _FILLER.sub("", rest)


def _is_cut(clause: str, choice: Choice) -> bool:
    """The clause stops in mid-sentence."""
    stripped = clause.rstrip()
    if not stripped or stripped[-1] in ".!?)]}\"'" or (_is_bare(clause, choice) and stripped[-1] not in "+-*/^=("):
        return False
    if _OPEN_END.search(stripped):
        return True
    return choice.value is None and len(stripped.split()) >= 3 and stripped.isascii()


def parse_responses(responses: pd.DataFrame, *, units: dict[str, str] | None = None) -> pd.DataFrame:
    """Responses with the columns `reading, predicted, rule, span, warnings, json_keys, before_cut` added.

    Only rows with outcome `ok` are read; the others keep blank cells. `before_cut` holds, for outcome `truncated`,
    the answer that was committed before the cut (for the sensitivity line). `json_keys` lists which of the three fields
    of `convert` were there. `units` maps a problem to the unit of its answer. Rows are neither dropped nor reordered.
    """
    from geoutils.parsed import read_table

    return read_table(responses, units or {})
