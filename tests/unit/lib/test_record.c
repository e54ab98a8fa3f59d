/* The run file: written, read back, and broken in every way. All values are SYNTHETIC. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/units.h"
#include "tests/unit/help/rewritten.h"

#define HEX40 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct run_pair toolchain[] = {{"nvcc", "13.0.88", 0}, {"cc", "gcc 12.2.0", 0}};
static struct run_pair missing[] = {{"energy_mj", "not supported by this driver", 0}};
static int64_t ticks[] = {1500, 1504};
static const char *argv[] = {"runner", "run"};
static struct run_source sources[] = {{"kernels/copy/vec4.cu", HEX40}};

static struct run_head head(void)
{
	return (struct run_head){
	        .schema = RECORD_SCHEMA,
	        .id = "20260101T000000Z-example-00000000",
	        .device = "h200",
	        .start = "2026-01-01T00:00:00Z",
	        .reason = "SYNTHETIC \"example\"\n",
	        .commit = HEX40,
	        .runner_sha256 = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
	        .toolchain = toolchain,
	        .ntoolchain = 2,
	        .machine = {"h200/580", "AMD EPYC", "Linux 6.1", NULL, 16, 1LL << 37},
	        .gpu = {.name = "NVIDIA H200",
	                .driver = "580.159.04",
	                .sms = 132,
	                .l2_bytes = 62914560,
	                .cuda_driver = RECORD_NONE,
	                .cuda_runtime = 13000,
	                .memory_bytes = RECORD_NONE,
	                .bus_bits = 6144,
	                .sm_clock_max_mhz = 1980,
	                .memory_clock_max_mhz = RECORD_NONE,
	                .power_limit_mw = 700000,
	                .ecc = 1},
	        .tick_ns = 1.25e-7,
	        .empty_pair_ns = ticks,
	        .nempty_pair = 2,
	        .argv = argv,
	        .nargv = 2,
	        .rng_seed = 7,
	        .launches = 2,
	        .warmup_ms = 20,
	        .min_samples = 30,
	        .max_samples = 1000,
	        .cap_ms = 500,
	        .flush_bytes = 0,
	        .stop_halfwidth = 0.005,
	        .order = "random within each launch",
	        .unavailable = missing,
	        .nunavailable = 1,
	};
}

static struct run_case one_case(struct arena *a)
{
	struct run_case c = {
	        .family = "copy",
	        .variant = "vec4",
	        .family_title = "Copy",
	        .variant_title = "16-byte loads",
	        .problem = "SYNTHETIC",
	        .idea = "µ < & >",
	        .metric = "bandwidth",
	        .role = "kernel",
	        .device = "cuda",
	        .param = {{"n", NULL, 1 << 20}, {"op", "copy", 0}},
	        .nparams = 2,
	        .dtype = "f32",
	        .cache = "cold",
	        .source = sources,
	        .nsource = 1,
	        .build = {"-O3", 32, RECORD_NONE, 0},
	        .model = {0, 4 << 20, 4 << 20, "r=4n w=4n", NULL, "hbm", NULL},
	        .input = "uniform[-1,1)",
	        .input_sets = 2,
	        .check_reference = "exact",
	        .check_why = "a copy is exact",
	        .tolerance = 0,
	};
	c.id = record_case_id(&c, a);
	return c;
}

static struct run_launch one_launch(const struct run_case *c, int64_t i, int64_t *samples, size_t n)
{
	return (struct run_launch){
	        .of = c,
	        .i = i,
	        .pid = 100 + i,
	        .t_ms = 5,
	        .seed = 9,
	        .status = "ok",
	        .before = {0, 1000, true},
	        .after = {0, 1000, true},
	        .batch = 2,
	        .timer = "graph",
	        .stop = "halfwidth",
	        .sm_clock_mhz = {1935, 1980, 1980},
	        .memory_clock_mhz = 3201,
	        .power_mw = {RECORD_NONE, RECORD_NONE, RECORD_NONE},
	        .temperature_c = {40, 44},
	        .energy_mj = RECORD_NONE,
	        .throttle_reasons = 4,
	        .spent_us = {[RUN_CHECK] = 70, [RUN_SAMPLES] = i},
	        .sample_ns = samples,
	        .nsamples = n,
	};
}

static struct run_pair pairs[] = {{"algorithm", NULL, 66}, {"tile", "8x8", 0}, {"stages", NULL, 4}};

static int64_t fast[] = {4000, 4002, 4001}, slow[] = {4100, 4102, 4101};

static void write_example(struct sb *b, struct arena *a)
{
	struct run_head h = head();
	struct run_case c = one_case(a);
	c.build.choice = (struct run_choice){pairs, 3};
	record_put_head(b, &h);
	record_put_cases(b, &c, 1);
	static struct run_group group[] = {{2, 15000, 8100}, {1, 7500, 4050}};
	struct run_launch l = one_launch(&c, 0, fast, 3);
	l.group = group;
	l.ngroups = 2;
	record_put_launch(b, &l);
	l = one_launch(&c, 1, slow, 3);
	l.library = "Triton 3.6.0; 8 warps";
	l.choice = (struct run_choice){pairs, 2};
	record_put_launch(b, &l);
	l = (struct run_launch){.of = &c, .i = 2, .status = "wrong"};
	l.before.error = NAN;
	record_put_launch(b, &l);
	record_put_end(b, "complete", "2026-01-01T00:01:00Z", 0, sb_view(b));
}

static bool read_text(struct str s, struct arena *a, struct run *r, struct err *e)
{
	*e = ERR_NONE;
	return record_read(s, "f.jsonl", a, r, e);
}

static void what_is_written_reads_back(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0}, again = {0};
	struct run r;
	struct err e;
	write_example(&b, &a);
	if (!read_text(sb_view(&b), &a, &r, &e))
		fail_msg("%s", e.text);
	assert_true(r.whole);
	assert_int_equal(r.ncases, 1);
	assert_int_equal(r.nlaunches, 3);
	assert_string_equal(r.head.reason, "SYNTHETIC \"example\"\n");
	assert_true(r.head.tick_ns == 1.25e-7);
	assert_true(r.head.gpu.memory_bytes == RECORD_NONE && r.head.gpu.ecc == 1);
	assert_int_equal(r.launches[1].sample_ns[1], 4102);
	assert_true(r.launches[0].of == &r.cases[0]);
	assert_true(r.launches[0].power_mw[0] == RECORD_NONE);
	assert_true(r.launches[2].before.error == -1 && !record_launch_ok(&r.launches[2]));
	assert_int_equal(r.launches[1].spent_us[RUN_CHECK], 70);
	assert_int_equal(r.launches[1].spent_us[RUN_SAMPLES], 1);
	assert_int_equal(r.launches[1].spent_us[RUN_FILL], 0);
	assert_null(record_launch_library(&r.launches[0]));
	assert_string_equal(record_launch_library(&r.launches[1]), "Triton 3.6.0; 8 warps");
	assert_string_equal(record_choices(&r, &r.cases[0], &a),
	                    "chosen differently in 1 of 2 processes: Triton 3.6.0; 8 warps, "
	                    "algorithm 66, tile 8x8 (1)");
	assert_int_equal(record_launch_choice(&r.launches[0])->n, 3);
	assert_true(record_choice_same(record_launch_choice(&r.launches[1]),
	                               &(struct run_choice){pairs, 2}));
	/* and the same bytes come out again */
	rewritten(&again, &r, &a);
	assert_string_equal(again.p, b.p);
	sb_free(&b);
	sb_free(&again);
	arena_free(&a);
}

