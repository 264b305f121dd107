"""What looks at a whole C file, and not only at what a unit reaches, is known to the key of the store.

Results are stored by what a unit depends on (units/code_parts.py). An analysis that is given the program of the whole
file must look only at what the unit reaches, or have its answer among the facts of the key. Whoever adds one says here
which of both it is; tests/integration/test_equal_keys.py tries it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import tightrope
from tightrope.units import code_parts

SOURCES = Path(tightrope.__file__).parent
ROOMS = ("units", "soundness", "engines", "commands/generate")  # that know files, and make results that are stored
OF_KEY = "units/code_parts.py"
WHOLE = ("program", "ir")  # of a PreparedFile
JOINED = {"units/choose_inputs.py": "everything"}  # a name for the file's program with the linked ones
REACHED = "only what the unit reaches"
NAMES = "the names of functions and globals, which the text outside of bodies has"

# Who is given the program of a file: why equal keys have equal answers; after `fact:`, a word of the facts of the key.
ANALYSES = {
    "units/choose_inputs.py": {
        "add_hidden_functions": REACHED,
        "beside.find_hints if beside else find_hints": REACHED,
        "check_stubs": NAMES,
        "file.program.functions": NAMES,
        "find_argument_needs": "only main",
        "find_interface": "fact: functions_without_return, reads_descriptor_0, is_defined; else what the unit reaches",
        "join_programs": "the programs as one, which is `everything`",
        "(programs, outlines)": "fact: is_defined; else what the unit reaches",
        "_library_of": "fact: is_defined",
        "without_hidden_data": "bodies with the word `extern` count for every function",
        "_with_registers": "fact: may_access_registers, _volatile_names; else what the unit reaches",
    },
    "units/linking.py": {
        "file.program.functions": "a linked file, all of which counts",
        "file.program.functions.items": "a linked file, all of which counts",
        "find_register_accesses": "a linked file, all of which counts",
    },
    "units/prepare.py": {"file.program.globals.items": NAMES},
    "units/sequences.py": {"find_sequences": "sequences, for which the whole file counts"},
    "soundness/assumptions.py": {
        "_reached": REACHED,
        "(known, reached)": NAMES,
        "weak_references": "declarations",
    },
    "engines/code_proofs.py": {"unit.file.program.globals.items": "fact: is_defined"},
    "commands/generate/pipeline.py": {"check_inputs": NAMES},
    "commands/generate/unit_report.py": {
        "unit.file.program.functions": NAMES,
        "unit.file.program.functions.items": NAMES,
    },
}


def uses_of(file: Path) -> Iterator[str]:
    """Who is given the program of a file: the called function, the expression, or the variable that it is assigned to."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    name = file.relative_to(SOURCES).as_posix()
    for node in ast.walk(tree):
        if _is_program(node) or (isinstance(node, ast.Name) and _is_joined(node, name)):
            yield _user(node, parents)


def _is_joined(node: ast.Name, file: str) -> bool:
    return node.id == JOINED.get(file) and isinstance(node.ctx, ast.Load)


def _is_program(node: ast.AST) -> bool:
    """`file.program`, `unit.file.program`."""
    if not isinstance(node, ast.Attribute) or node.attr not in WHOLE:
        return False
    return getattr(node.value, "id", getattr(node.value, "attr", "")) == "file"


def _user(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    above = parents[node]
    if isinstance(above, ast.Attribute | ast.List | ast.Tuple):
        return _user(above, parents)
    if isinstance(above, ast.Call):
        return ast.unparse(above.func)
    return ast.unparse(above.targets[0] if isinstance(above, ast.Assign) else node)


def test_who_is_given_the_program_of_a_file_is_listed() -> None:
    found = {
        name: uses
        for room in ROOMS
        for file in sorted((SOURCES / room).rglob("*.py"))
        if (name := file.relative_to(SOURCES).as_posix()) != OF_KEY and (uses := set(uses_of(file)))
    }
    assert found == {name: set(listed) for name, listed in ANALYSES.items()}


def test_facts_of_the_list_are_in_the_key() -> None:
    facts = inspect.getsource(code_parts._facts)
    told = [why for listed in ANALYSES.values() for why in listed.values() if why.startswith("fact: ")]
    words = [word for why in told for word in why.removeprefix("fact: ").partition(";")[0].split(", ")]
    assert [word for word in words if word not in facts] == []
