// function: padding
struct gap { char a; int b; };
int padding(const struct gap *gap)
{
    if (((const char *)gap)[2] == 1)  // expect branch(true): unknown
        return 1;
    return 0;
}
