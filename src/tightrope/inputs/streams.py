"""Which stream of the program a `FILE *` input is: standard input for what is read, standard output for what is
written.

What the functions that the unit calls do with streams decides; where they do both, the name does.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tightrope.library.table import Fact, functions_with
from tightrope.program.declarations.c_types import CPointer, CRecord, CTypes, TypeId

STREAM_TAGS = frozenset({"_IO_FILE", "__sFILE"})
INPUT, OUTPUT = STREAMS = ("stdin", "stdout")
_READ, _WRITE = functions_with(Fact.READS_STREAM), functions_with(Fact.WRITES_STREAM)
_IS_OUTPUT = re.compile(r"(?:out|output|err|error|log|dst|dest|to|w|fpout|ofp|outf?p?|wfp)\d*", re.IGNORECASE)


def is_stream(ctypes: CTypes, number: TypeId) -> bool:
    """Whether it is `FILE *`."""
    pointer = ctypes.strip(number)
    record = ctypes.strip(pointer.target) if isinstance(pointer, CPointer) else None
    return isinstance(record, CRecord) and record.tag in STREAM_TAGS


def choose_stream(called: Collection[str], path: str) -> str:
    """`called`: functions of the library that the unit calls."""
    reads, writes = bool(_READ.intersection(called)), bool(_WRITE.intersection(called))
    if reads != writes:
        return INPUT if reads else OUTPUT
    words = re.findall(r"[A-Za-z]+\d*", re.split(r"->|[.]", path)[-1].replace("_", " "))
    return OUTPUT if any(_IS_OUTPUT.fullmatch(word) for word in words) else INPUT
