"""Prices, and what a run could cost before it starts."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from geoutils.endpoints import Endpoint
from geoutils.experiment import Experiment
from geoutils.responses import answered, endpoint_of, planned

if TYPE_CHECKING:
    import pandas as pd

CHARS_PER_TOKEN = 3.5  # of prompts full of numbers, by the tokenizers of several models
TOKENS_PER_PICTURE = 1000  # of a figure 768 pixels wide; providers count from some 300 to 1,500
PRICE_LIMIT_S = 10.0


def listed_prices(endpoint: Endpoint) -> dict[str, tuple[float, float]]:
    """The prices that an OpenRouter endpoint lists: US dollars per million prompt and completion tokens.

    Empty where the list cannot be had; no key is sent.
    """
    import openai

    prices = {}
    try:
        with openai.OpenAI(api_key="none", base_url=endpoint.url, max_retries=0, timeout=PRICE_LIMIT_S) as client:
            for model in client.models.list():
                pricing: Any = getattr(model, "pricing", None)
                if isinstance(pricing, dict):
                    prompt, completion = (float(pricing.get(name, "nan")) * 1e6 for name in ("prompt", "completion"))
                    if math.isfinite(prompt + completion) and min(prompt, completion) >= 0:
                        prices[model.id] = prompt, completion
    except (openai.OpenAIError, ValueError, TypeError):
        return {}
    return prices


def with_prices(endpoints: dict[str, Endpoint]) -> dict[str, Endpoint]:
    """The endpoints with prices filled in where OpenRouter lists them."""
    lists: dict[str, dict[str, tuple[float, float]]] = {}
    for endpoint in endpoints.values():
        if endpoint.kind == "openrouter" and endpoint.url not in lists:
            lists[endpoint.url] = listed_prices(endpoint)
    return {
        model: dataclasses.replace(endpoint, price=endpoint.price or lists[endpoint.url].get(endpoint.model))
        if endpoint.kind == "openrouter" else endpoint
        for model, endpoint in endpoints.items()
    }


def estimate(experiment: Experiment, problems: pd.DataFrame) -> pd.DataFrame:
    """What a run would ask: one row per model and strategy.

    Returns model, strategy, planned, open (cells not yet answered), prompt_tokens (an estimate from
    the length of the text, and a flat number for a picture), completion_tokens_at_most (from max_tokens), usd_at_most (blank where
    the price is unknown, which `price` then says).
    """
    import pandas as pd

    endpoints = with_prices({model: endpoint_of(model, experiment) for model, _ in experiment.pairs()})
    rows = []
    for model, strategy in experiment.pairs():
        endpoint = endpoints[model]
        best = answered(experiment, model, strategy)
        count = waiting = size = pictures = 0
        for cell, request in planned(experiment, problems, model, strategy):
            count += 1
            if best.get(request.key(cell.repeat), best.get(cell.imported_key(), 0)) < 16 and endpoint.kind != "imported":
                waiting += 1
                size += len(request.sent)
                pictures += len(request.images)
        parameters = experiment.sampling_for(model, strategy)
        most = parameters.get("max_completion_tokens") or parameters.get("max_tokens")
        asks = endpoint.is_remote or endpoint.kind == "embedded"
        prompt = math.ceil(size / CHARS_PER_TOKEN) + TOKENS_PER_PICTURE * pictures if asks else 0
        completion = (waiting * most if most else None) if asks else 0
        price = (0.0, 0.0) if not endpoint.is_remote else endpoint.price
        usd = None
        if price == (0.0, 0.0):
            usd = 0.0
        elif price is not None and completion is not None:
            usd = (prompt * price[0] + completion * price[1]) / 1e6
        rows.append({
            "model": model, "strategy": strategy, "planned": count, "open": waiting, "prompt_tokens": prompt,
            "completion_tokens_at_most": completion, "usd_at_most": usd, "price": "unknown" if price is None else "known",
        })
    table = pd.DataFrame(rows)
    return table.astype({"completion_tokens_at_most": "Int64", "usd_at_most": "float64"})
