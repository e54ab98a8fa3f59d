/*
 * Files of imported posts: which of them can be published, and under which name.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/base/image.h"
#include "site-gen/commands/importer.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/site/svg.h"

bool importer_exists(struct import_report *r, const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0)
		return true;
	if (errno != ENOENT && errno != ENOTDIR)
		err_sys(&r->lost, "%s: cannot stat", path);
	return false;
}

bool importer_read(struct import_report *r, const char *path, size_t max, struct arena *a,
                   struct str *out, struct err *e)
{
	struct stat st;
	if (file_read(path, max, a, out, e))
		return true;
	bool unfit = lstat(path, &st) == 0 && (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > max ||
	                                       (access(path, R_OK) != 0 && errno == EACCES));
	if (!unfit)
		err_set(&r->lost, "%s", e->text);
	return false;
}

void importer_wrote(struct import_report *r, const char *path, struct arena *a)
{
	r->written = arena_grow(a, r->written, r->nwritten, &r->written_cap, sizeof *r->written);
	r->written[r->nwritten++] = path;
}

void importer_undo(struct import_report *r, struct arena *a)
{
	while (r->nwritten > 0) {
		const char *path = r->written[--r->nwritten];
		unlink(path);
		rmdir(arena_strndup(a, path, (size_t)(strrchr(path, '/') - path))); /* if empty */
	}
}

const char *importer_plain_name(const char *name, struct arena *a)
{
	char *out = arena_strdup(a, name);
	for (char *p = out; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./",
		            *p))
			*p = '-';
	return out;
}

const char *importer_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* A drawing in our form, with a waiver if it has typed numbers; false, with the error: unsound. */
static bool mend_drawing(const struct import_links *l, const char *path, bool beside,
                         struct str *bytes, struct err *e)
{
	struct svg_said said;
	*bytes = importer_svg(*bytes, l->arena);
	if (!svg_check(*bytes, path, l->lint, "", l->arena, &said, e))
		return false;
	if (!said.found)
		return true;
	if (!beside)
		return err_at(e, said.found->at, "it has the typed number '" STR_FMT "'",
		              STR_ARG(said.found->text));
	const char *at = memmem(bytes->p, bytes->n, "<svg", 4);
	size_t n = (size_t)(at - bytes->p) + 4;
	*bytes = str_of(arena_printf(l->arena,
	                             STR_FMT " data-waive=\"imported: no run here stands behind "
	                                     "it\"" STR_FMT,
	                             STR_ARG(str_sub(*bytes, 0, n)),
	                             STR_ARG(str_sub(*bytes, n, bytes->n))));
	l->report->repaired[IMPORT_MADE_DRAWING]++;
	return true;
}

bool importer_is_drawing(const char *path)
{
	struct str s = str_of(path);
	return s.n > 4 && strcasecmp(s.p + s.n - 4, ".svg") == 0;
}

/* The end of a file's name that its format has, ".jpg"; NULL: it has no such format. */
static const char *ending_of(enum image_format f)
{
	return f == IMAGE_PNG    ? ".png"
	       : f == IMAGE_JPEG ? ".jpg"
	       : f == IMAGE_WEBP ? ".webp"
	       : f == IMAGE_GIF  ? ".gif"
	                         : NULL;
}

/* The name that a file is published under: a picture of another format than it says gets its own.
 */
const char *importer_name_for(const char *name, struct str bytes, struct arena *a)
{
	struct image i;
	struct err e = ERR_NONE;
	struct str own = str_of(name);
	const char *plain = importer_plain_name(name, a), *end;
	if (importer_is_drawing(name) || !image_read(bytes, &i, &e) || !(end = ending_of(i.format)))
		return plain;
	size_t n = strlen(end);
	bool same = own.n > n && strcasecmp(own.p + own.n - n, end) == 0;
	same |= i.format == IMAGE_JPEG && own.n > 5 && strcasecmp(own.p + own.n - 5, ".jpeg") == 0;
	return same ? plain : arena_printf(a, "%s%s", plain, end);
}

/* Four colours of print, which cannot be made smaller: the JPEG's frame has four components. */
static bool is_of_print(struct str s)
{
	for (size_t i = 2; i + 9 < s.n && (unsigned char)s.p[i] == 0xFF;) {
		unsigned char kind = (unsigned char)s.p[i + 1];
		size_t n = (size_t)(unsigned char)s.p[i + 2] << 8 | (unsigned char)s.p[i + 3];
		if (kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC)
			return s.p[i + 9] == 4;
		i += 2 + n;
	}
	return false;
}

/* A picture that can be published; false, with the error: it cannot. */
static bool is_picture(struct str bytes, struct err *e)
{
	struct image i;
	if (!image_read(bytes, &i, e))
		return false;
	return !(i.format == IMAGE_JPEG && is_of_print(bytes)) ||
	       err_set(e, "its colours are those of print (CMYK), expected RGB");
}

/* Text that can be published. */
static bool is_text(struct str bytes, struct err *e)
{
	uint32_t c;
	return (str_utf8(bytes) && !html_bad_char(bytes, &c)) ||
	       err_set(e, "not UTF-8, or with control characters");
}

static bool has_ending(const char *path, const char *const *ends, size_t n)
{
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < n; i++)
		if (strcasecmp(dot, ends[i]) == 0)
			return true;
	return false;
}

bool importer_file(const struct import_links *l, const char *path, const char *from, int line,
                   bool beside, struct import_file *out)
{
	static const char *const pictures[] = {".png", ".jpg", ".jpeg", ".webp", ".gif"};
	struct err e = ERR_NONE;
	bool known = file_kind_known(path, FILE_OF_POST);
	bool ok = known &&
	          importer_read(l->report, path, IMPORT_MAX_FILE_BYTES, l->arena, &out->bytes, &e);
	if (!known)
		err_set(&e, "a file of this kind is not published and was left out");
	else if (ok && importer_is_drawing(path))
		ok = mend_drawing(l, path, beside, &out->bytes, &e);
	else if (ok && has_ending(path, pictures, ARRAY_LEN(pictures)))
		ok = is_picture(out->bytes, &e);
	else if (ok && !str_ends(str_of(path), ".avif"))
		ok = is_text(out->bytes, &e);
	if (ok) {
		out->name = importer_name_for(importer_base(path), out->bytes, l->arena);
		return true;
	}
	import_report_note(l->report, IMPORT_LEFT_OUT, from, line, "%s%s%s%s",
	                   known ? "left out: " : "", known ? importer_base(path) : "",
	                   known ? ": " : "", e.text);
	return false;
}
