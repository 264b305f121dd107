"""The table of commands: what each is given, and what its --help says around the options.

Which options a command takes is said by each option (options/options.py), what it does by cli.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DESCRIPTION = "Generates unit tests for C functions that satisfy a coverage criterion."


@dataclass(frozen=True, slots=True)
class Command:
    help: str
    epilog: str = ""
    operand: str = "FILE.c[:FUNCTION]"  # what it is given: C, a REPORT, VERSIONs, or '' for nothing
    about_operand: str = "what to test"
    nargs: str = "+"
    usage: str = "FILE.c[:FUNCTION] ... [options] [-- flags for the compiler]"
    defaults: Mapping[str, str] = field(default_factory=dict)  # of options, where they are not the usual ones

    @property
    def is_about_c(self) -> bool:
        """True for a command that is given C files: the spec file and flags for the compiler are for them."""
        return self.operand.startswith("FILE.c")

    @property
    def is_about_versions(self) -> bool:
        return self.operand == "VERSION"


COMMANDS = {
    "generate": Command(
        "write tests that cover C functions",
        """\
FILE.c alone means every function defined in it. What stands after -- is given to the compiler:
  tightrope generate src/sort.c:merge -c branch -o tests -- -Iinclude -DDEBUG
Exit status: 0 done, 1 below --fail-under, 2 usage or bad input, 3 internal error,
4 the C does not compile, 5 nothing matched, 130 interrupted (what was found is kept).""",
    ),
    "inputs": Command(
        "show the inputs of C functions, and how to change them",
        """\
Shows what the function would be given, one line for each input, without running it, and the lines
of tightrope.toml that change it. FILE.c alone means every function defined in it. What stands
after -- is given to the compiler.""",
        about_operand="whose inputs",
    ),
    "objectives": Command(
        "list what there is to cover in C functions",
        """\
Lists decisions with their conditions, what each condition masks and ends, the vectors of a
decision, labels with their predicates, and objectives, without running anything. --json also says
where each sits in the IR. FILE.c alone means every function defined in it. What stands after -- is
given to the compiler.""",
        about_operand="whose objectives",
        defaults={"criteria": "statement,branch,mcdc"},
    ),
    "annotate": Command(
        "write C with labels for what there is to cover",
        """\
Writes the C with a label, pc_label(PREDICATE, NUMBER, "TAG"), for each objective, to standard
output. For a compiler that finds tightrope.h the labels are nothing; `tightrope generate -c label`
covers them, and other tools can:
  tightrope annotate src/sort.c:merge -c wm,limit > labelled.c
With --instrumentation, labels are code, for engines that know none: tight (P*: a run may choose a
label, which must hold then, and ends there) or direct (P': each label is a branch, noted where it
holds). The result says how to build. Labels that cannot be written into the file, in macros for
instance, are listed at its end.""",
        about_operand="what to annotate",
        defaults={"criteria": "mcdc", "instrumentation": ""},
    ),
    "measure": Command(
        "say what existing tests cover",
        """\
Says which objectives existing tests cover, and which test covers what. Tests are C files (yours,
or those that `tightrope generate` wrote) or inputs in JSON or CSV; each is executed once, whatever
the number of objectives:
  tightrope measure src/sort.c:merge --suite tests/test_sort.c --fail-under 90 -- -Iinclude
FILE.c alone means every function defined in it. What stands after -- is given to the compiler, and
to the linker. Exit status: as of `generate`.""",
        about_operand="what is tested",
    ),
    "diff": Command(
        "write tests for what a change may have broken",
        """\
Says what changed in the C (not in its layout), which objectives of the new version may behave
differently and why, and writes tests for exactly those: first of all for inputs on which the
versions differ. The old version comes first:
  tightrope diff old/sort.c new/sort.c -f merge         two files; old/sort.c:merge works too
  tightrope diff old new                                two folders, each with its own
                                                        compile_commands.json
  tightrope diff HEAD~1 -- src/sort.c                   a revision of git and what is here now
  tightrope diff v1.0 v1.1 -- src/sort.c -- -Iinclude   two revisions; flags stand last
Without files: all C files that changed, or include a file that did. Exit status: 0 done, also when
the versions differ (1 with --fail-on-difference), 4 a version does not compile; otherwise as of
`generate`.""",
        operand="VERSION",
        about_operand="two C files, two folders, or one or two revisions of git",
        usage="OLD NEW [options] [-- FILE.c ...] [-- flags for the compiler]",
    ),
    "explain": Command(
        "say why an objective is covered, infeasible or unknown",
        """\
REPORT is what `tightrope generate --json REPORT` wrote, or a folder with it. ID is an objective's
id, its beginning, a pattern such as '*:mcdc:*', or LINE:COLUMN; without one, all that is infeasible
or unknown is listed.
  tightrope explain report.json grade:branch:+2.9:true
For infeasible: the fewest conditions of the C that exclude it; for unknown: the limit that was hit,
and the command that raises it; for covered: the simplest test. Run it in the folder in which the
report was made.""",
        operand="REPORT",
        about_operand="a report, then ids of objectives in it",
        usage="REPORT [ID ...] [options]",
    ),
    "doctor": Command(
        "say what was found on this machine and about C files",
        """\
Says what was found on this machine: compiler, solvers, judges, limits; makes tests for a small
function of its own; and says of each FILE.c how it is compiled, which flags are dropped and why,
and which headers are missing.
Exit status: 0 tests can be made, 2 not on this machine, 4 not of a file.""",
        operand="FILE.c",
        about_operand="a file to look at",
        nargs="*",
        usage="[FILE.c ...] [options] [-- flags for the compiler]",
    ),
    "criteria": Command("list the criteria, the names after -c", operand="", usage=""),
    "strategies": Command("list the strategies, the names after -s", operand="", usage=""),
}
