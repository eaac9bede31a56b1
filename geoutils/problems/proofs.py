"""`geoutils check`: prove every statement of every problem, in two processes, remembered by content.

A proof is stored under `.cache/proofs/` by the hash of the record, the concepts, the options
and the code that proves, so that an unchanged problem is never proved twice.

For authors: `python -m geoutils.problems.proofs FILE [--id ID] [--show]`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from geoutils.errors import UserError
from geoutils.experiment import work_root
from geoutils.problems import duplicates
from geoutils.problems.proving import Proof, prove
from geoutils.problems.records import REPRESENTATIONS, Finding, Problem, load_records, record_files

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("file", "id", "field", "variant", "representation", "kind", "message", "level")
_GRADERS = (
    "answers", "clauses", "grading", "json_answers", "lexicon", "normalise", "parsing", "reader", "scanning", "spans",
    "values", "written",
)  # fmt: skip


@dataclass
class ProofSummary:
    """What `check` found: counts over all statements and one row per finding."""

    problems: int = 0
    variants: int = 0
    statements: int = 0
    proved: int = 0
    read: int = 0
    by_hand: int = 0
    unread: int = 0
    cached: int = 0
    static: int = 0
    seconds: float = 0.0
    faults: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing but warnings was found."""
        return not any(finding.level == "error" for finding in self.faults)

    @property
    def findings(self) -> pd.DataFrame:
        """One row per finding: file, id, field, variant, representation, kind, message, level."""
        import pandas as pd

        rows = [[getattr(finding, column) for column in COLUMNS] for finding in self.faults]
        table = pd.DataFrame(rows, columns=list(COLUMNS))
        table["variant"] = table["variant"].astype("Int64")
        return table

    @property
    def share_read(self) -> float:
        """The share of sentences that the grammar read by itself."""
        total = self.read + self.by_hand + self.unread
        return self.read / total if total else 0.0

    def text(self, *, limit: int = 200) -> str:
        """The summary and its findings as plain lines."""
        errors = [finding for finding in self.faults if finding.level == "error"]
        lines = [finding.line() for finding in _merged(self.faults)[:limit]]
        if len(_merged(self.faults)) > limit:
            lines.append(f"... and {len(_merged(self.faults)) - limit} more")
        if self.static:
            lines.append(f"{self.static} static problems linted; without a program nothing of them can be proved")
        if self.problems == self.static and self.static:
            return "\n".join([*lines, f"{len(errors)} errors, {len(self.faults) - len(errors)} warnings"])
        lines += [
            f"{self.proved} of {self.statements} statements proved: {self.problems} problems, {self.variants} "
            f"variants, {len(REPRESENTATIONS)} representations",
            f"sentences: {self.read} read by the grammar ({100 * self.share_read:.1f} %), {self.by_hand} with a "
            f"reviewed meaning, {self.unread} unread",
            f"{len(errors)} errors, {len(self.faults) - len(errors)} warnings; {self.seconds:.1f} s, "
            f"{self.cached} of {self.problems} problems unchanged since an earlier proof",
        ]
        return "\n".join(lines)


