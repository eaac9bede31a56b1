"""An experiment as a graph of files that Snakemake makes, on one machine or as jobs of a cluster.

The graph lives in `data/NAME/cluster/`. Its files are executed notebooks and small records: one for each
stage, model, strategy and shard, then pages and tables of the whole experiment, then the report. A file is
made again only when something it depends on has changed, or where cells are still open. Snakemake is asked
to run it and is imported by nothing here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, load_experiment
from geoutils.files import locked, write_text
from geoutils.paths import safe_name, shown
from geoutils.stages import Stage, code_hash, find_stages

TEMPLATES = Path(__file__).parent / "templates" / "cluster"
INSTALL = 'pip install "geoutils[cluster]"'


@dataclasses.dataclass(frozen=True)
class Graph:
    """The files of an experiment's graph, and what each is made from. Paths are relative to `folder` or absolute."""

    experiment: Experiment
    shards: int = 4
    only: tuple[str, ...] = ()

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Graph:
        """The graph that the configuration of a Snakemake call names: experiment, shards, only."""
        if "experiment" not in config:
            raise UserError("name the experiment: snakemake --config experiment=FILE shards=4")
        only = str(config.get("only") or "")
        shards = str(config.get("shards", 4))
        if not shards.isdigit() or not 1 <= int(shards) <= 100_000:
            raise UserError(f"shards: {shards!r:.40} is not a whole number from 1 up")
        return cls(load_experiment(str(config["experiment"])), int(shards), tuple(name for name in only.split(",") if name))

    @property
    def folder(self) -> Path:
        """Where the graph's files are."""
        return self.experiment.data_dir / "cluster"

    @cached_property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """The models and strategies by the name that their files have."""
        return {f"{safe_name(model)}__{strategy}": (model, strategy) for model, strategy in self.experiment.pairs()}

    @cached_property
    def stages(self) -> dict[str, Stage]:
        """The notebooks by their noun, the overview last."""
        return {stage.name: stage for stage in find_stages()}

    @property
    def job(self) -> str:
        """The command that carries out one job, ready for a shell."""
        import shlex

        return f"{shlex.quote(sys.executable)} -m geoutils.cluster_jobs {shlex.quote(str(self.experiment.path))}"

    # --- the files -----------------------------------------------------------------------------

    def targets(self) -> list[str]:
        """What is to be made: the report, or the files of the stages in `only`."""
        for name in self.only:
            if name not in self.stages:
                raise UserError(f"unknown stage {name!r:.40}; known are {', '.join(self.stages)}")
        if not self.only:
            return ["report.json"]
        made = []
        for name in self.only:
            of_pairs = {"inference": "merged/{}.json", "parsing": "parsed/{}.ipynb", "scoring": "scored/{}.ipynb"}
            if name == "dataset":
                made.append("01_dataset.ipynb")
            elif name in of_pairs:
                made += [of_pairs[name].format(pair) for pair in self.pairs]
            else:
                made.append(f"report/{self.stages[name].stem}.html")
        return made

    def asked(self, pair: str) -> list[str]:
        """The records of all shards of a model and strategy."""
        return [f"asked/{pair}.shard-{place}-of-{self.shards}.json" for place in range(1, self.shards + 1)]

    def pages(self) -> list[str]:
        """The pages of all notebooks."""
        return [f"report/{stage.stem}.html" for stage in self.stages.values()]

    def page_needs(self, stem: str) -> list[str]:
        """What the page of a notebook is made from."""
        stage = next(stage for stage in self.stages.values() if stage.stem == stem)
        needs = [str(stage.notebook), "settings/experiment.json", "settings/code.json", "01_dataset.ipynb"]
        if stage.name != "dataset":
            needs += [f"merged/{pair}.json" for pair in self.pairs]
        if stage.name not in ("dataset", "inference"):
            needs += [f"parsed/{pair}.ipynb" for pair in self.pairs]
        if stage.name not in ("dataset", "inference", "parsing"):
            needs += [f"scored/{pair}.ipynb" for pair in self.pairs]
        return needs + [f"report/{self.stages[name].stem}.html" for name in stage.needs if name in self.stages]

    def notebook(self, name: str) -> str:
        """The notebook of a stage."""
        return str(self.stages[name].notebook)

    def sources(self) -> list[str]:
        """The files of the problems."""
        source = self.experiment.source
        return [str(path) for path in sorted(source.rglob("*.yaml"))] if source.is_dir() else [str(source)]

    def overrides(self) -> list[str]:
        """The file of human overrides, where there is one."""
        from geoutils.overrides import overrides_path

        path = overrides_path()
        return [str(path)] if path.is_file() else []

    def threads(self, pair: str) -> int:
        """Processors for asking a model: two for the embedded one, which computes here."""
        return 2 if self.pairs[pair][0].startswith("local/") else 1

    # --- before a run --------------------------------------------------------------------------

    def prepare(self) -> None:
        """Write what the files depend on, and remove the records of shards with open cells.

        A setting is written only where it has changed, so that nothing else is made again.
        """
        from geoutils.kept import pair_settings
        from geoutils.merge import merge_pending
        from geoutils.shards import spent_before

        if self.experiment.imported:
            raise UserError(f"{self.experiment.name} holds imported results; geoutils run analyses them, there is nothing to ask")
        merge_pending(self.experiment)
        code = code_hash()
        self._set("experiment", self.experiment.as_dict())
        self._set("problems", self._of_problems())
        self._set("grading", dataclasses.asdict(self.experiment.grading))
        self._set("code", code)
        for pair in self.pairs:
            self._set(pair, pair_settings(self.experiment, *self.pairs[pair]))
        write_text(self.folder / "spent.json", json.dumps({"usd": spent_before(self.experiment)}) + "\n")
        for path in sorted((self.folder / "asked").glob("*.json")):
            if _open_cells(path):
                path.unlink()
        if not (self.experiment.report_dir / "index.html").is_file():
            (self.folder / "report.json").unlink(missing_ok=True)

    def _set(self, name: str, value: Any) -> None:
        path = self.folder / "settings" / f"{name}.json"
        text = json.dumps(value, indent=1, sort_keys=True) + "\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_text(path, text)

    def _of_problems(self) -> dict[str, Any]:
        plain = self.experiment.as_dict()
        parts = [[part.limit_per_category, part.variants] for part in self.experiment.resolved_parts]
        return {"problems": plain["problems"], "representations": plain["representations"], "parts": parts}


