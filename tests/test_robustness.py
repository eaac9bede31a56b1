"""Robustness over variants and repeats: the published formulas by hand, odd inputs, and the notebook."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from geoutils import display, repetition, robust_comparisons, robustness, robustness_plots, robustness_wording
from geoutils.experiment import safe_name
from geoutils.robust_cells import fault_counts, read_cells

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "09_robustness.ipynb"
KINDS = ("canonical", "names", "numbers,motion,names", "numbers", "motion,scale")


def rows(
    right: np.ndarray, *, model: str = "lab/one", representations: tuple[str, ...] = ("coord", "euclid", "vector"), repeats: int = 1, first: int = 0
) -> pd.DataFrame:
    """Score rows of seeds x representations x variants; further repeats say the same."""
    out = []
    for i, j, v in np.ndindex(*right.shape):
        for repeat in range(repeats):
            mark = int(right[i, j, v])
            out.append(
                {
                    "problem": f"p{i:03d}", "category": ("length", "area")[i % 2], "difficulty": ("easy", "hard")[i % 2], "model": model,
                    "strategy": "direct", "variant": v + first, "representation": representations[j], "repeat": repeat,
                    "predicted": "7" if mark else str(10 + i), "gold": "7", "correct": mark, "outcome": "ok",
                    "verdict": "correct" if mark else "wrong",
                }
            )  # fmt: skip
    return pd.DataFrame(out)


def problems(n: int, variants: int) -> pd.DataFrame:
    return pd.DataFrame([{"problem": f"p{i:03d}", "variant": v, "kinds": KINDS[v % 5]} for i in range(n) for v in range(variants)])


def cube(right: np.ndarray, **options: Any) -> robustness.Cube:
    cells, faults = read_cells(rows(right, **options), problems=problems(right.shape[0], right.shape[2]))
    assert faults.empty
    (found,) = robustness.cubes(cells)
    return found


def random(n: int, k: int, m: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random((n, k, m)) < rng.random((n, 1, 1))).astype(int)


def test_average_worst_and_rr_are_the_published_formulas() -> None:
    right = random(40, 3, 5)
    table = robustness.summary([cube(right)]).set_index("representation")
    assert list(table.index) == ["all", "coord", "euclid", "vector"]
    for place, name in enumerate(table.index[1:]):
        y = right[:, place]
        average = sum(sum(seed) / 5 for seed in y) / 40
        worst = sum(min(seed) for seed in y) / 40
        row = table.loc[name]
        assert (row["average"], row["worst"], row["rr"]) == pytest.approx((average, worst, worst / average))
        assert row["average_low"] < average < row["average_high"]
        assert row["rr_low"] <= row["rr"] <= row["rr_high"]
    assert table.loc["all", "worst"] == pytest.approx(right.min(axis=(1, 2)).mean())
    assert table.loc["all", "worst"] <= table["worst"].min()


def test_the_edges_have_intervals_and_their_words() -> None:
    none, every = (robustness.measures(np.full((20, 10), mark)) for mark in (0, 1))
    assert (none["rr"], none["note"]) == (0.0, "no correct answer") and none["average_high"] > 0.1
    assert every["rr"] == 1 and every["rr_low"] < 1 and every["average_low"] < 1
    fragile = robustness.measures(np.eye(20, 10, dtype=int))
    assert fragile["rr"] == 0 and fragile["note"] == "" and 0 < fragile["rr_high"] <= 1
    assert robustness.measures(np.zeros((0, 3)))["seeds"] == 0


def test_intervals_resample_seeds_and_not_answers() -> None:
    """Copies of a seed's answer say nothing new: ten equal variants give the interval of one."""
    once = random(60, 1, 1)[:, 0]
    one, ten = robustness.measures(once), robustness.measures(np.repeat(once, 10, axis=1))
    assert (ten["average_low"], ten["average_high"]) == pytest.approx((one["average_low"], one["average_high"]))


