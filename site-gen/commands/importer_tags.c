/* Tags of several posts whose addresses are the same become one. */
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"

enum { MAX_BYTES = 1 << 20 };

static bool same_address(struct str a, struct str b)
{
	struct sb one = {0}, other = {0};
	html_slug(&one, a);
	html_slug(&other, b);
	bool same = str_eq(sb_view(&one), sb_view(&other));
	sb_free(&one);
	sb_free(&other);
	return same;
}

struct str importer_tag(struct import_report *r, struct arena *a, struct str tag)
{
	for (size_t i = 0; i < r->ntags; i++)
		if (str_eq(r->tag[i], tag) || same_address(r->tag[i], tag))
			return r->tag[i];
	r->tag = arena_grow(a, r->tag, r->ntags, &r->tags_cap, sizeof *r->tag);
	return r->tag[r->ntags++] = str_keep(a, tag);
}

static void read_tags(const char *path, struct import_report *r, struct arena *a)
{
	struct import_front f;
	struct import_report ignored = {0};
	struct err e = ERR_NONE;
	struct str src;
	if (!importer_read(r, path, MAX_BYTES, a, &src, &e) ||
	    !import_front_read(src, path, a, &f, &ignored, &e))
		return; /* the build says what is wrong with it */
	for (size_t i = 0; i < f.n; i++)
		for (size_t k = 0; str_is(f.field[i].name, "tags") && k < f.field[i].nvalues; k++)
			importer_tag(r, a, f.field[i].value[k]);
	sb_free(&ignored.text);
}

void importer_tags_of(const char *folder, struct import_report *r, struct arena *a)
{
	struct file_entry *entry;
	size_t n;
	if (!importer_exists(r, folder) || !file_list(folder, a, &entry, &n, &r->lost))
		return;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(a, "%s/%s", folder, entry[i].name);
		if (entry[i].is_dir)
			importer_tags_of(path, r, a);
		else if (str_ends(str_of(path), ".md"))
			read_tags(path, r, a);
	}
}
