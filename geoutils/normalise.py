"""Fold the many spellings of one mathematical text into a small plain alphabet.

`fold` removes what Unicode, HTML and keyboards add (digits of other scripts, thirty dashes,
superscripts, vulgar fractions); `untex` removes what LaTeX adds (delimiters, spacing, text boxes).
Both run in time linear in the text and never look at what the text means.
"""

from __future__ import annotations

import html
import re
import unicodedata

_SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n", strict=True))
_SUPER_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_VULGAR = re.compile("(\\d ?)?([¼½¾⅐-⅟↉])")

_FRACTIONS = {c: unicodedata.normalize("NFKC", c).replace("⁄", "/") for c in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅟↉"}

_SIGNS = {
    "−": "-", "–": "-", "‒": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "➖": "-", "—": " — ",
    "×": "*", "⋅": "*", "·": "*", "∙": "*", "•": "*", "✕": "*", "✖": "*", "⨯": "*", "∗": "*",
    "÷": "/", "⁄": "/", "∕": "/", "∶": ":", "：": ":", "꞉": ":",
    "º": "°", "˚": "°", "℃": "°", "∘": "°",
    "≃": "≈", "≅": "≈", "≒": "≈", "≐": "≈", "∼": "≈", "⩽": "≤", "⩾": "≥", "≦": "≤", "≧": "≥",
    "⇒": "→", "⟹": "→", "⟶": "→", "∴": " therefore ", "✓": " ", "✔": " ", "✅": " ", "■": " ", "∎": " ",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "′": "'", "″": "''",
    "。": ". ", "．": ".", "、": ", ", "，": ", ", "；": "; ", "।": ". ", "؟": "?", "،": ", ", "؛": "; ",
    "٫": ".", "٬": "", "【": "[", "】": "]", "「": '"', "」": '"', "﹪": "%", "٪": "%",
    "ϖ": "π", "Π": "π", "ℯ": "e", "ⅇ": "e", "√": "√", "∛": "∛", "∞": "∞", "…": "...",
    "\u00ad": "", "\ufe0f": "", "\u20e3": "", "\u0305": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u200e": "", "\u200f": "", "\u2060": "",
    "\u2061": "", "\u2062": "*", "\u2063": ",", "\ufeff": "", "\u202a": "", "\u202c": "", "\u061c": "",
    "\u2028": "\n", "\u2029": "\n", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2007": " ",
    "\u2002": " ", "\u2003": " ", "\u2006": " ", "\u2005": " ", "\u2004": " ", "\u2008": " ", "\u3000": " ",
}  # fmt: skip
_TABLE = str.maketrans(_SIGNS)
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


def _superscript(match: re.Match[str]) -> str:
    return "^{" + "".join(_SUPER[c] for c in match[0]) + "}"


def _vulgar(match: re.Match[str]) -> str:
    fraction = _FRACTIONS[match[2]]
    return f"{match[1].strip()} {fraction}" if match[1] else f"({fraction})"


class _Digits(dict):  # type: ignore[type-arg]
    """A translation table made as it is needed: any decimal digit becomes its ASCII one."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        value = unicodedata.decimal(char, None) if code > 127 else None
        plain = char if value is None else str(value)
        if len(self) < 4096:
            self[code] = plain
        return plain


_DIGITS = _Digits()


def fold(text: str) -> str:
    """Return `text` with one spelling per sign: ASCII digits, `-`, `*`, `/`, `^{2}`, `°`, `π`, `√`.

    Unicode compatibility forms are replaced (NFKC), HTML entities resolved, invisible characters
    dropped. Superscripts and vulgar fractions are kept apart first, because NFKC alone turns cm² into cm2
    and 2½ into 21/2.
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if text.isascii():
        return _CONTROL.sub(" ", text) if not text.isprintable() else text
    text = _SUPER_RUN.sub(_superscript, text)
    text = _VULGAR.sub(_vulgar, text)
    if "—" in text:
        text = _DASH.sub(r"\1\2-", text)
    text = text.translate(_TABLE)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TABLE).translate(_DIGITS)
    return _CONTROL.sub(" ", text)


