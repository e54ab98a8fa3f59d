/* PyTorch's and Triton's attention inside a process, with the stand-ins in tests/fixtures/python.
 */
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

#include "kernels/prefill/prefill.h"
#include "kernels/torch_attention.h"
#include "kernels/triton_attention.h"
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

/* --- attention, in fp64 --- */

enum { MOST = 256, BATCH = 2 };

/* Where element e of token t of head h of sequence b lies. */
struct layout {
	size_t b, h, t, e;
};

struct problem {
	struct kernel_case c;
	int batch, heads, kv, queries, l, d;
	bool causal;
	struct layout q, k; /* values lie as keys do, outputs as queries */
};

struct made {
	const struct problem *p;
	float room[4][MOST];
	void *buf[KERNEL_MAX_BUFFERS], *state;
};

static size_t at(const struct layout *l, int b, int h, int t, int e)
{
	return (size_t)b * l->b + (size_t)h * l->h + (size_t)t * l->t + (size_t)e * l->e;
}

static double product(const struct made *m, int b, int h, int i, int j)
{
	const struct problem *p = m->p;
	double sum = 0;
	for (int e = 0; e < p->d; e++)
		sum += (double)m->room[PREFILL_Q][at(&p->q, b, h, i, e)] *
		       (double)m->room[PREFILL_K][at(&p->k, b, h / (p->heads / p->kv), j, e)];
	return sum;
}

static double right(const struct made *m, int b, int h, int i, int e)
{
	const struct problem *p = m->p;
	double sum = 0, weights = 0, scale = (double)prefill_scale(&p->c);
	for (int j = 0; j < (p->causal ? i + 1 : p->l); j++) {
		double w = exp(scale * product(m, b, h, i, j));
		weights += w;
		sum += w * (double)m->room[PREFILL_V][at(&p->k, b, h / (p->heads / p->kv), j, e)];
	}
	return sum / weights;
}

static bool is_right(const struct made *m)
{
	const struct problem *p = m->p;
	for (int b = 0; b < p->batch; b++)
		for (int h = 0; h < p->heads; h++)
			for (int i = 0; i < p->queries; i++)
				for (int e = 0; e < p->d; e++) {
					double got =
					        (double)m->room[PREFILL_O][at(&p->q, b, h, i, e)];
					if (!(fabs(got - right(m, b, h, i, e)) < 1e-5))
						return false;
				}
	return true;
}

/* True if all elements of the output have this bit pattern. */
static bool is_filled(const struct made *m, int byte)
{
	const struct problem *p = m->p;
	size_t n = (size_t)(p->batch * p->heads * p->queries * p->d) * sizeof(float);
	const unsigned char *o = (const unsigned char *)m->room[PREFILL_O];
	for (size_t i = 0; i < n; i++)
		if (o[i] != byte)
			return false;
	return true;
}

/* --- cases --- */

static struct problem prompt(int heads, int kv, int l, bool causal)
{
	enum { D = 4 };
	const size_t d = D, h = (size_t)heads, g = (size_t)kv;
	return (struct problem){.c = {{{"heads", heads, NULL},
	                               {"kv", kv, NULL},
	                               {"l", l, NULL},
	                               {"d", D, NULL},
	                               {"mask", 0, causal ? "causal" : "full"},
	                               {"sharp", 2, NULL}},
	                              6,
	                              KERNEL_F32,
	                              0},
	                        .batch = 1,
	                        .heads = heads,
	                        .kv = kv,
	                        .queries = l,
	                        .l = l,
	                        .d = D,
	                        .causal = causal,
	                        .q = {0, d, h * d, 1},
	                        .k = {0, d, g * d, 1}};
}

static struct problem token(bool head_by_head)
{
	enum { HEADS = 4, KV = 2, L = 5, D = 4 };
	struct problem p = {.c = {{{"b", BATCH, NULL},
	                           {"heads", HEADS, NULL},
	                           {"kv", KV, NULL},
	                           {"l", L, NULL},
	                           {"d", D, NULL},
	                           {"sharp", 2, NULL}},
	                          6,
	                          KERNEL_F32,
	                          0},
	                    .batch = BATCH,
	                    .heads = HEADS,
	                    .kv = KV,
	                    .queries = 1,
	                    .l = L,
	                    .d = D,
	                    .q = {HEADS * D, D, D, 1},
	                    .k = {KV * L * D, L * D, D, 1}};
	if (!head_by_head)
		p.k = (struct layout){L * KV * D, D, KV * D, 1};
	return p;
}

