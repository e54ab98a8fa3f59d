/*
 * site-gen/look/spark.h - a post's first ladder, or another figure of one value each, as a row of
 * small bars for lists of posts.
 */
#ifndef SITE_GEN_LOOK_SPARK_H
#define SITE_GEN_LOOK_SPARK_H

#include "lib/str.h"

struct quote; /* numbers/number.h */

enum { SPARK_FEWEST = 3, SPARK_MOST = 16 }; /* bars */

/*
 * Appends svg.spark: rect.own, rect.best (the best own kernel's) and rect.lib, as high as their
 * values in one metric, in the page's order, and a dotted line at the height of a data sheet's peak
 * if one is known. It takes the first figure in which every case prints one value of the same
 * metric, if rule `unmarked` holds for it. `quotes` are in the page's order. Draws nothing, and
 * returns false, if there is none.
 */
bool spark_draw(const struct quote *quotes, struct sb *to);

#endif
