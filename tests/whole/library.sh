#!/bin/sh
# The public library: its header can be used beside others, it exports nothing that the header does
# not declare, and it needs nothing but string.h.

library=$BUILD/lib/liballegra.a
header=referee/game/allegra.h
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export LC_ALL=C

# check NAME OUTPUT: a test that fails if there is any output.
check()
{
    if [ -z "$2" ]; then
        echo "ok $1"
    else
        echo "not ok $1:" $2
    fi
}

# The declarations of libevent come first in one file and last in the other.
cat >"$folder/first.c" <<'END'
#include <allegra.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <allegra.h>
int main(void)
{
    struct event event;
    struct allegra_event mine = {0};
    return (int)sizeof event == mine.kind;
}
END
{ echo '#include <event2/event_struct.h>'; grep -v event_struct "$folder/first.c"; } >"$folder/last.c"
cp "$folder/first.c" "$folder/first.cpp"
echo '#include <allegra.h>' >"$folder/alone.c"
echo 'typedef int nothing;' >>"$folder/alone.c"

flags="-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -Ireferee/game"
for standard in c99 c11 c17; do
    check "the header compiles as $standard, alone and beside libevent" \
        "$(${CC:-cc} -std=$standard $flags "$folder"/*.c 2>&1 | head -n 5)"
done
if command -v g++ >/dev/null; then
    check 'the header compiles as C++ beside libevent' \
        "$(g++ -std=c++11 $flags -Wno-missing-field-initializers "$folder/first.cpp" 2>&1 | head -n 5)"
else
    echo 'skip the header compiles as C++ beside libevent: there is no g++'
fi

# Macros, tags, enumerators and functions, as the header spells them.
check 'the header declares nothing without the prefix' "$({
    grep -hoE '^#define +\w+' "$header" | awk '{ print $2 }'
    grep -oE '^(struct|enum|union) +\w+ +\{' "$header" | awk '{ print $2 }'
    sed -n '/^enum/,/};/p' "$header" | grep -oE '^    [A-Z]\w+'
    grep -oE '\b\w+\(' "$header" | tr -d '(' | grep -vE '^(UINT64_C|__builtin_ctz|snprintf)$'
} | tr -d ' ' | grep -vE '^(allegra_|ALLEGRA_)' | sort -u)"

check 'the header includes only headers of the standard' \
    "$(grep '#include' "$header" | grep -vE '<(stdbool|stddef|stdint)\.h>')"

check 'the bots include nothing of the referee but this header' \
    "$(grep -rnE '#include "(base|game|wire|bot|match)/' bots)"

nm --defined-only "$library" | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | sort -u >"$folder/own"
grep -oE '\ballegra_\w+\(' "$header" | tr -d '(' | sort -u >"$folder/declared"
check 'every symbol of the library is declared in its header, with its prefix' \
    "$(comm -23 "$folder/own" "$folder/declared"; grep -v '^allegra_' "$folder/own")"

case $BUILD in
*sanitize*)
    echo 'skip the library calls only functions of string.h: sanitizers add calls of their own'
    exit 0
    ;;
esac

# Besides string.h: what the compiler itself calls to guard the stack and to check copies.
functions='memchr|memcmp|memcpy|memmove|memset|strchr|strcmp|strcspn|strlen|strncmp|strrchr|strspn'
guards='__(memcpy|memmove|memset)_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
check 'the library calls only functions of string.h' \
    "$(nm --undefined-only "$library" | awk '$1 == "U" { print $2 }' | sort -u |
        comm -23 - "$folder/own" | grep -v -x -E "$functions|$guards")"
