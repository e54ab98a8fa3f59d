/*
 * References in Python: a process computes them. It is told a case and indices, asks for the
 * elements of inputs that it needs, and answers with values and magnitudes. Numbers are binary, in
 * the byte order of this machine. The module's class Server is the other side.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/device/element.h"
#include "runner/python/inner.h"

/* What the process says first; `first` and `n` are elements, or the length of an error. */
struct answer {
	char word[4]; /* "in  ", "done", "fail" */
	uint32_t buffer;
	uint64_t first, n;
};

void python_serve(struct python_file *f)
{
	int in[2], out[2];
	if (pipe(in) != 0 || pipe(out) != 0)
		return;
	fflush(NULL);
	f->server = fork();
	if (f->server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		for (int i = 0; i < 2; i++) {
			close(in[i]);
			close(out[i]);
		}
		execlp(f->python, f->python, "-c", python_module, "serve", f->path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	f->to = fdopen(in[1], "w");
	f->from = fdopen(out[0], "r");
}

static bool give(struct python_file *f, const void *p, size_t n)
{
	return f->to && fwrite(p, 1, n, f->to) == n;
}

static bool take(struct python_file *f, void *p, size_t n)
{
	return f->from && fread(p, 1, n, f->from) == n;
}

/* Sends elements of an input, each as the number that it is. */
static bool give_input(struct python_file *f, const struct python_case *c, uint64_t seed,
                       const struct answer *asked)
{
	const struct kernel_buffer *b = &c->buffer[asked->buffer];
	if (asked->buffer >= c->nbuffers || asked->first + asked->n > b->count)
		return false;
	bool ok = true;
	for (uint64_t i = 0; i < asked->n && ok; i++) {
		uint32_t bits = element_input(b, seed, asked->buffer, (size_t)(asked->first + i));
		uint16_t half = (uint16_t)bits;
		uint8_t byte = (uint8_t)bits;
		size_t bytes = kernel_dtype_bytes(b->dtype);
		const void *p = bytes == 4   ? (const void *)&bits
		                : bytes == 2 ? (const void *)&half
		                             : (const void *)&byte;
		double v = element_get(b->dtype, p, 0);
		ok = give(f, &v, sizeof v);
	}
	return ok && fflush(f->to) == 0;
}

/* Takes the answer's values; false if the process failed or is gone. */
static bool listen_to(struct python_file *f, const struct python_case *c, uint64_t seed, size_t n,
                      double *value, double *magnitude)
{
	struct answer say;
	while (take(f, &say, sizeof say)) {
		if (memcmp(say.word, "in  ", 4) == 0) {
			if (!give_input(f, c, seed, &say))
				return false;
			continue;
		}
		if (memcmp(say.word, "fail", 4) == 0 && say.n < sizeof f->why) {
			f->why[take(f, f->why, (size_t)say.n) ? say.n : 0] = 0;
			return false;
		}
		for (size_t i = 0; i < n; i++) {
			double both[2];
			if (!take(f, both, sizeof both))
				return false;
			value[i] = both[0];
			magnitude[i] = both[1];
		}
		return true;
	}
	return false;
}

static bool compute(struct python_file *f, const struct python_family *own,
                    const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                    double *value, double *magnitude)
{
	const uint32_t which[2] = {(uint32_t)own->number, (uint32_t)(c - own->row.cases)};
	const uint64_t many = n;
	bool ok = give(f, which, sizeof which) && give(f, &many, sizeof many);
	for (size_t i = 0; i < n && ok; i++) {
		uint64_t index = idx[i];
		ok = give(f, &index, sizeof index);
	}
	return ok && fflush(f->to) == 0 &&
	       listen_to(f, &own->c[which[1]], seed, n, value, magnitude);
}

void python_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                   double *value, double *magnitude)
{
	const struct python_family *own = python_of(c);
	struct python_file *f = own->file;
	pthread_mutex_lock(&f->lock);
	if (f->failed || !compute(f, own, c, seed, idx, n, value, magnitude)) {
		if (!f->failed && !f->why[0])
			snprintf(f->why, sizeof f->why,
			         "%s: the process that computes its reference has ended", f->path);
		f->failed = true;
		for (size_t i = 0; i < n; i++)
			value[i] = magnitude[i] = (double)NAN;
	}
	pthread_mutex_unlock(&f->lock);
}

void python_close(struct python_file *f)
{
	if (!f)
		return;
	if (f->to)
		fclose(f->to); /* it ends when it reads nothing more */
	if (f->from)
		fclose(f->from);
	if (f->server > 0) {
		kill(f->server, SIGTERM);
		while (waitpid(f->server, NULL, 0) < 0 && errno == EINTR)
			;
	}
	pthread_mutex_destroy(&f->lock);
}

const char *python_failed(const struct python_file *f)
{
	return f->failed ? f->why : NULL;
}
