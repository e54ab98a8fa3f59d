#include "site-gen/files/source_bundle.h"

#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/units.h"
#include "site-gen/base/kept.h"
#include "site-gen/git/git.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/script.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/site.h"

enum { MAX_BYTES = 1 << 30, MAX_INPUT = 64 << 20 };

bool source_bundle_wanted(const struct site *s)
{
	return s->config->source && !s->options.sources && git_is_whole(s->repo.git);
}

static const char *kept_at(const struct site *s, struct arena *a)
{
	return arena_printf(a, "%s/source.bundle", s->options.cache);
}

/* HEAD's bundle from the cache, in the arena. */
static bool is_kept(const struct site *s, struct arena *a, struct str *out)
{
	const char *head = arena_printf(a, "# v2 git bundle\n%s HEAD\n", s->repo.head);
	return kept_read(kept_at(s, a), MAX_BYTES, a, out) && str_starts(*out, head);
}

bool source_bundle_pack(const struct site *s, struct err *e)
{
	struct arena a = {0};
	struct str kept;
	struct sb made = {0};
	bool ok = !source_bundle_wanted(s) || is_kept(s, &a, &kept);
	if (!ok) {
		ok = git_bundle(s->repo.git, &made, e);
		if (ok)
			kept_write(kept_at(s, &a), sb_view(&made), &a);
	}
	sb_free(&made);
	arena_free(&a);
	return ok;
}

static bool bundle(struct maker *m, struct str *out, struct err *e)
{
	return is_kept(m->site, &m->scratch, out) ||
	       err_set(e,
	               "%s: the bundle of HEAD could not be kept there, expected a file that "
	               "can be written",
	               kept_at(m->site, &m->scratch));
}

bool source_bundle_load(struct maker *m, struct page *p, struct err *e)
{
	char sum[HASH_SHA256_HEX + 1];
	struct str bytes;
	if (!bundle(m, &bytes, e))
		return false;
	hash_sha256(bytes, sum);
	p->text.title = "";
	p->text.description = arena_strdup(m->shared, sum);
	p->fragments[0] = str_of(arena_printf(m->shared, "%zu", bytes.n));
	p->loaded = true;
	return true;
}

bool source_bundle_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct str bytes;
	(void)p;
	if (!bundle(m, &bytes, e))
		return false;
	sb_str(to, bytes);
	return true;
}

/* Does a text or template of the work tree differ from HEAD? Its page is not in the bundle then. */
static bool is_changed(struct maker *m)
{
	const struct inputs *in = &m->site->repo.files;
	for (size_t i = 0; i < in->n; i++) {
		const char *path = in->file[i].path;
		if (*path == '/') /* of the default look, which is no part of the repository */
			continue;
		const char *blob = git_blob_at(m->site->repo.git, NULL, path, &m->scratch);
		char now[HASH_GIT_HEX + 1];
		struct err none = ERR_NONE;
		struct str bytes;
		if (!blob || !file_read(path, MAX_INPUT, &m->scratch, &bytes, &none))
			return true;
		hash_git_blob(bytes, now);
		if (strcmp(blob, now) != 0)
			return true;
	}
	return false;
}

int64_t source_bundle_megabytes(const struct maker *m, size_t checkouts)
{
	const struct page *file = outputs_find(m->site, STR(SOURCE_BUNDLE_URL));
	int64_t bytes = 0, times = 3 + (int64_t)checkouts, ten = 10 * 1000 * 1000;
	if (!file || !str_i64(file->fragments[0], &bytes))
		return 0;
	return (bytes * times + ten - 1) / ten * 10;
}

void source_bundle_vars(struct maker *m, struct script *s, const struct page *p)
{
	const struct page *file = outputs_find(m->site, STR(SOURCE_BUNDLE_URL));
	struct sb bytes = {0};
	(void)p;
	script_begin(s, "bundle", 4);
	script_cstr(s, "commit", m->site->repo.head);
	script_cstr(s, "sha256", file ? file->text.description : "");
	unit_count(file ? file->fragments[0] : STR(""), &bytes);
	script_text(s, "bytes", sb_view(&bytes));
	sb_free(&bytes);
	script_flag(s, "changed", is_changed(m));
	script_end(s);
}
