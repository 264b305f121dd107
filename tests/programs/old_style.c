// function: clamp
int clamp(value, low, high)
    int value;
    int *low, *high;
{
    if (low && value < *low)  // expect branch: covered
        return *low;
    if (high && value > *high)
        return *high;
    return value;
}
