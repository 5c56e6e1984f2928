"""Everything in config/ is checked here before the first job. Every error is one `ConfigError`: a line that names the
file, the row or key, what stands there and what would be right."""

import csv
import difflib
import hashlib
import importlib.util
import itertools
import json
import math
import os
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from jsonschema import Draft202012Validator, validators
from snakemake.io import expand
from snakemake.utils import update_config

from chapters import read_chapter
from surveyauc.estimators import ESTIMATORS

SCHEMAS = Path(__file__).parent / "schemas"
LEAST_ACCEPTED = 0.01  # share of drawn surveys with enough of both classes, below which redrawing would hardly end
EXAMPLE = "example"  # the section, and the name of its one cell
PUBLISHED = ["source", "key", "section", "printed", "format"]  # columns of the table of published numbers
FORMAT = re.compile(r"%[+]?(\.\d)?[dfe]|scientific")
PAPER = "workflow/paper"  # chapters/, templates and styles
PANELS_OF = {
    "tilt": [],
    "bias": ["panels"],
    "sites_and_channels": ["size_panels", "channel_panels"],
    "against_article": ["panels"],
    "map": [],
    "collapse": [],
    "decay": [],
    "coverage": ["panels"],
    "communities": [],
    "f1": ["panels"],
    "consistency": [],
    "training_mean": [],
    "boxes": ["panels"],
    "heat_map": ["panels"],
    "packaged_strengths": [],
    "packaged": [],
    "noise_regression": [],
    "shrinkage": ["panels"],
    "tuning": ["panels"],
}
REBALANCED_PLOTS = {
    "training_mean",
    "heat_map",
    "boxes",
    "packaged_strengths",
    "packaged",
    "noise_regression",
    "shrinkage",
    "tuning",
}
LARGE_PLOTS = {"against_article", "map", "collapse", "decay"}  # of the large study, whose chapter waits for it
ELSEWHERE = {"section": "elsewhere", "estimators": []}  # a cell that a file of its own describes
FEW_PRESENCES = {"few_presences": ELSEWHERE}  # in criteria.yaml
FOLDED = {"random_folds", "stratified_folds"}  # draws that need, in the larger class, a site for every fold
SHIPPED_BY_SKLEARN = {"breast_cancer", "diabetes", "digits", "iris", "linnerud", "wine"}  # others are downloaded
UNSCORED = {"tilt"}  # sections whose cells have no estimators


class Configuration(NamedTuple):
    """Everything in config/, checked and with defaults filled in; cells, surveys and figures by name."""

    config: dict
    cells: dict
    large: dict
    coverage: dict
    criteria: dict
    rebalanced: dict
    surveys: dict
    communities: dict
    figures: dict
    chapters: list


class ConfigError(Exception):
    """A config file that cannot be used; the message is one line."""


def load_config(path, overrides, files):
    """Check the whole configuration: the file at ``path``, and on top of it ``overrides``, read from ``files``.

    Returns a `Configuration`: cells in the order of their file, chapters in that of the paper.
    """
    config = read_yaml(path)
    if not isinstance(config, dict):
        raise ConfigError(f"{path}: {config!r} is not a list of keys and values")
    for file in files:
        read_yaml(file)  # for its duplicate keys, which the loader of the command line lets pass
    update_config(config, overrides)
    where = " + ".join(map(str, [path, *files]))
    config = checked(config, "config", lambda key: f"{where}: {key}")
    keys = load_published(config["published"])
    cells = load_cells(config["cells"], config["streams"], config)
    if EXAMPLE not in cells:
        raise ConfigError(
            f"{config['cells']}: no cell {EXAMPLE!r}; one survey of section {EXAMPLE} is needed to show the tilt"
        )
    large, coverage, criteria = load_large(config), load_coverage(config), load_criteria(config, cells)
    rebalanced = load_rebalanced(config)
    surveys, communities = load_surveys(config), load_communities(config["communities"])
    own_cells = {"coverage": coverage["cells"], "f1": {name: cells[name] for name in criteria["cells"]} | FEW_PRESENCES}
    experiments = dict.fromkeys(rebalanced["no_signal"]["experiments"], ELSEWHERE)
    own_cells |= {
        "heat_map": experiments,
        "boxes": experiments,
        "tuning": dict.fromkeys(rebalanced["tuning"]["cells"], ELSEWHERE),
    }
    own_cells["shrinkage"] = {name: rebalanced["cells"][name] for name in rebalanced["shrinkage"]["cells"]}
    figures = load_figures(config["figures"], cells, own_cells, keys)
    wildcards = {
        "cell": [name for name, cell in cells.items() if is_scored(cell)],
        "tilt": [name for name, cell in cells.items() if cell["section"] in UNSCORED],
        "survey": list(surveys),
        "community": list(communities["tables"]),
        "experiment": list(rebalanced["no_signal"]["experiments"]),
        "tuned": list(rebalanced["tuning"]["cells"]),
    }
    chapters = load_chapters(figures, keys, wildcards)
    return Configuration(config, cells, large, coverage, criteria, rebalanced, surveys, communities, figures, chapters)


