"""Concept scores come in and go out as one wide CSV: a row a problem, four columns for each model and prompt.

For each name such as `gpt_davinci3_zeroshotCOT`: `<name>_solution` (the text), `<name>_solution_notion` (its concepts),
`<name>_solution_notion_SCORE`, `<name>_solution_accurate` (a judge's True or False); and once a row: problem, level,
type, solution; `solution_notion`, the golden concepts, may be there too. A set of problems with solutions comes in as JSON lines with these last four.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.concepts_answers import gold_answer, grade_solution, is_number
from geoutils.concepts_lists import read_concepts
from geoutils.concepts_settings import SOLVING
from geoutils.errors import UserError
from geoutils.experiment import experiment_from_dict, safe_name, shown
from geoutils.files import write_text
from geoutils.landing import PROBLEM_COLUMNS, model_id
from geoutils.paths import work_root

if TYPE_CHECKING:
    import pandas as pd

BASE = ("problem", "level", "type", "solution")
SCORE_END, SOLUTION_END = "_solution_notion_SCORE", "_solution"
PROMPTS = {"zeroshotcot": "cot", "zeroshot_cot": "cot", "cot": "cot", "fewshot": "fewshot", "zeroshot": "zeroshot"}
PROMPT_NAMES = {"cot": "zeroshotCOT"}
REPRESENTATION = "euclid"  # plain text, without a representation of its own
STAGES = ["concepts"]
SET_STAGES = ["inference", "parsing", "scoring", "concepts"]
SET_MODELS = ["local/smollm2-135m-instruct"]
MAX_BYTES, MAX_CELL = 200_000_000, 100_000
TRUE, FALSE = {"true", "1", "1.0", "yes", "t", "correct"}, {"false", "0", "0.0", "no", "f", "wrong", "incorrect"}
_NUMBER = re.compile(r"[-+]?\d{1,6}(?:\.\d{0,30})?(?:[eE][-+]?\d{1,3})?")


@dataclass
class ConceptsSummary:
    """What came in, and what was not as it should be: counts by fault, with the first places of each."""

    name: str
    experiment: str = ""
    groups: list[str] = field(default_factory=list)
    problems: int = 0
    rows: int = 0
    graded: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)
    left_out: int = 0
    go_on: str = ""

    def fault(self, what: str, where: str) -> None:
        """Note a fault."""
        self.faults.setdefault(what, []).append(where)

    def text(self) -> str:
        """The summary in a few lines."""
        what = f"{len(self.groups)} model(s) and prompts, {self.rows:,} solutions" if self.groups else "no solutions"
        lines = [f"imported into data/{self.name}: {self.problems:,} problems, {what}"]
        if self.graded:
            lines.append("answers by our grader: " + ", ".join(f"{count:,} {word}" for word, count in self.graded.most_common()))
        for fault, places in self.faults.items():
            lines.append(f"{len(places):,} x {fault}: {', '.join(places[:3])}{' …' if len(places) > 3 else ''}")
        lines.append(f"go on with: geoutils run {self.experiment}{self.go_on}")
        return "\n".join(lines)


def import_concepts(file: str | Path, *, name: str) -> ConceptsSummary:
    """A wide CSV of scored solutions, or a JSON-lines set of problems with solutions, into `data/NAME/`.

    The CSV brings solutions with their scores; each answer is compared with the golden solution's by our grader (the
    content of its last `\\boxed{}`, else its last value), and only the stage concepts runs. The set is then solved,
    graded and scored like our own problems; a problem whose answer is no number cannot be graded: it is left out and
    counted. Faults of single rows are counted and told. Raises UserError where the file cannot be read, a column is
    missing (all missing ones are named), or `name` holds other data.
    """
    path = Path(file)
    if path.suffix.lower() not in (".csv", ".jsonl"):
        raise UserError(f"{path}: unknown kind of file; use .csv (scored solutions) or .jsonl (problems with solutions)")
    rows = _jsonl(path) if path.suffix.lower() == ".jsonl" else _csv(path)
    _check_free(name)
    return _import_set(path, rows, name) if path.suffix.lower() == ".jsonl" else _import_wide(path, rows, name)


def _check_free(name: str) -> None:
    given = {"name": name}
    folder = experiment_from_dict(given, where=f"import {name}").data_dir
    if (folder / "responses").is_dir() or (folder / "scores").is_dir():
        from geoutils.paths import imported_record

        if not imported_record(name).get("concepts"):
            raise UserError(f"{shown(folder)} holds other data; take another --name, or delete it")


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path}: larger than {MAX_BYTES:,} bytes; split it")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from None


def _csv(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows with their numbers (2 is the first below the header)."""
    csv.field_size_limit(10_000_000)
    try:
        rows = list(csv.reader(io.StringIO(_text(path), newline="")))
    except csv.Error as error:
        raise UserError(f"{path}: not a readable CSV ({error})") from None
    if not rows:
        raise UserError(f"{path}: the file is empty")
    head = [column.strip() for column in rows[0]]
    twice = [column for column, count in Counter(head).items() if count > 1 and column]
    if twice:
        raise UserError(f"{path}: two columns are named {twice[0]!r}; rename one")
    out = []
    for number, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row):
            out.append((number, dict(zip(head, [*row, *[""] * len(head)], strict=False))))
    return out or [(1, dict.fromkeys(head, ""))]


