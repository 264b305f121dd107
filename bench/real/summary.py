"""The results as Markdown for people and JSON for comparing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from bench.real.listed import FunctionList
from bench.real.one_function import Result

AIM_CONFIRMED = 90.0  # percent


def write_json(results: Sequence[Result], versions: Mapping[str, str]) -> str:
    return json.dumps({"versions": versions, "results": [asdict(each) for each in results]}, indent=1) + "\n"


def write_markdown(
    results: Sequence[Result], versions: Mapping[str, str], time_limit: float, wanted: FunctionList
) -> str:
    parts = (_aims(results, wanted), _totals(results), _functions(results), _troubles(results), _unknown(results))
    found = ", ".join(f"{name} {version}" for name, version in versions.items())
    head = [
        "# Functions of real programs",
        "",
        f"Criteria {wanted.criteria}, at most {time_limit:g} s a function. Found: {found}.",
        "",
    ]
    return "\n".join([*head, *(line for part in (*parts, _concretised(results)) for line in part)]) + "\n"


def _aims(results: Sequence[Result], wanted: FunctionList) -> Iterator[str]:
    tested = [each for each in results if each.status == "tested"]
    confirmed = [each for each in tested if each.compiled and each.confirmed]
    objectives, decided = sum(each.objectives for each in tested), sum(each.decided for each in tested)
    yield from ("| aim | wanted | reached |", "| --- | --: | --: |")
    yield f"| functions that fail to start | 0 | {len(results) - len(tested)} of {len(results)} |"
    share = _percent(len(confirmed), len(results))
    yield f"| functions with a suite that compiles and is confirmed | >= {AIM_CONFIRMED:g} % | {share} |"
    yield f"| objectives covered or infeasible | >= {wanted.decided:g} % | {_percent(decided, objectives)} |"
    yield f"| crashes of Tightrope | 0 | {sum(each.status == 'failed' for each in results)} |"
    yield f"| divergences | 0 | {sum(each.divergences for each in results)} |"
    yield f"| disagreements with gcov | 0 | {sum(len(each.disagreements) for each in results)} |"
    if wanted.builds_with_sanitizers:
        clean, built = [each for each in tested if each.sanitized == "clean"], [each for each in tested if each.tests]
        yield f"| suites that are clean under sanitizers | all | {_percent(len(clean), len(built))} |"
        unclean = [each for each in tested if each.tests and each.sanitized != "clean" and not each.crashes]
        yield f"| suites that complain under sanitizers, without a crash on purpose | 0 | {len(unclean)} |"
    yield ""


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.1f} % ({part} of {whole})"


_HEADS = "functions tested confirmed objectives covered infeasible unknown tests seconds".split()


def _totals(results: Sequence[Result]) -> Iterator[str]:
    yield f"| package | {' | '.join(_HEADS)} | decided |"
    yield f"| --- | {' | '.join(['--:'] * (len(_HEADS) + 1))} |"
    for package in dict.fromkeys(each.name.split("/")[0] for each in results):
        yield _total(package, [each for each in results if each.name.startswith(f"{package}/")])
    yield _total("all", results)
    yield ""


def _total(words: str, rows: Sequence[Result]) -> str:
    objectives = sum(each.objectives for each in rows)
    covered, infeasible = sum(each.covered for each in rows), sum(each.infeasible for each in rows)
    numbers = (
        len(rows),
        sum(each.status == "tested" for each in rows),
        sum(each.confirmed for each in rows),
        objectives,
        covered,
        infeasible,
        objectives - covered - infeasible,
        sum(each.tests for each in rows),
        round(sum(each.seconds for each in rows)),
    )
    share = f"{100 * (covered + infeasible) / objectives:.1f} %" if objectives else "-"
    return f"| {words} | {' | '.join(str(number) for number in numbers)} | {share} |"


def _functions(results: Sequence[Result]) -> Iterator[str]:
    yield "| function | objectives | covered | infeasible | unknown | tests | s | confirmed |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --- |"
    for each in results:
        left = each.objectives - each.decided
        numbers = (each.objectives, each.covered, each.infeasible, left, each.tests, f"{each.seconds:.1f}")
        yield f"| {each.name} | {' | '.join(map(str, numbers))} | {_state(each)} |"
    yield ""


def _state(each: Result) -> str:
    if each.status != "tested":
        return each.status
    return "yes" if each.confirmed else "in part" if each.compiled else "no"


def _troubles(results: Sequence[Result]) -> Iterator[str]:
    rows = [
        each
        for each in results
        if each.message
        or each.different
        or each.left_out
        or each.divergences
        or each.disagreements
        or each.sanitized not in ("", "clean")
    ]
    if rows:
        yield from ("## What went wrong", "")
    for each in rows:
        words = [each.message.split("\n")[0]] if each.message else []
        words += [f"{each.divergences} divergences"] if each.divergences else []
        words += [f"different without probes: {text}" for text in each.different]
        words += [f"{len(each.left_out)} crashes do not show without probes"] if each.left_out else []
        words += [f"gcov: {text}" for text in each.disagreements]
        words += [f"with sanitizers: {each.sanitized}"] if each.sanitized not in ("", "clean") else []
        yield f"- {each.name}: {each.status}; {'; '.join(words)}"
    yield ""


def _unknown(results: Sequence[Result]) -> Iterator[str]:
    totals: Counter[str] = Counter()
    for each in results:
        totals.update(each.unknown)
    every = sum(each.objectives for each in results)
    yield from ("## Why objectives are unknown", "")
    yield from ("| reason | objectives | of all | functions |", "| --- | --: | --: | --- |")
    for reason, count in totals.most_common():
        names = [f"{each.name.split(':')[1]} {each.unknown[reason]}" for each in results if reason in each.unknown]
        yield f"| {reason} | {count} | {100 * count / every:.1f} % | {', '.join(names)} |"
    yield ""


def _concretised(results: Sequence[Result]) -> Iterator[str]:
    yield from ("## What was concretised", "")
    for each in results:
        if each.concretised:
            yield f"- {each.name}: {'; '.join(f'{what} x {count}' for what, count in each.concretised.items())}"
