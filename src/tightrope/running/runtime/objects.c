/* The objects of the unit and their bounds: globals (listed by the woven module), stack objects
 * (registered when they come to life) and the heap (an arena of our own, as new before each run).
 *
 * No two objects touch each other: the weaver leaves a gap behind each global and around each stack object, and the
 * arena behind each block. An access that falls into a gap has left its object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime.h"

/* Written by the weaver: all globals of the unit by ascending address is not promised, so sorted here. */
enum nature { CONSTANT, MUTABLE, GIVEN };
typedef struct {
    void *base;
    u64 size;
    u64 nature, alignment;
} global_entry;
extern const global_entry tr_globals[];
extern const u64 tr_globals_count;

static object *global_objects;
static u8 *global_natures, *global_is_freed, *global_is_promised;
static u32 *global_numbers; /* in tr_globals */
static u16 *global_alignments, *stack_alignments, *heap_alignments; /* in bytes, at most LARGEST_ALIGNMENT */
static uintptr_t lowest_global, globals_span;
enum { HEAP_ALIGNMENT = 16, LARGEST_ALIGNMENT = 1 << 12 };
static u32 globals_freed;
static u8 *snapshot;

enum { STACK_OBJECTS = 1 << 18, HEAP_OBJECTS = 1 << 16 };
enum { GLOBAL_GAP = 128, STACK_GAP = 32, HEAP_GAP = 64 }; /* the first two as in weaving/weave_memory.py */
static object *stack_objects, *heap_objects;
static u8 *heap_is_live, *stack_has_gap;
static u32 stack_count, heap_count;
static u32 stack_seen; /* stack objects after the live ones belong to functions that have returned */
enum { LAST = 4 };
static object last_objects[LAST]; /* the last two that reads found, and writes (see check_known) */
static u8 *heap_base;
static size_t heap_used;
static uintptr_t stack_top, stack_bytes; /* set when serving starts */

void *tr_allocate(size_t bytes)
{
    static u8 *chunk;
    static size_t left;
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > left) {
        left = bytes > (1 << 20) ? bytes : 1 << 20;
        chunk = mmap(0, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (chunk == MAP_FAILED) __builtin_trap();
    }
    void *at = chunk;
    chunk += bytes, left -= bytes;
    return at;
}

static u16 known_alignment(u64 bytes) { return (u16)(bytes < LARGEST_ALIGNMENT ? bytes : LARGEST_ALIGNMENT); }

static void insert_sorted(u64 count, const global_entry *entry)
{
    u64 i = count;
    for (; i && global_objects[i - 1].base > (uintptr_t)entry->base; i--) {
        global_objects[i] = global_objects[i - 1];
        global_natures[i] = global_natures[i - 1];
        global_numbers[i] = global_numbers[i - 1];
        global_alignments[i] = global_alignments[i - 1];
    }
    global_objects[i] = (object){(uintptr_t)entry->base, entry->size};
    global_natures[i] = (u8)entry->nature;
    global_numbers[i] = (u32)count;
    global_alignments[i] = known_alignment(entry->alignment);
}

static void take_snapshot(void)
{
    size_t total = 0;
    for (u64 i = 0; i < tr_globals_count; i++) total += tr_globals[i].nature != CONSTANT ? tr_globals[i].size : 0;
    u8 *at = snapshot = tr_allocate(total + 1);
    for (u64 i = 0; i < tr_globals_count; i++)
        if (tr_globals[i].nature != CONSTANT) {
            memcpy(at, tr_globals[i].base, tr_globals[i].size);
            at += tr_globals[i].size;
        }
}

