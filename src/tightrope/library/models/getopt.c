/* Models of <getopt.h>, as GNU's library has it: operands are moved behind the options, unless the list of options
 * starts with `+` or `-`. Messages go nowhere.
 *
 *     argv    prog  a  b  -x  -y  c          a, b were skipped: [first, last); -x, -y were read
 *                   ^first  ^last ^optind
 *     then    prog  -x  -y  a  b  c                                                              */

#include <getopt.h>
#include <stddef.h>

int tightrope_model_strcmp(const char *a, const char *b);
int tightrope_model_strncmp(const char *a, const char *b, size_t n);
size_t tightrope_model_strlen(const char *s);
size_t tightrope_model_strcspn(const char *s, const char *ends);
char *tightrope_model_strchr(const char *s, int c);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum { OPERANDS_LAST, OPERANDS_END, OPERANDS_ARE_OPTIONS };
enum { OPERAND = 1, WRONG = '?', MISSING = ':', DONE = -1 };

static char *rest; /* of a word of short options: `bc` of `-abc` */
static int first, last;
static int order;
static int has_started;

struct words {
    int count;
    char **at;
};

static const char *start(const char *letters)
{
    char prefix = letters[0];
    if (optind == 0 || !has_started) {
        if (optind == 0) optind = 1;
        first = last = optind;
        rest = NULL;
        has_started = 1;
        order = prefix == '-' ? OPERANDS_ARE_OPTIONS : prefix == '+' ? OPERANDS_END : OPERANDS_LAST;
    }
    return letters + (prefix == '-' || prefix == '+');
}

static int is_operand(const char *word) { return word[0] != '-' || word[1] == '\0'; }

static void reverse(char **from, char **to)
{
    for (; from < --to; from++) {
        char *kept = *from;
        *from = *to;
        *to = kept;
    }
}

static void move_operands_behind(struct words words)
{
    reverse(words.at + first, words.at + last);
    reverse(words.at + last, words.at + optind);
    reverse(words.at + first, words.at + optind);
    first += optind - last;
    last = optind;
}

static void skip_operands(struct words words)
{
    if (first != last && last != optind)
        move_operands_behind(words);
    else if (last != optind)
        first = optind;
    while (optind < words.count && is_operand(words.at[optind])) optind++;
    last = optind;
}

static void end_at_two_hyphens(struct words words)
{
    optind++;
    if (first != last && last != optind)
        move_operands_behind(words);
    else if (first == last)
        first = optind;
    last = optind = words.count;
}

static int take_missing(const char *letters, int which)
{
    optopt = which;
    return letters[0] == ':' ? MISSING : WRONG;
}

/* -- --name, --name=value */

static int is_same(const struct option *one, const struct option *other)
{
    return one->has_arg == other->has_arg && one->flag == other->flag && one->val == other->val;
}

static const struct option *find_long(const struct option *options, const char *name, size_t length, int is_strict,
                                      int *is_ambiguous)
{
    const struct option *found = NULL;
    for (const struct option *one = options; one->name != NULL; one++) {
        if (tightrope_model_strncmp(one->name, name, length) != 0) continue;
        if (tightrope_model_strlen(one->name) == length) {
            *is_ambiguous = 0;
            return one;
        }
        if (found == NULL)
            found = one;
        else if (is_strict || !is_same(found, one))
            *is_ambiguous = 1;
    }
    return found;
}

static int take_long(struct words words, const char *letters, const struct option *options, int *index, int is_strict)
{
    const char *name = rest;
    size_t length = tightrope_model_strcspn(name, "=");
    int is_ambiguous = 0;
    const struct option *found = find_long(options, name, length, is_strict, &is_ambiguous);
    if (found == NULL && is_strict && words.at[optind][1] != '-' && tightrope_model_strchr(letters, *name) != NULL)
        return DONE;
    optind++;
    rest = NULL;
    optopt = 0;
    if (found == NULL || is_ambiguous) return WRONG;
    optopt = found->val;
    if (name[length] == '=') {
        if (found->has_arg == no_argument) return WRONG;
        optarg = (char *)name + length + 1;
    } else if (found->has_arg == required_argument) {
        if (optind >= words.count) return take_missing(letters, found->val);
        optarg = words.at[optind++];
    }
    if (index != NULL) *index = (int)(found - options);
    if (found->flag == NULL) return found->val;
    *found->flag = found->val;
    return 0;
}

/* -- -a, -avalue, -a value */

static int take_short(struct words words, const char *letters)
{
    int letter = *rest++;
    const char *found = tightrope_model_strchr(letters, letter);
    int is_last = *rest == '\0';
    if (is_last) optind++;
    if (found == NULL || letter == ':' || letter == ';') {
        optopt = letter;
        return WRONG;
    }
    if (found[1] != ':') return letter;
    if (!is_last) {
        optarg = rest;
        optind++;
    } else if (found[2] != ':') {
        if (optind == words.count)
            letter = take_missing(letters, letter);
        else
            optarg = words.at[optind++];
    }
    rest = NULL;
    return letter;
}

static int next_option(struct words words, const char *letters, const struct option *options, int *index, int is_only)
{
    if (words.count < 1) return DONE;
    optarg = NULL;
    letters = start(letters);
    if (rest != NULL && *rest != '\0') return take_short(words, letters);

    if (last > optind) last = optind;
    if (first > optind) first = optind;
    if (order == OPERANDS_LAST) skip_operands(words);
    if (optind != words.count && tightrope_model_strcmp(words.at[optind], "--") == 0) end_at_two_hyphens(words);
    if (optind == words.count) {
        if (first != last) optind = first;
        return DONE;
    }
    char *word = words.at[optind];
    if (is_operand(word)) {
        if (order == OPERANDS_END) return DONE;
        optarg = word;
        optind++;
        return OPERAND;
    }
    if (options != NULL && word[1] == '-') {
        rest = word + 2;
        return take_long(words, letters, options, index, is_only);
    }
    rest = word + 1;
    if (options != NULL && is_only && (word[2] != '\0' || tightrope_model_strchr(letters, word[1]) == NULL)) {
        int taken = take_long(words, letters, options, index, is_only);
        if (taken != DONE) return taken;
    }
    return take_short(words, letters);
}

int tightrope_model_getopt(int count, char *const words[], const char *letters)
{
    return next_option((struct words){count, (char **)words}, letters, NULL, NULL, 0);
}

int tightrope_model_getopt_long(int count, char *const words[], const char *letters, const struct option *options,
                                int *index)
{
    return next_option((struct words){count, (char **)words}, letters, options, index, 0);
}

int tightrope_model_getopt_long_only(int count, char *const words[], const char *letters, const struct option *options,
                                     int *index)
{
    return next_option((struct words){count, (char **)words}, letters, options, index, 1);
}
