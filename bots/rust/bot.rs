//! A bot for ALLEGRA that keeps low cards and collects triples.
//!
//! The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
//! us something; a line that begins with `ask` needs an answer. To make a better player, change
//! `Table::worth`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

const COLUMNS: usize = 5;
const UNSEEN: i32 = 5; // an unseen card counts as about the mean
const BARGAIN: f64 = 4.0; // the top of the discard pile must save us this much
const DISASTER: f64 = 20.0; // we end the round, and others have fewer points

/// What is in a cell.
#[derive(Clone, Copy, PartialEq)]
enum Face {
    Up(i32),
    Down,
    Gap,
    Hole,
}

impl Face {
    fn parse(text: &str) -> Face {
        match text {
            "." => Face::Gap,
            "_" => Face::Hole,
            _ => text.parse().map_or(Face::Down, Face::Up),
        }
    }

    fn points(self) -> i32 {
        match self {
            Face::Up(card) => card,
            Face::Down => UNSEEN,
            Face::Gap | Face::Hole => 0,
        }
    }

    fn is_card(self) -> bool {
        matches!(self, Face::Up(_) | Face::Down)
    }
}

/// The cells of a seat, in the order A1 B1 ... E1 A2 ... E3.
#[derive(Clone)]
struct Display([Face; 15]);

impl Display {
    fn parse(text: &str) -> Display {
        let mut faces = [Face::Down; 15];
        for (face, text) in faces.iter_mut().zip(text.split(&[',', '/'][..])) {
            *face = Face::parse(text);
        }
        Display(faces)
    }

    fn total(&self) -> i32 {
        self.0.iter().map(|face| face.points()).sum()
    }

    /// The cells that hold a card.
    fn cards(&self) -> impl Iterator<Item = usize> + '_ {
        (0..15).filter(|&cell| self.0[cell].is_card())
    }

    /// The most equal cards that a card would meet in a cell: 2 make a triple. Gaps in a row do not
    /// separate cards.
    fn matches(&self, card: i32, cell: usize) -> usize {
        let column = cell % COLUMNS;
        let start = cell - column;
        let line: Vec<usize> = (start..start + COLUMNS)
            .filter(|&i| self.0[i] != Face::Gap)
            .collect();
        let column = [column, column + COLUMNS, column + 2 * COLUMNS];

        line.windows(3)
            .chain(std::iter::once(&column[..]))
            .filter(|three| three.contains(&cell) && three.iter().all(|&i| self.0[i] != Face::Gap))
            .map(|three| {
                three
                    .iter()
                    .filter(|&&i| i != cell && self.0[i] == Face::Up(card))
                    .count()
            })
            .max()
            .unwrap_or(0)
    }

    /// The points that we save by putting a card into a cell. A pair may become a triple.
    fn gain(&self, card: i32, cell: usize) -> f64 {
        let bonus = match self.matches(card, cell) {
            2 => 3.0,
            1 => 0.5,
            _ => 0.0,
        };
        f64::from(self.0[cell].points() - card) + bonus * f64::from(card)
    }

    fn best_gain(&self, card: i32) -> f64 {
        self.cards()
            .map(|cell| self.gain(card, cell))
            .fold(-DISASTER, f64::max)
    }
}

/// The numbers among fields such as `drawn=3 from=pile`.
type Facts = HashMap<String, i32>;

fn read_facts(text: &str) -> Facts {
    text.split(' ')
        .filter_map(|word| word.split_once('='))
        .filter_map(|(key, value)| Some((key.to_string(), value.parse().ok()?)))
        .collect()
}

/// "B3" is cell 11.
fn cell_of(text: &str) -> Option<usize> {
    let column = "ABCDE".find(text.get(0..1)?)?;
    let row = "123".find(text.get(1..2)?)?;
    Some(row * COLUMNS + column)
}

/// What the referee has told us about this match.
struct Table {
    seat: usize,
    displays: Vec<Display>,
    facts: Facts,       // from the `table` line: round, turn, draw, discard, top, trigger
    legal: Vec<String>, // the legal answers to the next question
}

