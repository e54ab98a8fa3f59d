/* PyTorch's and Triton's matrix products inside a process, with the stand-ins in
 * tests/fixtures/python. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/torch_product.h"
#include "kernels/triton_product.h"

enum { NO_LIBRARY = 77 }; /* python3 is there, its library is not: nothing to test */

#define ASK(condition)                                                          \
	if (!(condition)) {                                                     \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		_exit(1);                                                       \
	}

static const struct kernel_case two = {
        {{"m", 2, NULL}, {"n", 2, NULL}, {"k", 2, NULL}}, 3, KERNEL_F32, 0};

/* Runs what() in a child: a process has one Python interpreter, which is never shut down. */
static void apart(void (*what)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL); /* cmocka's own goes on with the tests */
		setenv("PYTHONPATH", "tests/fixtures/python", 1);
		setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
		what();
		_exit(0);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_LIBRARY)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* C = A B^T is (0 1; 2 3) times (5 1; 0 2) turned. */
struct made {
	float a[4], b[4], c[4];
	void *buf[KERNEL_MAX_BUFFERS], *state;
};

static const char *prepare(struct made *m, const char *name, const char *choice)
{
	const struct kernel_env env = {.stream = (void *)m, .choice = choice};
	*m = (struct made){.a = {0, 1, 2, 3}, .b = {5, 1, 0, 2}};
	m->buf[0] = m->a;
	m->buf[1] = m->b;
	m->buf[2] = m->c;
	const char *why = strncmp(name, "triton", 6) == 0
	                          ? triton_product_prepare(name, &two, &env, m->buf, &m->state)
	                          : torch_product_prepare(name, &two, &env, m->buf, &m->state);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	return why;
}

/* A launch writes the whole output. */
static bool multiplies(struct made *m)
{
	static const float right[4] = {1, 2, 13, 6};
	const struct kernel_env env = {0};
	memset(m->c, -1, sizeof m->c);
	return torch_launch(&two, &env, m->buf, m->state) == 0 &&
	       memcmp(m->c, right, sizeof right) == 0;
}

static bool chose(const struct made *m, const char *what)
{
	return strcmp(torch_chosen(m->state), what) == 0;
}

static bool says(const char *why, const char *what)
{
	if (why && strcmp(why, what) == 0)
		return true;
	fprintf(stderr, "said: %s\n", why ? why : "nothing");
	return false;
}

/* Two sets of buffers share what is compiled, and each gets its own results. */
static void use_compiler(void)
{
	struct made first, second;
	ASK(!prepare(&first, "gemm16 tuned", NULL));
	ASK(chose(&first, "template=triton_mm BLOCK_M=128 num_warps=4"));
	ASK(!prepare(&second, "gemm16 tuned", NULL) && chose(&second, torch_chosen(first.state)));
	ASK(multiplies(&first) && multiplies(&second) && multiplies(&first));
	torch_release(first.state);
	ASK(multiplies(&second));
}

/* What was chosen before is compiled again, and nothing else is tried. */
static void use_compiler_as_before(void)
{
	struct made m;
	ASK(!prepare(&m, "gemm16 tuned", "template=triton_mm BLOCK_M=64 num_warps=8"));
	ASK(chose(&m, "template=triton_mm BLOCK_M=64 num_warps=8") && multiplies(&m));
	ASK(!prepare(&m, "gemm16 tuned", "template=mm") && chose(&m, "template=mm"));
	ASK(multiplies(&m));
	ASK(freopen("/dev/null", "w", stdout) && dup2(STDOUT_FILENO, STDERR_FILENO) >= 0);
	const char *why = prepare(&m, "gemm16 tuned", "template=triton_mm BLOCK_M=32");
	ASK(says(why, "RuntimeError: No choices to select."));
}

static void use_triton(void)
{
	struct made first, second;
	ASK(freopen("/dev/null", "w", stderr)); /* one tile does not fit, and it says so */
	ASK(!prepare(&first, "triton gemm32", NULL) && multiplies(&first));
	ASK(strstr(torch_chosen(first.state), "HALVES=0"));
	ASK(!prepare(&second, "triton gemm32", "tile=64x64 stages=4 warps=4 HALVES=0"));
	ASK(chose(&second, "tile=64x64 stages=4 warps=4 HALVES=0") && multiplies(&second));
	ASK(!prepare(&second, "triton gemmtf32", "tile=128x256 stages=3 warps=8 HALVES=1"));
	ASK(multiplies(&second));
	const char *why = prepare(&second, "triton gemm32", "tile=3x3");
	ASK(says(why, "ValueError: no configuration is 'tile=3x3'"));
}

