import inspect
import json
import shlex
import sys
from pathlib import Path

sys.path[:0] = [f"{workflow.basedir}/workflow", f"{workflow.basedir}/scripts"]

from code_inputs import code_of
from surveyauc.estimators import ESTIMATORS
from surveyauc.holdout import DRAWS
from surveyauc.inversion import PLAUSIBLE, UNLIKELY_TRUTHS
from surveyauc.logistic import fit_masked
from surveyauc.ranks import TIE_TOLERANCE
from validation import (
    EXAMPLE,
    FOLDED,
    LARGE_PLOTS,
    PAPER,
    REBALANCED_PLOTS,
    UNSCORED,
    ConfigError,
    is_scored,
    load_config,
)

OVERRIDDEN = bool(config or workflow.configfiles)  # by --config or --configfile
try:
    # Read here, not by a configfile directive, so that an error in it is one line too. On top of it goes what the
    # command line gives (--configfile, --config).
    CONFIG, CELLS, LARGE, COVERAGE, CRITERIA, REBALANCED, SURVEYS, COMMUNITIES, FIGURES, CHAPTERS = load_config(
        "config/config.yaml", config, workflow.configfiles
    )
except ConfigError as error:
    sys.exit(f"{error}")

# Jobs run the interpreter that runs Snakemake, whether or not its environment is activated.
shell.executable("bash")
shell.prefix(f'set -euo pipefail; export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"; ')

DESIGN = CONFIG["design"]
TILT = [name for name, cell in CELLS.items() if cell["section"] in UNSCORED]
SCORED = [name for name, cell in CELLS.items() if is_scored(cell)]
FIT = {name: inspect.signature(fit_masked).parameters[name].default for name in ("tolerance", "max_iterations")}
FIT["tie_tolerance"] = TIE_TOLERANCE
INVERSION = {"plausible": PLAUSIBLE, "unlikely_truths": UNLIKELY_TRUTHS * COVERAGE["alpha"]}
TABLES = [
    *("bias", "cells", "channels", "example", "example_summary"),
    *("published_check", "independent_look", "claims", "vignette", "coverage", "coverage_by_size"),
    *("f1_bias", "consistency", "f1_adjusted", "distributional_bias"),
]
STYLE = {  # what the paper is typeset with, by kind
    kind: [*files, "accessible.lua", "metadata.yaml", "references.bib"]
    for kind, files in {"html": ["paper.html", "paper.css", "paper.js"], "pdf": ["paper.typ"]}.items()
}
SHOWN = [figure for chapter in CHAPTERS for figure in chapter["figures"]]  # by the chapters that the paper has now
# What the large study makes, from its own cells and those of its map.
LARGE_CELLS = LARGE["cells"] | LARGE["map"]
LARGE_TABLES = ["bias", "cells", "against_article", "truth_error", "pairs", "decay", "decay_fit", "map", "collapse"]
EXPERIMENTS = REBALANCED["no_signal"]["experiments"]
REPLAYED = [name for name, experiment in EXPERIMENTS.items() if experiment["engine"] == "replay"]
COMMUNITY_SUMMARIES = ["species", "by_table", "by_smaller_class"]
# What a build makes, and what an archive holds.
EVERYTHING = list(
    dict.fromkeys(
        [
            *expand("results/paper/paper.{kind}", kind=["html", "pdf", "md"]),
            "results/paper/settings.json",
            *expand("results/figures/{figure}.{kind}", figure=SHOWN, kind=["svg", "png"]),
            *expand("results/tables/{table}.csv", table=TABLES),
            *expand("results/scores/{cell}.csv", cell=SCORED),
            *expand("results/tilt/{cell}.csv", cell=TILT),
            *expand("results/surveys/{survey}/report.{kind}", survey=SURVEYS, kind=["csv", "json"]),
            *(path for chapter in CHAPTERS for path in chapter["results"]),
        ]
    )
)


wildcard_constraints:
    cell="|".join(dict.fromkeys([*CELLS, *LARGE["map"], *LARGE["cells"], *COVERAGE["cells"], *REBALANCED["cells"]])),
    experiment="|".join(EXPERIMENTS),
    tuned="|".join(REBALANCED["tuning"]["cells"]),
    survey="|".join(SURVEYS) or "-",
    community="|".join(COMMUNITIES["tables"]),
    figure="|".join(FIGURES) or "-",
    kind="html|pdf",
    chunk="[0-9]+",


def options(**values):
    """Command-line options from keywords; a list becomes several values, None and False leave the option out."""
    words = []
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words += [option, *map(str, value)]
        elif value is not None and value is not False:
            words.append(f"{option}={value}")
    return words


