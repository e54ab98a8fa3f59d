/* gzip: what comes out is what went in, and no file can make the reader take more than its limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/gzip.h"

enum { LIMIT = 1 << 20 };

struct packed {
	struct sb small;
	struct arena a;
	struct err e;
};

static int set_up(void **state)
{
	static struct packed p;
	p = (struct packed){.e = ERR_NONE};
	*state = &p;
	return 0;
}

static int tear_down(void **state)
{
	struct packed *p = *state;
	sb_free(&p->small);
	arena_free(&p->a);
	return 0;
}

static bool unpack(struct packed *p, size_t limit, struct str *out)
{
	p->e = (struct err)ERR_NONE;
	return gzip_unpack(sb_view(&p->small), limit, "x.gz", &p->a, out, &p->e);
}

static void bytes_come_back(void **state)
{
	struct packed *p = *state;
	static char noise[200000];
	uint32_t x = 1;
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (char)((x = x * 1664525u + 1013904223u) >> 24);
	const struct str texts[] = {STR(""), STR("a"), {noise, sizeof noise}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct str out;
		p->small.n = 0;
		assert_true(gzip_pack(texts[i], &p->small));
		assert_true(unpack(p, LIMIT, &out));
		assert_true(str_eq(out, texts[i]));
		assert_int_equal(out.p[out.n], '\0');
		assert_true(gzip_holds(sb_view(&p->small), texts[i]));
	}
}

static void equal_bytes_have_an_equal_form(void **state)
{
	struct packed *p = *state;
	struct sb again = {0};
	assert_true(gzip_pack(STR("the same"), &p->small) && gzip_pack(STR("the same"), &again));
	assert_true(str_eq(sb_view(&p->small), sb_view(&again)));
	sb_free(&again);
}

static void a_large_content_is_refused(void **state)
{
	struct packed *p = *state;
	static const char zeros[LIMIT + 1];
	struct str out;
	assert_true(gzip_pack((struct str){zeros, LIMIT}, &p->small) && unpack(p, LIMIT, &out));
	p->small.n = 0;
	assert_true(gzip_pack((struct str){zeros, LIMIT + 1}, &p->small));
	assert_false(unpack(p, LIMIT, &out));
	assert_string_equal(p->e.text,
	                    "x.gz: 1048577 bytes when inflated, expected at most 1048576");
}

/* A bomb states a small size: inflating stops where that is full. */
static void a_lie_about_the_size_is_refused(void **state)
{
	struct packed *p = *state;
	static const char zeros[LIMIT];
	struct str out;
	assert_true(gzip_pack((struct str){zeros, LIMIT}, &p->small));
	memcpy(p->small.p + p->small.n - 4, "\x10\0\0\0", 4);
	assert_false(unpack(p, LIMIT, &out));
	assert_string_equal(p->e.text, "x.gz: not a whole gzip file, or has bytes after its end");
	memcpy(p->small.p + p->small.n - 4, "\0\0\x10\x01", 4); /* 16 MiB more */
	assert_false(unpack(p, LIMIT, &out));
}

static void a_damaged_file_is_refused(void **state)
{
	struct packed *p = *state;
	struct str out;
	assert_true(gzip_pack(STR("some text, some text, some text"), &p->small));
	size_t whole = p->small.n;
	for (size_t n = 0; n < whole; n++) {
		p->small.n = n;
		assert_false(unpack(p, LIMIT, &out));
	}
	p->small.n = whole;
	/* the header's time and the bits after the last code decide nothing */
	for (size_t i = 10; i < whole; i++) {
		if (i == whole - 9)
			continue;
		p->small.p[i] ^= 0x10;
		assert_false(unpack(p, LIMIT, &out));
		assert_false(
		        gzip_holds(sb_view(&p->small), STR("some text, some text, some text")));
		p->small.p[i] ^= 0x10;
	}
	sb_char(&p->small, '\n');
	assert_false(unpack(p, LIMIT, &out));
}

static void the_name_says_whether_to_inflate(void **state)
{
	struct packed *p = *state;
	struct str out;
	assert_true(gzip_pack(STR("content"), &p->small));
	struct str small = sb_view(&p->small);
	assert_true(gzip_content(small, LIMIT, "x.json.gz", &p->a, &out, &p->e));
	assert_true(str_is(out, "content"));
	assert_true(gzip_content(small, LIMIT, "x.json", &p->a, &out, &p->e));
	assert_true(str_eq(out, small));
	assert_false(gzip_content(STR("content"), 6, "x.json", &p->a, &out, &p->e));
	assert_string_equal(p->e.text, "x.json: 7 bytes, expected at most 6");
	p->e = (struct err)ERR_NONE;
	assert_false(gzip_content(small, 6, "x.json.gz", &p->a, &out, &p->e));
	assert_string_equal(p->e.text, "x.json.gz: 7 bytes when inflated, expected at most 6");
}

#define GZIP_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GZIP_TEST(bytes_come_back),
	        GZIP_TEST(equal_bytes_have_an_equal_form),
	        GZIP_TEST(a_large_content_is_refused),
	        GZIP_TEST(a_lie_about_the_size_is_refused),
	        GZIP_TEST(a_damaged_file_is_refused),
	        GZIP_TEST(the_name_says_whether_to_inflate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
