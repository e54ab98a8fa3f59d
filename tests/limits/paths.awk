# paths.awk - names of files in comments and docs that no file has. The first input is the list of
# all files; then come sources, of which comments are read, and docs, of which everything is.
#
# A name is "dir/name.ext" below a folder of the repository, or "name.ext" of a source or a doc.
# Texts of content/ are examples of what an author writes: they are not read, and neither they nor
# golden sites make a name without a folder one that is there.
NR == FNR {
	name = $0
	paths[name]
	example = name ~ /^(content|tests\/golden)\//
	while (sub(/^[^\/]*\//, "", name)) if (!example || name ~ /\//) paths[name]
	split($0, part, "/")
	if ($0 ~ /\//) top[part[1]]
	next
}
FNR == 1 { comment = 0; whole = FILENAME ~ /\.md$/; hash = FILENAME ~ /\.(sh|awk)$|Makefile$|\/run$/; lua = FILENAME ~ /\.lua$/ }
{
	line = $0
	if (whole) {}
	else if (hash) {
		if (!sub(/^[ \t]*#|.*[ \t]# /, "", line)) next
	} else if (lua) {
		if (!sub(/^.*--/, "", line)) next
	} else {
		text = ""
		gsub(/'\\?"'/, "", line)
		while (line != "") {
			if (comment) {
				c = index(line, "*/")
				if (c) { text = text " " substr(line, 1, c - 1); line = substr(line, c + 2); comment = 0 }
				else { text = text " " line; line = "" }
			} else if (!match(line, /"([^"\\]|\\.)*"|\/\*|(^|[ \t])\/\/ /)) line = ""
			else {
				c = substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
				if (c == "/*") comment = 1
				else if (c !~ /^"/) { text = text " " line; line = "" }
			}
		}
		line = text
	}
	gsub(/https?:\/\/[^ )>]*/, "", line)
	while (match(line, /[A-Za-z0-9_.\/-]+\.(cuh|cu|c|h|sh|mjs|awk|lua|js|css|html|gp|md)/)) {
		name = substr(line, RSTART, RLENGTH)
		before = RSTART > 1 ? substr(line, RSTART - 1, 1) : ""
		after = substr(line, RSTART + RLENGTH, 1)
		line = substr(line, RSTART + RLENGTH)
		if (after ~ /[A-Za-z0-9_]/ || before ~ /[<>*{}$~=|#]/) continue
		while (sub(/^\.\.?\//, "", name)) continue
		first = name
		sub(/\/.*/, "", first)
		if (name ~ /\//) { if (!(first in top) || first == "content") continue }
		else if (name !~ /\.(cuh|cu|c|h|sh|mjs|awk|md)$/) continue
		if (name ~ /(^|[\/.])([A-Z]+|[xy](_inner)?)[.\/]/) continue # NAME.md and x.c stand for any
		if (!(name in paths)) print FILENAME ":" FNR ": no file: " name
	}
}
