/*
 * Running gnuplot: one process draws all sizes of a chart. It gets a fixed
 * program and numbers, and is confined (base/tool.h); anything it says is an error.
 * Results are kept under a hash of everything they depend on, so an unchanged
 * site starts no process at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/plot/plot.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/tool.h"

static const char *const size_names[PLOT_SIZES] = {"wide", "narrow"};

enum {
	PROGRAM_MAX_BYTES = 1 << 16,
	SVG_MAX_BYTES = 4 << 20,
	CPU_SECONDS = 10,
	MEMORY_BYTES = 1 << 30,
};

/* The data files of one rendering, by name. */
struct part {
	const char *name;
	const struct sb *text;
};

enum { PARTS = 7 };

static void parts_of(const struct plot_layout *l, struct part out[PARTS])
{
	const struct part all[PARTS] = {{"frame", &l->frame},   {"lines", &l->lines},
	                                {"points", &l->points}, {"leaders", &l->leaders},
	                                {"left", &l->left},     {"centre", &l->centre},
	                                {"right", &l->right}};
	memcpy(out, all, sizeof all);
}

/*
 * The name under which a result is kept. The program's size and time stand
 * for its version: asking it would cost a process.
 */
static bool cache_key(const struct plot_layout *layout, const char *gnuplot, const char *program,
                      struct arena *a, char key[HASH_SHA256_HEX + 1], struct err *e)
{
	struct str text;
	struct stat st;
	struct sb all = {0};
	if (!file_read(program, PROGRAM_MAX_BYTES, a, &text, e))
		return false;
	if (stat(gnuplot, &st) != 0)
		return err_sys(e, "%s", gnuplot);
	sb_printf(&all, "%lld %lld\n", (long long)st.st_size, (long long)st.st_mtime);
	sb_str(&all, text);
	for (int s = 0; s < PLOT_SIZES; s++) {
		struct part part[PARTS];
		parts_of(&layout[s], part);
		for (int i = 0; i < PARTS; i++) {
			sb_printf(&all, "\n%s %zu\n", part[i].name, part[i].text->n);
			sb_str(&all, sb_view(part[i].text));
		}
	}
	hash_sha256(sb_view(&all), key);
	sb_free(&all);
	return true;
}

/* --- the cache: for each drawing a line with its size, and the drawing --- */

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

static bool write_plain(const char *path, struct str bytes, struct err *e)
{
	FILE *f = fopen(path, "wxe");
	bool ok = f && fwrite(bytes.p ? bytes.p : "", 1, bytes.n, f) == bytes.n;
	if (f && fclose(f) != 0)
		ok = false;
	return ok || err_sys(e, "%s", path);
}

static bool write_inputs(const struct plot_layout *layout, const char *dir, struct arena *a,
                         struct err *e)
{
	for (int s = 0; s < PLOT_SIZES; s++) {
		struct part part[PARTS];
		const char *folder = arena_printf(a, "%s/%s", dir, size_names[s]);
		if (mkdir(folder, 0700) != 0)
			return err_sys(e, "%s", folder);
		parts_of(&layout[s], part);
		for (int i = 0; i < PARTS; i++)
			if (!write_plain(arena_printf(a, "%s/%s.dat", folder, part[i].name),
			                 sb_view(part[i].text), e))
				return false;
	}
	return true;
}

static bool run_in(const char *gnuplot, const char *program, const char *dir, struct arena *a,
                   struct err *e)
{
	const char *const args[] = {"-d", program, NULL};
	const struct tool t = {.name = "gnuplot",
	                       .path = gnuplot,
	                       .args = args,
	                       .dir = dir,
	                       .reads = program,
	                       .cpu_seconds = CPU_SECONDS,
	                       .memory_bytes = MEMORY_BYTES,
	                       .file_bytes = SVG_MAX_BYTES};
	struct str said;
	struct err why = ERR_NONE;
	return tool_run(&t, a, &said, &why) || err_set(e, "%s: %s", program, why.text);
}

static bool draw(const struct plot_layout *layout, const char *gnuplot, const char *program,
                 struct arena *a, struct str svg[PLOT_SIZES], struct err *e)
{
	const char *dir = tool_folder(a, e);
	if (!dir)
		return false;
	bool ok = write_inputs(layout, dir, a, e) && run_in(gnuplot, program, dir, a, e);
	for (int s = 0; ok && s < PLOT_SIZES; s++)
		ok = file_read(arena_printf(a, "%s/%s/plot.svg", dir, size_names[s]), SVG_MAX_BYTES,
		               a, &svg[s], e);
	tool_folder_remove(dir);
	return ok;
}

bool gnuplot_run(const struct plot_layout layout[PLOT_SIZES], const char *program,
                 const char *cache, struct arena *a, struct str svg[PLOT_SIZES], struct err *e)
{
	char key[HASH_SHA256_HEX + 1];
	char *full = realpath(program, NULL);
	if (!full)
		return err_sys(e, "%s", program);
	program = arena_strdup(a, full);
	free(full);
	const char *gnuplot = tool_find("gnuplot", a);
	if (!gnuplot)
		return err_set(e, "gnuplot is not installed: plots need the package gnuplot-nox "
		                  "('make setup site' installs it)");
	if (!cache_key(layout, gnuplot, program, a, key, e) || !file_mkdirs(cache, e))
		return false;
	const char *kept = arena_printf(a, "%s/%s.svg", cache, key);
	if (cache_read(kept, a, svg))
		return true;
	if (!draw(layout, gnuplot, program, a, svg, e))
		return false;
	cache_write(kept, svg, a);
	return true;
}
