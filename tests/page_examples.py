"""Three results as the report gets them: an ordinary survey, one with hardly anything, one with nasty names."""

import numpy as np

METHODS = {
    "resub": ("resubstitution", "resubstitution"),
    "loo": ("pooled leave-one-out", "pooled refits"),
    "rand5": ("pooled random 5-fold", "pooled refits"),
    "strat5": ("pooled stratified 5-fold", "pooled refits"),
    "perfold": ("per-fold stratified 5-fold", "pairs and per-fold"),
    "lpo": ("leave-pair-out", "pairs and per-fold"),
    "rloo": ("rebalanced leave-one-out", "pooled refits"),
    "tlpo": ("tournament leave-pair-out", "pairs and per-fold"),
}
ROOSTS = [f"roost {k}" for k in range(1, 25)]
NASTY = [
    "<script>alert(1)</script>",
    "a \"quoted\" & 'single' </svg></figure> name",
    "W" * 200,
    "موقع المراقبة رقم ١٢",
    "\u202eturned round\u202e",
    "🦎🐸👩‍👩‍👧‍👦 pond",
    "$\\frac{1}{0}$ $x",
    "{{ survey }}{% raw %}",
    "line\nbreak\ttab\x00nul\x1b[31m",
    "_hidden",
    "湿地調査地点の長い名前その一",
    "&amp; &lt;b&gt;",
    "",
    "Z̸̢̛͖̖̼͎̲a̷̡l̶̨g̵o",
    "\ud800 lone",
]


def estimates(values):
    """values : code -> (auc, lower, upper, note)."""
    return {
        code: dict(
            zip(("name", "family", "auc", "lower", "upper", "note"), (*METHODS[code], *values[code]), strict=True)
        )
        for code in METHODS
        if code in values
    }


def tilt(n, presences, names, seed=1):
    random = np.random.default_rng(seed)
    presence = np.arange(n) < presences
    full = random.normal(size=n) * 1.1 - 1 + 1.5 * presence
    held_out = full + np.where(presence, -1, 0.4) * random.gamma(2, 4 / n, size=n) * 1.5
    rows = zip(names, presence, full, held_out, strict=True)
    return [
        {"site": s, "presence": int(p), "full": round(float(f), 4), "held_out": round(float(h), 4)}
        for s, p, f, h in rows
    ]


def roc(sites, band=True):
    order = sorted(sites, key=lambda site: -site["held_out"])
    y = np.array([site["presence"] for site in order])
    true, false = np.r_[0, np.cumsum(y) / y.sum()], np.r_[0, np.cumsum(1 - y) / (1 - y).sum()]
    half = 1.3 * np.sqrt(true * (1 - true) / y.sum()) + 0.03
    return {
        "false_positive": false.tolist(),
        "true_positive": true.tolist(),
        "lower": np.clip(true - half, 0, 1).tolist() if band else None,
        "upper": np.clip(true + half, 0, 1).tolist() if band else None,
    }