def table(name):
    """A table as an output, with its place in the report."""
    return report(
        f"results/tables/{name}.csv",
        caption=f"../report/tables/{name}.rst",
        category="Tables",
        labels={"table": name.replace("_", " ")},
    )


def cell_before(wildcards):
    """The state that the cell before this one left, where its stream is a replay and it is not the first."""
    cell = CELLS[wildcards.cell]
    if CONFIG["streams"][cell["stream"]]["engine"] != "replay":
        return []
    same = [name for name, other in CELLS.items() if other["stream"] == cell["stream"]]
    place = same.index(wildcards.cell)
    return [f"results/simulated/{same[place - 1]}.state.json"] if place else []


def drawing_options(name, cell, streams, first=None, design=DESIGN):
    """All that decides what is drawn for a cell: its model, its stream, and what its estimators need. With ``first``,
    for a chunk that begins with this survey and whose truth is exact."""
    stream = streams[cell["stream"]]
    needed = {ESTIMATORS[name].draw for name in cell["estimators"]}
    draws = [name for name in DRAWS if name in needed]
    tilt = cell.get("section") in UNSCORED
    return options(
        cell=name,
        engine=stream["engine"],
        seed=stream["seed"],
        sites=cell["sites"],
        slope=cell["slope"],
        prevalence=cell["prevalence"],
        noise_covariates=cell["noise_covariates"],
        first=first,
        surveys=cell["surveys"],
        presences=cell.get("presences"),
        least_of_each_class=design["least_of_each_class"],
        fresh_sites=None if tilt or first is not None else DESIGN["fresh_sites"],
        draws=["tilt_absences"] if tilt else draws or None,
        folds=design["folds"] if FOLDED & set(draws) else None,
        pairs_at_most=design["pairs_at_most"] if "pairs" in draws else None,
        tilt_absences=DESIGN["tilt_absences"] if tilt else None,
    )


def survey_table(wildcards):
    """The tables as inputs, unless an installed package ships them."""
    survey = SURVEYS[wildcards.survey]
    return [] if "package" in survey else [survey[key] for key in ("file", "covariate_file") if key in survey]


def survey_options(wildcards):
    survey = SURVEYS[wildcards.survey]
    apart = ("package", "file", "source")  # the rest says how it is read and scored
    reading = json.dumps({key: value for key, value in survey.items() if key not in apart and value is not None})
    return options(name=wildcards.survey, package=survey.get("package"), file=survey["file"], options=reading)


def community_options(wildcards):
    table = COMMUNITIES["tables"][wildcards.community]
    return options(
        package=COMMUNITIES["package"],
        species=table["species"],
        sites=table["sites"],
        presence_if=COMMUNITIES["presence_if"],
        covariates=table["covariates"],
        least=COMMUNITIES["least_of_each_class"],
    )


def community_table(name):
    return report(
        f"results/communities/{name}.csv",
        caption="../report/communities.rst",
        category="Communities",
        labels={"table": name.replace("_", " ")},
    )


def figure_tables(figure):
    """The tables that a figure is drawn from, by the name of the option that takes them."""
    bias, channels = "results/tables/bias.csv", "results/tables/channels.csv"
    return {
        "tilt": {"sites_table": "results/tables/example.csv"},
        "bias": {"bias_table": bias},
        "sites_and_channels": {"bias_table": bias, "channel_table": channels},
        "against_article": {"against_table": "results/large/against_article.csv"},
        "map": {"map_table": "results/large/map.csv"},
        "collapse": {"map_table": "results/large/map.csv"},
        "coverage": {"coverage_table": "results/tables/coverage.csv"},
        "f1": {"f1_table": "results/tables/f1_bias.csv"},
        "consistency": {"consistency_table": "results/tables/consistency.csv"},
        "communities": {"species_table": "results/communities/species.csv"},
        "training_mean": {
            "score_table": "results/rebalanced/training_mean.csv",
            "mean_table": "results/rebalanced/mean_of_others.csv",
        },
        **dict.fromkeys(
            ["boxes", "heat_map"],
            {"auc_table": [f"results/rebalanced/no_signal/{name}.csv" for name in FIGURES[figure].get("panels", {})]},
        ),
        "packaged_strengths": {"auc_table": "results/rebalanced/classification.csv"},
        "packaged": {
            "auc_table": "results/rebalanced/classification.csv",
            "regression_table": "results/rebalanced/regression.csv",
        },
        "noise_regression": {"regression_table": "results/rebalanced/noise_regression.csv"},
        "shrinkage": {"bias_table": "results/rebalanced/bias.csv"},
        "tuning": {
            "penalty_table": [f"results/rebalanced/tuning/{name}.csv" for name in FIGURES[figure].get("panels", {})]
        },
        "decay": {"points_table": "results/large/decay.csv", "fit_table": "results/large/decay_fit.csv"},
    }[FIGURES[figure]["plot"]]


