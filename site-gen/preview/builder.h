/*
 * site-gen/preview/builder.h - a process that builds repeatedly and keeps the records
 * loaded, so that a saved post need not wait for them. Each build is a fork of it, so
 * none can affect the next.
 */
#ifndef SITE_GEN_PREVIEW_BUILDER_H
#define SITE_GEN_PREVIEW_BUILDER_H

#include "lib/err.h"
#include "lib/str.h"

struct site_options;

struct builder {
	int fd; /* a socket to the process */
	int pid;
};

/* Starts the process. Call it before any thread exists. `first`: file for the page shown first. */
MUST_CHECK bool builder_start(const struct site_options *options, const char *first,
                              struct builder *b, struct err *e);

/* What a build said of the page of the saved source (build/first.h). */
struct builder_first {
	/* the page is in options->first; called at most once, before the build is done */
	void (*shown)(void *ctx);
	void *ctx;
	bool kept; /* the published page is the one that was shown */
};

/*
 * Runs one build; true if it succeeded. `said` is its output. `edited`: the source whose page it
 * shows first; empty: none.
 */
bool builder_build(struct builder *b, struct str edited, struct builder_first *first,
                   struct sb *said);

void builder_stop(struct builder *b);

#endif
