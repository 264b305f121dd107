// function: poll
// options: --stub-writes read_sensor:1
// A stub does not write through NULL.
extern int read_sensor(int *value);

int poll(int *value)
{
    if (read_sensor(value) != 0) // expect branch: covered
        return -1;
    if (!value)
        return -2;
    if (*value == 1234)
        return 1;
    return 0;
}
