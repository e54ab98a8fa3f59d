/*
 * Roofs by data sheet and by measurement. Rule `roofed`: a measured roof of
 * bandwidth must not lie below the bandwidth that another case of the device
 * reached with the same memory and a similar mix of reads and writes.
 */
#include "site-gen/numbers/roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "lib/ways.h"
#include "site-gen/base/rules.h"

static bool is_one_way(const struct run_model *m)
{
	return m->bytes_read == 0 || m->bytes_written == 0;
}

bool roof_key(const struct run_case *c, enum metric m, char *key, size_t n)
{
	const char *unit = m == METRIC_BANDWIDTH ? c->model.level : c->model.unit;
	bool peaked = m == METRIC_BANDWIDTH || m == METRIC_THROUGHPUT || m == METRIC_RATE ||
	              m == METRIC_FLOPCLOCK;
	if (!peaked || !unit)
		return false;
	/* NVLink carries each direction by itself */
	bool way = m == METRIC_BANDWIDTH && strcmp(unit, "nvlink") == 0 && is_one_way(&c->model);
	snprintf(key, n, "%s%s", unit, m == METRIC_FLOPCLOCK ? "-clock" : way ? "_way" : "");
	return true;
}

const struct data_spec *roof_spec(const struct data *d, const struct pick *p, enum metric m)
{
	char key[32];
	/* hot data comes from a cache, with another peak; a ceiling's data exceeds any cache */
	bool beyond = strcmp(p->d->c->cache, "cold") == 0 || data_is_instrument(p->d->c->family);
	if (!roof_key(p->d->c, m, key, sizeof key) || (m == METRIC_BANDWIDTH && !beyond))
		return NULL;
	const struct data_spec *s = data_spec_find(d, str_of(p->run->run.head.device), str_of(key));
	return s && strcmp(s->si, metric_info(m)->si) == 0 ? s : NULL;
}

static double write_share(const struct run_case *c)
{
	double r = (double)c->model.bytes_read, w = (double)c->model.bytes_written;
	return r + w > 0 ? w / (r + w) : 0;
}

/* A case measured in an unusual way is a roof only of cases that were measured in the same way. */
static bool like_ways(const struct run_case *roof, const struct run_case *c)
{
	for (int i = 0; i < WAYS_COUNT; i++) {
		const struct run_pair *a = record_param(roof, ways_keys[i].name);
		const struct run_pair *b = record_param(c, ways_keys[i].name);
		if (a && !(b && a->word && b->word && strcmp(a->word, b->word) == 0))
			return false;
	}
	return true;
}

static bool same_name(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/*
 * Memory that alternates between reads and writes is slower than memory that
 * only reads, so a roof of bandwidth has a similar mix. A roof of throughput must
 * be a case made as a ceiling, since others may be bound by memory. A ceiling of a
 * level beyond the caches applies to cold data, however it was measured itself.
 */
static bool is_roof_of(const struct run_case *roof, const struct run_case *c, enum metric m)
{
	static const double LIKE_MIX = 0.1;
	bool ceiling = data_is_instrument(roof->family);
	if (!ceiling && strcmp(roof->cache, c->cache) != 0)
		return false;
	if (m == METRIC_BANDWIDTH)
		return (strcmp(c->cache, "cold") == 0 || data_is_instrument(c->family)) &&
		       same_name(roof->model.level, c->model.level) &&
		       fabs(write_share(roof) - write_share(c)) <= LIKE_MIX && like_ways(roof, c);
	return strcmp(roof->role, "ceiling") == 0 && same_name(roof->model.unit, c->model.unit) &&
	       like_ways(roof, c);
}

/* The value that number_of() gives for bandwidth or throughput; 0: none. */
static double reached(const struct data_case *d, enum metric m)
{
	return m == METRIC_BANDWIDTH ? d->bandwidth : d->throughput;
}

/* A roof must be in at least as good a state as the number, and be as current. */
static bool fits(const struct data_case *roof, const struct data_case *d)
{
	return data_case_offered(roof) && (!roof->newer || d->newer) &&
	       (roof->state <= d->state || !data_state_refused(roof->state));
}

/* Keeps `other` if it is a roof of p and higher than the best so far. */
static void try_roof(const struct pick *p, const struct pick *other, enum metric m, double *best,
                     struct pick *out)
{
	double value = reached(other->d, m); /* first, because it leaves out most cases */
	if (!(value > *best) || !is_roof_of(other->d->c, p->d->c, m) || !fits(other->d, p->d))
		return;
	*best = value;
	*out = *other;
}

/* Has any case of the device done more than `best` on the unit of p, measured in p's way? */
static bool surpassed(const struct data *d, const struct pick *p, double best)
{
	const struct run_case *c = p->d->c;
	for (size_t i = 0; i < d->nnumbers; i++) {
		const struct data_number *x = &d->numbers[i];
		const struct data_case *other = x->newest < x->nruns ? x->in[x->newest] : NULL;
		if (other && other->throughput > best &&
		    strcmp(x->device, p->run->run.head.device) == 0 &&
		    same_name(other->c->model.unit, c->model.unit) && like_ways(other->c, c))
			return true;
	}
	return false;
}

/* Of equal roofs, prefers that of p's own run, because its processes took turns with p's. */
bool roof_measured(const struct data *d, const struct pick *p, enum metric m, struct pick *out)
{
	double best = 0;
	const char *device = p->run->run.head.device;
	if (m != METRIC_BANDWIDTH && m != METRIC_THROUGHPUT)
		return false;
	for (size_t i = 0; i < p->run->run.ncases; i++)
		try_roof(p, &(struct pick){p->run, &p->run->cases[i]}, m, &best, out);
	for (size_t i = 0; i < d->nnumbers; i++) {
		const struct data_number *n = &d->numbers[i];
		if (n->newest < n->nruns && reached(n->in[n->newest], m) > best &&
		    strcmp(n->device, device) == 0)
			try_roof(p, &(struct pick){n->runs[n->newest], n->in[n->newest]}, m, &best,
			         out);
	}
	return best > 0 && !(m == METRIC_THROUGHPUT && surpassed(d, p, best));
}

bool roof_holds(const struct data *d, const struct pick *p, const struct pick *roof, enum metric m,
                struct loc at, struct err *e)
{
	struct pick best;
	struct number high, low;
	bool same_device = strcmp(roof->run->run.head.device, p->run->run.head.device) == 0;
	if (m != METRIC_BANDWIDTH || !same_device || !roof_measured(d, p, m, &best) ||
	    !number_of(&best, m, &high) || !number_of(roof, m, &low) || low.value >= high.value)
		return true;
	struct sb reached = {0}, said = {0};
	number_text(&high, &reached);
	number_text(&low, &said);
	rule_err(e, RULE_ROOFED, at,
	         "%s, with %s, is no roof of %s: %s reached %s with the same memory in run %s; "
	         "expected that one, or no roof",
	         roof->d->c->id, said.p, p->d->c->id, best.d->c->id, reached.p,
	         best.run->run.head.id);
	sb_free(&reached);
	sb_free(&said);
	return false;
}

enum metric roof_metric(const struct data *d, const struct pick *p)
{
	enum metric m = metric_headline(p->d->c);
	const struct data_spec *memory = roof_spec(d, p, METRIC_BANDWIDTH);
	const struct data_spec *unit = roof_spec(d, p, METRIC_THROUGHPUT);
	struct number intensity;
	if (m != METRIC_BANDWIDTH || !memory || !unit ||
	    !number_of(p, METRIC_INTENSITY, &intensity))
		return m;
	return intensity.value > unit->value / memory->value ? METRIC_THROUGHPUT : m;
}
