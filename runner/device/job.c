#include "runner/device/job.h"

#include <assert.h>
#include <string.h>

enum { FAR_PIECE = 4096 };

/* Places a zone at *p, moves *p past it, and notes its two guards, filled with `byte`. */
static void *place_zone(struct job *j, char **p, size_t bytes, int byte)
{
	char *base = *p + GUARD_BYTES, *end = *p + footprint_zone(bytes);
	j->guard[j->nguard++] = (struct zone){*p, GUARD_BYTES, byte};
	j->guard[j->nguard++] = (struct zone){base + bytes, (size_t)(end - base) - bytes, byte};
	*p = end;
	return base;
}

/* Notes the guard behind all sets, in pieces, since one thread block checks each piece. */
static void place_far(struct job *j, char *p)
{
	for (size_t at = 0; at < FAR_BYTES; at += FAR_PIECE)
		j->guard[j->nguard++] = (struct zone){p + at, FAR_PIECE, GUARD_BYTE};
}

/* Places a set's buffers and scratch on a GPU. */
static void place_set(struct job *j, size_t set, int gpu, char **p)
{
	void **at = j->ptr[set * (size_t)j->gpus + (size_t)gpu];
	for (size_t b = 0; b < j->nbuf; b++)
		if (kernel_has(&j->buf[b], gpu))
			at[b] = place_zone(j, p, footprint_buffer(&j->buf[b]),
			                   j->buf[b].access == KERNEL_OUT ? GUARD_BYTE
			                                                  : GUARD_IN_BYTE);
	at[j->nbuf] = place_zone(j, p, j->it->scratch_bytes, GUARD_BYTE);
}

int job_place(struct job *j, struct device *d, const struct item *it, size_t sets, struct arena *a)
{
	*j = (struct job){.it = it, .d = d, .sets = sets, .gpus = kernel_gpus(it->kcase)};
	const size_t gpus = (size_t)j->gpus;
	j->nbuf = it->family->buffers(it->kcase, j->buf);
	assert(gpus <= (size_t)(d->gpus > 1 ? d->gpus : 1));
	assert(sets * it->set_bytes + FAR_BYTES <= d->size);

	j->ptr = arena_array(a, sets * gpus, sizeof *j->ptr);
	j->state = ARENA_ARRAY(a, void *, sets);
	j->guard =
	        ARENA_ARRAY(a, struct zone,
	                    gpus * (2 * sets * (KERNEL_MAX_BUFFERS + 1) + FAR_BYTES / FAR_PIECE));
	for (int g = 0; g < j->gpus; g++) {
		char *p = d->mem[g];
		for (size_t s = 0; s < sets; s++)
			place_set(j, s, g, &p);
		place_far(j, p);
	}
	int rc = d->backend->mark(d, j->guard, j->nguard);
	for (size_t k = 0; k < sets * gpus && !rc && it->scratch_bytes; k++)
		rc = d->backend->set(d, j->ptr[k][j->nbuf], 0, it->scratch_bytes);
	return rc;
}

/* What is done with each buffer of a set. */
struct visit {
	struct job *j;
	size_t set, from, part;
	uint64_t seed;
	size_t *sum;
};

/* Calls `each` for the buffers of a set with this access, GPU by GPU, until one fails. */
static int visit(struct visit v, enum kernel_access access,
                 int (*each)(const struct visit *v, int gpu, size_t b))
{
	int rc = 0;
	for (int g = 0; g < v.j->gpus; g++)
		for (size_t b = 0; b < v.j->nbuf && !rc; b++)
			if (v.j->buf[b].access == access && kernel_has(&v.j->buf[b], g))
				rc = each(&v, g, b);
	return rc;
}

/* Fills the first count / part elements of an input. */
static int fill_one(const struct visit *v, int gpu, size_t b)
{
	struct kernel_buffer first = v->j->buf[b];
	first.count /= v->part;
	return v->j->d->backend->fill(v->j->d, job_buffer(v->j, v->set, gpu, b), &first, v->seed,
	                              kernel_gpu_input(gpu, (unsigned)b));
}

int job_fill(struct job *j, size_t set, uint64_t seed)
{
	return visit((struct visit){.j = j, .set = set, .seed = seed, .part = 1}, KERNEL_IN,
	             fill_one);
}

int job_fill_head(struct job *j, size_t set, uint64_t seed)
{
	return visit((struct visit){.j = j, .set = set, .seed = seed, .part = 2}, KERNEL_IN,
	             fill_one);
}

