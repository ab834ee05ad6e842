// People at the pages of a real daemon, in a real browser: serve_people.mjs FOLDER BUILD. They sign in, upload bots,
// start and cancel jobs, and see what is theirs. One daemon and one browser for all. Prints lines as tests/run wants
// them.

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {LANGUAGES, launch, LOOKS, report} from './browser.mjs';
import {BUILD, Daemon, FOLDER, Page, referee, STORE} from './serve_browser.mjs';

const ONLY = process.argv[4] ?? '';
const tokens = {};
// It greets and answers nothing; what it writes to stderr is for its author alone.
const RUDE = '#!/bin/sh\necho hello rude\necho "a secret of anna" >&2\nread line\nexit 3\n';

function addUser(name, ...more) {
    tokens[name] = referee('serve', '--store', STORE, '--add-user', name, ...more).trim();
}

async function signIn(tab, token) {
    await tab.page.fill('#token', token);
    await tab.press('Enter');
}

// A browser of its own for each user, with its own cookies.
async function pageOf(browser, daemon, user, address) {
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, locale: 'en-GB'});
    const tab = await Page.open(context, daemon, '/sign-in#next=' + address);
    await tab.until(`page.me.csrf !== ''`);
    await signIn(tab, tokens[user]);
    await tab.until(`location.pathname === '${address}'`);
    await tab.ready();
    return tab;
}

async function checkSignIn(browser, daemon, expect) {
    const context = await browser.newContext({locale: 'en-GB'});
    const tab = await Page.open(context, daemon, '/submit');
    await tab.ready();
    await tab.page.click('#need a');
    await tab.page.waitForURL('**/sign-in**');
    await tab.until(`page.me.csrf !== ''`);
    await signIn(tab, 'wrong');
    await tab.until(`!document.getElementById('trouble').hidden`);
    expect((await tab.page.textContent('#trouble')).includes('Nobody has that token'), 'a wrong token is not told');
    await signIn(tab, tokens.anna);
    await tab.until(`location.pathname === '/submit'`);
    await tab.ready();
    expect((await tab.page.textContent('#me')).includes('anna'), 'nobody is signed in');
    const [cookie] = await context.cookies();
    expect(cookie.httpOnly && cookie.sameSite === 'Lax' && cookie.expires > 0, JSON.stringify(cookie));
    expect(await tab.page.evaluate('document.cookie') === '', 'a script can read the cookie');
    await tab.page.click('#me button');
    await tab.until(`location.pathname === '/' && page.me.csrf !== ''`);
    expect((await tab.page.textContent('#me')) === 'Sign in', 'signing out does nothing');
    tab.problems.length = 0;
    await tab.close(expect);
    await context.close();
}

function file(name, bytes) {
    return {name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes)};
}

async function upload(tab, name, chosen, command = '', build = '') {
    await tab.page.fill('#name', name);
    await tab.page.setInputFiles('#file', chosen);
    await tab.page.fill('#command', command);
    await tab.page.fill('#build', build);
    await tab.page.click('#bot button');
    await tab.until(`document.querySelector('#bot-reply a') !== null || !document.getElementById('trouble').hidden`);
}

async function checkUpload(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/submit');
    const greedy = fs.readFileSync(path.join(BUILD, 'bots', 'greedy'));
    await upload(tab, 'big', file('greedy bot', greedy));
    expect((await tab.page.textContent('#bot-reply')).includes('big is accepted as version 1'), 'it is not accepted');
    expect(fs.readFileSync(path.join(STORE, 'bots/big/1/greedy_bot')).equals(greedy), 'other bytes have arrived');
    await upload(tab, 'rude', file('rude.sh', RUDE));
    await upload(tab, 'rude', file('rude.sh', RUDE));
    expect((await tab.page.textContent('#bot-reply')).includes('version 2'), 'it is no new version');
    await upload(tab, 'house', file('x', RUDE));
    expect((await tab.page.textContent('#trouble')).includes('belongs to owner'), 'the name of another is taken');
    tab.problems.length = 0;
    await tab.picture('submit');
    await tab.close(expect);
}

