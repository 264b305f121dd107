"""What is tested: functions, with exactly the inputs that every tool may choose. Read from subjects.toml.

An input is a C lvalue. `data[4]` stands for its four elements, `points[2].x` for that member of two elements; all other
parts of the objects stay zero. So the domain is the same for all tools, and a test is a value for each lvalue.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("subjects.toml")
_COUNT = re.compile(r"\[(\d+)\]")
_STUB = re.compile(r"(?P<type>.*?)(?P<name>\w+)\s*\((?P<parameters>.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FunctionUnderTest:
    """A function and its domain. `description.json`, which runners read, is this as JSON."""

    name: str
    file: str  # C file, which is included whole: its static functions and data can be named
    function: str
    call: str  # the call under test, a C expression
    inputs: tuple[str, ...]  # lvalues; `[N]` stands for N elements
    objects: tuple[str, ...] = ()  # C declarations of what the call and the inputs name; zero at first
    before: tuple[str, ...] = ()  # C statements between the inputs and the preconditions
    preconditions: tuple[str, ...] = ()  # C expressions; other tests are invalid
    stubs: Mapping[str, int] | None = None  # prototype of a function without body -> how many of its answers are inputs
    flags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # C files that it calls, included too; their decisions do not count
    package: str = ""  # of bench/real, where `file` is
    counted: tuple[str, ...] = ()  # functions whose decisions count; none: all of the file
    not_counted: tuple[str, ...] = ()  # other entries of the same file, which the call cannot reach
    unwind: int = 10  # iterations of the longest loop, for tools that ask

    @property
    def leaves(self) -> tuple[str, ...]:
        """Every scalar that is an input, as a C lvalue: the keys of a test."""
        listed = (*self.inputs, *(f"{name}_answers[{count}]" for name, _, count in self.answers if count))
        return tuple(leaf for path in listed for leaf in expand(path))

    @property
    def answers(self) -> tuple[tuple[str, str, int], ...]:
        """Name, prototype and number of answers of each stub."""
        return tuple((_parts(text)["name"], text, count) for text, count in (self.stubs or {}).items())

    @property
    def prologue(self) -> str:
        """C: the unit and its stubs. After the last answer, a stub answers zero."""
        return (
            "\n".join(
                [
                    *(f'#include "{file}"' for file in (self.file, *self.also)),
                    *(_stub_text(*each) for each in self.answers),
                ]
            )
            + "\n"
        )

    @property
    def declarations(self) -> str:
        return "\n".join(f"    static {text};" for text in self.objects)

    def counts(self, function: str) -> bool:
        """Whether the decisions of this function count."""
        return function in self.counted if self.counted else function not in self.not_counted

    def as_json(self) -> str:
        """What a runner gets: the description, the lvalues one by one, and a harness in C."""
        return json.dumps({**asdict(self), "leaves": self.leaves, "harness": harness(self)}, indent=1)


def harness(subject: FunctionUnderTest) -> str:
    """C for tools that run or read programs: `INPUT(lvalue, "lvalue")` and `ASSUME(condition)` are macros of the tool,
    and `BEFORE_CALL` if it has a use for it; `subject()` makes one call."""
    lines = [subject.prologue, "static void subject(void)\n{", subject.declarations]
    lines += [f"    {name}_calls = 0;" for name, _, count in subject.answers if count]
    lines += [f'    INPUT({leaf}, "{leaf}");' for leaf in subject.leaves]
    lines += [f"    {text};" for text in subject.before]
    lines += [f"    ASSUME({text});" for text in subject.preconditions]
    lines += ["#ifdef BEFORE_CALL", "    BEFORE_CALL;", "#endif"]
    return "\n".join([*lines, f"    (void)({subject.call});", "}"]) + "\n"


def expand(path: str) -> Iterator[str]:
    """`a[2].b[2]` -> a[0].b[0], a[0].b[1], a[1].b[0], a[1].b[1]"""
    counts = [range(int(count)) for count in _COUNT.findall(path)]
    for places in itertools.product(*counts):
        rest = iter(places)
        yield _COUNT.sub(lambda _, rest=rest: f"[{next(rest)}]", path)  # type: ignore[misc]


def read_subjects(file: Path = LIST, only: Sequence[str] = ()) -> list[FunctionUnderTest]:
    with file.open("rb") as text:
        listed = tomllib.load(text)
    chosen = {name: said for name, said in listed.items() if not only or any(fnmatch(name, each) for each in only)}
    return [_subject(name, said) for name, said in chosen.items()]


def from_json(text: str) -> FunctionUnderTest:
    """The inverse of `as_json`."""
    said = json.loads(text)
    return _subject(said["name"], {key: said[key] for key in said if key not in ("name", "leaves", "harness")})


def _subject(name: str, said: Mapping[str, Any]) -> FunctionUnderTest:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
    if unknown := set(values) - set(FunctionUnderTest.__dataclass_fields__):
        raise ValueError(f"{name}: unknown keys in its description: {', '.join(sorted(unknown))}")
    if not values.get("package"):
        values["file"] = str(ROOT / values["file"])
    return FunctionUnderTest(name, **values)


def _parts(prototype: str) -> re.Match[str]:
    found = _STUB.fullmatch(prototype.strip())
    if found is None:
        raise ValueError(f"no prototype of a function: {prototype}")
    return found


def _stub_text(name: str, prototype: str, count: int) -> str:
    if not count:
        return f"{prototype} {{}}"
    kind = _parts(prototype)["type"].strip()
    return (
        f"static {kind} {name}_answers[{count}];\n"
        f"static int {name}_calls;\n"
        f"{prototype}\n{{\n    return {name}_calls < {count} ? {name}_answers[{name}_calls++] : ({kind})0;\n}}"
    )
