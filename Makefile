# One word for each thing to do. Every target installs what it needs into .venv, pinned by constraints.txt.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check lint types bench docs deep clean

demo: .venv/cli
	@$(BIN)/chatadt show --from openai_chat examples/conversation.json
	@$(BIN)/chatadt convert --from openai_chat --to anthropic --model claude-opus-4-8 examples/conversation.json

test: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/dev lint types test

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	@$(BIN)/mypy & mypy=$$!; $(BIN)/pyright --pythonpath $(BIN)/python && wait $$mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

docs: .venv/dev
	$(BIN)/python -m docs
	$(BIN)/python -m pytest docs README.md

deep: .venv/dev
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n 2 --dist worksteal -m "deep or not deep"

clean:
	rm -rf .venv .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/cli: .venv/bin/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cli]'
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cli,testing,dev]'
	@touch $@
