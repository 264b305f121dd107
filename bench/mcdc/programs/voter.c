/* Three redundant sensors: which of them is right? Differences without overflow, counters per channel. */

#include <stdbool.h>
#include <stdint.h>

enum { CHANNELS = 3, TOLERANCE = 16, PATIENCE = 5 };

struct channel {
    int32_t value;
    bool valid;
    uint8_t strikes;
};

static bool agree(const struct channel *one, const struct channel *other)
{
    int64_t distance = (int64_t)one->value - other->value;
    return one->valid && other->valid && distance <= TOLERANCE && distance >= -TOLERANCE;
}

/* How many channels are good; the value through `out`. */
int vote(struct channel channels[CHANNELS], int32_t *out)
{
    bool ab = agree(&channels[0], &channels[1]), bc = agree(&channels[1], &channels[2]);
    bool ca = agree(&channels[2], &channels[0]);
    if (ab && bc && ca) {
        for (int i = 0; i < CHANNELS; i++)
            channels[i].strikes = 0;
        int32_t a = channels[0].value, b = channels[1].value, c = channels[2].value;
        *out = (a <= b && b <= c) || (c <= b && b <= a) ? b : (b <= a && a <= c) || (c <= a && a <= b) ? a : c;
        return 3;
    }
    int odd = ab && !bc && !ca ? 2 : bc && !ab && !ca ? 0 : ca && !ab && !bc ? 1 : -1;
    if (odd >= 0) {
        if (channels[odd].valid && ++channels[odd].strikes > PATIENCE)
            channels[odd].valid = false;
        *out = channels[(odd + 1) % CHANNELS].value;
        return 2;
    }
    for (int i = 0; i < CHANNELS; i++)
        if (channels[i].valid && channels[i].strikes == 0 && !(ab || bc || ca)) {
            *out = channels[i].value;
            return 1;
        }
    return 0;
}
