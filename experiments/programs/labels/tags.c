/* Reads the next tag of a server-side command such as `file="news.html" -->`: a name, an equals
 * sign and a value, which may be quoted and may hold entities. Stands for `get_tag` of Table I.
 * Function under test: read_tag. Sizes: -DLENGTH=5, -DLENGTH=6.
 *
 *     name = "value"     name=value     name='a &lt; b'     name="say \"hi\""     -->
 *
 * The text ends with a zero character, or where its array ends. */

#ifndef LENGTH
#define LENGTH 5
#endif

#define NAME_ROOM 4 /* with the zero character at the end */
#define VALUE_ROOM 4

enum outcome {
    TAG = 1,
    LAST = 0, /* the command ends here */
    NO_TAG = -1,
    NO_VALUE = -2,
    NOT_CLOSED = -3,
    NAME_TOO_LONG = -4,
    VALUE_TOO_LONG = -5,
    BAD_ENTITY = -6
};

struct text {
    char characters[LENGTH];
};

struct reader {
    const char *characters;
    int place;
};

/* The tag that was read last. */
char tag_name[NAME_ROOM];
char tag_value[VALUE_ROOM];

/* --- characters -------------------------------------------------------------------------- */

static char peek(const struct reader *reader)
{
    return reader->place < LENGTH ? reader->characters[reader->place] : '\0';
}

static char next(struct reader *reader)
{
    char c = peek(reader);
    if (c != '\0')
        reader->place++;
    return c;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static void skip_blanks(struct reader *reader)
{
    while (is_blank(peek(reader)))
        reader->place++;
}

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

/* Moves on behind `word` when it stands here. */
static int skip_word(struct reader *reader, const char *word)
{
    int start = reader->place;
    for (int i = 0; word[i] != '\0'; i++) {
        if (next(reader) != word[i]) {
            reader->place = start;
            return 0;
        }
    }
    return 1;
}

/* --- entities ---------------------------------------------------------------------------- */

struct entity {
    const char *word;
    char meaning;
};

static const struct entity entities[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}};

#define ENTITIES ((int)(sizeof entities / sizeof entities[0]))

/* Reads a number of at most three digits; -1 when there is none. */
static int read_number(struct reader *reader)
{
    int number = -1;
    for (int digits = 0; digits < 3; digits++) {
        char c = peek(reader);
        if (c < '0' || c > '9')
            break;
        number = (number < 0 ? 0 : number * 10) + (c - '0');
        reader->place++;
    }
    return number;
}

/* The character that an entity stands for, zero when it is none. The `&` has been read. */
static char read_entity(struct reader *reader)
{
    char meaning = '\0';
    if (skip_word(reader, "#")) {
        int number = read_number(reader);
        if (number > 0 && number < 128)
            meaning = (char)number;
    } else {
        for (int i = 0; i < ENTITIES && meaning == '\0'; i++) {
            if (skip_word(reader, entities[i].word))
                meaning = entities[i].meaning;
        }
    }
    skip_word(reader, ";"); /* often forgotten */
    return meaning;
}

/* --- name and value ---------------------------------------------------------------------- */

static enum outcome read_name(struct reader *reader)
{
    int used = 0;
    for (;;) {
        char c = peek(reader);
        if (c == '\0' || c == '=' || is_blank(c))
            break;
        if (used == NAME_ROOM - 1)
            return NAME_TOO_LONG;
        tag_name[used++] = lower(c);
        reader->place++;
    }
    tag_name[used] = '\0';
    return used > 0 ? TAG : NO_TAG;
}

static int is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Does the value end here? Without quotes it ends at a blank, with quotes only at the same one. */
static int ends_value(char c, char quote)
{
    if (quote == '\0')
        return c == '\0' || is_blank(c);
    return c == quote;
}

/* One character of a value, decoded; zero when it is spelled wrongly. */
static char read_character(struct reader *reader)
{
    char c = next(reader);
    if (c == '&')
        return read_entity(reader);
    if (c == '\\' && is_quote(peek(reader)))
        return next(reader);
    return c;
}

static enum outcome read_value(struct reader *reader)
{
    int used = 0;
    char quote = '\0';
    if (is_quote(peek(reader)))
        quote = next(reader);
    while (!ends_value(peek(reader), quote)) {
        if (peek(reader) == '\0')
            return NOT_CLOSED;
        if (used == VALUE_ROOM - 1)
            return VALUE_TOO_LONG;
        char c = read_character(reader);
        if (c == '\0')
            return BAD_ENTITY;
        tag_value[used++] = c;
    }
    if (quote != '\0')
        next(reader);
    tag_value[used] = '\0';
    return TAG;
}

/* Reads a tag into `tag_name` and `tag_value`. */
enum outcome read_tag(struct text text)
{
    struct reader reader = {text.characters, 0};
    tag_name[0] = '\0';
    tag_value[0] = '\0';
    skip_blanks(&reader);
    if (skip_word(&reader, "-->"))
        return LAST;
    enum outcome outcome = read_name(&reader);
    if (outcome != TAG)
        return outcome;
    skip_blanks(&reader);
    if (!skip_word(&reader, "="))
        return NO_VALUE;
    skip_blanks(&reader);
    return read_value(&reader);
}
