/* PyTorch and Triton inside a process, with the stand-ins in tests/fixtures/python. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "kernels/torch.h"
#include "kernels/triton.h"

enum { NO_LIBRARY = 77 }; /* python3 is there, its library is not: nothing to test */

#define ASK(condition)                                                          \
	if (!(condition)) {                                                     \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		_exit(1);                                                       \
	}

static const struct kernel_case two_columns = {
        {{"rows", 2, NULL}, {"cols", 2, NULL}}, 2, KERNEL_F32, 0};
static const struct kernel_case three_columns = {
        {{"rows", 2, NULL}, {"cols", 3, NULL}}, 2, KERNEL_F32, 0};

/* Runs what() in a child: a process has one Python interpreter, which is never shut down. */
static int apart(void (*what)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL); /* cmocka's own goes on with the tests */
		what();
		_exit(0);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

struct made {
	float x[6], y[6];
	void *buf[KERNEL_MAX_BUFFERS], *state;
	const char *choice; /* for the next prepare_triton() */
};

static const char *prepare(struct made *m, const char *family, const char *way,
                           const struct kernel_case *c)
{
	const struct kernel_env env = {.stream = (void *)m};
	*m = (struct made){.x = {0, 0, 1, 1, 0, 0}};
	m->buf[0] = m->x;
	m->buf[1] = m->y;
	return torch_prepare(family, way, c, &env, m->buf, &m->state);
}

static int launch(const struct made *m, const struct kernel_case *c)
{
	const struct kernel_env env = {0};
	return torch_launch(c, &env, m->buf, m->state);
}

static bool all_halves(const float *y, int n)
{
	for (int i = 0; i < n; i++)
		if (y[i] != 0.5f)
			return false;
	return true;
}

static void use_path(void)
{
	ASK(setenv("PYTHONPATH", "tests/fixtures/python", 1) == 0);
	ASK(setenv("PYTHONDONTWRITEBYTECODE", "1", 1) == 0);
}

static void use_stand_in(void)
{
	struct made first, second;
	use_path();
	const char *why = prepare(&first, "softmax", "eager", &two_columns);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(!why &&
	    strcmp(torch_library(), "PyTorch 0.0-fixture, CUDA 0.0, Triton 0.1-fixture") == 0);
	ASK(!prepare(&second, "softmax", "compiled", &two_columns));
	ASK(launch(&first, &two_columns) == 0 && all_halves(first.y, 4));
	ASK(all_halves(second.y, 0) && second.y[0] == 0);
	ASK(launch(&second, &two_columns) == 0 && all_halves(second.y, 4));
	torch_release(first.state);
	ASK(launch(&second, &two_columns) == 0);
	torch_release(second.state);
}

/* An exception is an error of the launch, and the next one works again. */
static void raise_exceptions(void)
{
	struct made m;
	use_path();
	const char *why = prepare(&m, "softmax", "eager", &three_columns);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	ASK(!why && launch(&m, &three_columns) != 0);
	torch_release(m.state);
	why = prepare(&m, "astrology", "eager", &two_columns);
	ASK(why && strcmp(why, "this PyTorch cannot do it") == 0);
	ASK(!prepare(&m, "softmax", "eager", &two_columns) && launch(&m, &two_columns) == 0);
}

static const char *prepare_triton(struct made *m, const char *name, const struct kernel_case *c)
{
	const struct kernel_env env = {.stream = (void *)m, .choice = m->choice};
	*m = (struct made){.x = {0, 0, 1, 1, 0, 0}, .choice = m->choice};
	m->buf[0] = m->x;
	m->buf[1] = m->y;
	return triton_prepare(name, c, &env, m->buf, &m->state);
}

