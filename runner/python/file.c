/* A file in Python is described by a process of its own, and its families become rows. */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/json.h"
#include "runner/base/program.h"
#include "runner/python/inner.h"

enum {
	MOST_FILE = 1 << 20,
	MOST_TOLD = 4 << 20,
	LIMIT_S = 120,   /* PyTorch may take its time to load */
	SLOW_TERMS = 64, /* what a term costs more than in C */
};

/* --- cases hold their family --- */

static void mark(struct kernel_case *c, const struct python_family *f)
{
	c->param[KERNEL_MAX_PARAMS - 1].word = (const char *)(const void *)f;
}

const struct python_family *python_of(const struct kernel_case *c)
{
	return (const void *)c->param[KERNEL_MAX_PARAMS - 1].word;
}

/* --- a family of the file's own: what its rows call --- */

static const struct python_case *case_of(const struct kernel_case *c)
{
	const struct python_family *f = python_of(c);
	return &f->c[c - f->row.cases];
}

static size_t own_buffers(const struct kernel_case *c, struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
	const struct python_case *own = case_of(c);
	memcpy(b, own->buffer, own->nbuffers * sizeof *b);
	return own->nbuffers;
}

static void own_model(const struct kernel_case *c, struct kernel_model *m)
{
	*m = case_of(c)->model;
}

static size_t own_terms(const struct kernel_case *c)
{
	return SLOW_TERMS * case_of(c)->terms;
}

static double own_tolerance(const struct kernel_case *c, const char **why)
{
	*why = python_of(c)->why;
	return python_of(c)->tolerance;
}

/* --- reading the description --- */

struct reading {
	struct python_file *f;
	struct arena *a;
	struct err *e;
	struct json root;
};

/* An error at a line of the file. */
static bool wrong(const struct reading *r, int64_t line, const char *what, const char *name,
                  const char *expected)
{
	return err_at(r->e, (struct loc){r->f->path, (int)line, 1}, "%s '%s', expected %s", what,
	              name, expected);
}

