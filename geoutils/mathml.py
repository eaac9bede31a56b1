"""Mathematics in Markdown as MathML, so that pages show it without a script.

MathML inside Markdown would be destroyed by the conversion, so each formula is first replaced by a
short token, and the token by its MathML afterwards.
"""

from __future__ import annotations

import html
import re

_OPEN, _CLOSE = "\ue000", "\ue001"  # private characters: text shown through geoutils.display never holds them
_FORMULA = re.compile(
    r"(?P<code>^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)|\\\$)"
    r"|\$\$(?P<block>.+?)\$\$"
    r"|(?P<environment>\\begin\{(?P<kind>[a-z]+\*?)\}.+?\\end\{(?P=kind)\})"
    r"|\$(?P<inline>(?=\S)(?:[^$\\\n]|\\.|\n(?!\n))+?(?<=\S))\$(?!\d)",
    re.DOTALL | re.MULTILINE,
)
_TOKEN = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
LONGEST_FORMULA = 4000


def mathml(tex: str, *, block: bool) -> str:
    """A formula as MathML; what cannot be converted is shown as its source."""
    from latex2mathml.converter import convert

    source = html.escape(tex, quote=True)
    if len(tex) <= LONGEST_FORMULA:
        try:
            made = convert(tex, display="block" if block else "inline")
        except Exception:  # the library raises many kinds on what it does not know
            made = ""
        if made:
            return made.replace("<math ", f'<math alttext="{source}" ', 1)
    return f"<code>{source}</code>"


class Formulas:
    """The formulas taken out of one page."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def take_out(self, markdown: str) -> str:
        """The text with each formula outside code replaced by a token."""

        def token(match: re.Match[str]) -> str:
            if match["code"] is not None:
                return match[0]
            tex = match["block"] or match["environment"] or match["inline"]
            self.found.append(mathml(tex.strip(), block=match["inline"] is None))
            return f"{_OPEN}{len(self.found) - 1}{_CLOSE}"

        return _FORMULA.sub(token, markdown.replace(_OPEN, "").replace(_CLOSE, ""))

    def put_in(self, page: str) -> str:
        """The page with each token replaced by its formula."""

        def formula(match: re.Match[str]) -> str:
            number = int(match[1])
            return self.found[number] if number < len(self.found) else ""

        return _TOKEN.sub(formula, page)
