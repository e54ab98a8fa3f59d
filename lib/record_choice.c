/*
 * lib/record_choice.c - what a library chose by trying: compared, in one line for programs,
 * and in words for people. To add a name that deserves words of its own: a row in the table.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/record.h"

static bool same_pair(const struct run_pair *x, const struct run_pair *y)
{
	return strcmp(x->name, y->name) == 0 && !x->word == !y->word &&
	       (x->word ? strcmp(x->word, y->word) == 0 : x->num == y->num);
}

bool record_choice_same(const struct run_choice *x, const struct run_choice *y)
{
	bool same = x->n == y->n;
	for (size_t i = 0; same && i < x->n; i++)
		same = same_pair(&x->pair[i], &y->pair[i]);
	return same;
}

const char *record_choice_text(const struct run_choice *c, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < c->n; i++) {
		const struct run_pair *p = &c->pair[i];
		text = p->word ? arena_printf(a, "%s%s%s=%s", text, i ? " " : "", p->name, p->word)
		               : arena_printf(a, "%s%s%s=%lld", text, i ? " " : "", p->name,
		                              (long long)p->num);
	}
	return text;
}

bool record_choice_parse(struct str text, struct arena *a, struct run_choice *out)
{
	struct str one, name, value;
	*out = (struct run_choice){ARENA_ARRAY(a, struct run_pair, text.n / 2 + 1), 0};
	for (bool more = text.n > 0; more;) {
		struct run_pair *p = &out->pair[out->n++];
		more = str_cut(text, ' ', &one, &text);
		if (!str_cut(one, '=', &name, &value) || name.n == 0 || value.n == 0 ||
		    !str_utf8(one))
			return false;
		*p = (struct run_pair){.name = str_dup(a, name)};
		if (!str_i64(value, &p->num))
			p->word = str_dup(a, value);
		for (size_t i = 0; i + 1 < out->n; i++)
			if (strcmp(out->pair[i].name, p->name) == 0)
				return false;
	}
	return true;
}

/* --- in words --- */

/*
 * How a name and its value are said. `one` is what a value of 1 is said as, or a word of
 * "auto"; "" leaves it out. Names without a row are said as "name value".
 */
static const struct saying {
	const char *name, *one, *before, *after;
} sayings[] = {
        {"call", NULL, "", ""},
        {"version", "", NULL, NULL}, /* stands in the record's `library` */
        {"data", "", NULL, NULL},    /* for the library itself */
        {"algorithm", NULL, "algorithm ", ""},
        {"tile", NULL, "tile ", ""},
        {"k_tile", NULL, "", " deep"},
        {"stages", "1 stage", "", " stages"},
        {"split_k", "no split-K", "split-K in ", ""},
        {"cluster", NULL, "cluster ", ""},
        {"swizzle", "swizzled", "swizzle ", ""},
        {"custom", NULL, "option ", ""},
        {"inner", NULL, "inner shape ", ""},
        {"reduction", NULL, "reduction ", ""},
        {"warps", "1 warp", "", " warps"},
};

static const struct saying *saying_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(sayings); i++)
		if (strcmp(sayings[i].name, name) == 0)
			return &sayings[i];
	return NULL;
}

static const char *say(const struct run_pair *p, struct arena *a)
{
	const struct saying *s = saying_of(p->name);
	const char *value = p->word ? p->word : arena_printf(a, "%lld", (long long)p->num);
	if (!s)
		return arena_printf(a, "%s %s", p->name, value);
	if (!s->before || (s->one && !p->word && p->num == 1))
		return s->one;
	return arena_printf(a, "%s%s%s", s->before, value, s->after);
}

const char *record_choice_words(const struct run_choice *c, struct arena *a)
{
	const char *all = "";
	for (size_t i = 0; i < c->n; i++) {
		const char *one = say(&c->pair[i], a);
		/* "cublasLtMatmul algorithm 66, tile 128x256" */
		const char *between = !*all || !*one                              ? ""
		                      : strcmp(c->pair[i].name, "algorithm") == 0 ? " "
		                                                                  : ", ";
		all = arena_printf(a, "%s%s%s", all, between, one);
	}
	return all;
}

/* --- whose --- */

const struct run_choice *record_launch_choice(const struct run_launch *l)
{
	return l->choice.n || !l->of ? &l->choice : &l->of->build.choice;
}

const struct run_choice *record_counters_choice(const struct run_counters *c)
{
	return c->choice.n || !c->of ? &c->choice : &c->of->build.choice;
}

bool record_choice_agrees(const struct run_choice *x, const struct run_choice *y)
{
	return x->n == 0 || y->n == 0 || record_choice_same(x, y);
}

/* --- in the file --- */

void record_put_choice(struct json_out *w, const struct run_choice *c)
{
	if (c->n)
		record_put_pairs(w, "choice", c->pair, c->n);
}

bool record_read_choice(struct json obj, struct arena *a, struct run_choice *c, struct err *e)
{
	struct run_choice again;
	*c = (struct run_choice){0};
	if (!json_get(obj, "choice").value)
		return true;
	return record_read_pairs(obj, "choice", a, &c->pair, &c->n, e) &&
	       (record_choice_parse(str_of(record_choice_text(c, a)), a, &again) ||
	        err_at(e, obj.at, "'choice' has a name or a word that is empty, or has a blank"));
}
