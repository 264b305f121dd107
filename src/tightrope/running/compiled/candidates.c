/* Runs whose other sides are waiting, these sides (candidates), and what is known about them (answers). */
#include "dive.h"

enum { TURNS = 16, TURNS_OF_ERRORS = 64 }; /* as in search/strategies/late_last.py */

static past_run *new_run(dive *d, u32 events)
{
    size_t values = 8 * (size_t)d->slots, mask = 8 * (size_t)d->mask_words;
    past_run *run = malloc(sizeof(past_run) + values + mask + (sizeof(event) + 4) * (size_t)events);
    if (!run) give_up(d);
    run->uses = 1;
    run->events = events;
    run->values = (u64 *)(run + 1);
    run->mask = run->values + d->slots;
    run->path = (event *)(run->mask + d->mask_words);
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
            if (found == NOT_THERE) return found;
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
    stack->waiting[stack->count++] = (candidate){run, 0, depth, side};
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
    if (d->looked_at > d->stacks[FIRST].count) d->looked_at = d->stacks[FIRST].count;
    d->waiting--;
    d->tries++;
    d->has_tried = 1;
}

static void drop(dive *d)
{
    release(d->trying.run);
    release(d->trying.ahead);
    d->trying.run = d->trying.ahead = 0;
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
    if (d->is_peeking) return number;
    d->answer_index.numbers[at] = number;
    d->answer_index.count++;
    d->answer_count++;
    return number;
}

static u32 answer_for(dive *d, const candidate *c)
{
    u32 target = target_of(d, c->run->path[c->depth], c->side);
    u32 about = touched(d, c->run, c->depth, target / 2);
    d->target = target;
    return about == NOT_THERE ? 0 : find_answer(d, about, target);
}

static void put_input(const dive *d, u64 *input, const candidate *c, const answer *found)
{
    memcpy(input, c->run->values, 8 * (size_t)d->slots);
    for (u32 i = 0; i < found->values; i++) input[d->model_slots[found->first + i]] = d->model_values[found->first + i];
}

static void note_lost(dive *d)
{
    const past_run *run = d->trying.run;
    u32 depth = d->trying.depth, side = d->trying.side;
    for (; run->path[depth].kind > EVENT_SWITCH && depth; side = run->path[depth].side) depth--;
    d->side_point = run->path[depth].kind <= EVENT_SWITCH ? (int32_t)(run->path[depth].site + side) : -1;
}
