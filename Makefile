# Every target does its own set-up in .venv, from locks/: exact versions, and the SHA-256 of each file that pip may install.
PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
LOCKED := $(PIP_INSTALL) --require-hashes --no-deps
EXTRAS := endpoint,embeddings,monty,learn,adamw8bit,skills,serve,bench,dev
# The locks hold PyTorch's build for a processor. Where pip knows no place that has it (PIP_FIND_LINKS), its pins do, without
# hashes: PyPI's build brings gigabytes of CUDA.
CPU_TORCH = $(shell sed -n 's/^\(torch==[^ ]*\) .*/\1/p' locks/learning.txt)
NO_CPU_TORCH = note: pip knows no place with $(CPU_TORCH), so it takes another build without a hash; docs/guide/setup.md tells how
# $(call with_torch,PYTHON,LOCK,PINS): install a lock that holds PyTorch.
define with_torch
	@if $(1) $(PIP_INSTALL) --dry-run --no-deps $(CPU_TORCH) > /dev/null 2>&1; \
	then echo '$(1) $(LOCKED) -r $(2)'; $(1) $(LOCKED) -r $(2); \
	else echo '$(NO_CPU_TORCH)' >&2; $(1) $(PIP_INSTALL) $(3); fi
endef
# prowess itself: what builds it is in the lock, too, so nothing is downloaded for it.
OURSELVES := $(PIP_INSTALL) --no-deps --no-build-isolation -e .
APPWORLD_BUNDLE ?= $(wildcard ../shared/appworld/train-dev.bundle)

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11) and "prowess needs Python 3.11 or newer; try: make PYTHON=python3.12")

.PHONY: help install learning quickstart lint test test-slow test-worlds test-packaging test-appworld test-vllm \
	test-cluster test-all chaos cluster test-gpu gpu gpu-there headline bench audit clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-16s%s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

install: .venv/installed ## set up .venv with prowess alone

learning: .venv/learning ## set up .venv with what the quickstart needs

.venv/installed: pyproject.toml locks/installed.txt
	$(PYTHON) -c '$(NEW_ENOUGH)'
	$(PYTHON) -m venv .venv
	$(BIN)/python $(LOCKED) -r locks/installed.txt
	$(BIN)/python $(OURSELVES)
	touch $@

.venv/developing: .venv/installed locks/learning.txt locks/developing.txt
	$(call with_torch,$(BIN)/python,locks/developing.txt,-c constraints.txt -e '.[$(EXTRAS)]')
	touch $@

.venv/learning: .venv/installed locks/learning.txt
	$(call with_torch,$(BIN)/python,locks/learning.txt,-c constraints.txt -e '.[learn]')
	touch $@

quickstart: .venv/learning ## set up .venv, then train a tiny model: collect, imitate, reinforce, compare
	$(BIN)/prowess learn recipes/quickstart.toml

lint: .venv/developing ## linters, strict types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

PYTEST = $(BIN)/pytest -n 2 --dist loadgroup

test: lint ## lint, and the library's tests: for every commit, at most 6 minutes on two cores
	$(PYTEST) -m 'not slow and not chaos and not packaging and not appworld and not vllm and not cluster and not gpu' tests

test-slow: .venv/developing ## the library's tests that take longer: whole trainings, killed processes, many seeds
	$(PYTEST) -m 'slow and not chaos and not packaging and not appworld and not vllm and not cluster and not gpu' tests

test-worlds: .venv/developing ## every family, drill and errand of the built-in worlds
	$(PYTEST) worlds/desk/tests worlds/practice/tests

test-packaging: .venv/developing ## build the wheel and the sdist, install them elsewhere and use them
	$(BIN)/pytest -m packaging tests

chaos: .venv/developing ## kill -9 and full disks at random moments; PROWESS_CHAOS_SEED=N repeats those of a failure
	$(PYTEST) -m chaos tests/chaos

test-all: test test-slow chaos test-worlds test-packaging test-appworld test-vllm ## everything that needs no GPU

test-appworld: .venv/developing ## AppWorld, where its bundle is (APPWORLD_BUNDLE=FILE)
ifeq ($(APPWORLD_BUNDLE),)
	@echo "nothing tested: there is no bundle of AppWorld's data here; make test-appworld APPWORLD_BUNDLE=FILE"
else
	$(BIN)/prowess appworld setup --home .appworld --bundle '$(APPWORLD_BUNDLE)'
	PROWESS_APPWORLD='$(CURDIR)/.appworld' APPWORLD_BUNDLE='$(abspath $(APPWORLD_BUNDLE))' \
		$(BIN)/pytest -n 2 --dist loadgroup -m appworld worlds/appworld/tests
endif

# vLLM pins what it needs to other versions than ours: it gets an environment of its own.
.vllm/installed: pyproject.toml locks/vllm.txt
	$(PYTHON) -m venv .vllm
	$(call with_torch,.vllm/bin/python,locks/vllm.txt,--no-deps -r tests/vllm/requirements.txt)
	.vllm/bin/python $(OURSELVES)
	touch $@

