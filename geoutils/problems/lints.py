"""Lints: what a statement must not say, and what a set of problems must not repeat.

Word lints look at the template with every placeholder masked (`#`), so a printed number is
never taken for a formula; value lints look at the printed text of every variant.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geoutils.exact import Real
from geoutils.problems import expressions
from geoutils.problems.building import Variant, number_set, parse_or_none
from geoutils.problems.records import REPRESENTATIONS, Finding, Problem
from geoutils.problems.rendering import Statement, Text, literals, placeholders, read_value

SIMILAR = 0.9
SHORTEST_SOLUTION = 3
FULL, ANSWERS, NUMBER_SETS = 11, 4, 6  # among 11 variants: different answers, different Euclidean numbers

_WORDS: Mapping[str, re.Pattern[str]] = {
    "theorem": re.compile(
        r"\b(theorems?|lemma|laws? of|rule of|formula\w*|identit(y|ies)|heron|pythagor\w*|thales|ceva|menelaus|stewart|"
        r"ptolemy|apollonius|euler|brahmagupta|power of (the|a) point|shoelace|pick'?s)\b", re.I),
    "method": re.compile(
        r"\b(use|using|apply|applying|compute|computing|calculate|determine by|hence|therefore|thus|so that|"
        r"consequently|because|it follows|follows that|implies|by symmetry|similar triangles|same angles|"
        r"one draws|construct|recall|remember|note|notice|observe|hint|let us|"
        r"we (get|have|see|know)|can be (found|shown)|equals? half|is half of|"
        r"twice the (inscribed|angle)|half the (base|product|perimeter))\b", re.I),
    "remark": re.compile(r"\b(that is|i\.e\.|e\.g\.|in other words|equivalently|namely|correct(ed|ion)?|wait|actually|"
                         r"of course|clearly|obviously)\b|\?\?|\(note", re.I),
    "formula": re.compile(
        r"\b(sqrt|sin|cos|tan|arcsin|arccos|arctan)\s*\(|½|\bfrac\b|=\s*[^.,;]*[A-Za-z#]\s*[*×/]\s*[A-Za-z#]|"
        r"#\s*[*×]\s*#|√\s*\(?\s*[#A-Za-z]"),
}  # fmt: skip
_EUCLID: Mapping[str, re.Pattern[str]] = {
    "a tuple": re.compile(r"\([^()]*,[^()]*\)"),
    "an equation": re.compile(
        r"(?<![A-Za-z])[xyz]\s*=|[²³]|(?<![A-Za-z])\d*[xy]\s*[+-]\s*\d*[xy](?![A-Za-z])|\bequation\b"),
    "an axis or coordinates": re.compile(
        r"\b(axis|axes|slopes?|gradient|origin|coordinates?|abscissa|ordinate|quadrant)\b", re.I),
    "a vector": re.compile(r"\b(vectors?|(dot|scalar|cross) product)\b|⃗|→|·", re.I),
}  # fmt: skip
_CONIC_AXIS = re.compile(r"\b((long|short|major|minor) (axis|axes))\b", re.I)
_VECTOR_TALK = re.compile(r"\b(vectors?|(dot|scalar|cross) products?)\b|⃗|→|·", re.I)
_COORD_TALK = re.compile(r"\b(coordinates?|axis|axes|slopes?|gradient|equations?|abscissa|ordinate)\b", re.I)
_SPACING = re.compile(r" {2,}|\s[.,;?!](\s|$)|,\S|\.\.|^\s|\s$|- -|\+ -|--|\(\s|\s\)")


def euclid_findings(text: str) -> list[str]:
    """Why a free text is not Euclidean: tuples, equations, axes, coordinates or vectors (empty if it is)."""
    plain = _CONIC_AXIS.sub("", text[:20_000])
    return [f"it holds {what}: {match.group()!r}" for what, rule in _EUCLID.items() if (match := rule.search(plain))]


def word_findings(text: str) -> list[tuple[str, str]]:
    """(kind, message) for each leak that a text's words give: theorem, method, remark, formula."""
    return [(kind, f"it says {match.group()!r}") for kind, rule in _WORDS.items() if (match := rule.search(text))]


