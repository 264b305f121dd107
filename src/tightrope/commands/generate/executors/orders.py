"""Jobs as bytes. What several of them share (the files of a parcel) is left out: it travels once to each worker.

job ──▶ order, with the names of what it shares
        contents: name ──▶ bytes, for whoever has none of this name
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tightrope.commands.generate.executors.executor import Shared

MOST_KEPT = 8  # contents that a process keeps: those of the files at work, mostly one


@dataclass(frozen=True, slots=True)
class JobOrder:
    """`names` of what it shares with others."""

    content: bytes
    names: tuple[str, ...]


@dataclass(slots=True)
class KeptContents:
    """The last contents that were used. Two that hear of the same names in the same order keep the same ones."""

    contents: OrderedDict[str, bytes] = field(default_factory=OrderedDict)

    def add(self, contents: Mapping[str, bytes], names: tuple[str, ...]) -> None:
        """`names` are used now, those that are new among the contents."""
        for name in names:
            self.contents[name] = contents[name] if name in contents else self.contents[name]
            self.contents.move_to_end(name)
        while len(self.contents) > max(MOST_KEPT, len(names)):
            self.contents.popitem(last=False)

    def lacks(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.contents)


def pack(job: Any) -> tuple[JobOrder, Mapping[str, Any]]:
    """The order, and what it shares."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer)
    pickler.dump(job)
    return JobOrder(buffer.getvalue(), tuple(pickler.found)), pickler.found


def unpack(order: JobOrder, contents: Mapping[str, Any]) -> Any:
    """`contents` are values here."""
    return _Unpickler(io.BytesIO(order.content), contents).load()


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(buffer)
        self.found: dict[str, Any] = {}

    def persistent_id(self, value: Any) -> str | None:
        if type(value) is not Shared:
            return None
        self.found[value.name] = value.value
        return str(value.name)


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, contents: Mapping[str, Any]) -> None:
        super().__init__(buffer)
        self._contents = contents

    def persistent_load(self, name: Any) -> Shared:
        return Shared(name, self._contents[name])
