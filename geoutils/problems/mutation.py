"""The mutation test: corrupt the problems and count how many corruptions the proofs notice.

A mutant that means the same (equal canonical conditions, equal question) is left out; a
mutant counts as caught when at least one error is found.  The table by kind is printed by
`python -m geoutils.problems.mutation FILES [--sample N]`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.problems import reading
from geoutils.problems.building import FieldError, Rejected, Variant, build, parse_or_none, with_statements
from geoutils.problems.mutants import Mutant, mutants, with_printed
from geoutils.problems.proofs import load_concepts, spread
from geoutils.problems.proving import prove
from geoutils.problems.records import REPRESENTATIONS, Problem, load_records
from geoutils.problems.rendering import RenderError
from geoutils.problems.variants import Drawn, Stream, draw_variants

if TYPE_CHECKING:
    import pandas as pd

VARIANTS = (0, 2, 3)  # the canonical figure and two with other numbers
CAUGHT, SAME, SURVIVED = "caught", "same meaning", "survived"


@dataclass
class MutationReport:
    """What became of every mutant: (problem, kind, what, result)."""

    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def table(self) -> pd.DataFrame:
        """Per kind and in all: mutants, those of the same meaning, tested, caught, share caught."""
        import pandas as pd

        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for _, kind, _, result in self.rows:
            counts[kind][result] += 1
            counts["all"][result] += 1
        order = [*(kind for kind in counts if kind != "all"), *(["all"] if self.rows else [])]
        made = []
        for kind in order:
            caught, same, survived = (counts[kind][name] for name in (CAUGHT, SAME, SURVIVED))
            tested = caught + survived
            share = caught / tested if tested else float("nan")
            made.append((kind, tested + same, same, tested, caught, share))
        return pd.DataFrame(made, columns=["corruption", "mutants", "same_meaning", "tested", "caught", "share"])

    @property
    def share(self) -> float:
        """The share of tested mutants that were caught."""
        tested = [result for *_, result in self.rows if result != SAME]
        return tested.count(CAUGHT) / len(tested) if tested else 0.0

    def survivors(self) -> list[str]:
        """One line per mutant that nothing noticed."""
        return [f"{name}: {kind}: {what}" for name, kind, what, result in self.rows if result == SURVIVED]

    def markdown(self) -> str:
        """The table as Markdown."""
        lines = ["| corruption | mutants | same meaning | tested | caught | share |", "|---|---|---|---|---|---|"]
        for row in self.table().itertuples(index=False):
            share = "" if row.share != row.share else f"{100 * row.share:.1f} %"
            lines.append(
                f"| {row.corruption} | {row.mutants} | {row.same_meaning} | {row.tested} | {row.caught} | {share} |"
            )
        return "\n".join(lines)


def mutation_test(
    paths: str | Path | Iterable[str | Path],
    *,
    sample: int = 0,
    seed: int = 0,
    jobs: int = 2,
    only: Sequence[str] = (),
    problems: int = 0,
) -> MutationReport:
    """Corrupt every problem and prove again.

    `sample` keeps at most so many mutants of each kind and problem (0 = all), `problems` takes so
    many problems evenly from the files (0 = all), `only` names ids; choices repeat for one `seed`.
    Raises UserError where a problem is not sound to begin with.
    """
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    records, findings = load_records(given)
    if findings:
        raise UserError(findings[0].line())
    if only:
        records = [record for record in records if record.id in only]
    if problems and problems < len(records):
        records = [records[i * len(records) // problems] for i in range(problems)]
    concepts = load_concepts(given)[0]
    report = MutationReport()
    work = partial(_mutate, sample=sample, seed=seed, concepts=concepts)
    for rows in spread(records, work, jobs):
        report.rows += rows
    return report


def _mutate(
    problem: Problem, *, sample: int, seed: int, concepts: Mapping[str, str] | None
) -> list[tuple[str, str, str, str]]:
    drawn = draw_variants(problem, max(VARIANTS) + 1)
    chosen = [variant for variant in drawn.variants if variant.number in VARIANTS]
    sound = prove(problem, drawn=Drawn(chosen, []), concepts=concepts)
    faults = [finding for finding in sound.findings if finding.level == "error" and finding.kind != "answers"]
    if not chosen or faults:
        line = faults[0].line() if faults else f"{problem.id}: no variants"
        raise UserError(f"only sound problems can be tested by mutation: {line}")
    original = {(v.number, rep): _meaning(v, rep) for v in chosen for rep in REPRESENTATIONS}
    rows = []
    for mutant in _sampled(list(mutants(problem, chosen)), sample, Stream(seed, problem.id, "mutants")):
        rows.append((problem.id, mutant.kind, mutant.what, _result(mutant, chosen, original, concepts)))
    return rows + [_truncated(problem, variant) for variant in chosen]


def _truncated(problem: Problem, variant: Variant) -> tuple[str, str, str, str]:
    """The exported decimal cut off instead of rounded: the lint of exported rows must notice."""
    from geoutils.problems import rows, static

    row = rows.variant_rows(variant)[0]
    answer = str(row["answer"])
    cut = variant.answer.decimal(6)[:-3]
    what = f"variant {variant.number}: {row['value']} as {cut}"
    if cut == row["value"]:
        return problem.id, "gold truncated", what, SAME
    made = static.StaticProblem("", 1, problem.id, problem.category, {}, answer, unit=str(row["unit"]), value=cut)
    found = static.lint_static([made], rounded=rows.rounded)
    noticed = any(finding.kind == "rounding" for finding in found)
    return problem.id, "gold truncated", what, CAUGHT if noticed else SURVIVED


def _sampled(every: list[Mutant], sample: int, stream: Stream) -> list[Mutant]:
    if not sample:
        return every
    kinds: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in every:
        kinds[mutant.kind].append(mutant)
    chosen = []
    for group in kinds.values():
        while len(group) > sample:
            group.pop(stream.below(len(group)))
        chosen += group
    return chosen


def _result(
    mutant: Mutant,
    chosen: Sequence[Variant],
    original: Mapping[tuple[int, str], Any],
    concepts: Mapping[str, str] | None,
) -> str:
    """Whether the proofs notice the mutant; the cheap proofs first, the solver only if they do not."""
    made: list[Variant] = []
    for variant in chosen:
        try:
            if mutant.printed is not None:
                made.append(with_printed(variant, mutant))
            else:
                fresh = build(mutant.problem, variant.draw, variant.number, variant.kinds)
                made.append(with_statements(fresh))
        except (FieldError, Rejected, KeyError, ValueError):
            return CAUGHT  # the record no longer yields its own variants
    if mutant.kind in _MEANING and _same(made, original):
        return SAME
    for unique in (False, True):
        proof = prove(mutant.problem, drawn=Drawn(list(made), []), unique=unique, concepts=concepts, figures=0)
        if any(finding.level == "error" and finding.kind != "answers" for finding in proof.findings):
            return CAUGHT
    return SURVIVED


_MEANING = frozenset({
    "sentence dropped", "two names swapped", "one name replaced", "two values swapped", "ratio swapped in a sentence",
    "relation word changed", "question asks something else", "ratio swapped in the question", "another answer",
    "hand-written condition dropped",
})  # fmt: skip


def _same(made: Sequence[Variant], original: Mapping[tuple[int, str], Any]) -> bool:
    """Whether every statement of every variant still means the same."""
    return all(_meaning(v, rep) == original[v.number, rep] for v in made for rep in REPRESENTATIONS)


def _meaning(variant: Variant, rep: str) -> Any:
    """Canonical conditions, asked quantity and answer of a statement; None where it is not read."""
    try:
        made = reading.read(variant, rep)
        asked = reading.question(variant)
    except (ValueError, RenderError):
        return None
    if made.unread or made.stale:
        return ("unread", variant.statements[rep].text)
    return (frozenset(map(_plain, made.conditions)), _plain(asked), variant.answer.text())


def _plain(text: str) -> str:
    from geoutils.problems.expressions import unparse

    node = parse_or_none(text)
    return text if node is None else unparse(node)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutation test and print its table; 0 when at least 95 % are caught."""
    parser = argparse.ArgumentParser(prog="python -m geoutils.problems.mutation", description=main.__doc__)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--id", action="append", default=[])
    parser.add_argument("--sample", type=int, default=0, help="mutants of each kind and problem; 0 = all")
    parser.add_argument("--problems", type=int, default=0, help="problems taken evenly; 0 = all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--survivors", action="store_true", help="list what nothing noticed")
    options = parser.parse_args(arguments)
    try:
        report = mutation_test(
            options.file, sample=options.sample, seed=options.seed, jobs=options.jobs, only=options.id,
            problems=options.problems,
        )  # fmt: skip
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(report.markdown())
    if options.survivors:
        print(*report.survivors(), sep="\n")
    return 0 if report.share >= 0.95 else 1


if __name__ == "__main__":
    from geoutils.problems import mutation

    sys.exit(mutation.main())  # by its full name, so that workers can import what they are given
