"""A made-up problems table, and simulated answers to it taken through the real parser and grader."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from geoutils import scoring, simulated
from geoutils.parsing import parse_responses

GOLDS = [
    ("3*sqrt(2)/5", "0.849", ""),
    ("5+2*sqrt(6)", "9.899", ""),
    ("7/12", "0.583", ""),
    ("60", "60.000", "degrees"),
    ("arctan(2/3)", "33.690", "degrees"),
    ("12", "12.000", ""),
    ("4*pi/3-sqrt(3)", "2.457", ""),
]
CATEGORIES = ("length", "area", "angle", "ratio")
LEVELS = ("easy", "medium", "hard")
TEXTS = {
    "coord": "Triangle ABC has vertices A(0, {a}), B(-{b}, 0) and C({c}, 0). The point M is the midpoint of side BC.",
    "euclid": "In triangle ABC, AB = {a}, BC = {b} and CA = {c}. The point M is the midpoint of side BC.",
    "vector": "The vectors from A to B and from A to C are u = ({a}, -{b}) and v = ({c}, {b}), with |u + v| = {a}.",
}


def problems_table(n: int = 160, *, variants: int = 1) -> pd.DataFrame:
    """``n`` problems in three representations with golds of every form."""
    rows = []
    for i in range(n):
        answer, value, unit = GOLDS[i % len(GOLDS)]
        extra = " A circle passes through A, B and C." * (i % 3)
        for variant in range(variants):
            for r, text in TEXTS.items():
                level = LEVELS[(i // 4) % 3]
                rows.append(
                    {
                        "problem": f"{CATEGORIES[i % 4]}_{level}_{i:03d}",
                        "category": CATEGORIES[i % 4],
                        "difficulty": level,
                        "variant": variant,
                        "representation": r,
                        "statement": text.format(a=3 + i % 9, b=2 + i % 7, c=5 + i % 11)
                        + extra
                        + " Find the length of AM.",
                        "answer": answer,
                        "value": value,
                        "unit": unit,
                        "solution": "\n".join(["Halve the side.", "Use the law of cosines."][: 1 + i % 2]),
                        "dataset_sha256": "0" * 64,
                    }
                )
    return pd.DataFrame(rows)


def responses(
    problems: pd.DataFrame, models: Sequence[str], *, strategies: Sequence[str] = ("direct",), repeats: int = 1
) -> pd.DataFrame:
    """The simulated responses, in the form that inference hands over."""
    rows = []
    for row in problems.to_dict("records"):
        for model in models:
            for strategy in strategies:
                for repeat in range(repeats):
                    text = simulated.answer(model, {**row, "strategy": strategy, "repeat": repeat})
                    rows.append(
                        {
                            **{k: row[k] for k in ("problem", "category", "variant", "representation")},
                            "model": model,
                            "strategy": strategy,
                            "repeat": repeat,
                            "outcome": "ok" if text.strip() else "empty",
                            "content": text,
                            "response_sha256": "",
                        }
                    )
    return pd.DataFrame(rows)


def scores(
    problems: pd.DataFrame, models: Sequence[str], *, strategies: Sequence[str] = ("direct",), repeats: int = 1
) -> pd.DataFrame:
    """The same, parsed and graded by the project."""
    return scoring.score(parse_responses(responses(problems, models, strategies=strategies, repeats=repeats)), problems)
