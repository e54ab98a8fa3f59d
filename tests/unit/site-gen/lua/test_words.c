/* The words of pages and of kernels exist in every language. */
#include "site-gen/lua/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernel.h"
#include "lib/file.h"
#include "site-gen/base/rules.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/lua/script.h"
#include "site-gen/numbers/case.h"
#include "site-gen/records/data_state.h"

static void test_words_are_sorted(void **state)
{
	(void)state;
	size_t n;
	const struct words_row *rows = words_table(&n);
	for (size_t i = 1; i < n; i++)
		if (strcmp(rows[i - 1].key, rows[i].key) >= 0)
			fail_msg("'%s' stands after '%s'", rows[i].key, rows[i - 1].key);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(words_english(str_of(rows[i].key)), rows[i].english);
	assert_null(words_english(STR("no_such_word")));
}

static const struct script_value *member(const struct script_value *v, const char *key)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->member[i].key, key) == 0)
			return v->member[i].value;
	return NULL;
}

/* The same {1}, {2}, … in both, in any order. */
static void assert_same_places(const char *key, const char *a, const char *b)
{
	for (char i = '1'; i <= '9'; i++) {
		char place[] = {'{', i, '}', 0};
		if (!strstr(a, place) != !strstr(b, place))
			fail_msg("'%s' has %s in one language only", key, place);
	}
}

static void read_words(const char *path, struct arena *a, struct script_value *all)
{
	struct err e = ERR_NONE;
	struct str src;
	if (!file_read(path, 1 << 20, a, &src, &e) || !script_data(src, path, a, all, &e))
		fail_msg("%s", e.text);
	assert_true(all->n > 0);
}

/* The text with each {1} as a digit: what a page may print. */
static char *filled(const char *text, struct arena *a)
{
	char *out = arena_strdup(a, text);
	for (char *at = out; (at = strchr(at, '{')) && at[1] >= '1' && at[1] <= '9';)
		memmove(at, "7", 1), memmove(at + 1, at + 3, strlen(at + 3) + 1);
	return out;
}

/* A reason is also printed in errors, so it gets its no-break spaces later (records/reason.c). */
static void assert_units_stay(const char *key, const char *text, struct arena *a)
{
	struct sb set = {0};
	const char *plain = filled(text, a);
	typeset(&set, str_of(plain));
	if (strcmp(set.p ? set.p : "", plain) != 0 && !str_starts(str_of(key), "why_"))
		fail_msg("'%s' lets a line end before a unit: %s", key, text);
	sb_free(&set);
}

static void assert_all_stay(const char *key, const struct script_value *v, struct arena *a)
{
	if (v->text.p)
		assert_units_stay(key, v->text.p, a);
	for (size_t i = 0; i < v->n; i++) {
		const char *inner = v->member[i].key;
		assert_all_stay(inner ? inner : key, v->member[i].value, a);
	}
}

/* A line never ends between a number and its unit. */
static void test_units_stay_beside_numbers(void **state)
{
	(void)state;
	struct arena a = {0};
	struct script_value all;
	size_t n;
	const struct words_row *rows = words_table(&n);
	read_words("templates/words.lua", &a, &all);
	for (size_t i = 0; i < n; i++)
		assert_units_stay(rows[i].key, rows[i].english, &a);
	for (size_t i = 0; case_saying(i); i++)
		assert_units_stay("case_words.c", case_saying(i), &a);
	assert_all_stay("words.lua", &all, &a);
	arena_free(&a);
}

/* templates/words.lua has every word in every language. */
static void test_every_language_has_every_word(void **state)
{
	(void)state;
	struct arena a = {0};
	struct script_value all;
	size_t n;
	const struct words_row *rows = words_table(&n);
	read_words("templates/words.lua", &a, &all);
	const struct script_value *en = member(&all, "en");
	assert_non_null(en);
	assert_true(all.n >= 2);
	for (size_t l = 0; l < all.n; l++) {
		const struct script_value *lang = all.member[l].value;
		for (size_t i = 0; lang != en && i < en->n; i++) {
			const struct script_value *w = member(lang, en->member[i].key);
			if (!w)
				fail_msg("'%s' is not in '%s'", en->member[i].key,
				         all.member[l].key);
			assert_same_places(en->member[i].key, en->member[i].value->text.p,
			                   w->text.p);
		}
		for (size_t i = 0; lang != en && i < n; i++) {
			const struct script_value *w = member(lang, rows[i].key);
			bool month = str_starts(str_of(rows[i].key), "month_"); /* may be numbers */
			if (!w && !month)
				fail_msg("'%s' of words.c is not in '%s'", rows[i].key,
				         all.member[l].key);
			if (w)
				assert_same_places(rows[i].key, rows[i].english, w->text.p);
		}
	}
	arena_free(&a);
}

/* Is it the name of a state, or "none", of a run without any numbers? */
static bool is_state(const char *name)
{
	bool known = strcmp(name, "none") == 0;
	for (int s = 0; s < DATA_STATE_COUNT; s++)
		known = known || strcmp(name, data_state_name(s)) == 0;
	return known;
}

/* templates/words.lua has exactly the states of records/data_state.c, in every language but
 * English. */
