rule score_survey:
    input:
        code=code_of("score_survey.py"),
        table=survey_table,
    output:
        scores=report(
            "results/surveys/{survey}/report.csv",
            caption="../report/survey.rst",
            category="Real surveys",
            labels={"survey": "{survey}"},
        ),
        everything="results/surveys/{survey}/report.json",
    log:
        "results/logs/surveys/{survey}.log",
    benchmark:
        "results/benchmarks/surveys/{survey}.tsv"
    params:
        options=survey_options,
    shell:
        "python {input.code[0]} {params.options:q} --csv {output.scores:q} --json {output.everything:q} > {log:q} 2>&1"


# Made when it is asked for: snakemake --cores 2 results/surveys/NAME/report.html
rule write_survey_page:
    input:
        code=code_of("write_survey_page.py"),
        pages=sorted(map(str, Path("scripts/surveyauc/pages").iterdir())),
        scored="results/surveys/{survey}/report.json",
    output:
        "results/surveys/{survey}/report.html",
    log:
        "results/logs/survey_pages/{survey}.log",
    benchmark:
        "results/benchmarks/survey_pages/{survey}.tsv"
    shell:
        "MPLBACKEND=Agg python {input.code[0]} --json {input.scored:q} --output {output:q} > {log:q} 2>&1"
