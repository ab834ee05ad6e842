// What is drawn over the cards: offers, better answers, the names of rows and columns, an accepted knock, and
// the winner.

function drawOffers(ring, table) {
    return Object.values(table.bids).filter(bid => bid.cell !== null).map(({cell}) => {
        const {point, turn} = spotOf(ring, table, cell.number);
        return cardAt(point, turn, {face: 'offered', size: 1.08});
    });
}

function drawBetter(ring, cells) {
    return cells.map(cell => {
        const {point, turn} = spotOf(ring, null, cell);
        return cardAt(point, turn, {face: 'better', size: 1.12});
    });
}

// Whether a display is that of the seat that moves, of the knocker whose knock is not over, or of a winner.
function kindOfSlice(table, seat, places) {
    return table.isOver ? (places?.[seat] === 1 ? 'winner' : '') :
        table.active === seat ? 'active' : table.knocker === seat ? 'knocker' : '';
}

function drawBadge([x, y], text, seat) {
    return shape('g', {class: `badge seat${seat}`, transform: `translate(${x.toFixed(3)} ${y.toFixed(3)})`},
        [shape('circle', {r: 0.2}), shape('text', {}, [text])]);
}

// The letters of the columns on the outer edge of a display, the numbers of the rows beside column A: of the active
// one, or of the one in which a person chooses a card.
function drawCoordinates(ring, table, chosen = null) {
    const seat = chosen ?? table.active;
    if (seat === null || table.isOver)
        return [];
    const side = ring.angle(4 * seat + 2.5);
    return [...Object.entries(COLUMN_STEPS).map(([column, steps]) =>
        drawBadge(ring.point(ring.angle(4 * seat + steps), ring.outer + 0.14), column, seat)),
    ...[0, 1, 2].map(row => drawBadge(ring.point(side, ring.inner + row * ROW_STEP), String(row + 1), seat))];
}

// An arrow from the seat that accepted a knock to the knocker, the shorter way around the piles.
function drawArrow(ring, {active, knocker}) {
    if (knocker === null || active === null)
        return [];
    const from = ring.angle(4 * active), full = 2 * Math.PI;
    const span = ((ring.angle(4 * knocker) - from) % full + 1.5 * full) % full - full / 2;
    const way = span < 0 ? -1 : 1, radius = ring.hands, gap = way * 0.6 / radius, head = way * 0.34 / radius;
    const end = from + span - gap;
    const at = (turn, distance) => ring.point(turn, distance).map(value => value.toFixed(3)).join(' ');
    return [shape('g', {class: `arrow seat${active}`}, [
        shape('path', {class: 'shaft', d: `M${at(from + gap, radius)}A${radius} ${radius} 0 0 ${way > 0 ? 1 : 0} ` +
            at(end - head, radius)}),
        shape('path', {d: `M${at(end - head, radius - 0.2)}L${at(end, radius)}L${at(end - head, radius + 0.2)}Z`})])];
}

function winnersOf(table, places) {
    return table.isOver && places !== null ? [...Array(table.seats).keys()].filter(seat => places[seat] === 1) : [];
}

// A crown in the middle, with the names of those who won.
function drawWinner(ring, table, {names, places, points, language}) {
    const winners = winnersOf(table, places);
    if (winners.length === 0)
        return [];
    const lines = winners.map((seat, i) => shape('text', {class: `name seat${seat}`, y: 0.55 + 0.55 * i},
        [`${shorten(names[seat], 14)}  ${pointsText(points[seat], language)}`]));
    const crown = shape('path', {class: 'crown', d: 'M-.8 0-1-.95-.45-.5 0-1.2.45-.5 1-.95.8 0z'});
    return [shape('g', {class: 'crowned'}, [
        shape('circle', {class: 'cover', r: ring.inner - CARD_HEIGHT / 2 - 0.3}), crown, ...lines])];
}
