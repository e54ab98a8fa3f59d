#include "site-gen/build/load.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/build/jobs.h"
#include "site-gen/git/git.h"
#include "site-gen/kinds/shortcode.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/layers.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/template.h"
#include "site-gen/markdown/reasoning.h"
#include "site-gen/numbers/headline.h"
#include "site-gen/numbers/statements.h"
#include "site-gen/plot/plot.h"
#include "site-gen/records/data.h"
#include "site-gen/site/site.h"
#include "site-gen/site/traced.h"

enum { MAX_TEMPLATE_BYTES = 1 << 20 };

/* The default look: whether the site lies over it, its settings say, which are read later. */
static bool add_default(struct site *s, struct err *e)
{
	const char *under = layers_default(s->arena);
	return !under || layers_is_here(under) ||
	       (inputs_add(&s->repo.files, arena_printf(s->arena, "%stemplates", under), s->arena,
	                   e) &&
	        inputs_add(&s->repo.files, arena_printf(s->arena, "%sstatic", under), s->arena, e));
}

bool load_inputs(struct site *s, struct err *e)
{
	static const char *const folders[] = {"content", "templates", "static", "themes", "data"};
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		if (!inputs_add(&s->repo.files, folders[i], s->arena, e))
			return false;
	bool ok = add_default(s, e);
	inputs_sort(&s->repo.files);
	return ok;
}

const char *load_head(const struct git *g)
{
	return g && git_head(g) ? git_head(g) : "";
}

bool load_git(struct site *s, struct err *e)
{
	if (!s->repo.git && !git_open(".", &s->repo.git, e))
		return false;
	s->repo.head = load_head(s->repo.git);
	return true;
}

bool load_settings(struct site *s, struct err *e)
{
	if (s->reuse.config) {
		s->config = s->reuse.config;
		return true;
	}
	struct config *c = ARENA_NEW(s->arena, struct config);
	s->config = c;
	return config_load(s->arena, c, e);
}

static bool load_headlines(struct site *s, struct err *e)
{
	if (s->reuse.headlines) {
		s->headlines = s->reuse.headlines;
		return true;
	}
	struct headlines *h = ARENA_NEW(s->arena, struct headlines);
	s->headlines = h;
	return headlines_load(s->data, s->config, s->arena, h, e);
}

const char *load_plots_root(const struct config *c, struct arena *a)
{
	const char *under = c->look.under;
	return under && !file_exists("templates/plots") ? arena_strndup(a, under, strlen(under) - 1)
	                                                : ".";
}

bool load_records(struct site *s, struct err *e)
{
	const char *cache = s->options.cache;
	if (!file_mkdirs(cache, e))
		return false;
	s->plots = plotter_new(load_plots_root(s->config, s->arena),
	                       arena_printf(s->arena, "%s/plots", cache), s->arena);
	if (s->data) /* already loaded, by a base */
		return load_headlines(s, e);
	struct data *d = ARENA_NEW(s->arena, struct data);
	s->data = d;
	const struct data_cache kept = {.folder = cache,
	                                .renew = s->options.whole ||
	                                         (s->options.audit && !s->reuse.sure),
	                                .need = s->need};
	s->reuse.sure = s->reuse.sure || kept.renew;
	bool ok = data_load(".", s->repo.git, &kept, s->config->default_device, s->arena, d, e) &&
	          statements_load(d, e) && reasoning_render(d, s->config->base, s->plots, cache, e);
	plotter_rest(s->plots);
	/* no post shows a headline */
	return ok && (s->need || load_headlines(s, e));
}

static bool load_template(struct site *s, const char *path, const char *name, struct script *all,
                          struct err *e)
{
	struct template *t = &s->repo.templates[s->repo.ntemplates++];
	struct str src;
	if (!file_read(path, MAX_TEMPLATE_BYTES, s->arena, &src, e) ||
	    !template_translate(src, name, path, s->arena, t, e))
		return false;
	traced_template(s->lint, src, path, jobs_problems(s));
	return template_add(all, t, e);
}

bool load_templates(struct site *s)
{
	bool ok = true;
	struct script *all = script_new();
	struct layer_file *look;
	size_t n = layers_list(&s->config->look, &s->repo.files, "templates/", s->arena, &look);
	s->repo.templates = ARENA_ARRAY(s->arena, struct template, n);
	for (size_t i = 0; i < n && !script_exhausted(all); i++) {
		struct err e = ERR_NONE;
		const char *path = look[i].input->path;
		if (!str_ends(str_of(path), ".html") && !str_ends(str_of(path), ".svg"))
			continue;
		if (!load_template(s, path, look[i].name, all, &e))
			ok = false;
		problems_add(jobs_problems(s), &e);
	}
	script_free(all);
	s->shortcodes = ARENA_NEW(s->arena, struct shortcodes);
	*s->shortcodes = (struct shortcodes){.all = s->repo.templates, .n = s->repo.ntemplates};
	return ok;
}