def test_decay_is_the_mean_over_all_subsets() -> None:
    right = random(12, 2, 5)
    table = robustness.decay([cube(right, representations=("coord", "vector"))]).set_index(["representation", "k"])["observed"]
    independent = robustness.decay([cube(right, representations=("coord", "vector"))]).set_index(["representation", "k"])["independent"]
    for k in range(1, 6):
        subsets = list(combinations(range(5), k))
        assert table["coord", k] == pytest.approx(np.mean([right[:, 0][:, s].min(axis=1).mean() for s in map(list, subsets)]))
        assert table["all", k] == pytest.approx(np.mean([right[:, :, s].min(axis=(1, 2)).mean() for s in map(list, subsets)]))
        assert independent["coord", k] == pytest.approx(right[:, 0].mean() ** k)
        assert independent["all", k] == pytest.approx(right.mean() ** (2 * k))


def test_variation_and_the_noise_floor() -> None:
    right = np.ones((10, 3, 5), dtype=int)
    right[:4, :, 1] = 0  # four seeds fall with new names, in every representation alike
    right[:, :, 3] = 0  # all fall with new numbers
    right[:5, 0, 4] = 0
    c = cube(right)
    table = robustness.by_variation([c]).set_index("variation")
    assert table.loc["names only", "drop"] == pytest.approx(0.4) and table.loc["numbers", "drop"] == pytest.approx(1.0)
    assert table.loc["canonical", "average"] == 1 and np.isnan(table.loc["canonical", "drop"])
    assert table.loc["motion or scale", "average"] == pytest.approx(1 - 5 / 30)
    floor = robustness.noise_floor([c]).iloc[0]
    assert floor["names"] == pytest.approx(0.4) and floor["representations"] == pytest.approx(0.5 * (2 / 3) / 5)
    assert floor["excess"] == pytest.approx(floor["representations"] - 0.4) and floor["excess_high"] < 0


@pytest.mark.parametrize(
    ("kinds", "named"),
    [("canonical", "canonical"), ("names", "names only"), ("numbers,names", "numbers"), ("motion,scale", "motion or scale"),
     ("numbers,motion,scale,names", "numbers and motion"), ("", "")],
)  # fmt: skip
def test_kinds_of_variation(kinds: str, named: str) -> None:
    assert robustness.variation_of(kinds) == named


def test_groups_add_up() -> None:
    c = cube(random(30, 3, 4))
    for by in ("category", "difficulty"):
        table = robustness.by_group([c], by)
        assert table["seeds"].sum() == 30
        whole = robustness.measures(c.correct.reshape(30, -1))
        assert np.average(table["average"], weights=table["seeds"]) == pytest.approx(whole["average"])


def test_faults_are_told_counted_and_not_correct() -> None:
    table = rows(np.ones((3, 3, 2), dtype=int)).astype({"correct": object}).assign(file="exp1_x.csv", line=range(2, 20))
    table.loc[0, "correct"] = "perhaps"
    table.loc[1, ["correct", "outcome"]] = ["", "ok"]
    twice = pd.concat([table.drop(index=5), table.loc[[7]].assign(correct=0, line=99)], ignore_index=True)
    cells, faults = read_cells(twice)
    assert len(cells) == 18 and cells["correct"].sum() == 15
    told = faults.set_index("value")
    assert told.loc["perhaps", ["file", "row"]].tolist() == ["exp1_x.csv", 2]
    assert told.loc["(empty)", "row"] == 3 and told.loc["(no row)", "problem"] == "p000"
    assert told.loc["0 after 1", "row"] == 99
    said = robustness_wording.faults(fault_counts(faults))
    assert len(fault_counts(faults)) == 3
    assert r"not a mark of right or wrong (2; the first: exp1\_x.csv, row 2, lab/one, p000 variant 0: perhaps) counts as not correct" in said


