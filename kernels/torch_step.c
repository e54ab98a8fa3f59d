#include "kernels/torch_step.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/step/audit.h"
#include "kernels/step/step.h"

enum {
    FAILED = 999, /* cudaErrorUnknown */
    /*
     * An eager step has 700 to 900 entries. A stream's queue has room for one
     * such call, so this is the most that counts as fitting.
     */
    MOST_QUEUED = 500,
};

/* kernels/torch_step.py, with a zero behind it. */
extern const char torch_step_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl torch_step_script\n"
        ".hidden torch_step_script\n"
        "torch_step_script:\n"
        ".incbin \"kernels/torch_step.py\"\n"
        ".byte 0\n"
        ".popsection\n");

/* What the script fills in; it knows this layout (class Entries). */
struct entries {
    int (*spoil)(int number);
    int (*collect)(int number);
    void (*forget)(int number);
    int number; /* of what was prepared last */
};

/* The state of a row: what kernels/torch.c calls, and where its result is. */
struct prepared {
    struct kernel_result result;
    struct entries entries;
    const struct kernel_case *c;
    void *buf[KERNEL_MAX_BUFFERS + 1];
    void *torch;
};

/* Both the memory of PyTorch and the trace to which it is copied. */
static int spoil(void *state, const struct kernel_env *env)
{
    const struct prepared *own = state;

    return own->entries.spoil(own->entries.number) == 0
               ? step_spoil(own->c, own->buf, env->stream)
               : FAILED;
}

static int collect(void *state, const struct kernel_env *env, void *const *buf)
{
    const struct prepared *own = state;

    return own->entries.collect(own->entries.number) == 0
               ? step_collect(own->c, buf, env->stream)
               : FAILED;
}

/* Has the module, which is loaded, write its entries. */
static bool ask(struct entries *to)
{
    int (*run_in_python)(const char *);
    char statement[160];

    snprintf(statement, sizeof statement,
             "import ridgepoint_torch_step\n"
             "ridgepoint_torch_step.write_entries(%llu)",
             (unsigned long long)(uintptr_t)to);
    /* As in kernels/torch.c, which has made Python's symbols global. */
    *(void **)&run_in_python = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    return run_in_python && run_in_python(statement) == 0;
}

const char *torch_step_prepare(const char *name, const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void **state)
{
    const struct python_product module = {
        "ridgepoint_torch_step", "<kernels/torch_step.py>", torch_step_script};
    struct prepared *own;
    const char *why = "out of memory";

    if (!step_spoil || !step_collect)
        return "this program was built without CUDA, which the check needs";
    own = calloc(1, sizeof *own);
    if (own)
        why = python_product_prepare(&module, name, c, env, buf, &own->torch);
    if (why) {
        free(own);
        return why;
    }
    if (!ask(&own->entries)) {
        torch_release(own->torch);
        free(own);
        return "kernels/torch_step.py does not start";
    }
    own->result.spoil = spoil;
    own->result.collect = collect;
    own->c = c;
    memcpy(own->buf, buf, sizeof own->buf);
    *state = own;
    return NULL;
}

int torch_step_launch(const struct kernel_case *c, const struct kernel_env *env,
                      void *const *buf, void *state)
{
    const struct prepared *own = state;

    return torch_launch(c, env, buf, own->torch);
}

void torch_step_release(void *state)
{
    struct prepared *own = state;

    own->entries.forget(own->entries.number);
    torch_release(own->torch);
    free(own);
}

size_t torch_step_scratch(const struct kernel_case *c,
                          const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    (void)env;
    return step_own_at(&s);
}

int torch_step_entries(const struct kernel_case *c)
{
    (void)c;
    return MOST_QUEUED;
}

int torch_step_entry(const struct kernel_case *c)
{
    (void)c;
    return 1;
}
