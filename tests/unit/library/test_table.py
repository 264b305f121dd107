"""The table of the C library, and that no other file keeps a list of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tightrope
from tightrope.expr.operators import Op
from tightrope.library import libc_models
from tightrope.library.libc_models import MODEL_FILES, PREFIX, may_change_process
from tightrope.library.table import FUNCTIONS, MODELS, SECTIONS, Fact, functions_with
from tightrope.program.declarations.stubs import ALLOCATORS, OUTSIDE, RESIZERS

SOURCE = Path(tightrope.__file__).parent
HEADER = re.compile(r"[a-z]+(/[a-z]+)*\.h")
NO_HEADER = {"(_FORTIFY_SOURCE)", "(compiler)", "(models)"}
DOCUMENTS = Path(__file__).parents[3] / "docs"
MOST_NAMES = 2  # in one expression of another file


def test_names_are_unique() -> None:
    names = [name for section in SECTIONS for name in section.names]
    assert sorted(names) == sorted(set(names))


def test_headers_are_headers() -> None:
    assert {one.header for one in FUNCTIONS.values() if not HEADER.fullmatch(one.header)} == NO_HEADER


def test_every_model_has_its_row_and_every_row_its_model() -> None:
    assert sorted(section.path for section in MODEL_FILES) == sorted(MODELS.glob("*.c"))
    for section in MODEL_FILES:
        defined = re.findall(rf"^\w[^;=\n]*\b{PREFIX}(\w+)\([^;]*?\)\s*{{", section.path.read_text(), re.MULTILINE)
        assert sorted(defined) == sorted(section.names)


def test_files_of_models_call_files_of_models() -> None:
    assert {name for section in SECTIONS for name in section.requires} <= {section.model for section in MODEL_FILES}


@pytest.mark.parametrize("fact", Fact)
def test_every_fact_is_true_of_some_function(fact: Fact) -> None:
    assert functions_with(fact)


@pytest.mark.parametrize("name", [name for name in vars(libc_models) if name.isupper() and name[0] != "_"])
def test_derived_sets_hold_something(name: str) -> None:
    assert len(getattr(libc_models, name) if name != "MODELS" else [MODELS]) > 0


def test_values_are_among_those_that_others_know() -> None:
    assert {one.ends for one in FUNCTIONS.values()} == {"", "exit", "abort", "assertion", "jump"}
    assert {one.heap for one in FUNCTIONS.values()} == {"", "malloc", "calloc", "realloc", "free"}
    assert all(not one.operator or one.operator in Op.__members__ for one in FUNCTIONS.values())


def test_what_may_fail_allocates() -> None:
    assert set(ALLOCATORS) <= functions_with(Fact.ALLOCATES)
    assert set(ALLOCATORS) >= RESIZERS
    assert all(len(kinds) > 1 for kinds in ALLOCATORS.values())


def test_only_answers_from_outside_have_masks_and_parameters_that_they_write() -> None:
    assert {name for name, one in FUNCTIONS.items() if one.mask is not None or one.writes} < set(OUTSIDE)
    assert {name for name, one in FUNCTIONS.items() if one.result} < set(OUTSIDE)
    assert OUTSIDE["time"].stores and OUTSIDE["clock_gettime"].writes == 2 and OUTSIDE["isatty"].mask == 1


def test_all_that_prints_is_output() -> None:
    silent = {"setbuf", "setvbuf", "setlinebuf", "fflush", "fflush_unlocked", "openlog", "closelog"}
    assert functions_with(Fact.HARMLESS) - functions_with(Fact.OUTPUT) == silent


@pytest.mark.parametrize(
    "name", ["strlen", "malloc", "exit", "sqrt", "sin", "printf", "strerror", "getenv", "__muldc3"]
)
def test_what_leaves_the_process_as_it_was(name: str) -> None:
    assert not may_change_process(name)


@pytest.mark.parametrize("name", ["strtok", "setbuf", "write", "dprintf", "chdir", "signal", "nobody_knows_it"])
def test_what_may_change_the_process(name: str) -> None:
    assert may_change_process(name)


# -- documentation


def test_the_page_about_stubs_names_all_answers_from_outside() -> None:
    page = (DOCUMENTS / "how-to" / "stubs.md").read_text()
    assert [name for name in (*OUTSIDE, *ALLOCATORS) if f"`{name}`" not in page] == []


def test_the_page_about_the_library_names_all_models() -> None:
    page = (DOCUMENTS / "reference" / "library.md").read_text()
    names = [name for section in MODEL_FILES for name in section.names if not name.startswith("_")]
    assert [name for name in names if f"`{name}`" not in page] == []


# -- no second list

LISTED_ELSEWHERE = {
    "program/declarations/stubs.py": "what written tests call themselves; what a name that looks like it stands for",
    "running/syscall_filter.py": "system calls",
    "coverage/mutation/operators.py": "what `assert` expands to on other systems, too",
    "weaving/probes.py": "intrinsics of LLVM",
    "weaving/weave_intrinsics.py": "intrinsics of LLVM",
    "encoding/numbers.py": "intrinsics of LLVM",
    "inputs/length_names.py": "words in names of variables: `time`, `index`, `error`",
    "inputs/whole_program.py": "words in names of variables: `err`, `log`",
}


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_other_file_lists_functions_of_the_library(file: Path) -> None:
    name = file.relative_to(SOURCE).as_posix()
    lists = list(_lists(ast.parse(file.read_text())))
    if name == "library/table.py" or name in LISTED_ELSEWHERE:
        assert lists, f"{name} is no exception any more"
        return
    assert not lists, f"{name}:{lists[0][0]} lists {lists[0][1]}: this belongs into library/table.py"


def _lists(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """Statements that spell several names, whole or as words of one text; sentences and documentation do not count."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return | ast.If | ast.Compare):
            value = statement.test if isinstance(statement, ast.If) else statement
            found = sorted({name for text in _texts(value) for name in _names(text)})
            if len(found) > MOST_NAMES:
                yield statement.lineno, found


def _texts(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _names(text: str) -> list[str]:
    words = re.split(r"[\s|]+", text.strip().replace("@", ""))
    known = [word for word in words if word in FUNCTIONS]
    return known if len(known) == len(words) or len(known) > MOST_NAMES else []
