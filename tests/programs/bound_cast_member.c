// function: second_half
// No code names the member `high`, but it is read.
struct pair { int low; int high; };
int second_half(const struct pair *pair)
{
    const int *numbers = (const int *)pair;
    if (numbers[1] == 7)  // expect branch: covered
        return 1;
    return 0;
}
