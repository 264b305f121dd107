"""The table of commands: the operands of each, and the text of its --help around the options.

Each option says which commands take it (options/options.py); cli.py runs the commands.
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
    if_missing: str = "name a C file: FILE.c or FILE.c:FUNCTION"  # what to say without operands; '': none are needed
    usage: str = "FILE.c[:FUNCTION] ... [options] [-- flags for the compiler]"
    defaults: Mapping[str, str] = field(default_factory=dict)  # of options, if they differ from the usual ones
    takes_folders: bool = False  # and patterns and databases: many files at once

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
FILE.c alone means every function defined in it; a folder, a pattern such as 'src/**/*.c' or a
compile_commands.json means every file in it. Everything after -- goes to the compiler:
  tightrope generate src/sort.c:merge -c branch -o tests -- -Iinclude -DDEBUG
Exit status: 0 done, 1 below --fail-under, 2 usage or bad input, 3 internal error,
4 a file does not compile, 5 nothing matched, 130 interrupted (what was found is kept).""",
        takes_folders=True,
    ),
    "inputs": Command(
        "show the inputs of C functions, and how to change them",
        """\
Shows the inputs that the function would get, one line each, without running it, and the lines of
tightrope.toml that change them. FILE.c alone means every function defined in it. Everything after
-- goes to the compiler.""",
        about_operand="whose inputs",
        takes_folders=True,
    ),
    "objectives": Command(
        "list what there is to cover in C functions",
        """\
Lists decisions with their conditions, what each condition masks and ends, the vectors of a
decision, labels with their predicates, and objectives, without running anything. --json also says
where each is in the IR. FILE.c alone means every function defined in it. Everything after -- goes
to the compiler.""",
        about_operand="whose objectives",
        takes_folders=True,
        defaults={"criteria": "statement,branch,mcdc"},
    ),
    "annotate": Command(
        "write C with labels for what there is to cover",
        """\
Writes the C with a label, pc_label(PREDICATE, NUMBER, "TAG"), for each objective, to standard
output. With tightrope.h, the labels compile to nothing; `tightrope generate -c label` covers them,
and so can other tools:
  tightrope annotate src/sort.c:merge -c wm,limit > labelled.c
With --instrumentation, labels become code, for engines that do not know labels: tight (P*: a run
may choose one label, which must then hold, and ends there) or direct (P': each label is a branch,
recorded when it holds). The result says how to build it. Labels that cannot be written into the
file, for example inside macros, are listed at its end.""",
        about_operand="what to annotate",
        defaults={"criteria": "mcdc", "instrumentation": ""},
    ),
    "measure": Command(
        "say what existing tests cover",
        """\
Says which objectives existing tests cover, and which test covers what. Tests are C files (yours,
or those that `tightrope generate` wrote) or inputs in JSON or CSV. Each test is executed once:
  tightrope measure src/sort.c:merge --suite tests/test_sort.c --fail-under 90 -- -Iinclude
FILE.c alone means every function defined in it. Everything after -- goes to the compiler and to
the linker. Exit status: as of `generate`.""",
        about_operand="what is tested",
        takes_folders=True,
    ),
    "diff": Command(
        "write tests for what a change may have broken",
        """\
Says what changed in the C (not in its layout), which objectives of the new version may behave
differently and why, and writes tests for exactly those: first of all for inputs on which the
versions differ. Name the old version first:
  tightrope diff old/sort.c new/sort.c -f merge         two files; old/sort.c:merge works too
  tightrope diff old new                                two folders, each with a database
  tightrope diff HEAD~1 -- src/sort.c                   a git revision and the working tree
  tightrope diff v1.0 v1.1 -- src/sort.c -- -Iinclude   two revisions; flags come last
Without files: all C files that changed or that include a changed file. Exit status: 0 done, also
when the versions differ (1 with --fail-on-difference), 4 a version does not compile; otherwise as
of `generate`.""",
        operand="VERSION",
        about_operand="two C files, two folders, or one or two git revisions",
        if_missing="name the versions: two C files, two folders, or one or two git revisions",
        usage="OLD NEW [options] [-- FILE.c ...] [-- flags for the compiler]",
    ),
    "explain": Command(
        "say why an objective is covered, infeasible or unknown",
        """\
REPORT is the file that `tightrope generate --json REPORT` wrote, or its folder. ID is the id of an
objective, the beginning of one, a pattern such as '*:mcdc:*', or LINE:COLUMN. Without an ID, all
infeasible and unknown objectives are listed.
  tightrope explain report.json grade:branch:+2.9:true
Infeasible: the fewest conditions of the C that exclude it. Unknown: the limit that was reached, and
the command that raises it. Covered: the simplest test. Run it in the folder in which the report was
made.""",
        operand="REPORT",
        about_operand="a report, then ids of objectives in it",
        if_missing="name a report: the file that `tightrope generate --json` wrote, or its folder",
        usage="REPORT [ID ...] [options]",
    ),
    "doctor": Command(
        "check this machine and C files",
        """\
Lists what was found on this machine: compiler, solvers, tools for a second opinion, limits.
Generates tests for a small function of its own. Says for each FILE.c how it is compiled, which
flags are dropped and why, and which headers are missing.
Exit status: 0 tests can be generated, 2 not on this machine, 4 not for a file.""",
        operand="FILE.c",
        about_operand="a file to check",
        if_missing="",
        usage="[FILE.c ...] [options] [-- flags for the compiler]",
    ),
    "status": Command(
        "show what is covered in a project",
        """\
Shows the newest results of a project, from its store: by folder, with the slowest functions and
those with most unknown objectives. FOLDER limits it to files below these folders.""",
        operand="FOLDER",
        about_operand="of the project; default: all of it",
        if_missing="",
        usage="[FOLDER ...] [options]",
    ),
    "cache": Command(
        "show or empty the store of results",
        """\
info says how many results the store holds, clear removes them. Results are kept by `generate`, so
that what has not changed is not searched again.""",
        operand="ACTION",
        about_operand="info or clear",
        if_missing="say what to do with the store: info or clear",
        usage="info|clear [options]",
    ),
    "criteria": Command("list the criteria, the names after -c", operand="", if_missing="", usage=""),
    "strategies": Command("list the strategies, the names after -s", operand="", if_missing="", usage=""),
}
