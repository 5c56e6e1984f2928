"""Bad configuration stops with one line that names file, row and key, and says what would be right."""

import re
import shutil

import pytest
import yaml

from conftest import ROOT
from validation import SCHEMAS, ConfigError, checked, load_config, read_schema, read_yaml, share_accepted


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    shutil.copytree(ROOT / "workflow" / "paper", tmp_path / "workflow" / "paper")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load():
    return load_config("config/config.yaml", {}, [])


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_published_configuration_is_valid(folder):
    config, cells, large, coverage, criteria, rebalanced, surveys, communities, figures, chapters = load()
    assert list(cells)[1:5] == ["small_working", "small_weak", "small_null", "small_balanced"]
    assert cells["multi_n30"]["noise_covariates"] == 4
    assert cells["n240_null"]["estimators"] == ["loo"]
    assert config["design"]["pairs_at_most"] == 150
    assert surveys["spector"]["model"] == "ml"
    assert criteria["threshold_cells"] == list(cells)[1:5]
    assert list(communities["tables"]) == ["mite", "dune", "varespec", "bci"]
    assert list(figures)[:4] == ["tilt", "bias", "sites_and_channels", "covariates"]
    assert [chapter["path"] for chapter in chapters][:2] == [
        "workflow/paper/chapters/00_abstract.md",
        "workflow/paper/chapters/10_question.md",
    ]
    shown = [figure for chapter in chapters for figure in chapter["figures"]]
    assert shown == ["tilt", "bias", "sites_and_channels", "covariates", "balance", "consistency", "f1", "coverage"]
    experiments = rebalanced["no_signal"]["experiments"]
    assert [name for name, e in experiments.items() if e["engine"] == "replay"] == ["stratified_fives", "rebalanced"]
    assert experiments["leave_one_out"]["rows"] == 250
    assert experiments["leave_one_out"]["seed"] == rebalanced["no_signal"]["seed"]
    assert set(rebalanced["cells"]) - set(cells) == {"multi_null"}
    assert large["cells"]["small_working"]["surveys"] == 20000
    assert large["cells"]["n120_null"]["surveys"] == 5000
    assert len(large["map"]) == 70
    assert set(coverage["cells"]) - set(cells) == {"multi_null"}
    assert large["map"]["map_0p1_0p5_12"]["sites"] == 120
    assert "results/tilt/rare.csv" in {path for chapter in chapters for path in chapter["results"]}


def test_defaults_of_the_schema_are_the_published_study():
    defaults = checked({"streams": {}}, "config", str)
    written = read_yaml(ROOT / "config" / "config.yaml")
    assert defaults | {"streams": written["streams"]} == written


def test_every_key_of_the_schemas_is_explained():
    readme = (ROOT / "config" / "README.md").read_text()
    for path in SCHEMAS.glob("*.yaml"):
        for key in keys_of(yaml.safe_load(path.read_text())):
            assert f"`{key}`" in readme, f"{key} of {path.name} is not in config/README.md"


def keys_of(schema):
    for name, part in schema.get("properties", {}).items():
        yield name
        yield from keys_of(part)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from keys_of(schema["additionalProperties"])


def test_a_trial_run_has_few_surveys_in_every_cell(folder):
    cells = load_config("config/config.yaml", read_yaml("config/smoke.yaml"), ["config/smoke.yaml"]).cells
    assert {cell["surveys"] for cell in cells.values()} <= {1, 2, 3}


