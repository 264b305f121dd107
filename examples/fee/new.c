/* Two versions of a function: tightrope diff examples/fee/old.c examples/fee/new.c */

/* Cents for the delivery of goods that cost so many cents and weigh so many grams. */
int fee(int cost, int weight, int express)
{
    int limit = 5000;
    int base = 490;
    if (weight > 5000)
        base = 790;
    if (express)
        base += 1000;
    if (cost >= limit && !express)
        return 0;
    return base;
}