static void test_every_language_has_every_state(void **state)
{
	(void)state;
	struct arena a = {0};
	struct script_value all;
	read_words("templates/words.lua", &a, &all);
	for (size_t l = 0; l < all.n; l++) {
		const struct script_value *lang = all.member[l].value;
		bool english = strcmp(all.member[l].key, "en") == 0;
		for (int s = 0; s < DATA_STATE_COUNT; s++) {
			const char *name = data_state_name(s);
			const struct script_value *w =
			        member(lang, arena_printf(&a, "state_%s", name));
			const struct script_value *text =
			        member(lang, arena_printf(&a, "state_text_%s", name));
			if (!w != english || !text != english)
				fail_msg("'%s': the words of '%s'", all.member[l].key, name);
			assert_non_null(words_state(NULL, name));
		}
		for (size_t i = 0; i < lang->n; i++) {
			const char *key = lang->member[i].key;
			size_t prefix = str_starts(str_of(key), "state_text_") ? 11 : 6;
			if (str_starts(str_of(key), "state_") && !is_state(key + prefix))
				fail_msg("'%s' of words.lua is no state", key);
		}
	}
	arena_free(&a);
}

/* The page of rules takes them from there; rules.c has the English. */
static void test_every_language_has_every_rule(void **state)
{
	(void)state;
	static const char *const parts[] = {"says", "broken"};
	struct arena a = {0};
	struct script_value all;
	read_words("templates/words.lua", &a, &all);
	assert_true(all.n >= 2);
	for (size_t l = 0; l < all.n; l++)
		for (int r = 0; strcmp(all.member[l].key, "en") != 0 && r < RULE_COUNT; r++)
			for (int i = 0; i < 2; i++) {
				const char *key = arena_printf(
				        &a, "rule_%s_%s", rule_info((enum rule)r)->id, parts[i]);
				if (!member(all.member[l].value, key))
					fail_msg("'%s' is not in '%s'", key, all.member[l].key);
			}
	arena_free(&a);
}

static void test_words_fall_back(void **state)
{
	(void)state;
	struct arena a = {0};
	struct config_word word[] = {{"de", "footnote", "Fußnote {1}"},
	                             {"zh", "posts_about", "关于{1}，还是{1}"}};
	struct config c = {.language = "de", .word = word, .nwords = 2};
	struct words zh = {&c, "zh"};
	assert_string_equal(words_get(NULL, "table"), "Table");
	assert_string_equal(words_get(&zh, "table"), "Table");
	assert_string_equal(words_fill(&zh, &a, "footnote", "3", NULL), "Fußnote 3");
	assert_string_equal(words_fill(&zh, &a, "posts_about", "x", NULL), "关于x，还是x");
	assert_string_equal(words_fill(NULL, &a, "ratio_paired", "a{2}", "b"),
	                    "a{2} over b, paired by process");
	static const char *const three[] = {"a", NULL, "c"};
	assert_string_equal(words_fill_all(&zh, &a, "why_over_peak", three, 3),
	                    "impossible: its a is {2} % of the theoretical peak (c)");
	assert_string_equal(words_fill_all(&zh, &a, "why_over_peak", three, 1),
	                    "impossible: its a is {2} % of the theoretical peak ({3})");
	assert_string_equal(words_label(&zh, "Bandwidth"), "Bandwidth");
	assert_string_equal(words_record_lang(&zh), " lang=\"en\"");
	assert_string_equal(words_record_lang(NULL), "");
	arena_free(&a);
}

static void test_records_say_it_in_the_pages_language(void **state)
{
	(void)state;
	struct config_word word[] = {{"zh", "padded tile", "填充的 tile"}};
	struct config c = {.language = "en", .word = word, .nwords = 1};
	const struct words zh = {&c, "zh"}, en = {&c, "en"};
	assert_string_equal(words_said(&zh, "padded tile").text, "填充的 tile");
	assert_string_equal(words_said(&zh, "padded tile").lang, "");
	assert_string_equal(words_said(&zh, "plain tile").text, "plain tile");
	assert_string_equal(words_said(&zh, "plain tile").lang, " lang=\"en\"");
	assert_string_equal(words_said(&en, "padded tile").text, "padded tile");
	assert_string_equal(words_said(&en, "padded tile").lang, "");
	assert_string_equal(words_said(NULL, "padded tile").text, "padded tile");
}

static void assert_translated(const struct script_value *all, const char *family, const char *text)
{
	for (size_t l = 0; l < all->n; l++) /* English names only what it calls otherwise */
		if (strcmp(all->member[l].key, "en") != 0 && !member(all->member[l].value, text))
			fail_msg("%s: '%s' has no text for \"%s\"", family, all->member[l].key,
			         text);
}

/* content/kernels/words.lua has what our own kernels say of themselves. */
static void test_every_kernel_has_words(void **state)
{
	(void)state;
	struct arena a = {0};
	struct script_value all;
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	read_words(CONFIG_KERNEL_WORDS, &a, &all);
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		assert_translated(&all, f[i]->id, f[i]->title);
		for (size_t k = 0; k < f[i]->nvariants; k++) {
			assert_translated(&all, f[i]->id, f[i]->variants[k].title);
			assert_translated(&all, f[i]->id, f[i]->variants[k].idea);
		}
	}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_words_are_sorted),
	        cmocka_unit_test(test_units_stay_beside_numbers),
	        cmocka_unit_test(test_every_language_has_every_word),
	        cmocka_unit_test(test_every_language_has_every_state),
	        cmocka_unit_test(test_every_language_has_every_rule),
	        cmocka_unit_test(test_words_fall_back),
	        cmocka_unit_test(test_records_say_it_in_the_pages_language),
	        cmocka_unit_test(test_every_kernel_has_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
