"""What `--help` of each command says below its options."""

DESCRIPTION = "Generates unit tests for C functions that satisfy a coverage criterion."
EPILOG = """\
FILE.c alone means every function defined in it. What stands after -- is given to the compiler:
  tightrope generate src/sort.c:merge -c branch -o tests -- -Iinclude -DDEBUG
Exit status: 0 done, 1 below --fail-under, 2 usage or bad input, 3 internal error,
4 the C does not compile, 5 nothing matched, 130 interrupted (what was found is kept)."""

EPILOG_OF_INPUTS = """\
Shows what the function would be given, one line for each input, without running it, and the lines of tightrope.toml
that change it. FILE.c alone means every function defined in it. What stands after -- is given to the compiler."""

EPILOG_OF_OBJECTIVES = """\
Lists what there is to cover, without running anything: decisions with their conditions, what each condition masks and
ends, the vectors of a decision, labels with their predicates, and objectives; --json also says where each sits in the
IR. Without -c: statement, branch and mcdc. FILE.c alone means every function defined in it. What stands after -- is
given to the compiler."""

EPILOG_OF_ANNOTATE = """\
Writes the C with a label, pc_label(PREDICATE, NUMBER, "TAG"), for each objective, to standard output. For a compiler
that finds tightrope.h the labels are nothing; `tightrope generate -c label` covers them, and other tools can:
  tightrope annotate src/sort.c:merge -c wm,limit > labelled.c
With --instrumentation, labels are code, for engines that know none: tight (P*: a run may choose a label, which must
hold then, and ends there) or direct (P': each label is a branch, noted where it holds). The result says how to build.
Labels that cannot be written into the file, in macros for instance, are listed at its end. Without -c: mcdc."""

EPILOG_OF_MEASURE = """\
Says which objectives existing tests cover, and which test covers what. Tests are C files (yours, or those that
`tightrope generate` wrote) or inputs in JSON or CSV; each is executed once, whatever the number of objectives:
  tightrope measure src/sort.c:merge --suite tests/test_sort.c -c mcdc --fail-under 90 -- -Iinclude
FILE.c alone means every function defined in it. What stands after -- is given to the compiler, and to the linker.
Exit status: as of `generate`."""

EPILOG_OF_DIFF = """\
Says what changed in the C (not in its layout), which objectives of the new version may behave differently and why,
writes tests for exactly those, and first of all for inputs on which the versions differ. The old version comes first:
  tightrope diff old/sort.c new/sort.c -f merge -c mcdc        two files; old/sort.c:merge also names the function
  tightrope diff old new                                       two folders, as each one's compile_commands.json says
  tightrope diff HEAD~1 -- src/sort.c                          a revision of git and what is here now
  tightrope diff v1.0 v1.1 -- src/sort.c -- -Iinclude          two revisions; flags for the compiler stand last
Without files: all C files that changed, or include a file that did. Exit status: 0 done, also when the versions differ
(1 with --fail-on-difference), 4 a version does not compile; otherwise as of `generate`."""

EPILOG_OF_EXPLAIN = """\
REPORT is what `tightrope generate --json REPORT` wrote, or a folder with it. ID is an objective's id, its beginning, a
pattern such as '*:mcdc:*', or LINE:COLUMN; without one, all that is infeasible or unknown is listed.
  tightrope explain report.json grade:branch:+2.9:true
For infeasible: the fewest conditions of the C that exclude it; for unknown: the limit that was hit, and the command
that raises it; for covered: the simplest test. Run it in the folder in which the report was made."""

EPILOG_OF_DOCTOR = """\
Says what was found on this machine: compiler, solvers, judges, limits; makes tests for a small function of its own; and
says of each FILE.c how it is compiled, which flags are dropped and why, and which headers are missing.
Exit status: 0 tests can be made, 2 not on this machine, 4 not of a file."""
