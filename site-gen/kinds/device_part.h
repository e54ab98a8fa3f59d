/*
 * site-gen/kinds/device_part.h - the parts of a page that stand once for each of its devices
 * (front matter `devices:`), of which a switch shows one.
 *
 *   span.dev.dev-<n>[data-device]   in a sentence: number > span.dev-name " (H200)"
 *     + span.dev-sep                ", " between two of them
 *   span.dev-only.only-<n>          a number of one device alone: its name is shown beside it
 *                                   unless that device is chosen; > span.dev-name if the
 *                                   placeholder names it, else [data-name], which only a switch
 *                                   shows: the text is about one device
 *   div.dev.dev-<n>[data-device]    a block: p.dev-name "H200", then the block
 *
 * <n> is the device's place in the page's list, from 1. Without the switch (feeds, print, old
 * browsers) all parts are shown, with their names. templates/device-switch.html has the switch, and
 * static/device.css hides.
 */
#ifndef SITE_GEN_KINDS_DEVICE_PART_H
#define SITE_GEN_KINDS_DEVICE_PART_H

#include "lib/str.h"
#include "site-gen/records/context.h"

/* Makes device i of ctx->devices the current one, to which the other functions refer. */
void device_part_enter(struct expand_ctx *ctx, size_t i);

/* Open and close the part of the current device, with its name; `block`: around blocks. */
void device_part_open(const struct expand_ctx *ctx, bool block, struct sb *to);
void device_part_close(const struct expand_ctx *ctx, bool block, struct sb *to);
/*
 * Open and close a number in a sentence that is of one device. `said`: its placeholder names the
 * device, so feeds and paper name it, too.
 */
void device_part_only(const struct expand_ctx *ctx, const char *device, bool said, struct sb *to);
void device_part_only_end(const struct expand_ctx *ctx, const char *device, bool said,
                          struct sb *to);
/* Writes what stands between two parts in a sentence. */
void device_part_between(const struct expand_ctx *ctx, struct sb *to);
/* Appends " (H200)" to a plain text. */
void device_part_name(const struct expand_ctx *ctx, const char *device, struct sb *to);

#endif
