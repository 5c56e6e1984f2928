rule write_page:
    input:
        code=code_of("write_page.py"),
        template="workflow/paper/index.html.j2",
        figures_list=CONFIG["figures"],
        figures=expand("results/figures/{figure}.svg", figure=FIGURES),
        check="results/tables/published_check.csv",
        look="results/tables/independent_look.csv",
        claims="results/tables/claims.csv",
        bias="results/tables/bias.csv",
        tilt=expand("results/tilt/{cell}.csv", cell=TILT),
        surveys=expand("results/surveys/{survey}/scores.csv", survey=SURVEYS),
    output:
        "results/paper/index.html",
    log:
        "results/logs/write_page.log",
    benchmark:
        "results/benchmarks/write_page.tsv"
    params:
        options=options(
            sources=labelled({name: survey["source"] for name, survey in SURVEYS.items()}),
            data=labelled({figure: ", ".join(figure_tables(figure).values()) for figure in FIGURES}),
            sites=labelled({cell: CELLS[cell]["sites"] for cell in TILT}),
            pairs_at_most=DESIGN["pairs_at_most"],
            look_tolerance=CONFIG["independent_look"]["tolerance"],
            look_tolerance_of_truth=CONFIG["independent_look"]["tolerance_of_truth"],
            trial=CONFIG["surveys_at_most"] is not None,
        ),
    shell:
        "python {input.code[0]} --template {input.template:q} --figures-list {input.figures_list:q}"
        " --figures {input.figures:q} --published-check {input.check:q} --independent-look {input.look:q}"
        " --claims {input.claims:q}"
        " --bias-table {input.bias:q}"
        " --tilt {input.tilt:q} --surveys {input.surveys:q} {params.options:q} --output {output:q} > {log:q} 2>&1"
