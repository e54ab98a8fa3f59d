# Ridgepoint. `make help` says what can be made; README.md says why.
# Four parts: settings, flags, what is made of what, how. runner/rules.mk makes the runner.

.DEFAULT_GOAL = all

# --- settings: override on the command line, `make CC=clang SAN=1` -----------

# All processors work, unless the command line has a -j of its own.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

CC        = gcc
CUDA_ARCH = 90a
NVCC     ?= $(firstword $(wildcard $(addsuffix /nvcc,$(subst :, ,$(PATH)) /usr/local/cuda/bin)))
SAN       =
COVER     =
JITTER    =
V         =
# CCACHE=ccache: what was compiled before, in this folder or in another, is not compiled again
CCACHE   ?=
# FAMILIES='reduce scan': bench, reproduce and what is compiled are of these alone, in a folder of their own
FAMILIES ?=
BUILD    ?= build$(if $(SAN),/san)$(if $(COVER),/coverage)$(if $(JITTER),/jitter)$(if $(FAMILIES),/families)
TARGET   ?= build/www
SECONDS_EACH ?= 60
PREFIX ?= /usr/local
DESTDIR ?=

comma := ,

# --- flags -------------------------------------------------------------------

WARN    = -Wall -Wextra -Wshadow
HARDEN  = -fstack-protector-strong -fstack-clash-protection -fcf-protection -fPIE
FORTIFY = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
ifneq ($(SAN),)
HARDEN  = -fsanitize=address,undefined$(if $(FUZZ),$(comma)$(FUZZ)) -fno-sanitize-recover=all -fno-omit-frame-pointer -fPIE
FORTIFY =
endif
ifneq ($(COVER),)
HARDEN  = --coverage -O0 -fPIE
FORTIFY =
endif

CFLAGS  = -std=c17 -D_GNU_SOURCE -O2 -g $(WARN) -Wvla -ffp-contract=off $(HARDEN) $(FORTIFY) -I.
KFLAGS  = -std=c17 -D_GNU_SOURCE -O3 -g $(WARN) $(if $(SAN),$(HARDEN),-fPIE) -I.
LDFLAGS = -pie -static-libgcc -Wl,-z,relro,-z,now -Wl,--as-needed $(if $(SAN)$(COVER),$(HARDEN))
LUAINC  = -I/usr/include/lua5.4

# The toolkit's folder, as nvcc itself reports it: the nvcc in $PATH may be a script.
CUDA   := $(if $(NVCC),$(abspath $(shell $(NVCC) --dryrun -c -x cu /dev/null 2>&1 | sed -n 's/^\#\$$ TOP=//p')))
NVFLAGS = -std=c++17 -O3 -gencode=arch=compute_$(patsubst sm_%,%,$(CUDA_ARCH)),code=sm_$(patsubst sm_%,%,$(CUDA_ARCH)) \
          -lineinfo -Xcompiler -fPIE,-Wall,-Wextra -Xptxas -v -I. -I$(CUDA)/include/cccl
# Kernels that are delayed at random at barriers and copies (kernels/ptx.cuh): for checks alone.
ifneq ($(JITTER),)
KFLAGS  += -DPTX_JITTER
NVFLAGS := -Ikernels/jitter $(NVFLAGS) -DPTX_JITTER
endif
# libstdc++'s special functions, Bessel's and others, are a quarter of what nvcc reads in every unit,
# and no kernel calls one. Their include guard leaves them out. Records need not name this flag:
# it changes no machine code.
NVLEAN  = -D_GLIBCXX_BITS_SPECFUN_H
CUDAINC = -isystem $(CUDA)/include

LIB_LIBS    = -l:libjansson.a -l:libnettle.a -l:libz.a -lm
# runner/sass asks libstdc++ for names as they were written, if it is there
CUDA_LIBS   = $(if $(NVCC),-L$(CUDA)/lib64 -lcudart_static -Wl$(comma)-u$(comma)__cxa_demangle -l:libstdc++.a)
RUNNER_LIBS = $(LIB_LIBS) $(CUDA_LIBS) -ldl -lrt -lpthread
SITE_LIBS   = -l:libcmark-gfm-extensions.a -l:libcmark-gfm.a -l:liblua5.4.a -l:libyaml.a -l:libunistring.a -l:libbrotlienc.a -l:libbrotlidec.a -l:libbrotlicommon.a -lgit2 -lmicrohttpd $(LIB_LIBS) -lpthread

