/*
 * site-gen/base/tool_confine.h - the sandbox of programs that tool.c starts: by
 * Landlock no file, program, TCP port, abstract socket or process but those
 * below, by seccomp no socket at all and no look into other processes.
 */
#ifndef SITE_GEN_BASE_TOOL_CONFINE_H
#define SITE_GEN_BASE_TOOL_CONFINE_H

/* All three are absolute paths; NULL: none. */
struct tool_may {
	const char *run;   /* the program itself */
	const char *read;  /* a file, or a folder with all that is in it */
	const char *write; /* a folder: read, written, its files removed */
};

/*
 * Confines this process and what it starts, for good. System libraries, fonts
 * and /dev/null stay open to it. Returns 0, or the errno of what the kernel
 * refused: the process is then not confined, or only in part.
 */
int tool_confine(const struct tool_may *may);

#endif
