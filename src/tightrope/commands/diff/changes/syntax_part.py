"""SyntaxPart: a node of a normalised syntax tree. Functions with the same meaning have equal trees.

    if ((a))          if (a) {                 both: one part `if` with three children, `a` and two blocks
        b = 1;            ; b = (1);
                      }

A block is the flat list of its statements: nested blocks are flattened, and `case 1:` and `again:` are statements
before the one that they label. Parentheses and implicit casts are not parts; casts are noted at the expression. Two
parts have the same `shape` if they are equal except for types that follow from elsewhere; they have the same
`typed_shape` if these types are equal, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tightrope.program.c_text.syntax import SyntaxNode

BLOCK = "block"
LOOPS_AND_CHOICES = ("IfStmt", "WhileStmt", "DoStmt", "ForStmt", "SwitchStmt")


@dataclass(frozen=True, slots=True, eq=False)
class SyntaxPart:
    node: SyntaxNode  # of a block: the statement that it belongs to
    kind: str  # of the node; or BLOCK
    says: tuple[str, ...]  # operators, names, values; locals by their common number
    children: tuple[SyntaxPart | None, ...]
    shape: int
    typed_shape: int
    size: int  # parts, itself included
    type: str = ""
    casts: tuple[str, ...] = ()  # implicit ones around it, the innermost first; of a function, to its parameters
    end: SyntaxNode | None = None  # of a head: the statement below, before which the head ends
    before: SyntaxNode | None = None  # of a declarator: the one before it in the same declaration

    @property
    def blocks(self) -> tuple[SyntaxPart, ...]:
        return tuple(each for each in self.children if each is not None and each.kind == BLOCK)

    @property
    def bodies(self) -> tuple[SyntaxPart, ...]:
        """The blocks of a statement; the first block of a `for` belongs to its head."""
        return self.blocks[1:] if self.kind == "ForStmt" else self.blocks

    @property
    def statements(self) -> tuple[SyntaxPart, ...]:
        """The statements of a block."""
        return tuple(each for each in self.children if each is not None)


@dataclass(slots=True)
class Shapes:
    """Numbers for the contents of parts: equal contents and children get the same number in both versions."""

    _numbers: dict[tuple[object, ...], int] = field(default_factory=dict)

    def number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
