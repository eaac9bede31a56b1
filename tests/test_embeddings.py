"""Embeddings: each phrase once, kept on disk by model, from the embedded encoder or an endpoint."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from inference_cases import experiment_file

from geoutils.embeddings import EMBEDDED, Embeddings, cache_path, embedded_encoder, open_embeddings
from geoutils.errors import RunError, UserError

KEY = "sk-canary-embeddings-77"


class _Server(BaseHTTPRequestHandler):
    """An embeddings endpoint: phrases become their length and first letter; the model's name asks for faults."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        server.asked.append(body["input"])
        fault = server.faults.pop(0) if server.faults else 200
        data = [{"index": i, "embedding": [float(len(p)), float(ord(p[0])), 1.0]} for i, p in enumerate(body["input"])]
        if fault == "short":
            data = data[:-1]
        content = {"object": "list", "model": body["model"], "data": data[::-1]} if fault in (200, "short") else {"error": {"message": f"no {KEY}"}}
        raw = json.dumps(content).encode()
        self.send_response(fault if isinstance(fault, int) else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("retry-after-ms", "10")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as made:
        made.asked, made.faults = [], []  # type: ignore[attr-defined]
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def experiment(server, tmp_path, home, monkeypatch):
    monkeypatch.setenv("LAB_KEY", KEY)
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return experiment_file(tmp_path, f'endpoints: {{lab: {{base_url: "{url}", api_key_env: LAB_KEY}}}}\nlimits: {{max_attempts: 3, timeout_s: 5}}\n')


def test_the_embedded_encoder_puts_like_by_like() -> None:
    first, second, third = embedded_encoder()(["dot product", "scalar product", "banana"])
    assert first @ second > 0.6 > 0.3 > first @ third
    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-4)


def test_each_phrase_is_embedded_once_and_kept(home, tmp_path) -> None:
    calls: list[list[str]] = []

    def encode(phrases: list[str]) -> np.ndarray:
        calls.append(phrases)
        return np.array([[len(p), 0.0] for p in phrases])

    path = tmp_path / "e.db"
    with Embeddings("lab/m", path, lambda: encode) as kept:
        made = kept.vectors(["slope", "chord", "slope"])
        assert made.tolist() == [[1.0, 0.0]] * 3 and calls == [["slope", "chord"]]
        kept.vectors(["chord", "ray"])
        assert calls[1:] == [["ray"]] and kept.asked == 3
        assert kept.vectors([]).shape[0] == 0
    with Embeddings("lab/m", path) as again:
        assert again.vectors(["ray", "slope"]).shape == (2, 2)
        with pytest.raises(UserError, match="'new' has no embedding"):
            again.vectors(["new"])
    with pytest.raises(RunError, match="holds embeddings of lab/m"):
        Embeddings("lab/other", path)


def test_batches_are_saved_as_they_come(home, tmp_path) -> None:
    names = [f"phrase {i}" for i in range(600)]
    count = 0

    def breaks(phrases: list[str]) -> np.ndarray:
        nonlocal count
        count += 1
        if count == 3:
            raise RunError("lost")
        return np.ones((len(phrases), 2))

    with Embeddings("lab/m", tmp_path / "e.db", lambda: breaks) as kept, pytest.raises(RunError, match="lost"):
        kept.vectors(names)
    with Embeddings("lab/m", tmp_path / "e.db", lambda: lambda phrases: np.ones((len(phrases), 2))) as kept:
        kept.vectors(names)
        assert kept.asked == 600 - 512


def test_an_endpoint_is_asked_in_batches_and_retried(server, experiment) -> None:
    server.faults[:] = [500, 429, 200]
    with open_embeddings(experiment, "lab/text-embedding-3-small") as kept:
        made = kept.vectors([f"{'abc'[i % 3]}{i}" for i in range(300)])
    assert [len(batch) for batch in server.asked] == [256, 256, 256, 44]
    assert made[1] @ np.array([2, 98, 1]) / np.linalg.norm([2, 98, 1]) == pytest.approx(1.0)  # by index, not by order
    with open_embeddings(experiment, "lab/text-embedding-3-small") as kept:
        kept.vectors(["a0", "b1"])
    assert len(server.asked) == 4
    assert KEY.encode() not in cache_path(experiment, "lab/text-embedding-3-small").read_bytes()


def test_faults_are_one_line_without_the_key(server, experiment, monkeypatch) -> None:
    server.faults[:] = [401]
    with open_embeddings(experiment, "lab/m") as kept, pytest.raises(RunError, match=r"lab/m.*no \[key\]") as caught:
        kept.vectors(["a"])
    assert KEY not in str(caught.value) and "\n" not in str(caught.value)
    server.faults[:] = ["short"]
    with open_embeddings(experiment, "lab/m") as kept, pytest.raises(RunError, match="1 embeddings for 2 phrases"):
        kept.vectors(["a", "b"])
    monkeypatch.delenv("LAB_KEY")
    with open_embeddings(experiment, "lab/m") as kept, pytest.raises(UserError, match="LAB_KEY"):
        kept.vectors(["a"])


def test_a_model_without_embeddings_or_money_is_refused(tmp_path, home) -> None:
    experiment = experiment_file(tmp_path, "limits: {max_usd: 0}\n")
    with pytest.raises(UserError, match="gives none"):
        open_embeddings(experiment, "local/smollm2-135m-instruct")
    with pytest.raises(UserError, match="max_usd is 0"):
        open_embeddings(experiment, "openrouter/openai/text-embedding-3-small")
    with pytest.raises(UserError, match="no endpoint"):
        open_embeddings(experiment, "nobody/m")
    with open_embeddings(experiment) as kept:
        assert kept.model == EMBEDDED


def test_a_broken_cache_is_named(tmp_path, home) -> None:
    path = tmp_path / "e.db"
    path.write_bytes(b"this is no database, " * 100)
    with pytest.raises(RunError, match="cannot be used"):
        Embeddings("lab/m", path)
