/* Probes: loads, stores and ranges of memory, each checked against the bounds of its object. */
#include <string.h>

#include "runtime.h"

/* Where an access through a symbolic address can go:
 *
 *     base + remainder, base + remainder + stride, ...      count positions
 *
 * `index` counts them. */
typedef struct {
    uintptr_t first;
    u64 stride, count;
    u32 index;
} positions;

static void check_null(uintptr_t at, u32 place)
{
    if (at < 4096) end_run(RUN_CRASHED, WHY_NULL, place, 0); /* the first page is never mapped */
}

/* Ends the run for an access that is invalid anywhere in this object. */
static void check_usable(const object *o, u32 why, u32 place)
{
    int is_write = why == WHY_OUT_OF_BOUNDS_WRITE;
    if (is_freed(o)) end_run(RUN_CRASHED, is_write ? WHY_FREED_WRITE : WHY_FREED_READ, place, 0);
    if (is_write && has_nature(o, CONSTANT)) end_run(RUN_CRASHED, WHY_CONSTANT_WRITE, place, 0);
    if (is_write && is_global(o) && global_is_promised[o - global_objects]) note_bound();
}

/* In the region of a label, which is abandoned then. An object of the inputs may be larger for another caller, so
 * nothing is proved. (Outside of regions the run ends, which is recorded.) Without an object, it is not known which
 * one was left. */
static _Noreturn void leave_object(const object *o, u32 why, u32 place)
{
    if (is_tight() && (!o || has_nature(o, GIVEN))) note_bound();
    if (o && has_nature(o, GIVEN)) note_felt(o->base + o->size);
    end_run(RUN_CRASHED, why, place, 0);
}

/* The offset from the start of its object, once it is known that so many bytes are inside; 0 when the object
 * is not known. */
static u32 inside_offset(u32 e, uintptr_t at, u64 bytes, const object *o, u32 why, u32 place)
{
    if (!o) return 0;
    check_usable(o, why, place);
    u32 offset = build_binary(OP_SUB, 64, e, make_constant(64, SORT_BITS, o->base));
    u64 last = o->size - bytes, here = at - o->base;
    if (o->size < bytes) leave_object(o, why, place);
    is_in_given_object = has_nature(o, GIVEN);
    if (offset && upper_bound(offset) > last)
        guard(build_compare(OP_ULE, offset, make_constant(64, SORT_BITS, last)), here <= last, place);
    is_in_given_object = 0;
    if (here > last) leave_object(o, why, place);
    return offset;
}

/* A number of at most 33 bits with its sign: 2^31 times it is far from wrapping. */
static int is_small(u32 e)
{
    node n = tr_nodes[e];
    if ((n.op == OP_SIGN_EXTEND || n.op == OP_ZERO_EXTEND) && tr_nodes[n.a].bits <= 32) return 1;
    return upper_bound(e) >> 32 == 0;
}

/* offset = index * scale + constant, which cannot wrap: an element of the array per position. */
static int stride_of_elements(u32 offset, positions *p, int64_t *remainder)
{
    const int64_t limit = (int64_t)1 << 31;
    node n = tr_nodes[offset];
    int64_t constant = 0;
    if (n.op == OP_ADD && is_constant(n.b)) {
        constant = (int64_t)tr_nodes[n.b].number;
        n = tr_nodes[n.a];
    }
    if (n.op != OP_MUL || !is_constant(n.b) || !is_small(n.a)) return 0;
    int64_t scale = (int64_t)tr_nodes[n.b].number;
    if (scale <= 0 || scale >= limit || constant <= -limit || constant >= limit) return 0;
    *remainder = (constant % scale + scale) % scale;
    p->stride = (u64)scale;
    p->index = add_constant(n.a, 64, (u64)((constant - *remainder) / scale));
    return p->index != 0;
}

/* The lowest bits of the offset that do not depend on the inputs give the stride. */
static void stride_of_bits(u32 offset, u64 here, positions *p, int64_t *remainder)
{
    u32 low = is_constant(offset) ? 0 : known_low_bits(offset);
    if (low > 12) low = 0;
    *remainder = (int64_t)(here & mask_of(low));
    p->stride = (u64)1 << low;
    p->index = build_extract(offset, low, 64 - low);
}

