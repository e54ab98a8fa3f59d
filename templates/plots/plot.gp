# All plots of the site. Fixed: every number comes from the data files beside
# the output, and no text is drawn here but the names t0, t1, ... that the
# generator replaces by escaped text. Colours are numbers of drawing classes;
# the generator turns them into class names, so the page's style sheet paints.
#
# Per size (wide, narrow) a folder with:
#   frame.dat    two rows, low and high end of: x axis, y axis, log x, log y,
#                horizontal and vertical margins (of the canvas), canvas size,
#                whether there are leaders and left-aligned labels (gnuplot
#                complains of an empty file)
#   lines.dat    x y class     curves, grid, roofs; a blank line ends one
#   points.dat   x y class
#   leaders.dat  x y class     like lines, in fractions of the canvas
#   left.dat centre.dat right.dat   x y text class, in fractions of the canvas
unset key
unset border
unset tics
do for [size in "wide narrow"] {
	reset
	unset key
	unset border
	unset tics
	frame = size.'/frame.dat'
	stats frame using 1 name 'X' nooutput
	stats frame using 2 name 'Y' nooutput
	stats frame using 3 name 'LX' nooutput
	stats frame using 4 name 'LY' nooutput
	stats frame using 5 name 'H' nooutput
	stats frame using 6 name 'V' nooutput
	stats frame using 7 name 'S' nooutput
	stats frame using 8 name 'LEADERS' nooutput
	stats frame using 9 name 'LEFT' nooutput
	set terminal svg size S_max,S_min font 'sans,14' noenhanced dynamic
	set output size.'/plot.svg'
	set multiplot
	if (LX_max > 0) { set logscale x }
	if (LY_max > 0) { set logscale y }
	set xrange [X_min:X_max]
	set yrange [Y_min:Y_max]
	set lmargin at screen H_min
	set rmargin at screen H_max
	set bmargin at screen V_min
	set tmargin at screen V_max
	plot size.'/lines.dat' using 1:2:3 with lines lc rgb variable, \
	     size.'/points.dat' using 1:2:3 with points pt 7 ps 1 lc rgb variable
	unset logscale
	set xrange [0:1]
	set yrange [0:1]
	set lmargin at screen 0
	set rmargin at screen 1
	set bmargin at screen 0
	set tmargin at screen 1
	plot size.'/centre.dat' using 1:2:3:4 with labels center tc rgb variable, \
	     size.'/right.dat' using 1:2:3:4 with labels right tc rgb variable
	if (LEFT_max > 0) {
		plot size.'/left.dat' using 1:2:3:4 with labels left tc rgb variable
	}
	if (LEADERS_max > 0) {
		plot size.'/leaders.dat' using 1:2:3 with lines lc rgb variable
	}
	unset multiplot
	unset output
}
