// function: f
// An array has the name that reports give to the result of a function: it is an input like any other.
char result[3];

int f(int a)
{
    if (result[1] > 3)  // expect branch: covered
        return 1;
    return a;
}