static int find_positions(u32 e, uintptr_t at, u32 bytes, u32 why, u32 place, positions *p)
{
    const object *o = object_of(e, at);
    u32 offset = inside_offset(e, at, bytes, o, why, place), width = 0;
    int64_t remainder;
    p->count = 0;
    if (!offset) return 0;
    if (!stride_of_elements(offset, p, &remainder)) stride_of_bits(offset, at - o->base, p, &remainder);
    p->first = o->base + (u64)remainder;
    p->count = (o->size - bytes - (u64)remainder) / p->stride + 1;
    while (p->count > (u64)1 << width) width++;
    p->index = width ? build_extract(p->index, 0, width) : 0;
    return p->count <= tr_control->max_positions && (p->index || !width); /* no index: no room for nodes */
}

static u32 load_or_constant(uintptr_t at, u32 bits, u32 sort, u32 place)
{
    u64 value = 0;
    u32 e = shadow_load(at, bits, sort, place);
    if (e && !is_unwritten(e)) return e;
    memcpy(&value, (void *)at, (bits + 7) / 8);
    return make_constant(bits, sort, value);
}

/* The same for a load of this sort: an address that is read as a number depends on where its object lies. */
static u32 load_element(uintptr_t at, u32 bits, u32 sort, u32 place)
{
    u32 e = load_or_constant(at, bits, sort == SORT_FLOAT, place), address = 0;
    if (sort == SORT_BITS && is_constant(e) && !has_returned) address = read_pointer_bytes(at, bits);
    return address ? address : e;
}

/* A balanced tree over the bits of the index; equal subtrees are one node. */
static u32 read_tree(const positions *p, u64 from, u32 width, u32 bits, u32 sort, u32 place)
{
    if (!width) return load_element(p->first + from * p->stride, bits, sort, place);
    u64 middle = from + ((u64)1 << (width - 1));
    u32 low = read_tree(p, from, width - 1, bits, sort, place);
    if (middle >= p->count) return low;
    u32 high = read_tree(p, middle, width - 1, bits, sort, place);
    return build_ite(build_extract(p->index, width - 1, 1), high, low);
}

/* Values read from constants at an index: a table is looked up again and again, and its tree is always the same. */
typedef struct {
    positions read;
    u32 epoch, bits, sort, tree;
} lookup;

enum { LOOKUPS = 1 << 10 };
static lookup lookups[LOOKUPS];

static int is_same_lookup(const lookup *l, const positions *p, u32 bits, u32 sort)
{
    const positions *q = &l->read;
    return l->tree && l->epoch == tr_control->epoch && l->bits == bits && l->sort == sort && q->index == p->index &&
           q->first == p->first && q->stride == p->stride && q->count == p->count;
}

static int has_unwritten_position(const positions *p, u32 bits)
{
    for (u64 i = 0; used_pages && i < p->count; i++)
        if (has_unwritten(p->first + i * p->stride, (bits + 7) / 8)) return 1;
    return 0;
}

/* Whether what the index selects was written, as a tree like the one above. */
static u32 written_tree(const positions *p, u64 from, u32 width, u32 bits)
{
    if (!width) return truth(!has_unwritten(p->first + from * p->stride, (bits + 7) / 8));
    u64 middle = from + ((u64)1 << (width - 1));
    u32 low = written_tree(p, from, width - 1, bits);
    if (middle >= p->count) return low;
    return build_ite(build_extract(p->index, width - 1, 1), written_tree(p, middle, width - 1, bits), low);
}

static u32 read_positions(const positions *p, u32 bits, u32 sort, u32 place)
{
    u32 width = p->index ? tr_nodes[p->index].bits : 0;
    const object *o = width ? find_object(p->first) : 0;
    if (!o || !has_nature(o, CONSTANT)) return read_tree(p, 0, width, bits, sort, place);
    lookup *l = &lookups[(p->index * 2654435761u ^ (u32)p->first * 40503u ^ bits) >> 7 & (LOOKUPS - 1)];
    if (!is_same_lookup(l, p, bits, sort))
        *l = (lookup){*p, tr_control->epoch, bits, sort, read_tree(p, 0, width, bits, sort, place)};
    return l->tree;
}

/* In unknown memory (of the C library, for example) the path is approximate: its content may differ from run to run. */
static void check_unknown(uintptr_t at, u32 why, u32 place, u32 unknown_place)
{
    if (is_in_gap(at)) {
        note_felt_beside(at);
        leave_object(0, why, place);
    }
    if (is_dead_local(at)) end_run(RUN_CRASHED, WHY_DEAD_LOCAL, place, 0);
    tr_concrete(unknown_place);
}

static int holds(const object *o, uintptr_t at, u64 bytes)
{
    return at - o->base <= o->size && o->size - (at - o->base) >= bytes;
}

