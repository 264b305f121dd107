"""The page of a pack that a person reads first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.report.model import Report, UnitReport, show_percent
from tightrope.suite.folder import MARKER


def write_readme(report: Report, manifest: Mapping[str, Any]) -> str:
    units = [unit for unit in report.units if not unit.was_refused]
    by_formula = sum(bool(each["smt2"]) for each in manifest["proofs"])
    versions = ", ".join(f"{name} {version}" for name, version in manifest["versions"].items())
    lines = [
        f"<!-- {MARKER} -->",
        "# Evidence",
        "",
        "| function | file | criterion | covered | infeasible | unknown | of feasible |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(row for unit in units for row in _rows(unit)),
        "",
        *(f"Not tested: {each['function'] or each['file']}: {each['why']}" for each in manifest["not_tested"]),
        f"Tools: {versions}. Compiled with {manifest['compiler']['name']}. Seed {manifest['seed']}.",
        *(
            f"Changed expectation: {each.test} ({each.what}: {each.old} is now {each.new}); the test fails."
            for unit in units
            for each in unit.changes
            if not each.is_accepted
        ),
        f"Infeasible objectives: {len(manifest['proofs'])}, {by_formula} of them with a formula in `proofs`.",
        "",
        "## Check it again",
        "",
        "`python replay.py` needs Python 3.9, a C compiler (`CC`, default `cc`) and an SMT solver (`SOLVER`, default",
        "`z3`); it does not need Tightrope, and writes nothing here. It",
        "1. compares every file with its hash in `SHA256SUMS`; `--sources DIR` compares your own files as well;",
        "2. builds the suites in `tree` as `manifest.json` says, runs them, and compares the tests with the report;",
        "3. asks the solver for every formula in `proofs`: each must be `unsat`, and the one that the report names.",
        "",
        "It says what it could not check. Proofs by exhaustion and by constants have no formula and rest on Tightrope.",
        "",
        "## What this does not show",
        "",
        "- Expected values in the tests were observed, not derived from requirements: somebody must review them.",
        "- Coverage was measured by Tightrope, on this machine's compiler, without optimisation.",
        "- That a formula describes the function is shown by Tightrope's own tests, not by the solver.",
        "- Verdicts hold under the assumptions below, and only under them.",
        "",
        "## Assumptions",
        "",
        *(
            f"- [ ] A{number}. {each['text']} ({', '.join(each['functions'])})"
            for number, each in enumerate(manifest["assumptions"], 1)
        ),
        *([] if manifest["assumptions"] else ["None."]),
        "",
        "Seal (`sha256sum SHA256SUMS`): ______________________________",
        "",
        "Name, date, signature: ______________________________",
    ]
    return "\n".join(lines) + "\n"


def _rows(unit: UnitReport) -> list[str]:
    scores = [(name, unit.score(name)) for name in unit.criteria]
    return [
        f"| {unit.function} | {unit.file} | {name} | {score.covered} | {score.infeasible} | {score.unknown} | "
        f"{show_percent(score.covered, score.feasible) if score.feasible else 'nothing to cover'} |"
        for name, score in scores
    ]
