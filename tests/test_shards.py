"""Shards of a plan and the merging of their files: each cell once, nothing lost, nothing mixed."""

from __future__ import annotations

import collections
import dataclasses
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from fault_server import FaultServer
from hypothesis import given
from hypothesis import strategies as st
from inference_cases import experiment_file, problems_table

from geoutils.cli import main
from geoutils.errors import RunError, UserError
from geoutils.inference import cost_table, dry_run, load_responses, run_inference
from geoutils.merge import check_file, is_merged, merge, merge_pending
from geoutils.responses import planned
from geoutils.shards import pace_share, restricted, shard_in, shard_of, shard_path, share, usd_share
from geoutils.store import Key, Store, main_path

BASELINES = "models: [baseline/last-number, baseline/gold]\n"
PROBLEMS = problems_table([f"Find {place} + 2" for place in range(12)])


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))


def ask(experiment, problems=PROBLEMS, **options):
    return run_inference(experiment, problems, progress="none", **options)


def attempts(path: Path) -> list[tuple]:
    with sqlite3.connect(path) as file:
        return file.execute("SELECT cell, outcome, content, response_sha256 FROM attempts ORDER BY cell, id").fetchall()


@given(st.integers(0, 10**9), st.integers(1, 400))
def test_shares_add_up_exactly_and_differ_by_one_at_most(total, parts):
    made = [share(total, place, parts) for place in range(parts)]
    assert sum(made) == total and max(made) - min(made) <= 1


@given(st.floats(0, 1000).map(lambda usd: round(usd, 6)), st.integers(1, 64))
def test_the_budget_of_all_shards_is_the_budget(usd, total):
    experiment = dataclasses.replace(experiment_of_two())
    paid = [("lab/a", "direct"), ("lab/b", "direct"), ("lab/b", "reason")]
    one_each = [
        usd_share(dataclasses.replace(experiment, shard=(place, total)), [pair], paid, usd)
        for place in range(1, total + 1) for pair in paid
    ]  # fmt: skip
    all_pairs = [usd_share(dataclasses.replace(experiment, shard=(place, total)), paid, paid, usd) for place in range(1, total + 1)]
    for made in (one_each, all_pairs):
        assert sum(round(Fraction(value) * 10**6) for value in made) == int(Fraction(str(usd)) * 10**6)
    assert usd_share(experiment, paid, paid, usd) == usd
    assert sum(pace_share(dataclasses.replace(experiment, shard=(place, total)), 1, 3) for place in range(1, total + 1) for _ in paid) == 1


def experiment_of_two():
    from geoutils.experiment import Experiment

    return Experiment("two", models=("lab/a", "lab/b"), strategies=("direct", "reason"))


def test_a_growing_plan_moves_no_cell(tmp_path):
    small = experiment_file(tmp_path, BASELINES)
    large = experiment_file(tmp_path, BASELINES + "variants: 2\nrepeats: 3\n", name="large")
    more = problems_table([f"Find {place} + 2" for place in range(40)], variants=2)
    pair = ("baseline/last-number", "direct")
    before = {request.key(cell.repeat): shard_of(request.key(cell.repeat), 4) for cell, request in planned(small, PROBLEMS, *pair)}
    after = {request.key(cell.repeat): shard_of(request.key(cell.repeat), 4) for cell, request in planned(large, more, *pair)}
    assert before.items() <= after.items() and len(after) == 40 * 3 * 2 * 3
    sizes = collections.Counter(after.values())
    assert min(sizes.values()) > 130 and set(sizes) == {1, 2, 3, 4}


def test_shards_and_merge_give_what_one_run_gives_and_merging_again_nothing(tmp_path):
    whole = experiment_file(tmp_path, BASELINES, name="whole")
    ask(whole)
    parts = experiment_file(tmp_path, BASELINES, name="parts")
    for place in (3, 1, 4, 2):
        ask(parts, shard=(place, 4))
    files = sorted((parts.data_dir / "responses").glob("*.sqlite"))
    assert len(files) == 8 and all(shard_in(path) for path in files)
    assert not list((parts.data_dir / "responses").glob("*-wal")), "a closed shard is one file"
    first = merge(parts)
    assert first["attempts"].sum() == first["merged"].sum() == 72 and not first["duplicates"].any() and not first["already"].any()
    for pair in parts.pairs():
        assert attempts(main_path(parts, *pair)) == attempts(main_path(whole, *pair))
    columns = ["model", "problem", "representation", "repeat", "outcome", "content", "response_sha256"]
    assert load_responses(parts, problems=PROBLEMS)[columns].equals(load_responses(whole, problems=PROBLEMS)[columns])
    before = {path.name: path.read_bytes() for path in files}
    again = merge(parts)
    assert again["already"].sum() == 72 and not again["merged"].any()
    assert {path.name: path.read_bytes() for path in files} == before
    assert ask(parts)["asked"].sum() == 0
    assert ask(parts, shard=(2, 5))["asked"].sum() == 0, "what is merged is not asked by another split"
    removed = merge(parts, remove=True)
    assert len(removed) == 10 and not [path for path in (parts.data_dir / "responses").glob("*.sqlite") if shard_in(path)]
    assert merge(parts).empty and ask(parts)["asked"].sum() == 0


