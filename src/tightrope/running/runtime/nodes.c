/* The table of expression nodes: appended to, never changed, found by structure. */
#include "runtime.h"

node *tr_nodes;
static u32 *buckets; /* node numbers, open addressing; 0 = empty */
static u32 bucket_mask;

static u32 hash_node(const node *n)
{
    u64 h = n->op | (u64)n->bits << 8 | (u64)n->sort << 16;
    h = (h ^ n->a) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29) ^ n->b) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 32) ^ n->c) * 0x94D049BB133111EBu;
    h = (h ^ (h >> 29) ^ n->number) * 0x9E3779B97F4A7C15u;
    return (u32)(h >> 32);
}

static int same_node(const node *x, const node *y)
{
    return x->op == y->op && x->bits == y->bits && x->sort == y->sort && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->number == y->number;
}

/* A number for the whole expression below a node, the same in every epoch: operands that may be exchanged have an
 * order that does not depend on earlier nodes. */
static u32 *structures;

/* By number of the node: which of its bits depend on what nothing has written, or on where an object lies. */
static u64 *unwritten, *placed;

static void nodes_start(void)
{
    structures = tr_allocate(sizeof *structures * tr_control->nodes_capacity);
    unwritten = tr_allocate(sizeof *unwritten * tr_control->nodes_capacity);
    placed = tr_allocate(sizeof *placed * tr_control->nodes_capacity);
}

static u32 structure_of(node n)
{
    n.a = structures[n.a], n.b = structures[n.b], n.c = structures[n.c];
    return hash_node(&n) | 1; /* 0 is no node */
}

static int comes_after(u32 a, u32 b) { return structures[a] != structures[b] ? structures[a] > structures[b] : a > b; }

/* A full table makes values concrete; the path is then approximate. */
static u32 table_full(void)
{
    tr_control->flags |= FLAG_NODES_FULL | FLAG_APPROXIMATE;
    return 0;
}

u32 make_node(u32 op, u32 bits, u32 sort, u32 a, u32 b, u32 c, u64 number)
{
    node n = {(u8)op, (u8)bits, (u8)sort, 0, a, b, c, number};
    u32 i = hash_node(&n) & bucket_mask;
    for (; buckets[i]; i = (i + 1) & bucket_mask)
        if (same_node(&tr_nodes[buckets[i]], &n)) return buckets[i];
    if (tr_control->flags & FLAG_EVENTS_FULL)
        return 0; /* the path is cut before here, so this node is never requested */
    if (tr_control->nodes >= tr_control->nodes_capacity) return table_full();
    u32 number_of_node = tr_control->nodes++;
    n.kinds = tr_nodes[a].kinds | tr_nodes[b].kinds | tr_nodes[c].kinds | (op == OP_INPUT ? READS_INPUT : 0);
    unwritten[number_of_node] = n.kinds & READS_UNWRITTEN ? dependent_part(&n, unwritten) : 0;
    placed[number_of_node] = n.kinds & READS_ADDRESS ? dependent_part(&n, placed) : 0;
    tr_nodes[number_of_node] = n;
    structures[number_of_node] = structure_of(n);
    buckets[i] = number_of_node;
    return number_of_node;
}

u32 make_constant(u32 bits, u32 sort, u64 value)
{
    return make_node(OP_CONSTANT, bits, sort, 0, 0, 0, value & mask_of(bits));
}

int is_constant(u32 e) { return tr_nodes[e].op == OP_CONSTANT; }
