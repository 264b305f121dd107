/* What the woven code calls. Names and arguments are those of execution/probes.py.
 *
 * Concrete operands come along as 64-bit numbers (zero-extended integers, the bits of floats), because
 * an operand without a shadow becomes a constant of the expression. */
#include <errno.h>
#include <string.h>

#include "runtime.h"

/* Shadows of arguments and results. The callee takes them only if it is the one that was called: code
 * that was not woven (qsort) may call back with whatever is left here. */
u32 tr_arguments[512], tr_results[64];
void *tr_callee;
u32 tr_signature; /* of the function type that the caller used */
void *tr_copied[64]; /* where the caller's object of a by-value argument lies */

static void forget_arguments(u32 count) {
  memset(tr_arguments, 0, sizeof(u32) * (count < 512 ? count : 512));
  memset(tr_copied, 0, sizeof tr_copied);
}

void tr_enter(void *self, u32 count, u32 signature) {
  if (tr_callee == self && tr_signature == signature) {
    tr_callee = 0;
    return;
  }
  if (tr_callee == self) tr_control->flags |= FLAG_APPROXIMATE; /* called under another type: shadows do not fit */
  forget_arguments(count);
  tr_callee = 0;
}

/* The functions that are woven, with numbers for their types: written by the weaver, sorted here. */
typedef struct { void *address; u64 signature; } function_entry;
extern const function_entry tr_functions[];
extern const u64 tr_functions_count;
static function_entry *functions;

static void functions_start(void) {
  functions = tr_allocate(sizeof *functions * (tr_functions_count + 1));
  for (u64 count = 0; count < tr_functions_count; count++) {
    u64 i = count;
    for (; i && functions[i - 1].address > tr_functions[count].address; i--) functions[i] = functions[i - 1];
    functions[i] = tr_functions[count];
  }
}

static const function_entry *find_function(const void *address) {
  u64 low = 0, high = tr_functions_count;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (functions[middle].address == address) return &functions[middle];
    if (functions[middle].address < address) low = middle + 1;
    else high = middle;
  }
  return 0;
}

/* Before a call through a pointer. Code that is not woven takes and leaves no shadows, and may change the process. */
u32 tr_is_outside(void *callee, u32 signature, u32 place) {
  const function_entry *found = find_function(callee);
  if (found && found->signature == signature) return 0;
  if (!found) tr_call_out(place, 1);
  tr_concrete(place);
  return 1;
}

void tr_byval(void *object, u32 index, u64 size) {
  tr_register(object, size);
  if (index < 64 && tr_copied[index]) shadow_copy((uintptr_t)object, (uintptr_t)tr_copied[index], size);
  else shadow_clear((uintptr_t)object, size);
}

/* Points and branches. */
static void hit(u32 point) {
  u8 *start = (u8 *)tr_control;
  u32 *counts = (u32 *)(start + tr_control->counts_at);
  if (point < tr_control->points && !counts[point]++)
    ((u64 *)(start + tr_control->mask_at))[point / 64] |= (u64)1 << point % 64;
}

static void step(u32 point) {
  tr_control->place = 0; /* where the last dangerous thing was done, in this block */
  if (++tr_control->steps > tr_control->step_limit) end_run(RUN_TIMED_OUT, WHY_STEPS, tr_control->point_places + point, 0);
}

void tr_point(u32 point) {
  step(point);
  hit(point);
}

void tr_branch(u32 site, u32 e, u32 side) {
  hit(site + side);
  if (e || (tr_control->options & OPTION_ALL_EVENTS)) add_event(EVENT_BRANCH, site, e, side);
}

void tr_switch(u32 site, u32 e, u64 value, const u64 *cases, u32 count) {
  u32 side = 0;
  for (u32 i = 0; i < count && !side; i++)
    if (cases[i] == value) side = i + 1;
  hit(site + side);
  if (e || (tr_control->options & OPTION_ALL_EVENTS)) add_event(EVENT_SWITCH, site, e, side);
}

