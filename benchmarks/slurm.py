"""A real SLURM on one machine: an experiment in shards through Snakemake's SLURM executor, and as an array job.

    python benchmarks/slurm.py                  graph with a job killed half-way, then the array template (some minutes)
    python benchmarks/slurm.py --until report   the same, with all pages and the report through SLURM as well

Needs root and, on Debian, the packages slurm-wlm and munge; it installs nothing. The cluster has one node on
loopback, lives in a temporary folder, and is gone afterwards. What it shows: the scores of a stub model are the
same bytes as those of a run on one machine, the embedded model has the same plan and every outcome, and no request
was sent twice but those that were in flight when the job was killed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = {"munged": "munge", "slurmctld": "slurm-wlm", "slurmd": "slurm-wlm", "sbatch": "slurm-wlm", "scontrol": "slurm-wlm"}
SHARDS = 4
STUB = """
import asyncio, hashlib, json, sys
from aiohttp import web
seen, flying = {}, {"now": 0}
async def answer(request):
    body = await request.read()
    name = hashlib.sha256(body).hexdigest()
    seen[name] = seen.get(name, 0) + 1
    flying["now"] += 1
    try:
        await asyncio.sleep(float(sys.argv[1]))
    finally:
        flying["now"] -= 1
    message = {"role": "assistant", "content": f"The answer is {int(name[:4], 16) % 40}."}
    usage = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}
    made = {"id": name[:12], "object": "chat.completion", "created": 1, "model": "m", "usage": usage,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    return web.json_response(made)
async def counts(request):
    return web.json_response({"seen": seen, "flying": flying["now"]})
async def forget(request):
    seen.clear()
    return web.json_response({})
async def main():
    application = web.Application()
    application.router.add_post("/v1/chat/completions", answer)
    application.router.add_get("/counts", counts)
    application.router.add_get("/forget", forget)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(sys.argv[2]))
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
CONF = """
ClusterName=bench
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=5
MinJobAge=600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=64000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def say(text: str) -> None:
    """A line of the protocol, at once."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


