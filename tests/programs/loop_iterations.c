// function: iterate
// options: --assume 'k < 4'
int iterate(int n, int k)
{
    int r = 0;
    for (int i = 0; i < n && i < 4; i++) // expect loop: covered
        r += i;
    while (k > 0) { // expect loop: covered
        if (k == 3)
            break;
        k--;
    }
    do // expect loop(one): covered; loop(many): infeasible
        r++;
    while (r < 1);
    for (int j = 0; j < 3; j++) // expect loop(zero): infeasible; loop(one): infeasible; loop(many): covered
        ;
    for (;;) // expect loop(one): covered; loop(many): covered
        if (r++ > 4)
            return r;
    do
        r++; // not a loop
    while (0);
}
