/* Makes the part of a URI behind the scheme safe to send: characters that may not stand there are
 * written as `%` and two hexadecimal digits, into a buffer that ends. Stands for `full_bad` of
 * Table I. Function under test: escape_uri. One size.
 *
 *     //host:80/path?query#fragment          http and ftp (which has no query)
 *     //host/base?fields?scope?filter?more   ldap: at most PARTS of them
 *
 * The text ends with a zero character, or where its array ends. */

#define LENGTH 8
#define ROOM 10
#define PARTS 3 /* separated by question marks, in ldap */

enum scheme { HTTP, FTP, LDAP };

enum problem { NO_HOST = -1, BAD_HOST = -2, BAD_PORT = -3, NO_ROOM = -4, TOO_MANY_PARTS = -5 };

struct uri {
    char text[LENGTH];
};

/* What may be done with a character. Those above 127 are always escaped. */
enum {
    IN_HOST = 1,  /* may stand in the name of a host */
    IN_PATH = 2,  /* needs no escape in a path */
    IN_QUERY = 4, /* needs no escape in a query */
    HEX = 8,      /* a hexadecimal digit */
    DIGIT = 16    /* a decimal digit */
};

#define LETTER (IN_HOST | IN_PATH | IN_QUERY)
#define MARK (IN_PATH | IN_QUERY)

static const unsigned char kinds[128] = {
    ['0'] = LETTER | HEX | DIGIT, ['1'] = LETTER | HEX | DIGIT, ['2'] = LETTER | HEX | DIGIT,
    ['3'] = LETTER | HEX | DIGIT, ['4'] = LETTER | HEX | DIGIT, ['5'] = LETTER | HEX | DIGIT,
    ['6'] = LETTER | HEX | DIGIT, ['7'] = LETTER | HEX | DIGIT, ['8'] = LETTER | HEX | DIGIT,
    ['9'] = LETTER | HEX | DIGIT,

    ['a'] = LETTER | HEX, ['b'] = LETTER | HEX, ['c'] = LETTER | HEX,
    ['d'] = LETTER | HEX, ['e'] = LETTER | HEX, ['f'] = LETTER | HEX,
    ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER,
    ['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER,
    ['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER,
    ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER, ['z'] = LETTER,

    ['A'] = LETTER | HEX, ['B'] = LETTER | HEX, ['C'] = LETTER | HEX,
    ['D'] = LETTER | HEX, ['E'] = LETTER | HEX, ['F'] = LETTER | HEX,
    ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER,
    ['L'] = LETTER, ['M'] = LETTER, ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER,
    ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER, ['U'] = LETTER,
    ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER,

    ['-'] = LETTER, ['.'] = LETTER, ['_'] = MARK, ['~'] = MARK, ['/'] = MARK,
    ['!'] = MARK, ['$'] = MARK, ['\''] = MARK, ['('] = MARK, [')'] = MARK,
    ['*'] = MARK, [','] = MARK, [':'] = MARK, ['@'] = MARK, [';'] = IN_QUERY,
    ['='] = IN_QUERY, ['&'] = IN_QUERY, ['+'] = IN_QUERY, ['?'] = IN_QUERY,
};

/* The escaped text of the last call, and how much of it is used. */
char escaped[ROOM + 1];
static int used;
static int escapes;

static char at(const struct uri *uri, int place)
{
    return place < LENGTH ? uri->text[place] : '\0';
}

static int is_kind(char c, int kind)
{
    unsigned char code = (unsigned char)c;
    return code < 128 && (kinds[code] & kind) != 0;
}

static char hex_digit(unsigned value)
{
    return "0123456789ABCDEF"[value & 15];
}

static int has_room(int characters)
{
    return used + characters <= ROOM;
}

static int put(char c)
{
    if (!has_room(1))
        return 0;
    escaped[used++] = c;
    return 1;
}

static int put_escaped(char c)
{
    unsigned char code = (unsigned char)c;
    if (!has_room(3))
        return 0;
    escaped[used++] = '%';
    escaped[used++] = hex_digit(code >> 4);
    escaped[used++] = hex_digit(code);
    escapes++;
    return 1;
}

/* Is this a `%` with its two digits, which somebody has escaped before us? */
static int is_escape(const struct uri *uri, int place)
{
    if (at(uri, place) != '%')
        return 0;
    return is_kind(at(uri, place + 1), HEX) && is_kind(at(uri, place + 2), HEX);
}

/* Copies the host; answers where it ends, or what is wrong. */
static int copy_host(const struct uri *uri, int place)
{
    int start = place;
    while (is_kind(at(uri, place), IN_HOST)) {
        if (!put(at(uri, place)))
            return NO_ROOM;
        place++;
    }
    if (place == start)
        return NO_HOST;
    return place;
}

/* Copies a port such as `:80`, if there is one. */
static int copy_port(const struct uri *uri, int place)
{
    if (at(uri, place) != ':')
        return place;
    do {
        if (!put(at(uri, place)))
            return NO_ROOM;
        place++;
    } while (is_kind(at(uri, place), DIGIT));
    if (at(uri, place - 1) == ':')
        return BAD_PORT;
    return place;
}

static int copy_authority(const struct uri *uri)
{
    if (at(uri, 0) != '/' || at(uri, 1) != '/')
        return NO_HOST;
    if (!put('/') || !put('/'))
        return NO_ROOM;
    int place = copy_host(uri, 2);
    if (place < 0)
        return place;
    place = copy_port(uri, place);
    if (place < 0)
        return place;
    char next = at(uri, place);
    if (next != '\0' && next != '/')
        return BAD_HOST;
    return place;
}

/* Copies up to the end, or up to `stop`, and escapes all that is not of this kind. */
static int copy_part(const struct uri *uri, int place, int kind, char stop)
{
    for (;;) {
        char c = at(uri, place);
        if (c == '\0' || c == '#' || c == stop)
            return place;
        int done = is_kind(c, kind) || is_escape(uri, place) ? put(c) : put_escaped(c);
        if (!done)
            return NO_ROOM;
        place++;
    }
}

static int copy_parts(const struct uri *uri, int place)
{
    for (int parts = 1; parts <= PARTS; parts++) {
        place = copy_part(uri, place, IN_PATH, '?');
        if (place < 0 || at(uri, place) != '?')
            return place;
        if (!put('?'))
            return NO_ROOM;
        place++;
    }
    return TOO_MANY_PARTS;
}

static int copy_path_and_query(const struct uri *uri, int place)
{
    place = copy_part(uri, place, IN_PATH, '?');
    if (place < 0 || at(uri, place) != '?')
        return place;
    if (!put('?'))
        return NO_ROOM;
    return copy_part(uri, place + 1, IN_QUERY, '#');
}

/* How many characters had to be escaped; a negative number tells what is wrong. */
int escape_uri(enum scheme scheme, struct uri uri)
{
    used = 0;
    escapes = 0;
    int place = copy_authority(&uri);
    if (place < 0)
        return place;
    if (scheme == LDAP)
        place = copy_parts(&uri, place);
    else if (scheme == HTTP)
        place = copy_path_and_query(&uri, place);
    else
        place = copy_part(&uri, place, IN_PATH, '\0');
    if (place < 0)
        return place;
    escaped[used] = '\0';
    return escapes;
}
