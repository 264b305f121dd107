// function: sized
// Other sizes of an array are no errors either.
int sized(unsigned char k)
{
    char array[2000 - k * 7];
    array[0] = 1;
    if (k * 3 == 240 * 3)  // expect branch(true): covered
        return 1;
    return array[0];
}
