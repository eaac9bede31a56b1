"""Images and videos of solutions: what can be read, scaled to stated limits, as bytes that can be sent or shown.

A file is known by its first bytes, never by its name. Nothing is decoded before its size is known to
be within bounds, and FFmpeg is told the container, so that a file cannot make it open others.
"""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.judge_settings import MOST_FRAMES
from geoutils.requests import MAX_IMAGE_BYTES, media_type

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1568  # pixels of an image that is sent; larger ones are scaled down
FRAME_SIDE = 1024  # pixels of a frame that is sent
MAX_SENT_BYTES = 4_000_000  # of an image that is sent as it is
MAX_PIXELS = 50_000_000
MAX_FILE_BYTES = 100_000_000
MAX_VIDEO_S = 600.0
MAX_FRAMES = MOST_FRAMES
MAX_DECODED = 40_000
SEEK_S = 30.0  # frames farther apart than this are sought, nearer ones decoded on the way
IMAGES = ("image/png", "image/jpeg", "image/webp")
VIDEOS = {"video/mp4": "mp4", "video/webm": "webm"}


class MediaError(ValueError):
    """A file that cannot be used; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a video: the second at which it shows, and a JPEG of it."""

    seconds: float
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Video:
    """What is known of a video: seconds, frame size in pixels, codec."""

    seconds: float
    width: int
    height: int
    codec: str


def read_file(path: Path) -> tuple[bytes, str]:
    """The content and type of an image or video file; MediaError where it is missing, huge or neither."""
    try:
        if not path.is_file():
            raise MediaError("the file does not exist" if not path.exists() else "it is not a file")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise MediaError(f"the file has {size:,} bytes, more than {MAX_FILE_BYTES:,}")
        content = path.read_bytes()
    except OSError as error:
        raise MediaError(f"the file cannot be read ({error.strerror or type(error).__name__})") from None
    if not content:
        raise MediaError("the file is empty")
    kind = media_type(content)
    if kind not in IMAGES and kind not in VIDEOS:
        raise MediaError("the file is neither PNG, JPEG, WebP, MP4 nor WebM")
    return content, kind


# --- images ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _opened(content: bytes) -> Iterator[Image]:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a large image: its size is judged below
            image = Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP"))
        if image.width * image.height > MAX_PIXELS:
            raise MediaError(f"the image has {image.width} x {image.height} pixels, more than {MAX_PIXELS:,}")
        yield image
    except MediaError:
        raise
    except UnidentifiedImageError:
        raise MediaError("the image cannot be read (it is damaged)") from None
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError) as error:
        raise MediaError(f"the image cannot be read ({_words(error)})") from None


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _plain(image: Image) -> Image:
    """The image upright, in RGB, on white."""
    from PIL import Image, ImageOps

    image = ImageOps.exif_transpose(image)
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        over = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", over.size, "white"), over)
    return image.convert("RGB")


def _scaled(image: Image, longest: int) -> Image:
    if max(image.size) <= longest:
        return image
    share = longest / max(image.size)
    return image.resize((max(1, round(image.width * share)), max(1, round(image.height * share))), reducing_gap=3.0)


def _jpeg(image: Image, quality: int = 88) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def sendable(content: bytes, *, longest: int = LONGEST_SIDE) -> bytes:
    """An image as it is sent: unchanged where it is plain and small enough, else upright, on white and scaled down.

    MediaError where it cannot be read or has more than MAX_PIXELS pixels.
    """
    with _opened(content) as image:
        image.load()
        plain = image.mode in ("RGB", "L", "1", "P") and "transparency" not in image.info
        turned = image.getexif().get(0x0112, 1) != 1
        small = max(image.size) <= longest and len(content) <= MAX_SENT_BYTES
        if plain and small and not turned and getattr(image, "n_frames", 1) == 1:
            return content
        shown = _scaled(_plain(image), longest)
        out = io.BytesIO()
        shown.save(out, "PNG")
        return out.getvalue() if out.tell() <= MAX_SENT_BYTES else _jpeg(shown)


def thumbnail(content: bytes, *, width: int = 560, height: int = 560) -> bytes:
    """A small JPEG of an image, for reports."""
    with _opened(content) as image:
        image.draft("RGB", (2 * width, 2 * height))
        small = _plain(image)
        small.thumbnail((width, height), reducing_gap=3.0)
        return _jpeg(small, 82)


def lower_part(content: bytes, *, share: float = 0.3, least: int = 180) -> bytes | None:
    """The lower part of an image as a PNG; None where the image is not much higher than `least` pixels."""
    with _opened(content) as image:
        high = max(least, round(share * image.height))
        if high > 0.7 * image.height:
            return None
        out = io.BytesIO()
        _plain(image).crop((0, image.height - high, image.width, image.height)).save(out, "PNG", compress_level=1)
        return out.getvalue()


