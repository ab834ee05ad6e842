// The table after the events of a log. No rules are checked here: the events say what happened.
//
// All displays together are one ring of 4n columns with three cells each. Column C of seat p is column
// 4p of the ring; A, which is shared with the left neighbour, is two columns further, E two columns back. So
// every cell, shared or not, has one number, which is also its place in the drawing.

const COLUMN_STEPS = {A: 2, B: 1, C: 0, D: -1, E: -2};
const CELLS = ['1', '2', '3'].flatMap(row => [...'ABCDE'].map(column => column + row));
const DEALT = {
    A: [...'123'].flatMap(row => [...'BCD'].map(column => column + row)).concat('A1', 'A2', 'A3'),
    E: [...'123'].flatMap(row => [...'BCDE'].map(column => column + row)),
};
const UP = 'up', DOWN = 'down', GAP = 'gap', HOLE = 'hole';

function cellNumber(seats, seat, cell) {
    const columns = 4 * seats;
    const column = (4 * seat + COLUMN_STEPS[cell[0]] + columns) % columns;
    return 3 * column + Number(cell[1]) - 1;
}

function newTable(header, seed) {
    const seats = header.seats;
    return {
        seats, rules: header.rules, seed,
        round: 0, turn: 0, dealer: header.dealer, active: null, trigger: null,
        cards: Array(12 * seats).fill(null), faces: Array(12 * seats).fill(DOWN),
        draw: [], discard: [], reshuffles: 0, bidding: 0, isOver: false,
        drawn: null, hand: null, taken: null, aside: null, knocker: null,
        bids: {}, says: {}, dismissed: {}, scores: {},
        totals: Array(seats).fill(0), touched: [], misfit: null,
    };
}

// A copy that can change independently.
function copyTable(table) {
    const copy = {...table};
    for (const name of ['cards', 'faces', 'draw', 'discard', 'totals', 'touched'])
        copy[name] = table[name].slice();
    for (const name of ['bids', 'says', 'dismissed', 'scores'])
        copy[name] = {...table[name]};
    return copy;
}

// The 15 cells of a display, rows first: {number, face, card}.
function displayOf(table, seat) {
    return CELLS.map(cell => {
        const number = cellNumber(table.seats, seat, cell);
        return {cell, number, face: table.faces[number], card: table.cards[number]};
    });
}

function deckOf(table) {
    const counts = table.rules.deck.split(',').map(Number);
    const removed = table.seats <= 3 ? 2 : 0;
    return counts.flatMap((count, i) => Array(Math.max(0, count - removed)).fill(i - 1));
}

// What an unseen card counts.
function meanCard(table) {
    const deck = deckOf(table);
    return deck.reduce((sum, card) => sum + card, 0) / deck.length;
}

// What a display counts so far; face-down cards count as `hidden`, or as their value.
function standing(table, seat, hidden) {
    const all = table.cards.length, first = all + 3 * (4 * seat - 2);
    let sum = 0, count = 0;
    for (let i = first; i < first + 15; i++) {
        const face = table.faces[i % all], card = table.cards[i % all];
        if (face !== UP && face !== DOWN)
            continue;
        count++;
        sum += face === DOWN && hidden !== null || card === null ? hidden : card;
    }
    return count === 0 ? -10 : sum;
}

function deal(table, round, dealer) {
    const deck = deckOf(table);
    if (table.seed !== null)
        shuffle(table.seed, `deal ${round} 0`, deck);
    else
        deck.fill(null);
    for (let seat = 0; seat < table.seats; seat++) {
        for (const cell of DEALT[table.rules.deal_shared === 'A' ? 'A' : 'E'])
            table.cards[cellNumber(table.seats, seat, cell)] = deck.pop();
    }
    table.faces.fill(DOWN);
    table.discard = [deck.pop()];
    table.draw = deck;
    Object.assign(table, {round, dealer, turn: 0, active: null, trigger: null, reshuffles: 0,
        drawn: null, hand: null, taken: null, aside: null, knocker: null, bids: {}, scores: {}});
}

function reshuffle(table) {
    const top = table.discard.pop();
    table.draw = table.discard;
    table.discard = [top];
    table.reshuffles++;
    if (table.seed !== null)
        shuffle(table.seed, `deal ${table.round} ${table.reshuffles}`, table.draw);
}

// Records that the log does not match the cards dealt. Without a seed the cards are learned from it.
function expectCard(table, known, card) {
    if (known !== null && known !== card && table.misfit === null)
        table.misfit = {known, card};
}

function turnUp(table, number, card) {
    expectCard(table, table.cards[number], card);
    table.cards[number] = card;
    table.faces[number] = UP;
    table.touched.push(number);
}

// Puts a card into a cell; returns whether the old one was face down.
function exchange(table, number, card, old) {
    const wasDown = table.faces[number] === DOWN;
    expectCard(table, table.cards[number], old);
    table.cards[number] = card;
    table.faces[number] = UP;
    table.touched.push(number);
    return wasDown;
}

