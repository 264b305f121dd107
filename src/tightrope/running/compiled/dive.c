/* The loop of the compiled search: see dive.h. Answers and their order are those of search/loop.py with the strategy `dfs`
 * below `late-last`; tests/integration/worker/test_dive.py compares the two. */
#define _GNU_SOURCE
#include "groups.c"
#include "candidates.c"
#include "runs.c"

enum { TRIES_PER_PAUSE = 4096 };

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

/* Whether a run that ended like this, with the same flags and points, was shown before; if not, it is now, unless we
 * only look. */
static int was_shown(dive *d, const past_run *run)
{
    u32 words = d->mask_words, outcome = run->outcome, flags = run->flags;
    const u64 *mask = run->mask;
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
    if (d->is_peeking) return 0;
    d->shown = room_for(d, d->shown, &d->shown_capacity, d->shown_count + 1, sizeof(shown_run));
    d->masks = room_for(d, d->masks, &d->masks_capacity, d->mask_count + words, sizeof(u64));
    memcpy(d->masks + d->mask_count, mask, 8 * (size_t)words);
    d->shown[d->shown_count] = (shown_run){hash, outcome, flags, d->mask_count};
    d->mask_count += words;
    d->shown_index.numbers[at] = (u32)d->shown_count++;
    d->shown_index.count++;
    return 0;
}

/* Adds the run of the candidate that is tried; the step to return, or PAUSED if there is nothing to look at. */
static enum step add_run(dive *d, past_run *run)
{
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
    return was_shown(d, run) ? PAUSED : SHOWN;
}

/* Takes what the run has left, and those ahead of it. */
static enum step finish_run(dive *d)
{
    const control *left = d->shared;
    batch_result result = {left->outcome, left->flags, left->epoch, left->events, left->observations, 0};
    d->is_running = 0;
    if (d->ahead_count && left->batch_sequence) { /* a run ahead ended the server: no more of them */
        d->most_ahead = 0;
        ask_for_run(d, 0);
        return PAUSED;
    }
    if (memcmp(shared_at(d, d->inputs_at), d->input, 8 * (size_t)d->slots) || !import_nodes(d)) return ODD;
    take_ahead(d);
    const event *theirs = (const event *)shared_at(d, d->events_at);
    past_run *run = read_run(d, &result, (const u64 *)shared_at(d, d->mask_at), theirs, d->input);
    return run ? add_run(d, run) : ODD;
}

/* Whether the run was made ahead, with this input (the unit could have written over it), and Python need not see it;
 * otherwise it is made now. */
static int has_run_ahead(dive *d)
{
    const past_run *ahead = d->trying.ahead;
    if (!ahead || memcmp(ahead->values, d->input, 8 * (size_t)d->slots)) return 0;
    d->is_peeking = 1;
    int is_known = was_shown(d, ahead);
    d->is_peeking = 0;
    return is_known;
}

/* Tries the candidate: the step to return, or PAUSED if it is done with. */
static enum step try_candidate(dive *d)
{
    u32 number = answer_for(d, &d->trying); /* first: it may move the rows */
    const answer *found = &d->answers[number];
    if (found->kind == NO_ANSWER) {
        list_group(d, found->group);
        d->values = d->trying.run->values;
        return UNKNOWN_TO_US;
    }
    if (!d->is_answered) {
        d->queries++;
        d->sat += found->kind == IS_SAT;
        d->unsat += found->kind == IS_UNSAT;
    }
    if (found->kind == IS_SAT) {
        put_input(d, d->input, &d->trying, found);
        if (has_run_ahead(d)) {
            past_run *run = d->trying.ahead;
            d->trying.ahead = 0;
            return add_run(d, run);
        }
        ask_for_run(d, 1);
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
        while (d->stacks[s].count) {
            candidate c = d->stacks[s].waiting[--d->stacks[s].count];
            release(c.run);
            release(c.ahead);
        }
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
    d->batch_at = shared->batch_at, d->batch_capacity = shared->batch_capacity;
    d->most_ahead = (MOST_AHEAD + 1) * 8 * (u64)d->slots <= d->batch_capacity / 2 ? MOST_AHEAD : 0;
    d->mask_words = (d->points + 63) / 64;
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
    ask_for_run(d, 0);
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
    u32 number = answer_for(d, &d->trying);
    answer *one = &d->answers[number];
    d->model_slots = room_for(d, d->model_slots, &d->model_slots_capacity, d->model_count + count, sizeof(u32));
    d->model_values = room_for(d, d->model_values, &d->model_values_capacity, d->model_count + count, sizeof(u64));
    for (u32 i = 0; i < count; i++) {
        d->model_slots[d->model_count + i] = slots[i];
        d->model_values[d->model_count + i] = values[i];
    }
    one->kind = kind, one->values = count, one->first = d->model_count;
    d->model_count += count;
    d->is_answered = 1;
    return PAUSED;
}
