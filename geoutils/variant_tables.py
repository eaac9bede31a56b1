"""Published result tables of the dynamic benchmark come in: one CSV a model, one row a seed, one column a variant.

The columns are `Question ID, Variant 1, ..., Variant M, # of correct per question, Topic, Difficulty Level`; optional ones
say the question's type (`Question Type` or `Answer Type`) and how many choices it offers (`Choices`). The summary and
blank rows below the seeds are not counted. The statements are not published with them, so only the stage robustness runs.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import experiment_from_dict, safe_name, shown
from geoutils.files import write_text
from geoutils.landing import PROBLEM_COLUMNS, STRATEGY, model_id, read_text
from geoutils.panel import RIGHT, WRONG
from geoutils.paths import work_root

if TYPE_CHECKING:
    import pandas as pd

REPRESENTATION = "figure"  # the published questions are asked with an image
STAGES = ["robustness"]
VARIANT = re.compile(r"variant[ _]*(\d{1,4})")
SEED, TOPIC, LEVEL, TOTAL = "question id", "topic", "difficulty level", "# of correct per question"
TYPES, CHOICES = ("question type", "answer type", "question_type"), ("choices", "number of choices")
RIGHT_WORDS = RIGHT | {"correct", "right", "pass"}
WRONG_WORDS = WRONG | {"fail", "failed", "wrong", "incorrect"}
NOT_CORRECT = "counts as not correct"
MOST_TOLD = 20_000  # faults kept by place; beyond it tables are no result tables
NUMBER = re.compile(r"\s*-?\d+(?:\.\d+)?\s*%?\s*")


@dataclass
class VariantSummary:
    """What came in, and what was not as it should be."""

    name: str
    experiment: str = ""
    models: list[str] = field(default_factory=list)
    seeds: int = 0
    variants: list[int] = field(default_factory=list)
    rows: int = 0
    skipped: int = 0
    empty: int = 0
    typed: bool = False
    faults: list[str] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)  # the same by place: the columns of robust_cells.FAULTS

    def tell(self, words: str, what: str, handled: str, value: str, **place: Any) -> None:
        """Note a fault in words, and by file, row, model, problem and variant for the table of faults."""
        if words:
            self.faults.append(f"{words}{handled}")
        blank = dict.fromkeys(("file", "row", "model", "problem", "variant"), "")
        self.told.append({**blank, **place, "value": value[:80], "what": what, "handled": handled})

    def text(self) -> str:
        """The summary in a few lines."""
        lines = [
            f"imported into data/{self.name}: {len(self.models)} model(s), {self.seeds} seeds, {len(self.variants)} variants "
            f"({self.rows:,} answers); {self.skipped} summary or blank row(s) not counted"
        ]
        if self.empty:
            lines.append(f"{self.empty} cell(s) without a mark: counted as not correct")
        if self.faults:
            lines.append(f"{len(self.faults)} fault(s), counted as said:")
            lines += [f"  {fault}" for fault in self.faults[:20]]
            lines += [f"  and {len(self.faults) - 20} more"] if len(self.faults) > 20 else []
        if not self.typed:
            lines.append("no column says the type of a question: multiple choice and free form cannot be told apart")
        lines.append(f"go on with: geoutils run {self.experiment} --only robustness")
        return "\n".join(lines)


def import_variants(directory: str | Path, *, name: str, strategy: str = "direct") -> VariantSummary:
    """The result tables of a folder into `data/NAME/`, and an experiment file of that name where there is none.

    A model is named after its file (`GPT4o-result.csv` becomes `imported/GPT4o`). Marks are correct or fail (any case;
    also 1/0, true/false). An empty cell is not correct (outcome `not_run`); so is an unknown mark, which is told with
    file, row and value; where two rows share a seed, the first counts. Importing again replaces what was there.

    Raises UserError where the folder holds no such table, or a table has no seed or lacks a column.
    """
    import pandas as pd

    from geoutils.study import write_table

    folder = Path(directory)
    if not folder.is_dir():
        raise UserError(f"{directory}: no such folder")
    if not STRATEGY.fullmatch(strategy):
        raise UserError(f"strategy {strategy!r} must be a lower-case word such as direct; give --strategy")
    files = sorted(p for p in folder.glob("*.csv") if not p.name.startswith("."))
    if not files:
        raise UserError(f"{shown(folder)}: no CSV such as GPT4o-result.csv here")
    summary = VariantSummary(name)
    scores: dict[str, pd.DataFrame] = {}
    for path in files:
        model = model_id(re.sub(r"[-_ ]results?$", "", path.stem, flags=re.IGNORECASE))
        if model in scores:
            raise UserError(f"{shown(path)}: a second table of {model}; keep one")
        scores[model] = pd.DataFrame(_rows(path, model, strategy, summary))
    summary.models = list(scores)
    everything = pd.concat(scores.values(), ignore_index=True)
    known = _problems(everything, summary)
    summary.rows, summary.seeds = len(everything), int(known["problem"].nunique())
    summary.variants = sorted(int(v) for v in known["variant"].unique())
    given: dict[str, Any] = {
        "name": name, "models": summary.models, "strategies": [strategy], "representations": [REPRESENTATION],
        "variants": max(summary.variants) + 1, "repeats": 1,
    }  # fmt: skip
    experiment = experiment_from_dict(given, where=f"import {name}")
    write_table(known, experiment.data_dir / "problems.csv")
    for (model, table), path in zip(scores.items(), files, strict=True):
        _tell_absent(path.name, model, table, known, summary)
        write_table(_complete(table, known), experiment.data_dir / "scores" / f"exp1_{safe_name(model)}__{strategy}.csv")
    record = given | {"parts": [], "parsed": [], "problems_known": False, "stages": STAGES, "faults": summary.told[:MOST_TOLD]}
    write_text(experiment.data_dir / "imported.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    summary.experiment = _experiment_file(given)
    return summary


def _table(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV with their line numbers, by lower-case column name."""
    try:
        rows = list(csv.reader(io.StringIO(read_text(path), newline="")))
    except csv.Error as error:
        raise UserError(f"{shown(path)}: not a readable CSV ({error})") from None
    if not rows:
        raise UserError(f"{shown(path)}: the file is empty")
    head = [" ".join(c.lower().split()) for c in rows[0]]
    for wanted, what in ((SEED in head, "Question ID"), (any(VARIANT.fullmatch(c) for c in head), "Variant 1")):
        if not wanted:
            raise UserError(f"{shown(path)}: column {what} is missing; a result table has Question ID, Variant 1, Variant 2, ...")
    twice = next((c for c in head if c and head.count(c) > 1), None)
    if twice:
        raise UserError(f"{shown(path)}: two columns are named {twice!r}; rename one")
    return [(n, dict(zip(head, [*row, *[""] * len(head)], strict=False))) for n, row in enumerate(rows[1:], start=2)]


