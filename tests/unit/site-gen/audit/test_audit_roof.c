/* Rule `roofed` as the audit derives it: no comparable case may be faster than the roof. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/audit/roof.h"
#include "tests/unit/help/synthetic_rows.h"

enum { BYTES = 1000000000 };

/* A case that moves a gigabyte of memory at this rate, and writes so much of it. */
#define MOVES(family, variant, role, cache, level_, written, rate, ...)                   \
	{                                                                                 \
		family, variant, role, "bandwidth", 0, {{"n", NULL, BYTES}, __VA_ARGS__}, \
		        1 +                                                               \
		                sizeof((struct run_pair[]){{0}, __VA_ARGS__}) /           \
		                        sizeof(struct run_pair) -                         \
		                1,                                                        \
		        "f32", cache,                                                     \
		        {.bytes_read = BYTES - (written),                                 \
		         .bytes_written = written,                                        \
		         .level = level_},                                                \
		        .seconds = BYTES / (rate)                                         \
	}

static const struct synthetic_row rows[] = {
        MOVES("sum", "tile", "kernel", "cold", "hbm", 0, 3e12),
        MOVES("sum", "hot", "kernel", "hot", "hbm", 0, 4.45e12),
        MOVES("ceiling-memory", "fast", "ceiling", "hot", "hbm", BYTES / 20, 4.0e12),
        MOVES("ceiling-memory", "slow", "ceiling", "hot", "hbm", 0, 3.5e12),
        MOVES("ceiling-memory", "copy", "ceiling", "hot", "hbm", BYTES / 2, 4.4e12),
        MOVES("ceiling-memory", "cache", "ceiling", "hot", "cache", 0, 9e12),
        MOVES("ceiling-memory", "fast", "ceiling", "hot", "hbm", 0, 4.5e12,
              {"load", "sustained", 0}),
};

static struct repo repo;
static struct audit_records records;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_A);
	repo_add_rows(&repo, &s, rows, ARRAY_LEN(rows));
	repo_commit(&repo);
	repo_load(&repo);
	audit_records_init(&records, &repo.data, &repo.arena);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(&records.scratch);
	repo_free(&repo);
	return 0;
}

/* Is row `over` a roof of row `of`? Otherwise e names the faster one. */
static bool holds(size_t of, size_t over, struct err *e)
{
	const struct data_run *r = &repo.data.runs[0];
	const struct audit_number n = {.kind = AUDIT_SHARE_MEASURED,
	                               .of = audit_case_of(&records, r, &r->cases[of]),
	                               .over = audit_case_of(&records, r, &r->cases[over])};
	assert_true(n.of->has && n.over->has);
	*e = ERR_NONE;
	return audit_roof_holds(&records, &n, e);
}

/*
 * Faster cases are no roof of `tile` if they lie in another memory, write more, or were measured
 * hot without being a ceiling, or in another way.
 */
static void only_comparable_cases_count(void **state)
{
	struct err e;
	(void)state;
	if (!holds(0, 2, &e))
		fail_msg("%s", e.text);
}

static void a_slower_roof_is_refused(void **state)
{
	struct err e;
	(void)state;
	assert_false(holds(0, 3, &e));
	assert_string_equal(
	        e.text, "is held against ceiling-memory/slow:n=1000000000,dtype=f32,cache=hot, but "
	                "ceiling-memory/fast:n=1000000000,dtype=f32,cache=hot reached more in "
	                "run " RUN_A);
	assert_false(holds(0, 0, &e)); /* nor is the case its own roof */
}

/* What was measured in an unusual way is a roof of what was measured in the same way. */
static void ways_are_compared(void **state)
{
	struct err e;
	(void)state;
	assert_true(holds(6, 6, &e));
	assert_false(holds(6, 2, &e));
	assert_non_null(strstr(e.text, "load=sustained"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(only_comparable_cases_count),
	        cmocka_unit_test(a_slower_roof_is_refused),
	        cmocka_unit_test(ways_are_compared),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
