"""Measure what the study costs here, and write it down as a page: time per refit beside statsmodels, scikit-learn and,
where it is installed, R's glm.fit, all on the same surveys in the same run; time per interval; how the large study
scales with surveys and cores; and where the time of a build goes.

The project's time per refit is that of the study's own call: all refits of all estimators of a cell, masks built
beforehand, on one core. Builds run in a copy of this folder.
"""

import os

# ruff: noqa: E402
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse
import itertools
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

sys.path.append("workflow")

import numpy as np
import pandas as pd
import yaml
from scipy.special import expit
from scipy.stats import ttest_1samp
from sklearn.linear_model import LogisticRegression
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from cross_validate_no_signal import data_sets
from surveyauc.coverage import INTERVALS, Survey
from surveyauc.estimators import ESTIMATORS
from surveyauc.holdout import DRAWS, SCHEMES, stacked
from surveyauc.intervals import auc_boot, auc_delong
from surveyauc.logistic import fit_masked
from surveyauc.no_signal import logistic_scores
from surveyauc.penalised import fit_penalised
from surveyauc.ranks import auc
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel
from validation import load_config

R_LOOP = """
d <- as.matrix(read.csv("design.csv", header = FALSE)); y <- d[, 1]; x <- cbind(1, d[, -1, drop = FALSE])
k <- as.matrix(read.csv("keep.csv", header = FALSE)) == 1
fit <- function(i) suppressWarnings(glm.fit(x[k[i, ], , drop = FALSE], y[k[i, ]], family = binomial())$coefficients)
for (i in seq_len(nrow(k))) fit(i)
t <- proc.time()[[3]]; for (r in 1:5) for (i in seq_len(nrow(k))) fit(i)
cat((proc.time()[[3]] - t) / nrow(k) / 5 * 1e6)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="config/config.yaml")
    parser.add_argument("--cells", nargs="+", default=["small_working", "multi_n30", "multi_n60", "n120_working"])
    parser.add_argument("--repeats", type=int, default=9, help="of the project's call")
    parser.add_argument("--output", default="docs/benchmark.md")
    args = parser.parse_args()
    warnings.simplefilter("ignore")

    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        left_out = shutil.ignore_patterns(".git", ".venv", ".snakemake", "__pycache__", "results")
        shutil.copytree(".", project, ignore=left_out)
        parts = [
            f"""# What it costs

