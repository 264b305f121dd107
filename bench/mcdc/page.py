"""The page of the benchmark: one table over time, one by subject, who is not first where, a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bench.mcdc.campaign import KINDS, MOMENTS, ToolScore
from bench.mcdc.subjects import FunctionUnderTest
from bench.parts import results
from bench.parts.plot import Chart, Series, draw
from bench.parts.tables import as_csv, markdown, share

Best = dict[tuple[str, str], frozenset[str]]  # subject and kind -> all that any tool covers


def page(
    rows: Sequence[ToolScore],
    subjects: Sequence[FunctionUnderTest],
    tools: Sequence[str],
    limits: Sequence[float],
    note: str,
) -> Iterator[str]:
    yield from results.head("MC/DC of test generators, judged by llvm-cov and gcov", note)
    there = [name for name in tools if any(row.tool == name and not row.problem for row in rows)]
    rows, left_out = _complete(rows, there, limits), [name for name in tools if name not in there]
    names = [each.name for each in subjects if any(row.subject == each.name for row in rows)]
    packaged = sum(bool(each.package) for each in subjects if each.name in names)
    yield f"- {len(names)} functions, {packaged} of them of Debian packages. Seconds are processor time of all"
    yield "  processes of a tool, with the compilers that it calls and with its runner."
    yield "- [What is counted and how](../mcdc/README.md)"
    for name in there:
        yield f"- {name}: {next(row.version for row in rows if row.tool == name)}"
    yield from (f"- **{name}: not run here**" for name in left_out)
    yield ""
    best = _best(rows)
    yield from _in_words(rows, there, limits, names)
    yield from _over_time(rows, there, limits, best)
    yield from _by_subject(rows, names, there, limits[-1], best)
    yield from _where_not_first(rows, names, there, limits)
    yield from _judged(rows, there, limits[-1])


def _complete(rows: Sequence[ToolScore], tools: Sequence[str], limits: Sequence[float]) -> list[ToolScore]:
    """Of subjects that every tool has been run on, with every limit; what a tool could not do stays, with nothing."""
    seen = Counter(row.subject for row in rows if row.tool in tools)
    whole = {name for name, count in seen.items() if count == len(tools) * len(limits)}
    return [row for row in rows if row.subject in whole and row.tool in tools]


def _best(rows: Iterable[ToolScore]) -> Best:
    best: Best = {}
    for row in rows:
        for kind, covered in row.covered.items():
            best[row.subject, kind] = best.get((row.subject, kind), frozenset()) | frozenset(covered)
    return best


def _over_time(rows: Sequence[ToolScore], tools: Sequence[str], limits: Sequence[float], best: Best) -> Iterator[str]:
    yield "## Over time"
    yield ""
    yield "Sums over all functions. *In time*: by tests that were there when the limit was over; the other columns are"
    yield "what the tool had when it ended, which may be later. *Of best*: of what all tools together cover, which is"
    yield "the feasible maximum as far as it is known. *Complete*: functions on which the tool has all of that MC/DC at"
    yield "its end."
    yield ""
    known = {kind: _known(rows, kind) for kind in KINDS}
    most = {kind: sum(len(names) for (_, each), names in best.items() if each == kind) for kind in known}
    heads = ["limit", "tool", "MC/DC in time", "MC/DC", "of best", "branches (llvm-cov)", "of best", "branches (gcov)"]
    table = []
    for limit in limits:
        for tool in tools:
            mine = [row for row in rows if row.tool == tool and row.limit == limit]
            sums = {kind: sum(len(row.covered.get(kind, ())) for row in mine) for kind in known}
            complete = sum(best[row.subject, "mcdc"] <= frozenset(row.covered.get("mcdc", ())) for row in mine)
            table.append(
                [
                    f"{limit:g} s", tool, str(sum(map(_in_time, mine))),
                    f"{sums['mcdc']}/{known['mcdc']}", share(sums["mcdc"], most["mcdc"]),
                    f"{sums['branches']}/{known['branches']}", share(sums["branches"], most["branches"]),
                    f"{sums['gcov']}/{known['gcov']}", str(complete), f"{sum(row.tests for row in mine):,}",
                    f"{sum(row.seconds for row in mine):,.1f}",
                ]
            )  # fmt: skip
    yield from markdown([*heads, "complete", "tests", "seconds"], table)
    yield ""
    yield f"![Judged MC/DC over time]({results.file_name('mcdc', '-curves.svg')})"
    yield ""


def _known(rows: Sequence[ToolScore], kind: str) -> int:
    return sum({row.subject: row.known[kind] for row in rows if row.known}.values())


def _in_words(
    rows: Sequence[ToolScore], tools: Sequence[str], limits: Sequence[float], names: Sequence[str]
) -> Iterator[str]:
    yield "## In short"
    yield ""
    known, best = _known(rows, "mcdc"), sum(len(found) for (_, kind), found in _best(rows).items() if kind == "mcdc")
    yield f"Of {known} conditions of {len(names)} functions, all tools together show {best}. By tests that were"
    yield "there when the limit was over, and in brackets on how many functions no other tool has more:"
    yield ""
    for limit in limits:
        has = {(row.subject, row.tool): _in_time(row) for row in rows if row.limit == limit}
        sums = {tool: sum(has[name, tool] for name in names) for tool in tools}
        firsts = {
            tool: sum(has[name, tool] == max(has[name, each] for each in tools) for name in names) for tool in tools
        }
        order = sorted(tools, key=lambda tool: -sums[tool])
        yield f"- {limit:g} s: {', '.join(f'{tool} {sums[tool]} ({firsts[tool]})' for tool in order)}"
    yield ""


def _in_time(row: ToolScore) -> int:
    """MC/DC of the tests that were found within the limit."""
    return _at(row, row.limit)


def _by_subject(
    rows: Sequence[ToolScore], names: Sequence[str], tools: Sequence[str], limit: float, best: Best
) -> Iterator[str]:
    yield f"## By function, with {limit:g} s"
    yield ""
    yield "MC/DC, tests and seconds of each tool; *best*: of all tools together."
    yield ""
    table = []
    for name in names:
        mine = {row.tool: row for row in rows if row.subject == name and row.limit == limit}
        known = max((row.known.get("mcdc", 0) for row in mine.values()), default=0)
        cells = [_cell(mine[tool]) for tool in tools]
        table.append([name, str(known), str(len(best.get((name, "mcdc"), ()))), *cells])
    yield from markdown(["function", "conditions", "best", *tools], table)
    yield ""


def _cell(row: ToolScore) -> str:
    if row.problem:
        return "failed"
    return f"{len(row.covered['mcdc'])} ({row.tests}, {row.seconds:.1f} s)"


def _where_not_first(
    rows: Sequence[ToolScore], names: Sequence[str], tools: Sequence[str], limits: Sequence[float]
) -> Iterator[str]:
    """The honest part, for the tool of this repository."""
    if "tightrope" not in tools:
        return
    yield "## Where Tightrope is not first"
    yield ""
    yield "MC/DC in time of Tightrope and of those that have more."
    yield ""
    for limit in limits:
        behind = []
        for name in names:
            has = {row.tool: _in_time(row) for row in rows if (row.subject, row.limit) == (name, limit)}
            ahead = [f"{tool} {count}" for tool, count in has.items() if count > has["tightrope"]]
            behind += [f"{name} ({has['tightrope']}; {', '.join(ahead)})"] if ahead else []
        nothing = not any(_in_time(row) for row in rows if (row.tool, row.limit) == ("tightrope", limit))
        words = "all: it ends later than that" if nothing else ", ".join(behind) or "none"
        yield f"- {limit:g} s, {len(behind)} functions: {words}"
    yield ""


def _judged(rows: Sequence[ToolScore], tools: Sequence[str], limit: float) -> Iterator[str]:
    yield "## What the judge did not count"
    yield ""
    table = []
    for tool in tools:
        mine = [row for row in rows if row.tool == tool and row.limit == limit]
        outcomes = sum((Counter(row.outcomes) for row in mine), Counter())
        failed = ", ".join(row.subject for row in mine if row.problem)
        cells = [str(outcomes[word]) for word in ("returned", "exited", "crashed", "timed out", "killed", "invalid")]
        table.append([tool, *cells, failed or "none"])
    yield from markdown(["tool", "returned", "exited", "crashed", "timed out", "killed", "invalid", "failed on"], table)
    yield ""


def draw_curves(rows: Sequence[ToolScore], tools: Sequence[str]) -> str:
    """Judged MC/DC of all functions, in the run with the largest limit."""
    largest = max((row.limit for row in rows), default=0.0)
    there = [tool for tool in tools if any(row.tool == tool and not row.problem for row in rows)]
    rows = [row for row in _complete(rows, there, sorted({row.limit for row in rows})) if row.limit == largest]
    known = _known(rows, "mcdc") or 1
    series = []
    moments = [each for each in MOMENTS if each <= largest]
    for tool in there:
        mine = [row for row in rows if row.tool == tool]
        points = [(moment, 100 * sum(_at(row, moment) for row in mine) / known) for moment in moments]
        series.append(Series(tool, tuple(points)))
    title = f"Judged MC/DC over time, {len({row.subject for row in rows})} functions"
    words = "processor seconds for each function"
    return draw(Chart(title, words, "% of conditions", tuple(series), is_logarithmic=True))


def _at(row: ToolScore, moment: float) -> int:
    return max((mcdc for seconds, mcdc, _ in row.curve if seconds <= moment), default=0)


def rows_as_csv(rows: Sequence[ToolScore]) -> str:
    return as_csv(
        [
            {
                "subject": row.subject, "tool": row.tool, "limit": f"{row.limit:g}", "seconds": f"{row.seconds:.2f}",
                "clock": f"{row.clock:.2f}", "tests": row.tests,
                **{kind: f"{len(row.covered.get(kind, ()))}/{row.known.get(kind, 0)}" for kind in KINDS},
                "problem": row.problem,
            }
            for row in rows
        ]
    )  # fmt: skip