def test_repetition_consistency_by_category_difficulty_and_variation() -> None:
    one = rows(np.ones((4, 2, 2), dtype=int), representations=("coord", "euclid"))
    many = pd.concat([one.assign(repeat=k) for k in range(3)], ignore_index=True)
    other = (many["category"] == "area") & (many["repeat"] == 1)  # one of two further answers differs there
    many.loc[other, "predicted"] = "99"
    cells, _ = read_cells(many, problems=problems(4, 2))
    whole, grouped = repetition.repetition_tables(cells)
    table = grouped.set_index(["by", "group"])
    assert table.loc[("category", "length"), "rc_primary"] == 1 and table.loc[("category", "area"), "rc_primary"] == 0.5
    assert table.loc[("category", "area"), "rc_modal"] == pytest.approx(2 / 3)
    assert table.loc[("difficulty", "hard"), "rc_primary"] == 0.5 and table.loc[("variation", "names only"), "rc_primary"] == 0.75
    assert (table["seeds"].max(), table.loc[("variation", "canonical"), "statements"]) == (4, 8)
    assert whole.loc[whole["representation"] == "all", "rc_primary"].item() == 0.75
    assert "lowest RC 50.0 %" in robustness_wording.repeated_groups(grouped)


def test_unequal_repeats_are_told_by_row_and_counted() -> None:
    one = rows(np.ones((3, 1, 2), dtype=int)).assign(file="exp1_x.csv")
    many = pd.concat([one.assign(repeat=k) for k in range(3)], ignore_index=True)
    many["line"] = range(2, len(many) + 2)
    fewer = many.drop(index=many[(many["problem"] == "p001") & (many["variant"] == 1) & (many["repeat"] == 2)].index)
    _, faults = read_cells(fewer)
    assert len(faults) == 1
    told = faults.iloc[0]
    assert (told["problem"], told["variant"], told["value"]) == ("p001", 1, "2 of 3 repeats")
    assert told["file"] == "exp1_x.csv" and told["row"] == fewer[(fewer["problem"] == "p001") & (fewer["variant"] == 1)]["line"].max()
    table = repetition.pass_rates(read_cells(fewer)[0])
    assert set(table["answers"]) == {2}  # as many as all have
    assert read_cells(many)[1].empty


def test_representations_asked_in_fewer_variants_stand_apart() -> None:
    scores = rows(np.ones((4, 3, 3), dtype=int))
    scores = scores[(scores["variant"] == 0) | (scores["representation"] != "vector")]
    (c,) = robustness.cubes(read_cells(scores, plan=scores)[0])
    assert (c.representations, c.apart, c.n, c.m) == (("coord", "euclid"), ("vector",), 4, 3)
    assert "left out: vector" in robustness_wording.coverage([c])


def test_seeds_planned_with_fewer_variants_stand_apart() -> None:
    scores = rows(np.ones((6, 3, 4), dtype=int))
    scores = scores[(scores["variant"] == 0) | (scores["problem"] < "p004")]
    cells, faults = read_cells(scores, plan=scores)
    (c,) = robustness.cubes(cells)
    assert faults.empty and (c.n, c.m, c.left_out) == (4, 4, 2)
    assert "2 problems" in robustness_wording.coverage([c])


def test_repetition_consistency_against_the_primary_and_the_modal_answer() -> None:
    assert repetition.consistency(["1", "2", "2", "2"]) == (0.0, 0.75)
    assert repetition.consistency(["1/2", "0.5", "sqrt(2)", ""]) == (pytest.approx(1 / 3), 0.5)
    assert repetition.consistency(["", "", "1"]) == (0.0, pytest.approx(1 / 3))
    assert np.isnan(repetition.consistency(["1"])[0])


def test_repeats_may_be_unequal_and_temperature_zero_is_warned_of() -> None:
    scores = rows(random(8, 3, 2), repeats=3)
    scores = scores[(scores["repeat"] < 2) | (scores["problem"] != "p000")]
    cells, _ = read_cells(scores, plan=scores)
    table = repetition.repetition_consistency(cells, {("lab/one", "direct"): 0.0}).set_index("representation")
    row = table.loc["all"]
    assert (row["k"], row["seeds"], row["rc_primary"], row["rc_modal"]) == (1, 8, 1.0, 1.0)
    assert "temperature 0" in row["note"] and "2 to 3 answers, the first 2 used" in row["note"]
    warm = repetition.repetition_consistency(cells, {("lab/one", "direct"): 0.7})
    assert not warm["note"].str.contains("temperature").any()


