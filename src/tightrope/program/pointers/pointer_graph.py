"""Where pointers come from: a graph of pointer values, from each one to those derived from it.

    p -> q      q is p, or p moved on (`p + 1`), in some run
    element(p)  stands for all pointers that are kept in what p points to

What the code does to a derived pointer also holds for the pointer that it came from. So facts are propagated backwards
along the edges, in one pass over the strongly connected components, derived ones first. A component with an edge that
moves the pointer is a loop in which a pointer runs over an array.

The graph merges all calls of a function and all objects of a type. That is precise enough for choosing inputs, where a
superfluous fact costs little; it would not be for proofs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from tightrope.program.flow.graph import components

_MAX_DEPTH = 3  # `char ***` and no deeper: `p = *(void **)p` has no end


class Way(Enum):
    """How a pointer is derived from another one."""

    SAME = "same"  # equal in some run: a cast, a phi, an argument
    MOVED = "moved"  # by a known number of elements
    ANYWHERE = "anywhere"  # by an index that is not constant
    INSIDE = "inside"  # into the array that it points to: `(*a)[2]` of `int (*a)[4]`
    MEMBER = "member"  # to a member of the record that it points to
    COPY = "copy"  # no derivation: its bytes are copied to there


@dataclass(frozen=True, slots=True)
class Derivation:
    way: Way
    count: int = 0  # MOVED: elements; 0 where it is not elements that are counted. ANYWHERE: the most; 0: not known
    bytes: int | None = 0  # how far behind; None: unknown
    size: int = 0  # of the member, or of the record
    is_record: bool = False  # moved over whole records of a named type
    is_array: bool = False  # MEMBER: who goes on from there is meant to stay in it

    @property
    def moves(self) -> bool:
        return self.way in (Way.ANYWHERE, Way.MOVED)


SAME = Derivation(Way.SAME)


@dataclass(slots=True)
class PointerFacts:
    """What is done to one pointer itself; `Use` and `TouchedMembers` are made of it."""

    is_indexed: bool = False
    least_count: int = 0
    least_bytes: int = 0
    number_bytes: int = 0  # of the largest number that is read or written right there
    is_string: bool = False
    is_compared: bool = False  # with NULL
    is_matched: bool = False  # compared with another pointer
    low_bits: int = 0  # of its address, a mask: those that the code looks at
    is_written: bool = False
    is_read: bool = False
    views: set[str] = field(default_factory=set)  # names of the record types that it is used as
    containers: set[tuple[str, int]] = field(default_factory=set)  # it leads so many bytes into a record of this name
    ranges: set[tuple[int, int]] = field(default_factory=set)  # bytes looked at without a record type
    is_exposed: bool = False  # every byte may be looked at
    is_swept: bool = False  # bytes are read one after the other from here on, up to an unknown end
    is_lost: bool = False  # it goes where we do not see what is done to it


class PointerGraph:
    """Nodes are numbers; `numbers` has the node of each key."""

    def __init__(self) -> None:
        self.facts: list[PointerFacts] = []
        self.derived: list[dict[tuple[int, Derivation], None]] = []
        self.sources: list[dict[tuple[int, Derivation], None]] = []
        self.numbers: dict[object, int] = {}
        self._elements: dict[int, int] = {}
        self._depth: list[int] = []
        self._region: dict[int, tuple[int, int | None]] = {}  # node -> whose elements it shares, bytes behind
        self._cells: set[int] = set()  # nodes that are addresses of known memory

    def __len__(self) -> int:
        return len(self.facts)

    def node(self, key: object) -> int:
        """The node of a key, made when first asked for."""
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = self._add(0)
        return number

    def _add(self, depth: int) -> int:
        self.facts.append(PointerFacts())
        self.derived.append({})
        self.sources.append({})
        self._depth.append(depth)
        return len(self.facts) - 1

    def connect(self, source: int, target: int, step: Derivation = SAME) -> None:
        if source != target or step.moves:
            self.derived[source][target, step] = None
            self.sources[target][source, step] = None

    def share_elements(self, node: int, other: int, offset: int | None = None) -> None:
        """Both point into the same object, so the same pointers are found there."""
        if node not in self._region and self._find(other) != node:
            self._region[node] = other, offset

    def mark_as_cell(self, node: int) -> None:
        self._cells.add(node)

    def _find(self, node: int) -> int:
        return self.object_of(node)[0]

    def object_of(self, node: int) -> tuple[int, int | None]:
        """The first pointer into the same object, and how many bytes behind it this one is."""
        total: int | None = 0
        while node in self._region:
            node, offset = self._region[node]
            total = None if total is None or offset is None else total + offset
        return node, total

    def element(self, node: int) -> int:
        """The node of the pointers kept in what this one points to."""
        root = self._find(node)
        known = self._elements.get(root)
        if known is None:
            depth = self._depth[root] + 1
            known = self._elements[root] = root if depth > _MAX_DEPTH else self._add(depth)
        return known

    def known_element(self, node: int) -> int | None:
        found = self._elements.get(self._find(node))
        return None if found == node else found

    def close(self) -> None:
        """Where a pointer is derived from another one, so are their elements."""
        members = self._members_of_regions()
        waiting = [root for root in members if root in self._elements]
        while waiting:
            root = waiting.pop()
            for node in members.get(root, (root,)):
                for source, step in list(self.sources[node]):
                    if step.way is not Way.MEMBER:
                        waiting += self._connect_elements(self._find(source), root)

    def _members_of_regions(self) -> dict[int, list[int]]:
        members: dict[int, list[int]] = {}
        for node in range(len(self)):
            members.setdefault(self._find(node), []).append(node)
        return members

    def _connect_elements(self, source: int, root: int) -> list[int]:
        """Connect the elements of both; the nodes that must be visited again because of it."""
        if source == root:
            return []
        changed = [] if source in self._elements else [source]
        above, below = self.element(source), self.element(root)
        pairs = [(above, below)]
        if source in self._cells:  # what is stored there through one is loaded through the other
            pairs.append((below, above))
        for one, other in pairs:
            if one != other and (other, SAME) not in self.derived[one]:
                self.connect(one, other)
                changed += [other] if other in self._elements else []
        return changed

    def components(self, follows: Callable[[Derivation], bool]) -> tuple[tuple[int, ...], ...]:
        """The strongly connected ones, each after those derived from it, along the derivations that are followed."""
        edges = [[target for target, step in derived if follows(step)] for derived in self.derived]
        return components(edges)
