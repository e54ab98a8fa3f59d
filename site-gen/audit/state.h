/*
 * site-gen/audit/state.h - the state of a running audit: its input, findings and
 * counters. Its parts share nothing else.
 */
#ifndef SITE_GEN_AUDIT_STATE_H
#define SITE_GEN_AUDIT_STATE_H

#include "site-gen/audit/number.h"
#include "site-gen/base/problems.h"
#include "site-gen/records/context.h"

struct audit_plain;
struct audit_post;
struct lint;
struct published_log;

/* Kinds of numbers that were derived again and agreed; audit.c has a row for each. */
enum audit_counted {
	AUDIT_N_VALUE, /* the first four as enum audit_kind */
	AUDIT_N_RATIO,
	AUDIT_N_SHARE_SPEC,
	AUDIT_N_SHARE_MEASURED,
	AUDIT_N_INTERVAL,
	AUDIT_N_SPEC,
	AUDIT_N_COUNT,
	AUDIT_N_DERIVED,
	AUDIT_N_COUNTER,
	AUDIT_N_LISTED, /* instructions, and listings of them */
	AUDIT_N_STAMPS, /* of time stamps inside kernels */
	AUDIT_N_DRAWN,  /* what diagrams say of an access */
	AUDIT_N_TRUST,  /* numbers about the instrument itself */
	AUDIT_N_NOTED,  /* lines of the log of published numbers */
	AUDIT_N_CHART,
	AUDIT_N_CLAIM,
	AUDIT_N_PREDICTED,
	AUDIT_N_VERDICT,
	AUDIT_N_TABLE, /* numbers in JSON and CSV */
	AUDIT_N,
};

/* Names of elements and attributes that were found on the list, each in its slot. */
enum { AUDIT_SEEN = 512, AUDIT_SEEN_BYTES = 23 };
struct audit_seen {
	char name[AUDIT_SEEN_BYTES];
	unsigned char n; /* its length; 0: nothing yet */
};

struct audit {
	const struct data *data;
	struct audit_records records;
	const struct published_log *log;
	struct words names;        /* English names of kernels, where the site gives them others */
	bool preview;              /* accept numbers that are not committed */
	const struct lint *lint;   /* finds performance numbers in other text; NULL: no search */
	struct sb numbers;         /* all numbers that agreed, one a line */
	struct sb imported;        /* typed numbers of imported posts, one a line */
	struct audit_plain *plain; /* titles and summaries, checked at the end */
	struct audit_post *posts, *entries; /* of feeds and their pages, compared at the end */
	struct problems *found;
	size_t counted[AUDIT_N];
	struct audit_seen seen[2][AUDIT_SEEN]; /* markup.c: elements, attributes */
};

/* Prepares an audit. Everything that it allocates lives in the arena. */
void audit_init(struct audit *a, const struct data *d, struct arena *arena, struct problems *found);
/* The same with a log of published numbers that was read already. */
void audit_init_with(struct audit *a, const struct data *d, const struct published_log *log,
                     struct arena *arena, struct problems *found);

#endif