/* Integers. */
static u32 or_constant(u32 e, u32 bits, u64 value) { return e ? e : make_constant(bits, SORT_BITS, value); }

u32 tr_binary(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b) {
  if (!(ea | eb)) return 0;
  return settle(build_binary(op, bits, or_constant(ea, bits, a), or_constant(eb, bits, b)));
}

/* The amount of a shift is masked, as the machine does; the woven instruction does the same. */
u32 tr_shift(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b) {
  if (!(ea | eb)) return 0;
  u32 amount = build_binary(OP_AND, bits, or_constant(eb, bits, b), make_constant(bits, SORT_BITS, bits - 1));
  return settle(build_binary(op, bits, or_constant(ea, bits, a), amount));
}

static void guard_overflow(u32 bits, u32 a, u64 va, u32 b, u64 vb, u32 place) {
  u64 lowest = (u64)1 << (bits - 1), minus_one = mask_of(bits);
  int overflows = va == lowest && vb == minus_one;
  u32 is_lowest = build_compare(OP_EQ, a, make_constant(bits, SORT_BITS, lowest));
  u32 is_minus_one = build_compare(OP_EQ, b, make_constant(bits, SORT_BITS, minus_one));
  guard(build_not(build_binary(OP_AND, 1, is_lowest, is_minus_one)), !overflows, place);
  if (overflows) end_run(RUN_CRASHED, WHY_DIVISION_OVERFLOW, place, 0);
}

u32 tr_divide(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place) {
  int is_signed = op == OP_SDIV || op == OP_SREM;
  u32 x = ea | eb ? or_constant(ea, bits, a) : 0, y = ea | eb ? or_constant(eb, bits, b) : 0;
  if (eb) guard(build_not(build_compare(OP_EQ, y, make_constant(bits, SORT_BITS, 0))), b != 0, place);
  if (!b) end_run(RUN_CRASHED, WHY_DIVISION_BY_ZERO, place, 0);
  if (is_signed && !(ea | eb) && a == (u64)1 << (bits - 1) && b == mask_of(bits))
    end_run(RUN_CRASHED, WHY_DIVISION_OVERFLOW, place, 0);
  if (!(ea | eb)) return 0;
  if (is_signed) guard_overflow(bits, x, a, y, b, place);
  return settle(build_binary(op, bits, x, y));
}

/* LLVM's integer predicates, in the order of probes.py, as ours. */
enum predicate { P_EQ, P_NE, P_UGT, P_UGE, P_ULT, P_ULE, P_SGT, P_SGE, P_SLT, P_SLE };

u32 tr_compare(u32 predicate, u32 bits, u32 ea, u64 a, u32 eb, u64 b) {
  if (!(ea | eb)) return 0;
  u32 x = or_constant(ea, bits, a), y = or_constant(eb, bits, b);
  switch (predicate) {
  case P_EQ: return settle(build_compare(OP_EQ, x, y));
  case P_NE: return settle(build_not(build_compare(OP_EQ, x, y)));
  case P_UGT: return settle(build_compare(OP_ULT, y, x));
  case P_UGE: return settle(build_compare(OP_ULE, y, x));
  case P_ULT: return settle(build_compare(OP_ULT, x, y));
  case P_ULE: return settle(build_compare(OP_ULE, x, y));
  case P_SGT: return settle(build_compare(OP_SLT, y, x));
  case P_SGE: return settle(build_compare(OP_SLE, y, x));
  case P_SLT: return settle(build_compare(OP_SLT, x, y));
  default: return settle(build_compare(OP_SLE, x, y));
  }
}

u32 tr_extend(u32 op, u32 bits, u32 e) { return settle(build_extend(op, e, bits)); }
u32 tr_truncate(u32 bits, u32 e) { return settle(build_extract(e, 0, bits)); }

