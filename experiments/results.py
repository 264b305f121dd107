"""Keeps what an experiment found: a dated page in Markdown, beside it the rows as CSV and the plots as SVG."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import bench_parts  # noqa: F401
from run import surroundings

RESULTS = Path(__file__).resolve().parent / "results"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every experiment has."""
    parser.add_argument("--note", default="", metavar="TEXT", help="a sentence to keep with the result")
    parser.add_argument("--no-file", action="store_true", help="only print")


def file_name(experiment: str, ending: str) -> str:
    """`2026-01-31-e2.csv`; with `-flex.svg` as the ending, `2026-01-31-e3-flex.svg`."""
    return f"{datetime.date.today().isoformat()}-{experiment}{ending}"


def head(title: str, note: str = "") -> Iterator[str]:
    """The first lines of a page."""
    yield f"# {title}, {datetime.date.today().isoformat()}"
    yield ""
    yield from surroundings()
    if note:
        yield f"- {note}"
    yield ""


def keep(
    experiment: str, page: Iterable[str], further: Mapping[str, str], wanted: argparse.Namespace, folder: Path = RESULTS
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