CELLS = [  # column, the published value of small_weak or multi_n30, another, what the error says
    ("prevalence", "small_weak", "0.3", "0", ["row 4 (small_weak), prevalence", "between 0 and 1"]),
    ("prevalence", "small_weak", "0.3", "1", ["row 4 (small_weak), prevalence", "between 0 and 1"]),
    ("prevalence", "small_weak", "0.3", "0.001", ["row 4 (small_weak), prevalence", "redrawing would hardly end"]),
    ("prevalence", "small_weak", "0.3", "nan", ["row 4 (small_weak), prevalence", "'nan'"]),
    ("prevalence", "small_weak", "0.3", "0,3", ["row 4: 10 values; the header has 9 columns"]),
    ("sites", "small_weak", "30", "30.5", ["row 4 (small_weak), sites", "'30.5' is not a whole number"]),
    ("sites", "small_weak", "30", "4", ["row 4 (small_weak), sites", "needed: a whole number from 5"]),
    ("sites", "multi_n30", "30", "8", ["row 12 (multi_n30), sites", "6 coefficients; at least 9"]),
    ("sites", "small_weak", "30", "8", ["row 4 (small_weak), sites", "too few for 5 folds; at least 9"]),
    ("sites", "small_weak", "30", "", ["row 4 (small_weak), sites: missing"]),
    ("slope", "small_weak", "0.55", "steep", ["row 4 (small_weak), slope", "'steep' is not a number"]),
    ("slope", "small_weak", "0.55", "inf", ["row 4 (small_weak), slope", "'inf'"]),
    ("surveys", "small_weak", "200", "0", ["row 4 (small_weak), surveys", "from 1 to 1000000"]),
    ("surveys", "small_weak", "200", "1", ["row 4 (small_weak), surveys", "at least 2"]),
    ("surveys", "small_weak", "200", "2_0", ["row 4 (small_weak), surveys", "'2_0' is not"]),
    ("surveys", "small_weak", "200", "99999999", ["row 4 (small_weak), surveys", "from 1 to 1000000"]),
    ("stream", "small_weak", "small", "smal", ["row 4 (small_weak), stream", "no stream 'smal'", "small, size"]),
    ("name", "small_weak", "small_weak", "small_working", ["row 4 (small_working), name", "earlier row"]),
    ("name", "small_weak", "small_weak", "Weak!", ["row 4 (Weak!), name", "small letters"]),
    ("noise_covariates", "small_weak", "0", "-1", ["row 4 (small_weak), noise_covariates"]),
    ("estimators", "n240_null", "loo", "looo", ["row 11 (n240_null), estimators", "did you mean loo?"]),
    ("estimators", "n240_null", "loo", "", ["row 11 (n240_null), estimators: none"]),
    ("estimators", "n240_null", "loo", "loo loo", ["row 11 (n240_null), estimators: loo stands there twice"]),
    ("estimators", "multi_n30", "resub", "slope_only", ["row 12 (multi_n30)", "one covariate, the model has 5"]),
    ("estimators", "rare", "", "loo", ["row 16 (rare), estimators", "not scored"]),
    ("section", "small_weak", "small", "example", ["row 4 (small_weak), section", "the one cell of that name"]),
    ("section", "example", "example", "small", ["row 2 (example), section", "the one cell of that name"]),
    ("name", "example", "example", "sample", ["row 2 (sample), section", "the one cell"]),
]


@pytest.mark.parametrize(("column", "name", "old", "new", "says"), CELLS)
def test_a_bad_cell(folder, column, name, old, new, says):
    path = folder / "config" / "cells.csv"
    lines = path.read_text().splitlines()
    place = lines[0].split(",").index(column)
    for k, line in enumerate(lines):
        values = line.split(",")
        if values[0] == name:
            assert values[place].split(" ")[0] == old
            values[place] = values[place].replace(old, new, 1) if old else new
            lines[k] = ",".join(values)
    path.write_text("\n".join(lines) + "\n")
    refused(says, "config/cells.csv")


