// A bot for ALLEGRA that keeps low cards and collects triples.
//
// The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
// us something; a line that begins with `ask` needs an answer. To make a better player, change
// `worth`. Only types that node can strip are used: no enums, no namespaces, nothing to compile.

import { createInterface } from 'node:readline';

type Face = { kind: 'up'; card: number } | { kind: 'down' } | { kind: 'gap' } | { kind: 'hole' };
type Display = readonly Face[]; // 15 cells: A1 B1 ... E1 A2 ... E3
type Facts = Readonly<Record<string, string | undefined>>;

interface Table {
  readonly seat: number;
  readonly displays: Display[]; // by seat
  facts: Facts; // from the `table` line: round, turn, draw, discard, top, trigger, ...
  legal: string[]; // the legal answers to the next question
}

const UNSEEN = 5; // an unseen card counts as about the mean
const BARGAIN = 4; // the top of the discard pile must save us this much
const DISASTER = 20; // we end the round, and others have fewer points

function parseFacts(text: string): Facts {
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, key, value]) => [key, value]));
}

function parseFace(text: string): Face {
  switch (text) {
    case '?':
      return { kind: 'down' };
    case '.':
      return { kind: 'gap' };
    case '_':
      return { kind: 'hole' };
    default:
      return { kind: 'up', card: Number(text) };
  }
}

function parseDisplay(text: string): Display {
  return text.split(/[,/]/).map(parseFace);
}

/** 'B3' and '2:B3' are cell 11; -1 if there is none. */
function parseCell(text: string): number {
  const found = /([A-E])([1-3])$/.exec(text);
  return found ? 'ABCDE'.indexOf(found[1]) + 5 * (Number(found[2]) - 1) : -1;
}

function newTable(facts: Facts = {}): Table {
  const allDown = Array.from({ length: 15 }, (): Face => ({ kind: 'down' }));
  const displays = Array.from({ length: Number(facts.seats ?? 2) }, (): Display => allDown);
  return { seat: Number(facts.seat ?? 0), displays, facts: {}, legal: [] };
}

function points(face: Face): number {
  return face.kind === 'up' ? face.card : face.kind === 'down' ? UNSEEN : 0;
}

function total(display: Display): number {
  return display.reduce((sum, face) => sum + points(face), 0);
}

function hasCard(face: Face): boolean {
  return face.kind === 'up' || face.kind === 'down';
}

/** The most equal cards that a card would meet in a cell, in three of its column or row. */
function matches(display: Display, card: number, cell: number): 0 | 1 | 2 {
  const column = cell % 5;
  const row = cell - column;
  const threes: number[][] = [];
  for (const whole of [[column, column + 5, column + 10], [0, 1, 2, 3, 4].map((i) => row + i)]) {
    const line = whole.filter((i) => display[i].kind !== 'gap');
    for (let i = 0; i + 3 <= line.length; i++) threes.push(line.slice(i, i + 3));
  }

  let most: 0 | 1 | 2 = 0;
  for (const three of threes.filter((cells) => cells.includes(cell))) {
    const faces = three.filter((i) => i !== cell).map((i) => display[i]);
    const equal = faces.filter((face) => face.kind === 'up' && face.card === card).length;
    if (equal === 2) return 2;
    if (equal === 1) most = 1;
  }
  return most;
}

/** The points that we save by putting a card into a cell. A pair may become a triple. */
function gain(display: Display, card: number, cell: number): number {
  const bonus = { 0: 0, 1: card / 2, 2: card * 3 };
  return points(display[cell]) - card + bonus[matches(display, card, cell)];
}

function bestGain(display: Display, card: number): number {
  const gains = display.map((face, cell) => (hasCard(face) ? gain(display, card, cell) : -DISASTER));
  return Math.max(...gains);
}

/** Our last face-down card ends the round: bad for us unless we have the fewest points. */
function priceOfEnding(table: Table, cell: number, saved: number): number {
  const own = table.displays[table.seat];
  const isLast = own.every((face, i) => (face.kind === 'down') === (i === cell));
  const others = table.displays.filter((display) => display !== own).map(total);
  return isLast && total(own) - saved >= Math.min(...others) ? DISASTER : 0;
}

/** How good an answer is, in points. `asked` holds the details of the question. */
function worth(table: Table, asked: Facts, answer: string): number {
  const [verb, where = ''] = answer.split(' ');
  const own = table.displays[table.seat];
  const card = Number(asked.taken ?? asked.drawn);
  const cell = parseCell(where);

  switch (verb) {
    case 'discard':
      return bestGain(own, Number(table.facts.top));
    case 'pile':
      return BARGAIN;
    case 'keep':
    case 'place':
    case 'put': {
      const saved = gain(own, card, cell);
      return saved - priceOfEnding(table, cell, saved);
    }
    case 'drop':
      return -priceOfEnding(table, cell, 0);
    case 'knock': // Whoever accepts takes our best card, so this one must make a triple.
      if (cell < 0 || matches(own, card, cell) < 2) return -1;
      return 2 * card + Math.min(...own.map(points)) - 3;
    case 'accept': {
      const cards = table.displays[Number(where)].filter(hasCard);
      return Math.max(...cards.map((face) => bestGain(own, points(face))));
    }
    case 'decline':
      return bestGain(own, card) + 3;
    case 'again':
      return -1;
    case 'take':
      return bestGain(own, points(table.displays[Number(asked.knocker)][cell]));
    case 'clear':
      return points(own[cell]);
    default: // turn any card, pass, toss, none
      return 0;
  }
}

function choose(table: Table, asked: Facts): string {
  const marked = table.legal.map((answer): [string, number] => [answer, worth(table, asked, answer)]);
  marked.sort(([, one], [, other]) => other - one);
  return marked[0]?.[0] ?? 'pass';
}

let table = newTable();

for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...words] = line.trim().split(' ');
  const rest = words.join(' ');

  if (word === 'allegra') {
    console.log('hello typescript legal=on events=off reuse=on');
  } else if (word === 'match') {
    table = newTable(parseFacts(rest));
  } else if (word === 'table') {
    table.facts = parseFacts(rest);
  } else if (word === 'display') {
    table.displays[Number(words[0])] = parseDisplay(words[1]);
  } else if (word === 'legal') {
    table.legal = rest.split('|');
  } else if (word === 'ask') {
    console.log(`${words[0]} ${choose(table, parseFacts(rest))}`);
    table.legal = [];
  } else if (word === 'bye') {
    process.exit();
  } // We ignore what we do not know.
}
