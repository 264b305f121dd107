// function: long_enough
// The only runs that reach the end of the string are rejected: they reach the bound nevertheless.
#include <string.h>
extern void __VERIFIER_assume(int condition);
int long_enough(const char *text)
{
    if (!text || strlen(text) < 4)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): unknown
        return 1;
    __VERIFIER_assume(strlen(text) >= 20);
    if (text[0] == 'x')  // expect branch: unknown
        return 2;
    return 0;
}
