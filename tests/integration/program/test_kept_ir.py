"""IR that is kept is what would be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.program.ir import needed_part as rules
from tightrope.program.ir.needed_part import needed_part
from tightrope.program.ir.read_ir import assemble, raw_text
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import find_compiler
from tightrope.units import kept_ir
from tightrope.units.kept_ir import kept_part, kept_raw_text

FUNCTIONS = "\n".join(f"int f{n}(int a) {{ return a > {n} ? f{n // 2}(a - 1) + s : t; }}" for n in range(1, 200))
TEXT = f"static int s; const int t = 3; int f0(int a) {{ return a; }}\n{FUNCTIONS}\n"


@pytest.fixture(scope="module")
def bitcode() -> bytes:
    made = compile_to_bitcode(find_compiler(), TEXT)
    assert len(made) > kept_ir.LEAST
    return made


def test_each_answer_is_that_for_its_question(bitcode: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    smaller = assemble(raw_text(bitcode).replace("i32 3", "i32 4", 1))
    questions = [
        (module, wanted, constants, with_users)
        for module in (bitcode, smaller)
        for wanted in ({"f7"}, {"f8"}, {"f7", "f8"}, {"f7", "f100"})
        for constants in (set(), {"t"})
        for with_users in (False, True)
    ]
    for _ in range(2):
        for module, wanted, constants, with_users in questions:
            expected = assemble(needed_part(raw_text(module), wanted, "tightrope_", constants, with_users=with_users))
            found = kept_part(module, wanted, constants, with_users=with_users)
            assert raw_text(found) == raw_text(expected)
    assert [kept_raw_text(each) for each in (bitcode, smaller, bitcode)] == [
        *map(raw_text, (bitcode, smaller, bitcode))
    ]


def test_it_is_made_once(bitcode: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = kept_part(bitcode, {"f7"}, (), with_users=False), kept_raw_text(bitcode)
    monkeypatch.setattr(kept_ir, "raw_text", lambda module: pytest.fail("made again"))
    assert (kept_part(bitcode, {"f7"}, (), with_users=False), kept_raw_text(bitcode)) == first


def test_other_rules_make_it_anew(bitcode: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept_part(bitcode, {"f7"}, (), with_users=False)
    changed = tmp_path / "rules.py"
    changed.write_text("# other rules")
    kept_ir._version.cache_clear()
    monkeypatch.setattr(rules, "__file__", str(changed))
    monkeypatch.setattr(kept_ir, "needed_part", lambda text, *given, **named: text)
    assert kept_part(bitcode, {"f7"}, (), with_users=False) == bitcode
    kept_ir._version.cache_clear()
