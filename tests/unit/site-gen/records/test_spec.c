/* Datasheet numbers: the order of files, what a quote proves, and what is refused. */
#include "site-gen/records/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/folder.h"

#define SOURCE(date) "\"s\":{\"title\":\"Sheet\",\"url\":\"https://x.org\",\"date\":\"" date "\"}"
#define DEVICE(slug, sources, specs)                                             \
	"{\"device\":\"" slug "\",\"name\":\"X\",\"sources\":{" sources "},\"sp" \
	"ecs\":[" specs "]}"
#define SPEC(key, value, unit, more, quote)                                                    \
	"{\"key\":\"" key "\",\"title\":\"T\",\"value\":" value ",\"unit\":\"" unit "\"," more \
	"\"source\":\"s\",\"quote\":\"" quote "\"}"
#define ONE(spec) DEVICE("h1", SOURCE("2026"), spec)

static bool load(struct folder *f, struct data_spec **s, size_t *n, struct err *e)
{
	*e = (struct err)ERR_NONE;
	return spec_load(f->path, "specs", &f->arena, s, n, e);
}

static void files_in_order(void **state)
{
	struct folder *f = *state;
	struct data_spec *s;
	size_t n = 9;
	struct err e;
	assert_true(load(f, &s, &n, &e)); /* no folder */
	assert_int_equal(n, 0);
	folder_put(f, "specs/h2.json",
	           DEVICE("h2", SOURCE("2026-11"),
	                  SPEC("tdp", "7", "W", "", "7 W") "," SPEC("a", "8", "B", "", "8 B")));
	folder_put(f, "specs/h1.json", ONE(SPEC("tdp", "7", "W", "\"note\":\"n\",", "7 W")));
	folder_put(f, "specs/README.md", "# no device");
	folder_put(f, "specs/old.json/x.json", "no file of the folder");
	assert_true(load(f, &s, &n, &e));
	assert_int_equal(n, 3);
	assert_string_equal(s[0].device, "h1");
	assert_string_equal(s[0].devices[0], "h1");
	assert_null(s[0].devices[1]);
	assert_string_equal(s[0].note, "n");
	assert_string_equal(s[0].source, "Sheet");
	assert_string_equal(s[0].source_url, "https://x.org");
	assert_string_equal(s[0].source_date, "2026");
	assert_string_equal(s[1].key, "tdp");
	assert_null(s[1].note);
	assert_string_equal(s[1].source_date, "2026-11");
	assert_string_equal(s[2].key, "a");
	assert_string_equal(s[2].si, "B");
}

