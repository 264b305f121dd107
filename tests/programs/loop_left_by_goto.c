// function: search
// The only iteration may end by `goto`; a loop with a label in it is not followed.
int search(int a, int b)
{
    int i = 0;
    while (i < 2) { // expect loop(zero): infeasible; loop(one): covered; loop(many): covered
        if (a == 5)
            goto out;
        i++;
    }
    if (b == 1)
        goto inside;
    for (; i < 3; i++) { // expect loop: unknown
    inside:
        a++;
    }
out:
    return a + i;
}
