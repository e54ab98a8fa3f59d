/*
 * site-gen: the site generator. To add a command, add a row here, and its options and
 * its function to a file of site-gen/commands/.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/array.h"
#include "site-gen/commands/commands.h"

static const struct cmd commands[] = {
        {"build", "[OPTION...]", "build the site",
         "Builds content/, templates/, static/ and data/ into build/site. The new site\n"
         "appears only if there is no problem at all: at once, or file by file where few\n"
         "have changed. Files whose bytes are the same keep their times.",
         command_build_options, 0, 0, command_build},
        {"serve", "[OPTION...]", "preview the site and follow every saved file",
         "Builds into build/preview and serves it. When a source changes, it builds again\n"
         "and reloads the browser, which goes to the page that is edited. A build that\n"
         "fails shows its problems in place of the pages.",
         command_serve_options, 0, 0, command_serve},
        {"check", "[OPTION...] [FILE...]", "find every problem, write nothing",
         "Does all that build does, and prints all problems, but publishes nothing. Lists\n"
         "the drafts and scheduled posts that are left out.\n"
         "\n"
         "With FILEs, reads these texts alone, which an editor can do whenever one is saved:\n"
         "their front matter, numbers, claims and words, but no links to other pages.\n"
         "\n"
         "  site-gen check --werror --spell 'hunspell -l'\n"
         "  site-gen check content/posts/tiles.md",
         command_check_options, 0, CMD_MAX_ARGS, command_check},
        {"explain", "[OPTION...] PLACEHOLDER", "show what stands behind a placeholder",
         "Prints the cases that a placeholder comes from: values with their intervals,\n"
         "processes, conditions, state, file and sources, and the command that measures\n"
         "them again.\n"
         "\n"
         "  site-gen explain 'value transpose/naive rows=16384 dtype=f32'",
         command_explain_options, 1, 1, command_explain},
        {"why", "[OPTION...] FILE:LINE", "show what stands behind the numbers on a line",
         "Takes a line of a content file, or of a page of the output. Prints every number,\n"
         "claim and waiver on it: name, run, why that run, interval, verdict, state.\n"
         "\n"
         "  site-gen why content/posts/tiles.md:17\n"
         "  site-gen why build/site/posts/tiles/index.html:120",
         command_why_options, 1, 1, command_why},
        {"query", "[OPTION...] [SELECTOR]", "list what there is to write about",
         "Lists kinds of placeholders, families, metrics, devices, datasheet numbers and\n"
         "runs; with FAMILY its variants, keys and their values; with FAMILY/VARIANT the\n"
         "cases, too. With --post it lists what a post shows.\n"
         "\n"
         "  site-gen query\n"
         "  site-gen query transpose\n"
         "  site-gen query 'transpose/* rows=16384'\n"
         "  site-gen query --post tiles --cases",
         command_query_options, 0, 1, command_query},
        {"init", "[OPTION...] DIR", "begin a blog of one's own",
         "Writes the first files of a blog to DIR, a new or empty folder: settings, pages, a\n"
         "post, a kernel family, a Makefile, and rules for continuous integration. It never\n"
         "replaces a file. docs/own-blog.md says how to go on.\n"
         "\n"
         "  site-gen init my-blog --title 'My kernels'",
         command_init_options, 1, 1, command_init},
        {"new", "[OPTION...] KIND NAME", "begin a post, page, prediction, kernel or family",
         "Writes the first lines of a post, a page, a section or a path of the handbook, a\n"
         "prediction or a kernel, and says what to do next. It never replaces a file.\n"
         "A family gets its table, a variant each in C, CUDA and Triton, and a page; its\n"
         "--shape is map (an output for each input), reduce (one for all) or product (of\n"
         "two matrices).\n"
         "\n"
         "  site-gen new post bytes-in-flight --title 'Bytes in flight'\n"
         "  site-gen new prediction scan-lookback\n"
         "  site-gen new kernel stream/prefetch\n"
         "  site-gen new family gelu --shape map",
         command_new_options, 2, 2, command_new},
        {"translated", "[OPTION...] FILE...", "record that a translation follows its original",
         "Prints what has changed in the original since the last time; read that first.\n"
         "Then writes the blob id of the original into the front matter of each FILE.\n"
         "\n"
         "  site-gen translated content/posts/tiles.zh.md",
         command_translated_options, 1, CMD_MAX_ARGS, command_translated},
        {"import", "[OPTION...] DIR", "import posts from Hugo, Jekyll, Zola or Astro",
         "Translates front matter, shortcodes, HTML and MDX of the posts below DIR to\n"
         "content/posts, and reports, with places, what needs a hand; then counts by kind,\n"
         "and what was repaired without one. DIR is only read, and no file here is\n"
         "replaced. docs/first-post.md lists what becomes what.\n"
         "\n"
         "  site-gen import --dry-run ../old-blog\n"
         "  site-gen import ../old-blog",
         command_import_options, 1, 1, command_import},
        {"diff", "[OPTION...] REV", "show which published numbers would change",
         "Loads the site as it was at a revision and as it is now, and prints every number\n"
         "that changes, appears or goes: page, placeholder, old and new text, runs,\n"
         "verdict. The exit status is 0 if there is none, 1 if there are some, 2 if that\n"
         "could not be decided.\n"
         "\n"
         "  site-gen diff HEAD\n"
         "  site-gen diff --json v1.2",
         command_diff_options, 1, 1, command_diff},
        {"note", "[OPTION...]", "log the numbers that pages show now",
         "Adds to data/published.jsonl every number that appeared, changed or went since\n"
         "the last note (data/PUBLISHED.md). Numbers of runs that are not committed are\n"
         "refused. Commit the file with the run or the text that changed them. When it\n"
         "gets large, its committed lines move to data/published/, in gzip. With --begin\n"
         "the log begins anew, as that of a fork does.\n"
         "\n"
         "  site-gen note\n"
         "  site-gen note --reason 'the data sheet was corrected'",
         command_note_options, 0, 0, command_note},
        {"audit", "[OPTION...] DIR", "check a published site against the records",
         "Reads the pages under DIR and data/. Derives every number again from the raw\n"
         "samples, looks for performance numbers in other text, and compares each file\n"
         "with the manifest. Then builds the site a second time, and compares everything\n"
         "that is no number by its hash. Every difference is a line with its place; the\n"
         "exit status is 1 if there is any.\n"
         "\n"
         "  site-gen audit build/site\n"
         "  site-gen audit --data-only /srv/www/site",
         command_audit_options, 1, 1, command_audit},
        {"deploy", "[OPTION...] TARGET", "publish the site where readers get it",
         "Builds the site as --strict does, audits it, adds compressed forms of its text\n"
         "files, and takes it to TARGET: a folder, which is exchanged in one step;\n"
         "host:/path or rsync://..., by rsync; or git:BRANCH, a branch of this repository.\n"
         "\n"
         "  site-gen deploy /srv/www/site\n"
         "  site-gen deploy --dry-run www@example.org:/srv/www/site\n"
         "  site-gen deploy git:pages",
         command_deploy_options, 1, 1, command_deploy},
        {"config", "[OPTION...] nginx | caddy | systemd", "print rules for a web server",
         "Prints a server's rules: headers (Content-Security-Policy among them), types,\n"
         "caching, compressed forms. For systemd it prints units that publish again after\n"
         "new records.\n"
         "\n"
         "  site-gen config nginx --deployed /srv/www/site > /etc/nginx/sites-enabled/site\n"
         "  site-gen config systemd --out /etc/systemd/system",
         command_config_options, 1, 1, command_config},
};
enum { NCOMMANDS = ARRAY_LEN(commands) };

#ifdef __SANITIZE_ADDRESS__ /* its own report says more */
static void watch_crashes(void)
{
}
#else
/* Reports a crash, mostly of a library without memory: libgit2 1.5 follows null pointers. */
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
	/* an alternative stack, because libgit2 can also recurse without end */
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
