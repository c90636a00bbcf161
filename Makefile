# The two commands of this repository are `make run` and `make test`; what they do is in infra/stack.

CORPUS ?= tests/corpus
QUESTION ?= Checkout requests time out and the database refuses new connections. What was the cause before?
# For `stack.py up`, as in: make run STACK_OPTIONS="--gateway-port 4580"
STACK_OPTIONS ?=

TARGETS := --bins
STATE := target/stack
STACK := python3 infra/stack/stack.py
export CORPUS QUESTION

.PHONY: run stop test check tools build clean-stack need-cargo need-python3

run: tools build
	$(STACK) up --state $(STATE) $(STACK_OPTIONS)
	@settings="$$($(STACK) env --state $(STATE))" && eval "$$settings" && \
	echo "run: ingesting $$CORPUS" && target/debug/plumbline ingest "$$CORPUS" && \
	echo "run: asking: $$QUESTION" && target/debug/plumbline ask rcca "$$QUESTION"
	@printf '%s\n' '' 'run: the stack stays up. To ask more:' \
	  '  eval "$$($(STACK) env --state $(STATE))"' \
	  '  target/debug/plumbline ask rcca "what went wrong when ..."' \
	  'run: to end it: make stop'

stop: need-python3
	$(STACK) down --state $(STATE)

# With the tests: alone the functions take other features of what they share, and it all would be compiled twice.
test: TARGETS := --bins --tests
test: tools check build
	cargo fmt --all --check
	cargo fmt --check --manifest-path infra/local/Cargo.toml
	cargo clippy --workspace --all-targets -- -D warnings
	cargo test --workspace
	# In release, because that is what `build` compiled its many dependencies for.
	cargo test --release --manifest-path infra/local/Cargo.toml

check: tools
	$(STACK) check

tools: need-python3
	$(STACK) tools

build: need-cargo
	@echo "build: the functions and the command line"
	cargo build --workspace $(TARGETS)
	# With the tests, or their other dependencies would have the engine compiled once more.
	@echo "build: the local services (the first time takes several minutes)"
	cargo build --release --all-targets --manifest-path infra/local/Cargo.toml

clean-stack: need-python3
	$(STACK) down --purge --state $(STATE)
	rm -rf $(STATE)

need-cargo:
	@command -v cargo >/dev/null || { echo "make: cargo is missing, install Rust first (https://rustup.rs)" >&2; exit 1; }

need-python3:
	@command -v python3 >/dev/null || { echo "make: python3 is missing, install Python 3.11 or newer" >&2; exit 1; }
