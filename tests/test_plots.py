"""Figures with 1, 3 and 30 models: n, labels and alternative text on each, readable in grey, harmless with odd names."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import matplotlib
import nbformat
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from simulated_panel import problems_table, scores
from synthetic_scores import frame, panel_frame

from geoutils import (
    effect_plots,
    effects,
    feature_plots,
    feature_tables,
    flip_plots,
    flips,
    plot_style,
    plot_wording,
    plots,
    power,
    regression,
    tabulation,
)
from geoutils.errors import UserError
from geoutils.panel import panels
from geoutils.plot_style import Drawn
from geoutils.study import write_table

ODD = "lab/$a_b$ <b>x</b>\u202e名"


@cache
def study_scores(models: int, strategies: tuple[str, ...]) -> pd.DataFrame:
    named = {
        f"openrouter/vendor/some-model-with-a-name-{i:02d}": -1.5 + 4 * i / max(1, models - 1) for i in range(models)
    }
    parts = [panel_frame(models=named, n=60, effects=(0.3, 0, -0.8), seed=3, strategies=strategies)]
    if models > 1:
        others = {"baseline/gold": 30.0, "baseline/last-number": -30.0, "simulated/steady": 0.0, ODD: 0.5}
        parts.append(panel_frame(models=others, n=60, unread=0, seed=3))
    return pd.concat(parts, ignore_index=True)


def merged_of(data: pd.DataFrame) -> pd.DataFrame:
    problems = problems_table(60)
    names = dict(zip(dict.fromkeys(problems["problem"]), data.drop_duplicates("problem")["problem"], strict=True))
    return feature_tables.merge_features(data, problems.assign(problem=problems["problem"].map(names)))


def drawings(data: pd.DataFrame) -> Iterator[tuple[str, Drawn]]:
    answers = panels(data)
    accuracy, merged = tabulation.accuracy(answers), merged_of(data)
    yield "accuracy", plots.accuracy_dumbbells(accuracy)
    yield "sensitivity", plots.geometry_sensitivity(accuracy)
    yield "invariance", plots.invariance_bounds(tabulation.summarise_with_cis(answers))
    yield "flips", flip_plots.flip_stack(flips.pattern_counts(answers))
    yield "transfer", flip_plots.transfer_heatmap(flips.pairwise(answers))
    yield (
        "forest",
        effect_plots.difference_forest(
            effects.representation_differences(answers), effects.representation_effect(answers)
        ),
    )
    yield "margins", effect_plots.margins_forest(regression.analyse(merged, draws=0).margins)
    yield "power", effect_plots.power_curves(60, observed=power.detectable_after(answers))
    yield "histograms", feature_plots.feature_histograms(merged)
    yield "box", feature_plots.token_box(merged)


def words(figure: Figure) -> str:
    return "\n".join(t.get_text() for t in figure.findobj(Text))


def render(figure: Figure, path: Path) -> np.ndarray:
    figure.savefig(path, dpi=60)
    return matplotlib.image.imread(path)


@pytest.mark.parametrize(("models", "strategies"), [(1, ("direct",)), (3, ("direct", "convert")), (30, ("direct",))])
def test_every_figure_draws_with_n_and_alternative_text(
    models: int, strategies: tuple[str, ...], tmp_path: Path
) -> None:
    data = study_scores(models, strategies)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # missing glyphs, layouts that do not fit
        for name, drawn in drawings(data):
            picture = render(drawn.figure, tmp_path / f"{name}.png")
            assert picture.std() > 0.02, f"{name} is blank"
            assert max(picture.shape[:2]) < 60 * 40, f"{name} is {picture.shape} pixels at 60 dpi"
            text = words(drawn.figure)
            assert "60" in text, f"{name} does not say its n"
            assert len(drawn.alt) > 60 and "nan" not in drawn.alt, drawn.alt
            assert "\u202e" not in drawn.alt + text
            if models > 1 and name not in ("histograms", "power"):
                assert "SIMULATED" in text and "SIMULATED" in drawn.alt, name
            if models > 1 and name in ("accuracy", "sensitivity", "invariance", "flips", "transfer", "forest"):
                assert "BASELINE" in text and r"\$a_b\$" in text, name
                assert text.count("some-model" if name == "sensitivity" else "some-model-with-a-name") >= models, name


def test_colours_markers_and_hatches_tell_representations_apart_in_grey() -> None:
    names = (
        plot_style.REPRESENTATIONS
        if hasattr(plot_style, "REPRESENTATIONS")
        else ("coord", "euclid", "vector", "figure")
    )
    for table in (plot_style.COLOURS, plot_style.MARKERS, plot_style.HATCHES):
        assert len({table[r] for r in names}) == len(names)
    greys = sorted(
        np.array(matplotlib.colors.to_rgb(plot_style.COLOURS[r])) @ [0.2126, 0.7152, 0.0722]
        for r in ("coord", "euclid", "vector")
    )
    assert np.diff(greys).min() > 0.05
    styles = [flip_plots.pattern_style(p) for p in flips.PATTERNS]
    assert len({(s["facecolor"], s["hatch"]) for s in styles}) == 8


def test_a_row_is_a_model_sorted_by_accuracy_and_no_line_joins_models() -> None:
    accuracy = tabulation.accuracy(panels(study_scores(30, ("direct",))))
    ax = plots.accuracy_dumbbells(accuracy).figure.axes[0]
    labels = [t.get_text() for t in ax.get_yticklabels()]
    kinds = [1 if "[SIMULATED]" in label else 2 if "[BASELINE]" in label else 0 for label in labels]
    assert kinds == sorted(kinds)
    means = accuracy[accuracy["kind"] == "model"].groupby("model")["accuracy"].mean().sort_values(ascending=False)
    assert labels[0].startswith(plot_style.plain(plot_style.short(means.index[0])))
    assert all(np.ptp(line.get_ydata()) < 0.5 for line in ax.lines)  # each line stays within its row


def test_the_flip_bars_are_shares_that_add_up() -> None:
    counts = flips.pattern_counts(panels(study_scores(3, ("direct", "convert"))))
    ax = flip_plots.flip_stack(counts).figure.axes[0]
    widths: dict[float, float] = {}
    for bar in ax.patches:
        widths[round(bar.get_y(), 3)] = widths.get(round(bar.get_y(), 3), 0.0) + bar.get_width()
    np.testing.assert_allclose(list(widths.values()), 1.0)
    assert len(widths) == len(counts)


def test_transfer_from_nothing_is_not_zero() -> None:
    cells = np.array([[0, 1, 1]] * 20 + [[0, 0, 1]] * 20)  # never right in coordinates
    drawn = flip_plots.transfer_heatmap(flips.pairwise(panels(frame(cells))))
    text = words(drawn.figure)
    assert text.count("0 of 0") == 2
    assert "2 cells have no problem to start from" in drawn.alt


def test_edges_draw_what_there_is() -> None:
    none = tabulation.accuracy(panels(frame(np.zeros((12, 3), dtype=int))))
    assert "lowest 0.00" in plots.accuracy_dumbbells(none).alt
    few = panels(frame(np.ones((4, 3), dtype=int)))
    drawn = effect_plots.difference_forest(effects.representation_differences(few), effects.representation_effect(few))
    assert "0 of 3 differences are shown" in drawn.alt
    two = panels(frame(np.array([[1, 0]] * 20 + [[1, 1]] * 20), representations=("coord", "euclid")))
    assert "nothing to draw" in flip_plots.flip_stack(flips.pattern_counts(two)).alt
    assert "nothing to draw" in plots.invariance_bounds(tabulation.summarise_with_cis(two)).alt
    assert "nothing to draw" not in plots.geometry_sensitivity(tabulation.accuracy(two)).alt
    assert "nothing to draw" in effect_plots.margins_forest(regression.Regression(()).margins).alt
    assert "nothing to draw" in effect_plots.power_curves(0).alt


def test_sentences_compute_their_numbers() -> None:
    answers = panels(study_scores(3, ("direct",)))
    accuracy, summary = tabulation.accuracy(answers), tabulation.summarise_with_cis(answers)
    assert plot_wording.scope(accuracy).startswith(
        "4 models, 1 SIMULATED models and 2 baselines; strategies direct; 60 problems each"
    )
    said = plot_wording.differences(effects.representation_differences(answers), effects.representation_effect(answers))
    assert "of 12 differences" in said and "points" in said
    assert "60 problems" in plot_wording.flips(flips.pattern_counts(answers))
    assert "n = 60" in plot_wording.power(power.detectable_after(answers))
    assert "nothing is right in any" in plot_wording.transfer(
        flips.pairwise(panels(frame(np.zeros((12, 3), dtype=int))))
    )
    for sentence in (plot_wording.spread(summary), plot_wording.lost(summary)):
        assert "nan" not in sentence and "**SIMULATED**" in sentence


def run_cells(name: str, experiment: str) -> dict[str, object]:
    """Run a notebook's code cells in this process."""
    path = Path(__file__).resolve().parents[1] / "notebooks" / f"{name}.ipynb"
    names: dict[str, object] = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, f"{name}[{cell.id}]", "exec"), names)
            if "parameters" in cell.metadata.get("tags", []):
                names["experiment"] = experiment
    return names


