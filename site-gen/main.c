/*
 * site-gen: the program that makes the pages. To add a command: its options
 * and its function in a commands_<topic>.c (site-gen/commands/commands.h), a row here.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "site-gen/commands/commands.h"

static const struct cmd commands[] = {
        {"build", "[OPTION...]", "build the site",
         "Builds content/, templates/, static/ and data/ into build/site. The new site appears at "
         "once,\nand only if there is no problem at all; files whose bytes are the same keep "
         "their times.",
         build_options, 0, 0, command_build},
        {"serve", "[OPTION...]", "preview that follows every saved file",
         "Builds into build/preview, serves it, and builds again and reloads the browser when a "
         "source changes; the browser goes to the page that is edited.\nA build that fails shows "
         "its "
         "problems in place of the pages.",
         serve_options, 0, 0, command_serve},
        {"check", "[OPTION...]", "find every problem, write nothing",
         "Does all that build does, and prints all problems, but publishes nothing. Lists drafts "
         "and scheduled posts\nthat are left out.\n\n"
         "  site-gen check --werror --spell 'hunspell -l'",
         check_options, 0, 0, command_check},
        {"explain", "[OPTION...] PLACEHOLDER", "what stands behind a number",
         "Prints the cases a placeholder comes from: values with their intervals, launches, "
         "conditions, state,\nfile and sources, and the command that measures them again.\n\n"
         "  site-gen explain 'value transpose/naive rows=16384 dtype=f32'",
         explain_options, 1, 1, command_explain},
        {"translated", "[OPTION...] FILE...", "a translation has followed its original",
         "Writes the blob id of the original as it is now into the front matter of each "
         "translation, and prints\nwhat has changed since the last time: read that first.\n\n"
         "  site-gen translated content/posts/tiles.zh.md",
         translated_options, 1, CMD_MAX_ARGS, command_translated},
        {"audit", "[OPTION...] DIR", "hold a published site against the records",
         "Reads the pages under DIR and data/, and nothing else: derives every number again from "
         "the raw samples,\nlooks for performance numbers in other text, and compares each file "
         "with the manifest. Every difference is a\nline with its place; the exit status is 1 if "
         "there is any.\n\n"
         "  site-gen audit build/site",
         audit_options, 1, 1, command_audit},
        {"note", "[OPTION...]", "log the numbers that pages show now",
         "Adds to data/published.jsonl every number that appeared, changed or went since the "
         "last note\n(data/PUBLISHED.md). Numbers of runs that are not committed are refused. "
         "Commit the file with the\nrun or the text that changed them.\n\n"
         "  site-gen note\n"
         "  site-gen note --reason 'the data sheet was corrected'",
         note_options, 0, 0, command_note},
        {"why", "[OPTION...] FILE:LINE", "what the numbers on a line are",
         "Prints what stands behind every number, claim and waiver on a line of a content file, or "
         "behind every\nnumber on a line of a page of the output: its name, run, why that run, "
         "interval, verdict, state.\n\n"
         "  site-gen why content/posts/tiles.md:17\n"
         "  site-gen why build/site/posts/tiles/index.html:120",
         why_options, 1, 1, command_why},
        {"query", "[OPTION...] [SELECTOR]", "what there is to write about",
         "Lists kinds of placeholders, families, metrics, devices, datasheet numbers and runs; "
         "with FAMILY its\nvariants, keys and their values; with FAMILY/VARIANT the cases, too. "
         "With --post what a post shows.\n\n"
         "  site-gen query\n"
         "  site-gen query transpose\n"
         "  site-gen query 'transpose/* rows=16384'\n"
         "  site-gen query --post tiles --cases",
         query_options, 0, 1, command_query},
        {"diff", "[OPTION...] REV", "which published numbers would change",
         "Loads the site as it was at a revision and as it is now, and prints every number that "
         "changes, appears\nor vanishes: page, placeholder, old and new text, runs, verdict. The "
         "exit status is 0 if there is none,\n1 if there are some, 2 if that could not be "
         "told.\n\n"
         "  site-gen diff HEAD\n"
         "  site-gen diff --json v1.2",
         diff_options, 1, 1, command_diff},
        {"new", "[OPTION...] KIND NAME", "begin something new",
         "Writes the first lines of a post, a page, a section or a path of the handbook, a "
         "prediction or a\nkernel, and says what to do next. Nothing that is there is "
         "replaced.\n\n"
         "  site-gen new post bytes-in-flight --title 'Bytes in flight'\n"
         "  site-gen new prediction scan-lookback\n"
         "  site-gen new kernel stream/prefetch",
         new_options, 2, 2, command_new},
        {"import", "[OPTION...] DIR", "bring posts from Hugo, Jekyll, Zola or AstroPaper",
         "Translates front matter and shortcodes of the posts below DIR into content/posts, and "
         "reports, with\nplaces, what needs a hand. DIR is only read; no file here is "
         "replaced.\n\n"
         "  site-gen import --dry-run ../old-blog\n"
         "  site-gen import ../old-blog",
         import_options, 1, 1, command_import},
        {"deploy", "[OPTION...] TARGET", "publish the site where readers get it",
         "Builds the site as --strict does, audits it, makes compressed forms of its text files, "
         "and takes it\nto TARGET: a folder, which is exchanged at once; host:/path or "
         "rsync://…, by rsync; or git:BRANCH, a\nbranch of this repository.\n\n"
         "  site-gen deploy /srv/www/site\n"
         "  site-gen deploy --dry-run www@example.org:/srv/www/site\n"
         "  site-gen deploy git:pages",
         deploy_options, 1, 1, command_deploy},
        {"config", "[OPTION...] nginx | caddy | systemd", "rules for what serves the site",
         "Prints a server's rules: headers (Content-Security-Policy among them), types, caching, "
         "compressed forms;\nor systemd units that publish again after new records.\n\n"
         "  site-gen config nginx --deployed /srv/www/site > /etc/nginx/sites-enabled/site\n"
         "  site-gen config systemd --out /etc/systemd/system",
         config_options, 1, 1, command_config},
};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

#ifdef __SANITIZE_ADDRESS__ /* which says more */
static void watch_crashes(void)
{
}
#else
/* What a library does where memory is out, most of all: libgit2 1.5 follows null pointers. */
static void say_crash(int signal)
{
	static const char text[] = "site-gen: crashed: a fault of this program or of a library, "
	                           "or out of memory; nothing was published after it\n";
	(void)signal;
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		return;
	/* with SA_RESETHAND the instruction crashes again, and that ends the process */
}

static void watch_crashes(void)
{
	struct sigaction a = {.sa_handler = say_crash, .sa_flags = SA_RESETHAND | SA_ONSTACK};
	/* a stack of its own: libgit2 also calls itself for ever */
	stack_t stack = {.ss_size = (size_t)SIGSTKSZ};
	stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                   -1, 0);
	if (stack.ss_sp != MAP_FAILED)
		sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
}
#endif

int main(int argc, char **argv)
{
	watch_crashes();
	return cmd_main("site-gen", "Turns posts and measured records into a static site.",
	                commands, NCOMMANDS, argc, argv, NULL);
}
