/* Configuration of servers: every kind has the same headers, types and cache rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/deploy/server_config.h"

#define HASHED "public, max-age=31536000, immutable"
#define STATIC "public, max-age=604800"

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static size_t times(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		n++;
	return n;
}

/* The text of a file of a kind of server. */
static const char *written(const char *kind, const char *file, const struct server_options *o,
                           struct arena *a)
{
	size_t n;
	const struct server_kind *k = server_config_kinds(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t f = 0; strcmp(k[i].name, kind) == 0 && f < k[i].nfiles; f++) {
			struct sb to = {0};
			if (strcmp(k[i].file[f].name, file) != 0)
				continue;
			k[i].file[f].write(o, &to);
			const char *text = str_dup(a, sb_view(&to));
			sb_free(&to);
			return text;
		}
	fail_msg("%s has no file %s", kind, file);
	return NULL;
}

static const struct config at_root = {.base_url = "https://example.org", .base = ""};
static const struct config below = {.base_url = "https://example.org/my.blog", .base = "/my.blog"};

static struct server_options options(const struct config *c)
{
	return (struct server_options){.site = c, .root = "/srv/www/blog", .checkout = "/srv/src"};
}

static void every_kind_has_its_files(void **state)
{
	static const char *const names[] = {"nginx", "caddy", "systemd"};
	size_t n;
	const struct server_kind *k = server_config_kinds(&n);
	(void)state;
	assert_int_equal(n, ARRAY_LEN(names));
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(k[i].name, names[i]);
		assert_true(*k[i].help && k[i].nfiles > 0);
	}
}

/* What one server sends, the other sends, too. */
static void headers_are_the_same(void **state)
{
	static const char *const headers[][2] = {
	        {"X-Content-Type-Options", "nosniff"},
	        {"Referrer-Policy", "strict-origin-when-cross-origin"},
	        {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	        {"Cross-Origin-Opener-Policy", "same-origin"},
	};
	struct arena a = {0};
	struct server_options o = options(&at_root);
	const char *nginx = written("nginx", "ridgepoint.conf", &o, &a);
	const char *caddy = written("caddy", "Caddyfile", &o, &a);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
		contains(nginx, arena_printf(&a, "\tadd_header %s \"%s\" always;\n", headers[i][0],
		                             headers[i][1]));
		contains(caddy, arena_printf(&a, "\t\t%s \"%s\"\n", headers[i][0], headers[i][1]));
	}
	static const char *const policy[] = {"default-src 'none'; script-src 'self'",
	                                     "frame-ancestors 'none'\""};
	for (size_t i = 0; i < ARRAY_LEN(policy); i++) {
		contains(nginx, policy[i]);
		contains(caddy, policy[i]);
	}
	/* a header in a location would replace those of the server */
	o.site = &below;
	const char *location = strstr(written("nginx", "ridgepoint.conf", &o, &a), "\tlocation ");
	assert_non_null(location);
	lacks(location, "add_header");
	assert_int_equal(times(caddy, "import ridgepoint_headers"), 2); /* pages and errors */
	arena_free(&a);
}

static void addresses_decide_how_long_a_file_is_kept(void **state)
{
	struct arena a = {0};
	struct server_options o = options(&at_root);
	(void)state;
	const char *nginx = written("nginx", "ridgepoint.conf", &o, &a);
	contains(nginx, "\tdefault \"no-cache\";\n\t\"~^/static/.*\\?.\" \"" HASHED
	                "\";\n\t\"~^/static/\" \"" STATIC "\";\n");
	const char *caddy = written("caddy", "Caddyfile", &o, &a);
	contains(caddy, "\t@hashed {\n\t\tpath /static/*\n\t\tquery h=*\n\t}\n");
	contains(caddy, "\t@static {\n\t\tpath /static/*\n\t\tnot query h=*\n\t}\n");
	contains(caddy, "\theader @pages Cache-Control \"no-cache\"\n");
	contains(caddy, "\theader @hashed Cache-Control \"" HASHED "\"\n");
	contains(caddy, "\theader @static Cache-Control \"" STATIC "\"\n");
	o.site = &below; /* in a regular expression, a dot is any letter */
	contains(written("nginx", "ridgepoint.conf", &o, &a), "\"~^/my\\.blog/static/\"");
	arena_free(&a);
}

