/* A manifest in our own form is read line by line, with the same result as any JSON. */
#include "site-gen/output/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* Three files; the name of one has an escape. */
static void put(struct sb *to)
{
	struct output_file files[] = {
	        {.path = "b/index.html", .size = 120}, {.path = "a\"b", .size = 0}, {.path = "a"}};
	const struct manifest_origin of = {"test", "1", "0123"};
	for (size_t i = 0; i < 3; i++)
		memset(files[i].sha256, 'a', sizeof files[i].sha256 - 1);
	manifest_put(to, &of, files, 3);
}

struct result {
	bool ok;
	struct manifest_entry *entry;
	size_t n;
};

static struct result read(struct str text, struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct result r = {0};
	r.ok = manifest_read(text, "manifest.json", a, &r.entry, &r.n, &ignored);
	return r;
}

static bool same(const struct result *x, const struct result *y)
{
	if (x->ok != y->ok || (x->ok && x->n != y->n))
		return false;
	for (size_t i = 0; x->ok && i < x->n; i++)
		if (strcmp(x->entry[i].path, y->entry[i].path) != 0 ||
		    strcmp(x->entry[i].sha256, y->entry[i].sha256) != 0 ||
		    x->entry[i].size != y->entry[i].size)
			return false;
	return true;
}

/* Space before it makes it another form of the same JSON. */
static void check(struct str text)
{
	struct arena a = {0};
	struct sb spaced = {0};
	sb_char(&spaced, ' ');
	sb_str(&spaced, text);
	struct result own = read(text, &a), any = read(sb_view(&spaced), &a);
	if (!same(&own, &any))
		fail_msg("read otherwise than JSON: " STR_FMT, STR_ARG(text));
	sb_free(&spaced);
	arena_free(&a);
}

static void what_was_written_is_read(void **state)
{
	struct arena a = {0};
	struct sb text = {0};
	(void)state;
	put(&text);
	struct result r = read(sb_view(&text), &a);
	assert_true(r.ok);
	assert_int_equal(r.n, 3);
	assert_string_equal(r.entry[0].path, "a");
	assert_string_equal(r.entry[1].path, "a\"b");
	assert_string_equal(r.entry[2].path, "b/index.html");
	assert_int_equal(r.entry[2].size, 120);
	check(sb_view(&text));
	sb_free(&text);
	arena_free(&a);
}

static void both_forms_agree_on_damage(void **state)
{
	static const char bytes[] = "\"\\{},:0-a\n \x80";
	struct sb text = {0}, other = {0};
	(void)state;
	put(&text);
	struct str whole = sb_view(&text);
	/* without the name that has an escape, so that all of it is in our own form */
	const char *line = strstr(text.p, "{\"name\":\"a\\\"b\"");
	size_t at = (size_t)(line - text.p), end = str_find(whole, '\n', at) + 1;
	memmove(text.p + at, text.p + end, text.n - end + 1);
	text.n -= end - at;
	whole = sb_view(&text);
	check(whole);
	for (size_t i = 0; i < whole.n; i++) {
		sb_clear(&other);
		sb_str(&other, str_sub(whole, 0, i));
		sb_str(&other, str_sub(whole, i + 1, whole.n));
		check(sb_view(&other));
		for (size_t k = 0; k < sizeof bytes - 1; k++) {
			sb_clear(&other);
			sb_str(&other, whole);
			other.p[i] = bytes[k];
			check(sb_view(&other));
		}
		check(str_sub(whole, 0, i));
	}
	sb_free(&other);
	sb_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_was_written_is_read),
	        cmocka_unit_test(both_forms_agree_on_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
