/*
 * Who competes in a comparison: names of programs, nouns for them, and techniques. To add a noun,
 * put it into `nouns`, if it can run faster than another of its kind. Names need no entry: a word
 * with a capital letter, after the first of its sentence, is one.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#define IS(w, i, list) lint_begins((w), (i), (list), ARRAY_LEN(list))

static const char *const nouns[] = {
        "library",    "libraries",   "library's",    "cublas",      "cublaslt",
        "cub",        "cudnn",       "cutlass",      "pytorch",     "torch",
        "triton",     "compiler",    "vendor",       "memcpy",      "thrust",
        "baseline",   "ours",        "kernel",       "kernels",     "variant",
        "variants",   "version",     "versions",     "chain",       "predecessor",
        "nccl",       "copy",        "attempt",      "attempts",    "implementation",
        "flash",      "assembly",    "competitor",   "competitors", "flashattention",
        "contender",  "rung",        "scan",         "sort",        "implementations",
        "softmax",    "reduction",   "transpose",    "others",      "flashinfer",
        "vllm",       "tensorrt",    "database",     "databases",   "engine",
        "engines",    "interpreter", "interpreters", "jit",         "linker",
        "parser",     "allocator",   "server",       "servers",     "proxy",
        "batching",   "code",        "approach",     "algorithm",   "framework",
        "frameworks", "competition", "predecessors", "rivals",      "runtime",
        "original",   "reference",   "loop",         "loops",       "model",
        "models",     "decoding",    "lookup",       "lookups",     "join",
        "joins",      "index",       "indexes",      "handwritten", "hand-written",
        "mode",       "sockets",     "llama",        "ollama",      "sglang",
        "redis",      "postgres",    "mysql",        "sqlite",      "nginx",
        "clang",      "gcc",         "rust",         "python",      "java",
        "linux",      "rocksdb",     "duckdb",       "clickhouse",  "numpy"};

static char at(const struct lint_work *w, const struct lint_token *t, size_t k)
{
	return t->start + k < t->end ? w->text.p[t->start + k] : 0;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* DuckDB, QUIC, vLLM, or Postgres after the first word of a sentence */
bool lint_is_name(const struct lint_work *w, size_t i)
{
	static const char *const other[] = {
	        "monday",    "tuesday",  "wednesday", "thursday", "friday",  "saturday", "sunday",
	        "january",   "february", "march",     "april",    "june",    "july",     "august",
	        "september", "october",  "november",  "december", "english", "chinese",  "figure",
	        "table",     "section",  "chapter",   "table",    "i"};
	const struct lint_token *t = lint_at(w, i);
	if (t->kind != LINT_WORD || i >= w->n || IS(w, i, other))
		return false;
	for (size_t k = 1; at(w, t, k); k++)
		if (is_upper(at(w, t, k)))
			return true;
	return i > 0 && is_upper(at(w, t, 0)) && !lint_sign(w, i - 1, '.') &&
	       !lint_sign(w, i - 1, '"') && !lint_sign(w, i - 1, ':');
}

bool lint_is_rival(const struct lint_work *w, size_t from, size_t to)
{
	for (size_t k = from; k < to && k < w->n && !lint_sign(w, k, '.'); k++)
		if (IS(w, k, nouns))
			return true;
	return false;
}

/* readers are faster than, 误差比容差小: no program, though code and tests may be one */
bool lint_of_people(const struct lint_work *w, size_t i)
{
	static const char *const software[] = {"code",  "代码",   "tests",  "written",
	                                       "dense", "sparse", "static", "测试",
	                                       "稀疏",  "静态",   "完成",   "commits"};
	enum { FAR = 8 };
	for (size_t k = i; k > 0 && i - k < FAR && !lint_breaks(w, k - 1); k--)
		if (lint_is(w, k - 1, LINT_OTHER) && !IS(w, k - 1, software))
			return true;
	return false;
}

/* Chunked prefill, tiling, padding the rows: what one does to a program */
bool lint_is_technique(const struct lint_work *w, size_t i)
{
	static const char *const other[] = {"during",    "nothing",    "something", "anything",
	                                    "string",    "everything", "morning",   "meeting",
	                                    "reading",   "writing",    "being",     "following",
	                                    "remaining", "warning",    "meaning",   "spelling"};
	const struct lint_token *t = lint_at(w, i);
	return t->kind == LINT_WORD && t->end - t->start > 5 && !IS(w, i, other) &&
	       str_ends(str_sub(w->text, t->start, t->end), "ing");
}
