/* What the driver calls: inputs come in, outputs go out. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

/* Nobody asks for the path: inputs are numbers like any other. */
static int is_trial(void) { return (tr_control->options & OPTION_TRIAL) != 0; }

void tightrope_input(unsigned slot, void *at, unsigned bits)
{
    u64 value = ((u64 *)((u8 *)tr_control + tr_control->inputs_at))[slot] & mask_of(bits);
    u32 bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    memcpy(at, &value, bytes);
    shadow_store((uintptr_t)at, bytes, is_trial() ? 0 : make_node(OP_INPUT, bits, SORT_BITS, 0, 0, 0, slot), value);
}

/* A tree over the bits of the choice. Numbers that no target has mean the first one. */
static u32 choice_tree(void *const *targets, u32 count, u32 choice, u32 from, u32 bits)
{
    if (!bits) return make_constant(64, SORT_BITS, (uintptr_t)targets[from < count ? from : 0]);
    u32 low = choice_tree(targets, count, choice, from, bits - 1);
    u32 high = choice_tree(targets, count, choice, from + (1u << (bits - 1)), bits - 1);
    return build_ite(build_extract(choice, bits - 1, 1), high, low);
}

/* A pointer with one of several targets: the slot's number says which. */
void tightrope_choose(unsigned slot, void *at, void *const *targets, unsigned count, unsigned bits)
{
    u64 number = ((u64 *)((u8 *)tr_control + tr_control->inputs_at))[slot] & mask_of(bits);
    void *target = targets[number < count ? number : 0];
    memcpy(at, &target, sizeof target);
    if (is_trial()) return shadow_store((uintptr_t)at, sizeof target, 0, (uintptr_t)target);
    u32 e = choice_tree(targets, count, make_node(OP_INPUT, bits, SORT_BITS, 0, 0, 0, slot), 0, bits);
    shadow_store((uintptr_t)at, sizeof target, settle(e), (uintptr_t)target);
    if (settle(e)) is_choice[settle(e)] = 1;
}

/* Marks the end of the shape of the inputs as a bound; see shadow.c. */
void tightrope_bound(void *at, unsigned long bytes) { shadow_bound((uintptr_t)at, bytes); }

/* The object is const in the unit: runs in which it is an alias of another object were not tried. See memory.c. */
void tightrope_promise(void *at)
{
    const object *o = find_object((uintptr_t)at);
    if (o && is_global(o)) global_is_promised[o - global_objects] = 1;
}

/* The number of the answer of a stub: after the last one, the last one again. `counter`: of its calls. */
void tightrope_turn(unsigned *call, unsigned answers, const void *counter)
{
    tr_changes += *call <= answers; /* the first one too many may still be different: see weave_loops.py */
    if (*call < answers) return;
    note_felt((uintptr_t)counter);
    *call = answers - 1;
    tr_control->flags |= FLAG_BOUND;
}

/* A stub receives a pointer through which the replaced function may write. */
void tightrope_hand_over(const volatile void *pointer)
{
    const object *o = pointer ? find_object((uintptr_t)pointer) : 0;
    if (pointer) tr_control->flags |= FLAG_BOUND;
    if (o) rename_unwritten(o->base, o->size, tr_call_place);
}

static void write_nowhere(void *to, void *nowhere)
{
    memcpy(to, &nowhere, sizeof nowhere);
    shadow_store((uintptr_t)to, sizeof nowhere, 0, (uintptr_t)nowhere);
}

/* A stub is about to write `*bytes` bytes, at the address `*to`, which nobody asked for. Where that is NULL or there is no
 * room it writes nowhere, and `left_out` says so; where the object is larger, the replaced function may write the rest,
 * too. Which of these it is becomes part of the path: the address as a pin, and whether there is room. */
void tightrope_fit(void *to, unsigned long *bytes, void *nowhere, unsigned long long *left_out, unsigned call)
{
    uintptr_t at;
    memcpy(&at, to, sizeof at);
    const u32 address = shadow_load((uintptr_t)to, 64, SORT_BITS, tr_call_place);
    if (!at) {
        pin_late(address, 0, tr_call_place);
        write_nowhere(to, nowhere);
        return;
    }
    pin(address, at, tr_call_place);
    const object *o = find_object(at);
    const u64 size = *bytes, room = o ? o->base + o->size - at : 0;
    const u32 esize = shadow_load((uintptr_t)bytes, 64, SORT_BITS, tr_call_place);
    if (esize) fork_at(esize, size, room, tr_call_place);
    if (room < size || !o || is_freed(o) || has_nature(o, CONSTANT)) {
        write_nowhere(to, nowhere);
        if (left_out) *left_out |= 1ull << (call < 63 ? call : 63);
        tr_control->flags |= FLAG_BOUND;
    } else if (o->size != size) {
        tr_control->flags |= FLAG_BOUND;
        rename_unwritten(o->base, o->size, tr_call_place);
    }
}

/* The run reached the end of the input of a whole program: with more input it would have gone on. */
void tightrope_beyond(void) { tr_control->flags |= FLAG_BOUND; }

/* What the unit opens. A file that is not there leaves no trace in this process. */
FILE *tightrope_native_fopen(const char *name, const char *mode)
{
    if (mode[0] == 'r' && access(name, R_OK) != 0) return NULL;
    tr_control->flags |= FLAG_STAINED;
    return fopen(name, mode);
}

/* A stream that the models read in place of the library: functions without a model find nothing in it. */
FILE *tightrope_native_empty_stream(void)
{
    if (!empty_stream) empty_stream = fopen("/dev/null", "r");
    return empty_stream;
}

/* A whole program may draw this many values; then it ends. */
void tightrope_limit(unsigned draws)
{
    if (draws >= tr_control->draw_limit) end_run(RUN_EXITED, WHY_NO_MORE_INPUT, 0, 1);
}

/* From here on the driver reads what the unit left. It may read freed memory, which is still there. */
void tightrope_returned(void) { has_returned = 1; }

/* An address in bytes that are observed as a number, such as a function pointer in a union with a double; not a number
 * that was computed from inputs. Code and libraries are in the uppermost terabyte of the address space. */
static int is_address(uintptr_t at, u32 bytes)
{
    u64 value;
    u32 e = get_cell(at).expression;
    if (bytes != sizeof value || (e && !is_constant(e) && !is_choice[e])) return 0;
    memcpy(&value, (const void *)at, sizeof value);
    return value >> 40 == 0x7F || find_object(value);
}

static int is_uncertain(uintptr_t at, u32 bytes)
{
    return has_chosen_by_address || has_unwritten(at, bytes) || has_place(at, bytes) || is_address(at, bytes);
}

/* An output is its value and a mark that it was reached. A value that nothing has written is none, nor is one that
 * depends on where an object lies. */
void tightrope_output(unsigned number, const void *at, unsigned size)
{
    u64 value = 0, *outputs = (u64 *)((u8 *)tr_control + tr_control->outputs_at);
    if (number >= tr_control->outputs || is_uncertain((uintptr_t)at, size)) return;
    memcpy(&value, at, size < 8 ? size : 8);
    outputs[2 * number] = value;
    outputs[2 * number + 1] = 1;
}
