"""The representation `figure` as rows of the problems table, and its pictures on disk.

The row's `statement` is the short text, `image` the file of the picture, relative to the experiment's data folder and
named by problem, variant and content. Pictures are drawn once: they are kept by record, variant, seed and code, and
linked or copied into data/NAME/figures, so that asking reads them one at a time from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from geoutils import workers
from geoutils.errors import RunError, UserError
from geoutils.experiment import work_root
from geoutils.files import write_bytes, write_text
from geoutils.problems.proofs import code_hash, record_hash, spread
from geoutils.problems.records import Finding, Problem
from geoutils.problems.variants import draw_variants

FOLDER = "figures"


def figure_rows(
    problems: Sequence[Problem], variants: Mapping[str, int], *, seed: int, folder: Path, jobs: int = 2
) -> dict[tuple[str, int], dict[str, str]]:
    """Text, picture and alternative text of each problem's first variants: (problem, variant) to statement, image, alt.

    `variants` says how many of each problem. Pictures that are not there yet are drawn into `folder`/figures.
    Raises UserError naming file, problem and fault where a figure cannot say what its statement says.
    """
    wanted = [(p, variants[p.id]) for p in problems if variants.get(p.id)]
    made = workers.spread(wanted, partial(_kept, seed=seed), 1 if len(wanted) < 4 else jobs)
    out: dict[tuple[str, int], dict[str, str]] = {}
    target = folder / FOLDER
    try:
        target.mkdir(parents=True, exist_ok=True)
        for (problem, _), records in zip(wanted, made, strict=True):
            for record in records:
                name = f"{problem.id}_v{record['variant']}_{record['sha256'][:12]}.png"
                place = target / name
                if not place.exists():
                    _bring(_cache() / f"{record['sha256']}.png", place)
                out[problem.id, record["variant"]] = {
                    "statement": record["text"], "image": f"{FOLDER}/{name}", "image_sha256": record["sha256"],
                }  # fmt: skip
    except OSError as error:
        raise RunError(f"{target}: the figures cannot be written: {error}") from None
    return out


def _cache() -> Path:
    return work_root() / ".cache" / "figures"


def _bring(kept: Path, place: Path) -> None:
    """Link a kept picture, or copy it where links do not work."""
    try:
        os.link(kept, place)
    except OSError:
        shutil.copyfile(kept, place)


def _kept(item: tuple[Problem, int], *, seed: int) -> list[dict[str, Any]]:
    """The records of one problem's variants, from the cache or drawn now."""
    import matplotlib

    problem, count = item
    key = f"{record_hash(problem)} {seed} {code_hash()} {matplotlib.__version__}"
    index = _cache() / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
    try:
        records = json.loads(index.read_text(encoding="utf-8"))
        if len(records) >= count and all((_cache() / f"{r['sha256']}.png").is_file() for r in records[:count]):
            return list(records[:count])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    records = _draw(problem, count, seed)
    write_text(index, json.dumps(records, ensure_ascii=False))
    return records


def _draw(problem: Problem, count: int, seed: int) -> list[dict[str, Any]]:
    from geoutils.problems.figure_checks import findings
    from geoutils.problems.labelled import label

    drawn = draw_variants(problem, count, seed=seed)
    if len(drawn.variants) < count:
        raise UserError(f"{problem.file}: {problem.id}: {len(drawn.variants)} of {count} variants could be drawn")
    records = []
    for variant in drawn.variants:
        try:
            made = label(variant)
            wrong = next(findings(made), "")
        except (ValueError, ArithmeticError, LookupError, TypeError) as error:
            wrong = f"it cannot be drawn with its givens: {error}"
        if wrong:
            raise UserError(
                f"{problem.file}: {problem.id}: the figure of variant {variant.number} cannot stand for its statement: "
                f"{wrong}; see `geoutils check --figures`, or leave `figure` out of representations"
            )
        png = made.png()
        sha256 = hashlib.sha256(png).hexdigest()
        if not (_cache() / f"{sha256}.png").is_file():
            write_bytes(_cache() / f"{sha256}.png", png)
        records.append({"variant": variant.number, "text": made.text, "alt": made.alt, "sha256": sha256})
    return records


def check_figures(problems: Iterable[Problem], *, variants: int, seed: int = 0, jobs: int = 2) -> list[Finding]:
    """Every fault of the figures that stand for statements: see `labelled.findings`."""
    found = spread(list(problems), partial(_check_one, variants=variants, seed=seed), jobs)
    return [finding for some in found for finding in some]


def _check_one(problem: Problem, *, variants: int, seed: int) -> list[Finding]:
    from geoutils.problems.figure_checks import faults

    return [
        Finding(problem.file, problem.id, "figure", "figure", text, variant.number, "figure")
        for variant in draw_variants(problem, variants, seed=seed).variants
        for text in faults(variant)
    ]
