"""What may make an unknown objective known: the limit that was hit, and commands that raise it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tightrope.options.options import DEFAULTS, OPTIONS, Options
from tightrope.program.declarations.sequence import DEFAULT_CALLS
from tightrope.report.as_explanation import Attempt
from tightrope.report.as_text import join_alike, show_count, show_inputs
from tightrope.report.model import ReportedObjective, UnitReport
from tightrope.units.input_requests import FRESH_INSTEAD

RAISE = 4  # factor by which a limit that was reached is raised
MOST_FACTS = 5
_SHOWN = "tightrope"


def command_of(unit: UnitReport) -> tuple[str, ...]:
    """The words that make the report of a function again."""
    plain = ("generate", f"{unit.file}:{unit.function}", "-c", ",".join(unit.criteria))
    return unit.command or plain


def _same_folder(unit: UnitReport) -> tuple[str, ...]:
    """The same, writing tests to where they were written."""
    folders = {str(PurePath(file).parent) for file in unit.written} - {str(DEFAULTS["output"])}
    return with_option(command_of(unit), "-o", folders.pop()) if len(folders) == 1 else command_of(unit)


def show_command(words: Sequence[str]) -> str:
    return shlex.join([_SHOWN, *words])


def with_option(words: Sequence[str], flag: str, *values: str) -> tuple[str, ...]:
    """The command with this option in place of what it says about it."""
    own, flags = _split(words)
    option = OPTIONS[_name_of(flag)]
    if not option.repeats:
        own = _without(own, option.flags, 0 if option.is_switch else 1)
    return (*own, flag, *values, *flags)


def without_option(words: Sequence[str], flag: str) -> tuple[str, ...]:
    own, flags = _split(words)
    option = OPTIONS[_name_of(flag)]
    return (*_without(own, option.flags, 0 if option.is_switch else 1), *flags)


def _split(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is for Tightrope, and what is for the compiler."""
    at = list(words).index("--") if "--" in words else len(words)
    return tuple(words[:at]), tuple(words[at:])


def _without(words: Sequence[str], flags: Sequence[str], values: int) -> tuple[str, ...]:
    kept, at = [], 0
    while at < len(words):
        is_it = words[at] in flags
        kept += [] if is_it else [words[at]]
        at += 1 + values if is_it else 1
    return tuple(kept)


def _name_of(flag: str) -> str:
    return next(name for name, option in OPTIONS.items() if flag in option.flags)


# --- facts -----------------------------------------------------------------------------------------


def find_facts(unit: UnitReport, objective: ReportedObjective, options: Options) -> tuple[str, ...]:
    """What the report knows about why this objective is unknown."""
    found = list(_FACTS.get(objective.reason or "", _no_facts)(unit, options))
    more = (f"and {len(found) - MOST_FACTS} more",) if len(found) > MOST_FACTS else ()
    return (*found[:MOST_FACTS], *more)


def _no_facts(unit: UnitReport, options: Options) -> Iterator[str]:
    return iter(())


def _spent(unit: UnitReport, options: Options) -> Iterator[str]:
    spent = unit.statistics
    limit = f"{options.time_limit:g} s" + (f" and {options.max_runs:,} runs" if options.max_runs else "")
    done = f"{spent.runs:,} runs, {spent.paths:,} paths and {spent.queries:,} queries in {spent.seconds:.1f} s"
    yield f"the limit was {limit}; the search made {done}"


def _queries(unit: UnitReport, options: Options) -> Iterator[str]:
    count, seconds = unit.statistics.unknown, f"{options.solver_time_limit:g} s"
    if count:
        yield f"{count:,} of {unit.statistics.queries:,} queries had no answer within {seconds}"
    else:
        yield f"the limit for each query was {seconds}"


def _approximate(unit: UnitReport, options: Options) -> Iterator[str]:
    for each in unit.concretisations:
        times = "once" if each.count == 1 else f"{each.count:,} times"
        how = f"tried with {show_count(each.count, 'value')}" if each.kind == "pinned" else f"concretised {times}"
        yield f"{each.file}:{each.line}:{each.column}  {each.reason} ({how})"


