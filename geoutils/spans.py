r"""Where in a response the answer may stand: think blocks, boxes, tags, sentences, further questions.

Every function is one linear pass. Positions refer to the text passed in.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from geoutils import lexicon as lex

_THINK = r"think|thinking|thought|thoughts|reasoning|reason|scratchpad|analysis|reflection|internal|monologue|seed:think|cot|begin_of_thought"
_THINK_NAMES = ("think", "thought", "reason", "scratchpad", "analysis", "reflection", "internal", "monologue", "cot", "channel")
_OPEN_THINK = re.compile(rf"<\|?(?:{_THINK})\|?>|◁think▷|\[THINK\]|<\|channel\|>\s*(?:analysis|commentary)", re.I)
_CLOSE_THINK = re.compile(
    r"</\s*(?:think|thinking|thought|thoughts|reasoning|reason|scratchpad|analysis|reflection|internal|monologue|seed:think|cot)\s*>"
    r"|<\|end_of_thought\|>|<\|/?(?:end_)?think(?:ing)?\|>|◁/think▷|\[/THINK\]|<\|channel\|>\s*final\s*<\|message\|>",
    re.I,
)
_BOX_TOKEN = re.compile(r"\\(?:boxed|fbox|framebox|Boxed)\s*\{|(?<![\\\w])boxed\{|\\[{}\\]|[{}]")
_BARE_BOX = re.compile(r"\\boxed\s+(-?\d+(?:\.\d+)?)|\\boxed(-?\d)")
_TAG = re.compile(r"<\s*(/?)\s*(final_?answer|answer|ans|result|solution|output|final)\s*>|\[(/?)(answer|ans)\]", re.I)
_HTML = re.compile(
    r"<(/?)\s*(p|b|i|u|br|hr|div|span|strong|em|sup|sub|h[1-6]|li|ul|ol|table|tbody|thead|tr|td|th|code|pre|math|mi|mn|mo|mrow|font|center|mark|small|big|tt|a|body|html|s|del|strike)\b([^<>]{0,200})/?>",
    re.I,
)
_SPECIAL = re.compile(r"<\|(?:im_end|im_start|endoftext|eot_id|end|eos|end_of_text|return)\|>|</?s>|<eos>|<end_of_turn>|<\|?end▁of▁sentence\|?>")
_MATHML = r"\s{0,3}<m[nio]>([^<]{1,40})</m[nio]>\s{0,3}"
_MATHML_FRACTION = re.compile(rf"<mfrac>{_MATHML}{_MATHML}</mfrac>")
_MATHML_ROOT = re.compile(rf"<msqrt>{_MATHML}</msqrt>")
_LINE_TAGS = frozenset(["p", "br", "hr", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "table", "pre", "ul", "ol"])
_BOLD = re.compile(r"(?<![\w)*\\])\*{2,3}(?=[^\s*])|(?<=[^\s*])\*{2,3}(?![\w(*])|(?<![\w\\])__(?=[^\s_])|(?<=[^\s_])__(?!\w)")
_ITALIC = re.compile(r"(?<![\w)*\\^])([*_])(?=[^\s*_\d])([^\n*_]{1,200}?)(?<=\S)\1(?![\w(*])|(?<![\w)*\\^\d}])_(?=\d)([^\n_]{1,60}?)_(?![\w({])|(?:(?<![\w)*\\^\d ])|(?<=: )|(?<=is )|(?<=are ))\*(?=\d)([^\n*_]{1,60}?)\*(?![\w(*])")
_MARKUP = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|```\w*)|^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", re.M)
_LINK = re.compile(r"!?\[([^\]\[\n]{0,200})\]\((?:https?:|#|/|\.|mailto:|[\w-]+\.\w)[^()\s]{0,300}\)")
_FOOTNOTE = re.compile(r"^\[\^\w{1,12}\]:[^\n]*|\[\^\w{1,12}\]", re.M)
_STRUCK = re.compile(r"~~[^~\n]{0,200}~~")
_TABLE_ROW = re.compile(r"^[ \t]*\|([^\n]{1,400})\|[ \t]*$", re.M)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:approx|ca|i\.e|ie|e\.g|eg|sq|cu|fig|figs|no|nos|resp|vs|cf|eq|eqs|bzw|d\.h|z\.b|env|aprox|prox|circa|st|dr|mr|pt|pts|deg|[A-Z])$",
    re.I,
)
_SENTENCE_END = re.compile(r"[.!?]{1,6}[\"')\]*_]{0,4}(?=\s|$)|\n")


class Box(NamedTuple):
    """One outermost box: where it starts and ends, and its content."""

    start: int
    end: int
    content: str


def strip_think(text: str) -> tuple[str, bool]:
    """The text after the thinking, and whether a think block is left open (then it is what stands before it)."""
    if "<" not in text and "[" not in text and "◁" not in text:
        return text, False
    lowered = text.lower()
    if not any(name in lowered for name in _THINK_NAMES):
        return text, False
    closing = next(reversed(list(_CLOSE_THINK.finditer(text))), None)
    if closing is not None:
        rest = text[closing.end() :]
        opening = _OPEN_THINK.search(text)
        if not rest.strip() and opening is not None and opening.start() > 0:
            return text[: opening.start()], False
        text = rest
    opening = _OPEN_THINK.search(text)
    if opening is not None:
        return text[: opening.start()], True
    return text, False


def boxes(text: str) -> tuple[list[Box], int]:
    r"""The outermost closed boxes, and the place of a box that never closes (-1 if none)."""
    if "box" not in text and "Box" not in text:
        return [], -1
    found: list[Box] = []
    stack: list[tuple[bool, int, int]] = []
    open_boxes = 0
    for match in _BOX_TOKEN.finditer(text):
        token = match[0]
        if token == "}":
            if not stack:
                continue
            is_box, start, inner = stack.pop()
            if is_box:
                open_boxes -= 1
                if open_boxes == 0:
                    found.append(Box(start, match.end(), text[inner : match.start()]))
        elif token == "{":
            stack.append((False, match.start(), match.end()))
        elif token[-1] == "{" and len(token) > 2:
            stack.append((True, match.start(), match.end()))
            open_boxes += 1
    unclosed = next((start for is_box, start, _ in stack if is_box), -1)
    if not found and unclosed < 0:
        for match in _BARE_BOX.finditer(text):
            found.append(Box(match.start(), match.end(), match[1] or match[2]))
    return found, unclosed


def tagged(text: str) -> tuple[str | None, int, bool]:
    """The content of the last closed <answer> pair, its end, and whether a later one is left open."""
    if "<" not in text and "[" not in text:
        return None, 0, False
    content, end, opened = None, 0, None
    for match in _TAG.finditer(text):
        name = (match[2] or match[4]).lower()
        if name in ("solution", "output", "result", "final") and "</" + name not in text.lower():
            continue
        if not (match[1] or match[3]):
            opened = match.end()
        elif content is None and opened is None and match.start() < 400 and name in ("answer", "ans"):
            content, end = text[: match.start()], match.end()
        elif opened is not None:
            content, end, opened = text[opened : match.start()], match.end(), None
    return content, end, opened is not None


def strip_markup(text: str) -> str:
    """Without HTML tags, Markdown emphasis, headings and fences; powers and products written with * stay."""
    if "<" in text:
        for _ in range(8):
            start = text.find("<!--")
            end = text.find("-->", start)
            if start < 0 or end < 0:
                break
            text = text[:start] + " " + text[end + 3 :]
        if "<m" in text:
            text = _MATHML_ROOT.sub(r"√(\1)", _MATHML_FRACTION.sub(r"(\1)/(\2)", text))
        text = _HTML.sub(_html, text)
    if "](" in text:
        text = _LINK.sub(lambda m: " " if m[0][0] == "!" else m[1], text)
    if "[^" in text:
        text = _FOOTNOTE.sub(" ", text)
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "#" in text or ">" in text or "```" in text or "---" in text or "***" in text or "===" in text:
        text = _MARKUP.sub("", text) if "####" not in text else text
    if "*" in text or "_" in text:
        text = _BOLD.sub("", text)
        if "*" in text or "_" in text:
            text = _ITALIC.sub(lambda m: m[2] or m[3] or m[4] or "", text)
            text = text.replace("**:", ":").replace(":**", ":")
    if "`" in text:
        text = text.replace("`", " ")
    if "|" in text and "\n" in text:
        text = _TABLE_ROW.sub(_cells, text)
    return text


def _cells(match: re.Match[str]) -> str:
    """One row of a table: name : value."""
    cells = [cell.strip() for cell in match[1].split("|")]
    return "" if all(set(cell) <= set("-: ") for cell in cells) else " : ".join(cells)


def _html(match: re.Match[str]) -> str:
    name = match[2].lower()
    if name == "sup":
        return "}" if match[1] else "^{"
    if name in ("sub", "s", "del", "strike"):
        return " "
    return "\n" if name in _LINE_TAGS else ""


def before_special_token(text: str) -> str:
    """`text` up to the first end-of-turn token that a server left in it."""
    if "<" not in text:
        return text
    for match in _SPECIAL.finditer(text):
        if text[: match.start()].strip():
            return text[: match.start()]
    return text


def before_next_question(text: str) -> str:
    """`text` up to a further question that the model wrote itself, if something answered stands before it."""
    if "\n" not in text:
        return text
    at = 1
    for _ in range(6):
        match = lex.NEXT_QUESTION.search(text, at)
        if match is None:
            break
        before = text[: match.start()]
        answered = any(m for m in lex.MARKER.finditer(before) if before[m.end() : m.end() + 4].lstrip("*_ ")[:1] in (":", "="))
        if answered or (any(c.isdigit() or c in "√π" for c in before) and not _restates(before)):
            return before
        at = match.end()
    return text


def _restates(before: str) -> bool:
    """The text so far is only a heading or the question said again."""
    return before.rstrip().endswith((":", "?")) or len(before) < 3


def sentences(text: str, limit: int = 0) -> list[tuple[int, int]]:
    """Start and end of each sentence or line (the first `limit` of them); an abbreviation or "C." before a number ends none."""
    result = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match[0][0] == "." and _ABBREVIATION.search(text[max(0, match.start() - 8) : match.start()]):
            word = text[max(0, match.start() - 8) : match.start()].split()
            following = text[match.end() : match.end() + 3].lstrip()
            if not (word and len(word[-1]) == 1 and not following[:1].isdigit()):
                continue
        if match[0].startswith("...") and text[match.end() : match.end() + 2].lstrip()[:1].islower():
            continue
        if text[start : match.start()].strip():
            result.append((start, match.end()))
            if len(result) == limit:
                return result
        start = match.end()
    if text[start:].strip():
        result.append((start, len(text)))
    return result
