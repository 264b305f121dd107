/* Draws a text into a small bitmap of one bit per pixel, with a font of three by five pixels.
 * Stands for `gd` of Table I. Function under test: draw_text.
 * Sizes: -DLENGTH=5, -DLENGTH=6.
 *
 * The text is UTF-8 with entities (`&lt;` and `&#65;`); a line feed starts a new line, a tabulator
 * goes on at the next stop. Characters that the font does not have are drawn as a box. What is
 * outside of the bitmap is cut off.
 *
 *     text --decode--> codes --measure--> width of each line --draw--> bitmap
 *
 * The text ends with a zero character, or where its array ends. */

#ifndef LENGTH
#define LENGTH 5
#endif

#define WIDTH 22
#define HEIGHT 12
#define GLYPH_WIDTH 3
#define GLYPH_HEIGHT 5
#define TAB 3 /* characters between two stops */

enum size { SMALL, LARGE };

enum alignment { LEFT, RIGHT };

enum problem { BAD_TEXT = -1, BAD_ENTITY = -2 };

struct text {
    char characters[LENGTH];
};

struct bitmap {
    unsigned rows[HEIGHT]; /* the highest of WIDTH bits is the leftmost pixel */
};

struct pen {
    int x;
    int y;
    int scale;
};

/* What the last call drew. */
struct bitmap bitmap;

/* --- font -------------------------------------------------------------------------------- */

/* The glyphs of ' ' .. '~'. Five rows of three pixels each: one octal digit a row, the top row first. */
static const unsigned short glyphs[] = {
    /* blank ! " # $ % & ' ( ) * + , - . / */
    000000, 022202, 055000, 057575, 036236, 051245, 025253, 022000,
    012221, 042224, 005250, 002720, 000024, 000700, 000002, 011244,
    /* 0 .. 9 : ; < = > ? @ */
    075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717,
    002020, 002024, 012421, 007070, 042124, 071202, 025743,
    /* A .. Z */
    025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227, 011152,
    055655, 044447, 057755, 065555, 025552, 065644, 025573, 065655, 034216, 072222,
    055557, 055552, 055775, 055255, 055222, 071247,
    /* [ \ ] ^ _ ` */
    064446, 044211, 031113, 025000, 000007, 042000,
    /* a .. z */
    003553, 044656, 003443, 011353, 002743, 012722, 003517, 044655, 020222, 010152,
    044565, 022221, 005775, 006555, 002552, 065640, 035310, 003444, 003216, 022721,
    005553, 005552, 005575, 005225, 005312, 007247,
    /* { | } ~ */
    032423, 022222, 062126, 001740,
};

#define BOX 077777 /* for all others */

static unsigned glyph_of(unsigned code)
{
    if (code < ' ' || code > '~')
        return BOX;
    return glyphs[code - ' '];
}

/* --- text -> codes ----------------------------------------------------------------------- */

static unsigned char at(const char *text, int place)
{
    return place < LENGTH ? (unsigned char)text[place] : 0;
}

/* The length of `word` where it stands in the text, else 0. */
static int length_of(const char *text, int place, const char *word)
{
    int length = 0;
    while (word[length] != '\0') {
        if (at(text, place + length) != (unsigned char)word[length])
            return 0;
        length++;
    }
    return length;
}

/* Reads `65;` behind `&#`; answers its length, or what is wrong. */
static int decode_number(const char *text, int place, unsigned *code)
{
    int length = 0;
    *code = 0;
    while (at(text, place + length) >= '0' && at(text, place + length) <= '9') {
        *code = *code * 10 + (at(text, place + length) - '0');
        length++;
    }
    if (length == 0 || at(text, place + length) != ';')
        return BAD_ENTITY;
    return length + 1;
}

static int decode_entity(const char *text, int place, unsigned *code)
{
    int length = length_of(text, place, "&#");
    if (length > 0) {
        int digits = decode_number(text, place + length, code);
        return digits < 0 ? digits : length + digits;
    }
    *code = '<';
    length = length_of(text, place, "&lt;");
    if (length == 0) {
        *code = '>';
        length = length_of(text, place, "&gt;");
    }
    return length == 0 ? BAD_ENTITY : length;
}

/* Two bytes reach all of the alphabets that such a display shows; others are refused. */
static int decode_two_bytes(const char *text, int place, unsigned *code)
{
    unsigned first = at(text, place);
    unsigned second = at(text, place + 1);
    if (first < 0xC2 || first > 0xDF || (second & 0xC0) != 0x80)
        return BAD_TEXT;
    *code = ((first & 0x1F) << 6) | (second & 0x3F);
    return 2;
}

/* The next code; answers of how many bytes it was made, or what is wrong. */
static int decode_one(const char *text, int place, unsigned *code)
{
    unsigned char byte = at(text, place);
    if (byte == '&')
        return decode_entity(text, place, code);
    if (byte >= 0x80)
        return decode_two_bytes(text, place, code);
    *code = byte;
    return 1;
}

