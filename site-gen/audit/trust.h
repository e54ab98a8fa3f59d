/*
 * site-gen/audit/trust.h - numbers about the instrument itself, derived again from
 * their keys:
 *
 *   selftest <run> <per mille planted> <what>, one of
 *       interval, verdict, nvbench, mann-whitney, covered, exchanged, width
 *   null <run> <case id of the null control> [low | high]
 *   spread <device> <family or *> <median|p90|within|outside>
 *   card <device> <family or *> <median|p90|alarms|verdict>
 *   width <device> <family or *> <median|p90|reached|quick>
 *
 * `rest` is the key without its first word. The value is in per cent. False: the key is invalid.
 */
#ifndef SITE_GEN_AUDIT_TRUST_H
#define SITE_GEN_AUDIT_TRUST_H

#include "site-gen/audit/state.h"

bool audit_selftest(struct audit *a, struct str rest, double *value);
bool audit_null(struct audit *a, struct str rest, double *value);
bool audit_spread(struct audit *a, struct str rest, double *value);
bool audit_card(struct audit *a, struct str rest, double *value);
bool audit_width(struct audit *a, struct str rest, double *value);

#endif
