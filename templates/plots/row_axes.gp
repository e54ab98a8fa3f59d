# row_axes.gp - a row for each series, its name on the left; amounts along x, from 0 unless the
# program sets x_from and x_to. Roofs stand upright, their names above the rows. If the program sets
# `stacked`, names that leave no room beside them stand above their rows, which must be high enough.

if (points > series) { exit error 'a row has room for one number: leave out x=' }
above = exists('stacked') && stacked
left = above ? 8 : min(label_width, 0.46 * width) + 16
right = 2.5 * font
top = spec_level > 0 || measured_level > 0 ? 28 : 20
if (!exists('x_from')) {
	x_from = y_log ? y_lo / 1.5 : 0
	x_to = y_log ? y_hi * 1.5 : y_hi * 1.06
}
x_log = y_log
x_title = y_title
y_log = 0
y_from = 0.5
y_to = series + 0.5
y_title = ''
load 'axes.gp'
set ytics 1 format '' scale 0
do for [i = 1:series] {
	if (above) {
		set label label(i) at graph 0, first series + 1.32 - i left tc rgb c_series(i)
	} else {
		set label label(i) at graph 0, first series + 1 - i right offset screen -across(8), 0 \
			tc rgb c_series(i)
	}
}

# Roofs that are close have one name, from left to right; on a phone that of the data sheet.
roof_px(v) = v / (x_to - x_from) * (width - left - right)
row_close = spec_level > 0 && measured_level > 0 && !x_log && \
	abs(roof_px(spec_level - measured_level)) < 12 * font
row_both = measured_level < spec_level ? measured_level_short.' · '.spec_level_short \
	: spec_level_short.' · '.measured_level_short
if (spec_level > 0 && spec_level <= x_to) {
	set arrow from first spec_level, graph 0 to first spec_level, graph 1 \
		nohead lw 1.5 lc rgb c_spec
	set label row_close && !narrow ? row_both : spec_level_text \
		at first spec_level, graph 1 right offset screen across(2), up(8) tc rgb c_spec
}
if (measured_level > 0 && measured_level <= x_to) {
	set arrow from first measured_level, graph 0 to first measured_level, graph 1 \
		nohead lw 1.5 dt (8, 5.33) lc rgb c_measured
	if (!row_close) {
		set label narrow ? measured_level_short : measured_level_text \
			at first measured_level, graph 1 right offset screen across(2), up(8) \
			tc rgb c_measured
	}
}
