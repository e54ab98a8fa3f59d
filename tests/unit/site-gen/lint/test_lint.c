/*
 * The lint against sentences that people labelled: tests/lint/. A line there is
 * "LABEL LANG SENTENCE"; '#' opens a comment. The labels:
 *
 *   claim    it types a performance number
 *   compare  it compares performance without a number
 *   none     it does neither
 *   head     the head of a column of measurements
 *   nohead   the head of another column
 *
 * Misses are printed with their place, but not those of the kept halves, which nobody learns from.
 */
#include "site-gen/lint/lint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/lint/inner.h"

struct score {
	int claims, found, innocent, alarms, compares, seen;
};

static void add(struct score *to, const struct score *s)
{
	to->claims += s->claims;
	to->found += s->found;
	to->innocent += s->innocent;
	to->alarms += s->alarms;
	to->compares += s->compares;
	to->seen += s->seen;
}

static double percent(int part, int all)
{
	return all ? 100.0 * part / all : 0;
}

static void say(const char *name, const char *lang, const struct score *s)
{
	printf("%-17s %-2s claims found %d of %d (%.1f %%), false alarms %d of %d (%.1f %%), "
	       "comparisons without a number %d of %d\n",
	       name, lang, s->found, s->claims, percent(s->found, s->claims), s->alarms,
	       s->innocent, percent(s->alarms, s->innocent), s->seen, s->compares);
}

static const char *const languages[] = {"en", "zh"};
enum { NLANGUAGES = ARRAY_LEN(languages) };

/*
 * One labelled sentence, which is added to its language's score. A miss is printed with its place,
 * unless path is NULL.
 */
static void judge(const struct lint *l, const char *path, int number, struct str line,
                  struct score by[NLANGUAGES])
{
	struct lint_finding f = {.what = "a head"};
	struct str label, rest, lang, text;
	assert_true(str_cut(line, ' ', &label, &rest) && str_cut(rest, ' ', &lang, &text));
	bool is_head = str_ends(label, "head"), plain = str_starts(label, "no");
	assert_true(is_head || str_is(label, "none") || str_is(label, "claim") ||
	            str_is(label, "compare"));
	assert_true(str_is(lang, "en") || str_is(lang, "zh"));
	struct score *s = &by[str_is(lang, languages[1])];
	bool found = is_head ? lint_head(l, text) : lint_text(l, text, &f, 1) > 0;
	bool compares = str_is(label, "compare"), claim = !plain && !compares;
	s->claims += claim;
	s->innocent += plain;
	s->found += claim && found;
	s->compares += compares;
	s->seen += compares && found;
	s->alarms += plain && found;
	if (path && !plain && !found)
		printf("%s:%d: missed: " STR_FMT "\n", path, number, STR_ARG(text));
	if (path && plain && found)
		printf("%s:%d: false alarm '" STR_FMT "' (%s): " STR_FMT "\n", path, number,
		       STR_ARG(str_sub(text, f.start, f.end)), f.what, STR_ARG(text));
}

static struct score judge_file(const char *path, bool tell)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str src, line;
	struct score by[NLANGUAGES] = {0}, s = {0};
	const struct lint *l = lint_new(&a);
	assert_true(file_read(path, 1 << 20, &a, &src, &e));
	for (int number = 1; src.n; number++) {
		if (!str_cut(src, '\n', &line, &src))
			src.n = 0;
		if (line.n && line.p[0] != '#')
			judge(l, tell ? path : NULL, number, line, by);
	}
	for (size_t i = 0; i < NLANGUAGES; i++) {
		say(path + strlen("tests/lint/"), languages[i], &by[i]);
		add(&s, &by[i]);
	}
	arena_free(&a);
	return s;
}

/* The shares in per cent that a corpus must reach: claims, comparisons; and false alarms at most.
 */
struct limit {
	double found, seen, alarms;
};

static void within(const char *name, const struct score *s, struct limit limit)
{
	if (percent(s->found, s->claims) < limit.found ||
	    percent(s->seen, s->compares) < limit.seen ||
	    percent(s->alarms, s->innocent) > limit.alarms)
		fail_msg(
		        "%s: expected claims >= %g %%, comparisons >= %g %%, false alarms <= %g %%",
		        name, limit.found, limit.seen, limit.alarms);
}

