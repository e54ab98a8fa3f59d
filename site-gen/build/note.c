#include "site-gen/build/note.h"

#include "site-gen/base/unicode.h"
#include "site-gen/build/build.h"
#include "site-gen/site/log_check.h"
#include "site-gen/site/site.h"

struct call {
	const char *reason;
	bool quiet, begin;
};

static void say_change(const struct published_diff *d)
{
	static const char *const words[] = {
	        [PUBLISHED_FIRST] = "first",    [PUBLISHED_CHANGED] = "changed",
	        [PUBLISHED_AGAIN] = "again",    [PUBLISHED_GONE] = "gone",
	        [PUBLISHED_BROKEN] = "changed",
	};
	const struct published *x = d->now ? d->now : d->before;
	printf("%-8s %s %s: %s%s%s\n", words[d->change], x->page, x->number,
	       d->before ? d->before->text : "", d->before && d->now ? " -> " : "",
	       d->now ? d->now->text : "");
}

static bool note(struct site *s, void *ctx, struct err *e)
{
	const struct call *call = ctx;
	struct log_written did;
	if (call->reason && !unicode_is_visible(str_of(call->reason)))
		return err_set(e, "--reason is empty, expected why the digits changed");
	if (call->reason && call->begin)
		return err_set(e, "--begin compares with nothing, so there is no change whose "
		                  "reason could be given");
	if (call->begin)
		log_check_begin(s);
	else if (!log_check_load(s, e))
		return false;
	if (!log_check_write(s, call->reason, &did, e))
		return false;
	if (call->quiet)
		return true;
	/* the first note prints only the number of additions */
	for (size_t i = 0; s->log->log.exists && i < did.added; i++)
		say_change(&s->log->diff[i]);
	if (did.closed)
		printf("site-gen: %s: closed with the lines that were committed; commit it with "
		       "the lines that stay in " PUBLISHED_PATH "\n",
		       did.closed);
	if (call->begin)
		printf("site-gen: " PUBLISHED_PATH ": begins anew with %zu lines; commit it now, "
		       "with 'git add -A data'\n",
		       did.added);
	else if (did.added)
		printf("site-gen: " PUBLISHED_PATH ": %zu lines added; commit it with what "
		       "changed the pages\n",
		       did.added);
	else
		printf("site-gen: " PUBLISHED_PATH ": nothing to note\n");
	return true;
}

int note_run(const struct site_options *options, const char *reason, bool begin)
{
	struct call call = {reason, options->quiet, begin};
	return build_loaded(options, NULL, note, &call);
}
