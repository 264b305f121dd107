/* The objects of the unit and their bounds: globals (listed by the woven module), stack objects
 * (registered when they come to life) and the heap (an arena of our own, as new before each run). */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime.h"

/* Written by the weaver: all globals of the unit by ascending address is not promised, so sorted here. */
typedef struct { void *base; u64 size; u64 is_mutable; } global_entry;
extern const global_entry tr_globals[];
extern const u64 tr_globals_count;

static object *global_objects;
static u8 *snapshot;

enum { STACK_OBJECTS = 1 << 18, HEAP_OBJECTS = 1 << 16, HEAP_GAP = 32 };
static object *stack_objects, *heap_objects;
static u8 *heap_is_live;
static u32 stack_count, heap_count;
static int last_is_valid; /* whether the object that an access found last still lives (see check_known) */
static u8 *heap_base;
static size_t heap_used;

void *tr_allocate(size_t bytes) {
  static u8 *chunk;
  static size_t left;
  bytes = (bytes + 15) & ~(size_t)15;
  if (bytes > left) {
    left = bytes > (1 << 20) ? bytes : 1 << 20;
    chunk = mmap(0, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (chunk == MAP_FAILED) __builtin_trap();
  }
  void *at = chunk;
  chunk += bytes, left -= bytes;
  return at;
}

static void insert_sorted(u64 count, object o) {
  u64 i = count;
  for (; i && global_objects[i - 1].base > o.base; i--) global_objects[i] = global_objects[i - 1];
  global_objects[i] = o;
}

static void take_snapshot(void) {
  size_t total = 0;
  for (u64 i = 0; i < tr_globals_count; i++) total += tr_globals[i].is_mutable ? tr_globals[i].size : 0;
  u8 *at = snapshot = tr_allocate(total + 1);
  for (u64 i = 0; i < tr_globals_count; i++)
    if (tr_globals[i].is_mutable) {
      memcpy(at, tr_globals[i].base, tr_globals[i].size);
      at += tr_globals[i].size;
    }
}

void objects_start(void) {
  global_objects = tr_allocate(sizeof(object) * (tr_globals_count + 1));
  for (u64 i = 0; i < tr_globals_count; i++)
    insert_sorted(i, (object){(uintptr_t)tr_globals[i].base, tr_globals[i].size});
  stack_objects = tr_allocate(sizeof(object) * STACK_OBJECTS);
  heap_objects = tr_allocate(sizeof(object) * HEAP_OBJECTS);
  heap_is_live = tr_allocate(HEAP_OBJECTS);
  heap_base = mmap(0, tr_control->heap_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (heap_base == MAP_FAILED) heap_base = 0;
  take_snapshot();
}

void objects_reset(void) {
  const u8 *at = snapshot;
  for (u64 i = 0; i < tr_globals_count; i++)
    if (tr_globals[i].is_mutable) {
      memcpy(tr_globals[i].base, at, tr_globals[i].size);
      at += tr_globals[i].size;
    }
  if (heap_used) memset(heap_base, 0, heap_used);
  stack_count = heap_count = 0;
  heap_used = 0;
  last_is_valid = 0;
}

/* The last object of a sorted array that starts at or below `at`. */
static const object *last_at_or_below(const object *objects, u64 count, uintptr_t at) {
  u64 low = 0, high = count;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (objects[middle].base <= at) low = middle + 1;
    else high = middle;
  }
  return low ? &objects[low - 1] : 0;
}

/* One past the end still belongs to an object. */
static const object *find_sorted(const object *objects, u64 count, uintptr_t at) {
  const object *o = last_at_or_below(objects, count, at);
  return o && at - o->base <= o->size ? o : 0;
}

/* Just behind a global, where nothing else of the program's is: objects behind input pointers lie 128 bytes
 * apart (see weave.py). */
static int is_behind_global(uintptr_t at) {
  const object *o = last_at_or_below(global_objects, tr_globals_count, at);
  return o && at - o->base < o->size + 128;
}

const object *find_object(uintptr_t at) {
  for (u32 i = stack_count; i-- > 0;)
    if (at >= stack_objects[i].base && at - stack_objects[i].base < stack_objects[i].size) return &stack_objects[i];
  if (at >= (uintptr_t)heap_base && at < (uintptr_t)heap_base + heap_used)
    return find_sorted(heap_objects, heap_count, at);
  return find_sorted(global_objects, tr_globals_count, at);
}

/* Stack objects. A frame remembers the count at its entry and puts it back when it leaves. */
u32 tr_frame(void) { return stack_count; }
void tr_unframe(u32 count) {
  stack_count = count;
  last_is_valid = 0;
}

static void tr_register(void *base, u64 size) {
  last_is_valid = 0;
  if (stack_count && stack_objects[stack_count - 1].base == (uintptr_t)base) stack_count--; /* a variable array, again */
  if (stack_count < STACK_OBJECTS) stack_objects[stack_count++] = (object){(uintptr_t)base, size};
}

/* Memory of a frame that was written by the machine. */
static void tr_stack_memory(void *base, u64 size) {
  shadow_clear((uintptr_t)base, size);
  tr_register(base, size);
}

/* An uninitialised local holds zeros: a run must not depend on what ran before it. */
void tr_stack_object(void *base, u64 size) {
  memset(base, 0, size);
  tr_stack_memory(base, size);
}

/* The heap. */
void *tightrope_malloc(u64 size) {
  size_t room = (size + 15 + HEAP_GAP) & ~(size_t)15;
  if (!heap_base || size > tr_control->heap_bytes || heap_used + room > tr_control->heap_bytes || heap_count == HEAP_OBJECTS) {
    tr_control->flags |= FLAG_APPROXIMATE; /* another machine may have the room */
    return 0;
  }
  u8 *at = heap_base + heap_used;
  heap_objects[heap_count] = (object){(uintptr_t)at, size};
  heap_is_live[heap_count++] = 1;
  heap_used += room;
  return at;
}

void *tightrope_calloc(u64 count, u64 size) {
  u64 total = size && count > UINT64_MAX / size ? UINT64_MAX : count * size;
  return tightrope_malloc(total); /* the arena is zeroed */
}

static const object *heap_block(void *at, u32 place) {
  const object *o = heap_count ? find_sorted(heap_objects, heap_count, (uintptr_t)at) : 0;
  if (!o || o->base != (uintptr_t)at || !heap_is_live[o - heap_objects])
    end_run(RUN_CRASHED, WHY_DOUBLE_FREE, place, 0);
  return o;
}

/* A block of the C library's own heap, from a function that has no model. */
static int is_foreign(void *at) {
  uintptr_t start = (uintptr_t)heap_base;
  return ((uintptr_t)at < start || (uintptr_t)at >= start + tr_control->heap_bytes) && !find_object((uintptr_t)at);
}

void tr_free(void *at, u32 place) {
  if (is_foreign(at)) free(at);
  else if (at) heap_is_live[heap_block(at, place) - heap_objects] = 0;
}

void *tr_realloc(void *at, u64 size, u32 place) {
  if (!at) return tightrope_malloc(size);
  if (is_foreign(at)) return realloc(at, size);
  const object *old = heap_block(at, place);
  void *to = tightrope_malloc(size);
  if (!to) return 0;
  size_t n = old->size < size ? old->size : size;
  memcpy(to, at, n);
  shadow_copy((uintptr_t)to, (uintptr_t)at, n);
  heap_is_live[old - heap_objects] = 0;
  return to;
}
