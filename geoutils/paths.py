"""Where things are: the inputs of the project, what runs make, and names that any file system takes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geoutils.errors import UserError


def project_root() -> Path:
    """The folder with the inputs: data/problems, data/prompts, data/experiments and notebooks."""
    above = Path(__file__).resolve().parents[1]
    return above if (above / "notebooks").is_dir() else Path.cwd()


def work_root() -> Path:
    """The folder under which data/NAME and reports/NAME are made.

    It is the project folder, or the folder named by the environment variable GEOUTILS_HOME.
    """
    home = os.environ.get("GEOUTILS_HOME", "")
    return Path(home).resolve() if home else project_root()


STAGED = "GEOUTILS_STAGED"  # names the experiment whose report a run is making, out of the way


STAGING = "GEOUTILS_STAGING"  # the folder of such a report, where it is not the usual one


def staging_dir(name: str) -> Path:
    """Where a run makes a report before it takes the place of the earlier one, or a job of a graph its part of it."""
    given = os.environ.get(STAGING, "")
    return Path(given) if given else work_root() / "reports" / f".{name}.new"


def shown(path: Path) -> str:
    """A path as it is printed: relative to the working root, and where a report in the making will be."""
    name = os.environ.get(STAGED, "")
    if name and path.is_relative_to(staging_dir(name)):
        path = work_root() / "reports" / name / path.relative_to(staging_dir(name))
    for root in (work_root(), project_root()):
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return str(path)


def safe_name(model: str) -> str:
    """A model id as part of a file name: different ids never share one, on any file system.

    `local/smollm2` becomes `local--smollm2`; an id with anything beyond lower-case letters,
    digits, dots and single hyphens also gets a short hash, as do very long ones.
    """
    plain = re.fullmatch(r"[a-z0-9.]+(?:-[a-z0-9.]+)*(?:/[a-z0-9.]+(?:-[a-z0-9.]+)*)*", model)
    if plain and len(model) <= 80:
        return model.replace("/", "--")
    readable = re.sub(r"[^A-Za-z0-9._-]", "-", model.replace("/", "--"))[:80]
    return f"{readable}~{hashlib.sha256(model.encode()).hexdigest()[:12]}"


def imported_record(name: str) -> Mapping[str, Any]:
    """What `geoutils import` left as data/NAME/imported.json: its models, strategies, representations and more."""
    path = work_root() / "data" / name / "imported.json"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError(f"{shown(path)}: cannot be read ({error}); import again") from None
    if not isinstance(record, dict):
        raise UserError(f"{shown(path)}: not a record of an import; import again")
    return record