test-vllm: .vllm/installed ## vLLM on a processor, in an environment of its own
	OMP_NUM_THREADS=2 .vllm/bin/python -m pytest -m vllm tests/vllm

# verl holds transformers back: it gets an environment of its own, with the versions that go with .gpu's vLLM.
.cluster/installed: pyproject.toml locks/cluster.txt
	$(PYTHON) -c '$(NEW_ENOUGH)'
	$(PYTHON) -m venv .cluster
	@echo "installing verl, Ray and PyTorch into .cluster: gigabytes, some minutes"
	.cluster/bin/python $(LOCKED) -r locks/cluster.txt
	.cluster/bin/python $(OURSELVES)
	touch $@

cluster: .cluster/installed ## what learning on several GPUs needs, into .cluster
	.cluster/bin/prowess doctor --learn

# The same for processors, with what its tests need.
.cluster-testing/installed: pyproject.toml locks/cluster-testing.txt
	$(PYTHON) -m venv .cluster-testing
	$(call with_torch,.cluster-testing/bin/python,locks/cluster-testing.txt,--no-deps -r tests/cluster/requirements.txt)
	.cluster-testing/bin/python $(OURSELVES)
	touch $@

test-cluster: .cluster-testing/installed ## several processes that learn together, and worlds on several nodes, on processors
	.cluster-testing/bin/python -m pytest -m cluster tests/cluster

# On a machine with a GPU and a network: the headline run of docs/gpu.md.
RECIPE ?= qwen-sage
# The versions are those that were measured, not the newest that the extra allows.
.gpu/installed: pyproject.toml locks/gpu.txt | gpu-there
	$(PYTHON) -c '$(NEW_ENOUGH)'
	$(PYTHON) -m venv .gpu
	@echo "installing vLLM and PyTorch into .gpu: gigabytes, some minutes"
	.gpu/bin/python $(LOCKED) -r locks/gpu.txt
	.gpu/bin/python $(OURSELVES)
	touch $@

# What its tests need besides, one of them moments in 8 bits.
.gpu/testing: .gpu/installed locks/gpu-testing.txt
	.gpu/bin/python $(LOCKED) -r locks/gpu-testing.txt
	touch $@

test-gpu: gpu-there .gpu/testing ## tests that need a GPU
	.gpu/bin/python -m pytest -m gpu tests/gpu

# Asked before anything is downloaded.
gpu-there:
	@test -e /dev/nvidiactl -o -e /dev/kfd || nvidia-smi -L > /dev/null 2>&1 || { \
		echo "error: make $(MAKECMDGOALS) needs a GPU, and the system shows none (no /dev/nvidiactl, nvidia-smi finds nothing)" >&2; \
		echo "hint: make quickstart learns on any machine; make test-vllm tries vLLM on a processor" >&2; exit 2; }

gpu: gpu-there .gpu/installed ## learn RECIPE (qwen-sage) on this GPU
	.gpu/bin/prowess learn $(RECIPE) $(SETS)

# SAGE against GRPO from the imitation that is kept here, two seeds each, for as long as that took once; SAGE played in three
# ways, GRPO in the two that have no library; and the tables of it.
STUDY = .gpu/bin/python studies/qwen
headline: gpu-there .gpu/installed ## the tables of the headline study, on this GPU
	test -e runs/headline/start || $(STUDY)/kept.py join docs/results/qwen/adapters/imitated-1.5b runs/headline/start
	$(STUDY)/study.py --model Qwen/Qwen2.5-Coder-1.5B-Instruct --name 1.5b --out runs/headline --start runs/headline/start \
		--only sage,sft-grpo --seeds 0,1 --jobs 1 --minutes 9.4 --steps 300 --runs 3 --set evaluate.skip=3 --splits test_normal \
		--play '' --play 'at temperature 1' --play 'query_embedding, at temperature 1' \
		--set suite.desk.drills=0 --set suite.desk.errands=0 --set train.evaluate_every=0 --set train.checkpoint_every=5 \
		--set learner.micro_tokens=8192 --set sampling.cache_gb=20 $(SETS)
	$(STUDY)/tables.py runs/headline/1.5b/rows.jsonl > runs/headline/tables.new
	mv runs/headline/tables.new runs/headline/tables.md
	@cat runs/headline/tables.md

bench: .venv/developing ## sandbox, world and retrieval
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/world.py
	$(BIN)/python benchmarks/retrieval.py

.audit/installed: locks/auditing.txt
	$(PYTHON) -m venv .audit
	.audit/bin/python $(LOCKED) -r locks/auditing.txt
	touch $@

audit: .audit/installed ## ask the advisory database about every version in the locks; needs a network
	.audit/bin/python locks/audit.py

clean: ## remove the environments and caches
	rm -rf .venv .vllm .cluster .cluster-testing .gpu .audit .appworld .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
