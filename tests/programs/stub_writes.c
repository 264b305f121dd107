// function: poll
// options: --stub-writes read_sensor:2 --stub-writes receive:1=4
// What a stub writes through its arguments is an input, where that is asked for.
extern int read_sensor(int channel, int *value);
extern int receive(unsigned char *buffer, unsigned size);

int poll(int channel)
{
    int value = 0;
    unsigned char frame[4] = {0};
    if (read_sensor(channel, &value) != 0) // expect branch: covered
        return -1;
    if (value > 100)
        return 1;
    if (receive(frame, sizeof frame) == 4 && frame[0] == 0x7e && frame[3] == 0x7f)
        return 2;
    return 0;
}
