"""Ask every model every cell of the plan, and lose nothing.

The plan is fixed before the first request and gives the denominators. Attempts are appended to one
SQLite file for each model and strategy; what is still open is derived from plan and attempts, so
that stopping at any moment and starting again asks only what is missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geoutils.accounts import (
    attempts_table,
    cost_table,
    outcome_table,
    provider_table,
    say_costs,
    say_estimate,
    say_outcomes,
    say_providers,
    say_usage,
    usage_table,
)
from geoutils.baselines import answer, simulated_answer, with_most_common
from geoutils.endpoints import Endpoint
from geoutils.errors import GeoutilsError, RunError, UserError
from geoutils.experiment import Experiment, shown
from geoutils.lanes import Budget, Job, Lane
from geoutils.local_server import SLOTS, LocalServer
from geoutils.outcomes import AGAIN, OUTCOMES, Result
from geoutils.pacing import Gate, Pace
from geoutils.probing import probe_lane
from geoutils.progress import Progress
from geoutils.requests import Cell, Request, cells_of
from geoutils.responses import endpoint_of, iter_responses, load_responses, planned, problems_of
from geoutils.store import Key, Store, rank_of, store_path

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "attempts_table", "cost_table", "dry_run", "iter_responses", "load_responses", "outcome_table", "probe",
    "provider_table", "run_inference", "say_costs", "say_estimate", "say_outcomes", "say_providers", "say_usage", "usage_table",
]
RESTARTS = 3
STOP_GRACE_S = 15.0


@dataclass
class _Pair:
    """One model and strategy: its file, what its cells came to before, and the counts now."""

    model: str
    strategy: str
    store: Store
    best: dict[bytes, int]
    counts: Counter[str] = field(default_factory=Counter)  # what all planned cells are now
    places: array[int] | None = None  # which cells are open, by their place in the plan; None: all
    planned: int = 0
    asked: int = 0


class _Run:
    """A run of the inference stage: pairs, lanes, budget and progress."""

    def __init__(
        self, experiment: Experiment, problems: pd.DataFrame, pairs: Sequence[tuple[str, str]],
        retry: Sequence[str], shard: tuple[int, int], progress: str,
    ) -> None:
        self.experiment, self.problems, self.shard = experiment, problems, shard
        self.retry = frozenset(retry)
        self.pairs: dict[tuple[str, str], _Pair] = {}
        self.lanes: list[Lane] = []
        self.failures: list[GeoutilsError] = []
        self.budget = Budget(experiment.limits.max_usd)
        self.servers = contextlib.ExitStack()
        self.names = list(pairs)
        self.endpoints = {model: endpoint_of(model, experiment) for model, _ in pairs}
        for endpoint in self.endpoints.values():
            if endpoint.is_remote:
                endpoint.key()  # a missing key ends the run before anything is sent
        self.progress = Progress(0, "answers", mode=progress)

    # --- before --------------------------------------------------------------------------------

    def open(self) -> None:
        """Lock the response files, and count what is planned, done and open."""
        for model, strategy in self.names:
            store = Store(store_path(self.experiment, model, strategy), write=True, model=model, strategy=strategy)
            self.servers.callback(store.close)
            self.pairs[model, strategy] = _Pair(model, strategy, store, store.best())
        self.budget.spent = float(cost_table(self.experiment)["usd"].fillna(0.0).sum())

    def count(self, pair: _Pair) -> int:
        """Find the open cells of a pair, and count what the others came to; how many are open."""
        kind = self.endpoints[pair.model].kind
        if not pair.best and kind != "imported":
            cells = cells_of(self.experiment, self.problems, pair.model, pair.strategy, shard=self.shard)
            pair.planned = pair.counts["not_run"] = sum(1 for _ in cells)
            return pair.planned
        pair.places = array("L")
        for place, (cell, request) in enumerate(self.cells(pair)):
            code = self.code(pair, cell, request)
            pair.counts["not_run" if code is None else OUTCOMES[code % 16]] += 1
            if kind != "imported" and self.is_open(code):
                pair.places.append(place)
        pair.planned = pair.counts.total()
        return len(pair.places)

    def cells(self, pair: _Pair) -> Iterator[tuple[Cell, Request]]:
        """The planned cells of a pair with their requests."""
        return planned(self.experiment, self.problems, pair.model, pair.strategy, shard=self.shard)

    def code(self, pair: _Pair, cell: Cell, request: Request) -> int | None:
        """What a cell came to before this run."""
        found = pair.best.get(request.key(cell.repeat))
        return pair.best.get(cell.imported_key()) if found is None and pair.best else found

    def is_open(self, code: int | None) -> bool:
        """Whether a cell with this best attempt is to be asked."""
        return code is None or code < 16 or OUTCOMES[code % 16] in self.retry

    def jobs(self, pairs: Sequence[_Pair]) -> Iterator[Job]:
        """The open cells of some pairs, made one at a time."""
        for pair in pairs:
            if pair.places is not None and not pair.places:
                continue
            waiting = iter(pair.places or ())
            following = next(waiting, None)
            for place, (cell, request) in enumerate(self.cells(pair)):
                if pair.places is not None:
                    if place != following:
                        continue
                    following = next(waiting, None)
                code = self.code(pair, cell, request)
                key = Key(cell.problem, cell.category, cell.variant, cell.representation, cell.repeat)
                yield Job(request.key(cell.repeat), key, request, pair.store, (pair, cell, code))

    def finished(self, job: Job, result: Result) -> None:
        """A job has come to its end: what counts is the better of before and now."""
        pair, _, before = job.about
        now = 16 * rank_of(result.outcome, result.is_permanent) + OUTCOMES.index(result.outcome)
        if before is not None and before // 16 > now // 16:
            now = before
        pair.counts["not_run" if before is None else OUTCOMES[before % 16]] -= 1
        pair.counts[OUTCOMES[now % 16]] += 1
        pair.asked += 1
        self.progress.add()

    # --- the lanes -----------------------------------------------------------------------------

    def build(self) -> None:
        """One lane for each model with open cells."""
        limits = self.experiment.limits
        gates: dict[str, Gate] = {}
        models = list(dict.fromkeys(model for model, _ in self.names))
        for model in models:
            endpoint = self.endpoints[model]
            pairs = [pair for name, pair in self.pairs.items() if name[0] == model]
            opened = sum(self.count(pair) for pair in pairs)
            self.progress.total += opened
            cap = SLOTS if endpoint.kind == "embedded" else endpoint.max_in_flight or limits.max_in_flight
            gate = gates.setdefault(endpoint.name, Gate(cap, 0 if endpoint.kind == "embedded" else limits.requests_per_minute))
            lane = Lane(
                endpoint, self.jobs(pairs), Pace(gate, adaptive=endpoint.is_remote), limits.timeout_s,
                limits.max_attempts, self.budget, getattr(limits, "request_timeout_s", 0.0) or 0.0, self.finished,
            )
            if endpoint.kind in ("baseline", "simulated"):
                lane.answer = self._answerer(endpoint)
            gate.wake.append(lane._wake.set)
            lane.has_work = opened > 0
            self.lanes.append(lane)
        for lane in self.lanes:
            lane.siblings = [other for other in self.lanes if other.endpoint.name == lane.endpoint.name]

    def _answerer(self, endpoint: Endpoint) -> Callable[[Job], Result]:
        seed = self.experiment.sampling.seed

        def here(job: Job) -> Result:
            cell: Cell = job.about[1]
            return answer(endpoint.model, cell, seed) if endpoint.kind == "baseline" else simulated_answer(endpoint.id, cell)

        return here

    async def _run_lane(self, lane: Lane) -> None:
        try:
            if not lane.has_work or lane.stopped:
                return
            if lane.endpoint.kind == "embedded":
                await self._with_server(lane)
                return
            if lane.endpoint.is_remote:
                strategy = next(name for model, name in self.names if model == lane.endpoint.id)
                await probe_lane(lane, self.experiment, self.pairs[lane.endpoint.id, strategy].store, strategy)
            await lane.run()
        except GeoutilsError as error:
            lane.stop(str(error), error)

    async def _with_server(self, lane: Lane) -> None:
        server = await asyncio.to_thread(LocalServer)
        starts = 0

        def revive() -> list[str]:
            nonlocal starts
            if not server.is_alive():
                starts += 1
                if starts > RESTARTS:
                    raise RunError(f"the embedded server died {starts} times; its last words: {server.last_words()}")
                server.restart_dead()
            return server.base_urls

        try:
            lane.base_urls, lane.revive = server.base_urls, revive
            await lane.run()
        finally:
            server.stop()

    async def ask(self) -> None:
        """Run all lanes; a failure of one stops only its endpoint."""
        await asyncio.gather(*(self._run_lane(lane) for lane in self.lanes))

    def stop(self, reason: str) -> None:
        """Send nothing more."""
        for lane in self.lanes:
            lane.stop(reason)

    # --- after ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Collect the failures, and close files."""
        for lane in self.lanes:
            if lane.failure is not None and lane.failure not in self.failures:
                self.failures.append(lane.failure)
        self.servers.close()

    def summary(self) -> pd.DataFrame:
        """One row for each model and strategy."""
        import pandas as pd

        rows = [
            {"model": pair.model, "strategy": pair.strategy, "planned": pair.planned, "asked": pair.asked,
             **{name: pair.counts[name] for name in OUTCOMES}}
            for pair in self.pairs.values()
        ]
        return pd.DataFrame(rows, columns=["model", "strategy", "planned", "asked", *OUTCOMES])