// What does not compile is told at once, with the words of the compiler; only to its author.
async function checkTrials(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/submit');
    await upload(tab, 'typo', file('bot.c', 'int main() { char *geheim_von_anna = "ä"; retur 0; }\n'), './bot', 'cc -o bot bot.c');
    const said = await tab.page.textContent('#bot-reply');
    expect(said.includes('version 1. Its build failed') && said.includes('‘retur’') && said.includes('"ä"'), said);
    await tab.picture('submit-failed');
    await tab.page.click('#bot-reply a');
    await tab.page.waitForURL('**/bots/typo');
    await tab.until(`!document.getElementById('output-section').hidden`);
    expect((await tab.page.textContent('#output')).includes('geheim_von_anna'), 'the output is not on the page of the bot');
    expect(await tab.page.textContent('#output-title') === 'Build of version 1', 'the output has another title');
    expect((await tab.page.textContent('#versions')).includes('failed'), 'the version is not called failed');
    const address = await tab.page.getAttribute('#versions a', 'href');
    await tab.picture('bot-build', {fullPage: true});
    const other = await pageOf(browser, daemon, 'bert', '/bots/typo');
    await other.until('seen.versions !== null');
    expect((await other.page.textContent('#versions')).includes('failed'), 'others do not see that it failed');
    expect(!(await other.page.content()).includes('geheim') && await other.page.locator('#versions a').count() === 0,
        'others see the output');
    expect(await other.page.evaluate(`fetch('${address}').then(reply => reply.status)`) === 403, 'others can read it');
    other.problems.length = 0;
    await other.close(expect);
    await tab.close(expect);
}

// A folder in a zip, with a build; the check of the version follows by itself.
async function checkArchive(browser, daemon, expect) {
    const folder = path.join(FOLDER, 'zipped'), made = path.join(FOLDER, 'zipped.zip');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'Makefile'), 'bot: bot.c\n\tcc -O1 -o bot bot.c\n');
    fs.copyFileSync('bots/c/bot.c', path.join(folder, 'bot.c'));
    execFileSync('python3', ['-m', 'zipfile', '-c', made, folder]);
    const tab = await pageOf(browser, daemon, 'anna', '/submit');
    await upload(tab, 'zipped', file('my bot.zip', fs.readFileSync(made)));
    expect((await tab.page.textContent('#trouble')).includes('needs a command'), 'an archive needs no command');
    tab.problems.length = 0;
    await upload(tab, 'zipped', file('my bot.zip', fs.readFileSync(made)), './bot', 'make bot');
    expect((await tab.page.textContent('#bot-reply')).includes('version 1. It says hello.'), await tab.page.textContent('#bot-reply'));
    await tab.page.goto(daemon.url + '/bots/zipped');
    await tab.until(`seen.versions?.[0].check === 'ok' && document.getElementById('output').textContent.includes('no fault')`);
    await tab.picture('bot-checked', {fullPage: true});
    await tab.page.click('#again');
    await tab.page.waitForURL('**/submit#name=zipped');
    await tab.until(`document.getElementById('build').value === 'make bot'`);
    expect(await tab.page.inputValue('#name') === 'zipped' && await tab.page.inputValue('#command') === './bot',
        'a new version is not run like the last one');
    // The file of `rude` was its command, and may have another name now.
    await tab.page.goto(daemon.url + '/bots/rude');
    await tab.ready();
    await tab.page.click('#again');
    await tab.page.waitForURL('**/submit#name=rude');
    await tab.until('form.isFilled');
    expect(await tab.page.inputValue('#command') === '' && await tab.page.inputValue('#build') === '', 'it is filled in');
    await tab.page.goto(daemon.url + '/languages');
    await tab.until(`document.querySelectorAll('#languages tr').length > 10`);
    expect((await tab.page.textContent('#languages tr')).includes('yes'), 'what is installed is not first');
    await tab.picture('languages');
    await tab.close(expect);
}

async function checkMatch(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/submit');
    await tab.page.click('#job button');
    await tab.until(`document.getElementById('trouble').textContent.includes('at least two')`);
    for (const name of ['big', 'house', 'rude'])
        await tab.page.check(`#players [value=${name}]`);
    await tab.page.fill('#rounds', '1');
    await tab.page.fill('#job-name', 'By "hand"');
    await tab.page.click('#job [value=match]');
    await tab.page.waitForURL('**/jobs/1');
    await tab.until(`state.job?.state === 'done' && list.matches.size === 1`);
    expect(await tab.page.textContent('#title') === 'By "hand"', 'the title is another');
    await tab.page.goto(daemon.url + '/submit');
    await tab.ready();
    for (const name of ['big', 'house'])
        await tab.page.check(`#players [value=${name}]`);
    await tab.page.fill('#rounds', '1');
    await tab.page.fill('#deals', '2');
    await tab.page.click('#job [value=tournament]');
    await tab.page.waitForURL('**/jobs/2');
    await tab.until(`state.job?.state === 'done' && list.matches.size === 4`);
    await tab.close(expect);
}

