// function: longest_run
int longest_run(const signed char values[4])
{
    int longest = 1, run = 1;
    for (int i = 1; i < 4; i++) {  // expect branch: covered
        run = values[i] == values[i - 1] ? run + 1 : 1;  // expect branch: covered
        if (run > longest)  // expect branch: covered
            longest = run;
    }
    if (longest == 4)  // expect branch: covered
        return 100;
    if (longest > 4)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    return longest;
}
