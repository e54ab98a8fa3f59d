/*
 * Numbers that look like performance but are something else: prices, the length of a talk,
 * terms of a formula, names of models. To add a kind, write a function that examines the
 * number [i, j), and name it in lint_aside().
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

#include <string.h>

/* The text from token i on. */
static struct str from_token(const struct lint_work *w, size_t i)
{
	size_t at = i < w->n ? w->token[i].start : w->text.n;
	return str_sub(w->text, at, w->text.n);
}

bool lint_begins(const struct lint_work *w, size_t i, const char *const *words, size_t n)
{
	const struct lint_token *t = lint_at(w, i);
	if (i >= w->n || t->start == t->end)
		return false;
	/* most words of a list differ in their first two bytes */
	bool cjk = t->kind == LINT_CJK;
	char first = w->text.p[t->start], second = cjk ? w->text.p[t->start + 1] : 0;
	first = first >= 'A' && first <= 'Z' ? (char)(first + 'a' - 'A') : first;
	for (size_t k = 0; k < n; k++)
		if (words[k][0] == first &&
		    (cjk ? words[k][1] == second && str_starts(from_token(w, i), words[k])
		         : lint_word_n(w, i, words[k], strlen(words[k]))))
			return true;
	return false;
}

static bool is_money(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const money[] = {
	        "dollar", "dollars", "euro", "euros", "cent", "cents", "usd",  "eur",   "pounds",
	        "yuan",   "rmb",     "美元", "欧元",  "元",   "块钱",  "美分", "人民币"};
	bool before = i > 0 && (lint_sign(w, i - 1, '$') || lint_sign(w, i - 1, 0x20ac) ||
	                        lint_sign(w, i - 1, 0xa5));
	return before || lint_sign(w, j, '$') || lint_sign(w, j, 0x20ac) ||
	       lint_begins(w, j, money, ARRAY_LEN(money));
}

/* The team's server, reading the file, it compiles for me: the word is about a program. */
static bool is_program(const struct lint_work *w, size_t i)
{
	static const char *const data[] = {"file",  "files", "rows",    "table",   "disk", "data",
	                                   "input", "log",   "weights", "columns", "it"};
	if (lint_sign(w, i + 1, '"') ||
	    (i > 0 && lint_word(w, i, "me") && lint_word(w, i - 1, "for")))
		return true;
	size_t noun = i + 1;
	while (noun < i + 3 && lint_is(w, noun, LINT_LINK))
		noun++;
	return lint_word(w, i, "reading") && lint_begins(w, noun, data, ARRAY_LEN(data));
}

/* Minutes and hours that people spend: a lecture, a video, the reading of a page. */
static bool is_spent(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const units[] = {"minute", "minutes", "min",  "hour", "hours",
	                                    "h",      "hr",      "分钟", "小时", "分"};
	static const char *const people[] = {
	        "lecture",   "lectures", "talk",      "talks",     "video",     "videos",
	        "lesson",    "course",   "podcast",   "episode",   "film",      "movie",
	        "watch",     "meeting",  "lunch",     "recording", "slides",    "exam",
	        "sleep",     "reading",  "讲座",      "演讲",      "视频",      "课",
	        "讲",        "工作",     "会议",      "电影",      "播客",      "阅读",
	        "读完",      "录像",     "deadline",  "due",       "rent",      "rents",
	        "rented",    "holiday",  "截止",      "租",        "报告",      "会",
	        "lease",     "student",  "students",  "exercise",  "past",      "学生",
	        "住",        "题",       "reader",    "page",      "song",      "commute",
	        "token",     "travel",   "workshop",  "class",     "interview", "me",
	        "debugging", "engineer", "engineers", "awake",     "outage",    "incident",
	        "downtime",  "team",     "staff",     "weekend",   "kept",      "dashboard",
	        "migration", "面试",     "故障",      "值班",      "查了",      "备份",
	        "面板",      "迁移",     "团队",      "我花",      "停了",      "宕机",
	        "down",      "report",   "reports"};
	static const char *const week[] = {"week", "weekday"};
	enum { FAR = 10 };
	size_t unit = lint_sign(w, j, '-') ? j + 1 : j;
	if (!lint_begins(w, unit, units, ARRAY_LEN(units)))
		return false;
	if ((lint_word(w, unit + 1, "a") || lint_word(w, unit + 1, "per")) &&
	    lint_begins(w, unit + 2, week, ARRAY_LEN(week)))
		return true; /* people work 40 hours a week */
	if (lint_word(w, unit + 1, "read") ||
	    (lint_word(w, unit + 1, "to") && lint_word(w, unit + 2, "read")))
		return true;
	for (size_t k = i > FAR ? i - FAR : 0; k < unit + FAR && k < w->n; k++)
		if ((lint_begins(w, k, people, ARRAY_LEN(people)) && !is_program(w, k)) ||
		    is_money(w, k, k))
			return true;
	return false;
}

/* One GHz is 10^9 Hz: a unit is explained. */
static bool is_definition(const struct lint_work *w)
{
	const unsigned units = LINT_TIME | LINT_RATE | LINT_POWER | LINT_MOMENT | LINT_MAGNITUDE;
	struct str first = str_sub(w->text, lint_at(w, 0)->start, lint_at(w, 0)->end);
	bool one = lint_word(w, 0, "one") || lint_word(w, 0, "a") || lint_word(w, 0, "an") ||
	           str_is(first, "1") || str_starts(first, "一");
	size_t unit = 1, longest = 5;
	while (unit < longest && !lint_is(w, unit, units))
		unit++;
	size_t is = unit + 1;
	/* 等于 and 就是 are two tokens each */
	size_t number = is + 1 + lint_begins(w, is, (const char *const[]){"等于", "就是"}, 2);
	return one && unit < longest &&
	       (lint_word(w, is, "is") || lint_word(w, is, "equals") || lint_sign(w, is, '=') ||
	        lint_begins(w, is, (const char *const[]){"是", "等于", "就是"}, 3)) &&
	       (lint_is_number(w, is + 1) || lint_is_number(w, number) ||
	        lint_word(w, is + 1, "a"));
}

