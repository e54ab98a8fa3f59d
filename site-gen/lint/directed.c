#include "site-gen/lint/directed.h"

#include <ctype.h>
#include <string.h>

#include "lib/array.h"

static const char is_no_time[] = "a ratio of times";
static const char is_no_gain[] = "a gain";

/* --- English: words, outwards from the number --- */

enum { NEAR = 12 };

/* The words on one side of the number, nearest first; a sign is a word of one letter. */
struct words {
	struct str word[NEAR];
	size_t n;
};

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '\'' || c == '-';
}

/* True if c ends a clause or the sentence; words beyond it are about something else. */
static bool ends_clause(char c)
{
	return strchr(".,;:!?", c) != NULL;
}

static void add(struct words *w, struct str text, size_t from, size_t to)
{
	if (w->n < NEAR)
		w->word[w->n++] = str_sub(text, from, to);
}

static struct words words_before(struct str s)
{
	struct words w = {0};
	for (size_t i = s.n; i > 0 && w.n < NEAR;) {
		size_t end = i;
		while (i > 0 && is_letter(s.p[i - 1]))
			i--;
		if (i < end)
			add(&w, s, i, end);
		else if (ends_clause(s.p[i - 1]))
			break;
		else if (!isspace((unsigned char)s.p[--i]))
			add(&w, s, i, end);
	}
	return w;
}

static struct words words_after(struct str s)
{
	struct words w = {0};
	for (size_t i = 0; i < s.n && w.n < NEAR;) {
		size_t start = i;
		while (i < s.n && is_letter(s.p[i]))
			i++;
		if (i > start)
			add(&w, s, start, i);
		else if (ends_clause(s.p[i]))
			break;
		else if (!isspace((unsigned char)s.p[i++]))
			add(&w, s, start, i);
	}
	return w;
}

/* True if word i is in the list, whose words are separated by spaces. */
static bool is_any(const struct words *w, size_t i, const char *list)
{
	if (i >= w->n)
		return false;
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, " ");
		if (w->word[i].n == n && strncasecmp(w->word[i].p, p, n) == 0)
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

static size_t skip(const struct words *w, size_t i, const char *list)
{
	while (is_any(w, i, list))
		i++;
	return i;
}

static const char fillers[] = "only about some nearly roughly almost just even another least at";
static const char times[] = "time times runtime duration latency";
static const char faster[] = "faster quicker";

/* The word that governs the number, before "by a factor of only", "to" or "(". */
static size_t governor(const struct words *w, bool *linked)
{
	size_t i = skip(w, 0, fillers), start;
	start = i = skip(w, i, "(");
	if (is_any(w, i, "of") && is_any(w, i + 1, "factor"))
		i = skip(w, i + 2, "a the");
	i = skip(w, i, fillers);
	i = skip(w, i, "by to is");
	*linked = i > start || start > 0;
	return i;
}

static const char *english_before(const struct directed *d)
{
	enum { VERB = 2, COMPARED = 5 };
	struct words w = words_before(d->before);
	bool linked;
	size_t i = governor(&w, &linked);
	if (!linked)
		return NULL;
	/* the time, the time grows to, changes the time by a factor of */
	for (size_t k = i; k < i + VERB && !d->is_time; k++)
		if (is_any(&w, k, times) && !is_any(&w, k + 1, "less of"))
			return is_no_time;
	for (size_t k = i; k <= i + COMPARED && d->below_one; k++)
		if (is_any(&w, k, faster) && (k == i || is_any(&w, k - 1, "than")) &&
		    !is_any(&w, k + 1, "no not never hardly nor"))
			return is_no_gain;
	return NULL;
}

/* "@ the time", "@ of its f32 time", but not "@ the first time"; @ is the number */
static const char *english_after(const struct directed *d)
{
	struct words w = words_after(d->after);
	size_t i = skip(&w, 0, "of");
	if (d->is_time || !is_any(&w, i, "the its their our that"))
		return NULL;
	i = skip(&w, i, "the its their our that");
	if (!is_any(&w, i, times))
		i += !is_any(&w, i, "first second last next same");
	return is_any(&w, i, times) ? is_no_time : NULL;
}

/* --- Chinese: the clause before or after the number --- */

static const char *find(struct str s, const char *word)
{
	return s.n ? memmem(s.p, s.n, word, strlen(word)) : NULL;
}

