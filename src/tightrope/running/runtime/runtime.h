/* What the parts of the runtime share. The runtime is compiled as one file (runtime.c).
 *
 * A value of the unit is shadowed by an expression number: 0 means that it does not depend on the
 * inputs. Expressions are nodes of one table, equal structure = same number, for as long as this
 * process lives: Python decodes each node once.
 */
#ifndef TIGHTROPE_RUNTIME_H
#define TIGHTROPE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* OP_ADD ... are defined on the compiler's command line, from expr/operators.py. */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { SORT_BITS = 0, SORT_FLOAT = 1, SORT_ADDRESS = 2 /* only as an argument: bits that are an address */ };

typedef struct {
    u8 op, bits, sort, kinds; /* kinds: of the leaves below it, see unwritten.c */
    u32 a, b, c;
    u64 number;
} node;

/* One thing that the path condition or the report must know, in the order of execution. */
typedef struct {
    u32 condition; /* 1-bit expression; SWITCH: the value switched on; 0: concrete */
    u32 site;      /* BRANCH, SWITCH: number of the point of side 0; otherwise the place's number */
    u16 side;
    u16 kind;
} event;

enum event_kind {
    EVENT_BRANCH = 1,
    EVENT_SWITCH,
    EVENT_ASSUME,
    EVENT_GUARD,
    EVENT_PIN,
    EVENT_CONCRETE,
    EVENT_FOLLOW,
    EVENT_PREFER,
    EVENT_LABEL,
    EVENT_CONDITION
};

/* One thing that no path condition needs, but that the search may aim at: the end of a LABEL (with OPTION_DIRECT an
 * event), a CONDITION that is no branch, an event in the region of a label. See labels.c. */
typedef struct {
    u32 position; /* so many events came before */
    u32 condition, site; /* as in an event; LABEL, CONDITION: its number */
    u16 side; /* LABEL: value, and WAS_... */
    u16 kind;
    u32 previous; /* CONDITION: the number (from 1) of the one before in the same evaluation of the decision; 0: none */
} observation;

enum { WAS_APPROXIMATE = 2, WAS_BOUND = 4 }; /* with the value of a label: what happened in its region */
enum { ONE_SIDED = 256 }; /* with the side of an event in a region: the other side is useless */

/* How a run ended. Mirrors running/memory_map.py. */
enum outcome { RUN_NONE, RUN_RETURNED, RUN_CRASHED, RUN_TIMED_OUT, RUN_EXITED, RUN_REJECTED, RUN_ENDLESS };

enum reason {
    WHY_NONE,
    WHY_SIGNAL,
    WHY_STACK_OVERFLOW,
    WHY_DIVISION_BY_ZERO,
    WHY_DIVISION_OVERFLOW,
    WHY_OUT_OF_BOUNDS_READ,
    WHY_OUT_OF_BOUNDS_WRITE,
    WHY_ABORT,
    WHY_ASSERTION,
    WHY_STEPS,
    WHY_CLOCK,
    WHY_EXIT,
    WHY_ASSUMPTION,
    WHY_DOUBLE_FREE,
    WHY_DIED,
    WHY_NULL,
    WHY_UNREACHABLE,
    WHY_NULL_INPUT,
    WHY_FREED_READ,
    WHY_FREED_WRITE,
    WHY_BAD_FREE,
    WHY_DEAD_LOCAL,
    WHY_CONSTANT_WRITE,
    WHY_SIGNED_OVERFLOW,
    WHY_SHIFT_RANGE,
    WHY_JUMP,
    WHY_NO_MORE_INPUT,
    WHY_UNWRITTEN,
    WHY_ENDLESS,
    WHY_CONVERSION
};

enum flag {
    FLAG_APPROXIMATE = 1,
    FLAG_EVENTS_FULL = 2,
    FLAG_NODES_FULL = 4,
    FLAG_STAINED = 8,
    FLAG_BOUND = 16,
    FLAG_OBSERVATIONS_FULL = 32,
    FLAG_UNWRITTEN = 64,
    FLAG_ADDRESS = 128,
    FLAG_OVERFLOW = 256,
    FLAG_NOTES_FULL = 1024,
    FLAG_RISKY = 2048
};

/* The start of the memory shared with Python; offsets of the arrays follow in the same struct.
 * Mirrors running/memory_map.py (a test compares the two). */
