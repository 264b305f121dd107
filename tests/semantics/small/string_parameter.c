// assume: !s || ((s[0] == 0 || s[0] == '-' || s[0] == '7') && (s[1] == 0 || s[1] == '7' || s[1] == 'x') && (s[2] == 0 || s[2] == '1'))
// input: s=nullable, string 3
// domain: s[0]=0,45,55 s[1]=0,55,120 s[2]=0,49
// unknown: shape runs_died not_encoded address
int f(const char *s)
{
    int n = 0, is_negative = 0;
    if (!s)
        return 0;
    if (*s == '-') {
        is_negative = 1;
        s++;
    }
    while (*s >= '0' && *s <= '9')
        n = n * 10 + (*s++ - '0');
    if (*s)
        return -1;
    if (is_negative && n == 71)
        return 1;
    if (!is_negative && n == 771)
        return 2;
    return n == 77 || n == 17;
}
