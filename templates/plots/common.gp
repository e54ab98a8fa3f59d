# common.gp - what all plot programs share, and the contract between them and the generator.
# docs/plots.md tells how to change a program or add one.
#
# The generator runs PROGRAM.gp twice for each chart: for wide pages (narrow = 0) and for phones
# (narrow = 1). A program says how large the drawing is, loads this file, and plots. Its SVG is the
# output; the generator replaces colours by classes, and links each number to its page.
#
# COLOURS say what something is. The style sheet paints it, in light and in dark.
#   c_grid c_axis c_tick c_title c_note    the frame; texts: c_tick, c_title, c_note
#   c_spec c_measured c_ridge              roofs, and the names of roofs
#   c_chosen                               the x that was chosen, and its name
#   c_series(i)      series i: its line, its area, its name; a disc is no number (a launch, say)
#   column 5 of $points, with lc rgb variable: a number. A disc (pt 7) or a box is its link, a text
#                    its value (value[p], unchanged), a line its interval.
#                    Each number must be drawn.
#   c_heat(c)        the same number, painted by its amount: add opacity(0 ... 1) to it
# Anything in another colour is an error. Widths, dashes (dt) and opacities are kept.
#
# VARIABLES, all amounts in the units of the axes
#   x_title x_lo x_hi x_log (0, 2, 10)     y_title y_lo y_hi y_log: extent of what is to be seen
#   series  name[i] short[i] role[i]       short names are for phones; "kernel", "peer", "ceiling",
#                                          "context": grey beside the others
#           last_x[i] last_y[i]            the last point of each
#           spans[i]                       whether its points differ in x
#           name_ems short_ems             how wide the longest is
#   points  value[p]                       "4.1 TB/s"
#   columns column_text[k] column_ems      the different x, for programs that draw no axis of it
#   spec_level spec_slope                  roofs of the data sheet: y, y per x; 0: none
#   spec_level_text spec_slope_text spec_ridge_text, and shorter: spec_level_short ...
#   measured_level ...                     the same of roofs that were measured
#   chosen chosen_text                     x of a sweep that the kernel has; no text: none
#   launches samples                       how many there are of them
#   min(a, b) max(a, b)                    what gnuplot lacks
#
# DATA, a block for each series (index i - 1)
#   $points     x  y  low  high  colour  series  column  point       low ... high: the interval
# and a block for each point (index p - 1)
#   $launches   y  series  column  point     what each launch came to
#   $samples    y  series  column  point     evenly taken from all samples, ascending; only for
#                                            programs whose text says $samples

# How high all drawings are: 1.25 makes each a quarter higher.
stretch = 1.0
height = int(height * stretch)

font = narrow ? 13 : 14
set terminal svg size width,height fixed font 'sans,'.font noenhanced
unset key
set border 0 lc rgb c_axis
set tics scale 0 textcolor rgb c_tick
set xlabel textcolor rgb c_title
set ylabel textcolor rgb c_title
set title textcolor rgb c_title
set style fill solid noborder
set errorbars 0

# Lengths in pixels, as fractions of the drawing
across(px) = px / (1. * width)
up(px) = px / (1. * height)

# A margin on each side, in pixels
left = narrow ? 50 : 68
right = narrow ? 14 : 20
top = 28
bottom = narrow ? 50 : 54

label(i) = narrow ? short[i] : name[i]
label_width = (narrow ? short_ems : name_ems) * font
opacity(part) = int(255 * (1 - part)) * 0x1000000

# The look of series: others' work is dashed and thinner. Some classes of the style sheet add dashes.
thickness(i) = role[i] eq 'kernel' ? 2 : role[i] eq 'context' ? 1 : 1.5

disc = 0.86
