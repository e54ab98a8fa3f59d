/* Parts of a source, and which of them may be compared with each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/records/part.h"

/* A loop, then sums through a second kernel … */
static const char two[] = "enum { N = 4 };\n"
                          "\n"
                          "/* A block's share. */\n"
                          "template <int N>\n"
                          "static __global__ void sum_share(float *sums,\n"
                          "                      const float *x)\n"
                          "{\n"
                          "    float s = 0;\n"
                          "\n"
                          "    // ANCHOR: inner\n"
                          "    for (int k = 0; k < N; k++)\n"
                          "        s += x[k];\n"
                          "    // ANCHOR_END: inner\n"
                          "    sums[block] = s;\n"
                          "}\n"
                          "\n"
                          "static __global__ void sum_few(float *out, const float *x)\n"
                          "{\n"
                          "    *out = x[0];\n"
                          "}\n"
                          "\n"
                          "void launch(float *out)\n"
                          "{\n"
                          "    sum_few<<<1, 1>>>(out, out);\n"
                          "}\n";

/* … or through a ticket: the same loop, but here it is not what is marked. */
static const char one[] = "enum { N = 4 };\n"
                          "\n"
                          "static __global__ void sum_all(float *out,\n"
                          "                      const float *x)\n"
                          "{\n"
                          "    float s = 0;\n"
                          "\n"
                          "    for (int k = 0; k < N; k++)\n"
                          "        s += x[k];\n"
                          "    // ANCHOR: inner\n"
                          "    if (last())\n"
                          "        *out = s;\n"
                          "    // ANCHOR_END: inner\n"
                          "}\n";

/* The loop of `two`, marked there too, and changed. */
static const char twice[] = "enum { N = 8 };\n"
                            "\n"
                            "static __global__ void sum_share(float *sums, const float *x)\n"
                            "{\n"
                            "    float s = 0;\n"
                            "    // ANCHOR: inner\n"
                            "    for (int k = 0; k < N; k += 2)\n"
                            "        s += x[k] + x[k + 1];\n"
                            "    // ANCHOR_END: inner\n"
                            "    sums[block] = s;\n"
                            "}\n";

/* A region that is a function. */
static const char whole[] = "// ANCHOR: inner\n"
                            "static void sum(float *out)\n"
                            "{\n"
                            "    *out = 1;\n"
                            "}\n"
                            "// ANCHOR_END: inner\n";

static struct placeholder asked(const char *keys)
{
	static char text[128];
	struct placeholder p;
	struct err e = ERR_NONE;
	snprintf(text, sizeof text, "<<bench:diff a/b%s>>", keys);
	assert_true(placeholder_parse(str_of(text), (struct loc){"a.md", 7, 1}, &p, &e));
	return p;
}

/* The part of a source that `keys` ask for, or the error. */
static const char *cut(const char *source, const char *keys)
{
	static char said[1024];
	struct placeholder p = asked(keys);
	struct part_source s = {"k.cu", str_of(source)};
	struct part x = {0};
	struct err e = ERR_NONE;
	bool ok = part_cut(&p, &s, &x, &e);
	snprintf(said, sizeof said, "%s", !ok ? e.text : x.code.n ? x.code.p : "");
	part_free(&x);
	return said;
}

static void parts(void **state)
{
	(void)state;
	assert_string_equal(cut(two, " region=inner"), "for (int k = 0; k < N; k++)\n"
	                                               "    s += x[k];\n");
	assert_string_equal(cut(one, " part=kernels"),
	                    "static __global__ void sum_all(float *out,\n"
	                    "                      const float *x)\n"
	                    "{\n"
	                    "    float s = 0;\n"
	                    "\n"
	                    "    for (int k = 0; k < N; k++)\n"
	                    "        s += x[k];\n"
	                    "    if (last())\n"
	                    "        *out = s;\n"
	                    "}\n");
	assert_string_equal(cut(whole, ""), "static void sum(float *out)\n{\n    *out = 1;\n}\n");
	assert_string_equal(cut(two, " lines=1-1"), "enum { N = 4 };\n");
	/* two kernels, a comment with its own, and nothing of what calls them */
	assert_memory_equal(cut(two, " part=kernels"), "/* A block's share. */\ntemplate <int N>\n",
	                    40);
	assert_non_null(strstr(cut(two, " part=kernels"), "}\n\nstatic __global__ void sum_few"));
	assert_null(strstr(cut(two, " part=kernels"), "launch"));
}

static void parts_that_are_none(void **state)
{
	(void)state;
	assert_string_equal(cut(two, " region=outer"),
	                    "a.md:7:25: k.cu has no region 'outer', expected one of inner");
	assert_string_equal(cut(whole, " part=kernels"),
	                    "a.md:7:23: k.cu has no kernel (a __global__ function)");
	assert_string_equal(cut(two, " part=all"),
	                    "a.md:7:23: unknown part 'all', expected part=kernels");
	assert_string_equal(cut(two, " lines=3-99"),
	                    "a.md:7:24: the source has 25 lines, lines=3-99 goes beyond");
	assert_string_equal(cut(two, " region=inner part=kernels"),
	                    "a.md:7:36: region= and part= name two parts, expected one of them");
}

/* NULL if the part may be compared, else why not. */
static const char *against(const char *before, const char *after, const char *keys)
{
	static char said[1024];
	struct placeholder p = asked(keys);
	struct part_source a = {"a.cu", str_of(before)}, b = {"b.cu", str_of(after)};
	struct part was = {0}, is = {0};
	struct arena arena = {0};
	struct err e = ERR_NONE;
	assert_true(part_cut(&p, &a, &was, &e) && part_cut(&p, &b, &is, &e));
	bool ok = part_match(&p, &a, &was, &b, &is, &arena, &e);
	snprintf(said, sizeof said, "%s", e.text);
	part_free(&was);
	part_free(&is);
	arena_free(&arena);
	return ok ? NULL : said;
}

/* A diff of `inner` would show the loop as removed, and it was not. */
static void regions_that_match(void **state)
{
	(void)state;
	assert_null(against(two, twice, " region=inner"));
	assert_null(against(two, two, " region=inner"));
	assert_null(against(two, one, " part=kernels"));
	assert_null(against(two, one, ""));
	assert_string_equal(
	        against(two, one, " region=inner"),
	        "a.md:7:25: region=inner is not the same part of a.cu and of b.cu: 'for (int k = "
	        "0; k < N; k++)' stands in both (lines 11 and 8), and in one of the parts; "
	        "expected parts that match, or part=kernels for whole functions");
	assert_string_equal(against(whole, one, " region=inner"),
	                    "a.md:7:25: region=inner is a whole function in a.cu and not in b.cu, "
	                    "expected parts that match");
	assert_string_equal(against(one, whole, " region=inner"),
	                    "a.md:7:25: region=inner is a whole function in b.cu and not in a.cu, "
	                    "expected parts that match");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(parts),
	        cmocka_unit_test(parts_that_are_none),
	        cmocka_unit_test(regions_that_match),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