_TEXT_BOX = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal|color)?|math(?:rm|bf|it|sf|tt|bb|cal|normal)|mbox|hbox|bm|boldsymbol"
    r"|operatorname\*?|emph|underline|ensuremath|fbox|boxed|small|color|displaystyle|textstyle)\s*\{([^{}]*)\}"
)
_DEGREE = re.compile(r"\^\s*\{\s*(?:°|\\circ(?![a-zA-Z])|o)\s*\}|\^\s*(?:°|\\circ(?![a-zA-Z])|o(?![a-zA-Z]))|\\(?:text)?degrees?(?![a-zA-Z])|\{\}\s*\^\s*\{?\\circ\}?")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s*(\d)\s*(?=[\d{])")
_COLOUR = re.compile(r"\\(?:text)?color\s*\{[A-Za-z]{1,20}\}|\\hspace\*?\{[^{}]{0,20}\}|\\(?:begin|end)\{[A-Za-z*]{1,20}\}(?:\{[lcr|]{1,10}\})?")
_TIE = re.compile(r"(?<=[\w}])~(?=[\w\\{(])")
_EXPONENT_E = re.compile(r"(?<=\d)\s?\\mathrm\{\s*[eE]\s*\}(?=[-+]?\d)")
_BLANKS = re.compile(r"[^\S\n]{3,}")
_SLASHED = re.compile(r"\^\{?(\d{1,9})\}?/_\{?(\d{1,9})\}?")
_DASH = re.compile(r"(^|[:=(])(\s{0,3})—(?=[\d√π.])")
_COMMAND = re.compile(r"\\([A-Za-z]+\*?|[^A-Za-z])")
_MAPPED = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "pi": "π", "approx": "≈", "simeq": "≈", "sim": "≈",
    "cong": "≈", "approxeq": "≈", "doteq": "≈", "infty": "∞", "pm": "±", "mp": "±", "le": "≤", "leq": "≤",
    "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "lt": "<", "gt": ">", "neq": "≠", "ne": "≠",
    "sqrt": "√", "surd": "√", "circ": "°", "cup": " ∪ ", "bigcup": " ∪ ", "colon": " : ", "ratio": " : ", "dots": "...", "ldots": "...",
    "cdots": "...", "therefore": " therefore ", "Rightarrow": " → ", "implies": " → ", "rightarrow": " → ",
    "to": " → ", "Longrightarrow": " → ", "longrightarrow": " → ", "iff": " → ", "quad": " ", "qquad": " ",
    "left": "", "right": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "big": "", "Big": "", "bigg": "",
    "Bigg": "", "biggl": "", "biggr": "", "Biggl": "", "Biggr": "", "middle": "", "displaystyle": "",
    "textstyle": "", "scriptstyle": "", "limits": "", "nolimits": "", "mathrm": "", "text": "", "mathbf": "",
    "over": "/", "tfrac": "\\frac", "dfrac": "\\frac", "cfrac": "\\frac", "sfrac": "\\frac", "nicefrac": "\\frac",
    "xfrac": "\\frac", "arctan": " arctan ", "arcsin": " arcsin ", "arccos": " arccos ", "sin": " sin ",
    "cos": " cos ", "tan": " tan ", "cot": " cot ", "sec": " sec ", "csc": " csc ", "ln": " ln ", "log": " log ",
    "exp": " exp ", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "lbrace": "{", "rbrace": "}",
    "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")", "angle": " ∠", "triangle": " triangle ",
    "dot": "\\overline", "space": " ", "thinspace": " ", "newline": "\n", "par": "\n", "hfill": " ", "noindent": " ",
    "ang": " ", "checkmark": " ", "qed": " ", "square": " ", "blacksquare": " ", "unit": " ",
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "\n": " ", "/": "", "%": "%", "$": "$", "#": "#", "&": "&",
    "_": "_", "(": " ", ")": " ", "[": " ", "]": " ", "{": "{", "}": "}", "\\": "\n", "|": "|", "'": "'",
}  # fmt: skip


def _command(match: re.Match[str]) -> str:
    return _MAPPED.get(match[1], match[0])


def untex(text: str) -> str:
    r"""Return `text` without LaTeX dress: `\dfrac12\,\text{cm}` becomes `\frac{1}{2} cm`.

    What is left of LaTeX are `\frac`, `\overline` and unknown commands, which the reader of values
    treats as what they are. Currency and mathematics dollars become spaces.
    """
    if "\\" in text:
        if "{" in text:
            text = _COLOUR.sub(" ", text)
            if "~" in text:
                text = _TIE.sub(" ", text)
            text = _EXPONENT_E.sub("e", text)
            for _ in range(3):
                text, count = _TEXT_BOX.subn(r" \1 ", text)
                if not count:
                    break
        text = _SHORT_FRACTION.sub(r"\\frac{\1}", text)
        text = _COMMAND.sub(_command, text)
    if "/_" in text:
        text = _SLASHED.sub(r"\\frac{\1}{\2}", text)
    if "°" in text or "^" in text or "\\" in text:
        text = _DEGREE.sub("°", text)
    if "{" in text:
        text = text.replace("{,}", ",").replace("{.}", ".").replace("{:}", ":").replace("{}", "")
    if "$" in text:
        text = text.replace("$", " ")
    return _BLANKS.sub("  ", text) if "   " in text else text
