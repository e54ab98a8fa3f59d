/*
 * tests/unit/help/cheats_calls.h - planted wrong kernels that are right only when they
 * expect a check: they count calls, or look at part of their input. More variants of
 * doubling; cheats.h includes this file and says how to add one.
 */
#ifndef TESTS_UNIT_HELP_CHEATS_CALLS_H
#define TESTS_UNIT_HELP_CHEATS_CALLS_H

/* State that a variant keeps over all its calls, buffer sets and cases. */
struct past {
	int calls;
	const void *in; /* buffer of the last call, and how it began and ended */
	float head, tail;
};

static struct past *past_of(const struct kernel_env *env)
{
	if (!*env->kept && !(*env->kept = calloc(1, sizeof(struct past))))
		abort();
	return *env->kept;
}

CHEAT(every_second) /* works on every second call */
{
	(void)state;
	if (past_of(env)->calls++ % 2 == 0)
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(second_off) /* the same, but also works on the first call */
{
	int call = past_of(env)->calls++;
	(void)state;
	if (call == 0 || call % 2)
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(second_content) /* works over poison, and else on every second call */
{
	(void)state;
	if (isnan(((const float *)buf[1])[0]) || past_of(env)->calls++ % 2)
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(second_content_off)
{
	(void)state;
	if (isnan(((const float *)buf[1])[0]) || past_of(env)->calls++ % 2 == 0)
		twice(buf, 0, cheat_n(c));
	return 0;
}

/* Works over poison, and else if its input looks new. */
static void if_new(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                   bool by_head)
{
	struct past *p = past_of(env);
	const float *x = buf[0], *y = buf[1];
	size_t last = cheat_n(c) - 1;
	bool same = p->in == x && (by_head ? p->head == x[0] : p->tail == x[last]);
	if (isnan(y[0]) || !same)
		twice(buf, 0, cheat_n(c));
	*p = (struct past){.in = x, .head = x[0], .tail = x[last]};
}

CHEAT(by_head) /* believes that an input is the last one if it begins like it */
{
	(void)state;
	if_new(c, env, buf, true);
	return 0;
}

CHEAT(by_tail) /* the same, if it ends like that */
{
	(void)state;
	if_new(c, env, buf, false);
	return 0;
}

CHEAT(every_third) /* leaves out one call in three */
{
	(void)state;
	if (past_of(env)->calls++ % 3 != 1)
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(far) /* writes well behind its output, beyond any guard */
{
	(void)env, (void)state;
	twice(buf, 0, cheat_n(c));
	((float *)buf[1])[cheat_n(c) + 2048] = 0;
	return 0;
}

#endif
