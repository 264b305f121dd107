// assume: !s || ((s[0] == 0 || s[0] == 'a' || s[0] == 'b') && (s[1] == 0 || s[1] == 'a') && (s[2] == 0 || s[2] == 'b'))
// input: s=nullable, string 3
// domain: s[0]=0,97,98 s[1]=0,97 s[2]=0,98
// unknown: shape runs_died only_crashing not_encoded address
int f(const char *s)
{
    int n = 0;
    const char *p;
    for (p = s; p && *p; p++) // NULL at the first time only
        n += *p == 'a';
    if (!p)
        return -1;
    for (p = s; p && *p; p++) {
        n += 3;
        if (!p || n > 9) // not NULL
            break;
        if (*p == 'b' && p[1] == 'b') // never
            return -2;
    }
    return n == 4 || n == 10;
}
