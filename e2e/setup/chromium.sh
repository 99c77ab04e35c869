#!/bin/sh
# Sees to it that a Chromium for the browser tests is there: installs Debian's
# package where it is missing and this is root, else says what to install.
set -eu
for name in chromium chromium-browser google-chrome; do
	if command -v "$name" >/dev/null 2>&1; then
		exit 0
	fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing chromium (Debian's package)"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
	exit 0
fi
echo "The browser tests need Chromium, and it is not installed. Install it, then run this again:" >&2
echo "    sudo apt-get install chromium fonts-dejavu-core" >&2
exit 1
