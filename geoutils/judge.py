"""The judge: a model compares generated solutions with ground truths, and is itself measured on solutions with known labels.

Two protocols: three binary verdicts on an image, a video or a text, and True or False on the answer of a
text. Every question goes through `geoutils.asking`, so it is planned, paced, paid from the budget of the
experiment, kept word for word and never asked twice.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils import judge_baseline, judge_manifest
from geoutils.asking import Question, answers, answers_path, ask, parameters_for
from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment
from geoutils.judge_questions import Sent, sent, takes_video
from geoutils.judge_reading import Verdicts, read_truth, read_verdicts
from geoutils.judge_settings import BASELINE, DEFAULT_JUDGE, JudgeSettings
from geoutils.judge_solutions import LABELS
from geoutils.outcomes import RETRY_CODES, Result
from geoutils.responses import endpoint_of
from geoutils.store import Key

if TYPE_CHECKING:
    import pandas as pd

SEED_COLUMNS = ("id", "subtask", "medium", "outcome", *LABELS, "explanation")
KNOWN = tuple(f"known_{name}" for name in LABELS)
ABOUT = ("set", "model", "protocol", "repeat")
ITEM = ("row", "rendering", "problem", "fault", "reflection", "media", "solution", "solution_text")
ASKED = ("response_sha256", "cost_usd", "latency_s", "prompt_tokens", "completion_tokens", "attempts")
COLUMNS = (*ABOUT, *SEED_COLUMNS, "sent_as", *KNOWN, *ITEM, "reply", *ASKED)
SAVED = tuple(name for name in COLUMNS if name not in ("solution", "solution_text", "media"))
BAD_INPUT, JUDGE_ERROR = "bad_input", "judge_error"
PARAMETERS = {"temperature": 0.0, "max_tokens": 8192}  # judges that think need room for it
FOLDER = "judge/responses"
PURPOSES = {"verdicts": "judge", "answer": "judge-answer"}


@dataclass(frozen=True)
class Judging:
    """What is to be judged by whom: the items of the calibration set and of the manifest, and the judges."""

    experiment: Experiment
    settings: JudgeSettings
    models: tuple[str, ...]
    items: pd.DataFrame

    @property
    def folder(self) -> Path:
        """Where judges' replies, scaled media and drawn solutions are kept."""
        return self.experiment.data_dir / "judge"


def judges_of(experiment: Experiment, models: Sequence[str] = ()) -> tuple[str, ...]:
    """The judges: those given, else those of the file, else the default judge where it can be paid, and the baseline."""
    chosen = tuple(models) or experiment.judge.models
    if chosen:
        return chosen
    paid = bool(os.environ.get("OPENROUTER_API_KEY", "").strip()) and experiment.limits.max_usd > 0
    return (DEFAULT_JUDGE, BASELINE) if paid else (BASELINE,)


def open_judging(experiment: Experiment, *, models: Sequence[str] = (), **options: Any) -> Judging:
    """Read the manifest, draw the calibration set, and check that each judge has an endpoint.

    `options` replace fields of the experiment's `judge` section (None and "" leave them): manifest,
    protocol, prompt, video, frames, repeats, calibration, limit. UserError where one of them is wrong.
    """
    import pandas as pd

    from geoutils.fields import FieldError, read_fields

    given = {field.name: getattr(experiment.judge, field.name) for field in dataclasses.fields(JudgeSettings)}
    given["models"] = list(judges_of(experiment, models))
    try:
        settings = read_fields(JudgeSettings, {**given, **{k: v for k, v in options.items() if v not in (None, "")}})
    except (FieldError, ValueError) as error:
        raise UserError(f"judge: {error}") from None
    for model in settings.models:
        endpoint(model, experiment)
    pieces = [judge_manifest.calibration_items(experiment, settings.calibration)]
    if settings.manifest:
        table = judge_manifest.read_manifest(judge_manifest.find_manifest(settings.manifest, beside=experiment.path))
        pieces.append(table.head(settings.limit) if settings.limit else table)
    items = pd.concat([piece for piece in pieces if len(piece)] or pieces[:1], ignore_index=True)
    return Judging(experiment, settings, settings.models, items)


def endpoint(model: str, experiment: Experiment) -> Any:
    """Where a judge is asked, None for the baseline; UserError where there is no such judge."""
    if model == BASELINE:
        return None
    if model.startswith(("baseline/", "simulated/")):
        raise UserError(f"{model} cannot judge; judges are {BASELINE} and models with an endpoint")
    return endpoint_of(model, experiment)


