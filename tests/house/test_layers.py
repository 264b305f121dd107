"""Imports point downwards, and each outside library has its few doors. docs/explanation/architecture.md draws it."""

from __future__ import annotations

import pytest
from imports import imports_of, modules, own_imports, room

GROUND = {"errors", "location", "version", "collector"}  # may be imported by all
MAY_IMPORT = {
    "errors": {"location"},
    "location": set(),
    "version": set(),
    "collector": set(),
    "expr": set(),
    "source": set(),
    "program": {"expr"},
    "objectives": {"expr", "program"},
    "changes": {"program", "objectives", "execution"},  # of the last, its tables
    "execution": {"expr", "program", "objectives"},
    "symbolic": {"expr", "program", "execution"},
    "solving": {"expr"},
    "search": {"expr", "program", "objectives", "symbolic", "solving", "execution"},
    "proofs": {"expr", "program", "objectives", "symbolic", "solving", "execution"},  # its tables
    "suite": {"program", "objectives", "execution"},
    "report": {"program", "objectives", "suite"},
    "targets": set(),
    "options": {
        "targets",
        "option_values",
        "program",
        "execution",
        "objectives",
        "search",
        "solving",
        "suite",
        "report",
    },  # only their tables of names
    "option_values": {"objectives", "program"},
    "spec": {"options", "option_values"},
    "interrupts": set(),
    "parallel": {"interrupts"},
}
ON_TOP = {
    "__main__",
    "advice",
    "annotate",
    "arguments",
    "asked",
    "changed_function",
    "changed_rows",
    "chosen",
    "cli",
    "comparing",
    "conclude",
    "contradictions",
    "decide",
    "diff",
    "difference",
    "doctor",
    "domain",
    "doubts",
    "equality",
    "exhausted",
    "explain",
    "explore",
    "function_syntax",
    "help_texts",
    "impacted",
    "inputs",
    "keeper",
    "lift",
    "linking",
    "list_objectives",
    "marking",
    "measure",
    "measured_program",
    "old_tests",
    "options_page",
    "pipeline",
    "prepare",
    "proof_keeper",
    "recount",
    "refutation",
    "site_words",
    "tally",
    "tightrope",
    "turns",
    "unit_report",
    "versions",
    "why_open",
}  # wire the rooms together; nobody below imports them
EXTRA = {  # single files that may do more, with the reason
    ("tightrope.execution.build", "source"): "compiles driver and runtime",
}

DOORS = {  # outside library -> the only modules that may import it
    "llvmlite": ("tightrope.program.read_ir", "tightrope.program.layout", "tightrope.execution."),
    "bitwuzla": ("tightrope.solving.backends.",),
    "z3": ("tightrope.solving.backends.",),
    "subprocess": ("tightrope.source.process", "tightrope.execution.", "tightrope.suite.native"),
    "multiprocessing": ("tightrope.execution.", "tightrope.parallel"),
    "ctypes": ("tightrope.execution.", "tightrope.expr.ieee"),
    "rich": ("tightrope.report.", "tightrope.cli"),
    "jinja2": ("tightrope.report.", "tightrope.suite."),
    "argparse": ("tightrope.arguments",),
}


@pytest.mark.parametrize("module", modules())
def test_imports_point_downwards(module):
    here = room(module)
    if here in ON_TOP:
        return
    assert here in MAY_IMPORT, f"{here} is a new room: give it its line in MAY_IMPORT and in the architecture page"
    allowed = MAY_IMPORT[here] | GROUND | {here} | {to for (file, to) in EXTRA if file == module}
    wrong = [name for name in own_imports(module) if room(name) not in allowed]
    assert not wrong, f"{module} may import {sorted(allowed)}, not {wrong}"


@pytest.mark.parametrize("module", modules())
def test_outside_libraries_come_in_by_their_doors(module):
    for library in {name.split(".")[0] for name in imports_of(module)} & DOORS.keys():
        is_allowed = any(module.startswith(door) for door in DOORS[library])
        assert is_allowed, f"only {DOORS[library]} may import {library}, not {module}"


def test_only_the_top_reads_options():
    readers = {module for module in modules() if "tightrope.options" in imports_of(module)}
    assert {room(module) for module in readers} <= ON_TOP | {"spec"}, "packages receive plain values"


def test_no_import_cycle():
    """Imports for types alone are never executed, so two modules may name each other's types."""
    finished: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, "import cycle: " + " -> ".join((*trail[trail.index(module) :], module))
        if module not in finished:
            for name in own_imports(module, with_types=False):
                visit(name, (*trail, module))
            finished.add(module)

    for module in modules():
        visit(module, ())
