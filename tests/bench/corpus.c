/*
 * corpus DIR N - writes N posts for tests/bench-site, the same bytes on every
 * machine: about 1,200 words, two code blocks, a table and a footnote each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/array.h"

static const char *const words[] = {
        "the",      "kernel",    "reads",   "a",         "tile",      "from",    "memory",
        "and",      "writes",    "it",      "back",      "while",     "each",    "warp",
        "waits",    "for",       "bytes",   "in",        "flight",    "so",      "bandwidth",
        "is",       "what",      "we",      "measure",   "first",     "because", "cache",
        "lines",    "are",       "wide",    "but",       "latency",   "of",      "each",
        "load",     "stays",     "long",    "until",     "enough",    "threads", "overlap",
        "their",    "requests",  "with",    "registers", "shared",    "to",      "block",
        "schedule", "occupancy", "matters", "where",     "as",        "many",    "think",
        "numbers",  "come",      "records", "not",       "intuition", "which",   "often",
        "misleads",
};
enum { NWORDS = ARRAY_LEN(words) };

static uint64_t state;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static void sentence(FILE *f, int n)
{
	for (int i = 0; i < n; i++) {
		const char *w = words[draw(NWORDS)];
		unsigned dress = draw(60);
		if (i == 0)
			fprintf(f, "%c%s", w[0] - 'a' + 'A', w + 1);
		else if (dress == 0)
			fprintf(f, " *%s*", w);
		else if (dress == 1)
			fprintf(f, " `%s`", w);
		else if (dress == 2)
			fprintf(f, " **%s**", w);
		else
			fprintf(f, " %s", w);
	}
	fputs(". ", f);
}

static void paragraph(FILE *f)
{
	for (int i = 0; i < 6; i++)
		sentence(f, 11 + (int)draw(7));
	fputs("\n\n", f);
}

static void code(FILE *f, const char *lang)
{
	unsigned n = draw(100);
	fprintf(f,
	        "```%s\n"
	        "// step %u: one thread, one element\n"
	        "__global__ void step%u(const float *in, float *out, int n)\n"
	        "{\n"
	        "\t__shared__ float tile[%u];\n"
	        "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	        "\tfor (int k = i; k < n; k += gridDim.x * blockDim.x) {\n"
	        "\t\ttile[threadIdx.x] = in[k] * 0.5f + %u.0f; /* scaled */\n"
	        "\t\t__syncthreads();\n"
	        "\t\tout[k] = tile[threadIdx.x];\n"
	        "\t}\n"
	        "\tprintf(\"done %%d\\n\", i);\n"
	        "}\n"
	        "```\n\n",
	        lang, n, n, 32 * (1 + n % 8), n);
}

static void table(FILE *f)
{
	fputs("| variant | size | idea |\n|:--|--:|---|\n", f);
	for (int i = 0; i < 5; i++)
		fprintf(f, "| %s %d | %u | %s %s |\n", words[draw(NWORDS)], i, draw(4096),
		        words[draw(NWORDS)], words[draw(NWORDS)]);
	fputs("\n", f);
}

static void post(FILE *f, unsigned i)
{
	fprintf(f,
	        "---\ntitle: \"Post %u about %s and %s\"\ndate: %04u-%02u-%02u\n"
	        "description: \"What %s does to %s.\"\ntags: [%s, %s]\n---\n\n",
	        i, words[draw(NWORDS)], words[draw(NWORDS)], 2000 + i % 25, 1 + i / 25 % 12,
	        1 + i / 300 % 28, words[draw(NWORDS)], words[draw(NWORDS)], words[i % 8],
	        words[8 + i % 16]);
	for (int section = 0; section < 5; section++) {
		fprintf(f, "## Section %d: %s %s\n\n", section + 1, words[draw(NWORDS)],
		        words[draw(NWORDS)]);
		for (int k = 0; k < 3; k++)
			paragraph(f);
		if (section == 1 || section == 3)
			code(f, section == 1 ? "cuda" : "c");
		if (section == 2)
			table(f);
		if (section == 0)
			fputs("The first claim has a source.[^1]\n\n", f);
	}
	fputs("[^1]: Measured on the same machine, on the same day.\n", f);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return fprintf(stderr, "usage: corpus DIR N\n"), 2;
	unsigned n = (unsigned)strtoul(argv[2], NULL, 10);
	for (unsigned i = 0; i < n; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/post-%05u.md", argv[1], i);
		FILE *f = fopen(path, "w");
		if (!f)
			return perror(path), 1;
		state = i * 2654435761u + 1;
		post(f, i);
		if (fclose(f) != 0)
			return perror(path), 1;
	}
	return 0;
}
