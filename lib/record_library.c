/*
 * lib/record_library.c - which library did the work of a launch or of a profiled
 * call. Libraries that try several algorithms may choose differently in each process.
 */
#include <string.h>

#include "lib/record.h"

const char *record_launch_library(const struct run_launch *l)
{
	return l->library || !l->of ? l->library : l->of->build.library;
}

const char *record_counters_library(const struct run_counters *c)
{
	return c->library || !c->of ? c->library : c->of->build.library;
}

/* The part of `own` beyond `told`: "T 2.1; 8 warps" after "T 2.1; 4 warps" gives "8 warps". */
static struct str beyond(const char *own, const char *told)
{
	size_t from = 0;
	for (size_t i = 0; told && own[i] && own[i] == told[i]; i++)
		if (own[i] == ';' && own[i + 1] == ' ' && told[i + 1] == ' ')
			from = i + 2;
	return str_of(own + from);
}

/* True if the launch belongs to the case, is ok, and found or chose something of its own. */
static bool differs(const struct run_launch *l, const struct run_case *c)
{
	return l->of == c && record_launch_ok(l) && (l->library || l->choice.n);
}

static bool same_library(const char *x, const char *y)
{
	return x && y ? strcmp(x, y) == 0 : x == y;
}

/* What the launch has of its own, in words. */
static const char *own_words(const struct run_launch *l, const struct run_case *c, struct arena *a)
{
	const char *chosen = record_choice_words(&l->choice, a);
	struct str found = l->library ? beyond(l->library, c->build.library) : (struct str){0};
	return arena_printf(a, "%.*s%s%s", (int)found.n, found.n ? found.p : "",
	                    found.n && *chosen ? ", " : "", chosen);
}

/* The number of launches that are like this one; 0 if it was counted at one before `first`. */
static size_t how_many(const struct run *r, const struct run_case *c, size_t first)
{
	size_t n = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (!differs(l, c) || !same_library(l->library, r->launches[first].library) ||
		    !record_choice_same(&l->choice, &r->launches[first].choice))
			continue;
		if (i < first)
			return 0;
		n++;
	}
	return n;
}

const char *record_choices(const struct run *r, const struct run_case *c, struct arena *a)
{
	struct sb list = {0};
	size_t all = 0, other = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		all += l->of == c && record_launch_ok(l);
		if (!differs(l, c))
			continue;
		size_t n = how_many(r, c, i);
		if (n > 0)
			sb_printf(&list, "%s%s (%zu)", other ? "; " : "", own_words(l, c, a), n);
		other++;
	}
	const char *text =
	        other == 0 ? NULL
	                   : arena_printf(a, "chosen differently in %zu of %zu processes: %s",
	                                  other, all, list.p);
	sb_free(&list);
	return text;
}
