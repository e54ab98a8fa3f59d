#include "lib/visible.h"

struct range {
	uint32_t from, to;
};

/* Sorted. Combining marks: the blocks that hold nothing else. */
static const struct range unseen[] = {
        {0x0, 0x20},        {0x7F, 0xA0},        {0xAD, 0xAD},       {0x300, 0x36F},
        {0x483, 0x489},     {0x600, 0x605},      {0x61C, 0x61C},     {0x6DD, 0x6DD},
        {0x70F, 0x70F},     {0x890, 0x891},      {0x8E2, 0x8E2},     {0x115F, 0x1160},
        {0x1680, 0x1680},   {0x17B4, 0x17B5},    {0x180B, 0x180F},   {0x1AB0, 0x1AFF},
        {0x1DC0, 0x1DFF},   {0x2000, 0x200F},    {0x2028, 0x202F},   {0x205F, 0x206F},
        {0x20D0, 0x20FF},   {0x2800, 0x2800},    {0x3000, 0x3000},   {0x3164, 0x3164},
        {0xE000, 0xF8FF},   {0xFDD0, 0xFDEF},    {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F},
        {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},    {0xFFF0, 0xFFFC},   {0xFFFE, 0xFFFF},
        {0x110BD, 0x110BD}, {0x110CD, 0x110CD},  {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
        {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},
};

static bool is_seen(uint32_t c)
{
	for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
		if (c <= unseen[i].to)
			return c < unseen[i].from;
	return c <= 0x10FFFF;
}

/* The character at s[*at], and past it. */
static uint32_t next(struct str s, size_t *at)
{
	unsigned char lead = (unsigned char)s.p[(*at)++];
	uint32_t c = lead < 0x80   ? lead
	             : lead < 0xE0 ? lead & 0x1F
	             : lead < 0xF0 ? lead & 0xF
	                           : lead & 7;
	while (lead >= 0xC0 && *at < s.n && ((unsigned char)s.p[*at] & 0xC0) == 0x80)
		c = c << 6 | ((unsigned char)s.p[(*at)++] & 0x3F);
	return c;
}

bool visible_any(struct str s)
{
	for (size_t at = 0; at < s.n;)
		if (is_seen(next(s, &at)))
			return true;
	return false;
}
