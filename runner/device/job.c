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

int job_place(struct job *j, struct device *d, const struct item *it, size_t sets, struct arena *a)
{
	*j = (struct job){.it = it, .d = d, .sets = sets};
	j->nbuf = it->family->buffers(it->kcase, j->buf);
	assert(sets * it->set_bytes + FAR_BYTES <= d->size);

	j->ptr = arena_array(a, sets, sizeof *j->ptr);
	j->state = ARENA_ARRAY(a, void *, sets);
	j->guard = ARENA_ARRAY(a, struct zone,
	                       2 * sets * (KERNEL_MAX_BUFFERS + 1) + FAR_BYTES / FAR_PIECE);
	char *p = d->mem;
	int rc;
	for (size_t s = 0; s < sets; s++) {
		for (size_t b = 0; b < j->nbuf; b++)
			j->ptr[s][b] = place_zone(j, &p, footprint_buffer(&j->buf[b]),
			                          j->buf[b].access == KERNEL_OUT ? GUARD_BYTE
			                                                         : GUARD_IN_BYTE);
		j->ptr[s][j->nbuf] = place_zone(j, &p, it->scratch_bytes, GUARD_BYTE);
	}
	place_far(j, p);
	rc = d->backend->mark(d, j->guard, j->nguard);
	for (size_t s = 0; s < sets && !rc && it->scratch_bytes; s++)
		rc = d->backend->set(d, j->ptr[s][j->nbuf], 0, it->scratch_bytes);
	return rc;
}

/* Fills the first count / part elements of each input. */
static int fill_part(struct job *j, size_t set, uint64_t seed, size_t part)
{
	int rc = 0;
	for (size_t b = 0; b < j->nbuf && !rc; b++) {
		struct kernel_buffer first = j->buf[b];
		first.count /= part;
		if (first.access == KERNEL_IN)
			rc = j->d->backend->fill(j->d, j->ptr[set][b], &first, seed, (unsigned)b);
	}
	return rc;
}

int job_fill(struct job *j, size_t set, uint64_t seed)
{
	return fill_part(j, set, seed, 1);
}

int job_fill_head(struct job *j, size_t set, uint64_t seed)
{
	return fill_part(j, set, seed, 2);
}

int job_copy(struct job *j, size_t to, size_t from)
{
	int rc = 0;
	for (size_t b = 0; b < j->nbuf && !rc; b++)
		if (j->buf[b].access == KERNEL_IN)
			rc = j->d->backend->copy(j->d, j->ptr[to][b], j->ptr[from][b],
			                         footprint_buffer(&j->buf[b]));
	return rc;
}

int job_poison(struct job *j, size_t set)
{
	int rc = 0;
	for (size_t b = 0; b < j->nbuf && !rc; b++)
		if (j->buf[b].access == KERNEL_OUT)
			rc = j->d->backend->set(j->d, j->ptr[set][b],
			                        kernel_dtype_poison(j->buf[b].dtype),
			                        footprint_buffer(&j->buf[b]));
	return rc;
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
		why = v->prepare(j->it->kcase, &j->d->env, j->ptr[j->prepared],
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

int job_call(struct job *j)
{
	size_t s = j->calls++ % j->sets;
	if (j->d->backend->call)
		return j->d->backend->call(j->d, j, s);
	return j->it->variant->launch(j->it->kcase, &j->d->env, j->ptr[s], j->state[s]);
}

int job_changed(struct job *j, size_t set, uint64_t seed, size_t *elements)
{
	int rc = 0;
	*elements = 0;
	for (size_t b = 0; b < j->nbuf && !rc; b++) {
		size_t n = 0;
		if (j->buf[b].access == KERNEL_IN)
			rc = j->d->backend->changed(j->d, j->ptr[set][b], &j->buf[b], seed,
			                            (unsigned)b, &n);
		*elements += n;
	}
	return rc;
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