async function checkCancel(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/users/anna');
    await tab.page.evaluate(`request(['match', 'house', 'house'], {deals: 9000, title: 'Too long'})`);
    await tab.until(`person.jobs[0]?.title === 'Too long' && document.querySelector('[data-key=cancel3]') !== null`);
    const other = await pageOf(browser, daemon, 'bert', '/jobs/3');
    await other.until('state.job !== null');
    expect(await other.page.locator('#actions button').count() === 0, 'others may cancel');
    const refusal = await other.page.evaluate(`request(['cancel', 3]).catch(error => error.message)`);
    expect(refusal.includes('belongs to anna'), refusal);
    other.problems.length = 0;
    await other.close(expect);
    await tab.page.goto(daemon.url + '/jobs/3');
    await tab.ready();
    await tab.until(`state.job.state === 'playing' && document.querySelector('#actions button') !== null`);
    await tab.page.click('#actions button');
    expect(await tab.page.textContent('#actions button') === 'Really cancel?', 'one click is enough');
    await tab.page.click('#actions button');
    await tab.until(`state.job.state === 'cancelled'`);
    await tab.close(expect);
}

// A page of another site cannot change anything, whatever it sends and however the reader is signed in.
async function checkForgery(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/bots');
    const other = daemon.url.replace('127.0.0.1', 'localhost');
    const count = async () => (await (await fetch(daemon.url + '/api/status')).json()).jobs;
    const before = await count();
    const send = (url, headers) => tab.page.evaluate(`fetch('${url}/api/requests', {method: 'POST',
        credentials: 'include', body: 'match house house\\n', headers: ${headers}}).then(reply => reply.status, () => 0)`);
    expect(await send(daemon.url, '{}') === 403, 'a request without the secret is answered');
    expect(await send(daemon.url, `{'X-CSRF-Token': 'f'.repeat(64)}`) === 403, 'a wrong secret is taken');
    expect(await send(daemon.url, `{'X-CSRF-Token': page.me.csrf}`) === 200, 'the right secret is not taken');
    expect(await count() === before + 1, 'another number of jobs');
    // The same form on a page of another origin: the policy of our own pages would stop it, so it is a blank one there.
    await tab.page.goto('about:blank');
    await tab.page.evaluate(url => {
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, {method: 'POST', action: url + '/api/requests', enctype: 'text/plain'});
        form.submit();
    }, daemon.url);
    await tab.page.waitForURL('**/api/requests');
    expect((await tab.page.textContent('body')).includes('other sites') ||
        (await tab.page.textContent('body')).includes('another site'), 'the form of another site is taken');
    expect(other !== daemon.url && await count() === before + 1, 'another site has started a job');
    tab.problems.length = 0;
    await tab.close(expect);
}

async function checkBotPage(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/bots/rude');
    await tab.until(`seen.matches.length === 1 && document.querySelectorAll('#versions tr').length === 2`);
    expect((await tab.page.textContent('#faults')).includes('process ended'), 'the fault has no words');
    expect(await tab.page.locator('#worst li[data-match]').count() === 1, 'the worst match is missing');
    expect(await tab.page.getAttribute('#again', 'href') === '/submit#name=rude', 'it cannot be submitted again');
    const stderr = await tab.page.getAttribute('#last [href^="/stderr/"]', 'href');
    expect((await tab.page.evaluate(`fetch('${stderr}').then(reply => reply.text())`)).includes('a secret of anna'),
        'the author cannot read it');
    await tab.picture('bot');
    await tab.page.click('#last [href^="/view/"]');
    await tab.page.waitForURL('**/view/1/1.1**');
    const other = await pageOf(browser, daemon, 'bert', '/bots/rude');
    await other.until('seen.matches.length === 1');
    expect(await other.page.locator('[href^="/stderr/"]').count() === 0, 'others are shown the way to stderr');
    expect(!(await other.page.content()).includes('a secret'), 'others see it');
    await other.page.goto(daemon.url + '/bots/big');
    await other.ready();
    await other.until(`document.querySelectorAll('#ratings tr').length === 2 && document.querySelector('.chart') !== null`);
    await other.picture('bot-chart');
    await other.close(expect);
    await tab.close(expect);
}