def _rows(path: Path, model: str, strategy: str, summary: VariantSummary) -> Iterator[dict[str, Any]]:
    """One score row for each mark of a table."""
    table = _table(path)
    columns = {name: int(found[1]) for name in table[0][1] if (found := VARIANT.fullmatch(name))} if table else {}
    seen: dict[str, int] = {}
    for number, row in table:
        seed, marks = row[SEED].strip(), {name: row[name].strip() for name in columns}
        if _is_summary(seed, marks):
            summary.skipped += 1
            continue
        where = f"{path.name}, row {number}"
        if seed in seen:
            summary.tell(
                f"{where}: {seed!r:.40} is also in row {seen[seed]}; ", "a second row for the same seed", "the first counts",
                f"also in row {seen[seed]}", file=path.name, row=number, model=model, problem=seed,
            )  # fmt: skip
            continue
        seen[seed] = number
        right = 0
        place = {"file": path.name, "row": number, "model": model, "problem": seed}
        blank = [variant for name, variant in columns.items() if not marks[name]]
        if blank:
            listed = ", ".join(map(str, blank[:12])) + (" and more" if len(blank) > 12 else "")
            summary.faults.append(f"{where}, {seed}: no mark of variant {listed}; {NOT_CORRECT}")
        for name, variant in columns.items():
            mark = marks[name].lower()
            if mark and mark not in RIGHT_WORDS | WRONG_WORDS:
                words = f"{where}, {seed}: variant {variant} is {marks[name]!r:.40}; "
                summary.tell(words, "an unknown mark", NOT_CORRECT, marks[name], variant=variant, **place)
            elif not mark:
                summary.tell("", "a variant without a mark", NOT_CORRECT, "(empty)", variant=variant, **place)
            summary.empty += not mark
            correct = mark in RIGHT_WORDS
            right += correct
            known = correct or mark in WRONG_WORDS
            yield {
                "problem": seed, "category": _word(row.get(TOPIC, "")), "representation": REPRESENTATION, "predicted": "",
                "gold": "", "correct": int(correct), "model": model, "strategy": strategy, "variant": variant, "repeat": 0,
                "difficulty": _word(row.get(LEVEL, "")), "outcome": "ok" if known else "malformed" if mark else "not_run",
                "verdict": ("correct" if correct else "wrong") if known else "unparsed",
                "question_type": next((_word(row[t]) for t in TYPES if t in row), ""),
                "choices": next((row[c].strip() for c in CHOICES if c in row), ""),
            }  # fmt: skip
        stated = row.get(TOTAL, "").strip()
        if stated.isdigit() and int(stated) != right:
            summary.tell(
                f"{where}, {seed}: {stated} correct by its own count, {right} by its marks; ", "a count that is not that of the marks",
                "the marks count", f"{stated} instead of {right}", **place,
            )  # fmt: skip
    if not seen:
        raise UserError(f"{shown(path)}: no row with a Question ID and marks such as correct or fail")


