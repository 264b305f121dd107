"""C text for "this is a member of its enum", without a branch that would join the path of the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tightrope.inputs.scalars import integer_literal


def membership(value: str, members: Iterable[int]) -> str:
    """By runs of neighbours; the members of a set of flags (1, 2, 4 ...) may also be joined."""
    numbers = sorted(set(members))
    if is_set_of_flags(numbers):
        mask = 0
        for number in numbers:
            mask |= number
        return f"({value} & ~{mask}LL) == 0"
    return " | ".join(_between(value, low, high) for low, high in _runs(numbers))


def is_set_of_flags(numbers: Sequence[int]) -> bool:
    """Three powers of two or more with few combinations of them, and not just 0, 1, 2, 3, 4 ..."""
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
