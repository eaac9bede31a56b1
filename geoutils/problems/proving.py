"""The proofs of one problem, for every variant and representation.

(a) the printed text is read back, and its sentences and question by the grammar;
(b) the figure meets every condition read, exactly, and the question is the answer;
(c) the representation's `check`, over nothing but what was read back, equals the answer exactly;
(d) no other figure that meets the conditions gives another answer (the solver).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from geoutils.exact import EXACT
from geoutils.problems import duplicates, expressions, lints, reading, soundness
from geoutils.problems.building import MARGIN, FieldError, Variant, evaluate, parse, parse_or_none
from geoutils.problems.floats import FLOAT, to_float
from geoutils.problems.records import REPRESENTATIONS, Finding, Problem
from geoutils.problems.rendering import RenderError, placeholders, read_back, same_value
from geoutils.problems.soundness import ARITHMETIC
from geoutils.problems.variants import Drawn, draw_variants


@dataclass
class Proof:
    """What was proved of one problem; `facts` feed the lints over the whole set."""

    id: str
    findings: list[Finding] = field(default_factory=list)
    variants: int = 0
    proved: int = 0
    read: int = 0
    by_hand: int = 0
    unread: int = 0
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def statements(self) -> int:
        return 3 * self.variants

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "findings": [asdict(finding) for finding in self.findings]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Proof:
        return cls(**{**data, "findings": [Finding(**finding) for finding in data["findings"]]})


def prove(
    problem: Problem,
    *,
    variants: int = 11,
    seed: int = 0,
    unique: bool = True,
    concepts: Mapping[str, str] | None = None,
    drawn: Drawn | None = None,
    lint: bool = True,
    figures: int = 1,
) -> Proof:
    """Draw the variants and prove every statement; every fault is a finding, nothing is raised.

    `figures` says of how many variants the figure is drawn and its letters measured.
    """
    proof = Proof(problem.id)
    add = proof.findings.extend
    add(expression_findings(problem))
    if proof.findings:
        return proof
    if drawn is None:
        try:
            drawn = draw_variants(problem, variants, seed=seed)
        except FieldError as error:
            add([_finding(problem, error.where, "expression", str(error))])
            return proof
    add(drawn.findings)
    if not drawn.variants:
        return proof
    proof.variants = len(drawn.variants)
    broken: set[tuple[int, str]] = set()
    readings = {
        (variant.number, rep): _statement(problem, variant, rep, proof, broken)
        for variant in drawn.variants
        for rep in REPRESENTATIONS
    }
    asked = _question(problem, drawn.variants, proof, broken)
    if unique and asked:
        for rep in REPRESENTATIONS:
            add(_unique(problem, drawn.variants, rep, readings, asked, broken))
    canonical = drawn.variants[0]
    if lint:
        add(lints.lint_record(problem, canonical, concepts))
        for variant in drawn.variants:
            add(lints.lint_variant(variant))
            add(soundness.solution(problem, variant))
        add(lints.lint_answers(problem, drawn.variants))
        add(soundness.domain(problem, drawn, canonical))
        add(soundness.golds(problem, drawn.variants))
        add(soundness.figures(problem, drawn.variants[:figures]))
        proof.facts = {
            "figure": duplicates.figure_key(canonical),
            "idea": duplicates.idea_key(_conditions(readings[canonical.number, "euclid"]), asked or problem.answer),
            "gold": canonical.answer.text(),
        }
    proof.proved = proof.statements - len(broken)
    return proof


def _finding(
    problem: Problem, where: str, kind: str, message: str, variant: int | None = None, rep: str = ""
) -> Finding:
    return Finding(problem.file, problem.id, where, kind, message, variant, rep)


# ---------------------------------------------------------------- expressions of a record


def expression_findings(problem: Problem) -> Iterator[Finding]:
    """Every expression must parse, call known functions and use names that exist at that place."""
    params = set(problem.params)
    known: set[str] = set(params)
    for name, text in problem.points.items():
        yield from _expression(problem, f"points.{name}", text, known)
        known.add(name)
    known.add("scale")
    for name, text in problem.let.items():
        yield from _expression(problem, f"let.{name}", text, known)
        known.add(name)
    yield from _expression(problem, "answer", problem.answer, set(problem.points))
    for i, text in enumerate(problem.where):
        yield from _expression(problem, f"where[{i}]", text, known | {"answer"})
    for rep in REPRESENTATIONS:
        yield from _expression(problem, f"check.{rep}", problem.check[rep], known)
        for i, sentence in enumerate(problem.statements[rep]):
            for j, text in enumerate(sentence.means):
                plain = reading.PLACEHOLDER.sub("1", text)
                yield from _expression(problem, f"{rep}[{i}].means[{j}]", plain, set(problem.points))
    for i, step in enumerate(problem.solution):
        for key in placeholders(step):
            plain = key.removesuffix(".dec").removesuffix(".xyz").removesuffix(".xy")
            yield from _expression(problem, f"solution[{i}]", plain, known | {"answer"})


def _expression(problem: Problem, where: str, text: str, known: set[str]) -> Iterator[Finding]:
    try:
        node = parse(text)
    except (ValueError, OverflowError) as error:
        yield _finding(problem, where, "expression", f"{text!r}: {error}")
        return
    unknown = sorted(expressions.names(node) - known - {"pi"})
    if unknown:
        yield _finding(problem, where, "expression", f"unknown name {', '.join(unknown)} in {text!r}")


# ---------------------------------------------------------------- one statement


def _statement(
    problem: Problem, variant: Variant, rep: str, proof: Proof, broken: set[tuple[int, str]]
) -> reading.Reading | None:
    """Read one statement back, prove its check and its conditions; the reading, if it is fit for the solver."""
    before = len(proof.findings)
    number = variant.number
    made: reading.Reading | None = None

    def fault(where: str, kind: str, message: str) -> None:
        proof.findings.append(_finding(problem, where, kind, message, number, rep))

    try:
        shown = read_back(variant.statements[rep])
        for name, value in shown.items():
            if not same_value(value, variant.scope.values[name]):
                fault(rep, "read-back", f"<{name}> does not read back as the figure's value")
        _check(problem, variant, rep, shown, fault)
    except RenderError as error:
        fault(rep, "read-back", str(error))
    try:
        made = reading.read(variant, rep)
    except RenderError as error:
        fault(rep, "meaning", str(error))
    if made is not None:
        _count(problem, variant, rep, made, proof, fault)
        for condition in made.conditions:
            for kind, message in figure_faults(variant, condition):
                fault(rep, kind, message)
    faults = proof.findings[before:]
    if faults:
        broken.add((number, rep))
    return None if any(finding.kind != "check" for finding in faults) else made


def _check(problem: Problem, variant: Variant, rep: str, shown: Mapping[str, Any], fault: Any) -> None:
    text = problem.check[rep]
    hidden = sorted(expressions.names(parse(text)) - set(shown) - {"pi"})
    if hidden:
        fault(f"check.{rep}", "check", f"it uses {', '.join(hidden)}, whose value the text does not show")
        return
    try:
        value = evaluate(text, shown)
    except ZeroDivisionError:
        fault(f"check.{rep}", "check", f"division by zero in {text!r}")
        return
    except ARITHMETIC as error:
        fault(f"check.{rep}", "check", f"{text!r}: {error}")
        return
    value = EXACT.of(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not same_value(value, variant.answer):
        printed = value.text() if hasattr(value, "text") else str(value)
        fault(f"check.{rep}", "check", f"the check gives {printed[:60]}, the answer is {variant.answer.text()}")


def _count(problem: Problem, variant: Variant, rep: str, made: reading.Reading, proof: Proof, fault: Any) -> None:
    """Count the sentences read and report those that were not."""
    total = len(variant.statements[rep].sentences)
    proof.by_hand += len(made.by_hand)
    proof.unread += len(made.unread) + len(made.stale)
    proof.read += total - len(made.by_hand) - len(made.unread) - len(made.stale)
    sentences = variant.statements[rep].sentences
    for index in made.unread:
        text = sentences[index].text if index < len(sentences) else ""
        why = f"the grammar does not read {text!r} ({made.reasons.get(index, '')}); see docs/writing-problems.md"
        fault(f"{rep}[{index}]", "unread", why)
    for index in made.stale:
        mark = reading.review_mark(problem.statements[rep][index])
        message = f"its hand-written meaning is not reviewed in this form; after a review set reviewed: {mark}"
        fault(f"{rep}[{index}]", "review", message)
    unknown = sorted(made.names - set(variant.points))
    if unknown:
        fault(rep, "meaning", f"the text names {', '.join(unknown)}, which the figure does not have")


def figure_faults(variant: Variant, condition: str) -> Iterator[tuple[str, str]]:
    """(kind, message) where the variant's figure does not meet a condition of its own text."""
    try:
        node = parse(condition)
        made = expressions.evaluate(node, variant.points, EXACT)
        false = [e for e in made.equalities if not _is_zero(e)]
        narrow = expressions.evaluate(node, {k: to_float(v) for k, v in variant.points.items()}, FLOAT).margins
    except ZeroDivisionError:
        yield "meaning", f"{condition} divides by zero in this figure"
        return
    except (*ARITHMETIC, AttributeError) as error:
        yield "meaning", f"{condition} cannot be evaluated: {error}"
        return
    if false or any(float(margin) <= 0 for margin in narrow):
        yield "figure", f"the figure breaks its own text: {condition}"
    elif any(float(margin) < MARGIN * 0.999 for margin in narrow):
        yield "margin", f"the figure is too special: {condition} holds by less than {MARGIN}"


