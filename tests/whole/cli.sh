#!/bin/sh
# The command line: help, version, exit codes. mistakes.py has all mistakes.

referee=$BUILD/referee
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# expect NAME CODE STDOUT STDERR ARGUMENT...: runs the referee and compares its exit code and, as
# patterns of case, its two outputs.
expect()
{
    name=$1 code=$2 stdout=$3 stderr=$4
    shift 4
    "$referee" "$@" >"$folder/stdout" 2>"$folder/stderr"
    actual=$?
    if [ $actual -ne "$code" ]; then
        echo "not ok $name: exit code $actual, not $code"
    elif ! matches "$folder/stdout" "$stdout" || ! matches "$folder/stderr" "$stderr"; then
        echo "not ok $name: the output is"
        cat "$folder/stdout" "$folder/stderr"
    else
        echo "ok $name"
    fi
}

matches()
{
    case $(cat "$1") in
    $2) return 0 ;;
    *) return 1 ;;
    esac
}

expect 'the version is printed' 0 'referee 0.1.0' '' --version
expect 'the help lists the commands' 0 'usage: *rules *' '' --help
expect 'without a command the help goes to stderr' 2 '' 'usage: *'
expect 'a mistyped command is answered with the nearest one' 2 '' \
    'referee: there is no command `ruels`; did you mean `rules`[?]' ruels
expect 'a command unlike any other is answered with the way to the help' 2 '' \
    'referee: there is no command `xyzzy`; `referee help` lists them' xyzzy
expect 'an option before the command is told where it belongs' 2 '' \
    'referee: options follow a command: `referee COMMAND --colour`*' --colour

if [ -w /dev/full ]; then
    "$referee" --version >/dev/full 2>"$folder/stderr"
    code=$?
    if [ $code -eq 1 ] && grep -q 'cannot write the output' "$folder/stderr"; then
        echo 'ok output that cannot be written is a failure'
    else
        echo "not ok output that cannot be written is a failure: exit code $code"
    fi
else
    echo 'skip output that cannot be written is a failure: there is no /dev/full'
fi