def check_judges(experiment: Experiment) -> None:
    """UserError for a judge without an endpoint, for a missing key of one that was never asked, and for a missing manifest."""
    for model in judges_of(experiment):
        place = endpoint(model, experiment)
        asked = answers_path(experiment, model, purpose=PURPOSES[experiment.judge.protocol], folder=FOLDER)
        if place is not None and not asked.is_file():
            place.key()
    if experiment.judge.manifest:
        judge_manifest.find_manifest(experiment.judge.manifest, beside=experiment.path)


def run_judges(judging: Judging, *, retry: Sequence[str] = (), progress: str = "auto", asks: bool = True) -> pd.DataFrame:
    """Ask every judge what is still open, and write the verdicts; one row for each judge, item and repeat (`COLUMNS`).

    `outcome` is that of the request, `judge_error` where the reply came but cannot be read, `bad_input`
    where the item cannot be judged; verdicts are 1, 0 or missing, never 0 for want of one. `asks=False`
    only reads what is there. Judges after one that fails are still asked; then its RunError is raised.
    """
    import pandas as pd

    pieces, failures = [], []
    for model in judging.models:
        try:
            pieces.append(_judged(judging, model, retry=retry, progress=progress, asks=asks))
        except RunError as error:
            failures.append(error)
            pieces.append(_judged(judging, model, asks=False))
    table = pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=list(COLUMNS))
    table = table.astype(dict.fromkeys((*LABELS, *KNOWN, "prompt_tokens", "completion_tokens", "attempts"), "Int64"))
    table = table.astype({"cost_usd": "float64", "latency_s": "float64"})
    if asks:
        write_verdicts(judging, table)
    if failures:
        raise failures[0]
    return table


def _judged(
    judging: Judging, model: str, *, retry: Sequence[str] = (), progress: str = "auto", asks: bool = True
) -> pd.DataFrame:
    import pandas as pd

    experiment, settings = judging.experiment, judging.settings
    place = endpoint(model, experiment)
    repeats = range(settings.repeats if place else 1)
    records = judging.items.to_dict("records")
    whole = place is not None and takes_video(place, settings)
    messages = [sent(item, settings, judging.folder / "media", whole=whole) for item in records]
    cells = [(item, message, repeat) for item, message in zip(records, messages, strict=True) for repeat in repeats]
    good = [cell for cell in cells if not cell[1].fault]
    questions = [_question(*cell, baseline=place is None) for cell in good]
    options: dict[str, Any] = {"purpose": PURPOSES[settings.protocol], "folder": FOLDER, "parameters": {}}
    if place is None:
        items = {_key(item): item for item in records}
        options |= {"label": judge_baseline.label(), "answer": lambda question: _baseline(items[question.key.problem])}
    else:
        options["parameters"] = parameters_for(experiment, model, options["purpose"], PARAMETERS)
    if asks:
        found = ask(experiment, model, questions, **options, retry=retry, progress=progress)
    else:
        found = answers(experiment, model, questions, **options)
    rows = iter(found)
    made = [
        _row(model, settings, item, message, repeat, None if message.fault else next(rows), baseline=place is None)
        for item, message, repeat in cells
    ]
    return pd.DataFrame(made, columns=list(COLUMNS))


def _key(item: Mapping[str, Any]) -> str:
    return f"{item['set']} {item['row']} {item['id']}"


def _question(item: Mapping[str, Any], message: Sent, repeat: int, *, baseline: bool) -> Question:
    key = Key(_key(item), item["subtask"], 0, message.medium, repeat)
    if baseline:
        what = Path(item["media"]) if item["media"] else item["solution"]
        asked = Sent(message.medium, "", (json.dumps([item["solution_text"], item["answer"], item["unit"]]), what))
        return Question(asked.content, key=key)
    return Question(message.content if len(message.parts) > 1 else str(message.parts[0]), key=key, repeat=repeat)


def _baseline(item: Mapping[str, Any]) -> Result:
    return Result("ok", "done", content=judge_baseline.reply(item), finish_reason="stop", served_model=BASELINE, cost_usd=0.0)


