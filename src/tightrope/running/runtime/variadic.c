/* Arguments behind the `...` of a function. The machine puts them into registers, which the function saves, and
 * onto the stack; `va_arg` is plain code that finds them there. So their shadows are laid where it will look.
 *
 * The caller leaves them (tr_leave_variadic), the callee takes them when it begins, because other calls come
 * before `va_start` does (tr_take_variadics), and `va_start` lays them out (tr_variadic). */
#include "runtime.h"

enum variadic_kind { VARIADIC_OTHER, VARIADIC_INTEGER, VARIADIC_DOUBLE };
enum { VARIADICS = 32 };

/* `is_complete`: every argument is in the list, so that its end on the stack is known. */
typedef struct {
    u32 count, is_known, is_complete, unused;
    struct {
        u32 e, kind, bits;
        u64 value;
    } list[VARIADICS];
} variadics;
_Static_assert(sizeof(variadics) <= 1024, "weave_function.py reserves so much of the frame");

static variadics left_variadics;

void tr_leave_variadics(void)
{
    left_variadics.count = 0;
    left_variadics.is_known = left_variadics.is_complete = 1;
}

/* An argument of another kind has its own place, on which the following ones depend. */
void tr_leave_variadic(u32 kind, u32 bits, u32 e, u64 value, u32 place)
{
    variadics *v = &left_variadics;
#ifdef __x86_64__
    if (kind == VARIADIC_OTHER || v->count == VARIADICS) v->is_complete = 0;
#else
    v->is_complete = 0;
#endif
    if (!v->is_complete) {
        pin(e, value, place);
        return;
    }
    v->list[v->count].e = e;
    v->list[v->count].kind = kind;
    v->list[v->count].bits = bits;
    v->list[v->count++].value = value;
}

static void forget_variadics(void) { left_variadics.is_known = 0; }

void tr_take_variadics(void *kept)
{
    memcpy(kept, &left_variadics, sizeof left_variadics);
    forget_variadics();
}

#ifdef __x86_64__

typedef struct {
    u32 integers, floats;
    u8 *others, *registers;
} va_memory;
enum { INTEGER_END = 48, FLOAT_END = 176, SOME_STACK = 256 };

/* Where the next argument lies, and the list one further. */
static u8 *next_variadic(va_memory *l, u32 kind)
{
    u32 *used = kind == VARIADIC_DOUBLE ? &l->floats : &l->integers;
    u32 end = kind == VARIADIC_DOUBLE ? FLOAT_END : INTEGER_END, width = kind == VARIADIC_DOUBLE ? 16 : 8;
    u8 *at = *used < end ? l->registers + *used : l->others;
    if (*used < end)
        *used += width;
    else
        l->others += 8;
    return at;
}

/* The saved registers are an object of the frame, and so are the arguments on the stack if all of them are known;
 * otherwise they lie in unknown memory. */
void tr_variadic(void *list, const void *kept)
{
    const variadics *v = kept;
    va_memory start, end;
    memcpy(&start, list, sizeof start);
    end = start;
    shadow_clear((uintptr_t)list, sizeof start);
    forget_dead_locals(); /* arguments may lie where those were */
    tr_stack_memory(start.registers, FLOAT_END);
    if (!v->is_known) shadow_clear((uintptr_t)start.others, SOME_STACK);
    if (!v->is_known) return;
    for (u32 i = 0; i < v->count; i++) next_variadic(&end, v->list[i].kind);
    if (!v->is_complete)
        shadow_clear((uintptr_t)start.others, (size_t)(end.others - start.others) + SOME_STACK);
    else if (end.others != start.others)
        tr_stack_memory(start.others, (u64)(end.others - start.others));
    for (u32 i = 0; i < v->count; i++) {
        u8 *at = next_variadic(&start, v->list[i].kind);
        shadow_store((uintptr_t)at, v->list[i].bits / 8, v->list[i].e, v->list[i].value);
    }
}

#else

void tr_variadic(void *list, const void *kept)
{
    (void)kept;
    shadow_clear((uintptr_t)list, sizeof(void *));
}

#endif
