// assume: v.e[0] < 3 && v.e[1] < 3 && v.e[2] < 3 && v.e[3] < 3
// domain: v.e[0]=0..2 v.e[1]=0..2 v.e[2]=0..2 v.e[3]=0..2
struct events { unsigned char e[4]; };
enum state { IDLE, ARMED, OPEN, BROKEN };
int f(struct events v)
{
    enum state s = IDLE;
    int opened = 0;
    for (int i = 0; i < 4; i++) {
        switch (s) {
        case IDLE:
            s = v.e[i] == 1 ? ARMED : IDLE;
            break;
        case ARMED:
            if (v.e[i] == 2) {
                s = OPEN;
                opened++;
            } else if (v.e[i] == 1)
                s = IDLE;
            break;
        case OPEN:
            s = v.e[i] ? IDLE : OPEN;
            break;
        case BROKEN:
            return -1;
        }
    }
    if (opened == 2)
        return 1;
    if (opened && s == ARMED)
        return 2;
    return s == OPEN && v.e[1] == 1 && v.e[3] == 2;
}
