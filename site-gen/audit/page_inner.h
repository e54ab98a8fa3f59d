/*
 * site-gen/audit/page_inner.h - the state of a page that is being read, for the files that check
 * its elements.
 */
#ifndef SITE_GEN_AUDIT_PAGE_INNER_H
#define SITE_GEN_AUDIT_PAGE_INNER_H

#include "site-gen/audit/audit.h"
#include "site-gen/audit/boxes.h"
#include "site-gen/audit/chart.h"
#include "site-gen/audit/link.h"
#include "site-gen/audit/part.h"
#include "site-gen/audit/text.h"

/* An element that is being read. */
struct reading {
	const struct element *is;
	size_t depth; /* depth outside the element */
	const char *at;
	struct audit_link link;
	struct str title, ci, box, transform; /* attributes, as written */
	struct sb text;                       /* without marks, character references resolved */
	bool marked;                          /* it contains a sup.mark */
	struct str claim, goal, said_of, prediction, verdict, source, runs;
};

enum { MAX_READING = 32 };

struct page {
	struct audit *a;
	struct audit_html h;
	const struct audit_html *outer; /* the feed, if the page is one of its entries; else NULL */
	const char *outer_at;           /* place of the entry in the feed, for findings */
	struct str entry_url;           /* a feed: the last address of a page */
	struct audit_text text;
	bool wanted; /* check the text of this file, too */
	bool english;
	struct reading open[MAX_READING];
	size_t n;
	struct audit_part part;
	struct audit_chart chart; /* the current drawing */
	struct audit_boxes boxes; /* of the current figure */
	struct str point;         /* address of the link around the current point */
	struct audit_number last; /* the last number; a span.ci belongs to it */
	bool has_last, has_row;   /* `last` is in the current cell; in the current row */
	bool in_share, in_value; /* the current cell has a step's share of its roof, or its value */
	struct audit_number roof; /* the measured roof of the current ladder */
	bool has_roof;
};

struct element {
	const char *tag, *class;
	const char *also;                                /* a second class it must have; or NULL */
	void (*read)(struct page *p, struct reading *r); /* NULL: its text is not checked */
};

struct loc audit_place(const struct page *p, const char *at);

/* --- page_drawing.c --- */

/* The title of a point, the label beside one, a box of a drawing to scale. */
void audit_read_point(struct page *p, struct reading *r);
void audit_read_label(struct page *p, struct reading *r);
void audit_read_box(struct page *p, struct reading *r);
/* The start of an element within a box. */
void audit_in_box(struct page *p, struct reading *r);
/* The ends of a drawing, and of the figure around it. */
void audit_end_drawing(struct page *p);
void audit_end_figure(struct page *p);

#endif
