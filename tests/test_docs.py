"""What README and docs tell a reader to type: run in a small copy of the project, or marked in the text and checked.

A block of commands (```sh, ```python) is run as it stands, after those before it, document by document. A block after an invisible
marker `<!-- not run: WHY -->` is not run, for a reason of `REASONS`; each of its commands must still be one that the
parser accepts, a target of the Makefile or a module or file that exists. A block after `<!-- file: PATH -->` becomes that file.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from geoutils.cli import build_parser

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README.md", "docs/guide.md"]
DOCUMENTS += sorted(
    p.relative_to(ROOT).as_posix()
    for p in (ROOT / "docs").glob("*.md")
    if p.name not in ("guide.md", "data-dictionary.md")
)
REASONS = {"network", "key", "cluster", "server", "install", "long", "recursion", "repository", "placeholder"}
PROGRAMS = {
    "bash",
    "cd",
    "conda",
    "cp",
    "export",
    "git",
    "llama-server",
    "ls",
    "mkdir",
    "ollama",
    "pip",
    "sbatch",
    "snakemake",
    "source",
    "squeue",
    "srun",
    "vllm",
}
QUICKSTART = """\
name: quickstart
problems: {limit_per_category: 1}
models: [baseline/last-number, baseline/gold]
judge: {calibration: 0}
parts:
  - strategies: [direct]
  - {strategies: [direct], variants: 2}
"""


@dataclass(frozen=True)
class Block:
    """One fenced block of a document, with its language and the marker before it."""

    document: str
    line: int
    language: str
    text: str
    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def blocks(document: str) -> list[Block]:
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    found, start, marker, language = [], 0, "", ""
    for number, line in enumerate(lines, start=1):
        fence = re.match(r"```(\w*)$", line)
        if start and line == "```":
            file = re.match(r"<!-- file: (\S+) -->$", marker)
            reason = re.match(r"<!-- not run: ([\w ]+) -->$", marker)
            assert not marker or file or reason, f"{document}:{start}: unknown marker {marker}"
            text = "\n".join(lines[start : number - 1]) + "\n"
            found.append(Block(document, start, language, text, file[1] if file else "", reason[1] if reason else ""))
            start, marker = 0, ""
        elif not start and fence:
            start, language = number, fence[1]
        elif not start and line.strip():
            marker = line if line.startswith("<!-- ") and ("file:" in line or "not run:" in line) else ""
    return found


ALL = [block for document in DOCUMENTS for block in blocks(document)]
COMMANDS = [block for block in ALL if block.language in ("sh", "console", "bash", "python")]


def commands(text: str) -> list[list[str]]:
    """The words of each command of a block, without the prompt, assignments before it and what is after a pipe."""
    out = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        while words and re.match(r"[A-Z_]+=", words[0]):
            words = words[1:]
        words = words[: next((i for i, word in enumerate(words) if word in ("|", ">", "&&", "<", "&")), len(words))]
        if words:
            out.append(words)
    return out


def check(words: list[str], where: str) -> None:
    """A command that is not run: the parser, the Makefile or the files of the project must know it."""
    program, rest = words[0].removeprefix(".venv/bin/"), words[1:]
    if program == "geoutils":
        try:
            build_parser().parse_args(rest)
        except SystemExit as error:
            assert error.code == 0, f"{where}: geoutils refuses {shlex.join(rest)}"
    elif program == "make":
        targets = [word for word in rest if "=" not in word and not word.startswith("-")]
        known = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)) | {"setup"}
        assert set(targets) <= known, f"{where}: no such target in {shlex.join(words)}"
    elif program in ("python", "python3", "py"):
        rest = [word for word in rest if word != "-3"]
        if rest[0] == "-m":
            assert rest[1] in ("venv", "pip") or importlib.util.find_spec(rest[1]), f"{where}: no module {rest[1]}"
        else:
            assert (ROOT / rest[0]).is_file(), f"{where}: no file {rest[0]}"
    else:
        assert program in PROGRAMS or importlib.util.find_spec(program), f"{where}: unknown program {program}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project as a new user has it, with few problems and a small quickstart."""
    home = tmp_path_factory.mktemp("docs") / "geoutils"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("geoutils", "notebooks", "benchmarks", "docs"):
        shutil.copytree(ROOT / name, home / name, ignore=ignored)
    for name in ("data/prompts", "data/experiments"):
        shutil.copytree(ROOT / name, home / name)
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "README.md"):
        shutil.copy(ROOT / name, home / name)
    (home / "data" / "experiments" / "quickstart.yaml").write_text(QUICKSTART)
    (home / "data" / "problems").mkdir()
    shutil.copy(ROOT / "data" / "problems" / "concepts.yaml", home / "data" / "problems")
    for name in ("length", "area", "angle", "ratio"):
        records = yaml.safe_load((ROOT / "data" / "problems" / f"{name}.yaml").read_text(encoding="utf-8"))
        (home / "data" / "problems" / f"{name}.yaml").write_text(
            yaml.safe_dump(records[:1], sort_keys=False, allow_unicode=True), encoding="utf-8"
        )
    (home / ".venv").mkdir()
    (home / ".venv" / "bin").symlink_to(Path(sys.prefix) / "bin")
    (home / ".venv" / "installed").touch()
    yield home


