rule measure_tilt:
    input:
        code=code_of("measure_tilt.py"),
        surveys="results/simulated/{cell}.npz",
    output:
        report(
            "results/tilt/{cell}.csv",
            caption="../report/tilt.rst",
            category="Tilt",
            labels={"surveys": "{cell}"},
        ),
    log:
        "results/logs/tilt/{cell}.log",
    benchmark:
        "results/benchmarks/tilt/{cell}.tsv"
    shell:
        "python {input.code[0]} --surveys {input.surveys:q} --output {output:q} > {log:q} 2>&1"


rule describe_example:
    input:
        code=code_of("describe_example.py"),
        surveys=f"results/simulated/{EXAMPLE}.npz",
    output:
        sites=table("example"),
        summary=table("example_summary"),
    log:
        "results/logs/describe_example.log",
    benchmark:
        "results/benchmarks/describe_example.tsv"
    params:
        slope=CELLS[EXAMPLE]["slope"],
    shell:
        "python {input.code[0]} --surveys {input.surveys:q} --slope {params.slope}"
        " --sites-table {output.sites:q} --summary-table {output.summary:q} > {log:q} 2>&1"
