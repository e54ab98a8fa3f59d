# strip.gp - one row for each case: a small disc for each launch, and the number on its interval.

width = narrow ? 360 : 720
stacked = narrow && short_ems * 13 > 0.46 * width
height = min((narrow ? 86 : 92) + (stacked ? 50 : 34) * (series + 1), stacked ? 600 : narrow ? 480 : 620)
load 'common.gp'

# The axis begins where the launches do: they lie close together.
stats $launches using 1 nooutput
x_from = STATS_min - 0.06 * (STATS_max - STATS_min)
x_to = STATS_max + 0.06 * (STATS_max - STATS_min)
load 'row_axes.gp'

row(i) = series + (stacked ? 0.86 : 1) - i # below its name
rise = stacked ? 0.2 : 0.3
# launches one after the other, from below to above the row
spread(n) = 0.17 * ((int(n) * 7) % 11 - 5) / 5.
plot for [i = 1:series] $launches using ($2 == i ? $1 : NaN):(row(i) - 0.12 + spread($0)) \
		with points pt 7 ps 0.45 lc rgb c_series(i), \
	for [i = 1:series] $points index i - 1 using 3:(row(i) + rise):($4 - $3):(0):5 \
		with vectors nohead lw 2 lc rgb variable, \
	for [i = 1:series] $points index i - 1 using 2:(row(i) + rise):5 \
		with points pt 7 ps disc lc rgb variable
