"""Images and videos: read within limits, scaled, cut into frames; what cannot be read says why."""

from __future__ import annotations

import io
import re

import pytest
from judge_samples import film, png
from PIL import Image

from geoutils import media
from geoutils.media import MediaError


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def test_a_small_plain_image_is_sent_as_it_is_and_a_large_one_scaled() -> None:
    assert media.sendable(png()) == png()
    large = media.sendable(png(size=(4000, 1000)))
    assert opened(large).size == (media.LONGEST_SIDE, 392)
    clear = opened(media.sendable(png(mode="RGBA", colour=(0, 0, 0, 0))))
    assert clear.mode == "RGB" and clear.getpixel((5, 5)) == (255, 255, 255)
    out = io.BytesIO()
    turned = Image.new("RGB", (40, 20), "red")
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(out, "JPEG", exif=exif)
    assert opened(media.sendable(out.getvalue())).size == (20, 40)
    webp = io.BytesIO()
    Image.new("RGB", (30, 30)).save(webp, "WEBP")
    assert media.sendable(webp.getvalue()) == webp.getvalue()


def test_files_that_cannot_be_used_say_why(tmp_path, monkeypatch) -> None:
    cases = {
        "missing.png": None, "empty.png": b"", "text.png": b"hello", "film.avi": b"RIFF\x00\x00\x00\x00AVI LIST", "broken.png": png()[:40], "broken.mp4": film()[:200],
        "fake.mp4": b"\x00\x00\x00\x18ftypisom" + b"x" * 500, "fake.webm": b"\x1a\x45\xdf\xa3" + b"y" * 500,
    }  # fmt: skip
    for name, content in cases.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(MediaError) as caught:
            found, kind = media.read_file(path)
            media.frames_of(found, kind) if kind.startswith("video/") else media.sendable(found)
        assert 5 < len(str(caught.value)) < 200 and not re.search(r"/|0x", str(caught.value))
    (tmp_path / "folder").mkdir()
    with pytest.raises(MediaError, match="not a file"):
        media.read_file(tmp_path / "folder")
    monkeypatch.setattr(media, "MAX_PIXELS", 1000)
    with pytest.raises(MediaError, match="pixels, more than"):
        media.sendable(png())
    with pytest.raises(MediaError, match="pixels, more than"):
        media.video_facts(film(), "video/mp4")
    monkeypatch.setattr(media, "MAX_FILE_BYTES", 10)
    (tmp_path / "large.png").write_bytes(png())
    with pytest.raises(MediaError, match="bytes, more than"):
        media.read_file(tmp_path / "large.png")


def test_a_codec_or_a_container_without_video_is_refused() -> None:
    import av
    import numpy as np

    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), "float32"), format="flt", layout="mono")
        frame.sample_rate = 44100
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with pytest.raises(MediaError, match="no video"):
        media.frames_of(out.getvalue(), "video/mp4")
    unknown = film().replace(b"avc1", b"zzzz")
    with pytest.raises(MediaError):
        media.frames_of(unknown, "video/mp4")


@pytest.mark.parametrize("kind", ["mp4", "webm"])
def test_frames_are_evenly_spaced_from_the_first_to_the_last(kind, monkeypatch) -> None:
    content = film(kind)
    frames = media.frames_of(content, f"video/{kind}", count=5)
    assert [frame.seconds for frame in frames] == pytest.approx([0, 0.5, 1.0, 1.4, 1.9], abs=0.11)
    levels = [opened(frame.jpeg).getpixel((20, 20))[0] for frame in frames]
    assert levels[0] < 15 and levels[-1] > 240 and levels == sorted(levels)
    assert [f.seconds for f in media.frames_of(content, f"video/{kind}", count=1)] == pytest.approx([1.9], abs=0.05)
    monkeypatch.setattr(media, "SEEK_S", 0.1)  # the way of long videos
    sought = media.frames_of(content, f"video/{kind}", count=5)
    assert [frame.seconds for frame in sought] == pytest.approx([frame.seconds for frame in frames], abs=0.11)
    monkeypatch.setattr(media, "MAX_VIDEO_S", 1.0)
    with pytest.raises(MediaError, match="lasts 2 s"):
        media.frames_of(content, f"video/{kind}")


def test_pictures_for_reports_are_small() -> None:
    assert max(opened(media.thumbnail(png(size=(3000, 2000)))).size) <= 560
    frames = media.frames_of(film(), "video/mp4", count=3)
    assert opened(media.filmstrip(frames, width=50)).size[0] == 104
    assert media.lower_part(png(size=(30, 100))) is None
    assert opened(media.lower_part(png(size=(30, 1000)))).size == (30, 300)
