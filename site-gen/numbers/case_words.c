/* Says the parameters of a case in words, from one table. */
#include <string.h>

#include "lib/array.h"
#include "lib/record_foreign.h"
#include "lib/ways.h"
#include "site-gen/base/unicode.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"
#include "site-gen/records/query.h"

/* How a parameter is said. The texts are keys of templates/words.lua in other languages. */
struct saying {
	const char *family;      /* the family's id begins with it */
	const char *param;       /* its name */
	const char *value;       /* a word; NULL: a number */
	const char *text, *once; /* once: said of the number 1; NULL: `text` */
};

static const struct saying sayings[] = {
        {"allnorm", "hidden", NULL, "vectors of {1}", NULL},
        {"allnorm", "tokens", NULL, "{1} tokens", "1 token"},
        {"allreduce", "bytes", NULL, "{1} bytes of each", NULL},
        {"atomics", "gap", NULL, "{1} words apart", "1 word apart"},
        {"atomics", "m", NULL, "{1} addresses", "1 address"},
        {"ceiling-atomic", "m", NULL, "{1} addresses", "1 address"},
        {"ceiling-flight", "flight", NULL, "{1} bytes in flight per SM", NULL},
        {"ceiling-fma", "k", NULL, "{1} steps for each element", "1 step for each element"},
        {"ceiling-latency", "lines", NULL, "{1} lines of 128 bytes", NULL},
        {"ceiling-latency", "loads", NULL, "{1} loads", "1 load"},
        {"ceiling-peer", "way", "all", "all to all", NULL},
        {"ceiling-peer", "way", "one", "one way", NULL},
        {"ceiling-peer", "way", "ring", "in a ring", NULL},
        {"ceiling-special", "k", NULL, "{1} steps for each element", "1 step for each element"},
        {"ceiling-wgmma-fed", "from", "hbm", "operands from DRAM", NULL},
        {"ceiling-wgmma-fed", "from", "l2", "operands from the L2", NULL},
        {"ceiling-wgmma-width", "columns", NULL, "{1} columns of each tile", NULL},
        {"ceiling-wgmma-width", "n", NULL, "{1} columns an instruction", NULL},
        {"coop", "scope", "block", "within a block", NULL},
        {"coop", "scope", "cluster", "within a cluster", NULL},
        {"coop", "scope", "coalesced", "within the active lanes", NULL},
        {"coop", "scope", "grid", "over the grid", NULL},
        {"coop", "scope", "tile", "within eight lanes", NULL},
        {"coop", "scope", "warp", "within a warp", NULL},
        {"decode", "b", NULL, "{1} sequences", "1 sequence"},
        {"decode", "heads", NULL, "{1} heads", "1 head"},
        {"decode", "kv", NULL, "{1} heads of keys", "1 head of keys"},
        {"decode", "l", NULL, "{1} keys", "1 key"},
        {"decode", "layout", "flat", "a flat cache", NULL},
        {"decode", "layout", "flat_page", "a flat cache, scales of pages", NULL},
        {"decode", "layout", "flat_token", "a flat cache, scales of keys", NULL},
        {"decode", "layout", "page16", "pages of 16 keys", NULL},
        {"decode", "layout", "page64", "pages of 64 keys", NULL},
        {"decode", "layout", "ragged", "ragged lengths", NULL},
        {"decode", "layout", "ragged16", "ragged lengths in pages of 16 keys", NULL},
        {"decode", "layout", "ragged64", "ragged lengths in pages of 64 keys", NULL},
        {"decode", "sharp", NULL, "scores of sigma {1}", NULL},
        {"elementwise", "op", "bias_gelu", "bias + GELU", NULL},
        {"elementwise", "op", "bias_gelu_dropout", "bias + GELU + dropout", NULL},
        {"elementwise", "op", "bias_gelu_tanh", "bias + GELU (tanh)", NULL},
        {"elementwise", "op", "swiglu", "SwiGLU", NULL},
        {"epilogue", "act", "gelu_erf", "bias + GELU", NULL},
        {"epilogue", "act", "gelu_tanh", "bias + GELU (tanh)", NULL},
        {"epilogue", "act", "none", "product alone", NULL},
        {"epilogue", "act", "swiglu", "bias + SwiGLU", NULL},
        {"epilogue", "act", "swiglu_e4m3", "bias + SwiGLU to FP8", NULL},
        {"epilogue", "k", NULL, "sums of {1}", NULL},
        {"epilogue", "layer", "down", "down projection", NULL},
        {"epilogue", "layer", "fc1", "up projection", NULL},
        {"epilogue", "layer", "gate_up", "gate/up projection", NULL},
        {"epilogue", "layer", "l70b_gate_up", "Llama-3.1-70B gate/up projection", NULL},
        {"exchange", "hidden", NULL, "rows of {1} numbers", NULL},
        {"exchange", "part", "combine", "results come back", NULL},
        {"exchange", "part", "dispatch", "tokens go to their experts", NULL},
        {"exchange", "routing", "uniform", "experts as likely", NULL},
        {"exchange", "t", NULL, "{1} tokens of each GPU", "1 token of each GPU"},
        {"gemm", "k", NULL, "sums of {1}", NULL},
        {"gemm", "layer", "down", "down projection", NULL},
        {"gemm", "layer", "gate_up", "gate/up projection", NULL},
        {"gemm", "layer", "l70b_down", "Llama-3.1-70B down projection", NULL},
        {"gemm", "layer", "l70b_gate_up", "Llama-3.1-70B gate/up projection", NULL},
        {"gemm", "layer", "l70b_qkv", "Llama-3.1-70B Q/K/V projection", NULL},
        {"gemm", "layer", "qkv", "Q/K/V projection", NULL},
        {"gemm", "layer", "square", "square matrices", NULL},
        {"gemm", "layer", "v3_o", "DeepSeek-V3 output projection", NULL},
        {"gemm", "layer", "v3_q", "DeepSeek-V3 query projection", NULL},
        {"gemm8", "scales", "block", "scales of blocks", NULL},
        {"gemm8", "scales", "row", "scales of rows", NULL},
        {"gemm8", "scales", "tensor", "scales of tensors", NULL},
        {"gemmtf32", "accuracy", "f32", "as accurate as f32", NULL},
        {"gemmtf32", "accuracy", "tf32", "as accurate as tf32", NULL},
        {"gemv", "layer", "down", "down projection", NULL},
        {"gemv", "layer", "gate_up", "gate/up projection", NULL},
        {"gemv", "layer", "lm_head", "vocabulary layer", NULL},
        {"gemv", "layer", "o", "output projection", NULL},
        {"gemv", "layer", "qkv", "Q/K/V projection", NULL},
        {"gemv", "layer", "square", "square matrix", NULL},
        {"gemv", "layer", "wide", "wide matrix", NULL},
        {"gemv", "m", NULL, "{1} tokens", "1 token"},
        {"grouped", "e", NULL, "{1} experts", "1 expert"},
        {"grouped", "layer", "even", "wide experts", NULL},
        {"grouped", "layer", "even_fp8", "wide experts in FP8", NULL},
        {"grouped", "layer", "even_swiglu", "wide experts, SwiGLU", NULL},
        {"grouped", "layer", "qwen_down", "Qwen3 down projection", NULL},
        {"grouped", "layer", "qwen_gather", "Qwen3 gate/up projection, unsorted", NULL},
        {"grouped", "layer", "qwen_up", "Qwen3 gate/up projection", NULL},
        {"grouped", "layer", "qwen_up_fp8", "Qwen3 gate/up projection in FP8", NULL},
        {"grouped", "layer", "qwen_up_swiglu", "Qwen3 gate/up projection, SwiGLU", NULL},
        {"grouped", "layer", "v3_down", "DeepSeek-V3 down projection", NULL},
        {"grouped", "layer", "v3_up", "DeepSeek-V3 gate/up projection", NULL},
        {"grouped", "layer", "v3_up_fp8", "DeepSeek-V3 gate/up projection in FP8", NULL},
        {"grouped", "routing", "even", "as many rows each", NULL},
        {"grouped", "routing", "uniform", "experts as likely", NULL},
        {"grouped", "routing", "zipf", "experts by Zipf's law", NULL},
        {"grouped", "t", NULL, "{1} tokens", "1 token"},
        {"histogram", "keys", "one", "all keys equal", NULL},
        {"histogram", "keys", "uniform", "uniform keys", NULL},
        {"histogram", "keys", "zipf", "Zipf keys", NULL},
        {"mix", "reads", NULL, "{1} arrays read", "1 array read"},
        {"mix", "share", NULL, "{1}" NBSP "% of the bytes written", NULL},
        {"mix", "writes", NULL, "{1} arrays written", "1 array written"},
        {"mla", "b", NULL, "{1} sequences", "1 sequence"},
        {"mla", "heads", NULL, "{1} heads", "1 head"},
        {"mla", "l", NULL, "{1} keys", "1 key"},
        {"mla", "layout", "flat", "a flat cache", NULL},
        {"mla", "layout", "page64", "pages of 64 keys", NULL},
        {"mla", "layout", "ragged", "ragged lengths", NULL},
        {"mla", "layout", "ragged64", "ragged lengths in pages of 64 keys", NULL},
        {"mla", "sharp", NULL, "scores of sigma {1}", NULL},
        {"norm", "op", "layernorm", "LayerNorm", NULL},
        {"norm", "op", "rmsnorm", "RMSNorm", NULL},
        {"norm", "op", "rmsnorm_fp8", "RMSNorm to FP8", NULL},
        {"norm", "op", "rmsnorm_residual", "RMSNorm + residual", NULL},
        {"occupancy", "inflight", NULL, "{1}" NBSP "KiB in flight per SM", NULL},
        {"occupancy", "unroll", NULL, "{1} loads a thread", "1 load a thread"},
        {"occupancy", "warps", NULL, "{1} warps per SM", "1 warp per SM"},
        {"overlap", "layer", "down", "down projection", NULL},
        {"overlap", "layer", "gate_up", "gate/up projection", NULL},
        {"overlap", "m", NULL, "{1} tokens", "1 token"},
        {"prefill", "d", NULL, "{1} elements a head", NULL},
        {"prefill", "heads", NULL, "{1} heads", "1 head"},
        {"prefill", "kv", NULL, "{1} heads of keys", "1 head of keys"},
        {"prefill", "l", NULL, "{1} tokens", "1 token"},
        {"prefill", "mask", "causal", "causal", NULL},
        {"prefill", "mask", "full", "without a mask", NULL},
        {"prefill", "sharp", NULL, "scores of sigma {1}", NULL},
        {"quantize", "format", "e4m3", "FP8 (E4M3)", NULL},
        {"quantize", "format", "i8", "int8", NULL},
        {"quantize", "scale", "group128", "a scale per 128 values", NULL},
        {"quantize", "scale", "row", "a scale per row", NULL},
        {"quantize", "scale", "tensor", "one scale", NULL},
        {"sectors", "pattern", "random", "random", NULL},
        {"sectors", "pattern", "record", "records", NULL},
        {"sectors", "pattern", "shift", "shifted", NULL},
        {"sectors", "pattern", "stride", "strided", NULL},
        {"sectors", "step", NULL, "step {1}", NULL},
        {"selftest", "pad", NULL, "{1}" NBSP "‰ more work", NULL},
        {"splitk", "layer", "down", "down projection", NULL},
        {"splitk", "layer", "l70b_down", "Llama-3.1-70B down projection", NULL},
        {"splitk", "layer", "l70b_o", "Llama-3.1-70B output projection", NULL},
        {"splitk", "layer", "o", "output projection", NULL},
        {"splitk", "layer", "v3_a", "DeepSeek-V3 latent projection", NULL},
        {"splitk", "layer", "v3_kv", "DeepSeek-V3 key/value projection", NULL},
        {"splitk", "layer", "v3_o", "DeepSeek-V3 output projection", NULL},
        {"splitk", "m", NULL, "{1} tokens", "1 token"},
        {"step", "b", NULL, "{1} sequences", "1 sequence"},
        {"step", "hidden", NULL, "vectors of {1}", NULL},
        {"step", "l", NULL, "context of {1}", NULL},
        {"step", "layers", NULL, "{1} layers", "1 layer"},
        {"step", "part", "attention", "attention alone", NULL},
        {"step", "part", "down", "down projections alone", NULL},
        {"step", "part", "o", "output projections alone", NULL},
        {"step", "part", "qkv", "QKV projections alone", NULL},
        {"step", "part", "stages", "stage by stage", NULL},
        {"step", "part", "up", "gate and up projections alone", NULL},
        {"step", "part", "vocabulary", "logits alone", NULL},
        {"step", "part", "whole", "the whole step", NULL},
        {"step", "vocab", NULL, "{1} words", NULL},
        {"verify", "b", NULL, "{1} sequences", "1 sequence"},
        {"verify", "heads", NULL, "{1} heads", "1 head"},
        {"verify", "kv", NULL, "{1} heads of keys", "1 head of keys"},
        {"verify", "l", NULL, "{1} keys", "1 key"},
        {"verify", "mask", "chain", "a chain", NULL},
        {"verify", "mask", "ragged", "trees on ragged lengths", NULL},
        {"verify", "mask", "tree", "a tree", NULL},
        {"verify", "tokens", NULL, "{1} tokens", "1 token"},
        {"", "bins", NULL, "{1} bins", "1 bin"},
        {"", "blocks", NULL, "{1} blocks", "1 block"},
        {"", "cache", "cold", "cold cache", NULL},
        {"", "cache", "hot", "hot cache", NULL},
        {"", "cols", NULL, "{1} columns", "1 column"},
        {"", "gpus", NULL, "{1} GPUs", "1 GPU"},
        {"", "n", NULL, "{1} elements", "1 element"},
        {"", "nodes", NULL, "{1} nodes", "1 node"},
        {"", "op", "copy", "plain copy", NULL},
        {"", "op", "read", "read", NULL},
        {"", "op", "reduce", "reduction", NULL},
        {"", "op", "scan", "scan", NULL},
        {"", "op", "triad", "triad", NULL},
        {"", "op", "write", "write", NULL},
        {"", "passes", NULL, "{1} passes", "1 pass"},
        {"", "rounds", NULL, "{1} rounds", "1 round"},
        {"", "rows", NULL, "{1} rows", "1 row"},
        {"", "sms", NULL, "{1} SMs", "1 SM"},
        {"", "steps", NULL, "{1} steps", "1 step"},
        {"", "tiles", NULL, "{1} tiles", "1 tile"},
};

