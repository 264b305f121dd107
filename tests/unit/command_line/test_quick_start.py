"""Methods that are compiled at their first call: they do what those of `dataclasses` do."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from tightrope.command_line.quick_start import make_late

CREATE = getattr(dataclasses, "_create_fn", None)
needs_text = pytest.mark.skipif(CREATE is None, reason="this Python makes all methods of a dataclass at once")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes methods late; the names of those that were compiled."""
    names: list[str] = []

    def create(name: str, *text: Any, **context: Any) -> Any:
        names.append(name)
        assert CREATE is not None
        return CREATE(name, *text, **context)

    monkeypatch.setattr(dataclasses, "_create_fn", make_late(create))
    return names


def point() -> Any:
    @dataclass(frozen=True, slots=True, order=True)
    class Point:
        x: int
        y: int = 2
        tags: tuple[str, ...] = field(default=(), compare=False)

    return Point


@needs_text
def test_nothing_is_compiled_before_it_is_called(made: list[str]) -> None:
    cls = point()
    assert made == []
    cls(1)
    assert made == ["__init__"]
    cls(1), cls(2)
    assert made == ["__init__"]


@needs_text
def test_the_methods_behave_as_those_of_dataclasses(made: list[str]) -> None:
    cls = point()
    one, same, other = cls(1), cls(1, 2, ("a",)), cls(x=1, y=3)
    assert one == same != other and hash(one) == hash(same)
    assert one < other <= other and {one: "a"}[same] == "a"
    assert repr(one).endswith("Point(x=1, y=2, tags=())") and replace(one, y=3) == other
    with pytest.raises(FrozenInstanceError):
        one.x = 5
    with pytest.raises(FrozenInstanceError):
        del one.x
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        cls()


@needs_text
def test_a_subclass_calls_the_methods_of_its_base(made: list[str]) -> None:
    base = point()

    class Named(base):  # type: ignore[misc]
        pass

    assert Named(1) == Named(1) and Named(1).y == 2
    assert base(1) == base(1) != Named(1)
    assert made.count("__init__") == 1 and made.count("__eq__") == 1


def test_only_the_command_changes_dataclasses() -> None:
    asked = (
        "import dataclasses, tightrope.api, tightrope.cli\n"
        "print(hasattr(getattr(dataclasses, '_create_fn', None), 'creates_late'))"
    )
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_a_command_does_not_collect_what_it_needs_to_the_end() -> None:
    asked = (
        "import gc, sys\n"
        "seen = []\n"
        "gc.callbacks.append(lambda phase, info: seen.append(gc.get_freeze_count()))\n"
        "from tightrope.__main__ import main\n"
        "before = len(seen)\n"
        "sys.argv = ['tightrope', 'generate', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "import tightrope.commands.generate.generate\n"
        "print(len(seen) - before, file=sys.stderr)\n"
        "def tell(phase, info, write=sys.stderr.write, frozen=gc.get_freeze_count):\n"
        "    write(f'{frozen() > 10_000} ')\n"
        "gc.callbacks[:] = [tell]\n"
    )
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    collections, *at_the_end = found.stderr.split()
    assert collections == "0", "modules were collected while they were imported"
    assert set(at_the_end) <= {"True"}, "at the end, there is nothing to look through: all is frozen"
