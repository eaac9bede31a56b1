"""Where imported results are put: problems table, response files, parsed files, the record of the import."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.answers import compare, read_gold, same_answer
from geoutils.errors import UserError
from geoutils.experiment import project_root, safe_name, shown, work_root
from geoutils.files import write_text

if TYPE_CHECKING:
    import pandas as pd

STRATEGY = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
PROBLEM_COLUMNS = (
    "problem", "category", "difficulty", "family", "variant", "representation", "statement", "answer", "value", "unit",
    "solution", "concepts", "kinds", "dataset_sha256",
)  # fmt: skip
_PROBLEM_ID = re.compile(r"\bid:\s*([\w-]+)")
MAX_BYTES = 4_000_000
CATEGORIES = ("length", "area", "angle", "ratio")


@dataclass
class ImportSummary:
    """What came in: models, cells by outcome, rows that need attention, files written."""

    name: str
    models: list[str] = field(default_factory=list)
    strategies: list[str] = field(default_factory=list)
    problems: int = 0
    cells: int = 0
    rows: int = 0
    missing: int = 0
    blank: int = 0
    med: list[str] = field(default_factory=list)
    skipped_files: list[str] = field(default_factory=list)
    problems_known: bool = False
    experiment: str = ""

    def text(self) -> str:
        """The summary in a few lines."""
        lines = [
            f"imported into data/{self.name}: {len(self.models)} model(s), {', '.join(self.strategies)}; "
            f"{self.problems} problems, {self.cells} planned cells, {self.rows} rows",
        ]
        if self.missing:
            lines.append(f"{self.missing} cell(s) without a row: counted as not_run")
        if self.blank:
            lines.append(f"{self.blank} blank correct: our grader fills them in notebook 04_scoring")
        if self.med:
            lines.append(f"{len(self.med)} MED, counted as not correct: {', '.join(self.med[:5])}{' …' if len(self.med) > 5 else ''}")
        if self.skipped_files:
            lines.append(f"left out: {', '.join(self.skipped_files[:5])}")
        if not self.problems_known:
            lines.append("the statements are not known here: stages that need them (dataset, regression) are skipped")
        lines.append(f"go on with: geoutils run {self.experiment}")
        return "\n".join(lines)


def model_id(name: str) -> str:
    """The model id of an imported name: `imported/` before it unless it has a prefix of its own."""
    plain = re.sub(r"\s+", "-", name.strip())
    if not plain:
        raise UserError("a model name is empty; give --model")
    return plain if re.fullmatch(r"[^\s/]+(?:/[^\s/]+)+", plain) else f"imported/{plain.strip('/')}"


def read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{shown(path)}: larger than {MAX_BYTES:,} bytes; this is no response")
        return path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError as error:
        raise UserError(f"{shown(path)}: cannot be read: {error.strerror or error}") from None


def check_gold(gold: str, where: str) -> None:
    try:
        read_gold(gold)
    except ValueError:
        raise UserError(f"{where}: gold is {gold[:40]!r}, which is no number; correct it") from None


def _problem_table(table: pd.DataFrame, problems: str | Path | None, summary: ImportSummary) -> pd.DataFrame:
    """The problems table of imported results: ours where id and gold agree, else what the files say."""
    import pandas as pd

    own = _own_problems(set(table["problem"]))
    given = _seed_problems(Path(problems)) if problems else {}
    golds: dict[str, str] = {}
    if "gold" in table:
        for row in table[table["gold"] != ""].itertuples(index=False):
            first = golds.setdefault(row.problem, row.gold)
            if first != row.gold and not same_answer(read_gold(first), read_gold(row.gold)):
                raise UserError(f"problem {row.problem}: two golds, {first!r} and {row.gold!r}; correct the files")
    rows, known = [], True
    for problem in dict.fromkeys(table["problem"]):
        seed = given.get(problem, {})
        gold = golds.get(problem) or seed.get("answer", "")
        ours = own.get(problem)
        if ours is not None and not (gold and not _agree(gold, ours["coord"])):
            rows += [dict(ours[r]) for r in ours]
            continue
        if not gold:
            raise UserError(f"problem {problem}: its gold is not known; give the folder of problem files with --problems")
        known = known and bool(seed.get("coord"))
        category = _category(problem, table)
        for representation in ("coord", "euclid", "vector"):
            unit = "degrees" if category == "angle" else ""
            rows.append(
                dict.fromkeys(PROBLEM_COLUMNS, "")
                | {"problem": problem, "category": category, "variant": 0, "representation": representation, "answer": gold,
                   "value": gold, "unit": unit, "statement": seed.get(representation, ""), "difficulty": _difficulty(problem)}
            )  # fmt: skip
    summary.problems_known = known
    return pd.DataFrame(rows)[list(PROBLEM_COLUMNS)].fillna("")


def _agree(gold: str, ours: dict[str, Any]) -> bool:
    try:
        truth = read_gold(str(ours["answer"]), str(ours["unit"]) or None)
        value = read_gold(gold)
    except ValueError:
        return False
    return compare(value, truth) or compare(truth, value, str(ours["unit"]) or None)


def _own_problems(wanted: set[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """Our problems among those wanted, by id and representation."""
    from geoutils.dataset import problems_table

    files = (project_root() / "data" / "problems").glob("*.yaml")
    ids = {match for file in files for match in _PROBLEM_ID.findall(file.read_text(encoding="utf-8"))}
    if not ids & wanted:  # building the table of all our problems takes seconds
        return {}
    try:
        table = problems_table()
    except UserError:
        return {}
    table = table[(table["variant"].astype(int) == 0) & table["problem"].isin(wanted)]
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for record in table.to_dict("records"):
        if record["representation"] in ("coord", "euclid", "vector"):
            found.setdefault(str(record["problem"]), {})[str(record["representation"])] = {str(k): v for k, v in record.items()}
    return found


def _seed_problems(folder: Path) -> dict[str, dict[str, str]]:
    """`<id>_coord.txt`, `_euclid.txt`, `_vector.txt`, `_answer.txt` of a folder and its sub-folders."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder of problem files")
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.rglob("*.txt")):
        problem, _, part = file.stem.rpartition("_")
        if problem and part in ("coord", "euclid", "vector", "answer"):
            found.setdefault(problem, {})[part] = read_text(file).strip()
    for problem, parts in found.items():
        if "answer" in parts:
            check_gold(parts["answer"], f"problem {problem}")
    if not found:
        raise UserError(f"{shown(folder)}: no problem files such as length_hard_01_answer.txt here")
    return found


