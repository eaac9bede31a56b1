"""The worked example of docs/metrics.md: its tables go through the library, and every number of its text is compared."""

from __future__ import annotations

import ast
import operator
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from geoutils import flips, repetition, robustness, scoring, tabulation
from geoutils.panel import panels
from geoutils.robust_cells import read_cells
from geoutils.stats.paired import mcnemar_chi2, mcnemar_exact, mcnemar_midp
from geoutils.stats.permutation import cochran_q

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "metrics.md").read_text(encoding="utf-8")
REPRESENTATIONS = ["euclid", "coord", "vector"]


def table(first: str) -> pd.DataFrame:
    """The Markdown table of the page whose header line begins so."""
    lines = TEXT.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(first))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return pd.DataFrame(rows[2:], columns=rows[0])


ANSWERS = table("| problem | gold |")
MARKS = table("| problem | euclid | coord | vector | pattern |")
SHARES = table("| metric | formula | by hand | value |").set_index("metric")["value"].astype(float)
VARIANTS = table("| problem | variant 0 |")


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    """The answers of the page, graded by the library."""
    keys = {"model": "lab/by-hand", "strategy": "direct", "variant": 0, "repeat": 0, "category": "ratio"}
    cells, problems = [], []
    for row in ANSWERS.to_dict("records"):
        unit = "degrees" if row["gold"] == "60" else ""
        problems.append(
            {
                "problem": row["problem"],
                "variant": 0,
                "answer": row["gold"],
                "unit": unit,
                "difficulty": "easy",
                "dataset_sha256": "x",
            }
        )
        for name in REPRESENTATIONS:
            read = "" if row[name] == "-" else row[name] + (" deg" if unit else "")
            cells.append(
                {**keys, "problem": row["problem"], "representation": name, "outcome": "ok", "reading": "answered" if read else "none",
                 "predicted": read, "rule": "", "warnings": "", "response_sha256": "", "before_cut": ""}
            )  # fmt: skip
    return scoring.score(pd.DataFrame(cells), pd.DataFrame(problems))


def test_the_marks_are_the_grader_s(scores: pd.DataFrame) -> None:
    wide = scores.pivot_table(index="problem", columns="representation", values="correct")
    for row in MARKS.to_dict("records"):
        assert [int(wide.loc[row["problem"], name]) for name in REPRESENTATIONS] == [
            int(row[name]) for name in REPRESENTATIONS
        ]
        same = scores[scores["problem"] == row["problem"]][
            ["same_coord_euclid", "same_coord_vector", "same_euclid_vector"]
        ].astype(int)
        assert ("yes" if same.to_numpy().all() else "no") == row["same answer"]
        assert ("yes" if wide.loc[row["problem"]].min() == 1 else "no") == row["all correct"]
    assert flips.patterns(panels(scores)[0]).tolist() == MARKS["pattern"].tolist()


def test_coarser_decimals_are_as_the_text_says() -> None:
    from geoutils import grade

    verdicts = {text: grade(text, "2*sqrt(3)").verdict for text in ("3.464", "3.46", "3.5")}
    assert verdicts == {"3.464": "correct", "3.46": "correct", "3.5": "wrong"}


def test_shares(scores: pd.DataFrame) -> None:
    row = tabulation.summarise_with_cis(scores).iloc[0]
    found = {
        **{f"accuracy, {name}": row[name] for name in REPRESENTATIONS},
        "accuracy gap": row["accuracy_gap"], "Invariance@3": row["Invariance@3"], "Any@3": row["Any@3"],
        "Consistency@3": row["Consistency@3"], "SameWrong": row["SameWrong"], "flip share": row["flip_share"],
        "fragile share": row["fragile_share"], "mean accuracy": row["mean_accuracy"],
    }  # fmt: skip
    bounds = tabulation.accuracy(scores).set_index("representation").loc["vector"]
    found |= {
        "bounds of accuracy, vector, low": bounds["bound_low"],
        "bounds of accuracy, vector, high": bounds["bound_high"],
    }
    assert found == pytest.approx(SHARES.to_dict(), abs=1e-12)
    assert (
        f"limits (Clopper-Pearson, below ten problems) are {row['Invariance@3_ci_low']:.3f} and {row['Invariance@3_ci_high']:.3f}"
        in TEXT
    )


