"""Bring your own problems: static statements from a PROBLEMS file, JSONL or CSV.

Static problems have one variant and no program, so nothing can be proved; every lint that
needs no program runs.  A PROBLEMS file is read as a literal and never executed.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from geoutils.errors import UserError
from geoutils.problems.lints import character_findings, euclid_findings, word_findings
from geoutils.problems.records import CATEGORIES, DIFFICULTIES, REPRESENTATIONS, Finding

MAX_BYTES = 50_000_000
MAX_STATEMENT = 10_000
SUFFIXES = (".py", ".jsonl", ".json", ".csv")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:/\d+)?")
_QUESTION = re.compile(r"\b(find|determine|calculate|compute|what|how|evaluate|give)\b|\?", re.I)
_DEGREE = re.compile(r"°|\bdegrees?\b|\bradians?\b", re.I)
_RATIO = re.compile(r"\bratio\b", re.I)
_ORIENTED = re.compile(r":|/|\bratio of\b.{1,80}\bto\b", re.I)


@dataclass(frozen=True)
class StaticProblem:
    """One problem as it was given: statements by representation, and the answer's text."""

    file: str
    row: int
    id: str
    category: str
    statements: Mapping[str, str]
    answer: str
    difficulty: str = ""
    unit: str = ""
    solution: str = ""
    concepts: str = ""
    variant: int = 0
    kinds: str = "canonical"
    value: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


def load_static(path: str | Path) -> tuple[list[StaticProblem], list[Finding]]:
    """Read a PROBLEMS file (.py), .jsonl, .json or .csv; faults are findings, the rest is read.

    Both shapes are understood: one row a problem (id, category, coord, euclid, vector, answer)
    and one row a statement (problem, category, representation, statement, answer, ...).
    Raises UserError where the file is missing, too big, or of another kind.
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise UserError(f"{path}: unknown kind of problem file; use .yaml, .py, .jsonl, .json or .csv")
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    if path.stat().st_size > MAX_BYTES:
        raise UserError(f"{path}: larger than {MAX_BYTES} bytes; split it")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    readers: Mapping[str, Callable[[str, str, list[Finding]], list[tuple[int, dict[str, Any]]]]] = {
        ".py": _python, ".jsonl": _jsonl, ".json": _json, ".csv": _csv,
    }  # fmt: skip
    findings: list[Finding] = []
    rows = readers[path.suffix](text, path.name, findings)
    return _problems(rows, path.name, findings), findings


# ---------------------------------------------------------------- the four file kinds


def _python(text: str, file: str, findings: list[Finding]) -> list[tuple[int, dict[str, Any]]]:
    """The literal list PROBLEMS of a Python file; each record is read by itself."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        findings.append(Finding(file, "", "PROBLEMS", "format", f"not Python{where}: {getattr(error, 'msg', error)}"))
        return []
    value: ast.expr | None = None
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == "PROBLEMS" for target in targets):
            value = node.value
    if not isinstance(value, (ast.List, ast.Tuple)):
        reason = "no assignment PROBLEMS = [...]" if value is None else "PROBLEMS is not a literal list"
        findings.append(Finding(file, "", "PROBLEMS", "format", f"{reason}; it is read, never executed"))
        return []
    rows = []
    for position, item in enumerate(value.elts, start=1):
        row = _literal_record(item, position, file, findings)
        if row is not None:
            rows.append((item.lineno, row))
    return rows


def _literal_record(item: ast.expr, position: int, file: str, findings: list[Finding]) -> dict[str, Any] | None:
    label = f"record {position} (line {item.lineno})"
    if not isinstance(item, ast.Dict):
        findings.append(Finding(file, label, "", "format", "is no literal dictionary"))
        return None
    row: dict[str, Any] = {}
    faults = []
    for key, value in zip(item.keys, item.values, strict=True):
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if name is None:
            faults.append(("", "a key is not a literal text"))
            continue
        if name in row:
            faults.append((name, "the key is given twice"))
        try:
            row[name] = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            faults.append((name, f"line {value.lineno} is not a literal value; it is read, never executed"))
    label = row["id"] if isinstance(row.get("id"), str) else label
    findings += [Finding(file, label, name, "format", message) for name, message in faults]
    return None if faults else row


def _jsonl(text: str, file: str, findings: list[Finding]) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            findings.append(Finding(file, f"line {number}", "", "format", f"not JSON: {error}"))
            continue
        if not isinstance(row, dict):
            findings.append(Finding(file, f"line {number}", "", "format", "is no JSON object"))
        elif "canary" not in row or "statement" in row or "answer" in row:
            rows.append((number, row))
    return rows


