#!/bin/sh
# Runs every fuzz target of the module for a time each. Left alone, Go spends the
# whole of it on making the first interesting input smaller.
set -eu
cd "$(dirname "$0")/../.."
time=${1:-30s}
grep -rl --include='*_test.go' '^func Fuzz' engine wasm static server | while read -r file; do
	grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/^func //' | while read -r target; do
		echo "$target in $(dirname "$file")"
		${GO:-go} test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 100x "./$(dirname "$file")"
	done
done
