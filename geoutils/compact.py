"""Millions of planned cells in little memory: repeated texts as categories, small numbers in few bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from geoutils.panel import KEYS

KEPT = (
    "correct", "predicted", "outcome", "answered", "kind", "difficulty", "variation", "question_type", "choices", "kinds",
)  # fmt: skip
COMPACT = ("variant", "repeat", "correct")


def compact(cells: pd.DataFrame) -> pd.DataFrame:
    """The columns that counting needs, numbers in few bytes and repeated texts as categories."""
    kept = [c for c in (*KEYS, *KEPT) if c in cells]
    small = cells[kept].astype(dict.fromkeys(COMPACT, "int16"))
    for name in kept:
        if name not in COMPACT and not pd.api.types.is_bool_dtype(small[name]):
            small[name] = small[name].astype(object).fillna("").astype(str).astype("category")
    return small


def together(pieces: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Compact cells one after the other, still compact."""
    columns: dict[str, Any] = {}
    for name in pieces[0]:
        parts = [piece[name] for piece in pieces]
        categorical = isinstance(parts[0].dtype, pd.CategoricalDtype)
        columns[name] = union_categoricals(parts) if categorical else np.concatenate([part.to_numpy() for part in parts])
    return pd.DataFrame(columns)


def by_pair(cells: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """The cells of each model and strategy as a plain table, in their order."""
    for (model, strategy), group in cells.groupby(["model", "strategy"], sort=False, observed=True):
        plain = {c: "str" for c in group if isinstance(group[c].dtype, pd.CategoricalDtype)}
        yield (str(model), str(strategy)), group.astype(plain | {name: "int64" for name in COMPACT if name in group})
