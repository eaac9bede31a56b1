"""The exact request of a cell of the plan, and the hash that identifies it.

A request is an address and the bytes of its body. Images travel inside the body as data URIs; for
hashing and storing, their bytes are replaced by their SHA-256. The key of a cell is the hash of the
request and the repeat, so a change of any field asks again, and no repeat answers for another.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, limit_problems, shown
from geoutils.prompts import fill, load_prompt

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.endpoints import Endpoint

OPENROUTER_ROUTING = {"allow_fallbacks": False, "require_parameters": True, "sort": "price"}
IMAGE_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}
VIDEO_TYPES = {b"ftyp": "video/mp4", b"\x1a\x45\xdf\xa3": "video/webm"}  # MP4 says so from its fifth byte on
MAX_IMAGE_BYTES = 20_000_000
_PICTURE = re.compile(r"figures/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}\.png")
Content = str | Sequence[str | bytes]
Image = bytes | tuple[str, Path]


@dataclass(slots=True)
class Request:
    """One request: `sent` is its body with images replaced by their hashes."""

    url: str
    sent: bytes
    sha256: bytes
    images: dict[str, bytes | Path] = field(default_factory=dict)

    def body(self) -> bytes:
        """The bytes that go over the wire; RunError where a picture on disk is gone or is another one."""
        if not self.images:
            return self.sent
        text = self.sent.decode()
        for name, content in self.pictures():
            text = text.replace(f'"image:{name}"', json.dumps(data_uri(content)))
        return text.encode()

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The images by hash; those on disk are read now, one at a time, and must be what the hash says."""
        for name, content in self.images.items():
            yield name, content if isinstance(content, bytes) else _picture(content, name)

    def key(self, repeat: int) -> bytes:
        """The key of the cell that asks this request for the given time: 16 bytes."""
        return hashlib.sha256(b"%s:%d" % (self.sha256, repeat)).digest()[:16]


def _picture(path: Path, sha256: str) -> bytes:
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_IMAGE_BYTES else b""
    except OSError as error:
        raise RunError(f"{shown(path)}: the figure cannot be read ({error.strerror}); run 01_dataset again") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise RunError(f"{shown(path)}: not the figure that the problems table names; delete it and run 01_dataset again")
    return content


@dataclass(slots=True)
class Cell:
    """One cell of the plan, with the row of the problems table that it asks."""

    model: str
    strategy: str
    problem: str
    category: str
    variant: int
    representation: str
    repeat: int
    row: Mapping[str, Any] = field(compare=False, repr=False)

    def imported_key(self) -> bytes:
        """The key under which a response from elsewhere, whose request is unknown, is kept."""
        return imported_key(self.problem, self.variant, self.representation, self.repeat)


def imported_key(problem: str, variant: int, representation: str, repeat: int) -> bytes:
    """The 16-byte key of an imported response."""
    text = json.dumps(["imported", problem, int(variant), representation, int(repeat)])
    return hashlib.sha256(text.encode()).digest()[:16]


def media_type(content: bytes) -> str:
    """The MIME type of an image or video, by its first bytes; "" where it is none that can be sent."""
    if content.startswith(b"RIFF") and content[8:12] != b"WEBP":  # AVI and WAV begin so too
        return ""
    kinds = {**IMAGE_TYPES, **VIDEO_TYPES}
    return next((name for start, name in kinds.items() if content.startswith(start, 4 if start == b"ftyp" else 0)), "")


def data_uri(content: bytes) -> str:
    """An image or video as a data URI; UserError where it is of no known type, or too large."""
    mime = media_type(content)
    if not mime:
        raise UserError("an image of a request is neither PNG, JPEG, GIF, WebP nor an MP4 or WebM video; convert it first")
    if len(content) > MAX_IMAGE_BYTES:
        raise UserError(f"a file of a request has {len(content):,} bytes; the limit is {MAX_IMAGE_BYTES:,}")
    return f"data:{mime};base64,{base64.b64encode(content).decode()}"


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def make_request(url: str, body: Mapping[str, Any], images: Mapping[str, bytes | Path] | None = None) -> Request:
    """A request from its address and body."""
    sent = canonical(body)
    return Request(url, sent, hashlib.sha256(url.encode() + b"\n" + sent).digest(), dict(images or {}))


