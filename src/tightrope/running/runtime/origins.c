/* Where symbolic addresses come from, so that an access is held to the bounds of the right object.
 *
 *     int *p = a + i;  p[-1] = 0;       the address is  i * 4 + (a - 4), but the object is a
 *     names[i][j]                       the address is  (i == 0 ? "zero" : "one") + j
 *
 * An address has an origin: the concrete pointer that an index was added to first. The second one above was
 * chosen by the input; its *root* is the choice, which is pinned when the address is used, because bounds
 * are those of one object. Origins are noted for nodes, and hold for the run that noted them. */
#include "runtime.h"

typedef struct {
    uintptr_t address;
    u32 root; /* 0: the origin is the same for all inputs */
    u32 run;
} origin;

static origin *origins; /* by number of the node */

static u32 *pinned_in; /* by number of the node: the run in which a root was pinned */

static void origins_start(void)
{
    origins = tr_allocate(sizeof *origins * tr_control->nodes_capacity);
    pinned_in = tr_allocate(sizeof *pinned_in * tr_control->nodes_capacity);
}

/* An address with all parts replaced that the path condition determines: a pinned address counts as concrete. */
static u32 unless_pinned(u32 e) { return pinned_in[e] == this_run ? 0 : e; }

static void set_origin(u32 e, uintptr_t address, u32 root)
{
    if (!e) return;
    keep_note(&origins[e], sizeof *origins);
    origins[e] = (origin){address, root, this_run};
}

/* The run is 0 where there is none. */
static origin origin_of(u32 e)
{
    origin none = {0, 0, 0};
    return origins[e].run == this_run ? origins[e] : none;
}

/* The choice of the input that an address starts from; 0: it is the same object for all inputs. */
static u32 origin_root(u32 e) { return origin_of(e).root; }

/* An index was added to an address. */
static void derive_origin(u32 e, u32 ebase, uintptr_t base)
{
    origin from = ebase ? origin_of(ebase) : (origin){base, 0, this_run};
    if (from.run) set_origin(e, from.address, from.root);
}

/* An address that the input chose among others, now `value`. */
static void chosen_origin(u32 e, uintptr_t value)
{
    if (e && !origin_of(e).run) set_origin(e, value, e);
}

/* Address arithmetic on integers leaves no note: the constant of a sum may be where the index started from. */
static uintptr_t constant_part(u32 e)
{
    node n = tr_nodes[e];
    if (n.op != OP_ADD || !is_constant(n.b)) return 0;
    return find_object(tr_nodes[n.b].number) ? tr_nodes[n.b].number : 0;
}

/* A sum with one of its parts replaced by a number. */
static u32 replace_part(u32 e, u32 part, u64 value, int depth)
{
    node n = tr_nodes[e];
    if (e == part) return make_constant(64, SORT_BITS, value);
    if (n.op != OP_ADD || !depth) return e;
    return build_binary(OP_ADD, 64, replace_part(n.a, part, value, depth - 1),
                        replace_part(n.b, part, value, depth - 1));
}

/* What the input chose is known from here on. Returns the rest of the address, 0 if there is none. */
static u32 without_root(u32 e, origin from)
{
    keep_note(&pinned_in[from.root], sizeof *pinned_in);
    pinned_in[from.root] = this_run;
    return settle(replace_part(e, from.root, from.address, 8));
}

/* Pins which object, or NULL, the input chose for an address. Returns the rest as above. */
static u32 fix_choice(u32 e, u32 place)
{
    origin from = origin_of(unless_pinned(e));
    if (!from.run || !from.root) return unless_pinned(e);
    pin(from.root, from.address, place);
    return without_root(e, from);
}

/* Pins what the input chose about the origin of an address. Returns the rest of the address, 0 if there is none. */
static u32 fix_origin(u32 e, uintptr_t at, u32 place)
{
    origin from = origin_of(e);
    if (!from.run) from.address = constant_part(e);
    if (!from.run && !from.address) from = (origin){at, e, 0};
    if (from.root) {
        follow(from.root, from.address, place);
        pin_late(from.root, from.address, place);
        e = without_root(e, from);
    }
    set_origin(e, from.address, 0);
    return e;
}

/* The object that an address belongs to for all inputs. A pointer just past an object may be the start of the
 * next one as well: the access decides. */
static const object *object_of(u32 e, uintptr_t at)
{
    uintptr_t start = origin_of(e).address;
    const object *own = find_object(start), *here = find_object(at);
    if (own == here || !own) return here;
    return here && here->base + here->size == start ? here : own;
}
