/* Notes for written tests: the calls of stubs with their arguments, and the memory before the call and when it has
 * returned. Taken only if asked for (OPTION_NOTES): the search needs none of it.
 *
 * A note is a header and the bytes at its address, as far as the object reaches, padded to 8 bytes:
 *
 *     kind number | value | offset and size of the object | bytes that follow | 01 02 03 ...
 */
#include <string.h>

#include "runtime.h"

enum note_kind {
    NOTE_CALL = 1,
    NOTE_NUMBER,
    NOTE_POINTER,
    NOTE_BYTES,
    NOTE_GLOBAL,
    NOTE_BLOCK,
    NOTE_TARGET,
    NOTE_MEMORY
};
enum { NOTED_BYTES = 1024 }; /* of one object */

typedef struct {
    u32 kind, number;
    u64 value;
    u64 offset, size; /* of the address in its object */
    u64 bytes;
} note;

static int takes_notes(void) { return (tr_control->options & OPTION_NOTES) != 0; }

/* Data that depends on where an object lies is nothing that a test can check. */
static void refuse_addresses(uintptr_t at, u64 bytes)
{
    for (u64 i = 0; used_pages && i < bytes; i += 8)
        if (has_place(at + i, bytes - i < 8 ? (u32)(bytes - i) : 8)) tr_control->flags |= FLAG_NOTES_FULL;
}

static void add_note(note head, const void *from)
{
    u64 room = sizeof head + ((head.bytes + 7) & ~(u64)7);
    if (tr_control->notes + room > tr_control->notes_capacity) {
        tr_control->flags |= FLAG_NOTES_FULL;
        return;
    }
    u8 *to = (u8 *)tr_control + tr_control->notes_at + tr_control->notes;
    memcpy(to, &head, sizeof head);
    if (head.bytes) memcpy(to + sizeof head, from, head.bytes);
    tr_control->notes += (u32)room;
}

static u64 shorten(u64 bytes) { return bytes < NOTED_BYTES ? bytes : NOTED_BYTES; }

static int is_readable(const object *o) { return o && !is_stream(o) && !is_freed(o); }

/* A pointer, with what it leads to from there on. */
static void note_address(u32 kind, u32 number, uintptr_t at)
{
    const object *o = at ? find_object(at) : 0;
    if (!is_readable(o)) {
        add_note((note){kind, number, at, 0, 0, 0}, 0);
        return;
    }
    u64 offset = at - o->base;
    add_note((note){kind, number, at, offset, o->size, shorten(o->size - offset)}, (const void *)at);
}

void tightrope_note_call(unsigned stub)
{
    if (takes_notes()) add_note((note){NOTE_CALL, stub, 0, 0, 0, 0}, 0);
}

void tightrope_note_number(unsigned position, u64 value)
{
    if (takes_notes()) add_note((note){NOTE_NUMBER, position, value, 0, 0, 0}, 0);
}

void tightrope_note_real(unsigned position, double value)
{
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    tightrope_note_number(position, bits);
}

void tightrope_note_pointer(unsigned position, const volatile void *pointer)
{
    if (takes_notes()) note_address(NOTE_POINTER, position, (uintptr_t)pointer);
}

void tightrope_note_bytes(unsigned position, const void *at, u64 size)
{
    if (takes_notes()) add_note((note){NOTE_BYTES, position, 0, 0, size, shorten(size)}, at);
}

/* A part of an input that no code reads: if the unit does not write it, it is as unwritten as memory of its own. */
void tightrope_note_unseen(void *at, unsigned size)
{
    if (soil()) memset(at, soil(), size);
}

/* What an observed pointer leads to after the call. */
void tightrope_note_target(unsigned output, const volatile void *pointer)
{
    if (takes_notes()) note_address(NOTE_TARGET, output, (uintptr_t)pointer);
}

/* All variables, and the blocks of the heap; once before the call and once after it. Constants are the same then. */
void tightrope_note_memory(void)
{
    if (!takes_notes()) return;
    add_note((note){NOTE_MEMORY, (u32)has_returned, 0, 0, 0, 0}, 0);
    for (u64 i = 0; i < tr_globals_count; i++) {
        const global_entry *g = &tr_globals[i];
        if (g->nature == CONSTANT && !has_returned) continue;
        refuse_addresses((uintptr_t)g->base, g->size);
        add_note((note){NOTE_GLOBAL, (u32)i, (u64)(uintptr_t)g->base, 0, g->size, shorten(g->size)}, g->base);
    }
    for (u32 i = 0; i < heap_count; i++)
        if (heap_is_live[i]) {
            const object *o = &heap_objects[i];
            refuse_addresses(o->base, o->size);
            add_note((note){NOTE_BLOCK, i, o->base, 0, o->size, shorten(o->size)}, (const void *)o->base);
        }
}
