import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path[:0] = [f"{workflow.basedir}/workflow", f"{workflow.basedir}/scripts"]

from code_inputs import code_of
from validation import ConfigError, load_config, read_yaml

try:
    CONFIG, CELLS, SURVEYS = load_config(config, workflow.configfiles)
    FIGURES = read_yaml("config/figures.yaml")
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# Jobs run the interpreter that runs Snakemake, whether or not its environment is activated.
shell.executable("bash")
shell.prefix(f'set -euo pipefail; export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"; ')

DESIGN = CONFIG["design"]
EXAMPLE = "example"
TILT = [name for name, cell in CELLS.items() if cell["section"] == "tilt"]
SCORED = [
    name for name, cell in CELLS.items() if cell["section"] not in ("example", "tilt")
]


wildcard_constraints:
    cell="[a-z][a-z0-9_]*",
    survey="[a-z][a-z0-9_]*",
    figure="[a-z][a-z0-9_]*",


def options(**values):
    """Command-line options from keywords; a list becomes several values, None and False leave the option out."""
    words = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words += [
                str(item) for item in (value if isinstance(value, list) else [value])
            ]
    return words
