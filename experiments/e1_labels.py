"""E1, paper 002 Table I: the cost of labels as branches (P') and as observations that add no path (P*).

    python -m experiments.e1_labels [--repetitions N] [--seconds S] [--only PATTERN] [--criterion NAME]

Explores all paths of every program, depth first, in four configurations; a fifth column has Tightrope's defaults.
README.md explains the tables.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from bench.parts import results, subjects
from bench.parts.explore_unit import Ready
from bench.parts.subjects import LABELS, Subject
from bench.parts.tables import as_csv, markdown, ratio
from bench.parts.timed import Timed, explore_timed

from tightrope.commands.annotate import annotate
from tightrope.coverage.labelling import LABELLINGS, Material
from tightrope.coverage.labelling.weak_mutation import label_mutants
from tightrope.coverage.verdict import Reason, Unknown
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.labels import Label

CRITERIA = {
    "cc": "condition",
    "mcc": "mcc",
    "wm": "wm",
    "cc-labels": "condition",
    "mcc-labels": "mcc",
    "cc-paper": "label-cc",
    "mcc-paper": "label-mcc",
    "wm-all": "wm",
}
OPERATORS = ("aoiu", "aor", "cor", "ror")  # of the paper's mutants
ALL_PATHS = {"strategy": "dfs", "exhaustive": True}


@dataclass(frozen=True, slots=True)
class PaperRow:
    """What Table I of the paper has: paths and seconds of DSE(P), then of DSE*(P*)."""

    program: str
    paths_before: int
    seconds_before: float
    paths_after: int
    seconds_after: float

    @property
    def time(self) -> float:
        return self.seconds_after / self.seconds_before

    @property
    def paths(self) -> float:
        return self.paths_after / self.paths_before


PAPER = {
    "cc": (
        PaperRow("trityp", 35, 1.3, 46, 4.5),
        PaperRow("tcas", 2787, 2.9, 2815, 3.4),
        PaperRow("full_bad", 2563, 5, 3209, 7),
        PaperRow("get_tag 5", 11833, 60, 11843, 64),
        PaperRow("get_tag 6", 76456, 3011, 76468, 1512),
        PaperRow("gd 5", 14516, 52, 14605, 59),
        PaperRow("gd 6", 107410, 3740, 107500, 2945),
    ),
    "mcc": (
        PaperRow("trityp", 35, 1.3, 66, 2.1),
        PaperRow("tcas", 2787, 2.9, 3059, 3.9),
        PaperRow("full_bad", 2563, 5, 7043, 19),
        PaperRow("get_tag 5", 11833, 60, 11848, 48),
        PaperRow("gd 5", 14516, 51, 15201, 80),
        PaperRow("gd 6", 107410, 3740, 111208, 3447),
    ),
    "wm": (
        PaperRow("trityp", 35, 1.3, 48, 5.1),
        PaperRow("4balls", 7, 1.2, 23, 2.1),
        PaperRow("utf8 3", 134, 1.4, 313, 3.8),
        PaperRow("utf8 5", 680, 2, 743, 8.1),
        PaperRow("utf8 7", 3069, 5.8, 3265, 35),
        PaperRow("tcas", 4420, 5.6, 6014, 27),
        PaperRow("replace", 866, 2, 2347, 14),
        PaperRow("full_bad", 2593, 5, 5414, 19),
        PaperRow("get_tag 5", 11833, 61, 11856, 51),
        PaperRow("get_tag 6", 76456, 3011, 76481, 1463),
        PaperRow("gd 5", 14516, 50, 14607, 94),
        PaperRow("gd 6", 107410, 3740, 107521, 2232),
    ),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A way to explore. `unit`: which preparation of the program."""

    name: str
    unit: str
    asked: dict[str, Any]


PLAIN = Column("DSE(P)", "plain", ALL_PATHS)
DIRECT = Column("DSE(P')", "direct", {**ALL_PATHS, "label_deletion": 0})
TIGHT = Column("DSE(P*)", "tight", {**ALL_PATHS, "label_deletion": 0})
DELETING = Column("DSE*(P*)", "tight", {**ALL_PATHS, "label_deletion": 2})
USUAL = Column("as it comes", "tight", {})
COLUMNS = (PLAIN, DIRECT, TIGHT, DELETING, USUAL)


