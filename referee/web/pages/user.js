// A user: the bots and the jobs.

'use strict';

const userName = location.pathname.split('/')[2];
const person = {bots: null, jobs: []};

function botRow(bot) {
    return element('tr', {},
        element('th', {scope: 'row'}, link('/bots/' + bot.name, bot.name, 'bot' + bot.name)),
        element('td', {class: 'number'}, formatNumber(bot.version, page.language)),
        element('td', {class: 'date'}, formatDate(bot.submitted_s, page.language)),
        ...botCells(bot));
}

function jobRow(job) {
    return element('tr', {},
        element('td', {class: 'number soft'}, String(job.number)),
        element('th', {scope: 'row'}, link('/jobs/' + job.number, job.title, 'job' + job.number)),
        element('td', {}, label(job.kind)),
        element('td', {}, stateTag(job.state)),
        element('td', {class: 'number'}, label('shown', {a: formatNumber(job.decided, page.language),
            b: formatNumber(job.matches, page.language)})),
        element('td', {class: 'date'}, formatDate(job.submitted_s, page.language)),
        element('td', {}, ...jobButtons(job)));
}

function showUser() {
    document.title = `${userName} · ALLEGRA`;
    $('title').textContent = userName;
    if (person.bots === null)
        return;
    $('bots-head').replaceChildren(headRow([['name'], ['version', true], ['date'], ...BOT_HEADS]));
    replace($('bots'), person.bots.map(botRow));
    $('jobs-head').replaceChildren(headRow([['number', true], ['titleOfJob'], ['kind'], ['state'], ['matches', true],
        ['date'], ['actions']]));
    replace($('jobs'), person.jobs.map(jobRow));
    for (const name of ['bots', 'jobs']) {
        $(name + '-table').hidden = person[name].length === 0;
        $('no-' + name).hidden = person[name].length > 0;
    }
}

const load = throttle(async () => {
    const [{bots}, {jobs}] = await Promise.all([askJson('/api/bots'), askJson(`/api/jobs?user=${userName}&limit=100`)]);
    const newest = new Map(bots.filter(bot => bot.user === userName).map(bot => [bot.name, bot]));
    Object.assign(person, {bots: [...newest.values()], jobs});
    showUser();
}, 1000);

begin(showUser);
page.live = new Live('/events', load, (number, what) => ['queued', 'playing', 'over', 'bot', 'begin'].includes(what) && load());
