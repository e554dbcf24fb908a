# Everything happens in .venv, which is made when it is missing and updated when setup.cfg changes.
PYTHON ?= python3
TORCH ?= torch==2.13.0
BIN = .venv/bin

.PHONY: demo test test-trainer test-minimum check clean

demo: .venv/demo.stamp  ## score the two systems in examples/
	$(BIN)/python examples/demo.py

test: .venv/test.stamp  ## run all tests, or what TESTS says
	$(BIN)/python -m pytest $(TESTS)

# Torch is heavy, so the tests that need it have an environment of their own.
test-trainer: .venv-trainer/bin/python  ## tests that need torch, on both versions of transformers
	set -e; for version in 4.57 5; do \
	  .venv-trainer/bin/python -m pip install --quiet --upgrade '$(TORCH)' \
	    "transformers==$$version.*" accelerate bert-score datasets sentence-transformers trl pytest hypothesis \
	    --editable '.[models,report]'; \
	  TEXTSIMP_PROPERTIES=few .venv-trainer/bin/python -m pytest tests/trainer tests/errors/torch tests/text/torch tests/text/models/torch; \
	done

# Without extras: tests that need one are skipped. Pages, files, what the system does to commands,
# uploads and the worked example don't depend on libraries' versions; figures of word transformations
# and explanations of all golden scores are made of what the other tests score.
# Properties are tried on few examples: `make test` tries them on many.
test-minimum: .venv-minimum/bin/python  ## tests with the oldest versions that setup.cfg allows
	.venv-minimum/bin/python tools/minimum.py > .venv-minimum/constraints.txt
	.venv-minimum/bin/python -m pip install --quiet --constraint .venv-minimum/constraints.txt \
	  pytest hypothesis --editable .
	TEXTSIMP_PROPERTIES=few .venv-minimum/bin/python -m pytest $(foreach path,tests/browser \
	  tests/support/test_files.py tests/test_contributing.py tests/cli/test_system.py tests/hub/test_push.py \
	  tests/hub/test_wheels.py tests/conformance/test_explanation.py \
	  tests/conformance/test_word_transformations.py,--ignore $(path))

check: .venv/test.stamp  ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv .venv-trainer .venv-minimum build dist *.egg-info

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "textsimp needs Python 3.10 or newer")'
	$(PYTHON) -m venv --upgrade-deps .venv  # Python's own pip may take twice as long

.venv-trainer/bin/python .venv-minimum/bin/python:
	$(PYTHON) -m venv --upgrade-deps $(@D:/bin=)

.venv/demo.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ .venv/demo.stamp