def _is_zero(value: Any) -> bool:
    if hasattr(value, "sign"):
        return bool(value.sign() == 0)
    return bool(value == 0)


# ---------------------------------------------------------------- the question


def _question(problem: Problem, variants: Sequence[Variant], proof: Proof, broken: set[tuple[int, str]]) -> str:
    """The asked quantity over base names; it must equal the answer in every variant."""
    asked = ""
    for variant in variants:
        try:
            asked = reading.question(variant)
        except ValueError as error:
            proof.findings.append(_finding(problem, "question", "unread", str(error), variant.number))
            broken.update((variant.number, rep) for rep in REPRESENTATIONS)
            continue
        try:
            value = evaluate(asked, variant.points)
        except ARITHMETIC as error:
            value, asked = error, ""
        if not same_value(value, variant.answer):
            printed = value.text() if hasattr(value, "text") else str(value)
            message = f"the question asks {asked or 'nothing'} = {printed[:60]}, the answer is {variant.answer.text()}"
            proof.findings.append(_finding(problem, "question", "question", message, variant.number))
            broken.update((variant.number, rep) for rep in REPRESENTATIONS)
    node = parse_or_none(asked)
    category = lints.category_of(node) if node is not None else ""
    if asked and category != problem.category:
        message = f"the question asks {asked}, which is {category or 'no known category'}, not {problem.category}"
        proof.findings.append(_finding(problem, "category", "category", message))
    return asked


