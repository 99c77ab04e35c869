#!/bin/sh
# Fails when a committed generated source is not what its source gives.
set -eu
cd "$(dirname "$0")/../.."
before=$(cat templates/*_templ.go engine/screen/*_table.go | cksum)
${GO:-go} tool templ generate -path templates -log-level error
${GO:-go} generate ./engine/screen
after=$(cat templates/*_templ.go engine/screen/*_table.go | cksum)
if [ "$before" != "$after" ]; then
	echo "generated sources were stale: run 'make generate' and commit the result" >&2
	exit 1
fi
