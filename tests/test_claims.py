"""The claims that the paper makes in words: they hold, each can be false, and a false one fails by name."""

import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

import check_claims as check_claims_module
from conftest import ROOT, snakemake


@pytest.fixture(scope="module")
def built(published):
    return published / "results"


def check_claims(built, folder, **tables):
    """Run the check with some tables replaced; the finished process and the path of its table."""
    names = {
        "bias_table": "bias.csv",
        "channel_table": "channels.csv",
        "example_sites": "example.csv",
        "published_check": "published_check.csv",
        "coverage_table": "coverage.csv",
        "coverage_by_size": "coverage_by_size.csv",
        "f1_table": "f1_bias.csv",
        "consistency_table": "consistency.csv",
        "adjusted_table": "f1_adjusted.csv",
        "distributional_bias": "distributional_bias.csv",
    }
    paths = {option: built / "tables" / name for option, name in names.items()} | tables
    words = [f"--{option.replace('_', '-')}={path}" for option, path in paths.items()]
    tilt = [str(built / "tilt" / f"{name}.csv") for name in ("small", "large", "rare")]
    program = [sys.executable, ROOT / "scripts" / "check_claims.py", "--evaluate", f"--output={folder / 'claims.csv'}"]
    return subprocess.run([*program, *words, "--tilt", *tilt], capture_output=True, text=True), folder / "claims.csv"


def test_every_claim_holds(built):
    claims = pd.read_csv(built / "tables" / "claims.csv")
    assert len(claims) > 20
    assert set(claims["holds"]) == {"yes"}
    assert claims["number"].notna().all()


def test_every_claim_is_made_in_the_paper(built):
    text = "".join(path.read_text() for path in (ROOT / "workflow" / "paper" / "chapters").glob("*.md"))
    made = set(re.findall(r'claim\("(\w+)"\)', text))
    assert made == set(check_claims_module.CLAIMS)
    evaluated = set(pd.read_csv(built / "tables" / "claims.csv")["claim"])
    assert evaluated == {name for name, (*_, study) in check_claims_module.CLAIMS.items() if not study}


def test_a_false_claim_fails_by_name(built, tmp_path):
    channels = pd.read_csv(built / "tables" / "channels.csv")
    channels.loc[(channels["cell"] == "small_balanced") & (channels["refit"] == "slope only"), "share_of_full"] = 0.6
    channels.to_csv(tmp_path / "channels.csv", index=False)
    run, table = check_claims(built, tmp_path, channel_table=tmp_path / "channels.csv")
    assert run.returncode == 1
    assert run.stderr.startswith("claims that do not hold: most_of_the_tilt_comes_through_the_intercept (0.6): With ")
    assert len(run.stderr.splitlines()) == 1
    claims = pd.read_csv(table).set_index("claim")["holds"]
    assert list(claims[claims == "no"].index) == ["most_of_the_tilt_comes_through_the_intercept"]


def test_a_false_claim_stops_the_build(published, tmp_path):
    folder = shutil.copytree(published, tmp_path / "copy", copy_function=shutil.copy2)
    script = folder / "scripts" / "claims" / "article.py"
    script.write_text(script.read_text().replace("return share < 0.25, share", "return share < 0.15, share"))
    run = snakemake(folder, "--cores", "2", check=False)
    assert run.returncode != 0
    assert (
        "claims that do not hold: signal_makes_it_a_small_sample_effect (0.157): With signal" in run.stdout + run.stderr
    )
    assert not (folder / "results" / "tables" / "claims.csv").exists()


