# plot.gp - a number over another one: a curve for each series, and level roofs.

width = narrow ? 360 : 720
height = narrow ? 340 : 420
load 'common.gp'

# Ranges: on a linear axis from 0, or with a little room; on a logarithmic one some room on each side
x_room = x_hi > x_lo ? 0.05 * (x_hi - x_lo) : 1
x_from = x_log ? x_lo / 1.15 : x_lo >= 0 && x_lo < x_room ? 0 : x_lo - x_room
x_to = x_log ? x_hi * 1.15 : x_hi + x_room
y_from = y_log ? y_lo / 1.5 : 0
y_to = y_log ? y_hi * 1.5 : y_hi * 1.06

# The names of the curves stand right of them.
right = min(label_width, (narrow ? 0.36 : 0.34) * width) + 32
load 'axes.gp'
load 'curves.gp'

if (spec_level > 0 && spec_level <= y_to) {
	set arrow from graph 0, first spec_level to graph 1, first spec_level \
		nohead back lw 1.5 lc rgb c_spec
	set label narrow ? spec_level_short : spec_level_text at graph 0, first spec_level left \
		offset screen across(6), up(10) tc rgb c_spec
}
if (measured_level > 0 && measured_level <= y_to) {
	set arrow from graph 0, first measured_level to graph 1, first measured_level \
		nohead back lw 1.5 dt (8, 5.33) lc rgb c_measured
	set label narrow ? measured_level_short : measured_level_text \
		at graph 0, first measured_level left offset screen across(6), -up(10) \
		tc rgb c_measured
}

# Of a sweep: the value that the kernel has. Its name stands at the foot, on the side with more room.
if (strlen(chosen_text) > 0) {
	chosen_part = x_log ? log(chosen / x_from) / log(x_to / x_from) : (chosen - x_from) / (x_to - x_from)
	set arrow from first chosen, graph 0 to first chosen, graph 1 nohead back lw 1.5 dt (3, 4) lc rgb c_chosen
	if (chosen_part > 0.5) {
		set label chosen_text at first chosen, graph 0 right offset screen -across(6), up(12) tc rgb c_chosen
	} else {
		set label chosen_text at first chosen, graph 0 left offset screen across(6), up(12) tc rgb c_chosen
	}
}

eval plot_curves
