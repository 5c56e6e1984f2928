# Distributional bias and its rebalanced repair. What replays a published figure belongs to `all`; the rest is the target
# `rebalanced`, and once that was run, its chapter is in the paper.
rule rebalanced:
    input:
        expand("results/rebalanced/{table}.csv", table=["no_signal", "bias", "classification", "classifier_tests"]),
        expand("results/rebalanced/{table}.csv", table=["regression", "regression_tests", "tuning_losses"]),
        expand(
            "results/figures/{figure}.svg",
            figure=[name for name, figure in FIGURES.items() if figure["plot"] in REBALANCED_PLOTS],
        ),


rule cross_validate_no_signal:
    input:
        code=code_of("cross_validate_no_signal.py"),
    output:
        rebalanced_table("no_signal/{experiment}"),
    log:
        "results/logs/rebalanced/no_signal/{experiment}.log",
    benchmark:
        "results/benchmarks/rebalanced/no_signal/{experiment}.tsv"
    params:
        options=experiment_options,
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"


rule score_training_mean:
    input:
        code=code_of("score_training_mean.py"),
    output:
        rebalanced_table("training_mean"),
    log:
        "results/logs/rebalanced/score_training_mean.log",
    benchmark:
        "results/benchmarks/rebalanced/score_training_mean.tsv"
    params:
        options=options(**REBALANCED["training_mean"]),
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"


rule regress_no_signal:
    input:
        code=code_of("regress_no_signal.py"),
    output:
        means=rebalanced_table("mean_of_others"),
        regression=rebalanced_table("noise_regression"),
    log:
        "results/logs/rebalanced/regress_no_signal.log",
    benchmark:
        "results/benchmarks/rebalanced/regress_no_signal.tsv"
    params:
        options=options(**REBALANCED["regression"]),
    shell:
        "python {input.code[0]} {params.options:q} --mean-table {output.means:q}"
        " --regression-table {output.regression:q} > {log:q} 2>&1"


rule summarise_replayed:
    input:
        code=code_of("summarise_no_signal.py"),
        tables=expand("results/rebalanced/no_signal/{experiment}.csv", experiment=REPLAYED),
        means="results/rebalanced/mean_of_others.csv",
        regression="results/rebalanced/noise_regression.csv",
    output:
        table("distributional_bias"),
    log:
        "results/logs/summarise_replayed.log",
    benchmark:
        "results/benchmarks/summarise_replayed.tsv"
    params:
        options=summary_options(REPLAYED),
    shell:
        "python {input.code[0]} --tables {input.tables:q} {params.options:q} --mean-table {input.means:q}"
        " --regression-table {input.regression:q} --output {output:q} > {log:q} 2>&1"


rule summarise_no_signal:
    input:
        code=code_of("summarise_no_signal.py"),
        tables=expand("results/rebalanced/no_signal/{experiment}.csv", experiment=EXPERIMENTS),
        means="results/rebalanced/mean_of_others.csv",
        regression="results/rebalanced/noise_regression.csv",
    output:
        rebalanced_table("no_signal"),
    log:
        "results/logs/rebalanced/summarise_no_signal.log",
    benchmark:
        "results/benchmarks/rebalanced/summarise_no_signal.tsv"
    params:
        options=summary_options(EXPERIMENTS),
    shell:
        "python {input.code[0]} --tables {input.tables:q} {params.options:q} --mean-table {input.means:q}"
        " --regression-table {input.regression:q} --output {output:q} > {log:q} 2>&1"


rule classify_packaged:
    input:
        code=code_of("classify_packaged.py"),
    output:
        aucs=rebalanced_table("classification"),
        tests=rebalanced_table("classifier_tests"),
    log:
        "results/logs/rebalanced/classify_packaged.log",
    benchmark:
        "results/benchmarks/rebalanced/classify_packaged.tsv"
    params:
        options=options(
            tables=json.dumps(REBALANCED["packaged"]["classification"]),
            **{key: REBALANCED["packaged"][key] for key in ("rows", "subsamples", "strengths", "strength", "seed")},
            least_of_each_class=DESIGN["least_of_each_class"],
        ),
    shell:
        "python {input.code[0]} {params.options:q} --auc-table {output.aucs:q} --test-table {output.tests:q} > {log:q} 2>&1"


rule regress_packaged:
    input:
        code=code_of("regress_packaged.py"),
    output:
        values=rebalanced_table("regression"),
        tests=rebalanced_table("regression_tests"),
    log:
        "results/logs/rebalanced/regress_packaged.log",
    benchmark:
        "results/benchmarks/rebalanced/regress_packaged.tsv"
    params:
        options=options(
            tables=json.dumps(REBALANCED["packaged"]["regression"]),
            **{key: REBALANCED["packaged"][key] for key in ("rows", "subsamples", "penalty", "seed")},
        ),
    shell:
        "python {input.code[0]} {params.options:q} --value-table {output.values:q}"
        " --test-table {output.tests:q} > {log:q} 2>&1"


