#!/bin/sh
# A bot for ALLEGRA that keeps low cards and collects triples.
#
# The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
# us something; a line that begins with `ask` needs an answer. To make a better player, change
# the function worth().
#
# The next line is for sh, which starts awk with this file; mawk must be told to read by line.
# For awk it is a pattern that is never true.
"exec" "awk" "$(awk -W version </dev/null 2>&1 | grep -q ^mawk && echo -Winteractive || echo -vmawk=no)" "-f" "$0" && 0

BEGIN {
    UNSEEN = 5     # an unseen card counts as about the mean
    BARGAIN = 4    # the top of the discard pile must save us this much
    DISASTER = 20  # we end the round, and others have fewer points
    for (row = 1; row <= 3; row++)
        for (column = 1; column <= 5; column++)
            cell_name[++cells] = substr("ABCDE", column, 1) row
}

{ sub(/\r$/, "") }

# We ignore what we do not know.
$1 == "allegra" { say("hello awk legal=on events=off reuse=on") }
$1 == "match"   { new_match() }
$1 == "table"   { read_facts(table) }
$1 == "display" { read_display($2, $3) }
$1 == "legal"   { answers = split(substr($0, 7), legal, /[|]/) }
$1 == "ask"     { read_facts(asked); say($2 " " choose()); answers = 0 }
$1 == "bye"     { exit }

function say(text) {
    print text
    fflush()
}

# Fills an array with the `key=value` fields of this line.
function read_facts(facts,    i, equals) {
    split("", facts)
    for (i = 2; i <= NF; i++)
        if (equals = index($i, "="))
            facts[substr($i, 1, equals - 1)] = substr($i, equals + 1)
}

function new_match(    facts, who) {
    read_facts(facts)
    seats = facts["seats"]
    seat = facts["seat"]
    answers = 0
    for (who = 0; who < seats; who++)
        read_display(who, "?,?,?,?,?/?,?,?,?,?/?,?,?,?,?")
}

# face[0, "A1"] is what is there: 7, ? or . or _
function read_display(who, rows,    list, i) {
    split(rows, list, /[,\/]/)
    for (i = 1; i <= cells; i++)
        face[who, cell_name[i]] = list[i]
}

function is_card(what) {
    return what != "." && what != "_"
}

function points(what) {
    return what == "?" ? UNSEEN : is_card(what) ? what + 0 : 0
}

function total(who,    i, sum) {
    for (i = 1; i <= cells; i++)
        sum += points(face[who, cell_name[i]])
    return sum + 0
}

# One cell as a character: X is where the card goes, = an equal card, - any other; a gap is empty.
function letter(card, cell, other) {
    if (other == cell)
        return "X"
    if (face[seat, other] == ".")
        return ""
    return face[seat, other] == card "" ? "=" : "-"
}

# How many equal cards a card would meet in our cell: 2 make a triple.
function matches(card, cell,    line, column, i) {
    for (i = 1; i <= 5; i++)
        line = line letter(card, cell, substr("ABCDE", i, 1) substr(cell, 2))
    for (i = 1; i <= 3; i++)
        column = column letter(card, cell, substr(cell, 1, 1) i)
    line = line " " column
    if (line ~ /==X|=X=|X==/)
        return 2
    return line ~ /=X[=-]|[=-]=X|=[=-]X|X=[=-]|[=-]X=|X[=-]=/
}

# The points that we save by putting a card into our cell. A pair may become a triple.
function gain(card, cell,    equal) {
    equal = matches(card, cell)
    return points(face[seat, cell]) - card + (equal == 2 ? 3 * card : equal * card / 2)
}

function best_gain(card,    i, now, best) {
    best = -DISASTER
    for (i = 1; i <= cells; i++)
        if (is_card(face[seat, cell_name[i]]) && (now = gain(card, cell_name[i])) > best)
            best = now
    return best
}

# Our last face-down card ends the round: bad for us unless we have the fewest points.
function price_of_ending(cell, saved,    i, who) {
    for (i = 1; i <= cells; i++)
        if ((face[seat, cell_name[i]] == "?") != (cell_name[i] == cell))
            return 0
    for (who = 0; who < seats; who++)
        if (who != seat && total(who) <= total(seat) - saved)
            return DISASTER
    return 0
}

# The lowest of our cards, and the best that another player has for us.
function lowest(    i, low) {
    low = UNSEEN
    for (i = 1; i <= cells; i++)
        if (is_card(face[seat, cell_name[i]]) && points(face[seat, cell_name[i]]) < low)
            low = points(face[seat, cell_name[i]])
    return low
}

function best_of(who,    i, now, best) {
    for (i = 1; i <= cells; i++)
        if (is_card(face[who, cell_name[i]]) && (now = best_gain(points(face[who, cell_name[i]]))) > best)
            best = now
    return best + 0
}

# How good an answer is, in points. The array `asked` holds the details of the question.
function worth(answer,    word, verb, where, card, saved) {
    split(answer, word, " ")
    verb = word[1]
    where = word[2]
    card = ("taken" in asked ? asked["taken"] : asked["drawn"]) + 0
    if (verb == "pile")
        return BARGAIN
    if (verb == "discard")
        return best_gain(table["top"] + 0)
    if (verb == "keep" || verb == "place" || verb == "put") {
        saved = gain(card, where)
        return saved - price_of_ending(where, saved)
    }
    if (verb == "drop")
        return -price_of_ending(where, 0)
    if (verb == "knock")  # Whoever accepts takes our best card, so this one must make a triple.
        return where != "" && matches(card, where) == 2 ? 2 * card + lowest() - 3 : -1
    if (verb == "again")
        return -1
    if (verb == "accept")
        return best_of(where)
    if (verb == "decline")
        return best_gain(card) + 3
    if (verb == "take")
        return best_gain(points(face[substr(where, 1, 1), substr(where, 3)]))
    if (verb == "clear")
        return points(face[seat, where])
    return 0  # turn any card, pass, toss, none
}

function choose(    i, now, best, most) {
    best = "pass"
    most = -1000
    for (i = 1; i <= answers; i++)
        if ((now = worth(legal[i])) > most) {
            best = legal[i]
            most = now
        }
    return best
}