static const char *prepare_as_before(struct made *m, const struct problem *p, const char *name,
                                     const char *choice)
{
	const struct kernel_env env = {.stream = (void *)m, .choice = choice};
	*m = (struct made){.p = p};
	for (int b = 0; b < 4; b++) {
		m->buf[b] = m->room[b];
		for (int i = 0; i < MOST && b != PREFILL_O; i++)
			m->room[b][i] = (float)((b * 7 + i * i * 5) % 11) / 8 - 0.5f;
	}
	const char *why = strncmp(name, "triton", 6) == 0
	                          ? triton_attention_prepare(name, &p->c, &env, m->buf, &m->state)
	                          : torch_attention_prepare(name, &p->c, &env, m->buf, &m->state);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	return why;
}

static const char *prepare(struct made *m, const struct problem *p, const char *name)
{
	return prepare_as_before(m, p, name, NULL);
}

static bool launches(struct made *m)
{
	const struct kernel_env env = {0};
	return torch_attention_launch(&m->p->c, &env, m->buf, m->state) == 0;
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

/* Only collect() writes the output: poison that was put into the library's memory, or a result. */
static void own_the_result(void)
{
	static const char *const ways[] = {"sdpa_cudnn", "sdpa_fa2", "flex"};
	struct made m;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		for (int causal = 0; causal < 2; causal++) {
			struct problem p = prompt(4, 2, 5, causal);
			char name[40];
			snprintf(name, sizeof name, "prefill %s", ways[i]);
			ASK(!prepare(&m, &p, name) && is_filled(&m, 0));
			ASK(spoils(&m) && is_filled(&m, 0) && collects(&m));
			ASK(is_filled(&m, kernel_dtype_poison(KERNEL_F32)));
			ASK(launches(&m) && is_filled(&m, kernel_dtype_poison(KERNEL_F32)));
			ASK(collects(&m) && is_right(&m));
			torch_attention_release(m.state);
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
	struct problem p = prompt(2, 2, 3, true);
	struct made first, second;
	ASK(!prepare(&first, &p, "prefill sdpa_fa2") && !prepare(&second, &p, "prefill flex"));
	second.room[PREFILL_V][0] = 3;
	ASK(holds(before) && launches(&first) && launches(&second) && launches(&second));
	ASK(holds("import torch; assert len(torch.given) == 2; torch.empty_like = real"));
	ASK(collects(&first) && is_right(&first) && collects(&second) && is_right(&second));
	torch_attention_release(first.state);
	ASK(holds("import torch; assert len(torch.given) == 1"));
	ASK(launches(&second) && collects(&second) && is_right(&second));
}

/* Each case has its own scale, with the same shapes. */
static void keep_scales_apart(void)
{
	struct problem flat = prompt(2, 1, 4, true), steep = flat;
	struct made first, second;
	steep.c.param[5].num = 5;
	ASK(!prepare(&first, &flat, "prefill flex") && !prepare(&second, &steep, "prefill flex"));
	ASK(launches(&first) && collects(&first) && is_right(&first));
	ASK(collects(&second) && is_right(&second));
}

static void decode(void)
{
	static const char *const rows[] = {"decode bhld sdpa_cudnn", "decode bhld sdpa_fa2",
	                                   "decode bhld flex",       "decode blhd sdpa_cudnn",
	                                   "decode blhd sdpa_fa2",   "decode blhd flex"};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct problem p = token(strstr(rows[i], "bhld") != NULL);
		struct made m;
		ASK(!prepare(&m, &p, rows[i]) && spoils(&m) && launches(&m));
		ASK(collects(&m) && is_right(&m));
	}
}

static bool says(const char *why, const char *what)
{
	if (why && strcmp(why, what) == 0)
		return true;
	fprintf(stderr, "said: %s\n", why ? why : "nothing");
	return false;
}

/* What PyTorch warns of is the reason, and other rows and cases go on. */
static void hear_what_is_refused(void)
{
	struct problem seven = prompt(1, 1, 7, false), p = prompt(1, 1, 3, false);
	struct made m;
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(says(prepare(&m, &seven, "prefill sdpa_cudnn"),
	         "RuntimeError: No sequence of 7 tokens."));
	ASK(says(prepare(&m, &seven, "prefill sdpa_fa2"),
	         "RuntimeError: Flash does not know 7 tokens."));
	ASK(!prepare(&m, &seven, "prefill flex") && collects(&m) && is_right(&m));
	ASK(!prepare(&m, &p, "prefill sdpa_cudnn") && collects(&m) && is_right(&m));
	ASK(says(prepare(&m, &p, "prefill astrology"), "the script has no row of that name"));
	ASK(strcmp(torch_attention_cudnn(), "PyTorch 0.0-fixture, CUDA 0.0, cuDNN 9.19.2") == 0);
}

/* A failure in Python reaches the runner. */
static void fail_in_a_call(void)
{
	struct problem p = prompt(1, 1, 3, false);
	struct made m;
	ASK(!prepare(&m, &p, "prefill flex"));
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(holds("import torch\ndef broken(t): raise MemoryError\ntorch.empty_like = broken"));
	ASK(!spoils(&m) && !launches(&m) && !collects(&m));
}

/* A launch writes the whole output. */
static bool triton_attends(struct made *m)
{
	const struct kernel_env env = {0};
	memset(m->room[PREFILL_O], -1, sizeof m->room[PREFILL_O]);
	return torch_launch(&m->p->c, &env, m->buf, m->state) == 0 && is_right(m);
}

/* Two sets of buffers get their own results, and what was chosen before is used again. */
static void use_triton(void)
{
	struct problem causal = prompt(4, 2, 5, true), full = prompt(3, 1, 7, false);
	struct made first, second;
	ASK(freopen("/dev/null", "w", stderr)); /* two tiles do not fit, and say so */
	ASK(!prepare(&first, &causal, "triton prefill") && triton_attends(&first));
	ASK(!strstr(torch_chosen(first.state), "stages=2"));
	ASK(!prepare_as_before(&second, &full, "triton prefill", "tile=64x64 stages=3 warps=4"));
	ASK(strcmp(torch_chosen(second.state), "tile=64x64 stages=3 warps=4") == 0);
	ASK(triton_attends(&second) && triton_attends(&first));
	torch_release(first.state);
	ASK(triton_attends(&second));
	ASK(says(prepare_as_before(&first, &full, "triton prefill", "tile=3x3"),
	         "ValueError: no configuration is 'tile=3x3'"));
	ASK(says(prepare(&first, &full, "triton astrology"), "the script has no row of that name"));
}

/* Each row of a family's table has its row in a script. */
static void find_all_rows(void)
{
	static float room[4][1 << 16];
	void *buf[KERNEL_MAX_BUFFERS] = {room[0], room[1], room[2], room[3]}, *state;
	const struct kernel_env env = {.stream = buf};
	size_t n, rows = 0;
	const struct kernel_family *const *f = kernel_families(&n);
	ASK(freopen("/dev/null", "w", stderr)); /* the stand-in has no bf16 */
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < f[i]->nvariants; k++) {
			const struct kernel_variant *v = &f[i]->variants[k];
			bool own = strcmp(v->file, "kernels/torch_attention.c") == 0;
			if (!own && strcmp(v->file, "kernels/triton_attention.c") != 0)
				continue;
			const char *why = v->prepare(&f[i]->cases[0], &env, buf, &state);
			if (why && strstr(why, "library of python3"))
				_exit(NO_LIBRARY);
			ASK(!why || !strstr(why, "no row of that name"));
			ASK(v->owns_result == own);
			rows++;
		}
	ASK(rows >= 4);
}

static void have_no_python(void)
{
	struct problem p = prompt(1, 1, 3, false);
	struct made m;
	setenv("RIDGEPOINT_PYTHON", "/nowhere/python3", 1);
	ASK(says(prepare(&m, &p, "prefill flex"), "python3 is not installed"));
	ASK(says(prepare(&m, &p, "triton prefill"), "python3 is not installed"));
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

static void test_decode(void **state)
{
	(void)state;
	apart(decode);
}

static void test_reasons(void **state)
{
	(void)state;
	apart(hear_what_is_refused);
}

static void test_failures(void **state)
{
	(void)state;
	apart(fail_in_a_call);
}

static void test_triton(void **state)
{
	(void)state;
	apart(use_triton);
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
	        cmocka_unit_test(test_results),   cmocka_unit_test(test_memory),
	        cmocka_unit_test(test_scales),    cmocka_unit_test(test_decode),
	        cmocka_unit_test(test_reasons),   cmocka_unit_test(test_failures),
	        cmocka_unit_test(test_rows),      cmocka_unit_test(test_triton),
	        cmocka_unit_test(test_no_python),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
