"""Solutions as images and short videos, as a generating model might deliver them.

Mathematics is set by matplotlib's mathtext, so no TeX is needed. The same text gives the same bytes on
one machine; another version of matplotlib or FFmpeg may give others, which then are other questions.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from geoutils.files import write_bytes
from geoutils.media import MediaError

if TYPE_CHECKING:
    import numpy as np

WIDTH = 880  # pixels; the margins are inside
MARGIN = 28
DPI = 110
SIZE = 13.0  # points
SPACE = 9  # pixels between two words, a little more than the font has
LEADING = 12  # pixels between lines, on top of their heights
RATE = 5  # frames per second
STEP_S = 1.4  # how long a step stands before the next one comes
LAST_S = 2.0
PAGE_LINES = 2  # steps on a page of a video that wipes its board
ENDINGS = {"typeset": "png", "cropped": "png", "low_contrast": "jpg", "steps": "mp4", "pages": "webm"}
INK, PAPER = (20, 24, 40), (255, 255, 255)
FAINT_INK, FAINT_PAPER = (150, 150, 146), (190, 188, 182)


def ending(rendering: str) -> str:
    """The file name ending of a rendering, "" for a text."""
    return ENDINGS.get(rendering, "")


# --- setting lines -----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _set(text: str) -> np.ndarray:
    """A line as coverage, 0 to 255."""
    import numpy as np
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    try:
        parsed = _parser(MathTextParser).parse(text, DPI, FontProperties(family="DejaVu Sans", size=SIZE))
    except ValueError:
        raise MediaError(f"mathematics that cannot be set: {text[:60]!r}") from None
    return np.asarray(parsed.image)


@functools.cache
def _parser(kind: type) -> object:
    return kind("agg")


def settable(text: str) -> str:
    """The text with the shorthands of TeX that mathtext does not know written out."""
    text = re.sub(r"\\frac(\d)(\d)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"\\sqrt(\d)", r"\\sqrt{\1}", text)
    if text.count("$") % 2:  # money, or a formula that never closes: all as it stands
        return text.replace("$", "\\$")
    return re.sub(r"\$[^$]*\$", lambda math: math[0].replace("%", "\\%"), text)


def _pieces(line: str) -> list[str]:
    """What may not be broken: words, and formulas cut before each equals sign."""
    pieces: list[str] = []
    glued = False
    for part in re.split(r"(?<!\\)(\$[^$]+\$)", line):
        if part.startswith("$"):
            sides = part[1:-1].split(" = ")
            formulas = [f"${side}$" if place == 0 else f"$=\\,{side}$" for place, side in enumerate(sides)]
            if glued and pieces:
                formulas[0] = pieces.pop() + formulas[0]
            pieces += formulas
            glued = True
            continue
        words = part.split()
        if not words:
            glued = glued and not part
            continue
        if glued and not part[0].isspace():
            pieces[-1] += words.pop(0)
        pieces += words
        glued = not part[-1].isspace()
    return pieces


def wrapped(line: str, width: int) -> list[str]:
    """A line of text and formulas as lines that are at most `width` pixels wide where that is possible."""
    rows: list[str] = []
    used = 0
    for piece in _pieces(settable(line)):
        wide = _set(piece).shape[1]
        if rows and used + SPACE + wide <= width:
            rows[-1] += f" {piece}"
            used += SPACE + wide
        else:
            rows.append(piece)
            used = wide
    return rows


def page(lines: Sequence[str], *, width: int = WIDTH, height: int = 0, ink=INK, paper=PAPER) -> np.ndarray:
    """The lines as a picture (height x width x 3), as high as they need or `height`."""
    import numpy as np

    blocks = [[_set(row) for row in wrapped(line, width - 2 * MARGIN)] for line in lines]
    needed = 2 * MARGIN + sum(image.shape[0] + LEADING for block in blocks for image in block) + LEADING * len(blocks) // 2
    wide = max([width, *(image.shape[1] + 2 * MARGIN for block in blocks for image in block)])
    picture = np.empty((max(height, needed), wide, 3), dtype=float)
    picture[:] = paper
    top = MARGIN
    for block in blocks:
        for image in block:
            part = picture[top : top + image.shape[0], MARGIN : MARGIN + image.shape[1]]
            part += (image[:, :, None] / 255.0) * (np.array(ink, dtype=float) - part)
            top += image.shape[0] + LEADING
        top += LEADING // 2
    return picture.round().astype("uint8")


# --- images ------------------------------------------------------------------------------------------


def cropped(picture: np.ndarray) -> np.ndarray:
    """The picture cut along its ink, a sliver of which is lost at each side."""
    import numpy as np

    dark = picture.min(axis=2) < 128
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return picture[rows[0] + 1 : rows[-1], columns[0] + 1 : columns[-1]]


def _encoded(picture: np.ndarray, kind: str) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    if kind == "jpg":
        Image.fromarray(picture).save(out, "JPEG", quality=45)
    else:
        Image.fromarray(picture).quantize(32, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


# --- videos ------------------------------------------------------------------------------------------


def _shown(lines: Sequence[str], rendering: str) -> list[list[str]]:
    """What stands on each picture of a video, in order."""
    if rendering == "steps":
        return [list(lines[: count + 1]) for count in range(len(lines))]
    pages = [list(lines[start : start + PAGE_LINES]) for start in range(0, len(lines), PAGE_LINES)]
    return [part[: count + 1] for part in pages for count in range(len(part))]


def _video(lines: Sequence[str], rendering: str) -> bytes:
    import av
    import numpy as np

    shown = _shown(lines, rendering)
    high = max(page(part).shape[0] for part in shown)
    wide = max(page(part).shape[1] for part in shown)
    kind, codec = ("mp4", "libx264") if rendering == "steps" else ("webm", "libvpx-vp9")
    out = io.BytesIO()
    with av.open(out, "w", format=kind, options={"fflags": "+bitexact"}) as container:
        stream = container.add_stream(codec, rate=RATE)
        stream.width, stream.height = wide + wide % 2, high + high % 2
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.flags |= av.codec.context.Flags.bitexact
        stream.options = {"crf": "26", "preset": "veryfast"} if codec == "libx264" else {
            "crf": "34", "b": "0", "deadline": "realtime", "cpu-used": "8"}  # fmt: skip
        for place, part in enumerate(shown):
            picture = page(part, width=wide, height=stream.height)
            full = np.full((stream.height, stream.width, 3), 255, dtype="uint8")
            full[: picture.shape[0], : picture.shape[1]] = picture[: stream.height, : stream.width]
            frame = av.VideoFrame.from_ndarray(full, format="rgb24")
            for _ in range(round((LAST_S if place == len(shown) - 1 else STEP_S) * RATE)):
                frame.pts = None
                container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return out.getvalue()


def rendered(solution: str, rendering: str) -> bytes:
    """A solution (lines of text with formulas between dollar signs) as the bytes of an image or video.

    `rendering`: typeset, cropped (cut to the ink), low_contrast (grey on grey, strong JPEG), steps (an
    MP4 in which the lines come one after the other), pages (a WebM that wipes its board every two lines).
    """
    lines = [line for line in solution.split("\n") if line.strip()]
    if rendering in ("steps", "pages"):
        return _video(lines, rendering)
    if rendering == "low_contrast":
        return _encoded(page(lines, ink=FAINT_INK, paper=FAINT_PAPER), "jpg")
    picture = page(lines)
    return _encoded(cropped(picture) if rendering == "cropped" else picture, "png")


def write_rendered(solution: str, rendering: str, path: Path) -> Path:
    """The same, as a file."""
    return write_bytes(path, rendered(solution, rendering))
