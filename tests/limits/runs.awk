# runs.awk - runs of `most` lines that stand in two places. Blank lines, braces alone, includes and
# white space do not count. Prints "file:line and file:line" once for each pair of places.
FNR == 1 { n = 0; skip = 0 }
{
	line = $0
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	if (line == "" || line ~ /^[{}();]*$/ || line ~ /^#/) next
	text[n % most] = line
	at[n % most] = FNR
	n++
	if (n < most) next
	key = ""
	for (i = n; i < n + most; i++) key = key "\n" text[i % most]
	if (!(key in seen)) {
		seen[key] = FILENAME ":" at[n % most]
		skip = 0
	} else if (!skip) {
		print FILENAME ":" at[n % most] " repeats " seen[key]
		skip = 1
	}
}