def figure_files(figure):
    """The paths of these tables."""
    files = figure_tables(figure).values()
    return [path for entry in files for path in ([entry] if isinstance(entry, str) else entry)]


def figure_options(wildcards):
    """What a figure shows: its tables, its panels and its size."""
    figure = FIGURES[wildcards.figure]
    size_panels = figure.get("size_panels", {})
    sites = {cell: CELLS[cell]["sites"] for cells in size_panels.values() for cell in cells}
    return options(
        **figure_tables(wildcards.figure),
        panels=labelled(figure.get("panels", {})),
        sites=labelled(sites),
        size_panels=labelled({label: ",".join(cells) for label, cells in size_panels.items()}),
        channel_panels=labelled(figure.get("channel_panels", {})),
        level=1 - COVERAGE["alpha"] if figure["plot"] == "coverage" else None,
        strength=REBALANCED["packaged"]["strength"] if figure["plot"] == "packaged" else None,
        size=figure["size"],
    )


def labelled(pairs):
    """NAME=VALUE words, or None where there are none."""
    return [f"{name}={value}" for name, value in pairs.items()] or None


def chunks(surveys, size):
    """(first survey, number of surveys) of each chunk."""
    return [(first, min(size, surveys - first)) for first in range(0, surveys, size)]


def chunk_options(name, cell, study, chunk):
    """What a chunk of a cell draws, in the large study or that of coverage."""
    first, surveys = chunks(cell["surveys"], study["chunk"])[int(chunk)]
    return drawing_options(name, cell | {"surveys": surveys}, study["streams"], first, study.get("design", DESIGN))


def shown_results(study):
    """The tables of a study with a target of its own that the paper shows now."""
    paths = {path for chapter in CHAPTERS for path in chapter["results"]}
    apart = f"results/{study}/no_signal/"  # data sets, which no claim is about, and some of the default build
    return sorted(path for path in paths if path.startswith(f"results/{study}/") and not path.startswith(apart))


def large_scores(cells):
    return [f"results/large/scores/{cell}.csv" for cell in cells]


def large_table(name):
    return report(
        f"results/large/{name}.csv",
        caption=f"../report/large/{name}.rst",
        category="Large study",
        labels={"table": name.replace("_", " ")},
    )


def experiment_options(wildcards):
    experiment = EXPERIMENTS[wildcards.experiment]
    apart = ("figure", "published", "tested_balances")
    return options(
        experiment=wildcards.experiment,
        balances=REBALANCED["no_signal"]["balances"],
        **{key: value for key, value in experiment.items() if key not in apart and value != []},
    )


def summary_options(experiments):
    """What the source shows of these experiments, and which balances it tests."""
    tested = {name: EXPERIMENTS[name].get("tested_balances") for name in experiments}
    return options(
        figures=labelled({name: EXPERIMENTS[name]["figure"] for name in experiments}),
        tested=labelled({name: ",".join(map(str, balances)) for name, balances in tested.items() if balances}),
    )


def rebalanced_options(name, most=None):
    """What is drawn for a cell of the study of rebalancing, of its first surveys if there are at most so many."""
    cell = REBALANCED["cells"][name]
    surveys = min(cell["surveys"], most or cell["surveys"])
    return drawing_options(name, cell | {"surveys": surveys}, REBALANCED["streams"], first=0)


def tuning_options(name):
    """What is drawn for the surveys that a penalty is chosen on."""
    tuning = REBALANCED["tuning"]
    cell = tuning["cells"][name] | {"stream": "tuning", **{key: tuning[key] for key in ("surveys", "estimators")}}
    return drawing_options(name, cell, {"tuning": {"engine": "independent", "seed": tuning["seed"]}}, first=0)


def rebalanced_table(name):
    return report(
        f"results/rebalanced/{name}.csv",
        caption="../report/rebalanced.rst",
        category="Rebalancing",
        labels={"table": name.replace("_", " ")},
    )


def interval_options(wildcards):
    """What a chunk of the study of coverage makes of its surveys."""
    cell = COVERAGE["cells"][wildcards.cell]
    first, _ = chunks(cell["surveys"], COVERAGE["chunk"])[int(wildcards.chunk)]
    return options(
        cell=wildcards.cell,
        seed=COVERAGE["streams"][cell["stream"]]["seed"],
        first=first,
        alpha=COVERAGE["alpha"],
        resamples=COVERAGE["resamples"],
        **COVERAGE["inversion"],
        **{f"pair_{name}": value for name, value in COVERAGE["pair_inversion"].items()},
    )
