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
from collections.abc import Sequence
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
from geoutils.baselines import with_most_common
from geoutils.errors import GeoutilsError, RunError, UserError
from geoutils.experiment import Experiment, shown
from geoutils.lanes import Budget, Lane
from geoutils.outcomes import AGAIN, OUTCOMES
from geoutils.pacing import Gate, Pace
from geoutils.probing import probe_lane
from geoutils.responses import endpoint_of, iter_responses, load_responses, problems_of
from geoutils.runs import Run
from geoutils.shards import read_shard, restricted
from geoutils.store import Store

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "attempts_table", "cost_table", "dry_run", "iter_responses", "load_responses", "outcome_table", "probe",
    "provider_table", "run_inference", "say_costs", "say_estimate", "say_outcomes", "say_providers", "say_usage", "usage_table",
]
STOP_GRACE_S = 15.0


def run_inference(
    experiment: Experiment, problems: pd.DataFrame | None = None, *, models: Sequence[str] | None = None,
    strategies: Sequence[str] | None = None, retry: Sequence[str] = (), shard: tuple[int, int] | None = None,
    progress: str = "auto", ask: bool = True,
) -> pd.DataFrame:
    """Ask what is still open of the plan, and save every attempt as it arrives.

    Parameters: `problems` is the problems table (default: what 01_dataset left); `models` and
    `strategies` restrict the plan; `retry` names outcomes to ask again beyond timeouts, malformed
    and passing errors, such as ["empty", "truncated"]; `shard=(i, n)` asks the i-th
    of n parts (by the hash of the cell's key) into response files of its own, see `geoutils.shards`;
    `progress` is auto, bar, plain or none; without `ask` nothing is sent, only counted.

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
    if shard is not None:
        experiment = restricted(experiment, shard=read_shard(f"{shard[0]}/{shard[1]}"))
    pairs = [
        (model, strategy) for model, strategy in experiment.pairs()
        if (models is None or model in models) and (strategies is None or strategy in strategies)
    ]
    if not pairs:
        raise UserError("no cell of the plan is left: the chosen models and strategies are not in the experiment")
    if any(model.startswith("baseline/") for model, _ in pairs):
        problems = with_most_common(problems)
    run = Run(experiment, problems, pairs, retry, experiment.shard or (1, 1), progress)
    run.asks = ask
    return carry_out(run)


def carry_out(run: Run) -> pd.DataFrame:
    """Ask what is open in a run, and close it; its summary. Raises as `run_inference` does."""
    started = time.monotonic()
    stopped_by_hand = False
    try:
        run.open()
        run.build()
        stopped_by_hand = run.asks and _in_thread(run)
    finally:
        run.close()
    summary = run.summary()
    _close_progress(run, summary, time.monotonic() - started)
    if run.failures:
        saved = int(summary[[name for name in OUTCOMES if name not in AGAIN]].to_numpy().sum())
        more = f" (and {len(run.failures) - 1} more endpoints)" if len(run.failures) > 1 else ""
        raise RunError(f"{run.failures[0]}; {saved:,} of {int(summary['planned'].sum()):,} answers are saved{more}")
    if stopped_by_hand:
        raise RunError(f"stopped; {shown(run.experiment.data_dir)} keeps what was answered, the same command goes on")
    return summary


def _in_thread(run: Run) -> bool:
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
    while not ended.is_set():
        try:
            if ended.wait(0.1):
                break
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


def _close_progress(run: Run, summary: pd.DataFrame, seconds: float) -> None:
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
    from geoutils.merge import merge_pending

    merge_pending(experiment)
    return estimate(experiment, problems_of(experiment) if problems is None else problems)
