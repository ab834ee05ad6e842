#!/bin/sh
# The example for authors of bots in C: short, and built with nothing but the public library.

example=tests/example_library.c
program=$BUILD/tests/example_library
mkdir -p "$BUILD/tests"
sanitizers=
case $BUILD in
*sanitize*) sanitizers=-fsanitize=address,undefined ;;
esac

name='the example of the library has at most 30 lines and includes one header of it'
lines=$(wc -l <"$example")
headers=$(grep -c '^#include .*allegra' "$example")
if [ "$lines" -le 30 ] && [ "$headers" -eq 1 ]; then
    echo "ok $name"
else
    echo "not ok $name: $lines lines, $headers headers"
fi

name='the example of the library builds without a warning'
if ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror $sanitizers -Ireferee/game "$example" \
    "$BUILD/lib/liballegra.a" -o "$program"; then
    echo "ok $name"
else
    echo "not ok $name: the compiler says why above"
    exit 1
fi

name='the example of the library plays a match and names a winner'
output=$("$program")
if [ $? -eq 0 ] && [ "$(echo "$output" | wc -l)" -eq 4 ] && echo "$output" | grep -q ', wins$'; then
    echo "ok $name"
else
    echo "not ok $name: it says $output"
fi