/* Two cases share the module; PyTorch's own softmax is there beside it. */
static void use_triton(void)
{
	struct made first = {0}, second = {0}, torch;
	use_path();
	const char *why = prepare_triton(&first, "triton softmax", &two_columns);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(!why && !prepare_triton(&second, "triton softmax", &two_columns));
	ASK(all_halves(first.y, 4)); /* it was tried out, and what was chosen is told */
	ASK(strcmp(torch_library(), "PyTorch 0.0-fixture, CUDA 0.0, Triton 0.1-fixture") == 0);
	ASK(strcmp(torch_chosen(first.state), "warps=4 RESIDENT=0 STAGES=1") == 0);
	memset(first.y, 0, sizeof first.y);
	ASK(launch(&first, &two_columns) == 0 && all_halves(first.y, 4));
	ASK(!prepare(&torch, "softmax", "eager", &two_columns));
	ASK(torch_chosen(torch.state)[0] == 0); /* nobody chose anything for this one */
	ASK(launch(&torch, &two_columns) == 0 && all_halves(torch.y, 4));
	torch_release(first.state);
	ASK(launch(&second, &two_columns) == 0);
}

/* What was chosen before is used again, whatever would be the fastest here. */
static void choose_as_before(void)
{
	struct made m = {.choice = "warps=8 RESIDENT=4 STAGES=2"};
	use_path();
	const char *why = prepare_triton(&m, "triton softmax", &two_columns);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(!why && strcmp(torch_chosen(m.state), "warps=8 RESIDENT=4 STAGES=2") == 0);
	memset(m.y, 0, sizeof m.y);
	ASK(launch(&m, &two_columns) == 0 && all_halves(m.y, 4));
	torch_release(m.state);
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	m.choice = "warps=3 RESIDENT=4 STAGES=2";
	why = prepare_triton(&m, "triton softmax", &two_columns);
	ASK(why && strcmp(why, "this Triton cannot do it") == 0);
}

static void miss_triton(void)
{
	struct made m = {0};
	use_path();
	ASK(setenv("RIDGEPOINT_PYTHON", "/nowhere/python3", 1) == 0);
	const char *why = prepare_triton(&m, "triton softmax", &two_columns);
	ASK(why && strcmp(why, "python3 is not installed") == 0);
	ASK(unsetenv("RIDGEPOINT_PYTHON") == 0);
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	why = prepare_triton(&m, "triton softmax", &three_columns);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(why && strcmp(why, "this Triton cannot do it") == 0);
	why = prepare_triton(&m, "triton astrology", &two_columns);
	ASK(why && strcmp(why, "this Triton cannot do it") == 0);
	ASK(!prepare_triton(&m, "triton softmax", &two_columns));
}

/* The steps that trials leave out, and their messages. */
static struct {
	uint64_t leave;
	char said[1024];
} * tried;

static void try_preload(void)
{
	struct kernel_preload p = {.trial = true};
	use_path();
	const char *why = torch_preload(&p);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(!why);
	tried->leave = p.leave;
}

static int threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = 0;
	for (struct dirent *f; d && (f = readdir(d));)
		n += f->d_name[0] != '.';
	closedir(d);
	return n;
}

/* A library loaded before a fork works after it, independently in each process. */
static void preload(void)
{
	struct kernel_preload p = {.leave = tried->leave};
	struct made m;
	use_path();
	const char *why = torch_preload(&p);
	ASK(!why && !torch_preload(&p) && threads() == 1);
	unsetenv("STEP"); /* what was left out comes later, and then it may */
	for (int i = 0; i < 3; i++)
		ASK(apart(use_stand_in) == 0);
	ASK(apart(use_triton) == 0);
	ASK(!prepare(&m, "softmax", "eager", &two_columns));
	ASK(launch(&m, &two_columns) == 0 && all_halves(m.y, 4));
}

/* A library that starts CUDA when it is loaded must not be loaded before a fork. */
static void preload_refused(void)
{
	use_path();
	ASK(freopen("/dev/null", "w", stderr)); /* tracebacks */
	struct kernel_preload p = {.trial = true};
	const char *why = torch_preload(&p);
	if (why && strstr(why, "library of python3"))
		_exit(NO_LIBRARY);
	ASK(why && strcmp(why, "PyTorch does not load without CUDA") == 0);
}

static void preload_refused_imports(void)
{
	ASK(setenv("STARTS_CUDA", "imports", 1) == 0);
	preload_refused();
}

