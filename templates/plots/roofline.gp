# roofline.gp - throughput over arithmetic intensity, log-log, below the roofs of memory (a slope) and
# of arithmetic (level), of the data sheet and as measured.

width = narrow ? 360 : 720
height = narrow ? 340 : 420
load 'common.gp'

# The ridge is in the picture, with some slope left of it. Right of it and of all points there is
# room for the names of the level roofs.
spec_ridge = spec_slope > 0 && spec_level > 0 ? spec_level / spec_slope : x_hi
x_from = min(x_lo / 3, spec_ridge / 8)
x_to = 32 * max(x_hi, spec_ridge)
y_from = y_lo / 4
y_to = y_hi * 2.5
right = min(label_width, (narrow ? 0.36 : 0.34) * width) + 32
load 'axes.gp'
load 'curves.gp'

ridges = 0
do for [roof in 'spec measured'] {
	is_spec = roof eq 'spec'
	slope = value(roof.'_slope')
	level = value(roof.'_level')
	paint = is_spec ? c_spec : c_measured
	roof_name(part) = value(roof.'_'.part.(narrow ? '_short' : '_text'))
	ridge = slope > 0 && level > 0 ? level / slope : x_to
	dash = is_spec ? 'solid' : '(8, 5.33)'
	if (slope > 0) {
		# a measured slope ends at the data sheet's level, if it has no level of its own
		most = !is_spec && spec_level > 0 ? spec_level : y_to
		start = max(x_from, y_from / slope)
		end = min(min(ridge, x_to), most / slope)
		eval sprintf('set arrow from %g, %g to %g, %g nohead back lw 1.5 dt %s lc rgb %d', \
			start, start * slope, end, end * slope, dash, paint)
		# the two slopes run close: one name above, the other below; both below where the
		# left has no room
		spot = start * (end / start) ** (is_spec ? 0.50 : 0.64)
		spot_px = left + log(spot / x_from) / log(x_to / x_from) * (width - left - right)
		above = is_spec && spot_px > 9 + 0.55 * font * strlen(roof_name('slope'))
		if (is_spec && !above) { spot = start * (end / start) ** 0.3 }
		if (above) {
			set label roof_name('slope') at spot, spot * slope right \
				offset screen -across(9), up(4) tc rgb paint
		} else {
			set label roof_name('slope') at spot, spot * slope left \
				offset screen across(9), -up(8) tc rgb paint
		}
	}
	if (level > 0) {
		start = slope > 0 ? min(ridge, x_to) : x_from
		eval sprintf('set arrow from %g, %g to %g, %g nohead back lw 1.5 dt %s lc rgb %d', \
			start, level, x_to, level, dash, paint)
		set label roof_name('level') at x_to, level right \
			offset screen -across(4), (is_spec ? up(9) : -up(11)) tc rgb paint
	}
	# one ridge: that of the data sheet, which comes first
	if (!ridges && slope > 0 && level > 0 && ridge > x_from && ridge < x_to) {
		set arrow from ridge, y_from to ridge, level nohead back dt (4, 8) lc rgb c_ridge
		set label value(roof.'_ridge_text') at ridge, y_from left \
			offset screen across(4), up(10) tc rgb c_ridge
		ridges = 1
	}
}

eval plot_curves
