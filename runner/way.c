#include "runner/way.h"

#include <string.h>

/* Inputs one can measure with, by enum input_kind. */
static const struct {
	const char *name, *text;
} inputs[] = {
        [INPUT_UNIFORM] = {"uniform", "uniform[-1,1)"},
        [INPUT_ZEROS] = {"zeros", "zeros"},
        [INPUT_NORMAL] = {"normal", "normal: the sum of eight uniforms, scaled to [-1,1)"},
};

enum { INPUTS = sizeof inputs / sizeof inputs[0] };

/* The keys in the order of a case's parameters; `usual` is no parameter. */
static const struct {
	const char *key, *usual;
} keys[] = {
        {"input", "uniform"},
        {"side", "device"},
        {"load", "burst"},
};

const struct way way_all[WAYS] = {
        {.cold = false},
        {.cold = true},
        {.cold = false, .sustained = true},
        {.cold = true, .sustained = true},
        {.host = true},
};

bool way_input(struct str name, enum input_kind *out)
{
	for (int k = 0; k < INPUTS; k++)
		if (str_is(name, inputs[k].name)) {
			*out = (enum input_kind)k;
			return true;
		}
	return false;
}

const char *way_input_text(enum input_kind k)
{
	return inputs[k].text;
}

const char *way_word(const struct way *w, struct str key)
{
	if (str_is(key, "cache"))
		return w->cold ? "cold" : "hot";
	if (str_is(key, "input"))
		return inputs[w->input].name;
	if (str_is(key, "side"))
		return w->host ? "host" : "device";
	if (str_is(key, "load"))
		return w->sustained ? "sustained" : "burst";
	return NULL;
}

void way_params(const struct way *w, struct run_case *c)
{
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const char *word = way_word(w, str_of(keys[i].key));
		if (strcmp(word, keys[i].usual) != 0)
			c->param[c->nparams++] =
			        (struct run_pair){.name = keys[i].key, .word = word};
	}
}
