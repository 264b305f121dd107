// function: poll
// What a function without a body writes through its arguments is an input, though nobody asks for it.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct reading { int value; unsigned ok : 1; const char *unit; };

extern int read_sensor(int channel, int *value);
extern int receive(uint8_t *buffer, size_t size);
extern void name_of(int channel, char *name);
extern void measure(struct reading *reading);
extern int open_file(void *file, const char **text);

int poll(int channel)
{
    int value, words[3];
    uint8_t frame[100];
    char name[16];
    struct reading reading;
    const char *text;
    if (read_sensor(channel, &value) != 0) // expect branch: covered
        return -1;
    if (value > 100)
        return 1;
    if (receive(frame, 4) == 4 && frame[0] == 0x7e && frame[3] == 0x7f)
        return 2;
    name_of(channel, name);
    if (strcmp(name, "left") == 0)
        return 3;
    measure(&reading);
    if (reading.ok && reading.value == 1234)
        return 4;
    if (reading.unit != NULL && reading.unit[0] == 'm')
        return 5;
    if (open_file(words, &text) > 0 && words[2] == 77 && text != NULL && text[1] == 'x')
        return 6;
    return 0;
}
