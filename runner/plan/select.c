#include "runner/plan/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernels/knob.h"
#include "lib/units.h"
#include "lib/ways.h"

enum { NEAR = 4 }; /* most edits between a name and a plausible misspelling of it */

/* Candidates for "did you mean", best first. */
struct nearest {
	struct str want;
	const char *name[3];
	size_t distance[3];
	size_t n;
};

static void nearest_offer(struct nearest *near, const char *name)
{
	size_t d = str_distance(near->want, str_of(name), NEAR);
	for (size_t i = 0; i < near->n; i++)
		if (strcmp(near->name[i], name) == 0)
			return;
	size_t i = near->n < 3 ? near->n++ : 3;
	for (; i > 0 && d < near->distance[i - 1]; i--)
		if (i < 3) {
			near->name[i] = near->name[i - 1];
			near->distance[i] = near->distance[i - 1];
		}
	if (i < 3) {
		near->name[i] = name;
		near->distance[i] = d;
	}
}

/* Fails with the nearest names. `where` names what was searched: a table's file, or families. */
static bool nearest_fail(const struct nearest *near, const char *what, const char *where,
                         struct str selector, struct err *e)
{
	struct sb list = {0};
	for (size_t i = 0; i < near->n; i++)
		sb_printf(&list, "%s%s", i ? ", " : "", near->name[i]);
	err_set(e, "selector '" STR_FMT "': no %s '" STR_FMT "' in %s; nearest: %s",
	        STR_ARG(selector), what, STR_ARG(near->want), where, list.p ? list.p : "none");
	sb_free(&list);
	return false;
}

static bool family_exists(const struct selector *s, struct err *e)
{
	struct nearest near = {.want = s->family};
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++) {
		if (str_glob(s->family, str_of(f[i]->id)))
			return true;
		nearest_offer(&near, f[i]->id);
	}
	return nearest_fail(&near, "family", "kernels/families.c", s->text, e);
}

static bool variant_exists(const struct selector *s, struct err *e)
{
	struct nearest near = {.want = s->variant};
	const char *where = NULL;
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++) {
		if (!str_glob(s->family, str_of(f[i]->id)))
			continue;
		where = where ? "these families" : f[i]->file;
		for (size_t j = 0; j < f[i]->nvariants; j++) {
			if (str_glob(s->variant, str_of(f[i]->variants[j].id)))
				return true;
			nearest_offer(&near, f[i]->variants[j].id);
		}
	}
	return nearest_fail(&near, "variant", where, s->text, e);
}

/* True if a variant that the selector means has this knob; offers those that there are. */
static bool knob_exists(const struct selector *s, struct str key, struct nearest *near)
{
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < f[i]->nvariants; j++) {
			const struct kernel_variant *v = &f[i]->variants[j];
			const struct kernel_knob *k = kernel_knob_of(f[i], v);
			if (!k || !str_glob(s->family, str_of(f[i]->id)) ||
			    !str_glob(s->variant, str_of(v->id)))
				continue;
			if (str_is(key, k->name))
				return true;
			nearest_offer(near, k->name);
		}
	return false;
}

static bool param_exists(const struct selector *s, struct str key, struct err *e)
{
	struct nearest near = {.want = key};
	const char *where = NULL;
	if (str_is(key, "dtype") || way_word(&(struct way){0}, key))
		return true;
	size_t n;
	const struct kernel_family *const *f = kernel_families(&n);
	for (size_t i = 0; i < n; i++) {
		if (!str_glob(s->family, str_of(f[i]->id)))
			continue;
		where = where ? "these families" : f[i]->file;
		for (size_t j = 0; j < f[i]->ncases; j++)
			for (int k = 0; k < f[i]->cases[j].nparams; k++) {
				if (str_is(key, f[i]->cases[j].param[k].name))
					return true;
				nearest_offer(&near, f[i]->cases[j].param[k].name);
			}
	}
	if (knob_exists(s, key, &near))
		return true;
	nearest_offer(&near, "dtype");
	nearest_offer(&near, "cache");
	return nearest_fail(&near, "parameter", where, s->text, e);
}

/* Position of the next ',' outside braces; the length of s if there is none. */
static size_t next_comma(struct str s)
{
	int depth = 0;
	for (size_t i = 0; i < s.n; i++) {
		depth += s.p[i] == '{';
		depth -= s.p[i] == '}';
		if (s.p[i] == ',' && depth == 0)
			return i;
	}
	return s.n;
}

static bool add_want(struct selector *s, struct str key, struct str value, struct err *e)
{
	if (s->nwants == SELECT_MAX_WANTS)
		return err_set(e, "selector '" STR_FMT "': more than %d conditions",
		               STR_ARG(s->text), SELECT_MAX_WANTS);
	s->want[s->nwants].key = key;
	s->want[s->nwants++].value = value;
	return true;
}

bool select_add(struct selector *s, const char *key, const char *value, struct err *e)
{
	return add_want(s, str_of(key), str_of(value), e);
}

