#include "kernels/torch_mla.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAILED = 999 }; /* cudaErrorUnknown */

/* kernels/torch_mla.py, with a zero behind it. */
extern const char torch_mla_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl torch_mla_script\n"
        ".hidden torch_mla_script\n"
        "torch_mla_script:\n"
        ".incbin \"kernels/torch_mla.py\"\n"
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
struct latent {
    struct kernel_result result;
    struct entries entries;
    void *torch;
};

/* Both enqueue on the stream of prepare(), and know the buffers from it. */
static int spoil(void *state, const struct kernel_env *env)
{
    const struct entries *e = &((struct latent *)state)->entries;

    (void)env;
    return e->spoil(e->number) == 0 ? 0 : FAILED;
}

static int collect(void *state, const struct kernel_env *env, void *const *buf)
{
    const struct entries *e = &((struct latent *)state)->entries;

    (void)env;
    (void)buf;
    return e->collect(e->number) == 0 ? 0 : FAILED;
}

/* Has the module, which is loaded, write its entries. */
static bool ask(struct entries *to)
{
    int (*run_in_python)(const char *);
    char statement[160];

    snprintf(statement, sizeof statement,
             "import ridgepoint_torch_mla\n"
             "ridgepoint_torch_mla.write_entries(%llu)",
             (unsigned long long)(uintptr_t)to);
    /* As in kernels/torch.c, which has made Python's symbols global. */
    *(void **)&run_in_python = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    return run_in_python && run_in_python(statement) == 0;
}

const char *torch_mla_prepare(const char *name, const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void **state)
{
    const struct python_product module = {
        "ridgepoint_torch_mla", "<kernels/torch_mla.py>", torch_mla_script};
    struct latent *own = calloc(1, sizeof *own);
    const char *why;

    if (!own)
        return "out of memory";
    why = python_product_prepare(&module, name, c, env, buf, &own->torch);
    if (!why && !ask(&own->entries)) {
        torch_release(own->torch);
        why = "kernels/torch_mla.py does not start";
    }
    if (why) {
        free(own);
        return why;
    }
    own->result.spoil = spoil;
    own->result.collect = collect;
    *state = own;
    return NULL;
}

int torch_mla_launch(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    const struct latent *own = state;

    return torch_launch(c, env, buf, own->torch);
}

void torch_mla_release(void *state)
{
    struct latent *own = state;

    own->entries.forget(own->entries.number);
    torch_release(own->torch);
    free(own);
}
