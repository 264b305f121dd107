"""Measures the encoding of the whole unit, and both engines together. Asserts nothing.

    python -m bench.encoding growth    [--repetitions N]                   a state machine of 6 to 80 steps
    python -m bench.encoding prototype [--repetitions N] [--prototype FILE] [--programs DIR]
    python -m bench.encoding real      [--time-limit SECONDS] [--folder DIR] [--part N/M]
    python -m bench.encoding programs  [--time-limit SECONDS] [--folder DIR]

Each prints Markdown and keeps it as bench/results/DATE-encoding-PART.md. bench/README.md says more.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from experiments.studies import USUAL

from bench.encoding import growth as growth_part
from bench.encoding import programs as programs_part
from bench.encoding import prototype as prototype_part
from bench.encoding import real as real_part
from bench.encoding import verdicts
from bench.encoding.rows import Row, answer_all
from bench.parts.results import BENCH, head, keep, make_parser
from bench.real.listed import read_list


def main() -> None:
    wanted = read_arguments()
    title, page, further = PARTS[wanted.part_of_bench](wanted)
    lines = (line for lines in (head(title, wanted.note), page) for line in lines)
    keep(f"encoding-{wanted.part_of_bench}", lines, further, wanted, BENCH)


def read_arguments() -> argparse.Namespace:
    parser = make_parser("Measure the encoding of the whole unit.", repetitions=3)
    parser.add_argument("part_of_bench", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    said = "whole.py, to compare with: bench/encoding/prototype.py"
    parser.add_argument("--prototype", type=Path, metavar="FILE", help=said)
    said = "of the prototype's programs (default: beside it)"
    parser.add_argument("--programs", type=Path, metavar="DIR", help=said)
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="a function (default: 60)")
    parser.add_argument("--folder", type=Path, default=USUAL, metavar="DIR", help=f"for everything (default: {USUAL})")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="such as flex, 'sqlite/*utf*'")
    parser.add_argument("--part", default="0/1", metavar="N/M", help="of every M functions the one after N")
    parser.add_argument("--again", action="store_true", help="ask also what has an answer")
    return parser.parse_args()


Made = tuple[str, Iterator[str], Mapping[str, str]]  # title, page, files beside it: ending -> text


def growth(wanted: argparse.Namespace) -> Made:
    grown = growth_part.measure(wanted.repetitions)
    plots = {".svg": growth_part.plot(grown), "-queries.svg": growth_part.plot_counts(grown)}
    return "Growth of the encoding", growth_part.page(grown), plots


def prototype(wanted: argparse.Namespace) -> Made:
    folder = wanted.programs or (wanted.prototype.parent if wanted.prototype else None)
    if folder is None:
        raise SystemExit("where are the programs? --prototype FILE, or --programs DIR for ours alone")
    compared = prototype_part.measure(wanted.prototype, folder, wanted.repetitions)
    return "The encoding beside its prototype", prototype_part.page(compared), {}


def real(wanted: argparse.Namespace) -> Made:
    listed = [each for each in read_list() if each.fits(wanted.only)]
    part, parts = map(int, wanted.part.split("/"))
    folder = wanted.folder.absolute()
    asked = real_part.questions(listed, folder, wanted.time_limit, part, parts)
    rows = answer_all(asked, folder / "encoding" / "real.jsonl", again=wanted.again)
    return "Real functions by engine", _real(rows, len(listed), wanted.time_limit), {}


def _real(rows: list[Row], listed: int, time_limit: float) -> Iterator[str]:
    functions = len({row.name for row in rows})
    yield f"{functions} of {listed} functions of bench/real, at most {time_limit:g} s for each engine; not confirmed."
    yield ""
    for part in (
        verdicts.shares,
        verdicts.ratios,
        verdicts.reasons,
        verdicts.problems,
    ):
        yield from part(rows)


def programs(wanted: argparse.Namespace) -> Made:
    asked = programs_part.questions(wanted.time_limit, wanted.only)
    rows = answer_all(asked, wanted.folder.absolute() / "encoding" / "programs.jsonl", again=wanted.again)
    return "Programs of this project, by engine", _programs(rows, wanted.time_limit), {}


def _programs(rows: list[Row], time_limit: float) -> Iterator[str]:
    yield f"Examples function by function; programs of E1 and E4 with their callees; at most {time_limit:g} s."
    yield ""
    yield from verdicts.ratios(rows)
    yield from ("## --engine auto", "")
    yield from verdicts.each_row(rows, "auto")
    yield from verdicts.reasons(rows)
    yield from verdicts.problems(rows)


PARTS = {"growth": growth, "prototype": prototype, "real": real, "programs": programs}


if __name__ == "__main__":
    main()
