#!/bin/sh
# Make .venv from the hash lock. Run from the project's folder; `make` does.
set -eu

works() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
  if works "$python"; then
    found=$python
    break
  fi
  if [ -n "${PYTHON:-}" ]; then
    echo "PYTHON=$PYTHON is not Python 3.11 or newer with venv and ensurepip (on Debian: apt install python3-venv)" >&2
    exit 1
  fi
done
if [ -z "${found:-}" ]; then
  echo "no Python 3.11 or newer with venv and ensurepip on the PATH (on Debian: apt install python3-venv)" >&2
  exit 1
fi

echo "setting up .venv from envs/requirements.lock with $("$found" --version), once"
rm -rf .venv
"$found" -m venv .venv
.venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r envs/requirements.lock
MPLBACKEND=Agg .venv/bin/python -c 'import matplotlib.font_manager' # builds its font cache now, not in the first figure
# The library and its command, as they stand in this folder.
.venv/bin/python -c 'import os, site; open(f"{site.getsitepackages()[0]}/surveyauc.pth", "w").write(os.path.abspath("scripts"))'
printf '#!/bin/sh\nexec "$(dirname "$0")/python" -m surveyauc "$@"\n' > .venv/bin/surveyauc
chmod +x .venv/bin/surveyauc
touch .venv/ready