def _open_cells(path: Path) -> int:
    """How many cells a shard left open, by its record."""
    try:
        return int(json.loads(path.read_text(encoding="utf-8"))["open"])
    except (OSError, ValueError, KeyError, TypeError):
        return 1


def run_graph(
    experiment: Experiment, *, shards: int = 4, jobs: int = 2, profile: str = "", only: Sequence[str] = (), dry_run: bool = False,
    more: Sequence[str] = (),
) -> int:
    """Have Snakemake make the graph of an experiment; returns its exit code.

    Parameters: `shards` parts of each model and strategy; `jobs` side by side on this machine; `profile` is
    `slurm` or a folder with a Snakemake profile; `only` names stages; `more` are options for Snakemake.
    Raises UserError where Snakemake is not installed or the profile is unknown, RunError where another run of the
    experiment is under way.
    """
    command = snakemake_command(experiment, shards=shards, jobs=jobs, profile=profile, only=only, dry_run=dry_run, more=more)
    graph = Graph(experiment, shards, tuple(only))
    graph.targets()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [_package_root(), os.environ.get("PYTHONPATH", "")]))}
    with locked(experiment.data_dir / "run.lock", f"experiment {experiment.name}"):
        graph.prepare()
        with subprocess.Popen(command, env=environment) as process:
            try:
                return process.wait()
            except KeyboardInterrupt:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=60)  # it was interrupted as well, and ends its jobs
                process.kill()
                raise


def _package_root() -> str:
    return str(Path(__file__).resolve().parents[1])


def snakemake_command(
    experiment: Experiment, *, shards: int = 4, jobs: int = 2, profile: str = "", only: Sequence[str] = (), dry_run: bool = False,
    more: Sequence[str] = (),
) -> list[str]:
    """The call of Snakemake that makes the graph; see `run_graph`."""
    if importlib.util.find_spec("snakemake") is None:
        raise UserError(f"geoutils cluster needs Snakemake, which is not installed; run: {INSTALL}")
    if experiment.path is None:
        raise UserError(f"experiment {experiment.name} has no file; save it as YAML to run it")
    graph = Graph(experiment, shards, tuple(only))
    config = [f"experiment={experiment.path}", f"shards={shards}", *([f"only={','.join(only)}"] if only else [])]
    command = [
        sys.executable, "-m", "snakemake", "--snakefile", str(TEMPLATES / "Snakefile"), "--directory", str(graph.folder),
        "--rerun-incomplete", "--nolock", "--show-failed-logs", "--quiet", "host", "reason",
    ]  # fmt: skip
    if profile:
        command += _profile(profile)
    else:
        command += ["--cores", str(jobs)]
    return [*command, *(["--dry-run"] if dry_run else []), *more, "--config", *config]


def _profile(profile: str) -> list[str]:
    """The options for a profile; for SLURM without accounting also those that work there."""
    folder = TEMPLATES / profile if (TEMPLATES / profile / "config.yaml").is_file() and "/" not in profile else Path(profile).resolve()
    if not any(folder.glob("config*.yaml")):
        raise UserError(f"profile {profile!r:.80} is neither `slurm` nor a folder with the config.yaml of a Snakemake profile")
    options = ["--profile", str(folder)]
    if "slurm" not in "".join(path.read_text(encoding="utf-8") for path in folder.glob("config*.yaml")):
        return options
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        raise UserError(f"profile {profile} needs Snakemake's SLURM executor, which is not installed; run: {INSTALL}")
    if shutil.which("sbatch") is None:
        raise UserError(f"profile {profile} needs sbatch, which is not on this machine; run it on a node that submits jobs")
    return [*options, *([] if _has_accounting() else ["--slurm-status-command", "squeue", "--slurm-no-account"])]


def _has_accounting() -> bool:
    """Whether SLURM keeps accounts, which `sacct` reads; without them only `squeue` knows of a job."""
    try:
        shown_config = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        words = str(getattr(error, "stderr", None) or error).strip().splitlines() or ["no reason given"]
        raise RunError(f"scontrol cannot reach SLURM's controller ({words[-1]:.200}); is the cluster up?") from None
    line = next((line for line in shown_config.splitlines() if line.startswith("AccountingStorageType")), "")
    return not line.endswith("/none") and line != ""


def copy_templates(folder: Path) -> list[Path]:
    """Copy the Snakefile, the profile for SLURM and the array script into a folder, to be changed; existing files stay."""
    made = []
    for path in sorted(path for path in TEMPLATES.rglob("*") if path.is_file()):
        target = folder / path.relative_to(TEMPLATES)
        if target.exists():
            raise UserError(f"{target}: exists already; move it away or name another folder")
        made.append(write_text(target, path.read_text(encoding="utf-8")))
    return made


def describe(experiment: Experiment, code: int) -> str:
    """What is to be told when a graph has ended."""
    if code:
        return f"not everything was made; the same command goes on from there (logs in {shown(experiment.data_dir / 'cluster' / 'logs')})"
    index = experiment.report_dir / "index.html"
    return shown(index) if index.is_file() else shown(experiment.data_dir)
