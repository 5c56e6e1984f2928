def survey_table(wildcards):
    """The table as an input, unless an installed package ships it."""
    survey = SURVEYS[wildcards.survey]
    return [] if "package" in survey else [survey["file"]]


def survey_options(wildcards):
    survey = {key: value for key, value in SURVEYS[wildcards.survey].items() if key != "source"}
    return options(name=wildcards.survey, folds=DESIGN["folds"], **survey)


rule score_real_survey:
    input:
        code=code_of("score_real_survey.py"),
        table=survey_table,
    output:
        "results/surveys/{survey}/scores.csv",
    params:
        options=survey_options,
    log:
        "results/logs/surveys/{survey}.log",
    benchmark:
        "results/benchmarks/surveys/{survey}.tsv"
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"
