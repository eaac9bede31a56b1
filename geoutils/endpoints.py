"""Which server answers for a model id, and which environment variable holds its key.

A model id is `prefix/name`. The prefixes known without any setting are `openrouter`, `local` (the
embedded server), `baseline` and `simulated`; every other one, and any of these again, is defined
under `endpoints` in the experiment file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from geoutils.errors import UserError
from geoutils.experiment import Experiment, shown

OPENROUTER_URL = "https://openrouter.ai/api/v1"
EMBEDDED_NAME = "smollm2-135m-instruct"
EMBEDDED_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASELINES = ("last-number", "largest-number", "most-common-answer", "random-number", "gold")
NETWORK_KINDS = ("openai", "openrouter", "embedded")


@dataclass(frozen=True)
class Endpoint:
    """Where the requests of one model go.

    `kind` is openai, openrouter, embedded, baseline, simulated or imported; `name` the prefix;
    `model` what the server calls the model; `url` is part of each request's hash, so for the
    embedded server it names the model file instead of a port that changes with each start.
    """

    id: str
    name: str
    kind: str
    model: str
    url: str
    key_env: str | None = None
    max_in_flight: int | None = None
    price: tuple[float, float] | None = None  # US dollars per million prompt and completion tokens

    @property
    def is_free(self) -> bool:
        """Whether asking it can never cost money."""
        return self.kind not in ("openai", "openrouter") or self.price == (0.0, 0.0)

    @property
    def is_remote(self) -> bool:
        """Whether a server outside this run answers."""
        return self.kind in ("openai", "openrouter")

    def key(self) -> str:
        """The key from its environment variable, `none` where none is needed; UserError if it is missing."""
        if self.key_env is None:
            return "none"
        value = os.environ.get(self.key_env, "").strip()
        if not value:
            raise UserError(
                f"model {self.id}: the environment variable {self.key_env} is not set; "
                f"set it to your key for {self.url}, or take the model out of the experiment"
            )
        if not (value.isascii() and value.isprintable()) or " " in value:
            raise UserError(f"model {self.id}: the value of {self.key_env} is no key: it has spaces or odd characters")
        return value


def resolve(model: str, experiment: Experiment) -> Endpoint:
    """The endpoint of a model id; UserError names the model, the file and what to add."""
    prefix, _, name = model.partition("/")
    where = shown(experiment.path) if experiment.path else f"experiment {experiment.name}"
    own = experiment.endpoints.get(prefix)
    if own is not None:
        url = _option(own, "base_url")
        kind = "openrouter" if prefix == "openrouter" else "openai"
        return Endpoint(
            model, prefix, kind, name, plain_url(url), _option(own, "api_key_env"),
            _option(own, "max_in_flight"), _price(_option(own, "price"), "" if kind == "openrouter" else url),
        )
    if prefix == "openrouter":
        return Endpoint(model, prefix, "openrouter", name, OPENROUTER_URL, "OPENROUTER_API_KEY")
    if prefix == "local":
        if name != EMBEDDED_NAME:
            raise UserError(f"{where}: model {model!r} is unknown; the embedded model is local/{EMBEDDED_NAME}")
        return Endpoint(model, prefix, "embedded", name, f"embedded:{EMBEDDED_FILE}")
    if prefix == "baseline":
        if name not in BASELINES:
            known = ", ".join(f"baseline/{known}" for known in BASELINES)
            raise UserError(f"{where}: model {model!r} is unknown; the baselines are {known}")
        return Endpoint(model, prefix, "baseline", name, "baseline:1")
    if prefix == "simulated":
        return Endpoint(model, prefix, "simulated", name, "simulated:1")
    raise UserError(
        f"{where}: model {model!r} has no endpoint; add endpoints: {{{prefix}: {{base_url: \"http://...\"}}}} "
        f"or use openrouter/{model}"
    )


def plain_url(url: str) -> str:
    """An address without user name, password, query, fragment and closing slash."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def _option(endpoint: Any, name: str) -> Any:
    if isinstance(endpoint, Mapping):
        return endpoint.get(name)
    return getattr(endpoint, name, None)


def _price(value: Any, url: str) -> tuple[float, float] | None:
    if value is None:  # a server on this machine costs nothing
        return (0.0, 0.0) if urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1") else None
    prompt, completion = (_option(value, name) for name in ("prompt", "completion"))
    return float(prompt or 0), float(completion or 0)