def _is_summary(seed: str, marks: dict[str, str]) -> bool:
    """Whether a row is blank or sums the others up: no seed, or numbers beyond 0 and 1 where marks should be."""
    there = [mark for mark in marks.values() if mark]
    if not seed:
        return True
    if seed.startswith("#") or re.match(r"(?i)(a_?(avg|wst)|avg|average|worst|total|mean)\b", seed):
        return True
    return bool(there) and all(NUMBER.fullmatch(m) for m in there) and any(m.rstrip(" %") not in ("0", "1", "0.0", "1.0") for m in there)


def _word(text: str) -> str:
    return " ".join(text.split())[:80]


def _problems(scores: pd.DataFrame, summary: VariantSummary) -> pd.DataFrame:
    """The problems table: every seed and variant that any table has; topics that differ between tables are told."""
    for column in ("category", "difficulty", "question_type"):
        named = scores[scores[column] != ""].groupby("problem", sort=False)[column]
        for seed in named.nunique().loc[lambda n: n > 1].index:
            found = sorted(named.get_group(seed).unique())
            said = " and ".join(map(repr, found))
            words = f"{seed}: its {column} is {said} in different tables; "
            summary.tell(words, f"{column} differs between tables", "the first counts", said, problem=seed)
    keep = ["category", "difficulty", "question_type", "choices"]
    first = scores[["problem", *keep]].replace("", None).groupby("problem", sort=False).first().fillna("")
    cells = scores[["problem", "variant"]].drop_duplicates().sort_values("variant", kind="stable")
    order = {seed: place for place, seed in enumerate(first.index)}
    cells = cells.sort_values("problem", key=lambda c: c.map(order), kind="stable").join(first, on="problem")
    summary.typed = bool((first["question_type"] != "").any())
    extra = keep[2:] if summary.typed else []
    out = cells.assign(representation=REPRESENTATION).reindex(columns=[*PROBLEM_COLUMNS, *extra], fill_value="")
    return out.reset_index(drop=True)


def _tell_absent(file: str, model: str, table: pd.DataFrame, known: pd.DataFrame, summary: VariantSummary) -> None:
    """Tell the seeds and variants that other tables have and this one has not."""
    wanted = known[["problem", "variant"]].merge(table[["problem", "variant"]], how="left", indicator=True)
    lost = wanted[wanted["_merge"] == "left_only"].groupby("problem", sort=False)["variant"].agg(list)
    for seed, variants in lost.items():
        whole = seed not in set(table["problem"])
        which = f"no row of {seed}, which other tables have" if whole else f"{seed}: no variant {', '.join(map(str, variants[:12]))}"
        summary.tell(
            f"{file}: {which}; ", "a seed without a row" if whole else "variants without a column",
            f"its {len(variants)} variant(s) count as not correct", "(no row)", file=file, model=model, problem=str(seed),
        )  # fmt: skip


def _complete(table: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """A model's scores with a row, not correct and `not_run`, for each seed and variant that only other tables have."""
    out = known[["problem", "category", "variant", "representation", "difficulty"]].merge(
        table.drop(columns=["category", "representation", "difficulty", "question_type", "choices"]), on=["problem", "variant"], how="left"
    )
    missing = out["correct"].isna()
    out["correct"] = out["correct"].fillna(0).astype(int)
    out["outcome"], out["verdict"] = out["outcome"].fillna("not_run"), out["verdict"].fillna("unparsed")
    out.loc[missing, ["model", "strategy"]] = [table["model"].iloc[0], table["strategy"].iloc[0]]
    out["repeat"] = 0
    first = ["problem", "category", "representation", "predicted", "gold", "correct"]
    return out.fillna("")[[*first, *(c for c in out if c not in first)]]


def _experiment_file(given: dict[str, Any]) -> str:
    import yaml

    path = work_root() / "data" / "experiments" / f"{given['name']}.yaml"
    if not path.is_file() or path.read_text(encoding="utf-8").startswith("# Imported results."):
        text = yaml.safe_dump(given, sort_keys=False, allow_unicode=True, width=100)
        write_text(path, f"# Imported results. Models without an endpoint are never asked.\n{text}")
    return shown(path)
