/* --- tightrope_show */
/* The calls of stubs, one line each, as text. */
static char tightrope_log[8192];
static unsigned long tightrope_logged;
static void tightrope_show(const char *text)
{
    for (; *text && tightrope_logged + 1 < sizeof tightrope_log; text++) tightrope_log[tightrope_logged++] = *text;
    tightrope_log[tightrope_logged] = 0;
}
/* --- tightrope_show_int( tightrope_show_char( */
int tightrope_print(char *to, __SIZE_TYPE__ size, const char *format, ...) __asm__("snprintf");
static void tightrope_show_int(long long value)
{
    char text[32];
    tightrope_print(text, sizeof text, "%lld", value);
    tightrope_show(text);
}
/* --- tightrope_show_uint( tightrope_show_pointer( */
int tightrope_print(char *to, __SIZE_TYPE__ size, const char *format, ...) __asm__("snprintf");
static void tightrope_show_uint(unsigned long long value)
{
    char text[32];
    tightrope_print(text, sizeof text, "%llu", value);
    tightrope_show(text);
}
/* --- tightrope_show_hex( */
int tightrope_print(char *to, __SIZE_TYPE__ size, const char *format, ...) __asm__("snprintf");
static void tightrope_show_hex(unsigned long long value)
{
    char text[32];
    tightrope_print(text, sizeof text, "0x%llx", value);
    tightrope_show(text);
}
/* --- tightrope_show_char( */
static void tightrope_show_char(int value)
{
    char text[4] = {'\'', (char)value, '\'', 0};
    if (value >= 32 && value < 127)
        tightrope_show(text);
    else
        tightrope_show_int(value);
}
/* --- tightrope_show_real( */
int tightrope_print(char *to, __SIZE_TYPE__ size, const char *format, ...) __asm__("snprintf");
double tightrope_read(const char *text, char **end) __asm__("strtod");
static void tightrope_show_real(double value, int bits)
{
    char text[64];
    int is_whole = value == value;
    for (int digits = 1; digits < 18; digits++) { /* the fewest that read back as the same number */
        tightrope_print(text, sizeof text, "%.*g", digits, value);
        if (bits == 32 ? (float)tightrope_read(text, NULL) == (float)value : tightrope_read(text, NULL) == value) break;
    }
    for (const char *at = text; *at; at++) is_whole = is_whole && *at != '.' && *at != 'e' && *at != 'n';
    tightrope_show(value == value ? text : "nan");
    tightrope_show(is_whole ? ".0" : "");
}
/* --- tightrope_show_text( */
static void tightrope_show_text(const volatile char *text, long length)
{
    long at = 0;
    tightrope_show("\"");
    for (; at < 64 && (length < 0 ? text[at] != 0 : at < length); at++) {
        unsigned char c = (unsigned char)text[at];
        char plain[2] = {(char)c, 0};
        char octal[5] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)), 0};
        tightrope_show(c >= 32 && c < 127 && c != '"' && c != '\\' ? plain : octal);
    }
    tightrope_show(at == 64 && (length < 0 ? text[at] != 0 : at < length) ? "\"..." : "\"");
}
/* --- tightrope_show_pointer( */
/* Objects of the test that calls may get: they are shown by their names. */
#define KNOW(object) tightrope_know(#object, &(object), sizeof(object), sizeof(object))
#define KNOW_ARRAY(array) tightrope_know(#array, (array), sizeof(array), sizeof *(array))
static struct {
    const char *name;
    const volatile void *at;
    unsigned long size, step;
} tightrope_objects[32];
static unsigned tightrope_objects_count;
static __attribute__((unused)) void tightrope_know(const char *name, const volatile void *at, unsigned long size,
                                                   unsigned long step)
{
    unsigned number = tightrope_objects_count < 31 ? tightrope_objects_count++ : 31;
    tightrope_objects[number].name = name;
    tightrope_objects[number].at = at;
    tightrope_objects[number].size = size;
    tightrope_objects[number].step = step;
}
static int tightrope_show_pointer(const volatile void *pointer, int has_content)
{
    for (unsigned i = 0; i < tightrope_objects_count; i++) {
        unsigned long offset = (unsigned long)pointer - (unsigned long)tightrope_objects[i].at;
        unsigned long step = tightrope_objects[i].step;
        int is_element = offset % step == 0;
        if (pointer == NULL || offset >= tightrope_objects[i].size) continue;
        tightrope_show(tightrope_objects[i].name);
        if (offset != 0) {
            tightrope_show(is_element ? "[" : " + ");
            tightrope_show_uint(is_element ? offset / step : offset);
            tightrope_show(is_element ? "]" : " bytes");
        }
        tightrope_show(has_content ? " " : "");
        return 1;
    }
    if (pointer == NULL || !has_content) tightrope_show(pointer == NULL ? "NULL" : "a pointer");
    return pointer != NULL;
}
/* --- tightrope_show_unnamed( */
static int tightrope_show_unnamed(const volatile void *pointer, int has_content)
{
    if (pointer == NULL || !has_content) tightrope_show(pointer == NULL ? "NULL" : "a pointer");
    return pointer != NULL;
}
/* --- tightrope_at_most( */
static unsigned tightrope_at_most(long long count) { return count < 0 ? 0 : count > 64 ? 64 : (unsigned)count; }
/* --- tightrope_hides_calls */
/* In a test that knows nothing of what calls get, nor how much of it there is. */
static int tightrope_hides_calls;