/* Two numbers that are said together where both are said. */
static const struct {
	const char *family, *first, *second, *text;
} pairs[] = {
        {"epilogue", "m", "n", "{1} × {2} product"}, {"gemm", "m", "n", "{1} × {2} outputs"},
        {"gemv", "n", "k", "{1} × {2} weights"},     {"grouped", "n", "k", "{1} × {2} weights"},
        {"overlap", "n", "k", "{1} × {2} weights"},  {"splitk", "n", "k", "{1} × {2} weights"},
        {"", "rows", "cols", "{1} × {2}"},
};

/* The titles of axes, with the unit behind a comma if the name of the amount is not its unit. */
static const struct axis {
	const char *family, *param; /* as in a saying */
	const char *pattern;        /* only of cases with this word for `pattern`; NULL: of all */
	const char *title;
} axes[] = {
        {"allnorm", "hidden", NULL, "Elements of a vector"},
        {"allnorm", "tokens", NULL, "Tokens"},
        {"allreduce", "bytes", NULL, "Bytes of a vector, B"},
        {"atomics", "gap", NULL, "Distance of addresses, words"},
        {"atomics", "m", NULL, "Addresses"},
        {"ceiling-atomic", "m", NULL, "Addresses"},
        {"ceiling-flight", "flight", NULL, "Bytes in flight per SM, B"},
        {"ceiling-fma", "k", NULL, "Steps for each element"},
        {"ceiling-latency", "lines", NULL, "Lines of 128 bytes"},
        {"ceiling-latency", "loads", NULL, "Loads"},
        {"ceiling-special", "k", NULL, "Steps for each element"},
        {"ceiling-wgmma-width", "n", NULL, "Columns of an instruction"},
        {"decode", "b", NULL, "Sequences"},
        {"decode", "heads", NULL, "Heads"},
        {"decode", "kv", NULL, "Heads of keys"},
        {"decode", "l", NULL, "Keys of a sequence"},
        {"decode", "sharp", NULL, "Standard deviation of scores"},
        {"epilogue", "k", NULL, "Products in a sum"},
        {"epilogue", "m", NULL, "Tokens"},
        {"epilogue", "n", NULL, "Columns of the product"},
        {"exchange", "t", NULL, "Tokens of a GPU"},
        {"gemm", "k", NULL, "Products in a sum"},
        {"gemm", "m", NULL, "Rows of the result"},
        {"gemm", "n", NULL, "Columns of the result"},
        {"gemv", "k", NULL, "Inputs"},
        {"gemv", "m", NULL, "Tokens"},
        {"gemv", "n", NULL, "Outputs"},
        {"grouped", "e", NULL, "Experts"},
        {"grouped", "k", NULL, "Inputs"},
        {"grouped", "n", NULL, "Outputs"},
        {"grouped", "t", NULL, "Tokens"},
        {"mix", "reads", NULL, "Arrays read"},
        {"mix", "share", NULL, "Share of writes, %"},
        {"mix", "writes", NULL, "Arrays written"},
        {"mla", "b", NULL, "Sequences"},
        {"mla", "heads", NULL, "Heads"},
        {"mla", "l", NULL, "Keys of a sequence"},
        {"mla", "sharp", NULL, "Standard deviation of scores"},
        {"occupancy", "inflight", NULL, "Bytes in flight per SM, KiB"},
        {"occupancy", "unroll", NULL, "Loads of a thread"},
        {"occupancy", "warps", NULL, "Warps per SM"},
        {"overlap", "k", NULL, "Inputs"},
        {"overlap", "m", NULL, "Tokens"},
        {"overlap", "n", NULL, "Outputs"},
        {"prefill", "d", NULL, "Elements of a head"},
        {"prefill", "heads", NULL, "Heads"},
        {"prefill", "kv", NULL, "Heads of keys"},
        {"prefill", "l", NULL, "Tokens"},
        {"prefill", "sharp", NULL, "Standard deviation of scores"},
        {"scan", "inflight", NULL, "Tiles in flight"},
        {"sectors", "step", "random", "Elements in a row at each place"},
        {"sectors", "step", "record", "Elements of a record"},
        {"sectors", "step", "shift", "Shift, elements"},
        {"sectors", "step", "stride", "Stride, elements"},
        {"splitk", "k", NULL, "Inputs"},
        {"splitk", "m", NULL, "Tokens"},
        {"splitk", "n", NULL, "Outputs"},
        {"step", "b", NULL, "Sequences"},
        {"step", "hidden", NULL, "Elements of a vector"},
        {"step", "l", NULL, "Tokens of context"},
        {"step", "layers", NULL, "Layers"},
        {"step", "vocab", NULL, "Words"},
        {"verify", "b", NULL, "Sequences"},
        {"verify", "heads", NULL, "Heads"},
        {"verify", "kv", NULL, "Heads of keys"},
        {"verify", "l", NULL, "Keys of a sequence"},
        {"verify", "tokens", NULL, "Tokens of a draft"},
        {"", "bins", NULL, "Bins"},
        {"", "blocks", NULL, "Blocks"},
        {"", "cols", NULL, "Columns"},
        {"", "distance", NULL, "Distance"},
        {"", "gpus", NULL, "GPUs"},
        {"", "n", NULL, "Elements"},
        {"", "nodes", NULL, "Kernels in a row"},
        {"", "passes", NULL, "Passes"},
        {"", "rounds", NULL, "Rounds"},
        {"", "rows", NULL, "Rows"},
        {"", "slots", NULL, "Slots of the ring"},
        {"", "sms", NULL, "SMs"},
        {"", "steps", NULL, "Steps"},
        {"", "tiles", NULL, "Tiles"},
        {"", "vectors", NULL, "Vectors in flight"},
};

