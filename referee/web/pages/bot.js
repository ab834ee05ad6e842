// One bot: its versions, its ratings in ladders and in the last jobs, its last and its worst matches. What is private
// comes only to its author.

'use strict';

const botName = location.pathname.split('/')[2];
const JOBS = 20, MATCHES_MAX = 2000, LISTED_AT_ONCE = 8;
const FAULTS = {late: 'fault_late', illegal: 'fault_illegal', unreadable: 'fault_unreadable', too_long: 'fault_too_long',
    flood: 'fault_flood', unasked: 'fault_unasked', gone: 'fault_gone', deaf: 'fault_deaf', no_start: 'fault_no_start',
    bad_hello: 'fault_bad_hello'};
const seen = {output: null, versions: null, ladders: [], rated: [], jobs: [], tables: new Map(), lists: new Map(), matches: []};

// What is private about a bot is for its author and the organisers.
function mayRead() {
    return isMine() || page.me.is_organiser === true;
}

function isMine() {
    return page.me.is_signed_in && page.me.user === seen.versions?.[0].user;
}

const STEPS = [['build', 'stepBuild'], ['hello', 'stepHello'], ['check', 'stepCheck']];
const RESULTS = {ok: ['done', 'resultOk'], failed: ['failed', 'resultFailed'], waiting: ['queued', 'resultWaiting'],
    unknown: ['paused', 'resultUnknown']};

// What came of a step of the trial of a version; its author can read what was printed.
function stepCell(bot, [step, name]) {
    const [kind, text] = RESULTS[bot[step]] ?? [];
    if (kind === undefined)
        return element('td', {}, '–');
    const tag = element('span', {class: 'tag ' + kind}, label(text));
    return element('td', {}, mayRead() && ['ok', 'failed'].includes(bot[step]) ?
        element('a', {href: `/bots/${botName}/${bot.version}/${step}`, 'data-key': `${step}${bot.version}`,
            'aria-label': `${label('outputOf', {a: label(name), n: bot.version})}: ${label(text)}`}, tag) : tag);
}

// The step of the newest version that its author should look at: the one that failed, or else the last one.
function stepToShow() {
    const newest = seen.versions?.[0];
    const done = STEPS.filter(([step]) => ['ok', 'failed'].includes(newest?.[step]));
    return mayRead() ? done.find(([step]) => newest[step] === 'failed') ?? done.at(-1) : undefined;
}

function showOutput() {
    const step = stepToShow();
    $('output-section').hidden = step === undefined || seen.output === null;
    if (step !== undefined)
        $('output-title').textContent = label('outputOf', {a: label(step[1]), n: seen.versions[0].version});
    if ($('output').textContent !== (seen.output ?? ''))
        $('output').textContent = seen.output ?? '';
}

async function loadOutput() {
    const step = stepToShow();
    seen.output = step === undefined ? null :
        await (await ask(`/bots/${botName}/${seen.versions[0].version}/${step[0]}`)).text();
}

function versionRow(bot) {
    return element('tr', {},
        element('th', {scope: 'row', class: 'number'}, formatNumber(bot.version, page.language)),
        element('td', {class: 'date'}, formatDate(bot.submitted_s, page.language)),
        ...STEPS.map(step => stepCell(bot, step)),
        ...botCells(bot));
}

// How the bot did in a job, as each of its players there. The tables of ladders say little one by one.
function resultsIn(job) {
    return job.bots.filter(player => player.bot === botName).flatMap(player => {
        const bots = seen.tables.get(job.number)?.bots ?? [];
        return bots.filter(bot => bot.name === player.name && bot.matches > 0)
            .map(bot => ({job, player, bot, count: bots.length}));
    });
}

function resultRow({job, player, bot, count}) {
    const {language} = page;
    const {value, low, high} = bot.rating;
    const {total, ...codes} = bot.faults;
    return element('tr', {},
        element('th', {scope: 'row'}, link('/jobs/' + job.number, job.title, `job${job.number}${player.name}`)),
        element('td', {class: 'number'}, formatNumber(player.version, language)),
        element('td', {class: 'date'}, formatDate(job.submitted_s, language)),
        element('td', {class: 'number'}, label('shown', {a: bot.place, b: count})),
        element('td', {class: 'number'}, value === null ? '–' : formatNumber(value, language),
            low === null || high === null ? null : element('span', {class: 'soft small'},
                ` ${formatNumber(low, language)} … ${formatNumber(high, language)}`)),
        element('td', {class: 'number'}, formatNumber(bot.matches, language)),
        element('td', {}, ...(total > 0 ? faultTags(codes) : ['–'])),
        element('td', {class: 'number'}, bot.time.median_us === null ? '–' : formatTime(bot.time.median_us, language)));
}

// The chart is made for the ratings: an interval that is much wider, as after few matches, ends at its edge.
function chartEnds(points) {
    const values = points.map(({value}) => value);
    const least = Math.min(...values), most = Math.max(...values);
    const margin = Math.max(200, (most - least) / 2);
    return [Math.max(least - margin, Math.min(...points.map(({value, low}) => low ?? value))),
        Math.min(most + margin, Math.max(...points.map(({value, high}) => high ?? value)))];
}

