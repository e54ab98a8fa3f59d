/* The limits of a script: its memory, its instructions and its CPU time. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/lua/script_lua.h"

enum {
	HOOK_EVERY = 100000,
	HOOK_EVERY_DATA = 1000,
	HOOK_NOW = 1,
	ARM_MS = 200,
	HOOK_BUDGET = 2000, /* times HOOK_EVERY: 2e8 instructions, a second or two */
};

/* The free list of a size. Lua allocates many small blocks, so each size has a list. */
static void **list_of(struct script *s, size_t size)
{
	return size <= SCRIPT_SMALL ? &s->free_block[(size - 1) / SCRIPT_STEP] : NULL;
}

static void *block_new(struct script *s, size_t size)
{
	void **list = list_of(s, size);
	if (!list)
		return malloc(size);
	if (!*list) {
		size_t n = (size + SCRIPT_STEP - 1) / SCRIPT_STEP * SCRIPT_STEP;
		return arena_alloc(&s->small, n);
	}
	void *p = *list;
	memcpy(list, p, sizeof *list);
	return p;
}

static void block_free(struct script *s, void *p, size_t size)
{
	void **list = list_of(s, size);
	if (!list) {
		free(p);
		return;
	}
	memcpy(p, list, sizeof *list);
	*list = p;
}

static void *block_resize(struct script *s, void *old, size_t had, size_t size)
{
	void **list = list_of(s, size);
	if (!list && !list_of(s, had))
		return realloc(old, size);
	if (list == list_of(s, had))
		return old;
	void *p = block_new(s, size);
	if (!p)
		return NULL;
	memcpy(p, old, had < size ? had : size);
	block_free(s, old, had);
	return p;
}

/*
 * Notes the place of the innermost Lua function, and of its caller, because the loop may be
 * there: "templates/x.html:3: WHAT (called from templates/y.html:7)".
 */
static void put_stop(lua_State *L, const char *what, struct script_stop *to)
{
	lua_Debug ar;
	size_t n = 0, size = sizeof to->text;
	bool placed = false, called = false;
	for (int level = 0; n < size && lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.currentline <= 0)
			continue;
		n += (size_t)snprintf(to->text + n, size - n,
		                      !placed  ? "%s:%d: "
		                      : called ? ", %s:%d"
		                               : " (called from %s:%d",
		                      ar.short_src, ar.currentline);
		if (!placed && n < size)
			n += (size_t)snprintf(to->text + n, size - n, "%s", what);
		called = placed;
		placed = true;
	}
	if (!placed)
		*to->text = 0;
	else if (called && n < size)
		snprintf(to->text + n, size - n, ")");
}

void *script_alloc(void *ud, void *old, size_t osize, size_t nsize)
{
	struct script *s = ud;
	size_t had = old ? osize : 0;
	if (nsize > had && s->used + (nsize - had) > s->most) {
		if (s->L)
			put_stop(s->L, s->no_memory, &s->refused);
		return NULL;
	}
	void *p = NULL;
	if (nsize == 0 && had)
		block_free(s, old, had);
	else if (nsize)
		p = had ? block_resize(s, old, had, nsize) : block_new(s, nsize);
	if (p || nsize == 0)
		s->used = s->used - had + nsize;
	return p;
}

void script_end_page(lua_State *L, const char *what)
{
	struct script_stop stop;
	put_stop(L, what, &stop);
	script_of(L)->exhausted = true;
	lua_pushstring(L, *stop.text ? stop.text : what);
	lua_error(L);
}

static void end_late_page(lua_State *L)
{
	char what[64];
	snprintf(what, sizeof what, "more than %d s of CPU time, expected a loop that ends",
	         script_of(L)->cpu_s);
	script_end_page(L, what);
}

static int64_t cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_late(const struct script *s)
{
	return cpu_ms() - s->start_ms > (int64_t)s->cpu_s * 1000;
}

static void count_hook(lua_State *L, lua_Debug *ar)
{
	(void)ar;
	if (is_late(script_of(L)))
		end_late_page(L);
	if (--script_of(L)->budget <= 0)
		script_end_page(L, "too many instructions, expected a loop that ends");
}

/*
 * A count hook makes every instruction a little slower, so pages start without
 * one. A timer on the process's CPU time arms it when a page takes long.
 * (lua_sethook may be called from a signal handler.)
 */
static void arm(struct script *s, int every)
{
	lua_sethook(s->L, count_hook, LUA_MASKCOUNT, every);
}

/* Arms the hook, which ends the page after the current instruction, however long that takes. */
static void on_timer(int sig, siginfo_t *info, void *context)
{
	struct script *s = info->si_value.sival_ptr;
	(void)sig;
	(void)context;
	if (is_late(s))
		arm(s, HOOK_NOW);
	else if (!lua_gethook(s->L))
		arm(s, HOOK_EVERY);
}

void script_check_time(lua_State *L)
{
	if (lua_gethookcount(L) == HOOK_NOW && is_late(script_of(L)))
		end_late_page(L);
}

/* Starts the timer once; without a timer the hook is always armed. */
static bool start_timer(struct script *s)
{
	struct sigaction act = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent event = {
	        .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM, .sigev_value.sival_ptr = s};
	struct timespec every = {.tv_nsec = ARM_MS * 1000000};
	if (sigaction(SIGVTALRM, &act, NULL) != 0 ||
	    timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &s->timer) != 0)
		return false;
	return timer_settime(s->timer, 0, &(struct itimerspec){every, every}, NULL) == 0;
}

void script_limit_cpu(struct script *s, int seconds)
{
	s->cpu_s = seconds;
}

void script_limit_page(struct script *s)
{
	s->budget = HOOK_BUDGET;
	s->start_ms = cpu_ms();
	if (!s->has_timer)
		s->has_timer = start_timer(s);
	if (s->has_timer)
		lua_sethook(s->L, NULL, 0, 0);
	else
		arm(s, HOOK_EVERY);
}

void script_limit_data(struct script *s)
{
	s->budget = HOOK_BUDGET;
	s->start_ms = cpu_ms();
	arm(s, HOOK_EVERY_DATA);
}