const char *case_saying(size_t i)
{
	size_t row = i / 2, pair = row - ARRAY_LEN(sayings), axis = pair - ARRAY_LEN(pairs);
	if (row < ARRAY_LEN(sayings))
		return i % 2 && sayings[row].once ? sayings[row].once : sayings[row].text;
	return pair < ARRAY_LEN(pairs)  ? pairs[pair].text
	       : axis < ARRAY_LEN(axes) ? axes[axis].title
	                                : NULL;
}

/* "2²⁸" */
static const char *amount(const struct run_case *c, const char *key, struct arena *a)
{
	struct sb text = {0};
	unicode_powers(&text, str_of(query_value(c, key, a)));
	return sb_take(a, &text);
}

/* The text with {1} and {2} replaced. */
static const char *filled(const char *text, const char *one, const char *two, struct arena *a)
{
	struct sb to = {0};
	for (; *text; text++) {
		const char *with = str_starts(str_of(text), "{1}")   ? one
		                   : str_starts(str_of(text), "{2}") ? two
		                                                     : NULL;
		if (with) {
			sb_cstr(&to, with);
			text += strlen("{1}") - 1;
		} else {
			sb_char(&to, *text);
		}
	}
	return sb_take(a, &to);
}

static const struct saying *saying_of(const char *family, const char *key, const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(sayings); i++) {
		const struct saying *s = &sayings[i];
		if (str_starts(str_of(family), s->family) && strcmp(key, s->param) == 0 &&
		    (s->value ? word && strcmp(word, s->value) == 0 : !word))
			return s;
	}
	return NULL;
}

