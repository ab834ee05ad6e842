// One job, live: its progress, standings and matches. The daemon sends only published results, so only
// those are shown.

'use strict';

const workNumber = Number(location.pathname.split('/')[2]);
const SPOKEN_MS = 10000;
const state = {work: null, standings: null, note: '', spokenAt: -SPOKEN_MS};

function factsOf(work) {
    const facts = [word('work', {n: work.number}), word('by', {kind: word(work.kind), user: work.user}),
        word('given', {a: dateWord(work.given_s, page.language)})];
    return (work.ended_s > 0 ? [...facts, word('ended', {a: dateWord(work.ended_s, page.language)})] : facts)
        .join(' · ');
}

function showWork() {
    const {work} = state;
    if (work === null)
        return;
    document.title = `${work.title} · ALLEGRA`;
    $('title').textContent = work.title;
    $('facts').textContent = factsOf(work);
    $('state').replaceChildren(stateTag(work.state));
    $('progress').replaceChildren(progressOf(work));
    const words = [work.words, state.note].filter(text => text !== '');
    $('words').hidden = words.length === 0;
    $('words').replaceChildren(...words.map(text => element('p', {}, text)));
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
    const words = rating.low === null || rating.high === null ? null : word('interval',
        {a: numberWord(rating.low, page.language), b: numberWord(rating.high, page.language)});
    return element('td', {class: 'number rating', title: words}, numberWord(rating.value, page.language),
        words === null ? null : element('span', {class: 'unseen'}, ` (${words})`), ratingBar(rating, range));
}

function standingRow(bot, range) {
    const {total, ...codes} = bot.faults;
    return element('tr', {},
        element('td', {class: 'number'}, String(bot.place)),
        element('th', {scope: 'row'}, bot.name,
            bot.is_withdrawn ? element('span', {class: 'tag'}, word('withdrawn')) : null),
        ratingCell(bot.rating, range),
        element('td', {class: 'number'}, bot.score.mean === null ? '–' : numberWord(bot.score.mean, page.language, 1)),
        element('td', {class: 'number'}, bot.win_share === null ? '–' : shareWord(bot.win_share, page.language)),
        element('td', {class: 'number'}, numberWord(bot.matches, page.language)),
        element('td', {}, ...(total > 0 ? faultTags(codes) : ['–'])),
        element('td', {class: 'number'}, bot.time.median_us === null ? '–' : timeWord(bot.time.median_us, page.language)));
}

function showStandings() {
    const bots = state.standings?.bots ?? [];
    const isThere = bots.some(bot => bot.matches > 0);
    const range = rangeOf(bots.map(({rating}) => rating.value).filter(value => value !== null));
    $('standings-table').hidden = !isThere;
    $('no-standings').hidden = isThere;
    $('papers').hidden = !isThere;
    $('standings-head').replaceChildren(headRow([['place', true], ['bot'], ['rating', true], ['score', true],
        ['winShare', true], ['matches', true], ['faults'], ['median', true]]));
    $('standings').replaceChildren(...bots.map(bot => standingRow(bot, range)));
}

function showAll() {
    showWork();
    showStandings();
    readFilters();
    showMatches();
}

// A report of this job; null until the first deal is decided.
async function paper(name, read) {
    const reply = await ask(`/api/works/${workNumber}/${name}`);
    return reply.status === 204 ? null : read(reply);
}

// The progress for screen readers, not more often than one can listen to.
function speak() {
    if (performance.now() - state.spokenAt < SPOKEN_MS || state.work === null)
        return;
    state.spokenAt = performance.now();
    $('spoken').textContent = $('progress').textContent + ', ' + word(state.work.state);
}

// Loads everything, in this order: the number of decided matches says whether the list is complete.
const load = throttle(async () => {
    state.work = await askJson('/api/works/' + workNumber);
    showWork();
    state.standings = await paper('standings', reply => reply.json()) ?? state.standings;
    showStandings();
    if (list.matches.size < state.work.decided)
        await paper('matches', async reply => readMatches(await reply.text()));
    showMatches();
}, 1000);

const showMatchesSoon = throttle(async () => showMatches(), 300);

const EVENTS = {
    match: words => {
        hearMatch(words);
        showMatchesSoon();
    },
    block: ([, decided, matches]) => showProgress(decided, matches),
    begin: ([decided, matches]) => showProgress(decided, matches),
    standings: load,
    note: words => {
        state.note = words.join(' ');
        showWork();
    },
    playing: load,
    over: load,
};

function showProgress(decided, matches) {
    if (state.work === null)
        return;
    Object.assign(state.work, {decided: Number(decided), matches: Number(matches), state: 'playing'});
    showWork();
    speak();
}

function onEvent(number, what, rest) {
    if (number === workNumber && Object.hasOwn(EVENTS, what))
        EVENTS[what](rest);
}

for (const [id, path] of Object.entries({report: `/report/${workNumber}`, table: `/api/works/${workNumber}/table`,
    cross: `/api/works/${workNumber}/cross`, csv: `/api/works/${workNumber}/matches`}))
    $(id).href = path;
listenToFilters();
begin(showAll);
page.live = new Live('/events?work=' + workNumber, load, onEvent);
