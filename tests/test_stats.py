"""Intervals, tests and resampling against published numbers, brute force and identities."""

from __future__ import annotations

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as sps

from geoutils.errors import UserError
from geoutils.power import (
    design_table,
    detectable_difference,
    mcnemar_power,
    miller_problems,
    power_curve,
    power_report,
    problems_needed,
)
from geoutils.stats import agreement, paired, permutation, proportions, repeats, resampling

CHECKS = {
    c["id"]: c for c in json.loads((Path(__file__).parent / "data" / "reference_checks.json").read_text())["checks"]
}


def close(check_id: str, got) -> None:
    check = CHECKS[check_id]
    np.testing.assert_allclose(np.ravel(got), np.ravel(check["expected"]), atol=check["tolerance"], rtol=0)


def table(check_id: str) -> paired.Table:
    (a, b), (c, d) = CHECKS[check_id]["input"]["table"]
    return paired.Table(a, b, c, d)


# --- published worked examples ------------------------------------------------------------------------------------


def test_every_reference_names_its_source():
    assert len(CHECKS) == 27
    assert all(c["source"] and c["expected"] is not None and c["tolerance"] > 0 for c in CHECKS.values())


def test_mcnemar_published():
    t = table("mcnemar_exact_cavo")
    close("mcnemar_exact_cavo", paired.mcnemar_exact(t.b, t.c))
    close("mcnemar_midp_cavo", paired.mcnemar_midp(t.b, t.c))
    plain = paired.mcnemar_chi2(t.b, t.c, correction=False)
    close("mcnemar_asym_cavo", [plain.p, np.sign(t.b - t.c) * np.sqrt(plain.chi2)])
    corrected = paired.mcnemar_chi2(t.b, t.c)
    close("mcnemar_cc_cavo", [corrected.p, np.sqrt(corrected.chi2)])
    close("mcnemar_exact_R2", [paired.mcnemar_exact(b, c) for b, c in CHECKS["mcnemar_exact_R2"]["input"]["b_c"]])
    t = table("mcnemar_exact2x2_R")
    close("mcnemar_exact2x2_R", [paired.mcnemar_exact(t.b, t.c), paired.mcnemar_chi2(t.b, t.c).p])


def test_paired_intervals_published():
    close("newcombe_paired_cavo", paired.newcombe(table("newcombe_paired_cavo")))
    close("wald_paired_cavo", paired.wald_difference(table("wald_paired_cavo")))
    close("bonettprice_paired_cavo", paired.bonett_price(table("bonettprice_paired_cavo"))[1:])
    close("agrestimin_paired_cavo", paired.agresti_min(table("agrestimin_paired_cavo"))[1:])
    t = table("mcnemar_or_wald_ezra")
    close("mcnemar_or_wald_ezra", paired.odds_ratio_wald(t.b, t.c))


def test_cochran_published():
    cells = np.array(CHECKS["cochran_q_CVST1"]["input"]["table"])
    q = permutation.cochran_q(cells)
    close("cochran_q_CVST1", [q.q, q.df])
    assert q.method.startswith("sampled")  # four columns
    q = permutation.cochran_q(np.array(CHECKS["cochran_q_conover"]["input"]["table"]))
    close("cochran_q_conover", [q.q, q.p_chi2])


def test_shares_published():
    spec = CHECKS["binom_ci_18_20"]["input"]
    got = [*proportions.wilson(**spec), *proportions.clopper_pearson(**spec), *proportions.agresti_coull(**spec)]
    close("binom_ci_18_20", got)
    spec = CHECKS["beta_binomial_interval"]["input"]
    close("beta_binomial_interval", proportions.beta_interval(spec["k"], spec["n"], prior=tuple(spec["prior"])))


def test_holm_published():
    adjusted = paired.holm(CHECKS["holm_R"]["input"]["p"])
    close("holm_R", np.sort(adjusted)[:4])


def test_bootstrap_published():
    x = np.array(CHECKS["bootstrap_R_boot"]["input"]["x"])
    draws = resampling.resampled_means(x, resampling.weights(x.size, draws=200_000))
    low, high = resampling.percentile(draws)
    bca = sps.bootstrap(
        (x,), np.mean, confidence_level=0.95, n_resamples=300_000, batch=50_000, method="BCa", rng=1
    ).confidence_interval
    close("bootstrap_R_boot", [2 * x.mean() - high, 2 * x.mean() - low, low, high, bca.low, bca.high])