# --- what is made of what: every source in a folder is part of its program ---

KERNELS    := $(wildcard $(addprefix kernels/,*.c */*.c *.cu */*.cu))
ifneq ($(FAMILIES),)
KERNELS    := kernels/families.c $(wildcard $(foreach f,$(FAMILIES),$(addprefix kernels/$f/,*.c *.cu))) $(filter-out kernels/families.c kernels/products.c kernels/knobs.c,$(wildcard kernels/*.c kernels/*.cu))
endif
include runner/rules.mk
# What runner-trace compiles anew: sources that include the marks (kernels/trace.cuh). Sweeps, which
# take long to compile, are left as they are.
TRACED     := $(filter $(KERNELS),$(shell grep -l '"kernels/trace.cuh"' kernels/*.cu kernels/*/*.cu | xargs grep -L KNOB_FILE))
TRACE_OBJ  := $(if $(NVCC),$(addprefix $(BUILD)/trace/obj/,$(addsuffix .o,$(TRACED))))
SITE_OBJ   := $(call objects,$(wildcard site-gen/*.c site-gen/*/*.c))
FUZZ_OBJ   := $(call objects,$(wildcard tests/fuzz/*.c))
UNIT_TESTS := $(wildcard $(addsuffix /test_*.c,tests/unit/* tests/unit/*/*))
TESTS      := $(BUILD)/tests/fuzz $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_TESTS))

.PHONY: all setup runner ready site-gen site note deploy bench serve check test tests check-gpu check-jitter bless coverage fuzz bundle bench-site bench-site-record install deb new-blog clean help

all: $(if $(wildcard runner/main.c),runner ready) $(if $(wildcard site-gen/main.c),site-gen) ## build both programs

setup: ## install what the goals after it need: make setup site
	@./setup.sh $(filter-out setup,$(MAKECMDGOALS))

runner: $(BUILD)/runner $(BUILD)/runner-trace ## build the program that checks and measures
site-gen: $(BUILD)/site-gen ## build the program that makes the pages

# Goals of one command keep this order, even with -j: clean, setup, bench, site.
site: site-gen | $(filter bench,$(MAKECMDGOALS)) ## publish the blog to build/site
	$(Q)$(BUILD)/site-gen build

deploy: site-gen ## take it to readers: TARGET=/srv/www/site, host:/path or git:pages
	$(Q)$(BUILD)/site-gen deploy $(TARGET)

note: site-gen ## log the published numbers; REASON='why' if one changed without a run
	$(Q)$(BUILD)/site-gen note $(if $(REASON),--reason '$(REASON)')

serve: site-gen | $(filter bench,$(MAKECMDGOALS)) ## preview the blog, following every saved file
	$(Q)$(BUILD)/site-gen serve

bench: runner | $(if $(filter site serve,$(MAKECMDGOALS)),site-gen) ## measure on this machine: the GPU if there is one, else the CPU
	$(Q)$(BUILD)/runner run $(if $(LAUNCHES),--launches $(LAUNCHES)) $(FAMILIES)

# Checked before anything is built.
ifneq ($(filter reproduce,$(MAKECMDGOALS)),)
$(if $(POST),,$(error make reproduce POST=slug: which post?))
endif
# With FAMILIES the runner is a small one, and the generator the usual one.
reproduce: runner $(if $(FAMILIES),,site-gen) ## measure what POST=slug quotes, with the sources of its records
	$(if $(FAMILIES),$(Q)$(MAKE) --no-print-directory FAMILIES= site-gen)
	$(Q)BUILD=$(BUILD) $(if $(FAMILIES),SITE_GEN=build/site-gen) LAUNCHES=$(LAUNCHES) FAMILIES='$(FAMILIES)' runner/scripts/reproduce.sh '$(POST)'

tests: $(TESTS) ## build the unit tests only

check: all tests ## run layers, unit tests and golden sites: needs cmocka only
	$(Q)BUILD=$(BUILD) tests/run check

test: all tests ## run every test that can run here
	$(Q)BUILD=$(BUILD) tests/run

bless: all tests ## accept the output of the golden sites as it is now
	$(Q)BUILD=$(BUILD) BLESS=1 tests/run golden

