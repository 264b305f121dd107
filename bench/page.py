"""How fast the page of a large report is: `python -m bench.page`.

Generates tests for all of tests/programs (`--report FILE.json`: takes this report instead), writes the page, and opens
it in Chromium: the time until something is painted, until everything is there, and that of filters and searches. Where
Chromium does not tell the first paint, the first frame after the page is loaded counts, which is later.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tightrope
from bench.parts.browser import Browser, find_browser
from bench.parts.results import BENCH, ROOT, head, keep, make_parser
from tightrope.report.as_json import report_from_json
from tightrope.report.formats import render
from tightrope.report.model import Report

PAINT = """new Promise((done) => {
  const seen = performance.getEntriesByType('paint');
  if (seen.length) return done(seen[0].startTime);
  new PerformanceObserver((list) => done(list.getEntries()[0].startTime)).observe({type: 'paint', buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));  // no such entry: the first frame
})"""
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
# The time until the frame after it is shown, as the reader waits for it.
AFTER = """new Promise((done) => {{
  const start = performance.now();
  {};
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
}})"""
DEEDS = {
    "only open objectives": "document.querySelector('[data-show=unknown]').click()",
    "all objectives": "document.querySelector('[data-show=\"\"]').click()",
    "search for `count`": "location.hash = '#?q=count'; window.dispatchEvent(new HashChangeEvent('hashchange'))",
    "search for nothing": "location.hash = '#?q='; window.dispatchEvent(new HashChangeEvent('hashchange'))",
    "unfold everything": "document.querySelector('#unfold').click()",
    "follow a link to the last function": "location.hash = [...document.querySelectorAll('section.fn')].pop().id",
}


@dataclass(frozen=True, slots=True)
class MeasuredPage:
    """Milliseconds of the browser, seconds of ours."""

    size: int
    seconds: float
    elements: int
    paint: list[float]
    loaded: list[float]
    deeds: dict[str, list[float]]


def main() -> None:
    parser = make_parser("How fast the page of a large report is.", 5)
    parser.add_argument("--report", type=Path, metavar="FILE.json", help="a report of `tightrope generate --json`")
    wanted = parser.parse_args()
    report = (
        report_from_json(json.loads(wanted.report.read_text(encoding="utf-8"))) if wanted.report else generate_all()
    )
    with tempfile.TemporaryDirectory() as folder:
        measured = measure_page(report, Path(folder), wanted.repetitions)
    keep("page", page(report, measured, wanted.note), {}, wanted, BENCH)


def read_report(file: Path) -> Report:
    return report_from_json(json.loads(file.read_text(encoding="utf-8")))


def generate_all() -> Report:
    with tempfile.TemporaryDirectory() as folder:
        return tightrope.generate(
            ROOT / "tests" / "programs", output=folder, time_limit=2, max_runs=60, no_confirm=True, no_cache=True
        )


def measure_page(report: Report, folder: Path, repetitions: int) -> MeasuredPage:
    start = time.perf_counter()
    text = render(report, "html")
    seconds = time.perf_counter() - start
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    program = find_browser()
    if program is None:
        raise SystemExit("there is no Chromium: install the package chromium")
    paint, loaded, deeds, elements = [], [], dict[str, list[float]](), 0
    for _ in range(repetitions):
        with Browser(program) as browser:  # a new one each time: nothing is cached
            browser.emulate()
            browser.open(file)
            paint.append(float(browser.run(PAINT)))
            loaded.append(float(browser.run(LOADED)))
            elements = int(browser.run("document.getElementsByTagName('*').length"))
            for name, script in DEEDS.items():
                deeds.setdefault(name, []).append(float(browser.run(AFTER.format(script))))
    return MeasuredPage(len(text.encode()), seconds, elements, paint, loaded, deeds)


def page(report: Report, measured: MeasuredPage, note: str) -> Iterator[str]:
    yield from head("The page of a large report", note)
    units = [unit for unit in report.units if not unit.was_refused]
    objectives = sum(len(unit.objectives) for unit in units)
    tests = sum(len(unit.tests) for unit in units)
    yield f"{len(units)} functions, {objectives} objectives, {tests} tests; {measured.elements} elements in the page."
    yield f"Chromium without a window, a new process for each of {len(measured.paint)} repetitions."
    yield ""
    yield "| what | median | worst |"
    yield "| --- | --- | --- |"
    yield f"| size | {measured.size / 1e6:.1f} MB | |"
    yield f"| time to write it | {measured.seconds:.2f} s | |"
    rows = {"time to first paint": measured.paint, "time until it is loaded": measured.loaded, **measured.deeds}
    for name, found in rows.items():
        yield f"| {name} | {statistics.median(found) / 1000:.2f} s | {max(found) / 1000:.2f} s |"


if __name__ == "__main__":
    main()
