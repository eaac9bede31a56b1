"""Existing results come in: raw responses, parsed answers and scored CSVs in the layout of earlier benchmarks.

Every import fills `data/NAME/` so that an experiment of that name goes on from there. The plan of imported results is
models x the union of their problems x representations: a missing row is a counted outcome (`not_run`). Blanks in
`correct` are filled by our grader; `MED` counts as not correct and is listed. A problem counts as known to us only if our
dataset has its id with an equal gold; else the stages that need statements are skipped and say so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import REPRESENTATIONS, shown
from geoutils.landing import STRATEGY, ImportSummary, check_gold, model_id, read_text, save_import
from geoutils.scoring import NOT_CORRECT_WORDS, read_correct

if TYPE_CHECKING:
    import pandas as pd

SEED_COLUMNS = ("problem", "category", "representation", "predicted", "gold", "correct")


def import_scores(directory: str | Path, *, name: str, strategy: str = "direct") -> ImportSummary:
    """Scored CSVs `exp1_<model>.csv` (also `exp1_<model>__<strategy>.csv`) of a folder into `data/NAME/`.

    Columns: problem, representation, predicted, gold, correct; category, model, strategy, variant and repeat if there.
    `correct` may be 1, 1.0, True, yes (any case) and their opposites, MED, or blank. Files ending in `_skipped.csv` are
    left out and named. Raises UserError with file, row and value for anything else.
    """
    import pandas as pd

    folder = _folder(directory)
    files = sorted(path for path in folder.glob("*.csv") if not path.name.startswith("."))
    skipped = [path.name for path in files if path.stem.endswith("_skipped") or path.stem == "skipped"]
    files = [path for path in files if path.name not in skipped]
    if not files:
        raise UserError(f"{shown(folder)}: no CSV such as exp1_<model>.csv here")
    summary = ImportSummary(name, skipped_files=skipped)
    pieces = [_scored(path, strategy, summary) for path in files]
    return save_import(pd.concat(pieces, ignore_index=True), name, summary, marked=True)


def _scored(path: Path, strategy: str, summary: ImportSummary) -> pd.DataFrame:
    table = _csv(path)
    absent = [c for c in ("problem", "representation", "predicted", "gold", "correct") if c not in table]
    if absent:
        raise UserError(f"{shown(path)}: column {absent[0]} is missing; a scores file has {', '.join(SEED_COLUMNS)}")
    stem = path.stem.removeprefix("exp1_")
    named, _, suffix = stem.rpartition("__")
    own_strategy = suffix if named and STRATEGY.fullmatch(suffix) else strategy
    if "model" not in table:
        table["model"] = _unsafe(named if named and own_strategy == suffix else stem)
    if "strategy" not in table:
        table["strategy"] = own_strategy
    table["imported_correct"] = table["correct"].str.strip()
    for number, row in enumerate(table.itertuples(index=False), start=2):
        where = f"{shown(path)}: row {number}"
        try:
            read_correct(row.imported_correct)
        except ValueError as error:
            raise UserError(f"{where}: correct is {error}") from None
        if row.imported_correct.lower() in NOT_CORRECT_WORDS:
            summary.med.append(f"{path.name} row {number} ({row.problem} {row.representation})")
        summary.blank += not row.imported_correct
        _check_key(row, where)
        check_gold(row.gold, where)
    return table


def _unsafe(stem: str) -> str:
    """The model that a file of ours was named after, as far as a name tells."""
    return stem.partition("~")[0].replace("--", "/")


def import_parsed(
    path: str | Path, *, name: str, model: str | None = None, strategy: str = "direct", problems: str | Path | None = None
) -> ImportSummary:
    """Parsed answers as JSON into `data/NAME/`: one file of records, or a folder of `<problem>_<representation>.json`.

    A record holds the answer under predicted, numeric_answer, final_answer, answer or value (0 is an answer). A folder of
    folders is one model each, unless `model` is given. `problems` is a folder of problem files in the seed's layout
    (`<id>_answer.txt` and the statements); without it the golds must be in the records or the problems ours.
    """
    import pandas as pd

    source = Path(path)
    if not source.exists():
        raise UserError(f"{path}: no such file or folder")
    summary = ImportSummary(name)
    rows: list[dict[str, Any]] = []
    if source.is_file():
        rows += _records(source, model or source.stem.removeprefix("parsed_"), strategy)
    else:
        inner = sorted(p for p in source.iterdir() if p.is_dir() and not p.name.startswith("."))
        for folder, label in [(source, model or source.name)] + [(p, model or p.name) for p in inner]:
            for file in sorted(folder.glob("*.json")):
                found = _records(file, label, strategy)
                rows += found
    if not rows:
        raise UserError(f"{shown(source)}: no parsed answers here; expected <problem>_<representation>.json or a list of records")
    table = pd.DataFrame(rows).fillna("").astype(str)
    return save_import(table, name, summary, problems=problems)


_ANSWER_NAMES = ("predicted", "numeric_answer", "final_answer", "parsed_answer", "parsed", "answer", "value", "prediction")


def _records(path: Path, model: str, strategy: str) -> list[dict[str, Any]]:
    try:
        content = json.loads(read_text(path), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{shown(path)}: not valid JSON: {error}") from None
    named = _split_stem(path.stem)
    base = {"model": model, "strategy": strategy}
    if named is not None:
        record = content if isinstance(content, dict) else {"predicted": content}
        return [base | {"problem": named[0], "representation": named[1]} | _record(record)]
    if isinstance(content, list):
        rows = [record for record in content if isinstance(record, dict)]
        for number, record in enumerate(rows, start=1):
            if "problem" not in record or "representation" not in record:
                raise UserError(f"{shown(path)}: record {number} has no problem or no representation")
        kept = ("problem", "representation", "category", "gold", "unit", "model", "strategy", "variant", "repeat")
        return [base | {k: str(r[k]) for k in kept if r.get(k) is not None} | _record(r) for r in rows]
    if isinstance(content, dict):
        out = []
        for key, value in content.items():
            parts = _split_stem(key)
            if parts is None:
                raise UserError(f"{shown(path)}: key {key[:40]!r} does not end in _coord, _euclid or _vector")
            record = value if isinstance(value, dict) else {"predicted": value}
            out.append(base | {"problem": parts[0], "representation": parts[1]} | _record(record))
        return out
    raise UserError(f"{shown(path)}: expected records, got {type(content).__name__}")


def _record(record: dict[str, Any]) -> dict[str, str]:
    answer = next((record[k] for k in _ANSWER_NAMES if record.get(k) is not None), "")
    if isinstance(answer, (dict, list)):
        answer = json.dumps(answer)
    return {"predicted": str(answer)} | {k: str(record[k]) for k in ("gold", "category") if record.get(k) is not None}


def import_raw(
    directory: str | Path, *, name: str, model: str, strategy: str = "direct", problems: str | Path | None = None
) -> ImportSummary:
    """Raw responses `<problem>_<representation>.txt` of a folder (and its sub-folders) into the response store.

    They are then parsed and scored like our own. `problems` as in `import_parsed`: without it every problem must be one
    of ours. Importing the same folder again replaces nothing and loses nothing: a changed file is a further attempt.
    """
    import pandas as pd

    folder = _folder(directory)
    rows, texts = [], {}
    label = model_id(model)
    for file in sorted(folder.rglob("*.txt")):
        parts = _split_stem(file.stem)
        if parts is None:
            continue
        key = (*parts, 0, 0)
        if key in texts:
            raise UserError(f"{shown(file)}: a second response for {parts[0]} {parts[1]}; keep one")
        texts[key] = read_text(file)
        rows.append({"model": label, "strategy": strategy, "problem": parts[0], "representation": parts[1], "predicted": ""})
    if not rows:
        raise UserError(f"{shown(folder)}: no files such as length_hard_01_coord.txt here")
    summary = ImportSummary(name)
    return save_import(pd.DataFrame(rows), name, summary, problems=problems, texts=texts)


def _split_stem(stem: str) -> tuple[str, str] | None:
    problem, _, representation = stem.rpartition("_")
    return (problem, representation) if problem and representation in REPRESENTATIONS else None


def _folder(directory: str | Path) -> Path:
    folder = Path(directory)
    if not folder.is_dir():
        raise UserError(f"{directory}: no such folder")
    return folder


def _csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise UserError(f"{shown(path)}: not a readable CSV ({str(error).splitlines()[0]})") from None
    table.columns = [str(c).strip().lower() for c in table.columns]
    return table


def _check_key(row: Any, where: str) -> None:
    if not row.problem.strip():
        raise UserError(f"{where}: problem is blank")
    if row.representation.strip() not in REPRESENTATIONS:
        raise UserError(f"{where}: representation is {row.representation!r}; known are {', '.join(REPRESENTATIONS)}")