/* A way of measuring (lib/ways.h): "sustained load"; NULL: words.c does not have it. */
static const char *way_said(const struct words *w, const char *key, const char *word,
                            struct arena *a)
{
	const char *name = arena_printf(a, "way_%s_%s", key, word);
	return ways_find(str_of(key)) && words_english(str_of(name)) ? words_get(w, name) : NULL;
}

const char *case_part(const struct words *w, const struct run_case *c, const char *key,
                      struct arena *a)
{
	const struct run_pair *p = record_param(c, key);
	const char *v = query_value(c, key, a);
	if (!v || (c->foreign && strcmp(v, RECORD_UNKNOWN) == 0))
		return NULL; /* of another harness: said where its record is */
	const char *word = p && !p->word ? NULL : v;
	const struct saying *s = saying_of(c->family ? c->family : "", key, word);
	if (s)
		return filled(words_label(w, !word && s->once && p->num == 1 ? s->once : s->text),
		              amount(c, key, a), NULL, a);
	const char *way = word ? way_said(w, key, word, a) : NULL;
	if (way)
		return way;
	return word ? word : arena_printf(a, "%s" NBSP "=" NBSP "%s", key, amount(c, key, a));
}

const char *case_axis(const struct words *w, const struct run_case *c, const char *param)
{
	const struct run_pair *p = record_param(c, "pattern");
	for (size_t i = 0; i < ARRAY_LEN(axes); i++) {
		const struct axis *x = &axes[i];
		if (str_starts(str_of(c->family ? c->family : ""), x->family) &&
		    strcmp(param, x->param) == 0 &&
		    (!x->pattern || (p && p->word && strcmp(p->word, x->pattern) == 0)))
			return words_label(w, x->title);
	}
	return param;
}