static bool is_slug(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static bool read_dtype(const char *name, enum kernel_dtype *out)
{
	for (int t = 0; t < KERNEL_DTYPE_COUNT; t++)
		if (strcmp(kernel_dtype_name((enum kernel_dtype)t), name) == 0) {
			*out = (enum kernel_dtype)t;
			return true;
		}
	return false;
}

static bool read_buffers(struct reading *r, struct json row, struct python_case *own)
{
	struct json list;
	if (!json_want_arr(row, "buffers", &list, r->e))
		return false;
	own->nbuffers = json_len(list);
	for (size_t i = 0; i < own->nbuffers && i < KERNEL_MAX_BUFFERS; i++) {
		struct json v = json_item(list, i);
		struct kernel_buffer *b = &own->buffer[i];
		const char *access, *dtype;
		int64_t count;
		if (!json_want_str(v, "name", r->a, &b->name, r->e) ||
		    !json_want_str(v, "access", r->a, &access, r->e) ||
		    !json_want_str(v, "dtype", r->a, &dtype, r->e) ||
		    !json_want_i64(v, "count", &count, r->e) || !read_dtype(dtype, &b->dtype))
			return false;
		b->access = strcmp(access, "in") == 0 ? KERNEL_IN : KERNEL_OUT;
		b->count = (size_t)count;
		/* integers are keys: those of a byte have all of its values */
		b->draw =
		        b->dtype == KERNEL_I32 || b->dtype == KERNEL_U8 ? KERNEL_KEYS : KERNEL_REAL;
		b->range = b->dtype == KERNEL_U8 ? 256 : 1 << 20;
	}
	return true;
}

static bool read_params(struct reading *r, int64_t line, struct json row, struct kernel_case *c)
{
	struct json params, v;
	const char *name;
	if (!json_want_obj(row, "params", &params, r->e))
		return false;
	for (size_t i = 0; json_each(params, &i, &name, &v);) {
		struct kernel_param *p = &c->param[c->nparams];
		struct str word;
		if (c->nparams == KERNEL_MAX_PARAMS - 1)
			return wrong(r, line, "the parameter", name, "at most five");
		if (!is_slug(name))
			return wrong(r, line, "the parameter", name,
			             "small letters, digits and '_'");
		p->name = arena_strdup(r->a, name);
		if (json_as_str(v, &word)) {
			p->word = str_dup(r->a, word);
			if (!is_slug(p->word))
				return wrong(r, line, "the word", p->word,
				             "small letters, digits and '_'");
		} else if (!json_as_i64(v, &p->num)) {
			return wrong(r, line, "the parameter", name, "a number below 2^63");
		}
		c->nparams++;
	}
	return true;
}

static unsigned read_use(struct json row)
{
	unsigned use = 0;
	struct json list = json_get(row, "use");
	struct str word;
	for (size_t i = 0; i < json_len(list); i++)
		if (json_as_str(json_item(list, i), &word))
			use |= str_is(word, "check")  ? KERNEL_CHECK
			       : str_is(word, "cold") ? KERNEL_COLD
			                              : KERNEL_HOT;
	return use & (KERNEL_COLD | KERNEL_HOT) ? use | KERNEL_MEASURE_CPU | KERNEL_MEASURE_CUDA
	                                        : use;
}

static bool read_case(struct reading *r, struct json family, int64_t line, struct json row,
                      struct kernel_case *c, struct python_case *own)
{
	const char *dtype;
	int64_t terms;
	struct kernel_model *m = &own->model;
	m->level = "hbm";
	if (!read_params(r, line, row, c) || !read_buffers(r, row, own) ||
	    !json_want_str(row, "dtype", r->a, &dtype, r->e) ||
	    !json_want_i64(row, "terms", &terms, r->e) ||
	    !json_want_i64(row, "flop", &m->flop, r->e) ||
	    !json_want_i64(row, "bytes_read", &m->bytes_read, r->e) ||
	    !json_want_i64(row, "bytes_written", &m->bytes_written, r->e) ||
	    !json_want_str(family, "formula", r->a, &m->formula, r->e) ||
	    !json_want_str(family, "unit", r->a, &m->unit, r->e))
		return false;
	m->unit = m->flop ? m->unit : NULL;
	own->terms = terms > 0 ? (size_t)terms : 1;
	c->use = read_use(row);
	return read_dtype(dtype, &c->dtype) ||
	       wrong(r, line, "type", dtype, "one of kernels/dtype.c");
}

static bool read_rows(struct reading *r, struct json v, int64_t line, struct python_family *f)
{
	struct json rows;
	if (!json_want_arr(v, "cases", &rows, r->e))
		return false;
	f->row.ncases = json_len(rows);
	struct kernel_case *cases = ARENA_ARRAY(r->a, struct kernel_case, f->row.ncases + 1);
	f->c = ARENA_ARRAY(r->a, struct python_case, f->row.ncases + 1);
	f->row.cases = cases;
	for (size_t i = 0; i < f->row.ncases; i++) {
		if (!read_case(r, v, line, json_item(rows, i), &cases[i], &f->c[i]))
			return false;
		mark(&cases[i], f);
	}
	return true;
}

/* A family that the file defines. */
static bool read_own(struct reading *r, struct json v, int number, struct python_family *f)
{
	int64_t line;
	struct kernel_family *k = &f->row;
	*f = (struct python_family){.number = number, .file = r->f};
	*k = (struct kernel_family){.file = r->f->path,
	                            .buffers = own_buffers,
	                            .model = own_model,
	                            .expect = python_expect,
	                            .terms = own_terms,
	                            .tolerance = own_tolerance};
	if (!json_want_i64(v, "line", &line, r->e) ||
	    !json_want_str(v, "name", r->a, &k->id, r->e) ||
	    !json_want_str(v, "title", r->a, &k->title, r->e) ||
	    !json_want_str(v, "problem", r->a, &k->problem, r->e) ||
	    !json_want_str(v, "metric", r->a, &k->metric, r->e) ||
	    !json_opt_str(v, "finite_only", r->a, &k->finite_only, r->e) ||
	    !json_want_f64(v, "tolerance", &f->tolerance, r->e) ||
	    !json_want_str(v, "why", r->a, &f->why, r->e) || !read_rows(r, v, line, f))
		return false;
	if (!is_slug(k->id))
		return wrong(r, line, "the family", k->id, "small letters, digits and '_'");
	if (kernel_family_find(k->id))
		return wrong(r, line, "the family", k->id,
		             "a name that no family of this runner has");
	return strcmp(k->metric, "bandwidth") == 0 || strcmp(k->metric, "throughput") == 0 ||
	       wrong(r, line, "the metric", k->metric, "bandwidth or throughput");
}

/* A family of kernels/: its cases are copied, since each holds where it is from. */
static bool copy_origin(struct reading *r, int64_t line, const struct kernel_family *origin,
                        struct python_family *f)
{
	*f = (struct python_family){.row = *origin, .origin = origin, .file = r->f};
	struct kernel_case *cases = ARENA_ARRAY(r->a, struct kernel_case, origin->ncases);
	memcpy(cases, origin->cases, origin->ncases * sizeof *cases);
	f->row.cases = cases;
	f->row.file = r->f->path; /* it is no file of the build */
	f->row.variants = NULL;
	f->row.nvariants = 0;
	for (size_t i = 0; i < origin->ncases; i++) {
		if (cases[i].nparams == KERNEL_MAX_PARAMS)
			return wrong(r, line, "the family", origin->id,
			             "one with fewer parameters");
		mark(&cases[i], f);
	}
	return true;
}

static bool family_of(struct reading *r, int64_t line, const char *name, struct python_family **out)
{
	struct python_file *f = r->f;
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->family[i].row.id, name) == 0) {
			*out = &f->family[i];
			return true;
		}
	const struct kernel_family *origin = kernel_family_find(name);
	if (!origin)
		return wrong(r, line, "the family", name,
		             "one of 'runner list', or a class of the file");
	*out = &f->family[f->n++];
	return copy_origin(r, line, origin, *out);
}