def test_sign_flip_published():
    d = np.array(CHECKS["signflip_fisher_zea"]["input"]["d"])
    close("signflip_fisher_zea", permutation.sign_flip(d))
    assert permutation.sign_flip(d) == 1726 / 32768
    assert permutation.sign_flip(np.zeros(5, dtype=int)) == 1
    with pytest.raises(ValueError, match="whole numbers"):
        permutation.sign_flip(np.array([0.5, 1.0]))


def test_repeats_and_kappa_published():
    spec = CHECKS["pass_at_k"]["input"]
    close("pass_at_k", [repeats.pass_at_k(**spec), repeats.pass_hat_k(spec["n"], spec["c"], 2)])
    close("fleiss_kappa_wiki", agreement.fleiss_kappa(np.array(CHECKS["fleiss_kappa_wiki"]["input"]["table"])))


def test_power_published():
    spec = CHECKS["power_miller"]["input"]
    close("power_miller", miller_problems(spec["delta"], spec["omega2"]))


# --- shares -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "p", "expected"),
    [
        (158, 0.044, 0.970),
        (158, 0.5, 0.954),
        (158, 0.9, 0.955),
        (158, 0.98, 0.959),
        (38, 0.98, 0.960),
        (10, 0.95, 0.914),
    ],
)
def test_wilson_coverage_by_exact_sum(n, p, expected):
    k = np.arange(n + 1)
    low, high = proportions.wilson(k, n)
    inside = (low <= p) & (p <= high)
    assert sps.binom.pmf(k, n, p)[inside].sum() == pytest.approx(expected, abs=0.001)


def test_share_at_the_edges():
    assert proportions.share(0, 0).method == "n/a (0 of 0)"
    assert np.isnan(proportions.share(0, 0).low)
    none, every = proportions.share(0, 158), proportions.share(158, 158)
    assert (none.low, every.high) == (0, 1)
    assert every.low == pytest.approx(0.025 ** (1 / 158))
    assert none.method == every.method == "Clopper-Pearson"
    assert proportions.share(5, 158).method == "Wilson"
    assert proportions.share(5, 9).method == "Clopper-Pearson"
    assert proportions.k_of_n(proportions.share(0, 0)) == "n/a (0 of 0)"
    with pytest.raises(ValueError, match="0 <= k <= n"):
        proportions.share(3, 2)


@given(st.integers(1, 400), st.data())
def test_intervals_hold_the_estimate_and_mirror(n, data):
    k = data.draw(st.integers(0, n))
    for interval in (proportions.wilson, proportions.clopper_pearson):
        low, high = interval(k, n)
        assert 0 <= low <= k / n <= high <= 1
        mirrored = interval(n - k, n)
        assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-9)


# --- pairs --------------------------------------------------------------------------------------------------------


def test_no_discordant_problem():
    t = paired.Table(50, 0, 0, 108)
    assert paired.mcnemar_exact(0, 0) == paired.mcnemar_midp(0, 0) == 1
    assert paired.mcnemar_chi2(0, 0).p == 1 and np.isnan(paired.mcnemar_chi2(0, 0).chi2)
    assert np.isnan(paired.odds_ratio(0, 0).value)
    interval = paired.bonett_price(t)
    assert interval.value == 0 and interval.low < 0 < interval.high  # not of width zero


def test_odds_ratio_one_sided():
    zero, infinite = paired.odds_ratio(0, 7), paired.odds_ratio(7, 0)
    assert (zero.value, zero.low) == (0, 0) and zero.high == pytest.approx((1 - 0.05 ** (1 / 7)) / 0.05 ** (1 / 7))
    assert infinite.value == infinite.high == np.inf and infinite.low == pytest.approx(1 / zero.high)


def test_exact_statistic_is_not_called_chi2():
    assert paired.mcnemar_chi2(44, 12).chi2 == pytest.approx(17.16, abs=0.01)
    assert paired.mcnemar_chi2(28, 19).chi2 == pytest.approx(1.36, abs=0.01)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_pairs_swap_signs(a, b, c, d):
    t, swapped = paired.Table(a, b, c, d), paired.Table(a, c, b, d)
    assert 0 < paired.mcnemar_midp(b, c) <= paired.mcnemar_exact(b, c) <= 1
    if t.n:
        for interval in (paired.bonett_price, paired.newcombe):
            one, two = interval(t), interval(swapped)
            assert one.low <= one.value <= one.high or interval is paired.bonett_price
            assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-12)


