// Drawing. The table is a ring of cards around the piles: each column of the ring points to the
// middle, with row 1 innermost, so a column that two neighbours share is drawn once, between them.
// The unit of length is the width of a card. The numbers on the cards are always upright.
//
// Text from a log goes into the page as text, never as markup.

const CARD_HEIGHT = 1.36;
const ROW_STEP = 1.47;
const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes = {}, children = []) {
    return build(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, children = []) {
    return build(document.createElementNS(SVG, name), attributes, children);
}

function build(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined)
            node.setAttribute(key, String(value));
    }
    node.append(...[children].flat());
    return node;
}

// Where the columns are, with the seat `bottom` nearest to the reader.
function ringOf(seats, bottom) {
    const columns = 4 * seats;
    const inner = Math.max(3.15, 1.07 * columns / (2 * Math.PI) + CARD_HEIGHT / 2);
    const outer = inner + 2 * ROW_STEP + CARD_HEIGHT / 2;
    const angle = column => 2 * Math.PI * (column / columns - bottom / seats);
    const point = (turn, radius) => [-radius * Math.sin(turn), radius * Math.cos(turn)];
    return {seats, inner, outer, hands: inner - CARD_HEIGHT / 2 - 0.72, edge: outer + 1.15, angle, point};
}

function colourOf(card) {
    return card === null ? 'unknown' : card <= 1 ? 'low' : card <= 4 ? 'middle' : card <= 8 ? 'high' : 'top';
}

// A card at a point, turned so that its top points to the middle. `size` is its width.
function cardAt([x, y], turn, {face, card, label, place, size = 1, extra = ''}) {
    const move = `translate(${x.toFixed(3)} ${y.toFixed(3)}) scale(${size})`;
    const kind = face === UP ? colourOf(card) : face;
    const box = {x: -0.5, y: -CARD_HEIGHT / 2, width: 1, height: CARD_HEIGHT, rx: 0.12};
    const turned = shape('g', {transform: `rotate(${(turn * 180 / Math.PI).toFixed(2)})`},
        [shape('rect', {...box, class: `card ${kind} ${extra}`})]);
    if (kind === 'down' || kind === 'unknown')
        turned.append(shape('path', {class: 'pattern', d: 'M-.3-.48h.6v.96h-.6zM-.3-.48.3.48M.3-.48-.3.48'}));
    const group = shape('g', {transform: move, 'data-place': place}, [turned]);
    if (label !== undefined)
        group.append(shape('text', {class: face === DOWN ? 'peek' : null}, [label]));
    return group;
}

function mayPeek(view) {
    return view === 'open';
}

// Where a card lies: a cell by its number, a pile ('draw', 'discard'), or a hand ('drawn', 'taken', 'aside',
// 'hand'), which is between the piles and its holder.
function spotOf(ring, table, place) {
    if (place === 'draw' || place === 'discard')
        return {point: [place === 'draw' ? -0.6 : 0.6, 0], turn: 0, size: 1};
    if (typeof place === 'number') {
        const turn = ring.angle(Math.floor(place / 3));
        return {point: ring.point(turn, ring.inner + place % 3 * ROW_STEP), turn, size: 1};
    }
    const turn = ring.angle(4 * table[place].seat) + (place === 'aside' && table.taken !== null ? 0.5 : 0);
    return {point: ring.point(turn, ring.hands), turn, size: 0.82};
}

function drawCell(ring, table, number, view) {
    const {point, turn} = spotOf(ring, table, number);
    const face = table.faces[number], card = table.cards[number];
    const isSeen = face === UP || face === DOWN && mayPeek(view);
    return cardAt(point, turn, {face, card, place: number,
        label: isSeen ? cardText(card) : undefined, extra: table.touched.includes(number) ? 'touched' : ''});
}

// An outline around the display of a seat, from column E to column A, in the colour of the seat if it moves, has
// knocked successfully, or has won.
function drawSlice(ring, seat, kind) {
    const half = 2.5 * 2 * Math.PI / (4 * ring.seats), middle = ring.angle(4 * seat);
    const low = ring.inner - CARD_HEIGHT / 2 - 0.14, high = ring.outer + 0.14;
    const at = (turn, radius) => ring.point(turn, radius).map(value => value.toFixed(3)).join(' ');
    const wide = half > Math.PI / 2 ? 1 : 0;
    return shape('path', {class: `slice ${kind} seat${seat}`,
        d: `M${at(middle - half, low)}A${low} ${low} 0 ${wide} 1 ${at(middle + half, low)}` +
            `L${at(middle + half, high)}A${high} ${high} 0 ${wide} 0 ${at(middle - half, high)}Z`});
}

// A band under the column that a seat shares with the next one.
function drawShared(ring, seat) {
    const turn = ring.angle(4 * seat + 2) * 180 / Math.PI;
    const from = ring.inner - CARD_HEIGHT / 2 - 0.14;
    return shape('rect', {class: 'shared', x: -0.6, y: from, width: 1.2, height: ring.outer + 0.14 - from,
        rx: 0.15, transform: `rotate(${turn.toFixed(2)})`});
}

function shorten(name, most) {
    return name.length > most ? name.slice(0, most - 1) + '…' : name;
}

function bidText(bid, language) {
    return !bid.isKnock ? textIn(language, 'pass') : bid.cell === null ? textIn(language, 'knock') :
        textIn(language, 'offer', {cell: bid.cell.cell});
}

// On the table a bid is short: the cell is marked there.
function shortBid({isKnock, cell}, language) {
    return textIn(language, isKnock ? 'knock' : 'pass') + (cell === null ? '' : ' ' + cell.cell);
}