def free_ports(count: int) -> list[int]:
    """Ports that nothing listens on."""
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def cluster(folder: Path, cpus: int = 12) -> Iterator[None]:
    """A SLURM cluster of one node, this machine; its programs end with the block."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = sorted({package for program, package in NEEDED.items() if shutil.which(program) is None})
    if missing:
        sys.exit(f"not installed: {' '.join(missing)}; on Debian: apt-get install --no-install-recommends {' '.join(missing)}")
    if os.geteuid() != 0:
        sys.exit("slurmd starts jobs for other users and needs root")
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir(mode=0o755)
    key = folder / "munge" / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    conf = folder / "slurm.conf"
    conf.write_text(CONF.format(host=socket.gethostname().partition(".")[0], folder=folder, cpus=cpus, ports=free_ports(2)), encoding="utf-8")
    os.environ["SLURM_CONF"] = str(conf)
    wrapped = folder / "bin" / "srun"  # Snakemake's job step takes SLURM_CONF out of the environment of its srun
    wrapped.parent.mkdir()
    wrapped.write_text(f"#!/bin/sh\nSLURM_CONF={conf} exec {shutil.which('srun')} \"$@\"\n", encoding="utf-8")
    wrapped.chmod(0o755)
    os.environ["PATH"] = f"{wrapped.parent}:{os.environ['PATH']}"
    munge = [f"--{name}={folder}/munge/{name.partition('-')[0]}" for name in ("key-file", "socket", "pid-file", "log-file", "seed-file")]
    commands = [["munged", "--foreground", "--force", *munge], ["slurmctld", "-D", "-c"], ["slurmd", "-D", "-c"]]
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            log = (folder / f"{command[0]}.out").open("wb")
            running.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True))
            time.sleep(1.0)
        deadline = time.monotonic() + 60
        while "idle" not in text_of("sinfo", "-h", "-o", "%t"):
            ended = next((one for one in running if one.poll() is not None), None)
            if ended is not None or time.monotonic() > deadline:
                sys.exit(f"the cluster did not come up: {text_of('tail', '-n', '3', *map(str, folder.glob('slurm*.*')))}")
            time.sleep(0.5)
        yield
    finally:
        subprocess.run(["scancel", "--user", "root", "--signal=KILL"], check=False, capture_output=True)
        for one in reversed(running):
            one.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(10)
            one.kill()


def text_of(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@contextlib.contextmanager
def stub(delay_s: float, port: int) -> Iterator[str]:
    """The address of a stub whose answers depend only on the request."""
    with subprocess.Popen([sys.executable, "-c", STUB, str(delay_s), str(port)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


def fetch(address: str) -> dict:
    """JSON from the stub."""
    with urllib.request.urlopen(address, timeout=30) as response:
        return json.load(response)


def write_experiment(folder: Path, url: str) -> Path:
    """A few problems, the stub asked five times each, the embedded model once."""
    import yaml

    problems = folder / "problems"
    problems.mkdir(exist_ok=True)
    for name in ("length_01_20", "area_01_20", "angle_01_20", "ratio_01_20"):
        records = yaml.safe_load((ROOT / "data" / "problems" / f"{name}.yaml").read_text(encoding="utf-8"))[:2]
        (problems / f"{name}.yaml").write_text(yaml.safe_dump(records, sort_keys=False, allow_unicode=True), encoding="utf-8")
    experiment = folder / "bench.yaml"
    experiment.write_text(
        f"name: bench\nproblems: {{source: {problems}}}\nmodels: [stub/m, local/smollm2-135m-instruct]\n"
        f'endpoints: {{stub: {{base_url: "{url}/v1"}}}}\nsampling: {{max_tokens: 24, seed: 1}}\n'
        "limits: {max_in_flight: 8, timeout_s: 120}\n"
        "parts:\n- {models: [stub/m], repeats: 5}\n- {models: [local/smollm2-135m-instruct]}\n", encoding="utf-8",
    )  # fmt: skip
    return experiment


def geoutils(*arguments: str, home: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """The command line with a home of its own."""
    command = [sys.executable, "-m", "geoutils", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "GEOUTILS_HOME": str(home)})
    if check and done.returncode:
        sys.exit(f"{' '.join(arguments)}:\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
    return done


def shard_bodies(experiment: Path, home: Path, total: int) -> dict[int, set[str]]:
    """The hashes of the request bodies of each shard of the stub."""
    code = (
        "import hashlib, json, sys\n"
        "from geoutils.experiment import load_experiment\n"
        "from geoutils.responses import planned, problems_of\n"
        "from geoutils.shards import shard_of\n"
        "experiment = load_experiment(sys.argv[1])\n"
        "found = {}\n"
        "for cell, request in planned(experiment, problems_of(experiment), 'stub/m', 'direct'):\n"
        f"    found.setdefault(shard_of(request.key(cell.repeat), {total}), []).append(hashlib.sha256(request.body()).hexdigest())\n"
        "print(json.dumps(found))\n"
    )
    environment = {**os.environ, "GEOUTILS_HOME": str(home), "PYTHONPATH": str(ROOT)}
    made = subprocess.run([sys.executable, "-c", code, str(experiment)], capture_output=True, text=True, check=True, env=environment)
    return {int(place): set(bodies) for place, bodies in json.loads(made.stdout).items()}


def scores_of(home: Path, model: str) -> bytes:
    """The scores of a model."""
    return (home / "data" / "bench" / "scores" / f"exp1_{model}__direct.csv").read_bytes()


def outcomes_of(home: Path, model: str) -> list[tuple[str, ...]]:
    """Each planned cell of a model with its outcome."""
    import csv
    import io

    rows = csv.DictReader(io.StringIO(scores_of(home, model).decode()))
    names = ("problem", "variant", "representation", "repeat", "outcome")
    return [tuple(row[name] for name in names) for row in rows]


def compare(single: Path, other: Path) -> None:
    """Hold a run in shards against the one on one machine."""
    assert scores_of(single, "stub--m") == scores_of(other, "stub--m"), "the stub's scores differ"
    here, there = (outcomes_of(home, "local--smollm2-135m-instruct") for home in (single, other))
    assert [row[:-1] for row in here] == [row[:-1] for row in there], "the plans of the embedded model differ"
    assert not {"not_run", "api_error", "timeout", "malformed"} & {row[-1] for row in there}, "cells are missing"
    counts = {name: sum(row[-1] == name for row in there) for name in sorted({row[-1] for row in there})}
    say(f"  stub: {len(outcomes_of(other, 'stub--m'))} scores, the same bytes; embedded: {len(there)} cells, {counts}")


def graph_call(experiment: Path, until: str) -> list[str]:
    """`geoutils cluster` through SLURM, with waits that suit one machine and no second try of a killed job."""
    quick = "--slurm-init-seconds-before-status-checks 4 --restart-times 0 --default-resources mem_mb=1000 runtime=30"
    only = [] if until == "report" else ["--only", until]
    return [
        sys.executable, "-m", "geoutils", "cluster", str(experiment), "--shards", str(SHARDS), "--profile", "slurm", *only,
        f"--snakemake={quick}",
    ]  # fmt: skip


def jobs_of(part: int) -> list[str]:
    """The numbers of running SLURM jobs that ask a shard of the stub."""
    lines = [line.partition("|") for line in text_of("squeue", "-h", "-t", "R", "-o", "%A|%k").splitlines()]
    return [number for number, _, comment in lines if comment == f"rule_inference_wildcards_stub--m__direct_{part}_{SHARDS}"]


def run_graph(experiment: Path, home: Path, url: str, until: str) -> None:
    """Run the graph, cancel one job half-way, run again, and count what the stub was asked."""
    environment = {**os.environ, "GEOUTILS_HOME": str(home)}
    bodies = shard_bodies(experiment, home.parent / "single", SHARDS)
    victim = max(bodies, key=lambda place: len(bodies[place]))
    fetch(f"{url}/forget")
    log = (home.parent / "graph.log").open("wb")
    started = time.monotonic()
    process = subprocess.Popen(graph_call(experiment, until), env=environment, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    flying = None
    while process.poll() is None:
        time.sleep(0.1)
        if flying is not None:
            continue
        seen = fetch(f"{url}/counts")
        asked = len(bodies[victim] & seen["seen"].keys())
        if asked >= len(bodies[victim]) // 2:
            numbers, flying = jobs_of(victim), seen["flying"]
            subprocess.run(["scancel", "--signal=KILL", "--full", *numbers], check=True)
            say(f"  cancelled job {' '.join(numbers)}: shard {victim} of the stub had sent {asked} of {len(bodies[victim])}; {flying} in flight in all")
    say(f"  first call ended with {process.returncode} after {time.monotonic() - started:.0f} s")
    assert flying is not None and process.returncode != 0, f"no job was cancelled; see {log.name}"
    before = fetch(f"{url}/counts")["seen"]
    missing = set().union(*bodies.values()) - before.keys()
    started = time.monotonic()
    done = subprocess.run(graph_call(experiment, until), env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout[-3000:] + done.stderr[-5000:])
    seen = fetch(f"{url}/counts")["seen"]
    planned = set().union(*bodies.values())
    twice = sum(count - 1 for name, count in seen.items() if name in planned)
    say(f"  second call: {len(missing)} requests had never been sent, {sum(seen.values()) - sum(before.values())} were; {time.monotonic() - started:.0f} s")
    say(f"  in all {sum(seen.values())} requests for {len(planned)} cells; {twice} cell(s) asked twice, {flying} were in flight at the kill")
    assert planned <= seen.keys() and twice <= flying
    done = subprocess.run(graph_call(experiment, until), env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Nothing to be done" in done.stdout + done.stderr, done.stderr[-2000:]
    assert fetch(f"{url}/counts")["seen"] == seen
    say("  third call: nothing to be done")


def run_array(experiment: Path, home: Path) -> None:
    """The array template, then merge and run."""
    home.mkdir(exist_ok=True)
    shutil.copytree(home.parent / "single" / ".cache", home / ".cache", dirs_exist_ok=True)
    script = ROOT / "geoutils" / "templates" / "cluster" / "array.sbatch"
    environment = {**os.environ, "GEOUTILS_HOME": str(home), "GEOUTILS": str(Path(sys.executable).with_name("geoutils"))}
    command = ["sbatch", "--parsable", "--wait", f"--array=1-{SHARDS}", "--cpus-per-task=1", "--mem=1000", f"--chdir={home}", str(script)]
    done = subprocess.run([*command, str(experiment), str(SHARDS)], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr + "".join(path.read_text() for path in home.glob("*.log")))
    files = sorted(path.name for path in (home / "data" / "bench" / "responses").glob("*.shard-*.sqlite"))
    say(f"  array job {done.stdout.strip()} left {len(files)} response files")
    print(geoutils("merge", str(experiment), home=home).stdout)
    geoutils("run", str(experiment), "--only", "dataset,inference,parsing,scoring", home=home)


def main() -> None:
    """Set up, run, compare, clean up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = ("inference", "scoring", "report")
    parser.add_argument("--until", choices=stages, default="scoring", help="how far the graph goes through SLURM (default scoring)")
    parser.add_argument("--keep", metavar="DIR", help="work in this folder and keep it; the run on one machine is made there once")
    parser.add_argument("--only", choices=("single", "graph", "array"), default="", help="only one of the three")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the cluster ends too
    folder = Path(options.keep or tempfile.mkdtemp(prefix="geoutils-slurm-")).resolve()
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    shutil.rmtree(folder / "cluster", ignore_errors=True)
    (folder / "cluster").mkdir()
    try:
        known = folder / "port"  # the address is part of each request
        with stub(0.5, int(known.read_text()) if known.is_file() else 0) as url:
            known.write_text(url.rpartition(":")[2])
            experiment = write_experiment(folder, url)
            if not (folder / "single" / "data" / "bench" / "scores").is_dir():
                say("on one machine")
                geoutils("run", str(experiment), "--only", "dataset,inference,parsing,scoring", home=folder / "single")
            if options.only == "single":
                return
            with cluster(folder / "cluster"):
                say(f"SLURM is up: {text_of('sinfo', '-h', '-o', '%P %D node, %c CPUs, %t').strip()}, {text_of('sinfo', '--version').strip()}")
                if options.only != "array":
                    say(f"graph in {SHARDS} shards through Snakemake's SLURM executor")
                    shutil.copytree(folder / "single" / ".cache", folder / "graph" / ".cache", dirs_exist_ok=True)
                    run_graph(experiment, folder / "graph", url, options.until)
                    if options.until == "inference":
                        geoutils("run", str(experiment), "--only", "inference,parsing,scoring", home=folder / "graph")
                    compare(folder / "single", folder / "graph")
                if options.only != "graph":
                    say(f"array job of {SHARDS} tasks")
                    run_array(experiment, folder / "array")
                    compare(folder / "single", folder / "array")
        say("the results are those of one machine")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
