#include "kernels/python_product.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

/* kernels/python_product.py, with a zero behind it. */
extern const char python_product_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl python_product_script\n"
        ".hidden python_product_script\n"
        "python_product_script:\n"
        ".incbin \"kernels/python_product.py\"\n"
        ".byte 0\n"
        ".popsection\n");

/* Makes a module of the text at an address, once in a process. Triton reads
 * the source of what it compiles where Python looks for it: linecache. */
static const char loader[] =
    "def ridgepoint_module(name, file, address):\n"
    "    import ctypes, linecache, sys, types\n"
    "    if name in sys.modules:\n"
    "        return\n"
    "    text = ctypes.string_at(address).decode()\n"
    "    lines = text.splitlines(True)\n"
    "    linecache.cache[file] = len(text), None, lines, file\n"
    "    module = sys.modules[name] = types.ModuleType(name)\n"
    "    try:\n"
    "        exec(compile(text, file, 'exec'), module.__dict__)\n"
    "    except BaseException:\n"
    "        del sys.modules[name]\n"
    "        raise\n";

/* Prepares and releases a softmax of one element in PyTorch: that starts
 * Python, and reports what is missing. */
static const char *start_torch(const struct kernel_env *env, void *const *buf)
{
    static const struct kernel_case least = {
        {{"rows", 1, NULL}, {"cols", 1, NULL}}, 2, KERNEL_F32, 0};
    void *state;
    const char *why =
        torch_prepare("softmax", "eager", &least, env, buf, &state);

    if (!why)
        torch_release(state);
    return why;
}

static bool run(const char *statements)
{
    int (*run_in_python)(const char *);

    /* As in kernels/torch.c, which has made Python's symbols global. */
    *(void **)&run_in_python = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    return run_in_python && run_in_python(statements) == 0;
}

static bool load_shared(void)
{
    char statement[160];

    snprintf(statement, sizeof statement,
             "ridgepoint_module('ridgepoint_product', "
             "'<kernels/python_product.py>', %llu)",
             (unsigned long long)(uintptr_t)python_product_script);
    return run(loader) && run(statement);
}

static bool load_module(const struct python_product *of)
{
    char statement[240];

    snprintf(statement, sizeof statement,
             "import ridgepoint_product\n"
             "ridgepoint_product.load('%s', '%s', %llu)",
             of->module, of->file, (unsigned long long)(uintptr_t)of->text);
    return run(statement);
}

/* The reason of the last failure; Python keeps its text. */
static const char *reason(void)
{
    const char *text = NULL;
    char statement[160];

    snprintf(statement, sizeof statement,
             "import ridgepoint_product\n"
             "ridgepoint_product.write_reason(%llu)",
             (unsigned long long)(uintptr_t)&text);
    return run(statement) && text ? text : "Python does not say why";
}

const char *python_product_prepare(const struct python_product *of,
                                   const char *name,
                                   const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void **state)
{
    const char *why = start_torch(env, buf);

    if (why)
        return why;
    if (!load_shared())
        return "kernels/python_product.py does not start";
    if (!load_module(of))
        return reason();
    return torch_prepare(name, "eager", c, env, buf, state) ? reason() : NULL;
}