static void summaries_come_from_launch_medians(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct err e;
	struct stats_summary s;
	double *m, value, lo, hi;
	write_example(&b, &a);
	assert_true(read_text(sb_view(&b), &a, &r, &e));
	assert_true(record_summary(&r, &r.cases[0], &a, &s, &m));
	assert_int_equal(s.launches, 2);
	assert_int_equal(s.samples, 6);
	assert_true(fabs(m[0] - 2000.5e-9) < 1e-15 && fabs(m[1] - 2050.5e-9) < 1e-15);
	assert_true(fabs(s.typical - sqrt(m[0] * m[1])) < 1e-18);
	assert_true(metric_of(METRIC_BANDWIDTH, &r.cases[0], &s, &value, &lo, &hi));
	assert_true(fabs(value * s.typical - (8 << 20)) < 1e-3 && lo < value && value < hi);
	assert_false(metric_of(METRIC_THROUGHPUT, &r.cases[0], &s, &value, &lo, &hi));
	sb_free(&b);
	arena_free(&a);
}

static void a_cut_file_is_never_whole(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0};
	write_example(&b, &a);
	for (size_t n = 0; n < b.n; n++) {
		struct arena t = {0};
		struct run r;
		struct err e;
		bool ok = read_text((struct str){b.p, n}, &t, &r, &e);
		assert_false(ok && r.whole);
		assert_true(ok ? r.why_not_whole != NULL : e.set);
		arena_free(&t);
	}
	sb_free(&b);
	arena_free(&a);
}

