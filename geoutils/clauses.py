"""Which of the numbers of a clause is the one it commits to.

`decide` drops negated values and labels ("option 3:"), takes the conclusion before the reason, the end of a chain
of "=", the value after the last verb of claiming, and sees lists, alternatives, ranges and bounds as what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from geoutils import lexicon as lex
from geoutils.scanning import MAX_SPAN, Item, scan
from geoutils.several import Choice, listed, other, settle
from geoutils.spoken import spoken

_OPTION = re.compile(r"\s*(?:(?:[Tt]he\s+)?(?:correct\s+)?(?:[Oo]ption|[Cc]hoice)\s+(?:is\s+)?(?=\(?[A-H]\b))?(?:\([A-Ha-h]\)|[A-Ha-h]\)|[A-H][.:]|[A-H](?=\s+\())\s+(?=\S)")


MAX_ITEMS = 160
_ASSIGNED = re.compile(r"n=v(?:,n?=?v)*,n=v")


def _assignments(items: list[Item]) -> bool:
    """A = 2, B = 3 and nothing else: several answers."""
    shape = "".join("," if i.text in (",", ";") or i.text.lower() in lex.LISTING else "=" if i.text == "=" else "n" if i.kind == "w" and len(i.text) <= 3 else i.kind for i in items if i.text not in ".$")
    return bool(_ASSIGNED.fullmatch(shape))


def _outside(items: list[Item], inside: list[int]) -> list[int]:
    """The values outside parentheses, if one stands before the first parenthesis; else all."""
    depth, free = 0, []
    for i, item in enumerate(items):
        if item.text in ("(", ")"):
            depth += 1 if item.text == "(" else -1 if depth else 0
        elif item.kind == "v" and depth == 0:
            free.append(i)
    free = [k for k in inside if k in set(free)]
    return free if free and free[0] == inside[0] else inside


def _stands_first(items: list[Item], first: int, at: int) -> bool:
    """12 square units, because … · so 25 · about 66.7 per cent of the area"""
    if any(item.kind != "p" and item.text.lower() not in lex.ABOUT and item.text.lower() not in lex.HEDGES for item in items[first:at]):
        return False
    after = items[at + 1] if at + 1 < len(items) else None
    if after is None or after.kind != "w" or after.text.lower() in ("of", "in", "is", "are") or after.text.lower() in lex.REASONS:
        return True
    alone = sum(item.kind == "v" for item in items) == 1 and not any(item.text.lower() in lex.COPULAS for item in items[at:])
    return first > 0 or len(items) - at <= 4 or (alone and len(items) - at <= 8)


def _stands_last(items: list[Item], at: int) -> bool:
    """Length 6 cm. · A hossz 6 cm."""
    words = [item for item in items[:at] if item.kind == "w"]
    return 0 < len(words) <= 3 and len(words) == at and not any(item.kind != "p" for item in items[at + 1 :])


def _claim_before(items: list[Item], at: int) -> bool:
    """A verb of claiming with no other value between it and the value."""
    for item in reversed(items[:at]):
        if item.kind in "vs":
            return False
        if _is_claim(item):
            return True
    return False


def _claim_behind(items: list[Item], at: int) -> bool:
    """Languages with the verb at the end: क्षेत्रफल 24 है, alan 24'tür."""
    words = [item.text.lower() for item in items[at + 1 : at + 4] if item.kind == "w"]
    return bool(words) and words[0] in lex.FINAL_VERBS


def _of_quantity(items: list[Item], at: int) -> bool:
    """an area of 24 · the total 72"""
    words = _words_before(items, at, 3)
    return bool(words) and (words[0] in lex.QUANTITIES or (words[0] == "of" and len(words) > 1 and words[1] in lex.QUANTITIES))


def _second_subject(items: list[Item], inside: list[int], at: int) -> int:
    """The radius is 9 and the diameter 18: the later subject has the later value."""
    later = [k for k in inside if k > at]
    if not later:
        return at
    gap = list(items[at + 1 : later[0]])
    if not (2 <= len(gap) <= 5 and all(g.kind == "w" and len(g.text) > 1 for g in gap) and gap[0].text.lower() in ("and", "und", "et", "и")):
        return at
    other = lex.ABOUT | lex.REASONS | lex.ALTERNATIVES
    if not any(g.text.lower() in other or _is_claim(g) for g in gap):
        return later[0]
    return at


def _is_claim(item: Item) -> bool:
    if item.kind == "p":
        return item.text in ("=", "≈", ":", "→", ":=", "==", "=>", "->", "~=")
    if item.kind != "w":
        return False
    word = item.text.lower()
    return word in lex.CLAIMS or (not word.isascii() and word.endswith(lex.CLAIM_ENDINGS))