coverage: ## show how many branches of the sources that judge the unit tests take
	$(Q)$(MAKE) --no-print-directory COVER=1 NVCC= BUILD=$(BUILD)/coverage tests
	$(Q)BUILD=$(BUILD)/coverage tests/coverage.sh

fuzz: $(BUILD)/tests/fuzz ## fuzz readers of input: SECONDS_EACH=60, READERS='markdown front'
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=1 NVCC= BUILD=$(BUILD)/libfuzzer FUZZ=fuzzer-no-link $(BUILD)/libfuzzer/tests/fuzz
	$(Q)for reader in $(or $(READERS),$$($< --list)); do \
	  dir=$(BUILD)/libfuzzer/corpus/$$reader; mkdir -p $$dir && $< --seeds $$reader $$dir && \
	  FUZZ_TARGET=$$reader $(BUILD)/libfuzzer/tests/fuzz -max_total_time=$(SECONDS_EACH) -timeout=20 -max_len=8192 \
	    -verbosity=0 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz-$$reader- $$dir || exit 1; done

check-jitter: runner ## check that no result depends on chance: kernels delayed at random
	$(Q)$(MAKE) --no-print-directory JITTER=1 BUILD=$(BUILD)/jitter runner
	$(Q)runner/scripts/check-jitter.sh $(BUILD)/runner $(BUILD)/jitter/runner

check-gpu: runner ## check every CUDA variant, also under compute-sanitizer
	$(Q)LOGS=$(BUILD)/check-gpu runner/scripts/check-gpu.sh $(BUILD)/runner

bench-site: all ## time the generator on this blog, and on 100, 1000 and 10000 posts
	$(Q)BUILD=$(BUILD) tests/bench-site

bench-site-record: all ## the same as a record of this CPU, for /how-fast-is-ridgepoint/
	$(Q)$(BUILD)/runner exec --device cpu --name site-gen --as bench --lines --timeout 1800 \
	  --commit "$$(git rev-parse HEAD)" --check 'test "$$(grep -c "^ridgepoint: ")" -ge 13' \
	  --reason 'how fast the generator is' -- tests/bench-site --lines 1000 10000 blog records

install: all ## install both programs and the default look: PREFIX=/usr/local, DESTDIR=
	$(Q)BUILD='$(BUILD)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' ./install.sh

deb: all ## make a Debian package of the same, in build/deb: needs dpkg-dev
	$(Q)BUILD='$(BUILD)' runner/scripts/deb.sh '$(BUILD)/deb'

new-blog: all ## begin a blog of your own: DIR=../my-blog
	$(Q)$(BUILD)/site-gen init '$(DIR)'

bundle: $(addprefix $(BUILD)/bundle/,runner runner-trace check-gpu.sh check-gpu.known check-jitter.sh measure-all.sh) ## build a runner for hosts that have only the driver

clean: ## remove what was built
	$(Q)rm -rf $(BUILD)

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

# --- how ---------------------------------------------------------------------

$(OBJ)/site-gen/%.o: private CFLAGS += $(LUAINC)
$(OBJ)/tests/%.o: private CFLAGS += $(LUAINC) $(if $(FUZZ),-DFUZZ_LIBFUZZER)
$(TRACE_OBJ): private MARKS = -DKERNEL_TRACE='"$<"'
$(BUILD)/trace/obj/%.cu.o: %.cu $(BUILD)/flags
	$(compile_cuda)

$(BUILD)/trace/stamp.c: $(TRACE_OBJ) $(BUILD)/codehash FORCE
	@mkdir -p $(@D)
	@OBJ='$(BUILD)/trace/obj' TRACED=true CODEHASH='$(BUILD)/codehash' CC='$(CC)' NVCC='$(NVCC)' CFLAGS='$(KFLAGS)' \
	  NVFLAGS='$(NVFLAGS)' runner/scripts/stamp.sh > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
$(BUILD)/trace/stamp.o: $(BUILD)/trace/stamp.c runner/base/stamp.h lib/record.h $(BUILD)/flags
	@$(CCACHE) $(CC) $(CFLAGS) -c $< -o $@

# The same program, with marks in the kernels: its only command is `trace`.
$(BUILD)/runner-trace: $(RUNNER_OBJ) $(BUILD)/trace/stamp.o $(KERNEL_OBJ) $(filter-out $(call objects,$(TRACED)),$(CUDA_OBJ)) $(TRACE_OBJ) $(LIB_OBJ)
	$(call say,LINK)$(CC) $(LDFLAGS) $^ -o $@ $(RUNNER_LIBS)

