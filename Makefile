# Every target does its own set-up: a virtual environment in .venv with the C extensions built. Only Python 3.11+,
# make and a C compiler are needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(shell find src -name '*.pyx' -o -name '*.h')
# Tests start hundreds of interpreters, and each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test coverage lint format bench soak docs pictures dist clean
.DEFAULT_GOAL := help

help:  ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Broadsheet needs Python 3.11 or newer; name one with make PYTHON=python3.12'; exit 1; }
	@command -v $${CC:-cc} >/dev/null || { echo 'Broadsheet needs a C compiler (Debian: apt-get install gcc python3-dev)'; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
endef

# Each editable installation compiles the extensions anew, so none of these builds on another.
$(VENV)/crawl: $(SOURCES)
	$(environment)
	$(BIN)/python -m pip install --quiet --editable '.[crawl]'
	@touch $@

# Most of the 10,000 modules are never imported, so that compiling those that are, when they are, takes less time.
$(VENV)/dev: $(SOURCES)
	$(environment)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@$(BIN)/python -m compileall -q -j 0 src
	@touch $@

$(VENV)/build:
	$(environment)
	$(BIN)/python -m pip install --quiet 'build>=1.2'
	@touch $@

$(VENV)/bench: $(SOURCES)
	$(environment)
	# Older pips stumble over the spelling of one peer's dependency.
	$(BIN)/python -m pip install --quiet 'pip>=23.3'
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

demo: $(VENV)/crawl  ## Run the main job on the built-in news web, end to end (into broadsheet-demo)
	$(BIN)/broadsheet demo

# Tests of one file share what takes long to make, so they stay in one process. They often wait for
# programs that they have started: with two processes more than cores, a third of the time was left over.
JOBS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 4)')
test: $(VENV)/dev  ## Run the tests, in JOBS processes (four more than cores; JOBS=0: in one)
	$(BIN)/python -m pytest $(if $(JOBS),--numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder) $(TESTS)

coverage: $(VENV)/dev  ## Run the tests and say which lines they reach (takes half as long again)
	$(BIN)/coverage run -m pytest $(TESTS)
	@$(BIN)/coverage report

lint: $(VENV)/dev  ## Check style, types and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev  ## Put the code in its house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

PAGES ?= ../shared/data/pages
bench: $(VENV)/bench  ## Time our stages and the peers, page by page (PAGES=folder or corpora)
	$(BIN)/python -m benchmarks $(PAGES) --json bench.json

soak: $(VENV)/dev  ## Run the full counts: fuzzing, all real pages, and many more examples of every property
	$(BIN)/python -m pytest -o addopts='--strict-markers -rA' -m 'soak or hypothesis' --hypothesis-profile soak

docs: $(VENV)/dev  ## Build the documentation into site/, and run its examples
	$(BIN)/python -m tools.check_docs
	# Material announces its successor on every run, which is not a warning about these pages.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo 'Open site/index.html, or see changes at once with $(BIN)/mkdocs serve'

pictures: $(VENV)/dev  ## Run the first commands in a terminal and draw what they show (docs/pictures)
	$(BIN)/python -m tools.pictures

dist: $(VENV)/build  ## Build sdist and wheel
	rm -rf dist
	$(BIN)/python -m build --quiet
	@ls -l dist

clean:  ## Remove everything that was made
	rm -rf $(VENV) build dist site src/*.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src -name '*.so' -delete -o -name '*.c' -delete
