# checkrow: every target works from a fresh clone. `make help` lists them.

GO      ?= go
BIN     := bin/checkrow
MODULE  := github.com/checkrow/checkrow
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X $(MODULE)/cmd/internal/cli.version=$(VERSION)
BUILD   := $(GO) build -trimpath -ldflags '$(LDFLAGS)'
# In CI nothing may come from the test cache, and a missing browser is a failure (the specs read CI themselves).
TESTFLAGS ?= $(if $(CI),-count=1) -timeout 25m
# What shares memory between goroutines is tested again under the race detector.
RACE    := ./steps/proc ./runner ./runner/journal ./reporters/console
TOOLS   := $(patsubst %/,./%,$(dir $(wildcard .ci/*/main.go)))

# Nothing may depend on who owns the checkout, and git refuses to look into one that another user owns.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -buildvcs=false)

.DEFAULT_GOAL := help
.PHONY: help build install smoke test race check golden schema man conformance bench chaos clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/checkrow
	@$(BUILD) -o $(BIN) ./cmd/checkrow

install: build ## install the browser driver, and a browser if none is there
	@$(BIN) install

smoke: build ## build, install, run the example suites and the one that fails on purpose
	@bash .ci/smoke $(BIN)

test: install ## run all tests, then the concurrent packages under the race detector
	@bash .ci/test $(TESTFLAGS)
	@$(MAKE) --no-print-directory race

race: ## run the tests of the concurrent packages under the race detector
	@bash .ci/race $(TESTFLAGS) $(RACE)

check: ## formatting, vet, layers and limits, generated files
	@test -z "$$(gofmt -l . .ci | tee /dev/stderr)" || { echo 'check: gofmt -w the files above'; exit 1; }
	@$(GO) mod tidy -diff >/dev/null || { echo 'check: go.mod or go.sum is not tidy, run go mod tidy'; exit 1; }
	@$(GO) vet ./... $(TOOLS)
	@$(GO) run ./.ci/gostats -root . -layers .ci/layers.txt -gate -quiet
	@$(GO) test $(TESTFLAGS) -run 'TestGenerated' ./cmd/internal/cli

golden: ## rewrite the golden files and the generated tables of README.md
	@CHECKROW_GOLDEN=1 $(GO) test -count=1 $$($(GO) list -f '{{.Dir}} {{.ImportPath}}' ./... | \
		while read -r dir pkg; do if [ -d "$$dir/testdata" ]; then echo "$$pkg"; fi; done)
	@CHECKROW_GOLDEN=1 $(GO) test -count=1 -run 'TestGenerated' ./cmd/internal/cli # it reads what others have just written

schema: ## rewrite the published JSON Schemas
	@CHECKROW_GOLDEN=1 $(GO) test -count=1 -run 'TestGeneratedSchema' ./cmd/internal/cli

man: build ## write the man pages into bin/man (man -M bin/man checkrow)
	@$(BIN) docs --man bin/man/man1

conformance: install ## hold every row against the reference CLI's answers and print the counts
	@$(GO) test -count=1 -v ./steps/browser/conformance

bench: build ## measure against Playwright Test and print the table
	@$(GO) run ./.ci/bench

N    ?= 20
SEED ?= 0
chaos: install ## kill runs at N random moments, break the rest too, and look at what is left (N=200 SEED=7)
	@$(GO) run ./.ci/chaos -checkrow $(BIN) -n $(N) -seed $(SEED)

clean: ## remove what was built and every run folder
	@rm -rf bin .checkrow
