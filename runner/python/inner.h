/* runner/python/inner.h - private declarations of the families that Python registers. */
#ifndef RUNNER_PYTHON_INNER_H
#define RUNNER_PYTHON_INNER_H

#include <pthread.h>
#include <stdio.h>

#include "runner/python/python.h"

/* A row of a family's cases, as the file describes it. */
struct python_case {
	struct kernel_buffer buffer[KERNEL_MAX_BUFFERS];
	size_t nbuffers, terms;
	struct kernel_model model;
};

/* A family that has a variant in the file. */
struct python_family {
	struct kernel_family row;           /* what plans are made of */
	const struct kernel_family *origin; /* of kernels/; NULL: the file's own */
	int number;                         /* among the file's own */
	struct python_case *c;              /* of its own; as many as row.ncases */
	double tolerance;
	const char *why;
	struct python_file *file;
};

struct python_file {
	const char *path;
	const char *python, *program, *so; /* as found, sys.executable, Python's library */
	const char *library, *flags;       /* "Python 3.11.2, NumPy 2.0"; "Python 3.11.2" */
	struct run_source source;
	struct python_family *family;
	const struct kernel_family **rows;
	size_t n;
	/* the process that computes references */
	pthread_mutex_t lock;
	pid_t server;
	FILE *to, *from;
	bool failed;
	char why[500];
};

/* kernel_variant.prepare of the file's variants, by their number. */
typedef const char *python_prepare(const struct kernel_case *c, const struct kernel_env *env,
                                   void *const *buf, void **state);
extern python_prepare *const python_prepares[PYTHON_MOST_VARIANTS];
int python_launch(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                  void *state);
void python_release(void *state);

/*
 * Starts the process that computes references. The kernel ends it with the thread that started it,
 * so that is the main one.
 */
void python_serve(struct python_file *f);

/* kernel_family.expect of the file's own families. */
void python_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                   double *value, double *magnitude);

/* The family of a case: its last parameter, which `nparams` does not count, holds it. */
const struct python_family *python_of(const struct kernel_case *c);

/* The module `ridgepoint`, with a zero behind it. */
extern const char python_module[] __attribute__((visibility("hidden")));

#endif
