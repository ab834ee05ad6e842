// The jobs that are playing, waiting and finished.

'use strict';

const AT_ONCE = 25;
const overview = {status: null, open: [], over: [], hasMore: false, trail: []};

function showCounts() {
    const {status} = overview;
    if (status === null)
        return;
    const {states} = status;
    const over = states.done + states.paused + states.failed + states.cancelled;
    const counts = [['countPlaying', states.playing], ['countWaiting', states.queued], ['countOver', over],
        ['countBots', status.bots], ['countWatchers', status.watchers]];
    $('counts').replaceChildren(...counts.map(([name, count]) => element('div', {},
        element('dt', {}, word(name)), element('dd', {}, numberWord(count, page.language)))));
    $('version').textContent = 'referee ' + status.version;
}

function openItem(work) {
    return element('li', {class: 'card'},
        element('div', {class: 'row'},
            element('span', {class: 'soft'}, '#' + work.number),
            element('h3', {}, link('/works/' + work.number, work.title, 'open' + work.number)),
            stateTag(work.state)),
        element('p', {class: 'soft'}, word('by', {kind: word(work.kind), user: work.user}) + ' · ' +
            word('given', {a: dateWord(work.given_s, page.language)})),
        work.state === 'playing' ? progressOf(work) : null);
}

function overRow(work) {
    return element('tr', {},
        element('td', {class: 'number soft'}, String(work.number)),
        element('th', {scope: 'row'}, link('/works/' + work.number, work.title, 'over' + work.number),
            work.words === '' ? null : element('p', {class: 'small soft'}, work.words)),
        element('td', {}, word(work.kind)),
        element('td', {}, work.user),
        element('td', {}, stateTag(work.state)),
        element('td', {class: 'number'}, numberWord(work.decided, page.language)),
        element('td', {class: 'date'}, dateWord(work.ended_s, page.language)));
}

function showOverview() {
    document.title = 'ALLEGRA · ' + word('overview');
    showCounts();
    replace($('open'), overview.open.map(openItem));
    $('nothing-open').hidden = overview.open.length > 0;
    $('over-head').replaceChildren(headRow([['number', true], ['titleOfWork'], ['kind'], ['user'], ['state'],
        ['matches', true], ['date']]));
    replace($('over'), overview.over.map(overRow));
    $('over-table').hidden = overview.over.length === 0;
    $('nothing-over').hidden = overview.over.length > 0;
    $('newer').disabled = overview.trail.length === 0;
    $('older').disabled = !overview.hasMore;
    $('paging').hidden = $('newer').disabled && $('older').disabled;
}

const load = throttle(async () => {
    const before = overview.trail.length > 0 ? '&before=' + overview.trail.at(-1) : '';
    const [status, open, over] = await Promise.all([askJson('/api/status'),
        askJson('/api/works?state=open&limit=200'), askJson(`/api/works?state=over&limit=${AT_ONCE}${before}`)]);
    const rank = {playing: 0, queued: 1};
    Object.assign(overview, {status, over: over.works, hasMore: over.has_more,
        open: open.works.sort((one, other) => rank[one.state] - rank[other.state] || one.number - other.number)});
    showOverview();
}, 700);

// Progress needs no request: the event contains it.
function onEvent(number, what, rest) {
    const work = overview.open.find(one => one.number === number);
    if (work !== undefined && (what === 'block' || what === 'begin')) {
        const [decided, matches] = rest.slice(what === 'block' ? 1 : 0).map(Number);
        Object.assign(work, {decided, matches});
        showOverview();
    } else if (['queued', 'playing', 'over', 'bot', 'begin'].includes(what)) {
        load();
    }
}

function onPage(isOlder) {
    if (isOlder)
        overview.trail.push(overview.over.at(-1).number);
    else
        overview.trail.pop();
    load();
}

$('older').addEventListener('click', () => onPage(true));
$('newer').addEventListener('click', () => onPage(false));
begin(showOverview);
page.live = new Live('/events', load, onEvent);
