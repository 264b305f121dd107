/* Replaces what matches a pattern in the lines of standard input: change PATTERN [TEXT].
 *
 *     %  at the start: the start of a line     $  at the end: the end of a line     ?  any character
 *     [a-z] one of these, [^a-z] none of these     *  any number of what stands before it     @n @t @*  escaped
 *     &  in TEXT: what was matched
 *
 * Whole program. Function under test: main */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100

#define CLOSURE '*'
#define LITERAL 'c'
#define START '%'
#define STOP '$'
#define ANY '?'
#define CLASS '['
#define CLASS_END ']'
#define NOT_CLASS '!'
#define NEGATION '^'
#define DASH '-'
#define ESCAPE '@'
#define MATCHED '&'
#define DITTO '\001'

static int add(int c, char *to, int *at)
{
    if (*at >= MOST - 1)
        return 0;
    to[(*at)++] = (char)c;
    return 1;
}

static char escaped(const char *text, int *at)
{
    if (text[*at] != ESCAPE)
        return text[*at];
    if (text[*at + 1] == '\0')
        return ESCAPE;
    (*at)++;
    if (text[*at] == 'n')
        return '\n';
    if (text[*at] == 't')
        return '\t';
    return text[*at];
}

static int is_letter_or_digit(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The characters of a class, with ranges written out. */
static void expand(const char *text, int *at, char *to, int *next)
{
    char c;
    while (text[*at] != CLASS_END && text[*at] != '\0') {
        if (text[*at] == ESCAPE) {
            add(escaped(text, at), to, next);
        } else if (text[*at] != DASH) {
            add(text[*at], to, next);
        } else if (*next <= 1 || text[*at + 1] == '\0') {
            add(DASH, to, next);
        } else if (is_letter_or_digit(text[*at - 1]) && is_letter_or_digit(text[*at + 1])
                   && text[*at - 1] <= text[*at + 1]) {
            for (c = (char)(text[*at - 1] + 1); c <= text[*at + 1]; c++)
                add(c, to, next);
            (*at)++;
        } else {
            add(DASH, to, next);
        }
        (*at)++;
    }
}

static int make_class(const char *text, int *at, char *pattern, int *next)
{
    int start;
    (*at)++;
    if (text[*at] == NEGATION) {
        add(NOT_CLASS, pattern, next);
        (*at)++;
    } else {
        add(CLASS, pattern, next);
    }
    start = *next;
    add(0, pattern, next);
    expand(text, at, pattern, next);
    pattern[start] = (char)(*next - start - 1);
    return text[*at] == CLASS_END;
}

static void make_closure(char *pattern, int *next, int last)
{
    int at;
    for (at = *next - 1; at >= last; at--)
        pattern[at + 1] = pattern[at];
    (*next)++;
    pattern[last] = CLOSURE;
}

static int may_repeat(int kind)
{
    switch (kind) {
    case START:
    case STOP:
    case CLOSURE:
        return 0;
    default:
        return 1;
    }
}

static int make_pattern(const char *text, char *pattern)
{
    int at = 0, next = 0, last = 0, before;
    while (text[at] != '\0') {
        before = next;
        if (text[at] == ANY) {
            add(ANY, pattern, &next);
        } else if (text[at] == START && at == 0) {
            add(START, pattern, &next);
        } else if (text[at] == STOP && text[at + 1] == '\0') {
            add(STOP, pattern, &next);
        } else if (text[at] == CLASS) {
            if (!make_class(text, &at, pattern, &next))
                return 0;
        } else if (text[at] == CLOSURE && at > 0) {
            before = last;
            if (!may_repeat(pattern[before]))
                return 0;
            make_closure(pattern, &next, before);
        } else {
            add(LITERAL, pattern, &next);
            add(escaped(text, &at), pattern, &next);
        }
        last = before;
        at++;
        if (next >= MOST - 2)
            return 0;
    }
    pattern[next] = '\0';
    return 1;
}

static int make_text(const char *text, char *to)
{
    int at, next = 0;
    for (at = 0; text[at] != '\0'; at++) {
        if (text[at] == MATCHED)
            add(DITTO, to, &next);
        else
            add(escaped(text, &at), to, &next);
        if (next >= MOST - 1)
            return 0;
    }
    to[next] = '\0';
    return 1;
}

static int is_in_class(char c, const char *class)
{
    int at;
    for (at = 1; at <= class[0]; at++)
        if (class[at] == c)
            return 1;
    return 0;
}

/* Whether one element of the pattern matches at `*at`, which is advanced. */
static int matches_one(const char *line, int *at, const char *element)
{
    int advance = -1;
    if (element[0] == START) {
        if (*at == 0)
            advance = 0;
    } else if (element[0] == STOP) {
        if (line[*at] == '\n' || line[*at] == '\0')
            advance = 0;
    } else if (line[*at] != '\0') {
        switch (element[0]) {
        case LITERAL:
            if (line[*at] == element[1])
                advance = 1;
            break;
        case ANY:
            if (line[*at] != '\n')
                advance = 1;
            break;
        case CLASS:
            if (is_in_class(line[*at], element + 1))
                advance = 1;
            break;
        case NOT_CLASS:
            if (line[*at] != '\n' && !is_in_class(line[*at], element + 1))
                advance = 1;
            break;
        default:
            fprintf(stderr, "bad pattern\n");
            abort();
        }
    }
    if (advance < 0)
        return 0;
    *at += advance;
    return 1;
}

static int size_of(const char *element)
{
    switch (element[0]) {
    case LITERAL:
        return 2;
    case CLASS:
    case NOT_CLASS:
        return element[1] + 2;
    default:
        return 1;
    }
}

/* Where the match of the pattern that begins at `at` ends, or -1. */
static int match(const char *line, int at, const char *pattern)
{
    while (pattern[0] != '\0') {
        if (pattern[0] == CLOSURE) {
            int from = at, end;
            pattern++;
            while (line[at] != '\0' && matches_one(line, &at, pattern))
                ;
            pattern += size_of(pattern);
            for (; at >= from; at--)
                if ((end = match(line, at, pattern)) >= 0)
                    return end;
            return -1;
        }
        if (!matches_one(line, &at, pattern))
            return -1;
        pattern += size_of(pattern);
    }
    return at;
}

static void print_text(const char *line, int from, int to, const char *text)
{
    int i;
    for (; *text != '\0'; text++)
        if (*text == DITTO)
            for (i = from; i < to; i++)
                putchar(line[i]);
        else
            putchar(*text);
}

static int change_line(const char *line, const char *pattern, const char *text)
{
    int at = 0, last = -1, changes = 0;
    while (line[at] != '\0') {
        int end = match(line, at, pattern);
        if (end >= 0 && last != end) {
            print_text(line, at, end, text);
            last = end;
            changes++;
        }
        if (end < 0 || end == at) {
            putchar(line[at]);
            at++;
        } else {
            at = end;
        }
    }
    return changes;
}

int main(int argc, char **argv)
{
    char pattern[MOST + 2], text[MOST + 2], line[MOST];
    int changes = 0;

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: change PATTERN [TEXT]\n");
        exit(1);
    }
    if (!make_pattern(argv[1], pattern)) {
        fprintf(stderr, "change: illegal pattern\n");
        exit(2);
    }
    if (argc == 3) {
        if (!make_text(argv[2], text)) {
            fprintf(stderr, "change: text is too long\n");
            exit(3);
        }
    } else {
        text[0] = '\0';
    }
    while (fgets(line, sizeof line, stdin) != NULL)
        changes += change_line(line, pattern, text);
    if (changes > 1)
        fprintf(stderr, "%d changes\n", changes);
    return changes == 0;
}
