/*
 * Ceilings as roofs, the plots that take roofs and other x axes, and the page
 * of a device.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/pages/device_page.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/body.h"
#include "tests/unit/help/synthetic_rows.h"

#define SET(op_, n_, passes_) \
	{{"op", op_, 0}, {"n", NULL, n_}, {"passes", NULL, passes_}}, 3, "f32", "hot"
#define LEVEL(n_) ((n_) >= 1 << 27 ? "hbm" : "cache")
#define READ(n_, passes_, rate)                                                                 \
	{                                                                                       \
		"ceiling-memory", "sweep", "ceiling", "bandwidth", 0, SET("read", n_, passes_), \
		        {.bytes_read = 4LL * (n_) * (passes_), .level = LEVEL(n_)},             \
		        .seconds = 4.0 * (n_) * (passes_) / (rate)                              \
	}
#define COPY(n_, passes_, rate)                                                                 \
	{                                                                                       \
		"ceiling-memory", "sweep", "ceiling", "bandwidth", 0, SET("copy", n_, passes_), \
		        {.bytes_read = 4LL * (n_) * (passes_),                                  \
		         .bytes_written = 4LL * (n_) * (passes_),                               \
		         .level = LEVEL(n_)},                                                   \
		        .seconds = 8.0 * (n_) * (passes_) / (rate)                              \
	}
#define FMA(k_, rate, ...)                                                      \
	{                                                                       \
		"ceiling-fma", "fma", "ceiling", "throughput", 0,               \
		        {{"n", NULL, 1 << 26}, {"k", NULL, k_}, __VA_ARGS__},   \
		        2 +                                                     \
		                sizeof((struct run_pair[]){{0}, __VA_ARGS__}) / \
		                        sizeof(struct run_pair) -               \
		                1,                                              \
		        "f32", "hot",                                           \
		        {.flop = 2LL * (1 << 26) * (k_),                        \
		         .bytes_read = 4LL << 26,                               \
		         .bytes_written = 4LL << 26,                            \
		         .level = "hbm",                                        \
		         .unit = "fp32"},                                       \
		        .seconds = 2.0 * (1 << 26) * (k_) / (rate)              \
	}

static const struct synthetic_row rows[] = {
        READ(1 << 18, 256, 20e12),
        READ(1 << 24, 4, 7e12),
        READ(1 << 28, 1, 4.5e12),
        COPY(1 << 18, 256, 18e12),
        COPY(1 << 24, 4, 6e12),
        COPY(1 << 28, 1, 4.0e12),
        FMA(1, 1e12),
        FMA(64, 30e12),
        FMA(1024, 60e12),
        FMA(1024, 55e12, {"load", "sustained", 0}),
        {"ceiling-grid",
         "barrier",
         "ceiling",
         "latency",
         0,
         {{"rounds", NULL, 1000}},
         1,
         "f32",
         "hot",
         {.flop = 1000, .bytes_read = 4000, .level = "cache", .op = "barrier"},
         .seconds = 1e-3},
};
enum { NROWS = ARRAY_LEN(rows) };

static struct repo repo;

/* The kernels' run, and the ceilings' on the day after, as another run. */
static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic a = repo_run(&repo, RUN_A), b = repo_run(&repo, RUN_B);
	repo_add_run(&repo, &a);
	repo_add_rows(&repo, &b, rows, NROWS);
	repo_commit(&repo);
	repo_load(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%.2000s", part, strstr(text, part));
}

/* The case as its newest run has it. */
static struct pick pick_of(const char *id)
{
	for (size_t i = 0; i < repo.data.nruns; i++) {
		const struct data_run *r = &repo.data.runs[i];
		const struct run_case *c = record_case(&r->run, id);
		if (c)
			return (struct pick){r, data_case_of(r, c)};
	}
	fail_msg("no case %s", id);
	return (struct pick){0};
}

#define TILE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"
#define GEMV "gemv/warp:layer=ffn,m=1,dtype=bf16,cache=cold"
#define READ_HBM "ceiling-memory/sweep:op=read,n=268435456,passes=1,dtype=f32,cache=hot"

/* gemv reads; nothing of its own run is as fast as the ceiling of reading. */
static void a_ceiling_is_the_roof(void **state)
{
	(void)state;
	struct pick p = pick_of(GEMV), roof;
	assert_true(roof_measured(&repo.data, &p, METRIC_BANDWIDTH, &roof));
	assert_string_equal(roof.d->c->id, READ_HBM);
	assert_string_equal(roof.run->run.head.id, RUN_B);
	const char *html = repo_expand(&repo, "ladder gemv/* m=1", true);
	contains(html, "best measured read <a class=\"num roof\"");
	contains(html, "f32, hot cache, the measured ceiling of this device");
	contains(html, "data-run=\"" RUN_B "\"");
}

/* Half of a transpose's bytes are written: the ceiling of copying, if nothing of its run is
 * faster. */