async function checkLooks(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'anna', '/users/anna');
    for (const [i, address] of ['/users/anna', '/bots/rude', '/submit', '/jobs/3', '/sign-in', '/bots/typo', '/languages'].entries()) {
        await tab.page.goto(daemon.url + address);
        await tab.ready();
        for (const [colorScheme, width, options] of LOOKS) {
            await tab.page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
            await tab.page.setViewportSize({width, height: 800});
            const violations = await tab.violations(options);
            expect(violations === '', `${address} ${colorScheme} ${width}: ${violations}`);
            if (colorScheme === 'dark')
                await tab.picture('people-dark-' + i, {fullPage: true});
        }
        await tab.picture('people-phone-' + i, {fullPage: true});
        for (const language of LANGUAGES) {
            await tab.page.selectOption('#language', language);
            const text = await tab.page.evaluate('document.body.innerText');
            expect(await tab.width() <= 360, `${address} ${language}: ${await tab.width()} pixels wide`);
            expect(!/undefined|NaN|Invalid/.test(text), `${language} ${address}: ${text}`);
        }
        await tab.page.selectOption('#language', 'en');
    }
    await tab.close(expect);
}

// An organiser reads the output of a build that failed, and the report of the check of a bot that works.
async function checkOutputs(tab, daemon, expect) {
    for (const [name, words] of [['typo', 'its build failed'], ['big', 'questions answered']]) {
        await tab.page.goto(daemon.url + '/bots/' + name);
        await tab.ready();
        await tab.until(`document.getElementById('output').textContent.includes('${words}')`);
        expect((await tab.page.textContent('#output-section')).includes('Only its author and the organisers'), name);
    }
}

// Asks for the matches of a job now, and holds the reply until the returned function is called: it is old news then.
async function holdMatches(tab, number) {
    const address = `**/api/jobs/${number}/matches`;
    let release, isHeld = false;
    const released = new Promise(resolve => { release = resolve; });
    await tab.page.route(address, async route => {
        const response = await route.fetch();
        isHeld = true;
        await released;
        await route.fulfill({response});
    }, {times: 1});
    await tab.page.evaluate('list.matches.clear(); load();');
    while (!isHeld)
        await new Promise(done => setTimeout(done, 20));
    return release;
}

// Job 2 is a tournament of anna, in which big has played.
async function checkOrganiser(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'tutor', '/jobs/2');
    await tab.until(`state.job.state === 'done' && document.querySelector('[data-key=replay]') !== null`);
    const release = await holdMatches(tab, 2);
    await tab.page.selectOption('[data-key=repaired]', 'big');
    await tab.page.click('[data-key=replay]');
    expect(await tab.page.textContent('[data-key=replay]') === 'Really?', 'one click is enough');
    await tab.page.click('[data-key=replay]');
    await tab.until(`list.matches.size === 4`);
    release();
    await tab.until(`state.job.state === 'done' && list.matches.size === 4
        && [...list.matches.values()].every(match => match.block > 2)`);
    expect(await tab.violations() === '', `organiser-job: ${await tab.violations()}`);
    await tab.picture('organiser-job');
    const grades = await tab.page.evaluate(`ask(document.getElementById('grades').href).then(reply => reply.text())`);
    expect(grades.includes('id-of-anna,anna,1,100.0,big'), grades);
    await tab.page.click('[data-key=rerun]');
    await tab.until(`location.pathname !== '/jobs/2'`);
    await tab.page.goto(daemon.url + '/bots/rude');
    await tab.ready();
    await tab.until(`document.querySelector('[data-key=disqualify]') !== null`);
    expect(await tab.violations() === '', `the reason: ${await tab.violations()}`);
    await tab.page.fill('#reason', 'It is "rude"');
    await tab.page.click('[data-key=disqualify]');
    await tab.page.click('[data-key=disqualify]');
    await tab.until(`document.getElementById('disqualified').textContent === 'disqualified: It is "rude"'`);
    expect(await tab.violations() === '', `organiser-bot: ${await tab.violations()}`);
    await tab.picture('organiser-bot');
    await tab.page.goto(daemon.url + '/');
    await tab.ready();
    await tab.until(`!document.getElementById('grades-section').hidden`);
    expect(await tab.violations() === '', `organiser-overview: ${await tab.violations()}`);
    await tab.picture('organiser-overview');
    await tab.page.fill('#grades-jobs', 'job 2');
    const [season] = await Promise.all([tab.page.waitForEvent('download'), tab.page.click('#grades button')]);
    const csv = fs.readFileSync(await season.path(), 'utf8');
    expect(season.suggestedFilename() === 'grades.csv' && csv.includes('id-of-anna,anna,1,100.0,big'), csv);
    await checkOutputs(tab, daemon, expect);
    const anna = await pageOf(browser, daemon, 'anna', '/bots/rude');
    await anna.until(`!document.getElementById('disqualified').hidden`);
    expect(await anna.page.locator('[data-key=reinstate]').count() === 0, 'anna may reinstate her bot');
    const refusal = await anna.page.evaluate(`request(['reinstate', 'rude']).catch(error => error.message)`);
    expect(refusal.includes('only for organisers'), refusal);
    anna.problems.length = 0;
    await anna.close(expect);
    await tab.page.goto(daemon.url + '/bots/rude');
    await tab.ready();
    await tab.until(`document.querySelector('[data-key=reinstate]') !== null`);
    await tab.page.click('[data-key=reinstate]');
    await tab.until(`document.getElementById('disqualified').hidden`);
    await tab.page.click('[data-key=remove]');
    await tab.page.click('[data-key=remove]');
    await tab.until(`location.pathname === '/bots' && document.querySelector('[data-key=botbig]') !== null`);
    expect(await tab.page.locator('[data-key=botrude]').count() === 0, 'it is still listed');
    await tab.close(expect);
}