/* Kilometres an hour, metres: no performance of a program. */
static bool is_distance(const struct lint_work *w, size_t j)
{
	static const char *const units[] = {"km",     "mile",   "miles", "mph",  "kilometres",
	                                    "metres", "meters", "cm",    "公里", "米",
	                                    "千米",   "万公里", "英里"};
	return lint_begins(w, j, units, ARRAY_LEN(units));
}

/* Pictures at 1x and 2x, and "2x" where x is a variable of the sentence. */
static bool is_resolution(const struct lint_work *w, size_t i, size_t j)
{
	static const char *const words[] = {
	        "picture",    "pictures", "image",  "images", "display",  "displays",
	        "screen",     "pixel",    "pixels", "retina", "x",        "video",
	        "plays",      "playback", "pinch",  "labels", "subtract", "equals",
	        "polynomial", "等于",     "图片",   "图像",   "屏幕",     "像素"};
	enum { FAR = 12 };
	if (!lint_sign(w, j, 'x') || w->token[j].spaced)
		return false;
	for (size_t k = i > FAR ? i - FAR : 0; k < j + FAR && k < w->n; k++)
		if (lint_begins(w, k, words, ARRAY_LEN(words)))
			return true;
	return false;
}

static bool is_letter(const struct lint_work *w, size_t i)
{
	const struct lint_token *t = lint_at(w, i);
	return t->kind == LINT_WORD && t->end - t->start == 1;
}

/* 3x + 2, 5x^3, y = 2x: the x is a variable. */
static bool is_term(const struct lint_work *w, size_t i, size_t j)
{
	if (!lint_sign(w, j, 'x') || w->token[j].spaced || w->token[j].end - w->token[j].start != 1)
		return false;
	bool minus = lint_sign(w, j + 1, '-') && w->token[j + 1].spaced &&
	             (lint_at(w, j + 2)->kind == LINT_DIGITS || is_letter(w, j + 2)) &&
	             !lint_sign(w, j + 3, 'x');
	bool after = lint_sign(w, j + 1, '+') || lint_sign(w, j + 1, '^') ||
	             lint_sign(w, j + 1, '=') || lint_sign(w, j + 1, 0xb2) ||
	             lint_sign(w, j + 1, 0xb3) || minus;
	bool before = i > 0 && (lint_sign(w, i - 1, '+') ||
	                        (lint_sign(w, i - 1, '=') && i > 1 &&
	                         (is_letter(w, i - 2) || lint_sign(w, i - 2, ')'))));
	return after || before;
}

/* 7950X, RX 6800 X, Ryzen 9 7950 X: a number of three or four digits, and a large X. */
static bool is_number_and_x(const struct lint_work *w, size_t i, size_t j)
{
	const struct lint_token *t = &w->token[i];
	size_t n = t->end - t->start, k = i;
	if (t->kind != LINT_DIGITS || j != i + 1 || n < 3 || n > 4 || lint_has_point(w, i) ||
	    lint_is(w, j + 1, LINT_FASTER | LINT_LARGER | LINT_PERF))
		return false;
	while (k > 0 && i - k < 2 && w->token[k - 1].kind == LINT_DIGITS)
		k--;
	const struct lint_token *name = lint_at(w, k - (k > 0));
	char first = w->text.p[name->start];
	bool named = k > 0 && name->kind == LINT_WORD && first >= 'A' && first <= 'Z' &&
	             !name->class && (k > 1 || name->end - name->start < 4);
	return named || (n == 4 && memcmp(w->text.p + t->start + 1, "000", 3) != 0);
}

/* GTX 980X: the X is written large, and a name in capitals goes before it. */
static bool is_model(const struct lint_work *w, size_t i, size_t j)
{
	if (!lint_sign(w, j, 'x') || w->text.p[w->token[j].start] != 'X')
		return false;
	if (is_number_and_x(w, i, j))
		return true;
	if (i == 0 || w->token[j].spaced)
		return false;
	const struct lint_token *name = &w->token[i - 1];
	const char *p = w->text.p + name->start;
	if ((lint_word(w, i - 1, "the") || lint_word(w, i - 1, "a")) &&
	    lint_at(w, j + 1)->kind == LINT_WORD && !lint_at(w, j + 1)->class)
		return true; /* the 2X board */
	return name->kind == LINT_WORD && name->end - name->start > 1 && p[0] >= 'A' &&
	       p[0] <= 'Z' && p[1] >= 'A' && p[1] <= 'Z';
}

size_t lint_aside(const struct lint_work *w, size_t i, size_t j)
{
	if (is_term(w, i, j) || is_model(w, i, j) || is_resolution(w, i, j) || is_distance(w, j))
		return j + 1;
	if (lint_word(w, j, "means")) /* a speedup of 1 means no change */
		return j + 1;
	return is_money(w, i, j) || is_spent(w, i, j) || lint_is_setting(w, i, j) ||
	                       is_definition(w)
	               ? j
	               : 0;
}