static void corpus(void **state)
{
	(void)state;
	static const char *const files[] = {"tests/lint/english.txt", "tests/lint/chinese.txt",
	                                    "tests/lint/held.txt", "tests/lint/learned.txt",
	                                    "tests/lint/learned-posts.txt"};
	struct score all = {0}, kept = judge_file("tests/lint/kept.txt", false);
	struct score posts = judge_file("tests/lint/kept-posts.txt", false);
	struct score fresh = judge_file("tests/lint/kept-fresh.txt", false);
	struct score learned = judge_file("tests/lint/learned-fresh.txt", true);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct score s = judge_file(files[i], true);
		add(&all, &s);
	}
	say("all but fresh", "", &all);
	assert_true(all.claims + all.innocent >= 800);
	assert_true(kept.claims + kept.innocent >= 390);
	assert_true(posts.claims + posts.innocent + posts.compares >= 230);
	assert_true(fresh.claims + fresh.innocent + fresh.compares >= 100);
	within("all", &all, (struct limit){98, 87, 1});
	within("learned-fresh.txt", &learned, (struct limit){95.5, 76, 3.3});
	within("kept.txt", &kept, (struct limit){94, 90, 2.4});
	within("kept-posts.txt", &posts, (struct limit){96, 82, 2.8});
	within("kept-fresh.txt", &fresh, (struct limit){97, 70, 12});
}

/* The findings of the text, at most four, with " | " between them. */
static struct sb found_in(const struct lint *l, struct str s)
{
	struct lint_finding f[4];
	size_t n = lint_text(l, s, f, 4);
	struct sb got = {0};
	for (size_t i = 0; i < n && i < 4; i++) {
		sb_cstr(&got, i ? " | " : "");
		sb_str(&got, str_sub(s, f[i].start, f[i].end));
	}
	sb_cstr(&got, "");
	return got;
}

static void check(const char *text, const char *want)
{
	struct arena a = {0};
	struct sb got = found_in(lint_new(&a), str_of(text));
	assert_string_equal(got.p ? got.p : "", want);
	sb_free(&got);
	arena_free(&a);
}

/* tests/lint/places.txt: the edges of the rules. All that differ are printed. */
static void edges(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str src, line, text, want;
	const struct lint *l = lint_new(&a);
	int wrong = 0, lines = 0;
	assert_true(file_read("tests/lint/places.txt", 1 << 20, &a, &src, &e));
	while (str_cut(src, '\n', &line, &src)) {
		if (!line.n || line.p[0] == '#')
			continue;
		assert_true(str_cut(line, '\t', &text, &want));
		struct sb got = found_in(l, text);
		bool same = str_eq(str_of(got.p ? got.p : ""), want);
		if (!same)
			printf(STR_FMT ": found '%s', expected '" STR_FMT "'\n", STR_ARG(text),
			       got.p ? got.p : "", STR_ARG(want));
		wrong += !same;
		lines++;
		sb_free(&got);
	}
	assert_true(lines > 400 && wrong == 0);
	arena_free(&a);
}

/* The exact findings, not only that there are some. */
static void places(void **state)
{
	(void)state;
	check("It is 3 times faster, and takes 20 to 35 µs.", "3 times faster | 20 to 35 µs");
	check("two and a half microseconds", "two and a half microseconds");
	check("3 " LINT_OPAQUE " µs", "3 " LINT_OPAQUE " µs");
	check(LINT_OPAQUE " µs and " LINT_OPAQUE " of peak", "");
	check("1.2-1.4×, 64 KB, 5 GB/s", "1.2-1.4× | 5 GB/s");
	check("快了两倍。矩阵有 32 行。", "两倍");
	check("It takes 1.5e-3 s, then 2e3 µs, then 3e+1 ms.", "1.5e-3 s | 2e3 µs | 3e+1 ms");
	check("The timeout of each such call is 3 s.", "");
	check("Each such call of this kernel takes 3 s.", "3 s");
	check("每焦耳能产出 320 个 token。", "每焦耳能产出 320 个 token");
	check("It waits for a microsecond, and within a percent of its time.",
	      "a microsecond | a percent");
	check("It does 67 dense TFLOPS (in all), 5 of them TFLOPS.", "67 dense TFLOPS");
	check("It runs at .93 of the roof.", ".93 of the roof");
	check("It is 2.31(2) TB/s.", "2.31(2) TB/s");
	check("Each call costs $3 an hour, and 3 J.", "3 J");
	check("It needs 5 % of the step, and 5 % of the pages.", "5 %");
	check("The file shrinks to 30 %, the time to 40 %.", "40 %");
	check("Two thirds of what HBM can deliver arrive.", "Two thirds of what");
	check("Seven out of ten cycles, and 3 of 10 readers.", "Seven out of ten");
	check("Latency (µs): 7.", "7");
	check("每 100 毫秒轮询一次，耗时 3 毫秒。", "3 毫秒");
	check("", "");
}