// Job 1 is a match of anna.
async function checkPrune(browser, daemon, expect) {
    const other = await pageOf(browser, daemon, 'bert', '/jobs/1');
    await other.until(`state.job?.state === 'done'`);
    expect(await other.page.locator('[data-key=prune]').count() === 0, 'others may delete its logs');
    await other.close(expect);
    const tab = await pageOf(browser, daemon, 'anna', '/jobs/1');
    await tab.until(`document.querySelector('[data-key=prune]') !== null && list.matches.size === 1`);
    await tab.page.click('[data-key=prune]');
    expect((await tab.page.textContent('[data-key=prune]')).startsWith('Delete all logs?'), 'one click is enough');
    await tab.page.click('[data-key=prune]');
    await tab.until(`document.getElementById('messages').textContent.startsWith('Logs deleted: 1;')`);
    await tab.until(`document.getElementById('matches').textContent.includes('log deleted')`);
    expect(await tab.violations() === '', `prune: ${await tab.violations()}`);
    await tab.page.reload();
    await tab.until(`document.querySelector('[data-key=prune]') !== null`);
    await tab.page.click('[data-key=prune]');
    await tab.page.click('[data-key=prune]');
    await tab.until(`document.getElementById('trouble').textContent.includes('nothing to prune')`);
    tab.problems.length = 0;
    await tab.close(expect);
}

async function checkKeyboard(browser, daemon, expect) {
    const tab = await pageOf(browser, daemon, 'bert', '/submit');
    const reached = [];
    for (let i = 0; i < 32; i++) {
        await tab.press('Tab');
        reached.push(await tab.page.evaluate(`document.activeElement.id || document.activeElement.dataset.key ||
            document.activeElement.value || document.activeElement.textContent`));
    }
    for (const name of ['Submit', 'me', 'sign-out', 'name', 'file', 'command', 'build', 'Submit the bot', 'playerhouse',
        'edition', 'rounds', 'deals', 'job-name', 'match', 'tournament', 'cup-file'])
        expect(reached.includes(name), `Tab does not reach ${name}: ${reached}`);
    await tab.close(expect);
}

async function main() {
    const daemon = new Daemon();
    fs.mkdirSync(STORE);
    ['anna', 'bert'].forEach(name => addUser(name, '--id', 'id-of-' + name));
    addUser('tutor', '--organiser');
    // The machine may be busy with other things.
    fs.writeFileSync(path.join(FOLDER, 'settings'), '{"request_ms": 600000, "idle_ms": 600000}');
    await daemon.start('127.0.0.1:0', '--settings', path.join(FOLDER, 'settings'));
    const browser = await launch();
    try {
        referee('submit', 'bot', 'house', path.join(BUILD, 'bots', 'random'));
        const tests = {
            'a token opens a session, and signing out ends it': checkSignIn,
            'a file is uploaded in the browser, and again as a new version': checkUpload,
            'a bot that does not compile shows the words of the compiler to its author alone': checkTrials,
            'a zip is uploaded in the browser, built and checked': checkArchive,
            'a match and a tournament are started in the browser': checkMatch,
            'a user cancels own jobs and no others': checkCancel,
            'no other site can change anything': checkForgery,
            'the page of a bot has its faults in words, and stderr for its author': checkBotPage,
            'the pages for people fit phones, five languages, light and dark': checkLooks,
            'an organiser replays, disqualifies, removes and grades; others cannot': checkOrganiser,
            'the logs of a job are deleted by its user; others cannot': checkPrune,
            'the keyboard alone is enough to submit': checkKeyboard,
        };
        for (const [name, check] of Object.entries(tests).filter(([name]) => name.includes(ONLY)))
            await report(name, expect => check(browser, daemon, expect));
    } finally {
        await browser.close();
        await daemon.stop();
    }
}

await main();
