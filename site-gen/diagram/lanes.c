#include "site-gen/diagram/lanes.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Sorts, and drops what occurs again. Returns how many are left. */
static int distinct(int64_t *v, int n)
{
	int left = 0;
	qsort(v, (size_t)n, sizeof *v, ascending);
	for (int i = 0; i < n; i++)
		if (i == 0 || v[i] != v[i - 1])
			v[left++] = v[i];
	return left;
}

/* The pieces of `unit` bytes in which the lanes' first and last bytes lie. */
static int pieces(const struct lanes *l, int unit, int64_t out[2 * LANES])
{
	for (int i = 0; i < LANES; i++) {
		out[2 * i] = l->at[i] / unit;
		out[2 * i + 1] = (l->at[i] + l->bytes - 1) / unit;
	}
	return distinct(out, 2 * LANES);
}

/* Bytes that at least one lane wants. */
static int64_t wanted(const struct lanes *l)
{
	int64_t at[LANES], sum = 0, end = INT64_MIN;
	memcpy(at, l->at, sizeof at);
	qsort(at, LANES, sizeof *at, ascending);
	for (int i = 0; i < LANES; i++) {
		int64_t from = at[i] > end ? at[i] : end;
		if (at[i] + l->bytes > from)
			sum += at[i] + l->bytes - from;
		end = at[i] + l->bytes;
	}
	return sum;
}

void lanes_global(const struct lanes *l, struct lanes_global *out)
{
	*out = (struct lanes_global){.nsectors = 0};
	out->nsectors = pieces(l, LANES_SECTOR, out->sector);
	out->nlines = pieces(l, LANES_LINE, out->line);
	out->moved = (int64_t)out->nsectors * LANES_SECTOR;
	out->used = wanted(l);
}

bool lanes_want(const struct lanes *l, int64_t word)
{
	for (int i = 0; i < LANES; i++)
		if (l->at[i] < word + LANES_WORD && word < l->at[i] + l->bytes)
			return true;
	return false;
}

/* The words that a bank was asked for so far, in a group of lanes. */
struct bank {
	int64_t word[LANES * LANES_MOST_BYTES / LANES_WORD];
	int n;
};

/* The place of a word among those of its bank, from 0. */
static int place_in(struct bank *b, int64_t word)
{
	for (int i = 0; i < b->n; i++)
		if (b->word[i] == word)
			return i;
	b->word[b->n] = word;
	return b->n++;
}

/* Serves lanes [from, to) after all passes so far. */
static void serve(const struct lanes *l, int from, int to, struct lanes_shared *out)
{
	static const struct bank none;
	struct bank bank[LANES_BANKS];
	int before = out->passes, most = 0;
	for (int b = 0; b < LANES_BANKS; b++)
		bank[b] = none;
	for (int i = from; i < to; i++)
		for (int64_t w = l->at[i] / LANES_WORD; w <= (l->at[i] + l->bytes - 1) / LANES_WORD;
		     w++) {
			int place = place_in(&bank[w % LANES_BANKS], w);
			out->pass[i] =
			        before + place > out->pass[i] ? before + place : out->pass[i];
			most = place + 1 > most ? place + 1 : most;
		}
	out->passes += most;
	out->ways = most > out->ways ? most : out->ways;
}

void lanes_shared(const struct lanes *l, struct lanes_shared *out)
{
	int groups = l->bytes > LANES_WORD ? l->bytes / LANES_WORD : 1, each = LANES / groups;
	*out = (struct lanes_shared){.least = groups};
	for (int g = 0; g < groups; g++)
		serve(l, g * each, (g + 1) * each, out);
}
