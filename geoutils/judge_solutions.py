"""Solutions with known labels, made from our own problems: what a judge is calibrated on.

From the worked solution of a problem come eight kinds of candidate solution, one for each combination
of the three verdicts, by changes that make the label true by construction:

- a wrong step: the number that a true equation ends with is replaced by another (`number`), a plus or
  minus between numbers is turned so that the two sides provably differ (`sign`), or all steps give way
  to measuring in a drawing (`measured`). The steps after it go on with the right numbers, so the final
  answer can still be right.
- a wrong final answer: the last step and every trace of the right value are left out, and another
  value is stated (a slip in the last evaluation: doubled, halved, or off by one).
- reflection: sentences that check, reconsider or try another way; they claim nothing about the answer.

Right steps are not copied: signs, letters and connecting words are written differently.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geoutils.answers import Value, compare, read_gold
from geoutils.exact import Real, read_exact
from geoutils.judge_settings import MOST_CALIBRATION

if TYPE_CHECKING:
    import pandas as pd

LABELS = ("intermediate_correct", "final_correct", "action_reflection")
COMBINATIONS = tuple(itertools.product((1, 0), repeat=3))
RENDERINGS = ("typeset", "steps", "cropped", "text", "low_contrast", "pages")
FAULTS = ("number", "sign", "measured")
COUNT = MOST_CALIBRATION  # the six renderings stand in equal numbers in each of the eight combinations
COLUMNS = (
    "id", "subtask", "problem", "rendering", "solution_text", "solution", "answer", "unit", *LABELS, "fault", "reflection",
)  # fmt: skip

_MATH = re.compile(r"\$([^$]+)\$")
_NUMBER = re.compile(r"(?<![\d.^{])\d+(?![\d.]|\s*\^)|(?<=[^^]\{)\d+(?=\})")
_CHECKING = re.compile(r"\b(?:check|verify|again|another way|reconsider|wait)\b", re.I)
REFLECTIONS = (
    "Wait, before I go on I check this step: I write the numbers out once more and compare.",
    "Hmm, is this the right triangle? I look at the figure a second time and go through the letters one by one.",
    "My first idea was to use coordinates throughout. That gets long, so I drop it and start over in another way.",
    "To be safe I also try a second way for the step above and compare the two before I use it.",
    "Let me read the question once more: do I work out what is asked? I go back over the lines above to be sure.",
    "First attempt: I set up the wrong figure. No, this does not fit what is given. I cross it out and begin again.",
)
OPENING = (2, 5)  # reflections that stand before the steps
MEASURED = (
    ("I draw the figure to scale and measure what is asked for.", "The drawing is large, so I take the value as it is measured."),
    ("From the look of the figure one can guess the value.", "I do not work it out; the guess fits the drawing well enough."),
    ("All lengths that are needed can be read off a drawing on squared paper.", "I count the squares and take what they say."),
)
_LETTERS = {"alpha": "theta", "beta": "psi", "gamma": "omega", "varphi": "theta", "delta": "lambda", "varepsilon": "mu"}
_WORDS = ((r"\bHence\b", "Therefore"), (r"\bSo\b(?=[ ,])", "Thus"), (r", so\b", ", therefore"), (r"\bThen\b", "Now"), (r"\bgives\b", "yields"))


@dataclass(frozen=True, slots=True)
class Source:
    """A problem with its worked solution: lines of text with mathematics between dollar signs."""

    problem: str
    category: str
    lines: tuple[str, ...]
    answer: str
    unit: str

    @property
    def gold(self) -> Value:
        """The right answer."""
        return read_gold(self.answer, self.unit or None)

    def truth(self) -> str:
        """The ground truth that a judge compares with: the worked solution and the answer."""
        return "\n".join([*self.lines, f"Final answer: {written(self.answer, self.unit, 'ascii')}"])


def draw(*names: Any) -> int:
    """A number that depends on the names only."""
    return int.from_bytes(hashlib.sha256("|".join(map(str, names)).encode()).digest()[:8], "big")


def sources(problems: pd.DataFrame) -> list[Source]:
    """The canonical problems with a worked solution of three or more lines, in a fixed mixed order."""
    rows = problems[problems["variant"].astype(int) == 0].drop_duplicates("problem").to_dict("records")
    found = []
    for row in rows:
        lines = tuple(line.strip() for line in str(row["solution"]).split("\n") if line.strip())
        if len(lines) >= 3 and not any(map(_CHECKING.search, lines)):
            found.append(Source(row["problem"], row["category"], lines, row["answer"], row["unit"] or ""))
    return sorted(found, key=lambda source: draw("order", source.problem))


# --- answers -----------------------------------------------------------------------------------------


def written(answer: str, unit: str, form: str) -> str:
    """An answer as a solution states it: form ascii, latex or decimal; angles as decimals of degrees."""
    exact = read_exact(answer)
    if unit == "degrees":
        number = _trimmed(exact.decimal(3))
        return f"${number}^\\circ$" if form == "latex" else f"{number} degrees"
    if form == "decimal":
        return _trimmed(exact.decimal(3 if abs(float(exact)) >= 0.1 else 5))
    return f"${exact.latex()}$" if form == "latex" else exact.ascii()


def _trimmed(decimal: str) -> str:
    return decimal.removesuffix(".000")


def slipped(source: Source, turn: int) -> str:
    """Another answer, off by a slip of the last evaluation, as ASCII text; never equal to the right one."""
    exact = read_exact(source.answer)
    if source.unit == "degrees":
        degrees = float(exact.decimal(3))
        offers = [180 - degrees, degrees / 2, degrees + 10, 90 - degrees if degrees < 85 else degrees - 20]
        texts = [f"{value:.3f}".removesuffix(".000") for value in offers]
    else:
        assert isinstance(exact, Real)
        one, two = Real.of(1), Real.of(2)
        texts = [value.ascii() for value in (exact * two, exact / two, exact + one, exact * Real.of(3) / two)]
    texts = texts[turn % 4 :] + texts[: turn % 4]
    return next(text for text in texts if not compare(read_gold(text, source.unit or None), source.gold, source.unit))


def _stated(text: str, unit: str, form: str) -> str:
    """A slipped answer as a solution states it."""
    if unit == "degrees":
        return f"${text}^\\circ$" if form == "latex" else f"{text} degrees"
    return written(text, unit, form)


# --- faults ------------------------------------------------------------------------------------------


def _read(latex: str) -> Value | None:
    try:
        return read_gold(latex)
    except ValueError:
        return None


def _equal(a: Value, b: Value) -> bool:
    return compare(a, b) or compare(b, a)


def faulty_lines(lines: Sequence[str], kind: str, turn: int) -> list[str] | None:
    """The lines with one false step before the last line; None where there is no place for it."""
    if kind == "measured":
        return list(MEASURED[turn % len(MEASURED)])
    offers = [(place, line) for place, old in enumerate(lines[:-1]) for line in _false_versions(old, kind)]
    if not offers:
        return None
    place, line = offers[turn % len(offers)]
    return [*lines[:place], line, *lines[place + 1 :]]


def _false_versions(line: str, kind: str) -> Iterator[str]:
    """The line with one equation made false, in each way there is."""
    for match in _MATH.finditer(line):
        parts = match[1].split(" = ")
        if len(parts) < 2:
            continue
        for place, changed in _changed(parts) if kind == "number" else _turned(parts):
            math = " = ".join([*parts[:place], changed, *parts[place + 1 :]])
            yield f"{line[: match.start(1)]}{math}{line[match.end(1) :]}"


def _changed(parts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The value at the end of a chain of equations replaced: what stands before it stays, so the chain is false."""
    last = len(parts) - 1
    value = _read(parts[last])
    if value is None:
        return
    for number in list(_NUMBER.finditer(parts[last]))[:1]:
        for step in (1, 2, 3):
            changed = f"{parts[last][: number.start()]}{int(number[0]) + step}{parts[last][number.end() :]}"
            read = _read(changed)
            if read is not None and not _equal(read, value):
                yield last, changed
                return


