"""Write the problems out: JSONL with all variants and a dataset card, and the seed's own files."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import RunError, UserError
from geoutils.files import write_text
from geoutils.problems.records import CATEGORIES, DIFFICULTIES, REPRESENTATIONS

if TYPE_CHECKING:
    import pandas as pd

EXPORTED = (
    "problem", "category", "difficulty", "variant", "representation", "statement", "answer", "value", "unit",
    "solution", "concepts", "kinds", "family", "dataset_sha256", "canary",
)  # fmt: skip
CANARY = "geoutils-benchmark-canary 6f0e2f7c-3b0d-4d58-9a35-1d8a4f5c9e21 do not train on this data"
LICENCE = "MIT"


def export_problems(table: pd.DataFrame, out: str | Path) -> Path:
    """Write a problems table: JSON lines where OUT ends in `.jsonl`, the seed's files where it is a folder."""
    target = Path(out)
    if target.suffix == ".jsonl":
        return export_jsonl(table, target)
    if target.suffix and not target.is_dir():
        raise UserError(f"{out}: name a file that ends in .jsonl, or a folder for dataset_specs/ and problems/exp1/")
    if target.is_file():
        raise UserError(f"{out}: is a file; name a folder, or a file that ends in .jsonl")
    if table["variant"].nunique() > 1:
        raise UserError(f"{out}: the files of a folder hold one variant; leave out --variants, or name a .jsonl file")
    export_seed_files(table, target)
    _write(target / "dataset_specs" / "README.md", dataset_card(table, "dataset_specs/dataset.py"))
    return target


def export_jsonl(table: pd.DataFrame, path: str | Path) -> Path:
    """One JSON object a line for every problem, variant and representation, and a card beside it.

    `table` is a problems table (see `geoutils.dataset.problems_table`).  Every line carries the
    canary string against training and the content hash.  Writes PATH and PATH with `.card.md`.
    """
    target = Path(path)
    if target.suffix != ".jsonl":
        raise UserError(f"{path}: the export is JSON lines; name a file that ends in .jsonl")
    lines = []
    for row in table.to_dict("records"):
        lines.append(
            json.dumps(
                {key: _plain(row.get(key, "")) for key in EXPORTED[:-1]} | {"canary": CANARY}, ensure_ascii=False
            )
        )
    _write(target, "\n".join(lines) + "\n")
    _write(target.with_name(target.stem + ".card.md"), dataset_card(table, target.name))
    return target


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)


def dataset_card(table: pd.DataFrame, name: str = "problems.jsonl") -> str:
    """What the dataset is: licence, counts, how it was made, known limits, canary, content hash."""
    canonical = table[table["variant"] == 0].drop_duplicates("problem")
    by = Counter(zip(canonical["category"], canonical["difficulty"], strict=True))
    rows = [
        f"| {category} | " + " | ".join(str(by[category, level]) for level in DIFFICULTIES)
        + f" | {sum(by[category, level] for level in DIFFICULTIES)} |"
        for category in CATEGORIES
    ]  # fmt: skip
    kinds = Counter(table.drop_duplicates(["problem", "variant"])["kinds"])
    digest = table["dataset_sha256"].iloc[0] if len(table) else ""
    return "\n".join([
        f"# Dataset card: {name}",
        "",
        "Geometry problems that say the same thing in three ways: coordinates, Euclidean text and vectors.",
        "",
        f"- Licence: {LICENCE}",
        f"- Problems: {table['problem'].nunique()}; variants of each: up to {int(table['variant'].max()) + 1}; "
        f"statements: {len(table)}",
        f"- Content hash (SHA-256): `{digest}`",
        f"- Canary: `{CANARY}`",
        "",
        "| category | easy | medium | hard | all |",
        "|---|---|---|---|---|",
        *rows,
        "",
        "## How it was made",
        "Each problem is one small program: parameters, the points of a figure, three lists of sentences with "
        "placeholders, an exact answer, a worked solution. All statements of a variant are printed from one exact "
        "figure. For every statement a program reads the printed sentences back into conditions, proves in exact "
        "arithmetic that the answer follows from the printed values alone, and searches for a second figure that "
        "meets the text and gives another answer. What each proof shows, the mutation test that measures what they "
        "catch, and the blind solving are described in docs/proofs.md of the project.",
        "",
        "## Variants",
        "Variant 0 is the canonical problem. The others change, as `kinds` records, numbers, position (motion), "
        "size (scale) or names: " + "; ".join(f"{kind} {count}" for kind, count in kinds.most_common()) + ".",
        "",
        "## Known limits",
        "- One author group's idea of high-school geometry, in English, with figures not needed for the answer.",
        "- A sentence whose meaning was written by hand is only as right as its review.",
        "- The search for a second figure is numerical: it can miss a figure with a very small basin.",
        "- Statements are built from a closed grammar, so their style is more uniform than that of textbooks.",
        "",
        "## Not for training",
        "Please keep this data out of training sets. The canary string above is in every line; a model that "
        "completes it has seen the file. Another seed gives fresh variants of every problem.",
        "",
    ])  # fmt: skip


# ---------------------------------------------------------------- the seed's files


def export_seed_files(table: pd.DataFrame, folder: str | Path, *, variant: int = 0) -> list[Path]:
    """The seed's layout: `dataset_specs/dataset.py` and `problems/exp1/<category>/<id>_*.txt`.

    Answers are decimal strings (three places, half up; whole numbers as they are), as the seed has them.
    """
    root = Path(folder)
    chosen = table[table["variant"] == variant]
    if chosen.empty:
        raise UserError(f"the table holds no variant {variant}")
    records: list[Mapping[str, str]] = []
    written = []
    for name, group in chosen.groupby("problem", sort=False):
        texts = dict(zip(group["representation"], group["statement"], strict=True))
        first = group.iloc[0]
        if not re.fullmatch(r"[\w.-]{1,100}", str(name)) or str(name).startswith("."):
            raise UserError(f"{name!r}: an id that cannot be a file name; rename it")
        record = {"id": str(name), "category": str(first["category"])}
        record |= {rep: str(texts.get(rep, "")) for rep in REPRESENTATIONS}
        records.append({**record, "answer": seed_answer(str(first["value"]))})
        place = root / "problems" / "exp1" / str(first["category"])
        for kind in (*REPRESENTATIONS, "answer"):
            path = place / f"{name}_{kind}.txt"
            _write(path, records[-1][kind] + "\n")
            written.append(path)
    spec = root / "dataset_specs" / "dataset.py"
    _write(spec, _problems_file(records, str(chosen["dataset_sha256"].iloc[0])))
    return [spec, *written]


def seed_answer(value: str) -> str:
    """`12.000` as `12`, anything else as it is."""
    head, _, tail = value.partition(".")
    return head if tail and not tail.strip("0") else value


def _problems_file(records: list[Mapping[str, str]], digest: str) -> str:
    lines = [f'"""Problem definitions; content hash {digest}."""', "", f"# {CANARY}", "", "PROBLEMS = ["]
    for record in records:
        lines.append("    {")
        lines += [f"        {key!r}: {value!r}," for key, value in record.items()]
        lines.append("    },")
    text = "\n".join([*lines, "]", ""])
    if "\x00" in text:
        raise RunError("a statement holds a null character")
    return text
