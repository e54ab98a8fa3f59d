/* `site-gen deploy`, and `site-gen config`, which prints rules for web servers. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/audit/audit.h"
#include "site-gen/build/build.h"
#include "site-gen/commands/commands.h"
#include "site-gen/deploy/deploy.h"
#include "site-gen/deploy/server_config.h"
#include "site-gen/site/site.h"

const struct cmd_option command_deploy_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        OPTION_JOBS,
        OPTION_QUIET,
        {"dry-run", 'n', CMD_FLAG, NULL, "say what would change, change nothing there"},
        OPTION_END,
};

const struct cmd_option command_config_options[] = {
        OPTION_ROOT,
        {"out", 'o', CMD_STRING, "DIR", "write the files to DIR, not to the terminal"},
        {"deployed", 0, CMD_STRING, "DIR", "where the site is deployed to (/srv/www/site)"},
        {"brotli", 0, CMD_FLAG, NULL, "for an nginx with its brotli module"},
        OPTION_END,
};

int command_deploy(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	struct deploy_options d = {.from = o.out,
	                           .target = args->arg[0],
	                           .stage = "build/deploy",
	                           .cache = o.cache,
	                           .dry_run = command_option(args, "dry-run", NULL),
	                           .quiet = o.quiet};
	struct err e = ERR_NONE;
	(void)ctx;
	o.strict = o.write = o.sync = o.whole = true;
	if (!command_enter_root(args) || build_site(&o, NULL) != 0)
		return 1;
	/* the full audit, as a reader would run it, which also searches other text */
	const struct command_audit_options audit = {.dir = o.out, .quiet = o.quiet};
	if (audit_run(&audit) != 0)
		return 1;
	return command_end(deploy_site(&d, &e), &e);
}

/* --- config --- */

static const struct server_kind *kind_of(const char *name, struct err *e)
{
	size_t n;
	const struct server_kind *k = server_config_kinds(&n);
	struct sb all = {0};
	for (size_t i = 0; i < n; i++) {
		if (strcmp(k[i].name, name) == 0) {
			sb_free(&all);
			return &k[i];
		}
		sb_printf(&all, "%s%s", i ? ", " : "", k[i].name);
	}
	err_set(e, "no rules for '%s', expected one of %s", name, all.p);
	sb_free(&all);
	return NULL;
}

static bool absolute(const char *path, char *out, size_t size, struct err *e)
{
	char here[PATH_MAX];
	if (path[0] != '/' && !getcwd(here, sizeof here))
		return err_sys(e, "the current folder");
	int n = path[0] == '/' ? snprintf(out, size, "%s", path)
	                       : snprintf(out, size, "%s/%s", here, path);
	return (n > 0 && (size_t)n < size) || err_set(e, "%s: the name is too long", path);
}

static bool write_files(const struct server_kind *k, const struct server_options *o,
                        const char *folder, struct err *e)
{
	bool ok = !folder || file_mkdirs(folder, e);
	for (size_t i = 0; ok && i < k->nfiles; i++) {
		struct sb text = {0}, path = {0};
		k->file[i].write(o, &text);
		sb_printf(&path, "%s/%s", folder ? folder : "", k->file[i].name);
		if (folder)
			ok = file_write(path.p, sb_view(&text), e);
		else
			printf("%s# --- %s ---\n%s", i ? "\n" : "", k->file[i].name, text.p);
		sb_free(&path);
		sb_free(&text);
	}
	return ok;
}

int command_config(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct config config;
	char root[PATH_MAX], checkout[PATH_MAX];
	const struct server_kind *k;
	(void)ctx;
	bool ok = command_enter_root(args) && (k = kind_of(args->arg[0], &e)) &&
	          config_load(&a, &config, &e) &&
	          absolute(command_option(args, "deployed", "/srv/www/site"), root, sizeof root,
	                   &e) &&
	          absolute(".", checkout, sizeof checkout, &e);
	if (ok) {
		if (str_ends(str_of(checkout), "/."))
			checkout[strlen(checkout) - 2] = 0;
		struct server_options o = {.site = &config,
		                           .root = root,
		                           .checkout = checkout,
		                           .brotli = command_option(args, "brotli", NULL)};
		ok = write_files(k, &o, command_option(args, "out", NULL), &e);
	}
	arena_free(&a);
	return command_end(ok, &e);
}
