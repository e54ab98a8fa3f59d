#include "lib/ways.h"

const struct ways_key ways_keys[WAYS_COUNT] = {
        [WAYS_INPUT] = {"input", {"uniform", "zeros", "normal", "full"}, false, false},
        [WAYS_SIDE] = {"side", {"device", "host"}, true, true},
        [WAYS_LOAD] = {"load", {"burst", "sustained", "steady"}, true, false},
};

const struct ways_key *ways_find(struct str name)
{
	for (int i = 0; i < WAYS_COUNT; i++)
		if (str_is(name, ways_keys[i].name))
			return &ways_keys[i];
	return NULL;
}

bool ways_unusual(const struct run_case *c, size_t i)
{
	const struct ways_key *k = ways_find(str_of(c->param[i].name));
	return k && !(k == &ways_keys[WAYS_INPUT] && c->only_input);
}

bool ways_other_time(const struct run_case *c)
{
	for (int i = 0; i < WAYS_COUNT; i++)
		if (ways_keys[i].other_time && record_param(c, ways_keys[i].name))
			return true;
	return false;
}

bool ways_other_work(const struct run_case *c)
{
	for (int i = 0; i < WAYS_COUNT; i++)
		if (ways_keys[i].other_work && record_param(c, ways_keys[i].name))
			return true;
	return false;
}

void ways_list(const struct ways_key *k, struct sb *to)
{
	for (int i = 0; i < WAYS_MAX_WORDS && k->word[i]; i++) {
		bool last = i + 1 == WAYS_MAX_WORDS || !k->word[i + 1];
		sb_printf(to, "%s%s", i == 0 ? "" : last ? " or " : ", ", k->word[i]);
	}
}
