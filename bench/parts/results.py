"""Keeps what was measured: a dated page in Markdown, beside it the rows as CSV and the plots as SVG."""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tightrope import __version__
from tightrope.source.toolchain import find_compiler, find_gcc

ROOT = Path(__file__).resolve().parents[2]
BENCH, EXPERIMENTS = ROOT / "bench" / "results", ROOT / "experiments" / "results"
LIBRARIES = ("llvmlite", "bitwuzla", "ziglang")


def make_parser(description: str, repetitions: int) -> argparse.ArgumentParser:
    """With the options that every bench has."""
    parser = argparse.ArgumentParser(description=description)
    said = f"the best of N counts (default: {repetitions})"
    parser.add_argument("--repetitions", type=int, default=repetitions, metavar="N", help=said)
    add_options(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every bench and experiment has."""
    parser.add_argument("--note", default="", metavar="TEXT", help="a sentence to keep with the result")
    parser.add_argument("--no-file", action="store_true", help="only print")


def file_name(experiment: str, ending: str) -> str:
    """`2026-01-31-e2.csv`; with `-flex.svg` as the ending, `2026-01-31-e3-flex.svg`; without a name `2026-01-31.md`."""
    return "-".join(filter(None, [datetime.date.today().isoformat(), experiment])) + ending


def head(title: str, note: str = "") -> Iterator[str]:
    """The first lines of a page."""
    yield f"# {title}, {datetime.date.today().isoformat()}"
    yield ""
    yield from surroundings()
    if note:
        yield f"- {note}"
    yield ""


def surroundings() -> Iterator[str]:
    """What a number depends on, without telling whose machine it was."""
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    gcc = find_gcc()
    yield f"- Tightrope {__version__}, Python {platform.python_version()}, {libraries}; compiler: {find_compiler()}"
    judge = f"gcc {gcc.version} with gcov is there" if gcc else "no gcc"
    yield f"- {platform.system()} on {platform.machine()}, {os.cpu_count()} cores of {processor()}; {judge}"
    yield f"- `{command()}`, {commit()}"


def command() -> str:
    """What was called, without its note. The place of a folder on this machine tells nobody anything: `DIR` stands for
    it."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    module = spec.name.removesuffix(".__main__") if spec else Path(sys.argv[0]).stem
    words = iter(sys.argv[1:])
    kept = [word for word in words if word != "--note" or not next(words, "")]
    return shlex.join(["python", "-m", module, *(re.sub(r"(^|=)/.*", r"\1DIR", word) for word in kept)])


def commit() -> str:
    """Of this repository, and whether the files are still those."""
    try:
        name, changed = (
            subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
            for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        )
    except (OSError, subprocess.CalledProcessError):
        return "commit not known"
    return f"commit {name}{' with changes' if changed else ''}"


def processor() -> str:
    """As Linux calls it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or "an unknown processor"


def keep(
    experiment: str,
    page: Iterable[str],
    further: Mapping[str, str],
    wanted: argparse.Namespace,
    folder: Path = EXPERIMENTS,
) -> None:
    """Print the page as it comes; then write it, and the further files: ending -> text."""
    lines: list[str] = []
    for line in page:
        print(line, flush=True)
        lines.append(line)
    if wanted.no_file:
        return
    folder.mkdir(exist_ok=True)
    for ending, text in {".md": "\n".join(lines) + "\n", **further}.items():
        (folder / file_name(experiment, ending)).write_text(text, encoding="utf-8")
    write_index(folder)


def write_index(folder: Path) -> None:
    """README.md of a folder of results: its pages, the newest first, with the files beside them; then what each says in
    short."""
    (folder / "README.md").write_text(index(folder), encoding="utf-8")


def index(folder: Path) -> str:
    pages = sorted((page for page in folder.glob("*.md") if page.name != "README.md"), key=lambda page: page.name)
    rows = [[_link(page), _title(page), ", ".join(map(_link, _beside(page, pages)))] for page in reversed(pages)]
    said = "Each page says how it was measured. `keep` in bench/parts/results.py writes this list."
    lines = ["# Results", "", said, ""]
    lines += ["| page | title | beside it |", "| --- | --- | --- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    for page in reversed(pages):
        if said := _in_short(page):
            lines += ["", f"## {_title(page)}, {page.name[:10]}", "", said]
    return "\n".join(lines) + "\n"


def _in_short(page: Path) -> str:
    """Its section of that name, if it has one."""
    _, _, rest = page.read_text(encoding="utf-8").partition("\n## In short\n")
    return rest.partition("\n## ")[0].strip()


def _link(file: Path) -> str:
    return f"[{file.name}]({file.name})"


def _title(page: Path) -> str:
    first = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return first.removesuffix(f", {page.name[:10]}")


def _beside(page: Path, pages: Sequence[Path]) -> list[Path]:
    """Files that begin with the page's name, unless the name of another page fits them better."""

    def owner(file: Path) -> str:
        return max((each.stem for each in pages if file.stem.startswith(each.stem)), key=len, default="")

    files = (file for file in sorted(page.parent.iterdir()) if file.suffix in (".csv", ".svg"))
    return [file for file in files if owner(file) == page.stem]
