// function: sequence_start_step
// options: --sequence 'start; step*3' --input 'c=not-null'
// The struct to which the first parameter points is the same in all calls.
struct counter {
    int count, most;
};

void start(struct counter *c, int most)
{
    c->count = 0;
    c->most = most;
}

int step(struct counter *c)
{
    if (c->count == c->most)  // expect branch: covered
        return 1;
    c->count++;
    if (c->count == 3 && c->most > 100)  // expect branch: covered
        return 2;
    return 0;
}