def _category(problem: str, table: pd.DataFrame) -> str:
    if "category" in table:
        named = table.loc[(table["problem"] == problem) & (table["category"] != ""), "category"]
        if len(named):
            return str(named.iloc[0])
    word = problem.partition("_")[0]
    return word if word in CATEGORIES else "other"


def _difficulty(problem: str) -> str:
    parts = problem.split("_")
    return parts[1] if len(parts) > 1 and parts[1] in ("easy", "medium", "hard") else ""


def save_import(
    table: pd.DataFrame, name: str, summary: ImportSummary, *, problems: str | Path | None = None,
    texts: dict[tuple[str, str, int, int], str] | None = None, marked: bool = False,
) -> ImportSummary:
    from geoutils.experiment import experiment_from_dict
    from geoutils.study import write_table

    table = table.copy()
    for column in ("problem", "representation", "model", "strategy"):
        table[column] = table[column].str.strip()
    table["model"] = [model_id(m) for m in table["model"]]
    for column in ("variant", "repeat"):
        table[column] = [_whole(v, column) for v in table[column]] if column in table else 0
    bad = next((s for s in table["strategy"].unique() if not STRATEGY.fullmatch(s)), None)
    if bad is not None:
        raise UserError(f"strategy {bad!r} must be a lower-case word such as direct; give --strategy")
    key = ["model", "strategy", "problem", "variant", "representation", "repeat"]
    twice = table.duplicated(key)
    if twice.any():
        row = table[twice].iloc[0]
        raise UserError(f"{row['model']}, {row['strategy']}: two rows for {row['problem']} {row['representation']}; keep one")
    known = _problem_table(table, problems, summary)
    pairs = sorted(set(zip(table["model"], table["strategy"], strict=True)))
    models, strategies = list(dict.fromkeys(m for m, _ in pairs)), list(dict.fromkeys(s for _, s in pairs))
    given = {"name": name, "models": models, "strategies": strategies, "representations": ["coord", "euclid", "vector"]}
    given["parts"] = [{"models": [m for m, s in pairs if s == strategy], "strategies": [strategy]} for strategy in strategies]
    experiment = experiment_from_dict(given, where=f"import {name}")
    plan = experiment.plan(known.astype({"variant": int}))
    manifest = {
        **given, "variants": int(table["variant"].max()) + 1, "repeats": int(table["repeat"].max()) + 1,
        "problems_known": summary.problems_known, "parsed": [] if texts is not None else [list(pair) for pair in pairs],
    }  # fmt: skip
    manifest, known = _earlier(experiment.data_dir / "imported.json", manifest, known)
    manifest["stages"] = _stages(manifest["problems_known"])
    write_table(known, experiment.data_dir / "problems.csv")
    _stores(experiment, pairs, known, texts)
    if texts is None:
        _write_parsed(table, plan, experiment.data_dir / "parsed", marked)
    write_text(experiment.data_dir / "imported.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    summary.experiment = _experiment_file(name, manifest)
    summary.models, summary.strategies = models, strategies
    summary.problems, summary.cells, summary.rows = known["problem"].nunique(), len(plan), len(table)
    summary.missing = len(plan) - len(table.merge(plan[key], on=key))
    return summary


def _stages(problems_known: bool) -> list[str]:
    """The stages that imported results allow: their problems are given, so none are drawn or proved again."""
    from geoutils.stages import find_stages

    needless = {"dataset", "judge", "concepts"} | (set() if problems_known else {"regression"})
    return [stage.name for stage in find_stages() if stage.name not in needless]


def _whole(value: Any, column: str) -> int:
    text = str(value).strip().removesuffix(".0") or "0"
    if not text.isdigit():
        raise UserError(f"{column} is {value!r}; it must be a whole number")
    return int(text)


def _earlier(path: Path, manifest: dict[str, Any], known: pd.DataFrame) -> tuple[dict[str, Any], pd.DataFrame]:
    """What earlier imports into the same name brought, joined with what comes now."""
    import pandas as pd

    from geoutils.study import read_table

    if not path.is_file():
        return manifest, known
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return manifest, known
    for name in ("models", "strategies", "representations", "parsed"):
        manifest[name] = [*before.get(name, []), *(item for item in manifest[name] if item not in before.get(name, []))]
    manifest["parts"] = [*before.get("parts", []), *(p for p in manifest["parts"] if p not in before.get("parts", []))]
    for name in ("variants", "repeats"):
        manifest[name] = max(manifest[name], before.get(name, 1))
    manifest["problems_known"] = manifest["problems_known"] and before.get("problems_known", True)
    table = path.parent / "problems.csv"
    if table.is_file():
        old = read_table(table)
        known = pd.concat([old[~old["problem"].isin(known["problem"])], known], ignore_index=True)
    return manifest, known


def _stores(
    experiment: Any, pairs: list[tuple[str, str]], known: pd.DataFrame, texts: dict[tuple[str, str, int, int], str] | None
) -> None:
    """A response file for each pair, with the raw texts if there are any, so that nothing is left to ask."""
    from datetime import UTC, datetime

    from geoutils.outcomes import Result
    from geoutils.requests import imported_key
    from geoutils.store import Key, Store, store_path

    category = dict(zip(known["problem"], known["category"], strict=True))
    started = datetime.now(UTC).isoformat(timespec="seconds")
    for model, strategy in pairs:
        path = store_path(experiment, model, strategy)
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store(path, write=True, model=model, strategy=strategy) as store:
            attempts = []
            for (problem, representation, variant, repeat), content in (texts or {}).items():
                cell = imported_key(problem, variant, representation, repeat)
                present = next(iter(store.best_rows([cell])))
                if present is not None and present["content"] == content:
                    continue
                result = Result("ok" if content.strip() else "empty", "done", content=content, cost_usd=0.0)
                place = Key(problem, str(category.get(problem, "")), variant, representation, repeat)
                attempts.append((cell, place, None, result, {"started": started, "source": "import raw"}))
            if attempts:
                store.append_all(attempts)


def _write_parsed(table: pd.DataFrame, plan: pd.DataFrame, folder: Path, marked: bool) -> None:
    """The parsed files of an import: one row for each planned cell, the predicted text read by our reader."""
    import hashlib

    from geoutils.parsing import parse_responses
    from geoutils.study import write_table

    key = ["model", "strategy", "problem", "variant", "representation", "repeat"]
    columns = [*key, "predicted", *(c for c in ("gold", "imported_correct") if c in table)]
    joined = plan.merge(table[columns].rename(columns={"predicted": "content"}), on=key, how="left", indicator=True)
    joined["outcome"] = joined["_merge"].astype(str).map({"both": "ok", "left_only": "not_run"})
    joined = joined.drop(columns="_merge").fillna("")
    joined["response_sha256"] = [
        hashlib.sha256(text.encode()).hexdigest() if outcome == "ok" else ""
        for text, outcome in zip(joined["content"], joined["outcome"], strict=True)
    ]
    parsed = parse_responses(joined).drop(columns="content")
    for (model, strategy), group in parsed.groupby(["model", "strategy"], sort=False):
        write_table(group, folder / f"{safe_name(str(model))}__{strategy}.csv")


def _experiment_file(name: str, manifest: dict[str, Any]) -> str:
    """`data/experiments/NAME.yaml`, written if there is none; its path for messages."""
    import yaml

    path = work_root() / "data" / "experiments" / f"{name}.yaml"
    if not path.is_file() or path.read_text(encoding="utf-8").startswith("# Imported results."):
        fields: dict[str, Any] = {k: manifest[k] for k in ("name", "representations", "models", "parts") if k in manifest}
        fields["strategies"] = manifest["strategies"]
        text = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100)
        write_text(path, f"# Imported results. Models without an endpoint are never asked.\n{text}")
    return shown(path)
