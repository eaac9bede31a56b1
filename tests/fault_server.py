"""A server that plays every fault a provider may have, for the tests of the inference stage.

The fault is named in the prompt, as `fault:NAME`; a prompt without one is answered with `42`. It
runs in a thread, on a free port of loopback, and counts what it saw.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import Counter
from typing import Any, Self

from aiohttp import web


def completion(content: Any = "42", finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """The body of a chat completion."""
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "cost": 0.001}
    return {
        "id": "same-id-for-all", "object": "chat.completion", "model": "served-model", "provider": "Provider A",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}], "usage": usage, **more,
    }


def error(code: int | str, message: str, **more: Any) -> dict[str, Any]:
    """The body of an error as providers write it."""
    return {"error": {"code": code, "message": message, **more}}


JSON_FAULTS: dict[str, tuple[int, Any, dict[str, str]]] = {
    "empty": (200, completion(""), {}),
    "null-content": (200, completion(None), {}),
    "truncated": (200, completion("The answer is", "length"), {}),
    "refused": (200, completion(None, message={"refusal": "I cannot help with that."}), {}),
    "content-filter": (200, completion("", "content_filter"), {}),
    "moderation-403": (403, error(403, "flagged by moderation", metadata={"reasons": ["violence"]}), {}),
    "error-200": (200, {"choices": None, **error(502, "upstream failed")}, {}),
    "choice-error": (200, {"choices": [{"finish_reason": "error", "error": {"code": 502, "message": "gone"}}]}, {}),
    "no-choices": (200, {"id": "x", "choices": []}, {}),
    "list-body": (200, [1, 2], {}),
    "bad-request": (400, error(400, "bad request"), {}),
    "not-found": (404, error(404, "no such thing"), {}),
    "too-large": (413, error(413, "too large"), {}),
    "unprocessable": (422, error(422, "cannot process"), {}),
    "rate-limit": (429, error(429, "slow down"), {"Retry-After": "0"}),
    "server-error": (500, error(500, "oops"), {}),
    "overloaded": (529, error(529, "overloaded"), {}),
    "conflict": (409, error(409, "try again"), {}),
    "unauthorized": (401, error(401, "Incorrect API key provided: %KEY%"), {}),
    "no-credit": (402, error(402, "Insufficient credits"), {}),
    "quota": (429, error("insufficient_quota", "You exceeded your current quota"), {}),
    "forbidden": (403, error(403, "Your organisation may not use this model"), {}),
    "think": (200, completion("<think>3 times 14</think>\n42"), {}),
    "parts": (200, completion([{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]), {}),
    "huge": (200, completion("9" * 3_000_000), {}),
    "no-usage": (200, {**completion(), "usage": None}, {}),
    "other-provider": (200, completion(provider="Provider B"), {}),
}
RAW_FAULTS: dict[str, tuple[int, bytes, str]] = {
    "invalid-utf8": (200, b'{"choices": [{"message": {"content": "\xff\xfe"}}]}', "application/json"),
    "not-json": (200, b"{'choices':", "application/json"),
    "html-page": (200, b"<html><body>Please sign in</body></html>", "text/html"),
    "html-502": (502, b"<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html"),
    "wrong-type": (200, json.dumps(completion()).encode(), "text/plain"),
    "no-body": (200, b"", "application/json"),
    "deep": (200, b"[" * 100_000, "application/json"),
}


class FaultServer:
    """A running fault server; `url` is its base address, `seen` counts requests by fault."""

    def __init__(self, *, delay_s: float = 0.0, bucket: tuple[float, float] | None = None) -> None:
        self.delay_s = delay_s
        self.bucket = bucket  # requests per second, capacity
        self.seen: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        self.bodies: list[bytes] = []
        self.times: list[float] = []
        self.in_flight = self.most_in_flight = 0
        self.first_then: dict[str, int] = {}  # prompts that fail so often before they succeed
        self._tokens = bucket[1] if bucket else 0.0
        self._filled = time.monotonic()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        application = web.Application(client_max_size=100_000_000)
        application.router.add_post("/v1/chat/completions", self._answer)
        application.router.add_get("/v1/models", self._models)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"  # type: ignore[union-attr]
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))

    async def _models(self, _request: web.Request) -> web.Response:
        pricing = {"prompt": "0.000001", "completion": "0.000002"}
        return web.json_response({"object": "list", "data": [{"id": "vendor/model", "object": "model", "pricing": pricing}]})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.bodies.append(body)
        self.times.append(time.monotonic())
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            response = await self._play(request, body.decode())
        finally:
            self.in_flight -= 1
        self.codes[response.status] += 1
        return response

    def _take_token(self) -> bool:
        assert self.bucket
        now = time.monotonic()
        self._tokens = min(self._tokens + (now - self._filled) * self.bucket[0], self.bucket[1])
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    async def _play(self, request: web.Request, text: str) -> web.StreamResponse:
        match = re.search(r"fault:([a-z0-9-]+)", text)
        fault = match[1] if match else ""
        self.seen[fault] += 1
        if self.bucket and not self._take_token():
            return web.json_response(error(429, "slow down"), status=429, headers={"Retry-After": "1"})
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        if fault.startswith("first-"):  # first-N-FAULT: N times the fault, then well
            _, count, fault = fault.split("-", 2)
            self.first_then[text] = self.first_then.get(text, 0) + 1
            if self.first_then[text] > int(count):
                return web.json_response(completion())
        if fault in JSON_FAULTS:
            status, answer, headers = JSON_FAULTS[fault]
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            return web.Response(
                body=json.dumps(answer).replace("%KEY%", key).encode(), status=status,
                headers=headers, content_type="application/json",
            )
        if fault in RAW_FAULTS:
            status, raw, kind = RAW_FAULTS[fault]
            return web.Response(body=raw, status=status, content_type=kind)
        if fault == "refuses-temperature" and '"temperature"' in text:
            return web.json_response(error(400, "Unsupported parameter: 'temperature' is not supported"), status=400)
        if fault == "stall":
            await asyncio.sleep(60)
        if fault == "trickle":
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            await response.prepare(request)
            for byte in json.dumps(completion()).encode():
                try:
                    await response.write(bytes([byte]))
                except ConnectionError:  # the client has given up
                    break
                await asyncio.sleep(0.2)
            return response
        if fault == "cut":
            raw = json.dumps(completion()).encode()
            response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(raw))})
            await response.prepare(request)
            await response.write(raw[: len(raw) // 2])
            assert request.transport
            request.transport.abort()
            return response
        if fault == "reset":
            assert request.transport
            request.transport.abort()
            return web.Response()
        if fault == "bad-gzip":
            return web.Response(body=b"not gzip", headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})
        return web.json_response(completion())
