"""Reading a judge's reply: line by line and anchored, tolerant of dress and order, strict about values.

Hostile text cannot move a verdict: what a judge quotes of a solution counts only where it stands as a
line of its own, and then it contradicts the judge's own line, which makes the reply unreadable instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

METRICS = ("INTERMEDIATE_CORRECT", "FINAL_CORRECT", "ACTION_REFLECTION")
ABSTAIN = "abstain"
NO_VALUE = -1
LONGEST = 200_000  # characters of a reply that are read
MOST_LINES = 5_000
LONGEST_LINE = 2_000  # a verdict line is short; a longer one is prose

_DRESS = r"[*_`#\s]{0,8}"
_BULLET = r"(?:[-*+•]|\d{1,2}[.)])?"
_LINE = re.compile(
    rf"\s{{0,8}}{_BULLET}{_DRESS}(?P<name>INTERMEDIATE\\?_CORRECT|FINAL\\?_CORRECT|ACTION\\?_REFLECTION|EXPLANATION)"
    r"(?P<before>[*_`\s]{0,8}):(?P<value>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_VALUE = re.compile(r"[*_`\s]{0,8}([01])[*_`\s]{0,8}\Z")
_ABSTAIN = re.compile(rf"\s*{ABSTAIN}\s*\Z", re.IGNORECASE)
_TRUTH = re.compile(r"[\s*_`\"'(]{0,8}(true|false)[\s*_`\"').,]{0,8}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Three verdicts (1, 0, or None where the judge abstains), the explanation, and what is wrong ("" if nothing)."""

    intermediate_correct: int | None = None
    final_correct: int | None = None
    action_reflection: int | None = None
    explanation: str = ""
    error: str = ""


def read_verdicts(reply: str, *, may_abstain: bool = False) -> Verdicts:
    """The three verdicts of a reply; `error` says why they cannot be read, and then none counts.

    A verdict is a line `NAME: 0` or `NAME: 1`, in any case and order, with or without bold, a bullet, a
    heading mark or a fence around it. Before the explanation, any other value is an error; within it a
    line that only begins with a name is prose. The same name with two values is an error, and so is a
    name without one. `may_abstain` also takes the value `abstain`, which only our baseline gives.
    """
    found: dict[str, set[int | None]] = {name: set() for name in METRICS}
    explanation: list[str] = []
    explains = False
    lines = reply[:LONGEST].splitlines()
    if len(lines) > MOST_LINES:
        return Verdicts(error=f"the reply has more than {MOST_LINES} lines")
    for line in lines:
        match = _LINE.match(line) if len(line) <= LONGEST_LINE else None
        if match is None and len(line) > LONGEST_LINE:
            match = _LINE.match(line[:200])
            match = match if match and match["name"].upper() == "EXPLANATION" else None
        name = match["name"].upper().replace("\\", "") if match else ""
        if match and name == "EXPLANATION" and not explains:
            explains = True
            explanation.append(line[match.start("value"):].strip(" *_`"))
            continue
        value = _value(match["value"], may_abstain) if match and name in found else NO_VALUE
        if match and name in found and value != NO_VALUE:
            found[name].add(value)
        elif match and name in found and not explains:
            return Verdicts(error=f"{name} has the value {match['value'].strip()[:40]!r}, not 0 or 1")
        elif explains:
            explanation.append(line)
    for name, values in found.items():
        if len(values) != 1:
            return Verdicts(error=f"{name} is {'given with two values' if values else 'missing'}")
    text = "\n".join(explanation).replace("```", "").strip()
    return Verdicts(*(values.pop() for values in found.values()), explanation=text)


def _value(text: str, may_abstain: bool) -> int | None:
    """The value of a verdict line: 1, 0, None for an abstention, NO_VALUE for anything else."""
    match = _VALUE.match(text)
    if match:
        return int(match[1])
    return None if may_abstain and _ABSTAIN.match(text) else NO_VALUE


def read_truth(reply: str) -> Verdicts:
    """The True or False of a text judge: that word alone, in any case, with or without bold, quotes or parentheses.

    It is a verdict on the final answer; the other two stay open.
    """
    match = _TRUTH.match(reply.strip()[:64]) if len(reply.strip()) <= 64 else None
    if match is None:
        return Verdicts(error=f"the reply is {' '.join(reply.split())[:40]!r}, not True or False")
    return Verdicts(final_correct=int(match[1].lower() == "true"))
