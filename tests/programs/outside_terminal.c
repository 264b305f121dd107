// function: set_speed
// A terminal may refuse a speed.
#define _DEFAULT_SOURCE
#include <termios.h>

int set_speed(int port, int fast)
{
    struct termios now;
    if (tcgetattr(port, &now) != 0) // expect branch: covered
        return -1;
    if (cfsetispeed(&now, fast ? B115200 : B9600) < 0) // expect branch: covered
        return -2;
    if (cfsetospeed(&now, fast ? B115200 : B9600) < 0) // expect branch: covered
        return -3;
    return tcsetattr(port, TCSANOW, &now);
}
