"""`check`: sound problems are proved, and each broken one is named by file, id, field and reason."""

from __future__ import annotations

import pytest
from problem_samples import MEDIAN, problem

from geoutils.errors import UserError
from geoutils.problems import proofs, reading
from geoutils.problems.building import Draw, build, with_statements
from geoutils.problems.proofs import check, load_concepts, record_hash
from geoutils.problems.proving import prove

CONCEPTS = {"median": "a line from a vertex to a midpoint"}
MIDPOINT = "  - The point <M> is the midpoint of side <B><C>.\n  vector"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "home"))


def faults(*edits: tuple[str, str], variants: int = 4, unique: bool = True):
    proof = prove(problem(*edits), variants=variants, unique=unique, concepts=CONCEPTS)
    return [(finding.kind, finding.line()) for finding in proof.findings]


def test_a_sound_problem_is_proved_in_every_variant_and_representation():
    proof = prove(problem(), concepts=CONCEPTS)
    assert proof.findings == []
    assert (proof.variants, proof.statements, proof.proved) == (11, 33, 33)
    assert proof.read == 66 and proof.unread == proof.by_hand == 0


@pytest.mark.parametrize(
    ("edit", "kind", "words"),
    [
        (("answer: dist(A, M)", "answer: dist(B, M)"), "question", "the question asks dist(A,M)"),
        (("Find the length of <A><M>.", "Find the length of <B><M>."), "question", "the answer is 2√37"),
        (("euclid: sqrt(2*AB", "euclid: sqrt(3*AB"), "check", "the check gives"),
        (("vector: norm(u + v)/2", "vector: norm(u + w)/2"), "expression", "unknown name w"),
        (("vector: norm(u + v)/2", "vector: AB"), "check", "it uses AB, whose value the text does not show"),
        (("vector: norm(u + v)/2", "vector: norm(u + v)/0"), "check", "division by zero"),
        (("M: mid(B, C)", "M: divide(B, C, 1, 2)"), "figure", "the figure breaks its own text: midpoint(M,B,C)"),
        (("<A><B> = <AB>, <B><C> = <BC>", "<A><B> = <BC>, <B><C> = <AB>"), "figure", "the figure breaks its own text"),
        (
            (" midpoint of side <B><C>.\n  vector", " middle thing of side <B><C>.\n  vector"),
            "unread",
            "the grammar does not read",
        ),
        (("<B><C> = <BC> and", "<B><C> = <BC>, <A><M> = <BC> and"), "figure", "breaks its own text"),
        (
            ("<A><B> = <AB>, <B><C> = <BC> and <C><A> = <CA>.", "<A><B> = <AB> and <B><C> = <BC>."),
            "uniqueness",
            "does not fix the answer",
        ),
        (("euclid: sqrt(2*AB**2", "euclid: frob(2*AB**2"), "expression", "frob"),
    ],
)
def test_each_fault_is_named(edit: tuple[str, str], kind: str, words: str):
    found = faults(edit)
    assert any(k == kind and words in line and line.startswith("sample.yaml: length_easy_04: ") for k, line in found), (
        found
    )


def test_a_broken_equation_is_an_error_and_never_redrawn():
    # m : n swapped for the figure's n : m: true for no draw, so every variant must report it
    proof = prove(problem(("M: mid(B, C)", "M: divide(B, C, 2, 3)")), variants=4, unique=False, concepts=CONCEPTS)
    broken = {(f.variant, f.representation) for f in proof.findings if f.kind == "figure"}
    assert {(v, r) for v in range(4) for r in ("coord", "euclid", "vector")} <= broken


def test_hand_written_meaning_needs_a_fresh_review_mark():
    say = "The point <M> halves, in a manner of speaking, the side <B><C>."
    text = f"  - {{say: '{say}', means: ['midpoint(M, B, C)'], reviewed: 'ann MARK'}}\n  vector"
    stale = faults((MIDPOINT, text))
    assert any(kind == "review" and "set reviewed: " in line for kind, line in stale)
    mark = reading.review_mark(problem((MIDPOINT, text)).statements["euclid"][1])
    proof = prove(problem((MIDPOINT, text.replace("MARK", mark))), variants=3, concepts=CONCEPTS)
    assert proof.findings == [] and proof.by_hand == 3
    edited = text.replace("MARK", mark).replace("speaking", "talking")
    assert any(kind == "review" for kind, _ in faults((MIDPOINT, edited)))
    wrong = text.replace("midpoint(M, B, C)", "midpoint(B, M, C)")
    wrong = wrong.replace("MARK", reading.review_mark(problem((MIDPOINT, wrong)).statements["euclid"][1]))
    assert any(kind == "figure" for kind, _ in faults((MIDPOINT, wrong)))


