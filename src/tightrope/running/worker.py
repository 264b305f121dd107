"""The process that runs the user's C: it loads woven code into itself, then calls the runtime's
keeper (runtime/serve.c), which never returns to Python.

It starts before the woven code exists, so that LLVM loads while the compiler works: usually forked by the nursery
(nursery.py), else as `python -m tightrope.running.worker REQUEST_FD REPLY_FD`. One line of JSON on standard input then
names the files.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import locale
import mmap
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm

from tightrope.running.containment import InC, Powers, close_all_but, prepare_containment
from tightrope.running.syscall_filter import Forks


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the search, which still needs us
    load_llvm()
    return work(int(sys.argv[1]), int(sys.argv[2]))


def load_llvm() -> None:
    """What every worker does first, whatever it is going to load."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for inline assembly
    load_compiler_support()


def work(request: int, reply: int) -> int:
    """Wait for the order, load the unit, and serve it until we are not needed any more."""
    line = sys.stdin.readline()
    if not line:
        return 0
    order = json.loads(line)
    serve = load(order["woven"], order["runtime"])
    with open(order["shared"], "r+b") as file:
        shared = mmap.mmap(file.fileno(), 0)
    locale.setlocale(locale.LC_ALL, "C")  # as a C program starts; Python has set that of the environment
    silence()
    folder = Path(order["folder"])
    os.chdir(folder)
    contained = prepare_containment(Powers(**order["powers"]), [folder, *map(Path, order["writable"])], Forks.WITH_KEY)
    close_all_but(request, reply, contained.ruleset)
    os.write(reply, b"\0" * 8)  # ready
    address = ctypes.addressof(ctypes.c_char.from_buffer(shared))
    in_c = InC.of(contained, folder)
    return int(serve(request, reply, ctypes.c_void_p(address), ctypes.byref(in_c)))


def load(woven: str, runtime: str) -> Callable[..., int]:
    """Compile the woven text, join it with the runtime's object, and find the keeper."""
    with open(woven, encoding="utf-8") as file:
        module = retarget(file.read())
    level = 1 if len(module) < LONG else 0
    machine = llvm.Target.from_default_triple().create_target_machine(opt=level, jit=True, reloc="pic")
    compiler = llvm.create_lljit_compiler(machine, use_jit_link=True)
    builder = llvm.JITLibraryBuilder().add_ir(module).add_object_file(runtime).add_current_process()
    library = builder.export_symbol("tr_serve").link(compiler, "unit")
    KEEP_ALIVE.extend((compiler, library))
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(InC))
    return prototype(library["tr_serve"])


KEEP_ALIVE: list[object] = []
LONG = 1 << 19  # characters of woven text (1,629,000 of one function: 4.1 s at level 1, 0.6 s at 0)


def load_compiler_support() -> None:
    """Load the library that compiled code calls for 128-bit division and complex products, if the system has it."""
    with contextlib.suppress(OSError):
        KEEP_ALIVE.append(ctypes.CDLL("libgcc_s.so.1", mode=ctypes.RTLD_GLOBAL))


def retarget(text: str) -> str:
    """The text with the triple of this process: the compiler's may name a system version that LLVM does not expect."""
    triple = llvm.get_process_triple()
    return "\n".join(
        f'target triple = "{triple}"' if line.startswith("target triple") else line for line in text.split("\n")
    )


def silence() -> None:
    """Redirect standard streams: output of the unit is discarded, and its input is empty."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


if __name__ == "__main__":
    sys.exit(main())
