// function: matches
// A pointer that keeps what its initialiser says could be set by others.
const char *mode = "fast";
int matches(int x)
{
    int first = mode[0];
    if (x > 0 && x < 10) {
        if (x == first)  // expect branch(true): unknown
            return 1;
    }
    return 0;
}
