"""Imports point downwards, and each outside library has its few doors. docs/explanation/architecture.md draws it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter

import pytest
from imports import ROOT, imports_of, modules, own_imports, room

GROUND = {"deadline", "errors", "location", "version"}  # may be imported by all
LAYERS = (  # from the top down; a module imports rooms of lower lines only; rooms on one line do not know each other
    ("__main__", "tightrope"),
    ("cli", "api"),
    ("commands.explain", "commands.diff", "commands.evidence"),
    ("commands.diff.impact", "commands.diff.old_tests", "commands.diff.versions"),
    ("commands.diff.changes", "commands.diff.comparing", "commands", "command_line"),
    ("commands.generate",),
    ("commands.generate.executors",),
    ("commands.measure",),
    ("equality",),
    ("engines",),
    ("soundness", "report"),
    ("units", "encoding"),
    ("options", "source", "store"),
    ("search", "suite"),
    ("solving", "weaving"),
    ("running",),
    ("harness",),
    ("inputs", "coverage"),
    ("program.pointers", "program.devices", "program.normal_form"),
    ("program.declarations", "program.marks"),
    ("program.flow", "program.decisions"),
    ("library",),
    ("program.ir", "program.c_text", "expr", "program"),
    ("errors",),
    ("deadline", "location", "version"),
)
HEIGHT = {room: -number for number, rooms in enumerate(LAYERS) for room in rooms}
NEVER = {  # what a room must not know, although it lies below
    "program": {"expr", "source"},
    "coverage": {"expr", "source", "library"},
    "inputs": {"source", "expr", "coverage"},
    "harness": {"source", "expr", "coverage"},
    "running": {"source", "expr", "coverage", "solving"},
    "weaving": {"source", "solving", "coverage"},
    "solving": {"program", "inputs", "harness", "running", "library", "source", "coverage"},
    "search": {"source", "options", "suite", "program.declarations", "program.c_text"},
    "suite": {"source", "solving", "search", "expr", "weaving"},
    "report": {"running", "inputs", "harness", "weaving", "search", "solving", "source", "units", "encoding"},
    "encoding": {"search", "suite", "source", "running", "coverage", "options"},
    "soundness": {"source", "report"},
    "options": {"running", "harness", "source"},
}

DOORS = {  # outside library -> the only modules that may import it
    "llvmlite": (
        "tightrope.program.ir.read_ir",
        "tightrope.program.ir.layout",
        "tightrope.running.",
        "tightrope.weaving.counting.",
    ),
    "bitwuzla": ("tightrope.solving.backends.",),
    "z3": ("tightrope.solving.backends.",),
    "subprocess": (
        "tightrope.source.process",
        "tightrope.running.",
        "tightrope.suite.native",
        "tightrope.suite.guard_nursery",
        "tightrope.commands.evidence.replay",  # a program of its own, which leaves with the pack
    ),
    "multiprocessing": ("tightrope.running.", "tightrope.commands.generate.executors."),
    "ctypes": ("tightrope.running.", "tightrope.library.symbols", "tightrope.suite.guard", "tightrope.expr.ieee"),
    "msgspec": ("tightrope.report.",),
    "rich": ("tightrope.report.", "tightrope.cli"),
    "jinja2": ("tightrope.report.", "tightrope.suite."),
    "argparse": ("tightrope.command_line.arguments", "tightrope.commands.evidence.replay"),
    "dask": ("tightrope.commands.generate.executors.local_cluster",),
    "distributed": (
        "tightrope.commands.generate.executors.dask_cluster",
        "tightrope.commands.generate.executors.cluster_worker",
        "tightrope.commands.generate.executors.local_cluster",
    ),
}


@pytest.mark.parametrize("module", modules())
def test_imports_point_downwards(module):
    here = room(module)
    assert here in HEIGHT, f"{here} is a new room: give it its line in LAYERS and in the architecture page"
    others = {room(name): name for name in own_imports(module) if room(name) != here}
    wrong = [name for other, name in others.items() if other not in GROUND and HEIGHT[other] >= HEIGHT[here]]
    assert not wrong, f"{module} is on the line of {here}, and may not import {wrong}"
    unwanted = [name for other, name in others.items() if _is_among(other, NEVER.get(here.split(".")[0], ()))]
    assert not unwanted, f"{module} must not know {unwanted}"


def _is_among(room_name, names):
    return any(room_name == name or room_name.startswith(f"{name}.") for name in names)


def test_the_architecture_page_has_the_layers():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    lines = (rooms for rooms in LAYERS if not {"__main__", "errors", "location"} & set(rooms))
    drawn = "\n".join("  |  ".join(name.replace(".", "/") for name in rooms if name != "program") for rooms in lines)
    assert f"```\n{drawn}\n```" in page, f"the layers are now:\n{drawn}"


def test_every_line_is_of_a_room():
    assert {room(module) for module in modules()} == set(HEIGHT)


def test_rooms_are_of_a_size_to_look_over():
    folders = Counter(file.parent for file in modules().values() if file.name != "__init__.py")
    crowded = {str(folder): files for folder, files in folders.items() if files > 26}
    assert not crowded, f"which rooms hide in {crowded}?"


def test_one_class_name_one_class():
    """Somebody who reads a name knows which class is meant."""
    places: dict[str, list[str]] = {}
    for module, file in modules().items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert not {name: found for name, found in places.items() if len(found) > 1}


@pytest.mark.parametrize("module", modules())
def test_outside_libraries_come_in_by_their_doors(module):
    for library in {name.split(".")[0] for name in imports_of(module)} & DOORS.keys():
        is_allowed = any(module.startswith(door) for door in DOORS[library])
        assert is_allowed, f"only {DOORS[library]} may import {library}, not {module}"


LIBRARIES = {"bitwuzla", "jinja2", "llvmlite", "msgspec", "rich", "z3"}
ROOMS_FOR_SOME = {  # a command that needs none of them does not wait for them
    "tightrope.commands.diff",
    "tightrope.commands.measure.measured_program",
    "tightrope.commands.measure.mutant_judge",
    "tightrope.coverage.labelling",
    "tightrope.coverage.mutation",
    "tightrope.encoding.loose",
    "tightrope.encoding.unit",
    "tightrope.engines.call_induction",
    "tightrope.equality",
    "xml.sax.saxutils",  # imports what speaks to networks
}


def modules_after(code):
    """What is imported when a process that executes this code ends, and what it said before."""
    asked = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); {code}"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False).stdout
    return set(said.splitlines()[-1].split()), said


@pytest.mark.parametrize("code", ["import tightrope.cli", "import tightrope"])
def test_the_command_line_is_there_without_libraries(code):
    """Nor is more of Tightrope than reads the command line."""
    imported, _ = modules_after(code)
    assert not LIBRARIES & imported
    rooms = {name.split(".")[1] for name in imported if name.startswith("tightrope.")}
    assert rooms <= {"cli", "command_line", "errors", "location", "options", "version"}


@pytest.mark.parametrize(("word", "says"), [("--version", "tightrope "), ("--help", "usage: tightrope COMMAND")])
def test_the_version_and_help_are_said_without_libraries(word, says):
    imported, said = modules_after(f"import tightrope.cli; tightrope.cli.main([{word!r}])")
    assert said.startswith(says)
    assert not LIBRARIES & imported


def test_generating_imports_no_room_that_only_some_functions_need():
    imported, _ = modules_after("import tightrope.commands.generate.pipeline")
    assert not ROOMS_FOR_SOME & imported


def test_only_rooms_above_options_read_them():
    """Packages below receive plain values."""
    readers = {room(module) for module in modules() if "tightrope.options.options" in imports_of(module)} - {"options"}
    assert all(HEIGHT[reader] > HEIGHT["options"] for reader in readers)


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
