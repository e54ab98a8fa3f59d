#include "lib/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put(struct err *e, size_t at, const char *fmt, va_list ap)
{
	vsnprintf(e->text + at, sizeof e->text - at, fmt, ap);
	e->set = true;
}

bool err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (!e->set)
		put(e, 0, fmt, ap);
	va_end(ap);
	return false;
}

bool err_at(struct err *e, struct loc at, const char *fmt, ...)
{
	if (e->set)
		return false;
	int n = 0;
	if (at.path && at.line > 0 && at.col > 0)
		n = snprintf(e->text, sizeof e->text, "%s:%d:%d: ", at.path, at.line, at.col);
	else if (at.path && at.line > 0)
		n = snprintf(e->text, sizeof e->text, "%s:%d: ", at.path, at.line);
	else if (at.path)
		n = snprintf(e->text, sizeof e->text, "%s: ", at.path);
	if (n < 0 || (size_t)n >= sizeof e->text)
		n = 0;
	va_list ap;
	va_start(ap, fmt);
	put(e, (size_t)n, fmt, ap);
	va_end(ap);
	return false;
}

bool err_sys(struct err *e, const char *fmt, ...)
{
	if (e->set)
		return false;
	int code = errno;
	va_list ap;
	va_start(ap, fmt);
	put(e, 0, fmt, ap);
	va_end(ap);
	size_t n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, ": %s", strerror(code));
	return false;
}

void err_add(struct err *e, const char *fmt, ...)
{
	char more[sizeof e->text / 2];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(more, sizeof more, fmt, ap);
	va_end(ap);
	size_t n = strlen(e->text), room = sizeof e->text - strlen(more) - 1;
	bool cut = n > room;
	if (cut)
		n = room - strlen("…");
	while (cut && n > 0 && ((unsigned char)e->text[n] & 0xc0) == 0x80)
		n--;
	snprintf(e->text + n, sizeof e->text - n, "%s%s", cut ? "…" : "", more);
}