def load_cells(path, streams, config):
    """The rows of a table of cells by name, in file order, typed and checked against the streams and the design."""
    properties = read_schema("cells")["properties"]
    cells = {}
    for line, row in read_table(path, list(properties)):
        where = f"{path} row {line}" + (f" ({row['name']})" if row.get("name") else "")
        typed = {key: _typed(text, properties[key], f"{where}, {key}") for key, text in row.items() if text != ""}
        cell = checked(typed, "cells", lambda key, where=where: f"{where}, {key}")
        if cell["name"] in cells:
            raise ConfigError(f"{where}, name: this name stands in an earlier row; every cell needs its own")
        cell["estimators"] = cell["estimators"].split()
        if config["surveys_at_most"]:
            cell["surveys"] = min(cell["surveys"], config["surveys_at_most"])
        _check_cell(cell, streams, config["design"], where)
        cells[cell["name"]] = cell
    return cells


def load_large(config):
    """The configuration of the large study: as it stands in its file, with the cells by name under ``cells``, under
    ``map`` those that its map is made of, and under ``grid`` what they are made from."""
    path = config["large"]
    large = checked(read_yaml(path), "large", lambda key: f"{path}: {key}")
    large["cells"] = load_cells(large["cells"], large["streams"], config)
    grid = large["grid"] = large["map"]
    if grid["stream"] not in large["streams"]:
        raise ConfigError(f"{path}: map.stream: no stream {grid['stream']!r}; there are: {', '.join(large['streams'])}")
    surveys = min(grid["surveys"], config["surveys_at_most"] or grid["surveys"])
    large["map"] = {
        f"map_{share:g}_{slope:g}_{presences}".replace(".", "p"): {
            "stream": grid["stream"],
            "presences": presences,
            "absences": round(presences / share) - presences,
            "sites": round(presences / share),
            "slope": slope,
            "prevalence": share,
            "noise_covariates": 0,
            "surveys": surveys,
            "estimators": ["loo", "lpo"],
        }
        for share, slope, presences in itertools.product(grid["prevalences"], grid["slopes"], grid["presences"])
    }
    return large


def load_coverage(config):
    """The configuration of the study of coverage, with the cells by name under ``cells``, under ``digest`` that of all
    settings that its results depend on, which must be those that the stored sums were made with, and under
    ``recorded`` the settings that the paper states: those of the stored sums, also in a trial run."""
    path = config["coverage"]
    coverage = checked(read_yaml(path), "coverage", lambda key: f"{path}: {key}")
    stored = coverage.pop("stored", None)
    design = config["design"] | {name: coverage[name] for name in ("least_of_each_class", "folds")}
    config = config | {"design": design}
    whole = load_cells(coverage["cells"], coverage["streams"], config | {"surveys_at_most": None})
    digest = hashlib.sha256(json.dumps([coverage, whole], sort_keys=True).encode()).hexdigest()[:12]
    if stored and stored["settings"] != digest:
        raise ConfigError(
            f"{path}: stored.settings: {stored['table']} was made with other settings; without the key stored make it "
            f"anew (snakemake coverage), then give its commit, and {digest} here"
        )
    recorded = coverage | {"cells": whole, "stored": stored}
    cells = load_cells(coverage["cells"], coverage["streams"], config)
    return coverage | {"cells": cells, "stored": stored, "design": design, "digest": digest, "recorded": recorded}


