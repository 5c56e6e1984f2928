# AUC and F1 are not averages over sites: what that does to their estimates.
rule measure_f1:
    input:
        code=code_of("measure_f1.py"),
        surveys=expand("results/simulated/{cell}.npz", cell=CRITERIA["cells"]),
    output:
        table("f1_bias"),
    log:
        "results/logs/measure_f1.log",
    benchmark:
        "results/benchmarks/measure_f1.tsv"
    params:
        options=options(
            prevalences=labelled({cell: CELLS[cell]["prevalence"] for cell in CRITERIA["cells"]}),
            threshold_cells=CRITERIA["threshold_cells"],
            few_presences=labelled(CRITERIA["few_presences"]),
            folds=DESIGN["folds"],
            least_of_each_class=DESIGN["least_of_each_class"],
            empty=CRITERIA["empty"],
        ),
    shell:
        "python {input.code[0]} --surveys {input.surveys:q} {params.options:q} --output {output:q} > {log:q} 2>&1"


rule show_consistency:
    input:
        code=code_of("show_consistency.py"),
    output:
        consistency=table("consistency"),
        adjusted=table("f1_adjusted"),
    log:
        "results/logs/show_consistency.log",
    benchmark:
        "results/benchmarks/show_consistency.tsv"
    params:
        options=options(
            **CRITERIA["consistency"],
            empty=CRITERIA["empty"],
            designs=labelled(
                {
                    name: "{presences},{absences}".format(**sizes)
                    for name, sizes in CRITERIA["adjusted"]["designs"].items()
                }
            ),
            target=CRITERIA["adjusted"]["target"],
            design_samples=CRITERIA["adjusted"]["samples"],
            design_seed=CRITERIA["adjusted"]["seed"],
            alpha=CRITERIA["adjusted"]["alpha"],
        ),
    shell:
        "python {input.code[0]} {params.options:q} --consistency-table {output.consistency:q}"
        " --coverage-table {output.adjusted:q} > {log:q} 2>&1"
