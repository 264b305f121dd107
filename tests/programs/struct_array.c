// function: cheapest
struct item { unsigned char price; _Bool sold; };

int cheapest(const struct item items[3])
{
    int best = -1;
    for (int i = 0; i < 3; i++) {  // expect branch: covered
        if (items[i].sold)  // expect branch: covered
            continue;
        if (best < 0 || items[i].price < items[best].price)  // expect branch: covered
            best = i;
    }
    return best;
}
