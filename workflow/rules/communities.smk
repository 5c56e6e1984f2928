# Species of real communities, from the tables of an installed package that is not in the lock. Not part of `all`; once
# `make communities` was run, their chapter is in the paper.
rule communities:
    input:
        expand("results/communities/{table}.csv", table=[*COMMUNITIES["tables"], *COMMUNITY_SUMMARIES]),
        expand(
            "results/figures/{figure}.svg",
            figure=[name for name, figure in FIGURES.items() if figure["plot"] == "communities"],
        ),


rule score_community:
    input:
        code=code_of("score_community.py"),
    output:
        community_table("{community}"),
    log:
        "results/logs/communities/{community}.log",
    benchmark:
        "results/benchmarks/communities/{community}.tsv"
    params:
        options=community_options,
    shell:
        "python {input.code[0]} {params.options:q} --output {output:q} > {log:q} 2>&1"


rule summarise_communities:
    input:
        code=code_of("summarise_communities.py"),
        tables=expand("results/communities/{community}.csv", community=COMMUNITIES["tables"]),
    output:
        species=community_table("species"),
        tables=community_table("by_table"),
        sizes=community_table("by_smaller_class"),
    log:
        "results/logs/communities/summarise.log",
    benchmark:
        "results/benchmarks/communities/summarise.tsv"
    params:
        groups=COMMUNITIES["smaller_class"],
    shell:
        "python {input.code[0]} --tables {input.tables:q} --smaller-class {params.groups}"
        " --species-table {output.species:q} --table-summary {output.tables:q} --size-summary {output.sizes:q} > {log:q} 2>&1"
