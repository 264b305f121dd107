/* The search of all paths, depth first, in compiled code. It does what search/loop.py does with the same inputs in the
 * same order, and returns to Python for everything that is not routine: answers that it does not know, runs that show
 * something new. Whatever it was not made for ends it (ODD): then Python starts again without it. */
#ifndef TIGHTROPE_DIVE_H
#define TIGHTROPE_DIVE_H

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runtime/runtime.h"

/* Why it returns. Mirrors running/dive.py. */
enum step {
    DONE,      /* nothing is left to try */
    PAUSED,    /* some runs were made: look at the clock */
    UNKNOWN_TO_US, /* an answer is needed: see `listed` and `target` */
    SHOWN,     /* look at the run: it may show something new */
    LOST,      /* the solver gave up on a side: see `side_point` */
    LIMIT,     /* as many runs as allowed were made */
    ODD        /* anything else */
};

enum answer_kind { NO_ANSWER, IS_SAT, IS_UNSAT, IS_UNKNOWN };

typedef struct {
    u32 *numbers;
    u64 mask, count;
} index_table;

typedef struct {
    u64 hash;
    u64 members; /* where its bits begin: bit n is set if the constraint with bit n is in it */
    u32 words;
    u32 from, by; /* the group that it was made of, and by which constraint or group */
    u32 is_merged; /* `by` is a group */
} group;

/* One run whose other sides are waiting, or one that was made ahead. */
typedef struct {
    u32 uses, events;
    u32 outcome, flags;
    u64 *mask;   /* of points */
    u64 *values; /* by slot */
    event *path; /* conditions are numbers of our nodes */
    u32 *after;  /* by event: the group with its constraint, at that place of the path */
} past_run;

typedef struct {
    past_run *run;
    past_run *ahead; /* the run that takes this side, if it was made already */
    u32 depth, side;
} candidate;

typedef struct {
    candidate *waiting;
    u64 count, capacity;
} candidate_stack;

typedef struct {
    u32 group, target, kind;
    u32 values;
    u64 first; /* of its values in `model_slots` and `model_values` */
} answer;

typedef struct {
    u64 hash;
    u32 outcome, flags;
    u64 mask; /* where its words begin in `masks` */
} shown_run;

enum { FIRST, LAST, ERRORS, STACKS }; /* as in search/strategies/late_last.py */

typedef struct {
    /* what Python sees: mirrors running/dive.py */
    u64 runs, tries, queries, sat, unsat, candidates, sequence, most_runs;
    u64 waiting; /* candidates */
    u64 listed_count, node_count;
    u32 *listed; /* constraints of the group that an answer is needed for */
    node *nodes;
    u8 *sites;   /* 1 by number of a branch that inputs can decide */
    u64 *values; /* the latest input; where an answer is needed, the one to start from */
    u32 target;
    int32_t side_point; /* -1: none */
    /* ... until here */
    control *shared; /* the unit may write there: what we rely on is copied below */
    u64 inputs_at, mask_at, events_at, nodes_at, batch_at, events_capacity, shared_nodes_capacity, batch_capacity;
    int request, reply, patience;
    u32 slots, words, points, mask_words, pause;
    u64 turn, runs_at_pause, tries_at_pause;
    u32 is_answered, is_running, has_tried, is_peeking;
    u32 most_ahead, ahead_count;   /* runs ahead in one request; in the request under way */
    u64 ahead_of[MOST_AHEAD];      /* which candidates of the first stack they are for */
    u64 looked_at;                 /* so many candidates of the first stack were considered for a run ahead */
    candidate trying;
    past_run *latest;
    u64 *input;
    candidate_stack stacks[STACKS];
    u64 nodes_capacity, supports_capacity, bits_capacity, bit_count;
    u64 *supports;
    u32 *bits; /* by constraint: its number among the members of groups, from 1 */
    index_table node_index, group_index, answer_index, shown_index;
    group *groups;
    u64 *group_supports, *members, *scratch, *remaining;
    u64 group_count, groups_capacity, group_supports_capacity, member_count, members_capacity, scratch_capacity;
    u32 *pending;
    u64 pending_capacity, listed_capacity;
    answer *answers;
    u64 answer_count, answers_capacity;
    u32 *model_slots;
    u64 *model_values, model_count, model_slots_capacity, model_values_capacity;
    shown_run *shown;
    u64 shown_count, shown_capacity, *masks, mask_count, masks_capacity;
    u32 *numbers; /* by number of a node in the worker's table: ours */
    u64 number_count, numbers_capacity;
    u32 epoch;
    const u32 *first_case; /* by site: where the cases of a switch begin, and end with the next */
    const u64 *cases;
    jmp_buf out_of_memory;
} dive;

#endif
