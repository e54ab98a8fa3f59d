/* Citations of a post: BibTeX, and a text. */
#include "site-gen/look/cite.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"
#include "lib/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct config config_of(const char *author)
{
	return (struct config){
	        .title = "My blog", .author = author, .base_url = "https://blog.example"};
}

static void bibtex_escapes_what_tex_reads(void **state)
{
	(void)state;
	struct arena a = {0};
	struct config config = config_of("");
	struct site s = {.config = &config};
	struct page p = {.text.title = "86.1\xC2\xA0% of {peak}: C & C_1 ~ x^2",
	                 .url = "/zh/posts/a-b/",
	                 .text.lang = "zh",
	                 .front.date = "2026-11-21T14:05:00Z"};
	assert_string_equal(cite_bibtex(&s, &p, &a),
	                    "@online{my-blog-a-b-zh,\n"
	                    "  author = {My blog},\n"
	                    "  title = {{86.1\xC2\xA0\\% of \\{peak\\}: C \\& C\\_1 "
	                    "\\textasciitilde{} x\\textasciicircum{}2}},\n"
	                    "  date = {2026-11-21},\n"
	                    "  organization = {My blog},\n"
	                    "  url = {https://blog.example/zh/posts/a-b/}\n}");
	config = config_of("A. Author");
	p.front.updated = "2026-12-01";
	assert_non_null(strstr(cite_bibtex(&s, &p, &a), "  author = {A. Author},\n"));
	assert_non_null(strstr(cite_bibtex(&s, &p, &a), "  date = {2026-12-01},\n"));
	arena_free(&a);
}

static void mail_has_no_byte_that_an_address_may_not_have(void **state)
{
	(void)state;
	struct arena a = {0};
	struct config config = config_of("");
	struct site s = {.config = &config};
	struct page p = {.text.title = "5 % & \"more\"", .url = "/posts/x/"};
	assert_string_equal(cite_mail(&s, &p, &a),
	                    "mailto:?subject=5%20%25%20%26%20%22more%22"
	                    "&body=https%3A%2F%2Fblog.example%2Fposts%2Fx%2F");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(bibtex_escapes_what_tex_reads),
	        cmocka_unit_test(mail_has_no_byte_that_an_address_may_not_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