def mini_study(home: Path, n: int) -> str:
    """Two simulated models with scores of ``n`` problems; the path of their experiment."""
    models = ["simulated/coordinate-minded", "simulated/perfect"]
    experiment = home / "mini.yaml"
    experiment.write_text(f"name: mini\nmodels: [{', '.join(models)}]\nstrategies: [direct]\n", encoding="utf-8")
    problems = problems_table(n)
    data = scores(problems, models)
    write_table(problems, home / "data" / "mini" / "problems.csv")
    for model, rows in data.groupby("model"):
        write_table(rows, home / "data" / "mini" / "scores" / f"exp1_{str(model).replace('/', '--')}__direct.csv")
    return str(experiment)


def test_a_small_study_gets_no_regression_but_a_reason(home: Path) -> None:
    run_cells("07_regression", mini_study(home, 8))
    text = (home / "reports" / "mini" / "tables" / "regression_summary.txt").read_text(encoding="utf-8")
    assert "8 problems: too few for tests" in text and "std err" not in text


def test_figures_need_their_tables(home: Path) -> None:
    with pytest.raises(UserError, match="run notebook 05_tabulation first"):
        run_cells("08_plots", mini_study(home, 8))


def test_notebooks_write_what_they_promise(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """05 to 08 on a simulated study."""
    n = 40
    experiment = mini_study(home, n)
    for name in ("05_tabulation", "06_flips", "07_regression", "08_plots"):
        run_cells(name, experiment)
    tables, figures = home / "reports" / "mini" / "tables", home / "reports" / "mini" / "figures"
    for file in [
        "features_merged.csv",
        "feature_correlations.csv",
        "regression_summary.txt",
        "marginal_effects.txt",
        "per_model_representation_vector_coef.csv",
        "regression_table.csv",
    ]:
        assert (tables / file).stat().st_size > 0, file
    for file in [
        "feature_histograms",
        "token_vs_correct_box",
        "geometry_sensitivity",
        "accuracy_by_representation",
        "fig_rep_flip_stacked",
        "fig_pairwise_transfer_heatmap",
        "difference_forest",
        "invariance_bounds",
        "power_curve",
        "marginal_effects",
    ]:
        assert (figures / f"{file}.png").stat().st_size > 2000, file
    merged = pd.read_csv(tables / "features_merged.csv")
    assert len(merged) == 2 * 3 * n and {"tokens", "coordinates", "correct", "solution_steps"} <= set(merged.columns)
    text = (tables / "regression_summary.txt").read_text(encoding="utf-8")
    assert "SIMULATED" in text
    assert "vector" in text and "std err" in text
    assert "versions: python" in capsys.readouterr().out
