// function: sequence_poll
// options: --sequence 'poll*6'
// Each call of the stub has an answer of its own, also in the sixth call.
int read_pin(void);

int poll(void)
{
    static int seen;
    seen = read_pin() == 4 ? seen + 1 : 0;
    if (seen == 6)  // expect branch: covered
        return 1;
    return 0;
}
