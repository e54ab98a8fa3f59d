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

/* Starts the process. Call it before any thread exists. */
MUST_CHECK bool builder_start(const struct site_options *options, struct builder *b, struct err *e);

/* Runs one build; true if it succeeded. `said` is its output. */
bool builder_build(struct builder *b, struct sb *said);

void builder_stop(struct builder *b);

#endif
