/* tightrope_labels.h: labels for tools without support for labels. `tightrope annotate --instrumentation HOW` puts it at
 * the top of what it writes. It includes nothing and declares no name of the C library, so that any unit may follow.
 *
 *   TIGHTROPE_TIGHT(e, k, "TAG")    P*:  if (label k is open and nondet) { assume(e); set_covered(k); exit; }
 *   TIGHTROPE_DIRECT(e, k, "TAG")   P':  if (e) set_covered(k);
 *
 * (S. Bardin et al., 2014, figures 7 and 4.) Both are expressions. In P* a run that does not choose a label goes on as if
 * the label were not there, with no constraint from it; one that does ends right there. e has no side effects.
 *
 * Who chooses labels, and where covered labels are recorded:
 *   nothing defined        the environment. TIGHTROPE_NONDET holds the choices, a digit for each open label that the run
 *                          comes to: 0001 chooses the fourth. @FILE reads them from a file, the lowest bit of each byte.
 *                          After the end: 0. TIGHTROPE_COVERAGE names the file with the numbers of covered labels, one
 *                          per line. It is read at the first label, and appended to. A run that has chosen a label ends
 *                          with status 0, or 1 if e does not hold.
 *   -DTIGHTROPE_KLEE       klee_make_symbolic; a state where e does not hold ends silently. The coverage file is read
 *                          again at every label: all states share it, and it is concrete.
 *   -DTIGHTROPE_VERIFIER   __VERIFIER_nondet_bool and __VERIFIER_assume, as in SV-COMP and Test-Comp; no file.
 *   -DTIGHTROPE_CBMC       __CPROVER_assume, and __CPROVER_cover for `cbmc --cover cover`; no file.
 *   -DTIGHTROPE_WANTED=17  in addition: only that label is open. With TIGHTROPE_VERIFIER, covering it is reach_error().
 *
 * Each of these five macros can be defined before, with -D or -include, for another tool:
 *   TIGHTROPE_CHOOSE()  TIGHTROPE_REQUIRE(e)  TIGHTROPE_IS_COVERED(k)  TIGHTROPE_SET_COVERED(k)  TIGHTROPE_END(status)
 */
#ifndef TIGHTROPE_LABELS_H
#define TIGHTROPE_LABELS_H

#ifdef TIGHTROPE_WANTED
#define TIGHTROPE_IS_OPEN(k) ((k) == (TIGHTROPE_WANTED) && !TIGHTROPE_IS_COVERED(k))
#else
#define TIGHTROPE_IS_OPEN(k) (!TIGHTROPE_IS_COVERED(k))
#endif

/* Open first: a covered label makes no path. */
#define TIGHTROPE_TIGHT(e, k, tag) \
    ((void)(TIGHTROPE_IS_OPEN(k) && TIGHTROPE_CHOOSE() && \
            (TIGHTROPE_REQUIRE(e), TIGHTROPE_SET_COVERED(k), TIGHTROPE_END(0), 0)))
#define TIGHTROPE_DIRECT(e, k, tag) ((void)((e) && TIGHTROPE_IS_OPEN(k) && (TIGHTROPE_SET_COVERED(k), 0)))

/* --- engines without files --- */

#ifdef TIGHTROPE_VERIFIER
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
#ifndef TIGHTROPE_CHOOSE
#define TIGHTROPE_CHOOSE() __VERIFIER_nondet_bool()
#endif
#ifndef TIGHTROPE_REQUIRE
#define TIGHTROPE_REQUIRE(e) __VERIFIER_assume(!!(e))
#endif
#ifndef TIGHTROPE_END
extern void exit(int);
#define TIGHTROPE_END(status) exit(status)
#endif
#if defined TIGHTROPE_WANTED && !defined TIGHTROPE_SET_COVERED
extern void reach_error(void);
#define TIGHTROPE_SET_COVERED(k) reach_error()
#endif
#endif

#ifdef TIGHTROPE_CBMC
#ifndef TIGHTROPE_CHOOSE
_Bool nondet_tightrope_choice(void); /* no body: any value */
#define TIGHTROPE_CHOOSE() nondet_tightrope_choice()
#endif
#ifndef TIGHTROPE_REQUIRE
#define TIGHTROPE_REQUIRE(e) __CPROVER_assume(!!(e))
#endif
#ifndef TIGHTROPE_SET_COVERED
#define TIGHTROPE_SET_COVERED(k) __CPROVER_cover(1)
#endif
#ifndef TIGHTROPE_END
#define TIGHTROPE_END(status) __CPROVER_assume(0)
#endif
#endif

#if defined TIGHTROPE_VERIFIER || defined TIGHTROPE_CBMC
#ifndef TIGHTROPE_IS_COVERED
#define TIGHTROPE_IS_COVERED(k) 0
#endif
#ifndef TIGHTROPE_SET_COVERED
#define TIGHTROPE_SET_COVERED(k) ((void)0)
#endif
#endif

/* --- functions of the C library, under names of ours, so that the unit may define or declare them freely --- */

#define TIGHTROPE_SHOWN(word) #word
#define TIGHTROPE_QUOTED(word) TIGHTROPE_SHOWN(word)
#define TIGHTROPE_CALLED(name) __asm__(TIGHTROPE_QUOTED(__USER_LABEL_PREFIX__) name)
#define TIGHTROPE_MAYBE __attribute__((__unused__)) static

