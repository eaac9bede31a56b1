"""Asking any questions of one model as the inference stage asks its cells: resumable, paced, within the budget.

A question is a message of text and media; what is known of it is kept in one response file for each
model and purpose, under the hash of its exact request, so that the same question is asked once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geoutils.endpoints import Endpoint
from geoutils.errors import UserError
from geoutils.experiment import Experiment, Sampling, safe_name
from geoutils.lanes import Job
from geoutils.outcomes import OUTCOMES, Result
from geoutils.requests import Cell, Content, Request, chat_request, make_request
from geoutils.responses import NOT_RUN, endpoint_of
from geoutils.runs import Pair, Run
from geoutils.store import Key, Store

FIELDS = (
    "outcome", "content", "reasoning", "finish_reason", "served_model", "served_provider", "prompt_tokens", "completion_tokens",
    "cost_usd", "latency_s", "attempts", "response_sha256", "request_sha256", "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its text, or texts and media in order, or a function that gives these when they are needed.

    `key` is the place in the record, `repeat` tells apart the askings of one question.
    """

    content: Content | Callable[[], Content]
    system: str = ""
    key: Key = Key()
    repeat: int = 0

    def parts(self) -> Content:
        """The message: a text, or texts and media in order."""
        return self.content() if callable(self.content) else self.content


def parameters_for(experiment: Experiment, model: str, purpose: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the requests of a purpose: its defaults, then per_strategy and per_model; nulls are left out."""
    sampling = Sampling(None, None, None, None, experiment.sampling.per_strategy, experiment.sampling.per_model)
    own = dataclasses.replace(experiment, sampling=sampling).sampling_for(model, purpose)
    overrides = {**experiment.sampling.per_strategy.get(purpose, {}), **experiment.sampling.per_model.get(model, {})}
    return {name: value for name, value in {**defaults, **own}.items() if overrides.get(name, value) is not None}


def answers_path(experiment: Experiment, model: str, *, purpose: str, folder: str) -> Path:
    """The response file of a model and purpose: data/NAME/FOLDER/MODEL__PURPOSE.sqlite."""
    return experiment.data_dir / folder / f"{safe_name(model)}__{purpose}.sqlite"


class Asking(Run):
    """A run over questions of one model in place of the cells of a plan."""

    def __init__(
        self, experiment: Experiment, model: str, questions: Sequence[Question], *, purpose: str, folder: str,
        parameters: Mapping[str, Any], retry: Sequence[str] = (), progress: str = "auto",
        answer: Callable[[Question], Result] | None = None, label: str = "",
    ) -> None:
        self._questions, self._folder, self._parameters = questions, folder, parameters
        self._answer, self._label = answer, label
        sampling = Sampling(None, None, None, None, {purpose: parameters}, {})
        own = dataclasses.replace(experiment, models=(model,), strategies=(purpose,), parts=(), sampling=sampling)
        super().__init__(own, None, [(model, purpose)], retry, (1, 1), progress)  # type: ignore[arg-type]

    def endpoint(self, model: str) -> Endpoint:
        """Where the model is asked; what is answered here has an address that names how."""
        if self._answer is not None:
            return Endpoint(model, model.partition("/")[0], "baseline", model.partition("/")[2], self._label or model)
        return endpoint_of(model, self.experiment)

    def path(self, model: str, strategy: str) -> Path:
        """The file that keeps the answers."""
        return answers_path(self.experiment, model, purpose=strategy, folder=self._folder)

    def number(self, pair: Pair) -> int:
        """How many questions there are; one that stands twice is asked once."""
        return sum(1 for _ in self.cells(pair))

    def cells(self, pair: Pair) -> Iterator[tuple[Cell, Request]]:
        """The different questions as cells, each with its exact request, made one at a time."""
        seen: set[bytes] = set()
        for cell, request in self.all_cells(pair.model, pair.strategy):
            name = request.key(cell.repeat)
            if name not in seen:
                seen.add(name)
                yield cell, request

    def all_cells(self, model: str, purpose: str) -> Iterator[tuple[Cell, Request]]:
        """The same, with questions that are asked more than once."""
        endpoint = self.endpoints[model]
        for question in self._questions:
            key = question.key
            cell = Cell(
                model, purpose, key.problem, key.category, key.variant, key.representation, question.repeat,
                {"question": question},
            )  # fmt: skip
            yield cell, self.request(endpoint, question)

    def request(self, endpoint: Endpoint, question: Question) -> Request:
        """The exact request of a question."""
        if self._answer is None:
            return chat_request(endpoint, question.parts(), self._parameters, repeat=question.repeat, system=question.system)
        shown = chat_request(dataclasses.replace(endpoint, kind="openai"), question.parts(), {}, system=question.system)
        body = {"model": endpoint.model, "asks": shown.sha256.hex(), **self._parameters}
        return make_request(endpoint.url, body)

    def build(self) -> None:
        """One lane; what is answered here may be slow, so it is saved often."""
        super().build()
        for lane in self.lanes:
            lane.at_once = 4

    def _answerer(self, endpoint: Endpoint) -> Callable[[Job], Result]:
        if self._answer is None:
            return super()._answerer(endpoint)
        answer = self._answer
        return lambda job: answer(job.about[1].row["question"])

    def rows(self) -> list[dict[str, Any]]:
        """What each question came to, in order."""
        model, purpose = self.names[0]
        path = self.path(model, purpose)
        store = Store(path) if path.is_file() else None
        try:
            return [_row(store, cell, request) for cell, request in self.all_cells(model, purpose)]
        finally:
            if store:
                store.close()


def _row(store: Store | None, cell: Cell, request: Request) -> dict[str, Any]:
    found = store and next(store.best_rows([request.key(cell.repeat)]))
    row = {name: (found or NOT_RUN).get(name) for name in FIELDS} | {"request_sha256": request.sha256.hex()}
    if isinstance(row["response_sha256"], bytes):
        row["response_sha256"] = row["response_sha256"].hex()
    return row


def ask(experiment: Experiment, model: str, questions: Sequence[Question], **options: Any) -> list[dict[str, Any]]:
    """Ask a model what is still open among some questions; what each came to, in order.

    Options: `purpose` (a word, which `sampling.per_strategy` may name) and `folder` (below data/NAME)
    name the response file; `parameters` go into each request; `retry` names outcomes to ask again;
    `progress` is auto, bar, plain or none; `answer` answers here in place of a server, and `label`
    names how (a new label asks again).

    Returns dicts with `outcome`, `content`, `reasoning`, `finish_reason`, `served_model`, `served_provider`,
    `prompt_tokens`, `completion_tokens`, `cost_usd`, `latency_s`, `attempts`, `response_sha256`,
    `request_sha256`, `error`. Raises as `geoutils.inference.run_inference`.
    """
    from geoutils.inference import carry_out

    unknown = [name for name in options.get("retry", ()) if name not in OUTCOMES]
    if unknown:
        raise UserError(f"retry: {unknown[0]!r} is no outcome; outcomes are {', '.join(OUTCOMES)}")
    if not questions:
        return []
    run = Asking(experiment, model, questions, **options)
    carry_out(run)
    return run.rows()


def answers(experiment: Experiment, model: str, questions: Sequence[Question], **options: Any) -> list[dict[str, Any]]:
    """What each question came to, without asking: outcome `not_run` where it was never asked. Options as in `ask`."""
    return Asking(experiment, model, questions, **options).rows() if questions else []