def character_findings(text: str) -> list[str]:
    """Invisible, control or odd space characters and spacing faults."""
    found = []
    for char in text:
        category = unicodedata.category(char)
        if category in ("Cf", "Cc", "Co", "Cs", "Cn") or (category in ("Zs", "Zl", "Zp") and char != " "):
            found.append(f"the invisible or control character U+{ord(char):04X}")
            break
    match = _SPACING.search(text)
    if match:
        start = max(0, match.start() - 12)
        found.append(f"odd spacing or signs at {text[start : match.end() + 12]!r}")
    return found


# ---------------------------------------------------------------- one record


def lint_record(problem: Problem, canonical: Variant, concepts: Mapping[str, str] | None) -> Iterator[Finding]:
    """Every lint that looks at one record's templates and fields."""

    def found(where: str, kind: str, message: str, rep: str = "", level: str = "error") -> Finding:
        return Finding(problem.file, problem.id, where, kind, message, None, rep, level)

    for rep in REPRESENTATIONS:
        for i, sentence in enumerate(problem.statements[rep]):
            where = f"{rep}[{i}]"
            text = literals(sentence.say)
            for kind, message in word_findings(text):
                yield found(where, kind, f"{message} (a statement describes the figure, never the road)", rep)
            yield from (found(where, "spacing", message, rep) for message in character_findings(sentence.say))
            if re.search(r"\d", text):
                yield found(where, "digit", "a digit is typed by hand; print it by a placeholder", rep)
            if not sentence.say.endswith("."):
                yield found(where, "spacing", "the sentence does not end with a full stop", rep)
            if sentence.means and not sentence.reviewed:
                yield found(where, "review", "it has a hand-written meaning and no review mark", rep)
        yield from (found(rep, kind, message, rep) for kind, message in _representation(problem, canonical, rep))
    yield from (found(where, kind, message) for where, kind, message in _question(problem))
    yield from (found(where, kind, message) for where, kind, message in _fields(problem, concepts))
    yield from _checks(problem, canonical, found)
    yield from _similar(problem, found)


def _representation(problem: Problem, canonical: Variant, rep: str) -> Iterator[tuple[str, str]]:
    """Whether the statement is truly in its representation."""
    sentences = problem.statements[rep]
    shown = [item for text in canonical.statements[rep].sentences for item in text.shown]
    words = " ".join(literals(s.say, "A") for s in sentences)
    equations = [item.key for item in shown if item.kind in ("line", "circle", "ellipse")]
    components = [item.key for item in shown if item.kind == "components"]
    if rep == "euclid":
        for key in (*equations, *components):
            yield "representation", f"<{key}> prints an equation or a tuple in the Euclidean text"
        for message in euclid_findings(words):
            yield "representation", message
    elif rep == "coord":
        if not equations and not components:
            yield "representation", "the coordinate text shows no coordinates and no equation"
        if match := _VECTOR_TALK.search(words):
            yield "representation", f"the coordinate text speaks of {match.group()!r}"
    else:
        if not re.search(r"\bvectors?\b", words, re.I):
            yield "representation", "the vector text has no vector"
        for key in equations:
            yield "representation", f"<{key}> prints an equation in the vector text"
        if match := _COORD_TALK.search(words):
            yield "representation", f"the vector text speaks of {match.group()!r}"
        for sentence in sentences:
            points = [key for key in placeholders(sentence.say) if key.endswith((".xy", ".xyz")) and key[0].isupper()]
            if points and "position vector" not in sentence.say:
                yield "representation", f"<{points[0]}> gives a point's coordinates in the vector text"


def _question(problem: Problem) -> Iterator[tuple[str, str, str]]:
    text = problem.question.say
    yield from (("question", "spacing", message) for message in character_findings(text))
    if not text.endswith((".", "?")):
        yield "question", "spacing", "the question does not end with a full stop"
    if re.search(r"\d", literals(text)):
        yield "question", "digit", "a digit is typed by hand"
    if any("." in key for key in placeholders(text)):
        yield "question", "question", "the question may name points only"
    asked = set(placeholders(text))
    for rep in REPRESENTATIONS:
        named = {key.split(".")[0] for s in problem.statements[rep] for key in placeholders(s.say)}
        missing = sorted(asked - named)
        if missing:
            yield rep, "asked", f"the question speaks of {', '.join(missing)}, which the statement does not introduce"


