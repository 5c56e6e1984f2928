"""The manuscript takes results by name, and one that is missing stops it with chapter, line and name."""

import csv
import json
import subprocess
import sys

import pytest

from conftest import ROOT

TABLES = {
    "results/tables/bias.csv": [
        {"cell": "here", "estimator": "loo", "bias": "-0.0910", "rmse": "0.19"},
        {"cell": "here", "estimator": "lpo", "bias": "0.0021", "rmse": ""},
        {"cell": "there", "estimator": "loo", "bias": "-0.2", "rmse": "1"},
    ],
    "results/tilt/small.csv": [{"pres": "0.25"}, {"pres": "0.5"}],
    "results/tilt/rare.csv": [{"pres": "3"}],
    "results/check.csv": [
        {"key": "loo_bias", "reproduced": "-0.091", "value": "-0.0914"},
        {"key": "gap", "reproduced": r"$1.7 \times 10^{-10}$", "value": "1.7e-10"},
        {"key": "gone", "reproduced": "not computed", "value": ""},
    ],
    "results/claims.csv": [{"claim": "first_one"}, {"claim": "second_one"}],
}
FRONT = "---\nresults:\n  bias: results/tables/bias.csv\n  tilt: results/tilt/{tilt}.csv\nfigures: [map]\n---\n"


@pytest.fixture
def write(tmp_path):
    """Write a manuscript of these chapters, in the given order; the finished process and the text, if any."""
    for path, rows in TABLES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        with open(tmp_path / path, "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    (tmp_path / "figures.yaml").write_text(
        "map:\n  caption: A map\n    of {{ n.loo_bias }}.\n  alternative_text: A 'map' of \"all\" \\.\n"
    )
    (tmp_path / "lock").write_text("numpy==2.1 \\\n    --hash=sha256:00\npandas==3.0 ; python_version > '3'\n")
    (tmp_path / "settings.json").write_text(json.dumps({"config": {"folds": 5, "share": 0.20, "none": 0.0}}))

    def run(*chapters):
        for number, text in enumerate(chapters):
            (tmp_path / f"{number}.md").write_text(text)
        words = ["--chapters", *(f"{number}.md" for number in range(len(chapters)))]
        words += ["--results", *(path for path in TABLES if path.startswith(("results/ta", "results/ti")))]
        words += ["--published-check", "results/check.csv", "--claims", "results/claims.csv"]
        words += ["--figures-list", "figures.yaml", "--data", "map=results/tables/bias.csv", "--lock", "lock"]
        words += ["--settings", "settings.json", "--output", "paper.md"]
        program = [sys.executable, ROOT / "scripts" / "write_manuscript.py", *words]
        process = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True)
        paper = tmp_path / "paper.md"
        return process, paper.read_text() if paper.exists() else None

    return run


SAID = [
    ("{{ n.loo_bias }}", "−0.091"),
    ("{{ n.gap }}", r"$1.7 \times 10^{-10}$"),
    ('{{ bias.row(cell="here", estimator="loo").bias | fixed }}', "−0.091"),
    ('{{ bias.row(cell="here", estimator="lpo").bias | signed(2) }}', "+0.00"),
    ('{{ bias.row(cell="here", estimator="lpo").rmse | fixed }}', "–"),
    ('{{ tilt.small.mean("pres") | fixed(3) }} {{ tilt.rare.total("pres") }}', "0.375 3"),
    ("{{ settings.config.folds }} {{ settings.config.share }} {{ settings.config.none }}", "5 0.2 0"),
    ('{{ version("numpy") }} {{ version("pandas") }}', "2.1 3.0"),
    ('{{ claim("second_one") }}', r"\[[C2](#claim-second_one)\]"),
    ('{{ data("results/tables/bias.csv") }}', "[`results/tables/bias.csv`](../../results/tables/bias.csv)"),
    ('{{ data("results/tilt/{tilt}.csv") }}', "[`results/tilt/`](../../results/tilt/)"),
    ("{! unseen !}# A {#a}", "# A {#a}"),
    ('{{ "a*b_c <i> $x$ @me 1-2" | literal }}', r"a\*b\_c \<i\> \$x\$ \@me 1\-2"),
    ('{{ bias.largest("bias") }}', "0.2"),
    ('{{ tilt.small.mcse("pres") | fixed }}', "0.125"),
    ("{{ -0.00001 | fixed }} {{ -0.00001 | signed }}", "0.000 +0.000"),
]