static int copy_one(const struct visit *v, int gpu, size_t b)
{
	return v->j->d->backend->copy(v->j->d, job_buffer(v->j, v->set, gpu, b),
	                              job_buffer(v->j, v->from, gpu, b),
	                              footprint_buffer(&v->j->buf[b]));
}

int job_copy(struct job *j, size_t to, size_t from)
{
	return visit((struct visit){.j = j, .set = to, .from = from}, KERNEL_IN, copy_one);
}

static int poison_one(const struct visit *v, int gpu, size_t b)
{
	const struct kernel_buffer *buf = &v->j->buf[b];
	return v->j->d->backend->set(v->j->d, job_buffer(v->j, v->set, gpu, b),
	                             kernel_dtype_poison(buf->dtype), footprint_buffer(buf));
}

/* What a variant owns of a set's result; NULL: nothing, or it is not prepared. */
static const struct kernel_result *result_of(const struct job *j, size_t set)
{
	return j->it->variant->owns_result && set < j->prepared ? j->state[set] : NULL;
}

int job_poison(struct job *j, size_t set)
{
	const struct kernel_result *own = result_of(j, set);
	int rc = visit((struct visit){.j = j, .set = set}, KERNEL_OUT, poison_one);
	return own && !rc ? own->spoil(j->state[set], &j->d->env) : rc;
}

int job_poison_all(struct job *j)
{
	int rc = 0;
	for (size_t s = 0; s < j->sets && !rc; s++)
		rc = job_poison(j, s);
	return rc;
}

const char *job_prepare(struct job *j)
{
	const struct kernel_variant *v = j->it->variant;
	const char *why = NULL;
	if (j->d->backend->call)
		return NULL;
	for (; v->prepare && !why && j->prepared < j->sets; j->prepared += !why)
		why = v->prepare(j->it->kcase, &j->d->env, j->ptr[j->prepared * (size_t)j->gpus],
		                 &j->state[j->prepared]);
	return why;
}

const char *job_chosen(const struct job *j)
{
	const struct kernel_variant *v = j->it->variant;
	const char *chosen = NULL;
	if (v->chooses == KERNEL_CHOOSES_NOTHING)
		return NULL;
	if (j->d->backend->call)
		chosen = j->d->backend->chosen ? j->d->backend->chosen(j->d, j->it) : NULL;
	else if (v->chosen && j->prepared)
		chosen = v->chosen(j->state[0]);
	return chosen && chosen[0] ? chosen : NULL;
}

void job_release(struct job *j)
{
	for (; j->prepared > 0; j->prepared--)
		if (j->it->variant->release)
			j->it->variant->release(j->state[j->prepared - 1]);
}

int job_settle(struct job *j)
{
	bool ordered = j->gpus == 1 || (j->it->kcase->use & KERNEL_MEETS);
	return ordered ? 0 : j->d->backend->finish(j->d);
}

int job_collect(struct job *j, size_t set)
{
	const struct kernel_result *own = result_of(j, set);
	int rc = job_settle(j);
	return own && !rc ? own->collect(j->state[set], &j->d->env, j->ptr[set * (size_t)j->gpus])
	                  : rc;
}

int job_call(struct job *j)
{
	size_t s = j->calls++ % j->sets;
	if (j->d->backend->call)
		return j->d->backend->call(j->d, j, s);
	return j->it->variant->launch(j->it->kcase, &j->d->env, j->ptr[s * (size_t)j->gpus],
	                              j->state[s]);
}

static int changed_one(const struct visit *v, int gpu, size_t b)
{
	size_t n = 0;
	int rc = v->j->d->backend->changed(v->j->d, job_buffer(v->j, v->set, gpu, b), &v->j->buf[b],
	                                   v->seed, kernel_gpu_input(gpu, (unsigned)b), &n);
	*v->sum += n;
	return rc;
}

int job_changed(struct job *j, size_t set, uint64_t seed, size_t *elements)
{
	*elements = 0;
	return visit((struct visit){.j = j, .set = set, .seed = seed, .sum = elements}, KERNEL_IN,
	             changed_one);
}

void job_end_on(struct job *j, size_t set, int64_t n)
{
	j->calls = set + 1 + (j->sets - 1) * (size_t)n;
}

size_t job_last_set(const struct job *j)
{
	assert(j->calls > 0);
	return (j->calls - 1) % j->sets;
}
