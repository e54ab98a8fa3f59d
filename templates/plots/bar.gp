# bar.gp - one bar for each case, from 0, with its number and its interval.

width = narrow ? 360 : 720
stacked = narrow && short_ems * 13 > 0.46 * width
height = min((narrow ? 86 : 92) + (stacked ? 48 : 30) * (series + 1), narrow ? (stacked ? 600 : 480) : 620)
load 'common.gp'
y_log = 0
x_from = 0
x_to = 1.04 * max(y_hi, max(spec_level, measured_level))
load 'row_axes.gp'

# The numbers stand in a column of their own, clear of roofs.
number_chars = 0
do for [p = 1:points] { number_chars = max(number_chars, strlen(value[p])) }
set rmargin at screen 1 - across(max(7 * font, 0.58 * font * number_chars + 12))

row(i) = series + (stacked ? 0.86 : 1) - i # below its name
half = stacked ? 0.2 : 0.3
plot for [i = 1:series] $points index i - 1 \
		using 2:(row(i)):(0):2:(row(i) - half):(row(i) + half):5 \
		with boxxyerror fs solid lc rgb variable, \
	for [i = 1:series] $points index i - 1 using (x_to):(row(i)):(value[$8]):5 \
		with labels left offset screen across(8), 0 tc rgb variable
