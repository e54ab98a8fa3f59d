/*
 * runner/facts.c - `runner facts`: what this build made of which sources, in
 * the format of data/builds/README.md.
 */
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "lib/str.h"
#include "runner/commands.h"
#include "runner/stamp.h"

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
	json_put_str(&w, "flags", cuda ? stamp.flags_cuda : stamp.flags_c);
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

/* One line a unit: two builds then differ in the lines of what changed. */
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
		err_set(&e, "no unit of this build is meant; they are files like "
		            "kernels/reduce/c_simd.c");
	else
		printf("%s\n]}\n", text.p);
	sb_free(&text);
	return e.set ? complain(&e) : 0;
}

const struct cmd command_facts = {
        .name = "facts",
        .synopsis = "[FILE...]",
        .help = "what machine code this build made of which sources, as JSON",
        .more = "For each compiled file of kernels/, or those that a FILE (a glob) names: its\n"
                "sources by git blob id, flags, compiler, and the hash of the machine code.\n"
                "Committed as data/builds/<name>.json it lets pages tell a source that changed\n"
                "from code that changed; data/builds/README.md has the format.\n"
                "\n"
                "  runner facts > data/builds/2026-01.json",
        .max_args = CMD_MAX_ARGS,
        .run = facts,
};
