"""Surface features of a statement, counted over the tokens of one tokenizer.

Every character belongs to exactly one token, so nothing is counted twice and nothing is missed: a minus sign is
no hyphen, `7/12` is one number and one fraction, the article "A" is no point, a pair of coordinates may hold
roots and parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd

FEATURES = {
    "tokens": "words, numbers, names, signs and punctuation marks",
    "characters": "characters without those around the text",
    "words": "words of letters, an inner hyphen or apostrophe allowed",
    "symbols": "signs that are neither letter, digit nor punctuation (= + - * / ( ) √ ° ² ...)",
    "operators": "+ - * / : ^ between two operands, and powers; the slash of a fraction and a sign are none",
    "numbers": "numbers; a fraction of two integers is one",
    "distinct_numbers": "different values among them (5 and 5.0 are one, 3 and -3 are two)",
    "decimals": "numbers with a decimal point",
    "fractions": "numbers and roots over a number or root",
    "roots": "root signs, sqrt and cbrt",
    "coordinates": "tuples of two or three numeric entries",
    "points": "different capital letters that name something (with index or prime)",
    "arithmetic_load": "operators + fractions + roots + decimals",
    "punctuation": "punctuation marks, hyphens included",
    "punctuation_density": "punctuation marks per character",
    "solution_steps": "lines of the worked solution (the same in every representation)",
}
DECLARED = ("tokens", "symbols", "numbers")
"""The three features that the regression adjusts for, declared before any data was seen."""
COUNTED = tuple(name for name in FEATURES if name != "solution_steps")
MAX_CHARACTERS = 20_000
NEAR = 30

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<root>√|∛|\\sqrt\b|(?<![A-Za-z])(?:sqrt|cbrt)(?![A-Za-z]))
  | (?P<command>\\[A-Za-z]+)
  | (?P<number>(?:\d+(?:\.\d+)?|(?<![\w.])\.\d+))
  | (?P<power>[²³¹⁰⁴-⁹]+)
  | (?P<name>(?<![^\W_])(?:[A-Z](?:[₀-₉]+|_?\d+|_\{\d+\})?['′]*){1,8}(?![^\W\d_]))
  | (?P<word>[^\W\d_²³¹⁰⁴-⁹₀-₉]+(?:['’][^\W\d_²³¹⁰⁴-⁹₀-₉]+)?(?:[₀-₉]+|_\d+)?)
  | (?P<mark>[.,;:?!'"“”‘’…])
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_POINT = re.compile(r"[A-Z](?:[₀-₉]+|_?\d+|_\{\d+\})?['′]*")
_MINUS = "-−–"
_BETWEEN = "+*/:^·×÷" + _MINUS
_OPEN, _CLOSE = "([{", ")]}"
_AFTER_A_NAME = frozenset(
    (
        *("is", "are", "and", "or", "lies", "lie", "has", "have", "to", "on", "in", "at", "be", "meets", "meet"),
        *("divides", "with", "such", "from", "onto", "of", "equals", "moves", "coincides"),
    )
)
_NUMERIC_WORDS = frozenset({"pi", "π", "sqrt"})


class Token(NamedTuple):
    """A piece of a statement: ``kind`` is number, name, word, root, operator, sign, hyphen, mark, power or bracket."""

    kind: str
    text: str
    start: int


def _kind_of_dash(text: str, start: int, before: Token | None) -> str:
    """Whether a dash is a hyphen or range, a sign of a number, or a subtraction."""
    left, right = text[max(0, start - 1) : start], text[start + 1 : start + 2]
    if left.isspace() != right.isspace() and right.isspace():
        return "mark" if before is None or before.kind != "number" else "operator"
    if left.isalnum() and right.isalnum() and text[start] in "-–":
        first = re.search(r"[^\W_]+$", text[max(0, start - NEAR) : start])
        second = re.match(r"[^\W_]+", text[start + 1 : start + 1 + NEAR])
        assert first and second
        pieces = (first[0], second[0])
        if any(len(p) > 2 and p.isalpha() and not p.isupper() for p in pieces) or any(
            p.isalpha() and p.islower() and len(p) == 2 and p != "pi" for p in pieces
        ):
            return "hyphen"
        if second[0].isalpha() and first[0].isdigit() and len(second[0]) == 1 and second[0].isupper():
            return "hyphen"  # 3-D
    if left.isspace() and right.isspace() and before is not None and before.kind == "word" and len(before.text) > 2:
        return "mark"  # a dash between two clauses
    operand = before is not None and (
        before.kind in ("number", "name", "power", "word") or before.text in _CLOSE or before.text in "°π"
    )
    if operand and before is not None and before.kind == "word" and len(before.text) > 1 and left.isspace():
        operand = before.text in _NUMERIC_WORDS
    return "operator" if operand else "minus"


def tokenize(text: str) -> list[Token]:
    """The tokens of a statement, whitespace left out; at most 20,000 characters are read."""
    text = text[:MAX_CHARACTERS]
    out: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        before = out[-1] if out else None
        if kind == "space":
            continue
        if kind == "command":
            kind = "word" if piece == r"\pi" else "sign"
        elif kind == "name" and (
            (before is not None and before.kind == "hyphen")
            or (piece == "A" and _is_article(text, match.start(), match.end()))
        ):
            kind = "word"
        elif kind == "sign" and piece in _MINUS:
            kind = _kind_of_dash(text, match.start(), before)
        elif kind in ("sign", "mark") and piece in _BETWEEN:
            binary = before is not None and (
                before.kind in ("number", "name", "power", "word") or before.text in (*_CLOSE, "°", "π")
            )
            spaced = (
                text[match.start() - 1 : match.start()].isspace() or not text[match.end() : match.end() + 1].isspace()
            )
            kind = "operator" if binary and (piece != ":" or spaced) else "mark" if piece == ":" else "sign"
        elif kind == "sign" and piece in _OPEN + _CLOSE:
            kind = "bracket"
        out.append(Token(kind, piece, match.start()))
    return _joined(text, out)


def _is_article(text: str, start: int, end: int) -> bool:
    """A lone capital A that begins a sentence before an ordinary word."""
    before = text[max(0, start - NEAR) : start].rstrip(" \t")
    if start and before and before[-1] not in ".?!:;\n":
        return False
    after = re.match(r"\s+([A-Za-z][a-z'-]*)", text[end : end + NEAR])
    return bool(after) and after is not None and after[1] not in _AFTER_A_NAME


def _joined(text: str, tokens: list[Token]) -> list[Token]:
    """Thousands (1,000), fractions of integers (7/12) and signed numbers as one number token each."""
    out: list[Token] = []
    depth = 0
    i = 0
    while i < len(tokens):
        token = tokens[i]
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "bracket" else 0
        if token.kind == "number":
            end = i
            while (
                depth == 0 and end + 2 < len(tokens) and tokens[end + 1].text == "," and len(token.text) <= 3
                and re.fullmatch(r"\d{3}", tokens[end + 2].text)
                and tokens[end + 2].start == tokens[end].start + len(tokens[end].text) + 1
            ):  # fmt: skip
                end += 2
            follows_root = bool(out) and out[-1].kind == "root"
            if (
                end == i and not follows_root and i + 2 < len(tokens) and tokens[i + 1].text == "/"
                and token.text.isdigit() and tokens[i + 2].kind == "number" and tokens[i + 2].text.isdigit()
                and (len(out) < 1 or out[-1].text != "/")
            ):  # fmt: skip
                end = i + 2
            piece = text[token.start : tokens[end].start + len(tokens[end].text)]
            if out and out[-1].kind == "minus":
                sign = out.pop()
                token = Token("number", sign.text + piece, sign.start)
            else:
                token = Token("number", piece, token.start)
            out.append(token)
            i = end + 1
            continue
        if token.text == "/" and token.kind == "operator" and _over(out, tokens[i + 1 :]):
            token = token._replace(kind="over")
        out.append(token)
        i += 1
    return out


def _over(before: list[Token], after: list[Token]) -> bool:
    """Whether a slash stands between a number or root (or a closing bracket) and a number or root."""
    if not before or not after:
        return False
    return (before[-1].kind == "number" or before[-1].text == ")") and after[0].kind in ("number", "root")


def value_of(token: str) -> Fraction | None:
    """The value of a number token; None for one with a zero denominator."""
    plain = token.replace(",", "").replace("−", "-").replace("–", "-").replace(" ", "")
    top, _, under = plain.partition("/")
    if under and int(under) == 0:
        return None
    return Fraction(top) / Fraction(under or 1)


def _tuples(tokens: Sequence[Token]) -> Iterator[int]:
    """Sizes of the bracketed tuples whose two or three entries are all numeric."""
    stack: list[tuple[bool, list[list[Token]]]] = []
    for head, token in zip([None, *tokens], tokens, strict=False):
        if token.kind == "bracket" and token.text in "([":
            called = head is not None and (
                head.kind == "root"
                or (head.kind == "word" and len(head.text) > 1 and head.start + len(head.text) == token.start)
            )
            stack.append((called, [[]]))
        elif token.kind == "bracket" and token.text in ")]" and stack:
            called, entries = stack.pop()
            if len(entries) in (2, 3) and not called and all(_is_numeric(entry) for entry in entries):
                yield len(entries)
            if stack:
                stack[-1][1][-1] += [piece for entry in entries for piece in entry]
        elif stack and token.text in (",", ";"):
            stack[-1][1].append([])
        elif stack:
            stack[-1][1][-1].append(token)


def _is_numeric(entry: Sequence[Token]) -> bool:
    kinds = {"number", "root", "operator", "over", "minus", "power", "bracket", "sign"}
    fits = all(t.kind in kinds or t.text in _NUMERIC_WORDS for t in entry)
    return fits and any(t.kind == "number" or t.text in _NUMERIC_WORDS for t in entry)


def surface_features(text: str) -> dict[str, float]:
    """The features of :data:`FEATURES` (but the solution's steps) of one statement."""
    tokens = tokenize(text)
    kinds = [t.kind for t in tokens]
    numbers = [t.text for t in tokens if t.kind == "number"]
    fractions = kinds.count("over") + sum("/" in piece for piece in numbers)
    operators = kinds.count("operator") + kinds.count("power")
    roots, decimals = kinds.count("root"), sum("." in piece for piece in numbers)
    length = len(text.strip()[:MAX_CHARACTERS])
    marks = kinds.count("mark") + kinds.count("hyphen")
    signs = sum(kinds.count(kind) for kind in ("sign", "operator", "over", "minus", "bracket", "power"))
    signs += (
        sum(t.text in ("√", "∛") for t in tokens)
        + sum("/" in p for p in numbers)
        + sum(p[0] in _MINUS for p in numbers)
    )
    return {
        "tokens": len(tokens),
        "characters": length,
        "words": kinds.count("word"),
        "symbols": signs,
        "operators": operators,
        "numbers": len(numbers),
        "distinct_numbers": len({value_of(piece) for piece in numbers}),
        "decimals": decimals,
        "fractions": fractions,
        "roots": roots,
        "coordinates": sum(1 for _ in _tuples(tokens)),
        "points": len({point for t in tokens if t.kind == "name" for point in _POINT.findall(t.text)}),
        "arithmetic_load": operators + fractions + roots + decimals,
        "punctuation": marks,
        "punctuation_density": marks / length if length else 0.0,
    }


def statement_features(problems: pd.DataFrame) -> pd.DataFrame:
    """Features of every statement: problem, variant, representation, then the columns of :data:`FEATURES`.

    Needs the columns problem, representation, statement; variant (0 where absent) and solution are optional.
    Without a solution ``solution_steps`` is ``nan``.
    """
    keys = problems[["problem", "representation"]].copy()
    keys.insert(1, "variant", problems["variant"].astype(int) if "variant" in problems.columns else 0)
    counted = pd.DataFrame(
        [surface_features(str(text)) for text in problems["statement"]], index=problems.index, columns=list(COUNTED)
    )
    if "solution" in problems.columns:
        steps = (
            problems["solution"]
            .fillna("")
            .astype(str)
            .map(lambda text: sum(bool(line.strip()) for line in text.splitlines()))
        )
    else:
        steps = pd.Series(np.nan, index=problems.index)
    return pd.concat([keys, counted, steps.rename("solution_steps")], axis=1).reset_index(drop=True)
