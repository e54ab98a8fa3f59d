/*
 * site-gen/base/tool_inner.h - start of a confined program in a child process. tool.c, which runs
 * a program to its end, and talk.c, which keeps one running, share it.
 */
#ifndef SITE_GEN_BASE_TOOL_INNER_H
#define SITE_GEN_BASE_TOOL_INNER_H

#include <sys/types.h>

#include "site-gen/base/tool.h"

enum {
	TOOL_NOT_CONFINED = 125, /* exit status if confining failed; stderr says why */
	TOOL_NO_ALARM = -1,      /* wall_seconds: the parent watches the time itself */
};

/*
 * In the child: opens the streams, sets the limits, confines the process and starts the program.
 * `streams` are stdin, stdout and stderr, none below 3; NULL: the files that `t` names.
 */
_Noreturn void tool_become(const struct tool *t, pid_t parent, const int *streams);

/* Sets the error that a program was not started because it cannot be confined. Returns false. */
MUST_CHECK bool tool_refuse(const char *name, struct str why, struct err *e);

#endif
