# ticks.gp - where the ticks of an axis are and what they say: sets `ticks`, for set xtics (...).
# Wants tick_from, tick_to, tick_log (0, 2, 10) and tick_most, the most that have room.

tick_digits = '⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹'
tick_raised(k) = (k >= 10 ? word(tick_digits, k / 10 + 1) : '').word(tick_digits, k % 10 + 1)

# 268435456 is 2²⁸, as in names (site-gen/lint/typeset.h); long powers of ten are 10⁵; other numbers
# are as they are.
tick_power_of(v) = int(log(v) / log(tick_log) + 0.5)
tick_text(v) = tick_log == 2 && v >= 2**10 ? '2'.tick_raised(tick_power_of(v)) \
	: tick_log == 10 && v > 99999 ? '10'.tick_raised(tick_power_of(v)) \
	: sprintf('%.6g', !tick_log && abs(v) < 1e-12 * (tick_to - tick_from) ? 0 : v)
tick_list(s, v) = s.(s eq '' ? '' : ', ')."'".tick_text(v)."' ".sprintf('%.12g', v)

# Linear: steps of 1, 2, 2.5 or 5
tick_nice(v) = v <= 1 ? 1 : v <= 2 ? 2 : v <= 2.5 ? 2.5 : v <= 5 ? 5 : 10
tick_power(v) = 10 ** floor(log10(v))
ticks = ''
if (!tick_log) {
	tick_rough = (tick_to - tick_from) / (1. * tick_most)
	tick_step = tick_power(tick_rough) * tick_nice(tick_rough / tick_power(tick_rough))
	do for [k = ceil(tick_from / tick_step - 1e-9) : floor(tick_to / tick_step + 1e-9)] {
		ticks = tick_list(ticks, k * tick_step)
	}
}
# Logarithmic: powers of the base, every one or every k-th; 1, 2, 5 where there are few and these
# have room: 2 and 5 are nearer to each other than the most ticks would be
if (tick_log) {
	tick_first = ceil(log(tick_from) / log(tick_log) - 1e-9)
	tick_last = floor(log(tick_to) / log(tick_log) + 1e-9)
	tick_decades = log10(tick_to / tick_from)
	if (tick_log == 10 && tick_last - tick_first < 2 && (tick_last < tick_first || 0.3 * tick_most > tick_decades)) {
		do for [k = tick_first - 1 : tick_last] {
			do for [part in '1 2 5'] {
				tick_at = part * 10. ** k
				if (tick_at >= tick_from * (1 - 1e-9) && tick_at <= tick_to * (1 + 1e-9)) {
					ticks = tick_list(ticks, tick_at)
				}
			}
		}
	} else {
		tick_every = max(1, ceil((tick_last - tick_first + 1.) / tick_most))
		do for [k = 0 : tick_last - tick_first : tick_every] {
			ticks = tick_list(ticks, (1. * tick_log) ** (tick_last - k))
		}
	}
}
