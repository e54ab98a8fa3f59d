/* runner/foreign/inner.h - private declarations of the readers of other harnesses' files. */
#ifndef RUNNER_FOREIGN_INNER_H
#define RUNNER_FOREIGN_INNER_H

#include "lib/json.h"
#include "runner/foreign/foreign.h"

/* A file that is being read. */
struct foreign_in {
	struct str text;
	const char *path;
	struct arena *a;
	struct err *e;
	size_t cap; /* of out->c */
	struct foreign *out;
};

/* The readers. `root` is the file's JSON. */
MUST_CHECK bool foreign_nvbench(struct foreign_in *in, struct json root);
MUST_CHECK bool foreign_google(struct foreign_in *in, struct json root);
MUST_CHECK bool foreign_hyperfine(struct foreign_in *in, struct json root);
MUST_CHECK bool foreign_pytest(struct foreign_in *in, struct json root);
MUST_CHECK bool foreign_csv(struct foreign_in *in);

/*
 * Calls `see` for each element of the array `key` in the object, which stands at `from` in the
 * text (0: the file's own). item.at is its line and column; `at` is where it stands in the text.
 */
MUST_CHECK bool
foreign_each(struct foreign_in *in, struct json obj, size_t from, const char *key,
             bool (*see)(struct foreign_in *in, struct json item, size_t at, void *ctx), void *ctx);

/* A new case with its title and the name made of it. False if nothing is left of the name. */
MUST_CHECK bool foreign_case(struct foreign_in *in, struct loc at, const char *title,
                             struct str name, struct foreign_case **out);

/*
 * Adds a parameter; its name and a value that is no integer become names. A name that means
 * something else in a placeholder gets a '_' behind it.
 */
MUST_CHECK bool foreign_param(struct foreign_in *in, struct loc at, struct foreign_case *c,
                              struct str name, struct str value);

/* Adds an empty process with room for n values. */
struct foreign_process *foreign_process(struct foreign_in *in, struct foreign_case *c, size_t n);

/* Adds a value to a process. False if it is no time above 0. */
MUST_CHECK bool foreign_value(struct foreign_in *in, struct loc at, struct foreign_process *p,
                              double seconds);

/* The texts that a member lists joined by spaces, as a shell would read them; NULL: none. */
const char *foreign_words(struct foreign_in *in, struct json list);

#endif
