"""Corruptions of a problem, by kind: each is a fault that an author, or a bad edit, could make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from geoutils.problems.building import Variant, parse_or_none
from geoutils.problems.expressions import names as names_of
from geoutils.problems.record_fields import Sentence
from geoutils.problems.records import REPRESENTATIONS, Problem
from geoutils.problems.rendering import PLACEHOLDER, Shown, Statement, Text, placeholders

LEAKS = (
    "By the Pythagorean theorem the sides are known.",
    "Use the law of cosines.",
    "Hence the triangles are similar.",
    "Note that the angles are equal.",
    "The area is half the base times the height.",
    "The triangles have the same angles.",
    "One draws the height first.",
    "Recall that the medians meet in one point.",
    "The answer follows from the power of the point.",
    "This can be found with sin(<{0}>).",
)
MIXED = (
    "The point <{0}> has the coordinates <{0}.xy>.",
    "The origin is at <{0}>.",
    "The line <{0}><{1}> lies on the x-axis.",
    "The dot product of the vectors is zero.",
    "The line <{0}><{1}> has slope one.",
)
WORDS = (
    (r"\bbisector\b", "median"),
    (r"\bmedian\b", "altitude"),
    (r"\baltitude\b", "median"),
    (r"\bside\b", "line"),
    (r"\bsegment\b", "line"),
    (r"\bsegments\b", "lines"),
    (r"\bacute\b", "obtuse"),
    (r"\bobtuse\b", "acute"),
    (r"\bparallel\b", "perpendicular"),
    (r"\bperpendicular\b", "parallel"),
    (r"\bmidpoint\b", "foot"),
    (r"\bradius\b", "diameter"),
    (r"\bdiameter\b", "radius"),
    (r"\bincircle\b", "circumcircle"),
    (r"\bcircumcircle\b", "incircle"),
    (r"\bsine\b", "cosine"),
    (r"\bcosine\b", "sine"),
    (r"\bclockwise\b", "anticlockwise"),
    (r"\bparallelogram\b", "trapezoid"),
    (r"\brhombus\b", "parallelogram"),
    (r"\brectangle\b", "parallelogram"),
    (r"\bsquare\b", "rectangle"),
    (r"\bpast\b", "before"),
    (r"\btangent\b", "secant"),
    (r"\bhalf\b", "twice"),
    (r" \+ ", " - "),
    (r" − | - ", " + "),
)


@dataclass(frozen=True)
class Mutant:
    """A corrupted problem, or (for printed texts) a corrupted variant of a sound one."""

    kind: str
    what: str
    representation: str
    problem: Problem
    printed: dict[int, tuple[int, str, str]] | None = None


def mutants(problem: Problem, variants: Sequence[Variant]) -> Iterator[Mutant]:
    """Every mutant of a problem, kind by kind."""
    for rep in REPRESENTATIONS:
        yield from _numbers(problem, variants, rep)
        for i, sentence in enumerate(problem.statements[rep]):
            yield _with(problem, rep, i, None, "sentence dropped", sentence.say)
            yield from _names(problem, rep, i, sentence)
            yield from _values(problem, variants[0], rep, i, sentence)
            yield from _words(problem, rep, i, sentence)
            if sentence.means:
                for j in range(len(sentence.means)):
                    means = sentence.means[:j] + sentence.means[j + 1 :]
                    changed = replace(sentence, means=means)
                    yield _with(problem, rep, i, changed, "hand-written condition dropped", sentence.means[j])
        yield from _leaks(problem, rep)
        yield from _checks(problem, rep)
    yield from _mixed(problem)
    yield from _question(problem)
    yield from _answer(problem)
    yield from _fields(problem)


def _with(problem: Problem, rep: str, index: int, sentence: Sentence | None, kind: str, what: str) -> Mutant:
    sentences = list(problem.statements[rep])
    if sentence is None:
        del sentences[index]
    elif index == len(sentences):
        sentences.append(sentence)
    else:
        sentences[index] = sentence
    statements = {**problem.statements, rep: tuple(sentences)}
    return Mutant(kind, f"{rep}[{index}]: {what}", rep, replace(problem, statements=statements))


# ---------------------------------------------------------------- printed texts


def _numbers(problem: Problem, variants: Sequence[Variant], rep: str) -> Iterator[Mutant]:
    """One printed number of every variant changed, the figure left as it is."""
    for i, sentence in enumerate(variants[0].statements[rep].sentences):
        for j, item in enumerate(sentence.shown):
            if item.kind == "name":
                continue
            printed = {}
            for variant in variants:
                text = variant.statements[rep].sentences[i]
                shown = text.shown[j]
                old = text.text[shown.start : shown.end]
                new = re.sub(r"\d+", lambda m: str(int(m.group()) + 1), old, count=1)
                printed[variant.number] = (j, old, new if new != old else old + "1")
            yield Mutant("printed number changed", f"{rep}[{i}] <{item.key}>", f"{rep}/{i}", problem, printed)


def with_printed(variant: Variant, mutant: Mutant) -> Variant:
    """The variant with the mutant's printed number in place of the true one."""
    if mutant.printed is None:
        return variant
    rep, index = mutant.representation.split("/")
    j, _, new = mutant.printed[variant.number]
    statement = variant.statements[rep]
    sentences = list(statement.sentences)
    sentences[int(index)] = _replaced(sentences[int(index)], j, new)
    changed = Statement(rep, tuple(sentences), statement.question, statement.rounding)
    return replace(variant, statements={**variant.statements, rep: changed})


