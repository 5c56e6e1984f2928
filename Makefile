# Two commands: `make paper` builds everything, `make test` tests everything. Each first sets up .venv from the hash
# lock, with the first Python 3.11 or newer that it finds (or `make paper PYTHON=/path/to/python`).

.PHONY: paper communities archive verify test benchmark format lock clean
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
export PYTHON

paper: .venv/ready
	@.venv/bin/python workflow/build.py --cores $(CORES)

# Real species, from a package that is not in the lock (envs/communities.lock says why).
communities: .venv/ready
	@.venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r envs/communities.lock
	@.venv/bin/python workflow/build.py --cores $(CORES) -- communities

archive: .venv/ready
	@.venv/bin/python workflow/build.py --cores $(CORES) -- archive

verify: .venv/ready
	@test -n "$(ARCHIVE)" || { echo "say which: make verify ARCHIVE=file.zip" >&2; exit 2; }
	@.venv/bin/python workflow/verify.py --cores $(CORES) -- "$(ARCHIVE)"

test: .venv/ready
	@.venv/bin/python -m pytest -n $(CORES) --dist loadfile

benchmark: .venv/ready
	@.venv/bin/python scripts/benchmark.py

.venv/ready: envs/requirements.lock
	@sh envs/set_up.sh

format: .venv/ready
	@.venv/bin/python -m ruff check --fix . && .venv/bin/python -m ruff format .
	@.venv/bin/python -m snakefmt Snakefile workflow

# Needs uv on the PATH. One version of every package for all Pythons, so that all compute the same.
lock:
	uv pip compile pyproject.toml --extra development --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" --output-file envs/requirements.lock

clean:
	rm -rf .snakemake $(filter-out results/README.md, $(wildcard results/*))