def load_criteria(config, cells):
    """The configuration of the study of AUC and F1; its cells must be scored ones that are dealt into folds."""
    path = config["criteria"]
    criteria = checked(read_yaml(path), "criteria", lambda key: f"{path}: {key}")
    folded = [
        name
        for name, cell in cells.items()
        if is_scored(cell) and "stratified_folds" in {ESTIMATORS[code].draw for code in cell["estimators"]}
    ]
    _check_shown(criteria["cells"], {name: cells[name] for name in folded}, set(), f"{path}: cells")
    for name in criteria["threshold_cells"]:
        if name not in criteria["cells"]:
            raise ConfigError(f"{path}: threshold_cells: {name!r} is not among cells")
    few = criteria["few_presences"]
    least = config["design"]["least_of_each_class"]
    if share_accepted(few["sites"], few["prevalence"], least) < LEAST_ACCEPTED:
        raise ConfigError(f"{path}: few_presences.prevalence: {few['prevalence']} hardly ever gives {least} presences")
    few["surveys"] = min(few["surveys"], config["surveys_at_most"] or few["surveys"])
    return criteria


def load_rebalanced(config):
    """The configuration of the study of distributional bias, with its cells by name under ``cells`` and every
    experiment with its seed."""
    path, most = config["rebalanced"], config["surveys_at_most"]
    study = checked(read_yaml(path), "rebalanced", lambda key: f"{path}: {key}")
    design = config["design"] | {"every_pair_up_to": study["every_pair_up_to"]}
    study["cells"] = load_cells(study["cells"], study["streams"], config | {"design": design})
    _check_experiments(study["no_signal"], f"{path}: no_signal.experiments")
    if study["training_mean"]["presences"] > study["training_mean"]["rows"] - 2:
        raise ConfigError(f"{path}: training_mean.presences: leaves fewer than 2 absences")
    if study["packaged"]["strength"] not in study["packaged"]["strengths"]:
        raise ConfigError(f"{path}: packaged.strength: {study['packaged']['strength']} is not among strengths")
    for kind in ("classification", "regression"):
        for name, table in study["packaged"][kind].items():
            _check_packaged(table, kind, f"{path}: packaged.{kind}.{name}")
    _check_shown(study["shrinkage"]["cells"], study["cells"], set(), f"{path}: shrinkage.cells")
    shrinkage = study["shrinkage"]
    for name in shrinkage["cells"]:
        own = study["cells"][name]
        _check_cell(
            own | {"estimators": shrinkage["estimators"]}, study["streams"], design, f"{path}: shrinkage, {name}"
        )
        for code in shrinkage["estimators"]:
            if ESTIMATORS[code].draw not in {None, *(ESTIMATORS[other].draw for other in own["estimators"])}:
                raise ConfigError(
                    f"{path}: shrinkage.estimators: {code} draws what no estimator of cell {name} does; name it there"
                )
    for name, cell in study["cells"].items():
        if not is_scored(cell):
            raise ConfigError(f"{path}: cells: {name} is of section {cell['section']}, which is not scored")
    tuning = study["tuning"]
    for name, cell in tuning["cells"].items():
        where = f"{path}: tuning.cells.{name}"
        as_cell = cell | {"name": name, "section": "tuning", "stream": "tuning", "surveys": tuning["surveys"]}
        _check_cell(as_cell | {"estimators": tuning["estimators"]}, {"tuning": {}}, config["design"], where)
    for part in ("shrinkage", "tuning"):
        if "lpo" not in study[part]["estimators"]:
            raise ConfigError(f"{path}: {part}.estimators: no lpo, beside which the others are shown")
    if most:
        for experiment in study["no_signal"]["experiments"].values():
            experiment["repeats"] = min(experiment["repeats"], most)
        for part, key in (
            ("regression", "data_sets"),
            ("packaged", "subsamples"),
            ("shrinkage", "surveys"),
            ("tuning", "surveys"),
        ):
            study[part][key] = min(study[part][key], max(2, most))
    return study


