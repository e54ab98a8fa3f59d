#include "runner/base/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool signals_open(struct signals *s, struct err *e)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP); /* a dropped connection must not lose what was measured */
	s->seen = 0;
	/* the same Ctrl-C may end the reader of our messages first, such as `tee`: carry on */
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
	    (s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) < 0)
		return err_sys(e, "cannot watch signals");
	return true;
}

void signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void signals_take(struct signals *s)
{
	struct signalfd_siginfo info;
	while (s->fd >= 0 && read(s->fd, &info, sizeof info) == sizeof info)
		s->seen++;
}
