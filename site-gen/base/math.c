#include "site-gen/base/math.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"

enum {
	TEX_MAX_BYTES = 8 << 10,
	XML_MAX_BYTES = 1 << 20,
	CPU_SECONDS = 5,
	MEMORY_BYTES = 512 << 20,
};

/* --- blahtexml's answer --- */

/* The content of the first element of this name; p == NULL if there is none. */
static struct str element(struct str xml, const char *name)
{
	struct html_scan h = html_scan(xml);
	struct str content;
	return html_scan_find(&h, name) && html_scan_inside(&h, &content) ? content
	                                                                  : (struct str){NULL, 0};
}

/* Accepts only presentation MathML, because the markup goes into a page as it is. */
static bool known_tag(struct str name)
{
	static const char *const tags[] = {
	        "mi",         "mn",     "mo",   "mtext", "mspace",  "mrow",    "mfrac",
	        "msqrt",      "mroot",  "msub", "msup",  "msubsup", "munder",  "mover",
	        "munderover", "mtable", "mtr",  "mtd",   "mstyle",  "mpadded", "mphantom"};
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (str_is(name, tags[i]))
			return true;
	return false;
}

static bool only_math(struct str xml)
{
	struct html_scan h = html_scan(xml);
	enum html_token t;
	while ((t = html_scan_next(&h)) != HTML_NONE)
		if (t == HTML_BROKEN || t == HTML_COMMENT || (t != HTML_TEXT && !known_tag(h.name)))
			return false;
	return true;
}

/* Adds units to lengths: validators refuse lspace="0". */
static void put_lengths(struct str xml, struct sb *to)
{
	static const char zero[] = "=\"0\"";
	while (xml.n > 0) {
		const char *at = memmem(xml.p, xml.n, zero, sizeof zero - 1);
		size_t n = at ? (size_t)(at - xml.p) : xml.n;
		struct str before = str_sub(xml, 0, n);
		sb_str(to, before);
		if (!at)
			break;
		bool length = str_ends(before, "space") || str_ends(before, "width");
		sb_cstr(to, length ? "=\"0em\"" : zero);
		xml = str_sub(xml, n + sizeof zero - 1, xml.n);
	}
}

static bool wrap(struct str tex, bool display, struct str xml, struct loc at, struct sb *to,
                 struct err *e)
{
	struct str markup = element(xml, "markup"), why = element(xml, "message");
	if (!markup.p)
		return err_at(e, at, "the formula cannot be set: " STR_FMT,
		              STR_ARG(why.p ? why : str_trim(xml)));
	markup = str_trim(markup);
	if (!only_math(markup))
		return err_at(e, at, "the formula cannot be set: it would need more than MathML");
	html_raw(to, display ? "<math display=\"block\">" : "<math>");
	html_raw(to, "<semantics><mrow>");
	put_lengths(markup, to);
	html_raw(to, "</mrow><annotation encoding=\"application/x-tex\">");
	html_text(to, tex);
	html_raw(to, "</annotation></semantics></math>");
	return true;
}

/* --- running it --- */

static bool translate(const char *path, struct str tex, bool display, struct arena *a,
                      struct str *xml, struct err *e)
{
	const char *const args[] = {"--mathml", display ? "--displaymath" : NULL, NULL};
	const char *dir = tool_folder(a, e);
	struct str said;
	if (!dir)
		return false;
	const struct tool t = {.name = "blahtexml",
	                       .path = path,
	                       .args = args,
	                       .dir = dir,
	                       .input = "in",
	                       .output = "out",
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES,
	                       .file_bytes = XML_MAX_BYTES};
	bool ok = file_write(arena_printf(a, "%s/in", dir), tex, e) && tool_run(&t, a, &said, e) &&
	          file_read(arena_printf(a, "%s/out", dir), XML_MAX_BYTES, a, xml, e);
	tool_folder_remove(dir);
	return ok;
}

/* Hashes the program and the formula. */
static bool key_of(const char *program, struct str tex, bool display, char key[HASH_SHA256_HEX + 1],
                   struct err *e)
{
	struct sb all = {0};
	if (!program)
		return err_set(e, "blahtexml is not installed: formulas need the package of that "
		                  "name ('make setup site' installs it)");
	if (!tool_version(program, &all, e))
		return false;
	sb_printf(&all, "%d " STR_FMT, display, STR_ARG(tex));
	hash_sha256(sb_view(&all), key);
	sb_free(&all);
	return true;
}

bool math_mathml(struct str tex, bool display, struct loc at, const char *cache, struct arena *a,
                 struct sb *to, struct err *e)
{
	char key[HASH_SHA256_HEX + 1];
	struct str xml;
	struct err why = ERR_NONE;
	if (tex.n > TEX_MAX_BYTES)
		return err_at(e, at, "the formula is too long, expected at most %d bytes",
		              TEX_MAX_BYTES);
	const char *program = tool_find("blahtexml", a);
	if (!key_of(program, tex, display, key, &why))
		return err_at(e, at, "%s", why.text);
	const char *kept = arena_printf(a, "%s/%s.xml", cache, key);
	if (kept_read(kept, XML_MAX_BYTES, a, &xml))
		return wrap(tex, display, xml, at, to, e);
	if (!file_mkdirs(cache, e))
		return false;
	if (!translate(program, tex, display, a, &xml, &why))
		return err_at(e, at, "%s", why.text);
	if (!wrap(tex, display, xml, at, to, e))
		return false;
	kept_write(kept, xml, a);
	return true;
}
