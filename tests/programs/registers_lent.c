// function: reload
// options: --max-runs 300
// Memory at a constant address that another file may write: nothing is known about it.
#define SETTING (*(unsigned *)0x20000100)

void load(unsigned *to);

int reload(int n)  // expect outcome: crashed
{
    if (n > 100)  // expect branch(true): covered; branch(false): unknown
        return -1;
    unsigned before = SETTING;
    load(&SETTING);
    if (SETTING != before)  // expect branch: unknown
        return 1;
    return 0;
}
