/*
 * The files that `site-gen new` writes. To add a kind, add a row to `kinds` and a case
 * to tests/e2e/new.sh. scaffold_fill() replaces words in braces.
 */
#include "site-gen/commands/scaffold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"

static const struct scaffold_kind {
	const char *name;     /* "post" */
	const char *argument; /* "SLUG", "FAMILY/VARIANT" */
	const char *path;     /* "content/posts/{name}.md"; {family} and {variant} for kernels */
	const char *text;     /* the new file, with {name}, {title}, {date}, … */
	const char *next;     /* the next steps */
} kinds[] = {
        {"post", "SLUG", "content/posts/{name}.md",
         "---\n"
         "title: \"{title}\"\n"
         "description: One sentence that says what a reader will know afterwards.\n"
         "take:\n"
         "  - The idea, in a sentence.\n"
         "  - What it takes on this hardware.\n"
         "  - Where it does not apply.\n"
         "date: {date}\n"
         "tags: []\n"
         "draft: true\n"
         "---\n\n"
         "One question, and why it matters.\n\n"
         "## What should happen\n\n"
         "The model, and what it predicts. Register the prediction before measuring: `site-gen "
         "new prediction ID`.\n\n"
         "## What happens\n\n"
         "Numbers are placeholders; `site-gen query` lists what can be asked for.\n\n"
         "## Why\n",
         "write it ({share}docs/first-post.md says how); `site-gen serve --drafts` shows it; "
         "without "
         "`draft: true` it is published"},
        {"page", "SLUG", "content/pages/{name}.md",
         "---\n"
         "title: \"{title}\"\n"
         "description: What this page is for.\n"
         "---\n\n"
         "The text.\n",
         "write it; it will be at /{name}/; a line in `nav` of content/site.lua leads there"},
        {"section", "NN-SLUG", "content/sections/{name}.md",
         "---\n"
         "title: \"{title}\"\n"
         "description: What a reader will know afterwards.\n"
         "status: planned\n"
         "needs: []\n"
         "---\n\n"
         "> [!HIGHLIGHTS]\n"
         "> - The one thing to remember.\n\n"
         "## What will be here\n\n"
         "- The first question.\n",
         "write it, and raise `status` to wip and written; `needs` lists the sections to read "
         "before it"},
        {"path", "SLUG", "content/paths/{name}.md",
         "---\n"
         "title: \"{title}\"\n"
         "description: Where it leads.\n"
         "sections: []\n"
         "---\n\n"
         "For whom this path is.\n",
         "list the ids of sections in reading order"},
        {"prediction", "ID", "data/predictions/{name}.md",
         "---\n"
         "title: \"{title}\"\n"
         "selector: FAMILY/VARIANT cache=cold\n"
         "metric: percent of spec:hbm\n"
         "low: 80\n"
         "confidence: 0.5\n"
         "---\n\n"
         "Why: the model, and what it leaves out.\n",
         "fill it in (data/predictions/README.md has the keys, `runner list` the names of "
         "variants and cases), and commit it before the run that tests it; afterwards it is never "
         "edited"},
        {"kernel", "FAMILY/VARIANT", "kernels/{family}/{variant}.cu",
         "/*\n"
         " * {family}/{variant} - {title}.\n"
         " *\n"
         " * The one idea that this file adds to the variant before it, why it should\n"
         " * help, and what it predicts (site-gen new prediction ...).\n"
         " */\n"
         "#include \"kernels/kernel.h\"\n\n"
         "enum { THREADS = 256 };\n\n"
         "// ANCHOR: inner\n"
         "static __global__ void {variant}(float *out, const float *in, size_t n)\n"
         "{\n"
         "    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;\n\n"
         "    if (i < n)\n"
         "        out[i] = in[i];\n"
         "}\n"
         "// ANCHOR_END: inner\n\n"
         "extern \"C\" int {family}_{variant}(const struct kernel_case *c,\n"
         "                             const struct kernel_env *env, void *const *buf,\n"
         "                             void *)\n"
         "{\n"
         "    const size_t n = (size_t)kernel_num(c, \"n\");\n"
         "    const unsigned grid = (unsigned)((n + THREADS - 1) / THREADS);\n\n"
         "    {variant}<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(\n"
         "        (float *)buf[0], (const float *)buf[1], n);\n"
         "    return (int)cudaGetLastError();\n"
         "}\n",
         "declare {family}_{variant} and add its row in kernels/{family}/family.c, then `make "
         "runner` and `runner check {family}/{variant}`; a variant for the CPU is a .c file, like "
         "those that are there"},
};
enum { NKINDS = ARRAY_LEN(kinds) };