def run_inference(
    experiment: Experiment, problems: pd.DataFrame | None = None, *, models: Sequence[str] | None = None,
    strategies: Sequence[str] | None = None, retry: Sequence[str] = (), shard: tuple[int, int] = (1, 1),
    progress: str = "auto",
) -> pd.DataFrame:
    """Ask what is still open of the plan, and save every attempt as it arrives.

    Parameters: `problems` is the problems table (default: what 01_dataset left); `models` and
    `strategies` restrict the plan; `retry` names outcomes to ask again beyond timeouts, malformed
    and passing errors, such as ["empty", "truncated"]; `shard=(i, n)` takes the i-th of n parts;
    `progress` is auto, bar, plain or none.

    Returns one row per model and strategy: planned cells, cells asked now, and the count of every
    outcome. Also works inside a running event loop, as in a notebook.

    Raises UserError before anything is sent where a key is missing or a model unknown; RunError
    after all other endpoints have finished where one had to be stopped, and at once where the disk
    is full or another run of the experiment is under way. What is saved stays.
    """
    problems = problems_of(experiment) if problems is None else problems
    unknown = [name for name in retry if name not in OUTCOMES]
    if unknown:
        raise UserError(f"retry: {unknown[0]!r} is no outcome; outcomes are {', '.join(OUTCOMES)}")
    if not 1 <= shard[0] <= shard[1]:
        raise UserError(f"shard: {shard[0]}/{shard[1]} is not one of its parts; the first of four is 1/4")
    pairs = [
        (model, strategy) for model, strategy in experiment.pairs()
        if (models is None or model in models) and (strategies is None or strategy in strategies)
    ]
    if not pairs:
        raise UserError("no cell of the plan is left: the chosen models and strategies are not in the experiment")
    if any(model.startswith("baseline/") for model, _ in pairs):
        problems = with_most_common(problems)
    run = _Run(experiment, problems, pairs, retry, shard, progress)
    started = time.monotonic()
    stopped_by_hand = False
    try:
        run.open()
        run.build()
        stopped_by_hand = _in_thread(run)
    finally:
        run.close()
    summary = run.summary()
    _close_progress(run, summary, time.monotonic() - started)
    if run.failures:
        saved = int(summary[[name for name in OUTCOMES if name not in AGAIN]].to_numpy().sum())
        more = f" (and {len(run.failures) - 1} more endpoints)" if len(run.failures) > 1 else ""
        raise RunError(f"{run.failures[0]}; {saved:,} of {int(summary['planned'].sum()):,} answers are saved{more}")
    if stopped_by_hand:
        raise RunError(f"stopped; {shown(experiment.data_dir)} keeps what was answered, the same command goes on")
    return summary