static void a_changed_byte_is_never_whole(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0};
	write_example(&b, &a);
	size_t end = b.n;
	while (end > 1 && b.p[end - 2] != '\n')
		end--;
	for (size_t i = 0; i < end - 1; i++) {
		struct arena t = {0};
		struct run r;
		struct err e;
		b.p[i] ^= 1;
		bool ok = read_text(sb_view(&b), &t, &r, &e);
		assert_false(ok && r.whole);
		b.p[i] ^= 1;
		arena_free(&t);
	}
	sb_free(&b);
	arena_free(&a);
}

/* The example with the first `from` replaced by `to`; the error must contain `want`. */
static void broken(const char *from, const char *to, const char *want)
{
	struct arena a = {0};
	struct sb b = {0}, c = {0};
	struct run r;
	struct err e;
	write_example(&b, &a);
	const char *hit = strstr(b.p, from);
	assert_non_null(hit);
	sb_put(&c, b.p, (size_t)(hit - b.p));
	sb_cstr(&c, to);
	sb_cstr(&c, hit + strlen(from));
	assert_false(read_text(sb_view(&c), &a, &r, &e));
	if (!strstr(e.text, want))
		fail_msg("'%s' does not say '%s'", e.text, want);
	sb_free(&b);
	sb_free(&c);
	arena_free(&a);
}

static void errors_name_line_and_field(void **state)
{
	(void)state;
	broken("\"schema\":\"" RECORD_SCHEMA "\"", "\"schema\":\"ridgepoint-run/3.0\"",
	       "f.jsonl:1: schema 'ridgepoint-run/3.0' is of another major version");
	broken("\"schema\":\"" RECORD_SCHEMA "\"", "\"schema\":\"other/1.0\"",
	       "expected '" RECORD_SCHEMA "'");
	broken("\"device\":\"h200\"", "\"device\":\"../h200\"",
	       "f.jsonl:1: 'device' is '../h200', expected letters, digits");
	broken("\"id\":\"2026", "\"id\":\".2026", "f.jsonl:1: 'id' is '.2026");
	broken("\"dirty\":false", "\"dirty\":0", "f.jsonl:1: 'dirty' is not true or false");
	broken("\"launches\":2", "\"launches\":2.5", "'launches' is not an integer");
	broken("\"family\":\"copy\",", "", "f.jsonl:2: 'family' is missing, expected a string");
	broken("\"bytes_read\":4194304", "\"bytes_read\":9223372036854775807",
	       "f.jsonl:4: 'model' has more bytes than can be counted");
	broken("\"batch\":2", "\"batch\":0", "f.jsonl:5: 'batch' is 0");
	broken("\"above_base\":[0", "\"above_base\":[-9", "sample 0 is not a positive time");
	broken("\"base\":4000", "\"step_ns\":0,\"base\":4000", "f.jsonl:5: 'step_ns' is 0");
	broken("\"base\":4000", "\"step_ns\":9223372036854775807,\"base\":4000",
	       "sample 0 is not a positive time");
	broken("\"warmup\":[]", "\"warmup\":[9223372036854775807]",
	       "sample 0 of the warm-up is no time");
	broken("{\"type\":\"launch\",\"case\":0", "{\"type\":\"launch\",\"case\":1",
	       "f.jsonl:5: launch of case 1, but there are 1 cases");
	broken("{\"type\":\"launch\",\"case\":0", "{\"type\":\"launch\",\"case\":-1",
	       "f.jsonl:5: launch of case -1,");
	broken("{\"type\":\"launch\",\"case\":0", "{\"type\":\"launch\",\"case\":\"copy\"",
	       "f.jsonl:5: 'case' is not an integer");
	broken("\"spent_us\":[0,0,0,0,70", "\"spent_us\":[0,0,0,0,-1",
	       "f.jsonl:5: 'spent_us.check' is negative");
	broken("\"spent_us\":[0,0,0,0,70", "\"spent_us\":[0,0,0,0,0.5",
	       "'spent_us[4]' is not an integer");
	broken("\"spent_us\":[0,", "\"spent_us\":[", "'spent_us' has 9 values, expected 10");
	broken("\"samples\":[2,1]", "\"samples\":[2]",
	       "f.jsonl:5: 'groups' has 1, 2 and 2 values, expected equally many");
	broken("\"samples\":[2,1]", "\"samples\":[2,2]", "'groups' has more samples than 3");
	broken("\"samples\":[2,1]", "\"samples\":[1,1]", "'groups' lacks 1 of 3 samples");
	broken("\"ns\":[8100", "\"ns\":[0", "f.jsonl:5: group 0 has a number below 1");
	broken("\"cycles\":[15000", "\"cycles\":[-1", "group 0 has a number below 1");
	broken("\"groups\":{", "\"groups\":7,\"other\":{", "'groups' is not an object");
	broken("\"before\":[0.0", "\"before\":[null", "'before' is not [error, norm, ");
	broken("1000,true]", "1000,1]",
	       "'before' is not [error, norm, ulp_p99, looked_at, passed, exact]");
	broken("\"i\":1,", "\"i\":0,", "f.jsonl:6: launch 0 of 'copy");
	broken("1000,true]", "1000,false]", "samples of a launch that failed its check");
	broken("{\"type\":\"run\"", "{\"type\":\"run\",\"type\":\"run\"",
	       "not JSON: duplicate object key");
	broken("{\"type\":\"run\"", "{\"type\":\"launch\"",
	       "first record is 'launch', expected 'run'");
	broken("\"variant\":\"vec4\"", "\"variant\":\"vec8\"",
	       "f.jsonl:4: no 'variant' record before it: copy/vec4");
	broken("{\"type\":\"family\"", "{\"type\":\"novelty\"",
	       "f.jsonl:3: no 'family' record before it: copy");
	broken("{\"type\":\"variant\"", "{\"type\":\"family\"", "f.jsonl:3: copy a second time");
	broken("\"problem\":\"SYNTHETIC\",", "", "f.jsonl:4: 'problem' is missing");
	broken("\"commit\":\"a", "\"commit\":\"A", "expected 40 hex digits");
	broken("{\"type\":\"run\"", "[\"type\",\"run\"", "not JSON");
}

