// function: area
struct span { const int *from; int count; };
int area(struct span span)
{
    if (!span.from)  // expect branch: covered
        return -1;
    if (span.count > 2 && span.from[2] == 9)
        return 1;
    return 0;
}
