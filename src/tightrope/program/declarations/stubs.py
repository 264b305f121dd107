"""Which functions are replaced by stubs: generated functions whose answers are inputs.

    extern int sensor(int channel);      no body anywhere: its answers are inputs
    time(NULL)                           the library has it, but its answer depends on the environment
    unlink(name)                         the same, and it would act on the environment
    malloc(n)                            the library's block, or NULL where the input says that there is none
    struct node *p = xmalloc(n);         no body, but a name that says what it does: as `malloc`

`harness/stubs.py` writes the C of a stub.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tightrope.library.table import FUNCTIONS, Fact, functions_with
from tightrope.program.declarations.c_types import (
    BYTE_ID,
    VOID_ID,
    CFunctionType,
    CPointer,
    CScalar,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.declare import declare_bare, is_qualified, is_spellable, takes_variable_arguments

DEFAULT_ANSWERS = 4
WRITE_OF = "write of "


@dataclass(frozen=True, slots=True)
class Written:
    """What a stub writes through one of its arguments: a number of elements, which are inputs of each call. Those that
    nobody asked for, which `inputs/stub_outputs.py` chooses, are written only where there is room."""

    function: str  # or the path of a function pointer
    position: int  # of the parameter, from 1; 0: it writes nothing
    count: int = 1
    is_default: bool = False  # nobody asked for it
    filled: int | None = None  # so many elements are inputs, the others are zero; None: all
    type: TypeId | None = None  # of an element; None: what the parameter points to
    length: int = 0  # the parameter that says how many elements there are
    is_length_in_bytes: bool = False
    may_leave: bool = False  # whether a call writes is an input, too
    is_local: bool = False  # each call gives it a local of the unit, in which pointers are inputs, too
    has_room: bool = False  # there is room in every call
    is_flat: bool = False  # pointers in it are NULL, because what they lead to would be too many inputs
    parts: tuple[str, ...] = ()  # the members that are written (`.speed`); none: everything
    name: str = ""  # of what it writes, if that is not what a parameter points to; then, in C:
    to: str = ""  # where it writes
    given: str = ""  # how much room there is, in bytes
    tells: str = ""  # the place that says how much it has written

    @property
    def key(self) -> str:
        """Part of the names of its data."""
        return self.name or str(self.position)

    @property
    def has_length(self) -> bool:
        """Whether each call says how much there is room for."""
        return bool(self.length or self.given)

    @property
    def inputs(self) -> int:
        """How many elements are inputs."""
        return self.count if self.filled is None else self.filled


@dataclass(frozen=True, slots=True)
class Outside:
    """A function of the library whose answer depends on the environment of the program, or that acts on it."""

    mask: int | None = None  # bits that an answer can have
    stores: bool = False  # the answer is also stored where its argument points
    writes: int = 0  # the parameter through which it returns further data
    result: str = ""  # what its results can be: the words of the table of the library
    most: int = 0  # the parameter that is the largest result
    is_message: bool = False  # it fills what its second argument, a `struct msghdr`, leads to
    has_outputs: bool = False  # what it writes is chosen by its parameters and calls
    is_of_files: bool = False  # it opens or closes a stream
    waits: bool = False  # calls beyond the last answer fail: a loop that waits for something ends

    @property
    def fails(self) -> bool:
        """Whether an answer may be a failure, which sets errno."""
        return bool(self.result) or self.is_of_files


PLAIN = Outside()
OUTSIDE: Mapping[str, Outside] = MappingProxyType(
    {
        name: Outside(
            one.mask,
            Fact.STORES in one.facts,
            one.writes,
            one.result,
            one.most,
            Fact.MESSAGE in one.facts,
            Fact.OUTPUTS in one.facts,
            Fact.FILES in one.facts,
            Fact.WAITS in one.facts,
        )
        for name, one in FUNCTIONS.items()
        if not one.facts.isdisjoint({Fact.OUTSIDE, Fact.ELSEWHERE, Fact.FILES})
    }
)

OPENERS = functions_with(Fact.OPENS)
"""Functions that give a program numbers of files."""

READ_ELSEWHERE = functions_with(Fact.ELSEWHERE)
"""Those that have a model for standard input: a stub takes their place only if they read something else."""

ALLOCATORS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: one.type for name, one in FUNCTIONS.items() if one.type}
)
"""Functions that answer NULL where there is no memory: result, parameters."""

RESIZERS = functions_with(Fact.RESIZES)
"""Those that keep the old block when they fail: to fail is another path, not another value."""

NEEDED_BY_TESTS = frozenset({"printf", "sscanf", "fflush", "exit"})
"""Functions that written tests call themselves, so no stub can replace them."""

CALLED_BY_MAIN = ("fork", "waitpid")
"""Functions that the `main` of written tests calls: the library's, even where the unit calls a stub."""


RegisterPlace = tuple[str, int, int]  # symbol or '', address, size