def _jsonl(path: Path) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}: line {number}: not JSON: {str(error)[:100]}") from None
        if not isinstance(row, dict):
            raise UserError(f"{path}: line {number}: is no JSON object")
        missing = [column for column in BASE if column not in row]
        if missing:
            raise UserError(f"{path}: line {number}: {', '.join(missing)} missing; a line has {', '.join(BASE)}")
        rows.append((number, {key: value if isinstance(value, str) else str(value) for key, value in row.items() if key in BASE}))
    if not rows:
        raise UserError(f"{path}: the file is empty")
    return rows


def group_name(name: str) -> tuple[str, str]:
    """Model and prompt of a column name: `gpt_davinci3_zeroshotCOT` is `imported/gpt_davinci3` and `cot`.

    A name that ends in none of the prompts' words has the prompt `unknown`.
    """
    for word in sorted(PROMPTS, key=len, reverse=True):
        if re.fullmatch(rf".+[_\- ]{word}", name, re.I):
            return model_id(name[: -len(word) - 1]), PROMPTS[word]
    return model_id(name), "unknown"


def _groups(path: Path, head: list[str], summary: ConceptsSummary) -> list[str]:
    """The names of model and prompt in a header; UserError names every column that is missing.

    A solution column without any other column of its name is no scored group: it is left out and told.
    """
    scored = [column.removesuffix(SCORE_END) for column in head if column.endswith(SCORE_END)]
    written = [column.removesuffix(SOLUTION_END) for column in head if column.endswith(SOLUTION_END) and column != "solution"]
    missing = [column for column in BASE if column not in head]
    missing += [f"{name}{SOLUTION_END}" for name in scored if name not in written]
    begun = [name for name in written if f"{name}_solution_notion" in head or f"{name}_solution_accurate" in head]
    missing += [f"{name}{SCORE_END}" for name in begun if name not in scored]
    for name in written:
        if name not in scored and name not in begun:
            summary.fault("solution column without a score: left out", f"{name}{SOLUTION_END}")
    if missing or not scored:
        absent = missing or [f"<name>{SOLUTION_END}", f"<name>{SCORE_END}"]
        raise UserError(f"{path}: column(s) {', '.join(absent)} missing; a file has {', '.join(BASE)} and for each name <name>{SOLUTION_END} and <name>{SCORE_END}")
    pairs = Counter(map(group_name, scored))
    both = next((pair for pair, count in pairs.items() if count > 1), None)
    if both:
        raise UserError(f"{path}: two columns mean {both[0]} with prompt {both[1]}; rename one")
    return scored


