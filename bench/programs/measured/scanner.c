/* A scanner of C-like text: decisions over characters, nearly one per character. */
#include "work.h"

static char text[1 << 14];

static unsigned random_state;

static unsigned next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 16;
}

static int is_name_start(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_name_part(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); }
static int is_space(int c) { return c == ' ' || c == '\t' || c == '\n'; }

static void fill(void)
{
    static const char letters[] = "abcxyzABCXYZ_0123456789  \t\n+-*/<>=!&|(){};\"'.,";
    for (unsigned at = 0; at + 1 < sizeof text; at++)
        text[at] = letters[next_random() % (sizeof letters - 1)];
}

static unsigned scan(const char *at)
{
    unsigned names = 0, numbers = 0, signs = 0, strings = 0, sum = 0;
    while (*at) {
        if (is_space(*at)) {
            at++;
        } else if (is_name_start(*at)) {
            unsigned hash = 5381;
            while (is_name_part(*at))
                hash = hash * 33 ^ (unsigned)*at++;
            names++;
            sum ^= hash;
        } else if (*at >= '0' && *at <= '9') {
            unsigned value = 0;
            while ((*at >= '0' && *at <= '9') || *at == '.')
                value = value * 10 + (unsigned)(*at++ - '0');
            numbers++;
            sum += value;
        } else if (*at == '"' || *at == '\'') {
            char quote = *at++;
            while (*at && *at != quote && *at != '\n')
                at++;
            if (*at == quote)
                at++;
            strings++;
        } else if ((at[0] == '&' && at[1] == '&') || (at[0] == '|' && at[1] == '|') ||
                   ((at[0] == '<' || at[0] == '>' || at[0] == '=' || at[0] == '!') && at[1] == '=')) {
            signs += 2;
            at += 2;
        } else {
            signs++;
            at++;
        }
    }
    return sum + names * 7 + numbers * 11 + signs * 13 + strings * 17;
}

unsigned work(unsigned rounds)
{
    unsigned sum = 0;
    random_state = 1;
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 64 == 0)
            fill();
        text[next_random() % (sizeof text - 1)] = ' ';
        sum = sum * 31 + scan(text);
    }
    return sum;
}
