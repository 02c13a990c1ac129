# Works with GNU make 3.81, on Linux and macOS. Everything here keeps to this folder: what the system
# must have is printed for you to install, except by `make test-deps`, which is there to install it.

VENV ?= .venv
PYTEST_ARGS ?=
# Tests mostly wait for processes and windows: four at a time keep two cores busy.
JOBS ?= 4

# What is compiled is kept, whatever the shell says: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help serve phone test test-deps long bench rng-report style types written lock audit-deps clean venv-serve venv-test

help:
	@echo 'make serve      install what serving needs and open the default tables'
	@echo 'make phone      the same for phones in the local network: prints the address and a code to scan'
	@echo 'make test       install what tests need and run them (PYTEST_ARGS="-k shoe -x", JOBS=0 for one process)'
	@echo 'make test-deps  on Debian, install the programs that some tests want'
	@echo 'make long       the long tests: many shoes, many slips, many examples'
	@echo 'make bench      ratios of speed, for docs/performance.md'
	@echo 'make rng-report  what 200,000 shuffles look like, with p-values'
	@echo 'make style      ruff: rules and format'
	@echo 'make types      mypy --strict'
	@echo 'make written    write anew what is made from the code: descriptions, page types, golden frames, recordings'
	@echo 'make lock       resolve locks/*.txt again from pyproject.toml (needs uv)'
	@echo 'make audit-deps  licences, a security lint, and known faults of what is locked (asks the network)'
	@echo 'make clean      remove the environment and what tools leave behind; keeps .data'
	@echo
	@echo 'PYTHON=python3.12 chooses the interpreter, VENV=folder the environment.'

venv-serve:
	@sh tools/venv '$(VENV)' serve

venv-test:
	@sh tools/venv '$(VENV)' test

# `exec`, so that a signal reaches croupier itself and no shell stands between.
serve: venv-serve
	@echo 'Once it is ready: http://127.0.0.1:8000/ in a browser, $(VENV)/bin/croupier watch ws://127.0.0.1:8000 standard in a terminal' >&2
	@exec '$(VENV)/bin/croupier' serve --data .data

phone: venv-serve
	@exec '$(VENV)/bin/python' -m croupier_server.phone

test: venv-test
	@exec '$(VENV)/bin/python' -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

long: venv-test
	@exec '$(VENV)/bin/python' -m pytest -m long -o faulthandler_timeout=0 $(PYTEST_ARGS)

bench: venv-test
	@'$(VENV)/bin/python' tests/benchmarks/dealing.py && '$(VENV)/bin/python' tests/benchmarks/slips.py && '$(VENV)/bin/python' tests/benchmarks/fanout.py && '$(VENV)/bin/python' tests/benchmarks/crowd.py && '$(VENV)/bin/python' tests/benchmarks/memory.py && '$(VENV)/bin/python' tests/benchmarks/collector.py && '$(VENV)/bin/python' tests/benchmarks/tables.py && exec '$(VENV)/bin/python' tests/benchmarks/growth.py

rng-report: venv-test
	@exec '$(VENV)/bin/python' tools/rng_report.py

style: venv-test
	'$(VENV)/bin/ruff' check .
	'$(VENV)/bin/ruff' format --check .

types: venv-test
	'$(VENV)/bin/mypy' --strict

# Each is checked by a test, which names its command; here are all, in the order in which one rests on another.
written: venv-test
	'$(VENV)/bin/python' -m croupier_protocol.describe docs
	'$(VENV)/bin/python' -m croupier_protocol.browser client/croupier_client/web/js
	'$(VENV)/bin/python' -m croupier_server.configuring.describe docs
	'$(VENV)/bin/python' -m croupier_server.operator_api.openapi docs
	PYTHONPATH=tests '$(VENV)/bin/python' tests/protocol/test_codec.py
	PYTHONPATH=tests '$(VENV)/bin/python' -m support.vectors
	'$(VENV)/bin/python' tests/transcripts/generate.py

test-deps:
	@sh tools/test-deps

# image.txt has what an archive in PostgreSQL needs as well. It is held to the versions of serve.txt, and test.txt to
# its. Pins stay where they are as long as they fit; `rm locks/*.txt` first to take the newest of everything.
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

lock:
	@command -v uv >/dev/null || { echo 'make lock needs uv: pip install uv' >&2; exit 1; }
	$(COMPILE) pyproject.toml --extra server --group build --output-file locks/serve.txt
	$(COMPILE) pyproject.toml --extra server --extra archive --group build --constraint locks/serve.txt \
		--output-file locks/image.txt
	$(COMPILE) pyproject.toml --extra server --extra dev --group build --constraint locks/image.txt \
		--output-file locks/test.txt
	$(COMPILE) tools/audit.in --output-file locks/audit.txt

# The lint is ruff's security rules (S), which `make style` runs among all others. A package that the service does
# not know counts as a fault (--strict): an audit that asked nobody must not pass.
audit-deps: venv-test
	'$(VENV)/bin/python' tools/licences.py
	'$(VENV)/bin/python' tools/known_faults.py
	'$(VENV)/bin/ruff' check --select S protocol server client examples tools
	'$(VENV)/bin/python' -m venv --clear .venv-audit
	.venv-audit/bin/python -m pip install --quiet --only-binary :all: --require-hashes -r locks/audit.txt
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes --requirement locks/image.txt

clean:
	rm -rf '$(VENV)' .venv-audit .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find protocol server client tests examples -name __pycache__ -type d -prune -exec rm -rf {} +