def category_of(asked: Any) -> str:
    """The category that a parsed asked quantity belongs to ("" if none)."""
    kind, name = type(asked).__name__, getattr(asked, "name", "")
    if kind == "Op" and asked.op == "/":
        return "ratio" if all(category_of(part) for part in asked.args) else category_of(asked.args[0])
    if kind == "Op":
        parts = [category_of(part) for part in asked.args]
        square = asked.op == "**" and getattr(asked.args[1], "value", None) == 2
        if (asked.op == "*" and parts.count("length") == 2) or (square and parts[0] == "length"):
            return "area"
        return "area" if "area" in parts else next(filter(None, parts), "")
    if kind != "Call":
        return ""
    if "area" in name:
        return "area"
    if name in ("angle", "acos", "asin", "atan"):
        return "angle"
    lengths = ("dist", "norm", "perimeter", "radius", "inradius", "circumradius", "exradius", "arc_length", "major")
    if name in lengths:
        return "length"
    if name in ("min", "max", "abs", "sqrt"):
        return category_of(asked.args[0])
    return ""


def _fields(problem: Problem, concepts: Mapping[str, str] | None) -> Iterator[tuple[str, str, str]]:
    for tag in problem.concepts:
        if concepts is not None and tag not in concepts:
            near = difflib.get_close_matches(tag, concepts, 1)
            hint = f"; did you mean {near[0]!r}?" if near else "; the list is data/problems/concepts.yaml"
            yield "concepts", "concept", f"{tag!r} is not in the controlled list{hint}"
    if not problem.concepts:
        yield "concepts", "concept", "give at least one concept"
    if len(problem.solution) < SHORTEST_SOLUTION:
        yield "solution", "solution", f"{len(problem.solution)} steps; give at least {SHORTEST_SOLUTION}"
    for i, step in enumerate(problem.solution):
        if step.count("$") % 2 or step.count("{") != step.count("}"):
            yield f"solution[{i}]", "solution", "a $ or a brace is not closed"
        yield from ((f"solution[{i}]", "spacing", m) for m in character_findings(step) if "U+" in m)
    if problem.solution and "answer" not in " ".join(placeholders(problem.solution[-1])):
        yield f"solution[{len(problem.solution) - 1}]", "solution", "the last step does not print <answer>"
    texts = [*problem.points.values(), *problem.let.values(), *problem.where, problem.answer]
    used = set().union(*(expressions.names(node) for text in texts if (node := parse_or_none(text))))
    said = [*problem.solution, problem.question.say, *(s.say for r in REPRESENTATIONS for s in problem.statements[r])]
    for text in said:
        for key in placeholders(text):
            node = parse_or_none(key.removesuffix(".dec").removesuffix(".xyz").removesuffix(".xy"))
            used |= expressions.names(node) if node else set()
    for group, names in (("params", problem.params), ("let", problem.let)):
        for name in names:
            if name not in used:
                yield f"{group}.{name}", "unused", f"{name!r} is never used"
    points = set(problem.points)
    for key, entries in problem.figure.items():
        for entry in entries:
            for word in re.findall(r"[A-Z][0-9]?", entry):
                if word not in points and key in ("segments", "dashed", "fill", "labels", "right"):
                    yield f"figure.{key}", "figure", f"{entry!r} names {word!r}, which is no point"


def _checks(problem: Problem, canonical: Variant, found: Any) -> Iterator[Finding]:
    texts: dict[str, str] = {}
    for rep in REPRESENTATIONS:
        node = parse_or_none(problem.check[rep])
        if node is None:
            continue
        shown = {i.key.split(".")[0] for t in canonical.statements[rep].sentences for i in t.shown if i.kind != "name"}
        if not expressions.names(node) & shown:
            yield found(f"check.{rep}", "check", "it uses nothing that the statement shows", rep)
        text = expressions.unparse(node)
        if text in texts.values():
            other = next(key for key, value in texts.items() if value == text)
            yield found(f"check.{rep}", "check", f"the same formula as check.{other}; take a different road", rep)
        if (
            text == (expressions.unparse(parse_or_none(problem.answer)) if parse_or_none(problem.answer) else None)
            and rep != "coord"
        ):
            yield found(f"check.{rep}", "check", "it repeats the answer's own expression; take a different road", rep)
        texts[rep] = text


def _similar(problem: Problem, found: Any) -> Iterator[Finding]:
    masked = {rep: " ".join(literals(s.say) for s in problem.statements[rep]) for rep in REPRESENTATIONS}
    for first, second in (("coord", "euclid"), ("coord", "vector"), ("euclid", "vector")):
        ratio = difflib.SequenceMatcher(None, masked[first], masked[second], autojunk=False).ratio()
        if ratio > SIMILAR:
            yield found(second, "representation", f"nearly the same text as {first} (similarity {ratio:.2f})", second)