def run(text: str, project: Path, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GEOUTILS_", "OPENROUTER_", "PYTEST_", "COV_"))
    }
    environment |= {
        "PYTHONPATH": str(project),
        "PATH": f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}",
        "MPLBACKEND": "agg",
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) > 12
    assert sum(not block.reason for block in COMMANDS) > 8
    assert {block.reason for block in COMMANDS if block.reason} <= REASONS


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_says_to_type_works(document: str, project: Path) -> None:
    for block in (block for block in ALL if block.document == document):
        if block.file:
            path = project / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python" and block.reason:
            compile(block.text, str(block), "exec")
        elif block.language == "python":
            done = run(f"python - <<'END'\n{block.text}END\n", project)
            assert done.returncode == 0, f"{block}: {block.text}\n{done.stderr[-1500:]}"
        elif block in COMMANDS and block.reason:
            for words in commands(block.text):
                check(words, str(block))
        elif block in COMMANDS:
            done = run(block.text, project)
            assert done.returncode == 0, f"{block}: {block.text}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_in_running_text_are_accepted(document: str) -> None:
    """`geoutils ...`, `make ...` and `python -m ...` in a line of text or a table."""
    text = re.sub(r"^```.*?^```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`((?:\.venv/bin/)?(?:geoutils|make|python3?) [^`]+)`", text):
        words = shlex.split(code.replace("...", ""), comments=True)
        if words[0].endswith("geoutils") and len(words) == 2 and words[1] in ("export", "import", "merge", "run"):
            continue  # the name of a command, not a command
        check(words, f"{document}: {code}")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_yaml_blocks_are_yaml_and_experiments_are_read(document: str) -> None:
    from geoutils.experiment import experiment_from_dict

    for block in (block for block in ALL if block.document == document and block.language == "yaml"):
        given = yaml.safe_load(block.text)
        if isinstance(given, dict) and "name" in given:
            experiment_from_dict(given, where=str(block))


@pytest.mark.parametrize("document", [*DOCUMENTS, "docs/data-dictionary.md"])
def test_links_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    anchors: dict[str, set[str]] = {}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        path = ((ROOT / document).parent / name).resolve() if name else ROOT / document
        assert path.exists(), f"{document}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            anchors.setdefault(str(path), {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings})
            assert anchor in anchors[str(path)], f"{document}: no heading for {target}"


def test_every_document_is_linked_from_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in DOCUMENTS[1:] if f"({name})" not in text] == []


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_each_notebook_names_its_source(path: Path) -> None:
    first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert re.search(r"^\*Sources?\* \S", first, re.MULTILINE)


def test_the_citation_fits_the_package() -> None:
    from geoutils import __version__

    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license", "type", "references"} <= set(cited)
    for reference in cited["references"]:
        assert {"type", "title", "authors"} <= set(reference)


def test_the_messages_of_the_troubleshooting_page_are_those_of_the_code() -> None:
    code = " ".join((ROOT / "Makefile").read_text(encoding="utf-8").split())
    code += " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "geoutils").rglob("*.py")))
    quoted = re.findall(
        r"^\| `([a-zA-Z][^`]* [^`]*)` \|",
        (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(quoted) > 12
    for message in quoted:
        if not message.startswith("make:"):
            for part in message.split("..."):
                assert part.strip() in code, message


def test_the_guide_names_every_command() -> None:
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    groups = next(action for action in build_parser()._actions if action.choices and "run" in action.choices)
    assert [name for name in groups.choices if f"geoutils {name}" not in text] == []
