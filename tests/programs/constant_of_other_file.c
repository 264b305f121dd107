// function: check
// Its value is that of another file, and no test can give it one, because its type has no name.
extern const struct { unsigned char id; unsigned short most; } settings;

int check(unsigned short x)
{
    if (settings.id == 3) // expect branch(true): unknown
        return x > settings.most;
    return 0;
}
