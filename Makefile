# Everything runs in a virtual environment of its own, made on first use:
#
#     make demo     a Delta picks and places: motor sizes, a simulated run, a report
#     make test     formatter, linter, type checker, all tests
#     make check    the same with a part of the tests, within a minute
#
# Needed: make and a python3 >= 3.11 with venv.  Another interpreter: make test PYTHON=python3.13

PYTHON ?= python3
VENV   ?= .venv
SEED   ?= 1
N      ?= 300
BASE   ?= HEAD
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq
# bytecode of what is imported is made on import; of all that is installed it takes half a minute
INSTALL := $(PIP) install --no-compile
MADE_OF := pyproject.toml src/gough/_version.py

# two test processes on small matrices: threads of linear algebra would only get in their way
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# dozens of processes load the same files: bytecode is kept, whatever the shell says
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check fuzz fuzz-files oracle docs bench format clean check-format lint types tests fast-tests

help: ## this list
	@echo "make TARGET, with TARGET one of"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.installed ## motor sizes, a simulated run and a report of a Delta that picks and places
	@$(BIN)/gough run examples/scenarios/delta_pick_and_place.yaml -o build/demo --force

test: check-format lint ## formatter check, linter, type checker and all tests
	@$(MAKE) --no-print-directory -j2 types tests

check: check-format lint ## the same with a part of the tests, for everyday work; a minute
	@$(MAKE) --no-print-directory -j2 types fast-tests

fuzz: $(VENV)/.installed-dev ## N random machines from SEED on, against a second program; 10 minutes
	@PYTHONPATH=tests $(BIN)/python -m fuzz --seed $(SEED) --count $(N)

fuzz-files: $(VENV)/.installed-dev ## N files of other programs, changed at random from SEED on
	@PYTHONPATH=tests $(BIN)/python -m fuzz.foreign --seed $(SEED) --count $(N)

oracle: $(VENV)/.installed-dev ## answers of all public functions beside those of the commit BASE; 10 minutes
	@rm -rf build/base && mkdir -p build && git archive --prefix=build/base/ $(BASE) | tar x
	@$(BIN)/python tests/oracle.py build/base .

docs: $(VENV)/.installed-dev ## the documentation, into docs/_build/html; warnings are errors
	@echo "== sphinx"
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/.installed-bench ## gough beside its peers, 10 to 20 minutes; writes docs/benchmarks.md
	@$(BIN)/python benchmarks/peers.py --zoo --write

format: $(VENV)/.installed-dev ## format the code and repair what the linter can
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

clean: ## remove the environment and everything built
	@rm -rf $(VENV) build dist docs/_build docs/_generated .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests docs examples -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# The parts of `make test`.

check-format: $(VENV)/.installed-dev
	@echo "== ruff format"
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: make format"; exit 1; }

lint: $(VENV)/.installed-dev
	@echo "== ruff check"
	@$(BIN)/ruff check --quiet .

types: $(VENV)/.installed-dev
	@echo "== mypy"
	@$(BIN)/mypy --no-error-summary

tests: $(VENV)/.installed-dev
	@echo "== pytest"
	@$(BIN)/python -m pytest -q

fast-tests: $(VENV)/.installed-dev
	@echo "== pytest --fast"
	@$(BIN)/python -m pytest -q --fast

# The environment.  A stamp is newer than pyproject.toml as long as nothing needs installing.

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "gough needs Python 3.11 or newer, '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)"; \
	  echo "Name another one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: its venv module is not installed."; \
	  echo "On Debian and Ubuntu it is the package python3-venv."; exit 1; }
	@echo "making the environment $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made $(MADE_OF)
	@echo "installing gough"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made $(MADE_OF)
	@echo "installing gough and the tools for tests and docs"
	@$(INSTALL) --editable ".[test,docs,engines]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/.made $(MADE_OF)
	@echo "installing gough and what it is compared with"
	@$(INSTALL) --editable ".[bench]"
	@touch $@ $(VENV)/.installed