def _words_before(items: Sequence[Item], at: int, count: int) -> list[str]:
    words = []
    for item in reversed(items[:at]):
        if item.kind == "w":
            words.append(item.text.lower())
        elif item.kind in "vsl" or item.text in (",", ";", ":", "="):
            break
        if len(words) == count:
            break
    return words


def _is_negated(items: Sequence[Item], at: int, text: str) -> bool:
    """not 7 · isn't equal to 7 · 7 is not the answer · 7 is wrong · rather than 7"""
    for word in _words_before(items, at, 5):
        if word in lex.NEGATIONS:
            return True
        if word not in lex.NEGATION_FILLERS:
            break
    if lex.INSTEAD.search(text[max(0, items[at].start - 24) : items[at].start]):
        return True
    return bool(lex.REJECTED.match(text[items[at].end : items[at].end + 48]))


def _is_label(items: Sequence[Item], at: int) -> bool:
    """option 3: 12 · step 2 · figure 6 — and 3 in "(3) 12" is none."""
    if items[at].value is None or items[at].value.kind != "integer" or at == 0:
        return False
    back = at - 1
    while back > 0 and items[back].text in ("(", "#", "."):
        back -= 1
    word = items[back].text.lower().rstrip("s")
    if items[back].kind not in "wp" or (word not in lex.LABELS and items[back].text.lower() not in lex.LABELS):
        return False
    return items[back].text.lower() not in ("answer", "solution", "number", "value", "no", "part")  or (
        at + 1 < len(items) and items[at + 1].text == ":" and any(i.kind == "v" for i in items[at + 2 :])
    )


def decide(text: str, *, comma: bool = False, strict: bool = False, prose: bool = False) -> Choice:
    """The value that the clause `text` (folded, untexed) commits to.

    `strict`: the clause is a box, a JSON value or tags, where a list needs no "and". `prose`: the clause is an ordinary
    sentence, where a number without a verb of claiming commits to nothing.
    """
    text = text[:MAX_SPAN]
    if "i.e." in text:
        text = text.replace("i.e.", " ie ")
    text = spoken(text)
    midway = lex.MIDWAY.search(text)
    if midway is not None and any(c.isdigit() for c in text[: midway.start()]) and any(c.isdigit() for c in text[midway.end() :]):
        text = " " * midway.end() + text[midway.end() :]
    option = _OPTION.match(text)
    if option is not None:
        text = " " * option.end() + text[option.end() :]
    items = scan(text, comma=comma, strict=strict)
    return choose(items, text, strict=strict, prose=prose)


def choose(items: list[Item], text: str, *, strict: bool = False, prose: bool = False) -> Choice:
    if len(items) > MAX_ITEMS:
        items = items[-MAX_ITEMS:] if prose else items[:MAX_ITEMS]
    values = [i for i, item in enumerate(items) if item.kind == "v"]
    broken = next((i for i, item in enumerate(items) if item.kind == "open"), None)
    if broken is not None and strict:
        return Choice(warnings=["unbalanced"])
    if broken is not None and any(k > broken for k in values):
        values = [k for k in values if k < broken]
    if any(item.kind == "list" for item in items):
        at = next(i for i, item in enumerate(items) if item.kind == "list")
        return Choice(other("multiple", text), items[at].start, items[at].end, claimed=True)
    if not values:
        return _without_values(items, text)
    kept = [i for i in values if not _is_label(items, i) and not _is_negated(items, i, text)]
    dropped = len(values) - len(kept)
    if not kept:
        return Choice(warnings=["only a negated value or a label"] if dropped else [])
    if len(items) == 1:
        return Choice(items[0].value, items[0].start, items[0].end, claimed=True)
    whole = listed(items, kept, text, strict)
    if whole is not None:
        return Choice(whole, items[kept[0]].start, items[kept[-1]].end, claimed=True)
    if not prose and not strict and _assignments(items):
        return Choice(other("multiple", text), items[kept[0]].start, items[kept[-1]].end, claimed=True)
    first, last = _segment(items, kept)
    inside = [i for i in kept if first <= i < last]
    found, claimed = _claimed(items, _outside(items, inside), first, last)
    if found is not None and prose:
        found = _second_subject(items, inside, found)
    at = inside[0] if found is None else found
    if found is None:
        claimed = _stands_first(items, first, at)
        if prose and len(inside) > 1 and not claimed:
            return Choice(warnings=["several numbers, none claimed"])
    elif not claimed:
        claimed = _stands_first(items, first, at) or _of_quantity(items, at) or _claim_before(items, at) or _claim_behind(items, at) or _stands_last(items, at)
    choice = Choice(items[at].value, items[at].start, items[at].end, claimed=claimed)
    return settle(choice, items, at, kept, text)