def _died(unit: UnitReport, options: Options) -> Iterator[str]:
    for each in unit.crashes:
        how = each.outcome.replace("_", " ")
        yield f"{each.file}:{each.line}:{each.column}  {how}: {each.reason}, with {show_inputs(each.inputs)}"


def _assumed(unit: UnitReport, options: Options) -> Iterator[str]:
    yield from (f"assuming {sentence}" for sentence in join_alike(unit.assumptions))


def _volatile(unit: UnitReport, options: Options) -> Iterator[str]:
    yield FRESH_INSTEAD


def _not_alike(unit: UnitReport, options: Options) -> Iterator[str]:
    found = unit.confirmation
    if found and found.problem:
        yield f"not confirmed: {found.problem}"
    if found:
        for number, name in enumerate(found.different):
            detail = f": {found.details[number]}" if number < len(found.details) else ""
            yield f"{name} behaves differently in a build without instrumentation{detail}"


def _disagreements(unit: UnitReport, options: Options) -> Iterator[str]:
    if unit.confirmation:
        yield from (f"{unit.confirmation.judge}: {sentence}" for sentence in unit.confirmation.disagreements)


_FACTS = {
    "time_limit": _spent,
    "run_limit": _spent,
    "interrupted": _spent,
    "solver_time_limit": _queries,
    "approximate": _approximate,
    "not_encoded": _approximate,
    "too_large": _spent,
    "not_within": _spent,
    "volatile": _volatile,
    "runs_died": _died,
    "check": _died,
    "uninitialised": _died,
    "address": _approximate,
    "shape": _assumed,
    "state": _assumed,
    "more_calls": _spent,
    "unfaithful": _not_alike,
    "not_confirmed": _not_alike,
    "judged": _disagreements,
}


# --- attempts --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shaped:
    """The inputs of the function: equivalent wishes by path, and the options that affected them by key."""

    wishes: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, int | str], ...] = ()
    unwritten: tuple[str, ...] = ()  # arguments through which stubs might write and do not: `receive:1`


def find_attempts(
    unit: UnitReport, objective: ReportedObjective, options: Options, shaped: Shaped, report: str
) -> tuple[Attempt, ...]:
    """Commands to try, the most promising first."""
    reason = objective.reason or ""
    if reason == "not_covered":  # the report is one of other tests
        return (Attempt("try to generate a test that covers it", show_command(command_of(unit))),)
    words = with_option(_same_folder(unit), "--json", report)
    if reason in _PLAIN:
        return (Attempt(_PLAIN[reason], show_command(words)),)
    if reason == "state":
        several = with_option(("generate", unit.file, *words[2:]), "--sequence", f"{unit.function}*{DEFAULT_CALLS}")
        return (Attempt("call it several times", show_command(several)), *_reshaped(unit, words, shaped))
    if reason == "more_calls":
        return tuple(_more_calls(objective, words))
    if reason == "shape":
        return tuple(_reshaped(unit, words, shaped))
    if reason == "check":
        return (Attempt("run without the checks", show_command(without_option(words, "--check"))),)
    if reason in ("approximate", "not_encoded"):
        return tuple(_more_exact(unit, options, words))
    if reason in ("runs_died", "only_crashing"):
        return tuple(_survive(unit, options, words))
    return tuple(_raised(_limit_hit(objective, options), options, words))


def _limit_hit(objective: ReportedObjective, options: Options) -> str:
    """The option to raise. If loops were not unrolled up to their limit, it was the time that did not suffice."""
    found = re.search(r"within (\d+) iterations", objective.why)
    is_short = objective.reason == "not_within" and found and int(found[1]) < options.unroll_limit
    return "--time-limit" if is_short else objective.option


_PLAIN = {
    "interrupted": "let the search run to its end",
    "not_tried": "try again",
}


def _raised(flag: str, options: Options, words: Sequence[str]) -> Iterator[Attempt]:
    """Raise the limit of this option, if it is a number."""
    if not flag or not any(flag in option.flags for option in OPTIONS.values()):
        return
    now = getattr(options, _name_of(flag))
    if isinstance(now, int | float) and not isinstance(now, bool):
        yield Attempt(f"raise the limit ({flag})", show_command(with_option(words, flag, f"{now * RAISE:g}")))


