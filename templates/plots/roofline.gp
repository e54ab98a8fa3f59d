# roofline.gp - throughput over arithmetic intensity, log-log, below the roofs of memory (a slope) and
# of arithmetic (level), of the data sheet and as measured.

width = narrow ? 360 : 720
height = narrow ? 340 : 420
load 'common.gp'
right = 22 # half of the last tick

# The ridge is in the picture. Right of all points there is room for the names of curves. Left of the
# ridge the slope is long enough for its name, which runs along it; a shorter one must do on phones.
spec_ridge = spec_slope > 0 && spec_level > 0 ? spec_level / spec_slope : x_hi
x_from = min(x_lo / 3, spec_ridge / 8)
y_from = y_lo / 4
y_to = y_hi * 2.5
plot_width = width - left - right
name_px(i) = min(0.53 * font * strlen(label(i)) + 32, 0.66 * plot_width)
slope_chars = strlen(spec_slope_text) + (narrow ? 0 : strlen(measured_slope_text) + 3)
do for [step = 1:60] {
	x_to = max(6 * spec_ridge, 2 * x_hi)
	do for [i = 1:series] {
		if (role[i] ne 'context') {
			x_to = max(x_to, x_from * (last_x[i] / x_from) ** (plot_width / (plot_width - name_px(i))))
		}
	}
	if (spec_slope <= 0) { break }
	slope_from = max(x_from, y_from / spec_slope)
	slope_px = log(spec_ridge / slope_from) * sqrt((plot_width / log(x_to / x_from)) ** 2 \
		+ ((height - top - bottom) / log(y_to / y_from)) ** 2)
	if (slope_px > 0.58 * font * slope_chars + (narrow ? 44 : 64) || slope_from > x_from) { break }
	x_from = x_from / 1.2
}
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
		spot = sqrt(start * end)
		set label roof_name('slope') at spot, spot * slope center tc rgb paint
	}
	if (level > 0) {
		start = slope > 0 ? min(ridge, x_to) : x_from
		eval sprintf('set arrow from %g, %g to %g, %g nohead back lw 1.5 dt %s lc rgb %d', \
			start, level, x_to, level, dash, paint)
		set label roof_name('level') at x_to, level right \
			offset screen -across(4), (is_spec ? up(11) : -up(13)) tc rgb paint
	}
	# one ridge: that of the data sheet, which comes first
	if (!ridges && slope > 0 && level > 0 && ridge > x_from && ridge < x_to) {
		set arrow from ridge, y_from to ridge, level nohead back dt (4, 8) lc rgb c_ridge
		ridge_name = value(roof.'_ridge_text')
		ridge_px = plot_width * log(x_to / ridge) / log(x_to / x_from)
		if (ridge_px + right > 0.58 * font * strlen(ridge_name) + 4) {
			set label ridge_name at ridge, y_from left \
				offset screen across(4), up(10) tc rgb c_ridge
		} else {
			set label ridge_name at ridge, y_from right \
				offset screen -across(4), up(10) tc rgb c_ridge
		}
		ridges = 1
	}
}

eval plot_curves
