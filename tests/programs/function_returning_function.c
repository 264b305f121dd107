// function: twice
typedef int (*action)(int);
int twice(action (*choose)(char), int n)
{
    action chosen = choose ? choose('t') : 0;
    if (!chosen)  // expect branch(true): unknown; branch(false): covered
        return -1;
    return chosen(n) == 8;
}