static bool has(const char *const *keys, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* The text of a pair that begins at keys[i]; "" at its second key; NULL: neither. */
static const char *pair_at(const struct words *w, const struct run_case *c, const char *const *keys,
                           size_t n, size_t i, struct arena *a)
{
	for (size_t k = 0; k < ARRAY_LEN(pairs); k++) {
		const char *first = pairs[k].first, *second = pairs[k].second;
		if (!str_starts(str_of(c->family ? c->family : ""), pairs[k].family) ||
		    !has(keys, n, first) || !has(keys, n, second) || !record_param(c, first) ||
		    !record_param(c, second))
			continue;
		if (strcmp(keys[i], second) == 0)
			return "";
		if (strcmp(keys[i], first) == 0)
			return filled(words_label(w, pairs[k].text), amount(c, first, a),
			              amount(c, second, a), a);
	}
	return NULL;
}

const char *case_parts(const struct words *w, const struct run_case *c, const char *const *keys,
                       size_t n, struct arena *a)
{
	struct sb text = {0};
	for (size_t i = 0; i < n; i++) {
		const char *part = pair_at(w, c, keys, n, i, a);
		part = part ? part : case_part(w, c, keys[i], a);
		if (part && *part)
			sb_printf(&text, "%s%s", text.n ? words_get(w, "comma") : "", part);
	}
	return sb_take(a, &text);
}

const char *case_words(const struct words *w, const struct run_case *c, struct arena *a)
{
	const char *keys[RECORD_MAX_PARAMS + 2];
	size_t n = 0;
	for (size_t i = 0; i < c->nparams; i++)
		keys[n++] = c->param[i].name;
	keys[n++] = "dtype";
	keys[n++] = "cache";
	return case_parts(w, c, keys, n, a);
}
