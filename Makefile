# Two commands do everything: `make run` (index a repository and answer a question) and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
REPO ?= .
ASK ?= top --by fan-in --limit 10
JOBS ?= 2
MINUTES ?= 10
WORST ?= 0

.PHONY: run test check format bench bench-scale soak fuzz accuracy cue-score docs clean

run: $(VENV)/.installed
	$(BIN)/git-graph -C "$(REPO)" sync
	$(BIN)/git-graph -C "$(REPO)" $(ASK)

test: $(VENV)/.test
	$(BIN)/pytest -n $(JOBS)

check: $(VENV)/.check
	@! git grep -nE '^(<<<<<<<|>>>>>>>) ' || { echo 'conflict markers are left' >&2; exit 1; }
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.installed
	$(BIN)/python -m tests.benchmarks

bench-scale: $(VENV)/.installed
	$(BIN)/python -m tests.scale

soak: $(VENV)/.installed
	$(BIN)/python -m tests.scale.soak --minutes $(MINUTES)

fuzz: $(VENV)/.test
	FUZZ_MINUTES=$(MINUTES) $(BIN)/pytest -m "slow or not slow" tests/fuzz

accuracy: $(VENV)/.installed
	$(BIN)/python -m tests.accuracy --unseen --worst $(WORST)

cue-score: $(VENV)/.installed
	$(BIN)/python -m tests.cue $(if $(AIDER),--aider $(AIDER))

docs: $(VENV)/.installed
	$(BIN)/python -m git_graph.cli.reference docs/commands.md docs/git-graph.1

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.check: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[check]'
	@touch $@ $(VENV)/.installed
