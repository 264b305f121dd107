// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* `continue` leaves the switch and goes on with the loop, `break` only leaves the switch. */
int f(unsigned char a, unsigned char b)
{
    int state = a, steps = 0;
    for (int i = 0; i < 4; i++) {
        switch (state) {
        case 0:
            state = 2;
            continue;
        case 1:
            state = b;
            break;
        case 2:
            if (b == 1)
                break;
            state = 3;
            /* fall through */
        case 3:
            if (i == 3)
                return -1;
            state = b & 1;
            continue;
        case 9:
            return -9;
        default:
            return 7;
        }
        steps++;
    }
    return steps == 4 && state == 2;
}
