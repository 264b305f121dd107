"""Stubs in C: what a driver needs, and what a written test needs."""

from tightrope.harness.stubs import StubWriter, define_missing
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import InputShape, Leaf, Root
from tightrope.inputs.stub_answers import answer_roots, counter_roots, describe_stubs, silent_callbacks, unused_answers
from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    VOID_ID,
    CFunction,
    CFunctionType,
    CPointer,
    CScalar,
    CTypedef,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.interface import Interface, MissingFunction
from tightrope.program.declarations.stubs import Outside, Stub, Written

INT, POINTER, SENSOR, TIME, LONG, TIME_T, TO_TIME, LOG, BUFFER, FILL = range(1, 11)
CTYPES = CTypes(
    {
        VOID_ID: CVoid(),
        INT: CScalar("int", "signed", 4),
        POINTER: CPointer(INT),
        SENSOR: CFunctionType(INT, (INT, POINTER)),
        LONG: CScalar("long", "signed", 8),
        TIME_T: CTypedef("time_t", LONG),
        TO_TIME: CPointer(TIME_T),
        TIME: CFunctionType(TIME_T, (TO_TIME,)),
        LOG: CFunctionType(VOID_ID, (INT,), is_variadic=True),
        BUFFER: CPointer(VOID_ID),
        FILL: CFunctionType(VOID_ID, (BUFFER,)),
    },
    {},
    {},
)
WORD = Scalar("signed", 32, 4, True)
STUB = Stub("sensor", "sensor", SENSOR, 2)
MALLOC = Stub("malloc", "malloc", VOID_ID, 2, "malloc", is_redirected=True, may_fail=True)


class Slots:
    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return self.count - 1


def roots(stub):
    slots = Slots()

    def build(number, path):
        return Leaf(path, number, WORD, slots())

    def build_written(one, number, path):
        return build(number, path)

    calls = [
        root for call in range(stub.answers) for root in answer_roots(CTYPES, stub, call, build, build_written, slots)
    ]
    return (*calls, *counter_roots(stub))


def driver(*stubs):
    shape = InputShape(tuple(root for stub in stubs for root in roots(stub)), None, stubs=stubs)
    return "\n".join(StubWriter.for_driver(CTYPES, shape).definitions())


def written(*stubs):
    return "\n".join(StubWriter(CTYPES, stubs).definitions())


def test_an_answer_for_each_call_and_the_number_of_calls():
    found = roots(STUB)
    assert [(root.name, root.shape.path, root.shape.slot) for root in found] == [
        ("tightrope_answers_sensor[0]", "sensor#1", 0),
        ("tightrope_answers_sensor[1]", "sensor#2", 1),
        ("tightrope_calls_sensor", "calls of sensor", None),
    ]
    assert [root.is_counter for root in found] == [False, False, True]
    assert all(root.is_global and root.answers_of == "sensor" for root in found)


def test_what_is_written_has_the_path_of_the_argument():
    one, many = Written("sensor", 2), Written("sensor", 2, 3)
    stub = Stub("sensor", "sensor", SENSOR, 1, writes=(one,))
    assert [root.shape.path for root in roots(stub)][1] == "*sensor::argument_2#1"
    stub = Stub("sensor", "sensor", SENSOR, 1, writes=(many,))
    found = roots(stub)[1]
    assert (found.name, found.shape.path) == ("tightrope_writes_sensor_2[0]", "sensor::argument_2#1")
    assert [one.path for one in found.shape.elements] == [f"sensor::argument_2#1[{index}]" for index in range(3)]


def test_a_void_function_is_only_counted():
    stub = Stub("log", "log", LOG)
    assert [root.name for root in roots(stub)] == ["tightrope_calls_log"]
    assert written(stub).splitlines()[:4] == [
        "static unsigned tightrope_calls_log;",
        "void (log)(int unused_1 __attribute__((unused)), ...)",
        "{",
        "    tightrope_calls_log++;",
    ]


def test_failures_are_not_counted():
    assert [(root.name, root.shape.path) for root in roots(MALLOC)] == [
        ("tightrope_fails_malloc[0]", "malloc#1.fails"),
        ("tightrope_fails_malloc[1]", "malloc#2.fails"),
    ]


def test_stubs_of_the_driver_have_no_branch_that_counts_calls():
    text = driver(STUB, MALLOC, Stub("time", "time", TIME, outside=Outside(stores=True), is_redirected=True))
    assert "if (" not in text
    assert "tightrope_turn(&tightrope_call, 2, &tightrope_calls_sensor);" in text
    assert "tightrope_choose(0 + tightrope_call, &tightrope_block, tightrope_targets, 2, 1);" in text


def test_a_failing_realloc_is_a_branch_of_the_driver():
    stub = Stub("realloc", "realloc", VOID_ID, 2, "realloc", is_redirected=True, may_fail=True)
    assert "if (tightrope_fails_realloc[tightrope_call])\n        return 0;" in driver(stub)