// A name on the rim, with the seat's points and its bid; above the middle it runs the other way, to be legible.
function drawName(ring, table, seat, {names, points, language}) {
    const turn = ring.angle(4 * seat), isAbove = Math.cos(turn) < -0.01;
    const half = Math.PI / ring.seats, radius = ring.outer + (isAbove ? 0.48 : 0.8);
    const at = side => ring.point(turn + side * half, radius).map(value => value.toFixed(3)).join(' ');
    const path = isAbove ? `M${at(-1)}A${radius} ${radius} 0 0 1 ${at(1)}` :
        `M${at(1)}A${radius} ${radius} 0 0 0 ${at(-1)}`;
    const bid = table.bids[seat];
    const label = shape('textPath', {href: '#rim' + seat, startOffset: '50%'},
        [`${seat} ${shorten(names[seat], bid === undefined ? 20 : 11)}`]);
    if (table.round > 0)
        label.append(shape('tspan', {class: 'points', dx: 0.25}, [pointsText(points[seat], language)]));
    if (bid !== undefined)
        label.append(shape('tspan', {class: 'bid', dx: 0.25}, [shortBid(bid, language)]));
    return shape('g', {}, [shape('path', {id: 'rim' + seat, d: path, fill: 'none'}),
        shape('text', {class: `name seat${seat}`}, [label])]);
}

// Whether the view hides the card in a knocker's hand.
function hidesHand(hand, view) {
    return hand !== null && hand.isPrivate && view !== 'open' && view !== hand.seat;
}

function drawHands(ring, table, view) {
    const held = ['drawn', 'taken', 'aside', 'hand'].filter(name => table[name] !== null);
    return held.map(name => {
        const {card} = table[name], {point, turn, size} = spotOf(ring, table, name);
        const isHidden = name === 'hand' && hidesHand(table.hand, view);
        return cardAt(point, turn, {face: isHidden ? DOWN : UP, card, size, place: name,
            label: isHidden ? undefined : cardText(card), extra: 'touched'});
    });
}

function drawPiles(ring, table) {
    const [left, right] = ['draw', 'discard'].map(name => spotOf(ring, table, name).point);
    const draw = table.draw.length > 0 ? cardAt(left, 0, {face: DOWN, card: null, place: 'draw'}) :
        cardAt(left, 0, {face: GAP, place: 'draw'});
    const top = table.discard.at(-1);
    const discard = top === undefined ? cardAt(right, 0, {face: GAP, place: 'discard'}) :
        cardAt(right, 0, {face: UP, card: top, label: cardText(top), place: 'discard'});
    return [draw, discard,
        shape('text', {class: 'small', x: left[0], y: -0.93}, [String(table.draw.length)]),
        shape('text', {class: 'small', x: right[0], y: -0.93}, [String(table.discard.length)])];
}

// The whole table as a picture. `look` has the names, the view ('open', 'all', or a seat), the language, each
// seat's points, the places at the end (or null), the cells of better answers, and perhaps the seat in whose display a
// person chooses.
function drawTable(table, look) {
    const {names, view, better} = look;
    const ring = ringOf(table.seats, typeof view === 'number' ? view : 0);
    const seats = names.map((_, seat) => seat);
    const kinds = seats.map(seat => kindOfSlice(table, seat, look.places));
    const slices = isPlain => seats.filter(seat => (kinds[seat] === '') === isPlain)
        .map(seat => drawSlice(ring, seat, kinds[seat]));
    return shape('svg', {viewBox: `${-ring.edge} ${-ring.edge} ${2 * ring.edge} ${2 * ring.edge}`,
        'aria-hidden': 'true'}, [
        shape('circle', {class: 'felt', r: ring.edge}),
        ...seats.map(seat => drawShared(ring, seat)), ...slices(true), ...slices(false),
        ...table.faces.map((_, number) => drawCell(ring, table, number, view)),
        ...drawOffers(ring, table), ...drawBetter(ring, better), ...drawCoordinates(ring, table, look.chosen),
        ...seats.map(seat => drawName(ring, table, seat, look)),
        ...drawPiles(ring, table), ...drawArrow(ring, table), ...drawHands(ring, table, view),
        ...drawWinner(ring, table, look)]);
}

// The same as text, for readers who cannot see the picture: a table for each display, and the piles.
function cellText({face, card}, view, language) {
    if (face === DOWN)
        return textIn(language, 'down') + (mayPeek(view) ? ' ' + cardText(card) : '');
    return face === UP ? cardText(card) : textIn(language, face === GAP ? 'gap' : 'hole');
}

function describeDisplay(table, seat, name, view, language) {
    const cells = displayOf(table, seat);
    const head = element('tr', {}, [element('td'), ...[...'ABCDE'].map(column =>
        element('th', {scope: 'col'}, [column]))]);
    const rows = [0, 1, 2].map(row => element('tr', {}, [element('th', {scope: 'row'}, [String(row + 1)]),
        ...cells.slice(5 * row, 5 * row + 5).map(cell => element('td', {}, [cellText(cell, view, language)]))]));
    return element('table', {}, [element('caption', {}, [textIn(language, 'seatView', {n: seat, a: name})]),
        element('thead', {}, [head]), element('tbody', {}, rows)]);
}

function describeTable(table, names, view, language) {
    const top = table.discard.at(-1);
    const pile = (name, size) => textIn(language, 'pair', {a: textIn(language, name), b: size});
    const piles = element('p', {}, [`${pile('draw', table.draw.length)}. ${pile('discard', table.discard.length)}` +
        (top === undefined ? '' : ` (${cardText(top)})`)]);
    return [piles, ...names.map((name, seat) => describeDisplay(table, seat, name, view, language))];
}