/* Only text has a character set: a font with one would be refused. */
static void types_that_servers_do_not_know(void **state)
{
	struct arena a = {0};
	struct server_options o = options(&at_root);
	(void)state;
	const char *nginx = written("nginx", "ridgepoint.conf", &o, &a);
	const char *caddy = written("caddy", "Caddyfile", &o, &a);
	contains(nginx, "\t\tapplication/jsonl jsonl;\n\t\ttext/markdown md;\n");
	contains(nginx, "\t\tfont/woff2 woff2;\n\t\ttext/csv csv;\n");
	contains(caddy, "\t@md path *.md\n\theader @md Content-Type "
	                "\"text/markdown; charset=utf-8\"\n");
	contains(caddy, "header @csv Content-Type \"text/csv; charset=utf-8\"\n");
	contains(caddy, "header @woff2 Content-Type \"font/woff2\"\n");
	contains(caddy, "header @jsonl Content-Type \"application/jsonl\"\n");
	arena_free(&a);
}

/* A site below a path must not serve its folder at the root, too. */
static void a_site_may_lie_below_a_path(void **state)
{
	struct arena a = {0};
	struct server_options o = options(&at_root);
	(void)state;
	const char *nginx = written("nginx", "ridgepoint.conf", &o, &a);
	contains(nginx, "\n\troot /srv/www/blog;\n");
	contains(nginx, "\terror_page 404 /404.html;\n}\n");
	lacks(nginx, "\tlocation");
	const char *caddy = written("caddy", "Caddyfile", &o, &a);
	lacks(caddy, "handle_path");
	contains(caddy, "\n\troot * /srv/www/blog\n");
	o.site = &below;
	nginx = written("nginx", "ridgepoint.conf", &o, &a);
	lacks(nginx, "\troot ");
	contains(nginx, "\terror_page 404 /my.blog/404.html;\n"
	                "\tlocation ^~ /my.blog/ {\n\t\talias /srv/www/blog/;\n\t}\n}\n");
	caddy = written("caddy", "Caddyfile", &o, &a);
	contains(caddy, "\n\thandle_path /my.blog/* {\n\t\troot * /srv/www/blog\n");
	assert_int_equal(times(nginx, "{"), times(nginx, "}"));
	assert_int_equal(times(caddy, "{"), times(caddy, "}"));
	arena_free(&a);
}

static void the_host_is_that_of_the_address(void **state)
{
	static const char *const row[][2] = {
	        {"https://example.org", "example.org"},
	        {"https://example.org/", "example.org"},
	        {"http://example.org:8080/blog/x", "example.org:8080"},
	        {"example.org/blog", "example.org"},
	};
	struct arena a = {0};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		const struct config c = {.base_url = row[i][0], .base = ""};
		struct server_options o = options(&c);
		contains(written("nginx", "ridgepoint.conf", &o, &a),
		         arena_printf(&a, "\tserver_name %s;\n", row[i][1]));
		contains(written("caddy", "Caddyfile", &o, &a),
		         arena_printf(&a, "\n%s {\n", row[i][1]));
	}
	arena_free(&a);
}

/* nginx does not start with a directive that it does not know. */
static void brotli_needs_its_module(void **state)
{
	struct arena a = {0};
	struct server_options o = options(&at_root);
	(void)state;
	const char *without = written("nginx", "ridgepoint.conf", &o, &a);
	lacks(without, "\tbrotli_static on;");
	contains(without, "\tgzip_static on;\n\t# brotli_static on;");
	o.brotli = true;
	contains(written("nginx", "ridgepoint.conf", &o, &a),
	         "\tgzip_static on;\n\tbrotli_static on;\n");
	contains(written("caddy", "Caddyfile", &o, &a), "precompressed br gzip\n");
	arena_free(&a);
}

/* The service may write to the checkout, and beside the site, which it exchanges as a whole. */
static void units_write_where_they_must(void **state)
{
	struct arena a = {0};
	struct server_options o = options(&at_root);
	(void)state;
	const char *service = written("systemd", "ridgepoint-site.service", &o, &a);
	contains(service, "\nProtectSystem=strict\nReadWritePaths=/srv/src /srv/www\n");
	contains(service, "\nWorkingDirectory=/srv/src\n");
	contains(service, "\nExecStart=/usr/bin/make deploy TARGET=/srv/www/blog\n");
	o.root = "/blog";
	contains(written("systemd", "ridgepoint-site.service", &o, &a),
	         "ReadWritePaths=/srv/src /\n");
	contains(written("systemd", "ridgepoint-site.path", &o, &a),
	         "PathChanged=/srv/src/.git/logs/HEAD\nUnit=ridgepoint-site.service\n");
	contains(written("systemd", "ridgepoint-site.timer", &o, &a), "WantedBy=timers.target\n");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_kind_has_its_files),
	        cmocka_unit_test(headers_are_the_same),
	        cmocka_unit_test(addresses_decide_how_long_a_file_is_kept),
	        cmocka_unit_test(types_that_servers_do_not_know),
	        cmocka_unit_test(a_site_may_lie_below_a_path),
	        cmocka_unit_test(the_host_is_that_of_the_address),
	        cmocka_unit_test(brotli_needs_its_module),
	        cmocka_unit_test(units_write_where_they_must),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
