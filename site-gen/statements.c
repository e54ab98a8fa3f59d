#include "site-gen/statements.h"

#include "site-gen/cited.h"
#include "site-gen/prediction.h"

bool statements_load(struct data *d, const char *base, const char *plot_cache, struct err *e)
{
	d->references = ARENA_NEW(d->arena, struct references);
	d->predictions = ARENA_NEW(d->arena, struct predictions);
	struct expand_ctx ctx = {.data = d,
	                         .device = d->default_device,
	                         .base = base,
	                         .arena = d->arena,
	                         .plot_cache = plot_cache};
	return references_load(d->root, d->arena, d->references, e) &&
	       predictions_load(&ctx, d->predictions, e);
}
