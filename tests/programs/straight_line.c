// function: store
// expect outcome: returned

void store(int *place, int value)             // expect mcdc: covered
{
    *place = value;
}                                             // expect mcdc: covered