def _check_experiments(no_signal, path):
    """The data sets with nothing to find must hold enough of both classes; each gets its seed."""
    for name, experiment in no_signal["experiments"].items():
        where = f"{path}.{name}"
        if experiment["scheme"] == "rebalanced" and experiment["left_out"] != [1]:
            raise ConfigError(
                f"{where}.left_out: {experiment['left_out']} is not [1]; rebalanced is leave-one-out here"
            )
        if bool(experiment["covariates"]) != bool(experiment["strengths"]):
            raise ConfigError(f"{where}.strengths: needed with covariates, and empty without")
        if max(experiment["left_out"]) > experiment["rows"] // 2:
            raise ConfigError(f"{where}.left_out: more than half of the {experiment['rows']} rows")
        balances = [k / no_signal["balances"] for k in range(1, no_signal["balances"])]
        ones = [int(balance * experiment["rows"]) for balance in balances]
        smallest, least = (
            min(*ones, *(experiment["rows"] - n for n in ones)),
            1 + (experiment["scheme"] == "rebalanced"),
        )
        if smallest < least:
            raise ConfigError(
                f"{where}.rows: {experiment['rows']} hold {smallest} of a class; {least} or more are needed"
            )
        for balance in experiment.get("tested_balances", []):
            if not any(math.isclose(balance, one, abs_tol=1e-9) for one in balances):
                raise ConfigError(f"{where}.tested_balances: {balance} is not among the balances")
        experiment["seed"] = experiment.get("seed", no_signal["seed"])
    if all(experiment["engine"] != "replay" for experiment in no_signal["experiments"].values()):
        raise ConfigError(f"{path}: none with engine replay, whose numbers are compared")


def _check_packaged(table, kind, where):
    """Whether the package ships this table, without importing it, and the response is of its kind."""
    if table["package"] == "sklearn":
        shipped = table["name"] in SHIPPED_BY_SKLEARN
    else:
        folder = Path(importlib.util.find_spec(table["package"]).submodule_search_locations[0], "datasets")
        shipped = any(folder.glob(f"{table['name']}/*.csv"))
    if not shipped:
        raise ConfigError(f"{where}.name: {table['package']} ships no table {table['name']!r}")
    if table["response"] in table.get("covariates", []):
        raise ConfigError(f"{where}.covariates: {table['response']} is the response")
    if kind == "regression" and "presence_if" in table:
        raise ConfigError(f"{where}.presence_if: makes classes, which is not a regression")
    if kind == "classification" and "presence_if" not in table:
        raise ConfigError(f"{where}.presence_if: missing; needed: a rule such as '> 0'")


def load_published(path):
    """The keys of the published numbers."""
    keys = set()
    for line, row in read_table(path, PUBLISHED):
        missing = [column for column in PUBLISHED if column not in row]
        if missing:
            raise ConfigError(f"{path} row 1: no column {missing[0]!r}; {_all_of(PUBLISHED)}")
        if not row["key"] or row["key"] in keys:
            raise ConfigError(f"{path} row {line}, key: {row['key']!r} is empty or stands in an earlier row")
        if not FORMAT.fullmatch(row["format"]):
            raise ConfigError(
                f"{path} row {line}, format: {row['format']!r} is not a C format such as %d or %+.3f, or scientific"
            )
        keys.add(row["key"])
    return keys


def load_surveys(config):
    """The entries of surveys.yaml by name."""
    path = config["surveys"]
    surveys = checked(read_yaml(path) or {}, "surveys", lambda key: f"{path}: {key}")
    for name, survey in surveys.items():
        _check_file(survey, f"{path}: {name}")
        presences = [survey["presence"]] if isinstance(survey["presence"], str) else survey["presence"]
        for key in ("covariates", "compare_with"):
            for column in set(presences) & set(survey.get(key, [])):
                raise ConfigError(f"{path}: {name}.{key}: {column} is a presence, not a covariate")
        separator = survey.get("separator", ",")
        if len(separator) > 1 and separator not in ("tab", "whitespace"):
            raise ConfigError(f"{path}: {name}.separator: {separator!r} is not one character, tab or whitespace")
    return surveys


