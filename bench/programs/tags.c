/* Reads one tag such as `a="x"` from six characters: skips blanks, reads a name, an equals sign and
 * a quoted value. Answers 16 * length of the name + length of the value, or what is wrong. */

enum { NO_NAME = -1, NO_EQUALS = -2, NO_QUOTE = -3, NOT_CLOSED = -4, BAD_VALUE = -5, TOO_MUCH = -6 };

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int read_tag(const char text[6])
{
    int at = 0, name = 0, value = 0;
    while (at < 6 && is_blank(text[at]))
        at++;
    while (at < 6 && (is_letter(text[at]) || text[at] == '-')) {
        at++;
        name++;
    }
    if (name == 0)
        return NO_NAME;
    while (at < 6 && is_blank(text[at]))
        at++;
    if (at == 6 || text[at] != '=')
        return NO_EQUALS;
    at++;
    if (at == 6)
        return NO_QUOTE;
    char quote;
    if (text[at] == '"')
        quote = '"';
    else if (text[at] == '\'')
        quote = '\'';
    else
        return NO_QUOTE;
    at++;
    while (at < 6 && text[at] != quote) {
        if (text[at] == '<' || text[at] < ' ')
            return BAD_VALUE;
        at++;
        value++;
    }
    if (at == 6)
        return NOT_CLOSED;
    for (at++; at < 6; at++)
        if (!is_blank(text[at]))
            return TOO_MUCH;
    return 16 * name + value;
}