static bool cut_tail(struct str *s, const char *word)
{
	if (!str_ends(*s, word))
		return false;
	s->n -= strlen(word);
	*s = str_trim(*s);
	return true;
}

static bool cut_tails(struct str *s, const char *const *words)
{
	bool any = false;
	for (size_t i = 0; words[i];)
		if (cut_tail(s, words[i]))
			any = true, i = 0;
		else
			i++;
	return any;
}

/* The text after the last of these words. */
static struct str behind(struct str s, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		for (const char *at; (at = find(s, words[i]));)
			s = str_sub(s, (size_t)(at - s.p) + strlen(words[i]), s.n);
	return s;
}

static const char *chinese_before(const struct directed *d)
{
	static const char *const clause[] = {"。", "；", "：", "，", "！", "？", "（", NULL};
	static const char *const sentence[] = {"。", "；", "：", "！", "？", NULL};
	static const char *const links[] = {"是", "为", "只有", "只是", "约", "仅", "变成",
	                                    "到", "的", "倍率", "（",   "，", NULL};
	static const char *const none[] = {"一样快",   "同样快",   "不快",
	                                   "没有更快", "并不更快", NULL};
	static const char *const gains[] = {"快", "快了", "更快", "快些", NULL};
	struct str s = str_trim(behind(d->before, clause)), all = str_trim(d->before);
	bool of_time = find(s, "时间") || find(s, "用时") || find(s, "耗时");
	bool shorter = find(s, "少") || find(s, "短") || find(s, "快") || find(s, "省");
	if (!d->is_time && of_time && !shorter && cut_tails(&s, links))
		return is_no_time;
	all = str_trim(behind(all, sentence));
	cut_tails(&all, links);
	return d->below_one && !cut_tails(&all, none) && cut_tails(&all, gains) ? is_no_gain : NULL;
}

static const char *chinese_after(const struct directed *d)
{
	struct str s = str_trim(d->after);
	bool of_time =
	        str_starts(s, "的时间") || str_starts(s, "的用时") || str_starts(s, "的耗时");
	return of_time && !d->is_time ? is_no_time : NULL;
}

const char *directed_wrong(const struct directed *d)
{
	static const char *(*const rules[])(const struct directed *d) = {
	        english_before, english_after, chinese_before, chinese_after};
	const char *wrong = NULL;
	for (size_t i = 0; i < ARRAY_LEN(rules) && !wrong; i++)
		wrong = rules[i](d);
	return wrong;
}

/* --- a sentence that names a quantity --- */

static bool ends_sentence(struct str s, size_t i)
{
	return strchr(".!?", s.p[i]) && (i + 1 == s.n || isspace((unsigned char)s.p[i + 1]));
}

/* The last sentence of `before`, the first of `after`; Chinese stops end them, too. */
static void sentence(struct str *before, struct str *after)
{
	static const char *const stops[] = {"。", "！", "？", NULL};
	*before = behind(*before, stops);
	for (size_t i = before->n; i > 0; i--)
		if (ends_sentence(*before, i - 1)) {
			*before = str_sub(*before, i, before->n);
			break;
		}
	for (size_t k = 0; stops[k]; k++) {
		const char *at = find(*after, stops[k]);
		if (at)
			after->n = (size_t)(at - after->p);
	}
	for (size_t i = 0; i < after->n; i++)
		if (ends_sentence(*after, i))
			after->n = i;
}

static bool names(struct str s)
{
	static const char english[] =
	        "time times runtime duration latency faster quicker slower fast slow quick longer "
	        "shorter bandwidth throughput rate rates speed speeds energy power clock cycles";
	static const char *const chinese[] = {"时间", "用时", "耗时", "快",   "慢",   "带宽",
	                                      "吞吐", "速率", "速度", "能量", "能耗", "功耗",
	                                      "时钟", "周期", "延迟", NULL};
	for (size_t i = 0; chinese[i]; i++)
		if (find(s, chinese[i]))
			return true;
	for (size_t i = 0, end; i < s.n; i = end + 1) {
		for (end = i; end < s.n && isalpha((unsigned char)s.p[end]);)
			end++;
		struct words one = {.word = {str_sub(s, i, end)}, .n = 1};
		if (end > i && is_any(&one, 0, english))
			return true;
	}
	return false;
}

bool directed_named(struct str before, struct str after)
{
	sentence(&before, &after);
	return names(before) || names(after);
}