/* --- one line, one reading --- */

/* The head and the case of the example, and a launch. */
static void write_launch(struct sb *b, struct arena *a, struct str line)
{
	struct run_head h = head();
	struct run_case c = one_case(a);
	record_put_head(b, &h);
	record_put_cases(b, &c, 1);
	sb_str(b, line);
	sb_char(b, '\n');
}

static struct str launch_line(struct arena *a)
{
	static int64_t warmup[] = {9000, 3999};
	struct run_case c = one_case(a);
	struct run_launch l = one_launch(&c, 0, fast, 3);
	struct sb b = {0};
	l.warmup_ns = warmup;
	l.nwarmup = 2;
	record_put_launch(&b, &l);
	struct str s = {arena_strndup(a, b.p, b.n - 1), b.n - 1};
	sb_free(&b);
	return s;
}

static void same_list(struct json v, const char *key, int64_t base, const int64_t *got, size_t n)
{
	struct json list = json_get(v, key);
	assert_int_equal(json_len(list), n);
	for (size_t i = 0; i < n; i++) {
		int64_t one;
		assert_true(json_as_i64(json_item(list, i), &one));
		assert_int_equal(one + base, got[i]);
	}
}

/* The reader finds the same in a line as a JSON parser, or refuses the line. */
static bool one_reading(struct arena *a, struct str line)
{
	struct sb b = {0};
	struct run r;
	struct err e = ERR_NONE;
	struct json_doc *doc;
	struct json v;
	int64_t base = 0;
	write_launch(&b, a, line);
	bool read = read_text(sb_view(&b), a, &r, &e) && r.nlaunches == 1;
	if (read) {
		e = ERR_NONE;
		if (!json_parse(line, (struct loc){0}, &doc, &v, &e))
			fail_msg("was read, but is no JSON: %.*s", (int)line.n, line.p);
		assert_true(json_want_i64(v, "base", &base, &e));
		same_list(v, "above_base", base, r.launches[0].sample_ns, r.launches[0].nsamples);
		same_list(v, "warmup", base, r.launches[0].warmup_ns, r.launches[0].nwarmup);
		json_free(doc);
	}
	sb_free(&b);
	return read;
}

static struct str inserted(struct arena *a, struct str line, size_t at, const char *what)
{
	const char *s = arena_printf(a, "%.*s%s%.*s", (int)at, line.p, what, (int)(line.n - at),
	                             line.p + at);
	return str_of(s);
}

