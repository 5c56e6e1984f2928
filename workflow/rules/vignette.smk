rule replay_vignette:
    input:
        code=code_of("replay_vignette.py"),
    output:
        table("vignette"),
    log:
        "results/logs/replay_vignette.log",
    benchmark:
        "results/benchmarks/replay_vignette.tsv"
    params:
        options=options(**CONFIG["vignette"]),
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"
