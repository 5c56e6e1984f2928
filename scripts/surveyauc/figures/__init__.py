"""The figures of the study: each takes data frames and gives a plotnine plot."""
