"""A unit's program in which uninitialised locals hold unknown values.

In runs such a local is zero, and LLVM's SROA makes it a constant: `int x; if (c) x = 1; return x;` is compiled as if
the C said `int x = 0`. A proof of equality must not rely on that, because adding `= 0` is a fix. So calls stand for
such values (see program/marks/unwritten.py).
"""

from __future__ import annotations

from tightrope.equality.left_locals import keep_left_locals, without_keeping
from tightrope.harness.driver import DRIVER_FILE
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.devices.registers import redirect_accesses
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import assemble, link_bitcode, raw_text, read_bitcode
from tightrope.program.marks.unwritten import mark_unwritten, without_idle_marks
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.units.build import join_models
from tightrope.units.linking import PLAIN_CTYPE
from tightrope.units.marked_program import enumerators, has_conditional
from tightrope.units.prepared import PreparedUnit


def program_of(unit: PreparedUnit, options: Options) -> Program:
    """Compile the program of the unit again, with calls for uninitialised values. Raises ValueError if LLVM rejects
    it."""
    file, text = unit.file, unit.driver.text
    flags = (*file.flags.kept, *PLAIN_CTYPE)
    source = file.text_beside(text, flags, DRIVER_FILE, "overflow" in options.checks)
    parts = [source.compile(), *(each.bitcode for each in unit.linked)]
    bitcode = link_bitcode([assemble(keep_left_locals(mark_unwritten(raw_text(part)))) for part in parts])
    program = without_idle_marks(without_keeping(join_models(file.compiler, bitcode, read_bitcode(bitcode)[0])))
    program = redirect_accesses(program, unit.function.name, unit.shape.stubs)
    return normalise_control(program, has_conditional(SourceText(enumerators=enumerators(unit.ctypes))))
