// function: judge
// Answers may be structures, floats and enums.
struct reading {
    int value;
    double scale;
};

enum mode { OFF, SLOW, FAST };

extern struct reading measure(int channel);
extern enum mode mode(void);

int judge(int channel)
{
    struct reading now = measure(channel);
    if (now.value > 5 && now.scale < 0.25) // expect branch: covered
        return 1;
    switch (mode()) { // expect branch(default): infeasible
    case OFF:
        return 2;
    case SLOW:
        return 3;
    case FAST:
        return 4;
    }
    return 0;
}
