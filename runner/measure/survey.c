#include "runner/measure/survey.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/child.h"
#include "runner/base/clock.h"
#include "runner/plan/heavy.h"
#include "runner/plan/method.h"

enum { CALIBRATE_TIMEOUT_S = 60 };

/* The result of the calibrating child. */
struct calibrated {
	struct calibration c;
	struct err e;
};

static void calibrate(void *out, const void *ctx)
{
	const struct plan *p = ctx;
	struct calibrated *k = out;
	struct device d = {.seed = p->set.seed};
	const struct backend *b = backend_of(p->where);
	/* the parent reads k->e */
	if (b->open(&d, &p->facts, 2 * (size_t)plan_flush_bytes(&p->facts), &k->e))
		unchecked(b->calibrate(&d, &k->c, &k->e));
}

struct surveying {
	struct plan *p;
	struct arena *a;
};

static void surveyed(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct surveying *k = ctx;
	struct item *it = &k->p->item[s->item - k->p->item];
	if (strcmp(s->out.status, "unavailable") == 0)
		it->unavailable = arena_strdup(k->a, s->out.why);
	if (s->out.library[0])
		it->library = arena_strdup(k->a, s->out.library);
	if (s->out.choice[0])
		it->choice = arena_strdup(k->a, s->out.choice);
	it->call_ns = s->out.call_ns;
	it->uncaptured =
	        kernel_gpus(it->kcase) > 1 && !s->out.captured && backend_of(k->p->where)->captures;
	it->timeouts += strcmp(s->out.status, "timeout") == 0;
	it->heavy = heavy_is(&k->p->facts, it);
	if (!it->unavailable)
		it->unavailable = heavy_refuses(it, k->a);
	method_choose_timer(it, k->p->where);
}

bool survey_calibrate(struct plan *p, struct calibration *c, struct err *e)
{
	struct calibrated k = {0};
	if (!child_ask(calibrate, p, &k, sizeof k, CALIBRATE_TIMEOUT_S, e))
		return false;
	if (k.e.set)
		return err_set(e, "%s", k.e.text);
	*c = k.c;
	p->tick_ns = c->tick_ns;
	return true;
}

bool survey(struct plan *p, struct signals *sig, struct arena *a, struct err *e)
{
	size_t *order = ARENA_ARRAY(a, size_t, p->n), n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (!p->item[i].unavailable)
			order[n++] = i;
	struct surveying ctx = {p, a};
	struct walk w = {
	        .mode = WALK_SURVEY,
	        .plan = p,
	        .order = order,
	        .n = n,
	        .start_ns = clock_ns(),
	        .signals = sig,
	        .done = surveyed,
	        .ctx = &ctx,
	};
	return walk_run(&w, e);
}
