// Cards that move. The table after a step is drawn at once; the cards that the step moved only start where they
// came from. So nothing waits for them: the next step draws the next table. Readers whose system asks for less
// motion see none.

const MOVE_MS = 420;
const SHORTEST_MS = 60;

// Where cards go in an event: [from, to, card] with places as in spotOf(), cells still as SEAT:CELL. The card is
// given if it goes to the discard pile.
const MOVES = {
    drew: ([, pile]) => [[pile === 'pile' ? 'draw' : 'discard', 'drawn']],
    kept: ([, cell]) => [[cell, 'aside'], ['drawn', cell]],
    dropped: ([, , card]) => [['drawn', 'discard', card]],
    placed: ([, cell]) => [[cell, 'hand'], ['drawn', cell]],
    took: ([, , cell]) => [[cell, 'taken']],
    put: ([, cell]) => [[cell, 'aside'], ['taken', cell]],
    tossed: ([, , card]) => [['taken', 'discard', card]],
    returned: ([, cell]) => [['hand', cell]],
    cleared: ([, one, two, three, card]) => [one, two, three].map(cell => [cell, 'discard', card]),
    discarded: ([, seat, card], {aside}) => [[aside?.seat === Number(seat) ? 'aside' : 'hand', 'discard', card]],
};

function placeOf(seats, place) {
    return place.includes(':') ? cellNumber(seats, Number(place[0]), place.slice(2)) : place;
}

// The flights of a step: {from, to, card} with spots. A card that moves on continues its flight.
function addFlights(flights, ring, table, step) {
    const moves = Object.hasOwn(MOVES, step.kind) ? MOVES[step.kind](step.fields, table) : [];
    const begun = moves.map(([from, to, card]) => {
        const place = placeOf(table.seats, from);
        const earlier = flights.findLast(flight => flight.place === place && !flight.isAtRest);
        return {earlier, to: placeOf(table.seats, to), card,
            from: earlier?.from ?? (typeof place === 'string' && table[place] === null ? null : spotOf(ring, table, place))};
    });
    applyStep(table, step);
    for (const {earlier, to, card, from} of begun.filter(flight => flight.from !== null)) {
        if (earlier !== undefined)
            earlier.isAtRest = true;
        flights.push({from, place: to, card});
    }
    if (step.kind === 'turned' || step.kind === 'shown')
        flights.push({place: placeOf(table.seats, step.fields[1]), isTurned: true});
    if (step.kind === 'round')
        table.faces.forEach((_, place) => flights.push({from: spotOf(ring, table, 'draw'), place, delay: 5 * place}));
}

// How a card's two groups are transformed in a spot; the inner one turns, so that numbers stay upright.
function framesOf({point: [x, y], turn, size}) {
    return [`translate(${x}px, ${y}px) scale(${size})`, `rotate(${turn}rad)`];
}

function animateFlight(node, {from, isTurned, delay = 0}, to, duration) {
    const timing = {duration, delay, easing: 'ease-out', fill: 'backwards'};
    if (isTurned) {
        node.firstChild.animate({transform: [`rotate(${to.turn}rad) scaleX(0.1)`, `rotate(${to.turn}rad)`]}, timing);
        return;
    }
    const full = 2 * Math.PI, turn = to.turn + ((from.turn - to.turn) % full + 1.5 * full) % full - full / 2;
    const [first, last] = [framesOf({...from, turn}), framesOf(to)];
    node.animate({transform: [first[0], last[0]]}, timing);
    node.firstChild.animate({transform: [first[1], last[1]]}, timing);
}

// A card under the top of the discard pile: the one that was the top, or one that gets there before the last.
function addUnder(board, spot, card) {
    const under = cardAt(spot.point, spot.turn, {face: UP, card: Number(card), label: cardText(card)});
    board.querySelector('[data-place=discard]').before(under);
    return under;
}

function animateFlights(board, ring, flights, before, after, duration) {
    const discards = flights.filter(({place, isAtRest}) => place === 'discard' && !isAtRest);
    const pile = spotOf(ring, after, 'discard');
    if (discards.length > 0 && before.discard.length > 0)
        addUnder(board, pile, before.discard.at(-1));
    for (const flight of flights.filter(({isAtRest}) => !isAtRest)) {
        const isUnder = flight.place === 'discard' && flight !== discards.at(-1);
        const node = isUnder ? addUnder(board, pile, flight.card) :
            board.querySelector(`[data-place="${flight.place}"]`);
        if (node !== null && (typeof flight.place === 'number' || isUnder || flight.place === 'discard' ||
            after[flight.place] !== null))
            animateFlight(node, flight, spotOf(ring, after, flight.place), duration);
    }
}

// Moves the cards that steps moved on the table `before`; the table after them is drawn in `board`.
function animateSteps(board, {before, steps, view, mostMs}) {
    const duration = Math.min(MOVE_MS, mostMs);
    if (duration < SHORTEST_MS || matchMedia('(prefers-reduced-motion: reduce)').matches)
        return;
    const after = copyTable(before), flights = [];
    const ring = ringOf(before.seats, typeof view === 'number' ? view : 0);
    for (const step of steps)
        addFlights(flights, ring, after, step);
    animateFlights(board, ring, flights, before, after, duration);
}
