/* Warnings of texts of records that pages in another language still show in English. */
#include "site-gen/site/words_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

/* Two numbers of one family. The newest run has no number of the first, so the older one counts. */
struct kernels {
	struct run_case naive_new, naive, tile;
	struct data_case of[3];
	const struct data_case *first[2], *second[1];
	struct data_number number[2];
};

static void put_kernels(struct bare *b, struct kernels *k)
{
	*k = (struct kernels){
	        .naive_new = {.family = "transpose", .variant = "naive", .idea = "Not yet."},
	        .naive = {.family = "transpose",
	                  .variant = "naive",
	                  .family_title = "Matrix transpose",
	                  .variant_title = "one thread an element",
	                  .idea = "Each thread moves one element."},
	        .tile = {.family = "transpose",
	                 .variant = "tile",
	                 .family_title = "Matrix transpose",
	                 .variant_title = "tile"}};
	const struct run_case *const c[] = {&k->naive_new, &k->naive, &k->tile};
	for (int i = 0; i < 3; i++)
		k->of[i].c = c[i];
	k->first[0] = &k->of[0];
	k->first[1] = &k->of[1];
	k->second[0] = &k->of[2];
	k->number[0] = (struct data_number){.in = k->first, .nruns = 2, .newest = 1};
	k->number[1] = (struct data_number){.in = k->second, .nruns = 1, .newest = 1};
	b->data.numbers = k->number;
	b->data.nnumbers = 2;
}

/* Checks in a work tree with or without translations of the kernels. */
static const char *check(struct bare *b, bool translated)
{
	char here[4096];
	void *state;
	assert_int_equal(folder_setup(&state), 0);
	struct folder *f = state;
	if (translated)
		folder_put(f, CONFIG_KERNEL_WORDS, "return {}\n");
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(f->path), 0);
	words_check(&b->site, &b->problems);
	assert_int_equal(chdir(here), 0);
	folder_teardown(&state);
	return bare_said(b);
}

#define SAYS(kernel, text)                                                                  \
	CONFIG_KERNEL_WORDS ": warning: transpose/" kernel ": 'zh' has no text for \"" text \
	                    "\", so its pages show the English\n"

static void each_text_is_missed_once(void **state)
{
	struct bare *b = *state;
	struct kernels k;
	put_kernels(b, &k);
	assert_string_equal(check(b, true),
	                    SAYS("naive", "Matrix transpose") SAYS("naive", "one thread an element")
	                            SAYS("naive", "Each thread moves one element.")
	                                    SAYS("tile", "tile"));
}

static void what_is_translated_is_not_missed(void **state)
{
	struct bare *b = *state;
	struct kernels k;
	struct config_word word[] = {{"zh", "Each thread moves one element.", "每个线程"},
	                             {"zh", "Matrix transpose", "矩阵转置"},
	                             {"zh", "one thread an element", "一个线程"}};
	put_kernels(b, &k);
	b->config.word = word;
	b->config.nwords = 3;
	assert_string_equal(check(b, true), SAYS("tile", "tile"));
}

static void data_sheets_have_texts_too(void **state)
{
	struct bare *b = *state;
	struct config_word word[] = {{"zh", "both directions together", "两个方向合计"}};
	struct data_spec sheet[] = {{.device_name = "H200",
	                             .title = "HBM3e bandwidth",
	                             .note = "both directions together"},
	                            {.device_name = "H200", .title = "FP32"}};
	b->config.word = word;
	b->config.nwords = 1;
	b->data.specs = sheet;
	b->data.nspecs = 2;
	const char *says = check(b, true);
	b->data.nspecs = 0;
	assert_string_equal(
	        says, CONFIG_KERNEL_WORDS
	        ": warning: data sheet of H200: 'zh' has no text for \"HBM3e bandwidth\", so its "
	        "pages show the English\n" CONFIG_KERNEL_WORDS
	        ": warning: data sheet of H200: 'zh' has no text for \"FP32\", so its pages show "
	        "the English\n");
}

static void a_site_without_translations_is_not_warned(void **state)
{
	struct bare *b = *state;
	struct kernels k;
	put_kernels(b, &k);
	assert_string_equal(check(b, false), "");
	b->config.nlanguages = 1;
	assert_string_equal(check(b, true), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(each_text_is_missed_once),
	        TEST(what_is_translated_is_not_missed),
	        TEST(data_sheets_have_texts_too),
	        TEST(a_site_without_translations_is_not_warned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
