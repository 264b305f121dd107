"""Random C statements: nested, with loops whose number of rounds is bounded whatever the input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from c_kinds import BOOL, INT, Kind
from random_expressions import ExpressionMaker, Place


@dataclass(slots=True)
class Scope:
    """What a function body may use, and the statements written so far."""

    maker: ExpressionMaker
    result: Kind
    budget: int
    lines: list[str] = field(default_factory=list)
    loops: int = 0
    pointers: list[tuple[str, Kind, list[str]]] = field(default_factory=list)  # name, kind, what it may point to
    copies: list[tuple[str, str]] = field(default_factory=list)  # statements' sides that copy a whole struct or union


class StatementMaker:
    """Writes statements into a scope; `procedures` are void NAME(kind *, kind) that it may call."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.procedures: list[tuple[str, Kind, Kind]] = []
        self.counter = 0

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def statement(self, scope: Scope, level: int, inside_loop: bool) -> None:
        scope.budget -= 1
        simple: list[tuple[int, Callable[[Scope, int], None]]] = [
            (6, self._assign), (3, self._compound), (2, self._step), (2, self._copy), (1, self._reseat),
            (1, self._store),
        ]  # fmt: skip
        nested: list[tuple[int, Callable[[Scope, int], None]]] = [
            (6, self._if), (3, self._for), (2, self._while), (2, self._do), (4, self._switch), (1, self._skip),
            (1, self._again), (2, self._return),
        ]  # fmt: skip
        choices = simple + (nested if level <= 3 and scope.budget > 0 else [])
        if inside_loop and self.random.random() < 0.12:
            self._leave(scope, level)
        else:
            self.random.choices(choices, [weight for weight, _ in choices])[0][1](scope, level)

    def _emit(self, scope: Scope, level: int, text: str) -> None:
        scope.lines.append("    " * level + text)

    def _block(self, scope: Scope, level: int, inside_loop: bool = False) -> None:
        for _ in range(self.random.randint(1, 2) if scope.budget > 0 else 1):
            self.statement(scope, level, inside_loop or scope.loops > 0)

    def _target(self, scope: Scope) -> Place:
        return self.random.choice([p for p in scope.maker.places if p.is_writable])

    def _assign(self, scope: Scope, level: int) -> None:
        place = self._target(scope)
        self._emit(scope, level, f"{scope.maker.spell(place)} = {scope.maker.fit(scope.maker.expression(3), place)};")

    def _compound(self, scope: Scope, level: int) -> None:
        place = self._target(scope)
        if place.kind.is_float or place.is_union:
            return self._assign(scope, level)
        operator = self.random.choice(("+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="))
        value = scope.maker.integer(2).text
        if operator in ("<<=", ">>="):
            value = f"({value} & {7 if place.kind.bits == 8 else place.kind.bits - 1})"
        self._emit(scope, level, f"{scope.maker.spell(place)} {operator} {value};")

    def _step(self, scope: Scope, level: int) -> None:
        place = self._target(scope)
        if place.kind == BOOL or place.is_union:
            return self._assign(scope, level)
        self._emit(scope, level, f"{scope.maker.spell(place)}{self.random.choice(('++', '--'))};")

    def _copy(self, scope: Scope, level: int) -> None:
        if not scope.copies:
            return self._assign(scope, level)
        left, right = self.random.choice(scope.copies)
        self._emit(scope, level, f"{left} = {right};")

    def _reseat(self, scope: Scope, level: int) -> None:
        if not scope.pointers:
            return self._assign(scope, level)
        name, _, targets = self.random.choice(scope.pointers)
        self._emit(scope, level, f"{name} = {scope.maker.condition(1)} ? &{targets[0]} : &{targets[1]};")

    def _store(self, scope: Scope, level: int) -> None:
        calls = [(f, other, name) for f, kind, other in self.procedures for name, k, _ in scope.pointers if k == kind]
        if not calls:
            return self._assign(scope, level)
        function, other, name = self.random.choice(calls)
        self._emit(scope, level, f"{function}({name}, {scope.maker.fit(scope.maker.expression(2), other)});")

    def _if(self, scope: Scope, level: int) -> None:
        self._emit(scope, level, f"if ({scope.maker.condition(2)}) {{")
        self._block(scope, level + 1)
        if self.random.random() < 0.25:
            self._emit(scope, level, f"}} else if ({scope.maker.condition(2)}) {{")
            self._block(scope, level + 1)
        if self.random.random() < 0.5:
            self._emit(scope, level, "} else {")
            self._block(scope, level + 1)
        self._emit(scope, level, "}")

    def _loop_body(self, scope: Scope, level: int) -> None:
        scope.loops += 1
        self._block(scope, level + 1, inside_loop=True)
        scope.loops -= 1

    def _for(self, scope: Scope, level: int) -> None:
        counter = self.fresh("i")
        bound = str(self.random.randint(1, 4)) if self.random.random() < 0.6 else f"({scope.maker.integer(1).text} & 3)"
        self._emit(scope, level, f"for (int {counter} = 0; {counter} < (int){bound}; {counter}++) {{")
        place = Place(counter, INT, is_writable=False)
        scope.maker.places.append(place)
        self._loop_body(scope, level)
        scope.maker.places.remove(place)
        self._emit(scope, level, "}")

    def _while(self, scope: Scope, level: int) -> None:
        rounds = self.fresh("n")
        self._emit(scope, level, f"int {rounds} = {self.random.randint(1, 4)};")
        self._emit(scope, level, f"while ({rounds}-- > 0 && {scope.maker.condition(2)}) {{")
        self._loop_body(scope, level)
        self._emit(scope, level, "}")

    def _do(self, scope: Scope, level: int) -> None:
        rounds = self.fresh("n")
        self._emit(scope, level, f"int {rounds} = {self.random.randint(1, 3)};")
        self._emit(scope, level, "do {")
        self._loop_body(scope, level)
        self._emit(scope, level, f"}} while (--{rounds} > 0 && {scope.maker.condition(1)});")

    def _switch(self, scope: Scope, level: int) -> None:
        made = scope.maker.integer(2)
        text = made.text if self.random.random() < 0.3 else f"{made.text} & {self.random.choice((3, 7))}"
        labels = [f"case {value}:" for value in self.random.sample(range(8), self.random.randint(2, 4))]
        if self.random.random() < 0.7:
            labels.insert(self.random.randint(0, len(labels)), "default:")
        self._emit(scope, level, f"switch ({text}) {{")
        for label in labels:
            self._emit(scope, level, f"{label} {{")
            self._block(scope, level + 1)
            self._emit(scope, level, "}")
            if self.random.random() < 0.7:
                self._emit(scope, level + 1, "break;")
        self._emit(scope, level, "}")

    def _skip(self, scope: Scope, level: int) -> None:
        label = self.fresh("skip")
        self._emit(scope, level, f"if ({scope.maker.condition(1)})")
        self._emit(scope, level + 1, f"goto {label};")
        self._emit(scope, level, "{")
        self._block(scope, level + 1)
        self._emit(scope, level, "}")
        self._emit(scope, level, f"{label}:;")

    def _again(self, scope: Scope, level: int) -> None:
        label, rounds = self.fresh("again"), self.fresh("n")
        self._emit(scope, level, f"int {rounds} = 0;")
        self._emit(scope, level, f"{label}:;")
        self._emit(scope, level, "{")
        self._block(scope, level + 1)
        self._emit(scope, level, "}")
        self._emit(scope, level, f"if ({rounds}++ < 2 && {scope.maker.condition(1)})")
        self._emit(scope, level + 1, f"goto {label};")

    def _leave(self, scope: Scope, level: int) -> None:
        """Leave or restart the innermost loop (inside a switch, `break` leaves that)."""
        self._emit(scope, level, f"if ({scope.maker.condition(1)})")
        self._emit(scope, level + 1, self.random.choice(("break;", "continue;")))

    def _return(self, scope: Scope, level: int) -> None:
        self._emit(scope, level, f"if ({scope.maker.condition(2)})")
        self._emit(scope, level + 1, f"return {scope.maker.fit(scope.maker.expression(2), scope.result)};")