def load_communities(path):
    """The tables of species; whether their package is installed shows when they are asked for."""
    communities = checked(read_yaml(path), "communities", lambda key: f"{path}: {key}")
    groups = communities["smaller_class"]
    if groups != sorted(set(groups)):
        raise ConfigError(f"{path}: smaller_class: {groups} does not ascend")
    return communities


def _check_file(survey, where):
    """The table must be there: Snakemake takes a missing one for a reason to leave what is there as it is."""
    folder = Path()
    if "package" in survey:
        found = importlib.util.find_spec(survey["package"]) if survey["package"].isidentifier() else None
        if found is None or not found.submodule_search_locations:
            raise ConfigError(f"{where}.package: no package {survey['package']!r} is installed")
        folder = Path(found.submodule_search_locations[0])
    for key in ("file", "covariate_file"):
        if key in survey and not (folder / survey[key]).is_file():
            raise ConfigError(f"{where}.{key}: there is no file {folder / survey[key]}")


def load_figures(path, cells, own_cells, keys):
    """The entries of figures.yaml by name; the cells and the published numbers that they show must exist. Plots of a
    study that has ``own_cells``, by the kind of plot, show those."""
    figures = checked(read_yaml(path) or {}, "figures", lambda key: f"{path}: {key}")
    for name, figure in figures.items():
        for text in ("caption", "alternative_text"):
            for key in re.findall(r"{{\s*n\.(\w+)", figure[text]):
                if key not in keys:
                    raise ConfigError(f"{path}: {name}.{text}: no published number {key!r}{_suggestion(key, keys)}")
        for key in PANELS_OF[figure["plot"]]:
            if not figure.get(key):
                raise ConfigError(f"{path}: {name}.{key}: missing; a plot of kind {figure['plot']} needs it")
        sizes = [cell for members in figure.get("size_panels", {}).values() for cell in members]
        _check_shown(figure.get("panels", {}), own_cells.get(figure["plot"], cells), set(), f"{path}: {name}.panels")
        _check_shown(sizes, cells, set(), f"{path}: {name}.size_panels")
        _check_shown(figure.get("channel_panels", {}), cells, {"loo", "slope_only"}, f"{path}: {name}.channel_panels")
    return figures


def load_chapters(figures, keys, wildcards):
    """The chapters of the paper in the order of their file names: the path of each, the results that it rests on, with
    ``wildcards`` such as {tilt} filled in, and its figures. One that waits for results of their own target is left out
    until they are there."""
    chapters = []
    for path in sorted(Path(PAPER, "chapters").glob("[!.]*.md")):
        try:
            front, text = read_chapter(path, _UniqueKeys)
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise ConfigError(
                f"{path}: the lines between --- cannot be read ({' '.join(str(error).split())})"
            ) from None
        front = checked(front, "chapter", lambda key, path=path: f"{path}: {key}")
        for name in front["figures"]:
            if name not in figures:
                raise ConfigError(
                    f"{path}: figures: no figure {name!r}{_suggestion(name, figures)}; {_all_of(figures)}"
                )
        for line, code in enumerate(text.split("\n"), start=1):
            for key in re.findall(r"{{[^}]*?\bn\.(\w+)", code):
                if key not in keys:
                    raise ConfigError(f"{path} line {line}: no published number {key!r}{_suggestion(key, keys)}")
        for name, pattern in front["results"].items():
            for word in re.findall(r"{([^}]*)", pattern):
                if f"{{{word}}}" not in pattern or word not in wildcards:
                    raise ConfigError(f"{path}: results.{name}: no {{{word}}}; {_all_of(wildcards)}")
        results = [result for pattern in front["results"].values() for result in expand(pattern, **wildcards)]
        if not front["only_if_built"] or all(map(os.path.exists, results)):
            chapters.append({"path": str(path), "results": results, "figures": front["figures"]})
    return chapters


def _check_shown(shown, cells, estimators, where):
    scored = [name for name, cell in cells.items() if is_scored(cell)]
    for cell in shown:
        if cell not in scored:
            raise ConfigError(f"{where}: no scored cell {cell!r}{_suggestion(cell, scored)}; {_all_of(scored)}")
        for code in sorted(estimators - set(cells[cell]["estimators"])):
            raise ConfigError(f"{where}: cell {cell!r} has no {code}; its estimators must include it")


