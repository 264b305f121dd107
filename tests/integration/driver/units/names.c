/* Names that get in each other's way. */
typedef int number;
typedef struct { int v; } box;
static int count;
static int main_counter;
struct odd { int main; int result; };
enum words { result_word, NOTHING };

int shadow(int count) { return count + 1; }
int shadow_both(int main_counter) { count += main_counter; return count; }
int myself(int myself) { return myself ? 1 : 2; }
int types(number number, int other, box box) { return number + other + box.v; }
int results(int result, int NULL_, int *input, int *output) { *output = *input; return result + NULL_; }
int mains(int main, struct odd odd) { return main + odd.main + odd.result; }
int members(int result_word, enum words w) { return result_word + (w == NOTHING); }
static int hidden(int a) { return a * 2; }
int drive(int *drive, int *set_globals, int *expected_a, int i) { return *drive + *set_globals + *expected_a + i; }
static inline int unused_inline(int a) { return hidden(a); }
int main(void) { main_counter++; return count; }
