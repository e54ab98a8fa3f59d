/* PyTorch's latent attention inside a process, with the stand-in in tests/fixtures/python. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/mla/mla.h"
#include "kernels/torch_mla.h"
#include "lib/array.h"

enum { NO_LIBRARY = 77 }; /* python3 is there, its library is not: nothing to test */

#define ASK(condition)                                                          \
	if (!(condition)) {                                                     \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		_exit(1);                                                       \
	}

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

/* --- a case, and what is right in fp64 --- */

enum { B = 2, HEADS = 6, MOST = 10, ELEMENTS = B * MOST * LATENT_DEEP };

static const char *const ways[] = {"mla einsum", "mla compiled", "mla sdpa", "mla flex"};

struct made {
	struct kernel_case c;
	float room[MLA_O + 1][ELEMENTS];
	void *buf[KERNEL_MAX_BUFFERS], *state;
};

static const float *row_of(const struct made *m, int buffer, int row)
{
	return &m->room[buffer][row * LATENT_DEEP];
}

/* The weights of a row of the queries, which are not divided by their sum; this is returned. */
static double weigh(const struct made *m, int row, double w[MOST])
{
	int l = mla_num(&m->c, "l");
	double sum = 0;
	for (int j = 0; j < l; j++) {
		const float *q = row_of(m, MLA_Q, row);
		const float *k = row_of(m, MLA_KEYS, row / HEADS * l + j);
		double score = 0;
		for (int e = 0; e < LATENT_DEEP; e++)
			score += (double)q[e] * (double)k[e];
		sum += w[j] = exp((double)mla_scale(&m->c) * score);
	}
	return sum;
}

static bool row_is_right(const struct made *m, int row)
{
	int l = mla_num(&m->c, "l");
	double w[MOST], sum = weigh(m, row, w);
	for (int e = 0; e < LATENT_VALUE; e++) {
		double right = 0, got = (double)m->room[MLA_O][row * LATENT_VALUE + e];
		for (int j = 0; j < l; j++)
			right += w[j] / sum * (double)row_of(m, MLA_KEYS, row / HEADS * l + j)[e];
		if (!(fabs(got - right) < 1e-5))
			return false;
	}
	return true;
}

static bool is_right(const struct made *m)
{
	for (int row = 0; row < B * HEADS; row++)
		if (!row_is_right(m, row))
			return false;
	return true;
}

/* True if all elements of the output have this bit pattern. */
static bool is_filled(const struct made *m, int byte)
{
	const unsigned char *o = (const unsigned char *)m->room[MLA_O];
	for (size_t i = 0; i < (size_t)B * HEADS * LATENT_VALUE * sizeof(float); i++)
		if (o[i] != byte)
			return false;
	return true;
}

static const char *prepare(struct made *m, const char *name, int l, int sharp)
{
	const struct kernel_env env = {.stream = (void *)m};
	memset(m, 0, sizeof *m);
	m->c = (struct kernel_case){{{"b", B, NULL},
	                             {"heads", HEADS, NULL},
	                             {"l", l, NULL},
	                             {"layout", 0, "flat"},
	                             {"sharp", sharp, NULL}},
	                            5,
	                            KERNEL_F32,
	                            0};
	for (int b = 0; b <= MLA_O; b++) {
		m->buf[b] = m->room[b];
		for (int i = 0; i < ELEMENTS && b != MLA_O; i++)
			m->room[b][i] = (float)((b * 7 + i * i % 89 * 5) % 11) / 16 - 0.25f;
	}
	const char *why = torch_mla_prepare(name, &m->c, &env, m->buf, &m->state);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	return why;
}

static bool launches(struct made *m)
{
	const struct kernel_env env = {0};
	return torch_mla_launch(&m->c, &env, m->buf, m->state) == 0;
}

static bool spoils(struct made *m)
{
	const struct kernel_env env = {0};
	const struct kernel_result *own = m->state;
	return own->spoil(m->state, &env) == 0;
}

static bool collects(struct made *m)
{
	const struct kernel_env env = {0};
	const struct kernel_result *own = m->state;
	return own->collect(m->state, &env, m->buf) == 0;
}

/* Statements in the interpreter that the process has; false after an exception. */
static bool holds(const char *statements)
{
	int (*run)(const char *);
	*(void **)&run = dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
	return run && run(statements) == 0;
}

static bool says(const char *why, const char *what)
{
	if (why && strcmp(why, what) == 0)
		return true;
	fprintf(stderr, "said: %s\n", why ? why : "nothing");
	return false;
}

/* --- */

/* Only collect() writes the output: poison that was put into PyTorch's memory, or a result. */
static void own_the_result(void)
{
	static struct made m;
	int poison = kernel_dtype_poison(KERNEL_F32);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		ASK(!prepare(&m, ways[i], 3, 4) && is_filled(&m, 0));
		ASK(spoils(&m) && is_filled(&m, 0) && collects(&m) && is_filled(&m, poison));
		m.room[MLA_KEYS][LATENT_DEEP] = 0.75f;
		ASK(launches(&m) && is_filled(&m, poison) && collects(&m) && is_right(&m));
		torch_mla_release(m.state);
		ASK(holds("import torch; assert not torch.given"));
	}
}

