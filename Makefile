# Needs Python 3.11 to 3.13 and make, nothing else: the compiler comes with pip.
#
#   make demo    set everything up and generate tests for examples/triangle.c
#   make check   set everything up and run what a contributor needs, in two minutes
#   make test    set everything up and run every check
#   make         list the rest

PYTHON ?= python3
VENV ?= .venv
BUILD ?= build
JOBS ?= 2
BIN := $(VENV)/bin
QUICK := tests/unit tests/contracts tests/house/test_layers.py tests/house/test_messages.py tests/house/test_repository.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo check test lint types quick unit bench docs clean distclean

help: ## show what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: $(VENV)/installed ## set up and generate confirmed tests for examples/triangle.c
	@$(BIN)/tightrope generate examples/triangle.c -o $(BUILD)/demo
	@echo 'The tests are plain C: see $(BUILD)/demo/test_triangle_classify.c. Your own: $(BIN)/tightrope generate FILE.c'

check: lint types quick ## set up and run what a contributor needs before sending a change: under two minutes

test: lint types unit ## set up and run everything that must pass: lint, types, tests

lint: $(VENV)/installed-dev ## style, format and likely mistakes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files 'src/*.[ch]' 2>/dev/null || find src -name '*.[ch]')

types: $(VENV)/installed-dev ## static types of src
	$(BIN)/mypy

quick: $(VENV)/installed-dev ## the tests that need no search: units, contracts, layers, examples of criteria
	$(BIN)/pytest -q -n $(JOBS) $(QUICK)

unit: $(VENV)/installed-dev ## all tests
	TIGHTROPE_PARANOID=1 $(BIN)/pytest -n $(JOBS) $(TESTS)

bench: $(VENV)/installed-dev ## measure, and keep the result in bench/results (asserts nothing)
	$(BIN)/python -m bench.run $(BENCH)

docs: $(VENV)/installed-dev ## write the pages that are made from tables in the code
	$(BIN)/python docs/make_reference.py

clean: ## remove what was built; keep the virtual environment
	rm -rf $(BUILD) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

distclean: clean ## remove the virtual environment too
	rm -rf $(VENV)

# Installed in editable form, so only a change of pyproject.toml asks for a new installation.
$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Python 3.11 to 3.13 is needed; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: pyproject.toml | $(VENV)/created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed
