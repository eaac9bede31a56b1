"""Run an experiment: every notebook through papermill, each exported as HTML, then the report's index.

A report is made in a folder beside the earlier one and takes its place only when everything
succeeded. What a run did is appended, last, to data/NAME/runs.jsonl.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from geoutils import stages as stages_module
from geoutils.console import Console
from geoutils.errors import GeoutilsError, RunError, UserError
from geoutils.experiment import Experiment, load_experiment
from geoutils.files import locked, write_text
from geoutils.paths import STAGED, project_root, safe_name, shown, staging_dir
from geoutils.stages import Stage
from geoutils.warm import spare_grammars

ASKING = frozenset({"inference", "judge", "concepts"})  # ask models: no time limit, and one after the other for the budget
COMPARING = ("tabulation", "flips", "regression", "plots")
CELL_TIMEOUT_S = 3600
PROGRESS = "GEOUTILS_PROGRESS"  # names the file in which a notebook says how far it has come


@dataclass
class Run:
    """What a run did; `stages` holds for each notebook its seconds, 0 for one that was up to date."""

    name: str
    started: str
    seconds: float = 0.0
    index: Path | None = None
    stages: dict[str, float] = field(default_factory=dict)
    error: str = ""

    def record(self) -> dict[str, Any]:
        """The run as plain data."""
        return {
            "name": self.name,
            "started": self.started,
            "seconds": round(self.seconds, 1),
            "finished": not self.error,
            "error": self.error,
            "stages": {name: round(seconds, 1) for name, seconds in self.stages.items()},
        }


def run_experiment(
    experiment: Experiment | str | Path,
    *,
    only: Iterable[str] = (),
    jobs: int = 2,
    force: bool = False,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    console: Console | None = None,
) -> Run:
    """Run the notebooks of an experiment and make its report.

    Parameters: `only` names stages (all when empty, or all that imported results allow); `jobs` notebooks that need nothing from each
    other run side by side; `force` executes also what would only repeat itself; `parameters` are
    options of single stages, by stage name; `console` prints progress (default: standard error).
    Raises UserError before anything runs when a notebook or an option is wrong, and RunError (or the
    notebook's own error) when a notebook fails: the earlier report then stays as it was.
    """
    if not isinstance(experiment, Experiment):
        experiment = load_experiment(experiment)
    console = console or Console()
    only = list(only) or experiment.imported.get("stages", [])  # published tables hold what one stage needs
    spare_grammars()
    todo = stages_module.chosen(stages_module.find_stages(), only)
    asked = {name for part in experiment.resolved_parts for name in part.representations or experiment.representations}
    if not only and len(asked) == 1:  # nothing to compare it with
        console.say(f"only {asked.pop()} is asked: {', '.join(COMPARING)} compare representations and are left out")
        todo = [stage for stage in todo if stage.name not in COMPARING]
    given = {stage.name: _parameters(experiment, stage, parameters or {}) for stage in todo}
    for stage in todo:
        stages_module.check_parameters(stage, given[stage.name])
    if any(stage.name == "inference" for stage in todo):
        _check_models(experiment)
    if any(stage.name == "judge" for stage in todo):
        from geoutils.judge import check_judges

        check_judges(experiment)
    if any(stage.name == "concepts" for stage in todo):
        from geoutils.concepts_extraction import check_extractors

        check_extractors(experiment)
    began = time.monotonic()
    run = Run(experiment.name, datetime.now(UTC).isoformat(timespec="seconds"))
    with locked(experiment.data_dir / "run.lock", f"experiment {experiment.name}"):
        try:
            with _staged(experiment) as staging:
                _run_stages(experiment, todo, given, run, staging, jobs=jobs, force=force, console=console)
                run.seconds = time.monotonic() - began
                _finish_report(experiment, run, staging)
                _swap(staging, experiment)
            run.index = experiment.report_dir / "index.html"
        except BaseException as error:
            run.error = str(error) or type(error).__name__
            _end_kernels()
            raise
        finally:
            run.seconds = time.monotonic() - began
            _append_record(experiment, run)
    return run


def _end_kernels() -> None:
    """End what still runs, with its children, when the run was stopped."""
    if "geoutils.kernels" in sys.modules:
        sys.modules["geoutils.kernels"].end_all()


def _check_models(experiment: Experiment) -> None:
    """UserError for a model without an endpoint, and for a missing key of a model that was never asked."""
    from geoutils.endpoints import resolve

    for model, strategy in experiment.pairs():
        if model not in experiment.imported.get("models", []):
            endpoint = resolve(model, experiment)
            if not (experiment.data_dir / "responses" / f"{safe_name(model)}__{strategy}.sqlite").is_file():
                endpoint.key()


def _parameters(experiment: Experiment, stage: Stage, options: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    path = experiment.path
    if path is None:
        raise UserError(f"experiment {experiment.name} has no file; save it as YAML to run it")
    return {"experiment": shown(path), **options.get(stage.name, {})}


@contextlib.contextmanager
def _staged(experiment: Experiment) -> Iterator[Path]:
    """A copy of the earlier report to work on, to which the notebooks write; removed in the end."""
    staging = staging_dir(experiment.name)
    before = os.environ.get(STAGED)
    try:
        shutil.rmtree(staging, ignore_errors=True)
        if experiment.report_dir.is_dir():
            top = str(experiment.report_dir)
            shutil.copytree(top, staging, ignore=lambda folder, _: ["scores"] if folder == top else [])  # copied anew in the end
        staging.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{shown(staging)}: cannot be made: {error.strerror or error}") from None
    os.environ[STAGED] = experiment.name
    try:
        yield staging
    finally:
        if before is None:
            os.environ.pop(STAGED, None)
        else:
            os.environ[STAGED] = before
        shutil.rmtree(staging, ignore_errors=True)


def _swap(staging: Path, experiment: Experiment) -> None:
    """Put the new report in the place of the earlier one."""
    final = staging.parent / experiment.name
    old = staging.parent / f".{experiment.name}.old"
    try:
        shutil.rmtree(old, ignore_errors=True)
        if final.exists():
            os.replace(final, old)
        os.replace(staging, final)
    except OSError as error:
        if old.exists() and not final.exists():
            os.replace(old, final)
        raise RunError(f"{final}: cannot be replaced ({error.strerror or error}); close what shows it") from None
    shutil.rmtree(old, ignore_errors=True)


def _run_stages(
    experiment: Experiment,
    todo: list[Stage],
    given: Mapping[str, Mapping[str, Any]],
    run: Run,
    staging: Path,
    *,
    jobs: int,
    force: bool,
    console: Console,
) -> None:
    """Run what is ready, at most `jobs` side by side, until all is done or one has failed."""
    memory = staging / "executed" / "fingerprints.json"
    known = _up_to_date(staging, memory)
    if force:  # what is not chosen stays up to date
        known = {name: value for name, value in known.items() if name not in {stage.name for stage in todo}}
    code = stages_module.code_hash()
    waiting = list(todo)
    running: set[str] = set()
    done: set[str] = set()
    finished: queue.Queue[tuple[Stage, float, BaseException | None, bool]] = queue.Queue()
    selected = {stage.name for stage in todo}
    failure: BaseException | None = None
    exporting: set[str] = set()

    progress = staging / "executed" / ".progress"
    os.environ[PROGRESS] = str(progress)

    def work(stage: Stage, start: float) -> None:
        error: BaseException | None = None
        try:
            final = _execute(experiment, stage, given[stage.name], staging, console)
            finished.put((stage, time.monotonic() - start, None, False))  # what waits for it can start
            _export(final, stage, staging)
        except BaseException as caught:
            error = caught
        finished.put((stage, time.monotonic() - start, error, True))

    with contextlib.ExitStack() as warm:
        while (waiting and failure is None) or running or exporting:
            for stage in [item for item in waiting if selected.intersection(item.needs) <= done]:
                if len(running) >= max(1, jobs) or failure is not None:
                    break
                if stage.name in ASKING and running & ASKING:
                    continue
                waiting.remove(stage)
                print_of = stages_module.fingerprint(stage, experiment, given[stage.name], code)
                if print_of and known.get(stage.name) == print_of and (staging / f"{stage.stem}.html").is_file():
                    console.say(f"{stage.stem}: up to date")
                    run.stages[stage.name] = 0.0
                    done.add(stage.name)
                    continue
                known[stage.name] = print_of
                running.add(stage.name)
                console.say(f"{stage.stem} …")
                threading.Thread(target=work, args=(stage, time.monotonic()), daemon=True).start()
                if len(waiting) > 1:
                    _warm_up(warm, [stage, *waiting])
            if not running and not exporting:
                continue
            try:
                stage, seconds, error, exported = finished.get(timeout=0.5)
            except queue.Empty:
                with contextlib.suppress(OSError):
                    console.tick(progress.read_text(encoding="utf-8"))
                continue
            if exported:
                exporting.discard(stage.name)
            else:
                exporting.add(stage.name)
                done.add(stage.name)
                console.say(f"{stage.stem}: {seconds:.1f} s")
            progress.unlink(missing_ok=True)
            running.discard(stage.name)
            run.stages[stage.name] = seconds
            failure = failure or error
    os.environ.pop(PROGRESS, None)
    if failure is not None:
        raise failure
    write_text(memory, json.dumps({"stages": known, "files": _made(staging)}, indent=1, sort_keys=True) + "\n")


def _warm_up(warm: contextlib.ExitStack, stages: Iterable[Stage]) -> None:
    """Start importing what the notebooks of some stages need, for kernels that start warm; once a run."""
    from geoutils.kernels import TrackedKernelManager
    from geoutils.warm import Nursery, imported_by

    def close() -> None:
        if TrackedKernelManager.nursery is not None:
            TrackedKernelManager.nursery.close()
            TrackedKernelManager.nursery = None

    if TrackedKernelManager.nursery is None:
        TrackedKernelManager.nursery = Nursery(imported_by(stage.notebook for stage in stages), cwd=project_root())
        warm.callback(close)


def _made(staging: Path) -> list[str]:
    """The tables and figures of a report."""
    paths = (path for folder in ("tables", "figures") for path in (staging / folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(staging).as_posix() for path in paths)


def _up_to_date(staging: Path, memory: Path) -> dict[str, str]:
    """The fingerprints of the last run, none if a file that it made is gone."""
    try:
        last = json.loads(memory.read_text(encoding="utf-8"))
        return dict(last["stages"]) if set(last["files"]) <= set(_made(staging)) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _execute(experiment: Experiment, stage: Stage, given: Mapping[str, Any], staging: Path, console: Console) -> Path:
    """Execute one notebook under a temporary name, then keep it: its path."""
    folder = staging / "executed"
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{stage.stem}.tmp.ipynb"
    final = folder / f"{stage.stem}.ipynb"
    try:
        _papermill(stage, given, temporary)
    except GeoutilsError:
        raise
    except Exception as error:
        raise _explained(experiment, stage, error, temporary, console) from None
    if held := _key_in(experiment, temporary):
        temporary.unlink()
        raise RunError(f"{stage.stem}: its output held the value of {held}; nothing of it was kept")
    os.replace(temporary, final)
    return final


def _export(final: Path, stage: Stage, staging: Path) -> None:
    """The executed notebook as a page of the report."""
    from geoutils.report import export_notebook

    export_notebook(final, staging / f"{stage.stem}.html", stage=stage)


def _papermill(stage: Stage, given: Mapping[str, Any], output: Path) -> None:
    from papermill import execute_notebook

    from geoutils.kernels import TrackedKernelManager

    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")  # this environment's kernel, not the user's
    for attempt in (1, 2):
        try:
            execute_notebook(
                str(stage.notebook),
                str(output),
                parameters=dict(given),
                kernel_name="python3",
                kernel_manager_class=TrackedKernelManager,
                progress_bar=False,
                shutdown_kernel="immediate",
                start_timeout=120,
                cwd=str(project_root()),
                execution_timeout=None if stage.name in ASKING else CELL_TIMEOUT_S,
                extra_arguments=["--IPKernelApp.log_level=ERROR", "--HistoryManager.enabled=False"],
            )
            return
        except Exception as error:
            if attempt == 2 or "address already in use" not in str(error).lower():
                raise


def _explained(
    experiment: Experiment, stage: Stage, error: Exception, temporary: Path, console: Console
) -> GeoutilsError:
    """The error as one line; what is ours is passed on, anything else prints its traceback first."""
    from papermill.exceptions import PapermillExecutionError

    kept = experiment.data_dir / "failed" / f"{stage.stem}.ipynb"
    if temporary.is_file() and (held := _key_in(experiment, temporary)):
        temporary.unlink()
        return RunError(f"{stage.stem} failed, and its output held the value of {held}; nothing of it was kept")
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        os.replace(temporary, kept)
    if isinstance(error, PapermillExecutionError):
        kind = {"UserError": UserError, "RunError": RunError}.get(error.ename)
        message = error.evalue
        if kind is not None:
            return kind(f"{stage.stem}: {message}")
        console.say(str(error))
        return RunError(
            f"{stage.stem} failed in cell {error.cell_index}: {error.ename}: {message:.300}; see {shown(kept)}"
        )
    name = type(error).__name__
    hint = " (was it killed, or out of memory?)" if name == "DeadKernelError" else ""
    return RunError(f"{stage.stem} failed: {name}: {str(error)[:300]}{hint}")


def _key_in(experiment: Experiment, notebook: Path) -> str:
    """The name of a key of the experiment whose value an executed notebook holds, "" if none."""
    names = {"OPENROUTER_API_KEY", *(endpoint.api_key_env or "" for endpoint in experiment.endpoints.values())}
    content = notebook.read_text(encoding="utf-8")
    for name in sorted(names - {""}):
        value = os.environ.get(name, "")
        if len(value) >= 8 and value in content:
            return name
    return ""


def _finish_report(experiment: Experiment, run: Run, staging: Path) -> None:
    """Write results.json, the experiment's file and the index page."""
    from geoutils.dictionary import write_page
    from geoutils.report import write_index
    from geoutils.results import collect_results

    results = collect_results(experiment, started=run.started, seconds=run.seconds)
    write_text(staging / "results.json", json.dumps(results, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    if experiment.path is not None:
        shutil.copyfile(experiment.path, staging / "experiment.yaml")
    shutil.rmtree(staging / "scores", ignore_errors=True)
    (staging / "scores").mkdir()
    for path in sorted((experiment.data_dir / "scores").glob("exp1_*.csv")):  # so that a copied report can be compared
        shutil.copyfile(path, staging / "scores" / path.name)
    write_page(staging, experiment.name)
    write_index(experiment, results, stages_module.find_stages(), staging)


def _append_record(experiment: Experiment, run: Run) -> None:
    path = experiment.data_dir / "runs.jsonl"
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run.record(), ensure_ascii=False) + "\n")
