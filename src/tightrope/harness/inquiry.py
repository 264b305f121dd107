"""What only the compiler can say about a unit, asked in C: the types of `extern` globals and functions that the unit
leaves undefined, and the values of constant expressions in array parameters. Compile the text like the unit itself,
read it, and give the result to `program.interface.complete_interface`."""

from __future__ import annotations

from collections.abc import Collection

from tightrope.harness.driver import define_undefined, include_unit
from tightrope.program.declarations.interface import COUNT_PREFIX, FUNCTION_PREFIX, Interface


def write_inquiry(interface: Interface, source_path: str, hidden: Collection[str] = ()) -> str:
    """An expression that is no constant answers 0. `hidden` functions are not declared where this could ask."""
    lines = [*include_unit(source_path), *define_undefined(interface)]
    for number, function in enumerate(interface.asked_functions):
        if function.name in hidden:
            continue
        lines.append(f"__typeof__(&{function.name}) {FUNCTION_PREFIX}{number} = {function.name};")
    for number, text in enumerate(interface.pending_counts):
        lines.append(f"extern const unsigned long long {COUNT_PREFIX}{number};")
        constant = f"__builtin_constant_p({text}) ? ({text}) : 0"
        lines.append(f"const unsigned long long {COUNT_PREFIX}{number} = {constant};")
    return "\n".join(lines) + "\n"
