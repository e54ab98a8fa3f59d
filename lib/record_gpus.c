/*
 * lib/record_gpus.c - the part of a head that a run with several GPUs has: the cards, what
 * joins them, and the environment that the run needed.
 */
#include <string.h>

#include "lib/json.h"
#include "lib/record.h"

static void opt_str(struct json_out *w, const char *key, const char *s)
{
	if (s)
		json_put_str(w, key, s);
}

static void put_card(struct json_out *w, const struct run_card *c)
{
	json_open(w, NULL, '{');
	opt_str(w, "uuid", c->uuid);
	opt_str(w, "vbios", c->vbios);
	opt_str(w, "pci", c->pci);
	json_close(w, '}');
}

static void put_link(struct json_out *w, const struct run_link *l)
{
	json_open(w, NULL, '{');
	json_put_i64(w, "from", l->from);
	json_put_i64(w, "to", l->to);
	if (l->nvlink_lanes != RECORD_NONE)
		json_put_i64(w, "nvlink_lanes", l->nvlink_lanes);
	json_put_bool(w, "read", l->read);
	json_put_bool(w, "write", l->write);
	json_put_bool(w, "atomics", l->atomics);
	json_close(w, '}');
}

/* Of a run with several GPUs: the cards, what joins them, and the environment. */
void record_put_several(struct json_out *w, const struct run_head *h)
{
	if (h->ngpus == 0)
		return;
	json_open(w, "gpus", '[');
	for (size_t i = 0; i < h->ngpus; i++)
		put_card(w, &h->gpus[i]);
	json_close(w, ']');
	json_open(w, "topology", '[');
	for (size_t i = 0; i < h->ntopology; i++)
		put_link(w, &h->topology[i]);
	json_close(w, ']');
	record_put_pairs(w, "env", h->env, h->nenv);
}

static bool read_card(struct json v, struct arena *a, struct run_card *c, struct err *e)
{
	return json_opt_str(v, "uuid", a, &c->uuid, e) &&
	       json_opt_str(v, "vbios", a, &c->vbios, e) && json_opt_str(v, "pci", a, &c->pci, e);
}

/* A pair of different GPUs, both of which are among the cards. */
static bool read_link(struct json v, size_t ngpus, struct run_link *l, struct err *e)
{
	l->nvlink_lanes = RECORD_NONE;
	if (!json_want_i64(v, "from", &l->from, e) || !json_want_i64(v, "to", &l->to, e) ||
	    !json_opt_i64(v, "nvlink_lanes", &l->nvlink_lanes, e) ||
	    !json_want_bool(v, "read", &l->read, e) || !json_want_bool(v, "write", &l->write, e) ||
	    !json_want_bool(v, "atomics", &l->atomics, e))
		return false;
	bool pair = l->from >= 0 && l->to >= 0 && l->from != l->to && (size_t)l->from < ngpus &&
	            (size_t)l->to < ngpus;
	return pair || err_at(e, v.at, "'topology' names the GPUs %lld and %lld of %zu",
	                      (long long)l->from, (long long)l->to, ngpus);
}

bool record_read_several(struct json run, struct arena *a, struct run_head *h, struct err *e)
{
	struct json cards, links;
	if (!json_get(run, "gpus").value)
		return true;
	if (!json_want_arr(run, "gpus", &cards, e) || !json_want_arr(run, "topology", &links, e) ||
	    !record_read_pairs(run, "env", a, &h->env, &h->nenv, e))
		return false;
	h->ngpus = json_len(cards);
	h->ntopology = json_len(links);
	h->gpus = ARENA_ARRAY(a, struct run_card, h->ngpus);
	h->topology = ARENA_ARRAY(a, struct run_link, h->ntopology);
	if (h->ngpus < 2)
		return err_at(e, run.at, "'gpus' lists %zu, expected 2 or more", h->ngpus);
	for (size_t i = 0; i < h->ngpus; i++)
		if (!read_card(json_item(cards, i), a, &h->gpus[i], e))
			return false;
	for (size_t i = 0; i < h->ntopology; i++)
		if (!read_link(json_item(links, i), h->ngpus, &h->topology[i], e))
			return false;
	return true;
}

int64_t record_lanes(const struct run_head *h)
{
	int64_t least = h->ntopology ? INT64_MAX : RECORD_NONE;
	for (size_t i = 0; i < h->ntopology; i++)
		if (h->topology[i].nvlink_lanes < least)
			least = h->topology[i].nvlink_lanes;
	return least;
}

const char *record_cards(const struct run_head *h, size_t n, struct arena *a)
{
	const char *all = "";
	for (size_t i = 0; i < n && i < h->ngpus; i++) {
		const char *id = h->gpus[i].uuid ? h->gpus[i].uuid : "?";
		id = strncmp(id, "GPU-", 4) == 0 ? id + 4 : id;
		all = arena_printf(a, "%s%s%.*s", all, i ? ", " : "", (int)strcspn(id, "-"), id);
	}
	return all;
}
