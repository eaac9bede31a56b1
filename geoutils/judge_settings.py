"""The `judge` section of an experiment file: who judges which solutions, and how they are sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from geoutils.fields import integer, listed, matching, optional, reads, text

DEFAULT_JUDGE = "openrouter/google/gemini-2.5-pro"
BASELINE = "baseline/ocr"
PROTOCOLS = ("verdicts", "answer")
VIDEO = ("auto", "whole", "frames")
PROMPTS = ("full", "image")


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return str(value)

    return read


def _frames(value: Any) -> int:
    from geoutils.media import MAX_FRAMES

    number = integer(1)(value)
    if number > MAX_FRAMES:
        raise ValueError(f"must be at most {MAX_FRAMES}")
    return number


@dataclass(frozen=True)
class JudgeSettings:
    """How solutions are judged; every field has a default.

    `manifest`: a CSV or JSONL of solutions (null: the calibration set only). `models`: the judges, the
    first of which gives verdicts.csv (empty: the default judge where its key is set and money may be
    spent, and the baseline). `protocol`: three `verdicts`, or True/False on the `answer` of a text.
    `prompt`: the full one, or the trimmed one for images. `video`: sent whole, as frames, or as the
    judge is known to take it. `calibration`: how many of the labelled solutions are judged; `limit`:
    how many rows of the manifest (0 = all).
    """

    manifest: str | None = reads(optional(text), None)
    models: tuple[str, ...] = reads(listed(matching(r"[^\s/]+(?:/[^\s/]+)+", "of the form prefix/name"), empty=True), ())
    protocol: str = reads(_one_of(*PROTOCOLS), "verdicts")
    prompt: str = reads(_one_of(*PROMPTS), "full")
    video: str = reads(_one_of(*VIDEO), "auto")
    frames: int = reads(_frames, 12)
    repeats: int = reads(integer(1), 1)
    calibration: int = reads(integer(0), 24)
    limit: int = reads(integer(0), 0)
