/* Models of <ctype.h> in the C locale, as glibc answers: a class test gives the class's bit of
 * glibc's table, tolower and toupper mirror -128 .. -2 to 128 .. 254.
 *
 * Arithmetic instead of tables and of `||`, so that a test of a symbolic character is one
 * expression and no branch of its own. The tables at the end serve code that glibc's macros have
 * already turned into table lookups. */

#define BETWEEN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))

/* Each class as 0 or 1. `c | 32` turns capital letters, and nothing else, into small letters. */
#define IS_UPPER(c) BETWEEN(c, 'A', 'Z')
#define IS_LOWER(c) BETWEEN(c, 'a', 'z')
#define IS_ALPHA(c) BETWEEN((c) | 32, 'a', 'z')
#define IS_DIGIT(c) BETWEEN(c, '0', '9')
#define IS_XDIGIT(c) (IS_DIGIT(c) | BETWEEN((c) | 32, 'a', 'f'))
#define IS_SPACE(c) (BETWEEN(c, '\t', '\r') | ((c) == ' '))
#define IS_PRINT(c) BETWEEN(c, ' ', '~')
#define IS_GRAPH(c) BETWEEN(c, '!', '~')
#define IS_BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define IS_CNTRL(c) (BETWEEN(c, 0, 31) | ((c) == 127))
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_PUNCT(c) (IS_GRAPH(c) & !IS_ALNUM(c))

/* The bit each class has in glibc's table on a little-endian machine. */
enum {
    UPPER_BIT = 8,
    LOWER_BIT = 9,
    ALPHA_BIT = 10,
    DIGIT_BIT = 11,
    XDIGIT_BIT = 12,
    SPACE_BIT = 13,
    PRINT_BIT = 14,
    GRAPH_BIT = 15,
    BLANK_BIT = 0,
    CNTRL_BIT = 1,
    PUNCT_BIT = 2,
    ALNUM_BIT = 3
};

#define MIRRORED(c) ((c) + (BETWEEN(c, -128, -2) << 8))
#define LOWERED(c) (MIRRORED(c) + (IS_UPPER(c) << 5))
#define UPPERED(c) (MIRRORED(c) - (IS_LOWER(c) << 5))

int tightrope_model_isupper(int c) { return IS_UPPER(c) << UPPER_BIT; }
int tightrope_model_islower(int c) { return IS_LOWER(c) << LOWER_BIT; }
int tightrope_model_isalpha(int c) { return IS_ALPHA(c) << ALPHA_BIT; }
int tightrope_model_isdigit(int c) { return IS_DIGIT(c) << DIGIT_BIT; }
int tightrope_model_isxdigit(int c) { return IS_XDIGIT(c) << XDIGIT_BIT; }
int tightrope_model_isspace(int c) { return IS_SPACE(c) << SPACE_BIT; }
int tightrope_model_isprint(int c) { return IS_PRINT(c) << PRINT_BIT; }
int tightrope_model_isgraph(int c) { return IS_GRAPH(c) << GRAPH_BIT; }
int tightrope_model_isblank(int c) { return IS_BLANK(c) << BLANK_BIT; }
int tightrope_model_iscntrl(int c) { return IS_CNTRL(c) << CNTRL_BIT; }
int tightrope_model_ispunct(int c) { return IS_PUNCT(c) << PUNCT_BIT; }
int tightrope_model_isalnum(int c) { return IS_ALNUM(c) << ALNUM_BIT; }
int tightrope_model_isascii(int c) { return (c & ~0x7f) == 0; }
int tightrope_model_toascii(int c) { return c & 0x7f; }
int tightrope_model_tolower(int c) { return LOWERED(c); }
int tightrope_model_toupper(int c) { return UPPERED(c); }

/* The tables: entries for -128 .. 255, written by the macros above. */

#define CLASSES(c) \
    (IS_UPPER(c) << UPPER_BIT | IS_LOWER(c) << LOWER_BIT | IS_ALPHA(c) << ALPHA_BIT | IS_DIGIT(c) << DIGIT_BIT | \
     IS_XDIGIT(c) << XDIGIT_BIT | IS_SPACE(c) << SPACE_BIT | IS_PRINT(c) << PRINT_BIT | IS_GRAPH(c) << GRAPH_BIT | \
     IS_BLANK(c) << BLANK_BIT | IS_CNTRL(c) << CNTRL_BIT | IS_PUNCT(c) << PUNCT_BIT | IS_ALNUM(c) << ALNUM_BIT)

#define FOUR(m, c) m(c), m((c) + 1), m((c) + 2), m((c) + 3)
#define SIXTEEN(m, c) FOUR(m, c), FOUR(m, (c) + 4), FOUR(m, (c) + 8), FOUR(m, (c) + 12)
#define SIXTY_FOUR(m, c) SIXTEEN(m, c), SIXTEEN(m, (c) + 16), SIXTEEN(m, (c) + 32), SIXTEEN(m, (c) + 48)
#define TABLE(m) \
    {SIXTY_FOUR(m, -128), SIXTY_FOUR(m, -64), SIXTY_FOUR(m, 0), \
     SIXTY_FOUR(m, 64),   SIXTY_FOUR(m, 128), SIXTY_FOUR(m, 192)}

static const unsigned short classes[384] = TABLE(CLASSES);
static const int lowered[384] = TABLE(LOWERED);
static const int uppered[384] = TABLE(UPPERED);

static const unsigned short *const classes_at_zero = classes + 128;
static const int *const lowered_at_zero = lowered + 128;
static const int *const uppered_at_zero = uppered + 128;

const unsigned short **tightrope_model___ctype_b_loc(void) { return (const unsigned short **)&classes_at_zero; }
const int **tightrope_model___ctype_tolower_loc(void) { return (const int **)&lowered_at_zero; }
const int **tightrope_model___ctype_toupper_loc(void) { return (const int **)&uppered_at_zero; }
