/* tightrope.h: what C code may say to Tightrope. Plain C99; costs nothing in a normal build.
 *
 *   TIGHTROPE_ASSUME(e);   a statement: runs in which e is false here are not of interest. Such a
 *                          run is `rejected` and never becomes a test.
 *
 *   TIGHTROPE_INPUT("PATH = WISH");
 *                          inside a function or above it: what an input of it is to be, in the words of
 *                          docs/how-to/inputs.md. A comment that begins with `tightrope:` says the same.
 *
 *   TIGHTROPE_LABEL(e);    an expression: -c label asks for a test that comes here with e true.
 *   pc_label(e, id, "TAG");
 *                          the same with a number and a tag of yours, as other tools for labels write it. Where the
 *                          name pc_label has a meaning already, that is kept.
 *
 * `__TIGHTROPE__` is defined while Tightrope explores the code and nowhere else; in every other
 * build, the confirmed tests included, TIGHTROPE_ASSUME checks that e compiles and does not evaluate it.
 * Labels are never evaluated by the code itself. So e must have no side effects.
 */
#ifndef TIGHTROPE_H
#define TIGHTROPE_H

#ifdef __cplusplus
extern "C" {
#define TIGHTROPE_BOOL bool
#else
#define TIGHTROPE_BOOL _Bool
#endif

#ifdef __TIGHTROPE__
/* Numbers below 2^31 belong to the assumptions of the command line and the spec; the others hold the line. */
void tightrope_assume(TIGHTROPE_BOOL holds, unsigned number);
#define TIGHTROPE_ASSUME(e) tightrope_assume((TIGHTROPE_BOOL)(e), 0x80000000u | (unsigned)__LINE__)
#else
#define TIGHTROPE_ASSUME(e) ((void)sizeof((TIGHTROPE_BOOL)(e)))
#endif

/* No code, for any compiler. Tightrope finds the words in it, and e between them. */
#define TIGHTROPE_LABEL(e) ((void)sizeof((TIGHTROPE_BOOL)(e) ? "tightrope label" : ""))
#ifndef pc_label
#define pc_label(e, ...) ((void)sizeof((TIGHTROPE_BOOL)(e) ? "tightrope label" : #__VA_ARGS__))
#endif

/* Read from the text, not by the compiler. A declaration, which may stand inside functions and outside. */
#define TIGHTROPE_INPUT(text) struct tightrope_input

#ifdef __cplusplus
}
#endif

#endif
