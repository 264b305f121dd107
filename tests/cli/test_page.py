"""The page of `--html`, as a reader uses it: in Chromium, where there is one. Links, filters, search, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bench.parts.browser import Browser, find_browser

from tightrope import cli

LOCK = """\
/* `second` & <third> */
int lock(int key, int door, const char *name)
{
    if (key == 7 && door > 3)
        return 1;
    if (key == 7 && key == 8)
        return 2;
    return name[0] == 'x';
}
"""
SUM = """\
unsigned sum(const unsigned *values, unsigned count)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++)
        found = found * 31 + values[i] * values[i];
    if (found == 0x12345671u)
        return 1;
    return found / count;
}
"""
PAGES = ("generated", "measured", "compared")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each command."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "lock.c").write_text(LOCK)
    (folder / "new.c").write_text(LOCK.replace("> 3", "> 4"))
    (folder / "sum.c").write_text(SUM)
    (folder / "tightrope.toml").write_text("[function.sum]\nmax-runs = 2\n")  # something stays open
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
        words = ["generate", "lock.c", "sum.c", "-q", "--engine", "search"]
        assert cli.main([*words, "--html", "generated.html"]) == 0
        suite = "tightrope-tests/test_sum.c"
        assert cli.main(["measure", "sum.c", "lock.c", "-q", "--suite", suite, "--html", "measured.html"]) == 0
        words = ["diff", "lock.c", "new.c", "-q", "-o", "compared", "--max-runs", "20", "--html", "compared.html"]
        assert cli.main(words) == 0
    return folder


class Anchors(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and (value or "").startswith("#"):
                self.links.append((value or "")[1:])
            elif name in ("href", "src", "srcset", "data", "action"):
                self.outside.append(f"{tag} {name}={value}")


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere_and_nothing_is_loaded(pages: Path, name: str) -> None:
    text = (pages / f"{name}.html").read_text()
    found = Anchors(text)
    assert not found.outside
    assert not re.search(r"@import|url\(|https?://", text)
    assert len(found.ids) == len(set(found.ids))
    assert found.links
    assert not sorted(set(found.links) - set(found.ids))
    assert "&lt;third&gt;" in text or "third" not in text


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("there is no Chromium: pages are not opened")
    with Browser(program) as started:
        yield started


@pytest.fixture
def page(browser: Browser, pages: Path) -> Browser:
    browser.emulate()
    browser.open(pages / "generated.html")
    return browser


def shown(page: Browser, selector: str) -> list[str]:
    """The texts of what can be seen."""
    script = (
        f"[...document.querySelectorAll({selector!r})].filter((e) => e.checkVisibility()).map((e) => e.textContent)"
    )
    return [" ".join(text.split()) for text in page.run(script)]


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_without_an_error(browser: Browser, pages: Path, name: str) -> None:
    browser.open(pages / f"{name}.html")
    assert not browser.problems()
    assert shown(browser, "h1") and shown(browser, "section.fn")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_the_overview_counts(page: Browser) -> None:
    figures = " ".join(shown(page, ".figures div"))
    assert "2functions" in figures and "run-time error" in figures
    assert len(shown(page, ".big .score")) == 2  # mcdc and branch
    assert {"covered", "infeasible", "unknown"} == set(
        page.run("[...document.querySelectorAll('.bar b')].map((e) => e.className)")
    )


def test_only_open_objectives(page: Browser) -> None:
    page.run("document.querySelector('[data-show=unknown]').click()")
    rows = shown(page, ".o")
    assert rows and all("no run" in row or "try --" in row for row in rows)
    assert len(rows) == page.run("document.querySelectorAll('.o.unknown').length")
    assert shown(page, "section.fn h3 a") == ["sum"]
    assert "in 1 function" in shown(page, "#hits")[0]
    assert page.run("location.hash") == "#?show=unknown"
    page.run("document.querySelector('[data-show=\"\"]').click()")
    assert shown(page, "section.fn h3 a") == ["lock", "sum"]


def test_only_a_file_or_a_criterion(page: Browser) -> None:
    choose = "(() => {{ const e = document.querySelector('#{0}'); e.value = '{1}'; e.dispatchEvent(new Event('change')); }})()"
    page.run(choose.format("file", "lock.c"))
    assert shown(page, "section.fn h3 a") == ["lock"]
    page.run(choose.format("criterion", "branch"))
    assert set(shown(page, ".os h5")) == {"branch"}


def test_a_search_and_its_address(page: Browser, pages: Path) -> None:
    page.run(
        "(() => { const e = document.querySelector('#q'); e.value = 'key == 8'; e.dispatchEvent(new Event('input')); })()"
    )
    page.run("new Promise((done) => setTimeout(done, 400))")
    assert shown(page, "section.fn h3 a") == ["lock"]
    assert all("key == 8" in row for row in shown(page, ".o"))
    address = page.run("location.hash")
    page.open(pages / "generated.html", address)  # sent to somebody
    assert shown(page, "section.fn h3 a") == ["lock"] and page.run("document.querySelector('#q').value") == "key == 8"


def test_the_name_of_a_test_leads_to_its_code_and_values(page: Browser) -> None:
    page.run("document.querySelector('#lock .tt a.test').click()")
    page.run("new Promise((done) => setTimeout(done, 100))")
    opened = shown(page, "details.test[open]")
    assert len(opened) == 1 and "int key = " in opened[0] and "key" in opened[0] and "test_lock.c:" in opened[0]
    assert page.run("document.querySelector('.target').matches('details.test')")


def test_pairs_are_marked_and_stand_out(page: Browser) -> None:
    marked = page.run("document.querySelector('#lock .tt table').querySelectorAll('td.pair').length")
    assert marked == 4  # two conditions, two vectors each
    page.run("document.querySelector('#lock .tt th.c').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    assert page.run("document.querySelectorAll('#lock .tt .lit').length") > 2


def test_a_click_on_a_line_shows_its_objectives(page: Browser) -> None:
    page.run("document.querySelector('#lock .ln[data-o] .m').click()")
    assert shown(page, ".peek .o")
    page.run("document.querySelector('#lock .ln[data-o] .m').click()")
    assert not shown(page, ".peek")


def test_proofs_reasons_and_errors_are_said(page: Browser) -> None:
    page.run("document.querySelector('#unfold').click()")
    whys = " ".join(shown(page, ".o .why"))
    assert "Proof: " in whys and "try --" in whys
    crashes = " ".join(shown(page, ".crash"))
    assert "division by zero" in crashes and "the way through the source" in crashes and "count = 0" in crashes


def test_what_changed_since_the_earlier_suite(browser: Browser, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    unit = tmp_path / "twice.c"
    unit.write_text("int twice(int a)\n{\n    if (a > 3)\n        return 7;\n    return a * 2;\n}\n")
    assert cli.main(["generate", "twice.c", "-q", "-c", "branch"]) == 0
    unit.write_text(unit.read_text().replace("return 7", "return 8"))
    cli.main(["generate", "twice.c", "-q", "-c", "branch", "--html", "page.html"])
    browser.open(tmp_path / "page.html")
    cells = shown(browser, ".changes tbody td")
    assert cells[1:] == ["result", "7", "8", "stands as it was, and fails now"]
    browser.run("document.querySelector('.changes a.test').click()")
    browser.run("new Promise((done) => setTimeout(done, 100))")
    assert "was there before" in shown(browser, "details.test[open]")[0]


def test_light_and_dark(page: Browser, pages: Path) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.run(colour)
    page.run("document.querySelector('#theme').click()")
    assert page.run(colour) != light
    page.run("document.querySelector('#theme').click()")
    assert page.run(colour) == light
    page.run("localStorage.clear()")
    page.emulate(scheme="dark")
    page.open(pages / "generated.html")
    assert page.run(colour) != light  # as the system of the reader


def test_paper_has_everything_and_no_tools(page: Browser, tmp_path: Path) -> None:
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.emulate(width=800, media="print")
    assert not shown(page, ".tools") and not shown(page, "aside")
    assert shown(page, ".o") and shown(page, ".signature")
    page.print_pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_a_narrow_window(page: Browser) -> None:
    page.emulate(width=400, height=800)
    assert page.run("document.documentElement.scrollWidth") <= 400
