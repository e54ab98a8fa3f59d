/*
 * Audits a folder: compares every file with the manifest, and every page with
 * the records.
 */
#include "site-gen/audit/audit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/audit/feed.h"
#include "site-gen/audit/log.h"
#include "site-gen/audit/text.h"
#include "site-gen/output/compress.h"
#include "site-gen/lua/config.h"
#include "site-gen/lint/lint.h"
#include "site-gen/numbers/statements.h"
#include "site-gen/output/manifest.h"
#include "site-gen/numbers/published.h"
#include "site-gen/records/launches.h"

enum { MAX_BYTES = 256 << 20 };

/* Names in the summary, in the order of enum audit_counted. */
static const char *const counted_names[AUDIT_N] = {
        [AUDIT_N_VALUE] = "values",
        [AUDIT_N_RATIO] = "ratios",
        [AUDIT_N_SHARE_SPEC] = "shares of a theoretical peak",
        [AUDIT_N_SHARE_MEASURED] = "shares of a measured peak",
        [AUDIT_N_INTERVAL] = "intervals",
        [AUDIT_N_SPEC] = "datasheet numbers",
        [AUDIT_N_COUNT] = "counts",
        [AUDIT_N_DERIVED] = "derivations",
        [AUDIT_N_COUNTER] = "hardware counters",
        [AUDIT_N_LISTED] = "listings and counts of machine code",
        [AUDIT_N_STAMPS] = "numbers of time stamps",
        [AUDIT_N_DRAWN] = "numbers of diagrams",
        [AUDIT_N_TRUST] = "figures of the instrument",
        [AUDIT_N_NOTED] = "numbers of the past",
        [AUDIT_N_CHART] = "labels of charts",
        [AUDIT_N_CLAIM] = "claims",
        [AUDIT_N_PREDICTED] = "predictions",
        [AUDIT_N_VERDICT] = "verdicts",
        [AUDIT_N_TABLE] = "numbers in JSON and CSV",
};

size_t audit_total(const size_t counted[AUDIT_N])
{
	size_t sum = 0;
	for (int i = 0; i < AUDIT_N; i++)
		sum += counted[i];
	return sum;
}

/* --- files --------------------------------------------------------------------------------- */

struct folder {
	struct audit *audit;
	const char *dir;
	struct arena *a;
	const char **files; /* relative to dir, sorted like a manifest */
	size_t n, cap;
	const struct manifest_entry *listed; /* sorted, too */
	size_t nlisted;
	size_t forms; /* number of compressed forms of listed files */
};

static void add_file(struct folder *f, const char *path)
{
	f->files = arena_grow(f->a, f->files, f->n, &f->cap, sizeof *f->files);
	f->files[f->n++] = path;
}

