"""Small tables for the tests of scoring, overrides and review."""

from __future__ import annotations

import pandas as pd

from geoutils.parsing import parse_responses

REPRESENTATIONS = ("coord", "euclid", "vector")
GOLDS = {"length_easy_01": ("sqrt(5)/2", ""), "angle_easy_01": ("arctan(2/3)", "degrees"), "area_easy_01": ("12", "")}
TEXTS = {
    "length_easy_01": ("1.118", "Answer: sqrt(5)/2", "Answer: 1.11"),
    "angle_easy_01": ("33.69", "33.690°", "0.588"),
    "area_easy_01": ("12 cm²", "I cannot tell.", "Answer: 12\nCheck: 3 times"),
}


def problems() -> pd.DataFrame:
    rows = [
        {"problem": p, "category": p.split("_")[0], "difficulty": "easy", "variant": 0, "representation": r, "answer": a, "unit": u, "dataset_sha256": "d"}
        for p, (a, u) in GOLDS.items()
        for r in REPRESENTATIONS
    ]
    return pd.DataFrame(rows)


def responses() -> pd.DataFrame:
    rows = []
    for problem, texts in TEXTS.items():
        for representation, content in zip(REPRESENTATIONS, texts, strict=True):
            rows.append(
                {"model": "lab/one", "strategy": "direct", "problem": problem, "category": problem.split("_")[0], "variant": 0,
                 "representation": representation, "repeat": 0, "outcome": "ok", "content": content, "response_sha256": f"{len(rows):064x}"}
            )  # fmt: skip
    rows[-1]["outcome"] = "truncated"
    return pd.DataFrame(rows)


def parsed() -> pd.DataFrame:
    return parse_responses(responses())
