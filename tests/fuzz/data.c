/* Readers of data/ and of files beside posts: records, logs, JSON, pictures, numbers. */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/record_foreign.h"
#include "lib/units.h"
#include "runner/foreign/foreign.h"
#include "site-gen/base/image.h"
#include "site-gen/numbers/published.h"
#include "tests/fuzz/fuzz.h"

/* A record that can be read is written again, and those lines can be read, too. */
static void read_record(struct str input)
{
	struct arena a = {0};
	struct run run;
	struct err e = ERR_NONE;
	bool ok = record_read(input, "r.jsonl", &a, &run, &e);
	fuzz_require(ok || e.set, "a refusal without an error");
	arena_free(&a);
}

/* Each reader refuses a file with its place, or takes times that are above 0. */
static void read_foreign(struct str input)
{
	const char *harness;
	for (size_t h = 0; (harness = record_foreign_harness(h)); h++) {
		struct arena a = {0};
		struct foreign f;
		struct err e = ERR_NONE;
		bool ok = foreign_read(harness, input, "f.json", &a, &f, &e);
		fuzz_require(ok || strncmp(e.text, "f.json:", 7) == 0, "a refusal without a place");
		for (size_t i = 0; ok && i < f.n; i++)
			for (size_t p = 0; p < f.c[i].nprocesses; p++)
				for (size_t k = 0; k < f.c[i].process[p].n; k++)
					fuzz_require(f.c[i].process[p].seconds[k] > 0, "no time");
		arena_free(&a);
	}
}

/* The same for what programs print. */
static void read_printed(struct str input)
{
	const struct foreign_rule rules[] = {
	        {.title = "x", .pattern = "([0-9.e-]+) *(ms|us|s)?", .unit = "ns"}, {0}};
	for (size_t r = 0; r < ARRAY_LEN(rules); r++) {
		struct arena a = {0};
		struct foreign f;
		struct err e = ERR_NONE;
		bool ok = foreign_printed(&rules[r], input, "f.json", &a, &f, &e);
		fuzz_require(ok || strncmp(e.text, "f.json:", 7) == 0, "a refusal without a place");
		for (size_t i = 0; ok && i < f.n; i++)
			for (size_t k = 0; k < f.c[i].process->n; k++)
				fuzz_require(f.c[i].process->seconds[k] > 0, "no time");
		arena_free(&a);
	}
}

static void walk(struct json v, int depth)
{
	struct str text;
	int64_t n;
	double d;
	size_t i = 0;
	const char *key;
	struct json member;
	json_as_str(v, &text);
	json_as_i64(v, &n);
	json_as_f64(v, &d);
	if (json_is_object(v) && depth < 100)
		while (json_each(v, &i, &key, &member))
			walk(member, depth + 1);
	for (size_t k = 0; json_is_array(v) && depth < 100 && k < json_len(v); k++)
		walk(json_item(v, k), depth + 1);
}

static void read_json(struct str input)
{
	struct json_doc *doc = NULL;
	struct json root;
	struct err e = ERR_NONE;
	if (json_parse(input, (struct loc){"x.json", 1, 1}, &doc, &root, &e))
		walk(root, 0);
	json_free(doc);
}

/* A line that can be read is written again with the same bytes. */
static void read_log(struct str input)
{
	struct arena a = {0};
	struct published one, again;
	struct err e = ERR_NONE;
	struct sb line = {0};
	struct str first, rest;
	str_cut(input, '\n', &first, &rest);
	if (published_read(first, 1, "data/published.jsonl", &a, &one, &e)) {
		published_put(&line, &one);
		fuzz_require(line.n && line.p[line.n - 1] == '\n' &&
		                     published_read(str_sub(sb_view(&line), 0, line.n - 1), 1,
		                                    "again", &a, &again, &e),
		             "a line that is not read back");
	}
	sb_free(&line);
	arena_free(&a);
}

static void read_image(struct str input)
{
	struct image image;
	struct err e = ERR_NONE;
	int widths[IMAGE_MOST_WIDTHS];
	if (!image_read(input, &image, &e)) {
		fuzz_require(e.set, "a refusal without an error");
		return;
	}
	fuzz_require(image.width > 0 && image.height > 0, "a picture without a size");
	size_t n = image_widths(&image, widths);
	for (size_t i = 0; i < n; i++)
		fuzz_require(widths[i] > 0 && widths[i] <= image.width, "a larger picture");
}

