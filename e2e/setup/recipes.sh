#!/bin/sh
# Sees to it that the tools are there with which the verify page's recipes are run:
# OpenSSL 3 and Python with its package cryptography. Installs Debian's packages
# where they are missing and this is root, else says what to install.
set -eu
have() {
	openssl version 2>/dev/null | grep -q '^OpenSSL [3-9]' && python3 -c 'import cryptography' 2>/dev/null
}
if have; then
	exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing openssl and python3-cryptography (Debian's packages)"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends openssl python3-cryptography >/dev/null
	have && exit 0
fi
echo "The tests of the recipes need OpenSSL 3 and Python with cryptography. Install them, then run this again:" >&2
echo "    sudo apt-get install openssl python3-cryptography" >&2
exit 1