def test_pass_rates_are_unbiased() -> None:
    scores = rows(np.zeros((2, 1, 1), dtype=int), representations=("coord",), repeats=4)
    scores.loc[scores["problem"].eq("p000") & (scores["repeat"] < 2), "correct"] = 1
    cells, _ = read_cells(scores, plan=scores)
    table = repetition.pass_rates(cells).set_index("k")
    assert table["pass_at_k"].tolist() == pytest.approx([0.25, (1 - 1 / 6) / 2, 0.5, 0.5])
    assert table["pass_hat_k"].tolist() == pytest.approx([0.25, 1 / 12, 0.0, 0.0])


def test_models_are_compared_at_equal_numbers_of_variants() -> None:
    right = random(30, 1, 6)
    many, few = cube(right, model="lab/many", representations=("coord",)), cube(right[:, :, :3], model="lab/few", representations=("coord",))
    ((group, told),) = robust_comparisons.comparable([many, few])
    assert [c.m for c in group] == [3, 3] and "falls with every further variant" in told
    table = robust_comparisons.differences([many, few]).set_index("measure")
    assert (table["difference"] == 0).all()
    ranks = robust_comparisons.ranks([many, few])
    assert (ranks["average_rank"] == 1).all() and ranks["note"].str.contains("3 variant").all()


def test_differences_are_paired() -> None:
    a, b = random(40, 3, 4, 1), random(40, 3, 4, 2)
    table = robust_comparisons.differences([cube(a, model="lab/a"), cube(b, model="lab/b")]).set_index("measure")
    assert table.loc["average", "difference"] == pytest.approx(a.mean() - b.mean())
    assert table.loc["worst", "difference"] == pytest.approx(a.min(axis=(1, 2)).mean() - b.min(axis=(1, 2)).mean())
    assert (table["low"] <= table["difference"]).all() and (table["difference"] <= table["high"]).all()


def test_figures_draw_rich_and_poor_tables() -> None:
    rich = [cube(random(20, 3, 4), model=f"lab/{i}") for i in range(8)]
    for given in (rich, rich[:1], []):
        for drawn in (robustness_plots.average_and_worst(robustness.summary(given)), robustness_plots.decay_curves(robustness.decay(given))):
            assert len(drawn.alt) > 20


CASES = {
    "rich": pd.concat([rows(random(12, 3, 5, i), model=m, repeats=2) for i, m in enumerate(("lab/a", "lab/b", "baseline/gold"))]),
    "one variant": rows(random(6, 3, 1), model="baseline/gold"),
    "nothing right": rows(np.zeros((5, 3, 3), dtype=int), model="lab/a"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_notebook_runs(case: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(display, "show_markdown", said.append)
    scores = CASES[case]
    variants, repeats = int(scores["variant"].max()) + 1, int(scores["repeat"].max()) + 1
    models = list(dict.fromkeys(scores["model"]))
    file = home / "case.yaml"
    endpoint = "endpoints: {lab: {base_url: 'http://127.0.0.1:9/v1'}}"
    file.write_text(f"name: case\nmodels: {models}\nvariants: {variants}\nrepeats: {repeats}\n{endpoint}\n")
    folder = home / "data" / "case" / "scores"
    folder.mkdir(parents=True)
    known = scores[["problem", "category", "difficulty", "variant", "representation"]].drop_duplicates()
    known.assign(statement="", kinds=[KINDS[v % 5] for v in known["variant"]]).to_csv(folder.parent / "problems.csv", index=False)
    for model, part in scores.groupby("model"):
        part.to_csv(folder / f"exp1_{safe_name(str(model))}__direct.csv", index=False)
    shell = InteractiveShell()
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            source = cell.source.replace("data/experiments/quickstart.yaml", file.as_posix())
            shell.run_cell(source, silent=True).raise_error()
    assert len(said) >= 11 and not any("nan" in text.split() for text in said)
    table = pd.read_csv(home / "reports" / "case" / "tables" / "robustness_summary.csv")
    assert set(table["model"]) == set(models)
    if case == "rich":
        assert any("temperature 0" in text for text in said) and any("falls with every further one" in text for text in said)
    if case == "one variant":
        assert any("With one variant the worst case is the average" in text for text in said)
    if case == "nothing right":
        assert any("no correct answer" in text for text in said)