// The fields of an event are numbers, cards (`?` if hidden), `SEAT:CELL`, or pile names.
function reader(table, fields) {
    const at = index => {
        const match = /^([0-5]):([A-E][1-3])$/.exec(fields[index] || '');
        if (match === null || Number(match[1]) >= table.seats)
            throw new Error(fields.join(' '));
        return {seat: Number(match[1]), cell: match[2],
            number: cellNumber(table.seats, Number(match[1]), match[2])};
    };
    const number = index => {
        if (!/^-?[0-9]{1,9}(\.5)?$/.test(fields[index] || ''))
            throw new Error(fields.join(' '));
        return Number(fields[index]);
    };
    const card = index => fields[index] === '?' ? null : number(index);
    const seat = index => {
        const value = number(index);
        if (!(value >= 0 && value < table.seats))
            throw new Error(fields.join(' '));
        return value;
    };
    return {at, number, card, seat};
}

const EVENTS = {
    round(table, {number, seat}) {
        deal(table, number(1), seat(2));
        expectCard(table, table.discard[0], number(3));
        table.discard[0] = number(3);
    },
    turned(table, {at, number}) {
        turnUp(table, at(1).number, number(2));
    },
    turn(table, {number, seat}) {
        Object.assign(table, {turn: number(1), active: seat(2), bids: {}, bidding: 0});
    },
    reshuffled(table) {
        reshuffle(table);
    },
    drew(table, {number, seat}, fields) {
        const isPile = fields[1] === 'pile';
        const card = (isPile ? table.draw : table.discard).pop();
        expectCard(table, card === undefined ? null : card, number(3));
        table.drawn = {seat: seat(2), card: number(3), isPile};
        Object.assign(table, {bids: {}, bidding: isPile ? 1 : 0});
    },
    passed(table, {seat}) {
        table.bids[seat(1)] = {isKnock: false, cell: null};
    },
    knocked(table, {seat, at}, fields) {
        const cell = fields.length > 2 ? at(2) : null;
        table.bids[seat(1)] = {isKnock: true, cell};
        if (cell !== null)
            table.touched.push(cell.number);
    },
    again(table, {number}) {
        Object.assign(table, {bids: {}, bidding: number(2)});
    },
    declined(table) {
        table.bids = {};
    },
    accepted(table, {seat}) {
        table.knocker = seat(2);
    },
    kept(table, {at, number}) {
        exchange(table, at(1).number, number(2), number(3));
        table.aside = {seat: at(1).seat, card: number(3)};
        table.drawn = null;
        table.bids = {};
    },
    dropped(table, {number}) {
        table.discard.push(number(2));
        table.drawn = null;
        table.bids = {};
    },
    placed(table, {at, number, card}) {
        const wasDown = exchange(table, at(1).number, number(2), card(3));
        const isPrivate = wasDown && table.rules.knock_hand === 'private';
        table.hand = {seat: at(1).seat, card: card(3), isPrivate};
        table.drawn = null;
        table.bids = {};
    },
    took(table, {at, number, seat}) {
        turnUp(table, at(2).number, number(3));
        table.faces[at(2).number] = HOLE;
        table.cards[at(2).number] = null;
        table.taken = {seat: seat(1), card: number(3)};
    },
    put(table, {at, number}) {
        exchange(table, at(1).number, number(2), number(3));
        table.aside = {seat: at(1).seat, card: number(3)};
        table.taken = null;
    },
    tossed(table, {number}) {
        table.discard.push(number(2));
        table.taken = null;
    },
    returned(table, {at, number}) {
        table.cards[at(1).number] = number(2);
        table.faces[at(1).number] = UP;
        table.touched.push(at(1).number);
        table.hand = null;
    },
    cleared(table, {at, number}) {
        for (const index of [1, 2, 3]) {
            expectCard(table, table.cards[at(index).number], number(4));
            table.faces[at(index).number] = GAP;
            table.cards[at(index).number] = null;
            table.discard.push(number(4));
            table.touched.push(at(index).number);
        }
    },
    discarded(table, {number, seat}) {
        table.discard.push(number(2));
        if (table.aside !== null && table.aside.seat === seat(1))
            table.aside = null;
        else
            table.hand = null;
    },
    final(table, {seat}) {
        table.trigger = seat(1);
    },
    shown(table, {at, number}) {
        turnUp(table, at(1).number, number(2));
    },
    scored(table, {number, seat}) {
        table.scores[seat(1)] = {raw: number(2), counted: number(3)};
        table.totals[seat(1)] = number(4);
    },
    over(table) {
        table.isOver = true;
    },
    limit() {},
    exhausted() {},
};

// Applies a step of the log. Unknown events change nothing: that is how the format grows.
function applyStep(table, step) {
    table.touched = [];
    if (step.isFirst)
        table.says = {};
    if (step.kind === 'said')
        table.says[step.seat] = (table.says[step.seat] || []).concat(step.text);
    else if (step.kind === 'dismissed')
        table.dismissed[step.seat] = step.fault.code;
    else if (Object.hasOwn(EVENTS, step.kind))
        EVENTS[step.kind](table, reader(table, step.fields), step.fields);
    if (['turn', 'round', 'over', 'scored', 'limit', 'exhausted'].includes(step.kind))
        Object.assign(table, {drawn: null, taken: null, aside: null, hand: null, knocker: null});
}