static void one_line_has_one_reading(void **state)
{
	static const char *const after[] = {
	        /* read: what is not the launch's own does not count */
	        "\"x\":{\"above_base\":[7,7,7]},",
	        "\"x\":{\"warmup\":[7]},",
	        "\"x\":[{\"above_base\":[7,7,7]}],",
	        "\"x\":\"\\\"above_base\\\":[7]\",",
	        /* refused: a key twice, however it is written */
	        "\"above_base\":[7,7,7],",
	        "\"above_bas\\u0065\":[7,7,7],",
	        "\"\\u0061bove_base\":[],",
	        "\"warmu\\u0070\":[7],",
	        "\"warmup\" :[7],",
	        "\"base\":1,",
	        "\"b\\u0061se\":1,",
	};
	struct arena a = {0};
	(void)state;
	struct str line = launch_line(&a);
	assert_true(one_reading(&a, line));
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		if (one_reading(&a, inserted(&a, line, 1, after[i])) != (i < 4))
			fail_msg("%s is %s", after[i], i < 4 ? "refused" : "read");
	/* in the place of the plain key, the escaped one is read by the parser */
	const char *hit = strstr(line.p, "above_base");
	struct str escaped =
	        str_of(arena_printf(&a, "%.*s\\u0061%s", (int)(hit - line.p), line.p, hit + 1));
	assert_true(one_reading(&a, escaped));
	assert_true(one_reading(&a, inserted(&a, escaped, 1, after[0])));
	arena_free(&a);
}

/* Pieces of such lines, put anywhere in a line: all that is read agrees with JSON. */
static void any_line_has_one_reading(void **state)
{
	static const char *const piece[] = {"\"above_base\":[1,2]",
	                                    "\"warmup\":[3]",
	                                    "{",
	                                    "}",
	                                    "[",
	                                    "]",
	                                    "\"",
	                                    "\\",
	                                    ",",
	                                    ":",
	                                    "\\u0073",
	                                    "\"x\":",
	                                    "\"x\":{\"above_base\":[5,6,7]},",
	                                    " ",
	                                    "0",
	                                    "\"a\",",
	                                    "\"above_bas\\u0065\":[1],",
	                                    "-",
	                                    "1e3"};
	enum { TRIES = 5000, PIECES = ARRAY_LEN(piece) };
	struct arena a = {0};
	uint32_t seed = 1;
	int read = 0;
	(void)state;
	for (int i = 0; i < TRIES; i++) {
		arena_reset(&a);
		struct str line = launch_line(&a);
		for (uint32_t k = 0; k <= seed % 3; k++) {
			seed = seed * 1664525u + 1013904223u;
			line = inserted(&a, line, (seed >> 8) % line.n,
			                piece[(seed >> 20) % PIECES]);
		}
		read += one_reading(&a, line);
	}
	assert_in_range(read, 100, TRIES - 100);
	arena_free(&a);
}

/* --- what a file has once, or in fewer digits --- */

static void read_all(struct sb *b, struct arena *a, struct run *r)
{
	struct err e;
	if (!read_text(sb_view(b), a, r, &e))
		fail_msg("%s", e.text);
}

static const char *line_of(const struct sb *b, const char *begin, struct arena *a)
{
	const char *at = strstr(b->p, begin);
	if (!at)
		fail_msg("no line %s", begin);
	return arena_strndup(a, at, strcspn(at, "\n"));
}

/* What differs among the cases of a variant or a family stands with the cases. */
static void what_cases_share_stands_once(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct run_head h = head();
	struct run_case c[4];
	for (int i = 0; i < 4; i++) {
		c[i] = one_case(&a);
		c[i].variant = i < 2 ? "vec4" : "vec8";
		c[i].idea = i < 2 ? "half" : "whole";
		c[i].param[0].num = 1 << i;
		c[i].build.library = i == 1 ? "one of them" : NULL;
		c[i].model.op = i < 2 ? "step" : NULL;
		c[i].check_why = i == 3 ? "another" : c[i].check_why;
		c[i].id = record_case_id(&c[i], &a);
	}
	record_put_head(&b, &h);
	record_put_cases(&b, c, 4);
	const char *family = line_of(&b, "{\"type\":\"family\"", &a),
	           *half = line_of(&b,
	                           "{\"type\":\"variant\",\"family\":\"copy\",\"variant\":\"vec4\"",
	                           &a),
	           *whole = line_of(
	                   &b, "{\"type\":\"variant\",\"family\":\"copy\",\"variant\":\"vec8\"",
	                   &a),
	           *last = line_of(&b, "{\"type\":\"case\",\"id\":\"copy/vec8:n=8", &a);
	assert_non_null(strstr(family, "\"problem\":"));
	assert_null(strstr(family, "\"why\":"));
	assert_null(strstr(family, "\"op\":"));
	assert_non_null(strstr(half, "\"model\":{\"op\":\"step\"}"));
	assert_non_null(strstr(half, "\"why\":\"a copy is exact\""));
	assert_null(strstr(half, "\"library\":"));
	assert_non_null(strstr(whole, "\"idea\":\"whole\""));
	assert_null(strstr(whole, "\"why\":"));
	assert_non_null(strstr(last, "\"why\":\"another\""));
	assert_null(strstr(last, "\"idea\":"));
	read_all(&b, &a, &r);
	assert_int_equal(r.ncases, 4);
	for (size_t i = 0; i < 4; i++)
		same_case(&c[i], &r.cases[i]);
	sb_free(&b);
	arena_free(&a);
}