def is_scored(cell):
    """Whether a cell gets a table of scores; the example and the tilt cells are measured in their own way."""
    return cell["section"] not in {EXAMPLE, *UNSCORED}


def _check_cell(cell, streams, design, where):
    if (cell["section"] == EXAMPLE) != (cell["name"] == EXAMPLE):
        raise ConfigError(f"{where}, section: section {EXAMPLE} holds the one cell of that name, and no other")
    if is_scored(cell) and cell["surveys"] < 2:
        raise ConfigError(f"{where}, surveys: {cell['surveys']} leaves the spread unknown; at least 2 are needed")
    coefficients = 2 + cell["noise_covariates"]
    if cell["sites"] < coefficients + 3:
        raise ConfigError(
            f"{where}, sites: {cell['sites']} sites are too few for {coefficients} coefficients; "
            f"at least {coefficients + 3} are needed"
        )
    if cell["stream"] not in streams:
        known = ", ".join(streams) or "none"
        raise ConfigError(f"{where}, stream: no stream {cell['stream']!r}; there are: {known}")
    least = design["least_of_each_class"]
    accepted = share_accepted(cell["sites"], cell["prevalence"], least)
    if accepted < LEAST_ACCEPTED:
        raise ConfigError(
            f"{where}, prevalence: {cell['prevalence']} at {cell['sites']} sites gives {least} presences and {least} "
            f"absences in {100 * accepted:.2g} % of draws, so redrawing would hardly end; "
            f"at least {100 * LEAST_ACCEPTED:.0f} % are needed"
        )
    if cell["section"] in UNSCORED and cell["estimators"]:
        raise ConfigError(f"{where}, estimators: cells of section {cell['section']} are not scored; leave it empty")
    if cell["section"] not in UNSCORED:
        _check_estimators(cell["estimators"], 1 + cell["noise_covariates"], f"{where}, estimators")
    pairs = (cell["sites"] // 2) * (cell["sites"] - cell["sites"] // 2)
    if (
        any(ESTIMATORS[code].scheme == "every pair" for code in cell["estimators"])
        and pairs > design["every_pair_up_to"]
    ):
        raise ConfigError(
            f"{where}, estimators: {cell['sites']} sites can make {pairs} pairs; every one is read only up to "
            f"every_pair_up_to, which is {design['every_pair_up_to']}"
        )
    least = 2 * design["folds"] - 1
    if cell["sites"] < least and any(ESTIMATORS[code].draw in FOLDED for code in cell["estimators"]):
        raise ConfigError(
            f"{where}, sites: {cell['sites']} sites are too few for {design['folds']} folds; "
            f"at least {least} are needed"
        )


def _check_estimators(codes, covariates, where):
    if not codes:
        raise ConfigError(f"{where}: none; name one or more of {', '.join(ESTIMATORS)}")
    for code in codes:
        if code not in ESTIMATORS:
            raise ConfigError(f"{where}: no estimator {code!r}{_suggestion(code, ESTIMATORS)}; {_all_of(ESTIMATORS)}")
        if codes.count(code) > 1:
            raise ConfigError(f"{where}: {code} stands there twice; once is right")
        if ESTIMATORS[code].frozen_intercept and covariates > 1:
            raise ConfigError(f"{where}: {code} is defined for one covariate, the model has {covariates}")


def share_accepted(sites, prevalence, least):
    """Probability that a binomial number of presences leaves at least ``least`` of each class."""
    log_odds = math.log(prevalence) - math.log1p(-prevalence)

    def probability(k):
        choose = math.lgamma(sites + 1) - math.lgamma(k + 1) - math.lgamma(sites - k + 1)
        return math.exp(choose + k * log_odds + sites * math.log1p(-prevalence))

    return max(0.0, sum(probability(k) for k in range(least, sites - least + 1)))


def read_table(path, columns):
    """The rows of a CSV as (line number, dict of stripped texts); every row is as long as the header."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, [text.strip() for text in row]) for row in reader if any(row)]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    header = rows[0][1] if rows else []
    for name in header:
        if name not in columns:
            raise ConfigError(f"{path} row 1: no column {name!r}{_suggestion(name, columns)}; {_all_of(columns)}")
        if header.count(name) > 1:
            raise ConfigError(f"{path} row 1: column {name!r} stands there twice; once is right")
    for line, row in rows[1:]:
        if len(row) != len(header):
            raise ConfigError(f"{path} row {line}: {len(row)} values; the header has {len(header)} columns")
        yield line, dict(zip(header, row, strict=True))


class _UniqueKeys(yaml.SafeLoader):
    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                raise yaml.constructor.ConstructorError(
                    problem=f"key {key.value!r} is not a text", problem_mark=key.start_mark
                )
            if keys.count(key.value) > 1:
                raise yaml.constructor.ConstructorError(
                    problem=f"key {key.value!r} stands there twice; once is right", problem_mark=key.start_mark
                )
        return super().construct_mapping(node, deep)


def read_yaml(path):
    """A YAML file; a key that stands there twice is an error."""
    try:
        return yaml.load(Path(path).read_text(encoding="utf-8"), _UniqueKeys)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML"
        raise ConfigError(f"{path}{f' row {mark.line + 1}' if mark else ''}: {problem}") from None


@cache
def read_schema(name):
    return yaml.safe_load((SCHEMAS / f"{name}.yaml").read_text(encoding="utf-8"))


def checked(value, schema, where):
    """``value`` with the defaults of the schema; ``where(key)`` begins the error. The first error is the one told."""
    for key, number in _numbers(value):
        if not math.isfinite(number):
            raise ConfigError(f"{where(key)}: {number} is not a finite number")
    errors = _FillingValidator(read_schema(schema)).iter_errors(value)
    error = min(errors, key=lambda e: [str(p) for p in e.absolute_path], default=None)
    if error is None:
        return value
    key = ".".join(str(part) for part in error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        raise ConfigError(f"{where(str(error.instance))}: a name is made of small letters, digits and underscores")
    if error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        unknown = next(name for name in error.instance if name not in allowed)
        key = f"{key}.{unknown}" if key else str(unknown)
        raise ConfigError(f"{where(key)}: no such key{_suggestion(unknown, allowed)}; {_all_of(allowed)}")
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        description = error.schema["properties"][missing]["description"]
        raise ConfigError(f"{where(f'{key}.{missing}' if key else missing)}: missing; needed: {description}")
    description = error.schema.get("description")
    place = where(key).removesuffix(": ")  # nothing after it where the whole file is of the wrong kind
    if error.validator in ("type", "pattern", "enum") and description:
        raise ConfigError(f"{place}: {error.instance!r} is not {description}")
    raise ConfigError(f"{place}: {error.message}" + (f"; needed: {description}" if description else ""))


def _numbers(value, key=""):
    """Every float in nested dicts and lists, with its dotted key."""
    if isinstance(value, float):
        yield key, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _numbers(part, f"{key}.{name}" if key else str(name))


def _filling(validator_class):
    """The validator, also setting defaults (the recipe of the jsonschema documentation)."""
    properties = validator_class.VALIDATORS["properties"]

    def fill(validator, schema, instance, whole):
        if isinstance(instance, dict):
            for name, part in schema.items():
                if "default" in part:
                    instance.setdefault(name, part["default"])
        yield from properties(validator, schema, instance, whole)

    types = validator_class.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)  # 2.0 is none
    return validators.extend(validator_class, {"properties": fill}, type_checker=types)


_FillingValidator = _filling(Draft202012Validator)


def _typed(text, schema, where):
    kinds = {"integer": int, "number": float}
    if schema["type"] not in kinds:
        return text
    if not text.isascii() or "_" in text:
        raise ConfigError(f"{where}: {text!r} is not {schema['description']}")
    try:
        value = kinds[schema["type"]](text)
    except ValueError:
        raise ConfigError(f"{where}: {text!r} is not {schema['description']}") from None
    if not math.isfinite(value):
        raise ConfigError(f"{where}: {text!r} is not {schema['description']}")
    return value


def _suggestion(word, known):
    close = difflib.get_close_matches(str(word), list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _all_of(known):
    return f"allowed: {', '.join(known) or 'none'}"