def _merged(findings: Sequence[Finding]) -> list[Finding]:
    """Findings that differ by variant only, once, with the first variant's message and a count."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        key = (finding.file, finding.id, finding.field, finding.representation, finding.kind)
        groups.setdefault(key, []).append(finding)
    merged = []
    for group in groups.values():
        first = group[0]
        variants = sorted({f.variant for f in group if f.variant is not None})
        more = f" (also in variants {', '.join(map(str, variants[1:]))})" if len(variants) > 1 else ""
        kept = [first] if len(variants) > 1 or len(group) == 1 else group
        merged += [Finding(**{**asdict(f), "message": f.message + more}) for f in kept]
    return merged


# ---------------------------------------------------------------- check


def check(
    paths: str | Path | Iterable[str | Path],
    *,
    variants: int = 11,
    seed: int = 0,
    jobs: int = 2,
    unique: bool = True,
    cache: bool = True,
    concepts: Mapping[str, str] | None = None,
    only: Sequence[str] = (),
    figures: int = 1,
) -> ProofSummary:
    """Prove all problems of the files and folders given.

    Parameters: `variants` proves variants 0 .. variants-1 of the given `seed`; `unique=False`
    leaves the solver out; `figures` counts the variants whose figure is drawn and measured;
    `only` keeps the ids named; `concepts` overrides the controlled list
    (by default `concepts.yaml` beside the files).  Faults are findings in the summary; raises
    UserError only for a missing path or an unknown id in `only`.
    """
    started = time.monotonic()
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    problems, findings = load_records(given)
    if only:
        missing = sorted(set(only) - {p.id for p in problems} - {f.id for f in findings})
        if missing:
            raise UserError(f"{', '.join(map(str, given))}: no problem {', '.join(missing)}")
        problems = [problem for problem in problems if problem.id in only]
        findings = [finding for finding in findings if finding.id in only]
    if concepts is None:
        concepts, bad = load_concepts(given)
        findings += bad
    options = {"variants": variants, "seed": seed, "unique": unique, "concepts": concepts, "figures": figures}
    proofs, cached = _prove_all(problems, options, jobs=jobs, cache=cache)
    for proof in proofs:
        findings += proof.findings
    facts = {proof.id: proof.facts for proof in proofs}
    if seed:  # the published canonical problems are spread by hand; those of a fresh seed fall as they fall
        facts = {name: {**kept, "gold": "", "figure": ()} for name, kept in facts.items()}
    findings += duplicates.lint_set(problems, facts)
    summary = ProofSummary(problems=len(problems), cached=cached, faults=findings)
    for proof in proofs:
        summary.variants += proof.variants
        summary.statements += proof.statements
        for name in ("proved", "read", "by_hand", "unread"):
            setattr(summary, name, getattr(summary, name) + getattr(proof, name))
    summary.seconds = time.monotonic() - started
    return summary


def _prove_all(
    problems: Sequence[Problem], options: Mapping[str, Any], *, jobs: int, cache: bool
) -> tuple[list[Proof], int]:
    done: dict[str, Proof] = {}
    keys = {problem.id: _key(problem, options) for problem in problems} if cache else {}
    for problem in problems:
        stored = _stored(keys[problem.id], problem) if cache else None
        if stored is not None:
            done[problem.id] = stored
    cached = len(done)
    todo = [problem for problem in problems if problem.id not in done]
    for proof in spread(todo, partial(_safe_prove, options=dict(options)), jobs):
        done[proof.id] = proof
        if cache:
            _store(keys[proof.id], proof)
    return [done[problem.id] for problem in problems], cached


def _safe_prove(problem: Problem, options: Mapping[str, Any]) -> Proof:
    """`prove`, with a fault of the program itself turned into a finding that names the problem."""
    try:
        return prove(problem, **options)
    except Exception as error:
        message = f"the proof stopped: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
        return Proof(problem.id, [Finding(problem.file, problem.id, "", "internal", message)])


def spread(problems: Sequence[Problem], work: Any, jobs: int) -> Iterator[Any]:
    """`work` of each problem in order, in processes of one numerical thread where that pays."""
    from geoutils import workers

    return workers.spread(problems, work, 1 if len(problems) < 4 else jobs)


# ---------------------------------------------------------------- cache


@lru_cache(maxsize=1)
def code_hash() -> str:
    """The hash of the code that proves and of the numerical packages it stands on."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    graders = [path for name in _GRADERS if (path := here.parent / f"{name}.py").is_file()]
    for path in sorted([*here.rglob("*.py"), *(here.parent / "exact").rglob("*.py"), *graders]):
        digest.update(path.relative_to(here.parent).as_posix().encode() + path.read_bytes())
    for package in ("numpy", "python-flint"):
        digest.update(f"{package} {version(package)}".encode())
    return digest.hexdigest()


def record_hash(problem: Problem) -> str:
    """The hash of a record's content, wherever it stands in which file."""
    data = {key: value for key, value in asdict(problem).items() if key not in ("file", "line", "source")}
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _key(problem: Problem, options: Mapping[str, Any]) -> str:
    known = options["concepts"]
    tags = None if known is None else {tag: tag in known for tag in problem.concepts}
    parts = [record_hash(problem), {**options, "concepts": tags}, code_hash()]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _folder() -> Path:
    return work_root() / ".cache" / "proofs"


def _stored(key: str, problem: Problem) -> Proof | None:
    try:
        data = json.loads((_folder() / f"{key}.json").read_text(encoding="utf-8"))
        proof = Proof.from_dict(data)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    proof.findings = [Finding(**{**asdict(finding), "file": problem.file}) for finding in proof.findings]
    proof.facts = {name: _tuples(value) for name, value in proof.facts.items()}
    return proof


