#include "runner/plan/way.h"

#include "kernels/kernel.h"
#include "lib/array.h"

/* Name of each kind's distribution in records. */
static const char *const input_text[WAY_INPUTS] = {
        [INPUT_UNIFORM] = "uniform[-1,1)",
        [INPUT_ZEROS] = "zeros",
        [INPUT_NORMAL] = "normal: the sum of eight uniforms, scaled to [-1,1)",
        [INPUT_FULL] = "full: uniform[-1,1] with all bits of the mantissa",
};

const struct way way_all[WAYS] = {
        {.cold = false},
        {.cold = true},
        {.cold = false, .load = WAY_SUSTAINED},
        {.cold = true, .load = WAY_SUSTAINED},
        {.cold = false, .load = WAY_STEADY},
        {.cold = true, .load = WAY_STEADY},
        {.host = true},
};

unsigned way_mark(const struct way *w, enum ways_index key)
{
	static const unsigned of_load[] = {
	        [WAY_SUSTAINED] = KERNEL_SUSTAINED, [WAY_STEADY] = KERNEL_STEADY};
	return key == WAYS_LOAD ? of_load[w->load] : key == WAYS_SIDE && w->host ? KERNEL_HOST : 0;
}

/* Index of the way's word in a row of lib/ways.h. enum input_kind has the order of those words. */
static int way_index(const struct way *w, enum ways_index key)
{
	switch (key) {
	case WAYS_INPUT:
		return w->input;
	case WAYS_SIDE:
		return w->host;
	case WAYS_LOAD:
		return (int)w->load;
	case WAYS_COUNT:
		break;
	}
	return 0;
}

static bool is_unusual(const struct way *w, enum ways_index key)
{
	return way_index(w, key) != 0;
}

static const char *word_of(const struct way *w, enum ways_index key)
{
	return ways_keys[key].word[way_index(w, key)];
}

const char *way_input_text(enum input_kind k)
{
	return input_text[k];
}

const char *way_word(const struct way *w, struct str key)
{
	const struct ways_key *k = ways_find(key);
	if (str_is(key, "cache"))
		return w->cold ? "cold" : "hot";
	return k ? word_of(w, (enum ways_index)(k - ways_keys)) : NULL;
}

void way_params(const struct way *w, struct run_case *c)
{
	for (int k = 0; k < WAYS_COUNT; k++)
		if (is_unusual(w, (enum ways_index)k))
			c->param[c->nparams++] = (struct run_pair){
			        .name = ways_keys[k].name, .word = word_of(w, (enum ways_index)k)};
}
