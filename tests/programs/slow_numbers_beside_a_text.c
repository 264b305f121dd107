// function: find_divider
// options: --solver-time-limit 1
/* Quotients of 32-bit numbers, in a loop that may be long, beside a text that nobody reads. */
struct clock {
    char name[8];
    unsigned frequency, least, most, step;
};

int find_divider(const struct clock *clock, unsigned wanted, unsigned *found)
{
    unsigned best_error = ~0u, best = 0, part;
    if (!clock || !found || wanted == 0 || clock->step == 0 || clock->least < 2)
        return -1;
    for (part = clock->most; part >= clock->least; part--) {      // expect branch: covered
        unsigned divider = clock->frequency / (part * wanted + 1) / clock->step * clock->step, rate, error;
        if (divider == 0 || divider > 1024)                       // expect branch: covered
            continue;
        rate = clock->frequency / (divider * part);
        error = rate > wanted ? rate - wanted : wanted - rate;
        if (error > best_error)                                   // expect branch: covered
            continue;
        best_error = error;
        best = divider;
        if (error == 0)                                           // expect branch: covered
            break;
    }
    if (best_error > wanted / 200)                                // expect branch: covered
        return -2;
    *found = best;
    return 0;
}
