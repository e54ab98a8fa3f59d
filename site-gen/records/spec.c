#include "site-gen/records/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/slug.h"
#include "site-gen/base/unicode.h"
#include "site-gen/records/cited.h"

enum { SPEC_MAX_BYTES = 1 << 20 };

/* The units that a spec may have; lib/units.h adds prefixes. */
static const char *const units[] = {"B/s", "FLOP/s", "OP/s", "FLOP/clk/SM", "B", "W", "Hz"};

enum { NUNITS = ARRAY_LEN(units) };

struct source {
	const char *key, *title, *url, *date;
};

struct reader {
	struct arena *a;
	struct source *sources;
	size_t nsources;
	struct data_spec *specs;
	size_t n, cap;
	const char *device, *name;
	const char *const *devices; /* devices of the file, `device` first */
};

/* Every member of obj must be one of `names`, which ends with NULL. */
static bool only(struct json obj, const char *const *names, const char *what, struct err *e)
{
	const char *key;
	struct json v;
	for (size_t i = 0; json_each(obj, &i, &key, &v);) {
		size_t k = 0;
		while (names[k] && strcmp(names[k], key) != 0)
			k++;
		if (!names[k])
			return err_at(e, obj.at, "unknown member '%s' of %s", key, what);
	}
	return true;
}

static bool is_key(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || *s == '_' ||
		      *s == '-'))
			return false;
	return true;
}

/* date -> YYYY [ '-' MM [ '-' DD ] ] */
static bool is_date(const char *s)
{
	static const char shape[] = "dddd-dd-dd";
	size_t n = strlen(s);
	if (n != 4 && n != 7 && n != 10)
		return false;
	for (size_t i = 0; i < n; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != '-')
			return false;
	return true;
}

static bool read_source(struct reader *r, const char *key, struct json v, struct err *e)
{
	static const char *const names[] = {"title", "url", "date", NULL};
	struct source *s = &r->sources[r->nsources++];
	s->key = arena_strdup(r->a, key);
	if (!json_is_object(v))
		return err_at(e, v.at, "source '%s' must be an object", key);
	if (!only(v, names, "a source", e) || !json_want_str(v, "title", r->a, &s->title, e) ||
	    !json_want_str(v, "url", r->a, &s->url, e) ||
	    !json_want_str(v, "date", r->a, &s->date, e))
		return false;
	if (strncmp(s->url, "https://", 8) != 0)
		return err_at(e, v.at, "source '%s': url '%s' must begin with https://", key,
		              s->url);
	if (!is_date(s->date))
		return err_at(e, v.at,
		              "source '%s': date '%s', expected YYYY, YYYY-MM or YYYY-MM-DD", key,
		              s->date);
	return true;
}

static bool read_sources(struct reader *r, struct json root, struct err *e)
{
	struct json all, v;
	const char *key;
	size_t n = 0;
	if (!json_want_obj(root, "sources", &all, e))
		return false;
	for (size_t i = 0; json_each(all, &i, &key, &v);)
		n++;
	r->sources = ARENA_ARRAY(r->a, struct source, n + 1);
	r->nsources = 0;
	for (size_t i = 0; json_each(all, &i, &key, &v);)
		if (!read_source(r, key, v, e))
			return false;
	return true;
}

static bool check_unit(struct json v, const char *unit, const char **out, struct err *e)
{
	for (int i = 0; i < NUNITS; i++) {
		if (strcmp(units[i], unit) == 0) {
			*out = units[i];
			return true;
		}
	}
	return rule_err(e, RULE_TYPED, v.at,
	                "unknown unit '%s', expected B/s, FLOP/s, OP/s, FLOP/clk/SM, B, W or Hz",
	                unit);
}

static bool link_source(const struct reader *r, struct json v, const char *key, struct data_spec *s,
                        struct err *e)
{
	for (size_t i = 0; i < r->nsources; i++) {
		if (strcmp(r->sources[i].key, key) != 0)
			continue;
		s->source = r->sources[i].title;
		s->source_url = r->sources[i].url;
		s->source_date = r->sources[i].date;
		return true;
	}
	return rule_err(e, RULE_TRACED, v.at,
	                "spec '%s' names the source '%s', which 'sources' does not have", s->key,
	                key);
}

/*
 * Does the quote contain the value, with any prefix of its unit? If a note explains it, the quote
 * may have twice the value, because data sheets print rates with sparsity.
 */
