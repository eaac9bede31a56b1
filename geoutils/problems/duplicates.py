"""Lints across problems: copies, families, shared golds, numbers in ids."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geoutils.exact import Angle
from geoutils.problems import expressions
from geoutils.problems.building import Variant, parse_or_none
from geoutils.problems.floats import to_float
from geoutils.problems.records import Finding, Problem

FAMILY_CAP = 3
GOLD_CAP = 2


def figure_key(variant: Variant) -> tuple[Any, ...]:
    """The figure up to similarity and the answer without unit: equal for rescaled copies."""
    points = [to_float(variant.points[name]) for name in variant.problem.visible]
    gaps = sorted(math.dist(p, q) for i, p in enumerate(points) for q in points[:i])
    size = gaps[-1] if gaps and gaps[-1] else 1.0
    power = {"length": 1, "area": 2}.get(variant.problem.category, 0)
    answer = float(variant.answer.decimal(9)) if isinstance(variant.answer, Angle) else float(variant.answer)
    return (variant.problem.category, tuple(round(g / size, 6) for g in gaps), round(answer / size**power, 6))


def idea_key(conditions: Sequence[str], asked: str) -> tuple[str, ...]:
    """Conditions and question up to names and numbers: equal for renumbered and renamed copies.

    Points are told apart by the part they play (colour refinement over the conditions), not by name.
    """
    nodes = [node for text in conditions if (node := parse_or_none(text)) is not None]
    question = parse_or_none(asked)
    colours = dict.fromkeys(sorted(set().union(*(expressions.names(node) for node in nodes), set())), "P")
    for _ in range(4):
        fresh = {}
        for name in colours:
            marked = {**colours, name: f"*{colours[name]}"}
            seen = sorted(_shape(node, marked) for node in nodes if name in expressions.names(node))
            fresh[name] = hashlib.sha256(repr((colours[name], seen)).encode()).hexdigest()[:12]
        colours = fresh
    last = _shape(question, colours) if question is not None else asked
    return (*sorted(_shape(node, colours) for node in nodes), last)


def _shape(node: Any, colours: Mapping[str, str]) -> str:
    """A tree as text: constants masked, names as colours, arguments in no order."""
    if isinstance(node, expressions.Name):
        return colours.get(node.id, "P") if node.id != "pi" else "#"
    if not expressions.names(node):
        return "#"
    head = getattr(node, "name", None) or getattr(node, "op", None) or type(node).__name__
    return f"{head}({','.join(sorted(_shape(part, colours) for part in expressions.children(node)))})"


def lint_set(problems: Sequence[Problem], facts: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """Lints across problems: duplicates, family cap, shared golds, numbers in ids.

    facts: id -> {"figure": figure_key, "idea": idea_key, "gold": text} of the canonical variant.
    """
    families: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    numbers: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    keys: dict[str, dict[Any, list[Problem]]] = {kind: defaultdict(list) for kind in ("figure", "idea", "gold")}
    for problem in problems:
        families[problem.category, problem.family].append(problem)
        numbers[problem.category, problem.id.rsplit("_", 1)[-1]].append(problem)
        for kind, groups in keys.items():
            value = facts.get(problem.id, {}).get(kind)
            if value:
                groups[(problem.category, value) if kind == "gold" else value].append(problem)
    for (category, family), group in families.items():
        for problem in group[FAMILY_CAP:]:
            message = f"{len(group)} problems of {category} are of family {family!r}; at most {FAMILY_CAP}"
            yield Finding(problem.file, problem.id, "family", "family", message)
    for (category, number), group in numbers.items():
        for problem in group[1:]:
            message = f"the number {number} is used twice in {category}: {group[0].id}"
            yield Finding(problem.file, problem.id, "id", "id", message)
    words = {
        "figure": "the same figure up to similarity and the same asked quantity as",
        "idea": "a renumbered copy of",
    }
    for kind, text in words.items():
        for group in keys[kind].values():
            for problem in group[1:]:
                yield Finding(problem.file, problem.id, "points", "duplicate", f"it is {text} {group[0].id}")
    for (category, gold), group in keys["gold"].items():
        for problem in group[GOLD_CAP:]:
            names = ", ".join(p.id for p in group[:GOLD_CAP])
            message = f"the answer {gold} is already that of {names}; at most {GOLD_CAP} of {category} may share it"
            yield Finding(problem.file, problem.id, "canonical", "gold-cap", message)
