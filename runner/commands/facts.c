/*
 * runner/commands/facts.c - `runner facts`: the kernel sources of this build, and the hash of
 * each one's machine code. data/builds/README.md has the format.
 */
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "lib/str.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"

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

/* One line per unit, so that two builds differ only in the lines of changed units. */
static size_t put_units(struct sb *to, const struct cmd_args *args)
{
	size_t n = 0;
	for (size_t i = 0; i < stamp.nunits; i++) {
		const struct stamp_unit *u = &stamp.units[i];
		if (!u->code_sha256) {
			fprintf(stderr, "runner: %s: the hash of its code is not known\n", u->file);
			continue;
		}
		if (!is_wanted(args, u->file))
			continue;
		sb_cstr(to, n++ ? ",\n" : "\n");
		put_unit(to, u);
	}
	return n;
}

static int facts(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct sb text = {0};
	sb_cstr(&text, "{\"schema\":\"ridgepoint-build/1.0\",\n");
	if (stamp.commit)
		sb_printf(&text, "\"commit\":\"%s\",", stamp.commit);
	sb_printf(&text, "\"dirty\":%s,\n\"units\":[", stamp.dirty ? "true" : "false");
	if (put_units(&text, args) == 0)
		err_set(&e, "no unit of this build matches; units are files like "
		            "kernels/reduce/c_simd.c");
	else
		printf("%s\n]}\n", text.p);
	sb_free(&text);
	return e.set ? command_failed(&e) : 0;
}

const struct cmd command_facts = {
        .name = "facts",
        .synopsis = "[FILE...]",
        .help = "print which machine code this build made of which sources",
        .more = "JSON, for each compiled file of kernels/, or for those that a FILE (a glob)\n"
                "names: its sources by git blob id, flags, compiler, and the hash of the machine\n"
                "code. Committed as data/builds/<name>.json, it lets pages tell whether a changed\n"
                "source is still the same code. data/builds/README.md has the format.\n"
                "\n"
                "  runner facts > data/builds/2026-01.json",
        .max_args = CMD_MAX_ARGS,
        .run = facts,
};
