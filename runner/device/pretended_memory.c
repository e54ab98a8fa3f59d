#include "runner/device/pretended_memory.h"

#include <stdlib.h>
#include <string.h>

#include "runner/base/rng.h"

static void need(struct pretended_memory *m, size_t n)
{
	if (n <= m->room)
		return;
	m->room = 2 * n;
	m->s = realloc(m->s, m->room * sizeof *m->s);
	if (!m->s)
		arena_die("out of memory");
}

void pretended_memory_open(struct pretended_memory *m, uintptr_t from, size_t bytes)
{
	*m = (struct pretended_memory){0};
	need(m, 64);
	m->s[m->n++] = (struct stretch){.from = from};
	m->s[m->n++] = (struct stretch){.from = from + bytes};
}

size_t pretended_memory_find(const struct pretended_memory *m, uintptr_t p)
{
	size_t lo = 0, hi = m->n - 1;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (m->s[mid].from <= p)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void pretended_memory_hold(struct pretended_memory *m, const void *p, size_t n, struct contents is)
{
	const uintptr_t from = (uintptr_t)p, to = from + n;
	struct stretch put[3];
	size_t k = 0, first, last;
	if (n == 0)
		return;
	first = pretended_memory_find(m, from);
	last = pretended_memory_find(m, to - 1);
	if (m->s[first].from < from)
		put[k++] = m->s[first];
	put[k++] = (struct stretch){from, is};
	if (to < m->s[last + 1].from)
		put[k++] = (struct stretch){to, m->s[last].is};
	size_t gone = last + 1 - first;
	need(m, m->n + k);
	if (gone != k)
		memmove(m->s + first + k, m->s + last + 1, (m->n - last - 1) * sizeof *m->s);
	memcpy(m->s + first, put, k * sizeof *put);
	m->n = m->n + k - gone;
}

void pretended_memory_lay_out(struct pretended_memory *m, const struct zone *guard, size_t n)
{
	const uintptr_t from = m->s[0].from, end = m->s[m->n - 1].from;
	uintptr_t at = from;
	m->n = 0;
	need(m, 2 * n + 2);
	for (size_t i = 0; i < n; i++) {
		const uintptr_t zone = (uintptr_t)guard[i].p;
		if (guard[i].n == 0)
			continue;
		if (at < zone)
			m->s[m->n++] = (struct stretch){.from = at};
		m->s[m->n++] = (struct stretch){zone, {CONTENTS_BYTE, .byte = guard[i].byte}};
		at = zone + guard[i].n;
	}
	if (at < end)
		m->s[m->n++] = (struct stretch){.from = at};
	m->s[m->n++] = (struct stretch){.from = end};
}

void pretended_memory_copy(struct pretended_memory *m, const void *to, const void *from, size_t n)
{
	const uintptr_t begin = (uintptr_t)from, end = begin + n;
	const uintptr_t shift = (uintptr_t)to - begin;
	for (uintptr_t p = begin; p < end;) {
		const size_t i = pretended_memory_find(m, p);
		struct contents is = m->s[i].is;
		uintptr_t next = m->s[i + 1].from < end ? m->s[i + 1].from : end;
		is.base += shift;
		pretended_memory_hold(m, (const void *)(p + shift), next - p, is);
		p = next;
	}
}

size_t pretended_memory_other(const struct pretended_memory *m, const void *p, size_t n,
                              bool (*is)(const struct contents *h, const struct contents *want),
                              const struct contents *want)
{
	const uintptr_t end = (uintptr_t)p + n;
	size_t sum = 0;
	for (uintptr_t at = (uintptr_t)p; at < end;) {
		size_t i = pretended_memory_find(m, at);
		uintptr_t next = m->s[i + 1].from < end ? m->s[i + 1].from : end;
		if (!is(&m->s[i].is, want))
			sum += next - at;
		at = next;
	}
	return sum;
}

bool pretended_memory_is_byte(const struct contents *h, const struct contents *want)
{
	return h->kind == CONTENTS_BYTE && h->byte == want->byte;
}

bool pretended_memory_is_input(const struct contents *h, const struct contents *want)
{
	return h->kind == CONTENTS_INPUT && h->seed == want->seed && h->base == want->base &&
	       h->dtype == want->dtype && h->draw == want->draw && h->range == want->range &&
	       h->buffer == want->buffer;
}

/* The result of a call on inputs of that seed. */
static bool is_result(const struct contents *h, const struct contents *want)
{
	return h->kind == CONTENTS_RESULT && h->of == CONTENTS_OF_SEED && h->seed == want->seed;
}

uint64_t pretended_memory_digest(const struct pretended_memory *m, const void *at)
{
	const struct contents *is = &m->s[pretended_memory_find(m, (uintptr_t)at)].is;
	return rng_derive(is->seed, 17, is->apart);
}

struct exact_found pretended_memory_product(const struct pretended_memory *m,
                                            const struct exact_product *x, void *const *buf)
{
	const struct kernel_product *p = &x->p;
	const uintptr_t a = (uintptr_t)buf[p->a.buffer], out = (uintptr_t)buf[p->out.buffer];
	const size_t rows = x->grouped ? (size_t)x->g.begin[p->count] : p->rows;
	const size_t last = exact_at(&p->out, p->count - 1, rows - 1, p->cols - 1);
	const size_t size = kernel_dtype_bytes(x->out);
	const struct contents want = {.seed = m->s[pretended_memory_find(m, a)].is.seed};
	const bool off = m->s[pretended_memory_find(m, out)].is.wrong;
	size_t bytes =
	        pretended_memory_other(m, (const void *)out, (last + 1) * size, is_result, &want);
	struct exact_found found = {bytes / size, bytes ? last : ~0ull};
	if (off)
		found = (struct exact_found){found.wrong + 1, 0};
	return found;
}
