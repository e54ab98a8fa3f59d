/*
 * Finds a plot program in templates/plots/ and runs it with gnuplot. Each program has a process of
 * its own, so it cannot change what another draws. The process starts with the first chart and
 * stays for the next, because starting takes ten times as long as drawing. It is confined
 * (base/talk.h): it reads the folder of programs, receives charts and returns SVG over its standard
 * streams, and cannot write, run or send anything else. Any message of gnuplot is an error.
 *
 * Results are kept under a hash of everything they depend on, so an unchanged site starts no
 * process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/talk.h"
#include "site-gen/plot/inner.h"

enum {
	MOST_PROGRAMS = 64,
	PROGRAM_MAX_BYTES = 1 << 16,
	SVG_MAX_BYTES = 4 << 20,
	CPU_SECONDS = 30,  /* of a process, which draws many charts */
	WALL_SECONDS = 20, /* of a drawing */
	MOST_DRAWINGS = 400,
	MEMORY_BYTES = 1 << 30,
};

#define FOLDER "templates/plots"
static const char end_line[] = "[the drawing ends here]";

/* A program, and the process that runs it. */
struct program {
	const char *name;
	struct str text;
	struct talk *talk; /* NULL: none is running */
	int drawn;
};

struct plotter {
	const char *root, *cache;
	struct arena *a;
	struct program program[MOST_PROGRAMS]; /* all files of the folder, by name */
	size_t n;
	char style[HASH_SHA256_HEX + 1]; /* of all their texts and of gnuplot */
	const char *gnuplot, *folder;    /* full paths; NULL: not looked up yet */
	pid_t owner;                     /* of the processes */
};

struct plotter *plotter_new(const char *root, const char *cache, struct arena *a)
{
	struct plotter *p = ARENA_NEW(a, struct plotter);
	*p = (struct plotter){.root = root, .cache = cache, .a = a};
	return p;
}

static void end_program(struct program *g)
{
	talk_end(g->talk);
	g->talk = NULL;
	g->drawn = 0;
}

void plotter_rest(struct plotter *p)
{
	for (size_t i = 0; p && p->owner == getpid() && i < p->n; i++)
		end_program(&p->program[i]);
}

/* After a fork: forgets the parent's processes, which the child must not use. */
static void own(struct plotter *p)
{
	if (p->owner == getpid())
		return;
	for (size_t i = 0; i < p->n; i++)
		p->program[i].talk = NULL;
	p->owner = getpid();
}

/* --- the folder of programs --- */

const char *plotter_path(const struct plotter *p, const char *program, struct arena *a)
{
	bool here = strcmp(p->root, ".") == 0;
	return arena_printf(a, "%s%s" FOLDER "/%s.gp", here ? "" : p->root, here ? "" : "/",
	                    program);
}

static bool read_programs(struct plotter *p, struct sb *all, struct err *e)
{
	struct file_entry *f;
	size_t n;
	if (!file_list(p->folder, p->a, &f, &n, e))
		return false;
	p->n = 0;
	for (size_t i = 0; i < n; i++) {
		size_t stem = strlen(f[i].name);
		if (f[i].is_dir || !str_ends(str_of(f[i].name), ".gp"))
			continue;
		if (p->n == MOST_PROGRAMS)
			return err_set(e, "%s has more than %d programs", p->folder, MOST_PROGRAMS);
		struct program *g = &p->program[p->n++];
		*g = (struct program){.name = arena_strndup(p->a, f[i].name, stem - 3)};
		if (!file_read(arena_printf(p->a, "%s/%s", p->folder, f[i].name), PROGRAM_MAX_BYTES,
		               p->a, &g->text, e))
			return false;
		sb_printf(all, "%s %zu\n", g->name, g->text.n);
		sb_str(all, g->text);
	}
	return true;
}

/*
 * Reads the folder of programs once. Each program may load any other file of the folder, so a
 * drawing depends on all of them, and on gnuplot.
 */
static bool look_up(struct plotter *p, struct err *e)
{
	struct sb all = {0};
	own(p);
	if (p->folder)
		return true;
	const char *folder = arena_printf(p->a, "%s/" FOLDER, p->root);
	char *full = realpath(folder, NULL);
	if (!full)
		return err_sys(e, "%s", folder);
	p->folder = arena_strdup(p->a, full);
	free(full);
	p->gnuplot = tool_find("gnuplot", p->a);
	bool ok = p->gnuplot ? true
	                     : err_set(e, "gnuplot is not installed: plots need the package "
	                                  "gnuplot-nox ('make setup site' installs it)");
	ok = ok && read_programs(p, &all, e) && tool_version(p->gnuplot, &all, e);
	hash_sha256(sb_view(&all), p->style);
	sb_free(&all);
	if (!ok)
		p->folder = NULL;
	return ok;
}

static struct program *find(struct plotter *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_is(name, p->program[i].name))
			return &p->program[i];
	return NULL;
}

static bool names(const struct program *g, const char *words)
{
	return g->text.n && memmem(g->text.p, g->text.n, words, strlen(words)) != NULL;
}

/* Every program loads common.gp. A file that does not is a part that programs share. */
static bool is_shared(const struct program *g)
{
	return !names(g, "load 'common.gp'");
}

bool plotter_has(struct plotter *p, struct str program, struct err *e)
{
	struct sb all = {0};
	if (!look_up(p, e))
		return false;
	const struct program *g = find(p, program);
	if (g && !is_shared(g))
		return true;
	for (size_t i = 0; i < p->n; i++)
		if (!is_shared(&p->program[i]))
			sb_printf(&all, "%s%s", all.n ? ", " : "", p->program[i].name);
	err_set(e, "no plot program '" STR_FMT "' in " FOLDER "/, expected one of %s",
	        STR_ARG(program), all.n ? all.p : "none");
	sb_free(&all);
	return false;
}