/* Who is compared, and what stands beside: a contest must be a claim, a remark need not. */
static void comparisons(void **state)
{
	(void)state;
	check("Ours is faster than the library", "faster"); /* a contest, even in a heading */
	check("Ours is faster than the library, by " LINT_OPAQUE ".", "");
	check("Is ours faster than the library?", "");
	check("I think that, if warm, ours is faster than the library.", "");
	check("We expect that ours is faster than the library.", "");
	check("It tells which kernel is faster than the library.", "");
	check("Ours, which is faster than the library, waits.", "faster");
	check("Ours is no faster than the library.", "faster");
	check("Nobody has a faster softmax.", "faster");
	check("Nobody has a faster car.", "");
	check("它比 cuBLAS 快", "快");
	check("它比 cuBLAS 快吗", "");
	check("它比 cuBLAS 快？", "");
	check("如果它比 cuBLAS 快，就换。", "");

	check("The kernel is slower.", "slower"); /* a remark */
	check("The kernel is slower", "");
	check("The kernel is slower:", "");
	check("The kernel is slower. It takes " LINT_OPAQUE ".", "");
	check("It takes " LINT_OPAQUE ". The kernel is slower.", "");
	check("Where the bus waits, where else, the kernel is slower.", "");
	check("The bus waits, so the kernel is slower.", "");
	check("Skipping saves time only where that was the limit.", "");
	check("Skipping saves time.", "saves");
	check("A wider tile takes more time.", "");
	check("The wide tile takes more time.", "takes more");
	check("内核更慢。", "更慢");
	check("内核更慢", "");
	check("因为要等，内核更慢。", "");
	check("内核更慢。用时 " LINT_OPAQUE "。", "");
	check("花能量少的内核更快。", "");
	check("这个更快、更大的内存。", "");
	check("延迟更低，吞吐量高于基线。", "更低 | 高于");
}

/* Does the lint find something in before + word + after? A '_' in the word is a space. */
static bool finds(const struct lint *l, const char *before, struct str word, const char *after)
{
	struct sb b = {0};
	struct lint_finding f;
	sb_cstr(&b, before);
	for (size_t i = 0; i < word.n; i++)
		sb_str(&b, word.p[i] == '_' ? STR(" ") : str_sub(word, i, i + 1));
	sb_cstr(&b, after);
	bool found = lint_text(l, sb_view(&b), &f, 1) > 0;
	sb_free(&b);
	return found;
}

static unsigned class_of(const struct lint *l, struct str word)
{
	bool joins;
	return lint_class_of(l, word.p, word.n, &joins);
}

/*
 * No word of the dictionary says by itself that something was measured: neither in a heading, nor
 * in a wish, nor as an attribute. An order of magnitude does.
 */
static void says_nothing(const struct lint *l, struct str word, bool zh)
{
	static const char *const en[][2] = {
	        {"", ""}, {"To ", "."}, {"It wants to ", "."}, {"the ", " than"}, {"of ", " of"}};
	static const char *const cn[][2] = {{"", ""}, {"为了", "。"}, {"", "的"}, {"比", ""}};
	if (class_of(l, word) & LINT_MAGNITUDE)
		return;
	for (size_t i = 0; i < (zh ? ARRAY_LEN(cn) : ARRAY_LEN(en)); i++)
		if (finds(l, zh ? cn[i][0] : en[i][0], word, zh ? cn[i][1] : en[i][1]))
			fail_msg("a comparison: " STR_FMT " between '%s' and '%s'", STR_ARG(word),
			         zh ? cn[i][0] : en[i][0], zh ? cn[i][1] : en[i][1]);
}

/* A number with a unit of a time, a rate or a power is one; with a size or a count it is none. */
static void counts(const struct lint *l, struct str word, bool zh)
{
	const unsigned units = LINT_TIME | LINT_RATE | LINT_POWER;
	unsigned class = class_of(l, word);
	if (class == LINT_SIZE && finds(l, "It has 5 ", word, "."))
		fail_msg("a measurement: 5 " STR_FMT, STR_ARG(word));
	bool unit = class & units && !(class & ~(units | LINT_MOMENT)) && (zh || word.n > 3);
	if (unit && !finds(l, zh ? "它要5" : "It reaches 5 ", word, zh ? "。" : "."))
		fail_msg("no measurement: 5 " STR_FMT, STR_ARG(word));
}

static void dictionary(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct lint *l = lint_new(&a);
	for (int zh = 0; zh < 2; zh++) {
		size_t n;
		const struct lint_group *g = zh ? lint_chinese(&n) : lint_english(&n);
		for (size_t i = 0; i < n; i++) {
			struct str words = str_of(g[i].words), word;
			while (words.n) {
				if (!str_cut(words, ' ', &word, &words))
					word = words, words.n = 0;
				says_nothing(l, word, zh);
				counts(l, word, zh);
			}
		}
	}
	arena_free(&a);
}

