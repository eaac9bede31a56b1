"""The one door to the problems: load them for an experiment, prove them, export them, draw them.

Everything behind it lives in `geoutils.problems`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment, limit_problems, load_experiment, project_root, shown
from geoutils.problems import rows as _rows
from geoutils.problems.proofs import ProofSummary
from geoutils.problems.proofs import check as _check
from geoutils.problems.records import REPRESENTATIONS, Finding, Problem, load_records
from geoutils.problems.static import SUFFIXES, lint_static, load_static
from geoutils.problems.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.problems.figures import Drawing
    from geoutils.problems.labelled import Labelled

COLUMNS = (
    "problem", "category", "difficulty", "family", "variant", "representation", "statement", "answer",
    "value", "unit", "solution", "concepts", "kinds", "dataset_sha256",
)  # fmt: skip
PROBLEMS = "data/problems"
FIGURE = "figure"
TYPED = ("question_type", "choices")  # columns of a source that holds multiple choices


def load_problems(experiment: Experiment | str | Path) -> pd.DataFrame:
    """The problems table of an experiment: one row per problem, variant and representation.

    Columns as in `COLUMNS`: `answer` is an exact closed form in ASCII (angles: degrees or an arc
    function), `value` the decimal of three places rounded half up, `unit` is `degrees` or empty,
    `kinds` says what a variant changes ("numbers,motion,names"; "canonical" for variant 0). Where `figure` is among
    the representations, its rows hold the short text that goes with the picture, whose file (in the experiment's data
    folder, drawn where it is not there yet) and hash are in the further columns `image` and `image_sha256`.
    Raises UserError naming file, id and reason where a record of the source cannot be used.
    """
    chosen = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
    given: dict[str, Any] = {"seed": chosen.problems.seed, "categories": chosen.problems.categories}
    table = problems_table(chosen.source, **given)
    drawn = FIGURE in chosen.representations
    if drawn and is_static(chosen.source):
        raise UserError(f"representation figure: {shown(chosen.source)} holds static problems, whose figures cannot be drawn")
    written = [name for name in chosen.representations if name != FIGURE]
    absent = [name for name in written if name not in set(table["representation"])]
    if absent:
        raise UserError(f"representation {absent[0]}: {shown(chosen.source)} has no statements of it; only imported results do")
    wanted: dict[str, int] = {}
    for part in chosen.resolved_parts:
        for name in limit_problems(table, part.limit_per_category or 0)["problem"].unique():
            wanted[name] = max(wanted.get(name, 1), part.variants or 1)
    table = limit_problems(table, chosen.limit_per_category)
    table = _with_variants(table, chosen, wanted, given)
    if drawn:
        table = _with_figures(table, chosen, wanted)
    return table[table["representation"].isin(chosen.representations)].reset_index(drop=True)


def _with_figures(table: pd.DataFrame, chosen: Experiment, wanted: Mapping[str, int]) -> pd.DataFrame:
    """The rows with one more for each problem and variant: the short text and the picture that stand for its statement.

    Columns `image` (the file, relative to the experiment's data folder) and `image_sha256` are blank for the others.
    """
    import pandas as pd

    from geoutils.problems.figure_rows import figure_rows

    names = set(table["problem"])
    problems = [item for item in load_records(chosen.source)[0] if item.id in names]
    counts = {name: max(wanted.get(name, 1), 1) for name in names}
    made = figure_rows(problems, counts, seed=chosen.problems.seed, folder=chosen.data_dir)
    table = table.reset_index(drop=True)
    last = table.drop_duplicates(["problem", "variant"], keep="last")
    keys = list(zip(last["problem"], last["variant"], strict=True))
    rows = last.assign(
        representation=FIGURE, **{name: [made[key][name] for key in keys] for name in ("statement", "image", "image_sha256")}
    )
    return pd.concat([table.assign(image="", image_sha256=""), rows]).sort_index(kind="stable")


def _with_variants(table: pd.DataFrame, chosen: Experiment, wanted: dict[str, int], given: dict[str, Any]) -> pd.DataFrame:
    """The canonical rows with those of the further variants, drawn only for the problems that a part asks them of."""
    import pandas as pd

    if is_static(chosen.source) or max(wanted.values(), default=1) == 1:
        return table
    pieces = [table]
    for variants in sorted(set(wanted.values()) - {1}):
        names = [name for name, number in wanted.items() if number == variants]
        drawn = problems_table(chosen.source, variants=variants, only=names, **given)
        pieces.append(drawn[drawn["variant"] > 0])
    order = {name: place for place, name in enumerate(table["problem"].unique())}
    out = pd.concat(pieces, ignore_index=True)
    out["dataset_sha256"] = table["dataset_sha256"].iloc[0]  # that of the whole set, not of the problems drawn
    place = out["problem"].map(order)
    return out.assign(place=place).sort_values(["place", "variant"], kind="stable").drop(columns="place")


def problems_table(
    source: str | Path = PROBLEMS,
    *,
    variants: int = 1,
    seed: int = 0,
    categories: Sequence[str] = (),
    only: Sequence[str] = (),
    jobs: int = 2,
) -> pd.DataFrame:
    """The problems table of a folder or file, whatever its format (see `load_problems`).

    `only` draws these problems alone; the hash is then that of these.
    """
    import pandas as pd

    path = _source(source)
    if is_static(path):
        given, findings = load_static(path)
        _refuse(path, findings)
        made = [row for problem in given for row in _rows.static_rows(problem)]
        digest = _digest([[r["problem"], r["representation"], r["statement"], r["answer"]] for r in made])
    else:
        problems, findings = load_records(path)
        _refuse(path, findings)
        problems = [item for item in problems if item.id in only] if only else problems
        made, digest = _rows.all_rows(problems, variants=variants, seed=seed, jobs=jobs)
    typed = any(row.get("question_type", "free form") != "free form" for row in made)
    table = pd.DataFrame(made, columns=[*(c for c in COLUMNS if c != "dataset_sha256"), *(TYPED if typed else ())])
    table["dataset_sha256"] = digest
    if categories:
        table = table[table["category"].isin(categories)]
    if table.empty:
        raise UserError(f"{shown(path)}: no problem of {', '.join(categories) or 'any category'}")
    return table.reset_index(drop=True)


def check(
    target: str | Path | Experiment | Iterable[str | Path] = PROBLEMS,
    *,
    jobs: int = 2,
    variants: int = 11,
    seed: int | None = None,
    unique: bool = True,
    cache: bool = True,
    only: Sequence[str] = (),
    figures: bool = False,
) -> ProofSummary:
    """Prove problem files, folders, or the problems of an experiment (an object or its .yaml file).

    With `figures` the figures that stand for statements are checked too, of every variant, where otherwise those of
    the canonical problems are. Static problems (.py, .jsonl, .json, .csv) are linted: nothing of them can be proved.
    """
    chosen = _experiment(target)
    if chosen is not None:
        paths: list[Path] = [chosen.source]
        variants, seed = max(variants, chosen.max_variants), chosen.problems.seed if seed is None else seed
    else:
        given = [target] if isinstance(target, (str, Path)) else list(target)  # type: ignore[arg-type]
        paths = [_source(item) for item in given]
    static = [path for path in paths if is_static(path)]
    records = [path for path in paths if not is_static(path)]
    summary = ProofSummary()
    if records:
        summary = _check(
            records, variants=variants, seed=seed or 0, jobs=jobs, unique=unique, cache=cache, only=only
        )  # fmt: skip
    if figures:
        from geoutils.problems.figure_rows import check_figures

        for path in records:
            chosen_records = [item for item in load_records(path)[0] if not only or item.id in only]
            summary.faults += check_figures(chosen_records, variants=variants, seed=seed or 0, jobs=jobs)
    for path in static:
        problems, findings = static_findings(path)
        summary.faults += findings
        summary.problems += len(problems)
        summary.static += len(problems)
    return summary


def static_findings(path: str | Path) -> tuple[list[Any], list[Finding]]:
    """The static problems of a file and every lint that needs no program."""
    problems, findings = load_static(_source(path))
    return problems, findings + lint_static(problems, readable=_rows.readable, rounded=_rows.rounded)


def findings_table(findings: Iterable[Finding]) -> pd.DataFrame:
    """Findings as a table: file, id, field, variant, representation, kind, message, level."""
    return ProofSummary(faults=list(findings)).findings


def is_static(path: Path) -> bool:
    """Whether a path holds static problems rather than YAML records."""
    return path.suffix in SUFFIXES


def problem(name: str, source: str | Path = PROBLEMS) -> Problem:
    """One record by its id; UserError where there is none."""
    problems, _ = load_records(_source(source))
    for item in problems:
        if item.id == name:
            return item
    raise UserError(f"{source}: no problem {name}")


def figure(name: str, *, variant: int = 0, seed: int = 0, source: str | Path = PROBLEMS, colours: int = 0) -> Drawing:
    """The figure of one problem's variant, drawn from its own points (see `figures.draw`)."""
    from geoutils.problems.variants import draw_variants

    drawn = draw_variants(problem(name, source), variant + 1, seed=seed)
    if len(drawn.variants) <= variant:
        raise UserError(f"{name}: no variant {variant}; {'; '.join(f.message for f in drawn.findings)}")
    return draw_variant(drawn.variants[variant], colours=colours)


def figure_or_none(name: str, *, variant: int = 0, seed: int = 0, source: str | Path = PROBLEMS) -> Drawing | None:
    """The figure, or None where the problem is static or its figure cannot be drawn."""
    if is_static(_source(source)):
        return None
    try:
        return figure(name, variant=variant, seed=seed, source=source)
    except ValueError:
        return None


def labelled_figure(name: str, *, variant: int = 0, seed: int = 0, source: str | Path = PROBLEMS) -> Labelled | None:
    """The figure with its givens that stands for the statement of one variant; None for a static problem."""
    from geoutils.problems.labelled import label
    from geoutils.problems.variants import draw_variants

    if is_static(_source(source)):
        return None
    drawn = draw_variants(problem(name, source), variant + 1, seed=seed)
    return label(drawn.variants[variant]) if len(drawn.variants) > variant else None


def draw_variant(variant: Variant, *, colours: int = 0) -> Drawing:
    """The figure of a variant that is already drawn."""
    from geoutils.problems import figures
    from geoutils.problems.floats import to_float

    points = {point: to_float(place) for point, place in variant.points.items()}
    values = {key: value for key, value in variant.scope.values.items() if key not in points}
    return figures.draw(points, variant.problem.figure, names=variant.names, values=values, colours=colours)


def concepts(source: str | Path = PROBLEMS) -> dict[str, str]:
    """The controlled list of concept tags: tag to one-line meaning."""
    from geoutils.problems.proofs import load_concepts

    return load_concepts([_source(source)])[0] or {}


def _source(path: str | Path) -> Path:
    given = Path(path)
    if given.is_absolute() or given.exists():
        return given
    inside = project_root() / given
    if inside.exists():
        return inside
    raise UserError(f"{path}: no such file or folder of problems")


def _experiment(target: Any) -> Experiment | None:
    """The experiment a target stands for, if it is one (an object, or a YAML mapping with a name)."""
    if isinstance(target, Experiment):
        return target
    if not isinstance(target, (str, Path)):
        return None
    path = Path(target)
    if path.suffix not in (".yaml", ".yml"):
        return None
    try:
        head = _source(path).read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError:
        return None
    return load_experiment(path) if any(line.startswith("name:") for line in head.splitlines()) else None


def _refuse(path: Path, findings: Sequence[Finding]) -> None:
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        more = f" (and {len(errors) - 1} more; `geoutils check {shown(path)}` lists them)" if len(errors) > 1 else ""
        raise UserError(f"{errors[0].line()}{more}")


def _digest(lines: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(json.dumps(line, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def summary_counts(table: pd.DataFrame) -> Mapping[str, Any]:
    """`dataset` of results.json: problems, statements and the content hash."""
    return {
        "problems": int(table["problem"].nunique()),
        "statements": len(table),
        "sha256": str(table["dataset_sha256"].iloc[0]) if len(table) else "",
    }


__all__ = [
    "COLUMNS",
    "REPRESENTATIONS",
    "ProofSummary",
    "check",
    "concepts",
    "draw_variant",
    "figure",
    "figure_or_none",
    "findings_table",
    "is_static",
    "labelled_figure",
    "load_problems",
    "problem",
    "problems_table",
    "static_findings",
    "summary_counts",
]
