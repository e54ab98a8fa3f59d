/* The fast reader of JSON: what it reads is what jansson reads, and it leaves jansson the rest. */
#include "lib/json_plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/record_file.h"

static bool same(struct json x, struct json y);

static bool same_members(struct json x, struct json y)
{
	size_t i = 0, k = 0;
	const char *kx, *ky;
	struct json vx, vy;
	bool more = json_each(x, &i, &kx, &vx);
	while (more && json_each(y, &k, &ky, &vy)) {
		if (strcmp(kx, ky) != 0 || !same(vx, vy) || json_get(x, kx).value != vx.value ||
		    json_get(y, ky).value != vy.value)
			return false;
		more = json_each(x, &i, &kx, &vx);
	}
	return !more && !json_each(y, &k, &ky, &vy) && i == k &&
	       !json_get(x, "no such").value == !json_get(y, "no such").value;
}

static bool same_items(struct json x, struct json y)
{
	bool ok = json_len(x) == json_len(y);
	for (size_t i = 0; ok && i < json_len(x); i++)
		ok = same(json_item(x, i), json_item(y, i));
	return ok && !json_item(x, json_len(x)).value;
}

static bool same(struct json x, struct json y)
{
	struct str sx, sy;
	int64_t ix = 0, iy = 0;
	double fx = 0, fy = 0;
	bool bx = false, by = false;
	if (json_is_object(x) != json_is_object(y) || json_is_array(x) != json_is_array(y) ||
	    json_is_null(x) != json_is_null(y) || json_is_number(x) != json_is_number(y))
		return false;
	if (json_as_str(x, &sx) != json_as_str(y, &sy) ||
	    json_as_i64(x, &ix) != json_as_i64(y, &iy) || ix != iy ||
	    json_as_bool(x, &bx) != json_as_bool(y, &by) || bx != by ||
	    json_as_f64(x, &fx) != json_as_f64(y, &fy) || memcmp(&fx, &fy, sizeof fx) != 0)
		return false;
	if (json_as_str(x, &sx) && !str_eq(sx, sy))
		return false;
	if (json_is_array(x) && !same_items(x, y))
		return false;
	return json_is_object(x) ? same_members(x, y)
	                         : json_len(x) == json_len(y) && !json_get(x, "a").value;
}

/* Reads the text in both ways. False: it is not plain. Fails if they differ. */
static bool read_both(struct str text)
{
	struct arena a = {0};
	struct json x, y;
	struct json_doc *doc = NULL;
	struct err e = ERR_NONE;
	struct loc at = {"x", 1, 0};
	char *copy = malloc(text.n + 1); /* a byte behind the end is then a fault */
	memcpy(copy, text.p, text.n);
	bool plain = json_parse_plain(copy, text.n, at, &a, &x);
	if (plain && (!json_parse(text, at, &doc, &y, &e) || !same(x, y)))
		fail_msg("not the same: " STR_FMT, STR_ARG(text));
	json_free(doc);
	free(copy);
	arena_free(&a);
	return plain;
}

static void plain_texts_are_read(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "{}",
	        "[]",
	        "{\"a\":[],\"b\":{}}",
	        "[[1],[2,[3]]]",
	        "[0]",
	        "[-1]",
	        "[123456789012345678]",
	        "[0.5]",
	        "[-0.25]",
	        "[-0.0]",
	        "[1e3]",
	        "[1.5E-7]",
	        "[1e-400]",
	        "[0.1]",
	        "[0.12345678901234567]",
	        "[123456789.123456789]",
	        "\"\"",
	        "\"a b\"",
	        "true",
	        "false",
	        "null",
	        "[true,false,null]",
	        "{\"\":1,\"a\":2,\"aa\":3}",
	        "[0.0037318317922325796]",
	        "[4.9e-324]",
	        "[9223372036854775807]",
	        "[-9223372036854775807]",
	        "[1797693134862315700.25]",
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (!read_both(str_of(texts[i])))
			fail_msg("not read: %s", texts[i]);
}

/* Some are JSON and some are not; jansson says which. */
static void the_rest_is_left_to_jansson(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "",
	        " 1",
	        "1 ",
	        "[1 ]",
	        "{\"a\" :1}",
	        "\"\\n\"",
	        "\"\xc3\xa9\"",
	        "\"\x01\"",
	        "\"a",
	        "01",
	        "-01",
	        "-0",
	        "[12345678901234567890]",
	        "[9223372036854775808]",
	        "-",
	        ".5",
	        "1.",
	        "1e",
	        "1e+",
	        "1e999",
	        "0x10",
	        "inf",
	        "nan",
	        "tru",
	        "nul",
	        "[1,]",
	        "[,1]",
	        "[1",
	        "{\"a\":1,}",
	        "{\"a\"}",
	        "{a:1}",
	        "{\"a\":1,\"a\":2}",
	        "[1]]",
	        "{\"a\":1,\"b\":2,\"c\":3,\"b\":4}",
	        "+1",
	        "[[[[[[[[[[1]]]]]]]]]]",
	        "1.5.5",
	        "1e5e5",
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (read_both(str_of(texts[i])))
			fail_msg("read as plain: %s", texts[i]);
}

/* Runs `each` on every line of a committed record. */
static void each_line(const char *path, size_t step, void (*each)(struct str line))
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str rest, line;
	if (!record_file_read(path, &a, &rest, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; str_cut(rest, '\n', &line, &rest); i++)
		if (i % step == 0)
			each(line);
	arena_free(&a);
}

static size_t launches, read_fast;

static void count_line(struct str line)
{
	bool launch = str_starts(line, "{\"type\":\"launch\",");
	launches += launch;
	bool plain = read_both(line);
	read_fast += plain && launch;
}

static void every_committed_line_is_the_same(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct file_entry *in;
	size_t n;
	assert_true(file_list("data/runs/h200", &a, &in, &n, &e));
	for (size_t i = 0; i < n; i++)
		each_line(arena_printf(&a, "data/runs/h200/%s", in[i].name), 7, count_line);
	assert_true(launches > 1000);
	assert_int_equal(read_fast, launches); /* or loading would be slow */
	arena_free(&a);
}

/* A line with any one byte changed is read as jansson reads it, or not at all. */
static void mutate_line(struct str line)
{
	static const char others[] = "\"\\{}[],:.-+eE019 tnx\x80";
	if (!str_starts(line, "{\"type\":\"launch\","))
		return;
	struct arena a = {0};
	char *bad = arena_strndup(&a, line.p, line.n);
	for (size_t i = 0; i < line.n && i < 900; i++) {
		for (size_t k = 0; k < sizeof others; k++) {
			bad[i] = others[k];
			read_both((struct str){bad, line.n});
		}
		bad[i] = line.p[i];
		read_both(str_sub(line, 0, i));
	}
	arena_free(&a);
}

static void no_change_of_a_byte_divides_them(void **state)
{
	(void)state;
	each_line("data/runs/h200/20261122T001832Z-h200-ea76b62e.jsonl.gz", 20, mutate_line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(plain_texts_are_read),
	        cmocka_unit_test(the_rest_is_left_to_jansson),
	        cmocka_unit_test(every_committed_line_is_the_same),
	        cmocka_unit_test(no_change_of_a_byte_divides_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