static bool is_quoted(const struct data_spec *s)
{
	static const char prefixes[] = " kMGTP";
	const struct reference quote = {.quote = s->quote};
	char value[32], unit[32];
	double factor = 1;
	for (const char *p = prefixes; *p; p++, factor *= 1000) {
		snprintf(unit, sizeof unit, "%.*s%s", *p != ' ', p, s->si);
		for (int times = 1; times <= (s->note ? 2 : 1); times++) {
			snprintf(value, sizeof value, "%.12g", times * s->value / factor);
			if (!strchr(value, 'e') &&
			    cited_in_quote(&quote, str_of(value), str_of(unit)))
				return true;
		}
	}
	return false;
}

/* The numbers of a text, at most `most`; "1,979" is one. */
static size_t numbers_in(const char *text, double *number, size_t most)
{
	size_t n = 0;
	while (*text && n < most) {
		char digits[32];
		size_t k = 0;
		for (; (*text >= '0' && *text <= '9') ||
		       (k && (*text == '.' || *text == ',') && text[1] >= '0' && text[1] <= '9');
		     text++)
			if (*text != ',' && k + 1 < sizeof digits)
				digits[k++] = *text;
		digits[k] = 0;
		if (k && !str_f64(str_of(digits), &number[n++]))
			n--;
		text += k == 0;
	}
	return n;
}

/*
 * A rate of each SM and clock follows from a quoted peak in TFLOPS, the number of SMs and the
 * clock in MHz that the peak is meant at. The printed figures have four digits.
 */
static bool is_quoted_by_clock(const struct data_spec *s)
{
	enum { MOST = 16 };
	double number[MOST];
	size_t n = numbers_in(s->quote, number, MOST);
	for (size_t peak = 0; peak < n; peak++)
		for (size_t sms = 0; sms < n; sms++)
			for (size_t mhz = 0; mhz < n; mhz++)
				if (fabs(number[peak] * 1e6 -
				         s->value * number[sms] * number[mhz]) <=
				    5e-4 * number[peak] * 1e6)
					return true;
	return false;
}

static bool check_spec(const struct reader *r, struct json v, const struct data_spec *s,
                       struct err *e)
{
	if (!is_key(s->key))
		return err_at(e, v.at, "key '%s' may hold only a-z, 0-9, '-' and '_'", s->key);
	if (!(s->value > 0))
		return rule_err(e, RULE_TYPED, v.at, "spec '%s': the value must be positive",
		                s->key);
	if (!unicode_is_visible(str_of(s->quote)) || !unicode_is_visible(str_of(s->title)))
		return err_at(e, v.at, "spec '%s': title and quote may not be empty", s->key);
	if (strcmp(s->si, "FLOP/clk/SM") == 0 && !is_quoted(s) && !is_quoted_by_clock(s))
		return rule_err(
		        e, RULE_TRACED, v.at,
		        "spec '%s': its value %g does not follow from its quote, expected a "
		        "peak in TFLOPS, the number of SMs and the clock in MHz: “%s”",
		        s->key, s->value, s->quote);
	if (strcmp(s->si, "FLOP/clk/SM") != 0 && !is_quoted(s))
		return rule_err(e, RULE_TRACED, v.at,
		                "spec '%s': its value %g %s does not stand in its quote: “%s”",
		                s->key, s->value, s->si, s->quote);
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->specs[i].device, s->device) == 0 &&
		    strcmp(r->specs[i].key, s->key) == 0)
			return rule_err(e, RULE_TYPED, v.at,
			                "spec '%s' of '%s' is given twice; a device has one",
			                s->key, s->device);
	return true;
}

static bool read_spec(struct reader *r, struct json v, struct err *e)
{
	static const char *const names[] = {"key",  "title",  "value", "unit",
	                                    "note", "source", "quote", NULL};
	struct data_spec s = {.device = r->device, .devices = r->devices, .device_name = r->name};
	const char *unit, *source;
	if (!json_is_object(v))
		return err_at(e, v.at, "each of 'specs' must be an object");
	if (!only(v, names, "a spec", e) || !json_want_str(v, "key", r->a, &s.key, e) ||
	    !json_want_str(v, "title", r->a, &s.title, e) ||
	    !json_want_f64(v, "value", &s.value, e) || !json_want_str(v, "unit", r->a, &unit, e) ||
	    !json_opt_str(v, "note", r->a, &s.note, e) ||
	    !json_want_str(v, "source", r->a, &source, e) ||
	    !json_want_str(v, "quote", r->a, &s.quote, e) || !check_unit(v, unit, &s.si, e) ||
	    !check_spec(r, v, &s, e) || !link_source(r, v, source, &s, e))
		return false;
	r->specs = arena_grow(r->a, r->specs, r->n, &r->cap, sizeof *r->specs);
	r->specs[r->n++] = s;
	return true;
}

