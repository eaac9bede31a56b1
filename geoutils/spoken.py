"""Arithmetic said in words: "the square root of 5", "2 times √3", "3 over 4", "half of 14"."""

from __future__ import annotations

import re

_ROOT = re.compile(
    r"(?:the\s{1,3})?(?:(?:positive|principal)\s{1,3})?(?:square\s{1,3}root\s{1,3}of|quadratwurzel\s{1,3}(?:aus|von)|wurzel\s{1,3}(?:aus|von)|racine\s{1,3}(?:carrée\s{1,3})?de"
    r"|raíz\s{1,3}(?:cuadrada\s{1,3})?de|radice\s{1,3}(?:quadrata\s{1,3})?di|raiz\s{1,3}(?:quadrada\s{1,3})?de|корень\s{1,3}из|(?<![\w-])root(?=\s{1,3}\d))\s{0,3}",
    re.I,
)
_CUBE_ROOT = re.compile(r"(?:the\s{1,3})?cube\s{1,3}root\s{1,3}of\s{0,3}", re.I)
_TIMES = re.compile(r"(?<=[\dπ)])\s{1,3}(times|multiplied\s{1,3}by|mal|fois|por|divided\s{1,3}by|over|plus|minus)\s{1,3}(?:the\s{1,3})?(?=[√π(]|\d)", re.I)
_SIGNS = {"divided": "/", "over": "/", "plus": "+", "minus": "-"}
_SQUARED = re.compile(r"(?<=\d)\s{1,3}(squared|cubed)\b", re.I)
_SHARE = re.compile(r"\b(?:one\s{1,3})?(half|quarter|third)\s{1,3}of\s{1,3}(?=√?\d)", re.I)
_SHARES = {"half": "(1/2)*", "quarter": "(1/4)*", "third": "(1/3)*"}
_TWICE = re.compile(r"\b(twice|double)\s{1,3}(?=√?\d)", re.I)
_MINUTES = re.compile(r"(\d+)\s{0,3}(?:°|degrees?)\s{0,3},?\s{0,3}(?:and\s{1,3})?(\d+)\s{0,3}minutes?(?:\s{0,3},?\s{0,3}(?:and\s{1,3})?(\d+)\s{0,3}seconds?)?", re.I)
_CHANCE = re.compile(r"(?<![\d.])(\d{1,6})\s{1,3}(?:in|out\s{1,3}of)\s{1,3}(?:every\s{1,3})?(\d{1,6})(?![\d.]*\d)", re.I)
_FINNISH = re.compile(r"\b(pituus|pinta-ala|ala|kulma|säde|suhde|kehä|halkaisija|vastaus|etäisyys|tulos)\s{1,3}on\b", re.I)
_ANY = re.compile(
    r"root|wurzel|racine|ra[ií]z|radice|корень|times|multipl|divided|over|plus|minus|squared|cubed|half|quarter|third|twice|double|minute|probab|chance| on | mal | fois | por ",
    re.I,
)


def _minutes(match: re.Match[str]) -> str:
    return f"{match[1]}°{match[2]}'" + (f"{match[3]}''" if match[3] else "")


def spoken(text: str) -> str:
    """`text` with arithmetic in words turned into signs, where a number follows at once."""
    if not _ANY.search(text):
        return text
    text = _ROOT.sub("√", text)
    if "robab" in text or "hance" in text:
        text = _CHANCE.sub(r"\1/\2", text)
    text = _FINNISH.sub(r"\1 =", text)
    text = _CUBE_ROOT.sub("∛", text)
    text = _TIMES.sub(lambda m: _SIGNS.get(m[1].split()[0].lower(), "*"), text)
    text = _SQUARED.sub(lambda m: "^2" if m[1].lower() == "squared" else "^3", text)
    text = _SHARE.sub(lambda m: _SHARES[m[1].lower()], text)
    text = _TWICE.sub("2*", text)
    return _MINUTES.sub(_minutes, text) if "minute" in text else text
