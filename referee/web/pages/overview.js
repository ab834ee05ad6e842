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
        element('dt', {}, label(name)), element('dd', {}, formatNumber(count, page.language)))));
    $('version').textContent = 'referee ' + status.version;
}

function openItem(job) {
    return element('li', {class: 'card'},
        element('div', {class: 'row'},
            element('span', {class: 'soft'}, '#' + job.number),
            element('h3', {}, link('/jobs/' + job.number, job.title, 'open' + job.number)),
            stateTag(job.state)),
        element('p', {class: 'soft'}, label('by', {kind: label(job.kind), user: job.user}) + ' · ' +
            label('submitted', {a: formatDate(job.submitted_s, page.language)})),
        job.state === 'playing' ? progressOf(job) : null);
}

function overRow(job) {
    return element('tr', {},
        element('td', {class: 'number soft'}, String(job.number)),
        element('th', {scope: 'row'}, link('/jobs/' + job.number, job.title, 'over' + job.number),
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
    replace($('open'), overview.open.map(openItem));
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

const load = throttle(async () => {
    const before = overview.trail.length > 0 ? '&before=' + overview.trail.at(-1) : '';
    const [status, open, over] = await Promise.all([askJson('/api/status'),
        askJson('/api/jobs?state=open&limit=200'), askJson(`/api/jobs?state=over&limit=${AT_ONCE}${before}`)]);
    const rank = {playing: 0, queued: 1};
    Object.assign(overview, {status, over: over.jobs, hasMore: over.has_more,
        open: open.jobs.sort((one, other) => rank[one.state] - rank[other.state] || one.number - other.number)});
    showOverview();
}, 700);

// Progress needs no request: the event contains it.
function onEvent(number, what, rest) {
    const job = overview.open.find(one => one.number === number);
    if (job !== undefined && (what === 'block' || what === 'begin')) {
        const [decided, matches] = rest.slice(what === 'block' ? 1 : 0).map(Number);
        Object.assign(job, {decided, matches});
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
