// function: mean
double mean(double a, double b)
{
    double sum = a + b;
    if (sum - a != b)  // expect branch: covered
        return 0;
    if (sum > 1e308 && a < 1e308 && b < 1e308)  // expect branch: covered
        return 1;
    if (a > 0 && b > 0 && sum < a)  // expect branch#3(true): infeasible; branch#3(false): covered
        return 2;
    return sum / 2;
}
