/*
 * lib/record_trace.c - `trace` records: time stamps from inside the kernels of one call. A list
 * of structs is written as a list for each member, which is shorter.
 */
#include "lib/record_trace.h"

#include <string.h>

#include "lib/array.h"
#include "lib/json.h"

enum { MOST_BLOCKS = 1 << 24 };

/* A member of a struct in a list, by its place. */
struct column {
	const char *name;
	size_t at;
	int64_t least; /* the smallest value that it may have */
};

#define COLUMN(type, member, least)                           \
	{                                                     \
#member, offsetof(struct type, member), least \
	}

static const struct column clock_columns[] = {
        COLUMN(run_trace_clock, sm, 0),
        COLUMN(run_trace_clock, before_ns, 0),
        COLUMN(run_trace_clock, after_ns, 1),
        COLUMN(run_trace_clock, cycles, 1),
};

static const struct column ring_columns[] = {
        COLUMN(run_trace_ring, clock, 0),  COLUMN(run_trace_ring, block, 0),
        COLUMN(run_trace_ring, role, 0),   COLUMN(run_trace_ring, member, 0),
        COLUMN(run_trace_ring, begin, 0),  COLUMN(run_trace_ring, end, 0),
        COLUMN(run_trace_ring, stamps, 0),
};

/* --- writing --- */

static void put_numbers(struct json_out *w, const char *key, const int64_t *x, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_i64(w, NULL, x[i]);
	json_close(w, ']');
}

/* Differences to the number before, which are short. */
static void put_steps(struct json_out *w, const char *key, const int64_t *x, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_i64(w, NULL, i ? x[i] - x[i - 1] : x[i]);
	json_close(w, ']');
}

static void put_names(struct json_out *w, const char *key, const char *const *x, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_str(w, NULL, x[i]);
	json_close(w, ']');
}

static void put_columns(struct json_out *w, const char *key, const struct column *c,
                        size_t ncolumns, const void *list, size_t size, size_t n)
{
	json_open(w, key, '{');
	for (size_t k = 0; k < ncolumns; k++) {
		json_open(w, c[k].name, '[');
		for (size_t i = 0; i < n; i++) {
			int64_t v;
			memcpy(&v, (const char *)list + i * size + c[k].at, sizeof v);
			json_put_i64(w, NULL, v);
		}
		json_close(w, ']');
	}
	json_close(w, '}');
}

static void put_kept(struct json_out *w, const struct run_trace *t)
{
	json_open(w, "kept", '[');
	for (size_t i = 0; i < t->nkept; i++) {
		const struct run_trace_stamps *s = &t->kept[i];
		json_open(w, NULL, '{');
		json_put_i64(w, "ring", (int64_t)s->ring);
		put_steps(w, "cycles", s->cycles, s->n);
		put_numbers(w, "what", s->what, s->n);
		put_steps(w, "step", s->step, s->n);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void put_stamps(struct json_out *w, const struct run_trace *t)
{
	if (t->code_sha256)
		json_put_str(w, "code_sha256", t->code_sha256);
	json_put_f64(w, "error", t->error);
	json_put_i64(w, "looked_at", t->looked_at);
	put_numbers(w, "plain_ns", t->plain_ns, t->nplain);
	put_numbers(w, "traced_ns", t->traced_ns, t->ntraced);
	json_put_i64(w, "room", t->room);
	json_put_i64(w, "tick_ns", t->tick_ns);
	put_names(w, "roles", t->role, t->nroles);
	put_names(w, "events", t->event, t->nevents);
	put_columns(w, "clocks", clock_columns, ARRAY_LEN(clock_columns), t->clock,
	            sizeof *t->clock, t->nclocks);
	put_columns(w, "rings", ring_columns, ARRAY_LEN(ring_columns), t->ring, sizeof *t->ring,
	            t->nrings);
	put_numbers(w, "counts", t->count, t->ncounts);
	put_kept(w, t);
}

void record_trace_put(struct sb *to, const struct run_trace *t)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "type", "trace");
	json_put_i64(&w, "case", (int64_t)t->of->number);
	if (t->unavailable)
		json_put_str(&w, "unavailable", t->unavailable);
	else
		put_stamps(&w, t);
	json_close(&w, '}');
	sb_char(to, '\n');
}

/* --- reading --- */

static bool read_names(struct json v, const char *key, struct arena *a, const char ***out,
                       size_t *n, struct err *e)
{
	struct json list;
	if (!json_want_arr(v, key, &list, e))
		return false;
	*n = json_len(list);
	*out = ARENA_ARRAY(a, const char *, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		struct str s;
		if (!json_as_str(json_item(list, i), &s))
			return err_at(e, v.at, "'%s' has a member that is no text", key);
		(*out)[i] = str_dup(a, s);
	}
	return true;
}

/* Reads a list of structs of `size` bytes; its columns are of one length. */
static bool read_columns(struct json v, const char *key, const struct column *c, size_t ncolumns,
                         size_t size, struct arena *a, void **out, size_t *n, struct err *e)
{
	struct json o;
	if (!json_want_obj(v, key, &o, e))
		return false;
	for (size_t k = 0; k < ncolumns; k++) {
		int64_t *x;
		size_t m;
		if (!json_want_i64s(o, c[k].name, a, &x, &m, e))
			return false;
		if (k == 0) {
			*n = m;
			*out = arena_array(a, m + 1, size);
		}
		if (m != *n)
			return err_at(e, v.at, "'%s.%s' has %zu numbers, expected %zu", key,
			              c[k].name, m, *n);
		for (size_t i = 0; i < m; i++) {
			if (x[i] < c[k].least)
				return err_at(e, v.at, "'%s.%s' has %lld, expected at least %lld",
				              key, c[k].name, (long long)x[i],
				              (long long)c[k].least);
			memcpy((char *)*out + i * size + c[k].at, &x[i], sizeof x[i]);
		}
	}
	return true;
}

