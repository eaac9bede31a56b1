"""Grade answers: one at a time, or a stream of JSON lines.

`grade` reads a response and compares it with a gold; the verdict is `correct`, `wrong` (something else is committed) or
`unparsed` (nothing is committed). `grade_lines` does so for JSON lines, one result line for each line.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from geoutils.answers import MIN_SIGNIFICANT, Value, compare, read_gold
from geoutils.choices import LETTER, is_letter, read_choice
from geoutils.errors import RunError, UserError
from geoutils.parsing import Reading, read_answer
from geoutils.written import written_forms

__all__ = ["Grade", "grade", "grade_lines", "grade_stream", "judge", "written_forms"]

MAX_LINE = 4_000_000


@dataclass(frozen=True, slots=True)
class Grade:
    """`verdict` (correct, wrong, unparsed), `value` as text, the `rule` and `span` that gave it, `reading`, `warnings`."""

    verdict: str
    value: str
    rule: str
    span: str
    reading: str
    warnings: list[str] = field(default_factory=list)


def judge(reading: Reading, gold: Value, unit: str | None = None, min_significant: int = MIN_SIGNIFICANT) -> str:
    """The verdict on a reading: correct, wrong or unparsed."""
    if reading.value is None:
        return "unparsed"
    return "correct" if compare(reading.value, gold, unit, min_significant) else "wrong"


def grade(output: str | None, gold: str, unit: str | None = None, strategy: str | None = None, min_significant: int = MIN_SIGNIFICANT) -> Grade:
    """Read the response `output` and compare it with `gold` (`3*sqrt(2)/5`, `46.36 deg`, `7/12`).

    A gold that is one capital letter from A to J is that of a multiple choice: see `geoutils.choices`.

    `unit` is "degrees", "radians", "letter" or none; `min_significant` the figures that a decimal must show.
    Raises ValueError when the gold cannot be read: an unreadable gold never grades anything.

    >>> grade("So the answer is $\\\\frac{\\\\sqrt{20}}{4}$.", "sqrt(5)/2").verdict
    'correct'
    """
    if is_letter(gold) and unit in (None, "", LETTER):
        choice = read_choice(output)
        verdict = "unparsed" if not choice.predicted else "correct" if choice.predicted == gold.strip() else "wrong"
        return Grade(verdict, choice.predicted, choice.rule, choice.span, choice.reading, choice.warnings)
    truth = read_gold(gold, unit)
    reading = read_answer(output, strategy=strategy, unit=unit)
    verdict = judge(reading, truth, unit, min_significant)
    return Grade(verdict, reading.predicted, reading.rule, reading.span, reading.reading, reading.warnings)


def grade_lines(lines: Iterable[str | bytes], *, min_significant: int = MIN_SIGNIFICANT) -> Iterator[str]:
    """One JSON line of result for each JSON line of input, in order, blank lines skipped.

    Input: an object with `output` and `gold` (texts; a numeric gold is read as its text), optional `unit`, `strategy`,
    and anything else, which is handed through if named `id`. Output: `verdict, value, rule, span, reading, warnings`;
    a line that cannot be graded gives `{"line": n, "error": why}` and the rest goes on.
    """
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            yield json.dumps(_grade_line(raw, min_significant), ensure_ascii=False)
        except (ValueError, TypeError, RecursionError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            yield json.dumps({"line": number, "error": why[:200]}, ensure_ascii=False)


def _grade_line(raw: str | bytes, min_significant: int) -> dict[str, object]:
    if len(raw) > MAX_LINE:
        raise ValueError(f"line of {len(raw)} characters, more than {MAX_LINE}")
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error}") from None
    try:
        record = json.loads(text)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"expected an object with output and gold, got {type(record).__name__}")
    for name in ("output", "gold"):
        if name not in record:
            raise ValueError(f"missing {name!r}")
    output, gold, unit, strategy = (record.get(name) for name in ("output", "gold", "unit", "strategy"))
    if output is not None and not isinstance(output, str):
        raise ValueError(f"'output' must be text, got {type(output).__name__}")
    if isinstance(gold, bool) or not isinstance(gold, (str, int, float)):
        raise ValueError(f"'gold' must be text, got {type(gold).__name__}")
    if unit is not None and not isinstance(unit, str):
        raise ValueError(f"'unit' must be text, got {type(unit).__name__}")
    if isinstance(output, str):
        output = output.encode("utf-8", "replace").decode("utf-8")
    result = grade(output, str(gold), unit or None, strategy if isinstance(strategy, str) else None, min_significant)
    record_id = {"id": record["id"]} if "id" in record else {}
    return record_id | {
        "verdict": result.verdict, "value": result.value or None, "rule": result.rule, "span": result.span,
        "reading": result.reading, "warnings": result.warnings,
    }  # fmt: skip


def grade_stream(path: str | Path | None = None, *, out: IO[str] | None = None, min_significant: int = MIN_SIGNIFICANT) -> int:
    """Grade the JSON lines of a file (standard input if None or "-") and write the results to `out`.

    Lines are read and written one at a time, so a pipe of any length works. Returns the number of lines that gave an
    error; raises UserError when the file cannot be opened, RunError when the output cannot be written.
    """
    out = sys.stdout if out is None else out
    errors = 0
    with contextlib.ExitStack() as stack:
        if path is None or str(path) == "-":
            source: IO[bytes] = sys.stdin.buffer
        else:
            try:
                source = stack.enter_context(Path(path).open("rb"))
            except OSError as error:
                raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
        try:
            for line in grade_lines(source, min_significant=min_significant):
                errors += line.startswith('{"line"')
                out.write(line + "\n")
            out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise RunError(f"the results cannot be written: {error.strerror or error}") from None
    return errors
