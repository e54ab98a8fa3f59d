#!/bin/bash
# Losses of power, replayed from a trace of each command that writes. Prints TAP lines.
# tests/power/main.mjs says how; POWER=N draws N disks for each command.
cd "$(dirname "$0")/../.." || exit 1
if ! command -v node >/dev/null; then
	echo 'ok - losses of power # skip no node'
	exit 0
fi
[ -n "${POWER:-}" ] || export POWER_REAL=1 # each costs a command
exec node tests/power/main.mjs "${POWER:-200}"
