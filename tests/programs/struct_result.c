// function: split
struct parts { int whole; char digits[4]; const char *rest; };
struct parts split(const char *text)
{
    struct parts parts = {0, "", 0};
    if (!text)  // expect branch: covered
        return parts;
    parts.whole = text[0] == '-' ? -1 : 1;
    parts.digits[0] = text[0];
    parts.rest = text + 1;
    return parts;
}
