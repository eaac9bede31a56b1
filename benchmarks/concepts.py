"""How long embedding and scoring of concepts take, and whether the limits keep what they promise.

    python benchmarks/concepts.py [--quick]

Embeds distinct phrases with the embedded encoder, reads them back from the cache, scores 100,000 pairs of lists, and
counts how often the 95 % limits of the correlations over items cover the truth where problems are shared. Each line
says what is wanted; exit code 1 where it is missed (the clock of a busy machine may miss it too).
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from geoutils.concepts_scores import score_lists
from geoutils.concepts_stats import auc, clustered_pearson, clustered_spearman, pearson, spearman
from geoutils.embeddings import EMBEDDED, Embeddings, embedded_encoder

FAILED: list[str] = []


def line(name: str, value: float, unit: str, *, most: float = float("inf"), least: float = -float("inf"), digits: int = 1) -> None:
    """Print a measurement and what is wanted of it."""
    agrees = least <= value <= most
    if not agrees:
        FAILED.append(name)
    wanted = f"at most {most:g}" if most < float("inf") else f"at least {least:g}" if least > -float("inf") else "-"
    print(f"{name:<62} {value:>10,.{digits}f} {unit:<10} wanted {wanted:<14} {'ok' if agrees else 'MISSED'}", flush=True)


def memory() -> float:
    """The most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def phrases(count: int, rng: np.random.Generator) -> list[str]:
    """Distinct phrases of two to four words."""
    words = ["law", "area", "cosine", "angle", "median", "ratio", "circle", "chord", "tangent", "slope", "vector", "product", "height", "sum"]
    words += ["bisector", "triangle", "square", "root", "theorem", "similar", "parallel", "distance", "midpoint", "sector", "locus", "prime"]
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault(" ".join(rng.choice(words, rng.integers(2, 5))))
    return list(found)


def speed(pairs: int, distinct: int) -> None:
    """Embedding, the cache, and scoring."""
    rng = np.random.default_rng(0)
    names = phrases(distinct, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cache.db"
        with Embeddings(EMBEDDED, path, embedded_encoder) as kept:
            kept.vectors(["warm up"])
            started = time.perf_counter()
            kept.vectors(names)
            took = time.perf_counter() - started
        line(f"embedding {distinct:,} distinct phrases", took, "s")
        line("  phrases a second", distinct / took, "1/s")
        generated = [list(rng.choice(names, rng.integers(1, 12), replace=False)) for _ in range(pairs)]
        golden = [list(rng.choice(names, rng.integers(1, 7), replace=False)) for _ in range(pairs)]
        before = memory()
        started, busy = time.perf_counter(), time.process_time()
        with Embeddings(EMBEDDED, path) as kept:
            table = score_lists(generated, golden, kept.vectors)
        took, busy = time.perf_counter() - started, time.process_time() - busy
    line(f"scoring {len(table):,} pairs with cached embeddings", took, "s", most=10.0)
    line("  processor time", busy, "s", most=10.0)
    line("  memory beyond what the lists take", memory() - before, "MB", most=500)
    one = np.array([*table.loc[0, "parts"]]).mean()
    line("  the mean of the parts of the first pair is its score", abs(one - table.loc[0, "msu"]), "", most=1e-6, digits=7)


def coverage(runs: int, problems: int = 80, groups: int = 6) -> None:
    """How often the limits over items hold the truth, where a problem moves both score and answer of all its solutions."""
    rng = np.random.default_rng(1)

    def draw(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        ease = np.repeat(rng.normal(size=count), groups)
        right = (rng.normal(size=count * groups) + ease > 0).astype(float)
        score = 0.3 * right + 0.5 * ease + rng.normal(size=count * groups)
        return score, right, np.repeat(np.arange(count), groups).astype(str)

    x, y, z = draw(60_000)
    for name, estimate in (("Pearson", clustered_pearson), ("Spearman", clustered_spearman), ("AUC", auc)):
        truth = {"Pearson": pearson(x, y).r, "Spearman": spearman(x, y).r, "AUC": auc(x, y, z).r}[name]
        hits = 0
        for _ in range(runs):
            found = estimate(*draw(problems))
            hits += found.low <= truth <= found.high
        share, error = hits / runs, np.sqrt(0.95 * 0.05 / runs)
        line(f"coverage of the limits of {name} over items ({runs} runs)", share, f"+-{error:.3f}", least=0.95 - 3 * error - 0.01, digits=3)


def main() -> int:
    """Run all; 1 where something is missed."""
    quick = "--quick" in sys.argv[1:]
    speed(10_000 if quick else 100_000, 2_000 if quick else 20_000)
    coverage(40 if quick else 200)
    print(f"most memory of the process: {memory():,.0f} MB")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