/* Adds a variant, number `number` of the file, to its family. */
static bool read_variant(struct reading *r, struct json v, size_t number)
{
	const char *family, *device;
	int64_t line;
	struct python_family *f = NULL;
	struct kernel_variant one = {.file = r->f->path,
	                             .prepare = python_prepares[number],
	                             .launch = python_launch,
	                             .release = python_release};
	if (!json_want_i64(v, "line", &line, r->e) ||
	    !json_want_str(v, "family", r->a, &family, r->e) ||
	    !json_want_str(v, "name", r->a, &one.id, r->e) ||
	    !json_want_str(v, "title", r->a, &one.title, r->e) ||
	    !json_want_str(v, "idea", r->a, &one.idea, r->e) ||
	    !json_want_str(v, "device", r->a, &device, r->e) || !family_of(r, line, family, &f))
		return false;
	one.where = strcmp(device, "cuda") == 0 ? KERNEL_CUDA : KERNEL_CPU;
	if (!is_slug(one.id))
		return wrong(r, line, "the variant", one.id, "small letters, digits and '_'");
	if (kernel_variant_find(&f->row, one.id) ||
	    (f->origin && kernel_variant_find(f->origin, one.id)))
		return wrong(r, line, "the variant", one.id, "a name that no other has");
	struct kernel_variant *all = ARENA_ARRAY(r->a, struct kernel_variant, f->row.nvariants + 1);
	if (f->row.nvariants)
		memcpy(all, f->row.variants, f->row.nvariants * sizeof *all);
	all[f->row.nvariants++] = one;
	f->row.variants = all;
	return true;
}

