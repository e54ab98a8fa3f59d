#include "site-gen/preview/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>

#include <microhttpd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/preview/builder.h"
#include "site-gen/lua/config.h"
#include "site-gen/base/excerpt.h"
#include "site-gen/build/first.h"
#include "site-gen/build/follow.h"
#include "site-gen/preview/live.h"
#include "site-gen/preview/request.h"
#include "site-gen/preview/watch.h"
#include "site-gen/site/site.h"

enum {
	MAX_CONNECTIONS = 512,
	MAX_WAITING = 128,    /* browsers that wait for a change; one more ends the oldest wait */
	TIMEOUT_SECONDS = 10, /* a client that is silent for so long is disconnected */
	FIRST_VERSION = 1,    /* version before the first build is done */
	MAX_PAGE_BYTES = 64 << 20,
};

/* Shared by the builder (the main thread) and the server's thread. */
struct server {
	const struct command_serve_options *options;
	struct builder builder;
	pthread_mutex_t mutex;
	unsigned version;
	struct MHD_Connection *waiting[MAX_WAITING]; /* suspended until a change, oldest first */
	size_t nwaiting;
	struct sb said;   /* output of the last build */
	bool good;        /* the last build succeeded, so its output is warnings */
	struct sb edited; /* address of the last edited place, "/posts/x/#id"; "": unknown */
	/* the page of the saved source, until its build is done (build/first.h) */
	struct sb first_at, first; /* path of its file; its markup; "": none is shown */
	bool kept;                 /* the published page is the one that was shown */
	char base[256];            /* path prefix of the site */
	const char *sources;       /* file in which builds list their pages (build/follow.h) */
	const char *first_file;    /* file in which a build leaves that page */
};

/* --- answers --- */

static const struct {
	const char *ending, *type;
} types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".xml", "application/xml; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},
        {".json", "application/json"},
        {".jsonl", "application/jsonl"},
        {".gz", "application/gzip"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".woff2", "font/woff2"},
};

static const char *type_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (str_ends(str_of(path), types[i].ending))
			return types[i].type;
	return "application/octet-stream";
}

/* Sends the response and takes ownership of it. */
static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const char *type,
                              struct MHD_Response *r)
{
	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, "Content-Type", type);
	MHD_add_response_header(r, "Cache-Control", "no-store");
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "Content-Security-Policy",
	                        "default-src 'self'; object-src 'none'; base-uri 'none'; "
	                        "form-action 'none'; frame-ancestors 'none'");
	enum MHD_Result ok = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return ok;
}

static struct MHD_Response *copied(struct str s)
{
	return MHD_create_response_from_buffer(s.n, (void *)(s.n ? s.p : ""),
	                                       MHD_RESPMEM_MUST_COPY);
}

static enum MHD_Result answer_text(struct MHD_Connection *c, unsigned status, const char *type,
                                   struct str s)
{
	return answer(c, status, type, copied(s));
}

static enum MHD_Result redirect(struct MHD_Connection *c, const char *to)
{
	struct MHD_Response *r =
	        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
	if (r)
		MHD_add_response_header(r, "Location", to);
	return answer(c, MHD_HTTP_FOUND, "text/plain", r);
}

/* --- browsers that wait for a change; suspended, they occupy no thread --- */

/* The mutex is held. */
static void stop_waiting(struct server *s, size_t i)
{
	memmove(&s->waiting[i], &s->waiting[i + 1], (--s->nwaiting - i) * sizeof *s->waiting);
}

/* The mutex is held. */
static void wait_for_change(struct server *s, struct MHD_Connection *c)
{
	if (s->nwaiting == MAX_WAITING) {
		MHD_resume_connection(s->waiting[0]);
		stop_waiting(s, 0);
	}
	MHD_suspend_connection(c);
	s->waiting[s->nwaiting++] = c;
}

/* The mutex is held. */
static void resume_all(struct server *s)
{
	while (s->nwaiting)
		MHD_resume_connection(s->waiting[--s->nwaiting]);
}

/* `how`: what a browser that has the version before need not load (preview/live.c), or NULL. */
static struct MHD_Response *live_response(struct str text, const char *how)
{
	struct MHD_Response *r = copied(text);
	if (r && how)
		MHD_add_response_header(r, "X-Live", how);
	return r;
}

/* Answers when the version differs from the browser's; `waited`: answers at once in any case. */
static enum MHD_Result answer_live(struct server *s, struct MHD_Connection *c, bool waited)
{
	const char *v = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "v");
	unsigned seen = v ? (unsigned)strtoul(v, NULL, 10) : 0;
	struct sb text = {0};
	pthread_mutex_lock(&s->mutex);
	bool wait = s->version == seen && !waited;
	if (wait)
		wait_for_change(s, c);
	sb_printf(&text, "%u", s->version);
	if (s->edited.n)
		sb_printf(&text, " %s%s", s->base, s->edited.p);
	const char *how = s->first_at.n ? "first" : s->kept ? "kept" : NULL;
	pthread_mutex_unlock(&s->mutex);
	enum MHD_Result ok =
	        wait ? MHD_YES
	             : answer(c, MHD_HTTP_OK, "text/plain", live_response(sb_view(&text), how));
	sb_free(&text);
	return ok;
}

