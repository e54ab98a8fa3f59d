#include "site-gen/site/assets.h"

#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/output/css.h"
#include "site-gen/base/inputs.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/restyle.h"

enum { MAX_ASSET_BYTES = 64 << 20, SHOWN_DIGITS = 12 };

void assets_publish(const struct site *s, const char *path, struct str bytes, struct sb *to)
{
	const char *look = layers_file(&s->config->look, "static/site.css", s->arena);
	struct sb restyled = {0};
	if (strcmp(path, look) == 0) {
		restyle(s->config, bytes, &restyled);
		bytes = sb_view(&restyled);
	}
	if (str_ends(str_of(path), ".css"))
		css_bare(to, bytes);
	else
		sb_str(to, bytes);
	sb_free(&restyled);
}

bool assets_load(struct site *s, struct err *e)
{
	struct layer_file *look;
	size_t n = layers_list(&s->config->look, &s->repo.files, "static/", s->arena, &look);
	s->repo.assets = ARENA_ARRAY(s->arena, struct site_asset, n);
	for (size_t i = 0; i < n; i++) {
		struct arena scratch = {0};
		struct str bytes;
		char hex[HASH_SHA256_HEX + 1];
		const char *path = look[i].input->path, *name = look[i].name;
		bool ok = file_read(path, MAX_ASSET_BYTES, &scratch, &bytes, e);
		if (ok) {
			struct sb published = {0};
			assets_publish(s, path, bytes, &published);
			hash_sha256(sb_view(&published), hex);
			sb_free(&published);
			s->repo.assets[s->repo.nassets++] = (struct site_asset){
			        name, arena_printf(s->arena, "%s/static/%s?h=%.*s", s->config->base,
			                           name, SHOWN_DIGITS, hex)};
		}
		arena_free(&scratch);
		if (!ok)
			return false;
	}
	return true;
}

static const char *nearest_asset(const struct site *s, struct str name)
{
	size_t best = 6;
	const char *nearest = NULL;
	for (size_t i = 0; i < s->repo.nassets; i++) {
		size_t d = str_distance(name, str_of(s->repo.assets[i].name), best);
		if (d < best) {
			best = d;
			nearest = s->repo.assets[i].name;
		}
	}
	return nearest;
}

const char *assets_find(const struct site *s, struct str name)
{
	for (size_t i = 0; i < s->repo.nassets; i++)
		if (str_is(name, s->repo.assets[i].name))
			return s->repo.assets[i].url;
	return NULL;
}

bool assets_url(const struct site *s, struct str name, struct sb *to, struct err *e)
{
	const char *url = assets_find(s, name);
	if (url) {
		sb_cstr(to, url);
		return true;
	}
	const char *near = nearest_asset(s, name);
	return err_set(e, "asset('" STR_FMT "'): no such file under static/%s%s%s", STR_ARG(name),
	               near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}
