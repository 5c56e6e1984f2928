from snakemake.utils import min_version

min_version("9.20")


report: "workflow/report/workflow.rst"


# The Python that the jobs are written for; its packages are those of envs/requirements.lock.
container: "docker://python:3.13"


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/tilt.smk"
include: "workflow/rules/channels.smk"
include: "workflow/rules/summarise.smk"
include: "workflow/rules/real_surveys.smk"
include: "workflow/rules/independent_look.smk"
include: "workflow/rules/vignette.smk"
include: "workflow/rules/criteria.smk"
include: "workflow/rules/rebalanced.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/large.smk"
include: "workflow/rules/coverage.smk"
include: "workflow/rules/communities.smk"


rule all:
    input:
        EVERYTHING,