static size_t count_lines(struct str s)
{
	size_t n = 0;
	for (size_t i = str_find(s, '\n', 0); i < s.n; i = str_find(s, '\n', i + 1))
		n++;
	return n;
}

/* True for the page of rules, which stays readable because problems link to it. */
static bool is_rules(const struct server *s, const char *path)
{
	return str_starts(str_of(path), s->options->out) &&
	       strcmp(path + strlen(s->options->out), "/rules/index.html") == 0;
}

static enum MHD_Result answer_html(struct server *s, struct MHD_Connection *c, unsigned status,
                                   const char *path)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb page = {0};
	struct str html;
	pthread_mutex_lock(&s->mutex);
	bool bad = !s->good && !is_rules(s, path);
	if (bad)
		live_problems(&page, sb_view(&s->said), false, s->version, s->base);
	unsigned version = s->version;
	size_t warnings = s->good ? count_lines(sb_view(&s->said)) : 0;
	bool first = !bad && s->first_at.n && str_is(sb_view(&s->first_at), path);
	if (first)
		live_inject(&page, sb_view(&s->first), version, warnings, true);
	pthread_mutex_unlock(&s->mutex);
	if (!bad && !first && file_read(path, MAX_PAGE_BYTES, &a, &html, &e))
		live_inject(&page, html, version, warnings, false);
	else if (!bad && !first)
		status = MHD_HTTP_NOT_FOUND;
	enum MHD_Result ok = answer_text(c, bad ? MHD_HTTP_INTERNAL_SERVER_ERROR : status,
	                                 type_of(".html"), sb_view(&page));
	sb_free(&page);
	arena_free(&a);
	return ok;
}

static enum MHD_Result answer_warnings(struct server *s, struct MHD_Connection *c)
{
	struct sb page = {0};
	pthread_mutex_lock(&s->mutex);
	live_problems(&page, sb_view(&s->said), s->good, s->version, s->base);
	pthread_mutex_unlock(&s->mutex);
	enum MHD_Result ok = answer_text(c, MHD_HTTP_OK, type_of(".html"), sb_view(&page));
	sb_free(&page);
	return ok;
}

static enum MHD_Result answer_not_found(struct server *s, struct MHD_Connection *c)
{
	struct sb path = {0};
	sb_printf(&path, "%s/404.html", s->options->out);
	enum MHD_Result ok = answer_html(s, c, MHD_HTTP_NOT_FOUND, path.p);
	sb_free(&path);
	return ok;
}

