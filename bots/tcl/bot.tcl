#!/usr/bin/env tclsh
# A bot for ALLEGRA that keeps low cards and collects triples.
#
# The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
# us something; a line that begins with `ask` needs an answer. To make a better player, change
# the proc `worth`.

fconfigure stdout -buffering line ;# flush after every line
namespace path {::tcl::mathop ::tcl::mathfunc}

set columns {A B C D E}
set rows {1 2 3}
set cells {}
foreach row $rows {
    foreach column $columns {
        lappend cells $column$row
    }
}

set unseen 5    ;# an unseen card counts as about the mean
set bargain 4   ;# the top of the discard pile must save us this much
set disaster 20 ;# we end the round, and others have fewer points

# Reads "a=1 b=2" as a dict; fields without = are ignored.
proc readFacts {text} {
    set facts {}
    foreach {- key value} [regexp -all -inline {(\w+)=(\S*)} $text] {
        dict set facts $key $value
    }
    return $facts
}

# A display is a dict from A1 to what is there: 7, ? or . or _
proc readDisplay {text} {
    set display {}
    foreach cell $::cells face [split $text ,/] {
        dict set display $cell $face
    }
    return $display
}

proc newMatch {match} {
    set ::seat [dict get $match seat]
    set ::displays {} ;# by seat
    set ::table {}    ;# from the `table` line: round, turn, draw, discard, top, trigger, ...
    set ::legal {}    ;# the legal answers to the next question
    for {set seat 0} {$seat < [dict get $match seats]} {incr seat} {
        dict set ::displays $seat [readDisplay [join [lrepeat 15 ?] ,]]
    }
}

proc isCard {face} {
    return [expr {$face ne "." && $face ne "_"}]
}

proc points {face} {
    switch -- $face {
        ?       { return $::unseen }
        . - _   { return 0 }
        default { return $face }
    }
}

proc total {display} {
    return [+ {*}[lmap face [dict values $display] {points $face}]]
}

proc facesOfCards {display} {
    return [lmap face [dict values $display] {if {![isCard $face]} continue; set face}]
}

# How many equal cards a card would meet in a cell: 2 make a triple.
proc matches {display card cell} {
    lassign [split $cell ""] column row
    set down [lmap number $::rows {string cat $column $number}]
    set across [lmap letter $::columns {string cat $letter $row}]
    set threes {}
    foreach line [list $down $across] {
        set line [lmap other $line {
            if {[dict get $display $other] eq "."} continue ;# gaps do not separate
            set other
        }]
        for {set i 0} {$i + 3 <= [llength $line]} {incr i} {
            lappend threes [lrange $line $i $i+2]
        }
    }
    set most 0
    foreach three $threes {
        if {$cell ni $three} continue
        set equal 0
        foreach other $three {
            incr equal [expr {$other ne $cell && [dict get $display $other] eq $card}]
        }
        set most [max $most $equal]
    }
    return $most
}

# The points that we save by putting a card into a cell. A pair may become a triple.
proc gain {display card cell} {
    set bonus [lindex {0 0.5 3} [matches $display $card $cell]]
    return [expr {[points [dict get $display $cell]] - $card + $bonus * $card}]
}

proc bestGain {display card} {
    set best -$::disaster
    dict for {cell face} $display {
        if {[isCard $face]} {
            set best [max $best [gain $display $card $cell]]
        }
    }
    return $best
}

# Our last face-down card ends the round: bad for us unless we have the fewest points.
proc priceOfEnding {cell saved} {
    set own [dict get $::displays $::seat]
    if {[dict keys [dict filter $own value {\?}]] ne $cell} {
        return 0
    }
    set ours [expr {[total $own] - $saved}]
    dict for {seat display} $::displays {
        if {$seat != $::seat && [total $display] <= $ours} {
            return $::disaster
        }
    }
    return 0
}

# How good an answer is, in points. `asked` holds the details of the question.
proc worth {asked verb {where ""} args} {
    set own [dict get $::displays $::seat]
    switch -- $verb {
        pile    { return $::bargain }
        discard { return [bestGain $own [dict get $::table top]] }
        keep - place - put {
            set card [dict get $asked [expr {$verb eq "put" ? "taken" : "drawn"}]]
            set saved [gain $own $card $where]
            return [expr {$saved - [priceOfEnding $where $saved]}]
        }
        drop { return [expr {-[priceOfEnding $where 0]}] }
        knock {
            # Whoever accepts takes our best card, so this one must make a triple.
            set card [dict get $asked drawn]
            if {$where eq "" || [matches $own $card $where] < 2} {
                return -1
            }
            set lowest [min {*}[lmap face [facesOfCards $own] {points $face}]]
            return [expr {2 * $card + $lowest - 3}]
        }
        again { return -1 }
        accept {
            set faces [facesOfCards [dict get $::displays $where]]
            return [max 0 {*}[lmap face $faces {bestGain $own [points $face]}]]
        }
        decline { return [expr {[bestGain $own [dict get $asked drawn]] + 3}] }
        take {
            lassign [split $where :] knocker cell
            return [bestGain $own [points [dict get $::displays $knocker $cell]]]
        }
        clear { return [points [dict get $own $where]] }
        default {
            return 0 ;# turn any card, pass, toss, none
        }
    }
}

proc choose {asked} {
    set best pass
    set most -1000
    foreach answer $::legal {
        set mark [worth $asked {*}[split $answer]]
        if {$mark > $most} {
            set best $answer
            set most $mark
        }
    }
    return $best
}

newMatch {seats 2 seat 0}

while {[gets stdin line] >= 0} {
    set words [split [string trimright $line \r]]
    set rest [join [lrange $words 1 end]]
    switch -- [lindex $words 0] {
        allegra { puts "hello tcl legal=on events=off reuse=on" }
        match   { newMatch [readFacts $rest] }
        table   { set table [readFacts $rest] }
        display { dict set displays [lindex $words 1] [readDisplay [lindex $words 2]] }
        legal   { set legal [split $rest |] }
        ask {
            puts "[lindex $words 1] [choose [readFacts $rest]]"
            set legal {}
        }
        bye { break }
    } ;# We ignore what we do not know.
}
