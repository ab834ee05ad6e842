#!/usr/bin/env node
// A bot for ALLEGRA that keeps low cards and collects triples.
//
// The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
// us something; a line that begins with `ask` needs an answer. To make a better player, change
// `marks`: it has a function for every kind of answer.

import { createInterface } from 'node:readline';

const COLUMNS = [...'ABCDE'];
const ROWS = [...'123'];
const UNSEEN = 5; // an unseen card counts as about the mean
const BARGAIN = 4; // the top of the discard pile must save us this much
const DISASTER = 20; // we end the round, and others have fewer points

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const readPairs = (words) => Object.fromEntries(words.filter((w) => w.includes('=')).map((w) => w.split('=')));

// A display is a Map from 'A1' to what is there: '7', '?', '.' or '_'.
const readDisplay = (text) =>
  new Map(text.split('/').flatMap((row, i) => row.split(',').map((face, j) => [COLUMNS[j] + ROWS[i], face])));
const allDown = () => readDisplay('?,?,?,?,?/?,?,?,?,?/?,?,?,?,?');

const isGap = (face) => face === '.' || face === '_';
const points = (face) => (isGap(face) ? 0 : face === '?' ? UNSEEN : Number(face));
const total = (display) => sum([...display.values()].map(points));
const cards = (display) => [...display.keys()].filter((cell) => !isGap(display.get(cell)));

/** The threes that a cell is part of, in its column and its row; gaps are left out. */
function threes(display, cell) {
  const [column, row] = cell;
  return [ROWS.map((r) => column + r), COLUMNS.map((c) => c + row)].flatMap((line) => {
    const cells = line.filter((other) => display.get(other) !== '.');
    const all = cells.slice(2).map((_, i) => cells.slice(i, i + 3));
    return all.filter((three) => three.includes(cell));
  });
}

/** How many equal cards a card would meet in a cell: 2 make a triple. */
function matches(display, card, cell) {
  const isEqual = (other) => other !== cell && display.get(other) === String(card);
  return Math.max(0, ...threes(display, cell).map((three) => three.filter(isEqual).length));
}

/** The points that we save by putting a card into a cell. A pair may become a triple. */
function gain(display, card, cell) {
  const bonus = [0, card / 2, card * 3][matches(display, card, cell)];
  return points(display.get(cell)) - card + bonus;
}

function bestGain(display, card) {
  return Math.max(-DISASTER, ...cards(display).map((cell) => gain(display, card, cell)));
}

class Table {
  displays = Array.from({ length: 6 }, allDown);
  facts = {}; // from the `table` line: round, turn, draw, discard, top, trigger, ...
  legal = []; // the legal answers to the next question

  constructor({ seats = 2, seat = 0 } = {}) {
    this.seat = Number(seat);
    this.displays.length = Number(seats);
  }

  get own() {
    return this.displays[this.seat];
  }

  /** Our last face-down card ends the round: bad for us unless we have the fewest points. */
  priceOfEnding(cell, saved) {
    const down = cards(this.own).filter((other) => this.own.get(other) === '?');
    const others = this.displays.filter((_, seat) => seat !== this.seat).map(total);
    const leads = total(this.own) - saved < Math.min(...others);
    return down.length === 1 && down[0] === cell && !leads ? DISASTER : 0;
  }
}

function lay(table, { drawn, taken }, cell) {
  const saved = gain(table.own, Number(taken ?? drawn), cell);
  return saved - table.priceOfEnding(cell, saved);
}

// A score for each kind of answer, in points. The second argument holds the details of the question,
// the third is the cell or seat that the answer names.
const marks = {
  pile: () => BARGAIN,
  discard: (table) => bestGain(table.own, Number(table.facts.top)),
  keep: lay,
  place: lay,
  put: lay,
  drop: (table, _, cell) => -table.priceOfEnding(cell, 0),
  knock({ own }, { drawn }, cell) {
    // Whoever accepts takes our best card, so this one must make a triple.
    const makesTriple = cell && matches(own, drawn, cell) === 2;
    return makesTriple ? 2 * drawn + Math.min(...[...own.values()].map(points)) - 3 : -1;
  },
  accept({ own, displays }, _, knocker) {
    const faces = [...displays[knocker].values()].filter((face) => !isGap(face));
    return Math.max(...faces.map((face) => bestGain(own, points(face))));
  },
  decline: ({ own }, { drawn }) => bestGain(own, Number(drawn)) + 3,
  again: () => -1,
  take({ own, displays }, { knocker }, at) {
    return bestGain(own, points(displays[knocker].get(at.slice(2))));
  },
  clear: ({ own }, _, cell) => points(own.get(cell)),
};

function choose(table, asked) {
  const marked = table.legal.map((answer) => {
    const [verb, where] = answer.split(' ');
    return { answer, mark: marks[verb]?.(table, asked, where) ?? 0 };
  });
  const none = { answer: 'pass', mark: -Infinity };
  return marked.reduce((best, now) => (now.mark > best.mark ? now : best), marked[0] ?? none).answer;
}

let table = new Table();

/** Takes a line. We ignore what we do not know. */
function hear(line) {
  const [word, ...words] = line.trim().split(' ');
  switch (word) {
    case 'allegra':
      return console.log('hello javascript legal=on events=off reuse=on');
    case 'match':
      table = new Table(readPairs(words));
      break;
    case 'table':
      table.facts = readPairs(words);
      break;
    case 'display':
      table.displays[words[0]] = readDisplay(words[1]);
      break;
    case 'legal':
      table.legal = words.join(' ').split('|');
      break;
    case 'ask':
      console.log(words[0], choose(table, readPairs(words)));
      table.legal = [];
      break;
    case 'bye':
      process.exit();
  }
}

createInterface({ input: process.stdin }).on('line', hear);
