"""How a response is classified."""

from __future__ import annotations

import json

import pytest
from fault_server import completion, error

from geoutils.outcomes import classify, retry_after


def of(code, body, **headers):
    return classify(code, headers, body if isinstance(body, bytes) else json.dumps(body).encode())


@pytest.mark.parametrize(
    ("code", "body", "headers", "outcome", "then"),
    [
        (402, error(402, "pay"), {"retry-after": "3"}, "api_error", "again"),
        (402, error(402, "pay"), {}, "api_error", "stop"),
        (403, error(403, "no"), {}, "api_error", "stop"),
        (403, error(403, "input was flagged by moderation"), {}, "content_filter", "done"),
        (400, error("content_filter", "filtered"), {}, "content_filter", "done"),
        (429, error("insufficient_quota", "quota"), {}, "api_error", "stop"),
        (425, error(425, "early"), {}, "api_error", "again"),
        (405, error(405, "method"), {}, "api_error", "done"),
        (200, error(401, "key"), {}, "api_error", "stop"),
        (200, error(400, "bad"), {}, "api_error", "done"),
        (200, {"error": "a word"}, {}, "api_error", "again"),
        (200, {"choices": [{"message": "text"}]}, {}, "malformed", "again"),
        (200, {"choices": [{"message": {"content": 5}}]}, {}, "empty", "done"),
        (200, {"choices": [{"message": {"content": "x"}, "finish_reason": None}]}, {}, "ok", "done"),
        (200, b"null", {}, "malformed", "again"),
        (200, b"NaN", {}, "malformed", "again"),
        (204, b"", {}, "malformed", "again"),
    ],
)
def test_outcome_and_what_follows(code, body, headers, outcome, then):
    result = of(code, body, **headers)
    assert (result.outcome, result.then) == (outcome, then)


def test_an_unfinished_thought_is_no_content():
    result = of(200, completion("<think>3 times", "length"))
    assert (result.outcome, result.content, result.reasoning) == ("truncated", "", "3 times")
    result = of(200, completion("42", message={"reasoning": "because"}))
    assert (result.outcome, result.content, result.reasoning) == ("ok", "42", "because")


def test_odd_accounts_do_no_harm():
    usage = {"prompt_tokens": "many", "completion_tokens": 1e400, "cost": float("nan")}
    result = of(200, json.dumps(completion(usage=usage)).replace("inf", "1e999").encode())
    assert (result.prompt_tokens, result.completion_tokens, result.cost_usd) == (None, None, None)
    own = {"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.2}}
    assert of(200, completion(usage=own)).cost_usd == pytest.approx(0.21)
    assert of(200, completion("\ud800")).outcome == "ok"  # a lone surrogate can be saved


def test_retry_after_in_all_its_forms():
    assert retry_after({"retry-after": "2.5"}) == 2.5
    assert retry_after({"retry-after-ms": "1500"}) == 1.5
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, now=1445412475.0) == 5.0
    assert retry_after({"retry-after": "-3"}) == 0.0 and retry_after({"retry-after": "soon"}) is None
    assert retry_after({"retry-after": "1e12"}) == 3600.0 and retry_after({}) is None
