# No output, so that it runs whenever it is asked for: what it packs depends on the commit, which is no file.
rule archive:
    input:
        code=code_of("make_archive.py"),
        readme="workflow/archive/README.md",
        results=EVERYTHING,
    log:
        "results/logs/archive.log",
    params:
        options=options(
            trial=CONFIG["surveys_at_most"] is not None,
            overridden=OVERRIDDEN,
            survey_files=[survey["file"] for survey in SURVEYS.values() if "package" not in survey] or None,
        ),
    shell:
        "python {input.code[0]} --results {input.results:q} --published-check results/tables/published_check.csv"
        " --claims results/tables/claims.csv --readme {input.readme:q} {params.options:q} --folder results/archive"
        " 2>&1 | tee {log:q}"
