// function: decide
// options: --no-stub sensor
// Without answers, a function that has no body does nothing and returns zero.
extern int sensor(void);

int decide(int n)
{
    if (sensor() > 0) // expect branch(true): unknown
        return 1;
    if (n > 3) // expect branch: covered
        return 2;
    return 0;
}
