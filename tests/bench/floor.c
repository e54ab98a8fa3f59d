/*
 * floor OUT FILE... - the least work a generator can do: reads each file, parses it with
 * cmark-gfm, renders it and writes it. Two processes share the files.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

enum { PROCESSES = 2 };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static char *read_all(const char *path, size_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) != 0)
		die(path);
	char *p = malloc((size_t)st.st_size + 1);
	if (!p || read(fd, p, (size_t)st.st_size) != st.st_size)
		die(path);
	close(fd);
	p[ *n = (size_t)st.st_size] = 0;
	return p;
}

static void one(const char *out, const char *path, cmark_mem *mem)
{
	size_t n;
	char *src = read_all(path, &n);
	const char *body = strstr(src, "\n---\n");
	body = body ? body + 5 : src;
	cmark_parser *p = cmark_parser_new_with_mem(CMARK_OPT_FOOTNOTES, mem);
	cmark_parser_attach_syntax_extension(p, cmark_find_syntax_extension("table"));
	cmark_parser_attach_syntax_extension(p, cmark_find_syntax_extension("strikethrough"));
	cmark_parser_feed(p, body, n - (size_t)(body - src));
	cmark_node *doc = cmark_parser_finish(p);
	char *html =
	        cmark_render_html(doc, CMARK_OPT_FOOTNOTES, cmark_parser_get_syntax_extensions(p));
	char name[4096];
	const char *base = strrchr(path, '/');
	snprintf(name, sizeof name, "%s/%s.html", out, base ? base + 1 : path);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	size_t len = strlen(html);
	if (fd < 0 || write(fd, html, len) != (ssize_t)len || close(fd) != 0)
		die(name);
	mem->free(html);
	cmark_node_free(doc);
	cmark_parser_free(p);
	free(src);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return fprintf(stderr, "usage: floor OUT FILE...\n"), 2;
	cmark_gfm_core_extensions_ensure_registered();
	cmark_mem *mem = cmark_get_default_mem_allocator();
	for (int k = 0; k < PROCESSES; k++) {
		pid_t pid = fork();
		if (pid < 0)
			die("fork");
		if (pid > 0)
			continue;
		for (int i = 2 + k; i < argc; i += PROCESSES)
			one(argv[1], argv[i], mem);
		_exit(0);
	}
	int status, bad = 0;
	while (wait(&status) > 0)
		bad |= status != 0;
	return bad;
}
