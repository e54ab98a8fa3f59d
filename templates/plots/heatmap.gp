# heatmap.gp - a cell for each case: series down, x across; the darker, the more. A cell that is wide
# enough says its number.

width = narrow ? 360 : 720
height = (narrow ? 92 : 100) + min(max(series * 34, 80), narrow ? 380 : 520)
load 'common.gp'
left = min(label_width, 0.4 * width) + 16
right = narrow ? 8 : 20
top = 34
set lmargin at screen across(left)
set rmargin at screen 1 - across(right)
set bmargin at screen up(bottom)
set tmargin at screen 1 - up(top)
set xrange [0.5:columns + 0.5]
set yrange [0.5:series + 0.5]
unset ytics

cell = (width - left - right) / (1. * columns)
every = ceil((column_ems + 0.8) * font / cell)
ticks = ''
do for [k = 1:columns:every] {
	ticks = ticks.(k > 1 ? ', ' : '').sprintf("column_text[%d] %d", k, k)
}
eval 'set xtics ('.ticks.') scale 0 nomirror offset 0,0.4 textcolor rgb c_tick'
set label x_title at graph 0.5, screen up(bottom - 2.6 * font) center tc rgb c_title
row(i) = series + 1 - i
do for [i = 1:series] {
	set label label(i) at graph 0, first row(i) right offset screen -across(8), 0 \
		tc rgb c_series(i)
}

# Ten steps from the least to the most
part(v) = y_hi > y_lo ? (y_log ? log(v / y_lo) / log(y_hi / y_lo) : (v - y_lo) / (y_hi - y_lo)) : 1
shade(v) = 0.08 + 0.07 * floor(min(9, max(0, 10 * part(v))))
says = cell >= 58
set label y_title at screen across(2), screen 1 - up(0.7 * font) left tc rgb c_title
plot $points using 7:(row($6)):($7 - 0.48):($7 + 0.48):(row($6) - 0.46):(row($6) + 0.46) \
		:(c_heat($5) + opacity(shade($2))) \
		with boxxyerror fs solid lc rgb variable, \
	$points using 7:(row($6)):(says ? value[$8] : ''):(c_heat($5)) \
		with labels center font 'sans,11' tc rgb variable
