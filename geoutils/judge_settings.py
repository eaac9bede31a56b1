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
MOST_FRAMES = 16
MOST_CALIBRATION = 144  # 18 rounds of the eight combinations of labels


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return str(value)

    return read


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = integer(low)(value)
        if number > high:
            raise ValueError(f"must be at most {high}")
        return number

    return read


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
    frames: int = reads(_whole(1, MOST_FRAMES), 12)
    repeats: int = reads(integer(1), 1)
    calibration: int = reads(_whole(0, MOST_CALIBRATION), 24)
    limit: int = reads(integer(0), 0)