rule score_rebalanced:
    input:
        simulate=code_of("simulate.py"),
        score=code_of("score.py"),
    output:
        surveys=temp("results/rebalanced/surveys/{cell}.npz"),
        scores="results/rebalanced/scores/{cell}.csv",
    log:
        "results/logs/rebalanced/scores/{cell}.log",
    benchmark:
        "results/benchmarks/rebalanced/scores/{cell}.tsv"
    params:
        drawing=lambda wildcards: rebalanced_options(wildcards.cell),
        estimators=lambda wildcards: REBALANCED["cells"][wildcards.cell]["estimators"],
    shell:
        "(python {input.simulate[0]} {params.drawing:q} --output {output.surveys:q} &&"
        " python {input.score[0]} --surveys {output.surveys:q} --estimators {params.estimators}"
        " --output {output.scores:q}) > {log:q} 2>&1"


# The first surveys of the same cell.
rule score_penalties:
    input:
        simulate=code_of("simulate.py"),
        score=code_of("score_penalties.py"),
    output:
        surveys=temp("results/rebalanced/penalised/{cell}.npz"),
        scores="results/rebalanced/penalised/{cell}.csv",
    log:
        "results/logs/rebalanced/penalised/{cell}.log",
    benchmark:
        "results/benchmarks/rebalanced/penalised/{cell}.tsv"
    params:
        drawing=lambda wildcards: rebalanced_options(wildcards.cell, REBALANCED["shrinkage"]["surveys"]),
        estimators=REBALANCED["shrinkage"]["estimators"],
        penalties=REBALANCED["shrinkage"]["penalties"],
    shell:
        "(python {input.simulate[0]} {params.drawing:q} --output {output.surveys:q} &&"
        " python {input.score[0]} --surveys {output.surveys:q} --estimators {params.estimators}"
        " --penalties {params.penalties} --output {output.scores:q}) > {log:q} 2>&1"


rule summarise_rebalanced:
    input:
        code=code_of("summarise_rebalanced.py"),
        scores=expand("results/rebalanced/scores/{cell}.csv", cell=REBALANCED["cells"]),
        penalised=expand("results/rebalanced/penalised/{cell}.csv", cell=REBALANCED["shrinkage"]["cells"]),
    output:
        rebalanced_table("bias"),
    log:
        "results/logs/rebalanced/summarise.log",
    benchmark:
        "results/benchmarks/rebalanced/summarise.tsv"
    params:
        options=options(
            sites=labelled({name: cell["sites"] for name, cell in REBALANCED["cells"].items()}),
            folds=DESIGN["folds"],
            pairs_at_most=DESIGN["pairs_at_most"],
        ),
    shell:
        "python {input.code[0]} --scores {input.scores:q} --penalised {input.penalised:q} {params.options:q}"
        " --output {output:q} > {log:q} 2>&1"


rule tune_penalty:
    input:
        simulate=code_of("simulate.py"),
        tune=code_of("tune_penalty.py"),
    output:
        surveys=temp("results/rebalanced/tuning/{tuned}.npz"),
        penalties=rebalanced_table("tuning/{tuned}"),
        losses="results/rebalanced/losses/{tuned}.csv",
    log:
        "results/logs/rebalanced/tuning/{tuned}.log",
    benchmark:
        "results/benchmarks/rebalanced/tuning/{tuned}.tsv"
    params:
        drawing=lambda wildcards: tuning_options(wildcards.tuned),
        options=lambda wildcards: options(
            cell=wildcards.tuned,
            likeness=REBALANCED["tuning"]["cells"][wildcards.tuned]["likeness"],
            **{key: REBALANCED["tuning"][key] for key in ("estimators", "penalties")},
        ),
    shell:
        "(python {input.simulate[0]} {params.drawing:q} --output {output.surveys:q} &&"
        " python {input.tune[0]} --surveys {output.surveys:q} {params.options:q}"
        " --penalty-table {output.penalties:q} --loss-table {output.losses:q}) > {log:q} 2>&1"


rule gather_losses:
    input:
        losses=expand("results/rebalanced/losses/{tuned}.csv", tuned=REBALANCED["tuning"]["cells"]),
    output:
        rebalanced_table("tuning_losses"),
    log:
        "results/logs/rebalanced/gather_losses.log",
    shell:
        "(head -n 1 {input.losses[0]:q} && tail -q -n +2 {input.losses:q}) > {output:q} 2> {log:q}"
