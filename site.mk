# site.mk - the goals of a blog of one's own. Its Makefile sets KFLAGS and NVFLAGS, and includes this file.
# docs/own-blog.md explains; `make help` lists the goals.

S := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

CC      = gcc
NVCC   ?= $(firstword $(wildcard $(addsuffix /nvcc,$(subst :, ,$(PATH)) /usr/local/cuda/bin)))
BUILD  ?= build
TARGET ?= build/www
PORT   ?=
V       =

# site-gen of the installed program, else of the checkout
SITE_GEN ?= $(firstword $(wildcard $S../../bin/site-gen) $Sbuild/site-gen)

# --- flags: KFLAGS and NVFLAGS of the blog decide numbers, these do not ---

comma   := ,
CFLAGS  = -std=c17 -D_GNU_SOURCE -O2 -ffp-contract=off -fPIE -I.
LDFLAGS = -pie -static-libgcc -Wl,-z,relro,-z,now -Wl,--as-needed
CUDA   := $(if $(NVCC),$(abspath $(shell $(NVCC) --dryrun -c -x cu /dev/null 2>&1 | sed -n 's/^\#\$$ TOP=//p')))
NVLEAN  = -I$(CUDA)/include/cccl -D_GLIBCXX_BITS_SPECFUN_H
CUDAINC = -isystem $(CUDA)/include
LIB_LIBS    = -l:libjansson.a -l:libnettle.a -l:libz.a -lm
CUDA_LIBS   = $(if $(NVCC),-L$(CUDA)/lib64 -lcudart_static -Wl$(comma)-u$(comma)__cxa_demangle -l:libstdc++.a)
RUNNER_LIBS = $(LIB_LIBS) $(CUDA_LIBS) -ldl -lrt -lpthread

# --- kernels: each folder with a family.c is a family; FAMILIES='a b' takes only those ---

# Parts of a runner that were compiled with Ridgepoint, as far as they fit (runner/scripts/ready.sh)
READY_DIR := $(firstword $(wildcard $S../../lib/ridgepoint) $Sbuild/ready)
READY     := $(shell CC='$(CC)' KFLAGS='$(KFLAGS)' NVCC='$(NVCC)' NVFLAGS='$(NVFLAGS)' SOURCES='$S' sh $Srunner/scripts/ready.sh '$(READY_DIR)')

FAMILIES := $(or $(FAMILIES),$(patsubst kernels/%/family.c,%,$(wildcard kernels/*/family.c)))
SHARED   := $(if $(filter kernels,$(READY)),,$Skernels/*.c) $(if $(filter device,$(READY)),,$Skernels/*.cu)
KERNELS  := kernels/families.c $(wildcard $(foreach f,$(FAMILIES),$(addprefix kernels/$f/,*.c *.cu))) \
            $(filter-out kernels/families.c kernels/products.c kernels/knobs.c,$(patsubst $S%,%,$(wildcard $(SHARED))))

# All processors work, unless the command line has a -j of its own.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# --- goals -------------------------------------------------------------------

.DEFAULT_GOAL = site
.PHONY: site serve bench reproduce runner check-kernels check note deploy clean help

# A blog without a record measures first: its first post shows a number.
site: $(if $(wildcard data/runs/*/*.jsonl.gz),,bench) | $(filter bench,$(MAKECMDGOALS)) ## publish the blog to build/site
	$(Q)$(SITE_GEN) build

serve: $(if $(wildcard data/runs/*/*.jsonl.gz),,bench) | $(filter bench,$(MAKECMDGOALS)) ## preview the blog, following every saved file
	$(Q)$(SITE_GEN) serve $(if $(PORT),--port $(PORT))

runner: $(BUILD)/runner ## build the program that checks and measures your kernels

# The first run is on the CPU, which the first post is about, and then on the GPU.
RUN = $(BUILD)/runner run $(if $(LAUNCHES),--launches $(LAUNCHES)) $(if $(DEVICE),--device $(DEVICE))
bench: runner ## measure on this machine: the GPU if there is one, else the CPU; or DEVICE=cpu
ifeq ($(DEVICE)$(wildcard data/runs/*/*.jsonl.gz),)
	$(Q)$(RUN) --device cpu $(FAMILIES)
	$(Q)! $(RUN) --device cuda --dry-run $(FAMILIES) >/dev/null 2>&1 || $(RUN) --device cuda $(FAMILIES)
else
	$(Q)$(RUN) $(FAMILIES)
endif

# Checked before anything is built.
ifneq ($(filter reproduce,$(MAKECMDGOALS)),)
$(if $(POST),,$(error make reproduce POST=slug: which post?))
endif
reproduce: runner ## measure again what POST=slug quotes, with the sources of its records
	$(Q)BUILD=$(BUILD) LAUNCHES=$(LAUNCHES) FAMILIES='$(FAMILIES)' NVCC=$(NVCC) SITE_GEN=$(SITE_GEN) bash $Srunner/scripts/reproduce.sh '$(POST)'

check-kernels: runner ## compare every kernel with its reference
	$(Q)$(BUILD)/runner check $(FAMILIES)

check: ## find every problem of the pages, write nothing
	$(Q)$(SITE_GEN) check

note: ## log the published numbers; REASON='why' if one changed without a run
	$(Q)$(SITE_GEN) note $(if $(REASON),--reason '$(REASON)')

deploy: ## take it to readers: TARGET=/srv/www/site, host:/path or git:pages
	$(Q)$(SITE_GEN) deploy $(TARGET)

clean: ## remove what was built
	$(Q)rm -rf $(BUILD)

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $Ssite.mk

include $Srunner/rules.mk