@dataclass(frozen=True, slots=True)
class Row:
    """A program under a criterion: the quickest of each column."""

    subject: Subject
    criterion: str
    cells: dict[str, Timed] = field(default_factory=dict)

    def __getitem__(self, column: Column) -> Timed:
        return self.cells[column.name]

    @property
    def are_comparable(self) -> bool:
        return self[PLAIN].is_whole and self[DELETING].is_whole

    @property
    def time_ratio(self) -> float:
        return self[DELETING].cpu_seconds / self[PLAIN].cpu_seconds

    @property
    def path_ratio(self) -> float:
        """A path of P* is a run here: one for each path of P, and one for each label that an aim has covered."""
        return self[DELETING].runs / self[PLAIN].runs

    @property
    def lost(self) -> list[str]:
        """What direct instrumentation covers and tight does not."""
        return sorted(self[DIRECT].covered - self[DELETING].covered)

    @property
    def not_in_direct(self) -> int:
        """What no label can say: decisions with side effects or calls in them."""
        others = [verdict for verdict in self[DIRECT].verdicts.values() if isinstance(verdict, Unknown)]
        return sum(verdict.reason is Reason.NOT_FOLLOWED for verdict in others)


def main() -> None:
    wanted = read_arguments()
    rows = list(measure_all(wanted))
    further = {".csv": as_csv(list(csv_rows(rows)))}
    name = "e1" if wanted.criteria == list(CRITERIA) else "-".join(["e1", *wanted.criteria])
    results.keep(name, report(rows, wanted), further, wanted)


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="E1: what labels cost.")
    parser.add_argument("--repetitions", type=int, default=3, metavar="N", help="the best of N counts (default: 3)")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for an exploration (default: 60)")
    parser.add_argument("--criterion", dest="criteria", action="append", choices=tuple(CRITERIA), help="only this one")
    subjects.add_options(parser)
    results.add_options(parser)
    wanted = parser.parse_args(words)
    wanted.criteria = wanted.criteria or list(CRITERIA)
    return wanted


# -- measuring


def measure_all(wanted: argparse.Namespace) -> Iterator[Row]:
    for subject in subjects.choose(LABELS, wanted.only):
        for criterion in wanted.criteria:
            row = measure(subject, criterion, wanted.repetitions, wanted.seconds)
            shown = ", ".join(f"{name} {each.seconds:.2f} s" for name, each in row.cells.items())
            print(f"{subject.name} {criterion}: {shown}", file=sys.stderr, flush=True)
            yield row


def measure(subject: Subject, criterion: str, repetitions: int, seconds: float) -> Row:
    """In turns, so that a machine that slows down for a while slows down all. What was not done in time is not done
    again."""
    with tempfile.TemporaryDirectory() as folder:
        units = prepare_units(subject, criterion, Path(folder))
        found: dict[str, list[Timed]] = {column.name: [] for column in COLUMNS}
        for _ in range(repetitions):
            for column in COLUMNS:
                if all(each.is_whole for each in found[column.name]):
                    found[column.name].append(explore_timed(units[column.unit], **column.asked, time_limit=seconds))
    best = {name: min(each, key=lambda one: (not one.is_whole, one.cpu_seconds)) for name, each in found.items()}
    return Row(subject, criterion, best)


def prepare_units(subject: Subject, criterion: str, folder: Path) -> dict[str, Ready]:
    """P has no labels. What is followed in its own way (`cc`, `mcc`) becomes labels only where these are branches;
    `-labels`: the criterion is written into the C as labels first."""
    name, path = CRITERIA[criterion], None
    if criterion.endswith("-labels"):
        name, path = "label", write_labelled(subject, name, folder)
    with mock.patch.dict(LABELLINGS, {"wm": mutants_of_the_paper} if criterion == "wm" else {}):
        return {
            "plain": subject.prepare("branch", path),
            "tight": subject.prepare(name, path),
            "direct": subject.prepare(name, path, instrumentation="direct"),
        }


def mutants_of_the_paper(given: Material) -> Iterator[Label]:
    """Without ABS, of which nearly every other label is infeasible, other left-hand sides, and operands alone."""
    return (
        label
        for label in label_mutants(given.facts)
        if label.kind in OPERATORS and label.what not in ("aor:left", "aor:right")
    )


def write_labelled(subject: Subject, criterion: str, folder: Path) -> Path:
    """As `tightrope annotate -c CRITERION` writes it."""
    file = folder / subject.path.name
    options = Options((Target(subject.path),), criteria=(criterion,), decisions="branching", flags=subject.flags)
    file.write_text(annotate(options).text, encoding="utf-8", errors="surrogateescape")
    return file


# -- the page

