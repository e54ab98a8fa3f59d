#include "runner/sass/disassemble.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "runner/base/child.h"

/* --- the program --- */

enum { TIMEOUT_S = 120, MAX_TEXT = 64 << 20, MAX_SAID = 4096 };

static const char *look_for(struct arena *a)
{
	const char *home = getenv("CUDA_HOME"), *found = child_find("nvdisasm", a);
	const char *const dirs[] = {home ? home : "", "/usr/local/cuda"};
	for (size_t i = 0; !found && i < ARRAY_LEN(dirs); i++) {
		const char *try = arena_printf(a, "%s/bin/nvdisasm", dirs[i]);
		if (*dirs[i] && access(try, X_OK) == 0)
			found = try;
	}
	return found;
}

bool disassemble_find(const char *given, struct arena *a, struct disassembler *out, struct err *e)
{
	char text[MAX_SAID];
	*out = (struct disassembler){.path = given ? given : look_for(a)};
	if (!out->path)
		return err_set(e, "nvdisasm of the CUDA Toolkit is neither on PATH nor in "
		                  "$CUDA_HOME/bin; --nvdisasm FILE names it");
	const char *const argv[] = {out->path, "--version", NULL};
	const char *why = child_run(argv, TIMEOUT_S, -1, text, sizeof text, a);
	if (why)
		return err_set(e, "%s", why);
	const char *at = strstr(text, ", V");
	if (!at)
		return err_set(e, "%s: does not tell its version", out->path);
	at += strlen(", V");
	out->version = arena_printf(a, "nvdisasm %.*s", (int)strcspn(at, " \n"), at);
	return true;
}

bool disassemble(const struct disassembler *d, struct str bytes, struct arena *a, struct str *text,
                 struct err *e)
{
	const char *path = child_temporary("cubin", a, e);
	char *said = path ? malloc(MAX_TEXT) : NULL;
	if (!path)
		return false;
	if (!said) {
		unlink(path);
		return err_set(e, "no memory for the output of %s", d->path);
	}
	bool ok = file_write(path, bytes, e);
	/* -c: code only; -gi: with the lines of sources, and where they were inlined */
	const char *const argv[] = {d->path, "-c", "-gi", path, NULL};
	const char *why = ok ? child_run(argv, TIMEOUT_S, -1, said, MAX_TEXT, a) : NULL;
	unlink(path);
	*text = str_keep(a, str_of(ok ? said : ""));
	free(said);
	if (why)
		return err_set(e, "%s", why);
	return ok && (text->n + 1 < MAX_TEXT ||
	              err_set(e, "%s: prints more than %d MiB", d->path, MAX_TEXT >> 20));
}

/* --- its output --- */

const char *disassemble_title(const char *name, struct arena *a)
{
	int status = 0;
	char *title = disassemble_demangle ? disassemble_demangle(name, NULL, NULL, &status) : NULL;
	const char *out = arena_strdup(a, title ? title : name);
	free(title);
	return out;
}

enum { MAX_PLACES = 16 };

/* What is read of the current function. */
struct parser {
	const struct run_source *source;
	size_t nsource;
	struct arena *a;
	struct sass_function *function;
	size_t n, cap;
	/* of the current function */
	struct sass_instruction *code;
	struct sass_label *label;
	size_t ncode, cap_code, nlabels, cap_labels;
	struct sass_place place[MAX_PLACES]; /* of the next instruction */
	size_t nplaces;
	bool fresh; /* the next line with a place begins a new list */
	const struct sass_place *kept;
	size_t nkept; /* the list of the instruction before, shared while it does not change */
	struct str waiting; /* a label that no instruction has followed yet */
};

static void end_function(struct parser *p)
{
	if (p->n == 0)
		return;
	struct sass_function *f = &p->function[p->n - 1];
	f->code = p->code;
	f->n = p->ncode;
	f->label = p->label;
	f->nlabels = p->nlabels;
	if (f->n == 0)
		p->n--;
}

/* line -> '.section' '.text.' name ',' … */
static bool take_section(struct parser *p, struct str line)
{
	static const char word[] = ".section", text[] = ".text.";
	if (!str_starts(line, word))
		return false;
	struct str name = str_trim(str_sub(line, sizeof word - 1, line.n));
	end_function(p);
	if (!str_starts(name, text))
		return true;
	name = str_sub(name, sizeof text - 1, str_find(name, ',', 0));
	p->function = arena_grow(p->a, p->function, p->n, &p->cap, sizeof *p->function);
	p->function[p->n++] = (struct sass_function){.name = str_dup(p->a, name)};
	p->code = NULL;
	p->label = NULL;
	p->ncode = p->cap_code = p->nlabels = p->cap_labels = p->nplaces = p->nkept = 0;
	p->waiting = STR("");
	return true;
}

