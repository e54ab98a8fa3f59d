# functions.awk - the length of each function, from its first line to its closing brace:
# "lines file:line". Relies on the layout of .clang-format: a function opens and closes at column 0.
FNR == 1 { start = 0; head = 0 }
/^[A-Za-z_]/ { head = FNR }
/^\{/ && head { start = head }
/^\}/ { if (start) print FNR - start + 1, FILENAME ":" start; start = 0; head = 0 }
