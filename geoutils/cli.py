"""The command line: the same functions as the notebooks. Errors are one line, exit code 2 (input) or 1 (run)."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

from geoutils import __version__, cli_concepts
from geoutils.errors import GeoutilsError

QUICKSTART = "data/experiments/quickstart.yaml"
Command = Callable[[argparse.Namespace], int]


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in _names(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers such as 0.1,0.2") from None


def _shard(text: str) -> tuple[int, int]:
    index, slash, total = text.partition("/")
    if not (slash and index.isdigit() and total.isdigit() and 1 <= int(index) <= int(total)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 2/5")
    return int(index), int(total)


def _match(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not (old and equals and new):
        raise argparse.ArgumentTypeError(f"{text!r} is not a pair such as lab/old=lab/new")
    return old, new


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> Any:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")


def _add(group: Any, name: str, command: Command, summary: str, example: str, **more: Any) -> argparse.ArgumentParser:
    parser = group.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **more,
    )
    parser.set_defaults(command=command)
    return parser


def _group(group: Any, name: str, summary: str, example: str) -> Any:
    parser = group.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser.add_subparsers(metavar="WHAT", required=True, parser_class=_Parser)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    from geoutils import cli_cluster, cli_judge
    from geoutils import commands as do

    parser = _Parser(
        prog="geoutils",
        description="Does a language model understand geometry, or only one way of writing it down?",
        epilog="example:\n  geoutils run data/experiments/quickstart.yaml",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"geoutils {__version__}")
    group = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    run = _add(
        group,
        "run",
        do.run,
        "run an experiment and make its report",
        f"geoutils run {QUICKSTART} --only tabulation,flips",
    )
    run.add_argument(
        "experiment", nargs="?", default=QUICKSTART, help="its file, or its name (default: the quickstart)"
    )
    run.add_argument(
        "--only", type=_names, default=[], metavar="STAGES", help="only these stages, such as parsing,scoring"
    )
    run.add_argument("--jobs", type=_positive, default=2, help="notebooks side by side (default 2)")
    run.add_argument("--force", action="store_true", help="execute also what is up to date; no model is asked again")
    run.add_argument(
        "--retry", type=_names, default=[], metavar="OUTCOMES", help="ask again what ended so, such as empty"
    )
    run.add_argument("--dry-run", action="store_true", help="say what would be asked and could cost; ask nothing")
    run.add_argument("--shard", type=_shard, metavar="I/N", help="only ask the I-th of N parts; make no report")

    check = _add(group, "check", do.check, "prove the problems", "geoutils check data/problems/area.yaml --variants 3")
    check.add_argument(
        "paths", nargs="*", default=["data/problems"], help="problem files or folders, or one experiment"
    )
    check.add_argument("--variants", type=_positive, default=11, help="variants of each problem to prove (default 11)")
    check.add_argument("--seed", type=int, help="the seed of the variants (default: the published ones)")
    check.add_argument("--only", type=_names, default=[], metavar="IDS", help="only these problems")
    check.add_argument("--jobs", type=_positive, default=2, help="processes (default 2)")
    check.add_argument("--figures", action="store_true", help="check the figures of every variant that stand for a statement too")
    check.add_argument("--no-cache", action="store_true", help="prove also what was proved before and has not changed")

    _add_grading(group, do)
    _add_exports(group, do)
    _add_imports(group, do)
    cli_cluster.add(group, _add)
    cli_judge.add(group, _add)

    compare = _add(
        group, "compare", do.compare, "say what changed between two runs of the same plan",
        "geoutils compare reports/before reports/after",
    )  # fmt: skip
    compare.add_argument("before", help="the report folder of the first run, or its name")
    compare.add_argument("after", help="the report folder of the second run, or its name")
    compare.add_argument(
        "--match", type=_match, action="append", default=[], metavar="OLD=NEW", help="a model that has a new name"
    )
    compare.add_argument(
        "--out", metavar="DIR", help="the folder of the page (default: comparisons/ beside the second)"
    )

    power = _add(
        group, "power", do.power, "say which differences a design can show",
        "geoutils power --problems 160 --discordance 0.3 --difference 0.1 --tests 33",
    )  # fmt: skip
    power.add_argument(
        "experiment", nargs="?", help="take problems and repeats from it, and the scores if there are any"
    )
    power.add_argument("--problems", type=_positive, help="number of problems (default 160)")
    power.add_argument(
        "--discordance", type=_numbers, default=[0.1, 0.2, 0.3, 0.4], help="shares that differ, such as 0.1,0.3"
    )
    power.add_argument("--difference", type=float, default=0.0, help="the difference of two accuracies to find")
    power.add_argument("--repeats", type=_positive, help="answers to each statement (default 1)")
    power.add_argument(
        "--noise-share", type=float, default=0.0, help="share of the discordance that repeats average away"
    )
    power.add_argument("--tests", type=_positive, default=1, help="tests made together (Bonferroni)")
    power.add_argument("--alpha", type=float, default=0.05, help="probability of a false alarm (default 0.05)")
    power.add_argument("--power", type=float, default=0.8, help="probability of finding it (default 0.8)")

    _add(
        group,
        "setup-model",
        do.setup_model,
        "install the embedded model's file where it is absent",
        "geoutils setup-model",
    )
    return parser


def _add_grading(group: Any, do: Any) -> None:
    grade = _add(
        group, "grade", do.grade, "grade answers given as JSON lines with output and gold",
        "geoutils grade answers.jsonl --min-significant 3",
    )  # fmt: skip
    grade.add_argument("file", nargs="?", default="-", help="the file (default: standard input)")
    grade.add_argument("--min-significant", type=_positive, default=3, help="figures a decimal must show (default 3)")
    regrade = _add(
        group, "regrade", do.regrade, "read stored responses again and list what a changed reader changes",
        "geoutils regrade quickstart --old HEAD~1",
    )  # fmt: skip
    regrade.add_argument("experiments", nargs="*", help="experiments (default: all that have responses)")
    regrade.add_argument("--old", help="a git revision, or a folder with the older package")
    regrade.add_argument("--save", metavar="FILE", help="save the readings of this code")
    regrade.add_argument("--against", metavar="FILE", help="compare with saved readings instead of older code")


def _add_exports(group: Any, do: Any) -> None:
    exports = _group(
        group, "export", "write what others can use", "geoutils export problems problems.jsonl --variants 11"
    )
    problems = _add(
        exports, "problems", do.export_problems, "write every statement as JSON lines",
        "geoutils export problems problems.jsonl --variants 11",
    )  # fmt: skip
    problems.add_argument("out", help="a .jsonl file, or a folder for dataset_specs/dataset.py and problems/exp1/")
    problems.add_argument("--variants", type=_positive, default=1, help="variants of each problem (default 1)")
    problems.add_argument("--seed", type=int, default=0, help="the seed of the variants (default: the published ones)")
    problems.add_argument("--source", default="data/problems", help="the problems' folder or file")
    problems.add_argument("--categories", type=_names, default=[], help="only these, such as length,area")
    for what, summary in (
        ("raw", "write the text of each response as a file"),
        ("parsed", "write the answer read from each response"),
        ("scores", "write the scores tables"),
    ):
        one = _add(exports, what, do.export_results, summary, f"geoutils export {what} quickstart out/{what}")
        one.add_argument("experiment", help="its file, or its name")
        one.add_argument("out", help="the folder to write")
        one.set_defaults(what=what)
    cli_concepts.add_export(exports, _add)
    run = _add(
        exports, "run", do.export_run, "pack an experiment with its responses into one file, without keys",
        "geoutils export run quickstart quickstart.zip",
    )  # fmt: skip
    run.add_argument("experiment", help="its file, or its name")
    run.add_argument("out", help="the file to write, .zip")
    batch = _add(
        exports, "batch", do.export_batch, "write what is still to be asked as batch files of a provider",
        "geoutils export batch mine batches/ --model openai/gpt-4o-mini",
    )  # fmt: skip
    batch.add_argument("experiment", help="its file, or its name")
    batch.add_argument("out", help="the folder to write")
    batch.add_argument("--model", help="only this model")


def _add_imports(group: Any, do: Any) -> None:
    imports = _group(group, "import", "take in existing results", "geoutils import scores results/ --name theirs")
    raw = _add(
        imports, "raw", do.import_results, "take in responses as text files PROBLEM_REPRESENTATION.txt",
        "geoutils import raw outputs/ --name theirs --model gpt --strategy direct",
    )  # fmt: skip
    parsed = _add(
        imports, "parsed", do.import_results, "take in answers that were read already",
        "geoutils import parsed answers/ --name theirs --model gpt",
    )  # fmt: skip
    scores = _add(
        imports, "scores", do.import_results, "take in scores CSVs", "geoutils import scores results/ --name theirs"
    )
    variants = _add(
        imports, "variants", do.import_variants, "take in published result tables with one column a variant",
        "geoutils import variants dynamath/ --name dynamath",
    )  # fmt: skip
    for parser, what in ((raw, "raw"), (parsed, "parsed"), (scores, "scores"), (variants, "variants")):
        parser.add_argument("source", help="the folder or file to take in")
        parser.add_argument("--name", required=True, help="the experiment that they become")
        parser.add_argument("--strategy", default="direct", help="the prompt strategy that was used (default direct)")
        if parser is not variants:
            parser.set_defaults(what=what)
    cli_concepts.add_import(imports, _add)
    run = _add(
        imports, "run", do.import_run, "take in a run that was packed elsewhere", "geoutils import run quickstart.zip"
    )
    run.add_argument("file", help="the packed file")
    batch = _add(
        imports, "batch", do.import_batch, "take in the results of batch files",
        "geoutils import batch mine batches/output.jsonl",
    )  # fmt: skip
    batch.add_argument("experiment", help="its file, or its name")
    batch.add_argument("paths", nargs="+", help="output and error files of the provider, in any order")
    raw.add_argument("--model", required=True, help="the model that answered")
    parsed.add_argument("--model", help="the model that answered, where the files do not say it")
    for parser in (raw, parsed):
        parser.add_argument("--problems", help="the folder with the problems' text files, where they are not ours")


def _stop(*_: Any) -> None:
    """A polite end is treated like Ctrl-C: what runs is ended, what was saved stays."""
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = build_parser().parse_args(arguments)
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, _stop)
    try:
        return options.command(options)
    except GeoutilsError as error:
        print(f"geoutils: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("geoutils: stopped; what was saved stays, the same command goes on from there", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"geoutils: {where}{error.strerror or error}", file=sys.stderr)
        return 1
    except Exception as error:
        if os.environ.get("GEOUTILS_DEBUG"):
            raise
        message = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"geoutils: unexpected {message:.500}; GEOUTILS_DEBUG=1 shows where", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
