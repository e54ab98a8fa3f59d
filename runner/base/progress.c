#include "runner/base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/clock.h"

struct progress progress_start(size_t total)
{
	return (struct progress){
	        .terminal = isatty(STDERR_FILENO), .start_ns = clock_ns(), .total = total};
}

static double elapsed(const struct progress *p)
{
	return (double)(clock_ns() - p->start_ns) * 1e-9;
}

static double left(const struct progress *p)
{
	if (p->done == 0)
		return 0;
	return elapsed(p) / (double)p->done * (double)(p->total - p->done);
}

static void wipe(struct progress *p)
{
	if (p->terminal && p->width)
		fprintf(stderr, "\r%*s\r", (int)p->width, "");
	p->width = 0;
}

void progress_item(struct progress *p, const char *name, size_t at, size_t n, int64_t i,
                   int64_t launches)
{
	if (!p->terminal)
		return;
	char line[200];
	int w = snprintf(line, sizeof line, "launch %lld/%lld  %zu/%zu  %.60s  %.0f s, %.0f s left",
	                 (long long)i + 1, (long long)launches, at + 1, n, name, elapsed(p),
	                 left(p));
	fprintf(stderr, "\r%s%*s", line, (int)(p->width > (size_t)w ? p->width - (size_t)w : 0),
	        "");
	p->width = (size_t)w;
}

void progress_launch(struct progress *p, int64_t i, int64_t launches)
{
	if (!p->terminal && launches > 1)
		fprintf(stderr, "launch %lld/%lld: %.1f s, %.0f s left\n", (long long)i + 1,
		        (long long)launches, elapsed(p), left(p));
	else if (i + 1 >= launches)
		wipe(p);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	va_list ap;
	wipe(p);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
