/*
 * runner/commands/facts.c - `runner facts`: the kernel sources of this build, and the hash of
 * each one's machine code. data/builds/README.md has the format.
 */
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/json.h"
#include "lib/str.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"

enum { MAX_STATEMENTS = 64 << 20 }; /* bytes of a file, without gzip */

static const struct cmd_option options[] = {
        {"beside", 'b', CMD_STRING, "DIR", "leave out what a file in DIR states already"},
        {NULL, 0, CMD_FLAG, NULL, NULL},
};

/* The files whose statements need no repetition. */
struct stated {
	struct str *text;
	size_t n;
};

static const char *tool(const char *name)
{
	for (size_t i = 0; i < stamp.ntoolchain; i++)
		if (strcmp(stamp.toolchain[i].name, name) == 0)
			return stamp.toolchain[i].word;
	return "";
}

static bool is_wanted(const struct cmd_args *args, const char *file)
{
	for (int i = 0; i < args->nargs; i++)
		if (str_glob(str_of(args->arg[i]), str_of(file)))
			return true;
	return args->nargs == 0;
}

static void put_unit(struct sb *to, const struct stamp_unit *u)
{
	bool cuda = str_ends(str_of(u->file), ".cu");
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "file", u->file);
	json_put_str(&w, "compiler", tool(cuda ? "nvcc" : "cc"));
	json_put_str(&w, "flags", stamp_flags(u->file));
	json_open(&w, "source", '[');
	for (size_t i = 0; i < u->nsources; i++) {
		json_open(&w, NULL, '[');
		json_put_str(&w, NULL, u->sources[i].path);
		json_put_str(&w, NULL, u->sources[i].blob);
		json_close(&w, ']');
	}
	json_close(&w, ']');
	json_put_str(&w, "code_sha256", u->code_sha256);
	json_close(&w, '}');
}

static bool read_stated(const char *folder, struct arena *a, struct stated *out, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	*out = (struct stated){0};
	if (!folder)
		return true;
	if (!file_list(folder, a, &entry, &n, e))
		return false;
	out->text = ARENA_ARRAY(a, struct str, n + 1);
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(a, "%s/%s", folder, entry[i].name);
		struct str stored;
		if (!str_ends(str_of(path), ".json.gz") && !str_ends(str_of(path), ".json"))
			continue;
		if (!file_read(path, MAX_STATEMENTS, a, &stored, e) ||
		    !gzip_content(stored, MAX_STATEMENTS, path, a, &out->text[out->n++], e))
			return false;
	}
	return true;
}

/* A unit is a line, and everything that is stated of it stands there. */
static bool is_stated(const struct stated *s, struct str unit)
{
	for (size_t i = 0; i < s->n; i++) {
		struct str line, rest = s->text[i];
		for (bool more = true; more;) {
			more = str_cut(rest, '\n', &line, &rest);
			if (str_ends(line, ","))
				line.n--;
			if (str_eq(line, unit))
				return true;
		}
	}
	return false;
}

/* One line per unit, so that two builds differ only in the lines of changed units. */
static size_t put_units(struct sb *to, const struct cmd_args *args, const struct stated *stated)
{
	struct sb unit = {0};
	size_t n = 0;
	for (size_t i = 0; i < stamp.nunits; i++) {
		const struct stamp_unit *u = &stamp.units[i];
		if (!u->code_sha256) {
			fprintf(stderr, "runner: %s: the hash of its code is not known\n", u->file);
			continue;
		}
		if (!is_wanted(args, u->file))
			continue;
		sb_clear(&unit);
		put_unit(&unit, u);
		if (is_stated(stated, sb_view(&unit)))
			continue;
		sb_cstr(to, n++ ? ",\n" : "\n");
		sb_str(to, sb_view(&unit));
	}
	sb_free(&unit);
	return n;
}

static int facts(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct stated stated;
	struct sb text = {0};
	if (!read_stated(cmd_option(args->cmd, args, "beside"), &a, &stated, &e)) {
		arena_free(&a);
		return command_failed(&e);
	}
	sb_cstr(&text, "{\"schema\":\"ridgepoint-build/1.0\",\n");
	if (stamp.commit)
		sb_printf(&text, "\"commit\":\"%s\",", stamp.commit);
	sb_printf(&text, "\"dirty\":%s,\n\"units\":[", stamp.dirty ? "true" : "false");
	if (put_units(&text, args, &stated) == 0)
		err_set(&e, stated.n ? "no unit of this build is new"
		                     : "no unit of this build matches; units are files like "
		                       "kernels/reduce/c_simd.c");
	else
		printf("%s\n]}\n", text.p);
	sb_free(&text);
	arena_free(&a);
	return e.set ? command_failed(&e) : 0;
}

const struct cmd command_facts = {
        .name = "facts",
        .synopsis = "[FILE...]",
        .help = "print which machine code this build made of which sources",
        .more = "JSON, for each compiled file of kernels/, or for those that a FILE (a glob)\n"
                "names: its sources by git blob id, flags, compiler, and the hash of the machine\n"
                "code. Committed as data/builds/<name>.json.gz, it lets pages tell whether a\n"
                "changed source is still the same code. data/builds/README.md has the format.\n"
                "\n"
                "  runner facts --beside data/builds > 2026-01.json && gzip -9n 2026-01.json",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = facts,
};
