/* Structs as bytes: they come back equal, and no bytes make the reader stray. */
#include "site-gen/base/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"

struct leaf {
	const char *name;
	struct leaf *next;
};

struct tree {
	int64_t least, most;
	size_t n;
	bool yes, no;
	double real;
	char word[4];
	enum { RED, GREEN, BLUE } colour;
	const char *none;
	struct leaf *leaf;
	size_t nin;
	int64_t in[4];
	const struct leaf *second;
	const char **text;
	size_t ntext;
	const char *later;
};

static const struct pack_type leaf;
static const struct pack_member leaf_members[] = {
        PACK(struct leaf, name, PACK_TEXT),
        PACK_OF(struct leaf, next, PACK_ONE, leaf),
};
static const struct pack_type leaf = PACK_TYPE("leaf", struct leaf, leaf_members);

#define T struct tree
static const struct pack_member tree_members[] = {
        PACK(T, least, PACK_INT),
        PACK(T, most, PACK_INT),
        PACK(T, n, PACK_INT),
        PACK(T, yes, PACK_BOOL),
        PACK(T, no, PACK_BOOL),
        PACK(T, real, PACK_REAL),
        PACK(T, word, PACK_CHARS),
        PACK_BELOW(T, colour, BLUE + 1),
        PACK(T, none, PACK_MAYBE),
        PACK_LIST_OF(T, leaf, n, PACK_TARGET, leaf),
        PACK(T, nin, PACK_INT),
        PACK_LIST_OF(T, in, nin, PACK_INSIDE, pack_int),
        PACK(T, second, PACK_AMONG),
        PACK(T, ntext, PACK_INT),
        PACK_LIST_OF(T, text, ntext, PACK_LIST, pack_text),
        PACK(T, later, PACK_LATER),
};
static const struct pack_type tree = PACK_TYPE("tree", T, tree_members);

static const char *texts[] = {"one", "two", "one", ""};
static struct leaf last = {"last", NULL};
static struct leaf leaves[] = {{"one", NULL}, {"two", &last}};
static const struct tree made = {
        .least = INT64_MIN,
        .most = INT64_MAX,
        .n = 2,
        .yes = true,
        .real = -0.1,
        .word = "abc",
        .colour = BLUE,
        .leaf = leaves,
        .nin = 2,
        .in = {-1, 300},
        .second = &leaves[1],
        .text = texts,
        .ntext = ARRAY_LEN(texts),
        .later = "here",
};

static struct str packed(const struct tree *t, struct arena *a)
{
	struct sb to = {0};
	pack_put(&tree, t, &to);
	struct str s = str_keep(a, sb_view(&to));
	sb_free(&to);
	return s;
}

/* A list of which a reader may leave out structs. */
struct row {
	size_t n;
	struct leaf *leaf;
	int64_t after;
};
static const struct pack_member row_members[] = {
        PACK(struct row, n, PACK_INT),
        PACK_LIST_OF(struct row, leaf, n, PACK_SIZED, leaf),
        PACK(struct row, after, PACK_INT),
};
static const struct pack_type row = PACK_TYPE("row", struct row, row_members);

static bool is_second(void *ctx, size_t i)
{
	++*(size_t *)ctx;
	return i == 1;
}

static void unwanted_structs_are_left_out(void **state)
{
	(void)state;
	struct arena a = {0};
	struct row one = {2, leaves, 7}, whole = {0}, some = {0}, broken;
	struct sb to = {0};
	size_t asked = 0;
	pack_put(&row, &one, &to);
	assert_true(pack_take(&row, sb_view(&to), &a, &whole));
	assert_string_equal(whole.leaf[0].name, "one");
	assert_string_equal(whole.leaf[1].next->name, "last");
	assert_int_equal(whole.after, 7);
	assert_true(pack_take_some(&row, sb_view(&to), &a, &some, is_second, &asked));
	assert_int_equal(asked, 2);
	assert_null(some.leaf[0].name);
	assert_string_equal(some.leaf[1].next->name, "last");
	assert_int_equal(some.after, 7);
	for (size_t n = 0; n < to.n; n++) { /* a part of it is nothing */
		broken = (struct row){0};
		assert_false(pack_take_some(&row, str_sub(sb_view(&to), 0, n), &a, &broken,
		                            is_second, &asked));
	}
	sb_free(&to);
	arena_free(&a);
}

