#include "runner/foreign/foreign.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/array.h"
#include "lib/ways.h"
#include "runner/foreign/inner.h"
#include "runner/foreign/place.h"

/* The harnesses whose files are JSON. To add one: a row, a file, a row in lib/record_foreign.c. */
static const struct {
	const char *name;
	bool (*read)(struct foreign_in *in, struct json root);
} readers[] = {
        {"google-benchmark", foreign_google},
        {"hyperfine", foreign_hyperfine},
        {"nvbench", foreign_nvbench},
        {"pytest-benchmark", foreign_pytest},
};

/* --- names and times --- */

const char *foreign_name(struct str text, struct arena *a)
{
	enum { MOST = 64 };
	struct sb b = {0};
	for (size_t i = 0; i < text.n && b.n < MOST; i++) {
		unsigned char c = (unsigned char)text.p[i];
		bool plain = c < 128 && (isalnum(c) || c == '_' || (c == '.' && b.n));
		if (plain)
			sb_char(&b, (char)tolower(c));
		else if (b.n && b.p[b.n - 1] != '-')
			sb_char(&b, '-');
	}
	while (b.n && b.p[b.n - 1] == '-')
		b.p[--b.n] = 0;
	return b.n ? sb_take(a, &b) : NULL;
}

/* Seconds east of UTC that "+02:00", "-0530", "Z" or "" says. */
static bool zone_of(const char *s, long *east)
{
	int h, m, end = 0;
	char sign;
	*east = 0;
	if (!*s || strcmp(s, "Z") == 0)
		return true;
	if (sscanf(s, "%c%2d:%2d%n", &sign, &h, &m, &end) != 3 &&
	    sscanf(s, "%c%2d%2d%n", &sign, &h, &m, &end) != 3)
		return false;
	*east = (sign == '-' ? -1 : 1) * (h * 3600L + m * 60L);
	return !s[end] && (sign == '+' || sign == '-') && h < 24 && m < 60;
}

const char *foreign_time(const char *text, struct arena *a)
{
	struct tm t = {0};
	int day = 0, end = 0;
	long east;
	char out[24];
	if (sscanf(text, "%4d-%2d-%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &day) != 3 ||
	    day != 10)
		return NULL;
	if (text[day] && (sscanf(text + day, "%*1[T ]%2d:%2d:%2d%n", &t.tm_hour, &t.tm_min,
	                         &t.tm_sec, &end) != 3 ||
	                  end != 9))
		return NULL;
	const char *rest = text + day + end;
	if (*rest == '.')
		rest += 1 + strspn(rest + 1, "0123456789");
	t.tm_year -= 1900;
	t.tm_mon--;
	struct tm said = t;
	time_t at = timegm(&t);
	if (!zone_of(rest, &east) || t.tm_mday != said.tm_mday || t.tm_mon != said.tm_mon ||
	    t.tm_hour != said.tm_hour || t.tm_min != said.tm_min)
		return NULL; /* the 31st of February became another day */
	at -= east;
	strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &t));
	return arena_strdup(a, out);
}

/* --- what the readers share --- */

bool foreign_each(struct foreign_in *in, struct json obj, size_t from, const char *key,
                  bool (*see)(struct foreign_in *in, struct json item, size_t at, void *ctx),
                  void *ctx)
{
	struct json list;
	size_t *at, n = place_items(in->text, from, key, in->a, &at);
	if (!json_want_arr(obj, key, &list, in->e))
		return false;
	for (size_t i = 0; i < json_len(list) && i < n; i++) {
		struct json item = json_item(list, i);
		item.at = str_loc(in->text, in->path, in->text.p + at[i]);
		if (!json_is_object(item))
			return err_at(in->e, item.at, "'%s[%zu]' is not an object", key, i);
		if (!see(in, item, at[i], ctx))
			return false;
	}
	return true;
}

bool foreign_case(struct foreign_in *in, struct loc at, const char *title, struct str name,
                  struct foreign_case **out)
{
	struct foreign *f = in->out;
	const char *variant = foreign_name(name, in->a);
	if (!variant)
		return err_at(in->e, at, "the name '%s' has no letter and no digit", title);
	if (f->n == RECORD_MAX_CASES)
		return err_at(in->e, at, "more than %d results", RECORD_MAX_CASES);
	f->c = arena_grow(in->a, f->c, f->n, &in->cap, sizeof *f->c);
	*out = &f->c[f->n++];
	**out = (struct foreign_case){
	        .variant = variant, .title = title, .whole = title, .idea = title};
	return true;
}