# Parts of a runner, ready for blogs of one's own: site.mk links them. They are of usual builds alone.
READY_PARTS := $(if $(SAN)$(COVER)$(JITTER)$(FAMILIES),,harness kernels $(if $(NVCC),device))
ready: $(if $(READY_PARTS),$(BUILD)/ready/facts)
SHARED := $(filter-out kernels/families.c kernels/products.c kernels/knobs.c,$(wildcard kernels/*.c kernels/*.cu))
$(BUILD)/ready/harness.o: $(call objects,$(HARNESS)) $(LIB_OBJ)
$(BUILD)/ready/kernels.o: $(call objects,$(filter %.c,$(SHARED)) $(CHAIN))
$(BUILD)/ready/device.o: $(call objects,$(filter %.cu,$(SHARED)) $(BACKEND))
$(BUILD)/ready/%.o:
	@mkdir -p $(@D)
	@rm -f $(BUILD)/ready/facts
	$(call say,READY)$(CC) -r -o $@ $^
$(BUILD)/ready/codehash: $(BUILD)/codehash
	@mkdir -p $(@D)
	@cp $< $@
# stamp.c is made after its script has compared objects with their sources.
$(BUILD)/ready/facts: $(READY_PARTS:%=$(BUILD)/ready/%.o) $(BUILD)/ready/codehash $(BUILD)/stamp.c FORCE
	@CC='$(CC)' KFLAGS='$(KFLAGS)' NVCC='$(NVCC)' NVFLAGS='$(filter-out -I$(CUDA)/include/cccl,$(NVFLAGS))' \
	  sh runner/scripts/ready.sh > $@

$(BUILD)/site-gen: $(SITE_OBJ) $(LIB_OBJ)
	$(call say,LINK)$(CC) $(LDFLAGS) $^ -o $@ $(SITE_LIBS)

# Archives give a test only the objects that it needs, so it may define its own kernel table.
$(BUILD)/%.a:
	@rm -f $@; ar rcs $@ $^
$(BUILD)/site.a: $(filter-out %/main.c.o,$(SITE_OBJ))
$(BUILD)/runner.a: $(filter-out %/main.c.o,$(RUNNER_OBJ)) $(OBJ)/stamp.o
$(BUILD)/kernels.a: $(KERNEL_OBJ)
$(BUILD)/lib.a: $(LIB_OBJ)
ARCHIVES = $(addprefix $(BUILD)/,$(if $(SITE_OBJ),site.a) $(if $(RUNNER_OBJ),runner.a) kernels.a lib.a)

$(BUILD)/tests/%: $(OBJ)/tests/unit/%.c.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(LDFLAGS) $< -Wl,--start-group $(ARCHIVES) -Wl,--end-group -o $@ \
	  -lcmocka $(SITE_LIBS) -ldl -lrt

$(BUILD)/tests/fuzz: $(FUZZ_OBJ) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(LDFLAGS) $(if $(FUZZ),-fsanitize=fuzzer) $(FUZZ_OBJ) -Wl,--start-group $(ARCHIVES) -Wl,--end-group -o $@ \
	  $(SITE_LIBS) -ldl -lrt

$(BUILD)/bundle/runner: $(BUILD)/runner
	@mkdir -p $(@D)
	$(call say,STRIP)strip -o $@ $<
	@printf '%s\n' 'runner: self-contained; needs the GPU driver and glibc only. Try ./runner list,' \
	  'then ./runner run --out runs, and bring the file under runs/ back to data/runs/.' \
	  'runner-trace belongs to it: ./runner trace starts it (docs/tracing.md).' \
	  'measure-all.sh does all there is to measure, in steps; check-gpu.sh checks.' > $(@D)/README

$(BUILD)/bundle/runner-trace: $(BUILD)/runner-trace
	@mkdir -p $(@D)
	$(call say,STRIP)strip -o $@ $<

$(BUILD)/bundle/%.sh: runner/scripts/%.sh
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/bundle/%.known: runner/scripts/%.known
	@mkdir -p $(@D)
	@cp $< $@

.SECONDARY:
-include $(shell find $(BUILD)/trace -name '*.d' 2>/dev/null)
