"""One tiny request to a model before its plan, so that a wrong setting stops it at once."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from geoutils.errors import RunError
from geoutils.experiment import Experiment, shown
from geoutils.lanes import NO_CONNECTION, Job, Lane
from geoutils.outcomes import Result
from geoutils.requests import Request, chat_request
from geoutils.store import Key, Store

QUESTION = "Reply with the number 1."
TRIES = 3


def probe_request(lane: Lane, experiment: Experiment, strategy: str) -> Request:
    """The request of a probe: the parameters of a strategy with a question of its own."""
    return chat_request(lane.endpoint, QUESTION, experiment.sampling_for(lane.endpoint.id, strategy))


async def probe_lane(
    lane: Lane, experiment: Experiment, store: Store, strategy: str, *, known: Mapping[bytes, int] | None = None
) -> None:
    """Stop a lane (and for a refused key its siblings) whose endpoint refuses the probe.

    A probe that was once answered, in this file or by what is `known` from others, is not sent again. Rate
    limits and slow answers do not stop it.
    """
    request = probe_request(lane, experiment, strategy)
    cell = request.key(0)
    if store.has(cell=cell) or (known or {}).get(cell, 0) >= 16:
        return
    results: list[Result] = []
    job = Job(cell, Key(), request, store)
    trial = dataclasses.replace(
        lane, jobs=iter([job]), max_attempts=min(TRIES, lane.max_attempts), waiting=[], answer=None,
        finished=lambda _job, result: results.append(result), siblings=lane.siblings or [lane],
    )
    await trial.run()
    if not results:
        return
    result = results[0]
    where = shown(experiment.path) if experiment.path else f"experiment {experiment.name}"
    if result.outcome == "api_error" and result.then == "done":
        failure = _unsupported(lane.endpoint.id, result, experiment.sampling_for(lane.endpoint.id, strategy), where)
        lane.stop(result.error, failure)
    elif result.error.startswith(NO_CONNECTION):
        lane.stop(result.error, lane.unreachable(result.error))


def _unsupported(model: str, result: Result, parameters: dict[str, Any], where: str) -> RunError:
    words = result.error.lower()
    named = [name for name in parameters if re.search(rf"\b{re.escape(name.lower())}\b", words)]
    if named:
        omit = ", ".join(f"{name}: null" for name in named)
        if "max_tokens" in named and "max_completion_tokens" in words:
            omit += f", max_completion_tokens: {parameters['max_tokens']}"
        return RunError(
            f"model {model} does not take {' and '.join(named)} ({result.error}); "
            f"in {where} add  sampling: {{per_model: {{{model}: {{{omit}}}}}}}"
        )
    if "parameter" in words:
        omit = ", ".join(f"{name}: null" for name in parameters)
        return RunError(
            f"model {model} does not take one of the parameters {', '.join(parameters)} ({result.error}); "
            f"in {where} omit it with a part of  sampling: {{per_model: {{{model}: {{{omit}}}}}}}"
        )
    return RunError(f"model {model} is not served under this name ({result.error}); correct its name in {where}")
