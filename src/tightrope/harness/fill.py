"""C that gives the inputs their values, slot by slot. It has no branch, which would become part of the path of the run.

tightrope_input(1, (void *)&tightrope_object_cfg.level, 32);            a number
tightrope_choose(0, (void *)&cfg, tightrope_targets, 2, 1);             a pointer with several targets
tightrope_prefer((long long)n <= 8);                                    tried first
tightrope_bound((void *)&tightrope_object_name[8], 1);                  only there because the shape ends
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tightrope.inputs.scalars import integer_literal
from tightrope.inputs.shape import (
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    Leaf,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    is_address,
    owner_scalar,
    slot_of,
    slot_scalar,
    split_target,
    walk_object,
)
from tightrope.inputs.whole_program import STREAMS

UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}  # by size in bytes
Numbers = Mapping[int, int]  # slot -> number of the assumption that the shape makes about it


def object_name(name: str) -> str:
    return f"tightrope_object_{name}"


def fill(nodes: Iterable[tuple[Shape, str]], numbers: Numbers) -> Iterator[str]:
    for node, place in nodes:
        if isinstance(node, PointsTo) and node.is_bounded and not _is_filled(node):
            name = object_name(node.object)
            yield f"    tightrope_bound((void *)&{name}, sizeof {name});"
        match node:
            case Leaf(slot=int()):
                yield from _fill_leaf(node, place, numbers)
            case Leaf(is_unseen=True, is_bit_field=False):
                yield f"    tightrope_note_unseen((void *)&{place}, {node.scalar.size});"
            case PointsTo(slot=int()):
                yield _choose(node, place, [_address(one) for one in (node.own, *node.others)])
                if node.inner_targets:  # the distance of two objects is no number
                    yield f"    tightrope_prefer((const volatile void *){place} != {_address(node.own)});"
            case PointsInto(owner_slot=int()) if node.slot is None:
                yield _choose_like_owner(node, f"(void *)&{place}")
            case PointsTo():
                yield f"    {assignable_pointer(node, place)} = {_address(node.own)};"
            case PointsInto(slot=None):
                yield f"    {assignable_pointer(node, place)} = (void *)&{object_name(node.object)};"
            case Functions(slot=int()):
                yield _choose(node, place, ["0" if one == NULL else f"(void *){one}" for one in node.names])
            case Functions():
                yield f"    {assignable_pointer(node, place)} = (void *){node.names[0]};"
            case PointsInto(slot=int()):
                yield from _fill_inner_pointer(node, place, numbers)
            case FixedPointer() if node.is_null or node.text:
                yield f"    {assignable_pointer(node, place)} = {node.text or 0};"
        yield from _bounds(node, place)


def _address(target: str) -> str:
    if target == NULL or is_address(target):
        return "0" if target == NULL else f"(void *){target}"
    name, member = split_target(target)
    return f"(void *)&{object_name(name)}{member}"


def _is_filled(node: PointsTo) -> bool:
    """Whether every byte of the object is an input: there is no padding, and nothing is left out."""
    inputs = [one for one in node.elements if isinstance(one, Leaf) and one.slot is not None]
    return len(inputs) == node.count


def _bounds(node: Shape, place: str) -> Iterator[str]:
    """Mark as a bound what is there only because the shape ends."""
    match node:
        case Fixed(is_bound=True) | FixedPointer(is_bound=True):
            yield f"    tightrope_bound((void *)&{place}, sizeof {place});"
        case Leaf(is_bound=True, is_bit_field=False):
            yield f"    tightrope_bound((void *)&{place}, sizeof {place});"
        case Alternatives():  # the bytes beyond the member that is the input
            for name in node.larger:
                yield f"    tightrope_bound((void *)&{place}.{name}, sizeof {place}.{name});"
        case PointsTo() if 0 < len(node.elements) < node.count and (node.is_bounded or not node.is_string):
            name, first = object_name(node.object), len(node.elements)
            yield f"    tightrope_bound((void *)&{name}[{first}], {node.count - first} * sizeof {name}[0]);"
        case Elements() if 0 < len(node.elements) < node.length:
            first = len(node.elements)
            yield f"    tightrope_bound((void *)&{place}[{first}], {node.length - first} * sizeof {place}[0]);"


def assignable_pointer(node: PointsTo | PointsInto | Functions | FixedPointer, place: str) -> str:
    """The pointer as an lvalue that can be assigned to, even if it is declared const."""
    return f"*(void **)(void *)&{place}" if node.is_constant else place


def _choose(node: PointsTo | Functions, place: str, targets: Sequence[str]) -> str:
    """C that chooses a target from a table, without a branch. A table of streams is not static: they are variables."""
    is_constant = not any(f"(void *){stream}" in targets for stream in STREAMS)
    table = f"{'static ' * is_constant}void *const tightrope_targets[] = {{{', '.join(targets)}}};"
    bits = slot_scalar(node).bits
    call = f"tightrope_choose({node.slot}, (void *)&{place}, tightrope_targets, {len(targets)}, {bits});"
    return f"    {{ {table} {call} }}"


def _fill_inner_pointer(node: PointsInto, place: str, numbers: Numbers) -> Iterator[str]:
    scalar, number = slot_scalar(node), numbers[slot_of(node)]
    at, name = "tightrope_element", object_name(node.object)
    first = name if node.count > 1 else f"&{name}"
    yield f"    {{ {UNSIGNED[scalar.size]} {at}; void *tightrope_start = {first};"
    yield f"      tightrope_input({node.slot}, &{at}, {scalar.bits});"
    if node.owner_slot is not None:
        yield _choose_like_owner(node, "&tightrope_start")
    yield f"      tightrope_assume({at} <= (tightrope_start != 0) * {node.count}, {number});"
    yield f"      {assignable_pointer(node, place)} = (void *)((__typeof__(&{first}[0]))tightrope_start + {at}); }}"


def _choose_like_owner(node: PointsInto, at: str) -> str:
    """The start of the object, or the current target of the pointer that owns the object."""
    targets = [_address(one) for one in (node.object, *node.others)]
    table = f"static void *const tightrope_targets[] = {{{', '.join(targets)}}};"
    count, bits = len(targets), owner_scalar(node).bits
    return f"    {{ {table} tightrope_choose({node.owner_slot}, {at}, tightrope_targets, {count}, {bits}); }}"


def _fill_leaf(leaf: Leaf, place: str, numbers: Numbers) -> Iterator[str]:
    slot, bits = slot_of(leaf), leaf.scalar.bits
    if not leaf.is_bit_field:
        yield f"    tightrope_input({slot}, (void *)&{place}, {bits});"
    else:
        yield f"    {{ {UNSIGNED[leaf.scalar.size]} tightrope_bits; tightrope_input({slot}, &tightrope_bits, {bits});"
        yield f"      {place} = {'1 & ' if leaf.scalar.kind == 'bool' else ''}tightrope_bits; }}"
    if slot in numbers and leaf.scalar.members:
        members = [value for _, value in leaf.scalar.members]
        yield f"    tightrope_assume({membership(f'(long long){place}', members)}, {numbers[slot]});"
    if leaf.most is not None:
        wide = "(long long)" if leaf.scalar.is_signed else "(unsigned long long)"
        holds = f"{wide}{place} <= {leaf.most}"
        limit = f"tightrope_assume({holds}, {numbers[slot]});" if leaf.is_limited else f"tightrope_prefer({holds});"
        yield f"    {limit}"


def mark_padding(root: Root) -> Iterator[str]:
    """Mark the padding of a global as a bound. Not if a wish fixes some part of it, because that is no end of the
    shape."""
    nodes = [node for node, _ in walk_object(root.shape, root.name, object_name)]
    has_padding = any(isinstance(node, Fields | Alternatives) for node in nodes)
    stays = any(isinstance(node, Fixed | FixedPointer) and not node.is_bound for node in nodes)
    if has_padding and not stays and not root.answers_of:
        yield f"    tightrope_bound((void *)&{root.name}, sizeof {root.name});"


# -- "this is a member of its enum"


def membership(value: str, members: Iterable[int]) -> str:
    """A C condition: the value is in one of the ranges of members, or is a combination of flags (1, 2, 4 ...)."""
    numbers = sorted(set(members))
    if is_set_of_flags(numbers):
        mask = 0
        for number in numbers:
            mask |= number
        return f"({value} & ~{mask}LL) == 0"
    return " | ".join(_between(value, low, high) for low, high in _runs(numbers))


def is_set_of_flags(numbers: Sequence[int]) -> bool:
    """Whether the members are flags: at least three powers of two, few combinations, and not just 0, 1, 2, 3, 4 ..."""
    powers = [number for number in numbers if number > 0 and number & (number - 1) == 0]
    others = [number for number in numbers if number and number not in powers]
    is_counting = numbers[-1] - numbers[0] + 1 == len(numbers)
    is_made_of_them = all(number > 0 and number & ~sum(powers) == 0 for number in others)
    return len(powers) >= 3 and not is_counting and is_made_of_them and 2 * len(others) <= len(powers)


def _between(value: str, low: int, high: int) -> str:
    """One comparison of unsigned numbers: below `low` they wrap around to large ones."""
    if low == high:
        return f"({value} == {integer_literal(low, 64, True)})"
    distance = f"(unsigned long long){value} - {low % 2**64}ULL" if low else f"(unsigned long long){value}"
    return f"({distance} <= {high - low}ULL)"


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = previous = numbers[0]
    for number in numbers[1:]:
        if number != previous + 1:
            yield start, previous
            start = number
        previous = number
    yield start, previous
