"""Time per refit of a logistic regression, one core: this project, statsmodels, scikit-learn and, when it is
installed, R's glm.fit, all on the same surveys in the same run.

The project's time is that of the study's own call: all refits of all estimators of a cell, masks built beforehand.
"""

import os

# ruff: noqa: E402
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse
import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.linear_model import LogisticRegression
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from surveyauc.holdout import DRAWS, SCHEMES, stacked
from surveyauc.logistic import fit_masked
from surveyauc.streams import IndependentStream
from surveyauc.surveys import GeneratingModel

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
    args = parser.parse_args()
    warnings.simplefilter("ignore")

    print("microseconds per refit, one core (best of the repeats; project also median)\n")
    print(
        "| sites | coefficients | refits | project | median | statsmodels | times | scikit-learn | times | R | times |"
    )
    print("| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |")
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
        print("|", " | ".join(map(str, row)), "|", flush=True)


def study_call(cell, design):
    """Surveys of a cell and the training sets of all estimators."""
    stream = IndependentStream(0, cell.Index, 0)
    model = GeneratingModel.with_prevalence(cell.slope, cell.prevalence, cell.noise_covariates)
    drawn = [model.draw_survey(stream, cell.sites, design["least_of_each_class"]) for _ in range(cell.surveys)]
    covariates, labels = (np.array(part) for part in zip(*drawn, strict=True))
    left_out = []
    for draw, masks in SCHEMES.values():
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
