# bar.gp - one bar for each case, from 0, with its number and its interval.

width = narrow ? 360 : 720
height = min((narrow ? 86 : 92) + 30 * (series + 1), narrow ? 480 : 620)
load 'common.gp'
y_log = 0
x_from = 0
x_to = 1.04 * max(y_hi, max(spec_level, measured_level))
load 'row_axes.gp'

# The numbers stand in a column of their own, clear of roofs.
set rmargin at screen 1 - across(7 * font)

row(i) = series + 1 - i
plot for [i = 1:series] $points index i - 1 \
		using 2:(row(i)):(0):2:(row(i) - 0.3):(row(i) + 0.3):5 \
		with boxxyerror fs solid lc rgb variable, \
	for [i = 1:series] $points index i - 1 using (x_to):(row(i)):(value[$8]):5 \
		with labels left offset screen across(8), 0 tc rgb variable