/* `under` is "" or ends in '/'. */
static bool list_files(struct folder *f, const char *under, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(arena_printf(f->a, "%s/%s", f->dir, under), f->a, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(f->a, "%s%s", under, entry[i].name);
		if (!entry[i].is_dir)
			add_file(f, path);
		else if (!list_files(f, arena_printf(f->a, "%s/", path), e))
			return false;
	}
	return true;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* --- comparison with the manifest ---------------------------------------------------------- */

static void check_file(struct folder *f, const struct manifest_entry *m, struct str bytes)
{
	char hex[HASH_SHA256_HEX + 1];
	struct loc at = {.path = m->path};
	hash_sha256(bytes, hex);
	if (strcmp(hex, m->sha256) != 0)
		problems_rule(
		        f->audit->found, RULE_WHOLE, at,
		        "is not the file that was published: SHA-256 %.12s…, the manifest says "
		        "%.12s…",
		        hex, m->sha256);
	else if ((int64_t)bytes.n != m->size)
		problems_rule(f->audit->found, RULE_WHOLE, at,
		              "has %zu bytes, the manifest says %lld", bytes.n, (long long)m->size);
}

static void missing(struct folder *f, const char *path)
{
	problems_rule(f->audit->found, RULE_WHOLE, (struct loc){.path = path},
	              "is in the manifest, but not in the folder");
}

/*
 * The manifest's entry of a file, or NULL. Walks both sorted lists; each entry skipped on the way
 * is a missing file.
 */
static const struct manifest_entry *entry_of(struct folder *f, const char *path, size_t *k)
{
	const struct manifest_entry *m = f->listed;
	while (*k < f->nlisted && strcmp(m[*k].path, path) < 0)
		missing(f, m[(*k)++].path);
	return *k < f->nlisted && strcmp(m[*k].path, path) == 0 ? &m[(*k)++] : NULL;
}

static int by_entry(const void *path, const void *entry)
{
	return strcmp(path, ((const struct manifest_entry *)entry)->path);
}

static bool is_published(const struct folder *f, const char *path)
{
	return strcmp(path, MANIFEST_FILE) == 0 ||
	       (f->nlisted && bsearch(path, f->listed, f->nlisted, sizeof *f->listed, by_entry));
}

/*
 * A deployed site has compressed forms beside its files, which a server sends in their place. The
 * manifest does not list them, but each must decompress to its file. False: not such a form.
 */
static bool check_form(struct folder *f, const char *path, struct str bytes, struct arena *a)
{
	struct str page, of;
	struct err e = ERR_NONE;
	const struct compress_form *form = compress_form_of(str_of(path), &page);
	const char *name = form ? str_dup(a, page) : NULL;
	if (!form || !is_published(f, name))
		return false;
	f->forms++;
	if (!file_read(arena_printf(a, "%s/%s", f->dir, name), MAX_BYTES, a, &of, &e) ||
	    !form->holds(bytes, of))
		problems_rule(f->audit->found, RULE_WHOLE, (struct loc){.path = path},
		              "is not the %s form of %s: readers get something else", form->name,
		              name);
	return true;
}

/* A file that the manifest does not list. */
static void check_unlisted(struct folder *f, const char *path, struct str bytes, struct arena *a)
{
	if (strcmp(path, MANIFEST_FILE) != 0 && !check_form(f, path, bytes, a))
		problems_rule(f->audit->found, RULE_WHOLE, (struct loc){.path = path},
		              "is not in the manifest: no build published it");
}

static bool is_markup(const char *path)
{
	struct str s = str_of(path);
	return str_ends(s, ".html") || str_ends(s, ".xml");
}

static bool check_files(struct folder *f, struct err *e)
{
	struct manifest_entry *m = NULL;
	size_t k = 0;
	struct str text;
	const char *name = arena_printf(f->a, "%s/" MANIFEST_FILE, f->dir);
	if (!file_read(name, MAX_BYTES, f->a, &text, e) ||
	    !manifest_read(text, name, f->a, &m, &f->nlisted, e))
		return false;
	f->listed = m;
	for (size_t i = 0; i < f->n; i++) {
		struct arena one = {0};
		const struct manifest_entry *entry = entry_of(f, f->files[i], &k);
		bool ok = file_read(arena_printf(&one, "%s/%s", f->dir, f->files[i]), MAX_BYTES,
		                    &one, &text, e);
		if (ok && entry)
			check_file(f, entry, text);
		else if (ok)
			check_unlisted(f, f->files[i], text, &one);
		if (ok && is_markup(f->files[i]))
			audit_page(f->audit, f->files[i], text);
		else if (ok) {
			audit_table(f->audit, f->files[i], text);
			audit_copy(f->audit, f->files[i], text);
		}
		arena_free(&one);
		launches_rest(f->audit->data);
		if (!ok)
			return false;
	}
	while (k < f->nlisted)
		missing(f, m[k++].path);
	return true;
}

/* --- the command ----------------------------------------------------------------------------- */

/* Prints how many lines of the log were checked, and how many no record can confirm. */
static void say_log(const struct audit_log_count *log)
{
	struct sb unheld = {0};
	audit_log_unheld(log, &unheld);
	if (log->n[AUDIT_LOG_HELD] || unheld.n)
		printf("site-gen: audit: " PUBLISHED_PATH
		       ": %zu lines agree with the records%s%s\n",
		       log->n[AUDIT_LOG_HELD], unheld.n ? "; cannot be held: " : "",
		       unheld.n ? unheld.p : "");
	sb_free(&unheld);
}

static void say_summary(const struct folder *f, const struct audit_log_count *log)
{
	const size_t *n = f->audit->counted;
	printf("site-gen: audit: %s: %zu files, ", f->dir, f->n);
	if (f->forms)
		printf("%zu of them compressed forms, ", f->forms);
	printf("%zu numbers re-derived:", audit_total(n));
	bool any = false;
	for (int i = 0; i < AUDIT_N; i++) {
		if (n[i])
			printf("%s %zu %s", any ? "," : "", n[i], counted_names[i]);
		any = any || n[i];
	}
	puts(any ? "" : " none");
	say_log(log);
}

static bool check_all(struct folder *f, const struct command_audit_options *o, struct err *e)
{
	f->dir = o->dir;
	if (!list_files(f, "", e))
		return false;
	if (f->n)
		qsort(f->files, f->n, sizeof *f->files, by_string);
	return true;
}

int audit_run(const struct command_audit_options *o)
{
	struct arena arena = {0};
	struct problems found = {.arena = &arena};
	struct audit audit = {.found = &found};
	struct folder f = {.audit = &audit, .a = &arena};
	struct git *git = NULL;
	struct config config;
	struct data data = {0};
	struct audit_log_count log = {0};
	struct err e = ERR_NONE;
	bool ok = check_all(&f, o, &e) && config_load(&arena, &config, &e) &&
	          git_open(".", &git, &e) &&
	          data_load(".", git, NULL, config.default_device, &arena, &data, &e) &&
	          statements_load(&data, &e);
	if (ok) {
		audit_init(&audit, &data, &arena, &found);
		audit.names = (struct words){&config, "en"};
		audit.preview = o->preview;
		audit.lint = lint_new(&arena);
		ok = check_files(&f, &e);
		log = audit_log(&data, audit.log, &arena, &found);
		ok = ok && git_sound(git, &e) && launches_sound(&data, &e);
		audit_text_finish(&audit);
		audit_feed_finish(&audit);
	}
	if (e.set)
		fprintf(stderr, "site-gen: %s\n", e.text);
	const struct problems *list = &found;
	size_t n = problems_print(&list, 1, false, stderr);
	if (ok && !o->quiet)
		say_summary(&f, &log);
	git_close(git);
	launches_close(&data);
	arena_free(&audit.records.scratch);
	arena_free(&arena);
	return ok && n == 0 ? 0 : 1;
}