// Ratings with their intervals, by what is `at`; those of one line belong together.
function ratingChart(points, name) {
    if (points.length < 2)
        return [];
    const [least, most] = chartEnds(points);
    const width = 600, height = 140;
    const first = points[0].at, last = points.at(-1).at;
    const x = at => 44 + (at - first) * (width - 60) / Math.max(1, last - first);
    const y = value => 12 + (height - 24) * (most - Math.min(most, Math.max(least, value))) / Math.max(1, most - least);
    const tick = value => drawing('text', {x: 0, y: y(value) + 4}, formatNumber(value, page.language));
    const lines = Map.groupBy(points, ({line}) => line);
    return [drawing('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name},
        drawing('path', {class: 'axis', d: `M40 ${y(least)}H${width}M40 ${y(most)}H${width}`}), tick(most),
        ...(most - least >= 1 ? [tick(least)] : []),
        ...points.map(({at, value, low, high}) =>
            drawing('path', {class: 'range', d: `M${x(at)} ${y(low ?? value)}V${y(high ?? value) - 0.1}`})),
        ...[...lines.values()].map(line =>
            drawing('path', {class: 'line', d: 'M' + line.map(({at, value}) => `${x(at)} ${y(value)}`).join('L')})),
        ...points.map(({at, value}) => drawing('circle', {class: 'dot', cx: x(at), cy: y(value), r: 4})))];
}

// The oldest job at the left.
function jobPoints(results) {
    return results.map(({bot}) => bot.rating).filter(({value}) => value !== null).toReversed()
        .map((rating, i) => ({...rating, at: i, line: ''}));
}

// How each version came to its rating.
function ladderChart({name, history}) {
    const points = history.map(({time_s: at, version, rating, low, high}) => ({at, line: version, value: rating, low, high}));
    const title = label('ladderNamed', {a: name});
    return ratingChart(points, `${title}: ${label('ratingOverTime')}`).map(chart => element('figure', {},
        element('figcaption', {}, link('/ladder/' + name, title, 'chart' + name)), chart));
}

function ladderRow(ladder, row, isFirst) {
    return element('tr', {},
        element('th', {scope: 'row'}, link('/ladder/' + ladder.name, ladder.name, `ladder${ladder.name}${row.version}`)),
        element('td', {class: 'number'}, formatNumber(row.version, page.language)),
        element('td', {class: 'date'}, formatDate(row.submitted_s, page.language)),
        element('td', {class: 'number'}, isFirst ? ladderRanks(row) : '–'),
        ladderRating(row),
        element('td', {class: 'number'}, formatNumber(row.deals, page.language)),
        element('td', {class: 'number'}, formatNumber(row.matches, page.language)),
        element('td', {class: 'number'}, row.matches > 0 ? formatShare(row.wins / row.matches, page.language) : '–'));
}

function showLadders() {
    const rows = seen.ladders.flatMap(ladder => ladder.rows.toSorted((one, other) => other.version - one.version)
        .map(row => ladderRow(ladder, row, row.state !== 'older')));
    replace($('ladder-charts'), seen.ladders.flatMap(ladderChart));
    $('ladders-head').replaceChildren(headRow([['ladder'], ['version', true], ['date'], ['ranks', true], ['rating', true],
        ['deals', true], ['matches', true], ['winShare', true]]));
    replace($('ladders'), rows);
    $('ladders-table').hidden = $('about-ladders').hidden = rows.length === 0;
}

function showFaults() {
    const sums = new Map();
    for (const [code, count] of seen.versions.flatMap(({faults}) => Object.entries(faults)))
        sums.set(code, (sums.get(code) ?? 0) + count);
    $('faults-section').hidden = sums.size === 0;
    $('faults').replaceChildren(...[...sums].map(([code, count]) => element('div', {},
        element('dt', {}, ...faultTags({[code]: count})), element('dd', {}, label(FAULTS[code])))));
}

// How far the bot was from the winner; a fault of its own counts most.
function badness({seats, players}) {
    return Math.max(...seats.filter(seat => players.includes(seat.name)).map(seat =>
        (seat.fault === '' ? 0 : 1e6) + seat.score - Math.min(...seats.map(other => other.score))));
}

function listItem(match) {
    const {job, seats, players, block, number, hasLog} = match;
    const own = [link('/jobs/' + job, '#' + job, `job${job}.${block}.${number}`, label('job', {n: job}))];
    own.push(...mayRead() && hasLog ? seats.filter(seat => players.includes(seat.name)).map(seat =>
        link(`/stderr/${job}/${block}.${number}/${seat.name}`, 'stderr', `stderr${job}.${block}.${number}`,
            label('stderrOf', {a: seat.name, b: `${block}.${number}`}))) : []);
    return matchItem(match, job, ...own);
}

