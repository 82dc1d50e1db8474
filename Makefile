# The one list of commands: `make` alone shows it. Everything lives in .venv inside the checkout; what a command needs is
# set up first, and again only when the files it depends on have changed.
#   TSDT_ENGINE=python|rust   which engine to use; python also leaves out building the compiled one
#   TSDT_REQUIRE_RUST=1       fail where the compiled engine cannot be built, instead of going on without it
#   TSDT_BROWSER=path         the browser that tests open reports in, where it is not found by itself
#   TSDT_DATA=folder          where the data files are that tests and experiments read
#   PYTHON=python3.12         which Python makes .venv
#   ARGS="xnor --full"        what `make reproduce` runs: names of experiments, --full, --plots, --list

.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes

RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
BUILT := $(VENV)/.engine-built
WITH_RUST := PYO3_PYTHON=$(CURDIR)/$(PY) scripts/with-rust $(BUILT)

ENGINE := $(if $(filter python,$(TSDT_ENGINE)),,$(BUILT))
RUNTIME := $(VENV)/.runtime-installed $(VENV)/bin/tsdt $(ENGINE)
DEV := $(VENV)/.dev-installed $(RUNTIME)

$(shell test -x $(PY) || rm -f $(VENV)/.made) # a .venv whose Python has gone is made again

##@ Use

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: $(RUNTIME) ## Learn a small tree from a stream and show it (half a minute at most)
	@$(VENV)/bin/tsdt demo

##@ Check

.PHONY: test
test: lint test-rust test-python ## Everything that must pass: lint and tests of both languages

.PHONY: test-python
test-python: $(DEV) ## Only the Python tests and the examples in docstrings
	@$(PY) -m pytest -q

.PHONY: test-rust
test-rust: $(DEV) ## Only the Rust tests
	@$(WITH_RUST) test --quiet --locked --package tsdt-core

.PHONY: lint
lint: $(DEV) ## Style, types and Rust's lints, changing nothing
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --quiet --check .
	@$(PY) -m mypy
	@$(WITH_RUST) fmt --all --check
	@$(WITH_RUST) clippy --quiet --locked --workspace --all-targets -- --deny warnings

.PHONY: format
format: $(DEV) ## Bring the source into shape
	@$(PY) -m ruff check --quiet --fix-only .
	@$(PY) -m ruff format --quiet .
	@$(WITH_RUST) fmt --all

##@ Measure

.PHONY: bench
bench: $(DEV) ## Speed, memory and where the time goes; then beside every peer (the first time installs them)
	@$(PY) -m benchmarks
	@$(PY) -m benchmarks.peers

.PHONY: bench-exact
bench-exact: $(DEV) ## The 36 known optima, found and proven, beside STreeD (ten minutes)
	@$(PY) -m benchmarks.exact

.PHONY: bench-policies
bench-policies: $(DEV) ## How soon each policy finds and proves the optimum (five minutes)
	@$(PY) -m benchmarks.policies

.PHONY: bench-scaling
bench-scaling: $(DEV) ## How time grows with samples, attributes, categories, classes and leaves
	@$(PY) -m benchmarks.scaling

.PHONY: bench-parquet
bench-parquet: $(DEV) ## A Parquet file of a million rows, learned and predicted, beside scikit-learn (fifteen minutes)
	@$(PY) -m benchmarks.parquet

.PHONY: bench-numeric
bench-numeric: $(DEV) ## Tables of numbers beside CART: objective, and accuracy on folds (ten minutes)
	@$(PY) -m benchmarks.numeric

.PHONY: bench-record
bench-record: $(DEV) ## Keep the last runs as the record of this version in benchmarks/history
	@$(PY) -m benchmarks.ratios record

.PHONY: bench-check
bench-check: $(DEV) ## Fail where a ratio of the last runs is a quarter below the newest record
	@$(PY) -m benchmarks.ratios check

.PHONY: bench-streams
bench-streams: $(DEV) ## Convergence, throughput, memory and drift on streams, beside River (ten minutes)
	@$(PY) -m benchmarks.streams

.PHONY: reproduce
reproduce: $(DEV) ## Every figure of the paper again, beside its peers (half an hour; ARGS=--full: a day; docs/reproduction.md)
	@$(PY) -m experiments $(ARGS)

.PHONY: study-kills
study-kills: $(DEV) ## A stream killed 200 times at random moments, and what is left of it (fifteen minutes)
	@TSDT_KILLS=200 $(PY) -m pytest -q tests/cli/test_processes.py -k kill_at_any_moment

.PHONY: bench-pipe
bench-pipe: $(DEV) ## Ten million rows through a pipe: speed and memory, beside polars and pandas (ten minutes)
	@$(PY) -m benchmarks.pipe

##@ Make

.PHONY: setup
setup: $(DEV) ## Set up .venv with all that the other commands need

.PHONY: build
build: export TSDT_REQUIRE_RUST := 1
build: $(VENV)/.made $(BUILT) ## Build a wheel for this machine into dist/ (needs Rust)
	@$(PY) -m maturin build --release --locked --interpreter $(PY) --out dist

.PHONY: gallery
gallery: $(RUNTIME) ## Learn the trees of docs/gallery.md and draw them again (compas needs TSDT_DATA)
	@$(PY) docs/gallery.py

.PHONY: lock
lock: ## Pin the newest versions that pyproject.toml allows (needs uv)
	@command -v uv >/dev/null || { echo "uv is missing: 'python3 -m pip install uv' gets it."; exit 1; }
	@scripts/lock

.PHONY: clean
clean: ## Remove all that these commands made, .venv included
	@rm -rf $(VENV) target dist .mypy_cache .pytest_cache .ruff_cache .hypothesis python/tsdt/_engine*.so
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the commands need.

$(VENV)/.made:
	@test -x $(PY) || scripts/make-venv $(VENV)
	@touch $@

# The package is linked, not installed, so that it needs no build; the path is relative to site-packages.
$(VENV)/.runtime-installed: requirements/runtime.txt $(VENV)/.made
	@echo "Installing what tsdt needs."
	@$(PIP_INSTALL) -r requirements/runtime.txt
	@echo ../../../../python > "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tsdt.pth"
	@touch $@

# The command, as installing the package would make it.
$(VENV)/bin/tsdt: scripts/tsdt $(VENV)/.made
	@cp $< $@

$(VENV)/.dev-installed: requirements/dev.txt $(VENV)/.runtime-installed
	@echo "Installing what the checks need."
	@$(PIP_INSTALL) -r requirements/dev.txt
	@touch $@

$(BUILT): $(RUST_SOURCES) requirements/build.txt $(VENV)/.made
	@scripts/build-engine $(VENV) $@