def _json(text: str, file: str, findings: list[Finding]) -> list[tuple[int, dict[str, Any]]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        findings.append(Finding(file, "", "", "format", f"not JSON: {error}"))
        return []
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        findings.append(Finding(file, "", "", "format", "must be a list of objects"))
        return []
    return list(enumerate(data, start=1))


def _csv(text: str, file: str, findings: list[Finding]) -> list[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(1_000_000)
    rows = []
    try:
        for row in (reader := csv.DictReader(io.StringIO(text, newline=""), strict=True)):
            if None in row or None in row.values():
                findings.append(
                    Finding(
                        file, f"line {reader.line_num}", "", "format", "has another number of fields than the header"
                    )
                )
                continue
            rows.append((reader.line_num, dict(row)))
    except csv.Error as error:
        findings.append(Finding(file, f"line {reader.line_num}", "", "format", f"not CSV: {error}"))
    return rows


# ---------------------------------------------------------------- rows to problems


def _problems(rows: Sequence[tuple[int, dict[str, Any]]], file: str, findings: list[Finding]) -> list[StaticProblem]:
    """Rows of either shape to problems; one finding per fault."""
    if any("statement" in row for _, row in rows):
        rows = _gather(rows, file, findings)
    problems: list[StaticProblem] = []
    seen: dict[tuple[str, int], int] = {}
    for number, row in rows:
        label = str(row.get("id") or f"row {number}")
        faults = list(_faults(row))
        variant = _whole(row.get("variant", 0))
        if not faults and (label, variant) in seen:
            faults = [("id", "duplicate-id", f"occurs a second time (first in row {seen[label, variant]})")]
        if faults:
            findings += [Finding(file, label, where, kind, message) for where, kind, message in faults]
            continue
        seen[label, variant] = number
        match = re.search(r"_(easy|medium|hard)(_|$)", label)
        category = str(row["category"])
        difficulty = str(row.get("difficulty") or (match.group(1) if match else ""))
        solution = row.get("solution", "")
        concepts = row.get("concepts", "")
        problems.append(
            StaticProblem(
                file,
                number,
                label,
                category,
                {rep: str(row[rep]).strip() for rep in REPRESENTATIONS if row.get(rep)},
                str(row["answer"]).strip(),
                difficulty if difficulty in DIFFICULTIES else "",
                str(row.get("unit") or ("degrees" if category == "angle" else "")),
                "\n".join(map(str, solution)) if isinstance(solution, list) else str(solution),
                "; ".join(map(str, concepts)) if isinstance(concepts, list) else str(concepts),
                variant,
                str(row.get("kinds") or "canonical"),
                str(row.get("value") or ""),
                {name: str(row[name]).strip()[:80] for name in ("question_type", "choices") if row.get(name)},
            )
        )
    return problems


def _whole(value: Any) -> int:
    text = str(value)
    return int(text) if text.isdigit() and len(text) < 7 else 0


def _gather(
    rows: Sequence[tuple[int, dict[str, Any]]], file: str, findings: list[Finding]
) -> list[tuple[int, dict[str, Any]]]:
    """One row a statement to one row a problem and variant."""
    groups: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    for number, row in rows:
        name, rep = str(row.get("problem") or row.get("id") or ""), str(row.get("representation", ""))
        if not name or rep not in REPRESENTATIONS:
            message = "needs problem and representation (coord, euclid or vector)"
            findings.append(Finding(file, name or f"row {number}", "representation", "format", message))
            continue
        key = (name, str(row.get("variant", 0)))
        _, group = groups.setdefault(key, (number, {**row, "id": name}))
        if rep in group:
            findings.append(
                Finding(file, name, rep, "duplicate-id", "the statement is given twice", _whole(key[1]), rep)
            )
            continue
        if str(group.get("answer")) != str(row.get("answer")):
            findings.append(
                Finding(file, name, "answer", "answer", "differs between representations", _whole(key[1]), rep)
            )
            continue
        group[rep] = row.get("statement", "")
    return list(groups.values())


def _faults(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(field, kind, message) for what makes a row unusable."""
    if not isinstance(row.get("id"), str) or not str(row.get("id")).strip():
        yield "id", "record", "missing or no text"
    if row.get("category") not in CATEGORIES:
        yield "category", "record", f"{row.get('category')!r}; one of {', '.join(CATEGORIES)}"
    given = [rep for rep in REPRESENTATIONS if row.get(rep)]
    if not given:
        yield ", ".join(REPRESENTATIONS), "record", "no statement at all"
    for rep in given:
        if not isinstance(row[rep], str):
            yield rep, "record", "is no text"
        elif len(row[rep]) > MAX_STATEMENT:
            yield rep, "record", f"longer than {MAX_STATEMENT} characters"
    answer = row.get("answer")
    if isinstance(answer, bool) or not isinstance(answer, (str, int, float)) or not str(answer).strip():
        yield "answer", "answer", "missing, or neither text nor number"
    elif len(str(answer)) > 200:
        yield "answer", "answer", "longer than 200 characters"


# ---------------------------------------------------------------- lints without a program


def lint_static(
    problems: Sequence[StaticProblem],
    *,
    readable: Callable[[str, str], bool] | None = None,
    rounded: Callable[[str, str], str] | None = None,
) -> list[Finding]:
    """Every lint that needs no program.

    `readable(answer, unit)` says whether the grader can read a gold, `rounded(answer, unit)` gives
    the decimal of a closed form: an unreadable gold or a wrong decimal is an error, all else a warning.
    """
    found = [finding for problem in problems for finding in _lint_one(problem, readable)]
    for problem in problems:
        right = rounded(problem.answer, problem.unit) if rounded and problem.value else ""
        if right and right != problem.value:
            message = f"{problem.value} is not {problem.answer} rounded to three places, which is {right}"
            found.append(Finding(problem.file, problem.id, "value", "rounding", message, problem.variant))
    found += _lint_repeats(problems)
    return found


def _lint_one(problem: StaticProblem, readable: Callable[[str, str], bool] | None) -> Iterator[Finding]:
    def warn(where: str, kind: str, message: str, rep: str = "", level: str = "warning") -> Finding:
        return Finding(problem.file, problem.id, where, kind, message, problem.variant, rep, level)

    if readable is not None and not readable(problem.answer, problem.unit):
        yield warn(
            "answer", "answer", f"{problem.answer[:40]!r} cannot be read as a number or closed form", level="error"
        )
    for rep in REPRESENTATIONS:
        text = problem.statements.get(rep, "")
        if not text:
            yield warn(rep, "record", "the statement is missing", rep)
            continue
        yield from (warn(rep, "spacing", message, rep) for message in character_findings(text) if "U+" in message)
        yield from (warn(rep, kind, message, rep) for kind, message in word_findings(text))
        if rep == "euclid":
            yield from (warn(rep, "representation", message, rep) for message in euclid_findings(text))
        if rep == "coord" and not re.search(r"\([^()]*,[^()]*\)|=", text):
            yield warn(rep, "representation", "the coordinate text shows no coordinates and no equation", rep)
        if rep == "coord" and re.search(r"\bvectors?\b", text, re.I):
            yield warn(rep, "representation", "the coordinate text speaks of vectors", rep)
        if rep == "vector" and not re.search(r"\bvectors?\b", text, re.I):
            yield warn(rep, "representation", "the vector text has no vector", rep)
        if not _QUESTION.search(text):
            yield warn(rep, "question", "no question is asked", rep)
        if problem.category == "angle" and not _DEGREE.search(text):
            yield warn(rep, "unit", "the unit of the angle is not stated", rep)
        if problem.category == "ratio" and _RATIO.search(text) and not _ORIENTED.search(text):
            yield warn(rep, "unit", "the ratio's orientation is open", rep)
        if problem.answer in _NUMBER.findall(text):
            yield warn(rep, "gold", f"the text prints the answer {problem.answer}", rep)
    texts = [text.strip().lower() for text in problem.statements.values()]
    if len(set(texts)) < len(texts):
        yield warn("statement", "representation", "two representations have the same text")


def _lint_repeats(problems: Sequence[StaticProblem]) -> Iterator[Finding]:
    exact: dict[str, list[StaticProblem]] = defaultdict(list)
    masked: dict[str, list[StaticProblem]] = defaultdict(list)
    golds: dict[str, Counter[str]] = defaultdict(Counter)
    for problem in problems:
        for text in problem.statements.values():
            plain = " ".join(text.lower().split())
            exact[plain].append(problem)
            masked[_NUMBER.sub("#", plain)].append(problem)
        if problem.variant == 0:
            golds[problem.category][problem.answer] += 1
    told: set[tuple[str, str]] = set()
    for kind, groups, words in (
        ("duplicate", exact, "the same text as"),
        ("template", masked, "the text up to numbers of"),
    ):
        for group in groups.values():
            for problem in group[1:]:
                first = group[0]
                if first.id == problem.id or (first.id, problem.id) in told:
                    continue
                told.add((first.id, problem.id))
                message = f"{words} {first.id}"
                yield Finding(problem.file, problem.id, "statement", kind, message, problem.variant, "", "warning")
    for category, counts in golds.items():
        total = sum(counts.values())
        for gold, count in counts.items():
            if total >= 20 and count > 0.05 * total:
                message = f"{count} of {total} {category} problems have the answer {gold}"
                yield Finding(problems[0].file, category, "answer", "gold-cap", message, None, "", "warning")