static void roofs_are_of_a_like_mix(void **state)
{
	(void)state;
	struct pick p = pick_of(TILE), roof;
	assert_true(roof_measured(&repo.data, &p, METRIC_BANDWIDTH, &roof));
	assert_string_equal(roof.d->c->id,
	                    "stream/memcpy:op=copy,n=268435456,dtype=f32,cache=cold");
	contains(repo_expand(&repo, "ladder transpose/* rows=16384 dtype=f32", true),
	         "the fastest on this device with a similar mix");
}

static void arithmetic_has_its_own(void **state)
{
	(void)state;
	struct pick p = pick_of("ceiling-fma/fma:n=67108864,k=64,dtype=f32,cache=hot"), roof;
	assert_true(roof_measured(&repo.data, &p, METRIC_THROUGHPUT, &roof));
	assert_string_equal(roof.d->c->id, "ceiling-fma/fma:n=67108864,k=1024,dtype=f32,cache=hot");
	p = pick_of(GEMV); /* on another unit */
	assert_false(roof_measured(&repo.data, &p, METRIC_THROUGHPUT, &roof));
}

static void shares_of_a_ceiling(void **state)
{
	(void)state;
	const char *html = repo_expand(
	        &repo, "percent gemv/warp m=1 of=measured:ceiling-memory/sweep:op=read,n=2^28",
	        true);
	contains(html, "data-over-run=\"" RUN_B "\"");
	contains(html, "\xC2\xA0%</a>");
	/* of a cache, or of nothing that is a ceiling of its bytes */
	contains(
	        repo_expand(&repo,
	                    "percent gemv/warp m=1 of=measured:ceiling-memory/sweep:op=read,n=2^24",
	                    false),
	        "come from hbm");
}

static void plots_over_other_things(void **state)
{
	(void)state;
	repo.ctx.generated = true; /* plots without a title */
	const char *html = repo_expand(
	        &repo, "plot ceiling-memory/sweep x=working-set series=op roof=none", true);
	contains(html, "Working set, MiB");
	contains(html, "text class=\"label s-0\"");
	contains(html, ">plain copy</text>");
	contains(html, ">read</text>");
	lacks(html, "roof-spec");
	contains(repo_expand(&repo, "plot ceiling-memory/sweep x=n roof=none", true),
	         "are at the same x; say op= (copy, read)");
	contains(repo_expand(&repo, "plot ceiling-memory/sweep:op=read x=speed", true),
	         "'speed' is no numeric parameter of");
	contains(repo_expand(&repo, "plot gemv/* x=m series=size", true), "series=size is no key");
	contains(repo_expand(&repo, "plot gemv/* x=m log=z", true), "expected x, y, xy or none");
	contains(repo_expand(&repo, "plot gemv/* x=intensity y=throughput log=xy", true),
	         "Arithmetic intensity, FLOP/B");
	contains(repo_expand(&repo, "plot gemv/warp ceiling-fma/fma:k=1 x=bytes y=bandwidth", true),
	         "ceiling-fma/fma");
}

static void plots_show_the_roofs_asked_for(void **state)
{
	(void)state;
	repo.ctx.generated = true;
	const char *html = repo_expand(
	        &repo, "plot gemv/* x=m roof=hbm ceiling=ceiling-memory/sweep:op=read,n=2^28",
	        true);
	contains(html, "4.8\xC2\xA0TB/s data sheet");
	contains(html, "4.50\xC2\xA0TB/s ±");
	contains(html, "(sweep) best measured");
	html = repo_expand(&repo, "plot gemv/* x=m roof=hbm", true);
	lacks(html, "roof-measured");
	contains(repo_expand(&repo, "plot gemv/* x=m roof=bf16", true), "is no peak of bandwidth");
	contains(repo_expand(&repo, "plot gemv/* x=m roof=hbm3", true), "no spec 'hbm3'");
}