def test_later_stages_merge_what_waits(tmp_path, capsys):
    experiment = experiment_file(tmp_path, BASELINES)
    for place in (1, 2):
        ask(experiment, shard=(place, 2))
    assert dry_run(experiment, PROBLEMS)["open"].sum() == 0
    assert "merged 36 attempts of 2 shards of baseline/gold, direct" in capsys.readouterr().err
    assert cost_table(experiment)["attempts"].sum() == 72
    assert load_responses(experiment, problems=PROBLEMS)["outcome"].eq("ok").all()


def test_a_packed_run_holds_each_answer_once(tmp_path):
    import zipfile

    from geoutils.packing import export_run
    from geoutils.regrade import corpus

    experiment = experiment_file(tmp_path, BASELINES)
    for place in (1, 2):
        ask(experiment, shard=(place, 2))
    export_run(experiment, tmp_path / "run.zip")
    with zipfile.ZipFile(tmp_path / "run.zip") as file:
        names = [name for name in file.namelist() if "responses" in name]
    assert len(names) == 2 and not any("shard" in name for name in names)
    assert {item["strategy"] for item in corpus([experiment.path])} == {"direct"}


def test_a_shard_sees_only_its_own_part(tmp_path):
    experiment = experiment_file(tmp_path, BASELINES)
    part = restricted(experiment, models=["baseline/gold"], shard="1/3")
    summary = run_inference(part, PROBLEMS, progress="none")
    seen = load_responses(part, problems=PROBLEMS)
    assert summary["planned"].sum() == summary["ok"].sum() == len(seen) < 36 and seen["outcome"].eq("ok").all()
    assert set(seen["model"]) == {"baseline/gold"} and part.data_dir == experiment.data_dir
    assert cost_table(part)["attempts"].sum() == len(seen)
    with pytest.raises(UserError, match="nothing of its plan is left with baseline/none"):
        restricted(experiment, models=["baseline/none"])
    for wrong in ("0/4", "5/4", "1-4", "a/b"):
        with pytest.raises(UserError, match="is not a part such as 2/4"):
            restricted(experiment, shard=wrong)


def test_another_split_waits_for_the_merge(tmp_path):
    experiment = experiment_file(tmp_path, BASELINES)
    ask(experiment, shard=(1, 4))
    with pytest.raises(UserError, match="holds answers of a split into 4; run geoutils merge before one into 8"):
        ask(experiment, shard=(1, 8))
    merge(experiment)
    assert ask(experiment, shard=(1, 8))["asked"].sum() == 0 < ask(experiment, shard=(2, 8))["asked"].sum()


def with_answers(path: Path, answers: dict[bytes, str], *, started: str = "2026-01-01", **about: str) -> Path:
    """A response file with an `ok` answer for each cell."""
    from geoutils.outcomes import Result

    more = {"identity": path.name, **about}
    with Store(path, write=True, model="baseline/gold", strategy="direct", more=more) as store:
        for cell, content in answers.items():
            result = Result("ok", "done", content=content, cost_usd=0.5)
            store.append(cell, Key("length_easy_00000", "length", 0, "coord", 0), None, result, started=started, latency_s=1.0)
    return path


def cells(count: int) -> list[bytes]:
    return [bytes([place]) * 16 for place in range(count)]


