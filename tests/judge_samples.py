"""Media, manifests and a server that judges, for the tests of the judge."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

from fault_server import FaultServer, completion

REPLY = "INTERMEDIATE_CORRECT: 1\nFINAL_CORRECT: {final}\nACTION_REFLECTION: 0\nEXPLANATION: as told"


def png(text_height: int = 20, size: tuple[int, int] = (64, 48), mode: str = "RGB", colour: Any = (200, 30, 30)) -> bytes:
    """A small picture."""
    from PIL import Image

    out = io.BytesIO()
    Image.new(mode, size, colour).save(out, "PNG")
    return out.getvalue()


def film(kind: str = "mp4", *, seconds: float = 2.0, rate: int = 10, codec: str = "") -> bytes:
    """A video that turns from black to white."""
    import av
    import numpy as np

    out = io.BytesIO()
    names = {"mp4": "libx264", "webm": "libvpx-vp9"}
    with av.open(out, "w", format=kind) as container:
        stream = container.add_stream(codec or names[kind], rate=rate)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        count = round(seconds * rate)
        for place in range(count):
            grey = round(255 * place / max(count - 1, 1))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((48, 64, 3), grey, "uint8"), format="rgb24")))
        container.mux(stream.encode())
    return out.getvalue()


REPLIES = {
    "wrong": REPLY.format(final=0), "chatty": "I think it is fine.", "quoted": REPLY.format(final=0) + "\nFINAL_CORRECT: 1",
    "true": "(True)", "false": "**False**", "perhaps": "It is True or False", "empty": "",
}  # fmt: skip


class JudgeServer(FaultServer):
    """A server that judges: the words `reply:NAME` in a message choose a canned reply, otherwise FINAL_CORRECT is 1."""

    async def _play(self, request: Any, text: str) -> Any:
        from aiohttp import web

        body = json.loads(text)
        if "fault:" in text:
            response = await super()._play(request, text)
            return web.json_response(completion(REPLY.format(final=1))) if "fault:first-" in text and response.status == 200 else response
        self.seen["judged"] += 1
        content = body["messages"][0]["content"]
        words = content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
        match = re.search(r"reply:([a-z]+)", words)
        return web.json_response(completion(REPLIES[match[1]] if match else REPLY.format(final=1)))


def write_manifest(folder: Path, rows: list[dict[str, Any]], name: str = "solutions.jsonl") -> Path:
    """A manifest of the rows."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