FILES = [
    ("config.yaml", "  folds: 5", "  fold: 5", ["design.fold: no such key", "did you mean folds?"]),
    ("config.yaml", "  folds: 5", "  folds: five", ["design.folds: 'five' is not a whole number"]),
    ("config.yaml", "  folds: 5", "  folds: true", ["design.folds: True is not a whole number"]),
    ("config.yaml", "  folds: 5", "  folds: 5\n  folds: 6", ["row", "'folds' stands there twice"]),
    ("config.yaml", "engine: replay, seed: 4127", "engine: r, seed: 1", ["streams.small.engine", "replay"]),
    ("config.yaml", "engine: replay, seed: 4127", "engine: replay", ["streams.small.seed: missing"]),
    ("config.yaml", "cells: config/cells.csv", "cells: config/cell.csv", ["config/cell.csv: cannot be read"]),
    ("config.yaml", "design:", "design: [", ["config/config.yaml row"]),
    ("config.yaml", "check_published: true", "check_published: 3", ["check_published: 3 is not true"]),
    (
        "config.yaml",
        "separation_limit: 0.2",
        "separation_limit: .nan",
        ["nan is not a finite"],
    ),
    ("config.yaml", "published: config/published.csv", "published: config", ["cannot be read"]),
    ("config.yaml", "fresh_sites: 4000", "fresh_sites: 99999999", ["design.fresh_sites", "from 100 to 1000000"]),
    ("surveys.yaml", "package: statsmodels", "package: statsmodelz", ["spector.package", "'statsmodelz'"]),
    (
        "surveys.yaml",
        "spector/spector.csv",
        "spector/inspector.csv",
        ["spector.file: there is no file"],
    ),
    ("surveys.yaml", "[GPA, TUCE, PSI]", "[GPA, GRADE]", ["spector.covariates", "GRADE is a presence"]),
    ("surveys.yaml", "spector:", "my survey:", ["my survey: a name is made of small letters"]),
    ("surveys.yaml", "spector:", "7:", ["row 2", "key '7' is not a text"]),
    ("figures.yaml", "n.ex_n1 }}", "n.ex_n11 }}", ["tilt.alternative_text: no published number 'ex_n11'", "ex_n1?"]),
    ("figures.yaml", "small_weak: weak", "large: weak", ["bias.panels: no scored cell 'large'"]),
    ("figures.yaml", "n120_working]", "rare]", ["sites_and_channels.size_panels: no scored cell 'rare'"]),
    ("published.csv", "work_loo_bias,", "work_loo_value,", ["key: 'work_loo_value'", "earlier row"]),
    ("published.csv", "-0.091,%+.3f", "-0.091,%q", ["row", "format: '%q' is not a C format"]),
    ("published.csv", "key,section", "key,sections", ["row 1: no column 'sections'", "section?"]),
    ("published.csv", "ex_n1,one-survey,13", "ex_n1,one-survey,13,13", ["row 2: 6 values; the header has 5"]),
    (
        "criteria.yaml",
        "cells: [small_working,",
        "cells: [small_wrking,",
        ["no scored cell 'small_wrking'", "small_working?"],
    ),
    ("criteria.yaml", "cells: [small_working,", "cells: [n1500_working,", ["no scored cell 'n1500_working'"]),
    (
        "criteria.yaml",
        "threshold_cells: [small_working",
        "threshold_cells: [multi_n60",
        ["'multi_n60' is not among cells"],
    ),
    ("criteria.yaml", "prevalence: 0.1, surveys", "prevalence: 0.001, surveys", ["hardly ever gives 3 presences"]),
    ("criteria.yaml", "empty: 0", "empty: 2", ["empty: 2 is greater than the maximum of 1"]),
    ("criteria.yaml", "absences: 21", "absence: 21", ["absence: no such key (did you mean absences?)"]),
    ("rebalanced.yaml", "scheme: rebalanced, left_out: [1]", "scheme: rebalanced, left_out: [2]", ["left_out: [2]"]),
    ("rebalanced.yaml", "scheme: blocks, left_out: [1],", "scheme: block, left_out: [1],", ["'block' is not blocks"]),
    ("rebalanced.yaml", "covariates: 0, strengths: []", "strengths: []", ["blocks.strengths: needed with covariates"]),
    ("rebalanced.yaml", "25, 50, 100]", "25, 50, 200]", ["left_out: more than half of the 250 rows"]),
    ("rebalanced.yaml", "presences: 50", "presences: 99", ["training_mean.presences: leaves fewer than 2 absences"]),
    ("rebalanced.yaml", "strength: 1.0", "strength: 2.0", ["packaged.strength: 2.0 is not among strengths"]),
    ("rebalanced.yaml", "name: wine", "name: beer", ["classification.wine.name: sklearn ships no table 'beer'"]),
    ("rebalanced.yaml", "name: fair", "name: unfair", ["statsmodels ships no table 'unfair'"]),
    ("rebalanced.yaml", ', presence_if: "> 0"', "", ["classification.fair.presence_if: missing"]),
    ("rebalanced.yaml", '"> 0"', '"above 0"', ["classification.fair.presence_if: 'above 0' is not a rule"]),
    ("rebalanced.yaml", "cells: [small_working,", "cells: [small_wrking,", ["no scored cell 'small_wrking'"]),
    ("rebalanced.yaml", "strat5, perfold, lpo,", "strat5, perfold,", ["shrinkage.estimators: no lpo"]),
    ("rebalanced.yaml", "rloo_once, lpo]", "rloo_twice, lpo]", ["no estimator 'rloo_twice' (did you mean rloo_once?)"]),
    (
        "rebalanced.yaml",
        "[loo, strat5, perfold, lpo,",
        "[slope_only, lpo,",
        ["slope_only is defined for one covariate"],
    ),
    ("rebalanced.yaml", "noise_covariates: 9", "noise_covariates: 40", ["few_sites, sites: 30 sites are too few"]),
    ("rebalanced.yaml", "every_pair_up_to: 900", "every_pair_up_to: 300", ["config/rebalanced_cells.csv", "900 pairs"]),
    ("rebalanced.yaml", "balances: 10", "balances: 8", ["tested_balances: 0.2 is not among the balances"]),
    ("rebalanced.yaml", "figure: 2A,", "figure: 2A, rows: 12, repeats: 2.0,", ["repeats: 2.0 is not a whole number"]),
    ("rebalanced.yaml", "figure: 5B,", "figure: 5B, rows: 12,", ["rows: 12 hold 1 of a class; 2 or more are needed"]),
    ("rebalanced.yaml", "name: wine,", "name: wine_data,", ["sklearn ships no table 'wine_data'"]),
    ("rebalanced.yaml", '"== 2"', '"== 1.2.3"', ["iris.presence_if: '== 1.2.3' is not a rule"]),
    (
        "rebalanced.yaml",
        "covariates: [AVGEXP, AGE",
        "covariates: [OWNRENT, AGE",
        ["ccard.covariates: OWNRENT is the resp"],
    ),
    ("rebalanced.yaml", "response: BILLS104}", 'response: BILLS104, presence_if: "> 0"}', ["committee.presence_if"]),
    ("rebalanced.yaml", "[1.0e-2], published", "[1.0e-310], published", ["strengths.0", "from 1e-12 to 1e12"]),
    ("rebalanced_cells.csv", "rloo_once", "rloo_onc", ["no estimator 'rloo_onc'"]),
    ("rebalanced_cells.csv", "multi_null,further,", "multi_null,tilt,", ["multi_null"]),
    ("surveys.yaml", "presence: GRADE", "presense: GRADE", ["spector.presense", "did you mean presence?"]),
    ("surveys.yaml", "  presence: GRADE\n", "", ["spector.presence: missing"]),
    ("surveys.yaml", "[GPA, TUCE, PSI]", "[]", ["spector.covariates"]),
    ("surveys.yaml", "separator: whitespace", "separator: ';;'", ["spector.separator", "one character"]),
    ("surveys.yaml", "  presence:", "  model: lasso\n  presence:", ["spector.model", "ml (maximum likelihood)"]),
    ("surveys.yaml", "presence: GRADE", "presence: []", ["spector.presence"]),
    ("figures.yaml", "plot: tilt", "plot: pie", ["tilt.plot: 'pie'", "tilt"]),
    ("figures.yaml", "small_weak: weak", "small_week: weak", ["bias.panels: no scored cell 'small_week'"]),
    ("figures.yaml", "[170, 105]", "[170]", ["bias.size", "millimetres"]),
    ("cells.csv", "slope,prevalence", "slope,prevalance", ["row 1: no column 'prevalance'", "prevalence?"]),
    ("cells.csv", "sites,slope", "sites,sites", ["row 1: column 'sites' stands there twice"]),
]


