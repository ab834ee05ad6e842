#!/bin/sh
# The public library needs nothing but string.h: no allocator, no input or output, no clock.

library=$BUILD/lib/libreferee.a
name='the library calls nothing but the functions of string.h'

case $BUILD in
*sanitize*)
    echo "skip $name: sanitizers add calls of their own"
    exit 0
    ;;
esac

# Besides string.h: what the compiler itself calls to guard the stack and to check copies.
functions='memchr|memcmp|memcpy|memmove|memset|strchr|strcmp|strcspn|strlen|strncmp|strrchr|strspn'
guards='__(memcpy|memmove|memset)_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
export LC_ALL=C
nm --defined-only "$library" | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | sort -u >"$library.own"
foreign=$(nm --undefined-only "$library" | awk '$1 == "U" { print $2 }' | sort -u |
    comm -23 - "$library.own" | grep -v -x -E "$functions|$guards")
rm -f "$library.own"
if [ -z "$foreign" ]; then
    echo "ok $name"
else
    echo "not ok $name: it calls" $foreign
fi
