"""The benchmark: which tool gets how much MC/DC, in how much time, on which functions.

    python -m bench.mcdc [--only PATTERN] [--limits 1,10,30] [--tool NAME=COMMAND] [--jobs N]

Results are kept in ~/.cache/tightrope-bench/mcdc (`--store DIR`) and not measured again; `--page` only writes the page.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.mcdc.campaign import kept_rows, read_tool, run_campaign
from bench.mcdc.debian_subjects import FOLDER
from bench.mcdc.judge import missing_tools
from bench.mcdc.page import draw_curves, page, rows_as_csv
from bench.mcdc.runners import RUNNERS
from bench.mcdc.subjects import read_subjects
from bench.parts import results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="subjects, such as 'ip*'")
    parser.add_argument("--limits", default="1,10,30", metavar="SECONDS", help="processor seconds for each subject")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=COMMAND", help="one more runner")
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="not this runner")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="subjects in parallel")
    parser.add_argument("--store", type=Path, default=FOLDER / "mcdc", metavar="DIR", help="where rows are kept")
    parser.add_argument("--page", action="store_true", help="measure nothing, write the page of what is kept")
    results.add_options(parser)
    wanted = parser.parse_args()
    if said := missing_tools():
        print(said, file=sys.stderr)
        return 2
    tools: dict[str, tuple[str, ...]] = {name: words for name, words in RUNNERS.items() if name not in wanted.without}
    tools |= dict(map(read_tool, wanted.tool))
    limits = sorted(float(text) for text in wanted.limits.split(","))
    subjects = read_subjects(only=wanted.only)
    if not wanted.page:
        for row in run_campaign(subjects, tools, limits, wanted.store, wanted.jobs):
            covered = f"{len(row.covered.get('mcdc', ()))}/{row.known.get('mcdc', 0)}"
            print(f"{row.subject} {row.tool} {row.limit:g}: {row.problem or covered}", file=sys.stderr, flush=True)
    names = {each.name for each in subjects}
    rows = [
        row for row in kept_rows(wanted.store) if row.subject in names and row.tool in tools and row.limit in limits
    ]
    further = {"-curves.svg": draw_curves(rows, list(tools)), ".csv": rows_as_csv(rows)}
    results.keep("mcdc", page(rows, subjects, list(tools), limits, wanted.note), further, wanted, results.BENCH)
    return 0


if __name__ == "__main__":
    sys.exit(main())
