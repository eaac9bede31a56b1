"""A study with figures, end to end: an image server is asked with data URIs, and k becomes four everywhere."""

from __future__ import annotations

import base64
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from geoutils import baselines, dataset, flips, tabulation
from geoutils.errors import RunError, UserError
from geoutils.experiment import experiment_from_dict
from geoutils.inference import load_responses, run_inference
from geoutils.panel import panels
from geoutils.parsing import parse_responses
from geoutils.records import invariance_records
from geoutils.requests import cells_of
from geoutils.robust_cells import read_cells
from geoutils.robustness import cubes, robustness_records, summary
from geoutils.scoring import score
from geoutils.store import Store, store_path


class Seer(BaseHTTPRequestHandler):
    """Answers with what is asked of it: a picture must come with a short text, a text alone is a statement."""

    bodies: ClassVar[list[dict]] = []
    golds: ClassVar[dict[bytes, str]] = {}

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).bodies.append(body)
        content = body["messages"][-1]["content"]
        said = "0"
        if isinstance(content, list):
            picture = base64.b64decode(content[0]["image_url"]["url"].partition(",")[2])
            said = type(self).golds.get(picture, "0")
        reply = {
            "id": "1", "object": "chat.completion", "model": "seer",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"The answer is {said}."}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 5, "total_tokens": 1005},
        }  # fmt: skip
        sent = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture()
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Seer)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    Seer.bodies, Seer.golds = [], {}
    yield f"http://127.0.0.1:{made.server_port}/v1"
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")  # figures are drawn once for all tests here


@pytest.fixture()
def experiment(home, monkeypatch, server, request):
    monkeypatch.setenv("GEOUTILS_HOME", str(home))
    return experiment_from_dict({
        "name": f"seen-{len(request.node.name)}", "problems": {"source": "data/problems/area_01_20.yaml", "limit_per_category": 2}, "variants": 2, "repeats": 2,
        "representations": ["coord", "euclid", "vector", "figure"], "models": ["eye/seer", "baseline/gold", "baseline/last-number"],
        "endpoints": {"eye": {"base_url": server}},
    })  # fmt: skip


def test_figures_go_through_the_whole_pipeline(experiment):
    problems = dataset.load_problems(experiment)
    rows = problems[problems["representation"] == "figure"]
    Seer.golds = {(experiment.data_dir / r.image).read_bytes(): r.value for r in rows.itertuples()}
    done = run_inference(experiment, problems, progress="none")
    assert (done["ok"] == done["planned"]).all() or set(done.loc[done["ok"] < done["planned"], "model"]) == {"baseline/last-number"}

    seen = [b for b in Seer.bodies if isinstance(b["messages"][-1]["content"], list)]
    assert len(seen) == 2 * 2 * 2
    for body in seen:
        picture, text = body["messages"][-1]["content"]
        assert picture["image_url"]["url"].startswith("data:image/png;base64,")
        assert text["type"] == "text" and "The givens are written and marked in the figure." in text["text"]
        assert "Give the exact value" in text["text"]
    assert {b["seed"] for b in seen} == {1, 2}  # repeats ask again

    scores = score(parse_responses(load_responses(experiment, experiment.plan(problems))), problems)
    mine = scores[scores["model"] == "eye/seer"]
    assert set(mine.loc[mine["representation"] == "figure", "correct"]) == {1}
    assert set(mine.loc[mine["representation"] != "figure", "correct"]) == {0}
    assert (mine[["same_coord_euclid"]] == 1).all(axis=None) and (mine["same_coord_figure"].astype(int) == 0).all()

    panel = panels(mine)[0]
    assert panel.representations == ("coord", "euclid", "vector", "figure")
    table = tabulation.summarise(mine)
    assert table["figure"].iloc[0] == 1.0
    assert [r["k"] for r in invariance_records(mine)] == [3, 4]
    four = flips.patterns_over_all(scores)
    assert {len(p) for p in four["pattern"]} == {4} and four["pattern"].nunique() == 16
    assert set(four["representations"]) == {"euclid-coord-vector-figure"}
    assert four[(four["model"] == "baseline/gold") & (four["pattern"] == "CCCC")]["count"].iloc[0] == 2
    assert four[(four["model"] == "eye/seer") & (four["pattern"] == "WWWC")]["count"].iloc[0] == 2
    three = flips.pattern_counts(scores).set_index("model")  # the seed's table keeps its eight
    assert three.loc["eye/seer", "WWW"] == 2

    cells, faults = read_cells(scores, problems=problems, plan=experiment.plan(problems))
    assert faults.empty
    made = cubes(cells)
    assert {c.representations for c in made} == {("coord", "euclid", "vector", "figure")}
    whole = summary(made)
    assert whole[(whole["model"] == "eye/seer") & (whole["representation"] == "figure")]["rr"].iloc[0] == 1.0
    assert whole[(whole["model"] == "eye/seer") & (whole["representation"] == "all")]["worst"].iloc[0] == 0.0
    assert any(r["model"] == "eye/seer" for r in robustness_records(made))


