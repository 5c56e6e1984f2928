rule check_published:
    input:
        code=code_of("check_published.py"),
        published=CONFIG["published"],
        scores=expand("results/scores/{cell}.csv", cell=SCORED),
        tilt=expand("results/tilt/{cell}.csv", cell=TILT),
        bias="results/tables/bias.csv",
        example_sites="results/tables/example.csv",
        example_summary="results/tables/example_summary.csv",
        vignette="results/tables/vignette.csv",
        replayed="results/tables/distributional_bias.csv",
    output:
        table("published_check"),
    log:
        "results/logs/check_published.log",
    benchmark:
        "results/benchmarks/check_published.tsv"
    params:
        options=options(
            fresh_sites=DESIGN["fresh_sites"],
            separation_limit=DESIGN["separation_limit"],
            strict=CONFIG["check_published"],
        ),
    shell:
        "python {input.code[0]} --published {input.published:q} --scores {input.scores:q} --tilt {input.tilt:q}"
        " --bias-table {input.bias:q} --example-sites {input.example_sites:q}"
        " --example-summary {input.example_summary:q} --vignette {input.vignette:q}"
        " --distributional-bias {input.replayed:q} {params.options:q}"
        " --output {output:q} > {log:q} 2>&1"
