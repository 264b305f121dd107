/* Replaces what a pattern matches in a line. Stands for `replace` of Table I.
 * Function under test: replace_all. One size.
 *
 *     ?        any character               %        only at the start of the line
 *     [abc]    one of these                x*       any number of x, as many as possible
 *     [^abc]   none of these               @x       x itself, whatever it is
 *                                          others   themselves
 *
 * Pattern and line end with a zero character, or where their arrays end. */

#define PATTERN 4
#define LINE 2

struct pattern {
    char text[PATTERN];
};

struct line {
    char text[LINE];
};

/* The line after the last call. An empty match leaves its character: one character may make two. */
char result[2 * LINE + 1];

static char at(const char *text, int size, int place)
{
    return place < size ? text[place] : '\0';
}

/* Where the pattern goes on after the element that starts here: behind `]` or one further. */
static int after_element(const char *pattern, int place)
{
    if (pattern[place] == '@')
        return place + 2;
    if (pattern[place] != '[')
        return place + 1;
    do {
        place++;
    } while (at(pattern, PATTERN, place) != '\0' && at(pattern, PATTERN, place) != ']');
    return place + 1;
}

static int is_in_class(const char *pattern, int place, char wanted)
{
    int negated = at(pattern, PATTERN, place) == '^';
    if (negated)
        place++;
    while (at(pattern, PATTERN, place) != '\0' && at(pattern, PATTERN, place) != ']') {
        if (pattern[place] == wanted)
            return !negated;
        place++;
    }
    return negated;
}

static int matches_one(const char *pattern, int place, char letter)
{
    if (letter == '\0')
        return 0;
    if (pattern[place] == '?')
        return 1;
    if (pattern[place] == '[')
        return is_in_class(pattern, place + 1, letter);
    if (pattern[place] == '@')
        return at(pattern, PATTERN, place + 1) == letter;
    return pattern[place] == letter;
}

/* The end of the longest match that starts here, or -1. */
static int match(const char *pattern, int place, const char *line, int from)
{
    if (at(pattern, PATTERN, place) == '\0')
        return from;
    int next = after_element(pattern, place);
    if (at(pattern, PATTERN, next) != '*') {
        if (!matches_one(pattern, place, at(line, LINE, from)))
            return -1;
        return match(pattern, next, line, from + 1);
    }
    int end = from;
    while (matches_one(pattern, place, at(line, LINE, end)))
        end++;
    for (; end >= from; end--) { /* take as many as possible, give back while the rest fails */
        int found = match(pattern, next + 1, line, end);
        if (found >= 0)
            return found;
    }
    return -1;
}

/* How often the pattern was found; each time, `substitute` is written. */
int replace_all(struct pattern pattern, struct line line, char substitute)
{
    int first_only = pattern.text[0] == '%';
    int found = 0, written = 0, from = 0;
    while (at(line.text, LINE, from) != '\0') {
        int end = first_only && from > 0 ? -1 : match(pattern.text, first_only, line.text, from);
        if (end >= 0) {
            result[written++] = substitute;
            found++;
        }
        if (end > from)
            from = end;
        else
            result[written++] = line.text[from++];
    }
    result[written] = '\0';
    return found;
}
