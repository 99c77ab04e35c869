# ManifestSeal. `make run` serves the site, `make test` tests everything;
# both do their own set-up on a machine that has Go, make and Node.

GO      ?= go
BINARY  := bin/manifestseal
LISTEN  ?= 127.0.0.1:8080
WASMRUN := $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec
# GOOS=js programs take at most 12 KB of environment and arguments together.
SMALLENV = env -i PATH="$(PATH)" HOME="$(HOME)" GOFLAGS="$(shell $(GO) env GOFLAGS)" GOPROXY="$(shell $(GO) env GOPROXY)" \
	GOCACHE="$(shell $(GO) env GOCACHE)" GOMODCACHE="$(shell $(GO) env GOMODCACHE)" GOTOOLCHAIN="$(shell $(GO) env GOTOOLCHAIN)"
# The engine's own tests again, in the other build of the engine.
ENGINE  := ./engine/capability ./engine/claims/... ./engine/digest ./engine/drift ./engine/gate ./engine/jsonvalue ./engine/manifest ./engine/pin ./engine/poison ./engine/report ./engine/screen ./engine/seal ./engine/view ./wasm/bridge

.PHONY: run devnet run-devnet soak build bundle generate check test test-wasm chromium postgres npm conformance bench fuzz eval mutate demo vuln clean

run: build
	$(BINARY) serve --listen $(LISTEN)

# A Solana chain on this machine, for development: e2e/devnet/README.md.
devnet: npm
	node e2e/devnet/main.mjs

# The web app on such a chain: buy reports with the burner wallet, for nothing.
run-devnet: build npm
	node e2e/devnet/main.mjs -- $(BINARY) serve --dev --listen $(LISTEN)

build: bundle
	$(GO) build -trimpath -o $(BINARY) ./server/cmd/manifestseal

# What the browser gets: scripts, styles and the engine, by content hash.
BUNDLE  ?=
bundle:
	$(GO) run ./static/cmd/bundle $(BUNDLE)

# The generated sources that are committed: templates and the screen's tables.
generate:
	$(GO) tool templ generate -path templates
	$(GO) generate ./engine/screen

# Everything that can be said without running the product.
check: bundle npm
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./wasm/... ./engine/...
	$(GO) tool staticcheck -checks inherit,-ST1018 ./... # Persian, Indic text and emoji need their joiners
	$(GO) mod tidy -diff
	$(GO) mod verify
	sh e2e/setup/generated.sh
	node engine/enginetest/generate.mjs --check
	e2e/npm/node_modules/.bin/tsc -p web/tsconfig.json

test: bundle chromium postgres npm recipes
	$(GO) test -timeout 25m ./...
	$(MAKE) --no-print-directory test-wasm

test-wasm:
	@echo "the engine's tests on js/wasm"
	@$(SMALLENV) GOOS=js GOARCH=wasm $(GO) test -exec=$(WASMRUN) $(ENGINE)

# Chromium for the browser tests: Debian's package, installed when missing.
chromium:
	@sh e2e/setup/chromium.sh

# PostgreSQL for the tests of the store: Debian's package, installed when missing.
postgres:
	@sh e2e/setup/postgres.sh

# What the verify page's recipes are run with: OpenSSL and Python, Debian's packages.
recipes:
	@sh e2e/setup/recipes.sh

# npm packages that only checks and tests use.
npm:
	@sh e2e/setup/npm.sh

# The engine against Node: every manifest and pair of the corpus, and generated texts.
TEXTS ?= 100000
PAIRS ?= 20000
conformance:
	MANIFESTSEAL_SPANS=$(TEXTS) MANIFESTSEAL_PAIRS=$(PAIRS) $(GO) test -count=1 -v -timeout 60m ./e2e/conformance

# Purchases while servers are killed and the chain's node misbehaves, on SQLite and
# on PostgreSQL: every buyer served, every buyer charged once.
PURCHASES ?= 300
soak: postgres
	MANIFESTSEAL_SOAK=$(PURCHASES) $(GO) test -count=1 -v -timeout 30m -run '^TestSoak$$' ./server/internal/x402

bench: bundle chromium
	$(GO) run ./e2e/bench

FUZZTIME ?= 30s
fuzz:
	sh e2e/setup/fuzz.sh $(FUZZTIME)

# The bars of the guard's design as one table. `make test` holds them too.
eval:
	$(GO) run ./e2e/evaltable

# Break a rule, a decision or a check, one at a time: the tests must fail each time.
AREA ?=
mutate:
	$(GO) run ./e2e/mutate $(AREA)

# The whole chain with real processes, each leg proving itself.
demo:
	sh e2e/setup/demo.sh

# A target of its own: when the database of vulnerabilities can't be reached it fails, and says so.
vuln:
	$(GO) tool govulncheck ./...

clean:
	rm -rf bin
	find static/dist -mindepth 1 ! -name '.git*' -delete
