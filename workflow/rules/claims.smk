rule check_claims:
    input:
        code=code_of("check_claims.py"),
        bias="results/tables/bias.csv",
        channels="results/tables/channels.csv",
        example="results/tables/example.csv",
        check="results/tables/published_check.csv",
        coverage="results/tables/coverage.csv",
        by_size="results/tables/coverage_by_size.csv",
        f1="results/tables/f1_bias.csv",
        consistency="results/tables/consistency.csv",
        adjusted="results/tables/f1_adjusted.csv",
        tilt=expand("results/tilt/{cell}.csv", cell=TILT),
        large=shown_results("large"),
        communities=shown_results("communities"),
        replayed="results/tables/distributional_bias.csv",
        rebalanced=shown_results("rebalanced"),
    output:
        table("claims"),
    log:
        "results/logs/check_claims.log",
    benchmark:
        "results/benchmarks/check_claims.tsv"
    params:
        options=options(evaluate=CONFIG["check_claims"]),
    shell:
        "python {input.code[0]} --bias-table {input.bias:q} --channel-table {input.channels:q}"
        " --example-sites {input.example:q} --published-check {input.check:q} --coverage-table {input.coverage:q}"
        " --coverage-by-size {input.by_size:q} --f1-table {input.f1:q} --consistency-table {input.consistency:q}"
        " --adjusted-table {input.adjusted:q}"
        " --tilt {input.tilt:q} --large {input.large:q}"
        " --distributional-bias {input.replayed:q} --rebalanced {input.rebalanced:q}"
        " --communities {input.communities:q} {params.options:q}"
        " --output {output:q} > {log:q} 2>&1"
