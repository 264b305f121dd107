/* Labels, and conditions that are no branches: what a run notes beside its path.
 *
 *     tr_label_begin(3)  ...  tr_label_end(3, point, e, value)
 *
 * What happens between the two (the *region* of the label: branches of its `&&`, guards of its loads, even calls) is
 * the label's alone. It goes into `observations`, a second stream, and leaves nothing behind: the events of a run are
 * the same with and without labels. A region in which something cannot be done (an element out of bounds) is
 * abandoned: its predicate counts as false, and the run goes on, because the program without the label does.
 *
 * With OPTION_DIRECT (the program P' of the paper on labels) regions are part of the path, and each label is a fork. */
#include <setjmp.h>
#include <string.h>

#include "runtime.h"

static u32
    in_label; /* the nesting depth of regions; all but the outermost belong to functions that a predicate calls */
static int is_abandoned;

/* What a region must not change. */
static struct {
    u32 observations, flags, place, library_call;
    u64 steps;
} outside;

static int is_tight(void) { return in_label && !(tr_control->options & OPTION_DIRECT); }

static observation *observations(void) { return (observation *)((u8 *)tr_control + tr_control->observations_at); }

/* The number by which later ones may refer to it; 0 when there is no room. */
static u32 add_observation(u32 kind, u32 site, u32 condition, u32 side, u32 previous)
{
    if (tr_control->observations >= tr_control->observations_capacity) {
        tr_control->flags |= FLAG_OBSERVATIONS_FULL;
        return 0;
    }
    observations()[tr_control->observations++] =
        (observation){tr_control->events, condition, site, (u16)side, (u16)kind, previous};
    return tr_control->observations;
}

static jmp_buf way_out; /* for an access or a division in a region; see marks.c */
static int has_way_out;

static int is_in_given_object; /* the guard concerns an end that we have chosen, see memory.c */

/* An event in a region. The other side of a guard that keeps an access inside its object would only abandon the
 * region. */
static void observe_event(u32 kind, u32 site, u32 condition, u32 side)
{
    int is_one_sided = has_way_out && side == 1 && (kind == EVENT_GUARD || kind == EVENT_FOLLOW) && !is_in_given_object;
    if (condition && !is_abandoned) add_observation(kind, site, condition, is_one_sided ? side | ONE_SIDED : side, 0);
}

/* Notes by number of the node (what the path condition already contains, where an address comes from) are restored at
 * the end. */
typedef struct {
    void *at;
    u64 old[2];
    u32 bytes;
} change;

enum { MOST_CHANGES = 1 << 12 };
static change changes[MOST_CHANGES];
static u32 changes_count;

/* To be called before a note is changed. */
static void keep_note(void *at, u32 bytes)
{
    if (!is_tight()) return;
    if (changes_count == MOST_CHANGES) {
        outside.flags |= FLAG_APPROXIMATE; /* cannot be restored: the rest of the path may lack a constraint */
        return;
    }
    change *made = &changes[changes_count++];
    made->at = at, made->bytes = bytes;
    memcpy(made->old, at, bytes);
}

static void put_notes_back(void)
{
    while (changes_count) {
        change *made = &changes[--changes_count];
        memcpy(made->at, made->old, made->bytes);
    }
}

static void labels_reset(void) { in_label = changes_count = 0, is_abandoned = has_way_out = 0; }

/* Labels and conditions that no run needs any more, by number: labels first. */
static int is_closed(u32 number)
{
    const u64 *closed = (const u64 *)((u8 *)tr_control + tr_control->closed_at);
    return number < tr_control->aims && closed[number / 64] >> number % 64 & 1;
}

/* A run is about to end in a region, where the program without the label would go on. If there is no way out (in a
 * function that a predicate calls, or where regions are part of the path), the run ends nevertheless, and proves
 * nothing. */
static void leave_label(void)
{
    if (!in_label) return;
    if (is_tight() && has_way_out) longjmp(way_out, 1);
    tr_control->flags |= FLAG_APPROXIMATE;
}
