// One ladder: the versions that play, best first, and the older ones of a bot on request. Without a name in the
// address: a list of all ladders.

'use strict';

const NAME = location.pathname.split('/')[2] ?? '';
const STATES = {open: 'ladderOpen', final: 'ladderFinal', over: 'ladderOver'};
const ladder = {found: null, unfolded: new Set()};

function cells(row) {
    return [
        element('td', {class: 'number'}, formatNumber(row.version, page.language)),
        element('td', {}, link('/users/' + row.user, row.user, `user${row.name}${row.version}`)),
        ladderRating(row),
        element('td', {class: 'number'}, formatNumber(row.deals, page.language)),
        element('td', {class: 'number'}, formatNumber(row.matches, page.language)),
        element('td', {class: 'number'}, row.matches > 0 ? formatShare(row.wins / row.matches, page.language) : '–'),
        element('td', {class: 'date'}, formatDate(row.submitted_s, page.language)),
    ];
}

function foldButton(name) {
    const isOpen = ladder.unfolded.has(name);
    const button = element('button', {type: 'button', class: 'fold', 'data-key': 'fold' + name,
        'aria-expanded': String(isOpen), 'aria-label': label('olderVersions', {a: name})}, isOpen ? '▾' : '▸');
    button.addEventListener('click', () => {
        if (isOpen)
            ladder.unfolded.delete(name);
        else
            ladder.unfolded.add(name);
        show();
    });
    return button;
}

function rowsOf(row, older) {
    const broken = row.state === 'broken' ? element('span', {class: 'tag loud'}, label('leftOut')) : null;
    const out = row.state === 'disqualified' ? element('span', {class: 'tag loud'}, label('disqualified')) : null;
    const suspect = isSuspicious(row) ? element('span', {class: 'tag loud'}, label('suspicious')) : null;
    const first = element('tr', {}, element('td', {class: 'number'}, ladderRanks(row)),
        element('th', {scope: 'row'}, link('/bots/' + row.name, row.name, 'bot' + row.name), ' ', broken, out, suspect,
            older.length > 0 ? foldButton(row.name) : null), ...cells(row));
    return [first, ...(ladder.unfolded.has(row.name) ? older : []).map(old => element('tr', {class: 'older'},
        element('td', {class: 'number'}, '–'),
        element('th', {scope: 'row'}, element('span', {class: 'soft'}, old.name), isSuspicious(old)
            ? element('span', {class: 'tag loud'}, label('suspicious')) : null), ...cells(old)))];
}

function factsOf(found) {
    return [label(STATES[found.state]), label('seatsAtTable', {n: found.seats}), found.variant || found.edition,
        label('unknownLength', {a: formatNumber(found.matches, page.language)}),
        ...('deadline_s' in found ? [label('deadlineAt', {a: formatDate(found.deadline_s, page.language)})] : [])].join(' · ');
}

// A version whose choices among hidden cards are luckier than chance, and the matches that speak most against it. The
// logs of old tables may be removed; their jobs are still there.
function suspicion({name, version, peek}) {
    return element('li', {}, label('mayKnowCards', {bot: name, v: version, a: formatNumber(peek.gain, page.language, 1),
        b: formatNumber(peek.allowed, page.language, 1), n: formatNumber(peek.one_in, page.language)}),
    ...peek.evidence.flatMap(({job, block, rotation}) => {
        const key = `${block}.${rotation + 1}`;
        return [' ', link(`/jobs/${job}`, label('matchOfJob', {a: key, n: job}), `job${name}${version}.${job}.${key}`), ' ',
            link(`/view/${job}/${key}#lang=${page.language}`, label('watchMatch', {a: key}), `watch${name}${version}.${job}.${key}`)];
    }));
}

function isSuspicious(row) {
    return row.peek?.is_suspicious === true;
}

function showOne(found) {
    const active = found.rows.filter(row => row.state !== 'older' && !(row.state === 'disqualified'
        && found.rows.some(other => other.name === row.name && other.version > row.version)));
    const older = Map.groupBy(found.rows.filter(row => row.state === 'older').toSorted((one, other) => other.version - one.version),
        row => row.name);
    const isFirst = new Set();
    $('ladder-title').textContent = label('ladderNamed', {a: found.name});
    $('ladder-facts').textContent = factsOf(found);
    $('ladder-final').hidden = !('final' in found);
    if ('final' in found)
        replace($('ladder-final'), [link(`/jobs/${found.final}`, label('finalTable'), 'final')]);
    $('warnings').hidden = !found.rows.some(isSuspicious);
    replace($('warnings'), found.rows.filter(isSuspicious).map(suspicion));
    $('ladder-head').replaceChildren(headRow([['ranks', true], ['name'], ['version', true], ['user'], ['rating', true],
        ['deals', true], ['matches', true], ['winShare', true], ['since']]));
    replace($('ladder-rows'), active.flatMap(row => {
        const isNew = !isFirst.has(row.name);
        isFirst.add(row.name);
        return rowsOf(row, isNew ? older.get(row.name) ?? [] : []);
    }));
    $('ladder-table').hidden = $('ladder-note').hidden = active.length === 0;
}

function showList(found) {
    replace($('ladder-list'), found.ladders.map(one => element('li', {},
        link(`/ladder/${one.name}`, one.name, 'ladder' + one.name), ' ', element('span', {class: 'soft'}, factsOf(one)))));
    $('ladder-list').hidden = found.ladders.length === 0;
    $('no-ladders').hidden = found.ladders.length > 0;
}

function show() {
    document.title = 'ALLEGRA · ' + (NAME === '' ? label('ladders') : label('ladderNamed', {a: NAME}));
    if (ladder.found === null)
        return;
    if (NAME === '')
        showList(ladder.found);
    else
        showOne(ladder.found);
}

const load = throttle(async () => {
    ladder.found = await askJson(NAME === '' ? '/api/ladders' : `/api/ladder/${NAME}`);
    show();
}, 1000);

begin(show);
page.live = new Live('/events', load, (number, what) => ['ladder', 'over'].includes(what) && load());
