"""Marks: conditions that were evaluated, and the predicates of labels.

A run finds out which vector of a decision it has evaluated by a number, to which each condition adds its weight (see
program/decisions/numbering.py). It is a local of the function, so that recursion keeps evaluations apart.

    call void @tightrope_condition(i32 7, i1 %tobool)   →   %tr.1 = load i32, ptr %tr.decision.2
                                                            %tr.2 = select i1 %tobool, i32 3, i32 0
                                                            %tr.3 = add i32 %tr.1, %tr.2
                                                            store i32 %tr.3, ptr %tr.decision.2
                                                            %tr.4 = zext i1 %tobool to i32      (true ends the decision)
                                                            %tr.5 = add i32 %tr.3, 120          (120: its first vector)
                                                            call void @tr_vector_if(i32 %tr.4, i32 %tr.5)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tightrope.program.decisions.numbering import IndexStep
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH
from tightrope.weaving.condition_code import add_condition_function, condition_code
from tightrope.weaving.weave_flows import flow_code
from tightrope.weaving.weave_function import FunctionWeaver, Handler, constant_bits


def weave_condition(weaver: FunctionWeaver, call: Instruction) -> None:
    """A condition was evaluated: this may end its decision."""
    number, value = (argument.value for argument in call.arguments)
    decision, position = weaver.mark_table.find(constant_bits(number) or 0)
    _observe(weaver, decision, position, call, value)
    if weaver.mark_table.is_large(decision):
        return _set_bits(weaver, decision, position, value)
    numbering = weaver.mark_table.numbering(decision)
    is_first = position == numbering.first
    if is_first:
        weaver.emit("store i32 0, ptr @tr_doubtful_vector")
    if weaver.shadow_of(value) != "0":
        weaver.call("tr_weigh", f"i32 {weaver.shadow_of(value)}")
    if numbering.table:
        _look_up(weaver, decision, numbering.table, is_first, value)
    elif position in numbering.steps:
        _add_weight(weaver, decision, numbering.steps[position], is_first, value)


def _add_weight(
    weaver: FunctionWeaver, decision: int, steps: tuple[IndexStep, IndexStep], is_first: bool, value: Value
) -> None:
    false, true = steps
    index = "0" if is_first else weaver.let(f"load i32, ptr {_kept(decision)}")
    if false.weight or true.weight:
        weight = weaver.let(f"select i1 {value.text}, i32 {true.weight}, i32 {false.weight}")
        index = weight if is_first else weaver.let(f"add i32 {index}, {weight}")
    if not (false.ends and true.ends):
        weaver.emit(f"store i32 {index}, ptr {_kept(decision)}")
    if false.ends or true.ends:
        point = weaver.let(f"add i32 {index}, {weaver.points.vectors[decision].start}")
        _hit(weaver, point, (false.ends, true.ends), value)


def _hit(weaver: FunctionWeaver, point: str, ends: tuple[bool, bool], value: Value) -> None:
    if all(ends):
        return weaver.call("tr_vector", f"i32 {point}")
    truth = value.text if ends[True] else weaver.let(f"xor i1 {value.text}, true")
    weaver.call("tr_vector_if", f"i32 {weaver.let(f'zext i1 {truth} to i32')}", f"i32 {point}")


def _look_up(
    weaver: FunctionWeaver, decision: int, table: Sequence[tuple[int, int]], is_first: bool, value: Value
) -> None:
    """The next state, by the last one and the condition's value; one behind the table is a vector."""
    name, rows = f"@tr_states_{decision}", len(table)
    state = "0" if is_first else weaver.let(f"load i32, ptr {_kept(decision)}")
    kind = f"[{rows} x [2 x i32]]"
    body = ", ".join(f"[2 x i32] [i32 {false}, i32 {true}]" for false, true in table)
    definition = f"{name} = private constant {kind} [{body}]"
    if definition not in weaver.tables:
        weaver.tables.append(definition)
    column = weaver.let(f"zext i1 {value.text} to i32")
    at = weaver.let(f"getelementptr {kind}, ptr {name}, i32 0, i32 {state}, i32 {column}")
    new = weaver.let(f"load i32, ptr {at}")
    weaver.emit(f"store i32 {new}, ptr {_kept(decision)}")
    is_over = weaver.let(f"zext i1 {weaver.let(f'icmp uge i32 {new}, {rows}')} to i32")
    point = weaver.let(f"add i32 {new}, {weaver.points.vectors[decision].start - rows}")
    weaver.call("tr_vector_if", f"i32 {is_over}", f"i32 {point}")


