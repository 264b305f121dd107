// function: keyword
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int keyword(char word[5], int number)
{
    word[4] = '\0';
    if (strcmp(word, "if") == 0)  // expect branch: covered
        return 1;
    if (memcmp(word, "else", 4) == 0 && strlen(word) == 4)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): infeasible
        return 2;
    if (isdigit((unsigned char)word[0]) && toupper((unsigned char)word[1]) == 'X')  // expect branch: covered
        return 3;
    if (abs(number) == 17)  // expect branch: covered
        return 4;
    return 0;
}
