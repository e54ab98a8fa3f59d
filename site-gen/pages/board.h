/*
 * site-gen/pages/board.h - the scoreboard of /kernels/: a row for each family with what its
 * headline case reaches (numbers/headline.h), once for each device.
 *
 *   div.board-filters > fieldset > button[name][value]
 *   figure.bench.board > div.scroll > table.board
 *     tr[data-task][data-dtype] > th > a, span.case
 *     tr.elsewhere[data-device]  what another device reached, where that of the board has nothing
 *       span.badge             "on the H100"
 *       td[data-sort]          the value that static/sort.js sorts by
 *       td.bar > svg.bar       the share of the data sheet's roof; line.bar-roof: the best library
 *       span.win, span.loss    ratios that the interval decides
 *       svg.steps              own kernels (.best: the best), then libraries (.peer), in order
 *       svg.past               the best value after each run, by time
 */
#ifndef SITE_GEN_PAGES_BOARD_H
#define SITE_GEN_PAGES_BOARD_H

#include "site-gen/numbers/headline.h"

/* Devices with a row: the site's own first; at most EXPAND_DEVICES. Returns their number. */
size_t board_devices(const struct data *d, const struct headlines *h, const char **out);

/* Writes the scoreboard of these devices; families without a headline come last. */
void board_write(struct expand_ctx *ctx, const struct headlines *h, const char *const *device,
                 size_t ndevices, struct sb *to);

#endif