@dataclass(frozen=True, slots=True)
class RegisterAccess:
    """A read or a write of data at a constant address."""

    address: int  # of a symbol: bytes from its start
    size: int  # bytes
    is_write: bool
    is_volatile: bool = True  # else nothing writes what is read: every read gives the same
    symbol: str = ""  # a variable that another file or the linker defines; '': a number in the code

    @property
    def is_stable(self) -> bool:
        """Whether every read gives the same."""
        return not (self.is_volatile or self.is_write)

    @property
    def place(self) -> RegisterPlace:
        return self.symbol, self.address, self.size

    @property
    def words(self) -> str:
        """Where it is."""
        if not self.symbol:
            return f"at 0x{self.address:x}"
        return f"at {self.symbol} + {self.address} bytes" if self.address else f"at {self.symbol}"


def access_name(one: RegisterAccess, may_be_memory: bool) -> str:
    """The function of the driver that makes such an access at a given address."""
    return f"tightrope_{'write' if one.is_write else 'read'}_{one.size}_at{'_or_memory' * may_be_memory}"


@dataclass(frozen=True, slots=True)
class Stub:
    """A function that Tightrope defines in place of another one."""

    name: str  # in C
    path: str  # the start of the paths of its answers: `sensor`, `ops->read`
    type: TypeId  # a CFunctionType; VOID_ID: that of the function it is like
    answers: int = DEFAULT_ANSWERS  # calls with answers of their own; then the last is given again, or they fail
    like: str = ""  # the function of the library that does the work
    skipped: int = 0  # parameters before those of that function
    is_redirected: bool = False  # the library defines the function: calls of the unit are redirected to the stub
    may_fail: bool = False  # NULL where the input says so
    never_returns: bool = False
    writes: tuple[Written, ...] = ()
    outside: Outside = PLAIN
    sets_errno: bool = False  # the program looks at it: an answer of -5 is a failure with the error 5
    is_wanted: bool = False  # the user asked for it
    keeps_arguments: bool = False  # for the comparison of two versions
    is_silent: bool = False  # it writes nothing, as asked
    register: RegisterAccess | None = None  # it stands for this access: its answers are what is read
    label: str = ""  # the symbol that the header gives to it, if that is not its name: its definition here has it, too

    @property
    def symbols(self) -> tuple[str, ...]:
        """What it may be called in compiled code."""
        return (self.name, f"tightrope_stub_{self.name}", *([self.label] if self.label else []))

    @property
    def is_counted(self) -> bool:
        """Whether the number of its calls is observed. That of an allocator is an internal matter of the unit; reading
        a register that does not change once more has no effect."""
        return not (self.like or (self.register is not None and self.register.is_stable))

    @property
    def register_name(self) -> str:
        """What the C calls the register that it stands for."""
        return self.path.removeprefix(WRITE_OF)

    @property
    def word(self) -> str:
        """Part of the names of its data."""
        if self.register is not None:
            return self.name.removeprefix("tightrope_")
        return re.sub(r"\W+", "_", self.path).strip("_")


@dataclass(frozen=True, slots=True)
class StubOptions:
    """Options of the user, by names of functions."""

    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    answers: int = DEFAULT_ANSWERS
    written: tuple[Written, ...] = ()
    is_off: bool = False  # no stubs at all: the tests could not provide their answers

    def replaces(self, name: str) -> bool:
        """Of a function that the library has: whether the unit gets a stub instead, whose answers are inputs."""
        return name in self.wanted or (name in OUTSIDE and name not in self.unwanted and not self.is_off)

    def lets_fail(self, name: str) -> bool:
        """Whether the library's function does the work, and may fail."""
        return name in ALLOCATORS and not self.is_off and name not in self.wanted and name not in self.unwanted

    def for_missing(self, ctypes: CTypes, name: str, number: TypeId, never_returns: bool) -> Stub | None:
        """For a function without a body; None when it does nothing and returns zero."""
        kind = ctypes.strip(number)
        if not isinstance(kind, CFunctionType) or not is_spellable(ctypes, number):
            return None
        if (name in self.unwanted or self.is_off) and not never_returns:  # one that comes back is another function
            return None
        is_plain = name in self.wanted or never_returns
        like, skipped = ("", 0) if is_plain else allocates_like(ctypes, name, kind)
        may_fail = like in ALLOCATORS and not name.startswith("x")  # xmalloc() ends the program instead
        stub = Stub(name, name, number, self.answers, like, skipped, False, may_fail, never_returns, self._writes(name))
        return replace(stub, is_wanted=name in self.wanted, is_silent=self.silences(name))

    def for_library(
        self, ctypes: CTypes, name: str, number: TypeId, never_returns: bool, label: str = ""
    ) -> Stub | None:
        """For a function that the library has, but not for this unit."""
        kind = ctypes.strip(number)
        if not isinstance(kind, CFunctionType) or not is_spellable(ctypes, number):
            return None
        if takes_variable_arguments(ctypes, number):
            return None
        outside = OUTSIDE.get(name, PLAIN)
        has_output = 0 < outside.writes <= len(kind.parameters)
        usual: tuple[Written, ...] = (Written(name, outside.writes),) if has_output else ()
        usual = tuple(_message_parts(name)) if outside.is_message and len(kind.parameters) > 1 else usual
        writes = self._writes(name) or usual
        stub = Stub(name, name, number, self.answers, "", 0, True, False, never_returns, writes, outside)
        return replace(stub, is_silent=self.silences(name), label=label)

    def for_allocator(self, name: str) -> Stub:
        return Stub(name, name, VOID_ID, self.answers, name, is_redirected=True, may_fail=True)

    def for_callback(self, stub: Stub) -> Stub:
        """The stub of a function pointer, which the options name by its path."""
        names = callback_names(stub)
        writes = tuple(one for one in self.written if one.function in names and one.position)
        is_silent = any(self.silences(name) for name in names)
        return replace(stub, answers=self.answers, writes=writes, is_silent=is_silent)

    def _writes(self, name: str) -> tuple[Written, ...]:
        return tuple(one for one in self.written if one.function == name and one.position)

    def silences(self, name: str) -> bool:
        """Whether the user wants the stub to write nothing."""
        return any(one.function == name and not one.position for one in self.written)


