"""Which loops may be said to go round in a circle. Runs are compared in integration/worker/test_circles.py."""

import pytest

from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_program
from tightrope.weaving.weave_loops import find_pure_code, find_watched_loops

WAITS = """
@ready = internal global i32 0
define internal ptr @work(ptr %given) {{
  store volatile i32 1, ptr @ready
  ret ptr %given
}}
define i32 @f() {{
entry:
  {call}
  br label %wait
wait:
  {read}
  %over = icmp ne i32 %now, 0
  br i1 %over, label %end, label %wait
end:
  ret i32 %now
}}
define internal i32 @look() {{
  %now = load volatile i32, ptr @ready
  ret i32 %now
}}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @thrd_create(ptr, ptr, ptr)
declare ptr @signal(i32, ptr)
"""
VOLATILE, PLAIN = "%now = load volatile i32, ptr @ready", "%now = load i32, ptr @ready"
STARTED = {
    "POSIX": "call i32 @pthread_create(ptr null, ptr null, ptr @work, ptr null)",
    "C11": "call i32 @thrd_create(ptr null, ptr @work, ptr null)",
}


def changing(program: Program) -> frozenset[str]:
    return find_watched_loops(program.functions["@f"], find_pure_code(program)).changing


@pytest.mark.parametrize("call", STARTED)
@pytest.mark.parametrize("read", [VOLATILE, "%now = call i32 @look()"])
def test_a_loop_that_waits_for_another_thread_may_end(call: str, read: str) -> None:
    assert changing(read_program(WAITS.format(call=STARTED[call], read=read))) == {"wait"}


@pytest.mark.parametrize("read", [VOLATILE, PLAIN, "%now = call i32 @look()"])
def test_a_loop_that_waits_for_nobody_does_not_end(read: str) -> None:
    assert not changing(read_program(WAITS.format(call="%one = add i32 0, 1", read=read)))


def test_handlers_run_only_when_the_program_raises_a_signal() -> None:
    model = "define ptr @tightrope_model_signal(i32 %n, ptr %handler) {\n  ret ptr null\n}\n"
    text = WAITS.format(call="call ptr @signal(i32 14, ptr @work)", read=VOLATILE)
    assert not changing(read_program(text + model))