def test_mean_difference_is_the_paired_t_test():
    rng = np.random.default_rng(3)
    x, y = rng.random(40), rng.random(40)
    interval, p = paired.mean_difference(x, y)
    scipy = sps.ttest_rel(x, y)
    assert p == pytest.approx(scipy.pvalue)
    assert interval[1:] == pytest.approx(tuple(scipy.confidence_interval()))
    assert paired.mean_difference(x, x)[1] == 1
    assert np.isnan(paired.mean_difference(np.ones(12), np.zeros(12))[1])


def test_holm_counts_missing_tests():
    assert paired.holm([]).size == 0
    adjusted = paired.holm([0.01, np.nan, 0.04])
    assert adjusted[0] == pytest.approx(0.03) and np.isnan(adjusted[1]) and adjusted[2] == pytest.approx(0.08)


def test_holm_agrees_with_statsmodels():
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(0).random(30) ** 3
    assert paired.holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_equivalence_needs_all_pairs_inside():
    tight, loose = paired.Table(700, 5, 5, 290), paired.Table(60, 5, 5, 30)
    assert paired.within_margin([tight, tight, tight])
    assert not paired.within_margin([tight, tight, loose])
    assert not paired.within_margin([])


# --- permutation --------------------------------------------------------------------------------------------------


def all_arrangements(cells: np.ndarray) -> np.ndarray:
    """Column totals of every within-problem arrangement (brute force)."""
    rows = [list(set(permutations(row))) for row in cells.tolist()]
    return np.array([np.sum(choice, axis=0) for choice in product(*rows)])