/* An access at a concrete address that was computed from the address `base` must lie in the object of `base`. If it
 * does not, the run ends as on a machine that checks bounds. */
static __attribute__((noinline)) void find_known(uintptr_t at, uintptr_t base, u32 bytes, u32 why, u32 place)
{
    check_null(base, place);
    check_null(at, place);
    const object *o = find_object(base);
    if (!o) o = find_object(at);
    if (!o) {
        check_unknown(at, why, place,
                      place + 1); /* see weave_memory.py: the next number is this access, out of bounds */
        return;
    }
    check_usable(o, why, place);
    if (!holds(o, at, bytes)) leave_object(o, why, place);
    object *last = &last_objects[why == WHY_OUT_OF_BOUNDS_WRITE ? 2 : 0];
    last[1] = last[0];
    last[0] = *o;
}

static inline int is_inside(const object *o, uintptr_t at, uintptr_t base, u32 bytes)
{
    u64 offset = at - o->base;
    return offset < o->size && o->size - offset >= bytes && base - o->base <= o->size;
}

static void check_known(uintptr_t at, uintptr_t base, u32 bytes, u32 why, u32 place)
{
    const object *last = &last_objects[why == WHY_OUT_OF_BOUNDS_WRITE ? 2 : 0];
    if (is_inside(&last[0], at, base, bytes) || is_inside(&last[1], at, base, bytes)) return;
    find_known(at, base, bytes, why, place);
}

static u32 load(uintptr_t at, uintptr_t base, u32 eaddress, u32 bits, u32 sort, u32 place)
{
    positions p;
    u32 bytes = (bits + 7) / 8;
    eaddress = unless_pinned(eaddress);
    check_written(eaddress, place);
    eaddress = give_up_address(eaddress);
    if (eaddress) eaddress = fix_origin(eaddress, at, place);
    if (eaddress && find_positions(eaddress, at, bytes, WHY_OUT_OF_BOUNDS_READ, place, &p)) {
        int is_written = !has_unwritten_position(&p, bits);
        if (!is_written && p.index) {
            is_written = !has_unwritten(at, bytes);
            guard(written_tree(&p, 0, tr_nodes[p.index].bits, bits), is_written, place);
        }
        if (is_written) return settle(read_positions(&p, bits, sort, place));
    }
    pin(eaddress, at, place);
    check_known(at, base, bytes, WHY_OUT_OF_BOUNDS_READ, place);
    return shadow_load(at, bits, sort == SORT_FLOAT, place);
}

u32 tr_load(void *at, void *base, u32 eaddress, u32 bits, u32 sort, u32 place)
{
    u32 e = load((uintptr_t)at, (uintptr_t)base, eaddress, bits, sort, place);
    if (!e) return sort == SORT_BITS && !has_returned ? read_pointer_bytes((uintptr_t)at, bits) : 0;
    if (sort != SORT_ADDRESS)
        note_choices((uintptr_t)at, (bits + 7) / 8);
    else if ((e = depends_on_address(e) ? tr_look_back(e) : look_back(e)))
        chosen_origin(e, *(uintptr_t *)at);
    return e;
}

/* Each position keeps its value unless the index selects it. Positions may overlap: the bytes are written in the
 * order of the positions (the woven store writes them once more), so that each position sees the writes before it. */
static void write_positions(const positions *p, uintptr_t to, u32 bits, u32 sort, u32 e, u64 value, u32 place)
{
    for (u64 i = 0; i < p->count; i++) {
        uintptr_t at = p->first + i * p->stride;
        u32 bytes = (bits + 7) / 8;
        u32 here = build_compare(OP_EQ, p->index, make_constant(tr_nodes[p->index].bits, SORT_BITS, i));
        u32 merged = build_ite(here, e, load_or_constant(at, bits, sort, place));
        u64 now = 0;
        if (at == to) memcpy((void *)at, &value, bytes);
        memcpy(&now, (void *)at, bytes);
        shadow_store(at, bytes, merged, now);
    }
}

void tr_store(void *to, void *base, u32 eaddress, u32 bits, u32 sort, u32 e, u64 value, u32 place)
{
    positions p;
    uintptr_t at = (uintptr_t)to;
    u32 bytes = (bits + 7) / 8;
    eaddress = unless_pinned(eaddress);
    check_written(eaddress, place);
    eaddress = give_up_address(eaddress);
    if (eaddress) eaddress = fix_origin(eaddress, at, place);
    if (eaddress && find_positions(eaddress, at, bytes, WHY_OUT_OF_BOUNDS_WRITE, place, &p) && p.index &&
        !is_unwritten(e) && !has_unwritten_position(&p, bits)) {
        write_positions(&p, at, bits, sort, e ? e : make_constant(bits, sort, value), value, place);
        return;
    }
    if (eaddress && p.count != 1) pin(eaddress, at, place);
    check_known(at, (uintptr_t)base, bytes, WHY_OUT_OF_BOUNDS_WRITE, place);
    shadow_store(at, bytes, e, value);
}

