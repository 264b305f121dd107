// function: read_level
// Another definition of the weak function may write what it gets the address of.
__attribute__((weak)) void correct(int *value) { (void)value; }

int read_level(int raw)
{
    int level = raw;

    if (raw > 100) {  // expect branch: covered
        correct(&level);
        if (level < 50)  // expect branch(true): unknown; branch(false): covered
            return -1;
    }
    return level;
}