Made by `make benchmark` on {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, NumPy
{np.__version__}. On a shared machine such numbers change by a factor of two from one
hour to the next: compare within one table.

## A refit

Microseconds per refit on one core, the best of the repeats (of the project also the median). R is its `glm.fit`.
""",
            *refit_rows(args),
            """
## Leave-one-out with a ridge penalty

Rebalanced leave-one-out on the data sets of figure 3C of the paper on distributional bias: 250 rows, 20 covariates, 250
refits for each of 90 data sets, on one core. The project solves every refit to rounding; scikit-learn stops at its
tolerance, which decides the second decimal of the P value that the source prints.

| solver | milliseconds per data set | times | mean AUC | P against 1/2 | largest error of an AUC |
| :-- | --: | --: | --: | --: | --: |""",
            *ridge_rows(),
            """
How far refits approximated by one Newton step are off, in plain leave-one-out with one tenth of ones, on ten data sets:

| strength | largest error of an AUC |
| --: | --: |""",
            *one_step_rows(),
            """
## An interval

Milliseconds on one core for each interval of one survey, with all that it needs, the best of three; below them those of
scores on one test set.
""",
            *interval_rows(args),
            f"""
## The default build

{build_page(project)}
## The large study

Wall time of whole Snakemake runs that draw and score the cell `small_working` with every estimator, about 400 refits a
survey; and of all cells that the article has.

| cells | surveys per cell | cores | seconds | surveys per second |
| :-- | --: | --: | --: | --: |""",
            *scaling_rows(project),
            f"""
## The study of rebalancing

At the size of its source, where nothing of it is there yet but what the default build has:
{snakemake(project, "--cores", "2", "rebalanced")[0]:.1f} s of wall time on 2 cores.
""",
        ]
    Path(args.output).write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(f"{args.output} is written")


def processor():
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def refit_rows(args):
    others = "statsmodels | times | scikit-learn | times | R | times"
    yield f"| sites | coefficients | refits | project | median | {others} |"
    yield "| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    config = yaml.safe_load(Path(args.config).read_text(encoding="utf-8"))
    cells = pd.read_csv(config["cells"]).set_index("name")
    for cell in cells.loc[args.cells].itertuples():
        covariates, labels, keep = study_call(cell, config["design"])
        refits = keep.shape[0] * keep.shape[1]
        times = sorted(seconds(fit_masked, covariates, labels, keep) for _ in range(args.repeats))
        project, median = (1e6 * t / refits for t in (times[0], times[len(times) // 2]))
        others = [loop(f, covariates[0], labels[0], keep[0]) for f in (with_statsmodels, with_scikit_learn)]
        others.append(with_r(covariates[0], labels[0], keep[0]))
        row = [cell.sites, 2 + cell.noise_covariates, refits, f"{project:.2f}", f"{median:.2f}"]
        row += [text for t in others for text in (("–", "–") if t is None else (f"{t:.0f}", f"{t / project:.0f}"))]
        yield f"| {' | '.join(map(str, row))} |"


def ridge_rows():
    """The refits of the replayed figure 3C, by the project and by scikit-learn with three tolerances."""
    study = load_config("config/config.yaml", {}, []).rebalanced["no_signal"]
    experiment = study["experiments"]["rebalanced"]
    strength = experiment["strengths"][0]
    sets = [drawn for _, drawn in data_sets("rebalanced", experiment, study)]
    exact, first = [], None
    for name, scores in {
        "project": lambda *drawn: logistic_scores(*drawn, strength),
        "one Newton step from the fit to all rows": partial(one_step_scores, strength=strength),
        **{
            f"scikit-learn, tolerance {tolerance:g}": partial(scikit_learn_scores, strength=strength, tol=tolerance)
            for tolerance in (1e-4, 1e-6, 1e-8)
        },
    }.items():
        start = time.perf_counter()
        aucs = np.array([auc(scores(*drawn), drawn[1]) for drawn in sets])
        each = 1e3 * (time.perf_counter() - start) / len(sets)
        exact, first = (aucs, each) if first is None else (exact, first)
        numbers = f"{aucs.mean():.5f} | {ttest_1samp(aucs, 0.5).pvalue:.4f} | {np.abs(aucs - exact).max():.5f}"
        yield f"| {name} | {each:.1f} | {each / first:.0f} | {numbers} |"


def one_step_rows():
    """The error of one Newton step at some strengths, on the first balance."""
    study = load_config("config/config.yaml", {}, []).rebalanced["no_signal"]
    experiment = study["experiments"]["leave_one_out"]
    sets = [
        drawn for _, drawn in itertools.islice(data_sets("leave_one_out", experiment, study), experiment["repeats"])
    ]
    for strength in (1e-2, 1.0, 1e10):
        error = max(
            abs(auc(one_step_scores(*drawn, strength), drawn[1]) - auc(logistic_scores(*drawn, strength), drawn[1]))
            for drawn in sets
        )
        yield f"| {strength:g} | {error:.4f} |"


def one_step_scores(covariates, labels, keep, holder, strength):
    """Held-out linear predictors of refits that are only approximated."""
    everything = np.ones((1, len(labels)), bool)
    full = fit_penalised(covariates, labels, everything, penalty=1 / strength, standardise=False).coefficients[0]
    design = np.column_stack([np.ones(len(labels)), covariates])
    probability = expit(design @ full)
    ridge = np.append(0.0, np.full(covariates.shape[1], 1 / strength))
    scores = np.empty(len(labels))
    for k, of in enumerate(keep):
        gradient = design[of].T @ (labels - probability)[of] - ridge * full
        hessian = (design[of].T * (probability * (1 - probability))[of]) @ design[of] + np.diag(ridge)
        scores[holder == k] = design[holder == k] @ (full + np.linalg.solve(hessian, gradient))
    return scores


def scikit_learn_scores(covariates, labels, keep, holder, strength, tol):
    """Held-out linear predictors, a fit at a time."""
    scores = np.empty(len(labels))
    for k, training in enumerate(keep):
        fit = LogisticRegression(C=strength, tol=tol, max_iter=1000).fit(covariates[training], labels[training])
        scores[holder == k] = fit.decision_function(covariates[holder == k])
    return scores


def interval_rows(args):
    cells = (
        pd.read_csv("config/coverage_cells.csv").set_index("name").loc[["small_working", "multi_n30", "n60_working"]]
    )
    settings = yaml.safe_load(Path("config/coverage.yaml").read_text(encoding="utf-8"))
    surveys = []
    for cell in cells.itertuples():
        model = GeneratingModel.with_prevalence(cell.slope, cell.prevalence, cell.noise_covariates)
        stream = IndependentStream(0, cell.Index, 0)
        covariates, labels = model.draw_survey(stream, cell.sites, 3)
        numbers = settings["alpha"], settings["resamples"], *(settings["inversion"][k] for k in ("strengths", "draws"))
        pair_numbers = (settings["pair_inversion"][k] for k in ("draws", "at_most"))
        folds = DRAWS["stratified_folds"](stream, labels, folds=5)
        surveys.append((covariates, labels.astype(int), folds, 0, cell.Index, 0, *numbers, *pair_numbers))
    yield (
        "| around | interval | "
        + " | ".join(f"{c.sites} sites, {2 + c.noise_covariates} coefficients" for c in cells.itertuples())
        + " |"
    )
    yield "| :-- | :-- |" + " --: |" * len(cells)
    for interval in INTERVALS.values():
        best = [min(seconds(lambda s, make=interval.make: make(Survey(*s)), s) for _ in range(3)) for s in surveys]
        yield f"| {interval.around} | {interval.name} | " + " | ".join(f"{1e3 * t:.1f}" for t in best) + " |"
    generator = np.random.default_rng(0)
    small, large = (np.arange(n) % 2 for n in (200, 100_000))
    two = {name: generator.standard_normal(200) + small for name in ("first", "second")}
    many = generator.standard_normal(100_000) + large
    for what, call in (
        ("bootstrap, 2,000 resamples of two models on 200 rows, ROC and PRC", lambda: auc_boot(two, small, 2000, 1)),
        ("DeLong, 100,000 rows", lambda: auc_delong(many, large)),
    ):
        yield f"| scores on a test set | {what} | {1e3 * min(seconds(call) for _ in range(3)):.0f} | – | – |"


def snakemake(project, *words):
    """Seconds of wall time and of processor time of a run in the copy."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "snakemake", *words], cwd=project, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build_page(project):
    """How long a build takes, and where the time of its jobs goes."""
    cores = os.cpu_count()
    wall, processor_time = snakemake(project, "--cores", str(cores))
    nothing, _ = snakemake(project, "--cores", str(cores))
    benchmarks = project / "results" / "benchmarks"
    rows = [
        (path.relative_to(benchmarks).with_suffix("").parts[0], pd.read_csv(path, sep="\t")["s"].sum())
        for path in sorted(benchmarks.rglob("*.tsv"))
    ]
    jobs = pd.DataFrame(rows, columns=["rule", "s"]).groupby("rule")["s"].agg(["count", "sum"])
    jobs = jobs.sort_values("sum", ascending=False)
    starts = {script: min(start_of(project, script) for _ in range(3)) for script in ("score.py", "figure_bias.py")}
    by_rule = [f"| {rule} | {row['count']:.0f} | {row['sum']:.1f} |" for rule, row in jobs.iterrows()]
    sum_of_jobs, numpy_job, figure_job = jobs["sum"].sum(), starts["score.py"], starts["figure_bias.py"]
    return f"""{wall:.1f} s of wall time on {cores} cores, {processor_time:.1f} s of processor time; a second run, which
does nothing, {nothing:.1f} s, nearly all of it Snakemake's own start. The {jobs["count"].sum()} jobs take together
{sum_of_jobs:.1f} s. Of that, starting Python and importing is {numpy_job:.2f} s for a job that needs NumPy and pandas,
and {figure_job:.2f} s for one that draws.

| rule | jobs | seconds |
| :-- | --: | --: |
{chr(10).join(by_rule)}
"""


def start_of(project, script):
    return seconds(
        lambda: subprocess.run(
            [sys.executable, f"scripts/{script}", "--help"], cwd=project, check=True, capture_output=True
        )
    )


def scaling_rows(project):
    target = "results/large/scores/small_working.csv"
    for surveys, cores in itertools.product((200, 2000, 20000), (1, 2)):
        shutil.rmtree(project / "results" / "large", ignore_errors=True)
        wall, _ = snakemake(project, "--cores", str(cores), "--config", f"surveys_at_most={surveys}", "--", target)
        yield f"| `small_working` | {surveys} | {cores} | {wall:.1f} | {surveys / wall:.0f} |"
    shutil.rmtree(project / "results" / "large", ignore_errors=True)
    cells = pd.read_csv("config/large_cells.csv")
    cells = cells[cells["section"] == "article"]
    wall, _ = snakemake(project, "--cores", "2", *(f"results/large/scores/{name}.csv" for name in cells["name"]))
    least, most, total = (getattr(cells["surveys"], name)() for name in ("min", "max", "sum"))
    yield f"| the article's {len(cells)} | {least} to {most} | 2 | {wall:.1f} | {total / wall:.0f} |"


def study_call(cell, design):
    """Surveys of a cell and the training sets of all estimators."""
    stream = IndependentStream(0, cell.Index, 0)
    model = GeneratingModel.with_prevalence(cell.slope, cell.prevalence, cell.noise_covariates)
    drawn = [model.draw_survey(stream, cell.sites, design["least_of_each_class"]) for _ in range(cell.surveys)]
    covariates, labels = (np.array(part) for part in zip(*drawn, strict=True))
    left_out = []
    schemes = dict.fromkeys(["nothing", *(ESTIMATORS[code].scheme for code in cell.estimators.split())])
    for draw, masks in (SCHEMES[name] for name in schemes):
        drawn = stacked([DRAWS[draw](stream, y, **design) for y in labels]) if draw else None
        left_out.append(masks(labels, drawn)[0])
    return covariates, labels, ~np.concatenate(left_out, axis=1)


def seconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def loop(fit, covariates, labels, keep):
    """Microseconds per refit of a loop over the training sets of one survey, the best of three."""
    design = np.column_stack([np.ones(len(labels)), covariates])
    return min(1e6 * seconds(lambda: [fit(design[k], labels[k]) for k in keep]) / len(keep) for _ in range(3))


def with_statsmodels(design, labels):
    return GLM(labels, design, family=Binomial()).fit().params


def with_scikit_learn(design, labels):
    return LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000).fit(design[:, 1:], labels).coef_


def with_r(covariates, labels, keep):
    if not shutil.which("Rscript"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "design.csv", np.column_stack([labels, covariates]), delimiter=",")
        np.savetxt(Path(folder) / "keep.csv", keep, fmt="%d", delimiter=",")
        run = subprocess.run(["Rscript", "-e", R_LOOP], cwd=folder, capture_output=True, text=True, check=True)
    return float(run.stdout.split()[-1])


if __name__ == "__main__":
    main()
