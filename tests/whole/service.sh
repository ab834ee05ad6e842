#!/bin/sh
# What is installed for systemd: files that it accepts, which start the program that was installed.

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
case $BUILD in
*sanitize*) sanitize=1 ;;
*) sanitize= ;;
esac

# The flags of a make around this one are not for the one within.
install_to()
{
    env -u MAKEFLAGS -u MFLAGS make --no-print-directory O="${BUILD%/sanitize}" SANITIZE=$sanitize "$@" >"$folder/output" 2>&1
}

# expect NAME COMMAND...: whether the command succeeds.
expect()
{
    name=$1
    shift
    if "$@" >>"$folder/output" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name: $(tail -n 5 "$folder/output")"
    fi
}

units=lib/systemd/system
install_to PREFIX="$folder/root" install
expect 'the service runs as a user of its own' grep -qx 'User=referee' "$folder/root/$units/referee.service"
expect 'the socket is only for its owner' \
    grep -qx 'SocketMode=0600' "$folder/root/$units/referee.socket"

name='systemd accepts the service and its socket'
if ! command -v systemd-analyze >/dev/null; then
    echo "skip $name: systemd-analyze is not installed"
    exit 0
fi
systemd-analyze --man=no verify "$folder/root/$units/referee.service" \
    "$folder/root/$units/referee.socket" >"$folder/said" 2>&1
# It looks at all units of the machine, and what is said about others is not ours.
if [ $? -eq 0 ] && ! grep -q 'referee\.' "$folder/said"; then
    echo "ok $name"
else
    echo "not ok $name: $(cat "$folder/said")"
fi
