/* A filter of 16 taps over 64 samples, and what its output says. */

enum { TAPS = 16, SAMPLES = 64 };

static const float TAP[TAPS] = {0.01f, 0.02f, 0.04f, 0.06f, 0.08f, 0.09f, 0.10f, 0.10f,
                                0.10f, 0.10f, 0.09f, 0.08f, 0.06f, 0.04f, 0.02f, 0.01f};

enum signal { SILENT, QUIET, STEADY, LOUD, CLIPPED, CHIRP };

struct samples {
    float at[SAMPLES];
};

enum signal classify_signal(const struct samples *in)
{
    float energy = 0.0f;
    float highest = 0.0f;
    int crossings = 0;
    float before = 0.0f;
    for (int i = TAPS - 1; i < SAMPLES; i++) {
        float out = 0.0f;
        for (int k = 0; k < TAPS; k++)
            out += TAP[k] * in->at[i - k];
        energy += out * out;
        highest = out > highest ? out : highest;
        crossings += before * out < 0.0f;
        before = out;
    }
    if (highest > 32.0f)
        return CLIPPED;
    if (energy == 0.0f)
        return SILENT;
    if (energy < 1.0f)
        return QUIET;
    if (crossings > 6 && energy > 10.0f)
        return CHIRP;
    if (energy > 100.0f && energy < 101.0f)
        return STEADY;
    return LOUD;
}