def test_written_tests_forget_the_answers_of_the_test_before():
    text = written(STUB)
    assert "tightrope_turn" not in text
    assert "if (tightrope_call > 1) tightrope_call = 1;" in text
    assert "tightrope_calls_sensor = 0;" in text.partition("tightrope_forget_answers")[2]
    assert "tightrope_forget_answers" not in driver(STUB)


def test_the_library_keeps_its_own():
    stub = Stub("time", "time", TIME, is_redirected=True)
    lines = list(StubWriter(CTYPES, (STUB, MALLOC, stub)).redirections())
    assert lines == [
        'void *malloc(__SIZE_TYPE__) __asm__("tightrope_stub_malloc");',
        'long time(long *) __asm__("tightrope_stub_time");',
    ]


def test_answers_keep_to_what_c_promises():
    stub = Stub("rand", "rand", SENSOR, 1, outside=Outside(mask=0x7FFFFFFF))
    assert "return tightrope_answers_rand[tightrope_call] & 0x7fffffff;" in written(stub)


WAITING = Stub("wait_for", "wait_for", SENSOR, 2, outside=Outside(result="number", waits=True))


def test_a_function_that_waits_fails_after_its_last_answer():
    own = "__typeof__(tightrope_answers_wait_for[0])"
    late = f"{own} tightrope_answer = tightrope_calls_wait_for > 2 ? (-5) : tightrope_answers_wait_for[tightrope_call];"
    assert late in written(WAITING)
    assert "return tightrope_answer < 0 ? -1 : tightrope_answer;" in written(WAITING)
    assert "if (" not in driver(WAITING) and "?" not in driver(WAITING)
    assert f"{own} tightrope_late = -({own})(tightrope_calls_wait_for > 2);" in driver(WAITING)
    assert "later calls fail" in next(describe_stubs(CTYPES, (WAITING,)))


def test_a_call_that_fails_for_want_of_an_answer_writes_nothing():
    stub = Stub("wait_for", "wait_for", SENSOR, 2, outside=WAITING.outside, writes=(Written("wait_for", 2),))
    assert "if (tightrope_to_2 != NULL && tightrope_calls_wait_for <= 2)" in written(stub)
    late = "(tightrope_calls_wait_for > 2) * ((unsigned long)tightrope_nowhere_2 - tightrope_to_2);"
    assert f"tightrope_to_2 += {late}" in driver(stub) and "if (" not in driver(stub)


def test_without_a_promise_about_its_result_nothing_fails():
    stub = Stub("wait_for", "wait_for", SENSOR, 2, outside=Outside(waits=True))
    assert "late" not in driver(stub) + written(stub)
    assert "repeat the last one" in next(describe_stubs(CTYPES, (stub,)))


def test_bytes_are_written_behind_a_void_pointer():
    stub = Stub("fill", "fill", FILL, 2, writes=(Written("fill", 1, 8),))
    assert "static unsigned char tightrope_writes_fill_1[2][8];" in written(stub)


def test_answers_that_a_run_did_not_ask_for():
    shape = InputShape(roots(STUB), None, stubs=(STUB,))
    assert unused_answers(shape, [("calls of sensor", 1)]) == {"tightrope_answers_sensor[1]"}
    assert unused_answers(shape, [("calls of sensor", None)]) == frozenset()
    assert unused_answers(shape, [("calls of sensor", 7)]) == frozenset()


def test_only_callbacks_may_be_silent():
    callback = Stub("tightrope_stub_visit", "visit", SENSOR)
    shape = InputShape((Root("x", Leaf("x", INT, WORD, 0)),), None, stubs=(STUB, callback))
    assert list(silent_callbacks(shape)) == ["tightrope_calls_visit"]


def test_what_is_assumed_is_said():
    fatal = Stub("fatal", "fatal", LOG, never_returns=True)
    xmalloc = Stub("xmalloc", "xmalloc", SENSOR, like="malloc")
    assert list(describe_stubs(CTYPES, (STUB, MALLOC, fatal, xmalloc, Stub("log", "log", LOG)))) == [
        "sensor(): no definition found; the first 2 calls return inputs, later calls repeat the last one; no side effects",
        "malloc(): each of its first 2 calls may fail",
        "fatal(): no definition found; a call ends the run",
        "xmalloc(): no definition found; allocates or frees memory, to judge by its name (see --stub, --no-stub)",
        "log(): no definition found; calls do nothing",
    ]


def test_what_has_no_stub_does_nothing():
    function = CFunction("f", SENSOR, INT, (), Location("unit.c", 1), False)
    missing = (MissingFunction("sensor", SENSOR), MissingFunction("log", LOG), MissingFunction("end", LOG, True))
    interface = Interface(function, "f", (), INT, missing_functions=missing)
    assert list(define_missing(CTYPES, interface, (STUB,), "weak ")) == [
        "weak void (log)(int unused_1 __attribute__((unused)), ...)",
        "{ }",
        "weak void (end)(int unused_1 __attribute__((unused)), ...)",
        "{ for (;;) { } }",
    ]
