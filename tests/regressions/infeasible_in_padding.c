// function: between
// What lies between the members of a global is no input.
struct gap { char a; int b; };
struct gap gap;
int between(unsigned char limit)
{
    if (((unsigned char *)&gap)[2] > limit)  // expect branch(true): unknown
        return 1;
    return 0;
}