def test_duplicates_are_told_and_different_answers_are_refused(tmp_path):
    experiment = experiment_file(tmp_path, BASELINES)
    one = with_answers(tmp_path / "one.sqlite", dict.fromkeys(cells(5), "42"))
    two = with_answers(tmp_path / "two.sqlite", dict.fromkeys(cells(3), "42"), started="2026-01-02")
    table = merge(experiment, [one, two])
    assert table["merged"].tolist() == [5, 3] and table["duplicates"].tolist() == [0, 3]
    assert cost_table(experiment)["usd"].sum() == 4.0, "what was asked twice was paid twice"
    main = main_path(experiment, "baseline/gold", "direct")
    before = attempts(main)
    three = with_answers(tmp_path / "three.sqlite", {cells(2)[1]: "43", cells(7)[6]: "1"}, started="2026-01-03")
    words = r"1 cell\(s\) have another `ok` answer than in baseline--gold__direct.sqlite.*length_easy_00000, variant 0, coord, repeat 0; nothing"
    with pytest.raises(UserError, match=words):
        merge(experiment, [three])
    assert attempts(main) == before and not is_merged(three, main)
    four = with_answers(tmp_path / "four.sqlite", {cells(9)[8]: "a"})
    five = with_answers(tmp_path / "five.sqlite", {cells(9)[8]: "b"}, started="2026-01-04")
    with pytest.raises(UserError, match="another `ok` answer"):
        merge(experiment, [four, five])
    assert attempts(main) == before, "of a pair with a conflict nothing is merged"


def test_a_later_answer_of_the_same_file_is_no_conflict(tmp_path):
    experiment = experiment_file(tmp_path, BASELINES)
    path = with_answers(tmp_path / "one.sqlite", {cells(1)[0]: "1"})
    merge(experiment, [path])
    with_answers(path, {cells(1)[0]: "2"}, started="2026-02-01")  # asked again on purpose
    copy = Path(shutil.copy(path, tmp_path / "copy.sqlite"))
    assert merge(experiment, [path])["merged"].tolist() == [1]
    assert merge(experiment, [copy])["already"].tolist() == [2]


def torn(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(5000)
        file.write(b"\xff" * 6000)


def sql(text: str):
    def change(path: Path) -> None:
        with sqlite3.connect(path) as file:
            file.executescript(text)

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (torn, "damaged or incomplete|a damaged one"),
        (overwritten, "damaged or incomplete|a damaged one"),
        (lambda path: path.write_text("problem,answer\n1,2\n"), "no response file, or a damaged one"),
        (lambda path: path.write_bytes(b""), r"no response file of this version \(0 instead of 1\)"),
        (sql("PRAGMA user_version=7"), r"of this version \(7 instead of 1\)"),
        (sql("DROP TABLE attempts"), "no response file, or a damaged one"),
        (sql("UPDATE about SET value = 'lab/other' WHERE name = 'model'"), "'lab/other' with 'direct', which experiment trial does not ask"),
        (sql("UPDATE about SET value = 'theirs' WHERE name = 'experiment'"), "made by experiment 'theirs', not by trial"),
        (sql("UPDATE about SET value = '3/4' WHERE name = 'shard'"), r"its name does not say what it holds \(3/4\)"),
        (sql("UPDATE about SET value = 'x' WHERE name = 'shard'"), "is not a part such as 2/4"),
        (sql("UPDATE attempts SET outcome = 'fine' WHERE id = 2"), "row 2 is no attempt"),
        (sql("UPDATE attempts SET cell = 'text' WHERE id = 2"), "row 2 is no attempt"),
        (sql("UPDATE attempts SET cell = x'" + "00" * 7 + "02" + "00" * 8 + "' WHERE id = 3"), "row 3 belongs to another shard than 2/4"),
    ],
)
def test_torn_and_foreign_files_are_refused_with_one_line(tmp_path, capsys, change, words):
    import re

    experiment = experiment_file(tmp_path, BASELINES)
    ask(experiment, problems_table([f"p{place} " + "x" * 200 for place in range(40)]), shard=(2, 4))
    path = shard_path(main_path(experiment, "baseline/gold", "direct"), (2, 4))
    change(path)
    assert main(["merge", str(experiment.path)]) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told and (path.name in told or "such as 2/4" in told)
    assert re.search(words, told), told
    assert not main_path(experiment, "baseline/gold", "direct").exists()


def test_a_renamed_shard_and_a_missing_file_are_refused(tmp_path):
    experiment = experiment_file(tmp_path, BASELINES)
    ask(experiment, shard=(2, 4))
    path = shard_path(main_path(experiment, "baseline/gold", "direct"), (2, 4))
    with pytest.raises(UserError, match="its name does not say what it holds"):
        check_file(path.rename(path.with_name(path.name.replace("2-of", "3-of"))), experiment)
    with pytest.raises(UserError, match="there is no such file"):
        merge(experiment, [tmp_path / "none.sqlite"])


