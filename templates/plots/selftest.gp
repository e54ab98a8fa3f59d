# selftest.gp - comparisons of equal code, sorted: each ratio on its interval. The band around 1, named
# band_text, is what counts as equal.

width = narrow ? 360 : 720
height = narrow ? 340 : 420
load 'common.gp'
x_from = 0
x_to = x_hi + 1
y_from = 1 - 1.15 * (y_hi - 1)
y_to = 1 + 1.15 * (y_hi - 1)
load 'axes.gp'

set arrow from graph 0, first 1 to graph 1, first 1 nohead back lc rgb c_axis
do for [edge = 0:1] {
	level = edge ? 1 + band : 1 / (1 + band)
	set arrow from graph 0, first level to graph 1, first level \
		nohead back lw 1.5 dt (8, 5.33) lc rgb c_measured
}
set label band_text at graph 0, first 1 + band left offset screen across(6), up(10) \
	tc rgb c_measured
plot $points using 1:3:(0):($4 - $3) with vectors nohead lw 1.5 lc rgb c_series(1), \
	$points using 1:2:5 with points pt 7 ps disc lc rgb variable
