#!/bin/sh
# The bundled bots as programs: fed with the lines of random matches, they answer every
# question once, with its number, legally, and end well.

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Compares the answers in the second file with the legal ones in the first.
judge='
FNR == NR && /^legal / { legal = "|" substr($0, 7) "|" }
FNR == NR && /^ask / { list[$2] = legal; asked++ }
FNR == NR { next }
FNR == 1 && !/^hello [a-z]+( [a-z]+=(on|off))*$/ { print "the first line is no hello: " $0 }
FNR == 1 { next }
/^say / && length($0) <= 124 && ++says <= 2 { next }
{
    says = 0
    number = $1
    answer = substr($0, length(number) + 2)
    if (number != ++answered)
        print "question " answered " is answered by: " $0
    else if (index(list[number], "|" answer "|") == 0)
        print "not legal: " $0 ", but " list[number]
}
END {
    if (answered != asked)
        print answered " answers to " asked " questions"
}'

# expect NAME LINES COMMAND...: gives the lines to a bot.
expect()
{
    name=$1 lines=$2
    shift 2
    "$@" <"$folder/$lines" >"$folder/answers" 2>"$folder/stderr"
    code=$?
    tr -d '\r' <"$folder/$lines" >"$folder/plain"
    awk "$judge" "$folder/plain" "$folder/answers" >"$folder/problems"
    if [ $code -ne 0 ] || [ -s "$folder/stderr" ] || [ -s "$folder/problems" ]; then
        echo "not ok $name: exit code $code"
        head -n 5 "$folder/problems" "$folder/stderr"
    else
        echo "ok $name"
    fi
}

# Runs a bot whose input comes a few bytes at a time.
in_pieces()
{
    dd bs=7 2>/dev/null | "$1"
}

"$BUILD/tests/transcript" 60 1 >"$folder/matches" || echo 'not ok transcript: cannot be written'
sed -e 's/^ask .*/& mood=good/' -e 's/^table .*/& moon=full/' -e 's/^match .*/weather sunny\n& stars=8/' \
    -e 's/$/\r/' "$folder/matches" >"$folder/rough"
grep -v '^bye' "$folder/matches" >"$folder/broken_off"

for bot in "$BUILD/bots/random" "$BUILD/bots/greedy" "$BUILD/bench/first_bot"; do
    word=$(basename "$bot")
    expect "$word answers every question legally" matches "$bot"
    expect "$word ends at the end of its input" broken_off "$bot"
    [ "$word" = first_bot ] && continue
    expect "$word passes over what it does not know" rough "$bot"
    expect "$word reads lines in pieces" matches in_pieces "$bot"
done

# Bots that search, with little to search so that it does not take long.
"$BUILD/tests/transcript" 12 2 >"$folder/few" || echo 'not ok transcript: cannot be written'
sed -e 's/^ask .*/& mood=good/' -e 's/$/\r/' "$folder/few" >"$folder/few_rough"
for word in strong negotiator; do
    expect "$word answers every question legally" few "$BUILD/bots/$word" --samples 1
    expect "$word passes over what it does not know" few_rough "$BUILD/bots/$word" --samples 1
    "$BUILD/bots/$word" --samples none </dev/null 2>/dev/null
    [ $? -eq 2 ] && echo "ok $word says how it is used" || echo "not ok $word says how it is used"
done

for bot in random greedy 'strong --samples 2' 'negotiator --samples 2'; do
    $BUILD/bots/$bot <"$folder/few" >"$folder/once"
    $BUILD/bots/$bot <"$folder/few" >"$folder/twice"
    if cmp -s "$folder/once" "$folder/twice"; then
        echo "ok $bot plays the same match in the same way"
    else
        echo "not ok $bot plays the same match in the same way"
    fi
done
