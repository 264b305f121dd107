/* A key matrix of 4 rows and 4 columns, debounced: a key counts as pressed after 3 equal scans. */
#include <stdint.h>

#define ROWS 4
#define STABLE 3
#define NO_KEY 0xFF
#define REPEAT_AFTER 20

struct matrix {
    uint8_t raw[ROWS];     /* bit per column, as scanned last */
    uint8_t pressed[ROWS]; /* debounced */
    uint8_t count[ROWS];   /* equal scans */
    uint8_t held;          /* key that is held, or NO_KEY */
    uint8_t age;           /* scans that it is held */
};

/* Takes one scan of a row. Returns the key that was pressed now, or NO_KEY. */
uint8_t matrix_scan(struct matrix *m, uint8_t row, uint8_t columns)
{
    if (row >= ROWS)
        return NO_KEY;
    columns &= 0x0F;
    if (columns != m->raw[row]) {
        m->raw[row] = columns;
        m->count[row] = 0;
        return NO_KEY;
    }
    if (m->count[row] < STABLE) {
        m->count[row]++;
        if (m->count[row] < STABLE)
            return NO_KEY;
    }
    uint8_t fresh = columns & ~m->pressed[row];
    uint8_t released = m->pressed[row] & ~columns;
    m->pressed[row] = columns;
    if (m->held != NO_KEY && (m->held >> 2) == row && (released & (1u << (m->held & 3)))) {
        m->held = NO_KEY;
        m->age = 0;
    }
    if (fresh != 0) {
        uint8_t column = 0;
        while (!(fresh & (1u << column)))
            column++;
        m->held = (uint8_t)(row << 2 | column);
        m->age = 0;
        return m->held;
    }
    if (m->held != NO_KEY && (m->held >> 2) == row) {
        if (++m->age >= REPEAT_AFTER) {
            m->age = REPEAT_AFTER - 5;
            return m->held;
        }
    }
    return NO_KEY;
}
