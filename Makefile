PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do "$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin

.PHONY: demo test lint types tests fuzz bench bench-quality bench-folder clean

demo: .venv/.installed
	@$(BIN)/ragspine-tui demo

test: lint types tests

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

tests: .venv/.dev
	$(BIN)/python -m pytest -n auto

fuzz: .venv/.dev
	RAGSPINE_HYPOTHESIS=fuzz $(BIN)/python -m pytest -n auto tests/unit tests/conformance

bench-folder: .venv/.dev
	@test -n "$(FOLDER)" || { echo "Say which: make bench-folder FOLDER=/path/to/documents"; exit 1; }
	@$(BIN)/python -m benchmarks.folder "$(FOLDER)"

SIZES ?= 10k,100k
KEEP ?= .bench

bench: .venv/.bench
	@$(BIN)/python -m benchmarks.engine --keep "$(KEEP)" --sizes "$(SIZES)" --write benchmarks/RESULTS.md $(if $(ONLY),--only "$(ONLY)")

bench-quality: .venv/.bench
	@$(BIN)/python -m benchmarks.quality $(if $(ONLY),--only "$(ONLY)")

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed: install one, or say PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/.dev: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ .venv/.installed

.venv/.bench: .venv/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,bench]'
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