/* Names that mean something else where a placeholder names a case. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = {"cache", "cols",   "device", "dtype", "gpus",
	                                    "id",    "metric", "null",   "of",    "over",
	                                    "role",  "rows",   "run"};
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		if (strcmp(name, taken[i]) == 0)
			return true;
	return ways_find(str_of(name)) != NULL;
}

bool foreign_param(struct foreign_in *in, struct loc at, struct foreign_case *c, struct str name,
                   struct str value)
{
	struct run_pair p = {.name = foreign_name(name, in->a)};
	if (!p.name || (!str_i64(value, &p.num) && !(p.word = foreign_name(value, in->a))))
		return err_at(in->e, at,
		              "the parameter '" STR_FMT "=" STR_FMT "' has no letter and no digit",
		              STR_ARG(name), STR_ARG(value));
	if (is_taken(p.name))
		p.name = arena_printf(in->a, "%s_", p.name);
	for (size_t i = 0; i < c->nparams; i++)
		if (strcmp(c->param[i].name, p.name) == 0)
			return err_at(in->e, at, "the parameter '%s' a second time", p.name);
	if (c->nparams == RECORD_MAX_PARAMS)
		return err_at(in->e, at, "more than %d parameters", RECORD_MAX_PARAMS);
	c->param[c->nparams++] = p;
	return true;
}

bool foreign_same(const struct foreign_case *x, const struct foreign_case *y)
{
	if (strcmp(x->variant, y->variant) != 0 || x->nparams != y->nparams)
		return false;
	for (size_t i = 0; i < x->nparams; i++) {
		const struct run_pair *p = &x->param[i], *q = &y->param[i];
		if (strcmp(p->name, q->name) != 0 || !p->word != !q->word || p->num != q->num ||
		    (p->word && strcmp(p->word, q->word) != 0))
			return false;
	}
	return true;
}

struct foreign_process *foreign_process(struct foreign_in *in, struct foreign_case *c, size_t n)
{
	struct foreign_process *all = ARENA_ARRAY(in->a, struct foreign_process, c->nprocesses + 1);
	for (size_t i = 0; i < c->nprocesses; i++)
		all[i] = c->process[i];
	c->process = all;
	all[c->nprocesses].seconds = ARENA_ARRAY(in->a, double, n + 1);
	return &all[c->nprocesses++];
}

bool foreign_value(struct foreign_in *in, struct loc at, struct foreign_process *p, double seconds)
{
	static const double LONGEST = 1e9;
	if (!(isfinite(seconds) && seconds > 0 && seconds < LONGEST))
		return err_at(in->e, at, "a time of %g s, expected one above 0", seconds);
	p->seconds[p->n++] = seconds;
	return true;
}

const char *foreign_words(struct foreign_in *in, struct json list)
{
	struct sb b = {0};
	struct str word;
	for (size_t i = 0; json_is_array(list) && i < json_len(list); i++) {
		if (!json_as_str(json_item(list, i), &word))
			continue;
		bool plain = word.n && !strpbrk(str_dup(in->a, word), " \t\n'\"\\$`*?;&|<>()#~");
		sb_cstr(&b, b.n ? " " : "");
		sb_printf(&b, plain ? STR_FMT : "'" STR_FMT "'", STR_ARG(word));
	}
	return b.n ? sb_take(in->a, &b) : NULL;
}

/* --- a file --- */

static const char *case_key(const struct foreign_case *c, struct arena *a)
{
	const char *key = c->variant;
	for (size_t i = 0; i < c->nparams; i++) {
		const struct run_pair *p = &c->param[i];
		key = p->word ? arena_printf(a, "%s %s=%s", key, p->name, p->word)
		              : arena_printf(a, "%s %s=%lld", key, p->name, (long long)p->num);
	}
	return arena_printf(a, "%s%s%s", key, c->cache ? " cache=" : "", c->cache ? c->cache : "");
}

/* Each result needs a name of its own: a placeholder could not tell two apart. */
static bool check_names(struct foreign_in *in)
{
	const struct foreign *f = in->out;
	const char **key = ARENA_ARRAY(in->a, const char *, f->n + 1);
	for (size_t i = 0; i < f->n; i++) {
		key[i] = case_key(&f->c[i], in->a);
		for (size_t k = 0; k < i; k++)
			if (strcmp(key[k], key[i]) == 0)
				return err_at(in->e, (struct loc){in->path, 1, 1},
				              "'%s' and '%s' are both called '%s' here: give them "
				              "names that differ in letters or digits",
				              f->c[k].whole, f->c[i].whole, key[i]);
	}
	return true;
}

static bool read_json(struct foreign_in *in, const char *harness)
{
	struct json_doc *doc = NULL;
	struct json root;
	size_t r = 0;
	while (r < ARRAY_LEN(readers) && strcmp(readers[r].name, harness) != 0)
		r++;
	if (r == ARRAY_LEN(readers))
		return err_at(in->e, (struct loc){in->path, 1, 1}, "%s writes no file to read",
		              harness);
	if (!json_parse(in->text, (struct loc){in->path, 1, 1}, &doc, &root, in->e))
		return false;
	bool ok = json_is_object(root) ? readers[r].read(in, root)
	                               : err_at(in->e, root.at,
	                                        "not an object, expected the file "
	                                        "of %s",
	                                        harness);
	json_free(doc);
	return ok;
}

bool foreign_read(const char *harness, struct str text, const char *path, struct arena *a,
                  struct foreign *out, struct err *e)
{
	struct foreign_in in = {.text = text, .path = path, .a = a, .e = e, .out = out};
	*out = (struct foreign){.cores = RECORD_NONE};
	out->gpu.sms = out->gpu.l2_bytes = out->gpu.memory_bytes = out->gpu.bus_bits = RECORD_NONE;
	out->gpu.cuda_driver = out->gpu.cuda_runtime = out->gpu.ecc = RECORD_NONE;
	out->gpu.sm_clock_max_mhz = out->gpu.memory_clock_max_mhz = RECORD_NONE;
	out->gpu.power_limit_mw = RECORD_NONE;
	if (!str_utf8(text))
		return err_at(e, (struct loc){path, 1, 1}, "not valid UTF-8 text");
	if (!(strcmp(harness, "csv") == 0 ? foreign_csv(&in) : read_json(&in, harness)))
		return false;
	if (out->n == 0)
		return err_at(e, (struct loc){path, 1, 1}, "no result, expected at least one");
	return check_names(&in);
}
