#include "site-gen/kinds/absent.h"

#include "site-gen/base/html.h"
#include "site-gen/records/query_absent.h"

enum { MOST_NAMED = 8 };

static void put_names(struct kind_call *k, enum query_absence why, const struct query_absent *all,
                      size_t n)
{
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		if (all[i].why != why)
			continue;
		html_text(k->to, str_of(any ? words_get(k->ctx->words, "comma") : ""));
		html_raw(k->to, "<code>");
		html_text(k->to, str_of(all[i].c->variant));
		html_raw(k->to, "</code>");
		any = true;
	}
}

/* "Not measured on the H100: triton, flex." Of many steps it says how many. */
static void put_reason(struct kind_call *k, const char *reason, enum query_absence why,
                       const struct query_absent *all, size_t n)
{
	const struct words *w = k->ctx->words;
	struct arena *a = k->ctx->arena;
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += all[i].why == why;
	if (count == 0)
		return;
	html_raw(k->to, "<span>");
	html_text(k->to, str_of(reason));
	html_text(k->to, str_of(words_get(w, "colon")));
	if (count <= MOST_NAMED)
		put_names(k, why, all, n);
	else
		html_text(k->to, str_of(words_fill(w, a, "absent_many",
		                                   arena_printf(a, "%zu", count), NULL)));
	html_text(k->to, str_of(words_get(w, "stop")));
	html_raw(k->to, "</span> ");
}

bool absent_print(struct kind_call *k, const char *const *own, const struct pick *picks, size_t n,
                  struct err *e)
{
	static const char *const reasons[] = {
	        [QUERY_OTHER_INPUTS] = "absent_inputs",
	        [QUERY_OTHER_DEVICE] = "absent_device",
	        [QUERY_OTHER_RUN] = "absent_run",
	};
	struct query q;
	struct query_absent *all;
	size_t count;
	if (!query_parse(k->p, k->p->word[0], own, true, &q, e) ||
	    !query_absent(k->ctx, &q, picks, n, &all, &count, e))
		return false;
	if (count == 0)
		return true;
	const char *device = data_device_name(k->ctx->data, picks[0].run->run.head.device);
	html_raw(k->to, "<p class=\"absent\">");
	for (int why = 0; why < QUERY_ABSENCES; why++)
		put_reason(k, words_fill(k->ctx->words, k->ctx->arena, reasons[why], device, NULL),
		           (enum query_absence)why, all, count);
	html_raw(k->to, "</p>\n");
	return true;
}