def test_the_picture_is_read_when_it_is_sent_kept_with_the_response_and_asked_once(experiment):
    problems = dataset.load_problems(experiment)
    run_inference(experiment, problems, models=["eye/seer"], progress="none")
    asked = len(Seer.bodies)
    with Store(store_path(experiment, "eye/seer", "direct")) as store:
        kept = dict(store._rows("SELECT * FROM images"))
    assert set(kept) == set(problems.loc[problems["image"] != "", "image_sha256"])
    run_inference(experiment, problems, models=["eye/seer"], progress="none")
    assert len(Seer.bodies) == asked  # nothing is asked twice
    place = experiment.data_dir / problems.loc[problems["image"] != "", "image"].iloc[0]
    place.unlink()
    place.write_bytes(b"\x89PNG\r\n\x1a\n other")
    changed = experiment_from_dict({**experiment.as_dict(), "strategies": ["reason"], "models": ["eye/seer"]} | {"endpoints": {
        "eye": {"base_url": experiment.endpoints["eye"].base_url}}, "problems": {"source": "data/problems/area_01_20.yaml", "limit_per_category": 2},
        "sampling": {}, "limits": {}, "grading": {}, "parts": []})  # fmt: skip
    with pytest.raises(RunError, match="not the figure that the problems table names"):
        run_inference(changed, problems, progress="none")


def test_a_model_that_reads_text_only_is_refused_before_anything_is_asked(experiment):
    given = {"name": "seen", "representations": ["coord", "figure"], "models": ["local/smollm2-135m-instruct", "eye/seer"],
             "problems": {"source": "data/problems/area_01_20.yaml", "limit_per_category": 1},
             "endpoints": {"eye": {"base_url": experiment.endpoints["eye"].base_url}}}  # fmt: skip
    problems = dataset.load_problems(experiment_from_dict(given))
    with pytest.raises(UserError, match="reads no images"):
        run_inference(experiment_from_dict(given), problems, progress="none")
    assert Seer.bodies == []
    parts = [{"models": ["local/smollm2-135m-instruct"], "representations": ["coord"]}, {"models": ["eye/seer"]}]
    mixed = experiment_from_dict({**given, "parts": parts})
    assert mixed.plan(problems).groupby("model")["representation"].agg(sorted).to_dict() == {
        "local/smollm2-135m-instruct": ["coord"], "eye/seer": ["coord", "figure"],
    }  # fmt: skip
    assert [c.representation for c in cells_of(mixed, problems, "local/smollm2-135m-instruct", "direct")] == ["coord"]
    with pytest.raises(UserError, match=r"parts\[1\].representations names vector"):
        experiment_from_dict({**given, "parts": [{"representations": ["vector"]}]})


def test_baselines_read_the_short_text_only(experiment):
    problems = dataset.load_problems(experiment)
    cell = next(c for c in cells_of(experiment, problems, "baseline/last-number", "direct") if c.representation == "figure")
    assert baselines.answer("last-number", cell, 1).content == "".join(
        text for text, _ in baselines.numbers_in(cell.row["statement"])[-1:]
    )
    assert re.search(r"[A-Z]{2} = \d", cell.row["statement"]) is None


def test_an_estimate_counts_pictures(experiment):
    from geoutils.costs import TOKENS_PER_PICTURE
    from geoutils.inference import dry_run

    problems = dataset.load_problems(experiment)
    table = dry_run(experiment, problems).set_index("model")
    assert table.loc["eye/seer", "prompt_tokens"] > TOKENS_PER_PICTURE * 2 * 2 * 2
    assert table.loc["baseline/gold", "prompt_tokens"] == 0