u32 tr_select(u32 bits, u32 sort, u32 ec, u32 c, u32 ea, u64 a, u32 eb, u64 b) {
  if (!ec) return c ? ea : eb;
  u32 is_float = sort == SORT_FLOAT;
  if (!ea) ea = make_constant(bits, is_float, a);
  if (!eb) eb = make_constant(bits, is_float, b);
  u32 e = settle(build_ite(ec, ea, eb));
  if (sort == SORT_ADDRESS) chosen_origin(e, c ? a : b);
  return e;
}

/* Whether a + b, a - b or a * b wraps. Narrow operands are computed twice as wide and compared. */
static u32 wide_overflow(u32 op, u32 is_signed, u32 bits, u32 x, u32 y) {
  u32 extend = is_signed ? OP_SIGN_EXTEND : OP_ZERO_EXTEND, wide = 2 * bits;
  u32 whole = build_binary(op, wide, build_extend(extend, x, wide), build_extend(extend, y, wide));
  u32 wrapped = build_extend(extend, build_extract(whole, 0, bits), wide);
  return build_not(build_compare(OP_EQ, whole, wrapped));
}

static u32 sum_overflow(u32 op, u32 is_signed, u32 x, u32 y) {
  u32 r = build_binary(op, 64, x, y), zero = make_constant(64, SORT_BITS, 0);
  if (!is_signed) return op == OP_ADD ? build_compare(OP_ULT, r, x) : build_compare(OP_ULT, x, y);
  /* the sign of the result differs from that of a, and (a + b) from that of b, (a - b) is that of b */
  u32 other = op == OP_ADD ? build_binary(OP_XOR, 64, y, r) : build_binary(OP_XOR, 64, x, y);
  return build_compare(OP_SLT, build_binary(OP_AND, 64, build_binary(OP_XOR, 64, x, r), other), zero);
}

u32 tr_overflow(u32 kind, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place) {
  static const u8 ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_SUB, OP_MUL, OP_MUL};
  if (!(ea | eb)) return 0;
  u32 is_signed = !(kind & 1), x = or_constant(ea, bits, a), y = or_constant(eb, bits, b);
  if (bits <= 32) return settle(wide_overflow(ops[kind], is_signed, bits, x, y));
  if (bits == 64 && ops[kind] != OP_MUL) return settle(sum_overflow(ops[kind], is_signed, x, y));
  pin(ea, a, place);
  pin(eb, b, place);
  return 0;
}

static u32 bit(u32 e, u32 index) { return build_extract(e, index, 1); }

static u32 population(u32 bits, u32 e) {
  u32 sum = make_constant(bits, SORT_BITS, 0);
  for (u32 i = 0; i < bits; i++) sum = build_binary(OP_ADD, bits, sum, build_extend(OP_ZERO_EXTEND, bit(e, i), bits));
  return sum;
}

/* The number of zeros before the first one, from the top (kind 1) or from the bottom (kind 2). */
static u32 zeros(u32 kind, u32 bits, u32 e) {
  u32 count = make_constant(bits, SORT_BITS, bits);
  for (u32 i = bits; i-- > 0;) {
    u32 index = kind == 1 ? bits - 1 - i : i;
    count = build_ite(bit(e, index), make_constant(bits, SORT_BITS, i), count);
  }
  return count;
}

u32 tr_count_bits(u32 kind, u32 bits, u32 e) {
  return e ? settle(kind ? zeros(kind, bits, e) : population(bits, e)) : 0;
}

u32 tr_byte_swap(u32 e) {
  if (!e) return 0;
  u32 bytes = tr_nodes[e].bits / 8, swapped = build_extract(e, 8 * (bytes - 1), 8);
  for (u32 i = 1; i < bytes; i++) swapped = build_concat(build_extract(e, 8 * (bytes - 1 - i), 8), swapped);
  return settle(swapped);
}

/* base + index * scale, on addresses. */
u32 tr_index(u32 ebase, u64 base, u32 eindex, u64 index, u64 scale) {
  if (!(ebase | eindex)) return 0;
  u32 offset = build_binary(OP_MUL, 64, or_constant(eindex, 64, index), make_constant(64, SORT_BITS, scale));
  u32 e = settle(build_binary(OP_ADD, 64, or_constant(ebase, 64, base), offset));
  derive_origin(e, ebase, base);
  return e;
}

