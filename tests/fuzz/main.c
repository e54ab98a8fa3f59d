/*
 * tests/fuzz/main.c - feeds the readers of fuzz.h with mutated files. Built with gcc, it
 * mutates the seeds itself: the same SEED always gives the same inputs. Built with clang
 * (make fuzz), libFuzzer mutates them, and FUZZ_TARGET names the reader.
 *
 *   fuzz --list                   prints the names of the readers
 *   fuzz NAME [INPUTS [SEED]]     tests a reader; prints a TAP line
 *   fuzz --file NAME FILE         reads one input again
 *   fuzz --seeds NAME DIR         copies the reader's seeds into DIR, for libFuzzer
 *
 * An input that causes a fault is written to $BUILD/fuzz-NAME.input.
 */
#include "tests/fuzz/fuzz.h"

#include <glob.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/array.h"
#include "lib/file.h"

enum {
	MAX_BYTES = 6000,
	MAX_SEEDS = 4096,
	SEED_FILE_BYTES = 16 << 20,
	HANG_SECONDS = 15, /* of CPU time, for one input */
};

static const struct fuzz_target *const tables[] = {fuzz_texts, fuzz_data, fuzz_pages};

static const struct fuzz_target *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct fuzz_target *t = tables[i]; t->name; t++)
			if (strcmp(t->name, name) == 0)
				return t;
	fprintf(stderr, "fuzz: no reader '%s'; --list names them\n", name);
	exit(2);
}

void fuzz_require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

#ifdef FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct fuzz_target *t;
	if (!t)
		t = find(getenv("FUZZ_TARGET") ? getenv("FUZZ_TARGET") : "");
	t->read((struct str){(const char *)data, n});
	return 0;
}

#else

/* --- faults: signal handlers use only this state --- */

static struct {
	char keep[4096]; /* path for the input */
	const char *name;
	struct str input;
	unsigned long count, count_before; /* inputs so far; the same at the last tick */
	bool told;
} state;

static void tell(const char *what)
{
	struct err e = ERR_NONE;
	if (state.told)
		return;
	state.told = true;
	unchecked(file_write(state.keep, state.input, &e)); /* e is printed */
	printf("not ok - %s: %s at input %lu, %s\n", state.name, what, state.count,
	       e.set ? e.text : state.keep);
	fflush(stdout);
}

static void on_death(void)
{
	tell("a fault");
}

static void on_signal(int sig)
{
	tell(strsignal(sig));
	_exit(1);
}

static void on_tick(int sig)
{
	(void)sig;
	if (state.count == state.count_before) {
		tell("more than 15 s of CPU time");
		_exit(1);
	}
	state.count_before = state.count;
}

/* Defined only if the program has a sanitizer. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void read_one(const struct fuzz_target *t, struct str input)
{
	/* an allocation of exact size, so that a sanitizer sees every read past the end */
	char *exact = malloc(input.n ? input.n : 1);
	if (!exact)
		exit(2);
	if (input.n)
		memcpy(exact, input.p, input.n);
	state.input = input;
	state.count++;
	t->read((struct str){exact, input.n});
	free(exact);
}

/* --- seeds --- */

struct seeds {
	struct arena arena;
	struct str *all;
	size_t n;
};

static void load_seeds(const struct fuzz_target *t, struct seeds *s)
{
	struct err e = ERR_NONE;
	s->all = ARENA_ARRAY(&s->arena, struct str, MAX_SEEDS);
	for (const char *const *p = t->seeds; *p; p++) {
		glob_t found;
		if (glob(*p, 0, NULL, &found) != 0)
			err_set(&e, "%s: no seeds", *p);
		for (size_t i = 0; !e.set && i < found.gl_pathc && s->n < MAX_SEEDS; i++) {
			/* golden sites share files by symbolic links, which file_read() refuses */
			char *path = realpath(found.gl_pathv[i], NULL);
			s->n += path ? file_read(path, SEED_FILE_BYTES, &s->arena, &s->all[s->n],
			                         &e)
			             : err_sys(&e, "%s", found.gl_pathv[i]);
			free(path);
		}
		globfree(&found);
	}
	if (!e.set && s->n)
		return;
	fprintf(stderr, "fuzz: %s\n", e.text);
	exit(2);
}

/* --- mutation --- */

struct mutator {
	const struct fuzz_target *t;
	const struct seeds *seeds;
	uint64_t state;
	char text[2 * MAX_BYTES];
	size_t n;
};

static size_t below(struct mutator *m, size_t n)
{
	m->state ^= m->state << 13;
	m->state ^= m->state >> 7;
	m->state ^= m->state << 17;
	return n ? (size_t)(m->state >> 11) % n : 0;
}

/* A piece of a seed, which starts at the start of a line. */
static struct str piece_of_seed(struct mutator *m, size_t most)
{
	struct str s = m->seeds->all[below(m, m->seeds->n)];
	size_t from = below(m, 2) ? 0 : str_find(s, '\n', below(m, s.n)) + 1;
	return str_sub(s, from, from + 1 + below(m, most));
}

