#include "site-gen/files/dataset.h"

#include "lib/json.h"
#include "site-gen/files/number_view.h"
#include "site-gen/files/structured.h"
#include "site-gen/site/address.h"
#include "site-gen/site/site.h"

/* Escapes '<', which occurs only in strings, so that "</script>" cannot occur. */
static void put_for_script(struct sb *to, struct str json)
{
	for (size_t i = 0; i < json.n; i++) {
		if (json.p[i] == '<')
			sb_cstr(to, "\\u003c");
		else
			sb_char(to, json.p[i]);
	}
}

/* license -> address | { name } ; nothing if the site names no licence */
static void put_licence(struct json_out *w, const struct config *c)
{
	if (*c->licence_url) {
		json_put_str(w, "license", c->licence_url);
	} else if (*c->licence) {
		json_open(w, "license", '{');
		json_put_str(w, "@type", "CreativeWork");
		json_put_str(w, "name", c->licence);
		json_close(w, '}');
	}
}

static void put_dataset(struct json_out *w, const struct site *s, const char *url, const char *name,
                        const char *description, const struct data_run *r, struct arena *a)
{
	json_put_str(w, "@context", "https://schema.org");
	json_put_str(w, "@type", "Dataset");
	json_put_str(w, "@id", address_absolute(s, url, a));
	json_put_str(w, "url", address_absolute(s, url, a));
	json_put_str(w, "name", name);
	json_put_str(w, "description", description);
	json_put_str(w, "dateCreated", r->run.head.start);
	json_put_str(w, "identifier", r->run.head.id);
	structured_author(w, "creator", s->config, NULL);
	put_licence(w, s->config);
	json_put_bool(w, "isAccessibleForFree", true);
}

static void put_download(struct json_out *w, const struct site *s, const char *url, struct arena *a)
{
	const struct str path = str_of(url);
	const char *type = str_ends(path, ".json") ? "application/json"
	                   : str_ends(path, ".gz") ? "application/gzip"
	                                           : "application/jsonl";
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "DataDownload");
	json_put_str(w, "encodingFormat", type);
	json_put_str(w, "contentUrl", address_absolute(s, url, a));
	json_close(w, '}');
}

static void put_variable(struct json_out *w, const struct number *n, struct arena *a)
{
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "PropertyValue");
	json_put_str(w, "name", number_view_words(n, a));
	json_put_f64(w, "value", n->value);
	json_put_f64(w, "minValue", n->lo);
	json_put_f64(w, "maxValue", n->hi);
	json_put_str(w, "unitText", n->si);
	json_close(w, '}');
}

void dataset_of_number(const struct number_view *v, struct sb *to)
{
	struct sb json = {0};
	struct json_out w = json_to(&json);
	const char *what = arena_printf(
	        v->a, "Measured on %s: every sample of %zu processes, with conditions and history.",
	        number_view_hardware(&v->p.run->run), v->nlaunches);
	json_open(&w, NULL, '{');
	put_dataset(&w, v->site, v->n->url, v->title, what, v->p.run, v->a);
	json_put_str(&w, "isBasedOn", address_absolute(v->site, v->p.run->url, v->a));
	json_open(&w, "variableMeasured", '[');
	for (size_t i = 0; i < v->nshown; i++)
		if (v->shown[i].kind == NUMBER_VALUE)
			put_variable(&w, &v->shown[i], v->a);
	json_close(&w, ']');
	json_open(&w, "distribution", '[');
	put_download(&w, v->site, address_number(v->n, v->a), v->a);
	json_close(&w, ']');
	json_close(&w, '}');
	put_for_script(to, sb_view(&json));
	sb_free(&json);
}

void dataset_of_run(const struct site *s, const struct data_run *r, struct arena *a, struct sb *to)
{
	struct sb json = {0};
	struct json_out w = json_to(&json);
	const char *what =
	        arena_printf(a, "One run on %s: %zu cases, %zu processes, raw samples.",
	                     number_view_hardware(&r->run), r->run.ncases, r->run.nlaunches);
	json_open(&w, NULL, '{');
	put_dataset(&w, s, r->url, arena_printf(a, "Run %s", r->run.head.id), what, r, a);
	json_open(&w, "distribution", '[');
	put_download(&w, s, address_record(r, a), a);
	json_close(&w, ']');
	json_close(&w, '}');
	put_for_script(to, sb_view(&json));
	sb_free(&json);
}
