#include "site-gen/audit/state.h"

#include "site-gen/numbers/published.h"

void audit_init_with(struct audit *a, const struct data *d, const struct published_log *log,
                     struct arena *arena, struct problems *found)
{
	*a = (struct audit){.data = d, .log = log, .found = found};
	audit_records_init(&a->records, d, arena);
}

void audit_init(struct audit *a, const struct data *d, struct arena *arena, struct problems *found)
{
	struct published_log *log = ARENA_NEW(arena, struct published_log);
	struct err e = ERR_NONE;
	if (!published_load(d->git, arena, log, &e))
		problems_add(found, &e);
	audit_init_with(a, d, log, arena, found);
}
