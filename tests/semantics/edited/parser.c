// input: text=not-null, string 3
// domain: text[0]=0,40,41,49 text[1]=0,40,41,49 text[2]=0,40,41,49
// unknown: shape
/* A text, a position that functions share, and their recursion. */
#include <ctype.h>
#include <string.h>
static const char *at;
static int errors;
static int expression(void);
static int atom(void)
{
    if (*at == '(') {
        at++;
        int inner = expression();
        if (*at != ')') {
            errors++;
            return inner;
        }
        at++;
        return inner + 10;
    }
    if (isdigit((unsigned char)*at))
        return *at++ - '0';
    errors++;
    return 0;
}
static int expression(void)
{
    int sum = atom();
    while (*at && *at != ')')
        sum += atom();
    return sum;
}
int f(const char *text)
{
    at = text;
    errors = 0;
    int r = expression();
    if (errors && strlen(text) > 2)
        return 1;
    if (*at)
        return 2;
    return r == 2 || r == 11;
}
