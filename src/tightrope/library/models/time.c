/* Model of the part of <time.h> that computes and does not look at the clock or at tables of time zones. */

double tightrope_model_difftime(long end, long start)
{
    return end >= start ? (double)((unsigned long)end - (unsigned long)start)
                        : -(double)((unsigned long)start - (unsigned long)end);
}