/* The path of a source as records name it, or the name of a file of no source. */
static const char *short_path(const struct parser *p, struct str path)
{
	for (size_t i = 0; i < p->nsource; i++) {
		size_t n = strlen(p->source[i].path);
		if (str_ends(path, p->source[i].path) &&
		    (path.n == n || path.p[path.n - n - 1] == '/'))
			return p->source[i].path;
	}
	const char *slash = memrchr(path.p, '/', path.n);
	return str_dup(p->a, slash ? str_sub(path, (size_t)(slash + 1 - path.p), path.n) : path);
}

/* line -> '//## File "' path '", line ' number [ ' inlined at "' … ] */
static bool take_place(struct parser *p, struct str line)
{
	static const char before[] = "//## File \"", between[] = "\", line ";
	int64_t number;
	if (!str_starts(line, before))
		return false;
	struct str path = str_sub(line, sizeof before - 1, line.n), rest;
	str_cut(path, '"', &path, &rest);
	rest = str_sub(line, sizeof before - 1 + path.n, line.n);
	if (!str_starts(rest, between))
		return true;
	rest = str_sub(rest, sizeof between - 1, rest.n);
	str_cut(rest, ' ', &rest, &(struct str){0});
	if (p->fresh)
		p->nplaces = 0;
	p->fresh = false;
	if (str_i64(rest, &number) && p->nplaces < MAX_PLACES)
		p->place[p->nplaces++] = (struct sass_place){short_path(p, path), number};
	p->nkept = 0;
	return true;
}

/* line -> label ':' */
static bool take_label(struct parser *p, struct str line)
{
	if (line.n < 2 || !str_ends(line, ":") || memchr(line.p, ' ', line.n))
		return false;
	struct str name = str_sub(line, 0, line.n - 1);
	if (str_starts(name, ".L"))
		p->waiting = name;
	return true;
}

static void put_waiting(struct parser *p, int64_t offset)
{
	if (p->waiting.n == 0)
		return;
	p->label = arena_grow(p->a, p->label, p->nlabels, &p->cap_labels, sizeof *p->label);
	p->label[p->nlabels++] = (struct sass_label){offset, str_dup(p->a, p->waiting)};
	p->waiting = STR("");
}

static const struct sass_place *places(struct parser *p)
{
	if (p->nkept == 0 && p->nplaces > 0) {
		struct sass_place *own = ARENA_ARRAY(p->a, struct sass_place, p->nplaces);
		memcpy(own, p->place, p->nplaces * sizeof *own);
		p->kept = own;
		p->nkept = p->nplaces;
	}
	p->fresh = true;
	return p->kept;
}

/* line -> '/' '*' hex '*' '/' text ';' ; *is says whether it is one */
static bool take_instruction(struct parser *p, struct str line, bool *is, struct err *e)
{
	*is = str_starts(line, "/*");
	if (!*is)
		return true;
	const char *close = memmem(line.p, line.n, "*/", 2);
	char *end = NULL;
	long long offset = close ? strtoll(line.p + 2, &end, 16) : -1;
	if (!close || end != close || p->n == 0)
		return err_set(e, "nvdisasm: '" STR_FMT "' is no instruction of a function",
		               STR_ARG(line));
	struct str text = str_trim(str_sub(line, (size_t)(close + 2 - line.p), line.n));
	text = str_trim(str_sub(text, 0, str_find(text, ';', 0)));
	if (text.n == 0 || (p->ncode > 0 && offset <= p->code[p->ncode - 1].offset))
		return err_set(e, "nvdisasm: '" STR_FMT "' does not follow the one before it",
		               STR_ARG(line));
	const char *sign = memmem(text.p, text.n, " &", 2), *wait = memmem(text.p, text.n, " ?", 2);
	const char *cut = sign && (!wait || sign < wait) ? sign : wait;
	struct str control =
	        cut ? (struct str){cut + 1, (size_t)(text.p + text.n - cut - 1)} : STR("");
	text = str_sub(text, 0, cut ? (size_t)(cut - text.p) : text.n);
	put_waiting(p, offset);
	p->code = arena_grow(p->a, p->code, p->ncode, &p->cap_code, sizeof *p->code);
	struct sass_instruction *c = &p->code[p->ncode++];
	*c = (struct sass_instruction){.offset = offset, .text = str_dup(p->a, text)};
	c->control = control.n ? str_dup(p->a, control) : NULL;
	c->place = places(p);
	c->nplaces = p->nkept;
	return true;
}

bool disassemble_read(struct str text, const struct run_source *source, size_t nsource,
                      struct arena *a, struct sass_function **out, size_t *n, struct err *e)
{
	struct parser p = {.source = source, .nsource = nsource, .a = a};
	struct str line;
	for (bool more = true; more;) {
		bool is;
		more = str_cut(text, '\n', &line, &text);
		line = str_trim(line);
		if (take_section(&p, line) || take_place(&p, line) || take_label(&p, line))
			continue;
		if (!take_instruction(&p, line, &is, e))
			return false;
	}
	end_function(&p);
	*out = p.function;
	*n = p.n;
	return p.n > 0 || err_set(e, "nvdisasm: printed no instruction");
}