/* A range of memory must lie in one object, if the object is known. */
static void check_stretch(uintptr_t at, u64 bytes, u32 ebytes, u32 why, u32 place)
{
    const object *o = find_object(at);
    if (!bytes && !ebytes) return;
    if (bytes) check_null(at, place);
    if (!o && bytes) check_unknown(at, why, place, place);
    if (!o) return;
    if (bytes) check_usable(o, why, place);
    u64 room = o->size - (at - o->base);
    if (ebytes)
        guard(build_compare(OP_ULE, ebytes, make_constant(tr_nodes[ebytes].bits, SORT_BITS, room)), bytes <= room,
              place);
    if (bytes > room) leave_object(o, why, place);
}

/* Keeps the address of a range as in this run; before that, the range must lie in its object. */
static void pin_stretch(u32 e, uintptr_t at, u64 bytes, u32 ebytes, u32 why, u32 place)
{
    check_written(e, place);
    e = give_up_address(e);
    if (e) e = fix_origin(e, at, place);
    if (e && bytes && !ebytes) inside_offset(e, at, bytes, object_of(e, at), why, place);
    pin(e, at, place);
}

enum { BYTES_PER_STEP = 64 }; /* a long copy takes as long as many blocks */

/* An empty range may start anywhere, even at NULL. */
static int is_empty(u64 bytes, u32 ebytes, u32 place)
{
    if (ebytes)
        guard(build_not(build_compare(OP_EQ, ebytes, make_constant(tr_nodes[ebytes].bits, SORT_BITS, 0))), bytes != 0,
              place);
    return !bytes;
}

/* C forbids to give NULL here, even where nothing is read: most builds do nothing, and sanitizers complain. */
void tr_need(void *pointer)
{
    if (!pointer) note_risk();
}

/* Nor is there anything to be found from NULL on, not even an address that nobody uses. */
void tr_move(void *from, void *to)
{
    if (from != to) tr_need(from);
}

/* The base of a number that is about to be read: sanitizers hand out an `end` that glibc never set. */
void tr_base(u32 base)
{
    if (base == 1 || base > 36) note_risk();
}

void tr_copy(void *to, u32 eto, void *from, u32 efrom, u64 bytes, u32 ebytes, u32 place)
{
    if (is_empty(bytes, ebytes, place)) {
        tr_need(to), tr_need(from);
        return;
    }
    pin_stretch(eto, (uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
    pin_stretch(efrom, (uintptr_t)from, bytes, ebytes, WHY_OUT_OF_BOUNDS_READ, place);
    check_stretch((uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
    check_stretch((uintptr_t)from, bytes, ebytes, WHY_OUT_OF_BOUNDS_READ, place);
    pin_size(ebytes, bytes, place);
    tr_control->steps += bytes / BYTES_PER_STEP;
    shadow_copy((uintptr_t)to, (uintptr_t)from, bytes);
}

void tr_fill(void *to, u32 eto, u32 e, u64 bytes, u32 ebytes, u32 place)
{
    if (is_empty(bytes, ebytes, place)) {
        tr_need(to);
        return;
    }
    pin_stretch(eto, (uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
    check_stretch((uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
    pin_size(ebytes, bytes, place);
    tr_control->steps += bytes / BYTES_PER_STEP;
    if (!e)
        shadow_clear((uintptr_t)to, bytes);
    else
        for (u64 i = 0; i < bytes; i++) shadow_store((uintptr_t)to + i, 1, e, 0);
}

/* Memory that code which was not woven may have written. */
void tr_clobber(void *at, u32 was_outside)
{
    const object *o = was_outside ? find_object((uintptr_t)at) : 0;
    if (o) shadow_clear(o->base, o->size);
}

/* Memory that an instruction which is not modelled writes. */
void tr_forget(void *at, u64 bytes) { shadow_clear((uintptr_t)at, bytes); }

/* A local of a block that is entered again. */
void tr_unwrite(void *at, u64 bytes, u32 leaf)
{
    memset(at, soil(), bytes);
    shadow_unwritten((uintptr_t)at, bytes, leaf);
}