/* From differences to numbers. False if one would be out of reach or below 0. */
static bool add_up(int64_t *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (__builtin_add_overflow(x[i], x[i - 1], &x[i]))
			return false;
	for (size_t i = 0; i < n; i++)
		if (x[i] < 0)
			return false;
	return true;
}

static bool read_stamps(struct json v, struct arena *a, const struct run_trace *t,
                        struct run_trace_stamps *s, struct err *e)
{
	int64_t ring;
	size_t nwhat, nstep;
	if (!json_want_i64(v, "ring", &ring, e) ||
	    !json_want_i64s(v, "cycles", a, &s->cycles, &s->n, e) ||
	    !json_want_i64s(v, "what", a, &s->what, &nwhat, e) ||
	    !json_want_i64s(v, "step", a, &s->step, &nstep, e))
		return false;
	if (ring < 0 || (uint64_t)ring >= t->nrings || nwhat != s->n || nstep != s->n ||
	    (int64_t)s->n > t->ring[ring].stamps || !add_up(s->cycles, s->n) ||
	    !add_up(s->step, s->n))
		return err_at(e, v.at, "stamps of ring %lld do not fit to it", (long long)ring);
	for (size_t i = 0; i < s->n; i++)
		if (s->what[i] < 0 || (uint64_t)s->what[i] >= RECORD_TRACE_KINDS * t->nevents)
			return err_at(e, v.at, "a stamp of unknown kind %lld",
			              (long long)s->what[i]);
	s->ring = (size_t)ring;
	return true;
}

static bool read_kept(struct json v, struct arena *a, struct run_trace *t, struct err *e)
{
	struct json list;
	if (!json_want_arr(v, "kept", &list, e))
		return false;
	t->nkept = json_len(list);
	t->kept = ARENA_ARRAY(a, struct run_trace_stamps, t->nkept + 1);
	for (size_t i = 0; i < t->nkept; i++) {
		struct json one = json_item(list, i);
		one.at = v.at;
		if (!read_stamps(one, a, t, &t->kept[i], e))
			return false;
	}
	return true;
}

static bool check_rings(struct json v, const struct run_trace *t, struct err *e)
{
	for (size_t i = 0; i < t->nrings; i++) {
		const struct run_trace_ring *r = &t->ring[i];
		if ((uint64_t)r->clock >= t->nclocks || (uint64_t)r->role >= t->nroles ||
		    r->end < r->begin)
			return err_at(e, v.at, "ring %zu does not fit to 'clocks' and 'roles'", i);
		if (r->block >= MOST_BLOCKS || r->member > UINT32_MAX || r->stamps > UINT32_MAX)
			return err_at(e, v.at, "ring %zu has a number that no GPU gives", i);
	}
	for (size_t i = 0; i < t->nclocks; i++)
		if (t->clock[i].after_ns <= t->clock[i].before_ns)
			return err_at(e, v.at, "the timer stands still on SM %lld",
			              (long long)t->clock[i].sm);
	return t->ncounts == t->nrings * t->nevents ||
	       err_at(e, v.at, "%zu counts, expected one for each ring and event", t->ncounts);
}

bool record_trace_read(struct json v, struct arena *a, struct run_trace *t, struct err *e)
{
	void *clock = NULL, *ring = NULL;
	*t = (struct run_trace){0};
	if (!json_opt_str(v, "unavailable", a, &t->unavailable, e))
		return false;
	if (t->unavailable)
		return true;
	if (!json_opt_str(v, "code_sha256", a, &t->code_sha256, e) ||
	    (t->code_sha256 && !record_want_hex(v, "code_sha256", t->code_sha256, 64, e)) ||
	    !json_want_f64(v, "error", &t->error, e) ||
	    !json_want_i64(v, "looked_at", &t->looked_at, e) ||
	    !json_want_i64s(v, "plain_ns", a, &t->plain_ns, &t->nplain, e) ||
	    !json_want_i64s(v, "traced_ns", a, &t->traced_ns, &t->ntraced, e) ||
	    !json_want_i64(v, "room", &t->room, e) ||
	    !json_want_i64(v, "tick_ns", &t->tick_ns, e) ||
	    !read_names(v, "roles", a, &t->role, &t->nroles, e) ||
	    !read_names(v, "events", a, &t->event, &t->nevents, e) ||
	    !read_columns(v, "clocks", clock_columns, ARRAY_LEN(clock_columns), sizeof *t->clock, a,
	                  &clock, &t->nclocks, e) ||
	    !read_columns(v, "rings", ring_columns, ARRAY_LEN(ring_columns), sizeof *t->ring, a,
	                  &ring, &t->nrings, e) ||
	    !json_want_i64s(v, "counts", a, &t->count, &t->ncounts, e))
		return false;
	t->clock = clock;
	t->ring = ring;
	return check_rings(v, t, e) && read_kept(v, a, t, e);
}

const struct run_trace *record_trace(const struct run *r, const struct run_case *c)
{
	for (size_t i = 0; i < r->ntraces; i++)
		if (r->traces[i].of == c)
			return &r->traces[i];
	return NULL;
}
