"""The flat records of ``results.json``: plain numbers, None where a value does not exist."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from geoutils.panel import panels
from geoutils.tabulation import Data, accuracy, joint_shares, outcomes


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def records_of(frame: pd.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    """The rows of some columns as plain data; None where a value does not exist."""
    return [{c: _plain(v) for c, v in zip(columns, row, strict=True)} for row in frame[columns].itertuples(index=False)]


def accuracy_records(scores: Data) -> list[dict[str, Any]]:
    """model, strategy, representation, correct, n, low, high (95 %), bound_low, bound_high, kind."""
    columns = ["model", "strategy", "representation", "correct", "n", "low", "high", "bound_low", "bound_high", "kind"]
    return records_of(accuracy(scores).reindex(columns=columns), columns)


def invariance_records(scores: Data) -> list[dict[str, Any]]:
    """model, strategy, k (representations planned), invariance, any, consistency, gap, n, kind.

    One record for coord, euclid and vector, and one more where figures were asked too (k = 4). Invariance, any and
    consistency are None when a representation is missing.
    """
    out = []
    for p in panels(scores):
        planned = p.k + len(p.missing)
        for view in [p.core, p] if planned > 3 else [p]:
            joint, totals = joint_shares(view), view.correct.sum(axis=0)
            out.append(
                {
                    "model": p.model,
                    "strategy": p.strategy,
                    "k": view.k + len(view.missing),
                    **{name: _plain(joint[name]) for name in ("invariance", "any", "consistency")},
                    "gap": float((totals.max() - totals.min()) / p.n) if p.n and view.k > 1 else None,
                    "n": p.n,
                    "kind": p.kind,
                }
            )
    return out


def outcome_records(counts: pd.DataFrame) -> list[dict[str, Any]]:
    """model, strategy, representation, outcome, count, over all variants and repeats, of scores or of their counts."""
    columns = ["model", "strategy", "representation", "outcome", "count"]
    return records_of(counts if "count" in counts else outcomes(counts), columns)
