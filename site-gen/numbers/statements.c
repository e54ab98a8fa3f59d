#include "site-gen/numbers/statements.h"

#include "site-gen/records/cited.h"
#include "site-gen/numbers/prediction.h"

bool statements_load(struct data *d, struct err *e)
{
	d->references = ARENA_NEW(d->arena, struct references);
	d->predictions = ARENA_NEW(d->arena, struct predictions);
	return references_load(d->root, d->arena, d->references, e) &&
	       predictions_load(d, d->predictions, e);
}
