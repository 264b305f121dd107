"""All mutants in one text."""

from __future__ import annotations

from tightrope.location import Location
from tightrope.program.marks.mutants import (
    DECLARATIONS,
    MutantForm,
    SourceMutant,
    apply_mutant,
    write_schemata,
)

TEXT = "int f(int a) { a = a + 1; break; }"


def mutant(part: str, replacement: str, form: MutantForm = MutantForm.VALUE, problem: str = "") -> SourceMutant:
    start = TEXT.index(part)
    place = Location("unit.c", 1, start + 1)
    return SourceMutant(
        "@f", "x", "", place, "", start, start + len(part), replacement, form, problem=problem
    )  # fmt: skip


def written(*mutants: SourceMutant) -> str:
    return write_schemata(TEXT, mutants).text.removeprefix(DECLARATIONS)


def test_each_form():
    found = written(mutant("a + 1", "a - 1"))
    assert found == "int f(int a) { a = (tightrope_at(1, 1) ? (a - 1) : (a + 1)); break; }"
    found = written(mutant("a + 1", "0", MutantForm.TRUTH))
    assert "(tightrope_at(1, 1) ? (0) : !!(a + 1))" in found
    found = written(mutant("a = a + 1", "0", MutantForm.EFFECT))
    assert "(tightrope_at(1, 1) ? (void)(0) : (void)(a = a + 1));" in found
    found = written(mutant("break;", ";", MutantForm.JUMP), mutant("break;", "continue;", MutantForm.JUMP))
    alternatives = "if (tightrope_mutant == 1) { ; }if (tightrope_mutant == 2) { continue; }"
    assert f"{{ if (tightrope_at(1, 2)) {{ {alternatives} }} else {{ break; }} }}" in found


def test_several_at_one_place_are_alternatives():
    found = written(mutant("a + 1", "a - 1"), mutant("a + 1", "a * 1"))
    assert "(tightrope_at(1, 2) ? tightrope_mutant == 1 ? (a - 1) : (a * 1) : (a + 1))" in found


def test_a_replacement_contains_the_original_of_its_parts():
    outer, inner = mutant("a + 1", "a - 1"), mutant("1;", "2")
    inner = SourceMutant("@f", "x", "", inner.location, "", inner.start, inner.start + 1, "2")
    assert "(tightrope_at(1, 1) ? (a - 1) : (a + (tightrope_at(2, 1) ? (2) : (1))))" in written(outer, inner)


def test_forms_of_one_place_nest():
    effect, value = mutant("a = a + 1", "0", MutantForm.EFFECT), mutant("a = a + 1", "b = a + 1")
    expected = "(tightrope_at(1, 1) ? (void)(0) : (void)((tightrope_at(2, 1) ? (b = a + 1) : (a = a + 1))))"
    assert expected in written(effect, value)


def test_a_mutant_with_a_problem_is_left_out_and_keeps_its_number():
    found = written(mutant("a + 1", "a - 1", problem="it does not compile"), mutant("a + 1", "a * 1"))
    assert "(tightrope_at(2, 1) ? (a * 1) : (a + 1))" in found


def test_an_error_is_the_fault_of_the_innermost_replacement():
    schemata = write_schemata(TEXT, [mutant("a + 1", "a - 1"), mutant("a + 1", "a * 1")])
    assert schemata.find(schemata.text.index("a - 1")) == (1,)
    assert schemata.find(schemata.text.index("a * 1")) == (2,)
    assert schemata.find(schemata.text.index("tightrope_at(1")) == (1, 2)
    assert schemata.find(schemata.text.index("int f")) == ()


def test_one_mutant_alone():
    assert apply_mutant(TEXT, mutant("a + 1", "a - 1")) == "int f(int a) { a = (a - 1); break; }"
    assert apply_mutant(TEXT, mutant("break;", ";", MutantForm.JUMP)) == "int f(int a) { a = a + 1;  ;  }"