/* The value stands in its quote with any prefix; doubled only if a note says why. */
static void the_quote_holds_the_value(void **state)
{
	struct folder *f = *state;
	static const struct {
		const char *spec;
		bool holds;
	} row[] = {
	        {ONE(SPEC("a", "4.8e12", "B/s", "", "up to 4.8TB/s")), true},
	        {ONE(SPEC("a", "4.8e12", "B/s", "", "up to 4,800 GB/s")), true},
	        {ONE(SPEC("a", "4.8e12", "B/s", "", "up to 4.8 GB/s")), false},
	        {ONE(SPEC("a", "4.8e12", "B/s", "", "up to 14.8 TB/s")), false},
	        {ONE(SPEC("a", "4.8e12", "B/s", "", "up to 9.6 TB/s")), false},
	        {ONE(SPEC("a", "4.8e12", "B/s", "\"note\":\"half\",", "up to 9.6 TB/s")), true},
	        {ONE(SPEC("a", "4.8e12", "B/s", "\"note\":\"x\",", "up to 2.4 TB/s")), false},
	        {ONE(SPEC("a", "700", "W", "", "Up to 700W")), true},
	};
	/* that of each clock and SM may follow from a peak, the SMs and the clock */
	static const struct {
		const char *spec;
		bool holds;
	} clocked[] = {
	        {ONE(SPEC("a-clock", "4096", "FLOP/clk/SM", "", "4,096 FLOP/clk/SM")), true},
	        {ONE(SPEC("a-clock", "4096", "FLOP/clk/SM", "", "989.4 TFLOPS, 132 SMs, 1830 MHz")),
	         true},
	        {ONE(SPEC("a-clock", "4096", "FLOP/clk/SM", "",
	                  "1830 MHz; SMs 132; 989.4/1,978.9 TFLOPS")),
	         true},
	        {ONE(SPEC("a-clock", "8192", "FLOP/clk/SM", "",
	                  "1830 MHz; SMs 132; 989.4/1,978.9 TFLOPS")),
	         true},
	        {ONE(SPEC("a-clock", "4096", "FLOP/clk/SM", "", "989.4 TFLOPS, 114 SMs, 1830 MHz")),
	         false},
	        {ONE(SPEC("a-clock", "4100", "FLOP/clk/SM", "", "989.4 TFLOPS, 132 SMs, 1830 MHz")),
	         false},
	        {ONE(SPEC("a-clock", "4096", "FLOP/clk/SM", "", "989.4 TFLOPS on 132 SMs")), false},
	        {ONE(SPEC("a", "4096", "FLOP/s", "", "989.4 TFLOPS, 132 SMs, 1830 MHz")), false},
	};
	for (size_t i = 0; i < ARRAY_LEN(clocked); i++) {
		struct data_spec *s;
		size_t n;
		struct err e;
		folder_put(f, "specs/h1.json", clocked[i].spec);
		if (load(f, &s, &n, &e) != clocked[i].holds)
			fail_msg("%s %s", clocked[i].spec, e.text);
		if (!clocked[i].holds)
			assert_non_null(strstr(e.text, "its quote"));
	}
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct data_spec *s;
		size_t n;
		struct err e;
		folder_put(f, "specs/h1.json", row[i].spec);
		if (load(f, &s, &n, &e) != row[i].holds)
			fail_msg("%s %s", row[i].spec, e.text);
		if (!row[i].holds)
			assert_non_null(strstr(e.text, "does not stand in its quote"));
	}
}

static void what_is_refused(void **state)
{
	struct folder *f = *state;
	static const struct {
		const char *text, *said;
	} bad[] = {
	        {ONE(SPEC("HBM", "7", "W", "", "7 W")),
	         "key 'HBM' may hold only a-z, 0-9, '-' and '_'"},
	        {ONE(SPEC("", "7", "W", "", "7 W")), "key '' may hold only a-z, 0-9, '-' and '_'"},
	        {ONE(SPEC("a", "0", "W", "", "0 W")),
	         "spec 'a': the value must be positive [typed]"},
	        {ONE(SPEC("a", "-7", "W", "", "-7 W")),
	         "spec 'a': the value must be positive [typed]"},
	        {ONE(SPEC("a", "7", "W", "", " ")), "spec 'a': title and quote may not be empty"},
	        {ONE(SPEC("a", "7", "W", "\"was\":1,", "7 W")), "unknown member 'was' of a spec"},
	        {ONE(SPEC("a", "7", "W", "", "7 W") "," SPEC("a", "8", "W", "", "8 W")),
	         "spec 'a' of 'h1' is given twice; a device has one [typed]"},
	        {ONE("7"), "each of 'specs' must be an object"},
	        {"{\"device\":\"h1\",\"name\":\"Maker H1 SXM\",\"short\":\"H2\",\"sources\":{},"
	         "\"specs\":[]}",
	         "'short' is 'H2', expected a part of the name 'Maker H1 SXM'"},
	        {DEVICE("h1", "\"s\":7", ""), "source 's' must be an object"},
	        {DEVICE("h1", SOURCE("2026-1"), ""),
	         "source 's': date '2026-1', expected YYYY, YYYY-MM or YYYY-MM-DD"},
	        {DEVICE("h1", SOURCE("2026/11"), ""),
	         "source 's': date '2026/11', expected YYYY, YYYY-MM or YYYY-MM-DD"},
	        {DEVICE("h1", SOURCE("2026-1x"), ""),
	         "source 's': date '2026-1x', expected YYYY, YYYY-MM or YYYY-MM-DD"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct data_spec *s;
		size_t n;
		struct err e;
		folder_put(f, "specs/h1.json", bad[i].text);
		assert_false(load(f, &s, &n, &e));
		assert_int_equal(n, 0);
		assert_string_equal(e.text,
		                    arena_printf(&f->arena, "specs/h1.json: %s", bad[i].said));
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(files_in_order),
	        TEST(the_quote_holds_the_value),
	        TEST(what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