def _row(
    model: str, settings: JudgeSettings, item: Mapping[str, Any], message: Sent, repeat: int,
    found: Mapping[str, Any] | None, *, baseline: bool,
) -> dict[str, Any]:  # fmt: skip
    outcome, verdicts = BAD_INPUT, Verdicts(explanation=message.fault)
    if found is not None:
        outcome, verdicts = found["outcome"], Verdicts(explanation=found["error"] or "")
        if outcome == "ok":
            answers_only = settings.protocol == "answer" and not baseline
            read = read_truth(found["content"]) if answers_only else read_verdicts(found["content"], may_abstain=baseline)
            unread = read.error or (read.explanation if read.final_correct is None else "")
            outcome = JUDGE_ERROR if unread else "ok"
            verdicts = Verdicts(explanation=unread) if unread else read
    return {
        "set": item["set"], "model": model, "protocol": settings.protocol, "repeat": repeat, "id": item["id"],
        "subtask": item["subtask"], "medium": message.medium, "outcome": outcome,
        "explanation": verdicts.explanation, **{name: getattr(verdicts, name) for name in LABELS},
        "sent_as": message.sent_as, **{known: item[name] for known, name in zip(KNOWN, LABELS, strict=True)},
        **{name: item[name] for name in ITEM}, "reply": (found or {}).get("content", ""),
        **{name: (found or {}).get(name) for name in ASKED},
    }  # fmt: skip


def is_open(row: Mapping[str, Any]) -> bool:
    """Whether a row would be asked again by the next run."""
    if row["outcome"] in ("not_run", "timeout", "malformed"):
        return True
    code = str(row["explanation"])[:3]
    permanent = code.isdigit() and 400 <= int(code) < 500 and int(code) not in {*RETRY_CODES, 401, 402, 403}
    return row["outcome"] == "api_error" and not permanent


def write_verdicts(judging: Judging, table: pd.DataFrame) -> Path:
    """Write data/NAME/verdicts.csv (the first judge, first repeat, manifest if there is one) and all verdicts below judge/.

    The former has exactly the columns id, subtask, medium, outcome, the three verdicts and explanation.
    """
    from geoutils.files import write_text
    from geoutils.judge_tables import records
    from geoutils.study import write_table

    write_table(table[list(SAVED)], judging.folder / "verdicts.csv")
    path = judging.experiment.data_dir / "verdicts.csv"
    write_table(headline(table)[list(SEED_COLUMNS)], path)
    write_text(judging.folder / "records.json", json.dumps(records(table), ensure_ascii=False, allow_nan=False) + "\n")
    opened = sum(is_open(row) for row in table.to_dict("records"))
    record = judging.folder / "open.json"
    if opened:  # so that the next run takes the notebook as not up to date
        write_text(record, json.dumps({"open": opened, "run": os.urandom(8).hex()}) + "\n")
    else:
        record.unlink(missing_ok=True)
    return path


def headline(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that verdicts.csv holds: the first judge's first repeat on the manifest, or else on the calibration set."""
    sets = list(table["set"].unique())
    wanted = judge_manifest.MANIFEST if judge_manifest.MANIFEST in sets else judge_manifest.CALIBRATION
    first = table[(table["set"] == wanted) & (table["repeat"] == 0)]
    return first[first["model"] == first["model"].iloc[0]] if len(first) else first


def saved_records(experiment: Experiment) -> list[dict[str, Any]]:
    """The `judge` records of results.json that the last judging left; [] where there was none."""
    try:
        return list(json.loads((experiment.data_dir / "judge" / "records.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def first_judge(table: pd.DataFrame) -> pd.DataFrame:
    """All rows of the first judge's first repeat."""
    return table[(table["model"] == table["model"].iloc[0]) & (table["repeat"] == 0)] if len(table) else table


def fingerprint(experiment: Experiment, options: Mapping[str, Any]) -> str:
    """What the judge's notebook depends on beside code, file and options: the judges, the manifest and its media."""
    settings = experiment.judge
    manifest = options.get("manifest") or settings.manifest
    parts: list[Any] = [list(judges_of(experiment, options.get("models") or ()))]
    record = experiment.data_dir / "judge" / "open.json"
    parts.append(record.read_text(encoding="utf-8") if record.is_file() else "")
    if manifest:
        path = judge_manifest.find_manifest(manifest, beside=experiment.path)
        table = judge_manifest.read_manifest(path)
        parts.append(table.astype(str).to_csv(index=False))
        for name in table["media"]:
            media = Path(name)
            known = media.stat() if name and media.is_file() else None
            parts.append([name, known.st_size, known.st_mtime_ns] if known else name)
    return json.dumps(parts)
