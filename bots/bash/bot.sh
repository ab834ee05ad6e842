#!/usr/bin/env bash
# A bot for ALLEGRA that keeps low cards and collects triples.
#
# The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
# us something; a line that begins with `ask` needs an answer. To make a better player, change
# the function `worth`.
#
# No line starts another process: functions return their result in $REPLY, and fields are split by
# leaving out the quotes. All scores are in half points, because bash has only integers.
# shellcheck disable=SC2206,SC2086

set -f # a ? is a face-down card, not a pattern for file names

declare -a displays # by seat: what is in its 15 cells, 7 or ? or . or _
declare -a own      # ours, cell by cell
declare -A table    # from the `table` line: round, turn, draw, discard, top, trigger, ...
declare -A asked    # the details of the question: drawn, from, knocker, ...
declare -a legal    # the legal answers to the next question
declare -A best     # the best gain of a card, as far as it is known for this question
declare -i seats=2 seat=0

readonly all_down='? ? ? ? ? ? ? ? ? ? ? ? ? ? ?'
readonly bargain=8   # half points that the top of the discard pile must save us
readonly disaster=40 # we end the round, and others have fewer points

# What a cell counts. An unseen card counts as about the mean.
declare -A points=(['?']=5 [.]=0 [_]=0)
for card in {-1..11}; do points[$card]=$card; done

# Cells by name: A1 is 0, B1 is 1, E3 is 14.
declare -A cells
i=0
for name in {A,B,C,D,E}1 {A,B,C,D,E}2 {A,B,C,D,E}3; do cells[$name]=$((i++)); done

# read_facts NAME WORD...: fills an associative array with the `key=value` fields.
read_facts() {
    local -n facts=$1
    local word
    facts=()
    for word in "${@:2}"; do
        [[ $word == ?*=* ]] && facts[${word%%=*}]=${word#*=}
    done
}

new_match() {
    local -A match
    read_facts match "$@"
    seats=${match[seats]} seat=${match[seat]} legal=() displays=()
    for ((i = 0; i < seats; i++)); do displays[i]=$all_down; done
}

total() {
    local face sum=0
    for face in ${displays[$1]}; do ((sum += ${points[$face]})); done
    REPLY=$sum
}

# draw_line CARD CELL OTHER...: cells as characters. X is where the card goes, = an equal
# card, - any other; a gap is left out.
draw_line() {
    local card=$1 cell=$2 other
    REPLY=
    for other in "${@:3}"; do
        case $other:${own[other]} in
        "$cell":*) REPLY+=X ;;
        *:"$card") REPLY+='=' ;;
        *:.) ;;
        *) REPLY+=- ;;
        esac
    done
}

# matches CARD CELL: how many equal cards it would meet in our cell; 2 make a triple.
matches() {
    local column=$(($2 % 5)) row=$(($2 / 5 * 5)) lines
    REPLY=0
    [[ " ${own[*]} " == *" $1 "* ]] || return
    draw_line "$1" "$2" $row $((row + 1)) $((row + 2)) $((row + 3)) $((row + 4))
    lines=$REPLY
    draw_line "$1" "$2" $column $((column + 5)) $((column + 10))
    lines+=" $REPLY"
    case $lines in
    *==X* | *=X=* | *X==*) REPLY=2 ;;
    *=X-* | *-=X* | *=-X* | *X=-* | *-X=* | *X-=*) REPLY=1 ;;
    *) REPLY=0 ;;
    esac
}

# gain CARD CELL: the half points that we save by laying it there. A pair is the hope for a triple.
gain() {
    local bonus=(0 1 6)
    matches "$1" "$2"
    REPLY=$((2 * (${points[${own[$2]}]} - $1) + ${bonus[REPLY]} * $1))
}

# best_gain CARD: the most that we can save by laying it anywhere.
best_gain() {
    local cell most=-$disaster
    if [[ -z ${best[$1]} ]]; then
        for cell in "${!own[@]}"; do
            [[ ${own[cell]} == [._] ]] && continue
            gain "$1" "$cell"
            ((REPLY > most)) && most=$REPLY
        done
        best[$1]=$most
    fi
    REPLY=${best[$1]}
}

# best_of SEAT: the most that we could save by taking one of its cards.
best_of() {
    local face most=0
    for face in ${displays[$1]}; do
        [[ $face == [._] ]] && continue
        best_gain "${points[$face]}"
        ((REPLY > most)) && most=$REPLY
    done
    REPLY=$most
}

# price_of_ending CELL SAVED: our last face-down card ends the round, which is bad for us unless we
# have the fewest points.
price_of_ending() {
    local who ours others=("${own[@]}")
    REPLY=0
    others[$1]=
    [[ ${own[$1]} == '?' && ${others[*]} != *'?'* ]] || return
    total "$seat"
    ours=$((2 * REPLY - $2))
    for who in "${!displays[@]}"; do
        total "$who"
        ((who != seat && 2 * REPLY <= ours)) && { REPLY=$disaster; return; }
    done
    REPLY=0
}

# worth_knocking CARD [CELL]: who accepts takes the best of our cards, so it has to make a triple.
worth_knocking() {
    local face low=5
    REPLY=0
    [[ -n $2 ]] && matches "$1" "$2"
    ((REPLY == 2)) || { REPLY=-1; return; }
    for face in "${own[@]}"; do
        [[ $face != [._] ]] && ((${points[$face]} < low)) && low=${points[$face]}
    done
    REPLY=$((2 * (2 * $1 + low - 3)))
}

# worth VERB [WHERE]: how good an answer is, in half points.
worth() {
    local card=${asked[taken]:-${asked[drawn]}} cell saved
    local -a other
    cell=${2:+${cells[${2#*:}]}}
    case $1 in
    pile) REPLY=$bargain ;;
    discard) best_gain "${table[top]}" ;;
    keep | place | put)
        gain "$card" "$cell"
        saved=$REPLY
        price_of_ending "$cell" "$saved"
        REPLY=$((saved - REPLY))
        ;;
    drop)
        price_of_ending "$cell" 0
        REPLY=$((-REPLY))
        ;;
    knock) worth_knocking "$card" "$cell" ;;
    again) REPLY=-1 ;;
    accept) best_of "$2" ;;
    decline)
        best_gain "$card"
        ((REPLY += 6))
        ;;
    take)
        other=(${displays[${2%:*}]})
        best_gain "${points[${other[cell]}]}"
        ;;
    clear) REPLY=${points[${own[cell]}]} ;;
    *) REPLY=0 ;; # turn any card, pass, toss, none
    esac
}

choose() {
    local answer choice=pass most=-1000
    own=(${displays[seat]}) best=()
    for answer in "${legal[@]}"; do
        worth $answer
        ((REPLY > most)) && choice=$answer most=$REPLY
    done
    REPLY=$choice
}

while IFS= read -r line; do
    words=(${line%$'\r'})
    case ${words[0]} in
    allegra) echo 'hello bash legal=on events=off reuse=on' ;;
    match) new_match "${words[@]:1}" ;;
    table) read_facts table "${words[@]:1}" ;;
    display) displays[words[1]]=${words[2]//[,\/]/ } ;;
    legal) IFS='|' read -ra legal <<<"${words[*]:1}" ;;
    ask)
        read_facts asked "${words[@]:4}"
        choose
        echo "${words[1]} $REPLY"
        legal=()
        ;;
    bye) break ;;
    esac # We ignore what we do not know.
done
