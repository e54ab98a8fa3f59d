#include "site-gen/files/number_said.h"

#include <string.h>

#include "lib/json.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/records/reason.h"
#include "site-gen/site/site.h"

/* --- one number ------------------------------------------------------------------ */

const char *number_said_other(const struct words *w, const struct data *d, const struct number *n,
                              const char *who, struct arena *a)
{
	const char *device = data_device_name(d, n->over.run->run.head.device);
	return number_of_two_devices(n) ? words_fill(w, a, "change_on", who, device) : who;
}

/* The other case of a comparison, as far as it differs. */
static const char *other_side(const struct words *w, const struct data *d, const struct number *n,
                              struct arena *a)
{
	return number_said_other(w, d, n, case_beside(w, n->pick.d->c, n->over.d->c, a), a);
}

/* "{1} the bandwidth of CUB: faster"; which way is open where the interval contains 1. */
static const char *ratio_text(const struct words *w, const struct data *d, const struct number *n,
                              struct arena *a)
{
	const struct metric_info *m = metric_info(n->metric);
	bool more = n->value > 1, is_time = strcmp(m->si, "s") == 0;
	bool is_speed = is_time || strcmp(m->si, "B/s") == 0 || strcmp(m->si, "FLOP/s") == 0 ||
	                strcmp(m->si, "OP/s") == 0;
	const char *way = n->lo <= 1 && n->hi >= 1 ? "said_no_difference"
	                  : !is_speed              ? NULL
	                  : more != is_time        ? "said_faster"
	                                           : "said_slower";
	const char *with[] = {"{1}", words_label(w, m->name), other_side(w, d, n, a)};
	const char *text = words_fill_all(w, a, "said_ratio", with, 3);
	return way ? arena_printf(a, "%s%s%s", text, words_get(w, "colon"), words_get(w, way))
	           : text;
}

const char *number_said_text(const struct words *w, const struct data *d, const struct number *n,
                             struct arena *a)
{
	const struct metric_info *m = metric_info(n->metric);
	struct sb amount = {0};
	switch (n->kind) {
	case NUMBER_VALUE:
		break;
	case NUMBER_RATIO:
		return ratio_text(w, d, n, a);
	case NUMBER_SHARE_SPEC:
		number_spec_text(n->peak, &amount);
		return words_fill_all(w, a, "said_share_spec",
		                      (const char *[]){"{1}", sb_take(a, &amount),
		                                       words_label(w, n->peak->title)},
		                      3);
	case NUMBER_SHARE_MEASURED:
		return words_fill_all(
		        w, a, "said_share_measured",
		        (const char *[]){"{1}", words_label(w, m->name), other_side(w, d, n, a)},
		        3);
	}
	return words_label(w, m->title);
}

static struct words words_at(const struct site *s, size_t language)
{
	return (struct words){s->config, s->config->languages[language].code};
}

static void put_state(struct json_out *w, const struct words *words, const struct number *n,
                      struct arena *a)
{
	const struct data_case *d = number_case(n);
	if (!data_state_marked(d->state))
		return;
	json_put_str(w, "state",
	             arena_printf(a, "%s%s%s", words_state(words, data_state_name(d->state)),
	                          words_get(words, "colon"), data_case_why_state(words, d, a)));
}

void number_said(struct json_out *w, const struct site *s, const struct number *n, struct arena *a)
{
	json_open(w, "said", '{');
	for (size_t i = 0; i < s->config->nlanguages; i++) {
		struct words words = words_at(s, i);
		json_open(w, s->config->languages[i].tag, '{');
		json_put_str(w, "what", number_said_text(&words, s->data, n, a));
		put_state(w, &words, n, a);
		json_close(w, '}');
	}
	json_close(w, '}');
}

/* --- its page ---------------------------------------------------------------------- */

static const char *when(const struct words *w, const struct number_view *v)
{
	const struct run *r = &v->p.run->run;
	const char *n = arena_printf(v->a, "%zu", v->nok);
	return arena_printf(v->a, "%s · %s · %s", words_fill(w, v->a, "number_launches", n, NULL),
	                    number_view_hardware(r), case_date(r, v->a));
}

void number_said_page(struct json_out *w, const struct number_view *v)
{
	const struct run_case *c = v->p.d->c;
	json_open(w, "said", '{');
	for (size_t i = 0; i < v->site->config->nlanguages; i++) {
		struct words words = words_at(v->site, i);
		json_open(w, v->site->config->languages[i].tag, '{');
		json_put_str(w, "case",
		             arena_printf(v->a, "%s%s%s", words_said(&words, c->family_title).text,
		                          words_get(&words, "colon"), case_title(&words, c, v->a)));
		json_put_str(w, "when", when(&words, v));
		json_put_str(w, "interval", words_get(&words, "number_interval"));
		json_put_str(w, "cards", words_get(&words, "number_cards"));
		json_put_str(w, "strip", words_get(&words, "said_strip"));
		json_put_str(w, "strip_cards", words_get(&words, "said_strip_cards"));
		json_put_str(w, "opens", words_get(&words, "said_opens"));
		json_close(w, '}');
	}
	json_close(w, '}');
}