def user_message(text: str, images: Sequence[Image] = ()) -> tuple[list[dict[str, Any]], dict[str, bytes | Path]]:
    """The messages of a prompt with any images before its text, and the images by their hash.

    An image is its bytes, or its hash and the file that holds it: that is read only when the request is sent.
    """
    if not images:
        return [{"role": "user", "content": text}], {}
    named: dict[str, bytes | Path] = {}
    for image in images:
        name, content = image if isinstance(image, tuple) else (hashlib.sha256(image).hexdigest(), image)
        named[name] = content
    parts: list[dict[str, Any]] = [{"type": "image_url", "image_url": {"url": f"image:{name}"}} for name in named]
    return [{"role": "user", "content": [*parts, {"type": "text", "text": text}]}], named


def mixed_message(parts: Sequence[str | bytes]) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The message of texts, images and videos in the order given, and the images and videos by their hash."""
    named: dict[str, bytes] = {}
    content: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, str):
            content.append({"type": "text", "text": part})
            continue
        kind = "video_url" if media_type(part).startswith("video/") else "image_url"
        name = hashlib.sha256(part).hexdigest()
        named[name] = part
        content.append({"type": kind, kind: {"url": f"image:{name}"}})
    return [{"role": "user", "content": content}], named


def chat_request(
    endpoint: Endpoint,
    text: Content,
    parameters: Mapping[str, Any],
    *,
    images: Sequence[Image] = (),
    repeat: int = 0,
    system: str = "",
) -> Request:
    """The chat completion that asks `text` (or texts and media in order) of an endpoint's model.

    `parameters` are sent as they are, but `extra_body` is spread, the seed grows with the repeat
    (else a server that honours seeds would give the same answer K times), and for OpenRouter usage
    accounting is on and the routing fixed: the cheapest provider that takes every parameter,
    without a fallback to another. `provider` overrides parts of that.
    """
    given = {name: value for name, value in parameters.items() if value is not None}
    extra = given.pop("extra_body", {})
    body: dict[str, Any] = {"model": endpoint.model, **given, **extra}
    if "seed" in body:
        body["seed"] = body["seed"] + repeat
    if endpoint.kind == "openrouter":
        body["provider"] = {**OPENROUTER_ROUTING, **body.get("provider", {})}
        if {"order", "only"} & body["provider"].keys() and "sort" not in given.get("provider", {}):
            del body["provider"]["sort"]
        body.setdefault("usage", {"include": True})
    messages: list[dict[str, Any]]
    named: Mapping[str, bytes | Path]
    messages, named = user_message(text, images) if isinstance(text, str) else mixed_message(text)
    body["messages"] = [{"role": "system", "content": system}, *messages] if system else messages
    return make_request(f"{endpoint.url}/chat/completions" if endpoint.is_remote else endpoint.url, body, named)


def cell_request(endpoint: Endpoint, cell: Cell, experiment: Experiment, parameters: Mapping[str, Any]) -> Request:
    """The request of a cell. What a baseline or a simulated model reads stands in its place."""
    row = cell.row
    if endpoint.kind in ("baseline", "simulated", "imported"):
        body = {
            "model": endpoint.model, "strategy": cell.strategy, "problem": cell.problem, "variant": cell.variant,
            "representation": cell.representation, "statement": row["statement"], "repeat": cell.repeat,
            "seed": experiment.sampling.seed,
        }
        if endpoint.model == "gold" or endpoint.kind == "simulated":
            body |= {"answer": row["answer"], "unit": row.get("unit") or ""}
        if endpoint.model == "most-common-answer":
            body["most_common"] = row["most_common"]
        return make_request(endpoint.url, body)
    images = images_of(row, experiment)
    return chat_request(endpoint, fill(load_prompt(cell.strategy), row), parameters, images=images, repeat=cell.repeat)


def images_of(row: Mapping[str, Any], experiment: Experiment) -> list[Image]:
    """The images of a row of the problems table: `images` as bytes, or `image` in the experiment's data folder."""
    given: list[Image] = list(row.get("images") or ())
    name = row.get("image")
    if not isinstance(name, str) or not name:
        return given
    if not _PICTURE.fullmatch(name):
        raise UserError(f"problem {row['problem']}: image {name!r:.60} is no file of the folder figures; run 01_dataset again")
    return [*given, (str(row["image_sha256"]), experiment.data_dir / name)]