static bool read_all(struct reading *r)
{
	struct python_file *f = r->f;
	struct json families, variants;
	if (!json_want_str(r->root, "program", r->a, &f->program, r->e) ||
	    !json_want_str(r->root, "so", r->a, &f->so, r->e) ||
	    !json_want_str(r->root, "library", r->a, &f->library, r->e) ||
	    !json_want_arr(r->root, "families", &families, r->e) ||
	    !json_want_arr(r->root, "variants", &variants, r->e))
		return false;
	size_t most = json_len(families) + json_len(variants);
	if (json_len(variants) == 0)
		return err_at(r->e, (struct loc){f->path, 1, 1},
		              "registers nothing, expected a function below "
		              "@ridgepoint.variant(\"FAMILY\")");
	if (json_len(variants) > PYTHON_MOST_VARIANTS)
		return err_at(r->e, (struct loc){f->path, 1, 1}, "%zu variants, at most %d",
		              json_len(variants), PYTHON_MOST_VARIANTS);
	f->family = ARENA_ARRAY(r->a, struct python_family, most);
	for (size_t i = 0; i < json_len(families); i++)
		if (!read_own(r, json_item(families, i), (int)i, &f->family[f->n++]))
			return false;
	for (size_t i = 0; i < json_len(variants); i++)
		if (!read_variant(r, json_item(variants, i), i))
			return false;
	return true;
}

/* --- the file --- */

static bool ask(struct python_file *f, struct arena *a, struct str *told, struct err *e)
{
	const char *const argv[] = {f->python, "-c", python_module, "list", f->path, NULL};
	struct program_end end;
	if (!program_run(argv, STR(""), LIMIT_S, -1, MOST_TOLD, a, &end, e))
		return false;
	*told = end.out;
	if (strcmp(program_status(&end, a), "ok") == 0)
		return true;
	return *end.first ? err_set(e, "%s", end.first)
	                  : err_set(e, "%s: %s ended with %s", f->path, f->python,
	                            program_status(&end, a));
}

static bool read_source(struct python_file *f, struct arena *a, struct err *e)
{
	char blob[HASH_GIT_HEX + 1];
	struct str text;
	if (f->path[0] == '/' || str_starts(str_of(f->path), "../"))
		return err_set(e, "%s: expected a path below the current folder, the repository's",
		               f->path);
	f->path = str_starts(str_of(f->path), "./") ? f->path + 2 : f->path;
	if (!file_read(f->path, MOST_FILE, a, &text, e))
		return false;
	hash_git_blob(text, blob);
	f->source = (struct run_source){f->path, arena_strdup(a, blob)};
	return true;
}

static const struct kernel_family **rows_of(struct python_file *f, struct arena *a)
{
	const struct kernel_family **rows = ARENA_ARRAY(a, const struct kernel_family *, f->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (f->family[i].row.nvariants)
			rows[n++] = &f->family[i].row;
	f->n = n;
	return rows;
}

bool python_open(const char *path, struct arena *a, struct python_file **out, struct err *e)
{
	struct python_file *f = ARENA_NEW(a, struct python_file);
	const char *python = getenv("RIDGEPOINT_PYTHON");
	struct json_doc *doc = NULL;
	struct reading r = {.f = f, .a = a, .e = e};
	struct str told, first, rest;
	f->path = path;
	f->python = python ? python : "python3";
	pthread_mutex_init(&f->lock, NULL);
	*out = f;
	bool ok = read_source(f, a, e) && ask(f, a, &told, e) &&
	          json_parse(told, (struct loc){f->path, 1, 1}, &doc, &r.root, e) && read_all(&r);
	if (ok) {
		str_cut(str_of(f->library), ',', &first, &rest);
		f->flags = str_dup(a, first);
		f->rows = rows_of(f, a);
		if (json_len(json_get(r.root, "families")))
			python_serve(f);
	}
	json_free(doc);
	return ok;
}

const struct kernel_family *const *python_families(const struct python_file *f, size_t *n)
{
	*n = f->n;
	return f->rows;
}

void python_complete(const struct python_file *f, struct plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct item *it = &p->item[i];
		const struct python_family *own = python_of(it->kcase);
		it->family = own->origin ? own->origin : it->family;
		it->source = &f->source;
		it->flags = f->flags;
		it->library = f->library;
	}
}
