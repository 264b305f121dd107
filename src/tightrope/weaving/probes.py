"""The probes: calls that the weaver inserts and the runtime (runtime/*.c) answers. One table, from
which the declarations in woven IR are written; a test holds it against the C sources."""

from __future__ import annotations

from tightrope.expr.operators import Op

# name -> (result, arguments) in LLVM's types. i32 carries expressions, sites, places, operator codes.
PROBES: dict[str, tuple[str, str]] = {
    "tr_enter": ("void", "ptr, i32, i32"),
    "tr_byval": ("void", "ptr, i32, i64"),
    "tr_is_outside": ("i32", "ptr, i32, i32"),
    "tr_pin_callee": ("void", "i32, ptr, i32"),
    "tr_leave_variadics": ("void", ""),
    "tr_leave_variadic": ("void", "i32, i32, i32, i64, i32"),
    "tr_take_variadics": ("void", "ptr"),
    "tr_variadic": ("void", "ptr, ptr"),
    "tr_point": ("void", "i32"),
    "tr_turn": ("void", "ptr, i32, i32"),
    "tr_branch": ("void", "i32, i32, i32"),
    "tr_switch": ("void", "i32, i32, i64, ptr, i32"),
    "tr_vector": ("void", "i32"),
    "tr_vector_if": ("void", "i32, i32"),
    "tr_observe": ("i32", "i32, i32, i32, i32"),
    "tr_observe_branch": ("i32", "i32, i32, i32, i32"),
    "tr_label_is_open": ("i32", "i32"),
    "tr_label_begin": ("void", "i32"),
    "tr_label_end": ("void", "i32, i32, i32, i32"),
    "tr_label_load": ("ptr", "ptr, ptr, i32, i32, i32, i32"),
    "tr_label_divide": ("i64", "i32, i32, i32, i64, i32, i64, i32"),
    "tr_binary": ("i32", "i32, i32, i32, i64, i32, i64"),
    "tr_shift": ("i32", "i32, i32, i32, i64, i32, i64"),
    "tr_divide": ("i32", "i32, i32, i32, i64, i32, i64, i32"),
    "tr_compare": ("i32", "i32, i32, i32, i64, i32, i64"),
    "tr_extend": ("i32", "i32, i32, i32"),
    "tr_truncate": ("i32", "i32, i32"),
    "tr_overflow": ("i32", "i32, i32, i32, i64, i32, i64, i32"),
    "tr_check_overflow": ("void", "i32, i32, i32, i64, i32, i64, i32"),
    "tr_check_shift": ("void", "i32, i32, i64, i32"),
    "tr_count_bits": ("i32", "i32, i32, i32"),
    "tr_byte_swap": ("i32", "i32"),
    "tr_select": ("i32", "i32, i32, i32, i32, i32, i64, i32, i64"),
    "tr_index": ("i32", "i32, i64, i32, i64, i64"),
    "tr_load": ("i32", "ptr, ptr, i32, i32, i32, i32"),
    "tr_store": ("void", "ptr, ptr, i32, i32, i32, i32, i64, i32"),
    "tr_copy": ("void", "ptr, i32, ptr, i32, i64, i32, i32"),
    "tr_fill": ("void", "ptr, i32, i32, i64, i32, i32"),
    "tr_clobber": ("void", "ptr, i32"),
    "tr_need": ("void", "ptr"),
    "tr_move": ("void", "ptr, ptr"),
    "tr_base": ("void", "i32"),
    "tr_forget": ("void", "ptr, i64"),
    "tr_unwrite": ("void", "ptr, i64, i32"),
    "tr_float_binary": ("i32", "i32, i32, i32, i64, i32, i64"),
    "tr_float_unary": ("i32", "i32, i32, i32"),
    "tr_float_fma": ("i32", "i32, i32, i64, i32, i64, i32, i64"),
    "tr_float_class": ("i32", "i32, i32"),
    "tr_float_compare": ("i32", "i32, i32, i32, i64, i32, i64"),
    "tr_copy_sign": ("i32", "i32, i32, i64, i32, i64, i32"),
    "tr_fraction": ("i32", "i32, i32"),
    "tr_square_root": ("void", "i32, i64, i32"),
    "tr_clear_error": ("void", ""),
    "tr_take_error": ("void", "ptr"),
    "tr_to_float": ("i32", "i32, i32, i32"),
    "tr_to_integer": ("i32", "i32, i32, i32, i32, i64, i32"),
    "tr_as_float": ("i32", "i32, i32"),
    "tr_as_bits": ("i32", "i32, i64, i32"),
    "tr_pin": ("void", "i32, i64, i32"),
    "tr_check_written": ("void", "i32, i32"),
    "tr_check_argument": ("void", "i32, i32"),
    "tr_check_result": ("void", "i32, i32"),
    "tr_concrete": ("void", "i32"),
    "tr_assume": ("void", "i32, i32, i32"),
    "tr_prefer": ("void", "i32, i32, i32"),
    "tr_meet": ("i32", "ptr, ptr, i32, i32, i32, i64, i32, i32, i32"),
    "tr_look_at": ("i32", "ptr, i32, i32"),
    "tr_look_back": ("i32", "i32"),
    "tr_join": ("void", "i32"),
    "tr_weigh": ("void", "i32"),
    "tr_frame": ("i32", ""),
    "tr_unframe": ("void", "i32"),
    "tr_stack_object": ("void", "ptr, i64, i32, i32"),
    "tr_stack_room": ("void", "i64, i32, i64, i32"),
    "tr_pin_size": ("void", "i32, i64, i32"),
    "tr_exit": ("void", "i32, i32"),
    "tr_abort": ("void", "i32"),
    "tr_assertion": ("void", "i32"),
    "tr_jump": ("void", "i32"),
    "tr_endless": ("void", "i32"),
    "tr_unreachable": ("void", "i32"),
    "tr_call_out": ("void", "i32, i32"),
    "tr_fork": ("i32", ""),
    "tr_at_exit": ("i32", "ptr"),
    "tr_free": ("void", "ptr, i32"),
    "tr_free_given": ("void", "ptr, i32"),
    "tr_realloc": ("ptr", "ptr, i64, i32"),
    "tightrope_malloc": ("ptr", "i64"),
    "tightrope_calloc": ("ptr", "i64, i64"),
    "tightrope_aligned": ("ptr", "i64, i64"),
}

