"""The text in an image, read by rapidocr on this machine and kept by the hash of the image."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

from geoutils.errors import RunError
from geoutils.files import write_text
from geoutils.paths import work_root

VERSION = "2"  # of how rapidocr is called and its lines are put together; a new one reads every image again
DETECT_SIDE = 640  # pixels of the longer side when lines of text are sought; they are read at full size
MIN_SCORE = 0.5


def cache_dir() -> Path:
    """Where readings are kept: .cache/ocr below the working root."""
    return work_root() / ".cache" / "ocr"


@functools.cache
def engine_name() -> str:
    """The program and its version, which a reading depends on."""
    from importlib.metadata import version

    return f"rapidocr {version('rapidocr')}, {VERSION}"


@functools.cache
def _engine() -> Any:
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    try:
        from rapidocr import RapidOCR

        return RapidOCR(params={
            "Global.log_level": "error", "Global.use_cls": False, "Global.text_score": MIN_SCORE,
            "Det.limit_type": "max", "Det.limit_side_len": DETECT_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        })  # fmt: skip
    except ImportError as error:
        raise RunError(f"the judge's baseline needs rapidocr and onnxruntime ({error}); install them") from None


def read_image(image: bytes) -> list[str]:
    """The lines of text in a PNG, JPEG or WebP, from top to bottom; read once, then taken from the cache."""
    name = hashlib.sha256(engine_name().encode() + b"\n" + image).hexdigest()
    path = cache_dir() / f"{name}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return [str(line) for line in json.loads(path.read_text(encoding="utf-8"))["lines"]]
    found = _engine()(image)
    texts = list(found.txts or ()) if found is not None else []
    boxes = found.boxes.tolist() if texts and found.boxes is not None else []
    lines = in_lines(list(zip(texts, boxes, strict=True)))
    write_text(path, json.dumps({"engine": engine_name(), "lines": lines}, ensure_ascii=False) + "\n")
    return lines


def in_lines(pieces: list[tuple[str, list[list[float]]]]) -> list[str]:
    """Pieces of text with their corners as lines: what overlaps in height by half is one line, left to right."""
    placed = sorted(
        (min(y for _, y in box), max(y for _, y in box), min(x for x, _ in box), text) for text, box in pieces
    )  # fmt: skip
    rows: list[list[tuple[float, float, float, str]]] = []
    for piece in placed:
        top, bottom = piece[:2]
        if rows:
            first = rows[-1][0]
            shared = min(bottom, first[1]) - max(top, first[0])
            if shared > 0.5 * min(bottom - top, first[1] - first[0]):
                rows[-1].append(piece)
                continue
        rows.append([piece])
    return [" ".join(text for *_, text in sorted(row, key=lambda item: item[2])) for row in rows]