def ponds():
    sites = tilt(32, 10, [f"S{k:02d}" for k in range(1, 33)])
    expected = {
        "resub": (0.035, 0.001, 0.06), "loo": (-0.071, 0.004, 0.11), "rand5": (-0.048, 0.004, 0.105),
        "strat5": (-0.029, 0.003, 0.1), "perfold": (-0.006, 0.003, 0.097), "lpo": (-0.002, 0.003, 0.094),
        "rloo": (0.001, 0.003, 0.095), "tlpo": (-0.003, 0.003, 0.094),
    }  # fmt: skip
    return {
        "survey": "ponds",
        "file": "ponds.csv",
        "presence": "newt",
        "covariates": ["elevation_m", "habitat"],
        "model": "logistic regression, maximum likelihood",
        "n": 32,
        "presences": 10,
        "absences": 22,
        "level": 95.0,
        "group": None,
        "groups": 32,
        "dropped_because": {"S33": "no value in elevation_m", "S34": "no value in newt", "S40": "no value in newt"},
        "notes": ["Columns are separated by semicolon.", "newt holds yes and no; yes is taken as presence."],
        "warnings": ["There are 10 presences. Intervals on so few are wide and only approximate."],
        "report": "Report 0.832 (95 % interval 0.602 to 0.925): leave-pair-out compares two sites within one model, "
        "so that its value is nearly unbiased.",
        "ignore": "Do not report 0.786, pooled leave-one-out: it ranks scores of different models together, which "
        "makes it too low. On surveys like this one it is 0.071 too low on average.",
        "methods": "The AUC was estimated by leave-pair-out cross-validation over all 220 pairs of 10 presences and 22 "
        "absences (n = 32): 0.832, 95 % interval 0.602 to 0.925.",
        "estimates": estimates({
            "resub": (0.9, None, None, "No interval: the model has seen the answers, so the value is too high."),
            "loo": (0.786, 0.61, 0.96, "DeLong interval, centred on a value that is too low."),
            "rand5": (0.79, None, None, "No interval: it depends on how the folds were drawn."),
            "strat5": (0.81, None, None, "No interval: it depends on how the folds were drawn."),
            "perfold": (0.825, None, None, "No interval: five folds are too few."),
            "lpo": (0.832, 0.602, 0.925, "All 220 pairs."),
            "rloo": (0.83, None, None, "No interval: none has been shown to hold."),
            "tlpo": (0.83, 0.6, 0.93, "All 496 pairs of sites."),
        }),
        "f1": {
            "prevalence": 0.3125,
            "target": 0.1,
            "empty": 0.0,
            "values": [
                {"threshold": t, "tp": 6, "fp": 4, "fn": 4, "tn": 18, "f1": 0.6, "was_empty": False, "at_target": 0.353}
                for t in (0.5, 0.3125)
            ],
        },
        "comparison": {
            "covariates": ["elevation_m"],
            "auc": 0.809,
            "difference": 0.023,
            "lower": -0.182,
            "upper": 0.141,
            "note": "paired, by test inversion",
        },
        "expected": {
            "note": "1,000 surveys with these covariates were simulated from the fitted model, its slopes shrunken.",
            "estimators": {
                c: dict(zip(("name", "family", "bias", "mcse", "sd"), (*METHODS[c], *v), strict=True))
                for c, v in expected.items()
            },
        },
        "roc": roc(sites),
        "intransitive": 0.012,
        "tilt": sites,
    }  # fmt: skip


def two_presences():
    why = "Not available: a training set would hold only one presence."
    return ponds() | {
        "survey": "bats",
        "file": "bats.csv",
        "presence": "barbastelle",
        "n": 24,
        "presences": 2,
        "absences": 22,
        "dropped_because": {},
        "notes": [],
        "warnings": [
            "There are only 2 presences. Nothing reliable can be said about how well the model predicts.",
            "A covariate separates presences and absences perfectly; a penalised fit was used.",
        ],
        "report": "Report no AUC: with 2 presences every estimate hangs on one or two sites.",
        "ignore": "Do not report 0.318, pooled leave-one-out: a value below 0.5 is the known fault of pooling on small "
        "surveys. The model is not upside down.",
        "methods": None,
        "estimates": estimates({
            "resub": (0.886, None, None, "No interval: the model has seen the answers."),
            "loo": (0.318, None, None, "No interval with fewer than 5 presences."),
            "rand5": (None, None, None, "Not available: a fold holds both presences."),
            "strat5": (None, None, None, "Not available: 2 presences cannot be spread over 5 folds."),
            "perfold": (None, None, None, "Not available: 2 presences cannot be spread over 5 folds."),
            "lpo": (0.659, None, None, "No interval with fewer than 5 presences."),
            "rloo": (None, None, None, why),
            "tlpo": (None, None, None, why),
        }),
        "f1": None,
        "comparison": None,
        "expected": None,
        "roc": None,
        "intransitive": None,
        "tilt": [s | {"held_out": None} if s["presence"] else s for s in tilt(24, 2, ROOSTS)],
    }  # fmt: skip


def nasty(n=300):
    sites = tilt(n, n // 5, [NASTY[k % len(NASTY)] + str(k) * (k % 3 > 0) for k in range(n)], seed=3)
    sites[5] |= {"held_out": -400.0}
    made = ponds()
    return made | {
        "survey": NASTY[0] + NASTY[1] + NASTY[2],
        "file": "/data/" + "x" * 190 + "<b>.csv",
        "presence": NASTY[3],
        "group": NASTY[4],
        "groups": n // 2,
        "comparison": made["comparison"] | {"covariates": NASTY, "lower": None, "upper": None},
        "covariates": NASTY,
        "n": n,
        "presences": n // 5,
        "absences": n - n // 5,
        "dropped_because": {NASTY[k % len(NASTY)] + str(k): f"no value in {NASTY[k % 3]}" for k in range(80)},
        "notes": [f"The column {name} is text." for name in NASTY],
        "warnings": [f"The column {name} has one value only." for name in NASTY],
        "roc": roc(sites),
        "tilt": sites,
        "estimates": made["estimates"] | {"odd": made["estimates"]["lpo"] | {"name": NASTY[0], "family": NASTY[5]}},
    }


EXAMPLES = {"ponds": ponds, "two": two_presences, "nasty": nasty, "named": lambda: nasty(60)}
