"""Problems as rows of the problems table: drawn, printed and remembered by content."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from geoutils.choices import LETTER, is_letter
from geoutils.errors import UserError
from geoutils.exact import Angle, read_exact
from geoutils.experiment import work_root
from geoutils.problems.proofs import code_hash, record_hash, spread
from geoutils.problems.records import REPRESENTATIONS, Problem
from geoutils.problems.rendering import DECIMALS, render_solution
from geoutils.problems.static import StaticProblem
from geoutils.problems.variants import Variant, draw_variants

Row = dict[str, Any]


def variant_rows(variant: Variant) -> list[Row]:
    """The three rows of one variant."""
    problem, answer = variant.problem, variant.answer
    shared = {
        "problem": problem.id,
        "category": problem.category,
        "difficulty": problem.difficulty,
        "family": problem.family,
        "variant": variant.number,
        "answer": answer.ascii(),
        "value": answer.decimal(DECIMALS),
        "unit": "degrees" if isinstance(answer, Angle) else "",
        "solution": "\n".join(render_solution(step, variant.scope) for step in problem.solution),
        "concepts": "; ".join(problem.concepts),
        "kinds": ",".join(variant.kinds),
    }
    return [{**shared, "representation": rep, "statement": variant.statements[rep].text} for rep in REPRESENTATIONS]


def problem_rows(problem: Problem, *, variants: int, seed: int) -> list[Row]:
    """The rows of a problem's variants; UserError where they cannot be drawn."""
    drawn = draw_variants(problem, variants, seed=seed)
    if len(drawn.variants) < variants:
        reason = drawn.findings[-1].line() if drawn.findings else f"{problem.file}: {problem.id}"
        raise UserError(f"{reason}: {len(drawn.variants)} of {variants} variants could be drawn")
    return [row for variant in drawn.variants for row in variant_rows(variant)]


def all_rows(problems: Sequence[Problem], *, variants: int, seed: int, jobs: int) -> tuple[list[Row], str]:
    """The rows of all problems, in order, and the content hash of the whole set.

    The hash covers every record and the printed canonical statements and answers, not how many
    variants were asked for: tables of one dataset carry one hash.
    """
    done: dict[str, list[Row]] = {}
    todo = []
    for problem in problems:
        stored = _stored(problem, variants, seed)
        if stored is None:
            todo.append(problem)
        else:
            done[problem.id] = stored
    for problem, rows in zip(
        todo, spread(todo, partial(problem_rows, variants=variants, seed=seed), jobs), strict=True
    ):
        done[problem.id] = rows
        _store(problem, variants, seed, rows)
    digest = hashlib.sha256()
    for problem in sorted(problems, key=lambda item: item.id):
        first = [[r["representation"], r["statement"], r["answer"]] for r in done[problem.id] if r["variant"] == 0]
        line = [problem.id, record_hash(problem), seed, first]
        digest.update(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return [row for problem in problems for row in done[problem.id]], digest.hexdigest()


def _path(problem: Problem, variants: int, seed: int) -> Any:
    key = hashlib.sha256(f"{record_hash(problem)} {variants} {seed} {code_hash()}".encode()).hexdigest()
    return work_root() / ".cache" / "rows" / f"{key}.json"


def _stored(problem: Problem, variants: int, seed: int) -> list[Row] | None:
    try:
        rows = json.loads(_path(problem, variants, seed).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return rows if isinstance(rows, list) and len(rows) == 3 * variants else None


def _store(problem: Problem, variants: int, seed: int, rows: list[Row]) -> None:
    path = _path(problem, variants, seed)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
        temporary.replace(path)


# ---------------------------------------------------------------- static problems


def static_rows(problem: StaticProblem) -> list[Row]:
    """The rows of a static problem; the answer keeps its text where it is no closed form."""
    answer, value, unit = read_answer(problem.answer, problem.unit)
    shared = {
        "problem": problem.id,
        "category": problem.category,
        "difficulty": problem.difficulty,
        "family": "",
        "variant": problem.variant,
        "answer": answer,
        "value": problem.value or value,
        "unit": unit,
        "solution": problem.solution,
        "concepts": problem.concepts,
        "kinds": problem.kinds,
        "question_type": problem.extra.get("question_type") or ("multiple choice" if unit == LETTER else "free form"),
        "choices": problem.extra.get("choices", ""),
    }
    return [{**shared, "representation": rep, "statement": text} for rep, text in problem.statements.items()]


def read_answer(text: str, unit: str) -> tuple[str, str, str]:
    """(answer, decimal, unit) of a static gold, as its author wrote it; a decimal gold stays a decimal."""
    plain = text.strip()
    if is_letter(plain):
        return plain, plain, LETTER
    for mark in ("°", " degrees", " deg"):
        if plain.endswith(mark):
            plain, unit = plain[: -len(mark)].strip(), "degrees"
    if unit not in ("degrees",):
        unit = ""
    if "." in plain:
        return plain, plain, unit
    try:
        value = read_exact(plain)
        if isinstance(value, Angle):
            unit = "degrees"
        return value.ascii(), value.decimal(DECIMALS), unit
    except (ValueError, OverflowError, ArithmeticError):
        return plain, plain, unit


def rounded(answer: str, unit: str) -> str:
    """The decimal of three places of a closed form; "" where the gold is itself a decimal or no closed form."""
    plain, value, _ = read_answer(answer, unit)
    return "" if value == plain else value


def readable(answer: str, unit: str) -> bool:
    """Whether the grader can read a gold."""
    from geoutils.answers import read_gold

    if is_letter(answer):
        return True
    try:
        return read_gold(*read_answer(answer, unit)[::2]) is not None
    except (ValueError, OverflowError, ArithmeticError):
        return False
