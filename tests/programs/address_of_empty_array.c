// function: blocks_meet
// Without elements, an array may be where the array before it is: with clang, these have one address if n is 0.
int blocks_meet(int n)
{
    char *last = 0;
    for (int i = 0; i < 2; i++) {       // expect branch: covered
        char *now = __builtin_alloca(n & 15);
        if (now == last)                // expect branch(true): unknown; branch(false): covered
            return 1;
        last = now;
    }
    return 0;
}
