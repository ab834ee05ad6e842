// The jobs that are playing, waiting and finished.

'use strict';

const AT_ONCE = 25;
const PINNED_MAX = 12;
const FILTERS = ['kind', 'user', 'bot'];
const overview = {status: null, open: [], over: [], pinned: [], hasMore: false, trail: [], filters: {}};

// Pinned jobs are at the top, whatever the filters are. Each browser keeps its own.

function pins() {
    try {
        const numbers = JSON.parse(localStorage.getItem('pinned') ?? '[]');
        return Array.isArray(numbers) ? numbers.filter(Number.isInteger).slice(0, PINNED_MAX) : [];
    } catch {
        return [];
    }
}

function togglePin(number) {
    const others = pins().filter(one => one !== number);
    try {
        localStorage.setItem('pinned', JSON.stringify(others.length < pins().length ? others : [number, ...others]));
    } catch {
        // Some browsers store nothing; then nothing can be pinned.
    }
    load();
}

function pinButton(job, place) {
    const isPinned = pins().includes(job.number);
    const button = element('button', {type: 'button', class: 'pin', 'aria-pressed': String(isPinned),
        'aria-label': label('pin', {a: job.title}), title: label('pin', {a: job.title}),
        'data-key': place + 'pin' + job.number}, isPinned ? '★' : '☆');
    button.addEventListener('click', () => togglePin(job.number));
    return button;
}

// The tables of ladders are so many that they are listed only on request. Filters are part of the link. Names have no characters that an address must escape; others fit nothing.

function filterQuery() {
    const {kind, user, bot} = overview.filters;
    const asked = {kind: kind !== '' || user !== '' || bot !== '' ? kind : 'submitted', user, bot};
    return FILTERS.filter(name => asked[name] !== '').map(name => `&${name}=${encodeURIComponent(asked[name])}`).join('');
}

function showFilters() {
    const kinds = [['', label('any')], ['match', label('match')], ['tournament', label('tournament')],
        ['ladder', label('ladderTables')]];
    $('kind').replaceChildren(...kinds.map(([value, text]) => element('option', {value}, text)));
    for (const name of FILTERS.filter(one => $(one) !== document.activeElement || one === 'kind'))
        $(name).value = overview.filters[name];
}

function readFilters() {
    const hash = readHash();
    overview.filters = Object.fromEntries(FILTERS.map(name => [name, hash.get(name) ?? '']));
}

function listenToFilters() {
    for (const name of FILTERS)
        $(name).addEventListener('input', () => {
            overview.filters[name] = $(name).value.trim();
            overview.trail = [];
            writeHash(overview.filters);
            load();
        });
    $('filters').addEventListener('submit', event => event.preventDefault());
    window.addEventListener('hashchange', () => {
        readFilters();
        load();
    });
}

function showCounts() {
    const {status} = overview;
    if (status === null)
        return;
    const {states} = status;
    const over = states.done + states.paused + states.failed + states.cancelled;
    const counts = [['countPlaying', states.playing], ['countWaiting', states.queued], ['countOver', over],
        ['countBots', status.bots], ['countWatchers', status.watchers]];
    $('counts').replaceChildren(...counts.map(([name, count]) => element('div', {},
        element('dt', {}, label(name)), element('dd', {}, formatNumber(count, page.language)))));
    $('version').textContent = 'referee ' + status.version;
}

// The time a job is likely to take; nothing if nobody knows.
function timeText({state, left_s}) {
    return left_s < 0 || state !== 'playing' && state !== 'queued' ? null :
        label(state === 'playing' ? 'timeLeft' : 'timeNeeded', {a: formatDuration(left_s, page.language)});
}

function openItem(job, place = 'open') {
    const facts = [label('by', {kind: label(job.kind), user: job.user}),
        label('submitted', {a: formatDate(job.submitted_s, page.language)}), timeText(job)];
    return element('li', {class: 'card'},
        element('div', {class: 'row'},
            element('span', {class: 'soft'}, '#' + job.number),
            element('h3', {}, link('/jobs/' + job.number, job.title, place + job.number)),
            stateTag(job.state), pinButton(job, place)),
        element('p', {class: 'soft'}, facts.filter(text => text !== null).join(' · ')),
        job.state === 'playing' ? progressOf(job) : null);
}

