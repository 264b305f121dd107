// function: mean_above
int mean_above(const double *samples, int count)
{
    double sum = 0;
    if (count <= 0 || count > 4)  // expect branch: covered
        return -1;
    for (int at = 0; at < count; at++)
        sum += samples[at];
    return sum / count > 2.5;
}
