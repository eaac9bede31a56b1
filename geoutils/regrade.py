"""The regression corpus: every stored response read by old and new code, every changed reading listed.

A change to the reader is accepted when this list is empty or each line of it is an improvement. The old code is a
git revision, a folder that holds an older `geoutils`, or a file of readings saved earlier.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import RunError, UserError
from geoutils.experiment import load_experiment, project_root, shown, work_root
from geoutils.files import write_text

if TYPE_CHECKING:
    import pandas as pd

FIELDS = ("reading", "predicted", "rule")
_WORKER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from geoutils.parsing import read_answer
for line in sys.stdin:
    item = json.loads(line)
    found = read_answer(item["content"], strategy=item["strategy"], truncated=item["truncated"])
    print(json.dumps([found.reading, found.predicted, found.rule]), flush=False)
"""


@dataclass
class Regraded:
    """How many responses were read and which readings changed."""

    responses: int
    changed: pd.DataFrame
    old: str

    def text(self) -> str:
        """The result in a few lines, at most 50 changes."""
        lines = [f"{self.responses} stored responses read; {len(self.changed)} changed against {self.old}"]
        for row in self.changed.head(50).itertuples(index=False):
            lines.append(f"{row.where}: {row.before_predicted or row.before_reading} -> {row.after_predicted or row.after_reading} ({row.after_rule})")
        if len(self.changed) > 50:
            lines.append(f"… and {len(self.changed) - 50} more")
        return "\n".join(lines)


def corpus(experiments: Iterable[str | Path] = ()) -> Iterator[dict[str, Any]]:
    """The stored responses of the experiments (of every folder under data/ if none is named), each text once."""
    import sqlite3

    folders = [load_experiment(e).data_dir for e in experiments] or sorted((work_root() / "data").glob("*"))
    seen: set[tuple[str, str]] = set()
    for folder in folders:
        for path in sorted(folder.glob("responses/*.sqlite")):
            strategy = path.stem.rpartition("__")[2].partition(".shard-")[0]
            with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as db:
                try:
                    rows = db.execute("SELECT problem, representation, variant, repeat, outcome, content FROM attempts WHERE content != '' ORDER BY id")
                    for problem, representation, variant, repeat, outcome, content in rows:
                        if (strategy, content) not in seen:
                            seen.add((strategy, content))
                            where = f"{folder.name}/{path.stem} {problem} {representation} {variant} {repeat}"
                            yield {"where": where, "strategy": strategy, "truncated": outcome == "truncated", "content": content}
                except sqlite3.Error as error:
                    raise RunError(f"{shown(path)}: cannot be read: {error}") from None


def read_with(source: Path | None, items: list[dict[str, Any]]) -> list[list[str]]:
    """The readings `[reading, predicted, rule]` of the items, by this code (None) or by the `geoutils` in a folder."""
    if source is None:
        from geoutils.parsing import read_answer

        found = [read_answer(i["content"], strategy=i["strategy"], truncated=i["truncated"]) for i in items]
        return [[f.reading, f.predicted, f.rule] for f in found]
    lines = "".join(json.dumps(item) + "\n" for item in items)
    done = subprocess.run(
        [sys.executable, "-I", "-c", _WORKER, str(source)], input=lines, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RunError(f"the old code in {source} cannot read: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def _checked_out(revision: str, folder: Path) -> Path:
    archive = subprocess.run(
        ["git", "archive", "--format=tar", revision, "geoutils"], cwd=project_root(), capture_output=True, check=False
    )
    if archive.returncode:
        raise UserError(f"{revision}: neither a folder nor a git revision of this project")
    import io
    import tarfile

    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def regrade(
    experiments: Iterable[str | Path] = (), *, old: str | Path | None = None, save: str | Path | None = None, against: str | Path | None = None
) -> Regraded:
    """Read the stored responses with this code and with the old one, and list what changed.

    `old` is a git revision or a folder that holds `geoutils` (default: HEAD, the last commit); `against` a file that an
    earlier call wrote with `save`. Returns the changed readings as a table `where, before_*, after_*, content`.
    """
    import pandas as pd

    items = list(corpus(experiments))
    if not items:
        raise UserError("there are no stored responses to read; run an experiment or import raw responses first")
    now = read_with(None, items)
    if save is not None:
        saved = [{**{k: i[k] for k in ("where", "strategy", "content")}, "read": r} for i, r in zip(items, now, strict=True)]
        write_text(Path(save), "".join(json.dumps(s, ensure_ascii=False) + "\n" for s in saved))
    if against is not None:
        label, before = str(against), _saved(Path(against), items)
    elif old is not None and Path(old).is_dir():
        label, before = str(old), read_with(Path(old).resolve(), items)
    elif save is not None and old is None:
        label, before = "nothing (saved only)", now
    else:
        label = str(old or "HEAD")
        with tempfile.TemporaryDirectory() as folder:
            before = read_with(_checked_out(label, Path(folder)), items)
    rows = [
        {"where": item["where"], **{f"before_{f}": v for f, v in zip(FIELDS, b, strict=True)},
         **{f"after_{f}": v for f, v in zip(FIELDS, a, strict=True)}, "content": item["content"][-400:]}
        for item, b, a in zip(items, before, now, strict=True) if b is not None and list(b)[:2] != list(a)[:2]
    ]  # fmt: skip
    columns = ["where", *(f"before_{f}" for f in FIELDS), *(f"after_{f}" for f in FIELDS), "content"]
    return Regraded(len(items), pd.DataFrame(rows, columns=columns), label)


def _saved(path: Path, items: list[dict[str, Any]]) -> list[Any]:
    if not path.is_file():
        raise UserError(f"{path}: no such file of saved readings")
    try:
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        known = {(r["strategy"], r["content"]): r["read"] for r in records}
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path}: not a file of saved readings") from None
    return [known.get((item["strategy"], item["content"])) for item in items]