typedef struct {
    u64 requested, accepted, done, replied; /* sequence numbers of runs */
    u64 started_ns; /* clock at the start of the run under way */
    u64 step_limit, steps;
    u64 time_limit_ns;
    u64 fault_address;
    u32 outcome, reason, place, status;
    u32 flags, epoch, nodes, events;
    u32 observations, aims, labels, notes; /* aims: labels and conditions; notes: their bytes */
    u32 pid, options, max_positions, point_places; /* the place of point 0; the others follow */
    u32 slots, outputs, points;
    u32 library_call; /* where the unit called the model in which the run ended */
    u64 inputs_at, outputs_at, counts_at, mask_at, closed_at, observations_at, events_at, nodes_at; /* byte offsets */
    u64 observations_capacity, events_capacity, nodes_capacity, heap_bytes, address_limit;
    u64 draw_limit; /* after that many draws a program has no more input */
    u64 notes_at, notes_capacity; /* in bytes */
    u64 felt_at, felt_count; /* where runs have reached the end of the shape: see note_felt */
    u64 batch_at, batch_capacity, batch_sequence; /* the request that a batch belongs to */
    u32 batch, batch_results; /* inputs to run ahead; how many have left a result */
    u64 observed_events; /* so many events begin the path of a run whose labels were evaluated */
    u64 levels_at; /* how often a trial hit each point, as a byte with one bit set: see note_levels */
} control;

/* A batch: several inputs in one request, of which only the last one is asked for. The others are run before it, and
 * what they leave stands behind the inputs: a result each, its mask of points, its events. Memory after `batch_at`:
 * MOST_AHEAD + 1 inputs, results. A run ahead that is not plain ends the batch, and its server. */
enum { MOST_AHEAD = 16 };

typedef struct {
    u32 outcome, flags, epoch, events, observations, bytes; /* bytes: to the next result */
} batch_result;

#define BY_CHANCE ((u32)1 << 31) /* the count of a point that was hit where an address decided */

enum option { OPTION_ALL_EVENTS = 1, OPTION_DIRECT = 2, OPTION_NOTES = 64, OPTION_SOIL = 128, OPTION_TRIAL = 256 };

extern control *tr_control;

/* Names for the runtime alone: the unit may use such names too. Tests use these. */
#ifdef TIGHTROPE_OPEN
#define OWN
#else
#define OWN static
#endif

/* nodes.c, simplify.c */
extern node *tr_nodes;
OWN u32 make_node(u32 op, u32 bits, u32 sort, u32 a, u32 b, u32 c, u64 number);
OWN u32 make_constant(u32 bits, u32 sort, u64 value);
OWN u32 build_binary(u32 op, u32 bits, u32 a, u32 b);
OWN u32 build_extract(u32 a, u32 low, u32 bits);
OWN u32 build_concat(u32 high, u32 low);
OWN u32 build_extend(u32 op, u32 a, u32 bits);
OWN u32 build_compare(u32 op, u32 a, u32 b);
OWN u32 build_not(u32 a);
OWN u32 build_ite(u32 c, u32 a, u32 b);
OWN int is_constant(u32 e);
OWN u64 upper_bound(u32 e);
OWN u32 known_low_bits(u32 e);

/* unwritten.c, addresses.c */
enum { READS_INPUT = 1, READS_UNWRITTEN = 2, READS_ADDRESS = 4 };
OWN u64 dependent_part(const node *n, const u64 *of);
OWN int depends_on_address(u32 e);
OWN u32 without_address(u32 e);
OWN int is_unwritten(u32 e);
OWN u32 make_unwritten(u32 bits, u32 sort, u32 what);
OWN void check_written(u32 e, u32 place);

/* events, ends */
OWN void add_event(u32 kind, u32 site, u32 condition, u32 side);
OWN void pin(u32 e, u64 value, u32 place);
OWN _Noreturn void end_run(u32 outcome, u32 reason, u32 place, u32 status);

/* shadow.c */
OWN u32 shadow_load(uintptr_t at, u32 bits, u32 sort, u32 place);
OWN void shadow_store(uintptr_t at, u32 bytes, u32 e, u64 value);
OWN void shadow_copy(uintptr_t to, uintptr_t from, size_t bytes);
OWN void shadow_clear(uintptr_t at, size_t bytes);
OWN void shadow_bound(uintptr_t at, size_t bytes);
OWN void shadow_unwritten(uintptr_t at, size_t bytes, u32 leaf);
OWN void shadow_reset(void);

/* objects.c */
void *tr_allocate(size_t bytes); /* zeroed memory of the runtime's own, never freed */
typedef struct {
    uintptr_t base;
    size_t size;
} object;
OWN const object *find_object(uintptr_t at);
OWN void note_felt(uintptr_t at);
OWN void objects_reset(void);
OWN void objects_start(void);

static inline u64 mask_of(u32 bits) { return bits >= 64 ? ~(u64)0 : ((u64)1 << bits) - 1; }

#endif
