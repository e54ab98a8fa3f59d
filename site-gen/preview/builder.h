/*
 * site-gen/preview/builder.h - a process that builds again and again and keeps the
 * records loaded, so that a saved post is not delayed by reading them. Each
 * build is a fork of it: none can hurt the next.
 */
#ifndef SITE_GEN_PREVIEW_BUILDER_H
#define SITE_GEN_PREVIEW_BUILDER_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/site/site.h"

struct builder {
	int fd; /* a socket to the process */
	int pid;
};

/* Starts the process; call it while there are no threads. */
bool builder_start(const struct site_options *options, struct builder *b, struct err *e);

/* One build. True: it succeeded; `said` is what it had to say. */
bool builder_build(struct builder *b, struct sb *said);

void builder_stop(struct builder *b);

#endif
