# curves.gp - names at the ends of curves, and the command that draws curves with their points:
# eval plot_curves. Series of the context have smaller points and no name.

do for [i = 1:series] {
	if (role[i] eq 'context') { continue }
	set label label(i) at first last_x[i], first last_y[i] left offset screen across(24), 0 \
		tc rgb c_series(i)
}
curve_lines = ''
curve_points = ''
do for [i = 1:series] {
	curve_lines = curve_lines.sprintf('$points index %d %s using 1:2 with lines lw %g dt %s lc rgb %d, ', \
		i - 1, spans[i] ? '' : 'every ::0::0', thickness(i), role[i] eq 'peer' || role[i] eq 'ceiling' ? '(6.67, 5.33)' : 'solid', \
		c_series(i))
	curve_points = curve_points.sprintf('%s$points index %d using 1:2:5 with points pt 7 ps %g lc rgb variable', \
		i > 1 ? ', ' : '', i - 1, role[i] eq 'context' ? 0.6 * disc : disc)
}
plot_curves = 'plot '.curve_lines.curve_points