/* --- words in braces --- */

static const char *value_of(const struct scaffold_values *v, struct str word)
{
	return str_is(word, "name")      ? v->name
	       : str_is(word, "family")  ? v->family
	       : str_is(word, "variant") ? v->variant
	       : str_is(word, "title")   ? v->title
	       : str_is(word, "date")    ? v->date
	       : str_is(word, "version") ? v->version
	       : str_is(word, "share")   ? v->share
	                                 : NULL;
}

const char *scaffold_fill(const char *text, const struct scaffold_values *v, struct arena *a)
{
	struct sb to = {0};
	struct str rest = str_of(text);
	while (rest.n > 0) {
		size_t open = str_find(rest, '{', 0), close = str_find(rest, '}', open);
		const char *value =
		        close < rest.n ? value_of(v, str_sub(rest, open + 1, close)) : NULL;
		size_t end = value ? close + 1 : open < rest.n ? open + 1 : rest.n;
		sb_str(&to, str_sub(rest, 0, value ? open : end));
		if (value)
			sb_cstr(&to, value);
		rest = str_sub(rest, end, rest.n);
	}
	return sb_take(a, &to);
}

const char *scaffold_title(const char *name, struct arena *a)
{
	while (*name >= '0' && *name <= '9') /* skips the number of a section */
		name++;
	name += *name == '-';
	char *t = arena_strdup(a, name);
	for (char *c = t; *c; c++)
		if (*c == '-' || *c == '_')
			*c = ' ';
	if (t[0] >= 'a' && t[0] <= 'z')
		t[0] = (char)(t[0] - 'a' + 'A');
	return t;
}

bool scaffold_is_title(const char *title, struct err *e)
{
	return !strpbrk(title, "\"\\\n") ||
	       err_set(e, "a title has no '\"', no '\\' and no line break");
}

/* --- names --- */

static bool is_slug(struct str s, const char *more)
{
	enum { LONGEST = 64 };
	if (s.n == 0 || s.n > LONGEST || s.p[0] == '-' || s.p[0] == '_')
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') &&
		    !strchr(more, s.p[i]))
			return false;
	return true;
}

static bool read_name(const struct scaffold_kind *k, const char *name, struct scaffold_values *v,
                      struct arena *a, struct err *e)
{
	struct str family, variant;
	bool pair = strchr(k->argument, '/') != NULL;
	v->name = name;
	if (!pair)
		return is_slug(str_of(name), "-") ||
		       err_set(e,
		               "'%s' is no name for a %s, expected small letters, digits and '-', "
		               "at most 64",
		               name, k->name);
	if (!str_cut(str_of(name), '/', &family, &variant) || !is_slug(family, "_") ||
	    !is_slug(variant, "_"))
		return err_set(e,
		               "'%s' is no name for a %s, expected %s of small letters, digits "
		               "and '_'",
		               name, k->name, k->argument);
	v->family = str_dup(a, family);
	v->variant = str_dup(a, variant);
	v->name = v->variant;
	return true;
}

static const struct scaffold_kind *kind_of(const char *name, struct err *e)
{
	struct sb all = {0};
	for (int i = 0; i < NKINDS; i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			sb_free(&all);
			return &kinds[i];
		}
		sb_printf(&all, "%s%s", i ? ", " : "", kinds[i].name);
	}
	err_set(e, "'new' makes nothing called '%s', expected one of %s, family", name, all.p);
	sb_free(&all);
	return NULL;
}

/* --- the file --- */

bool scaffold_create(const char *path, struct str text, struct arena *a, struct err *e)
{
	const char *slash = strrchr(path, '/');
	if (!file_mkdirs(arena_strndup(a, path, (size_t)(slash - path)), e))
		return false;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0 && errno == EEXIST)
		return err_set(
		        e,
		        "%s is there already, and stays as it is; go on writing it, or choose "
		        "another name",
		        path);
	if (fd < 0)
		return err_sys(e, "%s: cannot create", path);
	bool ok = file_put_all(fd, text, path, e);
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", path);
	if (!ok)
		unlink(path); /* half of a file would be in the way the next time */
	return ok;
}