# ---------------------------------------------------------------- uniqueness


def _conditions(made: reading.Reading | None) -> list[str]:
    return list(made.conditions) if made is not None else []


def _unique(
    problem: Problem,
    variants: Sequence[Variant],
    rep: str,
    readings: Mapping[tuple[int, str], reading.Reading | None],
    asked: str,
    broken: set[tuple[int, str]],
) -> Iterator[Finding]:
    """Realisations of the text's conditions must not move the asked quantity."""
    from geoutils.problems import solver

    groups: dict[tuple[str, ...], list[Variant]] = {}
    for variant in variants:
        made = readings[variant.number, rep]
        if made is None:
            continue
        key = (*made.conditions, repr(float(to_float(variant.answer))))
        groups.setdefault(key, []).append(variant)
    if not groups:
        return
    firsts = [group[0] for group in groups.values()]
    conditions = [list(key[:-1]) for key in groups]
    gold = [float(to_float(variant.answer)) for variant in firsts]
    truth = [{name: to_float(point) for name, point in variant.points.items()} for variant in firsts]
    try:
        results = solver.realise(conditions, asked, gold, truth)
    except ARITHMETIC as error:
        yield _finding(problem, rep, "uniqueness", f"the solver gave up: {error}", None, rep)
        broken.update((variant.number, rep) for variant in variants)
        return
    for group, result in zip(groups.values(), results, strict=True):
        if result.verdict == "unique":
            continue
        if result.verdict == "moved":
            message = f"the text does not fix the answer: another figure moves it by {result.worst:.3g} (relative)"
        else:
            message = (
                f"the proof would be vacuous: {result.reason} ({result.accepted} figures of {result.starts} starts)"
            )
        for variant in group:
            broken.add((variant.number, rep))
            yield _finding(problem, rep, "uniqueness", message, variant.number, rep)
