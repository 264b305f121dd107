"""Random small C functions, the same for the same seed, for differential tests.

`random_program(seed)` writes one C file with one function to call. Its result depends on its
parameters only: every mutable global is set on entry. No run does anything that C leaves undefined,
apart from signed overflow (compile with -fwrapv) and, if `may_trap`, a division that may trap.
A NaN's bits are never looked at, but a result of kind double may be a NaN: compare NaN as equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from c_kinds import BOOL, DOUBLE, FLOAT, INT, INTEGERS, KINDS, LONG, UNSIGNED, UNSIGNED_LONG, Kind
from random_expressions import Callee, ExpressionMaker, Place, Support
from random_statements import Scope, StatementMaker


@dataclass(frozen=True, slots=True)
class Parameter:
    """A scalar, or an array of `count` elements when `count` is not 0."""

    name: str
    kind: Kind
    count: int = 0


@dataclass(frozen=True, slots=True)
class RandomProgram:
    seed: int
    text: str
    function: str
    parameters: tuple[Parameter, ...]
    result: Kind
    may_trap: bool

    @property
    def slots(self) -> tuple[Kind, ...]:
        """The kind of each scalar of the input, arrays element by element."""
        return tuple(p.kind for p in self.parameters for _ in range(max(1, p.count)))


def random_program(seed: int, may_trap: bool = False) -> RandomProgram:
    """The program of this seed; with `may_trap`, some divisions may be by zero or overflow."""
    return _ProgramMaker(Random(f"tightrope {seed} {may_trap}"), may_trap).program(seed)


class _ProgramMaker:
    """Writes one program: declarations first, then helpers, then the function to call."""

    def __init__(self, random: Random, may_trap: bool) -> None:
        self.random = random
        self.may_trap = may_trap
        self.support = Support()
        self.declarations: list[str] = []
        self.functions: list[str] = []
        self.shared: list[Place] = []  # readable in every function
        self.globals: list[Place] = []
        self.callees: list[Callee] = []
        self.statements = StatementMaker(random)

    def program(self, seed: int) -> RandomProgram:
        self._declare_shared()
        for write in (self._helper, self._helper, self._recursion, self._procedure, self._function_table):
            if self.random.random() < 0.45:
                write()
        parameters = self._parameters()
        result = self.random.choice((INT, INT, UNSIGNED, LONG, UNSIGNED_LONG, INTEGERS[1], INTEGERS[4], DOUBLE))
        body = self._body(parameters, result)
        signature = ", ".join(_declare(p) for p in parameters)
        main = f"{result.name} target({signature})\n{{\n{body}}}\n"
        parts = ["\n".join(self.declarations) + "\n", *self.support.texts.values(), *self.functions, main]
        return RandomProgram(seed, "\n".join(parts), "target", parameters, result, self.may_trap)

    def _kind(self) -> Kind:
        return self.random.choices((self.random.choice(INTEGERS), INT, BOOL, FLOAT, DOUBLE), (8, 3, 1, 2, 2))[0]

    def _number(self, kind: Kind) -> str:
        """A constant in the kind's range."""
        if kind.is_float:
            return self.random.choice(("0.5", "1.0", "-3.75", "100.25", "1e6")) + ("f" if kind == FLOAT else "")
        if kind == BOOL:
            return self.random.choice("01")
        low, high = (-100, 120) if kind.is_signed else (0, 250)
        return str(self.random.randint(low, high))

    # --- declarations ---------------------------------------------------------------------------

    def _declare_shared(self) -> None:
        if self.random.random() < 0.5:
            names = ("RED", "GREEN = 5", "BLUE", "BLACK = -2")
            self.declarations.append(f"enum colour {{ {', '.join(names)} }};")
            self.shared += [Place(name.split()[0], INT, is_writable=False) for name in names]
        if self.random.random() < 0.5:
            self._declare_table()
        if self.random.random() < 0.5:
            kind = self._kind()
            name = self.statements.fresh("global")
            self.declarations.append(f"static {kind.name} {name};")
            self.globals.append(Place(name, kind))
            self.shared.append(self.globals[-1])

    def _declare_table(self) -> None:
        kind, size = self._kind(), self.random.choice((4, 8))
        name = self.statements.fresh("table")
        values = ", ".join(self._number(kind) for _ in range(size))
        self.declarations.append(f"static const {kind.name} {name}[{size}] = {{ {values} }};")
        self.shared.append(Place(name, kind, is_writable=False, index=size))

    def _declare_struct(self, scope: Scope) -> None:
        """A struct with bit-fields and an array, two objects of it, and a pointer to one."""
        name = self.statements.fresh("record")
        kinds = [self._kind() for _ in range(self.random.randint(1, 3))]
        fields = [(f"f{i}", kind, "", 0) for i, kind in enumerate(kinds)]
        if self.random.random() < 0.6:
            fields.append(("b0", UNSIGNED, f" : {self.random.randint(1, 31)}", 0))
            fields.append(("b1", INT, f" : {self.random.randint(2, 20)}", 0))
        if self.random.random() < 0.5:
            fields.append(("a", self._kind(), "[4]", 4))
        members = " ".join(f"{kind.name} {field}{suffix};" for field, kind, suffix, _ in fields)
        self.declarations.append(f"struct {name} {{ {members} }};")
        first, second = self.statements.fresh("r"), self.statements.fresh("r")
        initial = ", ".join(scope.maker.fit(scope.maker.leaf(), kind) for kind in kinds)
        scope.lines.append(f"    struct {name} {first} = {{ {initial} }}, {second} = {{0}}, *p{first} = &{first};")
        for place in (f"{first}.", f"p{first}->", f"{second}."):
            scope.maker.places += [Place(place + field, kind, index=size) for field, kind, _, size in fields]
        scope.copies.append((second, f"*p{first}"))
        scope.copies.append((f"p{first}", f"&{second}"))
        if self.random.random() < 0.5:
            function, kind = self._by_value(name, kinds[0]), kinds[0]
            scope.copies.append((first, f"{function}({second}, {self._number(kind)})"))

    def _by_value(self, struct: str, kind: Kind) -> str:
        """A function that takes and gives back a struct by value."""
        name = self.statements.fresh("changed")
        self.functions.append(
            f"static struct {struct} {name}(struct {struct} r, {kind.name} x)\n{{\n"
            f"    if (r.f0 < x)\n        r.f0 = x;\n    return r;\n}}\n"
        )
        return name

    def _declare_union(self, scope: Scope) -> None:
        name, object_ = self.statements.fresh("word"), self.statements.fresh("u")
        integers = [("b", INTEGERS[2], 8), ("h", INTEGERS[3], 4), ("w", UNSIGNED, 2), ("q", LONG, 0)]
        chosen = self.random.sample([*integers, ("f", FLOAT, 2), ("d", DOUBLE, 0)], 3)
        spelled = " ".join(f"{kind.name} {field}{f'[{size}]' if size else ''};" for field, kind, size in chosen)
        self.declarations.append(f"union {name} {{ {spelled} }};")
        scope.lines.append(f"    union {name} {object_};")
        scope.lines.append(f"    for (int i = 0; i < 8; i++) ((unsigned char *)&{object_})[i] = i * 37;")
        scope.maker.places += [Place(f"{object_}.{f}", kind, index=size, is_union=True) for f, kind, size in chosen]

    # --- helper functions -----------------------------------------------------------------------

    def _scope(self, places: list[Place], result: Kind, budget: int) -> Scope:
        maker = ExpressionMaker(self.random, places, list(self.callees), self.support, self.may_trap)
        return Scope(maker, result, budget)

    def _helper(self) -> None:
        """A function of one or two scalars with an early return."""
        kinds = tuple(self._kind() for _ in range(self.random.randint(1, 2)))
        result, name = self._kind(), self.statements.fresh("helper")
        scope = self._scope([Place(f"x{i}", k) for i, k in enumerate(kinds)] + self._readable(), result, 0)
        signature = ", ".join(f"{k.name} x{i}" for i, k in enumerate(kinds))
        maker = scope.maker
        self.functions.append(
            f"static {result.name} {name}({signature})\n{{\n"
            f"    if ({maker.condition(2)})\n        return {maker.fit(maker.expression(2), result)};\n"
            f"    return {maker.fit(maker.expression(2), result)};\n}}\n"
        )
        self.callees.append(Callee(name, result, kinds))

    def _recursion(self) -> None:
        """A function that calls itself at most three times deep."""
        kind, name = self._kind(), self.statements.fresh("recursion")
        maker = self._scope([Place("x", kind), Place("n", INT)] + self._readable(), kind, 0).maker
        self.functions.append(
            f"static {kind.name} {name}(int n, {kind.name} x)\n{{\n"
            f"    if (n <= 0 || n > 3 || {maker.condition(1)})\n        return x;\n"
            f"    return {name}(n - 1, {maker.fit(maker.expression(2), kind)}) + n;\n}}\n"
        )
        self.callees.append(Callee(name, kind, (INT, kind)))

    def _procedure(self) -> None:
        """A function that writes through a pointer."""
        kind, other, name = self._kind(), self._kind(), self.statements.fresh("store")
        maker = self._scope([Place("*p", kind), Place("x", other)] + self._readable(), kind, 0).maker
        self.functions.append(
            f"static void {name}({kind.name} *p, {other.name} x)\n{{\n"
            f"    if ({maker.condition(1)})\n        *p = {maker.fit(maker.expression(2), kind)};\n}}\n"
        )
        self.statements.procedures.append((name, kind, other))

    def _function_table(self) -> None:
        """Two functions of the same type behind a table of pointers, indexed by the input."""
        names = [self.statements.fresh("entry") for _ in range(2)]
        for name in names:
            maker = self._scope([Place("x", INT), Place("y", INT)], INT, 0).maker
            text = maker.fit(maker.expression(2), INT)
            self.functions.append(f"static int {name}(int x, int y)\n{{\n    return {text};\n}}\n")
        table, name = self.statements.fresh("entries"), self.statements.fresh("dispatch")
        self.functions.append(
            f"static int (*const {table}[2])(int, int) = {{ {names[0]}, {names[1]} }};\n\n"
            f"static int {name}(int which, int x, int y)\n{{\n    return {table}[which & 1](x, y);\n}}\n"
        )
        self.callees.append(Callee(name, INT, (INT, INT, INT)))

    def _readable(self) -> list[Place]:
        return [Place(p.text, p.kind, False, p.index) for p in self.shared]

    # --- the function to call -------------------------------------------------------------------

    def _parameters(self) -> tuple[Parameter, ...]:
        made = [Parameter(f"p{i}", self.random.choice(KINDS if self.random.random() < 0.5 else INTEGERS))
                for i in range(self.random.randint(1, 4))]  # fmt: skip
        if self.random.random() < 0.3:
            made.append(Parameter("items", self._kind(), 4))
        return tuple(made)

    def _body(self, parameters: tuple[Parameter, ...], result: Kind) -> str:
        places = [Place(p.name, p.kind, index=p.count) for p in parameters for _ in range(3)]  # the most likely leaves
        scope = self._scope(places, result, self.random.randint(4, 7))
        scope.lines += [f"    {g.text} = {self._number(g.kind)};" for g in self.globals]
        places += self.shared
        for _ in range(self.random.randint(1, 3)):
            self._local(scope)
        for declare in (self._array, self._pointer, self._declare_struct, self._declare_union):
            if self.random.random() < 0.4:
                declare(scope)
        while scope.budget > 0:
            self.statements.statement(scope, 1, inside_loop=False)
        self._finish(scope)
        return "\n".join(scope.lines) + "\n"

    def _local(self, scope: Scope) -> None:
        kind, name = self._kind(), self.statements.fresh("v")
        value = scope.maker.fit(scope.maker.expression(2), kind)
        scope.lines.append(f"    {kind.name} {name} = {value};")
        scope.maker.places.append(Place(name, kind))

    def _array(self, scope: Scope) -> None:
        kind, name, size = self._kind(), self.statements.fresh("a"), self.random.choice((2, 4, 8))
        values = ", ".join(scope.maker.fit(scope.maker.leaf(), kind) for _ in range(self.random.randint(1, size)))
        scope.lines.append(f"    {kind.name} {name}[{size}] = {{ {values} }};")
        scope.maker.places.append(Place(name, kind, index=size))

    def _pointer(self, scope: Scope) -> None:
        """A pointer that may point to one of two locals of its own."""
        kind, name = self._kind(), self.statements.fresh("q")
        targets = [self.statements.fresh("t") for _ in range(2)]
        for target in targets:
            scope.lines.append(f"    {kind.name} {target} = {self._number(kind)};")
            scope.maker.places.append(Place(target, kind))
        scope.lines.append(f"    {kind.name} *{name} = &{targets[0]};")
        scope.pointers.append((name, kind, targets))
        scope.maker.places.append(Place(f"(*{name})", kind))

    def _finish(self, scope: Scope) -> None:
        """Everything written becomes part of the result, so that a wrong store shows."""
        kind = DOUBLE if scope.result == DOUBLE else UNSIGNED_LONG
        scope.lines.append(f"    {kind.name} result = 17;")
        for place in dict.fromkeys(p for p in scope.maker.places if p.is_writable and "->" not in p.text):
            if place.index:
                text = self._term(kind, place.kind, f"{place.text}[i]")
                scope.lines.append(f"    for (int i = 0; i < {place.index}; i++) result = {text};")
            else:
                scope.lines.append(f"    result = {self._term(kind, place.kind, place.text)};")
        scope.lines.append(f"    return ({scope.result.name})result;")

    def _term(self, kind: Kind, place: Kind, text: str) -> str:
        if kind == DOUBLE:
            return f"result * 0.5 + {text}"
        return f"result * 31 + {self.support.to_integer(INT)}({text})" if place.is_float else f"result * 31 + {text}"


def _declare(parameter: Parameter) -> str:
    suffix = f"[{parameter.count}]" if parameter.count else ""
    return f"{parameter.kind.name} {parameter.name}{suffix}"
