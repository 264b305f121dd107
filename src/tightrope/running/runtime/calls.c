/* Calls between woven functions, and the points and branches that a run passes.
 *
 * The files calls.c, numbers.c, memory.c, floats.c and inputs.c hold the probes: what woven code calls. Names and
 * arguments are those of weaving/probes.py. Concrete operands come along as 64-bit numbers (zero-extended
 * integers, the bits of floats), because an operand without a shadow becomes a constant of the expression. */
#include <string.h>

#include "runtime.h"

/* Shadows of arguments and results. The callee takes them only if it is the one that was called: code
 * that was not woven (qsort) may call back with whatever is left here. */
u32 tr_arguments[512], tr_results[64];
void *tr_callee;
u32 tr_signature; /* of the function type that the caller used */
u32 tr_call_place; /* where a stub was called: events in the stub are reported there */
void *tr_copied[64]; /* where the caller's object of a by-value argument lies */

static void forget_arguments(u32 count)
{
    memset(tr_arguments, 0, sizeof(u32) * (count < 512 ? count : 512));
    memset(tr_copied, 0, sizeof tr_copied);
}

void tr_enter(void *self, u32 count, u32 signature)
{
    if (tr_callee == self && tr_signature == signature) {
        tr_callee = 0;
        return;
    }
    if (tr_callee == self) tr_control->flags |= FLAG_APPROXIMATE; /* called under another type: shadows do not fit */
    forget_arguments(count);
    forget_variadics();
    forget_dead_locals();
    tr_callee = 0;
}

/* The functions that are woven, with numbers for their types: written by the weaver, sorted here. */
typedef struct {
    void *address;
    u64 signature;
} function_entry;
extern const function_entry tr_functions[];
extern const u64 tr_functions_count;
static function_entry *functions;

static void functions_start(void)
{
    functions = tr_allocate(sizeof *functions * (tr_functions_count + 1));
    for (u64 count = 0; count < tr_functions_count; count++) {
        u64 i = count;
        for (; i && functions[i - 1].address > tr_functions[count].address; i--) functions[i] = functions[i - 1];
        functions[i] = tr_functions[count];
    }
}

static const function_entry *find_function(const void *address)
{
    u64 low = 0, high = tr_functions_count;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (functions[middle].address == address) return &functions[middle];
        if (functions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* A function is called through a pointer, which must not be NULL. */
void tr_pin_callee(u32 e, void *callee, u32 place)
{
    if (e) follow(e, (uintptr_t)callee, place);
    if (!callee) end_run(RUN_CRASHED, WHY_NULL, place, 0);
    pin(e, (uintptr_t)callee, place);
}

/* Before a call through a pointer. Code that is not woven neither takes nor leaves shadows, and may change the
 * process. */
u32 tr_is_outside(void *callee, u32 signature, u32 place)
{
    const function_entry *found = find_function(callee);
    if (found && found->signature == signature) return 0;
    if (!found) tr_call_out(place, 1);
    tr_concrete(place);
    return 1;
}

void tr_byval(void *object, u32 index, u64 size)
{
    tr_register(object, size);
    if (index < 64 && tr_copied[index])
        shadow_copy((uintptr_t)object, (uintptr_t)tr_copied[index], size);
    else
        shadow_clear((uintptr_t)object, size);
}

/* Points and branches. */
static u32 awaited; /* the point of the block up to which chance decides, from 1 (see addresses.c); 0: none */

static void hit(u32 point)
{
    if (in_label) return; /* the program without labels did not execute this */
    u8 *start = (u8 *)tr_control;
    u32 *counts = (u32 *)(start + tr_control->counts_at);
    if (point < tr_control->points && awaited)
        counts[point] = BY_CHANCE;
    else if (point < tr_control->points && !counts[point]++)
        ((u64 *)(start + tr_control->mask_at))[point / 64] |= (u64)1 << point % 64;
}

static void step(u32 point)
{
    tr_control->place = 0; /* the place of the last operation in this block that may crash */
    if (++tr_control->steps > tr_control->step_limit)
        end_run(RUN_TIMED_OUT, WHY_STEPS, tr_control->point_places + point, 0);
}

void tr_point(u32 point)
{
    step(point);
    hit(point);
}

static u32 branch_on_address(u32 site, u32 e, uintptr_t frame);

void tr_branch(u32 site, u32 e, u32 side)
{
    if (depends_on_address(e)) e = branch_on_address(site, e, (uintptr_t)__builtin_frame_address(0));
    check_written(e, tr_control->point_places + site);
    hit(site + side);
    if (e || (tr_control->options & OPTION_ALL_EVENTS)) add_event(EVENT_BRANCH, site, e, side);
}

void tr_switch(u32 site, u32 e, u64 value, const u64 *cases, u32 count)
{
    u32 side = 0;
    if (depends_on_address(e)) e = branch_on_address(site, e, (uintptr_t)__builtin_frame_address(0));
    check_written(e, tr_control->point_places + site);
    for (u32 i = 0; i < count && !side; i++)
        if (cases[i] == value) side = i + 1;
    hit(site + side);
    if (e || (tr_control->options & OPTION_ALL_EVENTS)) add_event(EVENT_SWITCH, site, e, side);
}