bool scaffold_new(const char *kind, const char *name, const char *title, const char *date,
                  struct arena *a, const char **path, const char **next, struct err *e)
{
	const char *docs = layers_default(a);
	struct scaffold_values v = {
	        .title = title, .date = date, .share = docs && !layers_is_here(docs) ? docs : ""};
	const struct scaffold_kind *k = kind_of(kind, e);
	if (!k || !read_name(k, name, &v, a, e))
		return false;
	if (v.family && !file_exists(arena_printf(a, "kernels/%s/family.c", v.family)))
		return err_set(e, "there is no family '%s'; site-gen new family %s begins one",
		               v.family, v.family);
	if (!title)
		v.title = scaffold_title(v.name, a);
	else if (!scaffold_is_title(title, e))
		return false;
	*path = scaffold_fill(k->path, &v, a);
	*next = scaffold_fill(k->next, &v, a);
	return scaffold_create(*path, str_of(scaffold_fill(k->text, &v, a)), a, e);
}

/* --- a family: several files --- */

static const struct {
	const char *from, *to;
} family_files[] = {
        {"family.c", "kernels/{name}/family.c"},    {"loop.c", "kernels/{name}/loop.c"},
        {"simple.cu", "kernels/{name}/simple.cu"},  {"triton.py", "kernels/{name}/{name}.py"},
        {"family.md", "content/kernels/{name}.md"},
};

/* The files of a shape, and where they lie. */
static const char *shape_folder(const char *shape, struct arena *a, struct err *e)
{
	static const char *const shapes[] = {"map", "reduce", "product"};
	const char *under = layers_default(a);
	bool known = false;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		known = known || strcmp(shapes[i], shape) == 0;
	if (!known) {
		err_set(e, "--shape '%s': expected map, reduce or product", shape);
		return NULL;
	}
	const char *from =
	        arena_printf(a, "%sstart/" SCAFFOLD_FAMILIES "/%s", under ? under : "", shape);
	if (under && file_exists(from))
		return from;
	err_set(e, "the files of a new family are not there, expected them in "
	           "share/ridgepoint/start beside bin/; run 'make install'");
	return NULL;
}

static bool write_file(const char *from, const char *to, const struct scaffold_values *v,
                       struct arena *a, struct err *e)
{
	enum { MOST_BYTES = 1 << 20 };
	struct str text;
	return file_read(from, MOST_BYTES, a, &text, e) &&
	       scaffold_create(to, str_of(scaffold_fill(text.p, v, a)), a, e);
}

/* All files of a family, or none. */
static bool write_family(const char *from, const struct scaffold_values *v, struct arena *a,
                         struct err *e)
{
	const char *written[ARRAY_LEN(family_files)];
	for (size_t i = 0; i < ARRAY_LEN(family_files); i++) {
		const char *to = scaffold_fill(family_files[i].to, v, a);
		if (file_exists(to))
			return err_set(e,
			               "%s is there already, and stays as it is; choose another "
			               "name. Nothing was written",
			               to);
	}
	for (size_t i = 0; i < ARRAY_LEN(family_files); i++) {
		written[i] = scaffold_fill(family_files[i].to, v, a);
		if (write_file(arena_printf(a, "%s/%s", from, family_files[i].from), written[i], v,
		               a, e))
			continue;
		while (i > 0)
			unlink(written[--i]);
		rmdir(scaffold_fill("kernels/{name}", v, a)); /* if it is empty */
		return false;
	}
	return true;
}

bool scaffold_family(const char *name, const char *shape, const char *title, struct arena *a,
                     const char **path, const char **next, struct err *e)
{
	struct scaffold_values v = {.name = name, .title = title};
	bool digit = name[0] >= '0' && name[0] <= '9';
	/* Ridgepoint's own families stand in tables; a blog's are found by folder */
	bool tables = file_exists("kernels/families.c");
	shape = shape ? shape : "map";
	if (!is_slug(str_of(name), "_") || digit)
		return err_set(e,
		               "'%s' is no name for a family, expected small letters, digits and "
		               "'_', and a letter first",
		               name);
	if (title && !scaffold_is_title(title, e))
		return false;
	v.title = title ? title : scaffold_title(name, a);
	const char *from = shape_folder(shape, a, e);
	if (!from || !write_family(from, &v, a, e))
		return false;
	*path = arena_printf(a, "kernels/%s/", name);
	*next = !tables ? scaffold_fill(
	                          "change what it computes in family.c, loop.c and simple.cu; "
	                          "`make check-kernels FAMILIES={name}` says whether it is "
	                          "right, `build/runner python --check kernels/{name}/{name}.py` "
	                          "tries Triton",
	                          &v, a)
	        : strcmp(shape, "product") == 0
	                ? scaffold_fill("add its rows in kernels/families.c and "
	                                "kernels/products.c, then `make runner` and `build/runner "
	                                "check {name}`",
	                                &v, a)
	                : scaffold_fill("add its row in kernels/families.c, then `make runner` and "
	                                "`build/runner check {name}`",
	                                &v, a);
	return true;
}
