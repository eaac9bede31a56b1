"""The answer of a worked solution that is not ours: its box or its last value, and whether another one agrees."""

from __future__ import annotations

import re

LONGEST = 100_000  # characters of a solution that are read
_BOX = re.compile(r"\\f?boxed\s*\{|\\fbox\s*\{")


def boxed(text: str) -> str | None:
    """The content of the last closed `\\boxed{}` of a text, None without one."""
    for start in [match.end() for match in _BOX.finditer(text[:LONGEST])][:-21:-1]:
        depth = 1
        for place in range(start, min(len(text), start + 2000)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if not depth:
                return text[start:place].strip()
    return None


def gold_answer(solution: str) -> str | None:
    """The answer of a golden solution: what its last box holds, else its last value; None without either.

    A number or closed form is given as our reader writes it, so that any spelling of it compares equal; else the box's text.
    """
    from geoutils.parsing import read_answer

    box = boxed(solution)
    reading = read_answer(f"\\boxed{{{box}}}" if box is not None else solution)
    number = reading.predicted if reading.value is not None and reading.value.is_number else ""
    if box is None:
        return number or None
    return number if number and is_number(box) else box or None


def is_number(box: str) -> bool:
    """Whether a box holds one number and nothing else but a unit or the name that it is given to."""
    from geoutils.answers import read_gold

    plain = re.sub(r"\\(?:text|mathrm|mbox)\s*\{[^{}]*\}|\^\s*\{?\\circ\}?|\\[%$,!]|[$%°]", " ", box)
    plain = re.sub(r"(?<=\d)(?:,|\{,\})(?=\d{3}(?!\d))", "", plain)
    plain = re.sub(r"^\s*\\?[a-zA-Z]{1,6}\s*=", "", plain).strip()
    try:
        return "," not in plain and read_gold(plain).is_number
    except ValueError:
        return False


def grade_solution(text: str, gold: str | None) -> tuple[str, str]:
    """(verdict, predicted) of a solution: correct, wrong, unparsed (no answer), or `not graded` without a gold.

    A gold that is a number is compared by our grader; any other (an interval, a polynomial, a word) as text, spaces and
    purely typographical TeX aside.
    """
    from geoutils.grading import grade

    if gold is None:
        return "not graded", ""
    if not is_number(gold):
        box = boxed(text)
        if box is not None:
            return ("correct" if plain_tex(box) == plain_tex(gold) else "wrong"), box[:200]
        tail = plain_tex(text[-400:])
        return ("correct" if plain_tex(gold) and tail.rstrip(".").endswith(plain_tex(gold)) else "unparsed"), ""
    graded = grade(text, gold)
    return graded.verdict, graded.value


def plain_tex(text: str) -> str:
    """An answer without spaces and TeX that only looks: for comparing what is no number."""
    text = re.sub(r"\\(?:left|right|displaystyle|!|,|;|:|quad|qquad)|\\(?:text|mathrm|mbox|textbf)\s*(?=\{)|[$\s]", "", text)
    return text.replace("dfrac", "frac").replace("tfrac", "frac").replace("{", "").replace("}", "").strip(".").casefold()