static void read_units(struct str input)
{
	static const char *const si[] = {"s",      "B/s", "FLOP/s",   "OP/s",
	                                 "FLOP/B", "%",   "\xc3\x97", "J"};
	struct str value, rest, width;
	double v = 0, w = 0, scale;
	int64_t size;
	char text[32];
	struct unit_text out;
	str_cut(input, ' ', &value, &rest);
	str_cut(rest, ' ', &width, &rest);
	str_f64(value, &v);
	str_f64(width, &w);
	if (unit_parse_size(value, &size))
		unit_size(size, text);
	for (size_t i = 0; i < ARRAY_LEN(si); i++) {
		unit_parse(rest, si[i], &scale);
		if (fabs(v) > 1e30)
			continue; /* not a measurement */
		unit_format(v, fabs(w), si[i], &out);
		fuzz_require(strlen(out.number) < sizeof out.number && *out.number, "a number");
	}
}

static const char *const record_seeds[] = {"tests/fixtures/run-*.jsonl", NULL};
static const char *const record_tokens[] = {"{",
                                            "}",
                                            "[",
                                            "]",
                                            ",",
                                            ":",
                                            "\"",
                                            "\\u0000",
                                            "\\",
                                            "\n",
                                            "null",
                                            "true",
                                            "-1",
                                            "0",
                                            "1e308",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "1e-400",
                                            "\"record\":\"launch\"",
                                            "\"record\":\"case\"",
                                            "\"record\":\"end\"",
                                            "\"samples\":[",
                                            "\"case\":",
                                            "\"launch\":",
                                            "[[[[",
                                            "{\"a\":",
                                            NULL};
static const char *const json_seeds[] = {"data/specs/*.json", "tests/fixtures/run-*.jsonl", NULL};
static const char *const log_seeds[] = {"tests/golden/error-noted/site/data/published.jsonl", NULL};
static const char *const image_seeds[] = {"tests/fixtures/*.jpg", "docs/*.png",
                                          "templates/*.svg",      "content/posts/*/*.svg",
                                          "static/*.svg",         NULL};
static const char *const image_tokens[] = {"\x89PNG\r\n\x1a\n",
                                           "IHDR",
                                           "acTL",
                                           "IDAT",
                                           "IEND",
                                           "\xff\xd8",
                                           "\xff\xc0",
                                           "\xff\xe1",
                                           "Exif",
                                           "II*",
                                           "MM",
                                           "RIFF",
                                           "WEBPVP8X",
                                           "WEBPVP8 ",
                                           "WEBPVP8L",
                                           "ANIM",
                                           "GIF89a",
                                           "<svg ",
                                           "width=\"",
                                           "viewBox=\"0 0 1 1\"",
                                           "\"",
                                           ">",
                                           "<!--",
                                           "<?xml ?>",
                                           "<script>",
                                           "\x01",
                                           "\x7f",
                                           "\xff\xff\xff\xff",
                                           NULL};
static const char *const unit_seeds[] = {"tests/fixtures/run-example.jsonl",
                                         "tests/fixtures/run-2.jsonl", NULL};
static const char *const unit_tokens[] = {
        " ", "1",    "9",         "0",  ".", "-",      "e",      "E+",     "2^",   "Ki", "Mi",
        "G", "TB/s", "\xc2\xb5s", "us", "%", "FLOP/s", "1e-300", "999.95", "0.05", NULL};

static const char *const foreign_seeds[] = {"tests/fixtures/foreign/*", NULL};
static const char *const foreign_tokens[] = {"\"results\":",
                                             "\"benchmarks\":",
                                             "\"states\":",
                                             "\"times\":",
                                             "\"data\":",
                                             "\"value\":",
                                             "\"real_time\":",
                                             "\"stats\":",
                                             "{",
                                             "}",
                                             "[",
                                             "]",
                                             "\"",
                                             ",",
                                             "\n",
                                             "1e-300",
                                             "-1",
                                             "name,time_s",
                                             "process",
                                             "\xc3\xa4",
                                             "\\\"",
                                             "/1024",
                                             "threads:4",
                                             NULL};

static const char *const printed_seeds[] = {"tests/fixtures/printed.txt", NULL};
static const char *const printed_tokens[] = {"ridgepoint: ", "\n",   "=",   " ",  "1e-300", "-1",
                                             "\xc2\xb5s",    "\xff", "n=4", "ms", NULL};

const struct fuzz_target fuzz_data[] = {
        {"record", read_record, 40000, record_seeds, record_tokens},
        {"json", read_json, 40000, json_seeds, record_tokens},
        {"log", read_log, 40000, log_seeds, record_tokens},
        {"image", read_image, 100000, image_seeds, image_tokens},
        {"foreign", read_foreign, 20000, foreign_seeds, foreign_tokens},
        {"printed", read_printed, 20000, printed_seeds, printed_tokens},
        {"units", read_units, 80000, unit_seeds, unit_tokens},
        {0},
};