def _replaced(sentence: Text, j: int, new: str) -> Text:
    item = sentence.shown[j]
    shift = len(new) - (item.end - item.start)
    text = sentence.text[: item.start] + new + sentence.text[item.end :]
    shown = [
        Shown(s.key, s.kind, s.start + (shift if k > j else 0), s.end + (shift if k >= j else 0))
        for k, s in enumerate(sentence.shown)
    ]
    return Text(text, tuple(shown))


# ---------------------------------------------------------------- sentences


def _swapped(template: str, swap: Mapping[str, str]) -> str:
    """The template with placeholders exchanged."""
    return PLACEHOLDER.sub(lambda match: f"<{swap.get(match.group(1), match.group(1))}>", template)


def _names(problem: Problem, rep: str, i: int, sentence: Sentence) -> Iterator[Mutant]:
    """Two points' names exchanged wherever they stand in the sentence, and one point put for another."""
    keys = [key for key in dict.fromkeys(placeholders(sentence.say)) if key in problem.points]
    for a in range(len(keys)):
        for b in range(a):
            swap = {keys[a]: keys[b], keys[b]: keys[a]}
            swap |= {f"{old}.xy": f"{new}.xy" for old, new in tuple(swap.items())}
            said = _swapped(sentence.say, swap)
            changed = replace(sentence, say=said)
            yield _with(problem, rep, i, changed, "two names swapped", f"{keys[a]} and {keys[b]}")
    others = [point for point in problem.visible if point not in keys]
    if keys and others:
        said = sentence.say.replace(f"<{keys[-1]}>", f"<{others[0]}>", 1)
        yield _with(problem, rep, i, replace(sentence, say=said), "one name replaced", f"{keys[-1]} by {others[0]}")


def _values(problem: Problem, canonical: Variant, rep: str, i: int, sentence: Sentence) -> Iterator[Mutant]:
    """Two values exchanged; two components of points exchanged; a ratio turned round."""
    shown = canonical.statements[rep].sentences[i].shown
    kinds = {item.key: item.kind for item in shown if item.kind != "name"}
    keys = list(kinds)
    ratio = re.search(r"<(\w+)> : <(\w+)>", sentence.say)
    for a in range(len(keys)):
        for b in range(a):
            if kinds[keys[a]] != kinds[keys[b]]:
                continue
            swap = {keys[a]: keys[b], keys[b]: keys[a]}
            said = _swapped(sentence.say, swap)
            turned = ratio is not None and {keys[a], keys[b]} == set(ratio.groups())
            kind = "ratio swapped in a sentence" if turned else "two values swapped"
            yield _with(problem, rep, i, replace(sentence, say=said), kind, f"{keys[a]} and {keys[b]}")


def _words(problem: Problem, rep: str, i: int, sentence: Sentence) -> Iterator[Mutant]:
    for pattern, word in WORDS:
        said = re.sub(pattern, word, sentence.say, count=1)
        if said != sentence.say:
            yield _with(problem, rep, i, replace(sentence, say=said), "relation word changed", f"{pattern} to {word}")


