"""The gallery: which flips it shows, what it says of each, and that no text of a model takes effect."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from gallery_samples import HOSTILE, MODELS, finished
from synthetic_scores import frame, panel_frame

from geoutils import gallery
from geoutils.flips import PATTERNS, pattern_counts


@pytest.fixture
def made(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, pd.DataFrame, pd.DataFrame]:
    """A gallery: its folder, the problems shown and the scores."""
    study, scores, responses = finished(home)
    monkeypatch.setattr(gallery, "responses_to", lambda *_: responses)
    path, shown = gallery.write_gallery(study, scores)
    assert path == home / "reports" / "shown" / "gallery.html"
    return path.parent, shown, scores


def test_the_table_of_flips_adds_up_to_the_patterns() -> None:
    scores = panel_frame(models={"lab/a": 0.5, "baseline/last-number": -2.0}, n=40, strategies=["direct", "reason"])
    table = gallery.flip_table(scores)
    counts = pattern_counts(scores).set_index(["model", "strategy"])
    for pair, part in table.groupby(["model", "strategy"]):
        for name in PATTERNS:
            assert (part["pattern"] == name).sum() == counts.loc[pair, name]
    assert table["flips"].sum() == counts[list(gallery.FLIPS)].sum().sum()
    assert set(table["answered"]) <= {0, 1, 2, 3}


def test_rows_are_chosen_by_pattern_category_and_model() -> None:
    table = gallery.flip_table(panel_frame(models={"lab/a": 0.5, "lab/b": 0.0}, n=40))
    assert set(gallery.chosen_flips(table, pattern="CCW")["pattern"]) == {"CCW"}
    flips = gallery.chosen_flips(table, pattern="flips", category="area", model="lab/b")
    assert set(flips["category"]) == {"area"}
    assert set(flips["model"]) == {"lab/b"}
    assert not set(flips["pattern"]) & {"CCC", "WWW"}
    assert len(gallery.chosen_flips(table)) == len(table)


def test_what_tells_most_comes_first_and_every_pattern_is_there() -> None:
    scores = panel_frame(models={"lab/a": 0.5, "lab/b": 0.3, "lab/c": 0.1}, n=160)
    table = gallery.flip_table(scores)
    chosen = gallery.telling(table, limit=12)
    assert len(chosen) == 12
    assert chosen["clear"].is_monotonic_decreasing
    assert {name for names in chosen["patterns"] for name in names.split()} == set(table["pattern"]) & set(gallery.FLIPS)
    best = table[(table["flips"] == 1) & (table["answered"] == 3)].groupby("problem").size().max()
    assert chosen["clear"].iloc[0] == best


def test_a_baseline_s_luck_does_not_lead() -> None:
    lucky = frame(np.array([[1, 0, 1], [0, 0, 0]]), model="baseline/last-number")
    real = frame(np.array([[1, 1, 1], [1, 0, 1]]), model="lab/a")
    chosen = gallery.telling(gallery.flip_table(pd.concat([lucky, real])))
    assert list(chosen["flips"]) == [1, 0]
    assert list(chosen["of"]) == [1, 1]
    assert len(gallery.telling(gallery.flip_table(lucky))) == 1


def test_without_flips_it_shows_answers_that_differ() -> None:
    wrong = frame(np.zeros((4, 3), dtype=int), answers=np.array([[1, 2, 3], [1, 1, 1], [2, 2, 1], [1, 1, 1]]))
    chosen = gallery.telling(gallery.flip_table(wrong))
    assert {name.rpartition("_")[2] for name in chosen["problem"]} == {"000", "002"}
    assert set(chosen["flips"]) == {0}
    assert gallery.telling(gallery.flip_table(frame(np.ones((3, 3), dtype=int)))).empty


def test_models_without_three_representations_have_no_flips(home: Path) -> None:
    study, _, _ = finished(home)
    two = frame(np.array([[1, 0], [0, 1]]), representations=("coord", "vector"))
    assert gallery.flip_table(two).empty
    path, shown = gallery.write_gallery(study, two)
    assert shown.empty
    assert "There is no flip to show" in path.read_text(encoding="utf-8")


def test_answers_come_in_euclid_coord_vector_order(home: Path) -> None:
    study, scores, responses = finished(home)
    name = study.problems()["problem"].iloc[0]
    table = gallery.answers_to(name, scores, responses)
    assert list(table["representation"]) == ["euclid", "coord", "vector"] * 3
    assert list(dict.fromkeys(table["model"])) == list(MODELS)
    assert table["content"].str.len().min() > 0
    assert table.loc[table["model"].eq("lab/one"), "pattern"].iloc[0] == "CCW"
    assert gallery.answers_to("unknown", scores).empty


def test_the_page_shows_statements_figures_and_answers(made: tuple[Path, pd.DataFrame, pd.DataFrame]) -> None:
    folder, shown, _ = made
    page = (folder / "gallery.html").read_text(encoding="utf-8")
    assert len(shown) == page.count('<article class="flip"') >= 6
    images = re.findall(r'<img src="(gallery/[^"]+\.png)" alt="([^"]+)"', page)
    assert len(images) == len(shown)
    for name, alt in images:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
        assert len(alt) > 10
    assert page.count("<h4>Euclidean text</h4>") == page.count("<h4>Vectors</h4>") == len(shown)


def test_hostile_text_is_text(made: tuple[Path, pd.DataFrame, pd.DataFrame]) -> None:
    folder, _, _ = made
    pages = [folder / "gallery.html", *(folder / "gallery").glob("*.html")]
    assert len(pages) > 5, "long responses have pages of their own"
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert path.stat().st_size < 2_000_000
        assert "<script>document" not in text
        assert "<img src=x" not in text
        assert "<h1>mine" not in text
        assert not re.search("[\u202e\u2066\u0007]", text)
        assert "default-src 'none'" in text
        assert set(re.findall(r'href="([^"#]+)', text)) <= {
            "data:,", "index.html", "06_flips.html", "../gallery.html", *(f"gallery/{p.name}" for p in (folder / "gallery").iterdir()),
        }  # fmt: skip
    assert any("x" * 100_000 in path.read_text(encoding="utf-8") for path in pages[1:])
    assert "x" * 300 not in pages[0].read_text(encoding="utf-8")
    assert "[U+202E]" in pages[0].read_text(encoding="utf-8")


def test_a_page_stays_small(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study, scores, responses = finished(home)
    monkeypatch.setattr(gallery, "responses_to", lambda *_: responses)
    monkeypatch.setattr(gallery, "ROOM", 20_000)
    path, shown = gallery.write_gallery(study, scores)
    assert 0 < len(shown) < 6
    assert "more were left out to keep this page small" in path.read_text(encoding="utf-8")


def test_responses_come_from_the_store(home: Path) -> None:
    from geoutils.inference import run_inference

    path = home / "asked.yaml"
    path.write_text("name: asked\nproblems: {limit_per_category: 2}\nmodels: [baseline/last-number]\nstrategies: [direct]\n")
    from geoutils.study import open_study

    study = open_study(path, stage="flips", quiet=True)
    problems = study.problems()
    run_inference(study.experiment, problems, progress="none")
    name = problems["problem"].iloc[4]
    found = gallery.responses_to(study, problems, [name])
    assert found is not None
    assert set(found["problem"]) == {name}
    assert set(found["outcome"]) == {"ok"}


def test_excerpts_keep_the_end_where_answers_stand() -> None:
    text = "start " + "x" * 5000 + " the answer is 7"
    assert gallery.excerpt(text).endswith("the answer is 7")
    assert len(gallery.excerpt(text)) < 260
    assert gallery.excerpt("short") == "short"
    assert HOSTILE["line"][:80] in gallery.excerpt(HOSTILE["line"])


def test_the_picture_that_models_were_sent_is_shown(home: Path) -> None:
    study, scores, _ = finished(home)
    problems = study.problems()
    name = str(scores["problem"].iloc[0])
    sent = problems[problems["problem"].eq(name)].head(1).assign(representation="figure", image="figures/sent.png")
    (study.data / "figures").mkdir()
    (study.data / "figures" / "sent.png").write_bytes(b"the picture")
    made = gallery._figures([name], study, home / "drawn", pd.concat([problems, sent]))
    assert (home / "drawn" / f"{name}.png").read_bytes() == b"the picture"
    assert made[name]["alt"]
    gallery._figures([name], study, home / "drawn", problems)
    assert (home / "drawn" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
