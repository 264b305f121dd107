/* Expressions, constraints and groups of constraints, with the laws of expr/terms.py and solving/group.py: equal structure
 * or equal sets of constraints = same number. A constraint is twice the number of a node, plus 1 if the node holds. */
#include "dive.h"

#define NOTHING 0 /* the empty group, and no node */
#define NOT_THERE (~(u32)0) /* a group that would be new, while we only look */

static _Noreturn void give_up(dive *d) { longjmp(d->out_of_memory, 1); }

/* Makes room for `count` elements of a growing array; new ones are zero. */
static void *room_for(dive *d, void *array, u64 *capacity, u64 count, size_t size)
{
    if (count <= *capacity) return array;
    u64 more = *capacity ? *capacity : 64;
    while (more < count) more *= 2;
    u8 *grown = realloc(array, more * size);
    if (!grown) give_up(d);
    memset(grown + *capacity * size, 0, (more - *capacity) * size);
    *capacity = more;
    return grown;
}

static u64 mixed(u64 hash, u64 value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* Hash tables hold numbers from 1; 0 is an empty place. At most half of the places are taken. */
static void double_index(dive *d, index_table *table, u64 (*hash_of)(const dive *, u32))
{
    u64 places = table->mask ? 2 * (table->mask + 1) : 1024;
    u32 *numbers = calloc(places, sizeof *numbers);
    if (!numbers) give_up(d);
    for (u64 old = 0; table->numbers && old <= table->mask; old++) {
        if (!table->numbers[old]) continue;
        u64 at = hash_of(d, table->numbers[old]) & (places - 1);
        while (numbers[at]) at = (at + 1) & (places - 1);
        numbers[at] = table->numbers[old];
    }
    free(table->numbers);
    table->numbers = numbers;
    table->mask = places - 1;
}

static int is_crowded(const index_table *table) { return !table->numbers || 2 * table->count > table->mask; }

/* -- nodes */

static u64 *support_of(const dive *d, u32 node_number) { return d->supports + (u64)node_number * d->words; }

static u64 hash_of_node(const dive *d, u32 number)
{
    const node *n = &d->nodes[number];
    u64 hash = mixed(n->op | (u64)n->bits << 8 | (u64)n->sort << 16, n->a);
    return mixed(mixed(mixed(hash, n->b), n->c), n->number);
}

static void note_support(dive *d, u32 number)
{
    const node *n = &d->nodes[number];
    u64 *support = support_of(d, number);
    if (n->op == OP_INPUT && n->number < d->slots) support[n->number / 64] |= (u64)1 << n->number % 64;
    for (u32 w = 0; w < d->words; w++)
        support[w] |= support_of(d, n->a)[w] | support_of(d, n->b)[w] | support_of(d, n->c)[w];
}

static u32 intern_node(dive *d, node wanted)
{
    if (is_crowded(&d->node_index)) double_index(d, &d->node_index, hash_of_node);
    d->nodes = room_for(d, d->nodes, &d->nodes_capacity, d->node_count + 1, sizeof(node));
    d->supports =
        room_for(d, d->supports, &d->supports_capacity, (d->node_count + 1) * (u64)d->words, sizeof *d->supports);
    u32 number = (u32)d->node_count;
    wanted.kinds = 0;
    d->nodes[number] = wanted;
    u64 at = hash_of_node(d, number) & d->node_index.mask;
    for (; d->node_index.numbers[at]; at = (at + 1) & d->node_index.mask)
        if (!memcmp(&d->nodes[d->node_index.numbers[at]], &wanted, sizeof wanted)) return d->node_index.numbers[at];
    d->node_index.numbers[at] = number;
    d->node_index.count++;
    d->node_count++;
    memset(support_of(d, number), 0, d->words * sizeof(u64));
    note_support(d, number);
    return number;
}

static u32 truth_node(dive *d, u32 op, u32 a, u32 b)
{
    return intern_node(d, (node){(u8)op, 1, SORT_BITS, 0, a, b, 0, 0});
}

/* -- constraints */

static u32 constraint(const dive *d, u32 number, u32 holds)
{
    const node *n = &d->nodes[number];
    while (n->op == OP_NOT) { /* as `literal` in expr/build.py */
        number = n->a;
        holds = !holds;
        n = &d->nodes[number];
        if (!holds) break;
    }
    return 2 * number + (holds != 0);
}

static u32 bit_of(dive *d, u32 of)
{
    d->bits = room_for(d, d->bits, &d->bits_capacity, of + 1, sizeof *d->bits);
    if (!d->bits[of]) d->bits[of] = (u32)++d->bit_count;
    return d->bits[of] - 1;
}

/* -- groups */

static u64 *group_support(const dive *d, u32 number) { return d->group_supports + (u64)number * d->words; }

static u64 hash_of_group(const dive *d, u32 number) { return d->groups[number].hash; }

/* The group with the `words` members in `d->scratch`; `from` and `by` form it if it is new. */
static u32 intern_group(dive *d, u32 words, u32 from, u32 by, u32 is_merged)
{
    u64 hash = 0;
    while (words && !d->scratch[words - 1]) words--;
    for (u32 w = 0; w < words; w++) hash = mixed(hash, d->scratch[w]);
    if (is_crowded(&d->group_index)) double_index(d, &d->group_index, hash_of_group);
    u64 at = hash & d->group_index.mask;
    for (u32 found; (found = d->group_index.numbers[at]); at = (at + 1) & d->group_index.mask) {
        const group *g = &d->groups[found];
        if (g->hash == hash && g->words == words && !memcmp(d->members + g->members, d->scratch, 8 * (size_t)words))
            return found;
    }
    if (d->is_peeking) return NOT_THERE;
    d->groups = room_for(d, d->groups, &d->groups_capacity, d->group_count + 1, sizeof *d->groups);
    d->group_supports =
        room_for(d, d->group_supports, &d->group_supports_capacity, (d->group_count + 1) * (u64)d->words, sizeof(u64));
    d->members = room_for(d, d->members, &d->members_capacity, d->member_count + words, sizeof(u64));
    u32 number = (u32)d->group_count++;
    d->groups[number] = (group){hash, d->member_count, words, from, by, is_merged};
    memcpy(d->members + d->member_count, d->scratch, 8 * (size_t)words);
    d->member_count += words;
    const u64 *before = group_support(d, from), *more = is_merged ? group_support(d, by) : support_of(d, by / 2);
    for (u32 w = 0; w < d->words; w++) group_support(d, number)[w] = before[w] | more[w];
    d->group_index.numbers[at] = number;
    d->group_index.count++;
    return number;
}

/* Puts the members of a group into `d->scratch`, with room for `words`. */
static u32 put_members(dive *d, u32 number, u32 words)
{
    const group *g = &d->groups[number];
    if (words < g->words) words = g->words;
    d->scratch = room_for(d, d->scratch, &d->scratch_capacity, words, sizeof(u64));
    memcpy(d->scratch, d->members + g->members, 8 * (size_t)g->words);
    memset(d->scratch + g->words, 0, 8 * (size_t)(words - g->words));
    return words;
}

static u32 extended(dive *d, u32 number, u32 by)
{
    u32 bit = bit_of(d, by);
    u32 words = put_members(d, number, bit / 64 + 1);
    if (d->scratch[bit / 64] >> bit % 64 & 1) return number;
    d->scratch[bit / 64] |= (u64)1 << bit % 64;
    return intern_group(d, words, number, by, 0);
}

static u32 merged(dive *d, u32 number, u32 other)
{
    const group *g = &d->groups[other];
    u32 words = put_members(d, number, g->words);
    for (u32 w = 0; w < g->words; w++) d->scratch[w] |= d->members[g->members + w];
    return intern_group(d, words, number, other, 1);
}

/* The constraints of a group in the order of the path that formed it first, into `d->listed`; some may appear twice. */
static void list_group(dive *d, u32 number)
{
    u64 pending = 1;
    d->listed_count = 0;
    d->pending = room_for(d, d->pending, &d->pending_capacity, 2, sizeof(u32));
    d->pending[0] = number;
    while (pending) { /* backwards, from the last to the first */
        const group *g = &d->groups[d->pending[--pending]];
        if (g == d->groups) continue;
        d->pending = room_for(d, d->pending, &d->pending_capacity, pending + 2, sizeof(u32));
        d->pending[pending++] = g->from;
        if (g->is_merged) {
            d->pending[pending++] = g->by;
            continue;
        }
        d->listed = room_for(d, d->listed, &d->listed_capacity, d->listed_count + 1, sizeof(u32));
        d->listed[d->listed_count++] = g->by;
    }
    for (u64 i = 0, j = d->listed_count; i + 1 < j; i++) {
        u32 first = d->listed[i];
        d->listed[i] = d->listed[--j];
        d->listed[j] = first;
    }
}
