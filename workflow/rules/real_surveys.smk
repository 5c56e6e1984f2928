rule score_real_survey:
    input:
        code=code_of("score_real_survey.py"),
        table=survey_table,
    output:
        report(
            "results/surveys/{survey}/scores.csv",
            caption="../report/survey.rst",
            category="Real surveys",
            labels={"survey": "{survey}"},
        ),
    log:
        "results/logs/surveys/{survey}.log",
    benchmark:
        "results/benchmarks/surveys/{survey}.tsv"
    params:
        options=survey_options,
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"
