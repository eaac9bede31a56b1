"""A wide CSV as the study's, SIMULATED: nine groups whose means hang together more than their solutions do."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

MODELS = ("davinci2", "davinci3", "chatgpt")
PROMPTS = ("zeroshot", "fewshot", "zeroshotCOT")
TYPES = ("Algebra", "Geometry", "Number Theory")
WORDS = ("slope", "midpoint", "prime factorization", "quadratic formula", "area of a circle", "modular arithmetic", "distance formula")


def wide_rows(problems: int = 60, *, seed: int = 1, notions: bool = True) -> list[dict[str, Any]]:
    """Rows of the study's columns; a model's ability raises its accuracy and, a little, all its scores."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(problems):
        gold, ease = int(rng.integers(2, 99)), rng.normal()
        row: dict[str, Any] = {
            "problem": f"What is the number {place}?", "level": f"Level {place % 5 + 1}", "type": TYPES[place % 3],
            "solution": f"We count. The answer is $\\boxed{{{gold}}}$.",
        }
        for m, model in enumerate(MODELS):
            for p, prompt in enumerate(PROMPTS):
                name = f"gpt_{model}_{prompt}"
                right = rng.random() < 1 / (1 + np.exp(-(m - 1) * 1.2 - (p - 1) * 0.3 - ease))
                row[f"{name}_solution"] = f"Counting gives {gold if right else gold + 1}. The answer is {gold if right else gold + 1}."
                if notions:
                    row[f"{name}_solution_notion"] = ", ".join(rng.choice(WORDS, size=3, replace=False))
                score = 0.82 + 0.02 * m + 0.005 * p + 0.01 * right + rng.normal(scale=0.03)
                row[f"{name}_solution_notion_SCORE"] = f"{min(score, 1.0):.6f}"
                row[f"{name}_solution_accurate"] = str(bool(right) if rng.random() < 0.9 else not right)
        rows.append(row)
    return rows


def write_wide(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write the rows as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
