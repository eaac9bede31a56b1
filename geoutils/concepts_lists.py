"""Lists of concepts: read from what a model wrote, and found in a text without a model.

`read_concepts` takes an extraction as models write it (commas, numbering, bullets, JSON, an echoed "concepts:", a
refusal) and gives distinct phrases. `find_concepts` is the baseline: our own concept words sought in the text.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAX_TEXT = 20_000  # characters of an extraction that are read
MAX_CONCEPTS = 40
MAX_PHRASE = 80  # characters; a longer piece is a sentence, no concept
MAX_WORDS = 8
READINGS = ("answered", "none", "refusal")

_ECHO = re.compile(
    r"^[\s>*_#`\"'{-]*(?:(?:here (?:is|are)|sure|certainly|okay|the (?:following|list))\b[^:\n]{0,120}:|"
    r"(?:general |key |main |required |used |mathematical |math |extracted |list of |the )*"
    r"(?:concepts?|notions?|keywords?|knowledge|topics?|answer|output|list)(?: (?:used|required|needed|involved|applied|in|are|is|include|of|from|the|this|given|solution|problem|mathematical|list))*\s*[*_\"']*\s*[:=]\s*)",
    re.I,
)
_MARK = re.compile(r"^\s*(?:(?:\(?\d{1,3}\s*[.):]|\(?[a-z]\)|[-*•–—·+►▪]+|#{1,6})\s*)+", re.I)
_LABEL = re.compile(r"^concept\s*\d{1,3}\s*[:.)-]\s*", re.I)
_LEAD = re.compile(
    r"^(?:(?:the|this|it|we|a)\s+)?(?:solution|problem|answer|proof)?\s*(?:such as|like|use of|uses?|requires?|involves?|appl(?:ies|ying)|needs?|includ(?:es?|ing)|used|using|"
    r"application of|the concept of|concept of|knowledge of|understanding of|and|or|as well as|also)\s+(?:the\s+)?",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.I)
_PLACEHOLDER = re.compile(
    r"(?:concept|keyword|notion|item)\s*[#_]?\d{0,3}|\.{2,}|…|etc\.?|like|so on|n/?a|none|null|empty|nothing|no concepts?|(?:first|second|third) concept|"
    r"(?:(?:multiple|various|several|many|other|some|basic|key|general|different|mathematical|math) )*(?:concepts?|techniques?|formulas?|"
    r"methods?|problems?|solutions?|knowledge|answers?|steps?|reasoning|theorems?|mathematics)", re.I,
)  # fmt: skip
_STATEMENT = re.compile(
    r"[=$\\<>]|\b(?:is|are|was|were|has|have|had|gives?|equals?|we|let|find|finds|get|must|can|will|so|thus|hence|therefore|because|since|that|which)\b"
    r"|(?:^|\s)\d+(?:\.\d+)?$", re.I,
)  # fmt: skip
_LABELS = re.compile(r"\b(?!(?:SSS|SAS|ASA|AAS|SSA|RHS|HL|AA|AM|GM|HM|QM|GCD|LCM|GCF|PEMDAS|CRT|DOT)\b)[A-Z]{2,6}\b")  # names of points
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)? (?:sorry|afraid|cannot|can't|can not|unable|won't)|as an ai|i do not (?:know|have)|cannot (?:help|assist|provide)|unable to)\b", re.I
)
_CHATTER = re.compile(r"(?:i|let me|let us|let's|please|hope|note|these|those|this|if you|feel free|here)\b.*\b(?:\w+\s+){0,3}\w+", re.I)
_SPLIT = re.compile(r"[,;\n|]+|(?<=\w)\s*(?:•|·|►)\s*|\.\s+(?=[A-Z(\d])")
_OUTER = " \t.,;:!?*_`\"'“”‘’«»<>[]{}"
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Concepts:
    """A list of distinct phrases, how it was read, and how many pieces were no phrase (`dropped`) or repeats."""

    phrases: tuple[str, ...]
    reading: str = "answered"
    dropped: int = 0
    repeated: int = 0


def normal(phrase: str) -> str:
    """A phrase as it is compared and embedded: lower case, plain quotes and hyphens, single spaces, no outer marks."""
    folded = unicodedata.normalize("NFKC", phrase).translate(_PLAIN).casefold()
    return " ".join(folded.split()).strip(_OUTER)


_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "\u00ad": ""})


def read_concepts(text: str | None) -> Concepts:
    """The concepts that an extraction names, in order, each once, in the form of `normal`.

    Commas outside parentheses, semicolons, newlines and bullets separate; numbering, quotes, brackets, an echoed
    heading such as "Concepts:", lead-ins such as "the solution uses the" and placeholders (`concept1`, `...`) are taken
    off. A piece longer than 80 characters or 8 words, one with a verb, an equation or the names of points is a statement of
    the solution, no concept: it is counted in `dropped`. `reading` is `refusal`
    where the text declines and names nothing, `none` where nothing is named. At most 40 phrases are kept; never raises.
    """
    raw = _THOUGHT.sub(" ", (text or "")[:MAX_TEXT])
    kept: list[str] = []
    dropped = repeated = 0
    refused = bool(_REFUSAL.search(raw[:400]))
    shouted = sum(map(str.isupper, raw)) > sum(map(str.islower, raw))  # a list in capitals names no points
    for piece in _pieces(raw):
        phrase = _phrase(piece)
        if _STATEMENT.search(phrase) or (not shouted and _LABELS.search(piece)):
            dropped += 1
            continue
        if not phrase or _PLACEHOLDER.fullmatch(phrase) or not re.search(r"[^\W\d_]{2,}", phrase):
            continue
        if len(phrase) > MAX_PHRASE or len(phrase.split()) > MAX_WORDS or _REFUSAL.search(phrase) or _CHATTER.fullmatch(phrase):
            dropped += 1
        elif phrase in kept:
            repeated += 1
        elif len(kept) == MAX_CONCEPTS or refused:
            dropped += 1
        else:
            kept.append(phrase)
    reading = "answered" if kept else "refusal" if refused else "none"
    return Concepts(tuple(kept), reading, dropped, repeated)


def _pieces(text: str) -> Iterable[str]:
    """The pieces of a list, with what stands in parentheses kept together."""
    lines = []
    for line in text.replace("\r", "\n").split("\n"):
        line = _MARK.sub("", line)
        for _ in range(2):
            line = _ECHO.sub("", line)
        lines.append(line)
    joined = _guarded("\n".join(lines))
    for piece in _SPLIT.split(joined):
        words = piece.replace("\x00", ",").replace("\x01", ";")
        halves = re.split(r"\s+(?:and|&)\s+", words)
        yield from halves if len(halves) > 1 and 6 < len(words.split()) <= 2 * MAX_WORDS else [words]


def _guarded(text: str) -> str:
    """The text with commas and semicolons inside short parentheses replaced, so that they do not separate."""
    return re.sub(r"\([^()\n]{0,60}\)", lambda found: found[0].replace(",", "\x00").replace(";", "\x01"), text)


def _phrase(piece: str) -> str:
    words = _LABEL.sub("", _MARK.sub("", piece.strip(_OUTER) if piece else ""))
    words = normal(words.split(":")[0] if ":" in words[:MAX_PHRASE] else words)
    for _ in range(2):
        words = _LEAD.sub("", words)
    return normal(_ARTICLE.sub("", words))


# ---------------------------------------------------------------- the baseline: our words in the text

# Other names of our tags, as regular expressions over lower-case text; every tag also stands for itself.
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "triangle area": (r"area of (?:the |a |this )?triangle", r"half (?:the|of the) product of (?:the )?(?:base|two)", r"half (?:of )?base times height", r"triangle \w{3} has (?:the|an) area"),
    "law of cosines": (r"cosine (?:rule|law)", r"cosine theorem", r"theorem of cosines"),
    "law of sines": (r"sine (?:rule|law)", r"sines? theorem"),
    "right triangle": (r"right(?:-angled)? triangles?", r"pythagor\w+", r"hypotenuse", r"right angles? at"),
    "three sides area": (r"heron\w*", r"half (?:its|the) perimeter", r"semi-?perimeter"),
    "similar triangles": (r"similar triangles?", r"triangles? (?:\w+ ){0,6}(?:is|are) (?:therefore |thus |also )?similar", r"similarity"),
    "congruent triangles": (r"congruen\w+",),
    "isosceles triangle": (r"isosceles", r"base angles"),
    "equilateral triangle": (r"equilateral",),
    "angle sum": (r"angles? (?:of (?:a|the) triangle )?(?:add|adds|sum)\w* up to", r"sum of (?:the )?(?:interior )?angles", r"angle sum", r"exterior angle"),
    "triangle inequality": (r"triangle inequality",),
    "special right triangles": (r"30-60-90", r"45-45-90", r"special right triangle"),
    "median": (r"medians?",),
    "centroid": (r"centroid", r"centre of gravity", r"barycent\w+"),
    "altitude": (r"altitudes?", r"foot of the (?:perpendicular|altitude)"),
    "orthocentre": (r"orthocent(?:re|er)",),
    "angle bisector": (r"(?:angle |interior )?bisectors?", r"bisects? (?:the )?angle"),
    "external bisector": (r"(?:external|outer|exterior) (?:angle )?bisector",),
    "bisector ratio": (r"bisector divides", r"bisector theorem", r"in the ratio of the adjacent sides"),
    "incentre": (r"incent(?:re|er)", r"centre of the incircle", r"incircle", r"inscribed circle"),
    "excentre": (r"excent(?:re|er)", r"excircle"),
    "circumcentre": (r"circumcent(?:re|er)",),
    "perpendicular bisector": (r"perpendicular bisector",),
    "cevian": (r"cevian", r"ceva"),
    "cevian length": (r"stewart",),
    "area ratio": (r"ratio of (?:the |their )?areas", r"areas? (?:\w+ ){0,4}(?:compare|are in the ratio)", r"(?:common|same|equal) (?:height|base|altitude)s?"),
    "centre of mass": (r"mass(?:es)? (?:point|at)", r"cent(?:re|er) of (?:mass|all)", r"put masses"),
    "concurrent lines": (r"concurrent", r"meet in one point"),
    "transversal": (r"transversal", r"menelaus"),
    "circumradius": (r"circumradius", r"circumscribed circle", r"circumcircle"),
    "inradius": (r"inradius", r"radius of the (?:incircle|inscribed circle)"),
    "exradius": (r"exradius",),
    "chord": (r"chords?",),
    "tangent": (r"tangent (?:line|to|at)", r"tangents\b", r"touch(?:es)? the circle"),
    "tangent lengths": (r"tangents? from (?:a|one|the|same) ", r"equal tangents", r"tangent lengths?"),
    "common tangent": (r"common tangents?",),
    "tangent chord angle": (r"tangent[- ]chord", r"angle between (?:the )?(?:tangent|chord)"),
    "inscribed angle": (r"inscribed angles?", r"same arc", r"half the (?:central )?(?:arc|angle at the centre)"),
    "central angle": (r"central angles?", r"angles? at the cent(?:re|er)"),
    "semicircle angle": (r"thales", r"angle in a semicircle", r"in a semicircle"),
    "crossing chords": (r"(?:crossing|intersecting) chords", r"products? of (?:the |their )?(?:parts|segments)"),
    "secant": (r"secants?", r"power of (?:a|the) point"),
    "cyclic quadrilateral": (r"cyclic", r"concyclic", r"opposite angles"),
    "crossing circles": (r"(?:crossing|intersecting) circles", r"circles (?:cross|meet|intersect)"),
    "touching circles": (r"(?:touching|tangent) circles", r"circles touch"),
    "sector": (r"sectors?",),
    "circular segment": (r"circular segment",),
    "lens": (r"lens\b",),
    "annulus": (r"annulus", r"ring between"),
    "disc area": (r"area of (?:the |a )?(?:circle|disc|disk)", r"(?:circle|disc|disk)'?s? area"),
    "parallelogram": (r"parallelograms?",),
    "rhombus": (r"rhombus",),
    "rectangle": (r"rectangles?",),
    "square": (r"(?:a|the|inscribed) square (?!root|of|centi|units)",),
    "kite": (r"\bkite",),
    "trapezoid": (r"trapez(?:oid|ium)s?",),
    "diagonals": (r"diagonals?",),
    "midpoint quadrilateral": (r"varignon", r"midpoint quadrilateral"),
    "midline": (r"midlines?", r"mid-?segments?", r"joins the midpoints", r"midpoint theorem"),
    "regular polygon": (r"regular (?:polygon|pentagon|hexagon|octagon|decagon|dodecagon|heptagon)", r"(?:pent|hex|oct|dodec)agon"),
    "golden ratio": (r"golden ratio",),
    "polygon area": (r"shoelace", r"area of (?:the |a )?(?:quadrilateral|polygon|trapez\w+)"),
    "parallel lines": (r"parallel (?:lines|to)", r"(?:is|are|be) parallel", r"parallel\b(?!ogram)"),
    "perpendicular lines": (r"perpendicular(?! bisector)", r"orthogonal"),
    "angle between lines": (r"angle between (?:the |two )?lines",),
    "distance to a line": (r"distance (?:\w+ ){0,4}(?:from|to) the line", r"point[- ](?:to[- ])?line distance", r"as far from the line"),
    "section ratio": (r"section formula", r"divides? (?:the )?(?:segment|side|line)? ?\w* ?(?:internally )?in the ratio", r"in the same ratio"),
    "reflection": (r"reflect\w*", r"mirror"),
    "rotation": (r"rotat\w+",),
    "homothety": (r"homothet\w+", r"dilation", r"dilatation"),
    "composition of motions": (r"composition of",),
    "scaling of areas": (r"areas? (?:grow|scale)s? (?:with|as)", r"square of the (?:scale|ratio|lengths|sides)"),
    "locus": (r"\bloc(?:us|i)\b",),
    "distance ratio circle": (r"apollonius",),
    "viewing angle": (r"viewing angle", r"subtend\w*"),
    "optimisation": (r"optimi[sz]ation", r"maximi[sz]\w+", r"minimi[sz]\w+", r"\b(?:greatest|least) value"),
    "ellipse": (r"ellipses?", r"\bfoc(?:us|i)\b"),
    "parabola": (r"parabolas?",),
    "box": (r"\bbox\b", r"cuboid", r"\bcube\b", r"rectangular prism"),
    "pyramid": (r"pyramids?", r"tetrahedron", r"\bapex\b"),
    "space diagonal": (r"space diagonal",),
    "plane section": (r"plane section", r"cross[- ]section", r"plane cuts"),
    "angle in space": (r"angle (?:with|to|and) the base", r"perpendicular to the base", r"angle in space"),
    "dot product": (r"dot products?", r"scalar products?", r"inner products?"),
    "determinant": (r"determinants?", r"cross products?"),
    "system of equations": (r"(?:systems?|sets?) of (?:linear )?equations", r"(?:two|these|both) equations", r"simultaneous equations", r"unknowns"),
    "trigonometric identities": (r"\\(?:sin|cos|tan)\b", r"\b(?:co)?sine\b(?! (?:rule|law))", r"trigonometr\w+", r"\btan(?:gent)? of"),
    "golden section": (r"golden section",),
}  # fmt: skip

# One other wording of a phrase, for the paraphrase null: same concept, other words.
PARAPHRASES: Mapping[str, str] = {
    "triangle area": "area of a triangle", "law of cosines": "cosine rule", "law of sines": "sine rule",
    "right triangle": "pythagorean theorem", "three sides area": "heron's formula", "similar triangles": "similarity of triangles",
    "congruent triangles": "congruence of triangles", "isosceles triangle": "triangle with two equal sides",
    "equilateral triangle": "triangle with three equal sides", "angle sum": "sum of the angles", "special right triangles": "30-60-90 triangle",
    "median": "line from a vertex to a midpoint", "centroid": "centre of gravity", "altitude": "perpendicular height",
    "angle bisector": "line that halves an angle", "bisector ratio": "angle bisector theorem", "incentre": "centre of the inscribed circle",
    "circumcentre": "centre of the circumscribed circle", "cevian length": "stewart's theorem", "area ratio": "ratio of areas",
    "centre of mass": "mass points", "transversal": "menelaus' theorem", "circumradius": "radius of the circumscribed circle",
    "inradius": "radius of the inscribed circle", "tangent lengths": "equal tangents from a point", "tangent": "line touching a circle",
    "inscribed angle": "angle on the circle", "semicircle angle": "thales' theorem", "crossing chords": "intersecting chords theorem",
    "secant": "power of a point", "cyclic quadrilateral": "four points on a circle", "disc area": "area of a circle",
    "trapezoid": "quadrilateral with two parallel sides", "midline": "midsegment of a triangle", "polygon area": "shoelace formula",
    "parallel lines": "parallelism", "perpendicular lines": "orthogonal lines", "distance to a line": "point-line distance",
    "section ratio": "section formula", "reflection": "mirror image", "rotation": "turning about a point", "homothety": "dilation",
    "scaling of areas": "area scale factor", "dot product": "scalar product", "determinant": "cross product",
    "system of equations": "simultaneous equations", "trigonometric identities": "relations of sine and cosine",
    "regular polygon": "polygon with equal sides and angles", "diagonals": "lines joining opposite vertices", "chord": "segment between two points of a circle",
}  # fmt: skip


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    from geoutils.dataset import concepts

    known = concepts()
    found = []
    for tag in known:
        names = [re.escape(tag).replace(r"\ ", r"\s+") + "s?", *OTHER_NAMES.get(tag, ())]
        names = names[1:] if tag in ("square", "tangent", "median", "box", "lens") else names
        found.append((tag, re.compile("|".join(rf"(?:(?<!\w)(?:{name})(?!\w))" for name in names))))
    return tuple(found)


def find_concepts(text: str | None) -> Concepts:
    """BASELINE: the tags of our concept list whose words, or other names, stand in the text; in order of appearance.

    It knows geometry only, takes a mention for a use, and sees no concept that is used without being named.
    """
    plain = " ".join(unicodedata.normalize("NFKC", (text or "")[:MAX_TEXT]).translate(_PLAIN).casefold().split())
    found = [(match.start(), tag) for tag, pattern in _patterns() if (match := pattern.search(plain))]
    phrases = tuple(tag for _, tag in sorted(found))[:MAX_CONCEPTS]
    return Concepts(phrases, "answered" if phrases else "none")


@functools.lru_cache(maxsize=65536)
def tag_of(phrase: str) -> str:
    """The tag of our concept list that a phrase names (`cosine rule` is `law of cosines`), else the phrase itself."""
    plain = normal(phrase)
    for tag, pattern in _patterns():
        if plain == tag or pattern.fullmatch(plain):
            return tag
    return plain


def paraphrased(phrases: Iterable[str]) -> tuple[str, ...]:
    """The same concepts in other words; a phrase without another name becomes "the use of" it."""
    return tuple(PARAPHRASES.get(normal(phrase), f"the use of {normal(phrase)}") for phrase in phrases)
