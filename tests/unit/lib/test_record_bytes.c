/* A run file with any byte changed, missing or added is not whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/file.h"
#include "lib/record.h"

#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 17 };
#else
enum { STRIDE = 1 };
#endif

struct fixture {
	struct arena a;
	struct str bytes;
	char *copy; /* room for one byte more */
};

static struct fixture load(void)
{
	struct fixture f = {0};
	struct err e = ERR_NONE;
	if (!file_read("tests/fixtures/run-example.jsonl", 1 << 20, &f.a, &f.bytes, &e))
		fail_msg("%s", e.text);
	f.copy = arena_alloc(&f.a, f.bytes.n + 1);
	return f;
}

static bool is_whole(const char *p, size_t n)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct run r;
	bool whole = record_read((struct str){p, n}, "x", &a, &r, &e) && r.whole;
	arena_free(&a);
	return whole;
}

static void as_it_is_it_is_whole(void **state)
{
	(void)state;
	struct fixture f = load();
	assert_true(is_whole(f.bytes.p, f.bytes.n));
	arena_free(&f.a);
}

static void a_changed_byte_is_found(void **state)
{
	(void)state;
	static const char masks[] = {0x01, 0x20, 0x40};
	struct fixture f = load();
	memcpy(f.copy, f.bytes.p, f.bytes.n);
	for (size_t i = 0; i < f.bytes.n; i += STRIDE) {
		f.copy[i] ^= masks[i % sizeof masks];
		if (is_whole(f.copy, f.bytes.n))
			fail_msg("byte %zu may be '%c' instead of '%c'", i, f.copy[i],
			         f.bytes.p[i]);
		f.copy[i] = f.bytes.p[i];
	}
	arena_free(&f.a);
}

static void a_missing_byte_is_found(void **state)
{
	(void)state;
	struct fixture f = load();
	for (size_t i = 0; i < f.bytes.n; i += STRIDE) {
		memcpy(f.copy, f.bytes.p, i);
		memcpy(f.copy + i, f.bytes.p + i + 1, f.bytes.n - i - 1);
		if (is_whole(f.copy, f.bytes.n - 1))
			fail_msg("byte %zu may be missing", i);
	}
	arena_free(&f.a);
}

static void an_added_byte_is_found(void **state)
{
	(void)state;
	static const char added[] = " \n0}";
	struct fixture f = load();
	for (size_t i = 0; i <= f.bytes.n; i += STRIDE) {
		memcpy(f.copy, f.bytes.p, i);
		f.copy[i] = added[i % (sizeof added - 1)];
		memcpy(f.copy + i + 1, f.bytes.p + i, f.bytes.n - i);
		if (is_whole(f.copy, f.bytes.n + 1))
			fail_msg("a byte may be added at %zu", i);
	}
	arena_free(&f.a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(as_it_is_it_is_whole),
	        cmocka_unit_test(a_changed_byte_is_found),
	        cmocka_unit_test(a_missing_byte_is_found),
	        cmocka_unit_test(an_added_byte_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