/* Memory. */
/* Where an access through a symbolic address can go:
 *
 *     base + remainder, base + remainder + stride, ...      count positions
 *
 * `index` counts them. */
typedef struct {
  uintptr_t first;
  u64 stride, count;
  u32 index;
} positions;

/* The offset from the start of its object, once it is known that so many bytes are inside; 0 when the object
 * is not known. */
static u32 inside_offset(u32 e, uintptr_t at, u64 bytes, const object *o, u32 why, u32 place) {
  if (!o) return 0;
  u32 offset = build_binary(OP_SUB, 64, e, make_constant(64, SORT_BITS, o->base));
  u64 last = o->size - bytes, here = at - o->base;
  if (o->size < bytes) end_run(RUN_CRASHED, why, place, 0);
  if (offset && upper_bound(offset) > last)
    guard(build_compare(OP_ULE, offset, make_constant(64, SORT_BITS, last)), here <= last, place);
  if (here > last) end_run(RUN_CRASHED, why, place, 0);
  return offset;
}

/* A number of at most 33 bits with its sign: 2^31 times it is far from wrapping. */
static int is_small(u32 e) {
  node n = tr_nodes[e];
  if ((n.op == OP_SIGN_EXTEND || n.op == OP_ZERO_EXTEND) && tr_nodes[n.a].bits <= 32) return 1;
  return upper_bound(e) >> 32 == 0;
}

/* offset = index * scale + constant, which cannot wrap: an element of the array per position. */
static int stride_of_elements(u32 offset, positions *p, int64_t *remainder) {
  const int64_t limit = (int64_t)1 << 31;
  node n = tr_nodes[offset];
  int64_t constant = 0;
  if (n.op == OP_ADD && is_constant(n.b)) {
    constant = (int64_t)tr_nodes[n.b].number;
    n = tr_nodes[n.a];
  }
  if (n.op != OP_MUL || !is_constant(n.b) || !is_small(n.a)) return 0;
  int64_t scale = (int64_t)tr_nodes[n.b].number;
  if (scale <= 0 || scale >= limit || constant <= -limit || constant >= limit) return 0;
  *remainder = (constant % scale + scale) % scale;
  p->stride = (u64)scale;
  p->index = add_constant(n.a, 64, (u64)((constant - *remainder) / scale));
  return p->index != 0;
}

/* The lowest bits of the offset that no input can change give the stride. */
static void stride_of_bits(u32 offset, u64 here, positions *p, int64_t *remainder) {
  u32 low = is_constant(offset) ? 0 : known_low_bits(offset);
  if (low > 12) low = 0;
  *remainder = (int64_t)(here & mask_of(low));
  p->stride = (u64)1 << low;
  p->index = build_extract(offset, low, 64 - low);
}

static int find_positions(u32 e, uintptr_t at, u32 bytes, u32 why, u32 place, positions *p) {
  const object *o = object_of(e, at);
  u32 offset = inside_offset(e, at, bytes, o, why, place), width = 0;
  int64_t remainder;
  p->count = 0;
  if (!offset) return 0;
  if (!stride_of_elements(offset, p, &remainder)) stride_of_bits(offset, at - o->base, p, &remainder);
  p->first = o->base + (u64)remainder;
  p->count = (o->size - bytes - (u64)remainder) / p->stride + 1;
  while (p->count > (u64)1 << width) width++;
  p->index = width ? build_extract(p->index, 0, width) : 0;
  return p->count <= tr_control->max_positions && (p->index || !width); /* no index: no room for nodes */
}

static u32 load_or_constant(uintptr_t at, u32 bits, u32 sort, u32 place) {
  u64 value = 0;
  u32 e = shadow_load(at, bits, sort, place);
  if (e) return e;
  memcpy(&value, (void *)at, (bits + 7) / 8);
  return make_constant(bits, sort, value);
}

