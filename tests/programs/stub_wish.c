// function: length
// options: --input 'setting#_ = not-null, string 3' --input 'find#1 = array 4' --answers 2
// Answers are inputs like others: wishes say what they are.
#include <stddef.h>

extern const char *setting(const char *name);
extern const int *find(int key);

int length(int key)
{
    const char *text = setting("a");
    const int *numbers = find(key);
    if (text == NULL) // expect branch(true): unknown
        return -1;
    if (numbers == NULL) // expect branch: covered
        return -2;
    if (text[0] && text[1] && text[2] && text[3]) // expect branch#4(true): unknown
        return 1;
    if (numbers[3] == 99)
        return 2;
    return 0;
}
