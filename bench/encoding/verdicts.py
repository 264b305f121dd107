"""Tables about the results in rows.py: which engine decides how much, the time of both, what stays unknown and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bench.encoding.rows import Row
from bench.parts.engines import ENGINES, Decided
from bench.parts.tables import markdown, share

AIM_RATIO = 1.2  # of auto's time to that of the better one
WORST = 12  # rows that are listed


def shares(rows: Sequence[Row]) -> Iterator[str]:
    """Objectives with a verdict, by criterion and engine."""
    yield from ("## Objectives decided", "")
    heads = ["", "functions", "objectives", *(f"{engine}{word}" for engine in ENGINES for word in ("", " s"))]
    yield from markdown([*heads, "auto, by the encoding"], [_share(each, rows) for each in (*_criteria(rows), "")])
    yield ""
    gain = _percent(rows, "auto") - _percent(rows, "search")
    yield f"auto over search: {gain:+.1f} points (aim: +10). Seconds are sums, of the exploration alone."
    yield ""


def _share(criterion: str, rows: Sequence[Row]) -> list[str]:
    chosen = [row for row in rows if row.decided and criterion in ("", row.criterion)]
    words = [criterion or "all", str(len(chosen)), str(sum(row.decided["search"].objectives for row in chosen))]
    for engine in ENGINES:
        found = [row.decided[engine] for row in chosen]
        covered, infeasible = sum(each.covered for each in found), sum(each.infeasible for each in found)
        part = share(covered + infeasible, sum(each.objectives for each in found))
        words += [f"{part} ({covered:,} + {infeasible:,})", f"{sum(each.seconds for each in found):,.0f}"]
    return [*words, f"{sum(row.decided['auto'].by_encoding for row in chosen):,}"]


def _percent(rows: Sequence[Row], engine: str) -> float:
    found = [row.decided[engine] for row in rows if row.decided]
    return 100 * sum(each.decided for each in found) / max(1, sum(each.objectives for each in found))


def _criteria(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.criterion for row in rows))


def ratios(rows: Sequence[Row]) -> Iterator[str]:
    """auto against the better one, where both finish."""
    yield from ("## auto's time over the better one's", "", "Seconds of a processor, with those of the worker.", "")
    both = [row for row in rows if row.decided and all(row.decided[each].is_whole for each in ("search", "encoding"))]
    ended = [row for row in both if all(row.decided[each].has_ended for each in ("search", "encoding"))]
    heads = [
        "where search and encoding",
        "rows",
        "mean",
        "median",
        "worst",
        f"above {AIM_RATIO}",
        "sum of auto / sum of better",
    ]
    yield from markdown(heads, [_ratios("both decide everything", both), _ratios("... and end by themselves", ended)])
    yield ""
    yield from (f"The worst of them, and of all others, by the one that decides more (at most {WORST} each):", "")
    heads = ["function", "criterion", "ratio", *(f"{engine}{word}" for engine in ENGINES for word in (" s", ""))]
    others = [row for row in rows if row.decided and row not in both]
    for chosen in (both, others):
        worst = sorted(chosen, key=_ratio, reverse=True)[:WORST]
        yield from markdown(heads, [_compared(row) for row in worst])
        yield ""


def _ratios(words: str, rows: Sequence[Row]) -> list[str]:
    if not rows:
        return [words, "0", "-", "-", "-", "-", "-"]
    found = sorted(_ratio(row) for row in rows)
    above = sum(each > AIM_RATIO for each in found)
    total = sum(row.decided["auto"].cpu_seconds for row in rows) / sum(_better(row) for row in rows)
    numbers = (sum(found) / len(found), found[len(found) // 2], found[-1])
    return [words, str(len(rows)), *(f"{each:.2f}" for each in numbers), str(above), f"{total:.2f}"]


def _better(row: Row) -> float:
    """Seconds of the one that decides more, of the quicker one when both decide as much."""
    found = [row.decided[engine] for engine in ("search", "encoding")]
    return min(found, key=lambda each: (-each.decided, each.cpu_seconds)).cpu_seconds


def _ratio(row: Row) -> float:
    return row.decided["auto"].cpu_seconds / _better(row)


def _compared(row: Row) -> list[str]:
    words = [row.name, row.criterion, f"{_ratio(row):.2f}"]
    for engine in ENGINES:
        found = row.decided[engine]
        words += [f"{found.cpu_seconds:.2f}", f"{found.decided}/{found.objectives}"]
    return words


def reasons(rows: Sequence[Row], engines: Sequence[str] = ENGINES) -> Iterator[str]:
    """Why objectives stay unknown."""
    yield from ("## Why objectives stay unknown", "")
    totals = {engine: _reasons([row.decided[engine] for row in rows if row.decided]) for engine in engines}
    words = dict.fromkeys(word for counted in totals.values() for word, _ in counted.most_common())
    yield from markdown(["reason", *engines], [[word, *(f"{totals[e][word]:,}" for e in engines)] for word in words])
    yield ""


def _reasons(found: Sequence[Decided]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for each in found:
        totals.update(each.reasons)
    return totals


def problems(rows: Sequence[Row]) -> Iterator[str]:
    """What could not be explored, and what is a mistake of ours."""
    bad = [f"- {row.name}, {row.criterion}: {row.problem}" for row in rows if row.problem]
    for row in rows:
        for engine, found in row.decided.items():
            if found.mispredictions or found.divergences:
                counts = f"{found.mispredictions} mispredictions, {found.divergences} divergences"
                bad.append(f"- {row.name}, {row.criterion}, {engine}: {counts}")
    yield from (
        "## Problems",
        "",
        *(bad or ["None: no crash, no divergence, no run that does not do what its model says."]),
        "",
    )


def each_row(rows: Sequence[Row], engine: str) -> Iterator[str]:
    """One line for each, for one engine."""
    heads = ["program", "criterion", "objectives", "covered", "infeasible", "unknown", "why", "s", "ended by"]
    lines = []
    for row in rows:
        found = row.decided.get(engine)
        if found is None:
            lines.append([row.name, row.criterion, "", "", "", "", row.problem, "", ""])
            continue
        why = ", ".join(f"{word} {count}" for word, count in found.reasons.items())
        numbers = (found.objectives, found.covered, found.infeasible, found.objectives - found.decided)
        words = [f"{found.seconds:.2f}", found.stop_reason.lower().replace("_", " ")]
        lines.append([row.name, row.criterion, *map(str, numbers), why, *words])
    yield from markdown(heads, lines)
    yield ""
