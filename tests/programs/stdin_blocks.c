// function: main
// options: --input 'stdin = array 8'
// expect outcome: returned
#include <stdio.h>
#include <unistd.h>

struct header { unsigned char magic[2]; unsigned short length; };

int main(void)
{
    struct header header;
    unsigned char body[4];
    if (read(0, &header, sizeof header) != sizeof header)  // expect branch: covered
        return 1;
    if (header.magic[0] != 'T' || header.magic[1] != 'R')  // expect branch: covered
        return 2;
    size_t got = fread(body, 1, sizeof body, stdin);
    if (got < header.length)  // expect branch: covered
        return 3;
    if (header.length == 2 && body[1] == 0xff)  // expect branch: covered
        return 4;
    return 0;
}
