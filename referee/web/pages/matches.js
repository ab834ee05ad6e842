// The matches of a job, from the table on disk and from live events. Each match has one key, so none is
// listed twice. The filters are part of the link.

'use strict';

const LISTED = 100;
const FILTERS = ['bot', 'fault', 'place', 'search'];
const list = {matches: new Map(), limit: LISTED, filters: {bot: '', fault: '', place: '', search: ''}};

// Rows of a CSV table. Names in this one never need quotes, but quotes are read correctly.
function readCsv(text) {
    const rows = [[]];
    for (const [, field, end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
        rows.at(-1).push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
        if (end !== ',')
            rows.push([]);
    }
    return rows.filter(row => row.length > 1);
}

function addMatch({block, number, seats, hasLog}) {
    list.matches.set(`${block}.${number}`, {block, number, seats, hasLog});
}

// A row is block, match, rounds, then name, place, points and fault of each seat, then the log, unless it was pruned.
function matchesIn(text) {
    return readCsv(text).slice(1).map(row => {
        const seats = [];
        for (let i = 3; i + 3 < row.length && row[i] !== ''; i += 4)
            seats.push({name: row[i], place: Number(row[i + 1]), score: Number(row[i + 2]), fault: row[i + 3]});
        return {block: Number(row[0]), number: Number(row[1]), seats, hasLog: row.at(-1) !== ''};
    });
}

function readMatches(text) {
    matchesIn(text).forEach(addMatch);
}

// "BLOCK.MATCH NAME PLACE SCORE FAULT ...", the event when a deal is published.
function addPublished(fields) {
    const [block, number] = fields[0].split('.').map(Number);
    const seats = [];
    for (let i = 1; i + 3 < fields.length; i += 4)
        seats.push({name: fields[i], place: Number(fields[i + 1]), score: Number(fields[i + 2]),
            fault: fields[i + 3] === '-' ? '' : fields[i + 3]});
    addMatch({block, number, seats, hasLog: true});
}

// Filters.

function fitsFault(seat, fault) {
    return fault === '*' ? seat.fault !== '' : seat.fault === fault;
}

// Bot, place and fault must fit the same seat; "no fault" means that no seat had one.
function fits({block, number, seats}) {
    const {bot, fault, place, search} = list.filters;
    if (fault === '-' && seats.some(seat => seat.fault !== ''))
        return false;
    if (!seats.some(seat => (bot === '' || seat.name === bot) && (place === '' || String(seat.place) === place) &&
        (fault === '' || fault === '-' || fitsFault(seat, fault))))
        return false;
    const text = `${block}.${number} ${seats.map(seat => `${seat.name} ${seat.score} ${seat.fault}`).join(' ')}`;
    return search.toLowerCase().split(' ').every(part => text.toLowerCase().includes(part));
}

function options(select, values) {
    const chosen = list.filters[select.id];
    const known = values.some(([value]) => value === chosen) ? values : [...values, [chosen, chosen]];
    select.replaceChildren(...known.map(([value, text]) => element('option', {value}, text)));
    select.value = chosen;
}

function showFilters() {
    const names = new Set(), faults = new Set();
    let seats = 0;
    for (const match of list.matches.values()) {
        seats = Math.max(seats, match.seats.length);
        for (const seat of match.seats) {
            names.add(seat.name);
            if (seat.fault !== '')
                faults.add(seat.fault);
        }
    }
    const all = ['', label('any')];
    options($('bot'), [all, ...[...names].sort().map(name => [name, name])]);
    options($('fault'), [all, ['-', label('withoutFault')], ['*', label('withFault')],
        ...[...faults].sort().map(code => [code, code])]);
    options($('place'), [all, ...Array.from({length: seats}, (_, i) => [String(i + 1), String(i + 1)])]);
    if ($('search') !== document.activeElement)
        $('search').value = list.filters.search;
}

function readFilters() {
    const hash = readHash();
    for (const name of FILTERS)
        list.filters[name] = hash.get(name) ?? '';
}

// The list, newest first.

function seatItem(seat) {
    return element('li', {class: seat.place === 1 ? 'first' : null},
        element('span', {class: 'place', 'aria-hidden': 'true'}, String(seat.place)),
        element('span', {class: 'unseen'}, label('placeOf', {n: seat.place}) + ' '),
        element('span', {class: 'who'}, seat.name), ' ',
        element('span', {class: 'soft'}, formatNumber(seat.score, page.language, seat.score % 1 === 0 ? 0 : 1)),
        seat.fault === '' ? null : element('span', {class: 'tag loud'}, seat.fault));
}

function logLinks(job, key) {
    return [link(`/view/${job}/${key}#lang=${page.language}`, label('watch'), 'view' + key, label('watchMatch', {a: key})),
        link(`/log/${job}/${key}`, label('log'), 'log' + key, label('logOfMatch', {a: key}))];
}

// `more`: further links.
function matchItem({block, number, seats, hasLog}, job = jobNumber, ...more) {
    const key = `${block}.${number}`;
    return element('li', {'data-match': key},
        element('span', {class: 'key'}, key),
        element('ol', {class: 'seats'}, ...seats.map(seatItem)),
        element('span', {class: 'links'}, ...more,
            ...(hasLog ? logLinks(job, key) : [element('span', {class: 'soft'}, label('logPruned'))])));
}

function showMatches() {
    const found = [...list.matches.values()].filter(fits)
        .sort((one, other) => other.block - one.block || one.number - other.number);
    showFilters();
    replace($('matches'), found.slice(0, list.limit).map(match => matchItem(match)));
    $('shown').textContent = label('shown', {a: formatNumber(found.length, page.language),
        b: formatNumber(list.matches.size, page.language)});
    $('no-matches').hidden = found.length > 0 || list.matches.size === 0;
    $('more').hidden = found.length <= list.limit;
}

function listenToFilters() {
    for (const name of FILTERS)
        $(name).addEventListener('input', () => {
            list.filters[name] = $(name).value;
            list.limit = LISTED;
            writeHash(list.filters);
            showMatches();
        });
    $('more').addEventListener('click', () => {
        list.limit += LISTED;
        showMatches();
    });
    $('filters').addEventListener('submit', event => event.preventDefault());
}
