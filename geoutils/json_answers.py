r"""The answer of a JSON object inside a response, well-formed or not.

Strict JSON first, with the backslashes of LaTeX commands doubled (`json.loads` would turn the \f of
"\frac" into a form feed); then a bounded pattern for what models write instead (single quotes, trailing commas,
comments). An object that is not closed is never completed: the answer may have been longer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

MAX_JSON = 24_000
ANSWER_KEYS = (
    "numericanswer", "finalanswer", "answer", "answers", "finalanswers", "finalresult", "final", "result", "finalvalue", "numericalanswer",
    "numericvalue", "solution", "value", "output", "ans", "prediction", "response", "antwort", "ergebnis", "respuesta",
    "respuestafinal", "réponse", "reponse", "resposta", "risposta", "ответ", "答案", "最终答案", "答え", "정답", "답",
    "الإجابة", "उत्तर",
)  # fmt: skip
_VALUE_KEYS = ("numericanswer", "finalanswer", "answer", "value", "exact", "number", "numeric", "numericvalue", "result", "amount", "decimal", "expression", "latex", "final", "text", "content")
_START = re.compile(r"(?<![A-Za-z_^}\\])\{\s*(?:[\"'][^\"'{}\n]{1,60}[\"']|[A-Za-z_]\w{2,40})\s*:")
_BRACES = re.compile(r"\\.|[\"{}]", re.S)
_LATEX = (
    "d?frac|tfrac|sqrt|pi|cdot|times|text|left|right|boxed|angle|circ|theta|tau|beta|rho|nu|approx|degrees?|mathrm|mathbf|math"
    "|overline|pm|infty|sin|cos|tan|arctan|arcsin|arccos|ln|log|exp|quad|qquad|triangle|parallel|perp|vec|hat|bar|alpha|gamma"
    "|delta|phi|sum|int|le|leq|ge|geq|ne|neq|to|Rightarrow|therefore|because|ldots|dots|cdots|begin|end|rightarrow|bigl|bigr|big|fbox|mbox|underline"
)
_LONE = re.compile(rf"(?<!\\)((?:\\\\)*)\\(?=(?:{_LATEX})(?![a-z])|[^\"\\/bfnrtu]|u(?![0-9a-fA-F]{{4}}))")
_RAW = re.compile(
    r"[\"']?(?P<key>[^\W\d][\w \-]{0,40}?)[\"']?\s*:\s*(?P<value>\"(?:[^\"\\]|\\.){0,4000}\"|'(?:[^'\\\n]|\\.){0,4000}'(?=\s*[,}\n])|\[[^\[\]]{0,400}\]|[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}\n])|[^,\"'\[\]{}\n]{1,400})"
)


class Literal(str):
    """A JSON number kept as it was written, with all its digits."""


@dataclass(frozen=True, slots=True)
class JsonFound:
    """A JSON object in a text: its place, its content, and whether its answer key was found.

    `answer` is a str (a `Literal` for a bare number), a list, or None; `cut` says that the object
    never closes; `repaired` that it was not valid JSON.
    """

    start: int
    end: int
    answer: Any = None
    has_key: bool = False
    unit: str = ""
    cut: bool = False
    repaired: bool = False
    fields: dict[str, Any] | None = None


def _key(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _close(text: str, start: int, quotes: bool) -> int:
    depth, inside = 0, False
    for match in _BRACES.finditer(text, start):
        char = match[0]
        if char == '"':
            inside = quotes and not inside
        elif not inside:
            if char == "{":
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    return match.end()
    return -1


def _loads(source: str) -> Any:
    return json.loads(
        source, strict=False, parse_int=Literal, parse_float=Literal, parse_constant=lambda name: Literal(name)
    )


def _answer_of(content: Any, keys: tuple[str, ...], depth: int = 0) -> tuple[bool, Any, str]:
    """(found, answer, unit) of a decoded object; nested objects are searched for the value."""
    if not isinstance(content, dict) or depth > 6:
        return False, None, ""
    named = {_key(str(k)): v for k, v in content.items()}
    if "numerator" in named and "denominator" in named:
        return True, f"{named['numerator']}/{named['denominator']}", ""
    unit = next((str(named[k]) for k in ("unit", "units", "einheit", "unité") if isinstance(named.get(k), str)), "")
    for key in keys:
        if key not in named:
            continue
        value = named[key]
        if isinstance(value, dict):
            found, inner, inner_unit = _answer_of(value, (*keys, *_VALUE_KEYS), depth + 1)
            return True, inner if found else None, inner_unit or unit
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], (list, dict)):
            value = value[0]
        return True, value, unit
    if len(named) == 1 and isinstance(next(iter(named.values())), dict):
        return _answer_of(next(iter(named.values())), keys, depth + 1)
    if depth == 0 and len(named) == 1 and isinstance(next(iter(named.values())), Literal):
        return True, next(iter(named.values())), unit
    return False, None, unit


def find_json(text: str, *, strategy: str | None = None) -> JsonFound | None:
    """The last JSON object of `text` that has an answer key; else the last one at all; None without any.

    With strategy `convert` only `numeric_answer` counts, if the object has that key.
    """
    if "{" not in text or ":" not in text:
        return None
    text = text[:MAX_JSON]
    best: JsonFound | None = None
    at, tries = 0, 0
    while tries < 12 and (match := _START.search(text, at)) is not None:
        tries += 1
        found = _read(text, match.start())
        if found.has_key or best is None or (found.cut and not best.has_key):
            best = found
        at = max(found.end, match.end())
    return best


def _read(text: str, start: int) -> JsonFound:
    end = _close(text, start, True)
    loose = end < 0
    if loose:
        end = _close(text, start, False) if "'" in text[start : start + 4000] else -1
    if end < 0:
        return JsonFound(start, len(text), cut=True)
    source = _LONE.sub(r"\1\\\\", text[start:end])
    try:
        content = _loads(source)
    except (ValueError, RecursionError):
        return _raw(text, start, end)
    found, answer, unit = _answer_of(content, ANSWER_KEYS)
    if isinstance(answer, (bool, dict, type(None))):
        answer = None
    return JsonFound(start, end, answer, found, unit, fields=content if isinstance(content, dict) else None)


def _raw(text: str, start: int, end: int) -> JsonFound:
    """The answer key of an object that is no valid JSON, by pattern."""
    fields: dict[str, Any] = {}
    for match in _RAW.finditer(text, start + 1, min(end, start + MAX_JSON)):
        value = match["value"].strip()
        key = _key(match["key"])
        if value[:1] in "\"'" and len(value) > 1:
            fields[key] = value[1:-1].replace("\\\\", "\\")
        elif value.startswith("["):
            parts = [part for part in value[1:-1].split(",") if part.strip()]
            fields[key] = parts[0].strip(" \"'") if len(parts) == 1 else parts
        elif value.lower() not in ("none", "null", "true", "false", ""):
            fields[key] = Literal(value.rstrip("}` \n"))
        else:
            fields[key] = None
    for key in ANSWER_KEYS:
        if key in fields:
            return JsonFound(start, end, fields[key], True, repaired=True, fields=fields)
    return JsonFound(start, end, repaired=True, fields=fields)


def convert_fields(text: str) -> dict[str, str | None]:
    """The three fields of a `convert` response: `euclidean_conversion`, `reasoning`, `numeric_answer`.

    None where a field is missing; 0 is an answer, not a missing one. Reads the last JSON object that has any of them.
    """
    names = ("euclidean_conversion", "reasoning", "numeric_answer")
    result: dict[str, str | None] = dict.fromkeys(names)
    found = find_json(text, strategy="convert")
    if found is None or found.fields is None:
        return result
    named = {_key(str(k)): v for k, v in found.fields.items()}
    for name in names:
        value = named.get(_key(name))
        if value is not None:
            result[name] = str(value) if not isinstance(value, (list, dict)) else json.dumps(value, ensure_ascii=False)
    return result
