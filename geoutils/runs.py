"""One run of the inference stage: what is open, one lane for each model, and the counts."""

from __future__ import annotations

import asyncio
import contextlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from geoutils.accounts import cost_table
from geoutils.baselines import answer, simulated_answer
from geoutils.endpoints import Endpoint
from geoutils.errors import GeoutilsError, RunError
from geoutils.experiment import Experiment, load_experiment
from geoutils.lanes import Budget, Job, Lane
from geoutils.local_server import SLOTS, LocalServer
from geoutils.merge import merge_pending, merged_up_to
from geoutils.outcomes import OUTCOMES, Result
from geoutils.pacing import Gate, Pace
from geoutils.probing import probe_lane
from geoutils.progress import Progress
from geoutils.requests import Cell, Request, cells_of, refuse_pictures
from geoutils.responses import endpoint_of, planned
from geoutils.shards import Shard, pace_share, refuse_others, spent_before, usd_share
from geoutils.store import Key, Store, main_path, rank_of, store_path

if TYPE_CHECKING:
    import pandas as pd

RESTARTS = 3


@dataclass
class Pair:
    """One model and strategy: its file, what its cells came to before, and the counts now."""

    model: str
    strategy: str
    store: Store
    best: dict[bytes, int]
    counts: Counter[str] = field(default_factory=Counter)  # what all planned cells are now
    places: array[int] | None = None  # which cells are open, by their place in the plan; None: all
    planned: int = 0
    asked: int = 0


class Run:
    """A run of the inference stage: pairs, lanes, budget and progress."""

    def __init__(
        self, experiment: Experiment, problems: pd.DataFrame, pairs: Sequence[tuple[str, str]],
        retry: Sequence[str], shard: tuple[int, int], progress: str,
    ) -> None:
        self.experiment, self.problems, self.shard = experiment, problems, shard
        self.retry = frozenset(retry)
        self.pairs: dict[tuple[str, str], Pair] = {}
        self.lanes: list[Lane] = []
        self.failures: list[GeoutilsError] = []
        self.budget = Budget(experiment.limits.max_usd)
        self.servers = contextlib.ExitStack()
        self.names = list(pairs)
        self.asks = True  # else cells are only counted
        self.endpoints = {model: self.endpoint(model) for model, _ in pairs}
        refuse_pictures(experiment, self.endpoints)
        self.progress = Progress(0, "answers", mode=progress)

    # --- before --------------------------------------------------------------------------------

    def endpoint(self, model: str) -> Endpoint:
        """Where a model is asked."""
        return endpoint_of(model, self.experiment)

    def path(self, model: str, strategy: str) -> Path:
        """The file that keeps the responses of a model and strategy."""
        return store_path(self.experiment, model, strategy)

    def number(self, pair: Pair) -> int:
        """How many cells of a pair are planned."""
        if self.experiment.shard is not None:
            return sum(1 for _ in self.cells(pair))
        return sum(1 for _ in cells_of(self.experiment, self.problems, pair.model, pair.strategy))

    def open(self) -> None:
        """Lock the response files, and read what is done."""
        for endpoint in self.endpoints.values():
            if endpoint.is_remote and self.asks:
                endpoint.key()  # a missing key ends the run before anything is sent
        if self.experiment.shard is not None:
            self._open_shard(self.experiment.shard)
            return
        merge_pending(self.experiment)
        for model, strategy in self.names:
            store = Store(self.path(model, strategy), write=True, model=model, strategy=strategy)
            self.servers.callback(store.close)
            self.pairs[model, strategy] = Pair(model, strategy, store, store.best())
        self.budget.spent = float(cost_table(self.experiment)["usd"].fillna(0.0).sum())

    def _open_shard(self, shard: Shard) -> None:
        """Lock the files of one shard, read what they and the main files have, and take this shard's part of the budget."""
        from uuid import uuid4

        about = {"experiment": self.experiment.name, "shard": f"{shard[0]}/{shard[1]}"}
        for model, strategy in self.names:
            main = main_path(self.experiment, model, strategy)
            refuse_others(main, shard)
            store = Store(
                self.path(model, strategy), write=True, model=model, strategy=strategy, alone=True,
                more={**about, "identity": uuid4().hex},
            )
            self.servers.callback(store.close)
            best = store.best()
            if main.is_file():
                with Store(main) as merged:
                    for cell, code in merged.best().items():
                        best[cell] = max(code, best.get(cell, -1), key=lambda code: code // 16)
            self.pairs[model, strategy] = Pair(model, strategy, store, best)
            self.budget.spent += store.totals(after=merged_up_to(main, store.about()["identity"]))["usd"]
        whole = self.whole()
        paid = [pair for pair in whole.pairs() if not endpoint_of(pair[0], whole).is_free]
        left = whole.limits.max_usd - spent_before(whole)
        self.budget.limit_usd = usd_share(self.experiment, self.names, paid, left)
        self.budget.name = f"the part of shard {shard[0]}/{shard[1]} in the budget,"

    def whole(self) -> Experiment:
        """The experiment with all models and strategies, of which this process may ask only some."""
        if self.experiment.shard is None or self.experiment.path is None:
            return self.experiment
        return load_experiment(self.experiment.path)

    def count(self, pair: Pair) -> int:
        """Find the open cells of a pair, and count what the others came to; how many are open."""
        kind = self.endpoints[pair.model].kind
        if not pair.best and kind != "imported":
            pair.planned = pair.counts["not_run"] = self.number(pair)
            return pair.planned
        pair.places = array("L")
        for place, (cell, request) in enumerate(self.cells(pair)):
            code = self.code(pair, cell, request)
            pair.counts["not_run" if code is None else OUTCOMES[code % 16]] += 1
            if kind != "imported" and self.is_open(code):
                pair.places.append(place)
        pair.planned = pair.counts.total()
        return len(pair.places)

    def cells(self, pair: Pair) -> Iterator[tuple[Cell, Request]]:
        """The planned cells of a pair with their requests."""
        return planned(self.experiment, self.problems, pair.model, pair.strategy)

    def code(self, pair: Pair, cell: Cell, request: Request) -> int | None:
        """What a cell came to before this run."""
        found = pair.best.get(request.key(cell.repeat))
        return pair.best.get(cell.imported_key()) if found is None and pair.best else found

    def is_open(self, code: int | None) -> bool:
        """Whether a cell with this best attempt is to be asked."""
        return code is None or code < 16 or OUTCOMES[code % 16] in self.retry

    def jobs(self, pairs: Sequence[Pair]) -> Iterator[Job]:
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
        whole = self.whole().pairs() if self.experiment.shard is not None else self.names
        models = list(dict.fromkeys(model for model, _ in self.names))
        for model in models:
            endpoint = self.endpoints[model]
            pairs = [pair for name, pair in self.pairs.items() if name[0] == model]
            opened = sum(self.count(pair) for pair in pairs)
            self.progress.total += opened
            mine, every = (sum(name.startswith(f"{endpoint.name}/") for name, _ in names) for names in (self.names, whole))
            part = pace_share(self.experiment, mine, every)
            cap = SLOTS if endpoint.kind == "embedded" else max(int((endpoint.max_in_flight or limits.max_in_flight) * part), 1)
            per_minute = 0.0 if endpoint.kind == "embedded" else float(limits.requests_per_minute * part)
            gate = gates.setdefault(endpoint.name, Gate(cap, per_minute))
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
                pair = self.pairs[lane.endpoint.id, strategy]
                await probe_lane(lane, self.experiment, pair.store, strategy, known=pair.best)
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
