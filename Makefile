# `make demo` on a bare machine: Python 3.11 or newer with pip, and a Python package index.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install -c constraints.txt

.PHONY: demo test check bench peers docs examples clean venv

## A contract analysed by a language model on this machine.
demo: $(VENV)/.installed
	$(BIN)/assay pull smollm2
	$(BIN)/assay analyze examples/supply_agreement.pdf

## All tests, those with the real model included.
test: $(VENV)/.dev
	$(BIN)/assay pull smollm2
	$(BIN)/python -m pytest

## Style, types, layers, generated documents.
check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python docs/make_command.py --check
	$(BIN)/python docs/make_units.py --check

## Rates of the engine; with DATA=DIR (a folder with cuad_dev.jsonl) first 8 contracts, asked 32
## questions at once. The last line of each is one JSON object.
bench: $(VENV)/.dev
	$(BIN)/assay pull smollm2
	$(if $(DATA),$(BIN)/python -m benchmarks.contracts --data $(DATA) --docs 8 --repeats 1 --sets heads)
	$(BIN)/python -m benchmarks.engine

## The engines that benchmarks compare with, in environments of their own (about 5 GB).
peers: $(VENV)/.dev
	$(BIN)/python -m benchmarks.peers.install

## docs/command.md from the command's own help, docs/units.md from the catalogue.
docs: $(VENV)/.dev
	$(BIN)/python docs/make_command.py
	$(BIN)/python docs/make_units.py

## The documents under examples/ from examples/sources/.
examples: $(VENV)/.dev
	$(BIN)/python examples/make_examples.py

## Everything that these targets made, pulled models excepted.
clean:
	rm -rf $(VENV) build src/assay.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks docs examples -name __pycache__ -type d -prune -exec rm -rf {} +

venv: $(VENV)/.dev

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	touch $(VENV)/.installed $@