def filmstrip(frames: Sequence[Frame], *, width: int = 210, columns: int = 2) -> bytes:
    """A JPEG with frames side by side, in reading order."""
    from PIL import Image

    tiles = []
    for frame in frames:
        with _opened(frame.jpeg) as image:
            tile = image.convert("RGB")
            tile.thumbnail((width, 2 * width), reducing_gap=3.0)
            tiles.append(tile)
    high = max(tile.height for tile in tiles)
    rows = math.ceil(len(tiles) / columns)
    sheet = Image.new("RGB", (columns * (width + 4) - 4, rows * (high + 4) - 4), (120, 120, 120))
    for place, tile in enumerate(tiles):
        sheet.paste(tile, ((place % columns) * (width + 4), (place // columns) * (high + 4)))
    return _jpeg(sheet, 82)


# --- videos ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _film(content: bytes, kind: str) -> Iterator[tuple[Any, Any]]:
    """The container and its video stream."""
    import av
    from av.logging import set_level

    set_level(None)
    try:
        with av.open(io.BytesIO(content), format=VIDEOS[kind]) as container:
            if not container.streams.video:
                raise MediaError("the file has no video")
            stream = container.streams.video[0]
            context = stream.codec_context
            if context is None:
                raise MediaError("the codec of the video is not supported")
            if context.width * context.height > MAX_PIXELS:
                raise MediaError(f"the video has {context.width} x {context.height} pixels, more than {MAX_PIXELS:,}")
            yield container, stream
    except MediaError:
        raise
    except (av.FFmpegError, ValueError, LookupError, OSError, RuntimeError, AttributeError, MemoryError) as error:
        raise MediaError(f"the video cannot be read ({_words(error)})") from None


def _length(container: Any, stream: Any) -> float:
    """The second at which the last frame shows, from the packets; nothing is decoded."""
    last = 0.0
    for place, packet in enumerate(container.demux(stream)):
        if place > MAX_DECODED:
            raise MediaError(f"the video has more than {MAX_DECODED:,} frames")
        if packet.pts is not None and packet.time_base is not None:
            last = max(last, float(packet.pts * packet.time_base))
    if last > MAX_VIDEO_S:
        raise MediaError(f"the video lasts {last:.0f} s, more than {MAX_VIDEO_S:.0f}")
    return last


def video_facts(content: bytes, kind: str) -> Video:
    """Length, size and codec of a video; MediaError where it cannot be read or is too long or too large."""
    with _film(content, kind) as (container, stream):
        context = stream.codec_context
        return Video(_length(container, stream), context.width, context.height, context.name)


def frames_of(content: bytes, kind: str, *, count: int = MAX_FRAMES, longest: int = FRAME_SIDE) -> list[Frame]:
    """At most `count` frames, evenly spaced from the first to the last, scaled down.

    MediaError where not one frame can be decoded.
    """
    seconds = video_facts(content, kind).seconds
    count = max(1, min(count, MAX_FRAMES))
    times = [seconds * place / max(count - 1, 1) for place in range(count)] if count > 1 else [seconds]
    frames: list[Frame] = []
    with _film(content, kind) as (container, stream):
        gap = times[1] - times[0] if count > 1 else seconds
        source: Iterator[Any] = container.decode(stream)
        held: Any = None
        for wanted in times:
            if gap > SEEK_S and wanted:
                container.seek(int(max(wanted - 0.5, 0) / stream.time_base), stream=stream)
                source = container.decode(stream)
            held = _frame_at(source, wanted, held)
            if held is not None and not (frames and _time(held) <= frames[-1].seconds):
                frames.append(Frame(round(_time(held), 2), _jpeg(_scaled(held.to_image(), longest))))
    if not frames:
        raise MediaError("not one frame of the video can be decoded")
    return frames


def _time(frame: Any) -> float:
    return float(frame.time or 0.0)


def _frame_at(source: Iterator[Any], wanted: float, held: Any) -> Any:
    """The first frame that shows at `wanted` or later, else the last there is (`held`, if none follows)."""
    import av

    if held is not None and _time(held) >= wanted - 1e-3:
        return held
    try:
        for frame in source:
            held = frame
            if _time(frame) >= wanted - 1e-3:
                break
    except av.FFmpegError:
        if held is None:
            raise
    return held


def fits_whole(content: bytes) -> bool:
    """Whether a video is small enough to be sent whole."""
    return len(content) <= MAX_IMAGE_BYTES