def test_what_the_repair_compares_must_be_there(folder):
    path = folder / "config" / "rebalanced.yaml"
    before = path.read_text()
    path.write_text(before.replace("engine: replay, seed", "seed"))
    refused(["no_signal.experiments: none with engine replay"], "config/rebalanced.yaml")
    path.write_text(before)
    replace(folder / "config" / "rebalanced_cells.csv", "4,1000,resub loo rand5 strat5 perfold lpo", "4,1000,loo lpo")
    refused(["shrinkage.estimators: strat5 draws what no estimator of cell multi_n30 does"], "config/rebalanced.yaml")


@pytest.mark.parametrize(("file", "old", "new", "says"), FILES)
def test_a_bad_file(folder, file, old, new, says):
    replace(folder / "config" / file, old, new)
    named = re.search(r"config\S*$", new) if file == "config.yaml" else None
    if "every_pair_up_to" in new:  # what does not fit is a cell
        named = ["config/rebalanced_cells.csv"]
    refused(says, named[0] if named else f"config/{file}")


LARGE = [
    ("large.yaml", "chunk: 2500", "chunk: 0", ["chunk: 0 is less than the minimum", "from 1 to 10000"]),
    ("large.yaml", "chunk: 2500", "chunks: 2500", ["chunks: no such key (did you mean chunk?)"]),
    ("large.yaml", "engine: independent", "engine: replay", ["streams.large.engine: 'replay' is not independent"]),
    ("large.yaml", "  stream: large", "  stream: larg", ["map.stream: no stream 'larg'; there are: large"]),
    ("large.yaml", "presences: [3,", "presences: [1,", ["map.presences.0", "from 2 to 1000"]),
    ("large.yaml", "prevalences: [0.3,", "prevalences: [0.7,", ["map.prevalences.0", "from 0.01 to 0.5"]),
    (
        "large_cells.csv",
        "small_null,article,large,30",
        "small_null,article,large,31",
        ["31 sites can make 240 pairs", "225"],
    ),
    ("large_cells.csv", "small_null,article,large", "small_null,article,small", ["stream: no stream 'small'"]),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), LARGE)
