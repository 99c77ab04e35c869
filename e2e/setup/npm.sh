#!/bin/sh
# Installs the test-only npm packages by their lock files, once for each lock
# file: what checks use, the development chain, and somebody else's x402 client.
# The last two need different versions of one package, hence folders of their own.
set -eu
cd "$(dirname "$0")/.."
for folder in npm devnet x402; do
	stamp=$folder/node_modules/.installed
	if [ -f "$stamp" ] && cmp -s "$folder/package-lock.json" "$stamp"; then
		continue
	fi
	(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	cp "$folder/package-lock.json" "$stamp"
done
