#!/bin/sh
# Sees to it that PostgreSQL's programs are there for the tests, which start it
# themselves: installs Debian's package where it is missing and this is root,
# else says what to install.
set -eu
if command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
	exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing postgresql (Debian's package)"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	# The package would make a database of its own and start it.
	apt-get install -y -qq --no-install-recommends postgresql-common >/dev/null
	sed -i 's/^#* *create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
	apt-get install -y -qq --no-install-recommends postgresql >/dev/null
	exit 0
fi
echo "The tests of the store need PostgreSQL, and it is not installed. Install it, then run this again:" >&2
echo "    sudo apt-get install postgresql" >&2
exit 1
