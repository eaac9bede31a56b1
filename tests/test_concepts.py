"""Lists of concepts, the MSU score by hand, extraction through a model, conditions, statistics against scipy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from geoutils import concepts, concepts_stats, concepts_summaries
from geoutils.concepts_extraction import Extracted, split_tags, tag_agreement
from geoutils.concepts_lists import Concepts, find_concepts, paraphrased, read_concepts, tag_of
from geoutils.concepts_scores import NEITHER, NO_GENERATED, NO_GOLDEN, SCORED, msu, score_lists
from geoutils.concepts_settings import LEXICON

# ---------------------------------------------------------------- lists


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("law of cosines, dot product", ("law of cosines", "dot product")),
        ("concepts: Law of Cosines, law of cosines, LAW  OF COSINES.", ("law of cosines",)),
        ("**Concepts:**\n1. Pythagorean theorem\n2) Similar triangles: equal angles\n- slope", ("pythagorean theorem", "similar triangles", "slope")),
        ("Here are the mathematical concepts used:\n\n* Coordinates\n• Distance formula", ("coordinates", "distance formula")),
        ("Concept 1: Triangle\nConcept 2: Angle bisector theorem", ("triangle", "angle bisector theorem")),
        ('["slope", "midpoint"]', ("slope", "midpoint")),
        ('{"concepts": ["slope", "midpoint"]}', ("slope", "midpoint")),
        ("```\nslope; midpoint\n```", ("slope", "midpoint")),
        ("area of a triangle (base, height), slope", ("area of a triangle (base, height)", "slope")),
        ("The solution uses the Pythagorean theorem, the law of sines, and the concept of similar triangles.", ("pythagorean theorem", "law of sines", "similar triangles")),
        ("<think>slope, chord</think>median", ("median",)),
        ("concept1, concept2, concept3 ...", ()),
        ("The answer is 1.", ()),
        ("The triangle with sides AB, BC, and AC has side AB = 10, so triangle ABC has area 11", ()),
        ("The solution involves multiple concepts and techniques, including the use of formulas, and geometric transformations", ("geometric transformations",)),
        ("It involves applying mathematical theorems, such as the Pythagorean theorem, and the like", ("pythagorean theorem",)),
        ("LAW OF COSINES, AREA", ("law of cosines", "area")),
        ("SAS similarity, 30-60-90 triangle, area 12, AM-GM inequality", ("sas similarity", "30-60-90 triangle", "am-gm inequality")),
        ("N/A", ()),
        ("3, 4 + 5, √2, x", ()),
        ("", ()),
        (None, ()),
    ],
)
def test_a_list_is_read_whatever_its_form(text: str | None, expected: tuple[str, ...]) -> None:
    assert read_concepts(text).phrases == expected


def test_what_is_no_concept_is_counted() -> None:
    found = read_concepts("slope, slope, this sentence goes on and explains at great length what the solution does and why it is right, chord")
    assert (found.phrases, found.repeated, found.dropped) == (("slope", "chord"), 1, 1)
    assert read_concepts("I'm sorry, but I cannot help with that.").reading == "refusal"
    assert read_concepts("None").reading == "none"
    long = read_concepts(", ".join(f"concept of kind {chr(97 + i % 26)}{i}" for i in range(500)))
    assert len(long.phrases) == 40 and long.dropped == 460


def test_hostile_extractions_end_soon() -> None:
    for text in ("(" * 20_000, "concepts: " * 2_000, "a and " * 5_000, "1. " * 9_000, "\n" * 50_000, "I am sorry " * 3_000, "«" * 20_000):
        assert isinstance(read_concepts(text), Concepts)


def test_the_lexicon_finds_names_and_other_names_of_our_tags() -> None:
    found = find_concepts("By the cosine rule and Heron's formula; the dot product vanishes, so the lines are perpendicular.")
    assert set(found.phrases) == {"law of cosines", "three sides area", "dot product", "perpendicular lines"}
    assert find_concepts("12 + 3 = 15").reading == "none"
    assert tag_of("Cosine rule") == "law of cosines" and tag_of("Scalar products") == "dot product" and tag_of("algebra") == "algebra"
    assert split_tags("law of cosines; Dot Product;  ;dot product") == ("law of cosines", "dot product")
    assert paraphrased(["law of cosines", "knots"]) == ("cosine rule", "the use of knots")


# ---------------------------------------------------------------- scores

SPACE = {"a": (1, 0, 0), "b": (0, 1, 0), "c": (0.6, 0.8, 0), "d": (0, 0, 1), "e": (-1, 0, 0), "zero": (0, 0, 0)}


def vectors(phrases: list[str]) -> np.ndarray:
    return np.array([SPACE[p] for p in phrases], dtype=np.float32).reshape(len(phrases), 3)


def test_the_score_by_hand() -> None:
    found = msu(["c", "d"], ["a", "b"], vectors, threshold=0.8)
    assert found.parts == pytest.approx((0.8, 0.0)) and found.covered == pytest.approx((0.6, 0.8))
    assert found.msu == pytest.approx(0.4) and found.coverage == pytest.approx(0.7)
    assert found.harmonic == pytest.approx(2 * 0.4 * 0.7 / 1.1)
    assert (found.precision, found.recall) == pytest.approx((0.5, 0.5)) and found.f1 == pytest.approx(0.5)
    same = msu(["A ", "b"], ["b", "a", "a"], vectors)
    assert (same.msu, same.coverage, same.f1) == (1.0, 1.0, 1.0) and len(same.covered) == 2
    apart = msu(["e"], ["a"], vectors)
    assert apart.msu == pytest.approx(-1.0) and apart.harmonic == 0.0 and apart.f1 == 0.0
    assert msu(["zero"], ["a"], vectors).msu == 0.0


def test_empty_lists_have_a_condition_and_no_score() -> None:
    table = score_lists([[], ["a"], [], ["a"], ["  "]], [["a"], [], [], ["a"], ["a"]], vectors)
    assert table["condition"].tolist() == [NO_GENERATED, NO_GOLDEN, NEITHER, SCORED, NO_GENERATED]
    assert table["msu"].isna().tolist() == [True, True, True, False, True]
    assert score_lists([], [], vectors).empty
    with pytest.raises(ValueError, match="2 lists"):
        score_lists([["a"], ["b"]], [["a"]], vectors)


def test_many_pairs_equal_the_definition() -> None:
    rng = np.random.default_rng(0)
    names = [f"p{i}" for i in range(60)]
    space = dict(zip(names, rng.normal(size=(60, 16)), strict=True))
    lists = [[list(rng.choice(names, rng.integers(0, 7), replace=False)) for _ in range(4500)] for _ in range(2)]
    calls = []

    def look(phrases: list[str]) -> np.ndarray:
        calls.append(list(phrases))
        return np.array([space[p] for p in phrases])

    table = score_lists(*lists, look, threshold=0.4)
    assert len(calls) == 1 and len(set(calls[0])) == len(calls[0]) == 60  # each distinct phrase once
    for i in (*range(40), 4499):
        g, h = lists[0][i], lists[1][i]
        if not g or not h:
            assert table.loc[i, "condition"] != SCORED
            continue
        cosine = np.array([[space[x] @ space[y] / np.linalg.norm(space[x]) / np.linalg.norm(space[y]) for y in h] for x in g])
        assert table.loc[i, "parts"] == pytest.approx(cosine.max(1), abs=1e-6)
        assert table.loc[i, "msu"] == pytest.approx(cosine.max(1).mean(), abs=1e-6)
        assert table.loc[i, "coverage"] == pytest.approx(cosine.max(0).mean(), abs=1e-6)
        assert table.loc[i, "precision"] == pytest.approx((cosine.max(1) >= 0.4).mean())
        assert table.loc[i, "recall"] == pytest.approx((cosine.max(0) >= 0.4).mean())


def test_agreement_with_tags_by_hand() -> None:
    golden = pd.DataFrame({"problem": ["p", "q", "r"], "solution": ["s", "t", "u"], "tags": ["law of cosines; median", "median", ""]})
    extracted = {LEXICON: {"s": Extracted(Concepts(("cosine rule", "chord"))), "t": Extracted(Concepts(()))}}
    table = tag_agreement(golden, extracted, lambda phrases: np.eye(len(phrases)), threshold=0.9)
    row = table[table["match"] == "exact"].iloc[0]
    assert (row["problems"], row["empty"], row["concepts"], row["tags"]) == (2, 1, 2, 3)
    assert (row["precision"], row["recall"], row["f1"]) == pytest.approx((1 / 2, 1 / 3, 0.4))
    assert (row["mean_precision"], row["mean_recall"], row["mean_f1"]) == pytest.approx((0.5, 0.5, 0.5))


# ---------------------------------------------------------------- the scored table


def solved() -> tuple[pd.DataFrame, pd.DataFrame, dict[str, dict[str, Extracted]]]:
    """Six solutions of four problems of one category, one in each condition."""
    golden = pd.DataFrame({
        "problem": ["p", "q", "r", "s"], "category": "area", "difficulty": "easy", "solution": ["gp", "gq", "gr", "gs"], "tags": "a",
    })  # fmt: skip
    rows = [("p", "ok", "tp"), ("q", "truncated", "tq"), ("r", "ok", "tr"), ("s", "ok", "ts"), ("p", "timeout", ""), ("q", "ok", "tf")]
    table = pd.DataFrame([
        {"model": f"lab/m{i}", "strategy": "cot", "problem": p, "category": "area", "variant": 0, "representation": "euclid", "repeat": 0,
         "difficulty": "easy", "outcome": o, "verdict": "wrong", "predicted": "", "gold": "1", "correct": 0, "text": t, "judged": np.nan}
        for i, (p, o, t) in enumerate(rows)
    ])  # fmt: skip
    found = {
        "gp": ("a",), "gq": ("b",), "gr": ("a", "b"), "gs": (), "tp": ("a", "c"), "tq": ("b",), "tr": (), "ts": ("a",),
    }  # fmt: skip
    extracted = {text: Extracted(Concepts(phrases)) for text, phrases in found.items()}
    extracted["tf"] = Extracted(Concepts(()), "api_error")
    return table, golden, {"lab/x": extracted}


def space(phrases: list[str]) -> np.ndarray:
    return np.array([SPACE.get(p, (0, 0, 1)) for p in phrases], dtype=float).reshape(-1, 3)


def test_every_solution_is_scored_or_has_its_condition() -> None:
    scored = concepts.score(*solved(), space)
    assert scored["condition"].tolist() == ["scored", "scored", "no concepts", "no golden concepts", "no solution", "extraction failed"]
    assert scored["score"].notna().tolist() == [True, True, False, False, False, False]
    assert scored.loc[0, "score"] == pytest.approx(0.8) and scored.loc[0, "parts"] == "[1.0, 0.6]"
    counted = concepts_summaries.condition_counts(scored)
    assert counted[["n", "scored", "no_concepts", "no_golden_concepts", "no_solution", "extraction_failed", "truncated"]].sum().tolist() == [6, 2, 1, 1, 1, 1, 1]


def test_nulls_are_of_other_problems() -> None:
    table, golden, extracted = solved()
    scored = concepts.score(table, golden, extracted, space)
    # p's list (a, c) against q's (b): (0 + 0.8)/2; against r's (a, b): (1 + 0.8)/2; s has none
    assert scored.loc[0, "random"] == pytest.approx((0.4 + 0.9) / 2)
    assert scored.loc[0, "paraphrase"] == pytest.approx(0.0) and scored.loc[0, "truncated_gold"] == pytest.approx(0.8)
    lists = concepts.golden_lists(golden, extracted["lab/x"], "extracted")
    others = concepts.random_others(golden, lists)
    assert all(name not in chosen and "s" not in chosen for name, chosen in others.items())
    assert others == concepts.random_others(golden.iloc[::-1], lists)
    tags = concepts.score(table, golden, extracted, space, source="tags")
    assert tags.loc[3, "condition"] == "scored" and tags.loc[0, "golden_concepts"] == "a"
    reference = concepts.golden_reference(golden, extracted, space).set_index("against")["score"]
    assert reference["its own concepts"] == 1.0 and reference["another problem of the category"] < 1.0
    nulls = concepts_summaries.nulls(scored)
    assert nulls["gain"].to_numpy() == pytest.approx((nulls["own"] - nulls["random"]).to_numpy())


# ---------------------------------------------------------------- statistics


def items(problems: int = 60, *, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for problem in range(problems):
        ease = rng.normal()
        for m, model in enumerate(("x/a", "x/b", "x/c")):
            for strategy in ("zeroshot", "cot"):
                right = int(rng.random() < 1 / (1 + np.exp(-(m - 1) - ease)))
                score = 0.7 + 0.05 * m + 0.03 * right + rng.normal(scale=0.05)
                rows.append((model, strategy, f"p{problem}", "area", ("easy", "hard")[problem % 2], round(score, 3), right))
    return pd.DataFrame(rows, columns=["model", "strategy", "problem", "category", "difficulty", "score", "correct"])


def test_coefficients_are_those_of_scipy() -> None:
    table = items()
    x, y, z = table["score"].to_numpy(), table["correct"].to_numpy(float), table["problem"].to_numpy(str)
    r = scipy_stats.pearsonr(x, y)
    assert concepts_stats.pearson(x, y) == pytest.approx((r.statistic, *r.confidence_interval(0.95)))
    assert concepts_stats.spearman(x, y).r == pytest.approx(scipy_stats.spearmanr(x, y).statistic)
    assert concepts_stats.clustered_pearson(x, y, z).r == pytest.approx(r.statistic)
    rho = concepts_stats.clustered_spearman(x, y, z)
    assert rho.r == pytest.approx(scipy_stats.spearmanr(x, y).statistic) and rho.low < rho.r < rho.high
    u = scipy_stats.mannwhitneyu(x[y == 1], x[y == 0]).statistic
    assert concepts_stats.auc(x, y, z).r == pytest.approx(u / (y.sum() * (1 - y).sum()))
    rows = concepts_stats.pairwise(table)
    first = rows.iloc[0]
    part = table[table["strategy"] == first["strategy"]]
    a, b = (part[part["model"] == m].sort_values("problem")["score"].to_numpy() for m in (first["model"], first["other"]))
    assert first["p_mann_whitney"] == pytest.approx(scipy_stats.mannwhitneyu(a, b).pvalue)
    d = a - b
    assert first["p_wilcoxon"] == pytest.approx(scipy_stats.wilcoxon(d[np.abs(d) > 1e-12]).pvalue)
    assert first["difference"] == pytest.approx(d.mean())
    assert (rows["p_wilcoxon_holm"] >= rows["p_wilcoxon"] - 1e-15).all()


def test_clustered_limits_widen_with_repeated_problems() -> None:
    table = items(40)
    x, y, z = table["score"].to_numpy(), table["correct"].to_numpy(float), table["problem"].to_numpy(str)
    for function in (concepts_stats.clustered_pearson, concepts_stats.auc, concepts_stats.clustered_spearman):
        once = function(x, y, z)
        thrice = function(np.tile(x, 3), np.tile(y, 3), np.tile(z, 3))  # the same problems three times tell nothing new
        assert thrice == pytest.approx(tuple(once), abs=1e-9)
        split = function(np.tile(x, 3), np.tile(y, 3), np.concatenate([np.char.add(z, s) for s in "abc"]))
        assert split.high - split.low < 0.75 * (once.high - once.low)


def test_auc_limits_of_independent_items_are_delongs() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 80).astype(float)
    x = rng.normal(size=80) + y
    found = concepts_stats.auc(x, y, np.arange(80).astype(str))
    right, wrong = x[y == 1], x[y == 0]
    v10 = np.array([(r > wrong).mean() for r in right])
    v01 = np.array([(right > w).mean() for w in wrong])
    se = np.sqrt(v10.var(ddof=1) / len(right) + v01.var(ddof=1) / len(wrong))
    mine = (np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))) / (2 * 1.96) * found.r * (1 - found.r)
    assert mine == pytest.approx(se, rel=0.05)


def test_groups_are_high_where_items_are_low() -> None:
    table = items(200)
    found = concepts_stats.correlations(table).set_index(["level", "method"])
    assert found.loc[("groups", "Pearson"), "r"] > 0.9 > 0.5 > found.loc[("items", "Pearson"), "r"] > 0
    within = table.assign(
        score=table["score"] - table.groupby(["model", "strategy"])["score"].transform("mean"),
        correct=table["correct"] - table.groupby(["model", "strategy"])["correct"].transform("mean"),
    )
    assert found.loc[("items within group", "Pearson"), "r"] == pytest.approx(within["score"].corr(within["correct"]))
    assert found.loc[("items within group", "Pearson"), "r"] < found.loc[("items", "Pearson"), "r"]
    levels = concepts_stats.by_level(table)
    assert levels["n"].sum() == len(table) and levels["difficulty"].tolist() == ["easy", "hard"]


@pytest.mark.parametrize("change", ["all wrong", "all right", "one model", "no score", "constant", "nothing"])
def test_what_cannot_be_told_is_nan_and_says_why(change: str) -> None:
    table = items(12)
    table = {
        "all wrong": table.assign(correct=0), "all right": table.assign(correct=1), "no score": table.assign(score=np.nan),
        "one model": table[(table["model"] == "x/a") & (table["strategy"] == "cot")], "constant": table.assign(score=0.5), "nothing": table.iloc[:0],
    }[change]  # fmt: skip
    found = concepts_stats.correlations(table)
    assert len(found) == 7
    lost = found[found["r"].isna()]
    assert len(lost) and (lost.loc[lost["level"] == "groups", "note"] != "").all()
    concepts_stats.groups(table), concepts_stats.by_level(table), concepts_stats.pairwise(table)


def test_group_means_by_hand() -> None:
    table = pd.DataFrame({
        "model": "x/a", "strategy": "cot", "problem": ["p", "p", "q", "q"], "category": "area", "difficulty": "easy",
        "score": [0.2, 0.4, 0.8, np.nan], "correct": [1, 0, 0, 0],
    })  # fmt: skip
    row = concepts_stats.groups(table).iloc[0]
    assert (row["n"], row["problems"], row["scored"], row["correct"]) == (4, 2, 3, 1)
    assert row["score"] == pytest.approx(1.4 / 3) and row["accuracy"] == 0.25
    mean = 1.4 / 3
    sums = np.array([0.6 - 2 * mean, 0.8 - mean])
    half = scipy_stats.t.ppf(0.975, 1) * np.sqrt(2 * (sums**2).sum()) / 3
    assert row["score"] + half > 1 and row["score_high"] == 1.0  # a cosine is never more
    assert concepts_stats.mean_by_problem(table["score"], table["problem"]).high - mean == pytest.approx(half)


def test_judge_and_grader() -> None:
    table = items(30).assign(representation="euclid")
    table["judged"] = [1 - c if i % 10 == 0 else c for i, c in enumerate(table["correct"])]
    row = concepts_summaries.judge_agreement(table).iloc[-1]
    assert row["model"] == "all" and row["agreement"] == pytest.approx(0.9) and row["only_grader"] + row["only_judge"] == 18
    assert len(concepts_summaries.judge_disagreements(table)) == 18
    assert concepts_summaries.judge_agreement(table.assign(judged=np.nan)).empty


def test_simulated_solutions_name_more_right_concepts_with_more_ability() -> None:
    from geoutils import simulated
    from geoutils.dataset import problems_table

    problems = problems_table()
    rows = problems[problems["representation"] == "euclid"].to_dict("records")
    shares = {}
    for name in ("weak", "steady", "strong"):
        named, stray, own = 0, 0, 0
        for row in rows:
            text = simulated.answer(f"simulated/{name}", {**row, "strategy": "cot", "repeat": 0})
            assert text == simulated.answer(f"simulated/{name}", {**row, "strategy": "cot", "repeat": 0})
            assert text.splitlines()[-1].startswith("Final answer: ")
            tags = split_tags(row["concepts"])
            named, own, stray = named + sum(tag in text for tag in tags), own + len(tags), stray + len(text.splitlines()) - 1
        shares[name] = named / own, stray - named
    assert shares["weak"][0] < shares["steady"][0] < shares["strong"][0] and shares["weak"][1] > shares["strong"][1]


def test_the_published_experiments_load() -> None:
    from geoutils.experiment import load_experiment

    settings = load_experiment("concepts").concepts
    assert settings.extractors == (LEXICON, "local/smollm2-135m-instruct") and settings.judge is None and settings.threshold == 0.9
    assert concepts.chosen_strategies(load_experiment("concepts")) == ["zeroshot", "fewshot", "cot"]
    assert concepts.chosen_strategies(load_experiment("quickstart")) == ["convert", "reason"]
    assert concepts.chosen_strategies(load_experiment("simulated-concepts")) == ["zeroshot", "fewshot", "cot"]