def _turned(parts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """A plus or minus turned in a numeric side that provably equalled the side after it, and no longer does."""
    for place in range(len(parts) - 1):
        left, right = _read(parts[place]), _read(parts[place + 1])
        if left is None or right is None or not _equal(left, right):
            continue
        for sign in re.finditer(r" ([+-]) ", parts[place]):
            turned = f"{parts[place][: sign.start(1)]}{'-' if sign[1] == '+' else '+'}{parts[place][sign.end(1) :]}"
            read = _read(turned)
            if read is not None and not _equal(read, right):
                yield place, turned


# --- candidates --------------------------------------------------------------------------------------


def _rewritten(line: str, turn: int) -> str:
    """The same line in other words and signs."""
    for old, new in _WORDS[turn % 2 :]:
        line = re.sub(old, new, line)
    return line.replace("\\cdot", "\\times") if turn % 3 else line


def _renamed(lines: Sequence[str]) -> list[str]:
    """Greek letters renamed, where no new name is in use."""
    text = "\n".join(lines)
    for old, new in _LETTERS.items():
        if f"\\{old}" in text and not re.search(rf"\\{new}(?![a-z])", text):
            text = re.sub(rf"\\{old}(?![a-z])", rf"\\{new}", text)
    return text.split("\n")


def _shows(lines: Sequence[str], source: Source) -> bool:
    """Whether the right answer stands anywhere in the lines."""
    for line in lines:
        for piece in (part for math in _MATH.findall(line) for part in re.split(r"=|:(?!\s)", math)):
            value = _read(piece.strip())
            if value is not None and compare(value, source.gold, source.unit or None):
                return True
    return any(f" {written(source.answer, source.unit, 'decimal')}" in line.replace("$", " ") for line in lines)


def candidate(source: Source, labels: tuple[int, int, int], turn: int) -> dict[str, Any] | None:
    """A solution of a problem with the given labels; None where the problem does not allow it."""
    steps, final, reflects = labels
    lines, fault = list(source.lines), ""
    if not steps:
        for kind in (*FAULTS[turn % 3 :], *FAULTS[: turn % 3]):
            made = faulty_lines(source.lines, kind, turn)
            if made is not None:
                lines, fault = made, kind
                break
    form = ("latex", "decimal", "latex", "ascii")[draw("form", source.problem) % 4]
    if final:
        stated = written(source.answer, source.unit, form)
    else:
        if fault != "measured":
            lines = lines[:-1]
        if _shows(lines, source):
            return None
        stated = _stated(slipped(source, draw("slip", source.problem)), source.unit, form)
    lines = _renamed([_rewritten(line, draw("words", source.problem)) for line in lines])
    if not final and fault != "measured":
        lines.append("Putting these numbers in gives what is asked.")
    reflection = ""
    if reflects:
        place = draw("reflection", source.problem, turn) % len(REFLECTIONS)
        reflection = REFLECTIONS[place]
        lines.insert(0 if place in OPENING else max(1, len(lines) - 1), reflection)
    return {
        "problem": source.problem, "subtask": source.category, "solution_text": source.truth(),
        "solution": "\n".join([*lines, f"Final answer: {stated}"]), "answer": source.answer, "unit": source.unit,
        **dict(zip(LABELS, labels, strict=True)), "fault": fault or ("slip" if not final else ""), "reflection": reflection,
    }  # fmt: skip


def calibration_set(problems: pd.DataFrame, *, count: int = COUNT) -> pd.DataFrame:
    """Labelled solutions, one row each: the columns of `COLUMNS`, texts only; `judge_rendering` draws them.

    The rows come in rounds of eight, one for each combination of labels; three rounds have each
    rendering four times, and eighteen each combination in each rendering three times. A problem is
    used once before any is used twice. Needs the columns problem, category, variant, solution,
    answer, unit of a problems table.
    """
    import pandas as pd

    pool = sources(problems)
    queue = list(pool)
    rows: list[dict[str, Any]] = []
    for place in range(count):
        turn, combination = divmod(place, len(COMBINATIONS))
        for _ in range(2):
            made = _next(queue, COMBINATIONS[combination], turn)
            if made is not None:
                break
            queue = list(pool)
        if made is None:
            continue
        name = f"cal-{place + 1:03d}"
        rows.append({"id": name, "rendering": RENDERINGS[(place + turn // 3) % len(RENDERINGS)], **made})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _next(queue: list[Source], labels: tuple[int, int, int], turn: int) -> dict[str, Any] | None:
    """The first candidate that the waiting problems allow; its problem leaves the queue."""
    for place, source in enumerate(queue):
        made = candidate(source, labels, turn)
        if made is not None:
            del queue[place]
            return made
    return None
