rule decompose_channels:
    input:
        code=code_of("decompose_channels.py"),
        scores=[
            f"results/scores/{name}.csv" for name in SCORED if {"loo", "slope_only"} <= set(CELLS[name]["estimators"])
        ],
    output:
        table("channels"),
    log:
        "results/logs/decompose_channels.log",
    benchmark:
        "results/benchmarks/decompose_channels.tsv"
    shell:
        "python {input.code[0]} --scores {input.scores:q} --output {output:q} > {log:q} 2>&1"