@pytest.mark.parametrize(("text", "says"), SAID)
def test_a_result_by_its_name(write, text, says):
    process, paper = write(FRONT + text + "\n")
    assert process.returncode == 0, process.stderr
    assert paper == says + "\n"


MISSING = [
    ("{{ n.loo_bia }}", "results/check.csv has no 'loo_bia' (did you mean loo_bias?)"),
    ('{{ bias.row(cell="here", estimator="loo").bia }}', "results/tables/bias.csv has no 'bia' (did you mean bias?)"),
    ('{{ bias.row(cell="gone").bias }}', "results/tables/bias.csv has no rows with cell = gone; one is needed"),
    ('{{ bias.row(cell="here").bias }}', "results/tables/bias.csv has 2 rows with cell = here; one is needed"),
    ('{{ bias.row(cel="here").bias }}', "results/tables/bias.csv has no 'cel' (did you mean cell?)"),
    ("{% for row in bias %}{{ row.sites }}{% endfor %}", "results/tables/bias.csv has no 'sites'"),
    ('{{ tilt.rares.mean("pres") }}', "results/tilt/{tilt}.csv has no 'rares' (did you mean rare?)"),
    ('{{ tilt.rare.mean("abs") }}', "results/tilt/rare.csv has no 'abs'"),
    ("{{ settings.config.fold }}", "settings.config has no 'fold' (did you mean folds?)"),
    ('{{ version("numpie") }}', "lock has no 'numpie' (did you mean numpy?)"),
    ('{{ claim("third_one") }}', "no claim 'third_one' in the table of claims"),
    ('{{ figure("mop") }}', "'mop' is not among the figures of this chapter"),
    ("{{ n.gone }}", "results/check.csv has no 'gone'"),
    ("{{ bias.row }}", "row is a function here, not a result"),
    ("{{ n.loo_bias | fixed }}", "ValueError: could not convert string to float: '−0.091'"),
    ("{{ claim() }}", "TypeError: functions_of.<locals>.claim() missing 1 required positional argument: 'name'"),
    ('{{ see("table", "none") }}', "the paper has no table 'none'"),
    ('{{ table("t", "C.") }}{{ table("t", "C.") }}', "table 't' stands in the paper twice"),
    ('{{ table("t", "C.", "results/other.csv") }}', "results/other.csv is not among the results of this chapter"),
    ("{{ scores }}", "'scores' is undefined"),
    ("{{ n.loo_bias", "unexpected end of template, expected 'end of print statement'."),
]


@pytest.mark.parametrize(("text", "says"), MISSING)
def test_a_missing_name_stops_the_manuscript(write, text, says):
    process, paper = write("# Fine\n", FRONT + "Text.\n\n" + text + "\n")
    assert process.returncode == 1
    assert process.stderr == f"1.md line 9: {says}\n"
    assert paper is None


def test_figures_and_tables_are_numbered_in_order_and_referred_to_forwards(write):
    process, paper = write(
        FRONT + 'See {{ see("figure", "map") }} and {{ see("table", "b") }}.\n\n: {{ table("a", "One.") }}\n',
        FRONT + '{{ figure("map") }}\n\n: {{ table("b", "Two.", "results/tables/bias.csv") }}\n',
    )
    assert process.returncode == 0, process.stderr
    assert paper.splitlines() == [
        "See [Figure 1](#figure-map) and [Table 2](#table-b).",
        "",
        ": **Table 1.** One. {#table-a}",
        "",
        "![**Figure 1.** A map of −0.091. Data: [`results/tables/bias.csv`](../../results/tables/bias.csv).]"
        r"""(../figures/map.svg){#figure-map alt="A 'map' of \"all\" \\."}""",
        "",
        ": **Table 2.** Two. Data: [`results/tables/bias.csv`](../../results/tables/bias.csv). {#table-b}",
    ]
