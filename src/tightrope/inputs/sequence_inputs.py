"""Inputs of a sequence: which calls an input makes, and what they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import InputShape, Leaf, Shape, has_slot, slot_of, walk
from tightrope.program.declarations.sequence import SequenceCall


def made_calls(shape: InputShape, values: Input) -> tuple[SequenceCall, ...]:
    """The calls that this input makes, in their order."""
    leaves = _steering_leaves(shape)
    numbers = {name: values[slot_of(leaf)] & leaf.scalar.mask for name, leaf in leaves.items()}
    return tuple(call for call in shape.calls if call.is_made(numbers))


def idle_parameters(shape: InputShape, values: Input) -> frozenset[str]:
    """Parameters of the function that makes the calls which are no arguments of a call that this input makes."""
    if not shape.calls:
        return frozenset()
    used = {argument for call in made_calls(shape, values) for argument in call.arguments.values()}
    return frozenset(root.name for root in shape.parameters if root.name not in used)


def hidden_parameters(shape: InputShape, values: Input) -> frozenset[str]:
    """What this input need not show: arguments and choices of calls that it does not make."""
    shown = {name for call in made_calls(shape, values) for name in (call.counter, call.choice)}
    return idle_parameters(shape, values) - shown - {call.counter for call in shape.calls}


def later_parameters(shape: InputShape) -> frozenset[str]:
    """Arguments and choices of calls other than the first of each function: they are like those of the first."""
    known: set[str] = set()
    later: set[str] = set()
    shown: set[str] = set()
    for call in shape.calls:
        names = {*call.arguments.values(), call.choice}
        (later if call.function in known else shown).update(names)
        known.add(call.function)
    return frozenset(later - shown)


def steering_inputs(shape: InputShape) -> frozenset[str]:
    """The inputs that say which calls are made."""
    return frozenset(name for call in shape.calls for name in (call.counter, call.choice) if name)


def _steering_leaves(shape: InputShape) -> Mapping[str, Leaf]:
    names = steering_inputs(shape)
    return {root.name: root.shape for root in shape.parameters if root.name in names and isinstance(root.shape, Leaf)}


def shorter_inputs(shape: InputShape, values: Input) -> Iterator[Input]:
    """Inputs that leave out one call of a repetition: the calls after it move up."""
    trees = {root.name: root.shape for root in shape.parameters}
    for counter, leaf in _steering_leaves(shape).items():
        steps = _steps_of(shape, counter)
        made = min(values[slot_of(leaf)] & leaf.scalar.mask, len(steps))
        for left_out in reversed(range(made)):
            changed = list(values)
            for at in range(left_out, made):
                for here, name in enumerate(steps[at]):
                    after = trees[steps[at + 1][here]] if at + 1 < made else None
                    _move(trees[name], after, values, changed)
            changed[slot_of(leaf)] = made - 1
            yield tuple(changed)


def _steps_of(shape: InputShape, counter: str) -> list[list[str]]:
    """By position in the repetition: the parameters that belong to it."""
    found: dict[int, dict[str, None]] = {}
    for call in shape.calls:
        if counter and call.counter == counter:
            own = found.setdefault(call.position, {})
            own.update(dict.fromkeys([*([call.choice] if call.choice else []), *call.arguments.values()]))
    return [list(found[position]) for position in sorted(found)]


def _move(target: Shape, source: Shape | None, values: Input, changed: list[int]) -> None:
    """Give the target the values of the source, if both have the same slots; without a source, zeros."""
    slots = [slot_of(node) for node, _ in walk(target, "", str) if has_slot(node)]
    others = [slot_of(node) for node, _ in walk(source, "", str) if has_slot(node)] if source is not None else []
    for at, slot in enumerate(slots):
        if source is None:
            changed[slot] = 0
        elif len(others) == len(slots):
            changed[slot] = values[others[at]]
