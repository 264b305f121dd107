// function: drain
// Each call in the loop has an answer of its own.
extern int next_byte(void);

int drain(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) { // expect branch: covered
        int byte = next_byte();
        if (byte < 0)
            return -1;
        if (i == 2 && byte == 0x55)
            return 1;
        sum += byte & 0xff;
    }
    if (sum == 700)
        return 2;
    return 0;
}
