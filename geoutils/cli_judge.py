"""`geoutils judge`: judge the solutions of a manifest, or measure a judge on the calibration set."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from typing import Any


def _number(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def add(group: Any, add_command: Callable[..., Any]) -> None:
    """Add `geoutils judge`."""
    parser = add_command(
        group, "judge", judge, "judge generated solutions (images, videos or texts) against their ground truths",
        "geoutils judge solutions.csv --name mine --model openrouter/google/gemini-2.5-pro",
    )  # fmt: skip
    parser.add_argument(
        "manifest", help="a CSV or JSONL with id, subtask, media, solution_text (a text to judge stands in `solution`); "
        "or the word calibration, to measure the judge on labelled solutions",
    )  # fmt: skip
    parser.add_argument("--name", required=True, help="the experiment that it becomes: data/NAME/verdicts.csv")
    parser.add_argument("--model", action="append", metavar="M", help="the judge; more than one may be given (default: Gemini 2.5 Pro)")
    parser.add_argument("--experiment", metavar="FILE", help="take endpoints, sampling, limits and judge options from this file")
    parser.add_argument("--protocol", choices=("verdicts", "answer"), help="three verdicts, or True/False on the answer of texts")
    parser.add_argument("--prompt", choices=("full", "image"), help="the full prompt, or the trimmed one for images")
    parser.add_argument("--video", choices=("auto", "whole", "frames"), help="how a video is sent")
    parser.add_argument("--repeats", type=_number, metavar="N", help="how often each solution is judged (default 1)")
    parser.add_argument("--calibration", type=_number, metavar="N", help="judge also N of the 144 labelled solutions (default 0)")
    parser.add_argument("--limit", type=_number, metavar="N", help="only the first N rows of the manifest")
    parser.add_argument("--retry", default="", metavar="OUTCOMES", help="ask again what ended so, such as truncated")
    parser.add_argument("--dry-run", action="store_true", help="say what would be asked and cannot be judged; ask nothing")


def judge(options: argparse.Namespace) -> int:
    """`geoutils judge`"""
    from geoutils import judge_tables
    from geoutils.errors import UserError
    from geoutils.experiment import experiment_from_dict, load_experiment, shown
    from geoutils.judge import is_open, open_judging, run_judges
    from geoutils.judge_settings import DEFAULT_JUDGE
    from geoutils.judge_solutions import COUNT

    named = experiment_from_dict({"name": options.name}, where="--name")
    experiment = dataclasses.replace(load_experiment(options.experiment), name=named.name) if options.experiment else named
    only = options.manifest == "calibration"
    count = (COUNT if only else 0) if options.calibration is None else options.calibration
    if only and not count:
        raise UserError("--calibration 0 leaves nothing to judge; give a number up to 144")
    judging = open_judging(
        dataclasses.replace(experiment, judge=dataclasses.replace(experiment.judge, manifest=None)),
        models=options.model or experiment.judge.models or [DEFAULT_JUDGE], manifest=None if only else options.manifest, calibration=count,
        protocol=options.protocol, prompt=options.prompt, video=options.video, repeats=options.repeats, limit=options.limit,
    )  # fmt: skip
    retry = [word.strip() for word in options.retry.split(",") if word.strip()]
    verdicts = run_judges(judging, retry=retry, asks=not options.dry_run)
    if options.dry_run:
        opened = sum(map(is_open, verdicts.to_dict("records")))
        verdicts = verdicts[verdicts["outcome"] != "not_run"]
        print(f"{opened} judgements would be asked; the limit of {experiment.name} is {experiment.limits.max_usd:g} USD")
    for row in judge_tables.unjudged(verdicts).head(20).to_dict("records"):
        print(f"{row['id']} ({row['medium'] or 'no medium'}): {row['outcome']}: {' '.join(str(row['why']).split())[:200]}", file=sys.stderr)
    if options.dry_run:
        return 0
    outcomes = judge_tables.outcomes(verdicts)
    print(outcomes[judge_tables.occurring(outcomes)].to_string(index=False))
    print(judge_tables.accuracy(verdicts, by=["subtask", "medium"]).to_string(index=False))
    print(judge_tables.accuracy(verdicts).to_string(index=False))
    for table in (judge_tables.quality(verdicts), judge_tables.consistency(verdicts), judge_tables.corrected(verdicts)):
        if len(table):
            print(table.to_string(index=False))
    print(shown(experiment.data_dir / "verdicts.csv"))
    return 0
