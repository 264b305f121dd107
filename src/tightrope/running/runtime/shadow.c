/* Shadow memory: for each byte of the unit's memory, which byte of which expression it holds.
 *
 * A 32-bit expression e stored at address p leaves the cells (e,0) (e,1) (e,2) (e,3): loading the
 * same four bytes gives e back without building anything. Only mixed loads extract and join bytes. */
#include <string.h>

#include "runtime.h"

enum { PAGE_BITS = 8, PAGE_BYTES = 1 << PAGE_BITS, PAGE_BUCKETS = 1 << 12 };

typedef struct {
    u32 expression, index;
} cell;

typedef struct page {
    uintptr_t key;
    struct page *next, *next_used;
    int is_used;
    cell cells[PAGE_BYTES];
} page;

static page *pages[PAGE_BUCKETS], *used_pages, *last_page;

/* The value of each float expression that was stored in this run, by number of the node: if only some of its bytes
 * are left in memory, or were copied, the whole value cannot be read there any more. */
static u64 *stored_floats;

static u8 *is_choice; /* by number of the node: a pointer that the input chose */

static void shadow_start(void)
{
    stored_floats = tr_allocate(sizeof *stored_floats * tr_control->nodes_capacity);
    is_choice = tr_allocate(tr_control->nodes_capacity);
}

static page *find_page(uintptr_t at)
{
    uintptr_t key = at >> PAGE_BITS;
    if (last_page && last_page->key == key) return last_page;
    for (page *p = pages[key % PAGE_BUCKETS]; p; p = p->next)
        if (p->key == key) return last_page = p;
    return 0;
}

static page *use_page(uintptr_t at)
{
    page *p = find_page(at);
    if (!p) {
        p = tr_allocate(sizeof *p);
        p->key = at >> PAGE_BITS;
        p->next = pages[p->key % PAGE_BUCKETS];
        pages[p->key % PAGE_BUCKETS] = p;
        last_page = p;
    }
    if (!p->is_used) {
        p->is_used = 1;
        p->next_used = used_pages;
        used_pages = p;
    }
    return p;
}

static cell get_cell(uintptr_t at)
{
    page *p = find_page(at);
    cell none = {0, 0};
    return p ? p->cells[at & (PAGE_BYTES - 1)] : none;
}

static void set_cell(uintptr_t at, cell value)
{
    page *p = value.expression ? use_page(at) : find_page(at);
    if (p) p->cells[at & (PAGE_BYTES - 1)] = value;
}


static int has_returned; /* what the driver reads after the call does not concern the unit */

void shadow_reset(void)
{
    for (page *p = used_pages; p; p = p->next_used) {
        memset(p->cells, 0, sizeof p->cells);
        p->is_used = 0;
    }
    used_pages = 0;
    has_returned = 0;
}

void shadow_clear(uintptr_t at, size_t bytes)
{
    if (!used_pages) return;
    cell none = {0, 0};
    while (bytes) {
        page *p = find_page(at);
        size_t rest = PAGE_BYTES - (at & (PAGE_BYTES - 1)), n = bytes < rest ? bytes : rest;
        if (p && p->is_used)
            for (size_t i = 0; i < n; i++) p->cells[(at + i) & (PAGE_BYTES - 1)] = none;
        at += n, bytes -= n;
    }
}

void shadow_copy(uintptr_t to, uintptr_t from, size_t bytes)
{
    if (!used_pages || to == from) return;
    if (to < from || to >= from + bytes)
        for (size_t i = 0; i < bytes; i++) set_cell(to + i, get_cell(from + i));
    else
        while (bytes--) set_cell(to + bytes, get_cell(from + bytes));
}

/* `value` is used for floats only. */
void shadow_store(uintptr_t at, u32 bytes, u32 e, u64 value)
{
    if (!e || is_constant(e)) {
        shadow_clear(at, bytes);
        return;
    }
    if (tr_nodes[e].sort == SORT_BITS && tr_nodes[e].bits < 8 * bytes) e = build_extend(OP_ZERO_EXTEND, e, 8 * bytes);
    if (tr_nodes[e].sort == SORT_FLOAT) stored_floats[e] = value;
    for (u32 i = 0; i < bytes; i++) set_cell(at + i, (cell){e, i});
}

static void note_bound(void) { tr_control->flags |= has_returned ? 0 : FLAG_BOUND; }

/* Bytes whose values are due to the end of the shape of the inputs: the terminator of a string that might be longer,
 * the NULL after the last element of a list. A constant marks them: a run that reads one has reached the bound. */
void shadow_bound(uintptr_t at, size_t bytes)
{
    u32 constant = 0;
    for (size_t i = 0; i < bytes; i++) {
        u8 value = ((u8 *)at)[i];
        if (!i || value != ((u8 *)at)[i - 1]) constant = make_constant(8, SORT_BITS, value);
        set_cell(at + i, (cell){constant, 0});
    }
}

static int is_bound(cell c) { return c.expression && is_constant(c.expression); }

/* Bytes that nothing has written yet. What follows the first ones of a large object counts as written. */
enum { MARKED_BYTES = 1 << 16 };

void shadow_unwritten(uintptr_t at, size_t bytes, u32 leaf)
{
    if (bytes > MARKED_BYTES) bytes = MARKED_BYTES;
    while (leaf && bytes) {
        cell *cells = use_page(at)->cells + (at & (PAGE_BYTES - 1));
        size_t rest = PAGE_BYTES - (at & (PAGE_BYTES - 1)), n = bytes < rest ? bytes : rest;
        for (size_t i = 0; i < n; i++) cells[i] = (cell){leaf, 0};
        at += n, bytes -= n;
    }
}