bool plotter_reads(struct plotter *p, const char *program, const char *block)
{
	struct err e = ERR_NONE;
	const struct program *g = look_up(p, &e) ? find(p, str_of(program)) : NULL;
	return g && names(g, block);
}

/* --- the cache: for each drawing a line with its size, and the drawing --- */

static const char *cache_path(const struct plotter *p, const char *program, struct str variables,
                              struct arena *a)
{
	char key[HASH_SHA256_HEX + 1];
	struct sb all = {0};
	sb_printf(&all, "%s %s\n", p->style, program);
	sb_str(&all, variables);
	hash_sha256(sb_view(&all), key);
	sb_free(&all);
	return arena_printf(a, "%s/%s.svg", p->cache, key);
}

static bool cache_read(const char *path, struct arena *a, struct str svg[PLOT_SIZES])
{
	struct str rest, line;
	int64_t n;
	if (!kept_read(path, 2 * SVG_MAX_BYTES, a, &rest))
		return false;
	for (int s = 0; s < PLOT_SIZES; s++) {
		struct str tail;
		if (!str_cut(rest, '\n', &line, &tail) || !str_i64(line, &n) || n < 0 ||
		    (size_t)n > tail.n)
			return false;
		svg[s] = str_sub(tail, 0, (size_t)n);
		rest = str_sub(tail, (size_t)n, tail.n);
	}
	return true;
}

static void cache_write(const char *path, const struct str svg[PLOT_SIZES], struct arena *a)
{
	struct sb body = {0};
	for (int s = 0; s < PLOT_SIZES; s++) {
		sb_printf(&body, "%zu\n", svg[s].n);
		sb_str(&body, svg[s]);
	}
	kept_write(path, sb_view(&body), a);
	sb_free(&body);
}

/* --- the process --- */

static bool start(struct plotter *p, struct program *g, struct err *e)
{
	static const char *const args[] = {"-d", NULL};
	const struct tool t = {.name = "gnuplot",
	                       .path = p->gnuplot,
	                       .args = args,
	                       .reads = p->folder,
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES};
	if (g->drawn >= MOST_DRAWINGS)
		end_program(g);
	if (!g->talk)
		g->talk = talk_start(&t, p->a, e);
	return g->talk != NULL;
}

/* Gives gnuplot's message "\"plot.gp\" line 12: …" its place: templates/plots/plot.gp:12. */
static bool complain(const struct plotter *p, const char *program, struct str said,
                     const struct err *why, struct arena *a, struct err *e)
{
	static const char middle[] = "\" line ";
	const char *at = said.n ? memmem(said.p, said.n, middle, sizeof middle - 1) : NULL;
	const char *name = at ? memrchr(said.p, '"', (size_t)(at - said.p)) : NULL;
	if (!name)
		return err_set(e, "%s: %s", plotter_path(p, program, a), why->text);
	struct str file = {name + 1, (size_t)(at - name - 1)}, rest, line;
	size_t begin = (size_t)(at - said.p) + sizeof middle - 1;
	str_cut(str_sub(said, begin, said.n), ':', &line, &rest);
	if (str_ends(file, ".gp"))
		file.n -= 3;
	return err_set(e, "%s:" STR_FMT ": gnuplot says:" STR_FMT,
	               plotter_path(p, arena_strndup(a, file.p, file.n), a), STR_ARG(line),
	               (int)(rest.n < 300 ? rest.n : 300), rest.p);
}

/* Writes the commands for one drawing. The first removes all traces of the drawing before. */
static void put_question(const struct plotter *p, const char *program, int size,
                         struct str variables, struct sb *to)
{
	sb_printf(to, "reset session\nset loadpath '%s'\n", p->folder);
	sb_str(to, variables);
	sb_printf(to, "narrow = %d\nload '%s.gp'\nunset output\nset print '-'\nprint '%s'\n",
	          size == PLOT_NARROW, program, end_line);
}

static bool draw(struct plotter *p, struct program *g, struct str variables, struct arena *a,
                 struct str svg[PLOT_SIZES], struct err *e)
{
	bool ok = true;
	for (int s = 0; ok && s < PLOT_SIZES; s++) {
		struct sb question = {0}, answer = {0};
		struct str said = STR("");
		struct err why = ERR_NONE;
		put_question(p, g->name, s, variables, &question);
		ok = start(p, g, e);
		if (ok && !talk_ask(g->talk, sb_view(&question), end_line, WALL_SECONDS,
		                    SVG_MAX_BYTES, a, &answer, &said, &why)) {
			ok = complain(p, g->name, said, &why, a, e);
			end_program(g);
		}
		g->drawn++;
		svg[s] = (struct str){arena_strndup(a, answer.p ? answer.p : "", answer.n),
		                      answer.n};
		sb_free(&question);
		sb_free(&answer);
	}
	return ok;
}

bool plotter_draw(struct plotter *p, const char *program, struct str variables, struct arena *a,
                  struct str svg[PLOT_SIZES], struct err *e)
{
	if (!plotter_has(p, str_of(program), e) || !file_mkdirs(p->cache, e))
		return false;
	const char *kept = cache_path(p, program, variables, a);
	if (cache_read(kept, a, svg))
		return true;
	if (!draw(p, find(p, str_of(program)), variables, a, svg, e))
		return false;
	cache_write(kept, svg, a);
	return true;
}