static void preload_refused_asks(void)
{
	ASK(setenv("STARTS_CUDA", "asks", 1) == 0);
	preload_refused();
}

static void look_for_nothing(void)
{
	struct made m;
	ASK(setenv("RIDGEPOINT_PYTHON", "/nowhere/python3", 1) == 0);
	const char *why = prepare(&m, "softmax", "eager", &two_columns);
	ASK(why && strcmp(why, "python3 is not installed") == 0);
	ASK(torch_library()[0] == 0);
	struct kernel_preload p = {.trial = true};
	ASK(strcmp(torch_preload(&p), "python3 is not installed") == 0);
	ASK(setenv("RIDGEPOINT_PYTHON", "printf '/a\\n/b\\nFalse\\n' #", 1) == 0);
	why = prepare(&m, "softmax", "eager", &two_columns);
	ASK(why && strcmp(why, "PyTorch is not installed") == 0);
	ASK(setenv("RIDGEPOINT_PYTHON", "printf '/a\\n/nowhere.so\\nTrue\\n' #", 1) == 0);
	why = prepare(&m, "softmax", "eager", &two_columns);
	ASK(why && strcmp(why, "the library of python3 is not installed") == 0);
}

static void test_stand_in(void **state)
{
	(void)state;
	int status = apart(use_stand_in);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
}

static void test_exceptions(void **state)
{
	(void)state;
	int status = apart(raise_exceptions);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
}

static void test_absent(void **state)
{
	(void)state;
	assert_int_equal(apart(look_for_nothing), 0);
}

static void test_triton(void **state)
{
	(void)state;
	int status = apart(use_triton);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
}

static void test_chosen_before(void **state)
{
	(void)state;
	int status = apart(choose_as_before);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
}

static void test_no_triton(void **state)
{
	(void)state;
	int status = apart(miss_triton);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
}

static void test_preload(void **state)
{
	(void)state;
	int status = apart(try_preload);
	if (status == NO_LIBRARY)
		skip();
	assert_int_equal(status, 0);
	assert_int_equal(apart(preload), 0);
	assert_int_equal(apart(preload_refused_imports), 0);
	assert_int_equal(apart(preload_refused_asks), 0);
}

/* Like try_preload(), but keeps the messages. */
static void try_and_listen(void)
{
	FILE *f = tmpfile();
	ASK(f && dup2(fileno(f), STDERR_FILENO) == STDERR_FILENO);
	try_preload();
	rewind(f);
	ASK(fread(tried->said, 1, sizeof tried->said - 1, f) > 0);
}

static void test_preload_leaves_out_a_step(void **state)
{
	(void)state;
	static const struct {
		const char *step, *said;
	} cases[] = {
	        {"thread", "triton.language: there are 2 threads: "},
	        {"asks", "triton.language: it asks for CUDA: _cuda_getDeviceCount by "},
	        {"asks quietly", "language.py:18 <module>"},
	        {"spoils", "triton.language: PyTorch has started CUDA"},
	        {"raises", "triton.language: ValueError: no such luck"},
	        {"crashes", ""},
	};
	if (apart(try_preload) == NO_LIBRARY)
		skip();
	uint64_t usual = tried->leave;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(tried, 0, sizeof *tried);
		setenv("STEP", cases[i].step, 1);
		assert_int_equal(apart(*cases[i].said ? try_and_listen : try_preload), 0);
		if (!strstr(tried->said, cases[i].said))
			fail_msg("%s: said: %s", cases[i].step, tried->said);
		assert_true(tried->leave == (usual | 2)); /* the second step alone */
		assert_int_equal(apart(preload), 0);
		unsetenv("STEP");
	}
}

int main(void)
{
	tried = mmap(NULL, sizeof *tried, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	             0);
	if (tried == MAP_FAILED)
		return 1;
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_absent),
	        cmocka_unit_test(test_stand_in),
	        cmocka_unit_test(test_exceptions),
	        cmocka_unit_test(test_triton),
	        cmocka_unit_test(test_chosen_before),
	        cmocka_unit_test(test_no_triton),
	        cmocka_unit_test(test_preload),
	        cmocka_unit_test(test_preload_leaves_out_a_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