def _set_bits(weaver: FunctionWeaver, decision: int, position: int, value: Value) -> None:
    """Of a decision with too many vectors, <condition, value> is followed."""
    known, points = weaver.mark_table.marks.decisions[decision], weaver.points.vectors[decision]
    if not points:
        return

    def hit(truth: str, point: int, fresh: Callable[[], str]) -> list[str]:
        flag = fresh()
        return [f"{flag} = zext i1 {truth} to i32", f"call void @tr_vector_if(i32 {flag}, i32 {points[point]})"]

    add_condition_function(weaver.tables, known, decision, hit)
    for line in condition_code(known, decision, position, value.text, _kept(decision), weaver.fresh):
        weaver.emit(line)


def _kept(decision: int) -> str:
    return f"%tr.decision.{decision}"


def _observe(weaver: FunctionWeaver, decision: int, position: int, call: Instruction, value: Value) -> None:
    """Tell the runtime of a condition that no branch tests, and of what follows one in the same evaluation."""
    untested = weaver.function_marks.untested.get(decision)
    if not untested:
        return
    kept = f"%tr.observed.{decision}"
    is_first = position == weaver.mark_table.first(decision)
    if is_first:
        weaver.emit(f"store i32 0, ptr {kept}")
    comes_behind = any(each < position for each in untested)
    if position in untested and not weaver.in_label:
        weaver.check("tr_check_written", weaver.shadow_of(value), "condition", call)
    if not comes_behind and (position not in untested or weaver.shadow_of(value) == "0"):
        return
    probe = "tr_observe" if position in untested else "tr_observe_branch"
    previous = "0" if is_first else weaver.let(f"load i32, ptr {kept}")
    side = weaver.let(f"zext i1 {value.text} to i32")
    number, shadow = constant_bits(call.arguments[0].value) or 0, weaver.shadow_of(value)
    noted = weaver.let(weaver.ask(probe, f"i32 {number}", f"i32 {shadow}", f"i32 {side}", f"i32 {previous}"))
    weaver.emit(f"store i32 {noted}, ptr {kept}")


def weave_label_begin(weaver: FunctionWeaver, call: Instruction) -> None:
    """What follows belongs to the label; where no run needs it any more, control goes on behind it."""
    number = call.arguments[0].value.text
    if id(call) in weaver.behind:
        is_open = weaver.let(f"icmp ne i32 {weaver.let(weaver.ask('tr_label_is_open', f'i32 {number}'))}, 0")
        weaver.emit(f"br i1 {is_open}, label %{weaver.parts[id(call)]}, label %{weaver.behind[id(call)]}")
        weaver.lines.append(f"{weaver.parts[id(call)]}:")
    weaver.call("tr_label_begin", f"i32 {number}")
    weaver.in_label = True


def weave_label_end(weaver: FunctionWeaver, call: Instruction) -> None:
    """The predicate is computed."""
    number, value = (argument.value for argument in call.arguments)
    constant = constant_bits(value)
    side = weaver.let(f"zext i1 {value.text} to i32") if constant is None else str(constant)
    point = weaver.points.labels[int(number.text)]
    shadow = weaver.shadow_of(value)
    weaver.call("tr_label_end", f"i32 {number.text}", f"i32 {point}", f"i32 {shadow}", f"i32 {side}")
    if id(call) in weaver.parts:
        weaver.emit(f"br label %{weaver.parts[id(call)]}")
        weaver.lines.append(f"{weaver.parts[id(call)]}:")
    weaver.in_label = False


def weave_reach(weaver: FunctionWeaver, call: Instruction) -> None:
    """Control is at a definition or use."""

    def hit(truth: str, point: int) -> list[str]:
        flag = weaver.fresh()
        return [f"{flag} = zext i1 {truth} to i32", f"call void @tr_vector_if(i32 {flag}, i32 {point})"]

    for line in flow_code(call, weaver.mark_table.marks, weaver.points, weaver.fresh, hit):
        weaver.emit(line)


MARKS: dict[str, Handler] = {
    CONDITION: weave_condition,
    LABEL_BEGIN: weave_label_begin,
    LABEL_END: weave_label_end,
    REACH: weave_reach,
}
