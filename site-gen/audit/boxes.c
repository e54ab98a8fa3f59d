#include "site-gen/audit/boxes.h"

#include <math.h>
#include <string.h>

#include "site-gen/audit/html.h"

void audit_boxes_clear(struct audit_boxes *b)
{
	b->n = b->drawing = b->nrows = 0;
	b->cell = AUDIT_NO_CELL;
	b->too_many = false;
}

void audit_boxes_add(struct audit_boxes *b, struct audit_box box)
{
	b->too_many = b->too_many || b->n == AUDIT_MOST_BOXES;
	box.drawing = b->drawing;
	if (!b->too_many)
		b->box[b->n++] = box;
}

void audit_boxes_cell(struct audit_boxes *b, struct str classes)
{
	b->cell = audit_html_is_among(classes, "box-from")     ? AUDIT_BOX_FROM
	          : audit_html_is_among(classes, "box-length") ? AUDIT_BOX_LENGTH
	                                                       : AUDIT_NO_CELL;
	if (b->cell != AUDIT_BOX_FROM)
		return;
	b->too_many = b->too_many || b->nrows == AUDIT_MOST_ROWS;
	if (!b->too_many)
		b->row[b->nrows++] = (struct audit_box_row){0};
}

void audit_boxes_number(struct audit_boxes *b, double value, struct str text)
{
	struct audit_box_row *r = b->nrows ? &b->row[b->nrows - 1] : NULL;
	if (!r || b->cell == AUDIT_NO_CELL)
		return;
	if (b->cell == AUDIT_BOX_FROM) {
		r->from = value;
		return;
	}
	r->length = value;
	r->text = text;
}

/* --- a drawing against the table -------------------------------------------------------------- */

enum { GAP_TENTHS = 15 }; /* between a box and the next one, in tenths of a unit */
static const double least = 1, near = 0.1;

/* Its first text is the length; another is the same, or a word without digits. */
static bool says(struct str text, struct str want)
{
	struct str one;
	size_t n = 0;
	for (bool more = true; more;) {
		more = str_cut(text, '\n', &one, &text);
		one = str_trim(one);
		bool digit = false;
		for (size_t i = 0; i < one.n; i++)
			digit = digit || (one.p[i] >= '0' && one.p[i] <= '9');
		if (!str_eq(one, want) && (n == 0 || digit))
			return false;
		n++;
	}
	return n > 0;
}

static const struct audit_box_row *row_of(const struct audit_boxes *b, const struct audit_box *box)
{
	return box->row >= 0 && (size_t)box->row < b->nrows ? &b->row[box->row] : NULL;
}

/* The longest box of a drawing says how wide a unit is; NULL: the drawing has none. */
static const struct audit_box *longest(const struct audit_boxes *b, size_t drawing)
{
	const struct audit_box *found = NULL;
	for (size_t i = 0; i < b->n; i++)
		if (b->box[i].drawing == drawing && row_of(b, &b->box[i]) &&
		    (!found || row_of(b, &b->box[i])->length > row_of(b, found)->length))
			found = &b->box[i];
	return found;
}

static bool holds(const struct audit_boxes *b, const struct audit_box *box,
                  const struct audit_box *by, struct err *e)
{
	const double gap = GAP_TENTHS / 10.0;
	const struct audit_box_row *r = row_of(b, box), *scale = row_of(b, by);
	if (!r || !(r->length > 0))
		return err_set(e, "a box has no length in the table below the drawing");
	double unit = (by->width + gap) / scale->length, left = by->x - scale->from * unit;
	double x = left + r->from * unit, width = fmax(r->length * unit - gap, least);
	if (box->moved || !(fabs(box->x - x) < near) || !(fabs(box->width - width) < near))
		return err_set(e,
		               "a box of " STR_FMT " begins at %.1f and is %.1f wide, but beside "
		               "the longest one it has to begin at %.1f and be %.1f wide",
		               STR_ARG(r->text), box->x, box->width, x, width);
	if (!says(box->text, r->text))
		return err_set(e, "a box of " STR_FMT " says '" STR_FMT "'", STR_ARG(r->text),
		               STR_ARG(str_trim(box->text)));
	return true;
}

/* Is each row drawn once? */
static bool all_drawn(const struct audit_boxes *b, size_t drawing, struct err *e)
{
	for (size_t row = 0; row < b->nrows; row++) {
		int times = 0;
		for (size_t i = 0; i < b->n; i++)
			times += b->box[i].drawing == drawing && b->box[i].row == (int64_t)row;
		if (times != 1)
			return err_set(e,
			               "the length " STR_FMT " of the table is drawn %d times, not "
			               "once",
			               STR_ARG(b->row[row].text), times);
	}
	return true;
}

/* Does the text for readers who do not see the drawing have all lengths, in their order? */
static bool told(const struct audit_boxes *b, struct err *e)
{
	struct str rest = b->desc;
	for (size_t i = 0; i < b->nrows; i++) {
		struct str want = b->row[i].text;
		const char *at =
		        rest.n >= want.n && want.n ? memmem(rest.p, rest.n, want.p, want.n) : NULL;
		if (!at)
			return err_set(e, "the text of a drawing lacks the length " STR_FMT,
			               STR_ARG(want));
		rest = str_sub(rest, (size_t)(at - rest.p) + want.n, rest.n);
	}
	return true;
}

bool audit_boxes_hold(const struct audit_boxes *b, const char **at, struct err *e)
{
	*at = NULL;
	if (b->n == 0 && b->nrows == 0)
		return true;
	if (b->too_many || b->drawing == 0)
		return err_set(e, "a table of lengths has %s",
		               b->drawing ? "more boxes than a drawing may" : "no drawing");
	for (size_t i = 0; i < b->n; i++) {
		const struct audit_box *by = longest(b, b->box[i].drawing);
		*at = b->box[i].at;
		if (!holds(b, &b->box[i], by ? by : &b->box[i], e))
			return false;
	}
	*at = NULL;
	for (size_t d = 0; d < b->drawing; d++)
		if (!all_drawn(b, d, e))
			return false;
	return told(b, e);
}
