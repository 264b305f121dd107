"""What the debug information says of C, judged by the compiler: declared once more, everything must agree."""

from pathlib import Path

from tightrope.program.declarations.c_types import CFunctionType, CRecord
from tightrope.program.declarations.debug_info import UnspellableError, read_debug_info, spell
from tightrope.program.ir.read_ir import normalise

MORE = """
#include <stddef.h>
typedef const unsigned char bytes_t[2][3];
bytes_t *find(bytes_t table, int (*const compare)(const void *, const void *), char **volatile names);
bytes_t *find(bytes_t table, int (*const compare)(const void *, const void *), char **volatile names) { return 0; }
int (*choose(int which))(const char *, ...) { return 0; }
struct outer { struct { int x; union { long y; char z[3]; }; } in;
  enum { ONE = 1, ALL = -1 } e; unsigned char rows[2][5]; } made;
enum wide { HUGE_ONE = 0xFFFFFFFFFFFFFFFF } far_away;
struct flexible { int n; _Bool tail[]; } *flex;
static volatile _Atomic unsigned long long ticks;
const char *const labels[3]; int *restrict fast; int cube[2][3][4];
int (*(*deep)[2])(void (*)(int), struct outer *restrict);
int no_name(int, char c) { struct here { int q; } h = {ticks};
  typedef struct here here_t; static here_t kept; return kept.q + h.q; }
"""
SOURCE = (Path(__file__).parent / "odd.c").read_text() + MORE


def declare_again(known):
    """A second declaration of every global and function, and the size and offsets of every struct."""
    for value in known.globals.values():
        if not value.owner and value.name != "tls":
            linkage = "static" if value.is_static else "extern"
            yield f"{linkage} {spell(known, value.type, value.name)};"
    for function in known.functions.values():
        if function.is_prototyped:
            yield f"{spell(known, function.type, function.name)};"
    yield from (check for kind in known.types.values() if isinstance(kind, CRecord) for check in check_record(kind))


def check_record(record):
    if record.tag and record.is_complete and record.tag != "__va_list_tag":
        name = f"{record.kind} {record.tag}"
        yield f'_Static_assert(sizeof({name}) == {record.size}, "{name}");'
        for member in record.members:
            if member.name and member.bit_size is None:
                yield f'_Static_assert(offsetof({name}, {member.name}) == {member.bit_offset // 8}, "{member.name}");'


def test_everything_can_be_declared_again(compile_c):
    known = read_debug_info(normalise(compile_c(SOURCE))[0])
    lines = list(declare_again(known))
    assert len(lines) > 60
    compile_c("\n".join([SOURCE, *lines]))


def test_every_type_is_spelt_or_refused(compile_c):
    known = read_debug_info(normalise(compile_c(SOURCE))[0])
    refused = 0
    for number in known.types:
        try:
            assert spell(known, number, "x")
        except UnspellableError:
            refused += 1
    assert 0 < refused < len(known.types) / 4


def test_parameters_point_at_their_names(compile_c):
    known = read_debug_info(normalise(compile_c(SOURCE))[0])
    lines = SOURCE.split("\n")
    for function in known.functions.values():
        for parameter in function.parameters:
            if parameter.name:
                place = parameter.location
                assert lines[place.line - 1][place.column - 1 :].startswith(parameter.name), function.name


def test_static_locals_know_their_function(compile_c):
    known = read_debug_info(normalise(compile_c(SOURCE))[0])
    assert known.globals["@no_name.kept"].owner == "no_name"
    assert known.globals["@cgoto.t"].owner == "cgoto"
    assert [p.name for p in known.functions["no_name"].parameters] == ["", "c"]


def test_functions_have_function_types(compile_c):
    known = read_debug_info(normalise(compile_c(SOURCE))[0])
    assert all(isinstance(known.types[f.type], CFunctionType) for f in known.functions.values())
    assert [f.name for f in known.functions.values() if f.is_variadic] == ["va"]
    assert [f.name for f in known.functions.values() if not f.is_prototyped] == ["kr"]
