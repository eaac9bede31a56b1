"""The report: executed notebooks as pages that load nothing from outside, and the index of a study."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import RunError
from geoutils.files import write_bytes, write_text
from geoutils.mathml import Formulas

if TYPE_CHECKING:
    from jinja2 import Environment
    from nbformat import NotebookNode

    from geoutils.stages import Stage

SHOWN = ("image/png", "text/html", "text/markdown", "text/latex", "text/plain")  # in order of preference
QUESTION_UNKNOWN = "A notebook of this study"
SCRIPTS = ("page.js",)
LARGE = 1_500_000  # bytes of a page; a larger one has its images as files


@cache
def _asset(name: str) -> str:
    return files("geoutils").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates of our own pages; everything put into them is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from geoutils import display

    made = Environment(
        loader=PackageLoader("geoutils", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(number=display.number, percent=display.percent, visible=display.visible)
    return made


def page_head(*scripts: str) -> str:
    """Style, script and a policy that lets a page load nothing but its own images and run nothing but its scripts."""
    digests = (hashlib.sha256(_asset(name).encode()).digest() for name in scripts or SCRIPTS)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    policy = (
        "default-src 'none'; img-src 'self' data: file:; style-src 'unsafe-inline'; "
        f"script-src {allowed}; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n'
        f"<style>\n{_asset('page.css')}</style>\n"
    )


def page_script(*scripts: str) -> str:
    """The scripts of a page (the one that sorts tables unless told otherwise), to stand at its end."""
    return "\n".join(f"<script>{_asset(name)}</script>" for name in scripts or SCRIPTS)


def _shown_output(output: NotebookNode) -> NotebookNode | None:
    """An output with one kind of content that needs no script; None for a widget or nothing to show."""
    data = output.get("data")
    if data is None:
        return output
    if "application/vnd.jupyter.widget-view+json" in data:
        return None
    kind = next((kind for kind in SHOWN if kind in data), None)
    if kind is None:
        return None
    if kind == "text/latex":  # mathematics, which Markdown shows as well
        data["text/markdown"] = data["text/latex"]
        kind = "text/markdown"
    alternative = data.get("text/plain") if kind == "image/png" else None
    output["data"] = type(data)({kind: data[kind], **({"text/plain": alternative} if alternative else {})})
    return output


def _for_pages(text: str) -> str:
    """Markdown with its links to notebooks made links to pages, and paths taken one folder deeper."""
    text = re.sub(r"(\]\((?:\./)?)(\d\d_\w+)\.ipynb((?:#[^)\s]*)?\))", r"\1\2.html\3", text)
    return re.sub(r"(\]\()\.\./", r"\1../../", text)


def prepare(notebook: NotebookNode, formulas: Formulas) -> NotebookNode:
    """An executed notebook as its page shows it: no widgets, no cells tagged `explore`, formulas as tokens."""
    kept = []
    for cell in notebook.cells:
        if "explore" in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "markdown":
            cell["source"] = formulas.take_out(_for_pages(cell.source))
            cell.pop("attachments", None)
        elif cell.cell_type == "code":
            outputs = (_shown_output(output) for output in cell.outputs)
            cell["outputs"] = [output for output in outputs if output is not None]
            for output in cell.outputs:
                if "text/markdown" in output.get("data", {}):
                    output["data"]["text/markdown"] = formulas.take_out(_for_pages(output["data"]["text/markdown"]))
        kept.append(cell)
    notebook["cells"] = kept
    notebook.metadata.pop("widgets", None)
    return notebook


def question_of(notebook: NotebookNode) -> tuple[str, str]:
    """The question a notebook answers (its first heading) and its first paragraph, as plain text."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.lstrip().startswith("# "):
            heading, _, rest = cell.source.lstrip()[2:].partition("\n")
            paragraph = next((part for part in re.split(r"\n\s*\n", rest) if part.strip()), "")
            return _plain(heading), _plain(paragraph)
    return QUESTION_UNKNOWN, ""


def _plain(markdown: str) -> str:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return " ".join(re.sub(r"[*`$\\]|(?<!\w)_|_(?!\w)", "", text).split())