/* Characters that look like others, or like nothing. */
static void look_alikes(void **state)
{
	(void)state;
	check("It takes 3\u200b.5\u2060 m\u00ads.", "3\u200b.5\u2060 m\u00ads");
	check("It takes ３．５ ｍｓ now.", "３．５ ｍｓ");
	check("It takes \u0663\u066b\u0665 ms.", "\u0663\u066b\u0665 ms");
	check("It takes 3.5 ㎲.", "3.5 ㎲");
	check("It takes 3.5 \u043cs.", "3.5 \u043cs"); /* a Cyrillic m */
	check("It takes \U0001d7ef.\U0001d7f1 ms.", "\U0001d7ef.\U0001d7f1 ms");
	check("It takes 3½ ms.", "3½ ms");
	check("It takes 3 × 10⁻³ s.", "10⁻³ s");
	check("It needs ½ the time.", "½ the time");
	check("It reaches ⅔ of the peak.", "⅔ of the peak");
	check("A tile of ３２ × ３２, ½ of a page, 10³ elements.", "");
}

static void heads(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct lint *l = lint_new(&a);
	static const char *const yes[] = {"time (µs)",   "GB/s",          "Bandwidth, TB/s",
	                                  "speed-up",    "time in ms",    "% of peak",
	                                  "带宽 (GB/s)", "share of peak", "fraction of the peak",
	                                  "per second",  "faster than",   "median [µs]",
	                                  "ratio",       "relative to",   "latency p99",
	                                  "kernel, ms",  "带宽",          "每次调用 µs"};
	static const char *const no[] = {"rows",
	                                 "MiB",
	                                 "size (KB)",
	                                 "kernel",
	                                 "tile",
	                                 "threads",
	                                 "",
	                                 "occupancy 2",
	                                 "share of rows",
	                                 "dollars per hour",
	                                 "reading time",
	                                 "price in ms",
	                                 "$ per second",
	                                 "1.5 of 2",
	                                 "faster",
	                                 "per page",
	                                 "ratio of rows",
	                                 "阅读时间"};
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!lint_head(l, str_of(yes[i])))
			fail_msg("no measurement: %s", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (lint_head(l, str_of(no[i])))
			fail_msg("a measurement: %s", no[i]);
	assert_true(lint_bare_number(STR(" 1,024.5 ")) && lint_bare_number(STR("-3")));
	assert_false(lint_bare_number(STR("a")) || lint_bare_number(STR("3 a")) ||
	             lint_bare_number(STR("")) || lint_bare_number(STR(".")));
	assert_string_equal(
	        lint_without_placeholders(STR("a <<bench:value x>> b << c >> <<"), &a).p,
	        "a " LINT_OPAQUE "               b << c >> <<");
	arena_free(&a);
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds that the first n bytes take. */
static double cost(const struct lint *l, const char *text, size_t n)
{
	struct lint_finding f[8];
	double start = seconds();
	lint_text(l, (struct str){text, n}, f, 8);
	return seconds() - start;
}

/* No bytes do any harm, and the cost grows only with the text's length. */
static void hostile(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct lint *l = lint_new(&a);
	static const char *const seeds[] = {
	        "3 times faster ", "1-2-3-",          "two and ", "百分之", "× ", "2^", "三成",
	        "a third of ",     "½ \xff\xc3 0xe2", "%",        "1.5e",   "of "};
	enum { BIG = 256 << 10, NSEEDS = ARRAY_LEN(seeds) };
	char *text = arena_alloc(&a, BIG);
	struct lint_finding f[8];
	for (size_t s = 0; s < NSEEDS; s++) {
		size_t n = strlen(seeds[s]);
		for (size_t i = 0; i < BIG; i++)
			text[i] = seeds[s][i % n];
		/* A square would be 16 times; what takes no time is measured by chance. */
		double part = cost(l, text, BIG / 4), whole = cost(l, text, BIG);
		if (whole > 10 * part && whole > 0.1)
			fail_msg("64 KiB of '%s' took %.3f s, 256 KiB %.3f s", seeds[s], part,
			         whole);
	}
	srand(1);
	for (int round = 0; round < 3000; round++) {
		size_t n = 0, want = (size_t)(rand() % 400);
		while (n < want) {
			const char *seed = seeds[rand() % NSEEDS];
			text[n++] = rand() % 3 ? seed[(size_t)rand() % strlen(seed)] : (char)rand();
		}
		char *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
		memcpy(exact, text, n);
		size_t found = lint_text(l, (struct str){exact, n}, f, 8), end = 0;
		for (size_t i = 0; i < found && i < 8; i++) {
			assert_true(f[i].start >= end && f[i].end > f[i].start && f[i].end <= n);
			end = f[i].end;
		}
		free(exact);
	}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(corpus),      cmocka_unit_test(places),
	        cmocka_unit_test(edges),       cmocka_unit_test(comparisons),
	        cmocka_unit_test(look_alikes), cmocka_unit_test(heads),
	        cmocka_unit_test(hostile),     cmocka_unit_test(dictionary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
