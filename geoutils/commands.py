"""What each command does; imports happen inside, so that `geoutils --help` is quick."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import suppress

from geoutils.errors import UserError


def run(options: Namespace) -> int:
    """`geoutils run`"""
    from geoutils.experiment import load_experiment

    experiment = load_experiment(options.experiment)
    if options.dry_run:
        from geoutils.inference import dry_run

        print(dry_run(experiment).to_string(index=False))
        return 0
    if options.shard:
        from geoutils.inference import run_inference

        print(run_inference(experiment, retry=options.retry, shard=options.shard).to_string(index=False))
        return 0
    from geoutils.pipeline import run_experiment

    parameters = {"inference": {"retry": options.retry}} if options.retry else {}
    done = run_experiment(experiment, only=options.only, jobs=options.jobs, force=options.force, parameters=parameters)
    _say(f"report of {done.name} made in {done.seconds:.0f} s:")
    print(done.index)
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def check(options: Namespace) -> int:
    """`geoutils check`"""
    from geoutils.dataset import check as prove

    target = options.paths[0] if len(options.paths) == 1 else options.paths
    summary = prove(
        target,
        jobs=options.jobs,
        variants=options.variants,
        seed=options.seed,
        cache=not options.no_cache,
        only=options.only,
        figures=options.figures,
    )
    print(summary.text())
    return 0 if summary.ok else UserError.exit_code


def export_problems(options: Namespace) -> int:
    """`geoutils export problems`"""
    from geoutils.dataset import problems_table
    from geoutils.problems.export import export_problems as write

    table = problems_table(options.source, variants=options.variants, seed=options.seed, categories=options.categories)
    path = write(table, options.out)
    print(f"{path}: {len(table):,} statements of {table['problem'].nunique()} problems")
    return 0


def export_results(options: Namespace) -> int:
    """`geoutils export raw`, `parsed` and `scores`"""
    from geoutils import exports

    write = {"raw": exports.export_raw, "parsed": exports.export_parsed, "scores": exports.export_scores}
    print(write[options.what](options.experiment, options.out).to_string(index=False))
    return 0


def import_results(options: Namespace) -> int:
    """`geoutils import raw`, `parsed` and `scores`"""
    from geoutils import imports

    if options.what == "scores":
        summary = imports.import_scores(options.source, name=options.name, strategy=options.strategy)
    else:
        take = imports.import_raw if options.what == "raw" else imports.import_parsed
        summary = take(
            options.source,
            name=options.name,
            model=options.model,
            strategy=options.strategy,
            problems=options.problems,
        )
    print(summary.text())
    return 0


def import_variants(options: Namespace) -> int:
    """`geoutils import variants`"""
    from geoutils.variant_tables import import_variants as take

    print(take(options.source, name=options.name, strategy=options.strategy).text())
    return 0


def export_run(options: Namespace) -> int:
    """`geoutils export run`"""
    from geoutils.packing import export_run as pack

    path, files = pack(options.experiment, options.out)
    _say(f"{files} files packed; responses are the models' own words, so look before you publish them")
    print(path)
    return 0


def import_run(options: Namespace) -> int:
    """`geoutils import run`"""
    from geoutils.experiment import shown
    from geoutils.packing import import_run as unpack

    name, experiment, told = unpack(options.file)
    for line in told:
        _say(f"geoutils: {line}")
    _say(f"{name} is here; make its report with: geoutils run {shown(experiment)}")
    print(shown(experiment))
    return 0


def export_batch(options: Namespace) -> int:
    """`geoutils export batch`"""
    from geoutils.batch import export_batch as write
    from geoutils.experiment import load_experiment

    print(write(load_experiment(options.experiment), None, options.out, model=options.model).to_string(index=False))
    return 0


def import_batch(options: Namespace) -> int:
    """`geoutils import batch`"""
    from geoutils.batch import import_batch as take
    from geoutils.experiment import load_experiment

    print(take(load_experiment(options.experiment), None, options.paths).to_string(index=False))
    return 0


def grade(options: Namespace) -> int:
    """`geoutils grade`"""
    from geoutils.grading import grade_stream

    failed = grade_stream(options.file, out=sys.stdout, min_significant=options.min_significant)
    if failed:
        _say(f"geoutils: {failed} line(s) could not be graded; each says why in its place")
    return 0


def regrade(options: Namespace) -> int:
    """`geoutils regrade`"""
    from geoutils.regrade import regrade as again

    done = again(options.experiments, old=options.old, save=options.save, against=options.against)
    print(done.text())
    return 1 if len(done.changed) else 0


def compare(options: Namespace) -> int:
    """`geoutils compare`"""
    from geoutils.compare import write_comparison

    page, sentences = write_comparison(options.before, options.after, out=options.out, match=dict(options.match))
    for sentence in sentences:
        _say(sentence)
    print(page)
    return 0


def power(options: Namespace) -> int:
    """`geoutils power`"""
    from geoutils.power import power_report

    problems, repeats, scores = options.problems, options.repeats, None
    if options.experiment:
        from geoutils.study import open_study

        study = open_study(options.experiment, stage="tabulation", quiet=True)
        plan = study.plan()
        problems = problems or int(plan["problem"].nunique())
        repeats = repeats or int(plan["repeat"].max()) + 1
        with suppress(UserError):  # before a run there are none
            scores = study.scores()
    print(
        power_report(
            problems=problems or 160,
            discordance=options.discordance,
            difference=options.difference,
            repeats=repeats or 1,
            noise_share=options.noise_share,
            tests=options.tests,
            alpha=options.alpha,
            power=options.power,
            scores=scores,
        )
    )
    return 0


def setup_model(options: Namespace) -> int:
    """`geoutils setup-model`"""
    from geoutils.local_server import setup_model as install

    print(install())
    return 0
