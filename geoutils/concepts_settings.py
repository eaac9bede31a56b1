"""The section `concepts` of an experiment file: which solutions are scored by their concepts, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from geoutils.fields import integer, listed, matching, number, optional, reads

LEXICON = "baseline/lexicon"  # our concept words sought in the text; no model
IMPORTED = "imported/scores"  # scores that came with imported solutions
IMPORTED_LISTS = "imported/concepts"  # lists of concepts that came with them, of solutions and golden solutions
EMBEDDED = "local/universal-sentence-encoder"
SOLVING = ("zeroshot", "fewshot", "cot")  # prompts of the study
WRITTEN = ("reason", "convert")  # our other prompts that ask for a written solution
DEFAULTS: Mapping[str, Any] = MappingProxyType({"temperature": 0.0, "top_p": 1.0, "max_tokens": 96, "seed": 1})

_model = matching(r"[^\s/]+(?:/[^\s/]+)+", "of the form prefix/name, without spaces")
_word = matching(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", "a lower-case word")
_golden = matching(r"extracted|tags", "extracted or tags")


@dataclass(frozen=True)
class ConceptSettings:
    """Which solutions, what extracts their concepts, which golden ones, which embeddings.

    `strategies`: whose responses are solutions (none named: zeroshot, fewshot and cot; where none of these was asked,
    reason and convert). `extractors`: `baseline/lexicon` or model ids; the first one is the headline (none named: the
    scores that were imported, else the lexicon). `golden`: concepts `extracted` from the golden solution by the same
    extractor, as in the study, or the dataset's `tags`.
    `judge`: a model that says True or False of each answer beside our grader (null = none).
    `limit_per_category`: problems of each category whose solutions are scored, 0 = all. `threshold`: the cosine from
    which two phrases count as the same in precision, recall and F1. `max_chars`: how much of a solution is given to the
    extractor. Parameters of the extraction requests stand under `sampling.per_strategy.concepts`.
    """

    strategies: tuple[str, ...] = reads(listed(_word, empty=True), ())
    extractors: tuple[str, ...] = reads(listed(_model, empty=True), ())
    golden: str = reads(_golden, "extracted")
    embeddings: str = reads(_model, EMBEDDED)
    judge: str | None = reads(optional(_model), None)
    threshold: float = reads(number(-1.0, 1.0), 0.9)
    limit_per_category: int = reads(integer(0), 0)
    max_chars: int = reads(integer(100), 4000)