/* param "=" value { "," param "=" value } */
static bool parse_wants(struct selector *s, struct str rest, struct err *e)
{
	while (rest.n > 0) {
		size_t end = next_comma(rest);
		struct str part = str_sub(rest, 0, end), key, value;
		rest = str_sub(rest, end + 1, rest.n);
		if (!str_cut(part, '=', &key, &value) || !key.n || !value.n)
			return err_set(
			        e, "selector '" STR_FMT "': expected name=value, not '" STR_FMT "'",
			        STR_ARG(s->text), STR_ARG(part));
		if (!add_want(s, key, value, e))
			return false;
	}
	return true;
}

bool select_read(const char *text, struct selector *out, struct err *e)
{
	struct str head, wants, family, variant;
	*out = (struct selector){.text = str_of(text)};
	bool conditions = str_cut(out->text, ':', &head, &wants);
	bool named = str_cut(head, '/', &family, &variant);
	bool bare =
	        !conditions && str_find(head, '=', 0) < head.n; /* "n=5" as a separate argument */
	if (!family.n || (named && !variant.n) || (conditions && !wants.n) || bare)
		return err_set(e, "selector '%s': expected family/variant:param=value,...", text);
	out->family = family;
	out->variant = named ? variant : STR("*");
	return !conditions || parse_wants(out, wants, e);
}

bool select_parse(const char *text, struct selector *out, struct err *e)
{
	if (!select_read(text, out, e) || !family_exists(out, e) || !variant_exists(out, e))
		return false;
	for (size_t i = 0; i < out->nwants; i++)
		if (!param_exists(out, out->want[i].key, e))
			return false;
	return true;
}

/* `want` is a number, a glob over decimal digits, or a list of those in braces. */
static bool number_matches(struct str want, int64_t have)
{
	int64_t n;
	if (str_starts(want, "{") && str_ends(want, "}")) {
		struct str rest = str_sub(want, 1, want.n - 1), one;
		bool more = true, hit = false;
		while (more && !hit) {
			more = str_cut(rest, ',', &one, &rest);
			hit = number_matches(one, have);
		}
		return hit;
	}
	if (unit_parse_size(want, &n))
		return n == have;
	char text[24];
	snprintf(text, sizeof text, "%" PRId64, have);
	return str_glob(want, str_of(text));
}

static bool want_matches(struct str key, struct str value, const struct kernel_case *c,
                         const struct way *w)
{
	const char *word = way_word(w, key);
	if (str_is(key, "dtype"))
		return str_glob(value, str_of(kernel_dtype_name(c->dtype)));
	if (word)
		return str_glob(value, str_of(word));
	for (int i = 0; i < c->nparams; i++) {
		const struct kernel_param *p = &c->param[i];
		if (!str_is(key, p->name))
			continue;
		return p->word ? str_glob(value, str_of(p->word)) : number_matches(value, p->num);
	}
	return false;
}

bool select_matches(const struct selector *s, const struct kernel_family *f,
                    const struct kernel_variant *v, const struct kernel_case *c,
                    const struct way *w)
{
	if (!str_glob(s->family, str_of(f->id)) || !str_glob(s->variant, str_of(v->id)))
		return false;
	for (size_t i = 0; i < s->nwants; i++)
		if (!want_matches(s->want[i].key, s->want[i].value, c, w))
			return false;
	return true;
}

bool select_value(const struct selector *s, const char *key, struct str *out)
{
	for (size_t i = 0; i < s->nwants; i++)
		if (str_is(s->want[i].key, key)) {
			*out = s->want[i].value;
			return true;
		}
	return false;
}

bool select_names(const struct selector *s, const char *key)
{
	struct str ignored;
	return select_value(s, key, &ignored);
}

bool select_is_id(const struct selector *s, const struct kernel_case *c)
{
	bool all = select_names(s, "dtype") && select_names(s, "cache");
	for (int i = 0; i < c->nparams; i++)
		all = all && select_names(s, c->param[i].name);
	return all;
}

static bool want_means(struct str key, struct str value, const struct run_case *c)
{
	if (str_is(key, "dtype"))
		return str_glob(value, str_of(c->dtype));
	if (str_is(key, "cache"))
		return str_glob(value, str_of(c->cache));
	for (size_t i = 0; i < c->nparams; i++) {
		const struct run_pair *p = &c->param[i];
		if (str_is(key, p->name))
			return p->word ? str_glob(value, str_of(p->word))
			               : number_matches(value, p->num);
	}
	const char *usual = way_word(&(struct way){0}, key);
	return usual && str_glob(value, str_of(usual));
}

/* An unusual way must be named: a case's id means the usual way for all that it omits. */
static bool unusual_are_named(const struct selector *s, const struct run_case *c)
{
	const struct way usual = {0};
	bool id = select_names(s, "dtype") && select_names(s, "cache");
	for (size_t i = 0; i < c->nparams && id; i++)
		id = select_names(s, c->param[i].name) ||
		     way_word(&usual, str_of(c->param[i].name));
	for (size_t i = 0; i < c->nparams && id; i++)
		if (!select_names(s, c->param[i].name))
			return false;
	return true;
}

bool select_means(const struct selector *s, const struct run_case *c)
{
	if (!str_glob(s->family, str_of(c->family)) || !str_glob(s->variant, str_of(c->variant)))
		return false;
	for (size_t i = 0; i < s->nwants; i++)
		if (!want_means(s->want[i].key, s->want[i].value, c))
			return false;
	return unusual_are_named(s, c);
}
