"""What a stage knows of a file that it wrote, kept beside it, so that the same work is not done twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from geoutils.experiment import Experiment
from geoutils.files import write_text


def pair_settings(experiment: Experiment, model: str, strategy: str) -> dict[str, Any]:
    """All that the requests of a model and strategy depend on, beside the problems; whatever else the experiment asks."""
    from geoutils.endpoints import Endpoint
    from geoutils.prompts import load_prompt
    from geoutils.responses import endpoint_of

    plain = experiment.as_dict()
    endpoint: Endpoint = endpoint_of(model, experiment)
    parts = [
        [part.limit_per_category, part.variants, part.repeats, list(part.representations or ())]
        for part in experiment.resolved_parts
        if model in (part.models or ()) and strategy in (part.strategies or ())
    ]
    prompt = load_prompt(strategy) if endpoint.is_remote or endpoint.kind == "embedded" else ""
    return {
        "model": model, "strategy": strategy, "url": endpoint.url, "parameters": experiment.sampling_for(model, strategy),
        "seed": plain["sampling"]["seed"], "parts": parts, "representations": plain["representations"],
        "prompt": hashlib.sha256(prompt.encode()).hexdigest(),
    }  # fmt: skip


def mark_of(experiment: Experiment, model: str, strategy: str, files: Iterable[Path], **more: Any) -> str:
    """A hash of the settings of a model and strategy, of files and of the code; "" where a file is not there."""
    from geoutils.stages import code_hash, hash_files

    paths = list(files)
    if not all(path.is_file() for path in paths):
        return ""
    settings = json.dumps([pair_settings(experiment, model, strategy), more], sort_keys=True)
    return hashlib.sha256("\n".join([settings, hash_files(paths), code_hash()]).encode()).hexdigest()


def read_kept(path: Path, mark: str) -> dict[str, Any] | None:
    """What is kept of a file, None where it is not there or was made from something else."""
    note = path.with_name(f"{path.name}.json")
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads(note.read_text(encoding="utf-8"))
        if mark and found["mark"] == mark and path.is_file() and found["bytes"] == path.stat().st_size:
            return dict(found["record"])
    return None


def write_kept(path: Path, mark: str, record: dict[str, Any]) -> None:
    """Keep what is known of a file that was just written."""
    if mark:
        text = json.dumps({"mark": mark, "bytes": path.stat().st_size, "record": record}, ensure_ascii=False)
        write_text(path.with_name(f"{path.name}.json"), text + "\n")
