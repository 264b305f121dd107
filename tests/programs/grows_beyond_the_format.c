// function: frame
/* The shortest text that the format accepts leaves no room for what is behind it, which the program looks for. */
#include <stdio.h>
#include <string.h>

int frame(const char *line)
{
    char id[9], wanted[16];
    unsigned length, flags;
    const char *data;
    if (sscanf(line, "%*u.%*u %8s %x ", id, &length) != 2) // expect branch: covered
        return -1;
    if (length != 4)                         // expect branch: covered
        return -2;
    snprintf(wanted, sizeof wanted, " %2x ", length);
    data = strstr(line, wanted);
    if (data == NULL)                        // expect branch: covered
        return -3;
    if (sscanf(data + strlen(wanted), "%x", &flags) != 1)   // expect branch: covered
        return 0;
    return flags & 0x10 ? 2 : 1;
}