function showLists() {
    const worst = seen.matches.filter(match => badness(match) > 0).toSorted((one, other) => badness(other) - badness(one));
    replace($('last'), seen.matches.slice(0, LISTED_AT_ONCE).map(listItem));
    replace($('worst'), worst.slice(0, LISTED_AT_ONCE).map(listItem));
    $('no-last').hidden = seen.matches.length > 0;
    $('worst-section').hidden = worst.length === 0;
}

// What organisers do with a bot, and its author; the reason is kept while it is typed.
function showActions(bot) {
    const canJudge = page.me.may_change && page.me.is_organiser;
    const key = [bot.is_disqualified, canJudge, mayChange(bot), page.language].join();
    $('reason-line').hidden = !canJudge || bot.is_disqualified;
    if (seen.actionsOf === key)
        return;
    seen.actionsOf = key;
    const judge = bot.is_disqualified
        ? actButton('reinstate', label('reinstate'), () => request(['reinstate', botName]))
        : sureButton('disqualify', label('disqualify'), label('reallySure'),
            () => request(['disqualify', botName], {why: $('reason').value.trim()}));
    const remove = sureButton('remove', label('remove'), label('reallySure'), async () => {
        await request(['remove', botName]);
        location.href = '/bots';
    });
    replace($('actions'), [...(canJudge ? [judge] : []), ...(mayChange(bot) ? [remove] : [])]);
}

function showBot() {
    document.title = `${botName} · ALLEGRA`;
    $('title').textContent = botName;
    $('again').href = '/submit#name=' + botName;
    if (seen.versions === null)
        return;
    const [newest] = seen.versions;
    const results = seen.rated.flatMap(resultsIn);
    $('facts').replaceChildren(userLink(newest.user, 'user'), ` · ${label(newest.kind)}`);
    $('disqualified').hidden = !newest.is_disqualified;
    $('disqualified').textContent = newest.is_disqualified ? label('disqualifiedFor', {a: newest.why}) : '';
    $('again').hidden = !isMine();
    showActions(newest);
    $('private').hidden = !isMine();
    $('versions-head').replaceChildren(headRow([['version', true], ['date'],
        ...STEPS.map(([, name]) => [name]), ...BOT_HEADS]));
    replace($('versions'), seen.versions.map(versionRow));
    showLadders();
    $('chart').replaceChildren(...ratingChart(jobPoints(results), label('ratingOverTime')));
    $('ratings-head').replaceChildren(headRow([['titleOfJob'], ['version', true], ['date'], ['place', true],
        ['rating', true], ['matches', true], ['faults'], ['median', true]]));
    replace($('ratings'), results.map(resultRow));
    $('ratings-table').hidden = $('about-ratings').hidden = results.length === 0;
    $('no-ratings').hidden = results.length > 0 || !$('ladders-table').hidden;
    showOutput();
    showFaults();
    showLists();
}

async function report(job, name, read) {
    const reply = await ask(`/api/jobs/${job}/${name}`);
    return reply.status === 204 ? null : read(reply);
}

// Tables of jobs that are over are loaded once.
async function loadTables() {
    for (const {number, state} of seen.rated) {
        const isOver = state !== 'queued' && state !== 'playing';
        if (!seen.tables.has(number) || !isOver)
            seen.tables.set(number, await report(number, 'standings', reply => reply.json()));
    }
}

async function matchesOf(job) {
    const players = job.bots.filter(player => player.bot === botName).map(player => player.name);
    const found = await report(job.number, 'matches', async reply => matchesIn(await reply.text())) ?? [];
    return found.filter(({seats}) => seats.some(seat => players.includes(seat.name)))
        .map(match => ({...match, job: job.number, players})).toReversed();
}

// The newest jobs that together have so many matches, at least one; those that are over are loaded once.
async function loadMatches() {
    let left = MATCHES_MAX;
    seen.matches = [];
    for (const job of seen.jobs.filter(({decided}) => decided > 0)) {
        if (left <= 0)
            break;
        left -= job.decided;
        const key = `${job.number} ${job.state} ${job.decided} ${job.ended_s}`;
        if (!seen.lists.has(key))
            seen.lists.set(key, await matchesOf(job));
        seen.matches.push(...seen.lists.get(key));
    }
}

// Each job once. The tables of a ladder are so many that they alone would be the newest jobs.
function newestFirst(...lists) {
    return [...new Map(lists.flat().map(job => [job.number, job])).values()]
        .toSorted((one, other) => other.number - one.number);
}

const load = throttle(async () => {
    const asked = `bot=${botName}&limit=${JOBS}`;
    const [{bots}, {ladders}, {jobs: rated}, {jobs}] = await Promise.all([askJson('/api/bots'),
        askJson('/api/ladders?bot=' + botName), askJson(`/api/jobs?kind=submitted&${asked}`), askJson(`/api/jobs?${asked}`)]);
    Object.assign(seen, {versions: bots.filter(bot => bot.name === botName).toReversed(), ladders, rated,
        jobs: newestFirst(jobs, rated)});
    await loadOutput();
    await loadTables();
    await loadMatches();
    showBot();
}, 2000);

begin(showBot);
page.live = new Live('/events', load, (number, what) => ['standings', 'over', 'bot', 'trial', 'marked', 'ladder'].includes(what) && load());