/* A balanced tree over the bits of the index; equal subtrees are one node. */
static u32 read_tree(const positions *p, u64 from, u32 width, u32 bits, u32 sort, u32 place) {
  if (!width) return load_or_constant(p->first + from * p->stride, bits, sort, place);
  u64 middle = from + ((u64)1 << (width - 1));
  u32 low = read_tree(p, from, width - 1, bits, sort, place);
  if (middle >= p->count) return low;
  u32 high = read_tree(p, middle, width - 1, bits, sort, place);
  return build_ite(build_extract(p->index, width - 1, 1), high, low);
}

static void check_null(uintptr_t at, u32 place) {
  if (at < 4096) end_run(RUN_CRASHED, WHY_NULL, place, 0); /* the first page is never mapped */
}

/* The object of an access at a concrete address. Past the end of one, the run ends as it would on a machine
 * that checks. In memory that nobody told us of (the C library's, say), the path is approximate: what is there
 * may differ from run to run. */
static void check_known(uintptr_t at, u32 bytes, u32 why, u32 place) {
  static object last;
  if (last_is_valid && at - last.base < last.size && last.size - (at - last.base) >= bytes) return;
  check_null(at, place);
  const object *o = find_object(at);
  if (o && at - o->base + bytes <= o->size) {
    last = *o;
    last_is_valid = 1;
  } else if (o || is_behind_global(at)) {
    end_run(RUN_CRASHED, why, place, 0);
  } else {
    tr_concrete(place + 1); /* see weave_memory.py: the next number is the same access, out of bounds */
  }
}

static u32 load(uintptr_t at, u32 eaddress, u32 bits, u32 sort, u32 place) {
  positions p;
  u32 bytes = (bits + 7) / 8;
  if (eaddress) eaddress = fix_origin(eaddress, at, place);
  if (eaddress && find_positions(eaddress, at, bytes, WHY_OUT_OF_BOUNDS_READ, place, &p))
    return settle(read_tree(&p, 0, p.index ? tr_nodes[p.index].bits : 0, bits, sort, place));
  pin(eaddress, at, place);
  check_known(at, bytes, WHY_OUT_OF_BOUNDS_READ, place);
  return shadow_load(at, bits, sort, place);
}

u32 tr_load(void *at, u32 eaddress, u32 bits, u32 sort, u32 place) {
  u32 e = load((uintptr_t)at, eaddress, bits, sort == SORT_FLOAT, place);
  if (e && sort == SORT_ADDRESS) chosen_origin(e, *(uintptr_t *)at);
  return e;
}

/* Each position keeps its value unless the index names it. Positions may overlap: the bytes are written when their
 * turn comes (the woven store writes them once more), so that each position finds what the ones before it left. */
static void write_positions(const positions *p, uintptr_t to, u32 bits, u32 sort, u32 e, u64 value, u32 place) {
  for (u64 i = 0; i < p->count; i++) {
    uintptr_t at = p->first + i * p->stride;
    u32 bytes = (bits + 7) / 8;
    u32 here = build_compare(OP_EQ, p->index, make_constant(tr_nodes[p->index].bits, SORT_BITS, i));
    u32 merged = build_ite(here, e, load_or_constant(at, bits, sort, place));
    u64 now = 0;
    if (at == to) memcpy((void *)at, &value, bytes);
    memcpy(&now, (void *)at, bytes);
    shadow_store(at, bytes, merged, now);
  }
}

void tr_store(void *to, u32 eaddress, u32 bits, u32 sort, u32 e, u64 value, u32 place) {
  positions p;
  uintptr_t at = (uintptr_t)to;
  u32 bytes = (bits + 7) / 8;
  if (eaddress) eaddress = fix_origin(eaddress, at, place);
  if (eaddress && find_positions(eaddress, at, bytes, WHY_OUT_OF_BOUNDS_WRITE, place, &p) && p.index) {
    write_positions(&p, at, bits, sort, e ? e : make_constant(bits, sort, value), value, place);
    return;
  }
  if (eaddress && p.count != 1) pin(eaddress, at, place);
  check_known(at, bytes, WHY_OUT_OF_BOUNDS_WRITE, place);
  shadow_store(at, bytes, e, value);
}