GROUPS = (("cc", "mcc", "wm"), ("cc-labels", "mcc-labels", "wm"))
ABOUT = (
    "All paths of each program, depth first, callees included. DSE(P): no labels. DSE(P'): `--instrumentation direct`.",
    "DSE(P*) and DSE*(P*): `--instrumentation tight` with `--label-deletion` 0 and 2. `paths` are runs: one for each",
    "path of the program, and for P* one for each aim at a label that succeeds. A label that a run satisfies anyway is",
    "not aimed at in that place, so that DSE(P*) has fewer of them than in the paper. In P*, `cc` and `mcc` are",
    "followed without labels; `cc-labels` and `mcc-labels` are the same criteria, first written into the C as labels,",
    "as `tightrope annotate` does. `cc-paper` and `mcc-paper` are the paper's labels literally (`-c label-cc`, `-c",
    "label-mcc`): conditions and all their combinations, without regard to short-circuit evaluation. `wm` has the",
    "mutants of the paper (AOIU, AOR, COR, ROR), `wm-all` those of `-c wm`.",
    "`cover` counts what no label can say as not covered.",
    "",
)


def report(rows: Sequence[Row], wanted: argparse.Namespace) -> Iterator[str]:
    part = "" if wanted.criteria == list(CRITERIA) else f" ({', '.join(wanted.criteria)})"
    yield from results.head(f"E1: what labels cost{part}", wanted.note)
    yield from ABOUT
    yield f"Best of {wanted.repetitions} in turns; seconds of a processor, of the search alone, with its worker; `TO`:"
    yield f"not done in {wanted.seconds:g} s by the clock."
    yield from ("", "## In short", "")
    yield from _in_short(rows)
    yield from ("", "## Paper 002, Table I", "")
    yield from _paths_and_times(rows)
    yield from ("", "## Ratios: DSE*(P*) over DSE(P)", "")
    yield from _ratios(rows)
    yield ""
    yield from _summary(rows)
    yield from ("", "## The same coverage?", "")
    yield from _coverage(rows)
    yield from ("", "## Tightrope as it comes", "", "Stops when done; filter and default strategy.", "")
    yield from _usual(rows)


def _in_short(rows: Sequence[Row]) -> Iterator[str]:
    yield "DSE\\*(P\\*) over DSE(P): means of the ratios; `worst` of the times."
    yield ""
    heads = ["criterion", "rows", "time", "aim: 1.30", "worst", "aim: 2", "paths", "aim: 1.20", "paper 002: rows"]
    names = list(dict.fromkeys(row.criterion for row in rows))
    made = [(name, [row for row in rows if row.criterion == name and row.are_comparable]) for name in names]
    yield from markdown([*heads, "time", "worst", "paths"], [_short_row(name, group) for name, group in made if group])
    yield ""
    yield "The times of the paper include the start of its tool, a second in each row: it lowers the ratios of its"
    yield "small programs. Ours are of the search alone: the smallest take three milliseconds."


def _short_row(name: str, rows: Sequence[Row]) -> list[str]:
    times, paths = [row.time_ratio for row in rows], [row.path_ratio for row in rows]
    ours = ((statistics.mean(times), 1.3), (max(times), 2.0), (statistics.mean(paths), 1.2))
    shown = [text for value, aim in ours for text in (f"{value:.2f}", "met" if value <= aim else "**missed**")]
    told = PAPER[name.partition("-")[0]] if name in ("wm", "cc-paper", "mcc-paper") else ()
    slower, longer = [each.time for each in told], [each.paths for each in told]
    paper = [str(len(told)), f"{statistics.mean(slower):.2f}", f"{max(slower):.2f}", f"{statistics.mean(longer):.2f}"]
    return [name, str(len(rows)), *shown, *(paper if told else ["-"] * 4)]


def _paths_and_times(rows: Sequence[Row]) -> Iterator[str]:
    heads = ["program", "criterion", *(f"{each.name} {what}" for each in COLUMNS[:-1] for what in ("paths", "s"))]
    covers = [f"{each.name} cover" for each in COLUMNS[1:-1]]
    yield from markdown([*heads, *covers], [_table_row(row) for row in rows])
    yield from ("", "The same ratios in the paper:", "")
    names = list(dict.fromkeys(row.criterion.removesuffix("-paper") for row in rows))
    told = [(name, each) for name in names for each in PAPER.get(name, ())]
    numbers = [[one.program, name, f"{one.time:.2f}", f"{one.paths:.2f}"] for name, one in told]
    yield from markdown(["program of the paper", "criterion", "DSE\\*(P\\*) time", "DSE\\*(P\\*) paths"], numbers)


