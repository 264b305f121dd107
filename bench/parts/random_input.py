"""A first input by chance: small numbers, printable characters, any member of an enum.

The paper's first input is random (001, Algorithm 1). Which object a pointer leads to stays as in Tightrope's own first
input, and a number that tells a length is one that the object has: otherwise most first runs would end at once.
"""

from __future__ import annotations

from random import Random

from tightrope.inputs.scalars import Input, Scalar, float_to_bits
from tightrope.inputs.shape import InputShape, Leaf, PointsInto, has_slot, slot_of, slot_scalar, walk

LARGEST = 10


def random_input(shape: InputShape, first: Input, seed: int | str) -> Input:
    """`first` with values of this seed."""
    source, values = Random(seed), list(first)
    for root in shape.roots:
        for node, _ in walk(root.shape, root.name, str):
            if has_slot(node) and isinstance(node, Leaf | PointsInto):
                most = node.most if isinstance(node, Leaf) else node.count
                values[slot_of(node)] = _value(slot_scalar(node), most, source)
    return tuple(values)


def _value(scalar: Scalar, most: int | None, source: Random) -> int:
    if scalar.members:
        return source.choice(scalar.members)[1] & scalar.mask
    if scalar.kind == "float":
        return float_to_bits(float(source.randint(-LARGEST, LARGEST)), scalar.bits)
    if scalar.kind == "char":
        return source.randint(32, 126) if source.randrange(4) else 0
    if most is not None:
        return source.randint(0, min(most, scalar.mask >> 1))
    low = -LARGEST if scalar.is_signed else 0
    return source.randint(low, LARGEST) & scalar.mask