def _without_values(items: list[Item], text: str) -> Choice:
    for item in items:
        if item.text == "∞" or item.text.lower() in ("infinity", "infinite", "infty", "inf", "unendlich", "infini", "infinito", "бесконечность", "无穷大", "無限大"):
            return Choice(other("infinite", text), item.start, item.end, claimed=True)
    return Choice()


def _segment(items: list[Item], kept: list[int]) -> tuple[int, int]:
    """The part of the clause that holds its conclusion: after the last "so", before the next "because"."""
    first, last = 0, len(items)
    # a leading reason ends at its comma: "Since r = 3, the area is 9π"
    if items[0].kind == "w" and items[0].text.lower() in lex.OPENERS:
        for i, item in enumerate(items):
            if item.text == "," and any(k > i for k in kept) and i + 1 < len(items) and not (items[i + 1].kind == "v" and i and items[i - 1].kind == "v"):
                first = i + 1
                if any(_is_claim(x) for x in items[first:]):
                    break
    for i in range(len(items) - 1, first - 1, -1):
        item = items[i]
        if item.text == ";" and 0 < i < len(items) - 1 and items[i - 1].kind == "v" and items[i + 1].kind == "v":
            continue
        concludes = (item.kind == "w" and item.text.lower() in lex.CONCLUSIONS) or item.text in (";", "→", "=>")
        if concludes and any(k > i for k in kept) and not _reason_between(items, first, i, kept):
            first = max(first, i + 1)
            break
    for i in range(first, last):
        item = items[i]
        if item.text == "which" and any(first <= k < i for k in kept) and i + 1 < last and items[i + 1].text.lower() in ("is", "are"):
            last = i
            break
        if item.kind == "w" and item.text.startswith(lex.REASON_STARTS) and any(first <= k < i for k in kept):
            last = i
            break
        if item.kind == "w" and item.text.lower() in lex.REASONS and any(first <= k < i for k in kept):
            if item.text.lower() in ("as", "for", "if", "where", "from", "using", "si", "als", "come") and not _is_reason(items, i):
                continue
            last = i
            break
    return first, last


def _reason_between(items: list[Item], first: int, at: int, kept: list[int]) -> bool:
    """12 because 3 and 4 are legs, so …: what follows "so" belongs to the reason."""
    reason = next((i for i in range(first, at) if items[i].kind == "w" and items[i].text.lower() in ("because", "since", "weil", "parce", "porque")), None)
    return reason is not None and any(first <= k < reason for k in kept) and reason > first


def _is_reason(items: list[Item], at: int) -> bool:
    return at > 0 and at + 1 < len(items)


_EQUALS = ("=", ":=", "==")
_NEARLY = ("≈", "~=", "~")


def _claimed(items: list[Item], inside: list[int], first: int, last: int) -> tuple[int | None, bool]:
    """The index of the claimed value within the segment."""
    signs = [i for i in range(first, last) if items[i].kind == "p" and items[i].text in _EQUALS + _NEARLY]
    verbs = [i for i in range(first, last) if items[i].kind == "w" and _is_claim(items[i])]
    colons = [i for i in range(first, last) if items[i].kind == "p" and items[i].text == ":"]
    after_sign = None
    for i in reversed(signs):
        follow = next((k for k in inside if k > i), None)
        if follow is not None and not any(items[j].kind == "s" for j in range(i + 1, follow)):
            after_sign = (i, follow)
            break
    for i in reversed(verbs):
        follow = next((k for k in inside if k > i), None)
        if follow is None:
            continue
        if after_sign is not None and after_sign[1] >= follow:
            break
        return follow, True
    if after_sign is not None:
        i, follow = after_sign
        return _exact_side(items, inside, signs, i, follow), True
    if signs and inside and all(k < signs[-1] for k in inside):  # 5 = AB
        return inside[-1], True
    for i in reversed(colons):
        follow = next((k for k in inside if k > i), None)
        if follow is not None:
            return follow, True
    if len(inside) == 1:
        return inside[0], any(i < inside[0] for i in verbs)
    return None, False


def _exact_side(items: list[Item], inside: list[int], signs: list[int], sign: int, follow: int) -> int:
    """Of "√17 ≈ 4.12" the exact side, if the other is its rounding or no decimal stands on the left."""
    for _ in range(4):
        before = next((k for k in reversed(inside) if k < sign), None)
        if items[sign].text not in _NEARLY or before is None:
            return follow
        if any(items[j].kind in "ws" and items[j].text.lower() not in lex.LENGTHS for j in range(before + 1, sign)):
            return follow
        left = items[before].value
        if left is None or (left.kind == "decimal" and items[follow].value is not None and items[follow].value.kind not in ("decimal", "integer")):  # type: ignore[union-attr]
            return follow
        follow = before
        sign = next((s for s in reversed(signs) if s < follow), -1)
        if sign < 0:
            break
    return follow
