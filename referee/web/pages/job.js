// One job, live: its progress, standings and matches. The daemon sends only published results, so only
// those are shown.

'use strict';

const jobNumber = Number(location.pathname.split('/')[2]);
const SPOKEN_MS = 10000;
const state = {job: null, standings: null, note: '', actionsOf: '', spokenAt: -SPOKEN_MS};

function factsOf(job) {
    const facts = [label('job', {n: job.number}), label('by', {kind: label(job.kind), user: job.user}),
        label('submitted', {a: formatDate(job.submitted_s, page.language)})];
    return (job.ended_s > 0 ? [...facts, label('ended', {a: formatDate(job.ended_s, page.language)})] : facts)
        .join(' · ');
}

// The same job once more, and the matches of a repaired bot in it.
function replayButtons(job) {
    if (!mayChange(job))
        return [];
    const bots = element('select', {'data-key': 'repaired', 'aria-label': label('repairedBot')},
        ...job.bots.map(({name}) => element('option', {value: name}, name)));
    const rerun = actButton('rerun', label('rerun'), async () => {
        location.href = '/jobs/' + valueIn(await request(['rerun', job.number]), 'job');
    });
    const replay = sureButton('replay', label('replayBot'), label('reallySure'),
        () => request(['replay', job.number, bots.value]));
    return job.state === 'cancelled' ? [rerun] : [rerun, bots, replay];
}

// Deletes the logs of a job that is over, and says what that has freed.
function pruneButtons(job) {
    if (!mayChange(job) || job.state === 'queued' || job.state === 'playing')
        return [];
    return [sureButton('prune', label('prune'), label('pruneSure'), async () => {
        const reply = await request(['prune', job.number]);
        state.note = label('pruned', {n: formatNumber(Number(valueIn(reply, 'logs')), page.language),
            a: formatNumber(Number(valueIn(reply, 'freed')) / 1e6, page.language, 1)});
        list.matches.clear();
        load();
    })];
}

function showJob() {
    const {job} = state;
    if (job === null)
        return;
    document.title = `${job.title} · ALLEGRA`;
    $('title').textContent = job.title;
    $('facts').textContent = factsOf(job);
    $('state').replaceChildren(stateTag(job.state));
    $('grades').hidden = !page.me.is_organiser;
    if (state.actionsOf !== job.state + page.language + page.me.user) {
        state.actionsOf = job.state + page.language + page.me.user;
        replace($('actions'), [...jobButtons(job), ...replayButtons(job), ...pruneButtons(job)]);
    }
    $('progress').replaceChildren(progressOf(job));
    const messages = [job.message, state.note].filter(text => text !== '');
    $('messages').hidden = messages.length === 0;
    $('messages').replaceChildren(...messages.map(text => element('p', {}, text)));
}

// The rating of a bot among all ratings, with its interval.
function ratingBar({value, low, high}, [least, most]) {
    const at = rating => 2 + 96 * Math.min(1, Math.max(0, (rating - least) / Math.max(1, most - least)));
    const [left, middle, right] = [low ?? value, value, high ?? value].map(at);
    return drawing('svg', {class: 'interval', viewBox: '0 0 100 12', preserveAspectRatio: 'none',
        'aria-hidden': 'true', focusable: 'false'},
    drawing('path', {class: 'axis', d: 'M0 6H100'}),
    drawing('path', {class: 'range', d: `M${left} 6H${Math.max(right, left + 0.5)}`}),
    drawing('path', {class: 'point', d: `M${middle} 1V11`}));
}

// One wide interval must not squeeze all the others.
function rangeOf(ratings) {
    const least = Math.min(...ratings), most = Math.max(...ratings), margin = 50 + (most - least) / 4;
    return [least - margin, most + margin];
}

function ratingCell(rating, range) {
    if (rating.value === null)
        return element('td', {class: 'number'}, '–');
    const interval = rating.low === null || rating.high === null ? null : label('interval',
        {a: formatNumber(rating.low, page.language), b: formatNumber(rating.high, page.language)});
    return element('td', {class: 'number rating', title: interval}, formatNumber(rating.value, page.language),
        interval === null ? null : element('span', {class: 'unseen'}, ` (${interval})`), ratingBar(rating, range));
}

// A bot whose choices among hidden cards are luckier than chance.
function suspicion(bot) {
    const {gain, allowed, one_in: oneIn} = bot.peek;
    return label('knowsCards', {bot: bot.name, a: formatNumber(gain, page.language, 1),
        b: formatNumber(allowed, page.language, 1), n: formatNumber(oneIn, page.language)});
}

// The matches that speak most against it, to watch.
function evidence(bot) {
    return state.standings.evidence.filter(match => match.bot === bot.name).flatMap(({block, rotation}) => {
        const key = `${block}.${rotation + 1}`;
        return [' ', link(`/view/${jobNumber}/${key}#lang=${page.language}`, label('watchMatch', {a: key}),
            `evidence${bot.name}${key}`)];
    });
}

function isAdjusted() {
    return (state.standings?.bots ?? []).some(bot => bot.adjusted.mean !== null);
}

function pointsCell({mean}) {
    return element('td', {class: 'number'}, mean === null ? '–' : formatNumber(mean, page.language, 1));
}

// The ranks that a bot may have, with 95 % certainty for all bots at once: "4–9".
function ranksOf({best, worst}) {
    return best === null ? '–' : best === worst ? String(best) : `${best}–${worst}`;
}

