"""Files whose unit is a sequence: the file with one more function, which makes the calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tightrope.errors import NothingMatchedError, UsageError
from tightrope.harness.driver import DRIVER_FILE
from tightrope.harness.sequence_text import SequenceText, write_sequence
from tightrope.options.targets import near_names
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.declarations.interface import refuse_uncallable
from tightrope.program.declarations.sequence import AUTO, CallSequence, SequenceItem, read_call_sequence
from tightrope.program.ir.read_ir import read_bitcode
from tightrope.units.linking import ALL_FUNCTIONS, PLAIN_CTYPE
from tightrope.units.prepared import PreparedFile
from tightrope.units.shared_state import find_sequences


def prepare_sequences(files: Sequence[PreparedFile], asked: Sequence[str]) -> list[PreparedFile]:
    """One for each sequence and each file that defines all its functions; `auto` stands for those that are found."""
    prepared = [
        prepare_sequence(file, each)
        for file in files
        for text in asked
        for each in _sequences_of(file, text)
        if len(files) == 1 or defines_all(file, each)
    ]
    for text in asked:
        if text != AUTO and len(files) > 1 and not any(defines_all(file, read_call_sequence(text)) for file in files):
            message = f"--sequence: no file defines all functions of `{text}`"
            raise NothingMatchedError(message, hint="name the file that defines them", slug="sequence")
    if not prepared:
        names = ", ".join(str(file.path) for file in files)
        message = f"--sequence auto: no functions of {names} share variables that keep their values between calls"
        hint = "test the functions one by one, or write the sequence: --sequence 'init; step*8'"
        raise NothingMatchedError(message, hint=hint, slug="sequence")
    return prepared


def _sequences_of(file: PreparedFile, text: str) -> list[CallSequence]:
    return find_sequences(file.program, file.ctypes, file.functions) if text == AUTO else [read_call_sequence(text)]


def defines_all(file: PreparedFile, sequence: CallSequence) -> bool:
    return all(name in file.functions for name in sequence.functions)


def prepare_sequence(file: PreparedFile, sequence: CallSequence) -> PreparedFile:
    """The file with a function that makes the calls."""
    for name in sequence.functions:
        if name not in file.functions:
            message = f"--sequence: no function `{name}` is defined in {file.path}"
            raise NothingMatchedError(message, hint=near_names(name, file.functions), slug="no-such-function")
        if name == "main":
            message = "--sequence: `main` cannot be called in a sequence"
            raise UsageError(message, hint="test it alone: it is the first call of its program", slug="sequence")
        refuse_uncallable(file.ctypes, file.ctypes.functions[name])
    return _with_sequence(file, write_sequence(file.ctypes, sequence))


def prepare_any_state(file: PreparedFile) -> PreparedFile:
    """The file of a sequence with a function that makes one of its calls, from any state: after the calls that come
    first, any of the others."""
    assert file.sequence is not None
    sequence = file.sequence.sequence
    calls = CallSequence((*sequence.leading, SequenceItem(sequence.repeated)))
    return _with_sequence(file, write_sequence(file.ctypes, calls, is_from_any_state=True))


def _with_sequence(file: PreparedFile, text: SequenceText) -> PreparedFile:
    flags = (*file.flags.kept, *PLAIN_CTYPE, *ALL_FUNCTIONS)
    whole = f'#include "{file.path.resolve()}"\n#line 1 "{DRIVER_FILE}"\n{text.text}'
    program, raw = read_bitcode(file.text_beside(whole, flags, DRIVER_FILE).compile())
    linker = replace(file.linker, program=program)
    return replace(file, program=program, ctypes=read_debug_info(raw), linker=linker, sequence=text)