/* A device has only one value for a key, so two files may not name the same device. */
static bool is_free(const struct reader *r, const char *device, struct loc at, struct err *e)
{
	for (size_t i = 0; i < r->n; i++)
		if (data_spec_is_of(&r->specs[i], str_of(device)))
			return rule_err(e, RULE_TYPED, at,
			                "device '%s' has the datasheet numbers of '%s' already",
			                device, r->specs[i].device);
	return true;
}

/* "devices" -> list of slugs, or of names as a driver reports them */
static bool read_devices(struct reader *r, struct json root, struct err *e)
{
	struct json list = json_get(root, "devices");
	size_t n = json_len(list);
	const char **slug = ARENA_ARRAY(r->a, const char *, n + 2);
	slug[0] = r->device;
	r->devices = slug;
	if (list.value && !json_is_array(list))
		return err_at(e, root.at, "'devices' must be a list of names");
	if (!is_free(r, r->device, root.at, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct str name;
		char made[64];
		if (!json_as_str(json_item(list, i), &name))
			return err_at(e, root.at, "each of 'devices' must be a name");
		slug_device("", str_dup(r->a, name), made, sizeof made);
		if (!*made)
			return err_at(e, root.at, "'" STR_FMT "' names no device", STR_ARG(name));
		if (!is_free(r, made, root.at, e))
			return false;
		slug[i + 1] = arena_strdup(r->a, made);
	}
	return true;
}

/* The name by which readers know the device: "short" if given, which is part of "name". */
static bool read_name(struct reader *r, struct json root, struct err *e)
{
	const char *name, *brief = NULL;
	if (!json_want_str(root, "name", r->a, &name, e) ||
	    !json_opt_str(root, "short", r->a, &brief, e))
		return false;
	r->name = brief ? brief : name;
	return !brief || (unicode_is_visible(str_of(brief)) && strstr(name, brief)) ||
	       err_at(e, root.at, "'short' is '%s', expected a part of the name '%s'", brief, name);
}

static bool read_device(struct reader *r, struct json root, const char *slug, struct err *e)
{
	static const char *const names[] = {"device",  "devices", "name", "short",
	                                    "sources", "specs",   NULL};
	struct json specs;
	if (!json_is_object(root))
		return err_at(e, root.at, "expected an object");
	if (!only(root, names, "a device", e) ||
	    !json_want_str(root, "device", r->a, &r->device, e) || !read_devices(r, root, e) ||
	    !read_name(r, root, e) || !read_sources(r, root, e) ||
	    !json_want_arr(root, "specs", &specs, e))
		return false;
	if (strcmp(r->device, slug) != 0)
		return err_at(e, root.at, "device '%s' must be the name of its file, '%s'",
		              r->device, slug);
	for (size_t i = 0; i < json_len(specs); i++)
		if (!read_spec(r, json_item(specs, i), e))
			return false;
	return true;
}

static bool read_file(struct reader *r, const char *root, const char *path, const char *slug,
                      struct err *e)
{
	struct str text;
	struct json_doc *doc;
	struct json top;
	const char *full = arena_printf(r->a, "%s/%s", root, path);
	if (!file_read(full, SPEC_MAX_BYTES, r->a, &text, e) ||
	    !json_parse(text, (struct loc){path, 0, 0}, &doc, &top, e))
		return false;
	bool ok = read_device(r, top, slug, e);
	json_free(doc);
	return ok;
}

bool spec_load(const char *root, const char *folder, struct arena *a, struct data_spec **out,
               size_t *n, struct err *e)
{
	struct reader r = {.a = a};
	const char *full = arena_printf(a, "%s/%s", root, folder);
	struct file_entry *entry;
	size_t count;
	*out = NULL;
	*n = 0;
	if (!file_exists(full))
		return true;
	if (!file_list(full, a, &entry, &count, e))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct str name = str_of(entry[i].name);
		if (entry[i].is_dir || !str_ends(name, ".json"))
			continue;
		const char *slug = arena_strndup(a, name.p, name.n - strlen(".json"));
		const char *path = arena_printf(a, "%s/%s", folder, entry[i].name);
		if (!read_file(&r, root, path, slug, e))
			return false;
	}
	*out = r.specs;
	*n = r.n;
	return true;
}
