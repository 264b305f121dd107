// function: decide
// A function without a body answers what the input says.
extern int sensor(int channel);

int decide(int limit)
{
    int first = sensor(1);
    int second = sensor(2);
    if (first < 0 || second < 0)
        return -1;
    if (first - second == 1234 && limit == 7) // expect branch: covered
        return 1;
    if (first < 10 && first > 20) // expect branch#2(true): infeasible
        return 2;
    return 0;
}