def _message_parts(function: str) -> Iterator[Written]:
    """What `recvmsg` fills: the first buffer, the sender's address, control data, or none, and flags."""
    message = "((struct msghdr *)argument_2)"
    first = f"{message}->msg_iov[0]"
    usual = Written(function, 2, is_default=True, type=BYTE_ID)
    yield replace(usual, name="data", count=256, filled=72, to=f"{first}.iov_base", given=f"{first}.iov_len")
    sender = f"{message}->msg_name", f"{message}->msg_namelen"
    yield replace(usual, name="sender", count=128, filled=24, to=sender[0], given=sender[1])
    room = f"{message}->msg_controllen"
    control = replace(usual, name="control", count=256, filled=64, to=f"{message}->msg_control", given=room)
    yield replace(control, tells=room, may_leave=True)
    yield replace(usual, name="flags", count=4, to=f"&{message}->msg_flags", has_room=True)


def may_redirect_free(called: Collection[str], options: StubOptions) -> bool:
    """Whether a stub of `free` may let objects live that the unit received."""
    return "free" in called and not (options.is_off or "free" in options.unwanted | options.wanted)


def callback_names(stub: Stub) -> tuple[str, str]:
    """How options name the stub of a function pointer: by its path, also with `_` for every index."""
    return stub.path, re.sub(r"\[\d+\]", "[_]", stub.path)


def redirect(stub: Stub, ctypes: CTypes) -> Stub | None:
    """The stub for a unit that is linked with a file that defines the function; None when that one is to be called."""
    is_possible = stub.is_wanted and declare_bare(ctypes, stub.type, stub.name) is not None
    return replace(stub, is_redirected=True) if is_possible else None


def stub_for_signature(ctypes: CTypes, number: TypeId, path: str, answers: int = DEFAULT_ANSWERS) -> Stub | None:
    """A stub for the function pointer at `path`, which leads to functions of this type; None for types without
    a name."""
    kind = ctypes.strip(number)
    if not isinstance(kind, CFunctionType) or not is_spellable(ctypes, number):
        return None
    stub = Stub("", path, number, answers)
    return Stub(f"tightrope_stub_{stub.word}", path, number, answers)


# -- functions without a body whose names say that they are allocators

_START = r"(?:^|_|[a-z0-9])"
_LIKE = (
    (rf"{_START}[Rr]e_?[Aa]lloc(?![a-z])", "realloc", "pi"),
    (rf"{_START}[Cc]alloc(?![a-z])", "calloc", "ii"),
    (rf"{_START}(?:[Mm]alloc|[Zz]?[Aa]lloc)(?![a-z])", "malloc", "i"),
    (rf"{_START}[Ss]tr_?[Dd]up$", "strdup", "s"),
    (rf"{_START}[Ss]trn_?[Dd]up$", "strndup", "si"),
    (rf"{_START}[Ff]ree$", "free", "p"),
)


def allocates_like(ctypes: CTypes, name: str, kind: CFunctionType) -> tuple[str, int]:
    """`malloc` for `void *xmalloc(size_t)`: the name and the types say so; '' for other functions. With it comes the
    number of parameters before those of `malloc`: a pool, a database ..."""
    shape = "".join(_letter(ctypes, number) for number in kind.parameters)
    own = shape.lstrip("?")
    for pattern, like, parameters in _LIKE:
        wanted = "v" if like == "free" else "p"
        if own == parameters and _letter(ctypes, kind.result) == wanted and re.search(pattern, name):
            return ("", 0) if kind.is_variadic else (like, len(shape) - len(own))
    return "", 0


def _letter(ctypes: CTypes, number: TypeId) -> str:
    """v: void; p: a pointer to void or char; s: to const char; i: an integer; ?: anything else."""
    kind = ctypes.strip(number)
    if isinstance(kind, CVoid):
        return "v"
    if not isinstance(kind, CPointer):
        return "i" if isinstance(kind, CScalar) and kind.kind in ("signed", "unsigned") else "?"
    target, is_const = ctypes.strip(kind.target), is_qualified(ctypes, kind.target, frozenset({"const"}))
    is_character = isinstance(target, CScalar) and target.size == 1
    if isinstance(target, CVoid):
        return "p"
    return ("s" if is_const else "p") if is_character else "?"
