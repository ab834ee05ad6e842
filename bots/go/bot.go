// A bot for ALLEGRA that keeps low cards and collects triples.
//
// The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
// us something; a line that begins with "ask" needs an answer. To make a better player, change
// worth.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

const (
	columns  = 5
	cells    = 15
	unseen   = 5  // an unseen card counts as about the mean
	bargain  = 4  // the top of the discard pile must save us this much
	disaster = 20 // we end the round, and others have fewer points
)

// Display has the cells of a seat, "7", "?", "." or "_", in the order A1 B1 ... E1 A2 ... E3.
type Display [cells]string

func parseDisplay(text string) (display Display) {
	copy(display[:], strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '/' }))
	return display
}

func (d *Display) hasCard(cell int) bool { return d[cell] != "." && d[cell] != "_" }

func (d *Display) points(cell int) int {
	switch d[cell] {
	case ".", "_":
		return 0
	case "?":
		return unseen
	}
	return number(d[cell])
}

func (d *Display) total() (sum int) {
	for cell := range d {
		sum += d.points(cell)
	}
	return sum
}

func (d *Display) lowest() int {
	low := unseen
	for cell := range d {
		if d.hasCard(cell) && d.points(cell) < low {
			low = d.points(cell)
		}
	}
	return low
}

// equalIn counts the cells of three that show the card, if cell is one of them and none is a gap.
func (d *Display) equalIn(three []int, card, cell int) (equal int) {
	found := false
	for _, other := range three {
		if d[other] == "." {
			return 0
		}
		if other == cell {
			found = true
		} else if d[other] == strconv.Itoa(card) {
			equal++
		}
	}
	if !found {
		return 0
	}
	return equal
}

// matches says how many equal cards a card would meet in a cell: 2 make a triple. Gaps in a row do
// not separate cards.
func (d *Display) matches(card, cell int) int {
	column := cell % columns
	most := d.equalIn([]int{column, column + columns, column + 2*columns}, card, cell)

	var line []int
	for i := cell - column; i < cell-column+columns; i++ {
		if d[i] != "." {
			line = append(line, i)
		}
	}
	for i := 0; i+3 <= len(line); i++ {
		if equal := d.equalIn(line[i:i+3], card, cell); equal > most {
			most = equal
		}
	}
	return most
}

// gain says how many points we save by putting a card into a cell. A pair may become a triple.
func (d *Display) gain(card, cell int) float64 {
	saved := float64(d.points(cell) - card)
	switch d.matches(card, cell) {
	case 2:
		saved += 3 * float64(card)
	case 1:
		saved += float64(card) / 2
	}
	return saved
}

func (d *Display) bestGain(card int) float64 {
	best := float64(-disaster)
	for cell := range d {
		if d.hasCard(cell) {
			best = math.Max(best, d.gain(card, cell))
		}
	}
	return best
}

// Facts are fields such as "drawn=3 from=pile".
type Facts map[string]string

func parseFacts(words []string) Facts {
	facts := Facts{}
	for _, word := range words {
		if key, value, found := strings.Cut(word, "="); found {
			facts[key] = value
		}
	}
	return facts
}

// number returns 0 for text that is not a number.
func number(text string) int {
	value, _ := strconv.Atoi(text)
	return value
}

// cellOf reads "B3" and "2:B3" as 11, and returns -1 for text that names no cell.
func cellOf(text string) int {
	if len(text) < 2 {
		return -1
	}
	text = text[len(text)-2:]
	return int(text[0]-'A') + int(text[1]-'1')*columns
}

// Table is what the referee has told us about this match.
type Table struct {
	seat     int
	displays []Display
	facts    Facts    // from the "table" line: round, turn, draw, discard, top, trigger, ...
	legal    []string // the legal answers to the next question
}

func newTable(seats, seat int) *Table {
	table := &Table{seat: seat, displays: make([]Display, seats)}
	for i := range table.displays {
		table.displays[i] = parseDisplay("?,?,?,?,?/?,?,?,?,?/?,?,?,?,?")
	}
	return table
}

// priceOfEnding is what it costs to turn up our last card while somebody else has fewer points.
func (t *Table) priceOfEnding(cell int, saved float64) float64 {
	own := &t.displays[t.seat]
	for other := range own {
		if (own[other] == "?") != (other == cell) {
			return 0
		}
	}
	for seat := range t.displays {
		if seat != t.seat && float64(t.displays[seat].total()) <= float64(own.total())-saved {
			return disaster
		}
	}
	return 0
}

func (t *Table) mostToTake(knocker *Display) (most float64) {
	for cell := range knocker {
		if knocker.hasCard(cell) {
			most = math.Max(most, t.displays[t.seat].bestGain(knocker.points(cell)))
		}
	}
	return most
}

// worth says how good an answer is, in points; asked holds the details of the question.
func (t *Table) worth(asked Facts, answer string) float64 {
	verb, where, _ := strings.Cut(answer, " ")
	own := &t.displays[t.seat]
	card := number(asked["drawn"] + asked["taken"]) // there is only one of them
	cell := cellOf(where)

	switch verb {
	case "discard":
		return own.bestGain(number(t.facts["top"]))
	case "pile":
		return bargain
	case "keep", "place", "put":
		saved := own.gain(card, cell)
		return saved - t.priceOfEnding(cell, saved)
	case "drop":
		return -t.priceOfEnding(cell, 0)
	case "knock": // Whoever accepts takes our best card, so this one must make a triple.
		if cell >= 0 && own.matches(card, cell) == 2 {
			return float64(2*card + own.lowest() - 3)
		}
		return -1
	case "accept":
		return t.mostToTake(&t.displays[number(where)])
	case "decline":
		return own.bestGain(card) + 3
	case "again":
		return -1
	case "take":
		return own.bestGain(t.displays[number(asked["knocker"])].points(cell))
	case "clear":
		return float64(own.points(cellOf(where[:2])))
	}
	return 0 // turn any card, pass, toss, none
}

func (t *Table) choose(asked Facts) string {
	best, most := "pass", math.Inf(-1)
	for _, answer := range t.legal {
		if worth := t.worth(asked, answer); worth > most {
			best, most = answer, worth
		}
	}
	return best
}

func main() {
	table := newTable(2, 0)
	input := bufio.NewScanner(os.Stdin)

	for input.Scan() { // Scan also drops a CR at the end of the line.
		words := strings.Fields(input.Text())
		if len(words) == 0 {
			continue
		}
		switch word, rest := words[0], words[1:]; word {
		case "allegra":
			fmt.Println("hello go legal=on events=off reuse=on")
		case "match":
			match := parseFacts(rest)
			table = newTable(number(match["seats"]), number(match["seat"]))
		case "table":
			table.facts = parseFacts(rest)
		case "display":
			table.displays[number(rest[0])] = parseDisplay(rest[1])
		case "legal":
			table.legal = strings.Split(strings.Join(rest, " "), "|")
		case "ask":
			fmt.Println(rest[0], table.choose(parseFacts(rest)))
			table.legal = nil
		case "bye":
			return
		} // We ignore what we do not know.
	}
}
