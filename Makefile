# Everything that a fresh clone needs: Python 3.11 or later, and make.
#   make demo    a whole game among real peers on this machine, dealt, played and audited
#   make test    what has to hold before anything is merged
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check unit unit-pure unit-real bench soak fuzz demos matrix goldens lock clean

demo: $(READY)
	$(BIN)/p2pgame demo

test: check unit

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# In two halves side by side: what only computes, and what meets real sockets, processes and namespaces.
REAL := tests/p2p tests/cheats tests/e2e
unit: $(READY)
	$(MAKE) --jobs=2 unit-pure unit-real

unit-pure: $(READY)
	$(BIN)/python -W error -m pytest tests $(REAL:%=--ignore=%)

unit-real: $(READY)
	$(BIN)/python -W error -m pytest $(REAL)

bench: $(READY)
	$(BIN)/python -m benchmarks

# Whole games in bad weather for MINUTES; prints what was done and what came of it.
MINUTES ?= 20
soak: $(READY)
	$(BIN)/python -m tests.soak --minutes $(MINUTES)

# Any bytes at whatever reads foreign bytes, for SECONDS. With atheris where there is a wheel of it for this Python: it is
# in no lock, since nothing else needs it; without it a fuzzer of our own does the same more slowly.
SECONDS ?= 600
fuzz: $(READY)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: atheris==3.0.0
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# Every game at every size, RUNS times, each among real peers.
RUNS ?= 10
demos: $(READY)
	$(BIN)/python -m tests.demos --runs $(RUNS)

# The suite under each Python that is named, in environments of their own.
PYTHONS ?= python3.11 python3.12 python3.13
matrix:
	set -e; for python in $(PYTHONS); do $(MAKE) unit PYTHON=$$python VENV=.venv-$$python; done

# Checked-in expectations, made anew: test vectors, playthroughs, screens. Look at the difference before committing it.
goldens: $(READY)
	$(BIN)/python -m tests.vectors.generate
	$(BIN)/python -m tests.playthroughs.generate
	$(BIN)/python -m tests.client.regenerate

# The lock holds exact versions with hashes, for every platform and Python that is supported.
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --group dev pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links -c requirements.lock pyproject.toml -o client/runtime.lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("p2pgame needs Python 3.11 or later, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf $(VENV) .venv-* build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