/* The reason reaches the runner, and other rows go on. */
static void miss_what_is_not_there(void)
{
	struct made m;
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	setenv("NO_DESCRIPTORS", "1", 1);
	const char *why = prepare(&m, "triton gemm16", NULL);
	ASK(says(why, "ImportError: cannot import name 'TensorDescriptor'"));
	const char *other = prepare(&m, "epilogue compiled", NULL);
	ASK(says(other, "KeyError: 'act'"));
	ASK(says(why, "ImportError: cannot import name 'TensorDescriptor'")); /* it lasts */
	ASK(!prepare(&m, "gemm16 tuned", NULL) && multiplies(&m));
	setenv("RIDGEPOINT_PYTHON", "/nowhere/python3", 1);
	unsetenv("NO_DESCRIPTORS");
	ASK(!prepare(&m, "triton gemm16", NULL) && multiplies(&m));
}

static int64_t operations(const struct kernel_family *f, const struct kernel_case *c)
{
	struct kernel_model is = {0};
	f->model(c, &is);
	return is.flop;
}

/* The supported case with the fewest operations. */
static const struct kernel_case *smallest(const struct kernel_family *f,
                                          const struct kernel_variant *v)
{
	const struct kernel_case *least = NULL;
	for (size_t i = 0; i < f->ncases; i++)
		if ((!v->supports || v->supports(&f->cases[i])) &&
		    (!least || operations(f, &f->cases[i]) < operations(f, least)))
			least = &f->cases[i];
	return least;
}

/* Each row of a family's table has its row in a script, whether it can be had or not. */
static void find_all_rows(void)
{
	static float room[KERNEL_MAX_BUFFERS][256 * 256];
	void *buf[KERNEL_MAX_BUFFERS], *state;
	const struct kernel_env env = {.stream = buf};
	size_t n, rows = 0;
	const struct kernel_family *const *f = kernel_families(&n);
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	for (int b = 0; b < KERNEL_MAX_BUFFERS; b++)
		buf[b] = room[b];
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < f[i]->nvariants; k++) {
			const struct kernel_variant *v = &f[i]->variants[k];
			if (strcmp(v->file, "kernels/torch_product.c") != 0 &&
			    strcmp(v->file, "kernels/triton_product.c") != 0)
				continue;
			const char *why = v->prepare(smallest(f[i], v), &env, buf, &state);
			if (why && strstr(why, "library of python3"))
				_exit(NO_LIBRARY);
			ASK(!why || !strstr(why, "no row of that name"));
			rows++;
		}
	struct made m;
	ASK(rows > 0 && says(prepare(&m, "astrology", NULL), "the script has no row of that name"));
}

static void have_no_python(void)
{
	struct made m;
	setenv("RIDGEPOINT_PYTHON", "/nowhere/python3", 1);
	ASK(says(prepare(&m, "gemm16 tuned", NULL), "python3 is not installed"));
	ASK(says(prepare(&m, "triton gemm16", NULL), "python3 is not installed"));
}

static void test_compiler(void **state)
{
	(void)state;
	apart(use_compiler);
}

static void test_compiler_as_before(void **state)
{
	(void)state;
	apart(use_compiler_as_before);
}

static void test_triton(void **state)
{
	(void)state;
	apart(use_triton);
}

static void test_reasons(void **state)
{
	(void)state;
	apart(miss_what_is_not_there);
}

static void test_rows(void **state)
{
	(void)state;
	apart(find_all_rows);
}

static void test_no_python(void **state)
{
	(void)state;
	apart(have_no_python);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_compiler), cmocka_unit_test(test_compiler_as_before),
	        cmocka_unit_test(test_triton),   cmocka_unit_test(test_reasons),
	        cmocka_unit_test(test_rows),     cmocka_unit_test(test_no_python),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
