"""The judge that needs no model: OCR of the image or the last frames, then our grader.

It judges the final answer only and abstains on steps and reflection. What it cannot read it leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from geoutils.answers import Value, read_gold
from geoutils.grading import judge
from geoutils.judge_reading import ABSTAIN
from geoutils.media import MediaError, frames_of, lower_part, media_type, sendable
from geoutils.ocr import engine_name, read_image
from geoutils.parsing import read_answer

LAST_FRAMES = 2
SPREAD = 5  # frames over a video, of which the last ones are read
STATED = frozenset({"marker", "box", "tag", "json"})  # rules by which an answer is named as such


def label() -> str:
    """What a verdict of the baseline depends on beside the solution; a new label judges again."""
    return f"baseline:{engine_name()}"


def gold_of(item: Mapping[str, Any]) -> Value | None:
    """The right answer: the item's own `answer` and `unit`, else what its ground truth commits to; None where unread."""
    try:
        if item["answer"]:
            return read_gold(item["answer"], item["unit"] or None)
    except ValueError:
        return None
    return read_answer(item["solution_text"]).value


def texts_of(item: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The texts in which an answer is sought, one after the other, and whether each is a whole.

    A text stands for itself. Of an image, and of the last frames of a video from the last back, OCR reads
    the lower part, where an answer mostly stands, and then the whole.
    """
    if not item["media"]:
        yield item["solution"], True
        return
    content = Path(item["media"]).read_bytes()
    kind = media_type(content)
    pictures = [sendable(content)] if not kind.startswith("video/") else [
        frame.jpeg for frame in reversed(frames_of(content, kind, count=SPREAD, longest=1568)[-LAST_FRAMES:])
    ]  # fmt: skip
    for picture in pictures:
        part = lower_part(picture)
        if part is not None:
            yield "\n".join(read_image(part)), False
        yield "\n".join(read_image(picture)), True


def reply(item: Mapping[str, Any]) -> str:
    """The baseline's reply in the form of a judge's, with `abstain` where it does not judge."""
    gold = gold_of(item)
    verdict, why = ABSTAIN, "the ground truth states no single answer that can be read"
    if gold is not None and gold.is_number:
        try:
            verdict, why = _final(texts_of(item), gold, item["unit"])
        except (MediaError, OSError) as error:
            why = f"the solution cannot be read: {error}"
    return (
        f"INTERMEDIATE_CORRECT: {ABSTAIN}\nFINAL_CORRECT: {verdict}\nACTION_REFLECTION: {ABSTAIN}\n"
        f"EXPLANATION: baseline, {why}"
    )


def _final(texts: Iterator[tuple[str, bool]], gold: Value, unit: str) -> tuple[str, str]:
    for text, whole in texts:
        reading = read_answer(text, unit=unit or None)
        if reading.value is not None and (whole or reading.rule in STATED):
            verdict = judge(reading, gold, unit or None)
            return str(int(verdict == "correct")), f"the answer read is {reading.predicted} (rule {reading.rule})"
    return ABSTAIN, "no answer was read in the solution"
