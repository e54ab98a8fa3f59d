#include "site-gen/base/moment.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "site-gen/base/front_check.h"

/* A time as it is written. */
struct written {
	char day[MOMENT_DAY + 1];
	int hour, minute, second;
	int zone; /* minutes before UTC */
};

/* Two digits; -1 if they are others. */
static int two(const char *s)
{
	bool digits = s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9';
	return digits ? (s[0] - '0') * 10 + s[1] - '0' : -1;
}

/* pair -> ':' digit digit ; moves *s behind it; -1 if something else stands there */
static int pair(const char **s)
{
	int n = **s == ':' ? two(*s + 1) : -1;
	*s += n < 0 ? 0 : 3;
	return n;
}

/* zone -> 'Z' | ( '+' | '-' ) digit digit ':' digit digit ; to the end of the text */
static bool read_zone(const char *s, int *zone)
{
	int sign = *s == '-' ? -1 : 1, hours, minutes;
	*zone = 0;
	if (strcmp(s, "Z") == 0)
		return true;
	if ((*s != '+' && *s != '-') || (hours = two(++s)) < 0)
		return false;
	s += 2;
	minutes = pair(&s);
	*zone = sign * (hours * 60 + minutes);
	return minutes >= 0 && minutes < 60 && hours <= 14 && !*s;
}

/* time -> day 'T' digit digit ':' digit digit [ ':' digit digit ] zone */
static const char *read_time(const char *s, struct written *to)
{
	static const char form[] = "a time like 2026-11-21T14:05Z or 2026-11-21T22:05+08:00";
	memcpy(to->day, s, MOMENT_DAY);
	to->day[MOMENT_DAY] = 0;
	const char *day = front_check_date(to->day);
	if (day)
		return day;
	s += MOMENT_DAY + 1;
	if ((to->hour = two(s)) < 0)
		return form;
	s += 2;
	if ((to->minute = pair(&s)) < 0)
		return form;
	to->second = *s == ':' ? pair(&s) : 0;
	if (to->second < 0)
		return form;
	if (!*s)
		return "a zone behind the time: Z for UTC, or one like +08:00";
	if (!read_zone(s, &to->zone))
		return form;
	return to->hour > 23 || to->minute > 59 || to->second > 59 ? "a time from 00:00 to 23:59:59"
	                                                           : NULL;
}

const char *moment_check(const char *s)
{
	struct written t;
	if (strlen(s) > MOMENT_DAY && s[MOMENT_DAY] == 'T')
		return read_time(s, &t);
	bool formed = strlen(s) == MOMENT_DAY && strspn(s, "0123456789-") == MOMENT_DAY;
	return formed ? front_check_date(s) : "a date like 2026-11-21 or 2026-11-21T14:05Z";
}

const char *moment_utc(const char *s, struct arena *a)
{
	struct written t = {0};
	struct tm tm = {0};
	if (strlen(s) == MOMENT_DAY || read_time(s, &t))
		return arena_strdup(a, s);
	tm.tm_year = (t.day[0] - '0') * 1000 + (t.day[1] - '0') * 100 + two(t.day + 2) - 1900;
	tm.tm_mon = two(t.day + 5) - 1;
	tm.tm_mday = two(t.day + 8);
	tm.tm_hour = t.hour;
	tm.tm_min = t.minute - t.zone;
	tm.tm_sec = t.second;
	time_t utc = timegm(&tm);
	char *out = arena_alloc(a, MOMENT_TIME + 1);
	out[0] = 0;
	if (gmtime_r(&utc, &tm))
		strftime(out, MOMENT_TIME + 1, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return out;
}

const char *moment_stamp(const char *moment, struct arena *a)
{
	return strlen(moment) == MOMENT_DAY ? arena_printf(a, "%sT00:00:00Z", moment) : moment;
}