#if !defined TIGHTROPE_CHOOSE || !defined TIGHTROPE_IS_COVERED || !defined TIGHTROPE_SET_COVERED
extern char *tightrope_labels_getenv(const char *) TIGHTROPE_CALLED("getenv");
extern void *tightrope_labels_fopen(const char *, const char *) TIGHTROPE_CALLED("fopen");
extern int tightrope_labels_fgetc(void *) TIGHTROPE_CALLED("fgetc");
extern int tightrope_labels_fseek(void *, long, int) TIGHTROPE_CALLED("fseek");
extern int tightrope_labels_fprintf(void *, const char *, ...) TIGHTROPE_CALLED("fprintf");
extern int tightrope_labels_fclose(void *) TIGHTROPE_CALLED("fclose");
extern void tightrope_labels_perror(const char *) TIGHTROPE_CALLED("perror");
#ifdef __APPLE__
extern int *tightrope_labels_errno(void) TIGHTROPE_CALLED("__error");
#else
extern int *tightrope_labels_errno(void) TIGHTROPE_CALLED("__errno_location");
#endif

/* Callers of these functions preserve errno for the unit. */
TIGHTROPE_MAYBE void *tightrope_labels_open(const char *name, const char *mode)
{
    void *file = name ? tightrope_labels_fopen(name, mode) : 0;
    if (name && !file && *mode != 'r') tightrope_labels_perror(name);
    return file;
}
#endif

#ifndef TIGHTROPE_END
extern void tightrope_labels_exit(int) TIGHTROPE_CALLED("_exit");
#define TIGHTROPE_END(status) tightrope_labels_exit(status)
#endif

/* --- the choice of a label --- */

#ifdef TIGHTROPE_KLEE
extern void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
extern void klee_silent_exit(int);
#ifndef TIGHTROPE_CHOOSE
TIGHTROPE_MAYBE int tightrope_labels_choose(void)
{
    unsigned char choice = 0;
    klee_make_symbolic(&choice, sizeof choice, "tightrope_nondet");
    return choice & 1;
}
#define TIGHTROPE_CHOOSE() tightrope_labels_choose()
#endif
#ifndef TIGHTROPE_REQUIRE /* klee_assume would report an error where e cannot hold */
#define TIGHTROPE_REQUIRE(e) ((e) ? (void)0 : klee_silent_exit(0))
#endif
#endif

#ifndef TIGHTROPE_CHOOSE
TIGHTROPE_MAYBE int tightrope_labels_choose(void)
{
    static int is_begun;
    static const char *digits;
    static void *file;
    int next = 0, before = *tightrope_labels_errno();
    if (!is_begun) {
        is_begun = 1;
        digits = tightrope_labels_getenv("TIGHTROPE_NONDET");
        file = digits && *digits == '@' ? tightrope_labels_open(digits + 1, "r") : 0;
        if (digits && *digits == '@' && !file) tightrope_labels_perror(digits + 1);
        digits = digits && *digits == '@' ? 0 : digits;
    }
    if (file)
        next = tightrope_labels_fgetc(file);
    else if (digits && *digits)
        next = *digits++;
    *tightrope_labels_errno() = before;
    return next > 0 && (next & 1);
}
#define TIGHTROPE_CHOOSE() tightrope_labels_choose()
#endif

#ifndef TIGHTROPE_REQUIRE
#define TIGHTROPE_REQUIRE(e) ((e) ? (void)0 : TIGHTROPE_END(1))
#endif

/* --- the coverage file --- */

#ifndef TIGHTROPE_LABELS /* the highest number */
#define TIGHTROPE_LABELS 65535
#endif

#if !defined TIGHTROPE_IS_COVERED || !defined TIGHTROPE_SET_COVERED
static char tightrope_labels_seen[TIGHTROPE_LABELS + 1];

TIGHTROPE_MAYBE void tightrope_labels_note(int number)
{
    if (number > 0 && number <= TIGHTROPE_LABELS) tightrope_labels_seen[number] = 1;
}

/* Read what was appended to the file since the last time. */
TIGHTROPE_MAYBE void tightrope_labels_read(void)
{
    static long at;
    void *file = tightrope_labels_open(tightrope_labels_getenv("TIGHTROPE_COVERAGE"), "r");
    int next, number = 0;
    if (!file) return;
    tightrope_labels_fseek(file, at, 0);
    for (; (next = tightrope_labels_fgetc(file)) >= 0; at++)
        if (next < '0' || next > '9') {
            tightrope_labels_note(number);
            number = 0;
        } else if (number <= TIGHTROPE_LABELS) {
            number = 10 * number + next - '0';
        }
    tightrope_labels_fclose(file);
}

TIGHTROPE_MAYBE int tightrope_labels_is_covered(int number)
{
    static int is_read;
    if (number > TIGHTROPE_LABELS) return 0;
    if (!is_read && !tightrope_labels_seen[number]) {
        int before = *tightrope_labels_errno();
        tightrope_labels_read();
        *tightrope_labels_errno() = before;
#ifndef TIGHTROPE_KLEE /* where all paths live in one process, others may cover it meanwhile */
        is_read = 1;
#endif
    }
    return tightrope_labels_seen[number];
}

TIGHTROPE_MAYBE void tightrope_labels_set_covered(int number)
{
    int before = *tightrope_labels_errno();
    void *file = tightrope_labels_open(tightrope_labels_getenv("TIGHTROPE_COVERAGE"), "a");
    tightrope_labels_note(number);
    if (file) {
        tightrope_labels_fprintf(file, "%d\n", number);
        tightrope_labels_fclose(file);
    }
    *tightrope_labels_errno() = before;
}
#endif

#ifndef TIGHTROPE_IS_COVERED
#define TIGHTROPE_IS_COVERED(k) tightrope_labels_is_covered(k)
#endif
#ifndef TIGHTROPE_SET_COVERED
#define TIGHTROPE_SET_COVERED(k) tightrope_labels_set_covered(k)
#endif

#endif
