"""From a solution to the question that is put to a judge: one message with the prompt and the media.

Ground truth and solution are put into the prompt by literal replacement, all places at once, so braces
and names of places in them stay what they are. Texts to be judged are quoted line by line, so that none
of their lines can pass for a line of the prompt.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geoutils.endpoints import Endpoint
from geoutils.files import write_bytes, write_text
from geoutils.judge_settings import JudgeSettings
from geoutils.media import FRAME_SIDE, LONGEST_SIDE, MediaError, fits_whole, frames_of, read_file, sendable
from geoutils.prompts import load_text

TRUTH, CANDIDATE = "{solution_text}", "{candidate_text}"
VERDICT_PROMPT, IMAGE_PROMPT, ANSWER_PROMPT = "evaluation_prompt", "evaluation_prompt_image", "text_judge_prompt"
CACHE_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Sent:
    """How a solution is sent: its medium, in words how, its texts and files in order, or why it cannot be judged."""

    medium: str
    sent_as: str = ""
    parts: tuple[str | Path, ...] = ()
    fault: str = ""

    def content(self) -> list[str | bytes]:
        """The parts with the files read."""
        return [part if isinstance(part, str) else part.read_bytes() for part in self.parts]


def quoted(text: str) -> str:
    """The text with "| " before each line."""
    return "\n".join(f"| {line}" for line in text.strip().splitlines())


def filled(prompt: str, places: Mapping[str, str]) -> str:
    """The prompt with texts in its places, all at once: what stands in a text is never a place."""
    return re.sub("|".join(map(re.escape, places)), lambda found: places[found[0]], prompt)


def verdict_prompt(medium: str, settings: JudgeSettings) -> str:
    """The prompt of the three verdicts for a medium, with the place of the ground truth."""
    name = IMAGE_PROMPT if settings.prompt == "image" and medium == "image" else VERDICT_PROMPT
    return load_text(name, (TRUTH,))


def answer_prompt() -> str:
    """The prompt of the text judge, with its two places."""
    return load_text(ANSWER_PROMPT, (TRUTH, CANDIDATE))


def takes_video(endpoint: Endpoint, settings: JudgeSettings) -> bool:
    """Whether a judge is sent a video whole: as the settings say, or Gemini over OpenRouter where they leave it open."""
    if settings.video != "auto":
        return settings.video == "whole"
    return endpoint.kind == "openrouter" and endpoint.model.startswith("google/gemini")


def sent(item: Mapping[str, Any], settings: JudgeSettings, folder: Path, *, whole: bool) -> Sent:
    """The message for one item; what must be scaled or cut into frames is kept below `folder`."""
    if item["fault_of_row"]:
        return Sent(_medium_by_name(item), fault=item["fault_of_row"])
    truth = item["solution_text"].strip()
    if settings.protocol == "answer":
        if item["media"]:
            return Sent(_medium_by_name(item), fault="the protocol `answer` judges texts only; this is a file")
        text = filled(answer_prompt(), {TRUTH: truth, CANDIDATE: quoted(item["solution"])})
        return Sent("text", "text", (text,))
    if not item["media"]:
        prompt = filled(verdict_prompt("text", settings), {TRUTH: truth})
        return Sent("text", "text", (f"{prompt}\n\nThe generated solution, as text:\n{quoted(item['solution'])}",))
    medium = ""
    try:
        content, kind = read_file(Path(item["media"]))
        medium = kind.partition("/")[0]
        prompt = filled(verdict_prompt(medium, settings), {TRUTH: truth})
        if medium == "image":
            return Sent("image", "image", (prompt, _image(content, Path(item["media"]), folder)))
        if whole and fits_whole(content):
            _frames(content, kind, folder, 2)  # that it can be played, before money is spent on it
            return Sent("video", "whole video", (prompt, Path(item["media"])))
        return _as_frames(prompt, _frames(content, kind, folder, settings.frames), too_large=whole)
    except MediaError as error:
        return Sent(medium or _medium_by_name(item), fault=str(error))


def _medium_by_name(item: Mapping[str, Any]) -> str:
    """What a file that cannot be read would be, by its name."""
    if not item["media"]:
        return "text" if item.get("solution") else ""
    suffix = Path(item["media"]).suffix.lower()
    return "video" if suffix in (".mp4", ".webm", ".mov", ".mkv", ".avi", ".m4v") else "image"


def _image(content: bytes, path: Path, folder: Path) -> Path:
    """The file that is sent: the original, or a scaled copy."""
    copy = folder / f"{_name(content, f'image {LONGEST_SIDE}')}.img"
    if copy.is_file():
        return copy
    ready = sendable(content)
    return path if ready == content else write_bytes(copy, ready)


def _name(content: bytes, how: str) -> str:
    return hashlib.sha256(f"{CACHE_VERSION} {how}\n".encode() + content).hexdigest()[:32]


def _frames(content: bytes, kind: str, folder: Path, count: int) -> list[tuple[float, Path]]:
    """Evenly spaced frames as files, each with its second."""
    name = _name(content, f"frames {count} {FRAME_SIDE}")
    record = folder / f"{name}.json"
    with contextlib.suppress(OSError, ValueError, TypeError):
        times = [float(second) for second in json.loads(record.read_text(encoding="utf-8"))]
        paths = [folder / f"{name}-{place:02d}.jpg" for place in range(len(times))]
        if times and all(path.is_file() for path in paths):
            return list(zip(times, paths, strict=True))
    made = []
    for place, frame in enumerate(frames_of(content, kind, count=count)):
        made.append((frame.seconds, write_bytes(folder / f"{name}-{place:02d}.jpg", frame.jpeg)))
    write_text(record, json.dumps([second for second, _ in made]))
    return made


def _as_frames(prompt: str, frames: Sequence[tuple[float, Path]], *, too_large: bool) -> Sent:
    count, last = len(frames), frames[-1][0]
    parts: list[str | Path] = [
        prompt, f"The generated solution is a video of {last:.1f} s; here are {count} frames of it, evenly spaced, in order.",
    ]  # fmt: skip
    for place, (second, path) in enumerate(frames, start=1):
        parts += [f"Frame {place} of {count}, at {second:.1f} s:", path]
    why = ", too large to be sent whole" if too_large else ""
    return Sent("video", f"{count} frames{why}", tuple(parts))
