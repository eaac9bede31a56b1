"""The MSU score of a list of concepts against golden ones, one pair at a time or a hundred thousand.

With cos the cosine of two phrases' embeddings, generated concepts g_1..g_m and golden ones h_1..h_n:

    MSU       = mean over i of max over j of cos(g_i, h_j)      what is named belongs to the solution
    coverage  = mean over j of max over i of cos(g_i, h_j)      what belongs to the solution is named
    harmonic  = 2 MSU coverage / (MSU + coverage)

and with a threshold t (0.9 as in the study): precision is the share of the i whose largest cosine is at least t, recall
that of the j, F1 their harmonic mean. An empty list has no score: its `condition` says so, and it is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from geoutils.concepts_lists import normal

if TYPE_CHECKING:
    import pandas as pd

THRESHOLD = 0.9
SCORED, NO_GENERATED, NO_GOLDEN, NEITHER = "scored", "no concepts", "no golden concepts", "neither"
MEASURES = ("msu", "coverage", "harmonic", "precision", "recall", "f1")
COLUMNS = ("condition", "generated", "golden", *MEASURES, "parts", "covered")
CHUNK = 2_000  # pairs at a time
Vectors = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True)
class Score:
    """The score of one pair of lists; every number is nan where `condition` is not `scored`.

    `parts` holds the largest cosine of each generated concept, `covered` that of each golden one.
    """

    condition: str
    msu: float
    coverage: float
    harmonic: float
    precision: float
    recall: float
    f1: float
    parts: tuple[float, ...]
    covered: tuple[float, ...]


def msu(generated: Sequence[str], golden: Sequence[str], vectors: Vectors, *, threshold: float = THRESHOLD) -> Score:
    """MSU(N_g, N_h) of generated against golden concepts, its mirror, and the thresholded measures."""
    row = score_lists([generated], [golden], vectors, threshold=threshold).iloc[0]
    numbers = [float(row[name]) for name in MEASURES]
    return Score(str(row["condition"]), *numbers, row["parts"], row["covered"])


def score_lists(
    generated: Sequence[Sequence[str]], golden: Sequence[Sequence[str]], vectors: Vectors, *, threshold: float = THRESHOLD
) -> pd.DataFrame:
    """One row for each pair of lists: condition, generated and golden (how many distinct), the measures, and their parts.

    Phrases are compared in the form of `normal`, each once in a list; `vectors` is called once, with the distinct
    phrases of all lists. Raises ValueError where the two sequences differ in length.
    """
    import pandas as pd

    if len(generated) != len(golden):
        raise ValueError(f"{len(generated)} lists of generated concepts, {len(golden)} of golden ones")
    ids: dict[str, int] = {}
    first, second = _numbered(generated, ids), _numbered(golden, ids)
    space = np.asarray(vectors(list(ids)), dtype=np.float32) if ids else np.zeros((0, 1), dtype=np.float32)
    size = np.linalg.norm(space, axis=1, keepdims=True)
    space = space / np.where(size > 0, size, 1.0)
    m, n = np.array([len(x) for x in first], dtype=int), np.array([len(x) for x in second], dtype=int)
    names = np.where((m > 0) & (n > 0), SCORED, np.where(n > 0, NO_GENERATED, np.where(m > 0, NO_GOLDEN, NEITHER)))
    out = {name: np.full(len(m), np.nan) for name in MEASURES}
    parts: list[tuple[float, ...]] = [()] * len(m)
    covered: list[tuple[float, ...]] = [()] * len(m)
    full = np.flatnonzero((m > 0) & (n > 0))
    full = full[np.lexsort((n[full], m[full]))]  # lists of like length together: little padding
    for start in range(0, len(full), CHUNK):
        chunk = full[start : start + CHUNK]
        _score_chunk(chunk, first, second, m[chunk], n[chunk], space, threshold, out, parts, covered)
    table = pd.DataFrame({"condition": names.astype(object), "generated": m, "golden": n, **out})
    table["parts"], table["covered"] = parts, covered
    return table[list(COLUMNS)]


def _numbered(lists: Sequence[Sequence[str]], ids: dict[str, int]) -> list[tuple[int, ...]]:
    """Lists of phrases as numbers of distinct phrases; equal lists are read once."""
    seen: dict[tuple[str, ...], tuple[int, ...]] = {}
    plain: dict[str, str] = {}
    out = []
    for phrases in lists:
        key = tuple(phrases)
        if key not in seen:
            names = [plain[p] if p in plain else plain.setdefault(p, normal(p)) for p in key]
            seen[key] = tuple(dict.fromkeys(ids.setdefault(name, len(ids)) for name in names if name))
        out.append(seen[key])
    return out


def _padded(lists: Sequence[tuple[int, ...]], lengths: np.ndarray) -> np.ndarray:
    """Lists as rows of one array, filled up with their own first phrase (which changes no maximum)."""
    out = np.empty((len(lists), int(lengths.max())), dtype=np.int64)
    for row, numbers in zip(out, lists, strict=True):
        row[: len(numbers)] = numbers
        row[len(numbers) :] = numbers[0]
    return out


def _score_chunk(
    chunk: np.ndarray, first: list[tuple[int, ...]], second: list[tuple[int, ...]], m: np.ndarray, n: np.ndarray, space: np.ndarray,
    threshold: float, out: dict[str, np.ndarray], parts: list[tuple[float, ...]], covered: list[tuple[float, ...]],
) -> None:
    """Fill the measures of some pairs."""
    a, b = _padded([first[i] for i in chunk], m), _padded([second[i] for i in chunk], n)
    cosine = np.clip(np.matmul(space[a], space[b].transpose(0, 2, 1)), -1.0, 1.0)
    cosine[a[:, :, None] == b[:, None, :]] = 1.0  # the same phrase, whatever rounding says
    best, cover = cosine.max(axis=2), cosine.max(axis=1)
    inside_a, inside_b = np.arange(a.shape[1]) < m[:, None], np.arange(b.shape[1]) < n[:, None]
    values = {
        "msu": np.where(inside_a, best, 0.0).sum(axis=1, dtype=float) / m,
        "coverage": np.where(inside_b, cover, 0.0).sum(axis=1, dtype=float) / n,
        "precision": (inside_a & (best >= threshold)).sum(axis=1) / m,
        "recall": (inside_b & (cover >= threshold)).sum(axis=1) / n,
    }
    values["harmonic"] = harmonic(values["msu"], values["coverage"])
    values["f1"] = harmonic(values["precision"], values["recall"])
    for name, column in values.items():
        out[name][chunk] = column
    for place, i in enumerate(chunk):
        parts[i] = tuple(best[place, : m[place]].tolist())
        covered[i] = tuple(cover[place, : n[place]].tolist())


def harmonic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The harmonic mean; 0 where one of the two is not positive."""
    good = (x > 0) & (y > 0)
    return np.where(good, 2 * x * y / np.where(good, x + y, 1.0), 0.0)
