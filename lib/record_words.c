#include "lib/record_words.h"

#include <string.h>

#include "lib/units.h"

/* The words of each list; NULL: see the table of metrics. */
static const char *const *words_of(enum record_words list)
{
	static const char *const roles[] = {"kernel", "peer", "ceiling", "null", NULL};
	static const char *const devices[] = {"cuda", "cpu", NULL};
	static const char *const caches[] = {"cold", "hot", "unknown", NULL};
	static const char *const levels[] = {"hbm", "cache", "shared", "nvlink", "unknown", NULL};
	static const char *const units[] = {"fp64", "fp64_tensor", "fp32", "tf32", "bf16",
	                                    "fp16", "fp8",         "int8", NULL};
	static const char *const timers[] = {"clock", "events", "graph", "host", NULL};
	static const char *const stops[] = {"halfwidth", "samples", "cap",
	                                    "budget",    "window",  NULL};
	static const char *const statuses[] = {"complete", "partial", NULL};
	static const char *const *const lists[] = {
	        [RECORD_ROLES] = roles,   [RECORD_DEVICES] = devices,   [RECORD_METRICS] = NULL,
	        [RECORD_CACHES] = caches, [RECORD_LEVELS] = levels,     [RECORD_UNITS] = units,
	        [RECORD_TIMERS] = timers, [RECORD_STATUSES] = statuses, [RECORD_STOPS] = stops,
	};
	return lists[list];
}

bool record_words_has(enum record_words list, const char *word)
{
	const char *const *w = words_of(list);
	if (!w)
		return word && metric_find(str_of(word));
	while (word && *w && strcmp(*w, word) != 0)
		w++;
	return word && *w;
}

bool record_words_want(struct json v, const char *key, enum record_words list, const char *word,
                       bool newer, struct err *e)
{
	const char *const *w = words_of(list);
	struct sb all = {0};
	if (!word || newer || record_words_has(list, word))
		return true;
	for (int m = 0; !w && m < METRIC_COUNT; m++)
		sb_printf(&all, "%s%s", m ? ", " : "", metric_info((enum metric)m)->name);
	for (size_t i = 0; w && w[i]; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", w[i]);
	err_at(e, v.at, "'%s' is '%s', expected one of %s", key, word, all.p);
	sb_free(&all);
	return false;
}