def worth(node: ast.expr) -> float:
    """The value of an arithmetic expression of the page."""
    if isinstance(node, ast.Constant):
        return float(node.value)
    assert isinstance(node, ast.BinOp)
    return OPERATORS[type(node.op)](worth(node.left), worth(node.right))


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def test_what_is_done_by_hand_gives_the_value() -> None:
    rows = re.findall(r"^\| [^|]+ \| [^|]+ \| ([\d(][^|]*) \| ([\d.]+) \|$", TEXT, re.MULTILINE)
    assert len(rows) == 17
    for by_hand, value in rows:
        assert worth(ast.parse(by_hand, mode="eval").body) == pytest.approx(float(value), abs=6e-4), by_hand


def test_patterns_transfer_and_kappa(scores: pd.DataFrame) -> None:
    counts = flips.pattern_counts(scores).iloc[0]
    said = dict(re.findall(r"\b([CW]{3}) (\d)", TEXT))
    assert {name: str(counts[name]) for name in said} == said
    assert len(said) == 8
    pair = flips.pairwise(scores)
    pair = pair[(pair["first"].isin(["euclid", "vector"])) & (pair["second"].isin(["euclid", "vector"]))].iloc[0]
    there, back = ("transfer", "reverse") if pair["first"] == "euclid" else ("reverse", "transfer")
    assert (pair[f"{there}_k"], pair[f"{there}_m"], pair[f"{back}_k"], pair[f"{back}_m"]) == (2, 4, 2, 2)
    assert pair["agreement"] == pytest.approx(0.6)
    assert pair["agreement_by_chance"] == pytest.approx(0.44)
    assert f"/ (1 - 0.44) = {pair['kappa']:.3f}" in TEXT


def test_mcnemar_and_cochran(scores: pd.DataFrame) -> None:
    row = tabulation.summarise_with_mcnemar(scores).iloc[0]
    assert (row["mcnemar_b_euclid_vector"], row["mcnemar_c_euclid_vector"]) == (2, 0)
    assert (mcnemar_exact(2, 0), mcnemar_midp(2, 0)) == pytest.approx((0.5, 0.25))
    assert mcnemar_chi2(2, 0).chi2 == pytest.approx(0.5)
    assert np.isnan(row["mc_p_euclid_vector"]), "the tables print no test below ten problems"
    cells = MARKS[["coord", "euclid", "vector"]].astype(int).to_numpy()
    q = cochran_q(cells)
    assert q.q == pytest.approx(3)
    assert f"exact p = 6 / 9 = {q.p_exact:.3f}" in TEXT


def test_variants_and_repeats() -> None:
    marks = VARIANTS[["variant 0", "variant 1", "variant 2"]].astype(int)
    assert (marks["variant 0"].to_numpy() == MARKS["euclid"].astype(int).to_numpy()).all()
    keys = {
        "model": "lab/by-hand",
        "strategy": "direct",
        "representation": "euclid",
        "repeat": 0,
        "category": "ratio",
        "outcome": "ok",
        "verdict": "",
    }
    rows = [
        {**keys, "problem": problem, "variant": variant, "correct": int(value), "predicted": "1", "gold": "1"}
        for problem, values in zip(VARIANTS["problem"], marks.to_numpy(), strict=True)
        for variant, value in enumerate(values)
    ]
    cells, _ = read_cells(pd.DataFrame(rows))
    cubes = robustness.cubes(cells)
    row = robustness.summary(cubes).iloc[0]
    decay = robustness.decay(cubes).set_index("k")["observed"]
    found = {
        "average": row["average"],
        "worst": row["worst"],
        "RR": row["rr"],
        "worst case at 2 of 3 variants": decay[2],
    }
    lines = TEXT.split("## Variants", 1)[1]
    said = dict(re.findall(r"^\| ([^|]+?) \| [^|]+ \| [^|]+ \| ([\d.]+) \|$", lines, re.MULTILINE))
    assert {name: f"{value:.3f}".rstrip("0") for name, value in found.items()} == said
    rc, modal = repetition.consistency(["5", "5", "5", "6", ""])
    assert (rc, modal) == pytest.approx((0.5, 0.6))


def test_concepts() -> None:
    from geoutils.concepts_scores import msu

    cosines = np.array([[0.9, 0.2], [0.4, 0.6]])
    golden = np.eye(4)[:2]
    rest = np.sqrt(1 - (cosines**2).sum(axis=1))
    named = np.column_stack([cosines, np.diag(rest)])
    vectors = dict(zip(["first", "second", "one", "two"], [*named, *golden], strict=True))
    made = msu(
        ["first", "second"],
        ["one", "two"],
        lambda phrases: np.stack([vectors[phrase] for phrase in phrases]),
        threshold=0.7,
    )
    assert (made.msu, made.coverage, made.precision) == pytest.approx((0.75, 0.75, 0.5))
