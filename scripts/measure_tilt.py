"""Measure the tilt in the surveys of one cell: how far a site's own predictor moves when it is left out."""

import argparse

import numpy as np

from surveyauc.tables import write_table
from surveyauc.tilt import tilt_of_survey


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", required=True, help="simulated surveys (.npz)")
    parser.add_argument("--output", required=True)
    args = parser.parse_args()

    with np.load(args.surveys) as drawn:
        surveys = zip(drawn["covariates"], drawn["labels"], drawn["tilt_absences"], strict=True)
        rows = [tilt_of_survey(covariates, labels, chosen[chosen >= 0]) for covariates, labels, chosen in surveys]
    write_table({name: [row[name] for row in rows] for name in rows[0]}, args.output)


if __name__ == "__main__":
    main()
