# How often each interval covers the truth. Not part of `all`: the paper shows sums that are stored with the sources, and
# `snakemake coverage` makes them anew and says whether they are the same. Where none are stored the paper needs them made.
rule coverage:
    input:
        made="results/coverage/sums.csv",
    log:
        "results/logs/coverage/compare.log",
    params:
        stored=(COVERAGE["stored"] or {}).get("table", "workflow/paper/coverage.csv"),
        digest="those of a trial run" if CONFIG["surveys_at_most"] else COVERAGE["digest"],
    shell:
        "(cmp {input.made:q} {params.stored:q} && echo 'the same sums as {params.stored}'"
        " || echo 'not the stored sums; to store these: cp {input.made} {params.stored}, and in config/coverage.yaml"
        " under stored give their commit and settings: {params.digest}') 2>&1 | tee {log:q}"


rule summarise_coverage:
    input:
        code=code_of("summarise_coverage.py"),
        sums=(COVERAGE["stored"] or {"table": "results/coverage/sums.csv"})["table"],
    output:
        cells=table("coverage"),
        sizes=table("coverage_by_size"),
    log:
        "results/logs/summarise_coverage.log",
    benchmark:
        "results/benchmarks/summarise_coverage.tsv"
    params:
        cells=list(COVERAGE["cells"]),
        slopes=[cell["slope"] for cell in COVERAGE["cells"].values()],
        groups=COVERAGE["smaller_class"],
    shell:
        "python {input.code[0]} --sums {input.sums:q} --cells {params.cells} --slopes {params.slopes} --smaller-class {params.groups}"
        " --cell-table {output.cells:q} --size-table {output.sizes:q} > {log:q} 2>&1"


rule measure_coverage:
    input:
        simulate=code_of("simulate.py"),
        measure=code_of("measure_coverage.py"),
    output:
        surveys=temp("results/coverage/chunks/{cell}/{chunk}.npz"),
        intervals="results/coverage/chunks/{cell}/{chunk}.csv",
    log:
        "results/logs/coverage/{cell}/{chunk}.log",
    benchmark:
        "results/benchmarks/coverage/{cell}/{chunk}.tsv"
    params:
        drawing=lambda wildcards: chunk_options(
            wildcards.cell, COVERAGE["cells"][wildcards.cell], COVERAGE, wildcards.chunk
        ),
        measuring=interval_options,
    shell:
        "(python {input.simulate[0]} {params.drawing:q} --output {output.surveys:q} &&"
        " python {input.measure[0]} --surveys {output.surveys:q} {params.measuring:q}"
        " --output {output.intervals:q}) > {log:q} 2>&1"


rule sum_coverage:
    input:
        code=code_of("sum_coverage.py"),
        chunks=[
            f"results/coverage/chunks/{name}/{chunk}.csv"
            for name, cell in COVERAGE["cells"].items()
            for chunk, _ in enumerate(chunks(cell["surveys"], COVERAGE["chunk"]))
        ],
    output:
        "results/coverage/sums.csv",
    log:
        "results/logs/coverage/sum.log",
    benchmark:
        "results/benchmarks/coverage/sum.tsv"
    params:
        groups=COVERAGE["smaller_class"],
    shell:
        "python {input.code[0]} --chunks {input.chunks:q} --smaller-class {params.groups} --output {output:q} > {log:q} 2>&1"