static enum MHD_Result answer_file(struct server *s, struct MHD_Connection *c, const char *base,
                                   const char *url)
{
	struct sb path = {0};
	struct stat st;
	enum MHD_Result ok;
	bool folder = str_ends(str_of(url), "/");
	sb_printf(&path, "%s%s%s", s->options->out, url, folder ? "index.html" : "");
	int fd = open(path.p, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool there = fd >= 0 && fstat(fd, &st) == 0;
	if (str_ends(sb_view(&path), ".html")) {
		ok = there ? answer_html(s, c, MHD_HTTP_OK, path.p) : answer_not_found(s, c);
	} else if (there && S_ISDIR(st.st_mode)) {
		sb_clear(&path);
		sb_printf(&path, "%s%s/", base, url);
		ok = redirect(c, path.p);
	} else if (there && S_ISREG(st.st_mode)) {
		ok = answer(c, MHD_HTTP_OK, type_of(path.p),
		            MHD_create_response_from_fd((size_t)st.st_size, fd));
		fd = -1;
	} else {
		ok = answer_not_found(s, c);
	}
	if (fd >= 0)
		close(fd);
	sb_free(&path);
	return ok;
}

static enum MHD_Result answer_building(struct MHD_Connection *c)
{
	struct sb page = {0};
	live_building(&page, FIRST_VERSION);
	enum MHD_Result ok =
	        answer_text(c, MHD_HTTP_SERVICE_UNAVAILABLE, type_of(".html"), sb_view(&page));
	sb_free(&page);
	return ok;
}

/* --- requests --- */

static enum MHD_Result handle_page(struct server *s, struct MHD_Connection *c, const char *url)
{
	char base[sizeof s->base], home[sizeof base + 1];
	pthread_mutex_lock(&s->mutex);
	strcpy(base, s->base);
	bool building = s->version == FIRST_VERSION;
	pthread_mutex_unlock(&s->mutex);
	if (building)
		return answer_building(c);
	if (strcmp(url, "/_warnings") == 0)
		return answer_warnings(s, c);
	snprintf(home, sizeof home, "%s/", base);
	if (*base && (strcmp(url, "/") == 0 || strcmp(url, base) == 0))
		return redirect(c, home);
	const char *path = request_inside(base, url);
	return path ? answer_file(s, c, base, path) : answer_not_found(s, c);
}

/* Handles a request. It is called again for a browser that has waited; *request says so. */
static enum MHD_Result handle(void *cls, struct MHD_Connection *c, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request)
{
	struct server *s = cls;
	bool waited = *request;
	(void)version;
	(void)upload;
	*request = s;
	if (!request_is_own(MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host")))
		return answer_text(c, MHD_HTTP_MISDIRECTED_REQUEST, "text/plain",
		                   STR("This preview answers to localhost and to addresses in "
		                       "digits, such as 127.0.0.1, only.\n"));
	if (*upload_size || (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0))
		return answer_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", STR("GET only\n"));
	if (strcmp(url, "/_live") == 0)
		return answer_live(s, c, waited);
	if (strcmp(url, "/_live.js") == 0)
		return answer_text(c, MHD_HTTP_OK, type_of(url), str_of(live_js));
	if (strcmp(url, "/_live.css") == 0)
		return answer_text(c, MHD_HTTP_OK, type_of(url), str_of(live_css));
	return handle_page(s, c, url);
}

/* --- building --- */

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void load_base(struct server *s)
{
	struct arena a = {0};
	struct config c;
	struct err e = ERR_NONE;
	if (config_load(&a, &c, &e) && strlen(c.base) < sizeof s->base)
		strcpy(s->base, c.base);
	arena_free(&a);
}

/* Reads a source's page from the last build, in the preview's folder. */
static bool page_of(const struct server *s, struct str source, struct arena *a, struct str *url,
                    struct str *html)
{
	struct err ignored = ERR_NONE;
	struct str sources;
	if (!source.n || s->options->stay ||
	    !file_read(s->sources, MAX_PAGE_BYTES, a, &sources, &ignored))
		return false;
	*url = follow_page(sources, source);
	return url->n &&
	       file_read(arena_printf(a, "%s" STR_FMT "index.html", s->options->out, STR_ARG(*url)),
	                 MAX_PAGE_BYTES, a, html, &ignored);
}

/* Prints a build's output on the terminal, with the source lines of its problems. */
static void tell(struct str said)
{
	struct sb text = {0};
	bool excerpts = isatty(STDERR_FILENO);
	for (struct str line; said.n;) {
		if (!str_cut(said, '\n', &line, &said))
			said.n = 0;
		if (line.n && excerpts)
			excerpt_text(&text, line);
		else if (line.n)
			sb_printf(&text, STR_FMT "\n", STR_ARG(line));
	}
	fputs(text.n ? text.p : "", stderr);
	sb_free(&text);
}

/* Prints sources that are not in the preview: all at first, later only the edited one. */
static void tell_left_out(const struct server *s, struct str edited)
{
	struct arena a = {0};
	struct err ignored = ERR_NONE;
	struct str sources;
	if ((edited.n || s->version == FIRST_VERSION) &&
	    file_read(s->sources, MAX_PAGE_BYTES, &a, &sources, &ignored))
		follow_say_left_out(sources, edited, stdout);
	arena_free(&a);
}

/* Sets the place that browsers go to, and wakes them. The mutex is held. */
static void next_version(struct server *s, struct str url, struct str section)
{
	sb_clear(&s->edited);
	sb_str(&s->edited, url);
	if (section.n)
		sb_printf(&s->edited, "#" STR_FMT, STR_ARG(section));
	s->version++;
	resume_all(s);
}

/* One save: what was shown before it, and what follows from it. */
struct save {
	struct server *s;
	struct str edited; /* the saved source, or empty */
	struct arena a;
	int64_t start;
	struct str url, before; /* its page before the save; empty: it had none */
	bool was;
};

/* Shows the page of the saved source while the rest is made. Other pages are still the old ones. */
static void show_first(void *ctx)
{
	struct save *v = ctx;
	struct server *s = v->s;
	struct str url, html;
	if (!first_read(s->first_file, &v->a, &url, &html))
		return;
	struct str section = v->was ? follow_section(v->before, html) : (struct str){NULL, 0};
	pthread_mutex_lock(&s->mutex);
	sb_printf(&s->first_at, "%s" STR_FMT "index.html", s->options->out, STR_ARG(url));
	sb_str(&s->first, html);
	s->kept = false;
	next_version(s, url, section);
	pthread_mutex_unlock(&s->mutex);
	printf("site-gen: " STR_FMT " shown in %d ms\n", STR_ARG(v->edited),
	       (int)(now_ms() - v->start));
	fflush(stdout);
}

/* `kept`: the page that was shown first is the published one, and so is all that it loads. */
static void publish(struct server *s, bool good, bool kept, struct sb said, struct str url,
                    struct str section)
{
	pthread_mutex_lock(&s->mutex);
	load_base(s);
	/* the page has the number of warnings */
	s->kept = kept && s->first_at.n && str_eq(sb_view(&said), sb_view(&s->said));
	sb_free(&s->said);
	s->said = said;
	s->good = good;
	sb_clear(&s->first_at);
	sb_clear(&s->first);
	next_version(s, url, section);
	pthread_mutex_unlock(&s->mutex);
}

/*
 * The source whose page can be shown first: the one that was saved, if browsers go to its page, and
 * if nothing hides it.
 */
static struct str shown_first(const struct server *s, struct str edited)
{
	return s->good && !s->options->stay ? edited : (struct str){NULL, 0};
}

/* `edited` is the source that was saved, or empty. */
static void rebuild(struct server *s, struct str edited)
{
	struct sb said = {0};
	struct save v = {.s = s, .edited = edited, .start = now_ms()};
	struct builder_first first = {.shown = show_first, .ctx = &v};
	struct str after = {0}, section = {0};
	v.was = page_of(s, edited, &v.a, &v.url, &v.before);
	bool good = builder_build(&s->builder, shown_first(s, edited), &first, &said);
	bool shown = good && page_of(s, edited, &v.a, &v.url, &after);
	if (shown && v.was)
		section = follow_section(v.before, after);
	if (!shown)
		v.url.n = 0;
	tell(sb_view(&said));
	if (good)
		tell_left_out(s, edited);
	publish(s, good, first.kept, said, v.url, section);
	if (good)
		printf("site-gen: built in %d ms\n", (int)(now_ms() - v.start));
	fflush(stdout);
	arena_free(&v.a);
}

/* --- starting --- */

static struct MHD_Daemon *listen_on(struct server *s, struct err *e)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_port = htons((uint16_t)s->options->port)};
	if (inet_pton(AF_INET, s->options->host, &at.sin_addr) != 1) {
		err_set(e, "--host %s: expected an IPv4 address, 127.0.0.1 or 0.0.0.0",
		        s->options->host);
		return NULL;
	}
	struct MHD_Daemon *d = MHD_start_daemon(
	        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME,
	        (uint16_t)s->options->port, NULL, NULL, handle, s, MHD_OPTION_SOCK_ADDR, &at,
	        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
	        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_SECONDS, MHD_OPTION_END);
	if (!d)
		err_sys(e, "cannot listen on %s:%d; another --port may be free", s->options->host,
		        s->options->port);
	return d;
}

static void say_address(const struct server *s, struct MHD_Daemon *d)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT);
	printf("site-gen: http://%s:%d%s/ (Ctrl-C ends it)\n"
	       "site-gen: building the preview for the first time\n",
	       s->options->host, info ? (int)info->port : s->options->port, s->base);
	fflush(stdout);
}