void objects_start(void)
{
    global_objects = tr_allocate(sizeof(object) * (tr_globals_count + 1));
    global_natures = tr_allocate(tr_globals_count + 1);
    global_numbers = tr_allocate(sizeof *global_numbers * (tr_globals_count + 1));
    global_is_freed = tr_allocate(tr_globals_count + 1);
    global_is_promised = tr_allocate(tr_globals_count + 1);
    global_alignments = tr_allocate(sizeof *global_alignments * (tr_globals_count + 1));
    for (u64 i = 0; i < tr_globals_count; i++) insert_sorted(i, &tr_globals[i]);
    if (tr_globals_count) {
        const object *last = &global_objects[tr_globals_count - 1];
        lowest_global = global_objects->base;
        globals_span = last->base + last->size - lowest_global;
    }
    stack_alignments = tr_allocate(sizeof *stack_alignments * STACK_OBJECTS);
    heap_alignments = tr_allocate(sizeof *heap_alignments * HEAP_OBJECTS);
    stack_objects = tr_allocate(sizeof(object) * STACK_OBJECTS);
    stack_has_gap = tr_allocate(STACK_OBJECTS);
    heap_objects = tr_allocate(sizeof(object) * HEAP_OBJECTS);
    heap_is_live = tr_allocate(HEAP_OBJECTS);
    heap_base =
        mmap(0, tr_control->heap_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (heap_base == MAP_FAILED) heap_base = 0;
    take_snapshot();
}

static void forget_last_objects(void) { memset(last_objects, 0, sizeof last_objects); }

/* Whether it shares a byte with these. */
static void forget_last_object(uintptr_t base, u64 size)
{
    for (u32 i = 0; i < LAST; i++)
        if (last_objects[i].base < base + size && base < last_objects[i].base + last_objects[i].size)
            last_objects[i].size = 0;
}

void objects_reset(void)
{
    const u8 *at = snapshot;
    for (u64 i = 0; i < tr_globals_count; i++)
        if (tr_globals[i].nature != CONSTANT) {
            memcpy(tr_globals[i].base, at, tr_globals[i].size);
            at += tr_globals[i].size;
        }
    if (heap_used) memset(heap_base, 0, heap_used);
    if (globals_freed) memset(global_is_freed, 0, tr_globals_count);
    stack_count = stack_seen = heap_count = globals_freed = 0;
    heap_used = 0;
    forget_last_objects();
}

/* The last object of a sorted array that starts at or below `at`. */
static const object *last_at_or_below(const object *objects, u64 count, uintptr_t at)
{
    u64 low = 0, high = count;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (objects[middle].base <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &objects[low - 1] : 0;
}

/* One past the end still belongs to an object. */
static const object *find_sorted(const object *objects, u64 count, uintptr_t at)
{
    const object *o = last_at_or_below(objects, count, at);
    return o && at - o->base <= o->size ? o : 0;
}

/* One past the end belongs to a stack object too, unless another one starts there: copies of structs that are given
 * by value have no gaps. */
static const object *find_on_stack(uintptr_t at)
{
    const object *ended = 0;
    for (u32 i = stack_count; i-- > 0;) {
        u64 offset = at - stack_objects[i].base;
        if (offset < stack_objects[i].size) return &stack_objects[i];
        if (offset == stack_objects[i].size) ended = &stack_objects[i];
    }
    return ended;
}

static int is_in_arena(uintptr_t at) { return heap_base && at - (uintptr_t)heap_base < tr_control->heap_bytes; }

/* Streams of the C library that an input may be, and one that stands for standard input opened by its name. Their
 * content is private to the library: one byte is enough for bounds. */
static object streams[3];
static FILE *empty_stream; /* for as long as this process lives */

static const object *find_stream(uintptr_t at)
{
    streams[0] = (object){(uintptr_t)stdin, 1};
    streams[1] = (object){(uintptr_t)stdout, 1};
    streams[2] = (object){(uintptr_t)empty_stream, 1};
    for (u32 i = 0; i < 3; i++)
        if (at && at == streams[i].base) return streams + i;
    return 0;
}

const object *find_object(uintptr_t at)
{
    if (is_in_arena(at)) return find_sorted(heap_objects, heap_count, at);
    const object *o = find_on_stack(at);
    if (!o) o = find_sorted(global_objects, tr_globals_count, at);
    return o ? o : find_stream(at);
}

/* In a gap: it is not known which object was meant, but the access is out of bounds. */
static int is_beside_global(uintptr_t at)
{
    const object *o = last_at_or_below(global_objects, tr_globals_count, at), *next = o ? o + 1 : global_objects;
    if (o && at - o->base < o->size + GLOBAL_GAP) return 1;
    return next < global_objects + tr_globals_count && next->base - at <= GLOBAL_GAP;
}

static int is_beside_local(uintptr_t at)
{
    for (u32 i = stack_count; i-- > 0;)
        if (stack_has_gap[i] && at - (stack_objects[i].base - STACK_GAP) < stack_objects[i].size + 2 * STACK_GAP)
            return 1;
    return 0;
}

static int is_in_gap(uintptr_t at) { return is_in_arena(at) || is_beside_local(at) || is_beside_global(at); }

static int is_on_heap(const object *o) { return o >= heap_objects && o < heap_objects + heap_count; }
static int is_stream(const object *o) { return o >= streams && o < streams + 2; }
static int is_global(const object *o) { return o >= global_objects && o < global_objects + tr_globals_count; }
static int has_nature(const object *o, u32 nature)
{
    return is_global(o) && global_natures[o - global_objects] == nature;
}

/* Where runs reach the end of the shape of the inputs: number of a global and offset in it, each once, over all runs.
 * An object that was left is felt at its end. */
enum { FELT_PLACES = 64 }; /* as in running/memory_map.py */

void note_felt(uintptr_t at)
{
    static uintptr_t last;
    const object *o = at == last || has_returned ? 0 : last_at_or_below(global_objects, tr_globals_count, at);
    if (!o || at - o->base > o->size) return;
    u64 *felt = (u64 *)((u8 *)tr_control + tr_control->felt_at), count = tr_control->felt_count;
    u64 offset = at - o->base, where = (u64)global_numbers[o - global_objects] << 32 | (offset & 0xFFFFFFFF);
    last = at;
    for (u64 i = 0; i < count && i < FELT_PLACES; i++)
        if (felt[i] == where) return;
    if (count < FELT_PLACES) felt[count] = where, tr_control->felt_count++;
}

/* The object in whose gap an address lies, if it is a global: the one before it, where arrays are mostly left. */
static void note_felt_beside(uintptr_t at)
{
    const object *o = last_at_or_below(global_objects, tr_globals_count, at);
    if (o && at - o->base < o->size + GLOBAL_GAP) note_felt(o->base + o->size);
}

static int is_freed(const object *o)
{
    if (is_on_heap(o)) return !heap_is_live[o - heap_objects];
    return globals_freed && !has_returned && is_global(o) && global_is_freed[o - global_objects];
}

/* What the program promises about the address of an object. */
static u64 alignment_of(const object *o)
{
    if (is_on_heap(o)) return heap_alignments[o - heap_objects];
    if (is_global(o)) return global_alignments[o - global_objects];
    return is_stream(o) ? 1 : stack_alignments[o - stack_objects];
}

/* A local of a function that has returned, as long as no other object came to life in its place. */
static int is_dead_local(uintptr_t at)
{
    for (u32 i = stack_count; i < stack_seen; i++)
        if (at - stack_objects[i].base < stack_objects[i].size) return 1;
    return 0;
}

/* Unknown memory on the stack may lie where those locals were. */
static void forget_dead_locals(void) { stack_seen = stack_count; }

/* Stack objects. A frame remembers the count at its entry and puts it back when it leaves. */
u32 tr_frame(void) { return stack_count; }
void tr_unframe(u32 count)
{
    for (u32 i = count; i < stack_count; i++) forget_last_object(stack_objects[i].base, stack_objects[i].size);
    stack_count = count;
}

static void tr_register(void *base, u64 size)
{
    forget_last_object((uintptr_t)base, size);
    if (stack_count && stack_objects[stack_count - 1].base == (uintptr_t)base)
        stack_count--; /* a variable array, again */
    if (stack_count == STACK_OBJECTS) return;
    stack_has_gap[stack_count] = 0;
    stack_alignments[stack_count] = 1;
    stack_objects[stack_count++] = (object){(uintptr_t)base, size};
    if (stack_seen < stack_count) stack_seen = stack_count;
}

/* Memory of a frame that was written by the machine. */
static void tr_stack_memory(void *base, u64 size)
{
    shadow_clear((uintptr_t)base, size);
    tr_register(base, size);
}

/* What nobody has written holds zeros: a run must not depend on what ran before it. With OPTION_SOIL it holds another
 * value: what differs between two runs that have the same input and different soil depends on unwritten memory. */
static int soil(void) { return tr_control->options & OPTION_SOIL ? 0xFF : 0; }

void tr_stack_object(void *base, u64 size, u32 leaf, u32 alignment)
{
    memset(base, soil(), size);
    tr_stack_memory(base, size);
    shadow_unwritten((uintptr_t)base, size, leaf);
    if (!stack_count) return;
    stack_has_gap[stack_count - 1] = 1;
    stack_alignments[stack_count - 1] = known_alignment(alignment);
}

static void fork_at(u32 e, u64 value, u64 limit, u32 place)
{
    guard(build_compare(OP_ULT, make_constant(tr_nodes[e].bits, SORT_BITS, limit), e), value > limit, place);
}

/* Keeps a size as it is in this run. Other values are offered by their magnitude, because most possible sizes are
 * absurdly large. */
static void pin_size(u32 e, u64 value, u32 place)
{
    static const u64 orders[] = {32, 1024, 1 << 16};
    for (u32 i = 0; e && i < sizeof orders / sizeof *orders; i++) {
        fork_at(e, value, orders[i], place);
        if (value <= orders[i]) break;
    }
    pin(e, value, place);
}

/* A size of a heap block. All sizes that are too large for the arena have the same result. */
void tr_pin_size(u32 e, u64 value, u32 place)
{
    if (e) fork_at(e, value, tr_control->heap_bytes, place);
    if (value <= tr_control->heap_bytes) pin_size(e, value, place);
}

/* Before `count` elements of `size` bytes are put on the stack (a variable array, alloca). */
void tr_stack_room(u64 count, u32 e, u64 size, u32 place)
{
    u64 most = stack_bytes / 2 / (size ? size : 1);
    if (e) fork_at(e, count, most, place);
    if (count <= most) {
        pin_size(e, count, place);
        return;
    }
    tr_control->flags |=
        FLAG_APPROXIMATE; /* another machine may have enough memory, and memory that is not touched needs none */
    end_run(RUN_CRASHED, WHY_STACK_OVERFLOW, place, 0);
}

/* The heap. */
static int has_room(u64 size, size_t room)
{
    u64 whole = tr_control->heap_bytes;
    return heap_base && size <= whole && heap_used + room <= whole && heap_count < HEAP_OBJECTS;
}

void *tightrope_malloc(u64 size)
{
    size_t room = (size + 15 + HEAP_GAP) & ~(size_t)15;
    if (!has_room(size, room)) {
        if (size <= INT64_MAX) tr_control->flags |= FLAG_APPROXIMATE; /* another machine may have the room */
        return 0;
    }
    u8 *at = heap_base + heap_used;
    heap_objects[heap_count] = (object){(uintptr_t)at, size};
    heap_alignments[heap_count] = HEAP_ALIGNMENT;
    heap_is_live[heap_count++] = 1;
    heap_used += room;
    if (soil()) memset(at, soil(), size);
    shadow_unwritten((uintptr_t)at, size, heap_leaf);
    return at;
}

/* The alignment is a power of two. */
void *tightrope_aligned(u64 alignment, u64 size)
{
    u64 skipped = -((u64)heap_base + heap_used) & (alignment - 1);
    if (skipped > tr_control->heap_bytes - heap_used) return tightrope_malloc(tr_control->heap_bytes + 1);
    heap_used += skipped;
    void *at = tightrope_malloc(size);
    if (at) heap_alignments[heap_count - 1] = known_alignment(alignment);
    return at;
}

void *tightrope_calloc(u64 count, u64 size)
{
    u64 total = size && count > UINT64_MAX / size ? UINT64_MAX : count * size;
    void *at = tightrope_malloc(total); /* the arena is zeroed */
    if (at && soil()) memset(at, 0, total);
    if (at) shadow_clear((uintptr_t)at, total < MARKED_BYTES ? total : MARKED_BYTES);
    return at;
}

/* A block of the C library's own heap, from a function that has no model. */
static int is_foreign(uintptr_t at) { return at >= 4096 && !find_object(at) && !is_in_gap(at) && !is_dead_local(at); }

static const object *live_block(uintptr_t at, int may_be_given, u32 place)
{
    const object *o = find_object(at);
    int is_block = o && o->base == at && (is_on_heap(o) || (may_be_given && has_nature(o, GIVEN)));
    if (!is_block) end_run(RUN_CRASHED, WHY_BAD_FREE, place, 0);
    if (is_freed(o)) end_run(RUN_CRASHED, WHY_DOUBLE_FREE, place, 0);
    return o;
}

/* The block stays where it is and is not used again in this run, so that later uses are detected. */
static void release(const object *block)
{
    if (is_on_heap(block))
        heap_is_live[block - heap_objects] = 0;
    else
        global_is_freed[block - global_objects] = 1, globals_freed++;
    forget_last_objects();
}

static void release_at(void *at, int may_be_given, u32 place)
{
    if (!at) return;
    if (is_foreign((uintptr_t)at))
        free(at);
    else
        release(live_block((uintptr_t)at, may_be_given, place));
}

void tr_free(void *at, u32 place) { release_at(at, 0, place); }

/* Objects that the unit receives may come from the heap (see harness/heap_stubs.py). */
void tr_free_given(void *at, u32 place) { release_at(at, 1, place); }

/* The block always moves. A size of zero frees it, as with glibc. */
void *tr_realloc(void *at, u64 size, u32 place)
{
    if (!at) return tightrope_malloc(size);
    if (is_foreign((uintptr_t)at)) return realloc(at, size);
    const object *old = live_block((uintptr_t)at, 1, place);
    void *to = size ? tightrope_malloc(size) : 0;
    size_t n = old->size < size ? old->size : size;
    if (!to && size) return 0;
    if (to) memcpy(to, at, n);
    if (to) shadow_copy((uintptr_t)to, (uintptr_t)at, n);
    release(old);
    return to;
}
