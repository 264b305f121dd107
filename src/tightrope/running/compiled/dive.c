/* The loop of the compiled search: see dive.h. Answers and their order are those of search/loop.py with the strategy
 * `dfs` below `late-last`; tests/integration/worker/test_dive.py compares the two. */
#define _GNU_SOURCE
#include "groups.c"

enum { TURNS = 16, TURNS_OF_ERRORS = 64, TRIES_PER_PAUSE = 4096 };

static u8 *shared_at(const dive *d, u64 offset) { return (u8 *)d->shared + offset; }

/* -- what is kept of runs */

static past_run *new_run(dive *d, u32 events)
{
    size_t bytes = sizeof(past_run) + 8 * (size_t)d->slots + (sizeof(event) + 4) * (size_t)events;
    past_run *run = malloc(bytes);
    if (!run) give_up(d);
    run->uses = 1;
    run->events = events;
    run->values = (u64 *)(run + 1);
    run->path = (event *)(run->values + d->slots);
    run->after = (u32 *)(run->path + events);
    return run;
}

static void release(past_run *run)
{
    if (run && !--run->uses) free(run);
}

/* The group that has the slot, where the path has so many events behind it. Whatever was later connected with the slot is
 * a later group. */
static u32 group_at(const dive *d, const past_run *run, u32 depth, u32 slot)
{
    while (depth--)
        if (group_support(d, run->after[depth])[slot / 64] >> slot % 64 & 1) return run->after[depth];
    return NOTHING;
}

/* As PathCondition.slice: the constraints that share slots with the node, directly or through others. */
static u32 touched(dive *d, const past_run *run, u32 depth, u32 of)
{
    u32 found = NOTHING;
    memcpy(d->remaining, support_of(d, of), 8 * (size_t)d->words);
    for (u32 w = 0; w < d->words; w++)
        while (d->remaining[w]) {
            u32 slot = 64 * w + (u32)__builtin_ctzll(d->remaining[w]);
            u32 here = group_at(d, run, depth, slot);
            d->remaining[w] &= d->remaining[w] - 1;
            if (!here) continue;
            for (u32 v = w; v < d->words; v++) d->remaining[v] &= ~group_support(d, here)[v];
            found = found ? merged(d, found, here) : here;
        }
    return found;
}

static u32 equals_case(dive *d, u32 value, u64 number)
{
    u8 bits = d->nodes[value].bits;
    u32 constant = intern_node(d, (node){OP_CONSTANT, bits, SORT_BITS, 0, 0, 0, 0, number & mask_of(bits)});
    return truth_node(d, OP_EQ, value, constant);
}

/* The group after this event, which is the next of the path. As Constraints.of and PathCondition.extend. */
static u32 group_after(dive *d, const past_run *run, u32 depth)
{
    event e = run->path[depth];
    u32 here = touched(d, run, depth, e.condition);
    if (e.kind != EVENT_SWITCH) return extended(d, here, constraint(d, e.condition, e.side));
    const u32 *cases = d->first_case + e.site;
    if (e.side)
        return extended(d, here, constraint(d, equals_case(d, e.condition, d->cases[cases[0] + e.side - 1]), 1));
    for (u32 at = cases[0]; at < cases[1]; at++)
        here = extended(d, here, constraint(d, equals_case(d, e.condition, d->cases[at]), 0));
    return here;
}

/* What another side of an event asks for, as one constraint. */
static u32 target_of(dive *d, event e, u32 side)
{
    if (e.kind != EVENT_SWITCH) return constraint(d, e.condition, side);
    const u32 *cases = d->first_case + e.site;
    if (side) return constraint(d, equals_case(d, e.condition, d->cases[cases[0] + side - 1]), 1);
    u32 all = NOTHING;
    for (u32 at = cases[0]; at < cases[1]; at++) {
        u32 other = truth_node(d, OP_NOT, equals_case(d, e.condition, d->cases[at]), NOTHING);
        all = all ? truth_node(d, OP_AND, all, other) : other;
    }
    return constraint(d, all, 1);
}

/* -- candidates */

static void push(dive *d, u32 which, past_run *run, u32 depth, u32 side)
{
    candidate_stack *stack = &d->stacks[which];
    stack->waiting = room_for(d, stack->waiting, &stack->capacity, stack->count + 1, sizeof(candidate));
    stack->waiting[stack->count++] = (candidate){run, depth, side};
    run->uses++;
    d->waiting++;
    d->candidates++;
}

