# All settings, since the paper states every one; the rules of the study get their own few.
rule record_settings:
    output:
        "results/paper/settings.json",
    log:
        "results/logs/record_settings.log",
    benchmark:
        "results/benchmarks/record_settings.tsv"
    params:
        settings=lambda wildcards: json.dumps(
            {
                "config": CONFIG,
                "cells": CELLS,
                "criteria": CRITERIA,
                "rebalanced": REBALANCED,
                "surveys": SURVEYS,
                "communities": COMMUNITIES,
                "large": {key: LARGE[key] for key in ("streams", "chunk", "cells", "grid")},
                "coverage": COVERAGE["recorded"] | INVERSION,
                "fit": FIT,
            },
            indent=1,
        ),
    shell:
        "(printf '%s\\n' {params.settings:q} > {output:q}) 2> {log:q}"


rule write_manuscript:
    input:
        code=code_of("write_manuscript.py"),
        chapters=[chapter["path"] for chapter in CHAPTERS],
        results=list(dict.fromkeys(path for chapter in CHAPTERS for path in chapter["results"])),
        check="results/tables/published_check.csv",
        claims="results/tables/claims.csv",
        figures_list=CONFIG["figures"],
        lock="envs/requirements.lock",
        settings="results/paper/settings.json",
    output:
        "results/paper/paper.md",
    log:
        "results/logs/write_manuscript.log",
    benchmark:
        "results/benchmarks/write_manuscript.tsv"
    params:
        data=options(data=labelled({figure: ", ".join(figure_files(figure)) for figure in FIGURES})),
    shell:
        "python {input.code[0]} --chapters {input.chapters:q} --results {input.results:q}"
        " --published-check {input.check:q} --claims {input.claims:q} --figures-list {input.figures_list:q}"
        " {params.data:q} --lock {input.lock:q} --settings {input.settings:q} --output {output:q} > {log:q} 2>&1"


rule typeset:
    input:
        code=code_of("typeset.py"),
        manuscript="results/paper/paper.md",
        style=lambda wildcards: [f"{PAPER}/{name}" for name in STYLE[wildcards.kind]],
        figures=expand("results/figures/{figure}.svg", figure=SHOWN),
    output:
        report(
            "results/paper/paper.{kind}",
            caption="../report/paper.rst",
            category="Paper",
            labels={"format": "{kind}"},
        ),
    log:
        "results/logs/typeset/{kind}.log",
    benchmark:
        "results/benchmarks/typeset/{kind}.tsv"
    params:
        folder=PAPER,
    shell:
        "python {input.code[0]} --manuscript {input.manuscript:q} --style {params.folder:q}"
        " --output {output:q} > {log:q} 2>&1"
