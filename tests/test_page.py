"""A survey's report: nothing in a file can harm it, what is missing is said, and it can be read by everybody."""

import re
import shutil
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from page_examples import EXAMPLES, NASTY, nasty, ponds, two_presences
from surveyauc.figures import survey as figures
from surveyauc.page import by_reason, cleaned, page, page_of, signed, true_positives

CHROMIUM = shutil.which("chromium")
VOID = {"meta", "link", "wbr"}


class Outline(HTMLParser):
    """The tags of a page with their attributes, its visible text, and whether every tag is closed in its turn."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.open, self.text = [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if "style" not in self.open:
            self.text.append(text)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def pages():
    return {name: page(make()) for name, make in EXAMPLES.items()} | {"species": page_of(species())}


def species():
    """A table of species with nasty names, one of which could not be scored."""
    rows = [
        {
            "species": name,
            "n": 40,
            "presences": 3 + k,
            "lpo": 0.7,
            "lower": 0.5,
            "upper": 0.8,
            "loo": 0.7 - 0.1 / (k + 1),
        }
        | {"difference": -0.1 / (k + 1), "note": "only 3 sites in the smaller class" if k == 0 else ""}
        for k, name in enumerate(NASTY)
    ]
    rows[1] |= {"lower": None, "upper": None}
    missing = dict.fromkeys(rows[0]) | {"species": "sp_never", "note": "left out: 0 presences among 40 sites"}
    result = {"survey": "wide", "file": "wide.csv", "model": "logistic", "notes": [], "species": [*rows, missing]}
    return result | {"covariates": NASTY, "level": 95.0, "methods": NASTY[0]}


def words(html):
    return " ".join("".join(Outline(html).text).split())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_is_well_formed(pages, name):
    outline = Outline(pages[name])
    assert pages[name].startswith("<!DOCTYPE html>")
    assert outline.named("html") == [{"lang": "en-GB"}]
    assert len(outline.named("h1")) == 1
    assert {tag for tag, _ in outline.tags} <= {
        *["html", "head", "meta", "link", "title", "style", "body", "main", "section", "h1", "h2", "p", "ul", "li"],
        *["dl", "dt", "dd", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption"],
        *["strong", "bdi", "wbr", "span", "svg", "g", "defs", "path", "use", "text", "clippath", "rect"],
    }
    assert not [key for _, attributes in outline.tags for key in attributes if key.startswith("on")]
    ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', pages[name]))
    assert used <= set(ids)
    for image in outline.named("svg"):
        assert image["role"] == "img" and len(image["aria-label"].split()) > 10
        assert "viewbox" in image and "width" not in image
    assert len(outline.named("svg")) == len(outline.named("figure")) == len(outline.named("figcaption"))


def test_the_answer_comes_first(pages):
    text = words(pages["ponds"]).split("Which AUC to report: ponds, newt")[-1]
    result = ponds()
    assert text.strip().startswith(f"{result['report']} {result['ignore']}")


def test_names_are_text_and_nothing_else():
    for name in NASTY:
        made = nasty(20) | {"survey": name, "presence": name, "file": name, "report": name, "methods": name}
        html = page(made)
        assert "<script" not in html
        assert "\x00" not in html and "\u202e" not in html
        assert (" ".join(cleaned(name).split()) or "(no name)") in words(html)
        html.encode()


def test_a_name_in_a_figure_is_text():
    sites = [s | {"site": n} for s, n in zip(ponds()["tilt"], [*NASTY, 'id="a"', "url(#x)"], strict=False)]
    svg = figures.inline_svg(figures.plot_tilt(cleaned(sites)), "tilt-", '"<script>&')
    texts = {"".join(text.itertext()) for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
    assert {"_hidden", 'id="a"', "url(#x)", "(no name)"} <= texts
    assert any(text.startswith("<script>") for text in texts)
    assert any(text.startswith("$\\frac") for text in texts)


def test_long_names_keep_both_ends():
    assert figures.shortened("x" * 14) == "x" * 14
    assert figures.shortened("pond-" + "x" * 40 + "-17").startswith("pond-")
    assert figures.shortened("pond-" + "x" * 40 + "-17").endswith("-17")
    assert len(figures.shortened("湿" * 50)) < 9


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_bytes_twice(pages, name):
    assert page(EXAMPLES[name]()) == pages[name]


def test_what_is_missing_is_said(pages):
    text = words(pages["two"])
    assert "There is no ROC curve for this survey." in text
    assert "a training set would hold only one presence" in text
    assert "no surveys like this one were simulated" in text
    assert "There is no sentence, because there is no AUC to report." in text
    assert "Not drawn, because there is no score without the site: 2 sites" in text
    assert "No presence has both scores." in text
    assert "nan" not in text.lower().split() and "None " not in text.replace("None. Every row", "")


def test_a_page_without_any_figure_gives_the_reasons():
    none = {
        code: e | {"auc": None, "lower": None, "upper": None, "note": ""} for code, e in ponds()["estimates"].items()
    }
    bare = two_presences() | {"estimates": none, "tilt": [], "warnings": [], "report": None, "ignore": None}
    html = page(bare | {"expected": {"note": "Too few presences to simulate from.", "estimators": {}}})
    assert "<figure>" not in html and "<svg" not in html
    text = words(html)
    for reason in (
        "no method gives a value for this survey",
        "No such tournament was played",
        "no site has both a score",
        "Too few presences to simulate from.",
        "There is no AUC to report for this survey.",
    ):
        assert reason in text
    assert "Warnings" not in text


def test_numbers_that_are_not_finite_are_not_available():
    made = ponds()
    made["estimates"]["lpo"] |= {"auc": float("nan"), "lower": float("-inf")}
    made["tilt"][0]["held_out"] = float("inf")
    made["expected"]["estimators"]["loo"] |= {"bias": float("nan"), "sd": None, "mcse": None}
    made["expected"]["estimators"]["lpo"]["sd"] = None
    html = page(made)
    assert words(html).count("not available") == 5
    assert "Not drawn, because there is no value: leave-pair-out." in words(html)


def test_many_sites_have_no_names(pages):
    assert "The 300 sites are shown without their names" in words(pages["nasty"])
    assert "without their names" not in words(pages["named"])
    assert len(page(nasty(1000))) < 1_000_000


def test_small_sums():
    assert by_reason({"a": "x", "b": "y", "c": "x"}) == {"x": ["a", "c"], "y": ["b"]}
    assert [signed(x) for x in (-0.0001, 0.012, -0.071)] == ["0.000", "+0.012", "−0.071"]
    curve = {"false_positive": [0, 0, 0.5, 1], "true_positive": [0, 0.4, 0.6, 1]}
    assert [true_positives(curve, x) for x in (0, 0.25, 0.5)] == pytest.approx([0.4, 0.5, 0.6])
    sites = [{"full": 0.1 * k, "held_out": 0.1 * k} for k in range(40)]
    assert figures.beyond_edges(sites) == 0
    assert figures.beyond_edges([*sites, {"full": 0.0, "held_out": -400.0}]) == 1


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no Chromium on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def show(browser, pages, tmp_path):
    """Open an example in a window of its own; whatever it complains of or asks the network for fails the test."""
    contexts, complaints = [], []

    def show_one(name, width, **options):
        path = tmp_path / f"{name}.html"
        path.write_text(pages[name], encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        shown = contexts[-1].new_page()
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.on("request", lambda asked: asked.url in (path.as_uri(), "data:,") or complaints.append(asked.url))
        shown.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        shown.goto(path.as_uri())
        return shown

    yield show_one
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("name", EXAMPLES)
def test_axe_finds_nothing(show, name, width, scheme):
    results = Axe().run(show(name, width, color_scheme=scheme))
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("width", [1400, 360])
def test_the_page_of_many_species_too(show, width):
    shown = show("species", width)
    results = Axe().run(shown)
    assert results.violations_count == 0, results.generate_report()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width  # the table moves in a region of its own
    assert shown.locator("tbody tr").count() == len(NASTY) + 1
    assert "0 presences among 40 sites" in shown.locator("tbody tr").last.inner_text()
    assert f"{len(NASTY)} points" in shown.locator("svg").get_attribute("aria-label")


@pytest.mark.parametrize("width", [320, 360, 800, 1400])
@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_wider_than_the_window(show, name, width):
    shown = show(name, width)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    wider = """(width) => [...document.querySelectorAll("body *")].filter((e) => !e.closest("svg g"))
        .filter((e) => e.getBoundingClientRect().right > width + 1).map((e) => e.outerHTML.slice(0, 80))"""
    assert shown.evaluate(wider, width) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_text_of_a_figure_is_cut(show, name):
    cut = """() => [...document.querySelectorAll("svg")].flatMap((svg) => { const frame = svg.getBoundingClientRect();
        const padding = parseFloat(getComputedStyle(svg).paddingLeft);
        const inside = (box) => box.left > frame.left + padding && box.right < frame.right - padding;
        return [...svg.querySelectorAll("text")].filter((text) => !inside(text.getBoundingClientRect()))
          .map((text) => text.textContent); })"""
    assert show(name, 1400).evaluate(cut) == []


def test_text_in_figures_is_large_enough_on_a_phone(show):
    sizes = """() => [...document.querySelectorAll("svg")].flatMap((svg) => { const scale = svg.getScreenCTM().a;
        return [...svg.querySelectorAll("text")].map((t) => scale * parseFloat(getComputedStyle(t).fontSize)); })"""
    assert min(show("named", 360).evaluate(sizes)) > 8


def test_figures_keep_a_white_card_in_the_dark(show):
    colour = "getComputedStyle(document.querySelector('figure svg')).backgroundColor"
    assert show("ponds", 800, color_scheme="dark").evaluate(colour) == "rgb(255, 255, 255)"


def test_it_prints_dark_on_white(show):
    shown = show("ponds", 800, color_scheme="dark")
    shown.emulate_media(media="print", color_scheme="dark")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