def _leaks(problem: Problem, rep: str) -> Iterator[Mutant]:
    point = problem.visible[0]
    for text in LEAKS:
        sentence = Sentence(text.format(point))
        yield _with(problem, rep, len(problem.statements[rep]), sentence, "leak added", text)
    gold = Sentence(f"The length <{problem.visible[0]}><{problem.visible[1]}> leads to <_gold>.")
    leaked = _with(problem, rep, len(problem.statements[rep]), gold, "answer told", "the answer in a sentence")
    yield replace(leaked, problem=replace(leaked.problem, let={**problem.let, "_gold": problem.answer}))


def _mixed(problem: Problem) -> Iterator[Mutant]:
    first, second = problem.visible[:2]
    for text in MIXED:
        sentence = Sentence(text.format(first, second))
        count = len(problem.statements["euclid"])
        yield _with(problem, "euclid", count, sentence, "coordinates mixed into Euclid", text)
    borrowed = problem.statements["coord"][0]
    yield _with(problem, "euclid", 0, borrowed, "coordinates mixed into Euclid", "a sentence of the coordinate text")
    borrowed = problem.statements["coord"][0]
    yield _with(problem, "vector", 0, borrowed, "representations mixed", "a coordinate sentence in the vector text")


# ---------------------------------------------------------------- checks, question, answer, fields


def _checks(problem: Problem, rep: str) -> Iterator[Mutant]:
    def changed(text: str, kind: str) -> Mutant:
        return Mutant(kind, f"check.{rep}: {text}", rep, replace(problem, check={**problem.check, rep: text}))

    yield changed("7", "check is a constant")
    yield (
        changed(problem.answer, "check uses hidden data")
        if rep != "coord"
        else changed("dist(A_, B_)", "check uses hidden data")
    )
    yield changed(f"({problem.check[rep]})*2", "check gives another value")


def _question(problem: Problem) -> Iterator[Mutant]:
    say = problem.question.say
    keys = [key for key in dict.fromkeys(placeholders(say)) if key in problem.points]
    if problem.category == "ratio" and " : " in say:
        body = re.search(r"((?:<\w+>)+) : ((?:<\w+>)+)", say)
        if body:
            turned = say.replace(body.group(), f"{body.group(2)} : {body.group(1)}")
            yield _asked(problem, turned, "ratio swapped in the question")
    others = [point for point in problem.visible if point not in keys]
    for key in keys:
        for other in others[:2]:
            yield _asked(problem, say.replace(f"<{key}>", f"<{other}>"), "question asks something else")
    for old, new in (("length", "area"), ("area", "perimeter"), ("angle", "length"), ("ratio", "difference")):
        if old in say:
            yield _asked(problem, say.replace(old, new, 1), "question asks something else")
    yield _asked(problem, "Find it.", "no question")


def _asked(problem: Problem, say: str, kind: str) -> Mutant:
    return Mutant(kind, f"question: {say}", "", replace(problem, question=Sentence(say)))


def _answer(problem: Problem) -> Iterator[Mutant]:
    def changed(text: str, kind: str) -> Mutant:
        return Mutant(kind, f"answer: {text}", "", replace(problem, answer=text))

    if problem.category == "ratio":
        yield changed(f"1/({problem.answer})", "ratio swapped in the answer")
    node: Any = parse_or_none(problem.answer)
    used = sorted(names_of(node)) if node is not None else []
    others = [point for point in problem.visible if point not in used]
    for name in used:
        for other in others[:2]:
            yield changed(re.sub(rf"\b{name}\b", other, problem.answer), "another answer")
    factor = "/2" if problem.category == "angle" else "*2"
    yield changed(f"({problem.answer}){factor}", "another answer")


def _fields(problem: Problem) -> Iterator[Mutant]:
    category = {"length": "ratio", "area": "length", "angle": "length", "ratio": "length"}[problem.category]
    yield Mutant("category wrong", category, "", replace(problem, category=category))
    yield Mutant("concept unknown", "", "", replace(problem, concepts=(*problem.concepts, "clever trick")))
    yield Mutant("solution too short", "", "", replace(problem, solution=problem.solution[-1:]))
    first = problem.statements["euclid"][0]
    hidden = replace(first, say=first.say.replace(" ", " \u200b", 1))
    yield _with(problem, "euclid", 0, hidden, "invisible character", "U+200B")
    typed = replace(first, say=first.say[:-1] + " and 7.")
    yield _with(problem, "euclid", 0, typed, "digit typed by hand", "7")