def _in_thread(run: _Run) -> bool:
    """Run the lanes on an event loop in a thread of its own; whether the user stopped them."""
    ended = threading.Event()
    loop = asyncio.new_event_loop()
    trouble: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.set_event_loop(loop)
            loop.run_until_complete(run.ask())
        except BaseException as error:  # raised again in the caller's thread
            trouble.append(error)
        finally:
            with contextlib.suppress(Exception):
                loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            ended.set()

    threading.Thread(target=work, name="geoutils-inference", daemon=True).start()
    stopped = False
    deadline = float("inf")
    while not ended.wait(0.1):
        try:
            run.progress.show()
            if time.monotonic() > deadline:
                loop.call_soon_threadsafe(_cancel_all, loop)
                deadline = float("inf")
        except KeyboardInterrupt:
            deadline = 0.0 if stopped else time.monotonic() + STOP_GRACE_S
            stopped = True
            loop.call_soon_threadsafe(run.stop, "stopped")
    if trouble and not (stopped and isinstance(trouble[0], asyncio.CancelledError)):
        raise trouble[0]
    return stopped


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()


def _close_progress(run: _Run, summary: pd.DataFrame, seconds: float) -> None:
    counts = ", ".join(f"{summary[name].sum():,} {name}" for name in OUTCOMES if summary[name].sum())
    asked = int(summary["asked"].sum())
    reasons = {lane.stopped for lane in run.lanes if lane.stopped and lane.failure is None}
    why = f"; stopped: {'; '.join(sorted(reasons))}" if reasons else ""
    run.progress.close(f"asked {asked:,} in {seconds:.0f} s; of {summary['planned'].sum():,} cells {counts or 'none'}{why}")


