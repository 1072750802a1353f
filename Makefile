# `make demo` and `make test` do everything on a fresh Debian with Python 3.11: environment, installation, run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LINTERS := $(VENV)/.linters
DEMO := drivers-bench/drivers/openflag_wdt.c
TESTS ?= tests
WORKERS ?= auto
# Lists so many of the slowest tests at the end.
DURATIONS ?=
# Tests start many processes, each of which would else compile duet anew where the environment says so.
export PYTHONDONTWRITEBYTECODE :=
# Without pytest's rewriting of assertions, which takes each worker a quarter of a minute the first time: what failed, run
# alone by `pytest`, says more.
PYTEST = $(BIN)/python -m pytest --assert=plain --numprocesses $(WORKERS) --dist worksteal $(DURATIONS:%=--durations=%) $(TESTS)

.PHONY: setup demo check test docs pictures soak soak-c bench fmt clean

setup: $(LINTERS)

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.x")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[test]'
	touch $@

$(LINTERS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lint]'
	touch $@

# Exit code 1 of the analysis only says that some checks are not proved.
demo: $(STAMP)
	$(BIN)/duet analyze --model linux --exit-zero --html report.html $(DEMO)
	@echo "The report is in report.html."

test: $(STAMP)
	$(PYTEST)

check: $(LINTERS)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

# The documentation as pages in site/, and the manual pages of the commands in site/man.
docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/click-man --target site/man duet

# The pictures in docs/pictures, from real runs.
pictures: $(STAMP)
	$(BIN)/python -m tests.pictures

# Random programs against the explicit-state semantics, as many as you have time for.
PROGRAMS ?= 100000
soak: $(STAMP)
	$(BIN)/python -m tests.soundness.soak --count $(PROGRAMS) -j 2
	$(BIN)/python -m tests.soundness.soak --relational --count $(PROGRAMS) -j 2

# Random C programs, with and without threads, against their compiled behaviour; every other one as a large program.
C_PROGRAMS ?= 10000
soak-c: $(STAMP)
	$(BIN)/python -m tests.soundness.c_soak --count $(C_PROGRAMS) -j 2

bench: $(STAMP)
	$(BIN)/python drivers-bench/bench.py programs
	$(BIN)/python drivers-bench/bench.py verdicts
	$(BIN)/python drivers-bench/bench.py growth

fmt: $(LINTERS)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) report.html bench-out site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
