rule summarise:
    input:
        code=code_of("summarise.py"),
        scores=expand("results/scores/{cell}.csv", cell=SCORED),
    output:
        bias=table("bias"),
        cells=table("cells"),
    log:
        "results/logs/summarise.log",
    benchmark:
        "results/benchmarks/summarise.tsv"
    params:
        batch=DESIGN["batch"],
    shell:
        "python {input.code[0]} --scores {input.scores:q} --batch {params.batch}"
        " --bias-table {output.bias:q} --cell-table {output.cells:q} > {log:q} 2>&1"
