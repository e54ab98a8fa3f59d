# axes.gp - both axes, from x_from to x_to and from y_from to y_to, within the margins: grid, ticks,
# titles. The title of the y axis lies above it, where it needs no turned head.

set lmargin at screen across(left)
set rmargin at screen 1 - across(right)
set bmargin at screen up(bottom)
set tmargin at screen 1 - up(top)
if (x_log) { set logscale x x_log }
if (y_log) { set logscale y y_log }
set xrange [x_from:x_to]
set yrange [y_from:y_to]
set grid lt 1 lw 1 lc rgb c_grid

tick_room = 45. # px, for the widest text of a tick and a gap
tick_from = x_from; tick_to = x_to; tick_log = x_log
tick_most = max(2, min(narrow ? 5 : 9, floor((width - left - right) / tick_room)))
load 'ticks.gp'
eval 'set xtics ('.ticks.') scale 0 nomirror offset 0,0.4 textcolor rgb c_tick'
tick_from = y_from; tick_to = y_to; tick_log = y_log; tick_most = narrow ? 6 : 7
load 'ticks.gp'
eval 'set ytics ('.ticks.') scale 0 nomirror offset 0.4,0 textcolor rgb c_tick'

set arrow from graph 0, graph 0 to graph 1, graph 0 nohead lw 1 lc rgb c_axis
set label x_title at graph 0.5, screen up(bottom - 2.6 * font) center tc rgb c_title
set label y_title at screen across(2), screen 1 - up(0.7 * font) left tc rgb c_title
