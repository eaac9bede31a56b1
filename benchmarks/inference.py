"""Speed, memory and cost of the inference stage, beside its peers.

    python benchmarks/inference.py client      requests/s and CPU against a stub that answers in 50 ms
    python benchmarks/inference.py peers       the same for inspect_ai and lm-eval, in environments of their own
    python benchmarks/inference.py memory      1,000,000 stored responses: memory and resume scan (some minutes)
    python benchmarks/inference.py embedded    the embedded server with 1, 2, 4 and 8 slots

Peers are installed with `uv venv` into a temporary folder, or into the one named by PEERS_DIR.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve()
STUB = """
import asyncio, time
from aiohttp import web
times = []
BODY = b'{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"42"}}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}'
async def answer(request):
    times.append(time.perf_counter())
    await request.read()
    await asyncio.sleep(0.05)
    return web.Response(body=BODY, content_type="application/json")
async def rate(request):
    found = sorted(times)
    times.clear()
    return web.json_response((len(found) - 1) / (found[-1] - found[0]))
async def main():
    application = web.Application()
    application.router.add_get("/rate", rate)
    application.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
INSPECT = """
import sys, time, resource
url, in_flight, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate
from inspect_ai.scorer import exact
samples = [Sample(input=f"What is {n}?" + " geometry" * 40, target="42") for n in range(count)]
started = time.perf_counter()
log = eval(Task(MemoryDataset(samples), solver=generate(), scorer=exact()), model="openai-api/stub/m", model_base_url=url,
           model_args={"api_key": "k"}, max_connections=in_flight, max_samples=in_flight, display="none", log_dir=sys.argv[4])[0]
assert log.status == "success", log.error
"""
LM_EVAL_TASK = """
task: stub
dataset_path: json
dataset_kwargs: {data_files: DATA}
test_split: train
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["###"], max_gen_toks: 16}
metric_list: [{metric: exact_match}]
"""