def test_every_claim_can_be_false(built, tmp_path):
    """Tables in which everything is the other way round satisfy no claim about them."""
    tables = {name: pd.read_csv(built / "tables" / f"{name}.csv") for name in ("bias", "channels", "published_check")}
    bias, check = tables["bias"], tables["published_check"]
    bias[["bias", "rmse", "highest_batch"]] *= -1
    bias.loc[bias["estimator"] == "lpo", ["bias", "rmse"]] -= 1
    bias.loc[bias["cell"].isin(["n120_working", "n1500_working"]), "bias"] = 9.0
    bias.loc[bias["cell"] == "n240_null", "bias"] = 0.0
    bias.loc[bias["estimator"] == "strat5", ["bias", "rmse"]] = [9.0, 9.0]
    bias.loc[(bias["cell"] == "multi_n30") & (bias["estimator"] == "lpo"), "rmse"] = 9.5
    bias.loc[(bias["cell"] == "multi_n60") & (bias["estimator"] == "loo"), "bias"] = 9.0
    bias.loc[(bias["cell"] == "small_working") & (bias["estimator"] == "loo"), ["bias", "highest_batch"]] = [0.1, 0.1]
    tables["channels"]["share_of_full"] = 0.9
    check.loc[check["key"].isin(["sq_pf_minus_lpo_mean", "sq_loo_minus_pf_mean"]), "value"] *= -1
    check.loc[check["key"].isin(["sq_strat5_minus_pf_mean", "multi30_truth_mean"]), "value"] = 9.0
    vignette = check["key"].str.contains("/")
    check.loc[vignette & check["key"].str.contains("diffs|p_values|wald|bootstrap"), "value"] = 0.5
    coverage = pd.read_csv(built / "tables" / "coverage.csv")
    tables["coverage"] = coverage.assign(coverage=0.95, holds_lpo=0.95).set_index("interval")
    tables["coverage"].loc["resub_inversion", "coverage"] = 0.9
    tables["coverage"].loc["lpo_inversion", "width"] *= 2
    tables["coverage"] = tables["coverage"].reset_index()
    tables["coverage_by_size"] = pd.read_csv(built / "tables" / "coverage_by_size.csv").assign(coverage=0.95)
    f1 = pd.read_csv(built / "tables" / "f1_bias.csv")
    f1.loc[f1["estimator"] == "pooled5", "bias"] = -0.5
    f1.loc[(f1["estimator"] == "loo") & (f1["threshold"] == "chosen once"), "bias"] = 0.0
    f1.loc[(f1["estimator"] == "resub") & (f1["threshold"] == "chosen"), "bias"] = 0.0
    tables["f1_bias"] = f1.assign(share_empty=0.0)
    consistency = pd.read_csv(built / "tables" / "consistency.csv")
    tables["consistency"] = consistency.assign(variance=consistency["variance_of_independent_pairs"])
    tables["consistency"].loc[0, "share_by_convention"] = 0.5
    tables["consistency"]["rmse"] = 0.1
    adjusted = pd.read_csv(built / "tables" / "f1_adjusted.csv")
    tables["f1_adjusted"] = adjusted.assign(coverage=0.9, raw_f1=adjusted["truth"])
    replayed = pd.read_csv(built / "tables" / "distributional_bias.csv").set_index(["figure", "quantity"])
    replayed.loc[("2B", "mean_others"), "value"] = 0.5
    replayed.loc[("6C", "bias_rebalanced"), "value"] = 0.0
    replayed.loc[("3C", "p"), "value"] = 0.01
    tables["distributional_bias"] = replayed.reset_index()
    example = pd.read_csv(built / "tables" / "example.csv")
    tables["example"] = example.assign(y=1 - example["y"], eta_loo=example["eta_full"] + 9 * (0.5 - example["y"]))
    tables["example"].loc[0, "eta_loo"] = -99.0
    (tmp_path / "tilt").mkdir()
    for name in ("small", "large", "rare"):
        tilt = pd.read_csv(built / "tilt" / f"{name}.csv")
        if name == "rare":
            tilt = tilt.assign(pres=tilt["pres"] / 9, abs=tilt["pres"], info=tilt["n1"] / 2)
        if name == "large":
            tilt = tilt.assign(spread=tilt["spread"] / 2)
        tilt.to_csv(tmp_path / "tilt" / f"{name}.csv", index=False)
    for name, table in tables.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    (tmp_path / "tables").symlink_to(tmp_path)
    run, table = check_claims(tmp_path, tmp_path)
    assert run.returncode == 1
    claims = pd.read_csv(table).set_index("claim")["holds"]
    assert list(claims[claims != "no"].index) == []


def test_a_claim_about_a_cell_that_is_not_there_says_so(built, tmp_path):
    bias = pd.read_csv(built / "tables" / "bias.csv")
    bias[bias["cell"] != "small_null"].to_csv(tmp_path / "bias.csv", index=False)
    run, table = check_claims(built, tmp_path, bias_table=tmp_path / "bias.csv")
    assert run.returncode == 1
    assert re.match(r"claim \w+ needs a cell or an estimator that this build does not have: .*small_null", run.stderr)
    assert not table.exists()


def test_every_claim_of_the_large_study_can_be_true_and_false():
    def evaluated(**tables):
        large = {name: pd.DataFrame(rows) for name, rows in tables.items()}
        at_hand = check_claims_module.Tables(*[None] * 11, large, {}, {})
        claims = check_claims_module.CLAIMS
        return {name: check_claims_module.evaluated(name, at_hand)[0] for name in claims if claims[name][3] == "large"}

    pairs = {"cell": "multi_n30", "bias": -0.006, "bias_mcse": 0.001, "unfair": 0.0006, "unfair_mcse": 0.001}
    slopes = [
        {"slope": 0.0, "at_equal_presences": 0.01, "at_equal_sites": 0.05, "mean_difference": -0.001},
        {"slope": 1.0, "at_equal_presences": 0.02, "at_equal_sites": 0.05, "mean_difference": -0.02},
    ]
    true = evaluated(
        against_article=[{"z": -1.3}, {"z": 0.4}],
        truth_error=[{"share_of_variance": 0.07}],
        pairs=[pairs | {"added_variance": 0.04}],
        collapse=[row | {"mean_difference_mcse": 0.003} for row in slopes],
        decay_fit=[{"exponent": -0.27, "exponent_error": 0.01}],
    )
    assert set(true.values()) == {"yes"}
    false = evaluated(
        against_article=[{"z": -2.3}, {"z": 0.4}],
        truth_error=[{"share_of_variance": 0.2}],
        pairs=[pairs | {"bias": 0.0, "unfair": 0.01, "added_variance": 0.3}],
        collapse=[row | {"mean_difference_mcse": 0.03, "at_equal_presences": 0.04} for row in slopes],
        decay_fit=[{"exponent": -0.49, "exponent_error": 0.01}],
    )
    assert set(false.values()) == {"no"}
    assert len(true) == len(false) == 8


def test_every_claim_about_real_species_can_be_true_and_false():
    def evaluated(*groups):
        table = pd.DataFrame(groups, columns=["group", "scored", "equal", "above", "turned", "mean_difference"])
        at_hand = check_claims_module.Tables(*[None] * 11, {}, {"by_smaller_class": table}, {})
        claims = check_claims_module.CLAIMS
        return [check_claims_module.evaluated(n, at_hand)[0] for n in claims if claims[n][3] == "communities"]

    assert evaluated(["all", 50, 0, 0, 6, -0.1], ["3", 25, 0, 0, 6, -0.2], ["5", 25, 0, 0, 0, -0.1]) == ["yes"] * 3
    assert evaluated(["all", 50, 0, 1, 5, -0.1], ["3", 25, 0, 1, 5, -0.1], ["5", 25, 0, 0, 0, -0.2]) == ["no"] * 3
