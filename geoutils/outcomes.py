"""What became of a request: its outcome, and whether to ask again, go on or stop.

| seen | outcome | then |
|---|---|---|
| a completion | ok, empty, truncated, refused, content_filter | done |
| 400, 404, 413, 422 and other client errors | api_error | recorded, done |
| 429, 408, 409, 425, 5xx, 402 with Retry-After, a lost connection | api_error | asked again |
| a 200 whose body is an error | api_error | as the error's own code says |
| a body that is neither completion nor error, or is cut off | malformed | asked again |
| no answer within the time limit | timeout | asked again |
| 401, 402, 403 (not about moderation), exhausted quota | api_error | the endpoint is stopped |
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

OUTCOMES = ("ok", "empty", "truncated", "refused", "content_filter", "malformed", "api_error", "timeout", "not_run")
DONE = frozenset({"ok", "empty", "truncated", "refused", "content_filter"})
AGAIN = frozenset({"malformed", "api_error", "timeout", "not_run"})  # api_error only where not permanent
RETRY_CODES = frozenset({408, 409, 425, 429})
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "credit_balance_too_low"})
MAX_ERROR_CHARS = 500
MAX_RETRY_AFTER_S = 3600.0
_THINK = re.compile(r"\s*<think>(.*?)(?:</think>|\Z)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one attempt and what came with it.

    `then` says what follows: done, again, or stop (nothing more is asked of this endpoint).
    `cost_usd` is what the provider reported, None where it reported nothing.
    """

    outcome: str
    then: str
    content: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    served_model: str = ""
    served_provider: str = ""
    response_id: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    http_code: int | None = None
    error: str = ""
    retry_after_s: float | None = None
    received: bytes = b""

    @property
    def is_permanent(self) -> bool:
        """Whether the cell is done with this attempt and not asked again by default."""
        return self.then == "done"

    @property
    def is_rate_limit(self) -> bool:
        """Whether the endpoint said that it was asked too fast."""
        return self.then == "again" and self.http_code in (429, 402)


def classify(code: int, headers: Mapping[str, str], received: bytes) -> Result:
    """The result of a response that arrived in full."""
    wait = retry_after(headers)
    try:
        body = json.loads(received.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        body = None
    if 200 <= code < 300:
        return _success(code, body, wait, received)
    return _failure(code, body, wait, received)


def timed_out(limit_s: float) -> Result:
    """The result of an attempt that had no full answer within its time limit."""
    return Result("timeout", "again", error=f"no answer within {limit_s:g} s")


def disconnected(error: str, *, cut: bool) -> Result:
    """The result of a lost connection: `cut` where the answer had begun to arrive."""
    return Result("malformed" if cut else "api_error", "again", error=error[:MAX_ERROR_CHARS])


def retry_after(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """The seconds that a Retry-After (or retry-after-ms) header asks to wait, None without one."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / scale
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now)
            except (TypeError, ValueError, OverflowError):
                continue
        if math.isfinite(seconds):
            return min(max(seconds, 0.0), MAX_RETRY_AFTER_S)
    return None


def _success(code: int, body: Any, wait: float | None, received: bytes) -> Result:
    if not isinstance(body, dict):
        return Result("malformed", "again", http_code=code, received=received, error="the body is no JSON object")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        if body.get("error"):
            inner = _failure(_error_code(body["error"]) or 500, body, wait, received)
            return inner
        return Result("malformed", "again", http_code=code, received=received, error="the body has no choices")
    if isinstance(choice.get("error"), dict):
        return _failure(_error_code(choice["error"]) or 500, {**body, "error": choice["error"]}, wait, received)
    message = choice.get("message")
    finish = _text(choice.get("finish_reason"))
    if finish == "error":
        return _failure(500, body, wait, received)
    if not isinstance(message, dict):
        return Result("malformed", "again", http_code=code, received=received, error="the choice has no message")
    content, thought = _split_thought(_text(message.get("content")))
    reasoning = _text(message.get("reasoning")) or _text(message.get("reasoning_content")) or thought
    if _text(message.get("refusal")).strip():
        outcome = "refused"
    elif finish == "content_filter":
        outcome = "content_filter"
    elif finish == "length":
        outcome = "truncated"
    else:
        outcome = "ok" if content.strip() else "empty"
    return Result(
        outcome, "done", content=content, reasoning=reasoning, finish_reason=finish,
        http_code=code, received=received, error=_text(message.get("refusal")), **_accounts(body),
    )


def _failure(code: int, body: Any, wait: float | None, received: bytes) -> Result:
    fault = body.get("error") if isinstance(body, dict) else None
    kind = _text(fault.get("code")) or _text(fault.get("type")) if isinstance(fault, dict) else ""
    words = _error_text(fault) or _text(body.get("message") if isinstance(body, dict) else None) or _excerpt(received)
    if (code == 402 and wait is None) or kind in QUOTA_CODES or code == 401:
        outcome, then = "api_error", "stop"
    elif code == 403 or kind == "content_filter":
        moderated = kind == "content_filter" or "moderation" in received[:20_000].decode("utf-8", "replace").lower()
        outcome, then = ("content_filter", "done") if moderated else ("api_error", "stop")
    elif code in RETRY_CODES or code >= 500 or code == 402:
        outcome, then = "api_error", "again"
    else:
        outcome, then = "api_error", "done"
    accounts = _accounts(body) if isinstance(body, dict) else {}
    error = f"{code} {words}".strip()[:MAX_ERROR_CHARS]
    return Result(outcome, then, http_code=code, error=error, retry_after_s=wait, received=received, **accounts)


def _accounts(body: Mapping[str, Any]) -> dict[str, Any]:
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return {
        "served_model": _text(body.get("model")),
        "served_provider": _text(body.get("provider")),
        "response_id": _text(body.get("id")),
        "prompt_tokens": _count(usage.get("prompt_tokens")),
        "completion_tokens": _count(usage.get("completion_tokens")),
        "cost_usd": _amount(usage),
    }


def _amount(usage: Mapping[str, Any]) -> float | None:
    cost = _number(usage.get("cost"))
    details = usage.get("cost_details")
    upstream = _number(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    if usage.get("is_byok") is True and upstream is not None:  # billed by the provider, not in `cost`
        return (cost or 0.0) + upstream
    return cost


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        value = float(value)
    except OverflowError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _count(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number < 2**53 else None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if isinstance(value, list):  # content given in parts
        parts = (part.get("text") for part in value if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _split_thought(content: str) -> tuple[str, str]:
    """Content without a leading <think> block, and that block."""
    match = _THINK.match(content)
    return (content[match.end():], match[1].strip()) if match else (content, "")


def _error_code(fault: Any) -> int | None:
    code = fault.get("code") if isinstance(fault, dict) else None
    if isinstance(code, str) and re.fullmatch(r"[1-5]\d\d", code):
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _error_text(fault: Any) -> str:
    if isinstance(fault, str):
        return fault
    if not isinstance(fault, dict):
        return ""
    words = _text(fault.get("message"))
    extra = fault.get("metadata")
    raw = _text(extra.get("raw")) if isinstance(extra, dict) else ""
    return " ".join(f"{words} {raw}".split())


def _excerpt(received: bytes) -> str:
    words = re.sub(r"<[^>]*>", " ", received[:2000].decode("utf-8", "replace"))
    return " ".join(words.split())[:200]
