# What each target runs is plain Python; the README lists the commands for people without make.
PYTHON ?= python3
EXPERIMENT ?= data/experiments/quickstart.yaml
JOBS ?= 2
BIN := .venv/bin
INSTALLED := .venv/installed

.DEFAULT_GOAL := help
.PHONY: help setup report test check lab clean lock fuzz bench

help:
	@echo "make setup    install the locked versions and the project into .venv"
	@echo "make report   run an experiment and make its report (EXPERIMENT=file.yaml)"
	@echo "make test     run every test"
	@echo "make check    prove every problem of data/problems"
	@echo "make lab      open the notebooks in JupyterLab"
	@echo "make fuzz     search longer for inputs that break the readers"
	@echo "make bench    measure speed and memory"
	@echo "make lock     resolve requirements.lock anew (needs the network)"
	@echo "make clean    remove reports and caches; responses of models are kept"

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed, this is " + sys.version.split()[0] + "; set PYTHON=python3.12 or similar")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: $(INSTALLED)

report: $(INSTALLED)
	@$(BIN)/geoutils run $(EXPERIMENT) --jobs $(JOBS)

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(INSTALLED)
	@$(BIN)/geoutils check --jobs $(JOBS)

lab: $(INSTALLED)
	$(BIN)/python -m jupyterlab --notebook-dir=notebooks

fuzz: $(INSTALLED)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 -m "hypothesis or fuzz"
	@for script in $(wildcard benchmarks/fuzz*.py); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

bench: $(INSTALLED)
	$(BIN)/python benchmarks/analysis.py
	$(BIN)/python benchmarks/pipeline.py
	$(BIN)/python benchmarks/size.py
	$(BIN)/python benchmarks/grading.py
	$(BIN)/python benchmarks/statistics.py
	$(BIN)/python benchmarks/regression.py
	$(BIN)/python benchmarks/inference.py client
	$(BIN)/python benchmarks/inference.py pace
	$(BIN)/python benchmarks/inference.py embedded
	$(BIN)/python benchmarks/inference.py memory
	$(BIN)/python benchmarks/inference.py peers

lock:
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python tools/lock.py $(UPGRADE)

clean:
	rm -rf .pytest_cache .hypothesis .cache build geoutils.egg-info
	find reports -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	find geoutils tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +
