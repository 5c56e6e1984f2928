rule render_figure:
    input:
        code=lambda wildcards: code_of(f"figure_{FIGURES[wildcards.figure]['plot']}.py"),
        tables=lambda wildcards: figure_files(wildcards.figure),
    output:
        svg=report(
            "results/figures/{figure}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        png="results/figures/{figure}.png",
    log:
        "results/logs/figures/{figure}.log",
    benchmark:
        "results/benchmarks/figures/{figure}.tsv"
    params:
        options=lambda wildcards: figure_options(wildcards),
        caption=lambda wildcards: FIGURES[wildcards.figure]["caption"],
    shell:
        "MPLBACKEND=Agg python {input.code[0]} {params.options:q} --svg {output.svg:q} --png {output.png:q}"
        " > {log:q} 2>&1"
