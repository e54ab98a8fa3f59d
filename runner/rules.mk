# runner/rules.mk - how the runner is made, for the Makefile of Ridgepoint and for site.mk.
#
# Who includes it says: KERNELS, the sources of kernels from the current folder on; S, the folder
# that has lib/, runner/ and other kernels/, with a slash, or nothing if that is the current one;
# CC, CFLAGS, KFLAGS, LDFLAGS, RUNNER_LIBS, NVCC, NVFLAGS, NVLEAN, CUDAINC and BUILD. If
# it sets CCACHE, that program calls the compilers. READY names the parts of a runner that lie ready
# in the folder READY_DIR (runner/scripts/ready.sh): they are linked, and not compiled.

# --- what is made of what: every source in a folder is part of the program ---

OBJ     = $(BUILD)/obj
objects = $(addprefix $(OBJ)/,$(addsuffix .o,$(1)))
sources = $(patsubst $S%,%,$(wildcard $(addprefix $S,$(1))))

unless_ready = $(if $(filter $(1),$(READY)),,$(2))
CHAIN = runner/selftest_chain.c

LIB_OBJ    := $(call objects,$(call unless_ready,harness,$(call sources,lib/*.c)))
KERNEL_OBJ := $(call objects,$(filter %.c,$(KERNELS)))
HARNESS    := $(filter-out runner/cuda/% runner/codehash/main.c $(CHAIN),$(call sources,runner/*.c runner/*/*.c))
RUNNER_OBJ := $(call objects,$(call unless_ready,harness,$(HARNESS)) $(call unless_ready,kernels,$(CHAIN)))
BACKEND    := $(call sources,runner/*.cu runner/cuda/*.cu runner/cuda/*.c)
CUDA_OBJ   := $(if $(NVCC),$(call objects,$(filter %.cu,$(KERNELS)) $(call unless_ready,device,$(BACKEND))))
CODEHASH   := $(if $(filter harness,$(READY)),$(READY_DIR)/codehash,$(BUILD)/codehash)

# Sources of S are compiled as those of the current folder are: with the same names in messages.
ifneq ($S,)
vpath lib/% $S
vpath runner/% $S
vpath kernels/% $S
ELSEWHERE = -I$S
MAPPED    = -ffile-prefix-map=$S=
endif

# --- how ---------------------------------------------------------------------

Q   = $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(patsubst $(OBJ)/%,%,$@) ;)

# One line per setting that changes objects: a new flag recompiles.
FLAGS_TEXT = CC=$(CC) CFLAGS=$(CFLAGS) KFLAGS=$(KFLAGS) NVCC=$(NVCC) NVFLAGS=$(NVFLAGS) $(NVLEAN) $S
$(BUILD)/flags: FORCE | $(filter clean setup,$(MAKECMDGOALS))
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS_TEXT)' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: FORCE

$(OBJ)/kernels/%.c.o: kernels/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CCACHE) $(CC) $(KFLAGS) $(ELSEWHERE) $(MAPPED) -MMD -MP -c $< -o $@

# The runner's own kernel, compiled like the others. Records name the file, so it stays in place.
$(OBJ)/runner/selftest_chain.c.o: private CFLAGS = $(KFLAGS)
$(OBJ)/kernels/torch.c.o: kernels/torch.py
$(OBJ)/kernels/triton.c.o: kernels/triton.py
$(OBJ)/kernels/python_product.c.o: kernels/python_product.py
$(OBJ)/kernels/torch_product.c.o: kernels/torch_product.py
$(OBJ)/kernels/torch_attention.c.o: kernels/torch_attention.py
$(OBJ)/kernels/torch_step.c.o: kernels/torch_step.py
$(OBJ)/kernels/torch_mla.c.o: kernels/torch_mla.py
$(OBJ)/kernels/triton_product.c.o: kernels/triton_product.py
$(OBJ)/kernels/triton_attention.c.o: kernels/triton_attention.py
$(OBJ)/runner/python/measured.c.o: runner/python/ridgepoint.py
$(OBJ)/runner/cuda/%.c.o: private CFLAGS += $(CUDAINC)
$(OBJ)/%.c.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CCACHE) $(CC) $(CFLAGS) $(ELSEWHERE) $(MAPPED) -MMD -MP -c $< -o $@

# ptxas prints registers and spills; runner/scripts/stamp.sh reads them from the log.
# The compiler's own warnings and any spill are shown.
define compile_cuda
	@mkdir -p $(@D)
	$(call say,NVCC)$(CCACHE) $(NVCC) $(NVFLAGS) $(NVLEAN) $(ELSEWHERE) $(MARKS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@ > $(@:.o=.ptxas) 2>&1 \
	  || { cat $(@:.o=.ptxas); exit 1; }
	@grep -vE '^ptxas info|^ *[0-9]+ bytes stack frame, [0-9]+ bytes spill stores' $(@:.o=.ptxas) || :
	@! grep -E 'C75(08|10|15|20)' $(@:.o=.ptxas) || { rm -f $@; echo '$<: the assembler ignores setmaxnreg or runs wgmma one at a time' >&2; exit 1; }
	@grep -E '[1-9][0-9]* bytes spill' $(@:.o=.ptxas) | sed 's,^ *,$<: warning: ,' || :
endef
$(OBJ)/%.cu.o: %.cu $(BUILD)/flags
	$(compile_cuda)

# With FAMILIES the table of families is made of these folders; it stands for kernels/families.c.
ifneq ($(FAMILIES),)
$(foreach f,$(FAMILIES),$(if $(wildcard kernels/$f/family.c),,$(error FAMILIES: there is no kernels/$f/family.c)))
$(BUILD)/families.c: $(addprefix kernels/,$(addsuffix /family.c,$(FAMILIES))) $Srunner/scripts/families.sh FORCE
	@mkdir -p $(@D)
	@sh $Srunner/scripts/families.sh $(FAMILIES) > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
$(OBJ)/kernels/families.c.o: $(BUILD)/families.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CCACHE) $(CC) $(CFLAGS) $(ELSEWHERE) -c $< -o $@
endif

# The build stamp in the runner: commit, blob ids, flags, versions.
$(BUILD)/codehash: $(call objects,$(call sources,runner/codehash/*.c)) $(LIB_OBJ)
	$(call say,LINK)$(CC) $(LDFLAGS) $^ -o $@ $(LIB_LIBS)
$(BUILD)/stamp.c: $(KERNEL_OBJ) $(CUDA_OBJ) $(LIB_OBJ) $(RUNNER_OBJ) $(CODEHASH) FORCE
	@OBJ='$(OBJ)' CODEHASH='$(CODEHASH)' CC='$(CC)' NVCC='$(NVCC)' CFLAGS='$(KFLAGS)' NVFLAGS='$(NVFLAGS)' SOURCES='$S' \
	  sh $Srunner/scripts/stamp.sh > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
$(OBJ)/stamp.o: $(BUILD)/stamp.c runner/base/stamp.h lib/record.h $(BUILD)/flags
	@$(CCACHE) $(CC) $(CFLAGS) $(ELSEWHERE) -c $< -o $@

$(BUILD)/runner: $(RUNNER_OBJ) $(OBJ)/stamp.o $(KERNEL_OBJ) $(CUDA_OBJ) $(LIB_OBJ) $(patsubst %,$(READY_DIR)/%.o,$(READY))
	$(call say,LINK)$(CC) $(LDFLAGS) $^ -o $@ $(RUNNER_LIBS)

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
