#!/bin/sh
# Installs the test-only npm packages by their lock file, once for each lock file.
set -eu
cd "$(dirname "$0")/../npm"
stamp=node_modules/.installed
if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
	exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json "$stamp"
