/*
 * Configuration of servers. To add a header, add a row to `headers`. To add a kind of
 * server, add a function for each of its files, a row to `kinds`, and a test that
 * starts the real server (tests/e2e/deploy.sh).
 */
#include "site-gen/deploy/server_config.h"

#include <string.h>

#include "lib/array.h"

static const struct {
	const char *name, *value;
} headers[] = {
        /* like the pages' meta element, plus frame-ancestors, which works only in a header */
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
         "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "strict-origin-when-cross-origin"},
        {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
};
enum { NHEADERS = ARRAY_LEN(headers) };

/* Types that servers do not know on their own. */
static const struct {
	const char *type, *extensions;
} types[] = {
        {"application/jsonl", "jsonl"},
        {"text/markdown", "md"},
        {"font/woff2", "woff2"},
        {"text/csv", "csv"},
};
enum { NTYPES = ARRAY_LEN(types) };

/* A file with a hash in its address never changes, a font rarely, a page at any time. */
#define CACHE_HASHED "public, max-age=31536000, immutable"
#define CACHE_STATIC "public, max-age=604800"
#define CACHE_PAGES "no-cache"

static struct str host_of(const struct config *c)
{
	struct str url = str_of(c->base_url);
	size_t from = str_find(url, ':', 0);
	from = from < url.n ? from + strlen("://") : 0;
	size_t to = str_find(url, '/', from);
	return str_sub(url, from, to < url.n ? to : url.n);
}

/* Escapes "/blog" for a regular expression of a map. */
static void pattern(struct sb *to, const char *text)
{
	for (; *text; text++) {
		if (strchr(".+*?()[]{}^$|\\", *text))
			sb_char(to, '\\');
		sb_char(to, *text);
	}
}

/* --- nginx --- */

static void nginx_headers(const struct server_options *o, struct sb *to)
{
	(void)o;
	/* only here: a location with a header of its own would lose these */
	for (size_t i = 0; i < NHEADERS; i++)
		sb_printf(to, "\tadd_header %s \"%s\" always;\n", headers[i].name,
		          headers[i].value);
	sb_cstr(to, "\tadd_header Cache-Control $ridgepoint_cache always;\n"
	            "\tadd_header Vary \"Accept-Encoding\" always;\n");
}

static void nginx_site(const struct server_options *o, struct sb *to)
{
	const char *base = o->site->base;
	sb_cstr(to, "# Inside http { }: include this file from nginx.conf or sites-enabled.\n"
	            "map \"$uri$is_args$arg_h\" $ridgepoint_cache {\n"
	            "\tdefault \"" CACHE_PAGES "\";\n\t\"~^");
	pattern(to, base);
	sb_cstr(to, "/static/.*\\?.\" \"" CACHE_HASHED "\";\n\t\"~^");
	pattern(to, base);
	sb_cstr(to, "/static/\" \"" CACHE_STATIC "\";\n}\n\nserver {\n"
	            "\tlisten 80;\n\tlisten [::]:80;\n");
	sb_printf(to, "\tserver_name " STR_FMT ";\n", STR_ARG(host_of(o->site)));
	if (!*base)
		sb_printf(to, "\troot %s;\n", o->root);
	sb_cstr(to, "\tindex index.html;\n\tcharset utf-8;\n"
	            "\tcharset_types text/css text/plain text/markdown text/csv text/javascript "
	            "application/javascript application/json application/jsonl "
	            "application/atom+xml text/xml image/svg+xml;\n"
	            "\tinclude /etc/nginx/mime.types;\n\ttypes {\n");
	for (size_t i = 0; i < NTYPES; i++)
		sb_printf(to, "\t\t%s %s;\n", types[i].type, types[i].extensions);
	sb_cstr(to, "\t}\n\tgzip_static on;\n");
	sb_cstr(to, o->brotli ? "\tbrotli_static on;\n"
	                      : "\t# brotli_static on; # with the module ngx_brotli\n");
	sb_cstr(to, "\tabsolute_redirect off;\n\tserver_tokens off;\n");
	nginx_headers(o, to);
	sb_printf(to, "\terror_page 404 %s/404.html;\n", base);
	if (*base)
		sb_printf(to, "\tlocation ^~ %s/ {\n\t\talias %s/;\n\t}\n", base, o->root);
	sb_cstr(to, "}\n");
}

/* --- Caddy --- */

/* Error routes start without headers, so they import these, too. */
static void caddy_headers(struct sb *to)
{
	sb_cstr(to, "(ridgepoint_headers) {\n\theader {\n");
	for (size_t i = 0; i < NHEADERS; i++)
		sb_printf(to, "\t\t%s \"%s\"\n", headers[i].name, headers[i].value);
	sb_cstr(to, "\t\t-Server\n\t}\n}\n\n");
}

/* Exactly one matcher fits each request; of several equal headers the last would win. */
static void caddy_cache(const char *in, struct sb *to)
{
	sb_printf(to, "%s@pages not path /static/*\n%s@hashed {\n%s\tpath /static/*\n", in, in, in);
	sb_printf(to, "%s\tquery h=*\n%s}\n%s@static {\n%s\tpath /static/*\n", in, in, in, in);
	sb_printf(to, "%s\tnot query h=*\n%s}\n", in, in);
	sb_printf(to, "%sheader @pages Cache-Control \"" CACHE_PAGES "\"\n", in);
	sb_printf(to, "%sheader @hashed Cache-Control \"" CACHE_HASHED "\"\n", in);
	sb_printf(to, "%sheader @static Cache-Control \"" CACHE_STATIC "\"\n", in);
}

static void caddy_types(const char *in, struct sb *to)
{
	for (size_t i = 0; i < NTYPES; i++)
		sb_printf(to, "%s@%s path *.%s\n%sheader @%s Content-Type \"%s%s\"\n", in,
		          types[i].extensions, types[i].extensions, in, types[i].extensions,
		          types[i].type,
		          str_starts(str_of(types[i].type), "text/") ? "; charset=utf-8" : "");
}

static void caddy_site(const struct server_options *o, struct sb *to)
{
	const char *base = o->site->base, *in = *base ? "\t\t" : "\t";
	caddy_headers(to);
	sb_printf(to, STR_FMT " {\n\timport ridgepoint_headers\n", STR_ARG(host_of(o->site)));
	if (*base)
		sb_printf(to, "\thandle_path %s/* {\n", base);
	sb_printf(to, "%sroot * %s\n", in, o->root);
	caddy_cache(in, to);
	caddy_types(in, to);
	sb_printf(to, "%sfile_server {\n%s\tprecompressed br gzip\n%s}\n", in, in, in);
	if (*base)
		sb_cstr(to, "\t}\n");
	sb_printf(to,
	          "\thandle_errors {\n\t\timport ridgepoint_headers\n\t\troot * %s\n"
	          "\t\trewrite * /404.html\n\t\tfile_server\n\t}\n}\n",
	          o->root);
}

/* --- systemd --- */

static void unit_service(const struct server_options *o, struct sb *to)
{
	sb_printf(
	        to,
	        "# Publishes the site of the newest commit; started by the timer and by the path.\n"
	        "[Unit]\n"
	        "Description=Publish the benchmark site\n"
	        "After=network-online.target\n"
	        "Wants=network-online.target\n\n"
	        "[Service]\n"
	        "Type=oneshot\n"
	        "WorkingDirectory=%s\n"
	        "ExecStart=-/usr/bin/git pull --ff-only --quiet\n"
	        "ExecStart=/usr/bin/make deploy TARGET=%s\n"
	        "Nice=10\n"
	        "NoNewPrivileges=yes\n"
	        "PrivateTmp=yes\n"
	        "ProtectSystem=strict\n"
	        "ReadWritePaths=%s %.*s\n",
	        o->checkout, o->root, o->checkout,
	        (int)(strrchr(o->root, '/') > o->root ? strrchr(o->root, '/') - o->root : 1),
	        o->root);
}

static void unit_timer(const struct server_options *o, struct sb *to)
{
	(void)o;
	sb_cstr(to, "# Looks for new records and posts now and then.\n"
	            "[Unit]\n"
	            "Description=Publish the benchmark site regularly\n\n"
	            "[Timer]\n"
	            "OnBootSec=2min\n"
	            "OnUnitInactiveSec=15min\n"
	            "RandomizedDelaySec=30\n\n"
	            "[Install]\n"
	            "WantedBy=timers.target\n");
}

static void unit_path(const struct server_options *o, struct sb *to)
{
	sb_printf(to,
	          "# Publishes when the checkout moves: a commit here, or a push to it.\n"
	          "[Unit]\n"
	          "Description=Publish the benchmark site after a commit\n\n"
	          "[Path]\n"
	          "PathChanged=%s/.git/logs/HEAD\n"
	          "Unit=ridgepoint-site.service\n\n"
	          "[Install]\n"
	          "WantedBy=paths.target\n",
	          o->checkout);
}

static const struct server_file nginx[] = {{"ridgepoint.conf", nginx_site}};
static const struct server_file caddy[] = {{"Caddyfile", caddy_site}};
static const struct server_file systemd[] = {
        {"ridgepoint-site.service", unit_service},
        {"ridgepoint-site.timer", unit_timer},
        {"ridgepoint-site.path", unit_path},
};

#define FILES(a) a, ARRAY_LEN(a)
static const struct server_kind kinds[] = {
        {"nginx", "a server block with headers, types, caching and compressed forms", FILES(nginx)},
        {"caddy", "the same for Caddy 2", FILES(caddy)},
        {"systemd", "units that publish again after new records", FILES(systemd)},
};

const struct server_kind *server_config_kinds(size_t *n)
{
	*n = ARRAY_LEN(kinds);
	return kinds;
}