/* A result is held until the next call, and given back before it. */
static void hold_the_result(void)
{
	static const char before[] = "import torch\n"
	                             "assert len(torch.given) == 2\n"
	                             "real = torch.empty_like\n"
	                             "def empty_like(tensor):\n"
	                             "    assert len(torch.given) == 1, 'the old one is held'\n"
	                             "    return real(tensor)\n"
	                             "torch.empty_like = empty_like\n";
	static struct made first, second;
	ASK(!prepare(&first, "mla sdpa", 2, 4) && !prepare(&second, "mla flex", 2, 4));
	second.room[MLA_KEYS][7] = 1;
	ASK(holds(before) && launches(&first) && launches(&second));
	ASK(holds("import torch; assert len(torch.given) == 2; torch.empty_like = real"));
	ASK(collects(&first) && is_right(&first) && collects(&second) && is_right(&second));
	torch_mla_release(first.state);
	ASK(holds("import torch; assert len(torch.given) == 1"));
	ASK(launches(&second) && collects(&second) && is_right(&second));
}

/* Each case has its own scale, with the same shapes. */
static void keep_scales_apart(void)
{
	static struct made first, second;
	for (size_t i = 1; i < ARRAY_LEN(ways); i++) {
		ASK(!prepare(&first, ways[i], 2, 1) && !prepare(&second, ways[i], 2, 3));
		ASK(launches(&first) && collects(&first) && is_right(&first));
		ASK(collects(&second) && is_right(&second));
	}
}

/* The switch of sums in bf16 is as it was, whatever happens in a call. */
static void leave_the_switch(void)
{
	static const char is_on[] =
	        "import torch\n"
	        "assert torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction\n";
	static struct made m;
	ASK(!prepare(&m, "mla einsum", 1, 4) && holds(is_on));
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(holds("import torch\ndef broken(a, b, out_dtype=None): raise MemoryError\n"
	          "torch.bmm = broken"));
	ASK(!launches(&m) && holds(is_on));
}

/* What PyTorch warns of is the reason, and so is what it raises. */
static void hear_what_is_refused(void)
{
	static struct made m;
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(says(prepare(&m, "mla sdpa", 7, 4), "RuntimeError: Seven tokens are not efficient."));
	ASK(says(prepare(&m, "mla einsum", 2, 3),
	         "ValueError: queries are scaled in bf16, by powers of two only"));
	ASK(says(prepare(&m, "mla astrology", 2, 4), "the script has no row of that name"));
	ASK(!prepare(&m, "mla sdpa", 2, 4) && collects(&m) && is_right(&m));
}

/* FlexAttention gets a smaller tile where the first has no room, and the next call does not try. */
static void try_tiles(void)
{
	static const char tiles[] = "from torch.nn.attention.flex_attention import tiles\n"
	                            "assert tiles == [32, 16, 16, 16], tiles\n"
	                            "tiles.clear()\n";
	static struct made m;
	ASK(freopen("/dev/null", "w", stderr));
	ASK(!prepare(&m, "mla flex", 9, 4) && launches(&m) && holds(tiles));
	ASK(collects(&m) && is_right(&m));
	ASK(says(prepare(&m, "mla flex", 10, 4),
	         "RuntimeError: No valid triton configs. OutOfResources: shared memory"));
}

/* A failure in Python reaches the runner. */
static void fail_in_a_call(void)
{
	static struct made m;
	ASK(!prepare(&m, "mla flex", 1, 4));
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(holds("import torch\ndef broken(t): raise MemoryError\ntorch.empty_like = broken"));
	ASK(!spoils(&m) && !launches(&m) && !collects(&m));
}

/* Each row of a family's table has its row in the script. */
static void find_all_rows(void)
{
	static struct made m;
	const struct kernel_env env = {.stream = (void *)&m};
	size_t n, rows = 0;
	const struct kernel_family *const *f = kernel_families(&n);
	ASK(freopen("/dev/null", "w", stderr)); /* the stand-in has no bf16 */
	for (size_t i = 0; i <= MLA_O; i++)
		m.buf[i] = m.room[i];
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < f[i]->nvariants; k++) {
			const struct kernel_variant *v = &f[i]->variants[k];
			if (strcmp(v->file, "kernels/torch_mla.c") != 0)
				continue;
			const char *why = v->prepare(&f[i]->cases[0], &env, m.buf, &m.state);
			if (why && strstr(why, "library of python3"))
				_exit(NO_LIBRARY);
			ASK(!why || !strstr(why, "no row of that name"));
			ASK(v->owns_result);
			rows++;
		}
	ASK(rows == ARRAY_LEN(ways));
}

static void test_results(void **state)
{
	(void)state;
	apart(own_the_result);
}

static void test_memory(void **state)
{
	(void)state;
	apart(hold_the_result);
}

static void test_scales(void **state)
{
	(void)state;
	apart(keep_scales_apart);
}

static void test_switch(void **state)
{
	(void)state;
	apart(leave_the_switch);
}

static void test_reasons(void **state)
{
	(void)state;
	apart(hear_what_is_refused);
}

static void test_tiles(void **state)
{
	(void)state;
	apart(try_tiles);
}

static void test_failures(void **state)
{
	(void)state;
	apart(fail_in_a_call);
}

static void test_rows(void **state)
{
	(void)state;
	apart(find_all_rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_results),  cmocka_unit_test(test_memory),
	        cmocka_unit_test(test_scales),   cmocka_unit_test(test_switch),
	        cmocka_unit_test(test_reasons),  cmocka_unit_test(test_tiles),
	        cmocka_unit_test(test_failures), cmocka_unit_test(test_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