def _import_wide(path: Path, rows: list[tuple[int, dict[str, str]]], name: str) -> ConceptsSummary:
    import pandas as pd

    from geoutils.study import write_table

    head, summary = list(rows[0][1]), ConceptsSummary(name)
    names = summary.groups = _groups(path, head, summary)
    if rows[0][0] == 1:
        raise UserError(f"{path}: there is no row below the header")
    problems, long = [], []
    for number, row in rows:
        problem, where = f"p{number - 1:05d}", f"row {number}"
        for column in ("problem", "solution"):
            if not row[column].strip():
                summary.fault(f"{column} blank", where)
        gold = gold_answer(row["solution"])
        if gold is None:
            summary.fault("golden solution without an answer: not graded", where)
        problems.append(_problem(problem, row, gold or ""))
        long += [_solution(problem, row, group, gold, where, summary) for group in names]
    table = pd.DataFrame(long)
    summary.problems, summary.rows = len(problems), int((table["text"] != "").sum())
    summary.graded = Counter(table["verdict"])
    pairs = list(dict.fromkeys(zip(table["model"], table["strategy"], strict=True)))
    given: dict[str, Any] = {
        "name": name, "models": list(dict.fromkeys(m for m, _ in pairs)), "strategies": list(dict.fromkeys(s for _, s in pairs)),
        "representations": [REPRESENTATION],
    }  # fmt: skip
    given["parts"] = [{"models": [m for m, s in pairs if s == strategy], "strategies": [strategy]} for strategy in given["strategies"]]
    folder = experiment_from_dict(given, where=f"import {name}").data_dir
    write_table(pd.DataFrame(problems).reindex(columns=list(PROBLEM_COLUMNS)), folder / "problems.csv")
    write_table(table, folder / "concepts" / "solutions.csv")
    _write_scores(table, folder)
    faults = {fault: len(places) for fault, places in summary.faults.items()}
    record = given | {"variants": 1, "repeats": 1, "parsed": [], "problems_known": False, "stages": STAGES, "concepts": True, "faults": faults}
    record["golden_concepts"] = any(row["concepts"] for row in problems) and bool((table["imported_concepts"] != "").any())
    write_text(folder / "imported.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    summary.experiment, summary.go_on = _experiment_file(given, "# Imported results. Models without an endpoint are never asked."), " --only concepts"
    return summary


def _problem(problem: str, row: Mapping[str, str], gold: str) -> dict[str, Any]:
    return dict.fromkeys(PROBLEM_COLUMNS, "") | {
        "problem": problem, "category": _word(row["type"]) or "other", "difficulty": _word(row["level"]), "variant": 0,
        "representation": REPRESENTATION, "statement": row["problem"][:MAX_CELL], "answer": gold, "value": gold,
        "solution": row["solution"][:MAX_CELL], "concepts": "; ".join(read_concepts(row.get("solution_notion", "")).phrases),
    }  # fmt: skip


def _word(text: str) -> str:
    return " ".join(text.split())[:80]


def _solution(problem: str, row: Mapping[str, str], group: str, gold: str | None, where: str, summary: ConceptsSummary) -> dict[str, Any]:
    """One row of the long table."""
    model, strategy = group_name(group)
    text = row[f"{group}{SOLUTION_END}"][:MAX_CELL]
    verdict, predicted = grade_solution(text, gold)
    score = _number(row[f"{group}{SCORE_END}"])
    if score is None and row[f"{group}{SCORE_END}"].strip():
        summary.fault("score no number between -1 and 1", f"{where} {group}")
    judged = _true(row.get(f"{group}_solution_accurate", ""))
    if judged is None and row.get(f"{group}_solution_accurate", "").strip():
        summary.fault("accurate neither True nor False", f"{where} {group}")
    if not text.strip():
        summary.fault("solution blank", f"{where} {group}")
    elif score is None and not row[f"{group}{SCORE_END}"].strip():
        summary.fault("score blank", f"{where} {group}")
    return {
        "model": model, "strategy": strategy, "problem": problem, "category": _word(row["type"]) or "other", "variant": 0,
        "representation": REPRESENTATION, "repeat": 0, "difficulty": _word(row["level"]),
        "outcome": "ok" if text.strip() else "empty", "verdict": verdict, "predicted": predicted, "gold": gold or "",
        "correct": "" if verdict == "not graded" else int(verdict == "correct"), "text": text,
        "imported_score": "" if score is None else score, "imported_concepts": row.get(f"{group}_solution_notion", "")[:MAX_CELL],
        "judged": "" if judged is None else int(judged),
    }  # fmt: skip


def _number(text: str) -> float | None:
    """A score; of a pair as the study's code gives it (mean, parts) the mean."""
    found = _NUMBER.match(text.strip().lstrip("(["))
    if not found:
        return None
    value = float(found[0])
    return value if math.isfinite(value) and -1.001 <= value <= 1.001 else None


def _true(text: str) -> bool | None:
    word = text.strip().strip("()").strip().lower()
    return True if word in TRUE else False if word in FALSE else None


# ---------------------------------------------------------------- the set of problems with solutions


def _import_set(path: Path, rows: list[tuple[int, dict[str, Any]]], name: str) -> ConceptsSummary:
    import pandas as pd

    from geoutils.study import write_table

    summary = ConceptsSummary(name)
    problems = []
    for number, row in rows:
        gold = gold_answer(row["solution"])
        if not gold or not is_number(gold):
            summary.fault("answer is no number, cannot be graded: left out", f"line {number}")
            continue
        if not row["problem"].strip():
            summary.fault("problem blank: left out", f"line {number}")
            continue
        problems.append(_problem(f"p{number:05d}", row, gold or ""))
    if not problems:
        raise UserError(f"{path}: no problem has a number as its answer; nothing could be graded")
    summary.problems, summary.left_out = len(problems), len(rows) - len(problems)
    given: dict[str, Any] = {"name": name, "models": SET_MODELS, "strategies": list(SOLVING), "representations": [REPRESENTATION]}
    folder = experiment_from_dict(given, where=f"import {name}").data_dir
    write_table(pd.DataFrame(problems).reindex(columns=list(PROBLEM_COLUMNS)), folder / "problems.csv")
    faults = {fault: len(places) for fault, places in summary.faults.items()}
    record = {"name": name, "models": [], "representations": [REPRESENTATION], "parsed": [], "problems_known": True, "stages": SET_STAGES, "faults": faults}
    record["set"] = True
    write_text(folder / "imported.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    given |= {"sampling": {"temperature": 0.7, "max_tokens": 256, "seed": 1}, "concepts": {"extractors": [*SET_MODELS]}}
    summary.experiment = _experiment_file(given, "# An imported set of problems with solutions: change the models as you like.", keep=True)
    return summary


def _experiment_file(given: dict[str, Any], comment: str, *, keep: bool = False) -> str:
    """`data/experiments/NAME.yaml`, written where there is none (or one of ours, unless `keep`); its path for messages."""
    import yaml

    path = work_root() / "data" / "experiments" / f"{given['name']}.yaml"
    if not path.is_file() or (not keep and path.read_text(encoding="utf-8").startswith("# Imported results.")):
        write_text(path, f"{comment}\n{yaml.safe_dump(given, sort_keys=False, allow_unicode=True, width=100)}")
    return shown(path)


def _write_scores(table: pd.DataFrame, folder: Path) -> None:
    """The scores files of imported solutions; one that could not be graded counts as not correct there."""
    from geoutils.scoring import COLUMNS
    from geoutils.study import write_table

    out = table.assign(correct=table["correct"].replace("", 0), verdict=table["verdict"].replace("not graded", "unparsed"))
    out = out.reindex(columns=COLUMNS, fill_value="")
    for (model, strategy), part in out.groupby(["model", "strategy"], sort=False):
        write_table(part, folder / "scores" / f"exp1_{safe_name(str(model))}__{strategy}.csv")


# ---------------------------------------------------------------- out


def _short_names(models: list[str]) -> dict[str, str]:
    """The last part of each model id, or its file name where two would be named alike."""
    last = {model: re.sub(r"[^\w.-]", "-", model.rsplit("/", 1)[-1]) for model in models}
    return {model: name if list(last.values()).count(name) == 1 else safe_name(model) for model, name in last.items()}


def scoring_output(scored: pd.DataFrame, table: pd.DataFrame, problems: pd.DataFrame, extractor: str) -> pd.DataFrame:
    """The wide table of the study, one row a statement: what `import concepts` takes in.

    `scored` and `table` are of `geoutils.concepts`; `<name>` is the last part of the model's id and the prompt. `accurate` is our
    grader's True or False (a judge's, where one was asked, stands in the scored table).
    """
    key = ["problem", "representation"]
    first = problems[problems["variant"].astype(int) == 0].drop_duplicates(key)
    used = first.merge(table[key].drop_duplicates(), on=key)
    out = used[[*key, "statement", "difficulty", "category", "solution"]].rename(columns={"difficulty": "level", "category": "type"})
    short = _short_names(list(dict.fromkeys(table["model"])))
    own = scored[scored["extractor"] == extractor].merge(table[[*key, "model", "strategy", "text"]], on=[*key, "model", "strategy"])
    for (model, strategy), part in own.groupby(["model", "strategy"], sort=False):
        name = f"{short[str(model)]}_{PROMPT_NAMES.get(str(strategy), strategy)}"
        part = part.assign(accurate=[("" if x != x else str(bool(x))) for x in part["correct"].astype(float)])
        columns = {"text": SOLUTION_END, "concepts": "_solution_notion", "score": SCORE_END, "accurate": "_solution_accurate"}
        wide = part[[*key, *columns]].rename(columns={old: f"{name}{new}" for old, new in columns.items()})
        out = out.merge(wide, on=key, how="left")
    return out.drop(columns=key).rename(columns={"statement": "problem"})


def export_concepts(experiment: str | Path, out: str | Path) -> tuple[Path, int]:
    """The wide table of an experiment whose stage concepts has run, by its first extractor; its path and number of rows."""
    from geoutils.concepts import saved_scores, solutions
    from geoutils.study import open_study, write_table

    study = open_study(experiment, stage="concepts", quiet=True)
    scored = saved_scores(study.experiment)
    if scored is None or scored.empty:
        raise UserError(f"{study.experiment.name}: there are no concept scores; run: geoutils run {study.experiment.name} --only concepts")
    wide = scoring_output(scored, solutions(study), study.problems(), str(scored["extractor"].iloc[0]))
    return write_table(wide, Path(out)), len(wide)
