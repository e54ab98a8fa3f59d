#include "site-gen/build/stamp.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/output/publish.h"
#include "site-gen/base/inputs.h"
#include "site-gen/site/site.h"

enum { MAX_STAMP_BYTES = 4096 };

static void put_file(struct sb *to, const char *path)
{
	struct stat st = {0};
	stat(path, &st);
	sb_printf(to, "%s %lld %lld %ld %llu\n", path, (long long)st.st_size,
	          (long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec,
	          (unsigned long long)st.st_ino);
}

void stamp_take(const struct site *s, struct stamp *out)
{
	struct sb extra = {0};
	const struct site_options *o = &s->options;
	sb_printf(&extra, "head %s out %s drafts %d future %d strict %d werror %d audit %d\n",
	          s->repo.head, o->out, o->drafts, o->future, o->strict, o->werror, o->audit);
	put_file(&extra, "/proc/self/exe");
	inputs_digest(&s->repo.files, sb_view(&extra), out->inputs, &out->settled);
	sb_free(&extra);
}

/* Path of the stamp; each output folder has its own. */
static char *path_of(const struct site *s, struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(s->options.out), hex);
	return arena_printf(a, "%s/stamp-%.12s", s->options.cache, hex);
}

static void stamp_text(const struct stamp *st, const char *outputs, struct sb *to)
{
	sb_printf(to, "inputs %s\noutputs %s\n", st->inputs, outputs);
}

bool stamp_holds(const struct site *s, const struct stamp *st)
{
	struct arena a = {0};
	struct err ignored = ERR_NONE;
	struct sb wanted = {0};
	struct str got;
	char outputs[HASH_SHA256_HEX + 1];
	const char *inputs = arena_printf(&a, "inputs %s\n", st->inputs);
	bool same = st->settled && file_read(path_of(s, &a), MAX_STAMP_BYTES, &a, &got, &ignored) &&
	            str_starts(got, inputs) && publish_digest_now(s->options.out, outputs);
	if (same) {
		stamp_text(st, outputs, &wanted);
		same = str_eq(got, sb_view(&wanted));
	}
	sb_free(&wanted);
	arena_free(&a);
	return same;
}

bool stamp_write(const struct site *s, const struct stamp *st, const struct output_file *files,
                 size_t n, struct err *e)
{
	struct arena a = {0};
	struct sb text = {0};
	const char *path = path_of(s, &a);
	char outputs[HASH_SHA256_HEX + 1];
	bool ok = true;
	if (st->settled) {
		publish_digest(files, n, outputs);
		stamp_text(st, outputs, &text);
		ok = file_write(path, sb_view(&text), e);
	} else {
		unlink(path);
	}
	sb_free(&text);
	arena_free(&a);
	return ok;
}
