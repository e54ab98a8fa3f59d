# curves.gp - names at the ends of curves, and the command that draws curves with their points:
# eval plot_curves.

do for [i = 1:series] {
	set label label(i) at first last_x[i], first last_y[i] left offset screen across(24), 0 \
		tc rgb c_series(i)
}
curve_lines = ''
do for [i = 1:series] {
	curve_lines = curve_lines.sprintf('$points index %d using 1:2 with lines lw %g dt %s lc rgb %d, ', \
		i - 1, thickness(i), role[i] eq 'kernel' ? 'solid' : '(6.67, 5.33)', c_series(i))
}
plot_curves = 'plot '.curve_lines.'$points using 1:2:5 with points pt 7 ps disc lc rgb variable'