static void propose(dive *d, past_run *run, u32 depth)
{
    event e = run->path[depth];
    if (e.kind == EVENT_SWITCH) {
        u32 sides = d->first_case[e.site + 1] - d->first_case[e.site] + 1;
        for (u32 side = 0; side < sides; side++)
            if (side != e.side) push(d, FIRST, run, depth, side);
        return;
    }
    u32 side = 1 - e.side;
    if (e.kind == EVENT_ASSUME && e.side) return; /* rejected runs are useless */
    int is_late = !side && (e.kind == EVENT_GUARD || e.kind == EVENT_FOLLOW || e.kind == EVENT_PREFER);
    push(d, !is_late ? FIRST : e.kind == EVENT_GUARD ? ERRORS : LAST, run, depth, side);
}

static u32 choose_stack(dive *d)
{
    const candidate_stack *s = d->stacks;
    d->turn++;
    if (s[ERRORS].count && d->turn % TURNS_OF_ERRORS == 0) return ERRORS;
    if (s[LAST].count && (!s[FIRST].count || d->turn % TURNS == 0)) return LAST;
    return s[FIRST].count ? FIRST : ERRORS;
}

static void pick(dive *d)
{
    candidate_stack *stack = &d->stacks[choose_stack(d)];
    d->trying = stack->waiting[--stack->count];
    d->waiting--;
    d->tries++;
    d->has_tried = 1;
}

static void drop(dive *d)
{
    release(d->trying.run);
    d->trying.run = 0;
    d->has_tried = d->is_answered = 0;
}

/* -- answers */

static u64 hash_of_answer(const dive *d, u32 number)
{
    return mixed(mixed(1, d->answers[number].group), d->answers[number].target);
}

/* The answer about a group and a target; a new row has none yet. */
static u32 find_answer(dive *d, u32 about, u32 target)
{
    if (is_crowded(&d->answer_index)) double_index(d, &d->answer_index, hash_of_answer);
    u32 number = (u32)d->answer_count;
    d->answers = room_for(d, d->answers, &d->answers_capacity, d->answer_count + 1, sizeof(answer));
    d->answers[number] = (answer){about, target, NO_ANSWER, 0, 0};
    u64 at = hash_of_answer(d, number) & d->answer_index.mask;
    for (u32 found; (found = d->answer_index.numbers[at]); at = (at + 1) & d->answer_index.mask)
        if (d->answers[found].group == about && d->answers[found].target == target) return found;
    d->answer_index.numbers[at] = number;
    d->answer_index.count++;
    d->answer_count++;
    return number;
}

static u32 current_answer(dive *d)
{
    const past_run *run = d->trying.run;
    d->target = target_of(d, run->path[d->trying.depth], d->trying.side);
    return find_answer(d, touched(d, run, d->trying.depth, d->target / 2), d->target);
}

static void note_lost(dive *d)
{
    const past_run *run = d->trying.run;
    u32 depth = d->trying.depth, side = d->trying.side;
    for (; run->path[depth].kind > EVENT_SWITCH && depth; side = run->path[depth].side) depth--;
    d->side_point = run->path[depth].kind <= EVENT_SWITCH ? (int32_t)(run->path[depth].site + side) : -1;
}

/* -- runs */