// A player leads to the page of its bot; programs that only a tournament file names have none.
function playerLink(name) {
    const bot = state.job?.bots.find(one => one.name === name)?.bot;
    return bot === undefined ? name : link('/bots/' + bot, name, 'bot' + name);
}

function playerTag(name) {
    return disqualifiedTag(state.job?.bots.find(one => one.name === name));
}

function standingRow(bot, range) {
    const {total, ...codes} = bot.faults;
    return element('tr', {},
        element('td', {class: 'number'}, String(bot.place)),
        element('th', {scope: 'row'}, playerLink(bot.name),
            playerTag(bot.name), bot.is_withdrawn ? element('span', {class: 'tag'}, label('withdrawn')) : null,
            bot.peek.is_suspicious ? element('span', {class: 'tag loud'}, label('suspicious')) : null),
        ratingCell(bot.rating, range),
        element('td', {class: 'number'}, ranksOf(bot.ranks)),
        pointsCell(bot.score),
        isAdjusted() ? pointsCell(bot.adjusted) : null,
        element('td', {class: 'number'}, bot.win_share === null ? '–' : formatShare(bot.win_share, page.language)),
        element('td', {class: 'number'}, formatNumber(bot.matches, page.language)),
        element('td', {}, ...(total > 0 ? faultTags(codes) : ['–'])),
        element('td', {class: 'number'}, bot.time.median_us === null ? '–' : formatTime(bot.time.median_us, page.language)));
}

function showStandings() {
    const bots = state.standings?.bots ?? [];
    const isThere = bots.some(bot => bot.matches > 0);
    const range = rangeOf(bots.map(({rating}) => rating.value).filter(value => value !== null));
    $('standings-table').hidden = !isThere;
    $('no-standings').hidden = isThere;
    $('downloads').hidden = !isThere;
    $('about-luck').hidden = !isAdjusted();
    const suspects = bots.filter(bot => bot.peek.is_suspicious);
    $('warnings').hidden = suspects.length === 0;
    $('warnings').replaceChildren(...suspects.map(bot => element('li', {}, suspicion(bot), ...evidence(bot))));
    $('standings-head').replaceChildren(headRow([['place', true], ['bot'], ['rating', true], ['ranks', true],
        ['score', true], ...(isAdjusted() ? [['adjusted', true]] : []), ['winShare', true], ['matches', true],
        ['faults'], ['median', true]]));
    $('standings').replaceChildren(...bots.map(bot => standingRow(bot, range)));
}

// The report has all languages, and opens in the one that its address ends in; else in English.
function showReportLink() {
    $('report').href = `/report/${jobNumber}` + (page.language === 'en' ? '' : '#' + page.language);
}

function showAll() {
    showReportLink();
    showJob();
    showStandings();
    readFilters();
    showMatches();
}

// A report of this job; null until the first deal is decided.
async function report(name, read) {
    const reply = await ask(`/api/jobs/${jobNumber}/${name}`);
    return reply.status === 204 ? null : read(reply);
}

// The progress for screen readers, not more often than one can listen to.
function speak() {
    if (performance.now() - state.spokenAt < SPOKEN_MS || state.job === null)
        return;
    state.spokenAt = performance.now();
    $('spoken').textContent = $('progress').textContent + ', ' + label(state.job.state);
}

// Matches that were known before and are not in the reply have been replaced: a reply that was on its way when the
// job was queued again may have brought them back.
async function loadMatches() {
    const known = [...list.matches.keys()];
    await report('matches', async reply => {
        const text = await reply.text();
        known.forEach(key => list.matches.delete(key));
        readMatches(text);
    });
}

// Loads everything, in this order: the number of decided matches says whether the list is complete.
const load = throttle(async () => {
    const job = await askJson('/api/jobs/' + jobNumber);
    // Events that came meanwhile are newer than the reply, and no match becomes undecided while it is played.
    state.job = {...job, decided: Math.max(job.decided, state.job?.decided ?? 0)};
    showJob();
    state.standings = await report('standings', reply => reply.json()) ?? state.standings;
    showStandings();
    if (list.matches.size !== state.job.decided)
        await loadMatches();
    showMatches();
}, 1000);

const showMatchesSoon = throttle(async () => showMatches(), 300);

const EVENTS = {
    match: fields => {
        addPublished(fields);
        showMatchesSoon();
    },
    block: ([, decided, matches]) => showProgress(decided, matches),
    begin: ([decided, matches]) => showProgress(decided, matches),
    standings: load,
    note: fields => {
        state.note = fields.join(' ');
        showJob();
    },
    // Matches that are played again are not decided any more, and those that they replace do not count.
    queued: () => {
        Object.assign(state.job ?? {}, {decided: 0});
        list.matches.clear();
        load();
    },
    playing: load,
    over: load,
};

function showProgress(decided, matches) {
    if (state.job === null)
        return;
    Object.assign(state.job, {decided: Number(decided), matches: Number(matches), state: 'playing'});
    showJob();
    speak();
}

function onEvent(number, what, rest) {
    if (number === jobNumber && Object.hasOwn(EVENTS, what))
        EVENTS[what](rest);
}

for (const [id, path] of Object.entries({table: `/api/jobs/${jobNumber}/table`,
    grades: `/api/grades?jobs=${jobNumber}`, cross: `/api/jobs/${jobNumber}/cross`, csv: `/api/jobs/${jobNumber}/matches`}))
    $(id).href = path;
listenToFilters();
begin(showAll);
page.live = new Live('/events?job=' + jobNumber, load, onEvent);