/* A stretch of memory must lie in one object, as far as objects are known. */
static void check_stretch(uintptr_t at, u64 bytes, u32 ebytes, u32 why, u32 place) {
  const object *o = find_object(at);
  if (!bytes && !ebytes) return;
  if (bytes) check_null(at, place);
  if (!o && bytes && is_behind_global(at)) end_run(RUN_CRASHED, why, place, 0);
  if (!o) {
    tr_concrete(place);
    return;
  }
  u64 room = o->size - (at - o->base);
  if (ebytes) guard(build_compare(OP_ULE, ebytes, make_constant(tr_nodes[ebytes].bits, SORT_BITS, room)), bytes <= room, place);
  if (bytes > room) end_run(RUN_CRASHED, why, place, 0);
}

/* Keeps the address of a stretch where it is in this run; before that, the stretch must lie in its object. */
static void pin_stretch(u32 e, uintptr_t at, u64 bytes, u32 ebytes, u32 why, u32 place) {
  if (e) e = fix_origin(e, at, place);
  if (e && bytes && !ebytes) inside_offset(e, at, bytes, object_of(e, at), why, place);
  pin(e, at, place);
}

enum { BYTES_PER_STEP = 64 }; /* a long copy takes as long as many blocks */

void tr_copy(void *to, u32 eto, void *from, u32 efrom, u64 bytes, u32 ebytes, u32 place) {
  pin_stretch(eto, (uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
  pin_stretch(efrom, (uintptr_t)from, bytes, ebytes, WHY_OUT_OF_BOUNDS_READ, place);
  check_stretch((uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
  check_stretch((uintptr_t)from, bytes, ebytes, WHY_OUT_OF_BOUNDS_READ, place);
  pin(ebytes, bytes, place);
  tr_control->steps += bytes / BYTES_PER_STEP;
  shadow_copy((uintptr_t)to, (uintptr_t)from, bytes);
}

void tr_fill(void *to, u32 eto, u32 e, u64 bytes, u32 ebytes, u32 place) {
  pin_stretch(eto, (uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
  check_stretch((uintptr_t)to, bytes, ebytes, WHY_OUT_OF_BOUNDS_WRITE, place);
  pin(ebytes, bytes, place);
  tr_control->steps += bytes / BYTES_PER_STEP;
  if (!e) shadow_clear((uintptr_t)to, bytes);
  else
    for (u64 i = 0; i < bytes; i++) shadow_store((uintptr_t)to + i, 1, e, 0);
}

/* Memory that code which was not woven may have written. */
void tr_clobber(void *at, u32 was_outside) {
  const object *o = was_outside ? find_object((uintptr_t)at) : 0;
  if (o) shadow_clear(o->base, o->size);
}

/* The saved registers of a variadic function: an object of its frame. Arguments beyond them lie in the caller's
 * frame, in memory that nobody told us of. */
void tr_variadic(void *list) {
#ifdef __x86_64__
  struct { u32 integers, floats; void *others, *registers; } *l = list;
  shadow_clear((uintptr_t)list, sizeof *l);
  tr_stack_memory(l->registers, 176);
#else
  shadow_clear((uintptr_t)list, sizeof(void *));
#endif
}

/* Memory that an instruction which is not modelled writes. */
void tr_forget(void *at, u64 bytes) { shadow_clear((uintptr_t)at, bytes); }

/* Floats. */
static u32 or_float(u32 e, u32 bits, u64 value) { return e ? e : make_constant(bits, SORT_FLOAT, value); }

u32 tr_float_binary(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b) {
  if (!(ea | eb)) return 0;
  return make_node(op, bits, SORT_FLOAT, or_float(ea, bits, a), or_float(eb, bits, b), 0, 0);
}

u32 tr_float_unary(u32 op, u32 bits, u32 e) { return e ? make_node(op, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }

u32 tr_float_fma(u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 ec, u64 c) {
  if (!(ea | eb | ec)) return 0;
  return make_node(OP_F_FMA, bits, SORT_FLOAT, or_float(ea, bits, a), or_float(eb, bits, b), or_float(ec, bits, c), 0);
}

static u32 nan_test(u32 e) {
  if (is_constant(e)) return truth(is_nan_bits(tr_nodes[e].bits, tr_nodes[e].number));
  return make_node(OP_F_IS_NAN, 1, SORT_BITS, e, 0, 0, 0);
}

static u32 float_test(u32 op, u32 a, u32 b) { return make_node(op, 1, SORT_BITS, a, b, 0, 0); }

static u32 unordered(u32 a, u32 b) { return build_binary(OP_OR, 1, nan_test(a), nan_test(b)); }

static u32 less_or_greater(u32 a, u32 b) {
  return build_binary(OP_OR, 1, float_test(OP_F_LT, a, b), float_test(OP_F_LT, b, a));
}

/* LLVM's float predicates, in the order of probes.py. An unordered one is the opposite of an ordered one. */
enum float_predicate { P_OEQ, P_OGT, P_OGE, P_OLT, P_OLE, P_ONE, P_ORD, P_UEQ, P_FUGT, P_FUGE, P_FULT, P_FULE, P_UNE, P_UNO };

static u32 build_float_compare(u32 predicate, u32 x, u32 y) {
  switch (predicate) {
  case P_OEQ: return float_test(OP_F_EQ, x, y);
  case P_OGT: return float_test(OP_F_LT, y, x);
  case P_OGE: return float_test(OP_F_LE, y, x);
  case P_OLT: return float_test(OP_F_LT, x, y);
  case P_OLE: return float_test(OP_F_LE, x, y);
  case P_ONE: return less_or_greater(x, y);
  case P_ORD: return build_not(unordered(x, y));
  case P_UEQ: return build_not(less_or_greater(x, y));
  case P_FUGT: return build_not(float_test(OP_F_LE, x, y));
  case P_FUGE: return build_not(float_test(OP_F_LT, x, y));
  case P_FULT: return build_not(float_test(OP_F_LE, y, x));
  case P_FULE: return build_not(float_test(OP_F_LT, y, x));
  case P_UNE: return build_not(float_test(OP_F_EQ, x, y));
  default: return unordered(x, y);
  }
}

u32 tr_float_compare(u32 predicate, u32 bits, u32 ea, u64 a, u32 eb, u64 b) {
  if (!(ea | eb)) return 0;
  return settle(build_float_compare(predicate, or_float(ea, bits, a), or_float(eb, bits, b)));
}

/* isnan and its kin, by LLVM's mask of classes: nan 3, infinite 516, finite 504, normal 264, zero 96. */
static u32 build_float_class(u32 e, u32 classes) {
  u32 bits = tr_nodes[e].bits, magnitude = make_node(OP_F_ABS, bits, SORT_FLOAT, e, 0, 0, 0);
  u32 infinity = make_constant(bits, SORT_FLOAT, bits == 32 ? 0x7F800000 : 0x7FF0000000000000);
  u32 least = make_constant(bits, SORT_FLOAT, bits == 32 ? 0x00800000 : 0x0010000000000000);
  u32 is_finite = float_test(OP_F_LT, magnitude, infinity);
  switch (classes) {
  case 3: return nan_test(e);
  case 516: return float_test(OP_F_EQ, magnitude, infinity);
  case 504: return is_finite;
  case 264: return build_binary(OP_AND, 1, is_finite, float_test(OP_F_LE, least, magnitude));
  default: return float_test(OP_F_EQ, e, make_constant(bits, SORT_FLOAT, 0));
  }
}

u32 tr_float_class(u32 e, u32 classes) { return e ? build_float_class(e, classes) : 0; }

/* Float to float, integer to float. */
u32 tr_to_float(u32 op, u32 bits, u32 e) { return e ? make_node(op, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }

static u64 double_bits(double d) { u64 v; memcpy(&v, &d, 8); return v; }
static u64 float_bits(float f) { u32 v; memcpy(&v, &f, 4); return v; }
static double bits_double(u64 v) { double d; memcpy(&d, &v, 8); return d; }
static float bits_float(u64 v) { u32 w = (u32)v; float f; memcpy(&f, &w, 4); return f; }

static u32 float_constant(u32 bits, double d) {
  return make_constant(bits, SORT_FLOAT, bits == 32 ? float_bits((float)d) : double_bits(d));
}

static double power_of_two(u32 n) { return bits_double((u64)(1023 + n) << 52); }

/* The truncated value fits: lowest - 1 < x < highest + 1, or lowest <= x where lowest - 1 is no float. */
static u32 fits(u32 is_signed, u32 to, u32 e) {
  u32 bits = tr_nodes[e].bits, digits = bits == 32 ? 24 : 53;
  double above = power_of_two(is_signed ? to - 1 : to), lowest = is_signed ? -above : 0;
  u32 low = is_signed && to > digits ? float_test(OP_F_LE, float_constant(bits, lowest), e)
                                     : float_test(OP_F_LT, float_constant(bits, lowest - 1), e);
  return build_binary(OP_AND, 1, low, float_test(OP_F_LT, e, float_constant(bits, above)));
}

static int fits_now(u32 is_signed, u32 to, double x) {
  double above = power_of_two(is_signed ? to - 1 : to), lowest = is_signed ? -above : 0;
  return x < above && (x >= lowest || ((!is_signed || to <= 53) && x > lowest - 1));
}

u32 tr_to_integer(u32 is_signed, u32 to, u32 e, u64 value, u32 place) {
  if (!e) return 0;
  double x = tr_nodes[e].bits == 32 ? (double)bits_float(value) : bits_double(value);
  int now = fits_now(is_signed, to, x);
  guard(fits(is_signed, to, e), now, place);
  if (now) return make_node(is_signed ? OP_F_TO_SIGNED : OP_F_TO_UNSIGNED, to, SORT_BITS, e, 0, 0, 0);
  pin(e, value, place);
  return 0;
}

/* errno after a function of <math.h>: the program sees the model's, the library sets its own. */
void tr_clear_error(void) { errno = 0; }

void tr_take_error(void *model) {
  if (!errno) return;
  memcpy(model, &errno, sizeof(int));
  shadow_clear((uintptr_t)model, sizeof(int));
}

/* A negative operand of sqrt sets errno. */
void tr_square_root(u32 e, u64 value, u32 place) {
  if (!e) return;
  u32 bits = tr_nodes[e].bits;
  guard(float_test(OP_F_LT, e, float_constant(bits, 0)), (bits == 32 ? (double)bits_float(value) : bits_double(value)) < 0, place);
}

/* Reinterpretation: `bitcast` between an integer and a float of the same size. */
u32 tr_as_float(u32 bits, u32 e) { return e ? make_node(OP_F_FROM_BITS, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }
u32 tr_as_bits(u32 e, u64 value, u32 place) { return e ? bits_of_float(e, value, place) : 0; }

/* What the driver calls. */
void tightrope_input(unsigned slot, void *at, unsigned bits) {
  u64 value = ((u64 *)((u8 *)tr_control + tr_control->inputs_at))[slot] & mask_of(bits);
  u32 bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  memcpy(at, &value, bytes);
  shadow_store((uintptr_t)at, bytes, make_node(OP_INPUT, bits, SORT_BITS, 0, 0, 0, slot), value);
}

/* An output is its value and a mark that it was reached. */
void tightrope_output(unsigned number, const void *at, unsigned size) {
  u64 value = 0, *outputs = (u64 *)((u8 *)tr_control + tr_control->outputs_at);
  if (number >= tr_control->outputs) return;
  memcpy(&value, at, size < 8 ? size : 8);
  outputs[2 * number] = value;
  outputs[2 * number + 1] = 1;
}
