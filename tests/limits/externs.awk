# externs.awk - every function and object with external linkage, against the rule in
# tests/limits.sh. Reads all C sources; prints a line for each that breaks the rule.
#
# It relies on the layout of .clang-format: what stands at column 0 is at file scope.

# `line` without comments and with empty strings; in_comment carries over lines.
function strip(line,    out, c) {
	out = ""
	if (!in_comment && line !~ /"|\/\*|\/\//) return line
	gsub(/'\\?"'/, "0", line)
	while (line != "") {
		if (in_comment) {
			c = index(line, "*/")
			if (!c) return out
			line = substr(line, c + 2)
			in_comment = 0
			continue
		}
		if (!match(line, /"([^"\\]|\\.)*"|\/\*|\/\//)) return out line
		out = out substr(line, 1, RSTART - 1)
		c = substr(line, RSTART, 2)
		line = substr(line, RSTART + RLENGTH)
		if (c == "//") return out
		if (c == "/*") in_comment = 1
		else out = out "\"\""
	}
	return out
}
function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function base_of(path) { sub(/.*\//, "", path); sub(/\.[a-z]+$/, "", path); return path }
# The name of the module that a file belongs to: x of x.c, x.h and x_inner.h
function module_of(path,    b) {
	b = base_of(path)
	sub(/_(inner|lua)$/, "", b)
	return b
}
# The names in "const char a[], *b" and the like.
function each_name(text, file,    n, part, i, name) {
	gsub(/\[[^\]]*\]/, "", text)
	n = split(text, part, ",")
	for (i = 1; i <= n; i++) {
		name = part[i]
		sub(/ *$/, "", name)
		sub(/.*[^A-Za-z0-9_]/, "", name)
		declared(name, file)
	}
}
# Declared where it is wanted, because the program may be built without it.
function each_weak(text,    name) {
	name = text
	sub(/ *(\[.*)?$/, "", name)
	sub(/.*[^A-Za-z0-9_]/, "", name)
	left_out[name]
}
function declared(name, file) {
	headers[name] = headers[name] " " file
	if (for_tests) seams[name] = file
	for_tests = 0
}
function defined(name, file) {
	if (name == "main") return
	order[++count] = name
	where[count] = file
}
# A whole declaration or the head of a definition, at file scope.
function statement(text, file,    name, weak) {
	weak = text ~ /\(weak\)/
	gsub(/__attribute__\(\(([^()]|\([^()]*\))*\)\)/, "", text)
	sub(/^ +/, "", text)
	if (text ~ /^(typedef|static|_Static_assert|[A-Z_]+\()/) return
	if (match(text, /^(struct|union|enum) [a-z_0-9]+ *\{/)) {
		split(text, part, " ")
		types[file] = types[file] " " part[2]
		return
	}
	if (text ~ /^(struct|union|enum) *[a-z_0-9]* *[{;]/ || text ~ /^extern ""/) return
	if (match(text, /[ *][a-z_][a-z0-9_]* *\(/) && (index(text, "=") == 0 || RSTART < index(text, "="))) {
		name = substr(text, RSTART + 1, RLENGTH - 2)
		if (file ~ /\.h$/) declared(name, file)
		else if (text ~ /\{$/) defined(name, file)
		else print file ": declares " name "(), which a header should"
	} else if (file ~ /\.h$/) {
		sub(/;.*/, "", text)
		if (text ~ /^extern/ && !weak) each_name(text, file)
		else if (weak) each_weak(text)
	} else if (text ~ /^extern/) {
		print file ": has an extern of its own, which a header should declare"
	} else if (text ~ /=/) {
		sub(/ *=.*/, "", text)
		gsub(/\[[^\]]*\]/, "", text)
		sub(/.*[^A-Za-z0-9_]/, "", text)
		defined(text, file)
	}
}

FNR == 1 { in_comment = 0; in_macro = 0; head = ""; for_tests = 0; said = "" }
# A comment may end its line within these words.
FILENAME ~ /\.h$/ {
	said = said " " $0
	gsub(/[ \t*]+/, " ", said)
	if (said ~ /Declared for tests\./) { for_tests = 1; said = "" }
	said = substr(said, length(said) - 20)
}
{
	line = strip($0)
	n = split(line, word, /[^A-Za-z0-9_]+/)
	for (i = 1; i <= n; i++) if (word[i] ~ /^[a-z_]/) {
		if ((word[i], FILENAME) in uses) again[word[i], FILENAME]
		uses[word[i], FILENAME]
	}
}
FILENAME !~ /^(lib|runner|site-gen)\/.*\.[ch]$/ { next }
in_macro || /^#/ { in_macro = /\\$/; next }
head == "" && line !~ /^[A-Za-z_]/ || line ~ /^[a-z_]+:$/ { next }
{
	sub(/^[ \t]+/, "", line)
	head = head (head == "" ? "" : " ") line
	if (head ~ /[;{=]/ || head ~ /^[A-Z_]+\(.*\)$/) {
		sub(/[ \t]+$/, "", head)
		statement(head, FILENAME)
		head = ""
	}
}

# Does `name` begin with `with`, or with its singular, as a word?
function begins(name, with,    one) {
	one = with
	sub(/s$/, "", one)
	return name == with || name == one || index(name, with "_") == 1 || index(name, one "_") == 1
}
function well_named(name, file, header,    n, part, i, room) {
	if (begins(name, base_of(file)) || begins(name, module_of(header))) return 1
	room = base_of(folder_of(file))
	if (folder_of(file) ~ /\// && (begins(name, room) || (room in short) && begins(name, short[room]))) return 1
	n = split(types[header], part, " ")
	for (i = 1; i <= n; i++) if (begins(name, part[i])) return 1
	return 0
}
# The headers that declare `name` for the program of `file`.
function headers_of(name, file,    n, part, i, top, out) {
	top = file
	sub(/\/.*/, "", top)
	n = split(headers[name], part, " ")
	for (i = 1; i <= n; i++) if (index(part[i], top "/") == 1) out = out " " part[i]
	return substr(out, 2)
}
# What is wrong with where `name` of `file` is declared, or "".
function misplaced(name, file, header,    d, own) {
	if (header == "") return "is declared in no header"
	if (header ~ / /) return "is declared in several headers: " header
	d = folder_of(file)
	if (header == d "/inner.h" || header == d "/" base_of(d) ".h") return ""
	if (folder_of(header) != d) return "is declared in another room, " header
	own = d "/" module_of(header)
	if (file == own ".c") return ""
	sub(/\.c$/, "", file)
	if ((file ".h") in seen || (file "_inner.h") in seen) return "is declared in " header ", not in the header of its file"
	if (!(file in part_of)) part_of[file] = own
	return part_of[file] == own ? "" : "is declared in " header ", others of its file in " part_of[file] ".h"
}
function is_used(name, file, header,    i) {
	if ((name, header) in again) return 1 # in a macro, or an inline function
	for (i = 1; i < ARGC; i++)
		if (ARGV[i] != file && ARGV[i] != header && ARGV[i] !~ /^tests\// && ((name, ARGV[i]) in uses)) return 1
	return 0
}
function tests_use(name,    i) {
	for (i = 1; i < ARGC; i++) if (ARGV[i] ~ /^tests\// && ((name, ARGV[i]) in uses)) return 1
	return 0
}
# What is wrong with who uses `name`, or "".
function misused(name, file, header) {
	if (is_used(name, file, header)) return name in seams ? "is declared for tests, but other code uses it" : ""
	if (!tests_use(name)) return "is used in no other file"
	return name in seams ? "" : "is used by tests alone, and its header does not say \"Declared for tests.\""
}

END {
	short["markdown"] = "md"
	for (i = 1; i < ARGC; i++) seen[ARGV[i]]
	for (i = 1; i <= count; i++) {
		name = order[i]
		file = where[i]
		header = headers_of(name, file)
		if (name in left_out) continue
		why = misplaced(name, file, header)
		if (why != "") print file ": " name " " why
		else if (!well_named(name, file, header))
			print file ": " name " bears the name of neither its module nor its room (" header ")"
		why = misused(name, file, header)
		if (why != "") print file ": " name " " why
	}
}
