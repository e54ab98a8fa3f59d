#include "site-gen/audit/count.h"

#include <string.h>

#include "lib/units.h"
#include "lib/ways.h"

/* A count of the cases that meet these conditions. */
struct count {
	struct audit *a;
	struct str what, family, variant, run;
	const char *device;             /* as records name it; NULL if none has it */
	struct str name[16], value[16]; /* parameters, dtype, cache, role */
	size_t n;
};

static bool in_list(struct str list, struct str word, const int64_t *num)
{
	struct str item;
	for (bool more = true; more;) {
		int64_t v;
		more = str_cut(list, ',', &item, &list);
		if ((num && unit_parse_size(item, &v) && v == *num) || str_glob(item, word))
			return true;
	}
	return false;
}

static bool has_value(const struct run_case *c, struct str name, struct str want)
{
	if (str_is(name, "dtype"))
		return in_list(want, str_of(c->dtype), NULL);
	if (str_is(name, "cache"))
		return in_list(want, str_of(c->cache), NULL);
	if (str_is(name, "role"))
		return in_list(want, str_of(c->role), NULL);
	for (size_t i = 0; i < c->nparams; i++)
		if (str_is(name, c->param[i].name))
			return in_list(want, str_of(c->param[i].word),
			               c->param[i].word ? NULL : &c->param[i].num);
	const struct ways_key *way = ways_find(name);
	return way && in_list(want, str_of(way->word[0]), NULL);
}

/* Unusual ways of measuring, knobs and families of the instrument count only if they are named. */
static bool is_named(const struct count *q, const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++) {
		const char *name = c->param[i].name;
		bool named = !ways_unusual(c, i) && !record_is_knob(c, name);
		for (size_t k = 0; !named && k < q->n; k++)
			named = str_is(q->name[k], name);
		if (!named)
			return false;
	}
	return !data_is_apart(c->family) || data_names_apart(q->family);
}

static bool selects(const struct count *q, const struct run_case *c)
{
	bool ok =
	        str_glob(q->family, str_of(c->family)) && str_glob(q->variant, str_of(c->variant));
	for (size_t i = 0; ok && i < q->n; i++)
		ok = has_value(c, q->name[i], q->value[i]);
	return ok && is_named(q, c);
}

/* Adds key=value, or one more item of the previous key's list. */
static void add_condition(struct count *q, struct str part)
{
	struct str name, value;
	if (str_cut(part, '=', &name, &value) && q->n < 16) {
		if (str_is(name, "device"))
			q->device = data_device_find(q->a->data, value);
		else if (str_is(name, "run"))
			q->run = value;
		else {
			q->name[q->n] = name;
			q->value[q->n++] = value;
		}
	} else if (q->n > 0) {
		struct str *last = &q->value[q->n - 1];
		last->n = (size_t)(part.p + part.n - last->p);
	}
}

static void read_selector(struct count *q, struct str s)
{
	struct str path, conditions, part;
	bool more = str_cut(s, ':', &path, &conditions);
	if (!str_cut(path, '/', &q->family, &q->variant))
		q->variant = STR("*");
	while (more) {
		more = str_cut(conditions, ',', &part, &conditions);
		add_condition(q, part);
	}
}

/* rest -> what { ' ' word } " on " device */
static bool read_count(struct count *q, struct str rest)
{
	const char *on = NULL;
	for (size_t i = 0; i + 4 <= rest.n; i++)
		if (memcmp(rest.p + i, " on ", 4) == 0)
			on = rest.p + i;
	if (!on)
		return false;
	struct str words = str_sub(rest, 0, (size_t)(on - rest.p)), word;
	q->device = data_device_find(q->a->data, str_sub(rest, words.n + 4, rest.n));
	q->family = q->variant = STR("*");
	bool more = str_cut(words, ' ', &q->what, &words);
	for (int i = 0; more; i++) {
		more = str_cut(words, ' ', &word, &words);
		if (i == 0 && str_find(word, '=', 0) > str_find(word, ':', 0))
			read_selector(q, word);
		else if (i == 0 && str_find(word, '=', 0) == word.n)
			read_selector(q, word);
		else
			add_condition(q, word);
	}
	return true;
}

static bool in_scope(const struct count *q, const struct data_run *r)
{
	bool pinned = q->run.n && strncmp(r->run.head.id, q->run.p, q->run.n) == 0;
	return !r->why_none &&
	       (q->run.n ? pinned : q->device && strcmp(q->device, r->run.head.device) == 0);
}

/* Does this case of run i count, as the one of the newest run in scope? */
static bool stands(const struct count *q, size_t i, const struct data_case *d)
{
	const struct data *data = q->a->data;
	for (size_t k = 0; k < i; k++) {
		const struct data_run *r = &data->runs[k];
		const struct run_case *c = in_scope(q, r) ? data_run_case(r, d->c->id) : NULL;
		if (c && !q->run.n && data_case_of(r, c)->why[DATA_WITHDRAWN])
			continue; /* ignore the case */
		if (c && !(c->unavailable && !d->c->unavailable))
			return false;
	}
	return true;
}

/* The group that the count counts once, such as a family; "" if every case counts. */
static const char *group_of(const struct count *q, const struct run_case *c)
{
	struct arena *a = &q->a->records.scratch;
	return str_is(q->what, "families")   ? c->family
	       : str_is(q->what, "variants") ? arena_printf(a, "%s/%s", c->family, c->variant)
	                                     : "";
}

enum { MAX_GROUPS = 4096 };

static size_t count_case(const struct count *q, const struct audit_case *c, const char **seen,
                         size_t *nseen)
{
	if (str_is(q->what, "launches"))
		return c->time.launches;
	if (str_is(q->what, "samples"))
		return c->d->time.samples;
	const char *group = group_of(q, c->d->c);
	for (size_t i = 0; *group && i < *nseen; i++)
		if (strcmp(seen[i], group) == 0)
			return 0;
	if (*group && *nseen < MAX_GROUPS)
		seen[(*nseen)++] = group;
	return 1;
}

static size_t count_cases(const struct count *q)
{
	const char **seen = ARENA_ARRAY(&q->a->records.scratch, const char *, MAX_GROUPS);
	size_t nseen = 0, total = 0;
	for (size_t i = 0; i < q->a->data->nruns; i++) {
		const struct data_run *r = &q->a->data->runs[i];
		bool any = false, in = in_scope(q, r);
		for (size_t k = 0; in && k < r->run.ncases; k++) {
			const struct data_case *d = &r->cases[k];
			if (!selects(q, d->c) || (!q->run.n && d->why[DATA_WITHDRAWN]))
				continue;
			any = true;
			const struct audit_case *c = audit_case_of(&q->a->records, r, d);
			if (!str_is(q->what, "runs") && c->has && stands(q, i, d))
				total += count_case(q, c, seen, &nseen);
		}
		total += any && str_is(q->what, "runs");
	}
	return total;
}

bool audit_count(struct audit *a, struct str rest, size_t *n)
{
	struct count q = {.a = a};
	if (!read_count(&q, rest))
		return false;
	*n = count_cases(&q);
	return true;
}
