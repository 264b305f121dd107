"""Formulas without a solution: checked by a second solver (`--cross-check`), hashed, written to files
(`--keep-proofs`)."""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.coverage.objective import Objective
from tightrope.errors import UsageError
from tightrope.expr.terms import Term
from tightrope.options.options import Options
from tightrope.solving.backends import is_installed, start_session
from tightrope.solving.query import Sat, Unsat
from tightrope.solving.smtlib import fingerprint, write_smtlib
from tightrope.suite.folder import MARKER, prepare_folder, write_file

OTHER = {"bitwuzla": "z3", "z3": "bitwuzla"}


class ProofFiles:
    """The proofs of one unit. `stem`: the name of its file, as a function of another one may have the same name."""

    def __init__(self, options: Options, warnings: list[str], stem: str = "") -> None:
        self._stem = stem
        self._options, self._other, self._warnings = options, OTHER[options.solver], warnings
        self.formulas: dict[str, str] = {}  # by refuted objective: the hash of the formula
        if options.cross_check and not is_installed(self._other):
            message = f"--cross-check: the second solver, {self._other}, is not installed"
            raise UsageError(message, hint="pip install z3-solver", slug="second-solver")
        if options.keep_proofs is not None:
            prepare_folder(options.keep_proofs)

    def is_seconded(self, question: Sequence[Term]) -> bool:
        """True if the second solver finds no solution either, or need not be asked."""
        if not self._options.cross_check:
            return True
        answer = start_session(self._other, time_limit=self._options.solver_time_limit).ask(question)
        if isinstance(answer, Sat):
            self._warnings.append("two solvers disagree about a formula: please report this")
        return isinstance(answer, Unsat)

    def keep(self, objective: Objective, question: Sequence[Term]) -> None:
        self.formulas[objective.id] = fingerprint(question, MARKER)
        folder = self._options.keep_proofs
        if folder is not None:
            name = "".join(each if each.isalnum() or each in "._+-" else "_" for each in objective.id)
            write_file(folder / f"{self._stem and f'{self._stem}.'}{name}.smt2", write_smtlib(question, MARKER))
