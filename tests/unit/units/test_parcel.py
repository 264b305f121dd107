"""What travels with a job, without a compiler: who is asked for headers, and how often."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tightrope.options.options import Options
from tightrope.source.toolchain import Compiler
from tightrope.units import parcel
from tightrope.units.parcel import Packer
from tightrope.units.select_functions import FunctionJob

FILES = {
    "a.c": "int b(int n);\nint a(int n)\n{\n    return b(n);\n}\n",
    "b.c": "int a(int n);\nint b(int n)\n{\n    return a(n);\n}\n",
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A project of two files that call each other; how often the compiler was asked for the headers of each."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    entries = [{"directory": str(tmp_path), "file": name, "arguments": ["cc", "-c", name]} for name in FILES]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    found: Counter[str] = Counter()

    def list_dependencies(compiler: Compiler, file: Path, *others: Any, **named: Any) -> tuple[str, ...]:
        found[file.name] += 1
        return (str(file),)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parcel, "list_dependencies", list_dependencies)
    monkeypatch.setattr(parcel, "known_flags", lambda compiler, recipe: recipe.flags)
    return found


def test_a_file_of_several_parcels_is_asked_for_its_headers_once(asked: Counter[str]) -> None:
    packer = Packer(Compiler(("cc",), "clang", "19", False), Options(()))
    jobs = [
        FunctionJob(Path("a.c").absolute(), "a", missing=("b",)),
        FunctionJob(Path("b.c").absolute(), "b", missing=("a",)),
    ]
    packed = [packer.pack(job) for job in jobs]
    for each in packed:
        assert {Path(path).name for path, _ in each.tree.files} == {"a.c", "b.c"}
    assert asked == {"a.c": 1, "b.c": 1}
