/*
 * tests/unit/help/made_site.h - a site of one page, put together by hand as it is after loading:
 * two runs of two cases, newest first, and the problems that a check reports. Nothing of it is
 * read from a file, and every value is SYNTHETIC. A test changes what it is about.
 */
#ifndef TESTS_UNIT_HELP_MADE_SITE_H
#define TESTS_UNIT_HELP_MADE_SITE_H

#include <stdlib.h>

#include "site-gen/base/problems.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

#define MADE_NEW "20260102T000000Z-h200-0000000b"
#define MADE_OLD "20260101T000000Z-h200-0000000a"
#define MADE_WARP "scan/warp:n=8,dtype=f32,cache=cold"
#define MADE_BLOCK "scan/block:n=8,dtype=f32,cache=cold"
#define MADE_PATH "content/posts/scans.md"

enum { MADE_RUNS = 2, MADE_CASES = 2, WARP = 0, BLOCK = 1 };

struct made {
	struct arena arena;
	struct problems problems;
	struct data data;
	struct data_run run[MADE_RUNS]; /* [0]: MADE_NEW */
	struct run_case c[MADE_RUNS][MADE_CASES];
	struct data_case d[MADE_RUNS][MADE_CASES];
	struct page_kind kind;
	struct page page, *pages[1];
	struct site site;
};

static inline int made_setup(void **state)
{
	static const char *const id[] = {MADE_NEW, MADE_OLD};
	struct made *m = calloc(1, sizeof *m);
	if (!m)
		return -1;
	for (int r = 0; r < MADE_RUNS; r++) {
		for (int i = 0; i < MADE_CASES; i++) {
			m->c[r][i] = (struct run_case){.id = i == WARP ? MADE_WARP : MADE_BLOCK,
			                               .family = "scan",
			                               .variant = i == WARP ? "warp" : "block",
			                               .param = {{"n", NULL, 8}},
			                               .nparams = 1,
			                               .dtype = "f32",
			                               .cache = "cold",
			                               .role = "kernel"};
			m->d[r][i].c = &m->c[r][i];
		}
		m->run[r] = (struct data_run){.run = {.head = {.id = id[r], .device = "h200"},
		                                      .cases = m->c[r],
		                                      .ncases = MADE_CASES,
		                                      .whole = true},
		                              .path = r ? "data/runs/h200/old.jsonl"
		                                        : "data/runs/h200/new.jsonl",
		                              .committed = true,
		                              .cases = m->d[r]};
	}
	m->problems.arena = &m->arena;
	m->data = (struct data){.runs = m->run, .nruns = MADE_RUNS, .arena = &m->arena};
	m->kind.flags = PAGE_WRITTEN;
	m->page = (struct page){.kind = &m->kind, .path = MADE_PATH, .url = "/posts/scans/"};
	m->pages[0] = &m->page;
	m->site = (struct site){.arena = &m->arena,
	                        .shared = &m->arena,
	                        .data = &m->data,
	                        .pages = {.all = m->pages, .n = 1}};
	*state = m;
	return 0;
}

static inline int made_teardown(void **state)
{
	struct made *m = *state;
	arena_free(&m->arena);
	free(m);
	return 0;
}

static inline struct pick made_pick(struct made *m, int run, int i)
{
	return (struct pick){&m->run[run], &m->d[run][i]};
}

/* The author quotes a case at this line; line 0: the page itself shows it. Newest first. */
static inline struct quote *made_quote(struct made *m, int run, int i, int line)
{
	struct quote *q = ARENA_NEW(&m->arena, struct quote);
	struct expand_use *u = ARENA_NEW(&m->arena, struct expand_use);
	*q = (struct quote){.n.pick = made_pick(m, run, i),
	                    .text = "4.31 TB/s",
	                    .at = {MADE_PATH, line, 3},
	                    .next = m->page.numbers.quotes};
	*u = (struct expand_use){
	        .run = &m->run[run].run, .c = &m->c[run][i], .next = m->page.numbers.uses};
	m->page.numbers.quotes = q;
	m->page.numbers.uses = u;
	return q;
}

/* What was reported, oldest first, each on a line. Forgets it. */
static inline const char *made_said(struct made *m)
{
	const char *all = "";
	for (const struct problem *p = m->problems.first; p; p = p->next)
		all = arena_printf(&m->arena, "%s\n%s", p->text, all);
	m->problems.first = NULL;
	return all;
}

#endif