@pytest.mark.parametrize("seed", range(6))
def test_enumeration_equals_brute_force(seed):
    cells = (np.random.default_rng(seed).random((9, 3)) < 0.55).astype(int)
    totals = all_arrangements(cells)
    q, gap = permutation.cochran_q(cells), permutation.gap_test(cells)
    spread = ((3 * totals - totals.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    seen = ((3 * cells.sum(axis=0) - cells.sum()) ** 2).sum()
    assert q.p_exact == pytest.approx((spread >= seen).mean())
    width = totals.max(axis=1) - totals.min(axis=1)
    assert gap.p == pytest.approx((width >= np.ptp(cells.sum(axis=0))).mean())
    assert gap.null_mean == pytest.approx(width.mean() / 9)
    assert gap.null_q95 == pytest.approx(np.quantile(width, 0.95, method="inverted_cdf") / 9)


def test_cochran_of_the_document():
    """n1 = 34, n2 = 44, Q = 12.72: enumeration .001627, chi-square .00173."""
    one, two = (18, 10, 6), (8, 14, 22)
    rows = [[int(r == j) for j in range(3)] for r in range(3) for _ in range(one[r])]
    rows += [[int(r != j) for j in range(3)] for r in range(3) for _ in range(two[r])]
    null = permutation.null_totals(np.array(rows))
    spread = permutation._spread(null.totals)
    nearest = min(set(spread), key=lambda s: abs(2 / 3 * s / (2 * len(rows)) - 12.72))
    assert null.upper_tail(spread, nearest) == pytest.approx(0.001627, abs=1e-6)
    assert sps.chi2.sf(12.72, 2) == pytest.approx(0.00173, abs=1e-5)


def test_tiny_p_is_not_an_error_of_the_transform():
    cells = np.array([[1, 1, 0]] * 60)
    assert permutation.cochran_q(cells).p_exact == pytest.approx(3 * 3.0**-60, rel=1e-6)  # all 60 on one of three
    cells = np.array([[1, 0, 0]] * 30 + [[1, 1, 0]] * 25)
    fast, slow = (permutation.null_totals(cells, direct=d) for d in (False, True))
    seen = permutation._spread(cells.sum(axis=0))[0]
    assert fast.upper_tail(permutation._spread(fast.totals), seen * 0.3) == pytest.approx(
        slow.upper_tail(permutation._spread(slow.totals), seen * 0.3), abs=1e-14
    )


def test_two_columns_are_mcnemar_and_statsmodels_agrees():
    from statsmodels.stats.contingency_tables import cochrans_q

    rng = np.random.default_rng(5)
    cells = (rng.random((60, 2)) < [0.7, 0.5]).astype(int)
    t = paired.paired_table(cells[:, 0], cells[:, 1])
    assert permutation.cochran_q(cells).p_exact == pytest.approx(paired.mcnemar_exact(t.b, t.c))
    cells = (rng.random((60, 3)) < [0.7, 0.5, 0.6]).astype(int)
    ours, theirs = permutation.cochran_q(cells), cochrans_q(cells)
    assert (ours.q, ours.p_chi2) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_four_columns_sampled_agree_with_brute_force():
    cells = (np.random.default_rng(2).random((7, 4)) < 0.5).astype(int)
    totals = all_arrangements(cells)
    spread = ((4 * totals - totals.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    expected = (spread >= ((4 * cells.sum(axis=0) - cells.sum()) ** 2).sum()).mean()
    assert permutation.cochran_q(cells).p_exact == pytest.approx(expected, abs=0.005)


def test_nothing_informative():
    for cells in (np.ones((20, 3), dtype=int), np.zeros((20, 3), dtype=int)):
        q, gap = permutation.cochran_q(cells), permutation.gap_test(cells)
        assert np.isnan([q.q, q.p_exact, q.p_chi2]).all() and q.informative == 0
        assert (gap.gap, gap.null_q95, gap.p) == (0, 0, 1)
    with pytest.raises(ValueError, match="0 and 1"):
        permutation.cochran_q(np.array([[0, 2, 1]]))


def test_maximum_gap_of_one_model_is_its_gap():
    cells = (np.random.default_rng(8).random((80, 3)) < 0.6).astype(int)
    single, joint = permutation.gap_test(cells), permutation.max_gap_test(cells[None])
    assert joint.gap == single.gap
    assert joint.null_mean == pytest.approx(single.null_mean, abs=0.002)
    assert joint.p == pytest.approx(single.p, abs=0.02)


def test_equal_shares_exact():
    chi2, df, p = permutation.equal_shares(np.array([10, 10, 10]))
    assert (chi2, df, p) == (0, 2, pytest.approx(1))
    chi2, _, p = permutation.equal_shares(np.array([3, 0, 0]))
    assert chi2 == pytest.approx(6) and p == pytest.approx(3 / 27)
    assert np.isnan(permutation.equal_shares(np.zeros(3))[2])
    assert permutation.equal_shares(np.array([120, 90, 90]))[2] == pytest.approx(sps.chisquare([120, 90, 90]).pvalue)


# --- bootstrap ----------------------------------------------------------------------------------------------------


def test_weights_are_shared_and_read_only():
    w = resampling.weights(50)
    assert w is resampling.weights(50) and w.shape == (10_000, 50)
    assert w.sum(axis=1) == pytest.approx(1)
    with pytest.raises(ValueError):
        w[0, 0] = 1
    assert w.mean(axis=0) == pytest.approx(1 / 50, abs=0.001)


def test_bootstrap_standard_error_of_a_share():
    cells = (np.arange(160) < 96).astype(float)
    draws = resampling.resampled_means(cells, resampling.weights(160))
    assert draws.std() == pytest.approx(np.sqrt(0.6 * 0.4 / 160), rel=0.03)


def test_simultaneous_limits():
    cells = (np.random.default_rng(1).random((158, 3)) < [0.7, 0.6, 0.5]).astype(int)
    bounds = resampling.simultaneous_differences(cells, resampling.weights(158))
    assert 2.2 < bounds.critical < 2.5  # between 1.96 (one) and 2.39 (three unrelated), 2.34 for three contrasts
    for (i, j), interval in zip(bounds.pairs, bounds.intervals, strict=True):
        alone = paired.bonett_price(paired.paired_table(cells[:, i], cells[:, j]))
        assert interval.low < alone.low < alone.high < interval.high
    assert 0 < bounds.gap_low <= np.ptp(cells.mean(axis=0)) <= bounds.gap_high
    same = resampling.simultaneous_differences(np.ones((158, 3)), resampling.weights(158))
    assert same.gap_low == 0 and 0 < same.gap_high < 0.05
    assert all(i.low < 0 < i.high for i in same.intervals)


def test_ranks_share_ties():
    scores = np.tile(np.array([[1.0, 1.0, 0.0]]), (30, 1))
    ranks = resampling.rank_intervals(scores, resampling.weights(30))
    assert ranks.tolist() == [[1, 1, 2], [1, 1, 2], [3, 3, 3]]


def test_swap_test_of_the_gap():
    rng = np.random.default_rng(4)
    even = (rng.random((160, 3)) < 0.6).astype(int)
    tilted = (rng.random((160, 3)) < [0.9, 0.6, 0.4]).astype(int)

    def gap(means):
        return means.max(axis=1) - means.min(axis=1)

    assert resampling.swap_test(tilted, even, gap) < 0.001
    assert resampling.swap_test(even, even, gap) == 1


# --- agreement and repeats ----------------------------------------------------------------------------------------


def test_kappa_limits_are_those_of_kappas_over_resampled_problems():
    from geoutils.stats.resampling import weights

    rng = np.random.default_rng(3)
    cells = (rng.random((40, 3)) < rng.random((40, 1))).astype(int)
    w = weights(40, draws=300)
    drawn = [np.repeat(np.arange(40), np.rint(40 * row).astype(int)) for row in w]
    kappas = [agreement.cohen_kappa(paired.paired_table(cells[rows, 0], cells[rows, 1]))[2] for rows in drawn]
    assert agreement.cohen_kappa_limits(cells[:, 0], cells[:, 1], w) == pytest.approx(np.quantile(kappas, [0.025, 0.975]))
    kappas = [agreement.fleiss_kappa_cells(cells[rows]) for rows in drawn]
    assert agreement.fleiss_kappa_limits(cells, w) == pytest.approx(np.quantile(kappas, [0.025, 0.975]))
    rare = np.zeros((40, 2))
    rare[0, 0] = rare[1, 1] = 1
    assert np.isnan(agreement.cohen_kappa_limits(rare[:, 0], rare[:, 1], w)).all(), "most resamples have no kappa"


def test_kappa_at_the_margin_is_not_available():
    assert np.isnan(agreement.cohen_kappa(paired.Table(20, 0, 0, 0))[2])
    assert np.isnan(agreement.cohen_kappa(paired.Table(10, 10, 0, 0))[2])
    assert agreement.cohen_kappa(paired.Table(10, 0, 0, 10))[2] == 1
    assert np.isnan(agreement.fleiss_kappa_cells(np.ones((5, 3), dtype=int)))
    with pytest.raises(ValueError, match="same number"):
        agreement.fleiss_kappa(np.array([[1, 2], [1, 1]]))


def test_cohen_agrees_with_statsmodels():
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    t = paired.Table(40, 12, 7, 30)
    assert agreement.cohen_kappa(t)[2] == pytest.approx(cohens_kappa([[40, 12], [7, 30]]).kappa)
    counts = np.array([[3, 0], [2, 1], [0, 3], [1, 2]])
    assert agreement.fleiss_kappa(counts) == pytest.approx(fleiss_kappa(counts))


def test_decomposition_finds_noise_and_representation():
    rng = np.random.default_rng(7)
    chance = rng.beta(2, 2, (4000, 1)) * np.ones((1, 3))
    noise = repeats.decompose((rng.random((4000, 3, 4)) < chance[:, :, None]).astype(int), draws=1000)
    assert noise.excess.low < 0 < noise.excess.high and noise.noise_share == pytest.approx(1, abs=0.05)
    truth = np.clip(chance + np.array([0.3, 0.0, -0.3]), 0, 1)
    tilted = repeats.decompose((rng.random((4000, 3, 4)) < truth[:, :, None]).astype(int), draws=1000)
    squares = np.mean([(truth[:, i] - truth[:, j]) ** 2 for i, j in ((0, 1), (0, 2), (1, 2))])
    assert tilted.excess.value == pytest.approx(squares, abs=0.01)
    assert tilted.excess.low > 0
    variance = (truth.var(axis=1, ddof=1)).mean()
    assert tilted.excess.value == pytest.approx(2 * variance, abs=0.01)
    with pytest.raises(ValueError, match="two repeats"):
        repeats.decompose(np.ones((4, 3, 1)))


def test_modal_share_and_pass_bounds():
    assert repeats.modal_share(["5", "5", None, "7"]) == 0.5
    assert repeats.modal_share([None, None]) == 0
    assert np.isnan(repeats.modal_share([]))
    assert repeats.pass_at_k(10, 0, 3) == 0 and repeats.pass_hat_k(10, 10, 3) == 1
    with pytest.raises(ValueError, match="needs"):
        repeats.pass_at_k(3, 1, 4)


# --- power --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("difference", "expected"), [(0.05, 0.21), (0.08, 0.45), (0.10, 0.64), (0.14, 0.91)])
def test_power_of_the_document(difference, expected):
    assert mcnemar_power(158, 0.3, difference) == pytest.approx(expected, abs=0.006)


def test_size_of_the_document():
    assert mcnemar_power(158, 0.3, 0, exact=True) == pytest.approx(0.037, abs=0.001)
    assert mcnemar_power(158, 0.3, 0) == pytest.approx(0.050, abs=0.001)


def test_power_against_direct_sum():
    n, psi, d = 25, 0.4, 0.2
    up = (psi + d) / (2 * psi)
    direct = sum(
        sps.binom.pmf(m, n, psi)
        * sum(sps.binom.pmf(b, m, up) for b in range(m + 1) if paired.mcnemar_midp(b, m - b) <= 0.05)
        for m in range(1, n + 1)
    )
    assert mcnemar_power(n, psi, d) == pytest.approx(direct, abs=1e-9)


def test_detectable_difference():
    assert 0.115 < detectable_difference(158, 0.3) < 0.13  # "only 12 to 13 points are found"
    d = detectable_difference(160, 0.3)
    assert mcnemar_power(160, 0.3, d) == pytest.approx(0.8, abs=0.002)
    assert detectable_difference(160, 0.3, tests=33) > d
    assert detectable_difference(160, 0.3, repeats=5, noise_share=0.8) < d
    assert np.isnan(detectable_difference(10, 0.1))
    assert problems_needed(d, 0.3) == pytest.approx(160, rel=0.05)
    assert list(design_table(160)["detectable"]) == sorted(design_table(160)["detectable"])
    curve = power_curve(160)
    assert curve["power"].is_monotonic_increasing and (curve["power_corrected"] <= curve["power"]).all()


def test_power_report_and_its_refusals():
    text = power_report(problems=160, discordance=[0.3, 0.05], difference=0.1, tests=33)
    assert "160 problems" in text and "11.9 points" in text and "n/a" in text
    for wrong in (
        {"problems": 0},
        {"discordance": [1.5]},
        {"discordance": []},
        {"difference": 2.0},
        {"repeats": 0},
        {"noise_share": 2},
        {"tests": 0},
        {"alpha": 0},
        {"power": 1},
    ):
        with pytest.raises(UserError):
            power_report(**wrong)


# --- item response --------------------------------------------------------------------------------------------------


def test_two_parameter_model_published():
    """The law school test by marginal maximum likelihood with our quadrature idea: difficulties, slopes, likelihood.

    The project itself fits no two-parameter model (a handful of models are too few persons); the simulated panel
    and the random-intercept model are its one-parameter case.
    """
    from scipy.optimize import minimize
    from scipy.special import log_expit, logsumexp

    spec = dict(part.split(":") for part in CHECKS["irt_2pl_lsat"]["input"]["pattern_counts"].split(","))
    y = np.array([[int(c) for c in p] for p in spec])
    counts = np.array([int(c) for c in spec.values()])
    nodes, mass = np.polynomial.hermite_e.hermegauss(41)
    mass = np.log(mass / mass.sum())

    def deviance(theta):
        intercept, slope = theta[:5], theta[5:]
        eta = intercept + slope * nodes[:, None]
        return -counts @ logsumexp(mass[:, None] + log_expit(eta) @ y.T + log_expit(-eta) @ (1 - y).T, axis=0)

    fit = minimize(deviance, np.r_[np.ones(5), np.ones(5)], method="BFGS")
    close("irt_2pl_lsat", [*(-fit.x[:5] / fit.x[5:]), *fit.x[5:], -fit.fun])
