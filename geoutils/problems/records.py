"""Problems as data: read YAML records, refuse what is not a record, keep going.

A record is one problem (see docs/writing-problems.md).  Reading never stops at the
first fault: every fault becomes a `Finding` that names file, id, field and reason,
and the remaining records are read as usual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from geoutils.errors import UserError
from geoutils.problems.record_fields import Bad, Fields, Sentence

REPRESENTATIONS = ("coord", "euclid", "vector")
CATEGORIES = ("length", "area", "angle", "ratio")
DIFFICULTIES = ("easy", "medium", "hard")
MOTIONS = ("lattice", "axis", "fixed")
FIGURE_KEYS = (
    "segments", "dashed", "lines", "circles", "arcs", "right", "angles", "fill", "labels", "ellipses",
    "faces", "view",
)  # fmt: skip
MAX_FILE_BYTES = 2_000_000

_REQUIRED = (
    "id", "category", "difficulty", "family", "concepts", "points", "names", "question", "answer",
    "coord", "euclid", "vector", "check", "solution", "figure",
)  # fmt: skip
_OPTIONAL = ("params", "where", "canonical", "hidden", "let", "motion")
_ID = re.compile(r"(length|area|angle|ratio)_(easy|medium|hard)_(\d{2,3})")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}")
_POINT = re.compile(r"[A-Z][0-9]?")
_VALUE = re.compile(r"[a-z][A-Za-z0-9_]{0,15}|[A-Z][A-Za-z0-9_]{0,15}")
RESERVED = frozenset({"pi", "answer", "scale", "not", "and", "or"})


@dataclass(frozen=True)
class Finding:
    """One fault: where (file, id, field, variant, representation), which kind, and why.

    `level` is "error" (the check fails) or "warning" (an author should look).
    """

    file: str
    id: str
    field: str
    kind: str
    message: str
    variant: int | None = None
    representation: str = ""
    level: str = "error"

    def line(self) -> str:
        where = [self.file, self.id, self.field]
        if self.variant is not None:
            where.append(f"variant {self.variant}")
        if self.representation:
            where.append(self.representation)
        mark = "" if self.level == "error" else f" ({self.level})"
        return f"{': '.join(part for part in where if part)}: {self.message} [{self.kind}]{mark}"


@dataclass(frozen=True)
class Problem:
    """One record: a small program that makes statements, answer, solution and figure."""

    file: str
    line: int
    id: str
    category: str
    difficulty: str
    family: str
    concepts: tuple[str, ...]
    params: Mapping[str, tuple[int, ...]]
    where: tuple[str, ...]
    canonical: Mapping[str, int]
    points: Mapping[str, str]
    hidden: tuple[str, ...]
    let: Mapping[str, str]
    point_names: tuple[str, ...]
    vector_names: tuple[str, ...]
    motion: str
    scales: tuple[int, ...]
    question: Sentence
    answer: str
    statements: Mapping[str, tuple[Sentence, ...]]
    check: Mapping[str, str]
    solution: tuple[str, ...]
    figure: Mapping[str, tuple[str, ...]]
    source: str = field(default="", repr=False)

    @property
    def visible(self) -> tuple[str, ...]:
        """The points that statements may name, in order."""
        return tuple(name for name in self.points if name not in self.hidden)


def load_records(paths: str | Path | Iterable[str | Path]) -> tuple[list[Problem], list[Finding]]:
    """Read every record of the files and folders given.

    A folder means all its `*.yaml` files except `concepts.yaml`.  Returns the problems that
    could be read, in file order, and one finding per fault.  Raises `UserError` only when a
    path does not exist or no YAML file is there at all.
    """
    problems: list[Problem] = []
    findings: list[Finding] = []
    seen: dict[str, str] = {}
    for path in record_files(paths):
        good, bad = read_file(path)
        findings += bad
        for problem in good:
            if problem.id in seen:
                reason = f"the id occurs a second time (line {problem.line}); first in {seen[problem.id]}"
                findings.append(Finding(problem.file, problem.id, "id", "duplicate-id", reason))
                continue
            seen[problem.id] = f"{problem.file} line {problem.line}"
            problems.append(problem)
    return problems, findings


def record_files(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """The YAML files behind files and folders, sorted; `UserError` if a path is missing."""
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    files: list[Path] = []
    for item in map(Path, given):
        if item.is_dir():
            inside = sorted(p for p in item.glob("*.y*ml") if p.name not in ("concepts.yaml", "concepts.yml"))
            if not inside:
                raise UserError(f"{item}: holds no problem files (*.yaml); add one or name another folder")
            files += inside
        elif item.is_file():
            files.append(item)
        else:
            raise UserError(f"{item}: no such file or folder; name a YAML file of problems or a folder of them")
    return files


def read_file(path: Path) -> tuple[list[Problem], list[Finding]]:
    """Read one YAML file of records; faults become findings and the rest is still read."""
    name = path.name
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        return [], [Finding(name, "", "", "yaml", f"{size} bytes; a problem file holds at most {MAX_FILE_BYTES}")]
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return [], [Finding(name, "", "", "yaml", f"not UTF-8 at byte {error.start}; save the file as UTF-8")]
    return read_text(text, name)


def read_text(text: str, file: str = "<text>") -> tuple[list[Problem], list[Finding]]:
    """Read records from YAML text (see `read_file`)."""
    problems: list[Problem] = []
    findings: list[Finding] = []
    for start, chunk, node, fault in _documents(text):
        if fault:
            guess = re.search(r"^\W*id:\s*([\w-]+)", chunk, re.M)
            findings.append(Finding(file, guess.group(1) if guess else "", "", "yaml", fault))
            continue
        if not isinstance(node, yaml.SequenceNode):
            findings.append(
                Finding(file, "", "", "yaml", "a problem file is a list of records, each starting with '- id:'")
            )
            continue
        lines = chunk.splitlines()
        for item in node.value:
            line = start + item.start_mark.line + 1
            source = "\n".join(lines[item.start_mark.line : item.end_mark.line + 1])
            problem, bad = _record(item, file, line, source)
            findings += bad
            if problem is not None:
                problems.append(problem)
    return problems, findings


def _documents(text: str) -> list[tuple[int, str, Any, str]]:
    """(first line, text, node, fault): one item if the text parses, else one per top-level record."""
    try:
        node = yaml.compose(text, Loader=yaml.CBaseLoader)
        return [(0, text, node, "")] if node is not None else [(0, text, None, "the file holds no record")]
    except (yaml.YAMLError, ValueError) as error:
        whole = str(error)
    starts = [match.start() for match in re.finditer(r"^- ", text, re.M)]
    if len(starts) < 2:
        return [(0, text, None, _yaml_fault(whole))]
    items = []
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        chunk, first = text[begin:end], text.count("\n", 0, begin)
        try:
            items.append((first, chunk, yaml.compose(chunk, Loader=yaml.CBaseLoader), ""))
        except (yaml.YAMLError, ValueError) as error:
            items.append((first, chunk, None, _yaml_fault(str(error), first)))
    return items


def _yaml_fault(message: str, first: int = 0) -> str:
    """One line of a YAML error, its line numbers counted in the file."""
    flat = " ".join(message.replace('in "<unicode string>",', "at").split())
    flat = re.sub(r"line (\d+)", lambda m: f"line {int(m.group(1)) + first}", flat)
    return f"not YAML: {flat[:240]} (a text that holds ': ' or starts with a quote needs double quotes)"


def _plain(node: Any, where: str, bad: list[Bad], seen: set[int]) -> Any:
    """Nodes to str, list and dict; duplicate keys and aliases are reported, the first key is kept."""
    if id(node) in seen:
        raise Bad(where, "YAML anchors and aliases are not supported; write the text out", "yaml")
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, f"{where}[{i}]", bad, seen) for i, child in enumerate(node.value)]
    result: dict[str, Any] = {}
    for key, child in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise Bad(where, "a key must be a word", "yaml")
        name = str(key.value)
        inner = f"{where}.{name}" if where else name
        if name in result:
            bad.append(Bad(inner, f"key {name!r} is given twice; the first one counts", "duplicate-key"))
            continue
        result[name] = _plain(child, inner, bad, seen)
    return result


def _record(node: Any, file: str, line: int, source: str) -> tuple[Problem | None, list[Finding]]:
    bad: list[Bad] = []
    problem, name = None, ""
    try:
        data = _plain(node, "", bad, set())
        if not isinstance(data, dict):
            raise Bad("", "a record is a mapping that starts with 'id:'")
        name = data["id"] if isinstance(data.get("id"), str) else ""
        problem = _build(data, file, line, source, bad)
    except Bad as error:
        bad.append(error)
    label = name or f"record at line {line}"
    findings = [Finding(file, label, error.where, error.kind, error.reason) for error in bad]
    return (problem if not bad else None), findings


def _build(data: dict[str, Any], file: str, line: int, source: str, bad: list[Bad]) -> Problem | None:
    """Check every field, collect all faults, and build the problem when there is none."""
    for key in data:
        if key not in _REQUIRED and key not in _OPTIONAL:
            bad.append(Bad(key, f"unknown field; fields are {', '.join(_REQUIRED + _OPTIONAL)}"))
    missing = [key for key in _REQUIRED if key not in data]
    if missing:
        bad.append(Bad(", ".join(missing), "missing"))
        return None
    get = Fields(data, bad)
    name = get.word("id", _ID, "must look like length_medium_07")
    category = get.choice("category", CATEGORIES)
    difficulty = get.choice("difficulty", DIFFICULTIES)
    match = _ID.fullmatch(name)
    if match and (match.group(1), match.group(2)) != (category, difficulty) and category and difficulty:
        bad.append(Bad("id", f"says {match.group(1)}, {match.group(2)}; the fields say {category}, {difficulty}"))
    params = {key: get.integers(f"params.{key}", value) for key, value in get.mapping("params").items()}
    canonical = {key: get.integer(f"canonical.{key}", value) for key, value in get.mapping("canonical").items()}
    if set(params) != set(canonical):
        odd = ", ".join(sorted(set(params) ^ set(canonical)))
        bad.append(Bad("canonical", f"must give exactly one value for each parameter; differs in {odd}"))
    for key, value in canonical.items():
        if key in params and value not in params[key]:
            bad.append(Bad(f"canonical.{key}", f"{value} is not in the parameter's list {list(params[key])}"))
    points = get.expressions("points", _POINT, "a point is one capital letter, perhaps with a digit")
    let = get.expressions("let", _VALUE, "a value's name is a word")
    hidden = get.strings("hidden")
    bad.extend(Bad("hidden", f"{point!r} is not among points") for point in hidden if point not in points)
    taken: dict[str, str] = {}
    for group, keys in (("params", params), ("points", points), ("let", let)):
        for key in keys:
            if key in RESERVED or not _WORD.fullmatch(key):
                bad.append(Bad(f"{group}.{key}", f"{key!r} cannot be used as a name"))
            if key in taken:
                bad.append(Bad(f"{group}.{key}", f"the name {key!r} is already used in {taken[key]}"))
            taken[key] = group
    visible = [point for point in points if point not in hidden]
    point_names, vector_names = _names(get, len(visible), len(points))
    motion, scales = _motion(get)
    problem = Problem(
        file=file, line=line, id=name, category=category, difficulty=difficulty, family=get.text("family"),
        concepts=get.strings("concepts"), params=params, where=get.strings("where"), canonical=canonical,
        points=points, hidden=hidden, let=let, point_names=point_names, vector_names=vector_names,
        motion=motion, scales=scales, question=get.sentence("question", data.get("question", "")),
        answer=get.text("answer"),
        statements={rep: get.sentences(rep) for rep in REPRESENTATIONS},
        check=_checks(get), solution=get.strings("solution"), figure=_figure(get), source=source,
    )  # fmt: skip
    return problem if not bad else None


def _names(get: Fields, visible: int, every: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = get.mapping("names")
    for key in names:
        if key not in ("points", "vectors"):
            get.bad.append(Bad(f"names.{key}", "unknown; names has points and vectors"))
    points = get.strings("names.points", names.get("points", []))
    for item in points:
        if len(item) not in (visible, every) or len(set(item)) != len(item) or not re.fullmatch(r"[A-Z]+", item):
            need = f"{visible} different capital letters, one for each visible point"
            get.bad.append(Bad("names.points", f"{item!r} must be {need}"))
    if len(set(points)) != len(points):
        get.bad.append(Bad("names.points", "a tuple is given twice"))
    if len(points) < 3:
        get.bad.append(
            Bad("names.points", f"{len(points)} tuples; give at least 3 (5 are better), the first for variant 0")
        )
    vectors = get.strings("names.vectors", names.get("vectors", []))
    for item in vectors:
        if not re.fullmatch(r"[a-z]+", item) or len(set(item)) != len(item) or len(item) != len(vectors[0]):
            get.bad.append(
                Bad("names.vectors", f"{item!r} must be different small letters, as many as in {vectors[0]!r}")
            )
    return points, vectors


def _motion(get: Fields) -> tuple[str, tuple[int, ...]]:
    motion = get.mapping("motion")
    for key in motion:
        if key not in ("kind", "scales"):
            get.bad.append(Bad(f"motion.{key}", "unknown; motion has kind and scales"))
    kind = motion.get("kind", "lattice")
    if kind not in MOTIONS:
        get.bad.append(Bad("motion.kind", f"{kind!r}; one of {', '.join(MOTIONS)}"))
    scales = get.integers("motion.scales", motion["scales"]) if "scales" in motion else (1,)
    if any(scale < 1 or scale > 20 for scale in scales) or 1 not in scales:
        get.bad.append(Bad("motion.scales", f"{list(scales)}; whole numbers from 1 to 20, with 1 among them"))
    return str(kind), scales


def _checks(get: Fields) -> dict[str, str]:
    checks = get.mapping("check")
    for key in REPRESENTATIONS:
        if key not in checks:
            get.bad.append(Bad(f"check.{key}", "the expression is missing"))
    for key, value in checks.items():
        if key not in REPRESENTATIONS or not isinstance(value, str):
            get.bad.append(Bad(f"check.{key}", "must be one expression for each of coord, euclid, vector"))
    return {key: str(value) for key, value in checks.items()}


def _figure(get: Fields) -> dict[str, tuple[str, ...]]:
    figure = {}
    for key, value in get.mapping("figure").items():
        if key not in FIGURE_KEYS:
            get.bad.append(Bad(f"figure.{key}", f"unknown; one of {', '.join(FIGURE_KEYS)}"))
        figure[key] = get.strings(f"figure.{key}", value)
    return figure