function overRow(job) {
    return element('tr', {},
        element('td', {class: 'number soft'}, String(job.number)),
        element('th', {scope: 'row'}, link('/jobs/' + job.number, job.title, 'over' + job.number), ' ',
            pinButton(job, 'over'),
            job.message === '' ? null : element('p', {class: 'small soft'}, job.message)),
        element('td', {}, label(job.kind)),
        element('td', {}, job.user),
        element('td', {}, stateTag(job.state)),
        element('td', {class: 'number'}, formatNumber(job.decided, page.language)),
        element('td', {class: 'date'}, formatDate(job.ended_s, page.language)));
}

function showOverview() {
    document.title = 'ALLEGRA · ' + label('overview');
    showCounts();
    showFilters();
    replace($('pinned'), overview.pinned.map(job => openItem(job, 'pinned')));
    $('pinned-section').hidden = overview.pinned.length === 0;
    replace($('open'), overview.open.map(job => openItem(job)));
    $('grades-section').hidden = !page.me.is_organiser;
    $('nothing-open').hidden = overview.open.length > 0;
    $('over-head').replaceChildren(headRow([['number', true], ['titleOfJob'], ['kind'], ['user'], ['state'],
        ['matches', true], ['date']]));
    replace($('over'), overview.over.map(overRow));
    $('over-table').hidden = overview.over.length === 0;
    $('nothing-over').hidden = overview.over.length > 0;
    $('newer').disabled = overview.trail.length === 0;
    $('older').disabled = !overview.hasMore;
    $('paging').hidden = $('newer').disabled && $('older').disabled;
}

// A daemon with another store has other jobs.
async function askPinned(number) {
    const reply = await fetch('/api/jobs/' + number, {cache: 'no-store'});
    return reply.ok ? reply.json() : null;
}

const load = throttle(async () => {
    const before = overview.trail.length > 0 ? '&before=' + overview.trail.at(-1) : '';
    const filters = filterQuery();
    const [status, open, over, ...pinned] = await Promise.all([askJson('/api/status'),
        askJson('/api/jobs?state=open&limit=200' + filters),
        askJson(`/api/jobs?state=over&limit=${AT_ONCE}${before}${filters}`), ...pins().map(askPinned)]);
    const rank = {playing: 0, queued: 1};
    Object.assign(overview, {status, over: over.jobs, pinned: pinned.filter(job => job !== null),
        hasMore: over.has_more,
        open: open.jobs.sort((one, other) => rank[one.state] - rank[other.state] || one.number - other.number)});
    showOverview();
}, 700);

// The time left shrinks as matches are decided; the daemon's own estimate comes with the next reply.
function timeAfter({left_s, decided, matches}, now) {
    return left_s <= 0 || matches <= decided ? left_s : Math.ceil(left_s * (matches - now) / (matches - decided));
}

// Progress needs no request: the event contains it.
function onEvent(number, what, rest) {
    const jobs = [...overview.open, ...overview.pinned].filter(one => one.number === number);
    if (jobs.length > 0 && (what === 'block' || what === 'begin')) {
        const [decided, matches] = rest.slice(what === 'block' ? 1 : 0).map(Number);
        for (const job of jobs)
            Object.assign(job, {decided, matches, left_s: timeAfter(job, decided)});
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
$('grades').addEventListener('submit', event => {
    event.preventDefault();
    const jobs = $('grades-jobs').value.match(/\d+/g) ?? [];
    attempt(async () => {
        const reply = await ask(`/api/grades?jobs=${jobs.join(',')}`);
        const link = element('a', {href: URL.createObjectURL(await reply.blob()), download: 'grades.csv'});
        link.click();
        URL.revokeObjectURL(link.href);
    });
});
readFilters();
listenToFilters();
begin(showOverview);
page.live = new Live('/events', load, onEvent);
