"""A small sound record, and edits of it, for the tests of geoutils.problems."""

from __future__ import annotations

from geoutils.problems.records import Problem, read_text

MEDIAN = """
- id: length_easy_04
  category: length
  difficulty: easy
  family: medians
  concepts: [median]
  params:
    p: [5, 9, 16, -5, -9]
    s: [5, 9, 16, 35]
    h: [12]
  where: ["not p == s", "not p + s == 0", "p + s > 0"]
  canonical: {p: 5, s: 9, h: 12}
  points:
    A: (0, h)
    B: (-p, 0)
    C: (s, 0)
    M: mid(B, C)
  let:
    AB: dist(A, B)
    BC: dist(B, C)
    CA: dist(C, A)
    u: vec(A, B)
    v: vec(A, C)
  names: {points: [ABCM, PQRM, KLMN, DEFT, XYZW], vectors: [uv, pq, kl, de, ab]}
  motion: {scales: [1, 2, 3]}
  question: Find the length of <A><M>.
  answer: dist(A, M)
  coord:
  - Triangle <A><B><C> has vertices <A><A.xy>, <B><B.xy> and <C><C.xy>.
  - The point <M> is the midpoint of side <B><C>.
  euclid:
  - In triangle <A><B><C>, <A><B> = <AB>, <B><C> = <BC> and <C><A> = <CA>.
  - The point <M> is the midpoint of side <B><C>.
  vector:
  - The vectors from <A> to <B> and from <A> to <C> are <u> = <u.xy> and <v> = <v.xy>.
  - The point <M> is the midpoint of segment <B><C>.
  check:
    coord: dist(A, mid(B, C))
    euclid: sqrt(2*AB**2 + 2*CA**2 - BC**2)/2
    vector: norm(u + v)/2
  solution:
  - "The median halves $<B><C>$, so $<B><M> = <BC/2>$."
  - "Twice the law of cosines gives $<A><M>^2 = <(2*AB**2 + 2*CA**2 - BC**2)/4>$."
  - "So $<A><M> = <answer>$, about <answer.dec>."
  figure: {segments: [AB, BC, CA, AM], labels: [A, B, C, M]}
"""


def problem(*edits: tuple[str, str]) -> Problem:
    """The sample with texts replaced; each edit must occur."""
    text = MEDIAN
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    problems, findings = read_text(text, "sample.yaml")
    assert not findings, [finding.line() for finding in findings]
    return problems[0]