def read_notebook(path: Path) -> NotebookNode:
    """A notebook in the current format."""
    import nbformat

    return nbformat.read(path, as_version=4)


def export_notebook(source: Path, target: Path, *, stage: Stage) -> Path:
    """Write an executed notebook as an HTML page that opens from the file system without a network."""
    from nbconvert import HTMLExporter

    from geoutils.stages import find_stages

    formulas = Formulas()
    notebook = read_notebook(source)
    question, _ = question_of(notebook)
    notebook = prepare(notebook, formulas)
    stems = sorted(item.stem for item in find_stages(stage.notebook.parent))
    place = stems.index(stage.stem)
    around = {
        "before": stems[place - 1] if place > 0 else "",
        "after": stems[place + 1] if place + 1 < len(stems) else "",
    }
    frame = environment().get_template("frame.html.j2").module
    exporter = HTMLExporter(
        template_name="notebook",
        extra_template_basedirs=[str(files("geoutils").joinpath("templates"))],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )
    notebook.metadata["title"] = question
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": stage.stem}})
    around_it = {
        "head": page_head(),
        "header": str(frame.header(stage.stem, around)),
        "footer": str(frame.footer()) + page_script(),
    }
    for name, content in around_it.items():  # put in last, so that the script stays as the policy's hash has it
        page = page.replace(f"<!-- geoutils:{name} -->", content, 1)
    return write_text(target, lighter(without_outside(formulas.put_in(page), source), target))


_IMAGE = re.compile(r'(<img\b[^>]*?\bsrc=)"data:image/png;base64,([A-Za-z0-9+/=]+)"')


def lighter(page: str, target: Path) -> str:
    """A page that would be large, with its images as files: those of figures/ where they are the same, else in media/."""
    if len(page.encode("utf-8", "replace")) <= LARGE:
        return page
    known = {path.read_bytes(): f"figures/{path.name}" for path in sorted((target.parent / "figures").glob("*.png"))}

    def linked(match: re.Match[str]) -> str:
        content = base64.b64decode(match[2])
        if content not in known:
            known[content] = f"media/{target.stem}_{len(known)}.png"
            write_bytes(target.parent / known[content], content)
        return f'{match[1]}"{known[content]}"'

    return _IMAGE.sub(linked, page)


_OUTSIDE = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|embed|object)\b[^>]*?"
    r"\b(?:src|href|data)\s*=\s*[\"']?\s*(?:https?:)?//[^\"'\s>]*",
    re.IGNORECASE,
)


def without_outside(page: str, source: Path) -> str:
    """The page, or RunError when it would load something from outside."""
    match = _OUTSIDE.search(page)
    if match:
        raise RunError(f"{source.name}: its page would load {match[0][:120]!r}; reports must work without a network")
    return page


def png_description(path: Path) -> str:
    """The alt text that `Study.save_figure` keeps in a PNG, "" if there is none."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            return str(image.info.get("Description", ""))
    except OSError:
        return ""


def write_index(experiment: Any, results: dict[str, Any], stages: Iterable[Stage], folder: Path) -> Path:
    """Write index.html: what was asked, the answer in words, a figure, the models, and links to each stage."""
    from geoutils.index import index_context

    context = index_context(experiment, results, stages, folder)
    section = comparisons_section(experiment.name, context["comparisons"])
    page = environment().get_template("index.html.j2").render(
        head=page_head(), script=page_script(), comparisons_section=section, **context
    )
    return write_text(folder / "index.html", page)


def comparisons_section(name: str, comparisons: list[dict[str, str]]) -> str:
    """The part of an index page that links to the comparisons with other runs."""
    return environment().get_template("comparisons.html.j2").render(name=name, comparisons=comparisons)


def link_comparisons(folder: Path) -> None:
    """Renew that part of a finished report, after a comparison was made; a report without it stays as it is."""
    from geoutils.index import comparisons_of

    path = folder / "index.html"
    if not path.is_file():
        return
    page = path.read_text(encoding="utf-8")
    before, start, rest = page.partition("<!-- geoutils:comparisons -->")
    _, end, after = rest.partition("<!-- /geoutils:comparisons -->")
    if start and end:
        write_text(path, before + comparisons_section(folder.name, comparisons_of(folder, folder.name)) + after)