static int has_bits(uintptr_t at, u32 bytes, const u64 *of)
{
    for (u32 i = 0; i < bytes; i++) {
        cell c = get_cell(at + i);
        if (c.expression && of[c.expression] >> 8 * c.index & 0xFF) return 1;
    }
    return 0;
}

static int has_unwritten(uintptr_t at, u32 bytes) { return has_bits(at, bytes, unwritten); }
static int has_place(uintptr_t at, u32 bytes) { return has_bits(at, bytes, placed); }

/* Bytes that nothing has written are told what should have written them. */
static void rename_unwritten(uintptr_t at, size_t bytes, u32 what)
{
    u32 leaf = make_unwritten(8, SORT_BITS, what);
    for (size_t i = 0; leaf && i < bytes; i++) {
        u32 e = get_cell(at + i).expression;
        if (e && is_leaf(e)) set_cell(at + i, (cell){leaf, 0});
    }
}

/* Bytes of a pointer are read as another type: the run could observe equal addresses, but here no two pointers have
 * the same address. */
static void note_choices(uintptr_t at, u32 bytes)
{
    for (u32 i = 0; i < bytes; i++)
        if (is_choice[get_cell(at + i).expression]) note_bound();
}

static int is_nan_bits(u32 bits, u64 v)
{
    return bits == 32 ? (v & 0x7FFFFFFF) > 0x7F800000 : (v & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
}

/* The bits of a float expression that is made of bits, by changes of sign and choices alone; 0 for others. */
enum { KNOWN_DEPTH = 8 };

static u32 known_bits(u32 e, int depth)
{
    node n = tr_nodes[e];
    u32 a, b;
    if (n.op == OP_F_FROM_BITS) return n.a;
    if (n.op == OP_CONSTANT) return make_constant(n.bits, SORT_BITS, n.number);
    if (!depth || (n.op != OP_F_NEG && n.op != OP_F_ABS && n.op != OP_ITE)) return 0;
    a = known_bits(n.op == OP_ITE ? n.b : n.a, depth - 1);
    b = n.op == OP_ITE ? known_bits(n.c, depth - 1) : a;
    if (!a || !b) return 0;
    if (n.op == OP_ITE) return build_ite(n.a, a, b);
    u64 sign = (u64)1 << (n.bits - 1);
    return n.op == OP_F_NEG ? build_binary(OP_XOR, n.bits, a, make_constant(n.bits, SORT_BITS, sign))
                            : build_binary(OP_AND, n.bits, a, make_constant(n.bits, SORT_BITS, sign - 1));
}

/* The bits of a float expression: if they are not known, the value is pinned. A NaN has many bit patterns, which a
 * pin does not distinguish. */
static u32 bits_of_float(u32 e, u64 concrete, u32 place)
{
    u32 known = known_bits(e, KNOWN_DEPTH);
    if (known) return known;
    if (is_nan_bits(tr_nodes[e].bits, concrete)) tr_concrete(place);
    pin(e, concrete, place);
    return 0;
}

static u32 byte_expression(uintptr_t at, cell c, u32 place)
{
    u32 e = c.expression;
    if (e && tr_nodes[e].sort == SORT_FLOAT) e = bits_of_float(e, stored_floats[e], place);
    return e ? build_extract(e, 8 * c.index, 8) : make_constant(8, SORT_BITS, *(u8 *)at);
}

static u32 join_bytes(uintptr_t at, const cell *cells, u32 bytes, u32 place)
{
    u32 e = byte_expression(at, cells[0], place);
    for (u32 i = 1; i < bytes; i++) e = build_concat(byte_expression(at + i, cells[i], place), e);
    return e;
}

/* (e,0) ... (e,n-1) of an expression that is exactly n bytes long */
static int is_whole(const cell *cells, u32 bytes)
{
    u32 e = cells[0].expression;
    if (!e || tr_nodes[e].bits != 8 * bytes) return 0;
    for (u32 i = 0; i < bytes; i++)
        if (cells[i].expression != e || cells[i].index != i) return 0;
    return 1;
}

static u32 as_sort(u32 e, u32 sort, uintptr_t at, u32 place)
{
    u64 whole = 0;
    if (!e || is_constant(e)) return 0;
    if (tr_nodes[e].sort == sort) return e;
    if (sort == SORT_FLOAT) return make_node(OP_F_FROM_BITS, tr_nodes[e].bits, SORT_FLOAT, e, 0, 0, 0);
    memcpy(&whole, (void *)at, tr_nodes[e].bits / 8);
    return bits_of_float(e, whole, place);
}

/* As many bytes of one leaf as are read. */
static int is_all_unwritten(const cell *cells, u32 bytes)
{
    u32 e = cells[0].expression;
    if (bytes < 2 || !e || !is_leaf(e) || tr_nodes[e].bits != 8) return 0;
    for (u32 i = 1; i < bytes; i++)
        if (cells[i].expression != e) return 0;
    return 1;
}

u32 shadow_load(uintptr_t at, u32 bits, u32 sort, u32 place)
{
    u32 bytes = (bits + 7) / 8, any = 0;
    cell cells[8];
    if (!used_pages) return 0;
    for (u32 i = 0; i < bytes; i++) any |= (cells[i] = get_cell(at + i)).expression;
    if (!any) return 0;
    for (u32 i = 0; i < bytes; i++)
        if (is_bound(cells[i])) note_bound(), note_felt(at + i);
    if (is_all_unwritten(cells, bytes)) return make_unwritten(bits, sort, (u32)tr_nodes[cells[0].expression].number);
    u32 e = is_whole(cells, bytes) ? cells[0].expression : join_bytes(at, cells, bytes, place);
    if (bits < 8 * bytes) e = build_extract(as_sort(e, SORT_BITS, at, place), 0, bits);
    return as_sort(e, sort, at, place);
}
