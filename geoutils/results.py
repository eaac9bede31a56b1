"""results.json: the headline numbers of a study as lists of flat records, for machines."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment, project_root
from geoutils.study import open_study, versions

if TYPE_CHECKING:
    import pandas as pd


def dataset_record(problems: pd.DataFrame) -> dict[str, Any]:
    """How many problems and statements there are, and the hash of what they were made from."""
    hashes = sorted(set(problems["dataset_sha256"])) if "dataset_sha256" in problems else []
    return {
        "problems": int(problems["problem"].nunique()),
        "statements": len(problems),
        "sha256": ",".join(hashes),
    }


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, "" if it is not there."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hashes() -> dict[str, str]:
    """The hashes of the lock, the prompts and the embedded model's file."""
    found = {"requirements.lock sha256": file_hash(project_root() / "requirements.lock")}
    if find_spec("geoutils.prompts"):
        from geoutils.prompts import prompt_hashes

        found.update({f"prompt {name} sha256": value for name, value in prompt_hashes().items()})
    if find_spec("geoutils.local_server"):
        from geoutils.local_server import model_file

        found["model file sha256"] = file_hash(model_file())
    return {name: value for name, value in found.items() if value}


def schema() -> dict[str, Any]:
    """The JSON schema of results.json."""
    return json.loads(files("geoutils").joinpath("templates", "results.schema.json").read_text(encoding="utf-8"))


def definitions() -> dict[str, Any]:
    """For each record list what it is of (`about`), and for each of its `columns` the meaning and the formula ("" for a key).

    They stand in the schema, as `description` and `formula`, so that schema and definitions cannot differ.
    """
    return {
        name: {
            "about": field["description"],
            "columns": {
                column: {"meaning": about["description"], "formula": about.get("formula", "")}
                for column, about in field["items"]["properties"].items()
            },
        }
        for name, field in schema()["properties"].items()
        if "items" in field
    }


def _concept_records(experiment: Experiment) -> dict[str, Any]:
    """The records of notebook 11, nothing where it has not run."""
    if not (experiment.data_dir / "concepts" / "scored.csv").is_file():
        return {}
    from geoutils.concepts import saved_scores
    from geoutils.concepts_summaries import concept_records, correlation_records

    scored = saved_scores(experiment)
    return {} if scored is None else {"concepts": concept_records(scored), "concepts_correlation": correlation_records(scored)}


def collect_results(experiment: Experiment, *, started: str, seconds: float) -> dict[str, Any]:
    """The content of results.json, as far as the experiment has got.

    Keys: name, dataset, plan, outcomes, accuracy, invariance, robustness, concepts, concepts_correlation, judge, cost, definitions, versions, started, seconds. Accuracy
    and invariance are of variant 0 and repeat 0; `low` and `high` bound 95 % intervals, `bound_low` and
    `bound_high` take all missing answers as wrong and as right. Robustness is over all variants of repeat 0.
    """
    study = open_study(experiment, stage="overview", quiet=True)
    from geoutils.judge import saved_records
    from geoutils.responses import planned_cells

    problems = study.problems()
    record: dict[str, Any] = {
        "name": experiment.name,
        "dataset": dataset_record(problems),
        "plan": sum(planned_cells(experiment, problems, *pair) for pair in experiment.pairs()),
        "outcomes": [],
        "accuracy": [],
        "invariance": [],
        "robustness": [],
        "concepts": [],
        "concepts_correlation": [],
        "judge": saved_records(experiment),
        "cost": [],
        "definitions": definitions(),
        "versions": {**versions(), **hashes()},
        "started": started,
        "seconds": round(seconds, 1),
    }
    record.update(_concept_records(experiment))
    try:
        headline = study.scores(variant=0, repeat=0)
    except UserError:  # not scored yet: a run of the first stages only
        return record
    from geoutils.inference import cost_table
    from geoutils.records import accuracy_records, invariance_records, outcome_records
    from geoutils.score_files import outcome_counts

    record["outcomes"] = outcome_records(outcome_counts(study))
    record["accuracy"] = accuracy_records(headline)
    record["invariance"] = invariance_records(headline)
    if experiment.max_variants > 1:
        from geoutils.robust_cells import load_cubes
        from geoutils.robustness import robustness_records

        record["robustness"] = robustness_records(load_cubes(study))
    costs = cost_table(experiment)
    record["cost"] = [
        {"model": row["model"], "usd": None if row["usd"] != row["usd"] else float(row["usd"])}
        for row in costs.to_dict("records")
    ]
    return record