def probe(experiment: Experiment, *, models: Sequence[str] | None = None) -> pd.DataFrame:
    """Ask each remote model one tiny question with the experiment's parameters.

    Returns model, outcome, detail: whether the key, the model's name and every parameter are
    accepted. Nothing is saved; it costs a few tokens for each model.
    """
    import tempfile
    from pathlib import Path

    import pandas as pd

    rows: list[dict[str, Any]] = []

    async def ask_all() -> None:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "probe.sqlite", write=True) as store:
            for model, strategy in {pair[0]: pair[1] for pair in reversed(experiment.pairs())}.items():
                endpoint = endpoint_of(model, experiment)
                if not endpoint.is_remote or (models is not None and model not in models):
                    continue
                lane = Lane(
                    endpoint, iter(()), Pace(Gate(1)), experiment.limits.timeout_s, 1, Budget(float("inf"))
                )
                try:
                    endpoint.key()
                    await probe_lane(lane, experiment, store, strategy)
                    detail = "" if lane.failure is None else str(lane.failure)
                except GeoutilsError as error:
                    detail = str(error)
                rows.append({"model": model, "outcome": "api_error" if detail else "ok", "detail": detail})

    trouble: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(ask_all())
        except BaseException as error:
            trouble.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if trouble:
        raise trouble[0]
    return pd.DataFrame(rows, columns=["model", "outcome", "detail"])


def dry_run(experiment: Experiment, problems: pd.DataFrame | None = None) -> pd.DataFrame:
    """What a run would ask and could cost, without asking anything: see `geoutils.costs.estimate`."""
    from geoutils.costs import estimate

    return estimate(experiment, problems_of(experiment) if problems is None else problems)
