/* `site-gen import`. */
#include <stdio.h>

#include "site-gen/commands/commands.h"
#include "site-gen/commands/importer.h"

const struct cmd_option command_import_options[] = {
        OPTION_ROOT,
        {"out", 'o', CMD_STRING, "DIR", "where the posts go (content/posts)"},
        {"dry-run", 'n', CMD_FLAG, NULL, "report only, write nothing"},
        OPTION_END,
};

int command_import(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct import_report r = {0};
	(void)ctx;
	bool ok = command_enter_root(args) &&
	          importer_run(args->arg[0], command_option(args, "out", "content/posts"),
	                       command_option(args, "dry-run", NULL), &a, &r, &e);
	fputs(r.text.p ? r.text.p : "", stdout);
	if (ok)
		printf("%zu posts, %zu places that need a hand; `site-gen check` finds the rest: "
		       "raw "
		       "HTML, links, numbers typed by hand\n",
		       r.posts, r.notes);
	sb_free(&r.text);
	arena_free(&a);
	return command_end(ok, &e);
}
