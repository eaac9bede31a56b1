"""Figures of effects: signed differences beside what chance gives, average marginal effects, and power."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from geoutils.plot_style import (
    GREY,
    INK,
    KIND_ORDER,
    LINES,
    PALE,
    Drawn,
    combinations_of,
    drawn,
    kind_words,
    label_rows,
    many_strategies,
    mark_kinds,
    nothing,
    ordered,
    row_label,
    rows_figure,
    span,
    styled,
)
from geoutils.power import power_curve


@styled
def difference_forest(differences: pd.DataFrame, effect: pd.DataFrame) -> Drawn:
    """Signed differences of accuracy with simultaneous intervals; the grey band is what the gap reaches by chance.

    ``differences`` is the table representation_differences, ``effect`` the table representation_effect. A filled
    mark: the pair differs after closed testing (Q first, Holm over models).
    """
    known = differences[differences["n"] > 0]
    if known.empty:
        return nothing("Differences between representations", "no pair of representations")
    pairs = list(dict.fromkeys(zip(known["first"], known["second"], strict=True)))
    widest = (
        known.assign(size=known["difference"].abs())
        .groupby(["model", "strategy", "kind", "n"], as_index=False, sort=False)["size"]
        .max()
    )
    rows = ordered(widest, "size")
    band = effect.set_index(["model", "strategy"])["gap_null_q95"]
    cells = known.set_index(["model", "strategy", "first", "second"])
    figure, axes = rows_figure(len(rows), columns=len(pairs), width=3.0 + 2.4 * len(pairs), extra=1.9)
    limit = 5.0
    for ax, (a, b) in zip(axes, pairs, strict=True):
        for i, row in rows.iterrows():
            if (row["model"], row["strategy"], a, b) not in cells.index:
                continue
            d = cells.loc[(row["model"], row["strategy"], a, b)]
            q = 100 * float(band.get((row["model"], row["strategy"]), np.nan))
            if np.isfinite(q):
                ax.barh(i, 2 * q, left=-q, height=0.9, color=PALE, zorder=1)
            if np.isfinite(d["sim_low"]):
                ax.plot([100 * d["sim_low"], 100 * d["sim_high"]], [i, i], color=INK, linewidth=1.2, zorder=2)
                limit = max(limit, abs(100 * d["sim_low"]), abs(100 * d["sim_high"]))
            shown = d["p_closed"] <= 0.05
            ax.plot(
                100 * d["difference"],
                i,
                "o",
                color=INK if shown else "white",
                markeredgecolor=INK,
                markersize=5,
                zorder=3,
            )
            limit = max(limit, abs(100 * d["difference"]), q if np.isfinite(q) else 0)
        ax.axvline(0, color=GREY, linewidth=1, zorder=1)
        ax.set_title(f"{a} minus {b}", fontsize=9)
        ax.set_xlabel("percentage points", fontsize=8)
        ax.tick_params(axis="x", labelsize=8)
    for ax in axes:
        ax.set_xlim(-1.05 * limit, 1.05 * limit)
    several = many_strategies(rows)
    labels = [row_label(row, strategies=several, n=int(row["n"])) for _, row in rows.iterrows()]
    for ax in axes:
        label_rows(ax, labels, rows)
    handles = [
        Line2D([], [], color=INK, marker="o", label="differs (closed testing, Holm)"),
        Line2D([], [], color=INK, marker="o", markerfacecolor="white", label="a difference is not shown"),
        Patch(facecolor=PALE, label="what chance alone stays within in 95 % of cases"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    mark_kinds(figure, rows["kind"])
    shown = int((known["p_closed"] <= 0.05).sum())
    i = known["difference"].abs().idxmax()
    alt = (
        f"Signed accuracy differences for {combinations_of(len(rows))} with simultaneous 95 % intervals, n = {span(known['n'])}. {shown} of {len(known)} "
        f"differences are shown after adjustment. The largest is {100 * known.loc[i, 'difference']:+.1f} points ({known.loc[i, 'model']}, {known.loc[i, 'first']} minus "
        f"{known.loc[i, 'second']}). " + kind_words(rows["kind"])
    )
    return drawn(figure, alt)


@styled
def margins_forest(margins: pd.DataFrame) -> Drawn:
    """Average marginal effects of the representation with 95 % intervals: unadjusted, total and direct side by side.

    ``margins`` is :attr:`geoutils.regression.Regression.margins`.
    """
    known = margins[margins["effect"].astype(str).str.contains(" instead of ")] if len(margins) else margins
    if known.empty:
        return nothing("Average marginal effects", "no regression could be fitted")
    keys = list(dict.fromkeys(zip(known["kind"], known["strategy"], known["effect"], strict=True)))
    figure, (ax,) = rows_figure(len(keys), extra=1.9)
    style = {"unadjusted": ("o", "white", -0.22), "total": ("o", INK, 0.0), "direct": ("D", GREY, 0.22)}
    for i, (kind, strategy, effect) in enumerate(keys):
        own = known[(known["kind"] == kind) & (known["strategy"] == strategy) & (known["effect"] == effect)]
        for _, m in own.iterrows():
            marker, face, shift = style[m["step"]]
            ax.plot([100 * m["low"], 100 * m["high"]], [i + shift] * 2, color=INK, linewidth=1, zorder=2)
            ax.plot(100 * m["ame"], i + shift, marker, color=face, markeredgecolor=INK, markersize=5, zorder=3)
    table = pd.DataFrame(keys, columns=["kind", "strategy", "effect"])
    words = {"model": "models", "SIMULATED": "SIMULATED", "BASELINE": "BASELINE"}
    sizes = known.groupby(["kind", "strategy"])["problems"].max()
    label_rows(ax, [f"{e} · {s} [{words[k]}]  n={int(sizes[(k, s)])}" for k, s, e in keys], table)
    ax.axvline(0, color=GREY, linewidth=1, zorder=1)
    ax.set_xlabel("change of accuracy in percentage points (bars: 95 %, clustered by problem; n: problems)")
    handles = [
        Line2D([], [], color=INK, marker="o", markerfacecolor="white", label="unadjusted"),
        Line2D([], [], color=INK, marker="o", label="total: category and model"),
        Line2D([], [], color=INK, marker="D", markerfacecolor=GREY, label="direct: also tokens, symbols, numbers"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    mark_kinds(figure, table["kind"])
    total = known[known["step"] == "total"]
    i = total["ame"].abs().idxmax() if len(total) else known["ame"].abs().idxmax()
    alt = (
        f"Average marginal effects of the representation in {len(sizes)} group(s) of models. Largest: {known.loc[i, 'effect']} ({known.loc[i, 'kind']}, {known.loc[i, 'strategy']}), "
        f"{100 * known.loc[i, 'ame']:+.1f} points, 95 % interval {100 * known.loc[i, 'low']:.1f} to {100 * known.loc[i, 'high']:.1f}. "
        + kind_words(table["kind"])
    )
    return drawn(figure, alt)


@styled
def power_curves(
    problems: int,
    *,
    discordance: Sequence[float] = (0.1, 0.2, 0.3, 0.4),
    observed: pd.DataFrame | None = None,
    tests: int = 1,
) -> Drawn:
    """Power of the mid-p McNemar test over the true difference, a line for each discordance.

    ``observed`` is the table detectable_differences: short marks at 80 % show the detectable difference of each
    model and pair at its observed discordance (not observed power), of the foremost kind only (models before simulated
    ones before baselines). ``tests`` > 1 (by default those of ``observed``) adds a panel corrected for them.
    """
    if problems < 1:
        return nothing("Power", "no problems")
    if observed is not None and len(observed):
        foremost = min(observed["kind"], key=KIND_ORDER.__getitem__)
        observed = observed[observed["kind"] == foremost]
        tests = int(observed["tests"].max())
    panels = ["power"] + (["power_corrected"] if tests > 1 else [])
    figure = Figure(figsize=(4.6 * len(panels) + 0.6, 3.9), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    curves = {
        psi: power_curve(
            problems, discordance=psi, differences=[min(psi, 0.3) * i / 60 for i in range(61)], tests=tests
        )
        for psi in discordance
    }
    for ax, column in zip(axes, panels, strict=True):
        for s, (psi, curve) in enumerate(curves.items()):
            ax.plot(100 * curve["difference"], curve[column], color=INK, linestyle=LINES[s % len(LINES)], linewidth=1.4,
                    label=f"{100 * psi:.0f} % of problems differ" if column == "power" else None)  # fmt: skip
        ax.axhline(0.8, color=GREY, linewidth=0.8)
        ax.set(xlim=(0, 30), ylim=(0, 1.01), xlabel="true difference, percentage points")
        ax.set_title("one test at 5 %" if column == "power" else f"corrected for {tests} tests", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
        if observed is not None and len(observed):
            at = observed["detectable" if column == "power" else "corrected"].dropna()
            ax.plot(
                100 * at,
                np.full(len(at), 0.8),
                "|",
                color=INK,
                markersize=11,
                label="detectable, as observed" if column == "power" else None,
            )
    axes[0].set_ylabel(f"power (n = {problems} problems, one run a cell)")
    figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    if observed is not None and len(observed):
        mark_kinds(figure, observed["kind"])
    reached = [
        f"{100 * float(c.loc[c['power'] >= 0.8, 'difference'].min()):.0f} points at a discordance of {psi:.0%}"
        for psi, c in curves.items()
        if (c["power"] >= 0.8).any()
    ]
    alt = (
        f"Power over the true difference between two representations for n = {problems} problems. 80 % power is reached at {', '.join(reached) or 'no difference shown'}. "
        + (kind_words(observed["kind"]) if observed is not None and len(observed) else "")
    )
    return drawn(figure, alt)
