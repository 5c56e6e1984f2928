rule score:
    input:
        code=code_of("score.py"),
        surveys="results/simulated/{cell}.npz",
    output:
        "results/scores/{cell}.csv",
    log:
        "results/logs/score/{cell}.log",
    benchmark:
        "results/benchmarks/score/{cell}.tsv"
    params:
        estimators=lambda wildcards: CELLS[wildcards.cell]["estimators"],
    shell:
        "python {input.code[0]} --surveys {input.surveys:q} --estimators {params.estimators}"
        " --output {output:q} > {log:q} 2>&1"