/* Rule `roofed`: the run at hand has a slow ceiling of copying, an older one a faster copy. */
static void a_copy_of_another_run_is_a_roof(void **state)
{
	static const struct synthetic_row newer[] = {
	        {"transpose",
	         "tile",
	         "kernel",
	         "bandwidth",
	         1,
	         {{"rows", NULL, 16384}, {"cols", NULL, 16384}},
	         2,
	         "f32",
	         "cold",
	         {.bytes_read = 1LL << 30, .bytes_written = 1LL << 30, .level = "hbm"},
	         .seconds = 0.55e-3},
	        COPY(1 << 28, 1, 4.2e12),
	};
	static const char memcpy_id[] = "stream/memcpy:op=copy,n=268435456,dtype=f32,cache=cold";
	struct repo own;
	struct pick p = {0}, roof = {0};
	(void)state;
	repo_make(&own, true);
	struct synthetic a = repo_run(&own, RUN_A), b = repo_run(&own, RUN_B);
	repo_add_run(&own, &a);
	repo_add_rows(&own, &b, newer, 2);
	repo_commit(&own);
	repo_load(&own);
	p = (struct pick){&own.data.runs[0], &own.data.runs[0].cases[0]};
	assert_string_equal(p.run->run.head.id, RUN_B);
	assert_true(roof_measured(&own.data, &p, METRIC_BANDWIDTH, &roof));
	assert_string_equal(roof.d->c->id, memcpy_id);
	assert_string_equal(roof.run->run.head.id, RUN_A);
	contains(repo_expand(&own, "ladder transpose/tile rows=16384 dtype=f32", true),
	         "2²⁸ elements, f32, cold cache, the fastest on this device");
	/* nor may an author name the slow one */
	static const char low[] = "ceiling-memory/sweep:op=copy,n=268435456,passes=1,dtype=f32,"
	                          "cache=hot, with 4.200\xC2\xA0TB/s, is no roof of " TILE ": ";
	const char *said = repo_expand(&own,
	                               "percent transpose/tile:rows=16384,dtype=f32 "
	                               "of=measured:ceiling-memory/sweep:op=copy",
	                               false);
	contains(said, low);
	contains(said, memcpy_id);
	contains(said, "[roofed]");
	own.ctx.generated = true; /* a plot without a title */
	contains(
	        repo_expand(
	                &own,
	                "plot transpose/tile:dtype=f32 x=rows ceiling=ceiling-memory/sweep:op=copy",
	                true),
	        "[roofed]");
	contains(repo_expand(&own,
	                     "percent transpose/tile dtype=f32 rows=16384 "
	                     "of=measured:stream/memcpy:op=copy,run=20260101",
	                     false),
	         "\xC2\xA0%");
	repo_free(&own);
}

static void the_device_s_page(void **state)
{
	(void)state;
	size_t n;
	const struct device *v = device_list(&repo.data, &repo.arena, &n);
	struct body body;
	struct err e = ERR_NONE;
	assert_int_equal(n, 1);
	if (!device_body(&repo.ctx, v, &body, &e))
		fail_msg("%s", e.text);
	contains(body.html.p, "<h2 id=\"ceilings\">");
	contains(body.html.p, "<h3 id=\"ceiling-memory\">");
	contains(body.html.p, "class=\"bench plot\"");
	contains(body.html.p, "class=\"bench roofline\"");
	contains(body.html.p, "#latency\" data-state=\"ok\"");
	contains(body.html.p, "<h2 id=\"kernels\">");
	contains(body.html.p, "/kernels/gemv/");
	lacks(body.html.p, "/kernels/ceiling");
}

/* A number that is in order is not held against one that is not. */
static void a_stale_ceiling_is_no_roof(void **state)
{
	(void)state;
	struct repo own;
	struct pick roof = {0}, p = {0};
	repo_make(&own, true);
	struct synthetic a = repo_run(&own, RUN_A), b = repo_run(&own, RUN_B);
	repo_add_run(&own, &a);
	repo_commit(&own);
	repo_add_rows(&own, &b, rows, NROWS); /* stays uncommitted: a preview */
	repo_load(&own);
	for (size_t i = 0; i < own.data.nruns; i++) {
		const struct run_case *c = record_case(&own.data.runs[i].run, GEMV);
		if (c)
			p = (struct pick){&own.data.runs[i], data_case_of(&own.data.runs[i], c)};
	}
	assert_int_equal(own.data.nceilings, NROWS);
	if (roof_measured(&own.data, &p, METRIC_BANDWIDTH, &roof))
		assert_string_not_equal(roof.run->run.head.id, RUN_B);
	repo_free(&own);
}

/* A kernel that does more than the ceiling of its unit leaves it no roof. */
static void a_ceiling_that_is_surpassed_is_no_roof(void **state)
{
	struct synthetic_row set[] = {FMA(64, 30e12), FMA(1024, 60e12)};
	(void)state;
	set[0].family = "fma";
	set[0].role = "kernel";
	for (int faster = 0; faster < 2; faster++) {
		struct repo own;
		struct pick p = {0}, roof = {0};
		if (faster)
			set[0].seconds = (double)set[0].model.flop / 61e12;
		repo_make(&own, true);
		struct synthetic b = repo_run(&own, RUN_B);
		repo_add_rows(&own, &b, set, ARRAY_LEN(set));
		repo_commit(&own);
		repo_load(&own);
		p = (struct pick){&own.data.runs[0], &own.data.runs[0].cases[0]};
		assert_string_equal(p.d->c->family, "fma");
		assert_int_equal(roof_measured(&own.data, &p, METRIC_THROUGHPUT, &roof), !faster);
		repo_free(&own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ceiling_is_the_roof),
	        cmocka_unit_test(roofs_are_of_a_like_mix),
	        cmocka_unit_test(arithmetic_has_its_own),
	        cmocka_unit_test(shares_of_a_ceiling),
	        cmocka_unit_test(plots_over_other_things),
	        cmocka_unit_test(plots_show_the_roofs_asked_for),
	        cmocka_unit_test(a_copy_of_another_run_is_a_roof),
	        cmocka_unit_test(the_device_s_page),
	        cmocka_unit_test(a_stale_ceiling_is_no_roof),
	        cmocka_unit_test(a_ceiling_that_is_surpassed_is_no_roof),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