impl Table {
    fn new(facts: &Facts) -> Table {
        let number = |key, otherwise| facts.get(key).map_or(otherwise, |&value| value as usize);
        Table {
            seat: number("seat", 0),
            displays: vec![Display([Face::Down; 15]); number("seats", 2)],
            facts: Facts::new(),
            legal: Vec::new(),
        }
    }

    /// Our last face-down card ends the round: bad for us unless we have the fewest points.
    fn price_of_ending(&self, cell: usize, saved: f64) -> f64 {
        let own = &self.displays[self.seat];
        let is_last = own.cards().filter(|&i| own.0[i] == Face::Down).eq([cell]);
        let ours = f64::from(own.total()) - saved;
        let mut others = self
            .displays
            .iter()
            .enumerate()
            .filter(|&(seat, _)| seat != self.seat);
        let leads = others.all(|(_, display)| ours < f64::from(display.total()));
        if is_last && !leads {
            DISASTER
        } else {
            0.0
        }
    }

    /// How good an answer is, in points; none if we do not know that kind of answer.
    fn worth(&self, asked: &Facts, answer: &str) -> Option<f64> {
        let own = &self.displays[self.seat];
        let card = asked
            .get("taken")
            .or_else(|| asked.get("drawn"))
            .copied()
            .unwrap_or(0);
        let words: Vec<&str> = answer.split(&[' ', ':'][..]).collect();

        Some(match words[..] {
            ["discard"] => own.best_gain(*self.facts.get("top")?),
            ["pile"] => BARGAIN,
            ["keep" | "place" | "put", cell] => {
                let cell = cell_of(cell)?;
                let saved = own.gain(card, cell);
                saved - self.price_of_ending(cell, saved)
            }
            ["drop", cell] => -self.price_of_ending(cell_of(cell)?, 0.0),
            // Whoever accepts takes our best card, so this one must make a triple.
            ["knock", cell] if own.matches(card, cell_of(cell)?) == 2 => {
                let lowest = own.cards().map(|i| own.0[i].points()).min()?;
                f64::from(2 * card + lowest - 3)
            }
            ["knock", ..] | ["again"] => -1.0,
            ["accept", seat] => {
                let knocker = self.displays.get(seat.parse::<usize>().ok()?)?;
                knocker
                    .cards()
                    .map(|i| own.best_gain(knocker.0[i].points()))
                    .fold(0.0, f64::max)
            }
            ["decline"] => own.best_gain(card) + 3.0,
            ["take", seat, cell] => {
                let knocker = self.displays.get(seat.parse::<usize>().ok()?)?;
                own.best_gain(knocker.0[cell_of(cell)?].points())
            }
            ["clear", cell, ..] => f64::from(own.0[cell_of(cell)?].points()),
            _ => 0.0, // turn any card, pass, toss, none
        })
    }

    fn choose(&self, asked: &Facts) -> &str {
        let mark = |answer: &String| self.worth(asked, answer).unwrap_or(-DISASTER);
        self.legal
            .iter()
            .rev() // the first of equal ones
            .max_by(|one, other| mark(one).total_cmp(&mark(other)))
            .map_or("pass", |answer| answer.as_str())
    }
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}

fn main() -> io::Result<()> {
    let mut table = Table::new(&Facts::new());

    for line in io::stdin().lock().lines() {
        let line = line?;
        let line = line.trim_end();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "allegra" => say("hello rust legal=on events=off reuse=on")?,
            "match" => table = Table::new(&read_facts(rest)),
            "table" => table.facts = read_facts(rest),
            "display" => {
                if let Some((seat, rows)) = rest.split_once(' ') {
                    let seat: usize = seat.parse().unwrap_or(0);
                    table.displays[seat] = Display::parse(rows);
                }
            }
            "legal" => table.legal = rest.split('|').map(str::to_string).collect(),
            "ask" => {
                let number = rest.split(' ').next().unwrap_or("");
                say(&format!("{number} {}", table.choose(&read_facts(rest))))?;
                table.legal.clear();
            }
            "bye" => break,
            _ => (), // We ignore what we do not know.
        }
    }
    Ok(())
}
