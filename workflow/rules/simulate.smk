rule simulate:
    input:
        code=code_of("simulate.py"),
        before=cell_before,
    output:
        surveys="results/simulated/{cell}.npz",
        state="results/simulated/{cell}.state.json",
    log:
        "results/logs/simulate/{cell}.log",
    benchmark:
        "results/benchmarks/simulate/{cell}.tsv"
    params:
        options=lambda wildcards: drawing_options(wildcards.cell, CELLS[wildcards.cell], CONFIG["streams"]),
    shell:
        "python {input.code[0]} {params.options:q} --state-before {input.before:q}"
        " --state-after {output.state:q} --output {output.surveys:q} > {log:q} 2>&1"
