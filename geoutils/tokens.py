r"""Text to tokens, and one number token to its value with the digits it shows.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from flint import fmpq

Tree = tuple[Any, ...]

MAX_DIGITS = 1200  # of one literal
MAX_DEPTH = 24  # of nesting


class TooBig(ValueError):
    """A number beyond the bounds; it is some value, but never the gold."""


class Budget(ValueError):
    """The text needs more steps than one answer is worth."""


class Token(NamedTuple):
    """`kind`: n number, w word, c LaTeX command, o sign, l line end. `gap`: white space before it."""

    kind: str
    text: str
    start: int
    end: int
    gap: bool


_TOKEN = re.compile(
    r"(?P<n>(?:\d+(?:[.,]\d+)*(?:'\d{3})*(?:\.(?=\\overline|\(\d+\)))?|\.\d+)(?:[eE][-+]?\d+(?![A-Za-z_]|\.\d))?)"
    r"|(?P<w>[^\W\d_π]+(?:'(?:t|s|re|ll|ve|d)(?!\w))?)"
    r"|(?P<c>\\[A-Za-z]+)"
    r"|(?P<l>[^\S\n]*\n\s*)"
    r"|(?P<o>\*\*|\.\.\.|==|:=|->|=>|<=|>=|~=|\\.|[^\s\w]|[π_])"
)

# scripts that write vowels as marks need them in their words
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e4e"
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_TOKEN_MARKS = re.compile(
    _TOKEN.pattern.replace(r"[^\W\d_π]+", rf"(?:[{_LATIN}]+|(?:(?![{_LATIN}])[^\W\d_π]|(?<=\w)[{_MARKS}]|(?<=[{_MARKS}])[{_MARKS}])+)")
)

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "sec": "sec", "csc": "csc",
    "cosec": "csc", "arcsin": "asin", "asin": "asin", "arccos": "acos", "acos": "acos", "arctan": "atan",
    "atan": "atan", "arctg": "atan", "ln": "ln", "log": "log", "exp": "exp", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "abs": "abs", "lg": "lg",
}  # fmt: skip
INVERSE = {"asin", "acos", "atan"}
ROOTS = {"sqrt": 2, "cbrt": 3, "√": 2, "∛": 3}

_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")
_DOT_GROUPS = re.compile(r"\d{1,3}(?:\.\d{3})+")


def tokenise(text: str) -> list[Token]:
    """Split folded text into tokens; white space is kept as the flag `gap` and as line ends."""
    tokens = []
    last = 0
    for match in (_TOKEN if text.isascii() else _TOKEN_MARKS).finditer(text):
        start, end = match.span()
        tokens.append(Token(match.lastgroup, match[0], start, end, start > last or not last))  # type: ignore[arg-type]
        last = end
    return tokens


def literal(text: str, comma: bool = False) -> Tree | None:
    """Read one number token; `comma` says that the language writes 3,14. None if it is a list.

    >>> literal("1,234.5")
    ('d', 2469/2, 1, 5, False)
    """
    if len(text) > MAX_DIGITS * 2:
        raise TooBig("a number of more than a thousand digits")
    mantissa, _, power = text.partition("e") if "e" in text else text.partition("E")
    mantissa = mantissa.replace("'", "")
    dot, sep = mantissa.rfind("."), mantissa.rfind(",")
    if dot < 0 and sep < 0:
        whole, part = mantissa, ""
    elif dot >= 0 and sep >= 0:
        mark = max(dot, sep)
        whole, part = mantissa[:mark], mantissa[mark + 1 :]
        pattern = _GROUPS if dot > sep else _DOT_GROUPS
        if not pattern.fullmatch(whole):
            return None
        whole = whole.replace(",", "").replace(".", "")
    elif sep >= 0:
        grouped = _GROUPS.fullmatch(mantissa) and mantissa[0] != "0"
        if grouped and not (comma and mantissa.count(",") == 1):
            whole, part = mantissa.replace(",", ""), ""
        elif mantissa.count(",") == 1:
            whole, _, part = mantissa.partition(",")
        else:
            return None
    else:
        grouped = _DOT_GROUPS.fullmatch(mantissa) and mantissa[0] != "0"
        if grouped and (comma or mantissa.count(".") > 1):
            whole, part = mantissa.replace(".", ""), ""
        elif mantissa.count(".") == 1:
            whole, _, part = mantissa.partition(".")
        else:
            return None
    if len(whole) > MAX_DIGITS:
        raise TooBig("a number of more than a thousand digits")
    more = len(part) > MAX_DIGITS
    part = part[:MAX_DIGITS]
    shift = 0
    if power:
        if len(power) > 6:
            raise TooBig(f"a power of ten as large as {power[:12]}")
        shift = int(power)
        if abs(shift) > MAX_DIGITS:
            raise TooBig(f"a power of ten as large as {power}")
    digits = whole + part
    if not part and not power:
        return ("n", fmpq(int(digits)))
    number = fmpq(int(digits or "0"), 10 ** len(part))
    figures = len(digits.lstrip("0"))
    if shift:
        number = number * fmpq(10) ** shift
    return ("d", number, len(part) - shift, figures, more)