static void insert(struct mutator *m, size_t at, struct str s)
{
	s = str_sub(s, 0, MAX_BYTES - (m->n < MAX_BYTES ? m->n : MAX_BYTES));
	if (s.n == 0)
		return;
	char copy[MAX_BYTES];
	memcpy(copy, s.p, s.n); /* s may lie in the text itself */
	memmove(m->text + at + s.n, m->text + at, m->n - at);
	memcpy(m->text + at, copy, s.n);
	m->n += s.n;
}

static void cut(struct mutator *m, size_t at, size_t n)
{
	n = n < m->n - at ? n : m->n - at;
	memmove(m->text + at, m->text + at + n, m->n - at - n);
	m->n -= n;
}

static struct str token(struct mutator *m)
{
	size_t n = 0;
	while (m->t->tokens[n])
		n++;
	return str_of(m->t->tokens[below(m, n)]);
}

static void mutate_once(struct mutator *m)
{
	enum { BYTE, FLIP, CUT, TOKEN, TOKENS, COPY, SPLICE, CHANGES };
	size_t at = below(m, m->n + 1), many;
	switch (below(m, CHANGES)) {
	case BYTE:
		if (at < m->n)
			m->text[at] = (char)below(m, 256);
		break;
	case FLIP:
		if (at < m->n)
			m->text[at] = (char)(m->text[at] ^ 1 << below(m, 8));
		break;
	case CUT:
		cut(m, at, 1 + below(m, below(m, 8) ? 8 : m->n));
		break;
	case TOKEN:
		insert(m, at, token(m));
		break;
	case TOKENS: /* many tokens: for depth, and for costs that multiply */
		many = 1 + below(m, 200);
		for (struct str s = token(m); many; many--)
			insert(m, at, s);
		break;
	case COPY:
		insert(m, at, str_sub((struct str){m->text, m->n}, below(m, m->n), m->n));
		break;
	default:
		insert(m, at, piece_of_seed(m, 400));
		break;
	}
}

static void mutate(struct mutator *m)
{
	m->n = 0;
	insert(m, 0, piece_of_seed(m, below(m, 4) ? 1000 : MAX_BYTES));
	for (size_t k = below(m, 6); k; k--)
		mutate_once(m);
}

/* --- the program --- */

static void watch(const struct fuzz_target *t)
{
	const char *build = getenv("BUILD");
	const struct itimerval every = {{HANG_SECONDS, 0}, {HANG_SECONDS, 0}};
	snprintf(state.keep, sizeof state.keep, "%s/fuzz-%s.input", build ? build : "build",
	         t->name);
	state.name = t->name;
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(on_death);
	else
		signal(SIGSEGV, on_signal);
	signal(SIGABRT, on_signal);
	signal(SIGPROF, on_tick);
	setitimer(ITIMER_PROF, &every, NULL);
}

static void run(const struct fuzz_target *t, long inputs, uint64_t seed)
{
	static struct mutator m;
	struct seeds seeds = {0};
	load_seeds(t, &seeds);
	watch(t);
	m = (struct mutator){.t = t, .seeds = &seeds, .state = seed * 0x9e3779b97f4a7c15 | 1};
	for (size_t i = 0; i < seeds.n; i++)
		read_one(t, str_sub(seeds.all[i], 0, 4 * MAX_BYTES));
	for (long i = 0; i < inputs; i++) {
		mutate(&m);
		read_one(t, (struct str){m.text, m.n});
	}
	printf("ok - %s: %lu inputs of %zu seeds\n", t->name, state.count, seeds.n);
	arena_free(&seeds.arena);
}

static void list(void)
{
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct fuzz_target *t = tables[i]; t->name; t++)
			puts(t->name);
}

static int copy_seeds(const struct fuzz_target *t, const char *dir)
{
	struct seeds seeds = {0};
	struct err e = ERR_NONE;
	load_seeds(t, &seeds);
	for (size_t i = 0; i < seeds.n && !e.set; i++)
		/* e ends the loop */
		unchecked(file_write(arena_printf(&seeds.arena, "%s/%zu", dir, i),
		                     str_sub(seeds.all[i], 0, MAX_BYTES), &e));
	arena_free(&seeds.arena);
	if (e.set)
		fprintf(stderr, "fuzz: %s\n", e.text);
	return e.set;
}

static int read_file(const struct fuzz_target *t, const char *path)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str input;
	watch(t);
	if (file_read(path, SEED_FILE_BYTES, &a, &input, &e))
		read_one(t, input);
	else
		fprintf(stderr, "fuzz: %s\n", e.text);
	arena_free(&a);
	return e.set;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		list();
	else if (argc == 4 && strcmp(argv[1], "--seeds") == 0)
		return copy_seeds(find(argv[2]), argv[3]);
	else if (argc == 4 && strcmp(argv[1], "--file") == 0)
		return read_file(find(argv[2]), argv[3]);
	else if (argc >= 2)
		run(find(argv[1]), argc > 2 ? atol(argv[2]) : find(argv[1])->inputs,
		    argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
	else
		fputs("fuzz --list | NAME [INPUTS [SEED]] | --file NAME FILE | --seeds NAME DIR\n",
		      stderr);
	return argc < 2;
}

#endif
