/*
 * site-gen/base/tool_confine.h - the sandbox of the programs that tool.c starts.
 * Landlock forbids all files, programs, TCP ports, abstract sockets and signals to
 * other processes, except those named below. seccomp forbids all sockets, and
 * access to other processes' memory.
 */
#ifndef SITE_GEN_BASE_TOOL_CONFINE_H
#define SITE_GEN_BASE_TOOL_CONFINE_H

/* Exceptions from the sandbox, as absolute paths; NULL: none. */
struct tool_may {
	const char *run;   /* the program itself */
	const char *read;  /* a file, or a folder with everything in it */
	const char *write; /* a folder to read, write and remove files in */
};

/*
 * Confines this process and its children for good. They can still read system
 * libraries and fonts, and use /dev/null. Returns 0, or the errno of the step that
 * the kernel refused; the process is then not confined, or only in part.
 */
int tool_confine(const struct tool_may *may);

#endif