def test_meanings_take_printed_values_only():
    made = with_statements(build(problem(), Draw(problem().canonical)))
    shown = proofs_shown(made)
    assert reading.fill("dist(A, B) == <AB>", shown) == "dist(A, B) == (13)"
    with pytest.raises(ValueError, match="does not show"):
        reading.fill("dist(A, B) == <p>", shown)


def proofs_shown(variant):
    from geoutils.problems.rendering import read_back

    return read_back(variant.statements["euclid"])


def test_check_reports_counts_and_remembers(tmp_path):
    folder = tmp_path / "problems"
    folder.mkdir()
    (folder / "length.yaml").write_text(MEDIAN, encoding="utf-8")
    (folder / "concepts.yaml").write_text("median: a line to a midpoint\n", encoding="utf-8")
    first = check(folder, variants=3)
    assert first.ok and (first.problems, first.statements, first.proved, first.cached) == (1, 9, 9, 0)
    assert first.share_read == 1.0 and first.findings.empty
    assert "9 of 9 statements proved: 1 problems" in first.text()
    again = check(folder, variants=3)
    assert again.cached == 1 and again.proved == 9
    (folder / "length.yaml").write_text(MEDIAN.replace("<CA>.", "<AB>."), encoding="utf-8")
    broken = check(folder, variants=3)
    assert not broken.ok and broken.cached == 0 and broken.proved < 9
    assert {"file", "id", "field", "variant", "representation", "kind", "message"} <= set(broken.findings.columns)
    assert "length.yaml: length_easy_04: euclid" in broken.text()
    assert check(folder, variants=3).text().splitlines()[0] == broken.text().splitlines()[0]


def test_two_processes_say_the_same_as_one(tmp_path):
    ids = [f"length_easy_{n:02d}" for n in range(1, 6)]
    text = "".join(MEDIAN.replace("length_easy_04", name) for name in ids)
    (tmp_path / "length.yaml").write_text(text.replace("answer: dist(A, M)", "answer: dist(B, M)", 1), encoding="utf-8")
    one = check(tmp_path / "length.yaml", variants=2, jobs=1, cache=False, unique=False)
    two = check(tmp_path / "length.yaml", variants=2, jobs=2, cache=False, unique=False)
    assert one.findings.equals(two.findings) and one.proved == two.proved > 0
    assert {"duplicate", "family", "gold-cap"} <= set(one.findings["kind"])


def test_the_rest_is_checked_after_a_broken_record(tmp_path):
    broken = MEDIAN.replace("length_easy_04", "length_easy_05").replace("category: length", "category: len")
    (tmp_path / "length.yaml").write_text(broken + MEDIAN, encoding="utf-8")
    summary = check(tmp_path / "length.yaml", variants=2)
    assert summary.proved == 6 and not summary.ok


def test_hashes_ignore_place_and_notice_content():
    made = problem()
    assert record_hash(made) == record_hash(problem())
    assert record_hash(problem(("h: [12]", "h: [12, 24]"))) != record_hash(made)


def test_the_authors_tool(tmp_path, capsys):
    path = tmp_path / "length.yaml"
    path.write_text(MEDIAN, encoding="utf-8")
    assert proofs.main([str(path), "--show", "--variants", "3"]) == 0
    out = capsys.readouterr().out
    assert "--- euclid" in out and "2√37" in out and "names" in out and "9 of 9 statements proved" in out
    path.write_text(MEDIAN.replace("<CA>.", "<AB>."), encoding="utf-8")
    assert proofs.main([str(path), "--variants", "2"]) == 2
    assert proofs.main([str(tmp_path / "none.yaml")]) == 2
    assert "no such file" in capsys.readouterr().err
    with pytest.raises(UserError, match="no problem x_1"):
        check(path, only=["x_1"])


def test_concepts_are_read_and_checked(tmp_path):
    (tmp_path / "a.yaml").write_text(MEDIAN, encoding="utf-8")
    assert load_concepts([tmp_path]) == (None, [])
    (tmp_path / "concepts.yaml").write_text("median: a line\nempty: ''\n", encoding="utf-8")
    assert load_concepts([tmp_path])[1][0].kind == "concept"


def test_golds_and_figures_are_spread_in_the_published_set_only(tmp_path):
    copies = "".join(MEDIAN.replace("length_easy_04", f"length_easy_0{k}") for k in (4, 5, 6, 7))
    path = tmp_path / "length.yaml"
    path.write_text(copies, encoding="utf-8")
    kinds = {finding.kind for finding in check(path, jobs=1, variants=2, unique=False).faults}
    assert {"gold-cap", "duplicate", "family"} <= kinds
    fresh = [f for f in check(path, jobs=1, variants=2, unique=False, seed=3).faults if f.kind != "family"]
    assert {finding.kind for finding in fresh} == {"duplicate"} and "renumbered" in fresh[0].message
