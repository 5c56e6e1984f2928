# The large study: independent streams, exact truth, and cells cut into chunks that are jobs of their own. Not part of
# `all`; once `snakemake large` was run, its chapter is in the paper.
rule large:
    input:
        expand("results/large/{table}.csv", table=LARGE_TABLES),
        expand(
            "results/figures/{figure}.svg",
            figure=[name for name, figure in FIGURES.items() if figure["plot"] in LARGE_PLOTS],
        ),


rule draw_and_score:
    input:
        simulate=code_of("simulate.py"),
        score=code_of("score.py"),
    output:
        surveys=temp("results/large/chunks/{cell}/{chunk}.npz"),
        scores="results/large/chunks/{cell}/{chunk}.csv",
    log:
        "results/logs/large/{cell}/{chunk}.log",
    benchmark:
        "results/benchmarks/large/{cell}/{chunk}.tsv"
    params:
        drawing=lambda wildcards: chunk_options(wildcards.cell, LARGE_CELLS[wildcards.cell], LARGE, wildcards.chunk),
        estimators=lambda wildcards: LARGE_CELLS[wildcards.cell]["estimators"],
    shell:
        "(python {input.simulate[0]} {params.drawing:q} --output {output.surveys:q} &&"
        " python {input.score[0]} --surveys {output.surveys:q} --estimators {params.estimators}"
        " --output {output.scores:q}) > {log:q} 2>&1"


rule gather:
    input:
        chunks=lambda wildcards: [
            f"results/large/chunks/{wildcards.cell}/{chunk}.csv"
            for chunk, _ in enumerate(chunks(LARGE_CELLS[wildcards.cell]["surveys"], LARGE["chunk"]))
        ],
    output:
        "results/large/scores/{cell}.csv",
    log:
        "results/logs/large/gather/{cell}.log",
    shell:
        "(head -n 1 {input.chunks[0]:q} && tail -q -n +2 {input.chunks:q}) > {output:q} 2> {log:q}"


rule summarise_large:
    input:
        code=code_of("summarise.py"),
        scores=large_scores(LARGE["cells"]),
    output:
        bias=large_table("bias"),
        cells=large_table("cells"),
    log:
        "results/logs/large/summarise.log",
    benchmark:
        "results/benchmarks/large/summarise.tsv"
    params:
        batch=DESIGN["batch"],
    shell:
        "python {input.code[0]} --scores {input.scores:q} --batch {params.batch}"
        " --bias-table {output.bias:q} --cell-table {output.cells:q} > {log:q} 2>&1"


rule compare_with_article:
    input:
        code=code_of("compare_with_article.py"),
        article="results/tables/bias.csv",
        large="results/large/bias.csv",
        scores=expand("results/scores/{cell}.csv", cell=[name for name in SCORED if name in LARGE["cells"]]),
    output:
        against=large_table("against_article"),
        truth=large_table("truth_error"),
    log:
        "results/logs/large/compare_with_article.log",
    benchmark:
        "results/benchmarks/large/compare_with_article.tsv"
    shell:
        "python {input.code[0]} --article {input.article:q} --large {input.large:q} --scores {input.scores:q}"
        " --against-table {output.against:q} --truth-table {output.truth:q} > {log:q} 2>&1"


rule examine_pairs:
    input:
        code=code_of("examine_pairs.py"),
        scores=large_scores(name for name, cell in LARGE["cells"].items() if "lpo" in cell["estimators"]),
    output:
        large_table("pairs"),
    log:
        "results/logs/large/examine_pairs.log",
    benchmark:
        "results/benchmarks/large/examine_pairs.tsv"
    shell:
        "python {input.code[0]} --scores {input.scores:q} --output {output:q} > {log:q} 2>&1"


rule fit_decay:
    input:
        code=code_of("fit_decay.py"),
        bias="results/large/bias.csv",
    output:
        points=large_table("decay"),
        fit=large_table("decay_fit"),
    log:
        "results/logs/large/fit_decay.log",
    benchmark:
        "results/benchmarks/large/fit_decay.tsv"
    params:
        sites=labelled({name: cell["sites"] for name, cell in LARGE["cells"].items() if cell["slope"] == 0}),
    shell:
        "python {input.code[0]} --bias-table {input.bias:q} --sites {params.sites:q}"
        " --points {output.points:q} --fit {output.fit:q} > {log:q} 2>&1"


rule summarise_map:
    input:
        code=code_of("summarise_map.py"),
        scores=large_scores(LARGE["map"]),
    output:
        map=large_table("map"),
        collapse=large_table("collapse"),
    log:
        "results/logs/large/summarise_map.log",
    benchmark:
        "results/benchmarks/large/summarise_map.tsv"
    params:
        cells=labelled(
            {
                name: ",".join(f"{cell[key]:g}" for key in ("presences", "sites", "slope", "prevalence"))
                for name, cell in LARGE["map"].items()
            }
        ),
    shell:
        "python {input.code[0]} --scores {input.scores:q} --cells {params.cells:q}"
        " --map-table {output.map:q} --collapse-table {output.collapse:q} > {log:q} 2>&1"
