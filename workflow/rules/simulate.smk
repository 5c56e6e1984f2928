from surveyauc.estimators import ESTIMATORS
from surveyauc.holdout import DRAWS


def cell_before(wildcards):
    """The state that the cell before this one left, where its stream is a replay and it is not the first."""
    cell = CELLS[wildcards.cell]
    if CONFIG["streams"][cell["stream"]]["engine"] != "replay":
        return []
    same = [name for name, other in CELLS.items() if other["stream"] == cell["stream"]]
    place = same.index(wildcards.cell)
    return [f"results/simulated/{same[place - 1]}.state.json"] if place else []


def drawing_options(wildcards):
    """All that decides what is drawn for a cell: its model, its stream, and what its estimators need."""
    cell = CELLS[wildcards.cell]
    stream = CONFIG["streams"][cell["stream"]]
    needed = {ESTIMATORS[name].draw for name in cell["estimators"]}
    draws = [name for name in DRAWS if name in needed]
    tilt = cell["section"] == "tilt"
    return options(
        cell=cell["name"],
        engine=stream["engine"],
        seed=stream["seed"],
        sites=cell["sites"],
        slope=cell["slope"],
        prevalence=cell["prevalence"],
        noise_covariates=cell["noise_covariates"],
        surveys=cell["surveys"],
        least_of_each_class=DESIGN["least_of_each_class"],
        fresh_sites=None if tilt else DESIGN["fresh_sites"],
        draws=["tilt_absences"] if tilt else draws or None,
        folds=(
            DESIGN["folds"]
            if {"random_folds", "stratified_folds"} & set(draws)
            else None
        ),
        pairs_at_most=DESIGN["pairs_at_most"] if "pairs" in draws else None,
        tilt_absences=DESIGN["tilt_absences"] if tilt else None,
    )


rule simulate:
    input:
        code=code_of("simulate.py"),
        before=cell_before,
    output:
        surveys="results/simulated/{cell}.npz",
        state="results/simulated/{cell}.state.json",
    params:
        options=drawing_options,
    log:
        "results/logs/simulate/{cell}.log",
    benchmark:
        "results/benchmarks/simulate/{cell}.tsv"
    shell:
        "python {input.code[0]} {params.options:q} --state-before {input.before:q}"
        " --state-after {output.state:q} --output {output.surveys:q} > {log:q} 2>&1"
