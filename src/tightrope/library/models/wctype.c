/* Models of <wctype.h> in the C locale, where no wide character beyond 127 belongs to a class.
 *
 * Arithmetic instead of `||`, so that a test of a symbolic character is one expression and no branch of its own. */

#define BETWEEN(c, low, high) ((c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))
#define IS_ALPHA(c) BETWEEN((c) | 32, 'a', 'z')
#define IS_DIGIT(c) BETWEEN(c, '0', '9')

/* A class test gives the class's bit of glibc's table, on a little-endian machine; digits have none. */
enum {
    UPPER_BIT = 8,
    LOWER_BIT = 9,
    ALPHA_BIT = 10,
    XDIGIT_BIT = 12,
    SPACE_BIT = 13,
    PRINT_BIT = 14,
    GRAPH_BIT = 15,
    BLANK_BIT = 0,
    CNTRL_BIT = 1,
    PUNCT_BIT = 2,
    ALNUM_BIT = 3
};

int tightrope_model_iswupper(unsigned c) { return BETWEEN(c, 'A', 'Z') << UPPER_BIT; }
int tightrope_model_iswlower(unsigned c) { return BETWEEN(c, 'a', 'z') << LOWER_BIT; }
int tightrope_model_iswalpha(unsigned c) { return IS_ALPHA(c) << ALPHA_BIT; }
int tightrope_model_iswdigit(unsigned c) { return IS_DIGIT(c); }
int tightrope_model_iswxdigit(unsigned c) { return (IS_DIGIT(c) | BETWEEN(c | 32, 'a', 'f')) << XDIGIT_BIT; }
int tightrope_model_iswspace(unsigned c) { return (BETWEEN(c, '\t', '\r') | (c == ' ')) << SPACE_BIT; }
int tightrope_model_iswprint(unsigned c) { return BETWEEN(c, ' ', '~') << PRINT_BIT; }
int tightrope_model_iswgraph(unsigned c) { return BETWEEN(c, '!', '~') << GRAPH_BIT; }
int tightrope_model_iswblank(unsigned c) { return ((c == ' ') | (c == '\t')) << BLANK_BIT; }
int tightrope_model_iswcntrl(unsigned c) { return (BETWEEN(c, 0, 31) | (c == 127)) << CNTRL_BIT; }
int tightrope_model_iswalnum(unsigned c) { return (IS_ALPHA(c) | IS_DIGIT(c)) << ALNUM_BIT; }
int tightrope_model_iswpunct(unsigned c) { return (BETWEEN(c, '!', '~') & !(IS_ALPHA(c) | IS_DIGIT(c))) << PUNCT_BIT; }
unsigned tightrope_model_towlower(unsigned c) { return c + ((unsigned)BETWEEN(c, 'A', 'Z') << 5); }
unsigned tightrope_model_towupper(unsigned c) { return c - ((unsigned)BETWEEN(c, 'a', 'z') << 5); }
