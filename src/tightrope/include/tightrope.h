/* tightrope.h: macros with which C code gives hints to Tightrope. Plain C99; costs nothing in a normal build.
 *
 *   TIGHTROPE_ASSUME(e);   a statement: runs in which e is false here are not of interest. Such a
 *                          run is `rejected` and never becomes a test.
 *
 *   TIGHTROPE_INPUT("PATH = WISH");
 *                          inside a function or above it: a wish for one of its inputs, as described in
 *                          docs/how-to/inputs.md. A comment that begins with `tightrope:` has the same effect.
 *
 *   TIGHTROPE_LABEL(e);    an expression: -c label asks for a test that gets here while e is true.
 *   pc_label(e, id, "TAG");
 *                          the same with a number and a tag of yours, as other tools for labels write it. An
 *                          existing macro pc_label is kept.
 *
 *   TIGHTROPE_HYPERLABEL("1 then 2 without 3");
 *   TIGHTROPE_HYPERLABEL("1 and 4 where x == y or 2 then 2");
 *                          a statement: -c label asks for one call of the function in which the numbered labels hold
 *                          one after the other, or all of them in any order; docs/how-to/labels.md has the grammar.
 *   pc_label_bindings(e, id, "TAG", binding, n, "x", value, ...);
 *                          a label for hyperlabels that keeps n values by name, when it holds.
 *   pc_label_sequence(e, id, at, of, "TAG", 0); pc_label_sequence_condition(e, "TAG");
 *                          member `at` of the `of` members of sequence `id`; an expression that interrupts the sequences
 *                          with the tag when it is false. As in other tools for hyperlabels.
 *
 * `__TIGHTROPE__` is defined while Tightrope explores the code and nowhere else; in every other
 * build, including that of the confirmed tests, TIGHTROPE_ASSUME checks that e compiles and does not evaluate it.
 * The code itself never evaluates labels. So e must have no side effects.
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

/* Generates no code. Tightrope recognises the string, and finds e beside it. */
#define TIGHTROPE_LABEL(e) ((void)sizeof((TIGHTROPE_BOOL)(e) ? "tightrope label" : ""))
#ifndef pc_label
#define pc_label(e, ...) ((void)sizeof((TIGHTROPE_BOOL)(e) ? "tightrope label" : #__VA_ARGS__))
#endif

/* The same for what is about several labels. The function has no definition, and sizeof does not call it. */
int tightrope_hyperlabel(const char *kind, ...);
#define TIGHTROPE_HYPERLABEL(text) ((void)sizeof(tightrope_hyperlabel("hyperlabel", text)))
#ifndef pc_label_bindings
#define pc_label_bindings(e, ...) ((void)sizeof(tightrope_hyperlabel("bindings", (TIGHTROPE_BOOL)(e), __VA_ARGS__)))
#endif
#ifndef pc_label_sequence
#define pc_label_sequence(e, ...) ((void)sizeof(tightrope_hyperlabel("sequence", (TIGHTROPE_BOOL)(e), __VA_ARGS__)))
#endif
#ifndef pc_label_sequence_condition
#define pc_label_sequence_condition(e, tag) ((void)sizeof(tightrope_hyperlabel("condition", (TIGHTROPE_BOOL)(e), tag)))
#endif

/* Tightrope reads it from the text. For the compiler it is a declaration, valid inside and outside of functions. */
#define TIGHTROPE_INPUT(text) struct tightrope_input

#ifdef __cplusplus
}
#endif

#endif