/* All codes; answers how many there are, or what is wrong. */
static int decode(const char *text, unsigned codes[LENGTH])
{
    int count = 0;
    int place = 0;
    while (at(text, place) != 0) {
        int length = decode_one(text, place, &codes[count]);
        if (length < 0)
            return length;
        place += length;
        count++;
    }
    return count;
}

/* --- measure ----------------------------------------------------------------------------- */

static int next_stop(int column)
{
    return (column / TAB + 1) * TAB;
}

/* How many characters wide the line is that starts here. */
static int columns_of_line(const unsigned codes[LENGTH], int count, int from)
{
    int columns = 0;
    for (int i = from; i < count && codes[i] != '\n'; i++)
        columns = codes[i] == '\t' ? next_stop(columns) : columns + 1;
    return columns;
}

/* In pixels, with one pixel between two characters. */
static int width_of(int columns, int scale)
{
    if (columns == 0)
        return 0;
    return (columns * (GLYPH_WIDTH + 1) - 1) * scale;
}

/* Where a line starts; left of the bitmap when it is too wide. */
static int start_of_line(int width, enum alignment alignment)
{
    return alignment == RIGHT ? WIDTH - width : 0;
}

/* --- draw -------------------------------------------------------------------------------- */

static void clear(void)
{
    for (int y = 0; y < HEIGHT; y++)
        bitmap.rows[y] = 0;
}

/* Makes each of the three pixels `scale` pixels wide. */
static unsigned widen(unsigned pixels, int scale)
{
    unsigned block = (1u << scale) - 1;
    unsigned wide = 0;
    for (int i = 0; i < GLYPH_WIDTH; i++)
        wide |= ((pixels >> i) & 1u) * block << (i * scale);
    return wide;
}

/* Draws a row of `width` pixels whose leftmost is at x; cuts off what is outside. */
static void draw_row(unsigned pixels, int width, int x, int y)
{
    int shift = WIDTH - width - x; /* how far the row moves from the right end of the bitmap */
    if (y < 0 || y >= HEIGHT)
        return;
    if (shift >= WIDTH || shift <= -width)
        return;
    if (shift < 0)
        bitmap.rows[y] |= pixels >> -shift;
    else
        bitmap.rows[y] |= (pixels << shift) & ((1u << WIDTH) - 1);
}

static void draw_glyph(unsigned glyph, const struct pen *pen)
{
    int width = GLYPH_WIDTH * pen->scale;
    for (int row = 0; row < GLYPH_HEIGHT * pen->scale; row++) {
        int from_bottom = GLYPH_HEIGHT - 1 - row / pen->scale;
        unsigned pixels = (glyph >> (from_bottom * GLYPH_WIDTH)) & 7u;
        draw_row(widen(pixels, pen->scale), width, pen->x, pen->y + row);
    }
}

/* Is all of the character under the pen inside of the bitmap? */
static int is_inside(const struct pen *pen)
{
    if (pen->x < 0 || pen->x + GLYPH_WIDTH * pen->scale > WIDTH)
        return 0;
    return pen->y + GLYPH_HEIGHT * pen->scale <= HEIGHT;
}

/* Draws one line; answers how many of its characters could be drawn completely. */
static int draw_line(const unsigned codes[LENGTH], int count, int from, struct pen *pen)
{
    int complete = 0;
    int start = pen->x;
    int column = 0;
    for (int i = from; i < count && codes[i] != '\n'; i++) {
        if (codes[i] == '\t') {
            column = next_stop(column);
            continue;
        }
        pen->x = start + column * (GLYPH_WIDTH + 1) * pen->scale;
        draw_glyph(glyph_of(codes[i]), pen);
        complete += is_inside(pen);
        column++;
    }
    return complete;
}

static int end_of_line(const unsigned codes[LENGTH], int count, int from)
{
    while (from < count && codes[from] != '\n')
        from++;
    return from;
}

/* Draws the text at the top of the bitmap; answers how many characters could be drawn completely. */
int draw_text(struct text text, enum size size, enum alignment alignment)
{
    unsigned codes[LENGTH];
    int count = decode(text.characters, codes);
    if (count < 0)
        return count;
    clear();
    int scale = size == LARGE ? 2 : 1;
    int complete = 0;
    struct pen pen = {0, 0, scale};
    for (int from = 0; from < count; from = end_of_line(codes, count, from) + 1) {
        int columns = columns_of_line(codes, count, from);
        pen.x = start_of_line(width_of(columns, scale), alignment);
        complete += draw_line(codes, count, from, &pen);
        pen.y += (GLYPH_HEIGHT + 1) * scale;
    }
    return complete;
}
