"""Scores with a known truth, for tests and benchmarks of the analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

REPRESENTATIONS = ("coord", "euclid", "vector")
CATEGORIES = ("length", "area", "angle", "ratio")


def frame(
    cells: np.ndarray,
    *,
    model: str = "lab/one",
    strategy: str = "direct",
    answers: np.ndarray | None = None,
    outcome: np.ndarray | None = None,
    representations: Sequence[str] = REPRESENTATIONS,
    repeat: int = 0,
) -> pd.DataFrame:
    """Score rows of problems x representations cells (1 right, 0 wrong, -1 unread); ``answers`` are class labels."""
    cells = np.asarray(cells)
    n, k = cells.shape
    answers = np.where(cells == 1, 0, 1 + np.arange(k)) if answers is None else np.asarray(answers)
    rows = []
    for i in range(n):
        same = {
            f"same_{representations[a]}_{representations[b]}": int(
                cells[i, a] >= 0 and cells[i, b] >= 0 and answers[i, a] == answers[i, b]
            )
            for a in range(k)
            for b in range(a + 1, k)
        }
        for j, r in enumerate(representations):
            said = cells[i, j] >= 0
            rows.append(
                {
                    "problem": f"{CATEGORIES[i % 4]}_easy_{i:03d}",
                    "category": CATEGORIES[i % 4],
                    "representation": r,
                    "predicted": str(answers[i, j]) if said else "",
                    "gold": "0",
                    "correct": int(cells[i, j] == 1),
                    "model": model,
                    "strategy": strategy,
                    "variant": 0,
                    "repeat": repeat,
                    "outcome": "ok" if outcome is None else outcome[i, j],
                    "reading": "answered" if said else "none",
                    "verdict": "correct" if cells[i, j] == 1 else "wrong" if said else "unparsed",
                    **same,
                }
            )
    return pd.DataFrame(rows)


def irt_cells(
    rng: np.random.Generator,
    n: int,
    effects: Sequence[float] = (0.0, 0.0, 0.0),
    *,
    ability: float = 0.5,
    sd: float = 1.5,
    difficulty: np.ndarray | None = None,
) -> np.ndarray:
    """Right/wrong cells of a model with an ability, representation effects and problem difficulties (logit scale)."""
    difficulty = rng.normal(0, sd, n) if difficulty is None else difficulty
    p = 1 / (1 + np.exp(-(ability + np.asarray(effects)[None, :] - difficulty[:, None])))
    return (rng.random(p.shape) < p).astype(int)


def panel_frame(
    *,
    models: Mapping[str, float],
    n: int = 160,
    effects: Sequence[float] = (0.0, 0.0, 0.0),
    strategies: Sequence[str] = ("direct",),
    unread: float = 0.03,
    repeats: int = 1,
    seed: int = 0,
) -> pd.DataFrame:
    """Several models (name to ability) on the same problems; a share of cells is unread."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(0, 1.5, n)
    parts = []
    for model, ability in models.items():
        for s, strategy in enumerate(strategies):
            for repeat in range(repeats):
                cells = irt_cells(rng, n, effects, ability=ability + 0.3 * s, difficulty=difficulty)
                cells = np.where(rng.random(cells.shape) < unread, -1, cells)
                answers = np.where(cells == 1, 0, rng.integers(1, 4, cells.shape))
                parts.append(frame(cells, model=model, strategy=strategy, answers=answers, repeat=repeat))
    return pd.concat(parts, ignore_index=True)