/* The error of a check after it was written and read. */
static double written_error(double v)
{
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct run_head h = head();
	struct run_case c = one_case(&a);
	struct run_launch l = one_launch(&c, 0, fast, 3);
	l.before.error = v;
	record_put_head(&b, &h);
	record_put_cases(&b, &c, 1);
	record_put_launch(&b, &l);
	read_all(&b, &a, &r);
	double is = r.launches[0].before.error;
	sb_free(&b);
	arena_free(&a);
	return is;
}

static void checks_keep_four_digits(void **state)
{
	static const double v[][2] = {{1.23456e-5, 1.234e-5},
	                              {1.23499e-5, 1.234e-5},
	                              {9.9999e-3, 9.999e-3},
	                              {0.00390625, 0.003906},
	                              {1.234e-7, 1.234e-7},
	                              {0.1, 0.1},
	                              {123456, 123400},
	                              {1000.9, 1000},
	                              {1, 1},
	                              {0, 0}};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		if (written_error(v[i][0]) != v[i][1])
			fail_msg("%.17g became %.17g", v[i][0], written_error(v[i][0]));
	assert_true(written_error(INFINITY) == -1 && written_error(-1) == -1);
	uint32_t seed = 1;
	for (int i = 0; i < 2000; i++) {
		seed = seed * 1664525u + 1013904223u;
		double was = ldexp(seed, -(int)(seed >> 24)), is = written_error(was);
		same_but_cut(was, is);
		assert_true(written_error(is) == is);
	}
}

/* Times that have a common step are written in it, those of the warm-up even below the base. */
static void times_are_written_in_steps(void **state)
{
	static int64_t samples[] = {4032, 4000, 4096}, warmup[] = {9024, 3968},
	               odd[] = {4000, 4001};
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct run_head h = head();
	struct run_case c = one_case(&a);
	struct run_launch l = one_launch(&c, 0, samples, 3), m = one_launch(&c, 1, odd, 2);
	(void)state;
	l.warmup_ns = warmup;
	l.nwarmup = 2;
	record_put_head(&b, &h);
	record_put_cases(&b, &c, 1);
	record_put_launch(&b, &l);
	record_put_launch(&b, &m);
	assert_non_null(strstr(b.p, "\"step_ns\":32,\"base\":125,\"warmup\":[157,-1],"
	                            "\"above_base\":[1,0,3]}"));
	assert_non_null(strstr(b.p, "\"base\":4000,\"warmup\":[],\"above_base\":[0,1]}"));
	assert_non_null(strstr(b.p, "\"temperature_c\":[40,44]"));
	read_all(&b, &a, &r);
	same_launch(&l, &r.launches[0]);
	same_launch(&m, &r.launches[1]);
	m.temperature_c[0] = m.temperature_c[1] = 44;
	sb_clear(&b);
	record_put_launch(&b, &m);
	assert_non_null(strstr(b.p, "\"temperature_c\":44,"));
	sb_free(&b);
	arena_free(&a);
}

/* --- words --- */