def _store(key: str, proof: Proof) -> None:
    folder = _folder()
    with contextlib.suppress(OSError):  # a cache that cannot be written is no cache
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{key}.{os.getpid()}.tmp"
        temporary.write_text(json.dumps(proof.to_dict(), ensure_ascii=False), encoding="utf-8")
        temporary.replace(folder / f"{key}.json")


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# ---------------------------------------------------------------- concepts


def load_concepts(paths: Iterable[str | Path]) -> tuple[dict[str, str] | None, list[Finding]]:
    """The controlled list `concepts.yaml` (tag: one-line meaning) beside the problem files; None if absent."""
    folders = {path.parent for path in record_files(list(paths))}
    for folder in sorted(folders):
        path = folder / "concepts.yaml"
        if not path.is_file():
            continue
        try:
            data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        except (yaml.YAMLError, ValueError) as error:
            return {}, [Finding(path.name, "", "", "yaml", f"not YAML: {' '.join(str(error).split())[:200]}")]
        if not isinstance(data, dict) or not all(isinstance(v, str) and v.strip() for v in data.values()):
            return {}, [Finding(path.name, "", "", "concept", "must be a mapping 'tag: one-line meaning'")]
        return {str(key): " ".join(value.split()) for key, value in data.items()}, []
    return None, []


# ---------------------------------------------------------------- the author's tool


def show(problem: Problem, *, variants: int = 11, number: int = 0, seed: int = 0) -> str:
    """A problem as people see it: statements of one variant, the answers of all, the solution."""
    from geoutils.problems import reading
    from geoutils.problems.rendering import RenderError, render_solution
    from geoutils.problems.variants import draw_variants

    drawn = draw_variants(problem, variants, seed=seed)
    if len(drawn.variants) <= number:
        return f"{problem.id}: no variant {number}"
    variant = drawn.variants[number]
    lines = [f"=== {problem.id} · {problem.family} · variant {number}"]
    for rep in REPRESENTATIONS:
        lines += [f"--- {rep}", variant.statements[rep].text]
        try:
            lines += [f"    {condition}" for condition in reading.read(variant, rep).conditions]
        except (RenderError, ImportError) as error:
            lines.append(f"    ({error})")
    answer = variant.answer
    lines += [f"--- answer {answer.text()} = {answer.decimal(3)}", "--- solution"]
    for step in problem.solution:
        try:
            lines.append(f"  {render_solution(step, variant.scope)}")
        except (ValueError, ArithmeticError) as error:
            lines.append(f"  ({error})")
    lines.append("--- variants")
    for other in drawn.variants:
        params = ", ".join(f"{name}={value}" for name, value in other.draw.params.items())
        text = f"{other.answer.text()} = {other.answer.decimal(3)}"
        lines.append(f"  {other.number:2d} {','.join(other.kinds):28s} {text:32s} {params}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The author's command line; 0 without errors, 2 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m geoutils.problems.proofs", description=main.__doc__)
    parser.add_argument("file", nargs="+", help="YAML files of problems, or folders")
    parser.add_argument("--id", action="append", default=[], help="only this problem (may be repeated)")
    parser.add_argument("--show", action="store_true", help="print statements, answers and solution")
    parser.add_argument("--variant", type=int, default=0, help="which variant --show prints")
    parser.add_argument("--variants", type=int, default=11, help="how many variants to prove")
    parser.add_argument("--seed", type=int, default=0, help="0 for the published variants")
    parser.add_argument("--no-unique", action="store_true", help="leave the solver out")
    parser.add_argument("--no-cache", action="store_true", help="prove again what is unchanged")
    parser.add_argument("--figures", type=int, default=1, help="of how many variants the figure is measured")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    try:
        if options.show:
            for problem in load_records(options.file)[0]:
                if not options.id or problem.id in options.id:
                    print(
                        show(problem, variants=options.variants, number=options.variant, seed=options.seed), end="\n\n"
                    )
        summary = check(
            options.file, variants=options.variants, seed=options.seed, jobs=options.jobs, only=options.id,
            unique=not options.no_unique, cache=not options.no_cache, figures=options.figures,
        )  # fmt: skip
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(summary.text())
    return 0 if summary.ok else 2


if __name__ == "__main__":
    from geoutils.problems import proofs

    sys.exit(proofs.main())  # by its full name, so that workers can import what they are given
