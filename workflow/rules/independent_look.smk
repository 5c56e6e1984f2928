rule look_independently:
    input:
        code=code_of("look_independently.py"),
        surveys=expand("results/simulated/{cell}.npz", cell=SCORED),
        scores=expand("results/scores/{cell}.csv", cell=SCORED),
    output:
        table("independent_look"),
    log:
        "results/logs/look_independently.log",
    benchmark:
        "results/benchmarks/look_independently.tsv"
    priority: 1  # the longest job: it starts as soon as it can
    params:
        options=options(**CONFIG["independent_look"]),
    shell:
        "python {input.code[0]} --surveys {input.surveys:q} --scores {input.scores:q} {params.options:q}"
        " --output {output:q} > {log:q} 2>&1"