static void a_struct_comes_back(void **state)
{
	(void)state;
	struct arena a = {0};
	struct tree t = {0};
	assert_true(pack_take(&tree, packed(&made, &a), &a, &t));
	assert_true(t.least == INT64_MIN && t.most == INT64_MAX && t.n == 2);
	assert_true(t.yes && !t.no && t.real == -0.1 && t.colour == BLUE);
	assert_string_equal(t.word, "abc");
	assert_null(t.none);
	assert_string_equal(t.leaf[0].name, "one");
	assert_null(t.leaf[0].next);
	assert_string_equal(t.leaf[1].next->name, "last");
	assert_null(t.leaf[1].next->next);
	assert_ptr_equal(t.second, &t.leaf[1]);
	assert_true(t.nin == 2 && t.in[0] == -1 && t.in[1] == 300 && t.in[2] == 0);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_string_equal(t.text[i], texts[i]);
	assert_ptr_equal(t.text[0], t.text[2]); /* equal texts are kept once */
	assert_null(t.later);
	arena_free(&a);
}

/* Each is impossible for the table, so the bytes are refused. */
static void what_the_table_forbids_is_refused(void **state)
{
	(void)state;
	struct arena a = {0};
	struct tree t = made, out = {0};
	struct leaf nameless[] = {{NULL, NULL}, {"two", NULL}};
	t.colour = (unsigned)BLUE + 1;
	assert_false(pack_take(&tree, packed(&t, &a), &a, &out));
	t = made;
	t.leaf = nameless;
	t.second = &nameless[0];
	assert_false(pack_take(&tree, packed(&t, &a), &a, &out));
	t = made;
	t.second = &leaves[2]; /* one behind the last */
	assert_false(pack_take(&tree, packed(&t, &a), &a, &out));
	struct leaf chain[40];
	for (size_t i = 0; i < ARRAY_LEN(chain); i++)
		chain[i] = (struct leaf){"x", i + 1 < ARRAY_LEN(chain) ? &chain[i + 1] : NULL};
	t = made;
	t.leaf = chain;
	t.second = &chain[0];
	assert_false(pack_take(&tree, packed(&t, &a), &a, &out)); /* too deep */
	arena_free(&a);
}

static bool takes(const char *bytes, size_t n)
{
	struct arena a = {0};
	struct tree out = {0};
	char *copy = malloc(n + 1); /* a byte behind the end is then a fault */
	memcpy(copy, bytes, n);
	bool ok = pack_take(&tree, (struct str){copy, n}, &a, &out);
	free(copy);
	arena_free(&a);
	return ok;
}

static void no_bytes_make_it_stray(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str good = packed(&made, &a);
	char *bad = arena_alloc(&a, good.n + 1);
	memcpy(bad, good.p, good.n);
	assert_true(takes(bad, good.n));
	assert_false(takes(bad, good.n + 1));
	for (size_t n = 0; n < good.n; n++)
		assert_false(takes(bad, n));
	for (size_t i = 0; i < good.n; i++)
		for (int bit = 0; bit < 8; bit++) {
			bad[i] = (char)(good.p[i] ^ 1 << bit);
			takes(bad, good.n);
			bad[i] = good.p[i];
		}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_struct_comes_back),
	        cmocka_unit_test(unwanted_structs_are_left_out),
	        cmocka_unit_test(what_the_table_forbids_is_refused),
	        cmocka_unit_test(no_bytes_make_it_stray),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