_WITHIN = re.compile(r"within `([^`]+)`")
_REPEATED = re.compile(r"\*(\d+)")


def _more_calls(objective: ReportedObjective, words: Sequence[str]) -> Iterator[Attempt]:
    """A longer sequence; of one without repetitions, the last call is repeated."""
    found = _WITHIN.search(objective.why)
    if found is None:
        return
    longer = _REPEATED.sub(lambda times: f"*{2 * int(times[1])}", found[1])
    longer = f"{longer}*2" if longer == found[1] else longer
    own, flags = _split(words)
    others = _without(own, OPTIONS["sequences"].flags, 1)
    target = (*others[:1], others[1].rpartition(":")[0] or others[1], *others[2:])  # without the name of the sequence
    yield Attempt("make more calls", show_command((*target, "--sequence", longer, *flags)))


def _reshaped(unit: UnitReport, words: Sequence[str], shaped: Shaped) -> Iterator[Attempt]:
    """Show the inputs; then make all of them larger at once."""
    _, flags = _split(words)
    target = f"{unit.file}:{unit.function}"
    yield Attempt("see the inputs of the function, and how to change them", show_command(("inputs", target, *flags)))
    writing = tuple(words)
    for argument in shaped.unwritten[:MOST_FACTS]:
        writing = with_option(writing, "--stub-writes", argument)
    if shaped.unwritten:
        yield Attempt("let stubs write inputs through their arguments", show_command(writing))
    larger, settings = list(_larger(shaped.wishes)), dict(shaped.settings)
    for wish in larger[:MOST_FACTS]:
        words = with_option(words, "--input", wish)
    depth, limit = settings.get("depth"), settings.get("max-elements")
    if isinstance(depth, int):
        words = with_option(words, "--depth", str(depth + 2))
    if isinstance(limit, int) and any(_count(wish) > limit for wish in larger):
        words = with_option(words, "--max-elements", str(limit * RAISE))
    if larger or isinstance(depth, int):
        yield Attempt("use larger inputs", show_command(words))
    if settings.get("enum") == "members":
        yield Attempt("let enums have any value of their type", show_command(with_option(words, "--enum", "any")))


_SIZE = re.compile(r"\b(array|string|bytes) (\d+)")


def _larger(wishes: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Larger sizes only: any other wish would be a new assumption."""
    for path, wish in wishes:
        found = _SIZE.search(wish)
        if found:
            yield f"{path}={found[1]} {int(found[2]) * RAISE}"


def _count(wish: str) -> int:
    found = _SIZE.search(wish)
    return int(found[2]) if found else 0


def _more_exact(unit: UnitReport, options: Options, words: Sequence[str]) -> Iterator[Attempt]:
    reasons = [each.reason for each in unit.concretisations]
    called = [found[1] for found in map(_CALLED.match, reasons) if found]
    for name in dict.fromkeys(called):
        yield Attempt(f"make the answers of `{name}` inputs", show_command(with_option(words, "--stub", name)))
    if any("symbolic address" in reason for reason in reasons):
        more = str(options.index_limit * RAISE)
        yield Attempt("follow indices into longer arrays", show_command(with_option(words, "--index-limit", more)))


_CALLED = re.compile(r"(?:call of )?`(\w+)`")


def _survive(unit: UnitReport, options: Options, words: Sequence[str]) -> Iterator[Attempt]:
    if any(f"linked with {each.file}" in unit.notes for each in unit.crashes):
        apart = show_command(with_option(without_option(words, "--link"), "--link", "none"))
        yield Attempt("replace the functions of the linked file, in which runs end, by stubs", apart)
    if any(each.outcome == "timed_out" for each in unit.crashes):
        longer = f"{options.run_time_limit * RAISE:g}"
        yield Attempt("allow longer runs", show_command(with_option(words, "--run-time-limit", longer)))
    if any(each.outcome != "timed_out" for each in unit.crashes):
        excluding = show_command(with_option(words, "--assume", "EXPRESSION"))
        yield Attempt("exclude inputs that end runs early, if no caller passes them", excluding)
