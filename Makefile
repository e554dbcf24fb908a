# Everything happens in .venv, which is made when it is missing and updated when setup.cfg changes.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: demo test check clean

demo: .venv/demo.stamp  ## score the two systems in examples/
	$(BIN)/python examples/demo.py

test: .venv/test.stamp  ## run all tests
	$(BIN)/python -m pytest

check: .venv/test.stamp  ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build dist *.egg-info

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "textsimp needs Python 3.10 or newer")'
	$(PYTHON) -m venv .venv

.venv/demo.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ .venv/demo.stamp