# ---------------------------------------------------------------- printed values


def _tokens(sentence: Text) -> Iterator[tuple[str, str]]:
    """(key, printed number) for every number that a sentence shows, inside tuples and equations too."""
    for item in sentence.shown:
        printed = sentence.text[item.start : item.end]
        if item.kind in ("number", "angle"):
            yield item.key, printed.removesuffix("°")
        elif item.kind == "components":
            yield from ((item.key, part) for part in printed[1:-1].split(", "))
        elif item.kind != "name":
            yield from ((item.key, part) for part in re.findall(r"[0-9√/]+", printed.replace("²", " ")) if part != "/")
            yield from ((item.key, part.lstrip("/")) for part in re.findall(r"/\d+", printed))


def gold_among_givens(statement: Statement, answer: Any) -> str:
    """The placeholder and text that print the answer ("" if none); also as a ratio `m : n`."""
    gold = answer.text().removesuffix("°")
    for sentence in statement.sentences:
        for key, printed in _tokens(sentence):
            if printed == gold:
                return f"the answer {gold} at <{key}>"
        for first, second, a, b in ratios(sentence):
            if isinstance(answer, Real) and b.sign() and a.sign() and (a / b == answer or b / a == answer):
                return f"the answer {gold} as the ratio <{first}> : <{second}>"
    return ""


def ratios(sentence: Text) -> Iterator[tuple[str, str, Real, Real]]:
    """(key, key, value, value) of each printed `m : n`."""
    for left, right in zip(sentence.shown, sentence.shown[1:], strict=False):
        if left.kind == right.kind == "number" and sentence.text[left.end : right.start] == " : ":
            a = read_value(sentence.text[left.start : left.end], "number")
            b = read_value(sentence.text[right.start : right.end], "number")
            yield left.key, right.key, a, b


def lint_variant(variant: Variant) -> Iterator[Finding]:
    """Every lint that looks at one variant's printed text."""
    problem = variant.problem
    for rep in REPRESENTATIONS:
        statement = variant.statements[rep]
        gold = gold_among_givens(statement, variant.answer)
        if gold:
            yield Finding(problem.file, problem.id, rep, "gold", f"the text prints {gold}", variant.number, rep)
        for i, sentence in enumerate(statement.sentences):
            for message in _printed(sentence):
                yield Finding(problem.file, problem.id, f"{rep}[{i}]", "printed", message, variant.number, rep)


def _printed(sentence: Text) -> Iterator[str]:
    for first, second, a, b in ratios(sentence):
        if not (a.is_rational() and b.is_rational()):
            continue
        p, q = a.fraction(), b.fraction()
        if p.denominator != 1 or q.denominator != 1 or math.gcd(int(p), int(q)) != 1:
            yield f"the ratio <{first}> : <{second}> prints unreduced as {p} : {q}; add gcd(...) == 1 to where"
    match = _SPACING.search(sentence.text)
    if match:
        yield f"odd signs or spacing at {sentence.text[max(0, match.start() - 12) : match.end() + 12]!r}"
    if re.search(r"\b[01] times\b", sentence.text):
        yield "it prints '1 times' or '0 times'; forbid the value in where"


def lint_answers(problem: Problem, variants: Sequence[Variant]) -> Iterator[Finding]:
    """Lints over all variants of a problem: spread of answers and of numbers, distinct texts."""
    counts = {
        "different answers": (len({variant.answer.text() for variant in variants}), ANSWERS),
        "different sets of numbers in the Euclidean texts": (
            len({number_set(variant.statements["euclid"]) for variant in variants}), NUMBER_SETS,
        ),
    }  # fmt: skip
    for what, (count, need) in counts.items():
        if len(variants) >= FULL and count < need:
            message = f"{count} {what} among {len(variants)} variants; at least {need} are needed"
            yield Finding(problem.file, problem.id, "params", "answers", message)
    for rep in REPRESENTATIONS:
        texts = Counter(variant.statements[rep].text for variant in variants)
        if len(texts) < len(variants):
            message = "two variants have the same text"
            yield Finding(problem.file, problem.id, rep, "repeat", message, None, rep)
