# violin.gp - one row for each case: how its samples are distributed, the box of their quartiles, and
# the number on its interval.

width = narrow ? 360 : 720
height = min((narrow ? 86 : 92) + 46 * (series + 1), narrow ? 520 : 680)
load 'common.gp'

# Densities first, all as high as a row; the axis is as long as the middle 98 % of the samples.
# $samples is sorted, so that quartiles are rows of it.
set samples 120
array peak[points]
array lower[points]
array upper[points]
x_from = 1e300
x_to = -1e300
do for [p = 1:points] {
	stats $samples index p - 1 using 1 nooutput
	lower[p] = STATS_lo_quartile
	upper[p] = STATS_up_quartile
	n = STATS_records
	stats $samples index p - 1 using 1 every ::int(0.01 * n)::int(0.99 * (n - 1)) nooutput
	x_from = min(x_from, STATS_min)
	x_to = max(x_to, STATS_max)
	set xrange [STATS_min:STATS_max]
	set table $density append
	plot $samples index p - 1 using 1:(1. / n) smooth kdensity
	unset table
	stats [*:*] $density index p - 1 using 2 nooutput
	peak[p] = STATS_max
}
x_room = 0.04 * (x_to - x_from)
x_from = x_from - x_room
x_to = x_to + x_room
load 'row_axes.gp'

row(i) = series + 1 - i
plot for [p = 1:points] $density index p - 1 \
		using 1:(row(p) - 0.4 * $2 / peak[p]):(row(p) + 0.4 * $2 / peak[p]) \
		with filledcurves fs transparent solid 0.3 lc rgb c_series(p), \
	for [p = 1:points] $points index p - 1 \
		using (lower[p]):(row(p)):(lower[p]):(upper[p]):(row(p) - 0.1):(row(p) + 0.1) \
		with boxxyerror fs transparent solid 0.6 lc rgb c_series(p), \
	for [p = 1:points] $points index p - 1 using 3:(row(p)):($4 - $3):(0):5 \
		with vectors nohead lw 2 lc rgb variable, \
	for [p = 1:points] $points index p - 1 using 2:(row(p)):5 \
		with points pt 7 ps disc lc rgb variable
