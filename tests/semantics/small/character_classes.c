// assume: (s[0] == 0 || s[0] == '7' || s[0] == 'f' || s[0] == 'G' || s[0] == ' ') && (s[1] == 0 || s[1] == 'a' || s[1] == 'Z' || s[1] == '-')
// input: s=not-null, string 2
// domain: s[0]=0,32,55,71,102 s[1]=0,45,90,97
// unknown: shape
#include <ctype.h>
int f(const char *s)
{
    int n = 0;
    for (; *s; s++) {
        unsigned char c = *s;
        if (isxdigit(c)) {
            if (c > 'f' || (c > '9' && c < 'A')) // never
                return 1;
            n = n * 16 + (isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
            if (isspace(c) || ispunct(c)) // never
                return 2;
        } else if (isalpha(c)) {
            if (!isupper(c) && !islower(c)) // never
                return 3;
            if (toupper(c) == 'G')
                n += 100;
        } else if (isdigit(c)) // never
            return 4;
    }
    return n == 122 || n == 7;
}