def refuse_pictures(experiment: Experiment, endpoints: Mapping[str, Endpoint]) -> None:
    """UserError where figures would be asked of a model that reads text only: the embedded one."""
    for part in experiment.resolved_parts:
        blind = [m for m in part.models or () if m in endpoints and endpoints[m].kind == "embedded"]
        if blind and "figure" in (part.representations or ()):
            raise UserError(
                f"{blind[0]} reads no images, so `figure` cannot be asked of it; give it a part of its own with "
                "`representations: [coord, euclid, vector]`, or leave out the one or the other"
            )


class RequestMaker:
    """Makes the requests of one model and strategy: those of `cell_request`, several times as fast.

    The body is built once around a mark; a cell only puts its own text and seed in.
    """

    _TEXT, _SEED = "@@the text@@", 987_654_321_987

    def __init__(self, endpoint: Endpoint, strategy: str, experiment: Experiment, parameters: Mapping[str, Any]) -> None:
        self._endpoint, self._experiment, self._parameters = endpoint, experiment, parameters
        self._seed = parameters.get("seed")
        self._asks = endpoint.is_remote or endpoint.kind == "embedded"
        self._row: Any = None
        self._text = b""
        if not self._asks:
            return
        self._prompt = load_prompt(strategy)
        marked = {**parameters, "seed": self._SEED} if self._seed is not None else parameters
        model = chat_request(endpoint, self._TEXT, marked)
        self._url = model.url
        self._before, _, after = model.sent.partition(json.dumps(self._TEXT).encode())
        self._pieces = after.split(b"%d" % self._SEED) if self._seed is not None else [after]

    def __call__(self, cell: Cell) -> Request:
        """The request of a cell of this model and strategy."""
        pictures = cell.row.get("images") or cell.row.get("image")
        if not self._asks or pictures or len(self._pieces) > 2 or self._TEXT in cell.row["statement"]:
            return cell_request(self._endpoint, cell, self._experiment, self._parameters)
        if cell.row is not self._row:  # the repeats of a statement follow each other
            self._row = cell.row
            self._text = canonical(fill(self._prompt, cell.row))
        after = (b"%d" % ((self._seed or 0) + cell.repeat)).join(self._pieces)
        sent = self._before + self._text + after
        return Request(self._url, sent, hashlib.sha256(self._url.encode() + b"\n" + sent).digest())


def _chosen(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> tuple[pd.DataFrame, dict[int, int]]:
    """The rows of the representations asked, and how often each is asked by this model and strategy."""
    repeats: dict[int, int] = {}
    kept = problems.reset_index(drop=True)
    kept = kept[kept["representation"].isin(experiment.representations)]
    for part in experiment.resolved_parts:
        if model in (part.models or ()) and strategy in (part.strategies or ()):
            chosen = limit_problems(kept, part.limit_per_category or 0)
            wanted = (chosen["variant"] < part.variants) & chosen["representation"].isin(part.representations or ())
            for index in chosen.index[wanted]:
                repeats[index] = max(repeats.get(index, 0), part.repeats or 1)
    return kept, repeats


def cells_of(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> Iterator[Cell]:
    """The cells of one model and strategy in plan order, made one at a time.

    The same cells as `experiment.plan(problems)` lists, without a table of them, and whatever the shard.
    """
    kept, repeats = _chosen(experiment, problems, model, strategy)
    order = {name: place for place, name in enumerate(dict.fromkeys(kept["problem"]))}
    turn = {name: place for place, name in enumerate(experiment.representations)}
    rows = kept.loc[list(repeats)].to_dict("index")
    for index, row in sorted(
        rows.items(), key=lambda item: (order[item[1]["problem"]], item[1]["variant"], turn[item[1]["representation"]])
    ):
        place = (model, strategy, row["problem"], row["category"], int(row["variant"]), row["representation"])
        for repeat in range(repeats[index]):
            yield Cell(*place, repeat, row)
