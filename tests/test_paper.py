"""The paper as it was built: it stands alone, its links lead somewhere, and it says what the tables say."""

import itertools
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pypandoc
import pytest
import yaml

from conftest import ROOT


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def html(published):
    return (published / "results" / "paper" / "paper.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(html):
    return Page(html)


def test_it_needs_nothing_beside_it(page, published):
    for tag, attributes in page.tags:
        if "src" in attributes:
            assert attributes["src"].startswith("data:"), (tag, attributes["src"][:60])
    assert not page.all("link")
    for attributes in page.all("a"):
        assert re.match(r"#|\.\./|https://doi\.org/", attributes["href"]), attributes["href"]


def test_every_link_leads_somewhere(page, published):
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for attributes in page.all("a"):
        target = attributes["href"]
        if target.startswith("#"):
            assert target[1:] in ids, target
        elif target.startswith(".."):
            assert (published / "results" / "paper" / target).exists(), target


def test_every_figure_and_table_links_to_its_data(html, page):
    captions = re.findall(r"<(?:figcaption|caption)>(.*?)</(?:figcaption|caption)>", html, re.DOTALL)
    assert len(captions) == len(page.all("figure")) + len(page.all("table"))
    without = [caption for caption in captions if "Data:" not in caption]
    assert len(without) == 1, "only the table of definitions rests on no file"
    assert "Table 1." in without[0]
    for caption in captions:
        assert ("href=" in caption) == (caption not in without)


def test_it_speaks_to_a_screen_reader(page):
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("main")) == 1
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(headings))
    images = page.all("img")
    assert len(images) == 8
    for image in images:
        assert len((image.get("alt") or image["aria-label"]).split()) > 25
    assert len(page.all("table")) == len(page.all("caption")) >= 10


def test_no_markup_is_left_in_the_text(html):
    text = re.sub(r"<(script|style)\b.*?</\1>|<annotation.*?</annotation>|<[^>]*>", " ", html, flags=re.DOTALL)
    for left in ("{{", "}}", "{%", "{#", "{!", "**", "| :", "|:-", "[@", "](", "???"):
        assert left not in text, left


def words_of(html):
    """The text of a page as one line."""
    text = re.sub(r"<(style|script|nav)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    return " ".join(text.split())


def test_it_says_what_the_tables_say(html, published):
    check = pd.read_csv(published / "results" / "tables" / "published_check.csv", dtype=str)
    check = check[check["source"] == "article"]
    text = words_of(html)
    assert "131 of 131 are equal" in text
    assert "86 of 86 are equal" in text
    claims = len(pd.read_csv(published / "results" / "tables" / "claims.csv"))
    assert f"{claims} of {claims} hold" in text
    body = text[: text.index("Appendix: reproducibility")]
    shown = dict(zip(check["key"], check["reproduced"].str.replace("-", "−"), strict=True))
    for key in ("work_loo_value", "null_loo_value", "work_lpo_bias", "tilt_rare_pres", "multi30_lpo_rmse"):
        assert shown[key] in body, key
    for row in check[~check["reproduced"].str.startswith("$")].itertuples():
        assert f" {row.key} {shown[row.key]} {shown[row.key]} yes" in text, row.key


def test_every_setting_is_in_the_paper(html, published):
    settings = json.loads((published / "results" / "paper" / "settings.json").read_text())
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    assert settings["config"] == config
    text = words_of(html)
    for group in ("design", "independent_look", "vignette"):
        for key, value in config[group].items():
            assert re.search(rf"{group}\.{key}\s+{value:g}\s", text), f"{group}.{key}"
    for name, cell in settings["cells"].items():
        assert re.search(rf"{name}\s+{cell['sites']}\s+{cell['slope']:g}\s+{cell['prevalence']:g}\s", text), name
    for name, stream in config["streams"].items():
        assert re.search(rf"{name}\s+{stream['engine']}\s+{stream['seed']}\s", text), name


def test_no_result_is_typed():
    """Numbers with decimals or a sign stand in no chapter, but in quotations and in the name of a Python."""
    for path in sorted((ROOT / "workflow" / "paper" / "chapters").glob("*.md")):
        marked = r"{{.*?}}|{%.*?%}|`[^`]*`|\${1,2}.*?\${1,2}"
        text = re.sub(marked + r'|"[^"]*"', "", path.read_text(), flags=re.DOTALL)
        typed = re.findall(r"\d+\.\d+|[-−+]\d", text.replace("Python 3.11", ""))
        assert not typed, f"{path.name}: {typed}"


def test_every_reference_is_cited_and_every_citation_has_one():
    chapters = "".join(path.read_text() for path in (ROOT / "workflow" / "paper" / "chapters").glob("*.md"))
    cited = set(re.findall(r"@(\w+)", chapters))
    assert cited == set(re.findall(r"@\w+{(\w+),", (ROOT / "workflow" / "paper" / "references.bib").read_text()))


def test_the_pdf_is_tagged_and_of_no_day(published):
    pdf = (published / "results" / "paper" / "paper.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-1.7")
    assert b"/StructTreeRoot" in pdf
    assert b"D:1970" in pdf
    assert b"D:20" not in pdf


def test_an_image_has_its_alternative_text_in_the_pdf():
    words = [pypandoc.get_pandoc_path(), "--to=typst", f"--lua-filter={ROOT / 'workflow/paper/accessible.lua'}"]
    figure = '![**Figure 1.** C.](../figures/a.svg){alt="A \\"quoted\\" text"}\n'
    source = subprocess.run(words, input=figure, capture_output=True, text=True).stdout
    assert '#image("/figures/a.svg", alt: "A \\"quoted\\" text")' in source


def test_a_citation_that_is_not_there_fails(published, tmp_path):
    manuscript = tmp_path / "paper.md"
    manuscript.write_text("# One\n\n[@nobody1999]\n")
    for kind in ("html", "pdf"):
        run = typeset(manuscript, tmp_path / f"paper.{kind}")
        assert run.returncode == 1
        assert "nobody1999" in run.stderr
        assert not (tmp_path / f"paper.{kind}").exists()


@pytest.mark.parametrize("kind", ["html", "pdf"])
@pytest.mark.parametrize(
    "figure",
    [
        '![**Figure 1.** C](../figures/a.svg){#figure-a alt="broken "quote"}',
        '![**Figure 1.** C] d](../figures/a.svg){#figure-a alt="fine"}',
    ],
)
def test_a_figure_that_markdown_does_not_take_for_one_fails(tmp_path, kind, figure):
    (tmp_path / "paper.md").write_text(f"# One\n\n{figure}\n")
    run = typeset(tmp_path / "paper.md", tmp_path / f"paper.{kind}")
    assert run.returncode == 1
    assert re.search("figure-a|a.svg", run.stderr)
    assert "Traceback" not in run.stderr
    assert not (tmp_path / f"paper.{kind}").exists()


def typeset(manuscript, output):
    program = [sys.executable, ROOT / "scripts" / "typeset.py", "--manuscript", manuscript]
    words = [*program, "--style", "workflow/paper", "--output", output]
    return subprocess.run(list(map(str, words)), cwd=Path(ROOT), capture_output=True, text=True)
