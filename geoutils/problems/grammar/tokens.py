"""Cutting a printed sentence into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<word>[A-Z]?[a-z]+(?:-[a-z]+)*(?![A-Za-z])|[A-Z][a-z]+(?:-[a-z]+)*)"
    r"|(?P<pts>[A-Z]+)"
    r"|(?P<letters>[a-z]+)"
    r"|(?P<num>[0-9]+)"
    r"|(?P<sym>[-+−–·×*/^=<>≤≥|(),:;.√π°²³'?!])"
    r")"
)
_SAME = {"−": "-", "–": "-", "*": "·"}
LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is word, pts, num or sym; `low` is what literals compare with; `tight` says that no space stands before it."""

    kind: str
    text: str
    low: str
    tight: bool
    points: tuple[str, ...] = ()


def tokenize(text: str) -> list[Token] | None:
    """Tokens of a sentence without its final full stop, or None where a character is outside the language."""
    text = text.strip()
    if len(text) > LIMIT:
        return None
    text = re.sub(r"[.]$", "", text)
    out: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match or match.end() == at:
            return None
        kind = match.lastgroup or ""
        word = match.group(kind)
        tight = match.start(kind) == at
        start = not out
        if kind == "pts":
            points = tuple(word)
            low = "a" if word == "A" and start else ""
            out.append(Token("pts", word, low, tight, points))
        elif kind == "letters":
            out.append(Token("word", word, word, tight))
        elif kind == "word":
            out.append(Token("word", word, word.lower() if start else word, tight))
        else:
            word = _SAME.get(word, word)
            out.append(Token(kind, word, word, tight))
        at = match.end()
    return out
