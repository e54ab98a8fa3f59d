/*
 * site-gen/audit/state.h - an audit under way: what it reads, what it has
 * found, what it has counted. Its parts share this and nothing else.
 */
#ifndef SITE_GEN_AUDIT_STATE_H
#define SITE_GEN_AUDIT_STATE_H

#include "site-gen/audit/number.h"
#include "site-gen/base/problems.h"

struct audit_plain;
struct lint;
struct published_log;

/* What has been derived again and agreed: a row each in audit.c. */
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
	AUDIT_N_TRUST, /* of the instrument itself */
	AUDIT_N_NOTED, /* of the log of published numbers */
	AUDIT_N_CHART,
	AUDIT_N_CLAIM,
	AUDIT_N_PREDICTED,
	AUDIT_N_VERDICT,
	AUDIT_N_TABLE, /* in JSON and CSV */
	AUDIT_N,
};

struct audit {
	const struct data *data;
	struct audit_records records;
	const struct published_log *log;
	bool preview;              /* numbers that are not committed are no findings */
	const struct lint *lint;   /* for performance numbers in other text; NULL: not looked for */
	struct sb numbers;         /* all that agreed, a line each */
	struct audit_plain *plain; /* titles and summaries, looked at in the end */
	struct problems *found;
	size_t counted[AUDIT_N];
};

/* Ready for pages; everything it makes lives in the arena. */
void audit_init(struct audit *a, const struct data *d, struct arena *arena, struct problems *found);
/* The same where the log of published numbers was read already. */
void audit_init_with(struct audit *a, const struct data *d, const struct published_log *log,
                     struct arena *arena, struct problems *found);

#endif