def test_a_bad_large_study(folder, file, old, new, says):
    replace(folder / "config" / file, old, new)
    refused(says, f"config/{file}")


CHAPTERS = [
    ("figures: [covariates]", "figures: [covariate]", ["figures: no figure 'covariate' (did you mean covariates?)"]),
    ("figures: [covariates]", "figure: [covariates]", ["figure: no such key (did you mean figures?)"]),
    (
        "results/tables/bias.csv",
        "results/tables/{table}.csv",
        ["results.bias: no {table}; allowed: cell, tilt, survey"],
    ),
    ("results/tables/bias.csv", "tables/bias.csv", ["results.bias: 'tables/bias.csv' is not a table below results/"]),
    ("results:", "results: [", ["the lines between --- cannot be read"]),
    (
        "n.multi30_lpo_bias }}",
        "n.multi30_lop_bias }}",
        ["line 13: no published number 'multi30_lop_bias'", "lpo_bias?"],
    ),
    ("figures:", "results: {}\nfigures:", ["key 'results' stands there twice"]),
    (
        "figures: [covariates]\n---",
        "figures: [covariates]",
        ["begin in the first line with --- and end with a line ---"],
    ),
    ("---\nresults", "\n---\nresults", ["begin in the first line with --- and end with a line ---"]),
    ("results/tables/bias.csv", "results/tables/{cell.csv", ["results.bias: no {cell.csv}"]),
    ("  bias: results", "  2: results", ["key '2' is not a text"]),
    ("figures: [covariates]", "figures: [covariates", ["line 6"]),
]


@pytest.mark.parametrize(("old", "new", "says"), CHAPTERS)
def test_a_bad_chapter(folder, old, new, says):
    path = "workflow/paper/chapters/65_covariates.md"
    replace(folder / path, old, new)
    refused(says, path)


def test_chapters_are_read_as_people_write_them(folder):
    chapters = folder / "workflow" / "paper" / "chapters"
    plain = load().chapters
    path = chapters / "65_covariates.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (chapters / ".#40_one_survey.md").write_text("somebody@somewhere")
    (chapters / "75_real_surveys.md").write_text("# Prose\n\nWhere it is n.a. nothing is said.\n")
    changed = load().chapters
    assert [c["path"] for c in changed] == [c["path"] for c in plain]
    assert changed[7] == plain[7]


