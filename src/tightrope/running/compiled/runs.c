/* Asking the worker for runs, several at once, and reading what they left. The unit may write into the shared memory:
 * numbers from there are checked before they are used. */
#include "dive.h"

static u8 *shared_at(const dive *d, u64 offset) { return (u8 *)d->shared + offset; }

/* The inputs of candidates that are new on the stack, as far as their answers are known: whatever the run shows that is
 * asked for now, they are run later. Answers are only looked up: in which order groups are made must not change. */
static void choose_ahead(dive *d)
{
    candidate_stack *stack = &d->stacks[FIRST];
    u64 *inputs = (u64 *)shared_at(d, d->batch_at);
    d->ahead_count = 0;
    d->is_peeking = 1;
    for (u64 i = stack->count; d->most_ahead && i > d->looked_at && d->ahead_count < d->most_ahead; i--) {
        candidate *c = &stack->waiting[i - 1];
        u32 number = c->ahead ? 0 : answer_for(d, c);
        if (!number || d->answers[number].kind != IS_SAT) continue;
        put_input(d, inputs + (u64)d->ahead_count * d->slots, c, &d->answers[number]);
        d->ahead_of[d->ahead_count++] = i - 1;
    }
    d->is_peeking = 0;
    d->looked_at = stack->count;
}

static void ask_for_run(dive *d, int may_batch)
{
    u8 *inputs = shared_at(d, d->batch_at);
    size_t size = 8 * (size_t)d->slots;
    d->ahead_count = 0;
    d->sequence++;
    if (may_batch) choose_ahead(d);
    memcpy(shared_at(d, d->inputs_at), d->input, size);
    if (d->ahead_count) memcpy(inputs + d->ahead_count * size, d->input, size);
    d->shared->batch = d->ahead_count;
    d->shared->batch_results = 0;
    d->shared->batch_sequence = d->ahead_count ? d->sequence : 0;
    __atomic_store_n(&d->shared->requested, d->sequence, __ATOMIC_RELEASE); /* last: a new server may begin at once */
    d->is_running = 1;
    if (write(d->request, "r", 1) != 1) return; /* then there is no reply either */
}

/* 1: the run has ended, 0: a signal has arrived, -1: the worker does not answer. As Runner._ask. */
static int await_reply(dive *d)
{
    u64 reply[64];
    for (;;) {
        struct pollfd one = {d->reply, POLLIN, 0};
        int ready = poll(&one, 1, d->patience);
        if (ready < 0 && errno == EINTR) return 0;
        if (ready <= 0) return -1;
        ssize_t got = read(d->reply, reply, sizeof reply);
        if (got < 0 && errno == EINTR) return 0;
        if (got <= 0 || got % 8) return -1;
        if (reply[got / 8 - 1] == d->sequence) return 1;
    }
}

/* Our numbers for the worker's new nodes. 0: one of them is not what we expect. */
static int import_nodes(dive *d)
{
    const node *theirs = (const node *)shared_at(d, d->nodes_at);
    u32 count = d->shared->nodes;
    if (d->shared->epoch != d->epoch || !d->number_count) {
        d->epoch = d->shared->epoch;
        d->number_count = 1;
    }
    if (count < d->number_count || count > d->shared_nodes_capacity) return 0;
    d->numbers = room_for(d, d->numbers, &d->numbers_capacity, count, sizeof(u32));
    for (u64 i = d->number_count; i < count; i++) {
        node n = theirs[i];
        if (n.a >= i || n.b >= i || n.c >= i || (n.op == OP_INPUT && n.number >= d->slots)) return 0;
        n.a = d->numbers[n.a], n.b = d->numbers[n.b], n.c = d->numbers[n.c];
        n.sort = n.sort == SORT_FLOAT; /* all that terms distinguish */
        d->numbers[i] = intern_node(d, n);
    }
    d->number_count = count;
    return 1;
}

static int is_of_inputs(const dive *d, u32 number)
{
    for (u32 w = 0; w < d->words; w++)
        if (support_of(d, number)[w]) return 1;
    return 0;
}

/* An event of a kind and form that we were made for. */
static int is_usual(const dive *d, event e)
{
    int is_branch = e.kind == EVENT_BRANCH || e.kind == EVENT_SWITCH;
    if (!is_branch && e.kind != EVENT_ASSUME && e.kind != EVENT_GUARD && e.kind != EVENT_FOLLOW &&
        e.kind != EVENT_PREFER)
        return 0;
    if (!is_of_inputs(d, e.condition) || (is_branch && e.site >= d->points)) return 0;
    if (e.kind != EVENT_SWITCH) return e.side <= 1 && d->nodes[e.condition].bits == 1;
    u32 cases = d->first_case[e.site + 1] - d->first_case[e.site];
    return cases && e.side <= cases && d->nodes[e.condition].sort == SORT_BITS;
}

enum { ODD_FLAGS = FLAG_APPROXIMATE | FLAG_EVENTS_FULL | FLAG_NODES_FULL | FLAG_OBSERVATIONS_FULL | FLAG_NOTES_FULL };

/* A run as the worker has left it, with our numbers; 0 if it is none that we were made for. */
static past_run *read_run(dive *d, const batch_result *left, const u64 *mask, const event *theirs, const u64 *values)
{
    u32 count = left->events;
    if (left->flags & ODD_FLAGS || left->observations || count > d->events_capacity) return 0;
    past_run *run = new_run(d, count);
    run->outcome = left->outcome, run->flags = left->flags;
    memcpy(run->values, values, 8 * (size_t)d->slots);
    memcpy(run->mask, mask, 8 * (size_t)d->mask_words);
    for (u32 i = 0; i < count; i++) {
        event e = theirs[i];
        if (e.condition < d->number_count) {
            e.condition = d->numbers[e.condition];
            run->path[i] = e;
            if (is_usual(d, e)) continue;
        }
        release(run);
        return 0;
    }
    return run;
}

/* Gives the runs that were made ahead to their candidates, if they are plain: others are made when it is their turn. */
static void take_ahead(dive *d)
{
    const u8 *start = shared_at(d, d->batch_at), *end = start + d->batch_capacity;
    size_t size = 8 * (size_t)d->slots, mask = 8 * (size_t)d->mask_words;
    const u8 *at = start + (MOST_AHEAD + 1) * size;
    u32 count = d->shared->batch_results;
    for (u32 i = 0; i < count && i < d->ahead_count && at + sizeof(batch_result) + mask <= end; i++) {
        batch_result left = *(const batch_result *)at;
        const u8 *rest = at + sizeof left;
        if (left.bytes > (size_t)(end - at) || sizeof left + mask + sizeof(event) * (u64)left.events > left.bytes)
            return;
        at += left.bytes;
        int is_plain = left.outcome == RUN_RETURNED || left.outcome == RUN_REJECTED;
        if (!is_plain || left.epoch != d->epoch) continue;
        const event *theirs = (const event *)(rest + mask);
        candidate *c = &d->stacks[FIRST].waiting[d->ahead_of[i]];
        c->ahead = read_run(d, &left, (const u64 *)rest, theirs, (const u64 *)(start + i * size));
    }
}