int serve_run(const struct command_serve_options *options)
{
	struct server s = {.options = options, .version = FIRST_VERSION};
	struct err e = ERR_NONE;
	struct arena arena = {0};
	struct sb edited = {0};
	signal(SIGPIPE, SIG_IGN);
	s.sources = arena_printf(&arena, "%s/preview-pages", options->cache);
	s.first_file = arena_printf(&arena, "%s/preview-first", options->cache);
	pthread_mutex_init(&s.mutex, NULL);
	struct site_options site = {.out = options->out,
	                            .cache = options->cache,
	                            .sources = s.sources,
	                            .drafts = options->drafts,
	                            .future = options->future,
	                            .strict = options->strict,
	                            .werror = options->werror,
	                            .write = true,
	                            .quiet = true};
	struct watch *w = watch_open(&e);
	load_base(&s);
	bool ready = w && builder_start(&site, s.first_file, &s.builder, &e);
	struct MHD_Daemon *d = ready ? listen_on(&s, &e) : NULL;
	if (d) {
		say_address(&s, d);
		do
			rebuild(&s, sb_view(&edited));
		while (watch_wait(w, &edited, &e));
		pthread_mutex_lock(&s.mutex);
		resume_all(&s); /* the daemon cannot stop while connections are suspended */
		pthread_mutex_unlock(&s.mutex);
		MHD_stop_daemon(d);
	}
	if (ready)
		builder_stop(&s.builder);
	watch_close(w);
	sb_free(&s.said);
	sb_free(&s.edited);
	sb_free(&s.first_at);
	sb_free(&s.first);
	sb_free(&edited);
	arena_free(&arena);
	fprintf(stderr, "site-gen: %s\n", e.text);
	return 1;
}