static void ask_for_run(dive *d, const u64 *values)
{
    memcpy(shared_at(d, d->inputs_at), values, 8 * (size_t)d->slots);
    d->shared->requested = ++d->sequence;
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

/* The path of the run that has just ended, with our numbers; 0 if it is none that we were made for. */
static past_run *read_path(dive *d)
{
    const u32 odd = FLAG_APPROXIMATE | FLAG_EVENTS_FULL | FLAG_NODES_FULL | FLAG_OBSERVATIONS_FULL | FLAG_NOTES_FULL;
    const event *theirs = (const event *)shared_at(d, d->events_at);
    if (d->shared->flags & odd || d->shared->observations || !import_nodes(d)) return 0;
    u32 count = d->shared->events;
    if (count > d->events_capacity) return 0;
    past_run *run = new_run(d, count);
    memcpy(run->values, d->input, 8 * (size_t)d->slots);
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

/* Whether the run took the path that was predicted. */
static int is_as_predicted(const dive *d, const past_run *run)
{
    const past_run *base = d->trying.run;
    u32 depth = d->trying.depth;
    if (!base) return 1;
    if (run->events <= depth || memcmp(run->path, base->path, sizeof(event) * (size_t)depth)) return 0;
    event e = run->path[depth], flipped = base->path[depth];
    return e.kind == flipped.kind && e.site == flipped.site && e.condition == flipped.condition &&
           e.side == d->trying.side;
}

static void grow(dive *d, past_run *run)
{
    const past_run *base = d->trying.run;
    u32 first = base ? d->trying.depth : 0;
    if (base) memcpy(run->after, base->after, 4 * (size_t)first);
    for (u32 depth = first; depth < run->events; depth++) {
        run->after[depth] = group_after(d, run, depth);
        if (run->path[depth].kind <= EVENT_SWITCH) d->sites[run->path[depth].site] = 1;
        if (!base || depth > first) propose(d, run, depth); /* the sides of the fork itself are known */
    }
}

static u64 hash_of_shown(const dive *d, u32 number) { return d->shown[number].hash; }

/* Whether a run that ended like this, with the same flags and points, was shown before. */
static int was_shown(dive *d)
{
    const u64 *mask = (const u64 *)shared_at(d, d->mask_at);
    u32 words = (d->points + 63) / 64;
    u32 outcome = d->shared->outcome, flags = d->shared->flags;
    if (outcome != RUN_RETURNED && outcome != RUN_REJECTED) return 0;
    u64 hash = mixed(outcome, flags);
    for (u32 w = 0; w < words; w++) hash = mixed(hash, mask[w]);
    if (is_crowded(&d->shown_index)) double_index(d, &d->shown_index, hash_of_shown);
    u64 at = hash & d->shown_index.mask;
    for (u32 found; (found = d->shown_index.numbers[at]); at = (at + 1) & d->shown_index.mask) {
        const shown_run *s = &d->shown[found];
        if (s->hash == hash && s->outcome == outcome && s->flags == flags &&
            !memcmp(d->masks + s->mask, mask, 8 * (size_t)words))
            return 1;
    }
    d->shown = room_for(d, d->shown, &d->shown_capacity, d->shown_count + 1, sizeof(shown_run));
    d->masks = room_for(d, d->masks, &d->masks_capacity, d->mask_count + words, sizeof(u64));
    memcpy(d->masks + d->mask_count, mask, 8 * (size_t)words);
    d->shown[d->shown_count] = (shown_run){hash, outcome, flags, d->mask_count};
    d->mask_count += words;
    d->shown_index.numbers[at] = (u32)d->shown_count++;
    d->shown_index.count++;
    return 0;
}

/* Takes what the run has left; the step to return, or PAUSED if there is nothing to look at. */
static enum step finish_run(dive *d)
{
    past_run *run = read_path(d);
    d->is_running = 0;
    if (!run) return ODD;
    if (!is_as_predicted(d, run)) {
        release(run);
        return ODD;
    }
    grow(d, run);
    drop(d);
    release(d->latest);
    d->latest = run;
    d->values = run->values;
    d->runs++;
    return was_shown(d) ? PAUSED : SHOWN;
}

/* Tries the candidate: the step to return, or PAUSED if it is done with. */
static enum step try_candidate(dive *d)
{
    const past_run *base = d->trying.run;
    u32 number = current_answer(d); /* first: it may move the rows */
    const answer *found = &d->answers[number];
    if (found->kind == NO_ANSWER) {
        list_group(d, found->group);
        d->values = base->values;
        return UNKNOWN_TO_US;
    }
    if (!d->is_answered) {
        d->queries++;
        d->sat += found->kind == IS_SAT;
        d->unsat += found->kind == IS_UNSAT;
    }
    if (found->kind == IS_SAT) {
        memcpy(d->input, base->values, 8 * (size_t)d->slots);
        for (u32 i = 0; i < found->values; i++)
            d->input[d->model_slots[found->first + i]] = d->model_values[found->first + i];
        ask_for_run(d, d->input);
        return PAUSED;
    }
    if (found->kind == IS_UNKNOWN) note_lost(d);
    enum step step = found->kind == IS_UNKNOWN ? LOST : PAUSED;
    drop(d);
    return step;
}

static enum step take_steps(dive *d)
{
    d->runs_at_pause = d->runs, d->tries_at_pause = d->tries;
    for (;;) {
        enum step step = PAUSED;
        if (d->is_running) {
            int state = await_reply(d);
            if (state <= 0) return state ? ODD : PAUSED;
            step = finish_run(d);
        } else if (d->has_tried) {
            step = try_candidate(d);
        } else {
            if (!d->waiting) return DONE;
            if (d->most_runs && d->runs >= d->most_runs) return LIMIT;
            if (d->runs - d->runs_at_pause >= d->pause || d->tries - d->tries_at_pause >= TRIES_PER_PAUSE)
                return PAUSED;
            pick(d);
        }
        if (step != PAUSED) return step;
    }
}

/* -- what Python calls */

void dive_close(dive *d)
{
    if (!d) return;
    drop(d);
    release(d->latest);
    for (u32 s = 0; s < STACKS; s++) {
        while (d->stacks[s].count) release(d->stacks[s].waiting[--d->stacks[s].count].run);
        free(d->stacks[s].waiting);
    }
    void *arrays[] = {d->listed,
                      d->nodes,
                      d->sites,
                      d->input,
                      d->supports,
                      d->bits,
                      d->groups,
                      d->group_supports,
                      d->members,
                      d->scratch,
                      d->remaining,
                      d->pending,
                      d->answers,
                      d->model_slots,
                      d->model_values,
                      d->shown,
                      d->masks,
                      d->numbers,
                      d->node_index.numbers,
                      d->group_index.numbers,
                      d->answer_index.numbers,
                      d->shown_index.numbers};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(d);
}

/* A search of the unit whose worker shares this memory. `first_case` has an element for each point, and one more. */
dive *dive_open(control *shared, int request, int reply, int patience, u32 pause, const u32 *first_case,
                const u64 *cases)
{
    dive *d = calloc(1, sizeof *d);
    if (!d) return 0;
    d->shared = shared, d->request = request, d->reply = reply, d->patience = patience, d->pause = pause;
    d->first_case = first_case, d->cases = cases;
    d->slots = shared->slots, d->points = shared->points;
    d->inputs_at = shared->inputs_at, d->mask_at = shared->mask_at;
    d->events_at = shared->events_at, d->events_capacity = shared->events_capacity;
    d->nodes_at = shared->nodes_at, d->shared_nodes_capacity = shared->nodes_capacity;
    d->words = d->slots ? (d->slots + 63) / 64 : 1;
    if (setjmp(d->out_of_memory)) {
        dive_close(d);
        return 0;
    }
    d->sites = calloc((size_t)d->points + 1, 1);
    d->input = calloc((size_t)d->slots + 1, 8);
    d->remaining = calloc(d->words, 8);
    if (!d->sites || !d->input || !d->remaining) give_up(d);
    d->nodes = room_for(d, d->nodes, &d->nodes_capacity, 1, sizeof(node));
    d->supports = room_for(d, d->supports, &d->supports_capacity, d->words, 8);
    d->groups = room_for(d, d->groups, &d->groups_capacity, 1, sizeof(group));
    d->group_supports = room_for(d, d->group_supports, &d->group_supports_capacity, d->words, 8);
    d->answers = room_for(d, d->answers, &d->answers_capacity, 1, sizeof(answer));
    d->shown = room_for(d, d->shown, &d->shown_capacity, 1, sizeof(shown_run));
    d->members = room_for(d, d->members, &d->members_capacity, 1, 8);
    d->masks = room_for(d, d->masks, &d->masks_capacity, 1, 8);
    d->node_count = d->group_count = d->answer_count = d->shown_count = 1; /* 0 is none */
    return d;
}

/* Runs the first input. */
int dive_start(dive *d, const u64 *values)
{
    memcpy(d->input, values, 8 * (size_t)d->slots);
    ask_for_run(d, d->input);
    return 0;
}

int dive_go_on(dive *d)
{
    if (setjmp(d->out_of_memory)) return ODD;
    return take_steps(d);
}

/* What was asked for; `slots` and `values` are a model. */
int dive_answer(dive *d, u32 kind, u32 count, const u32 *slots, const u64 *values)
{
    if (setjmp(d->out_of_memory)) return ODD;
    u32 number = current_answer(d);
    answer *one = &d->answers[number];
    d->model_slots = room_for(d, d->model_slots, &d->model_slots_capacity, d->model_count + count, sizeof(u32));
    d->model_values = room_for(d, d->model_values, &d->model_values_capacity, d->model_count + count, sizeof(u64));
    memcpy(d->model_slots + d->model_count, slots, sizeof(u32) * (size_t)count);
    memcpy(d->model_values + d->model_count, values, sizeof(u64) * (size_t)count);
    one->kind = kind, one->values = count, one->first = d->model_count;
    d->model_count += count;
    d->is_answered = 1;
    return PAUSED;
}