@contextmanager
def stub() -> Iterator[str]:
    """The address of a stub that answers every prompt after 50 ms."""
    with subprocess.Popen([sys.executable, "-c", STUB], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.kill()


def seen_rate(url: str) -> float:
    """Requests/s as the stub saw them since the last call: without anyone's start-up."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/rate") as response:
        return json.load(response)


def problems_table(count: int, variants: int = 1):
    """A problems table with `count` problems in three representations."""
    import pandas as pd

    return pd.DataFrame([
        {"problem": f"length_easy_{n:05d}", "category": "length", "difficulty": "easy", "variant": v, "representation": r,
         "statement": f"What is {n}, {v}, {r}?" + " geometry" * 40, "answer": "42", "value": "42.000", "unit": ""}
        for n in range(count) for v in range(variants) for r in ("coord", "euclid", "vector")
    ])  # fmt: skip


def experiment_of(folder: Path, url: str, in_flight: int, more: str = ""):
    """An experiment that asks the stub."""
    from geoutils.experiment import load_experiment

    path = folder / "bench.yaml"
    path.write_text(
        f'name: bench\nmodels: [stub/m]\nendpoints: {{stub: {{base_url: "{url}"}}}}\n'
        f"limits: {{max_in_flight: {in_flight}, timeout_s: 60}}\n{more}", encoding="utf-8",
    )
    return load_experiment(path)


def run_child(*arguments: str, **environment: str) -> dict:
    """This script with a hidden command in a process of its own; its last line is JSON."""
    done = subprocess.run(
        [sys.executable, str(HERE), *arguments], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return json.loads(done.stdout.strip().splitlines()[-1])


def _client(url: str, in_flight: int, count: int) -> None:
    """The whole stage, with plan, response file and all: what a user runs."""
    folder = Path(os.environ["GEOUTILS_HOME"])
    from geoutils.inference import run_inference

    experiment, problems = experiment_of(folder, url, in_flight), problems_table(count // 3)
    run_inference(experiment_of(folder, url, in_flight, "strategies: [convert]"), problems_table(1), progress="none")
    started, cpu = time.perf_counter(), time.process_time()
    summary = run_inference(experiment, problems, progress="none")
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    assert summary["ok"].sum() == count
    print(json.dumps({"requests_per_s": count / seconds, "cpu_ms": 1000 * cpu / count, "mb": peak_mb()}))


def peak_mb() -> float:
    """The largest resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def client(count: int) -> None:
    """geoutils against the stub."""
    with stub() as url:
        for in_flight in (64, 256):
            with tempfile.TemporaryDirectory() as folder:
                found = run_child("_client", url, str(in_flight), str(count), GEOUTILS_HOME=folder)
            print(f"geoutils          {in_flight:4d} in flight: {found['requests_per_s']:6.0f} requests/s, "
                  f"{found['cpu_ms']:.2f} ms CPU a request, {found['mb']:.0f} MB")  # fmt: skip


def peers(count: int) -> None:
    """inspect_ai and lm-eval against the same stub, each with a start-up that is counted apart."""
    home = Path(os.environ.get("PEERS_DIR") or tempfile.mkdtemp())
    wanted = {"inspect": ["inspect_ai==0.3.285", "openai"], "lmeval": ["lm-eval[api]==0.4.13"]}
    for name, packages in wanted.items():
        python = home / name / "bin" / "python"
        if not python.exists():
            subprocess.run(["uv", "venv", "-q", "--python", sys.executable, str(home / name)], check=True)
            subprocess.run(["uv", "pip", "install", "-q", "--python", str(python), *packages], check=True)
    with stub() as url, tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.jsonl"
        for in_flight in (64, 256):
            for name in wanted:
                cpu, rate, start = [], 0.0, 0.0
                for size in (60, count):  # the difference leaves the start-up out of the CPU time
                    rows = [{"question": f"What is {n}?" + " geometry" * 40, "answer": "42"} for n in range(size)]
                    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
                    spent = _peer(name, home / name / "bin" / "python", url, in_flight, size, Path(folder), data)
                    cpu.append(spent[1])
                    rate, start = seen_rate(url), start or spent[0]
                print(f"{name:10s}        {in_flight:4d} in flight: {rate:6.0f} requests/s, "
                      f"{1000 * (cpu[1] - cpu[0]) / (count - 60):.2f} ms CPU a request, {start:.1f} s for 60 requests")  # fmt: skip


def _peer(name: str, python: Path, url: str, in_flight: int, size: int, folder: Path, data: Path) -> tuple[float, float]:
    environment = {**os.environ, "STUB_API_KEY": "k", "STUB_BASE_URL": url, "OPENAI_API_KEY": "k", "HF_HUB_OFFLINE": "1"}
    if name == "inspect":
        command = [str(python), "-c", INSPECT, url, str(in_flight), str(size), str(folder / "log")]
    else:
        (folder / "stub.yaml").write_text(LM_EVAL_TASK.replace("DATA", str(data)), encoding="utf-8")
        model = f"model=m,base_url={url}/chat/completions,num_concurrent={in_flight},max_retries=1,tokenized_requests=False"
        command = [
            str(python), "-m", "lm_eval", "--model", "local-chat-completions", "--model_args", model, "--tasks", "stub",
            "--include_path", str(folder), "--apply_chat_template", "--batch_size", "1",
        ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _memory(count: int) -> None:
    """Store `count` responses of 1 kB, then scan the whole plan for what is open, twice."""
    import datetime

    from geoutils.inference import run_inference
    from geoutils.outcomes import Result
    from geoutils.responses import planned
    from geoutils.store import Key, Store, store_path

    folder = Path(os.environ["GEOUTILS_HOME"])
    problems = problems_table(160, 11)
    repeats = -(-count // len(problems))
    experiment = experiment_of(folder, "http://127.0.0.1:9/v1", 64, f"variants: 11\nrepeats: {repeats}")
    now = datetime.datetime.now(datetime.UTC).isoformat()
    received = b'{"choices": [{"message": {"content": "' + b"x" * 900 + b'"}}]}'
    started = time.perf_counter()
    result = Result("ok", "done", content="x" * 1000, finish_reason="stop", cost_usd=0.0, received=received)
    about = {"started": now, "latency_s": 0.1}
    with Store(store_path(experiment, "stub/m", "direct"), write=True, model="stub/m", strategy="direct") as store:
        rows = []
        for cell, request in planned(experiment, problems, "stub/m", "direct"):
            key = Key(cell.problem, cell.category, cell.variant, cell.representation, cell.repeat)
            rows.append((request.key(cell.repeat), key, request, result, about))
            if len(rows) == 1000:
                store.append_all(rows)
                rows = []
        store.append_all(rows)
    stored = time.perf_counter() - started
    started = time.perf_counter()
    summary = run_inference(experiment, problems, progress="none")
    assert summary["asked"].sum() == 0 and summary["ok"].sum() == len(problems) * repeats
    print(json.dumps({"responses": len(problems) * repeats, "store_s": stored, "resume_s": time.perf_counter() - started, "mb": peak_mb()}))


def memory(count: int) -> None:
    """Memory and resume scan over a large response file."""
    with tempfile.TemporaryDirectory() as folder:
        found = run_child("_memory", str(count), GEOUTILS_HOME=folder)
    print(f"{found['responses']:,} responses of 1 kB: stored in {found['store_s']:.0f} s, resume scan {found['resume_s']:.1f} s, "
          f"at most {found['mb']:.0f} MB")  # fmt: skip


def embedded(count: int) -> None:
    """Requests/s of the embedded server by slots, with the direct prompt."""
    from geoutils import inference, local_server, runs
    from geoutils.experiment import load_experiment

    for slots in (1, 2, 4, 8):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["GEOUTILS_HOME"] = folder
            path = Path(folder) / "bench.yaml"
            path.write_text("name: bench\nsampling: {max_tokens: 64}\n", encoding="utf-8")
            runs.SLOTS = slots
            local_server.LocalServer.__init__.__defaults__ = (slots,)
            started = time.perf_counter()
            problems = problems_table(-(-count // 3))
            problems["statement"] = problems["statement"].str.replace(" geometry", "", n=36)
            summary = inference.run_inference(load_experiment(path), problems, progress="none")
            seconds = time.perf_counter() - started
            print(f"embedded, {slots} slots: {summary['planned'].sum() / seconds:.2f} requests/s "
                  f"({summary['truncated'].sum()} of {summary['planned'].sum()} cut)")  # fmt: skip


def pace(count: int) -> None:
    """Rate and share of 429 against a token bucket of 100 requests/s (limits: at least 90 %, at most 5 %)."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from fault_server import FaultServer

    from geoutils.inference import run_inference

    with tempfile.TemporaryDirectory() as folder, FaultServer(delay_s=0.05, bucket=(100, 100)) as server:
        os.environ["GEOUTILS_HOME"] = folder
        experiment = experiment_of(Path(folder), server.url, 64, "")
        summary = run_inference(experiment, problems_table(-(-count // 3)), progress="none")
        seconds = server.times[-1] - server.times[0]
    asked = sum(server.codes.values())
    print(f"token bucket of 100/s: {summary['ok'].sum() / seconds:.0f} requests/s, {server.codes[429] / asked:.1%} of {asked} answered 429")


def main() -> None:
    """Choose a benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["client", "pace", "peers", "memory", "embedded"])
    parser.add_argument("--count", type=int, default=0, help="requests, or stored responses")
    if sys.argv[1:2] == ["_client"]:
        _client(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    if sys.argv[1:2] == ["_memory"]:
        _memory(int(sys.argv[2]))
        return
    given = parser.parse_args()
    defaults = {"client": 6000, "pace": 1500, "peers": 1500, "memory": 1_000_000, "embedded": 48}
    globals()[given.what](given.count or defaults[given.what])


if __name__ == "__main__":
    main()
