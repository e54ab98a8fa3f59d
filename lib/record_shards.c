/*
 * lib/record_shards.c - the part of a run's head that describes the plan it belongs
 * to, and objects of names with values.
 */
#include "lib/record.h"

bool record_read_pairs(struct json obj, const char *key, struct arena *a, struct run_pair **out,
                       size_t *n, struct err *e)
{
	struct json o, v;
	const char *name;
	if (!json_want_obj(obj, key, &o, e))
		return false;
	size_t cap = 0, at = 0;
	for (; json_each(o, &at, &name, &v);)
		cap++;
	*out = ARENA_ARRAY(a, struct run_pair, cap);
	*n = cap;
	for (size_t i = 0; json_each(o, &i, &name, &v);) {
		struct run_pair *p = &(*out)[i - 1];
		struct str word;
		p->name = arena_strdup(a, name);
		if (json_as_str(v, &word))
			p->word = str_dup(a, word);
		else if (!json_as_i64(v, &p->num))
			return err_at(e, obj.at, "'%s.%s' is neither a string nor an integer", key,
			              name);
	}
	return true;
}

/* --- shards --- */

static void put_shard(struct json_out *w, const struct run_shard *s)
{
	json_open(w, NULL, '{');
	json_put_i64(w, "shard", s->shard);
	json_put_i64(w, "of", s->of);
	json_put_i64(w, "attempt", s->attempt);
	json_put_str(w, "node", s->node);
	record_put_pairs(w, "slurm", s->slurm, s->nslurm);
	if (s->sha256) {
		json_put_str(w, "id", s->id);
		json_put_str(w, "sha256", s->sha256);
		json_put_i64(w, "launches", s->launches);
	}
	json_close(w, '}');
}

void record_put_shards(struct json_out *w, const struct run_head *h)
{
	if (!h->plan_sha256)
		return;
	json_put_str(w, "plan_sha256", h->plan_sha256);
	json_open(w, "shards", '[');
	for (size_t i = 0; i < h->nshards; i++)
		put_shard(w, &h->shard[i]);
	json_close(w, ']');
}

static bool read_shard(struct json o, struct arena *a, struct run_shard *s, struct err *e)
{
	if (!json_is_object(o))
		return err_at(e, o.at, "a member of 'shards' is not an object");
	return json_want_i64(o, "shard", &s->shard, e) && json_want_i64(o, "of", &s->of, e) &&
	       json_want_i64(o, "attempt", &s->attempt, e) &&
	       json_want_str(o, "node", a, &s->node, e) &&
	       record_read_pairs(o, "slurm", a, &s->slurm, &s->nslurm, e) &&
	       (!json_get(o, "sha256").value || (json_want_str(o, "id", a, &s->id, e) &&
	                                         json_want_str(o, "sha256", a, &s->sha256, e) &&
	                                         json_want_i64(o, "launches", &s->launches, e)));
}

bool record_read_shards(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json all;
	if (!json_get(run, "plan_sha256").value)
		return true;
	if (!json_want_str(run, "plan_sha256", a, &h->plan_sha256, e) ||
	    !json_want_arr(run, "shards", &all, e))
		return false;
	h->nshards = json_len(all);
	h->shard = ARENA_ARRAY(a, struct run_shard, h->nshards);
	for (size_t i = 0; i < h->nshards; i++)
		if (!read_shard(json_item(all, i), a, &h->shard[i], e))
			return false;
	return true;
}

bool record_is_shard(const struct run_head *h)
{
	return h->plan_sha256 && h->nshards == 1 && !h->shard[0].sha256;
}