def _table_row(row: Row) -> list[str]:
    measured = [row[column] for column in COLUMNS[:-1]]
    pairs = [text for each in measured for text in (f"{each.runs:,}", _seconds(each))]
    return [row.subject.name, row.criterion, *pairs, *(each.cover for each in measured[1:])]


def _seconds(measured: Timed) -> str:
    return f"{measured.cpu_seconds:.3f}" if measured.is_whole else "TO"


def _ratios(rows: Sequence[Row]) -> Iterator[str]:
    heads = ["program", "criterion", "time", "paths", "queries", "DSE(P*) time", "DSE(P') time", "DSE(P') paths"]
    yield from markdown(heads, [_ratio_row(row) for row in rows])


def _ratio_row(row: Row) -> list[str]:
    plain, deleting, tight, direct = (row[each] for each in (PLAIN, DELETING, TIGHT, DIRECT))
    if not row.are_comparable:
        return [row.subject.name, row.criterion, *["TO"] * 6]
    own = [ratio(deleting.cpu_seconds, plain.cpu_seconds), ratio(deleting.runs, plain.runs)]
    slower = [ratio(each.cpu_seconds, plain.cpu_seconds) if each.is_whole else "TO" for each in (tight, direct)]
    more = ratio(direct.runs, plain.runs) if direct.is_whole else f"> {ratio(direct.runs, plain.runs)}"
    return [row.subject.name, row.criterion, *own, ratio(deleting.queries, plain.queries), *slower, more]


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    names = list(dict.fromkeys(row.criterion for row in rows))
    groups = [(", ".join(group), group) for group in GROUPS] + [(name, (name,)) for name in names]
    made = [(words, [row for row in rows if row.criterion in group and row.are_comparable]) for words, group in groups]
    heads = ["criterion", "rows", "mean time", "worst time", "time of all", "mean paths", "worst paths"]
    yield from markdown(heads, [_summary_row(words, group) for words, group in made if group])


def _summary_row(words: str, rows: Sequence[Row]) -> list[str]:
    """Means are those of ratios; `time of all` is the ratio of the sums."""
    times, paths = [row.time_ratio for row in rows], [row.path_ratio for row in rows]
    whole = ratio(sum(row[DELETING].cpu_seconds for row in rows), sum(row[PLAIN].cpu_seconds for row in rows))
    numbers = [statistics.mean(times), max(times), statistics.mean(paths), max(paths)]
    shown = [f"{number:.2f}" for number in numbers]
    return [words, str(len(rows)), *shown[:2], whole, *shown[2:]]


def _coverage(rows: Sequence[Row]) -> Iterator[str]:
    whole = [row for row in rows if row[DIRECT].is_whole]
    lost = [row for row in whole if row.lost]
    same = len(whole) - len(lost)
    yield f"DSE(P') finished {len(whole)} of {len(rows)} times; DSE*(P*) covers all that it covers in {same} of these."
    for row in lost:
        yield f"- {row.subject.name}, {row.criterion}: {', '.join(row.lost)}"
    for row in rows:
        if row.not_in_direct:
            yield f"- {row.subject.name}, {row.criterion}: {row.not_in_direct} that no label can say are not in DSE(P')"


def _usual(rows: Sequence[Row]) -> Iterator[str]:
    heads = ["program", "criterion", "runs", "queries", "s", "covered / infeasible / unknown", "why unknown"]
    yield from markdown(heads, [_usual_row(row) for row in rows])


def _usual_row(row: Row) -> list[str]:
    found = row[USUAL]
    why = ", ".join(f"{count} {word}" for word, count in sorted(found.reasons().items()))
    numbers = [f"{found.runs:,}", f"{found.queries:,}", _seconds(found)]
    return [row.subject.name, row.criterion, *numbers, found.verdict_counts, why or "-"]


def csv_rows(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for name, found in row.cells.items():
            yield {
                "program": row.subject.name,
                "paper": row.subject.stands_for,
                "lines": row.subject.lines,
                "criterion": row.criterion,
                "column": name,
                "paths": found.paths,
                "runs": found.runs,
                "queries": found.queries,
                "solver_queries": found.solver_queries,
                "cpu_seconds": round(found.cpu_seconds, 4),
                "seconds": round(found.seconds, 4),
                "stop_reason": found.stop_reason.name.lower(),
                "objectives": len(found.verdicts),
                "covered": len(found.covered),
                "divergences": found.divergences,
            }


if __name__ == "__main__":
    main()
