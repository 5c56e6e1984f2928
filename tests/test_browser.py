"""The paper in a real browser: accessible, usable with a keyboard, nothing too wide, and every tool on it works."""

import csv
import io
import os
import shutil
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from conftest import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH (on Debian: apt install chromium)")
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        words = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=words)
        yield browser
        browser.close()


@pytest.fixture
def open_paper(browser, published):
    """Open the paper in a window of its own; whatever it complains of or asks the network for fails the test."""
    contexts, complaints = [], []

    def open_one(viewport=WIDE, **options):
        contexts.append(browser.new_context(viewport=viewport, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("data:", "file:")) or complaints.append(request.url))
        page.goto((published / "results" / "paper" / "paper.html").as_uri())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


def settled(page):
    page.wait_for_function("document.readyState === 'complete'")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_nothing(open_paper, scheme, viewport):
    page = settled(open_paper(viewport, color_scheme=scheme))
    page.locator("nav details").evaluate("details => details.open = true")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_axe_finds_nothing_in_an_enlarged_figure(open_paper):
    page = open_paper(NARROW, color_scheme="dark")
    page.get_by_role("button", name="Enlarge Figure 2").click()
    results = Axe().run(page, context="dialog")
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("width", [320, 360, 768, 1200, 2200])
def test_nothing_is_wider_than_the_window(open_paper, width):
    page = settled(open_paper({"width": width, "height": 800}))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wider = """(width) => [...document.querySelectorAll("main > *, main figure *, header *, nav *")]
        .filter((e) => !e.closest(".scroll") && !e.classList.contains("out-of-sight"))
        .filter((e) => e.getBoundingClientRect().right > width + 1).map((e) => e.outerHTML.slice(0, 80))"""
    assert page.evaluate(wider, width) == []


def test_a_figure_is_enlarged_and_closed_with_the_keyboard(open_paper):
    page = open_paper(NARROW)
    button = page.get_by_role("button", name="Enlarge Figure 1")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Figure 1")
    assert dialog.is_visible()
    image = dialog.get_by_role("img")
    assert len(image.get_attribute("alt").split()) > 25
    assert image.bounding_box()["width"] > 2.5 * NARROW["width"]
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("button => button === document.activeElement")
    button.click()
    page.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()


def column(page, table, number):
    return page.locator(f"{table} tbody tr > :nth-child({number})").all_inner_texts()


def test_a_table_is_sorted_by_numbers_and_by_words(open_paper):
    page = open_paper()
    before = column(page, "#table-bias", 4)
    header = page.locator("#table-bias thead th").nth(3)
    sorter = header.get_by_role("button")
    sorter.focus()
    page.keyboard.press("Enter")
    after = [float(text.replace("−", "-")) for text in column(page, "#table-bias", 4)]
    assert after == sorted(float(text.replace("−", "-")) for text in before)
    assert header.get_attribute("aria-sort") == "ascending"
    sorter.click()
    assert [float(t.replace("−", "-")) for t in column(page, "#table-bias", 4)] == after[::-1]
    assert header.get_attribute("aria-sort") == "descending"
    page.locator("#table-bias thead th").nth(0).get_by_role("button").click()
    names = column(page, "#table-bias", 1)
    assert names[0] == "multi_n30"
    assert names[-1] == "small_working"
    assert header.get_attribute("aria-sort") is None


def test_powers_of_ten_sort_as_numbers(open_paper):
    page = open_paper()
    page.locator("#table-check thead th").nth(1).get_by_role("button").click()
    keys = column(page, "#table-check", 1)
    assert keys.index("ex_n_unflip") < keys.index("anchor_int_gap") < keys.index("sq_strat5_minus_pf_mean")


def test_a_table_is_copied_as_csv(open_paper, published):
    page = open_paper(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as CSV Table 17").click()
    page.get_by_role("status").get_by_text("Table 17 is copied.").wait_for(state="attached")
    copied = list(csv.DictReader(io.StringIO(page.evaluate("navigator.clipboard.readText()"))))
    with open(published / "results" / "tables" / "published_check.csv", newline="") as file:
        made = [row for row in csv.DictReader(file) if row["source"] == "article"]
    assert list(copied[0]) == ["Number", "Printed", "Reproduced", "Equal"]
    for number, printed in (("Number", "key"), ("Printed", "printed"), ("Reproduced", "reproduced")):
        power = r"$1.7 \times 10^{-10}$"
        assert [row[number] for row in copied] == [row[printed].replace(power, "1.7e-10") for row in made]


def test_the_contents_stay_at_hand(open_paper):
    page = open_paper()
    link = page.get_by_role("navigation", name="Contents").get_by_role("link", name="What to report")
    page.locator("#references").scroll_into_view_if_needed()
    assert link.is_visible()
    link.click()
    assert page.evaluate("location.hash") == "#report"
    page.wait_for_function("document.querySelector('nav a[aria-current]')?.hash === '#report'")


def test_the_contents_fold_on_a_phone(open_paper):
    page = open_paper(NARROW)
    summary, link = page.locator("nav summary"), page.locator("nav").get_by_role("link", name="Limits")
    assert not link.is_visible()
    page.locator("#references").scroll_into_view_if_needed()
    assert summary.bounding_box()["y"] >= 0
    summary.focus()
    page.keyboard.press("Enter")
    assert link.is_visible()
    page.keyboard.press("Escape")
    assert not link.is_visible()
    summary.click()
    link.click()
    assert not link.is_visible()
    top = page.locator("#limits").bounding_box()["y"]
    assert 40 < top < 120, "the heading is below the bar"


def test_the_first_tab_skips_to_the_text(open_paper):
    page = open_paper()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_tables_and_images_without_captions_do_no_harm(browser, tmp_path):
    (tmp_path / "paper.md").write_text(
        "# One {#one}\n\n| a | b |\n|:--|--:|\n| x | 2 |\n| y | |\n| z | 1 |\n\n![Plain](a.svg)\n\n# Two {#two}\n"
    )
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/></svg>'
    )
    program = [sys.executable, "scripts/typeset.py", "--manuscript", tmp_path / "paper.md", "--style", "workflow/paper"]
    subprocess.run([*program, "--output", tmp_path / "paper.html"], cwd=ROOT, check=True)
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "paper.html").as_uri())
    assert page.get_by_role("button", name="Copy as CSV").count() == 1
    page.get_by_role("button", name="Enlarge").click()
    page.keyboard.press("Escape")
    for order in (["1", "2", ""], ["2", "1", ""]):
        page.locator("thead th").nth(1).get_by_role("button").click()
        assert column(page, "main table", 2) == order
    assert errors == []
    page.close()


def test_it_prints_without_its_tools(open_paper, tmp_path):
    page = open_paper()
    page.emulate_media(media="print")
    for selector in ("nav", ".tools >> nth=0", ".skip"):
        assert not page.locator(selector).is_visible()
    heading = page.locator("#table-check thead button").first
    assert heading.evaluate("button => getComputedStyle(button).display") == "contents", "or headings do not repeat"
    page.pdf(path=tmp_path / "paper.pdf")
    assert os.path.getsize(tmp_path / "paper.pdf") > 100_000


def test_it_reads_without_scripts(open_paper):
    page = open_paper(NARROW, java_script_enabled=False)
    assert page.get_by_role("link", name="Limits").first.is_visible()
    assert page.locator("#table-check").is_visible()
