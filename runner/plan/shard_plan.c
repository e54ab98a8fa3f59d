#include "runner/plan/shard_plan.h"

#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/json.h"
#include "runner/plan/plan.h"

enum { MAX_BYTES = 16 << 20 };

/* --- writing --- */

static void put_words(struct json_out *w, const char *key, const char *const *word, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_str(w, NULL, word[i]);
	json_close(w, ']');
}

bool shard_plan_write(const char *path, const struct shard_plan *p, struct err *e)
{
	struct sb text = {0};
	struct json_out w = json_to(&text);
	if (file_exists(path))
		return err_set(e, "%s: exists; a plan is written once", path);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", "plan");
	json_put_str(&w, "schema", SHARD_PLAN_SCHEMA);
	json_put_str(&w, "device", p->device);
	if (p->reason)
		json_put_str(&w, "reason", p->reason);
	json_put_str(&w, "by", p->by_family ? "family" : "launch");
	json_put_i64(&w, "shards", p->shards);
	json_put_i64(&w, "launches", p->launches);
	json_put_i64(&w, "rng_seed", p->seed);
	put_words(&w, "selectors", p->selector, p->nselectors);
	put_words(&w, "cases", p->id, p->ncases);
	put_words(&w, "null_controls", p->null, p->nnulls);
	json_close(&w, '}');
	sb_char(&text, '\n');
	bool ok = file_write(path, sb_view(&text), e);
	sb_free(&text);
	return ok;
}

/* --- reading --- */

static bool read_words(struct json o, const char *key, struct arena *a, const char ***out,
                       size_t *n, struct err *e)
{
	struct json all;
	struct str s;
	if (!json_want_arr(o, key, &all, e))
		return false;
	*n = json_len(all);
	*out = ARENA_ARRAY(a, const char *, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		if (!json_as_str(json_item(all, i), &s))
			return err_at(e, o.at, "'%s[%zu]' is not a string", key, i);
		(*out)[i] = str_dup(a, s);
	}
	return true;
}

static bool one_of(struct json o, const char *key, const char *word, const char *x, const char *y,
                   struct err *e)
{
	return strcmp(word, x) == 0 || strcmp(word, y) == 0 ||
	       err_at(e, o.at, "'%s' is '%s', expected '%s' or '%s'", key, word, x, y);
}

static bool check(struct json o, const struct shard_plan *p, const char *schema, struct err *e)
{
	if (strcmp(schema, SHARD_PLAN_SCHEMA) != 0)
		return err_at(e, o.at, "schema '%s', expected '%s'", schema, SHARD_PLAN_SCHEMA);
	if (p->launches < 1 || p->launches > SETTINGS_MAX_LAUNCHES)
		return err_at(e, o.at, "'launches' is %lld, expected 1 to %d",
		              (long long)p->launches, SETTINGS_MAX_LAUNCHES);
	int64_t most = p->by_family ? (int64_t)shard_plan_families(p) : p->launches;
	if (p->shards < 1 || p->shards > most)
		return err_at(e, o.at, "'shards' is %lld, expected 1 to the number of %s, %lld",
		              (long long)p->shards, p->by_family ? "families" : "launches",
		              (long long)most);
	return p->ncases || err_at(e, o.at, "'cases' is empty");
}

static bool read_plan(struct json o, struct arena *a, struct shard_plan *p, struct err *e)
{
	const char *schema, *by;
	if (!json_is_object(o))
		return err_at(e, o.at, "not an object, expected a plan of 'runner plan'");
	if (!json_want_str(o, "schema", a, &schema, e) ||
	    !json_want_str(o, "device", a, &p->device, e) ||
	    !one_of(o, "device", p->device, "cuda", "cpu", e) ||
	    !json_opt_str(o, "reason", a, &p->reason, e) || !json_want_str(o, "by", a, &by, e) ||
	    !one_of(o, "by", by, "launch", "family", e) ||
	    !json_want_i64(o, "shards", &p->shards, e) ||
	    !json_want_i64(o, "launches", &p->launches, e) ||
	    !json_want_i64(o, "rng_seed", &p->seed, e) ||
	    !read_words(o, "selectors", a, &p->selector, &p->nselectors, e) ||
	    !read_words(o, "cases", a, &p->id, &p->ncases, e) ||
	    !read_words(o, "null_controls", a, &p->null, &p->nnulls, e))
		return false;
	p->by_family = strcmp(by, "family") == 0;
	return check(o, p, schema, e);
}

bool shard_plan_read(const char *path, struct arena *a, struct shard_plan *out, struct err *e)
{
	struct json_doc *doc = NULL;
	struct json root;
	struct str bytes;
	*out = (struct shard_plan){0};
	if (!file_read(path, MAX_BYTES, a, &bytes, e))
		return false;
	hash_sha256(bytes, out->sha256);
	bool ok = json_parse(bytes, (struct loc){path, 1, 0}, &doc, &root, e) &&
	          read_plan(root, a, out, e);
	json_free(doc);
	return ok;
}

/* --- shards --- */

static bool same_family(const char *x, const char *y)
{
	size_t n = strcspn(x, "/");
	return n == strcspn(y, "/") && strncmp(x, y, n) == 0;
}

/* Number of case k's family, counted in the plan's order; *first: k is the family's first case. */
static size_t family_number(const struct shard_plan *p, size_t k, bool *first)
{
	size_t n = 0;
	*first = true;
	for (size_t i = 0; i < k; i++) {
		bool seen = false;
		for (size_t j = 0; j < i; j++)
			seen |= same_family(p->id[i], p->id[j]);
		if (same_family(p->id[i], p->id[k])) {
			*first = false;
			return n;
		}
		n += !seen;
	}
	return n;
}

size_t shard_plan_families(const struct shard_plan *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->ncases; i++) {
		bool first;
		family_number(p, i, &first);
		n += first;
	}
	return n;
}

bool shard_plan_has(const struct shard_plan *p, int64_t shard, int64_t launch)
{
	return p->by_family || launch % p->shards == shard - 1;
}

bool shard_plan_has_case(const struct shard_plan *p, int64_t shard, const char *id)
{
	bool first;
	for (size_t i = 0; p->by_family && i < p->ncases; i++)
		if (same_family(p->id[i], id))
			return (int64_t)family_number(p, i, &first) % p->shards == shard - 1;
	return !p->by_family;
}

/* --- launches in a run --- */

size_t shard_plan_records(const struct run *r, int64_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < r->nlaunches; k++)
		n += r->launches[k].i == i;
	for (size_t k = 0; k < r->nnull_launches; k++)
		n += r->null_launches[k].i == i;
	return n;
}

bool shard_plan_whole(const struct run *r, int64_t i)
{
	size_t can = 0;
	for (size_t k = 0; k < r->ncases; k++)
		can += r->cases[k].unavailable == NULL;
	for (size_t k = 0; k < r->nnulls; k++)
		can += r->nulls[k].unavailable == NULL;
	return can > 0 && shard_plan_records(r, i) == can;
}