static void words_are_of_closed_lists(void **state)
{
	(void)state;
	broken("\"metric\":\"bandwidth\"", "\"metric\":\"speed\"",
	       "f.jsonl:4: 'metric' is 'speed', expected one of time, bandwidth, ");
	broken("\"role\":\"kernel\"", "\"role\":\"champion\"",
	       "f.jsonl:4: 'role' is 'champion', expected one of kernel, peer, ceiling, null");
	broken("\"device\":\"cuda\"", "\"device\":\"rocm\"", "expected one of cuda, cpu");
	broken("\"cache\":\"cold\"", "\"cache\":\"warm\"", "expected one of cold, hot");
	broken("\"level\":\"hbm\"", "\"level\":\"hbm4\"", "expected one of hbm, cache, shared");
	broken("\"timer\":\"graph\"", "\"timer\":\"sundial\"",
	       "f.jsonl:5: 'timer' is 'sundial', expected one of clock, events, graph, host");
	broken("\"stop\":\"halfwidth\"", "\"stop\":\"bored\"",
	       "expected one of halfwidth, samples, cap");
	broken("\"schema\":\"" RECORD_SCHEMA "\"", "\"schema\":\"ridgepoint-run/1.x\"",
	       "schema 'ridgepoint-run/1.x' has no minor version");
}

static void later_minor_versions_are_read(void **state)
{
	(void)state;
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct err e;
	struct run_head h = head();
	h.schema = "ridgepoint-run/2.9";
	record_put_head(&b, &h);
	sb_cstr(&b, "{\"type\":\"novelty\",\"x\":1}\n");
	record_put_end(&b, "complete", "2026-01-01T00:01:00Z", 0, sb_view(&b));
	assert_true(read_text(sb_view(&b), &a, &r, &e));
	assert_true(r.whole);
	assert_true(r.head.newer);
	/* with words of its own */
	struct run_case c = one_case(&a);
	c.model.level = "hbm5";
	c.role = "oracle";
	c.id = record_case_id(&c, &a);
	sb_clear(&b);
	record_put_head(&b, &h);
	record_put_cases(&b, &c, 1);
	assert_true(read_text(sb_view(&b), &a, &r, &e));
	assert_string_equal(r.cases[0].model.level, "hbm5");
	sb_free(&b);
	arena_free(&a);
}

/* --- large files --- */

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Two hundred thousand tiny launches: each is read once, and time grows only with their number. */
static void many_launches_take_no_longer_each(void **state)
{
	enum { LAUNCHES = 200000, SECONDS = 20 };
	static int64_t sample[] = {5};
	struct arena a = {0};
	struct sb b = {0};
	struct run r;
	struct err e;
	struct run_head h = head();
	struct run_case c = one_case(&a);
	(void)state;
	record_put_head(&b, &h);
	record_put_cases(&b, &c, 1);
	for (int64_t i = 0; i < LAUNCHES; i++) {
		struct run_launch l = {.of = &c,
		                       .i = i,
		                       .status = "ok",
		                       .before = {0, 1, true},
		                       .after = {0, 1, true},
		                       .batch = 1,
		                       .sample_ns = sample,
		                       .nsamples = 1};
		record_put_launch(&b, &l);
	}
	double from = cpu_seconds();
	if (!read_text(sb_view(&b), &a, &r, &e))
		fail_msg("%s", e.text);
	assert_int_equal(r.nlaunches, LAUNCHES);
	/* and what they say together, were each of a node of its own */
	struct stats_summary sum;
	for (size_t i = 0; i < r.nlaunches; i++)
		r.launches[i].node = arena_printf(&a, "node%zu", r.nlaunches - i);
	assert_true(record_summary(&r, &r.cases[0], &a, &sum, NULL));
	assert_int_equal(sum.launches, LAUNCHES);
	assert_in_range((int)(cpu_seconds() - from), 0, SECONDS);
	/* and one of them twice is found */
	struct run_launch twice = {.of = &c, .i = LAUNCHES / 2, .status = "skipped"};
	record_put_launch(&b, &twice);
	assert_false(read_text(sb_view(&b), &a, &r, &e));
	assert_non_null(strstr(e.text, "launch 100000 of "));
	sb_free(&b);
	arena_free(&a);
}

