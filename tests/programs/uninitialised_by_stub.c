// function: measure
// options: --stub-writes read_sensor=none
// What a stub leaves unwritten behind an out-parameter.
int read_sensor(int channel, int *value);
int measure(int channel)
{
    int value;
    if (read_sensor(channel, &value) != 0)  // expect branch(true): covered; branch(false): unknown
        return -1;
    if (value > 100)  // expect branch: unknown; outcome(use of an uninitialised value: the stub does not write it in the call of `read_sensor`): crashed
        return 1;
    return 0;
}