def test_a_chapter_waits_for_results_of_its_own_target(folder):
    path = "workflow/paper/chapters/66_more.md"
    (folder / path).write_text("---\nonly_if_built: true\nresults: {more: results/tables/more.csv}\n---\n# More\n")
    assert path not in [chapter["path"] for chapter in load().chapters]
    (folder / "results" / "tables").mkdir(parents=True)
    (folder / "results" / "tables" / "more.csv").write_text("a\n1\n")
    assert path in [chapter["path"] for chapter in load().chapters]


def test_the_example_is_needed(folder):
    path = folder / "config" / "cells.csv"
    path.write_text("".join(line for line in path.open() if not line.startswith("example")))
    refused(["no cell 'example'"], "config/cells.csv")


def test_channels_need_both_refits(folder):
    replace(
        folder / "config" / "figures.yaml",
        "    small_balanced: balanced survey\n  caption: >-\n    Left",
        "    n240_null: no signal\n  caption: >-\n    Left",
    )
    refused(["sites_and_channels.channel_panels: cell 'n240_null' has no slope_only"], "config/figures.yaml")


def test_what_the_command_line_gives_goes_on_top(folder):
    config = load_config("config/config.yaml", {"design": {"folds": 4}}, []).config
    assert config["design"]["folds"] == 4
    assert config["design"]["batch"] == 20
    with pytest.raises(ConfigError, match=r"^config/config.yaml \+ mine.yaml: design.fold: no such key"):
        (folder / "mine.yaml").write_text("design: {fold: 4}\n")
        load_config("config/config.yaml", {"design": {"fold": 4}}, ["mine.yaml"])


@pytest.mark.parametrize("text", ["", "- a list\n", "5\n", "\ta: 1\n", "a: [1\n"])
def test_a_file_of_another_kind(folder, text):
    before = (folder / "config" / "config.yaml").read_text()
    (folder / "config" / "config.yaml").write_text(text)
    refused([], "config/config.yaml")
    (folder / "config" / "config.yaml").write_text(before)
    (folder / "config" / "figures.yaml").write_text(text)
    refused(
        [], "config/figures.yaml" if text else "workflow/paper/chapters/40_one_survey.md: figures: no figure 'tilt'"
    )
    if text:
        (folder / "config" / "surveys.yaml").write_text(text)
        refused([], "config/surveys.yaml")


def refused(says, file):
    with pytest.raises(ConfigError) as error:
        load()
    message = str(error.value)
    assert message.startswith(file)
    assert "\n" not in message
    for part in says:
        assert part in message


def test_a_table_with_a_byte_order_mark_and_crlf_reads_the_same(folder):
    path = folder / "config" / "cells.csv"
    plain = load().cells
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert load().cells == plain


def test_share_of_accepted_surveys_by_hand():
    assert share_accepted(6, 0.5, 3) == pytest.approx(20 / 64)
    assert share_accepted(7, 0.5, 3) == pytest.approx(70 / 128)
    assert share_accepted(30, 0.3, 3) > 0.99
    assert share_accepted(5, 0.5, 3) == 0.0


def test_schemas_are_schemas():
    from jsonschema import Draft202012Validator

    for path in SCHEMAS.glob("*.yaml"):
        Draft202012Validator.check_schema(read_schema(path.stem))


def test_stored_sums_of_other_settings_are_refused(folder):
    replace(folder / "config" / "coverage.yaml", "draws: 400", "draws: 300")
    refused(["stored.settings", "was made with other settings", "snakemake coverage"], "config/coverage.yaml")


def test_a_trial_run_states_the_settings_of_the_stored_sums(folder):
    coverage = load_config("config/config.yaml", read_yaml("config/smoke.yaml"), ["config/smoke.yaml"]).coverage
    assert coverage["cells"]["small_null"]["surveys"] == 3
    assert coverage["recorded"]["cells"]["small_null"]["surveys"] == 2000