# Variables of the runtime that woven code reads and writes.
VARIABLES: dict[str, str] = {
    "tr_arguments": "[512 x i32]",
    "tr_results": "[64 x i32]",
    "tr_copied": "[64 x ptr]",
    "tr_callee": "ptr",
    "tr_signature": "i32",
    "tr_call_place": "i32",
    "tr_overflowed": "i32",
    "tr_library_call": "i32",
    "tr_label_shadow": "i32",
    "tr_doubtful_vector": "i32",
    "tr_changes": "i64",
}
MAX_ARGUMENTS, MAX_RESULTS, MAX_COPIED = 512, 64, 64

INTEGER_PREDICATES = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
FLOAT_PREDICATES = (
    *("oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno"),
)

BINARY = {"add": Op.ADD, "sub": Op.SUB, "mul": Op.MUL, "and": Op.AND, "or": Op.OR, "xor": Op.XOR}
SHIFTS = {"shl": Op.SHL, "lshr": Op.LSHR, "ashr": Op.ASHR}
DIVISIONS = {"udiv": Op.UDIV, "sdiv": Op.SDIV, "urem": Op.UREM, "srem": Op.SREM}
FLOAT_BINARY = {"fadd": Op.F_ADD, "fsub": Op.F_SUB, "fmul": Op.F_MUL, "fdiv": Op.F_DIV}

# Float functions of one operand whose meaning the solver has: C name and LLVM intrinsic.
FLOAT_UNARY = {
    "fabs": Op.F_ABS,
    "sqrt": Op.F_SQRT,
    "floor": Op.F_FLOOR,
    "ceil": Op.F_CEIL,
    "trunc": Op.F_TRUNC,
    "round": Op.F_ROUND,
    "rint": Op.F_RINT,
    "nearbyint": Op.F_RINT,
    "roundeven": Op.F_RINT,
}


def declarations() -> list[str]:
    """The lines that make the runtime known to a woven module."""
    functions = [f"declare {result} @{name}({arguments})" for name, (result, arguments) in PROBES.items()]
    return functions + [f"@{name} = external global {kind}" for name, kind in VARIABLES.items()]


def operator_flags() -> list[str]:
    """Definitions of OP_ADD ... for the compiler of the runtime."""
    return [f"-DOP_{op.name}={op.value}" for op in Op]