def test_a_file_that_is_still_written_is_left_alone(tmp_path, capsys):
    experiment = experiment_file(tmp_path, BASELINES)
    for place in (1, 2):
        ask(experiment, shard=(place, 2))
    path = shard_path(main_path(experiment, "baseline/gold", "direct"), (1, 2))
    with Store(path, write=True, model="baseline/gold", strategy="direct", alone=True):
        with pytest.raises(RunError, match="in use"):
            merge(experiment, [path])
        merge_pending(experiment)
        assert "still being written, not merged yet" in capsys.readouterr().err
        assert not is_merged(path, main_path(experiment, "baseline/gold", "direct"))
    merge_pending(experiment)
    assert is_merged(path, main_path(experiment, "baseline/gold", "direct"))


CHILD = """
import sys
sys.path.insert(0, sys.argv[3])
from inference_cases import problems_table
from geoutils.experiment import load_experiment
from geoutils.inference import run_inference
run_inference(load_experiment(sys.argv[1]), problems_table([f"p{n}" for n in range(40)]), shard=(int(sys.argv[2]), 2), progress="none")
"""


def test_a_killed_shard_loses_nothing_that_was_saved_and_asks_only_the_rest(tmp_path):
    problems = problems_table([f"p{n}" for n in range(40)])
    with FaultServer(delay_s=0.05) as server:
        yaml = f'models: [lab/m]\nendpoints: {{lab: {{base_url: "{server.url}"}}}}\nlimits: {{timeout_s: 60, max_in_flight: 8}}\n'
        experiment = experiment_file(tmp_path, yaml)
        command = [sys.executable, "-c", CHILD, str(experiment.path), "1", str(Path(__file__).parent)]
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while len(server.bodies) < 20 and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        time.sleep(0.2)
        first = len(server.bodies)
        path = shard_path(main_path(experiment, "lab/m", "direct"), (1, 2))
        assert Path(f"{path}-wal").exists(), "the killed writer left its journal"
        merge_pending(experiment)
        saved = cost_table(experiment)["attempts"].sum()
        assert first - 4 - 1 <= saved <= first, "at most its half of the requests in flight is lost"
        for place in (1, 2):
            ask(experiment, problems, shard=(place, 2))
        counts = collections.Counter(server.bodies)
        assert len(counts) == 121 and server.most_in_flight <= 4
        assert sum(counts.values()) - 121 <= 4 + 1, "those in flight, and the probe of the second shard"
    assert load_responses(experiment, problems=problems)["outcome"].eq("ok").all()


def test_the_limits_hold_for_all_shards_together(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_KEY", "key")
    problems = problems_table([f"p{n}" for n in range(30)])
    with FaultServer() as server:
        yaml = (
            f'models: [lab/a, lab/b]\nendpoints: {{lab: {{base_url: "{server.url}", api_key_env: LAB_KEY, price: {{prompt: 1, completion: 1}}}}}}\n'
            "limits: {max_usd: 0.04, max_in_flight: 4, timeout_s: 60}\n"
        )
        experiment = experiment_file(tmp_path, yaml)  # each answer costs 0.001, as the server says
        spent = []
        for place in (1, 2):
            ask(experiment, problems, shard=(place, 2))
            folder = experiment.data_dir / "responses"
            spent.append(sum(Store(path).totals()["usd"] for path in folder.glob(f"*shard-{place}-of-2.sqlite")))
        most_in_flight = 2 + 2  # what was in flight when the part was spent: at most its half of the limit, for each model
        assert all(0.02 <= usd <= 0.02 + 0.001 * most_in_flight + 1e-9 for usd in spent), spent
        merge(experiment)
        asked = len(server.bodies)
        for place in (1, 2):
            ask(experiment, problems, shard=(place, 2))
        assert len(server.bodies) == asked, "the budget is spent, also after the merge"


def test_merge_on_the_command_line(tmp_path, capsys):
    experiment = experiment_file(tmp_path, BASELINES)
    assert main(["merge", str(experiment.path)]) == 0
    assert "nothing to merge" in capsys.readouterr().out
    for place in (1, 2):
        ask(experiment, shard=(place, 2))
    away = tmp_path / "away"
    away.mkdir()
    for path in (experiment.data_dir / "responses").glob("*.sqlite"):
        path.rename(away / path.name)
    assert main(["merge", str(experiment.path), *map(str, sorted(away.iterdir()))]) == 0
    told = capsys.readouterr().out
    assert "duplicates" in told and told.count("baseline/gold") == 2
    assert load_responses(experiment, problems=PROBLEMS)["outcome"].eq("ok").all()