/* Running out of memory is not reported as a fault of the record. */
static void no_memory_is_said(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#else
	enum { ITEMS = 3 << 20 };
	struct sb text = {0};
	int out[2], status;
	char said[256] = {0};
	sb_char(&text, '[');
	for (int i = 0; i < ITEMS; i++)
		sb_cstr(&text, "0,");
	sb_cstr(&text, "0]");
	assert_int_equal(pipe(out), 0);
	pid_t child = fork();
	if (child == 0) {
		struct rlimit most = {64 << 20, 64 << 20};
		struct json_doc *doc;
		struct json v;
		struct err e = ERR_NONE;
		dup2(out[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		setrlimit(RLIMIT_AS, &most);
		_exit(json_parse(sb_view(&text), (struct loc){0}, &doc, &v, &e) ? 1 : 2);
	}
	close(out[1]);
	assert_true(read(out[0], said, sizeof said - 1) > 0);
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_non_null(strstr(said, "out of memory"));
	close(out[0]);
	sb_free(&text);
#endif
}

static void hashes_match_known_values(void **state)
{
	(void)state;
	char sha[65], git[41];
	hash_sha256(STR("abc"), sha);
	assert_string_equal(sha,
	                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	hash_git_blob(STR("hello\n"), git);
	assert_string_equal(git, "ce013625030ba8dba906f756967f9e9ca394464a");
}

static void reals_read_back_equal(void **state)
{
	(void)state;
	uint64_t x = 1;
	for (int i = 0; i < 200000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		double v, w;
		memcpy(&v, &x, sizeof v);
		if (!isfinite(v))
			continue;
		struct sb b = {0};
		struct json_out out = json_to(&b);
		json_put_f64(&out, NULL, v);
		w = strtod(b.p, NULL);
		if (w != v)
			fail_msg("%s is not %.17g", b.p, v);
		sb_free(&b);
	}
}

/* A file states its number of launches, which proves nothing until compared with the plan. */
static void whole_launches(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run_case cases[] = {{.id = "x"}, {.id = "y"}, {.id = "z", .unavailable = "no"}};
	struct run_case null = {.id = "null"};
	struct run_launch l[] = {{.of = &cases[0], .i = 0},  {.of = &cases[1], .i = 0},
	                         {.of = &cases[0], .i = 1},  {.of = &cases[2], .i = 1},
	                         {.of = &cases[0], .i = 2},  {.of = &cases[1], .i = 2},
	                         {.of = &cases[0], .i = -1}, {.of = &cases[1], .i = INT64_MAX}};
	struct run_launch of_null[] = {{.of = &null, .i = 0},
	                               {.of = &null, .i = 1},
	                               {.of = &null, .i = INT64_MIN},
	                               {.of = &null, .i = 1LL << 40}};
	struct run r = {.cases = cases,
	                .ncases = 3,
	                .launches = l,
	                .nlaunches = 8,
	                .nulls = &null,
	                .nnulls = 1,
	                .null_launches = of_null,
	                .nnull_launches = 4};
	bool *whole;
	const int64_t none[] = {INT64_MIN, -1, 0};
	for (size_t i = 0; i < 3; i++) {
		r.head.launches = none[i];
		assert_int_equal(record_whole_launches(&r, &a, &whole), 0);
	}
	r.head.launches = INT64_MAX;
	assert_int_equal(record_whole_launches(&r, &a, &whole), 1);
	r.status = "partial";
	record_keep_compared(&r, &a); /* it is not known to be what was written */
	r.whole = true;
	r.status = "complete";
	record_keep_compared(&r, &a);
	assert_int_equal(r.nlaunches, 8);
	struct run compared = r;
	struct run_launch same[8], null_same[4];
	memcpy(same, l, sizeof l);
	memcpy(null_same, of_null, sizeof of_null);
	compared.launches = same;
	compared.null_launches = null_same;
	compared.status = "partial";
	record_keep_compared(&compared, &a);
	assert_int_equal(compared.nlaunches, 2);
	assert_true(whole[0]); /* but not 1, without y, nor 2, without its null control */
	record_keep_launches(&r, whole);
	assert_int_equal(r.nlaunches, 2);
	assert_int_equal(r.nnull_launches, 1);
	assert_int_equal(r.launches[1].i, 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_written_reads_back),
	        cmocka_unit_test(summaries_come_from_launch_medians),
	        cmocka_unit_test(a_cut_file_is_never_whole),
	        cmocka_unit_test(a_changed_byte_is_never_whole),
	        cmocka_unit_test(errors_name_line_and_field),
	        cmocka_unit_test(one_line_has_one_reading),
	        cmocka_unit_test(any_line_has_one_reading),
	        cmocka_unit_test(what_cases_share_stands_once),
	        cmocka_unit_test(checks_keep_four_digits),
	        cmocka_unit_test(times_are_written_in_steps),
	        cmocka_unit_test(words_are_of_closed_lists),
	        cmocka_unit_test(many_launches_take_no_longer_each),
	        cmocka_unit_test(no_memory_is_said),
	        cmocka_unit_test(later_minor_versions_are_read),
	        cmocka_unit_test(hashes_match_known_values),
	        cmocka_unit_test(reals_read_back_equal),
	        cmocka_unit_test(whole_launches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
