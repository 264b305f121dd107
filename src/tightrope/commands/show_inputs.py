"""`tightrope inputs`: the inputs that a function would get, without running it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tightrope.errors import TightropeError
from tightrope.inputs.growth import describe_limits
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.sequence_inputs import later_parameters
from tightrope.inputs.shape import TOO_DEEP, FixedPointer, PointsTo, Shape, children, walk
from tightrope.inputs.shape_builder import MANY_SLOTS
from tightrope.inputs.shape_words import InputRow, describe_shape
from tightrope.inputs.stub_outputs import unwritten_arguments
from tightrope.options.options import OPTIONS, Options
from tightrope.program.declarations.sequence import calls_of
from tightrope.report.as_inputs import ShownFunction, ShownInput
from tightrope.soundness.assumptions import sequence_assumptions
from tightrope.units.choose_inputs import check_inputs, choose_inputs
from tightrope.units.prepared import ChosenInputs, PreparedFile
from tightrope.units.select_functions import INTERNAL, Selection, choose, refuse_all

NEVER = 1 << 30
_SETTINGS = {  # option -> words in a wish for which it is the default
    "string_length": ("string",),
    "array_length": ("array",),
    "buffer_size": ("bytes",),
    "max_elements": ("array", "bytes"),
    "enum": ("members", "any"),
}


def show_inputs(options: Options) -> tuple[ShownFunction, ...]:
    """The inputs of every function asked for, in the order of the files."""
    shown = tuple(_show_all(choose(options), options))
    if shown and all(one.refusal for one in shown):
        raise refuse_all((one.function, one.refusal) for one in shown)
    return shown


def _show_all(selection: Selection, options: Options) -> Iterator[ShownFunction]:
    for file, name in selection.functions():
        try:
            yield _show(file, name, options.for_function(name), selection.is_of_many)
        except TightropeError as problem:
            if not selection.is_of_many or problem.exit_code == INTERNAL:
                raise
            yield ShownFunction(name, str(file.path), 0, refusal=f"cannot be tested: {problem.about(name)}")
    for each in selection.refused:
        yield ShownFunction(each.target.function, str(each.target.file), 0, refusal=f"cannot be tested: {each.reason}")


def _show(file: PreparedFile, name: str, options: Options, is_one_of_many: bool) -> ShownFunction:
    inputs = choose_inputs(file, name, options)
    if not is_one_of_many:
        check_inputs(inputs, file.program)
    later = later_parameters(inputs.shape)
    shown = replace(inputs.shape, roots=tuple(root for root in inputs.shape.roots if root.name not in later))
    rows = describe_shape(inputs.ctypes, shown, inputs.asked.wishes)
    return ShownFunction(
        name,
        file.named_place(inputs.interface.function) or str(file.path),
        inputs.interface.function.location.line,
        slots=len(inputs.driver.slots),
        inputs=tuple(ShownInput(row.depth, row.path, row.type, row.what, row.wish) for row in rows),
        assumptions=tuple(_assumptions(inputs)),
        settings=dict(_settings(options, rows)),
        may_grow=describe_limits(inputs.shape, inputs.asked.wishes, options.grow_to),
        unwritten=tuple(unwritten_arguments(inputs.ctypes, inputs.shape.stubs)),
    )


def _settings(options: Options, rows: Sequence[InputRow]) -> Iterator[tuple[str, int | str]]:
    """The options that affected the inputs."""
    words = {word for row in rows for word in row.wish.replace(",", "").split()}
    if any(row.depth and row.type.endswith("*") for row in rows):
        yield OPTIONS["depth"].key, options.depth
    for name, spoken in _SETTINGS.items():
        if any(word in words for word in spoken):
            yield OPTIONS[name].key, getattr(options, name)


def _assumptions(inputs: ChosenInputs) -> Iterator[str]:
    """The assumptions that the tree of inputs does not show."""
    nodes = [node for root in inputs.shape.roots for node, _ in walk(root.shape, root.name, str)]
    shown = {any_number(node.path) for node in nodes}
    yield from inputs.asked.assumptions
    followed = min((_pointers_to_the_end(root.shape) for root in inputs.shape.roots), default=NEVER)
    if followed < inputs.asked.wishes.depth and not any(wish.depth for _, wish in inputs.asked.wishes.rows):
        yield f"pointers are followed only {followed} deep: more would need more than {MANY_SLOTS} slots"
    yield from (note for note in inputs.shape.notes if note.split(": ")[0] not in shown)
    yield from (f"{name}: starts with its initial value" for name in inputs.interface.inherited_state)
    yield from sequence_assumptions(inputs.interface)
    yield from _about_calls(inputs)


def _about_calls(inputs: ChosenInputs) -> Iterator[str]:
    """The calls whose inputs are not listed."""
    for name in dict.fromkeys(call.function for call in inputs.shape.calls):
        first, *others = calls_of(inputs.shape.calls, name)
        if others and first.arguments:
            names = others[0].name if len(others) == 1 else f"{others[0].name} to {others[-1].name}"
            yield f"the inputs of {names} are like those of {first.name}"


def _pointers_to_the_end(node: Shape) -> int:
    """How many pointers lead to the nearest place where a linked structure was cut."""
    if isinstance(node, FixedPointer) and node.reason == TOO_DEEP:
        return 0
    below = min((_pointers_to_the_end(each) for each, _ in children(node, "", str)), default=NEVER)
    return below + isinstance(node, PointsTo)
