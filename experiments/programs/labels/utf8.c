/* Checks that a line of bytes is UTF-8 as RFC 3629 defines it. Stands for `utf8` of Table I.
 * Function under test: check. Sizes: -DLENGTH=3, -DLENGTH=5, -DLENGTH=7.
 *
 *     first byte   bytes  code points
 *     0xxxxxxx       1    U+0000  .. U+007F
 *     110xxxxx       2    U+0080  .. U+07FF
 *     1110xxxx       3    U+0800  .. U+FFFF     without the surrogates D800 .. DFFF
 *     11110xxx       4    U+10000 .. U+10FFFF */

#ifndef LENGTH
#define LENGTH 5
#endif

struct line {
    unsigned char bytes[LENGTH];
};

enum verdict {
    GOOD = 0,
    BAD_FIRST_BYTE = -1,
    CUT_SHORT = -2,
    BAD_NEXT_BYTE = -3,
    OVERLONG = -4,
    SURROGATE = -5,
    TOO_LARGE = -6,
    CONTROL = -7,
    NO_CHARACTER = -8
};

/* How many bytes a character has, told by its first byte; 0 when no character starts so. */
static int size_of_character(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if ((first & 0xE0) == 0xC0)
        return 2;
    if ((first & 0xF0) == 0xE0)
        return 3;
    if ((first & 0xF8) == 0xF0)
        return 4;
    return 0;
}

static int goes_on(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

static int all_go_on(const unsigned char *bytes, int size)
{
    for (int i = 1; i < size; i++) {
        if (!goes_on(bytes[i]))
            return 0;
    }
    return 1;
}

/* The number that the bytes of one character spell. */
static unsigned decode(const unsigned char *bytes, int size)
{
    unsigned point = bytes[0];
    if (size == 2)
        point = bytes[0] & 0x1F;
    else if (size == 3)
        point = bytes[0] & 0x0F;
    else if (size == 4)
        point = bytes[0] & 0x07;
    for (int i = 1; i < size; i++)
        point = (point << 6) | (bytes[i] & 0x3F);
    return point;
}

static unsigned smallest_of_size(int size)
{
    switch (size) {
    case 2:
        return 0x80;
    case 3:
        return 0x800;
    case 4:
        return 0x10000;
    default:
        return 0;
    }
}

/* A text may have lines; no other control character is expected in one. */
static int is_control(unsigned point)
{
    if (point == '\n')
        return 0;
    return point < 0x20 || (point >= 0x7F && point < 0xA0);
}

static enum verdict judge(unsigned point, int size)
{
    if (is_control(point))
        return CONTROL;
    if (point < smallest_of_size(size))
        return OVERLONG;
    if (point >= 0xD800 && point <= 0xDFFF)
        return SURROGATE;
    if (point > 0x10FFFF)
        return TOO_LARGE;
    if ((point & 0xFFFE) == 0xFFFE)
        return NO_CHARACTER;
    return GOOD;
}

/* How many characters there are before the end or a zero byte; a negative number tells what is wrong. */
int check(struct line line)
{
    const unsigned char *text = line.bytes;
    int characters = 0;
    int at = 0;
    while (at < LENGTH && text[at] != 0) {
        int size = size_of_character(text[at]);
        if (size == 0)
            return BAD_FIRST_BYTE;
        if (at + size > LENGTH)
            return CUT_SHORT;
        if (!all_go_on(text + at, size))
            return BAD_NEXT_BYTE;
        enum verdict verdict = judge(decode(text + at, size), size);
        if (verdict != GOOD)
            return verdict;
        at += size;
        characters++;
    }
    return characters;
}
