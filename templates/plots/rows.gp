# rows.gp - one row for each case, its number along x: where all cases have the same x, a column of
# points would say nothing.

width = narrow ? 360 : 720
stacked = narrow && short_ems * 13 > 0.46 * width
height = min((narrow ? 86 : 92) + (stacked ? 42 : 27) * (series + 1), stacked ? 600 : width)
load 'common.gp'
load 'row_axes.gp'

row(i) = series + (stacked ? 0.86 : 1) - i # the first on top; below its name
to_left(x) = x > (x_from + x_to) / 2 # the side of the point that has more room
plot for [i = 1:series] $points index i - 1 using 2:(row(i)):5 \
		with points pt 7 ps disc lc rgb variable, \
	for [i = 1:series] '' index i - 1 using 2:(row(i)):(to_left($2) ? value[$8] : ''):5 \
		with labels right offset screen -across(10), 0 tc rgb variable, \
	for [i = 1:series] '' index i - 1 using 2:(row(i)):(to_left($2) ? '' : value[$8]):5 \
		with labels left offset screen across(10), 0 tc rgb variable
