/* A lexer for a small Lisp: reads a file, or standard input without an argument, and prints one token per line.
 * Whole program. Function under test: main */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_TOKEN 80

enum kind {
    END,
    KEYWORD,
    SPECIAL,
    IDENTIFIER,
    NUMBER,
    STRING,
    CHARACTER,
    COMMENT,
    FAULT
};

struct source {
    FILE *stream;
    int line;
    int pushed; /* a character that was read too far, or EOF */
};

struct token {
    enum kind kind;
    int line;
    char text[LONGEST_TOKEN + 1];
};

static const struct {
    const char *word;
    const char *name;
} keywords[] = {
    {"and", "and"}, {"or", "or"}, {"if", "if"}, {"xor", "xor"}, {"lambda", "lambda"}, {"=>", "arrow"},
};

static const struct {
    char mark;
    const char *name;
} specials[] = {
    {'(', "left paren"}, {')', "right paren"}, {'[', "left square"}, {']', "right square"},
    {'\'', "quote"},     {'`', "back quote"},  {',', "comma"},
};

static int next_char(struct source *from)
{
    int c;
    if (from->pushed != EOF) {
        c = from->pushed;
        from->pushed = EOF;
        return c;
    }
    c = getc(from->stream);
    if (c == '\n')
        from->line++;
    return c;
}

static void push_char(struct source *from, int c)
{
    from->pushed = c;
}

static int is_special(int c)
{
    size_t i;
    for (i = 0; i < sizeof specials / sizeof specials[0]; i++)
        if (specials[i].mark == c)
            return 1;
    return 0;
}

static int ends_token(int c)
{
    if (c == EOF || isspace(c))
        return 1;
    return is_special(c) || c == ';' || c == '"';
}

static int is_keyword(const char *text)
{
    size_t i;
    for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(keywords[i].word, text) == 0)
            return 1;
    return 0;
}

static int is_identifier(const char *text)
{
    int i;
    if (!isalpha((unsigned char)text[0]))
        return 0;
    for (i = 1; text[i] != '\0'; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '-')
            return 0;
    return 1;
}

static int is_number(const char *text)
{
    int i = 0, points = 0;
    if (text[i] == '-' || text[i] == '+')
        i++;
    if (!isdigit((unsigned char)text[i]))
        return 0;
    for (; text[i] != '\0'; i++) {
        if (text[i] == '.') {
            if (++points > 1)
                return 0;
        } else if (!isdigit((unsigned char)text[i])) {
            return 0;
        }
    }
    return 1;
}

static int is_character(const char *text)
{
    if (text[0] != '#' || text[1] != '\\')
        return 0;
    if (strcmp(text + 2, "space") == 0 || strcmp(text + 2, "newline") == 0)
        return 1;
    return text[2] != '\0' && text[3] == '\0';
}

static enum kind classify(const char *text)
{
    if (is_keyword(text))
        return KEYWORD;
    if (is_number(text))
        return NUMBER;
    if (is_identifier(text))
        return IDENTIFIER;
    if (is_character(text))
        return CHARACTER;
    return FAULT;
}

static enum kind read_string(struct source *from, struct token *token)
{
    int length = 1, c;
    for (;;) {
        c = next_char(from);
        if (c == EOF || c == '\n')
            return FAULT;
        if (length >= LONGEST_TOKEN)
            return FAULT;
        token->text[length++] = (char)c;
        token->text[length] = '\0';
        if (c == '"')
            return STRING;
        if (c == '\\') {
            c = next_char(from);
            if (c != 'n' && c != 't' && c != '"' && c != '\\')
                return FAULT;
        }
    }
}

static void skip_comment(struct source *from)
{
    int c;
    do
        c = next_char(from);
    while (c != '\n' && c != EOF);
}

static void read_token(struct source *from, struct token *token)
{
    int c, length = 0;
    do
        c = next_char(from);
    while (c != EOF && isspace(c));
    token->line = from->line;
    token->text[0] = (char)c;
    token->text[1] = '\0';
    if (c == EOF) {
        token->kind = END;
        return;
    }
    if (is_special(c)) {
        token->kind = SPECIAL;
        return;
    }
    if (c == ';') {
        skip_comment(from);
        token->kind = COMMENT;
        return;
    }
    if (c == '"') {
        token->kind = read_string(from, token);
        return;
    }
    while (!ends_token(c) && length < LONGEST_TOKEN) {
        token->text[length++] = (char)c;
        c = next_char(from);
    }
    push_char(from, c);
    token->text[length] = '\0';
    token->kind = classify(token->text);
}

static int print_token(const struct token *token)
{
    size_t i;
    switch (token->kind) {
    case KEYWORD:
        for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
            if (strcmp(keywords[i].word, token->text) == 0)
                printf("keyword,\t\"%s\".\n", keywords[i].name);
        return 0;
    case SPECIAL:
        for (i = 0; i < sizeof specials / sizeof specials[0]; i++)
            if (specials[i].mark == token->text[0])
                printf("%s.\n", specials[i].name);
        return 0;
    case IDENTIFIER:
        printf("identifier,\t\"%s\".\n", token->text);
        return 0;
    case NUMBER:
        printf("numeric,\t%s.\n", token->text);
        return 0;
    case STRING:
        printf("string,\t%s.\n", token->text);
        return 0;
    case CHARACTER:
        printf("character,\t\"%c\".\n", token->text[2]);
        return 0;
    case COMMENT:
        printf("comment in line %d.\n", token->line);
        return 0;
    case END:
        printf("eof.\n");
        return 0;
    default:
        printf("error,\t\"%s\".\n", token->text);
        return 1;
    }
}

int main(int argc, char *argv[])
{
    struct source from;
    struct token token;
    int faults = 0, open = 0;

    from.stream = stdin;
    from.line = 1;
    from.pushed = EOF;
    if (argc > 2) {
        fprintf(stderr, "usage: %s [FILE]\n", argv[0]);
        exit(2);
    }
    if (argc == 2) {
        from.stream = fopen(argv[1], "r");
        if (from.stream == NULL) {
            fprintf(stderr, "%s: cannot be opened\n", argv[1]);
            exit(2);
        }
    }
    do {
        read_token(&from, &token);
        faults += print_token(&token);
        if (token.kind == SPECIAL && token.text[0] == '(')
            open++;
        if (token.kind == SPECIAL && token.text[0] == ')' && --open < 0) {
            printf("unbalanced in line %d\n", token.line);
            return 3;
        }
    } while (token.kind != END);
    if (open > 0 && faults == 0)
        printf("%d left open\n", open);
    return faults > 0;
}
