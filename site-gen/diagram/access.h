/*
 * site-gen/diagram/access.h - one access of a warp: 32 lanes, and the sectors, lines or banks that
 * they touch.
 */
#ifndef SITE_GEN_DIAGRAM_ACCESS_H
#define SITE_GEN_DIAGRAM_ACCESS_H

#include "site-gen/diagram/canvas.h"
#include "site-gen/diagram/lanes.h"

enum access_unit { ACCESS_SECTOR, ACCESS_LINE, ACCESS_BANK };

void access_draw(struct canvas *c, const struct lanes *l, enum access_unit unit,
                 const struct canvas_said *said);

#endif
