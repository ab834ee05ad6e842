// A real daemon and its pages in a real browser: serve_pages.mjs FOLDER BUILD [PART OF A NAME], with a bot in FOLDER/gate
// that waits while its folder has a file `hold`. Prints lines as tests/run wants them.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {spawnSync} from 'node:child_process';
import {compareTexts, LANGUAGES, launch, LOOKS, report, ROOT} from './browser.mjs';
import {BUILD, Daemon, FOLDER, Page, referee, REFEREE, SOCKET, STORE, submitTournament, TEMPORARY} from './serve_browser.mjs';

const ONLY = process.argv[4] ?? '';
const MARKUP = `<img src=x onerror=alert(1)> & "<script>alert(2)</script>" {a} $&`;
const PAGES = ['/', '/jobs/1', '/jobs/2', '/bots', '/nothing'];

// In the sandbox the bot sees a copy of its folder. The daemon's folder for such copies is ours, so the gate is opened
// and shut there; a job that begins later starts with the gate shut, as it was submitted.
function gateFolders() {
    return fs.readdirSync(TEMPORARY).filter(name => name.startsWith('referee-bots-'))
        .flatMap(name => fs.readdirSync(path.join(TEMPORARY, name)).map(copy => path.join(TEMPORARY, name, copy)))
        .filter(folder => fs.existsSync(path.join(folder, 'gate')));
}

function setGate(isOpen) {
    const folders = gateFolders();
    for (const folder of folders) {
        fs.chmodSync(folder, fs.statSync(folder).mode | 0o200);
        if (isOpen)
            fs.rmSync(path.join(folder, 'hold'), {force: true});
        else
            fs.writeFileSync(path.join(folder, 'hold'), '');
    }
    if (folders.length === 0)
        throw new Error('no copy of the bot at the gate');
}

// Job 1 is over and has all kinds of matches; job 2 waits at the gate.
function fillDaemon() {
    referee('submit', 'bot', 'gate', '--command', './gate', '--folder', path.join(FOLDER, 'gate'));
    referee('submit', 'bot', 'greedy', path.join(BUILD, 'bots', 'greedy'));
    referee('submit', 'bot', 'greedy', path.join(BUILD, 'bots', 'greedy'));
    referee('submit', 'bot', 'random', path.join(BUILD, 'bots', 'random'));
    referee('submit', 'bot', 'negotiator', path.join(BUILD, 'bots', 'negotiator'));
    referee('submit', 'bot', 'rude', path.join(BUILD, 'tests', 'hostile', 'cell_out_of_range'));
    submitTournament(MARKUP, ['greedy', 'random', 'rude'], 4);
    // It ends when the job does; its code tells of the rude bot.
    spawnSync(REFEREE, ['watch', '1'], {env: {...process.env, REFEREE_SOCKET: SOCKET}});
    submitTournament('Evening cup', ['gate', {name: 'rival', bot: 'greedy'}], 30, {move_ms: 600000});
}

function folders(job, name) {
    try {
        return fs.readdirSync(path.join(STORE, 'jobs', String(job), 'store', name))
            .filter(entry => /^\d+$/.test(entry)).map(Number);
    } catch {
        return [];
    }
}

// What the page shows is in logs/, and nothing that is in open/.
async function comparePublished(daemon, tab, expect) {
    const shown = await tab.shownMatches();
    const open = folders(2, 'open'), published = folders(2, 'logs');
    const blocks = new Set(shown.map(key => Number(key.split('.')[0])));
    expect(open.length > 0, 'no deal is open');
    expect(open.every(block => !blocks.has(block)), `open deals ${open} are shown: ${shown}`);
    expect([...blocks].every(block => published.includes(block)), `${[...blocks]} is shown, ${published} published`);
    for (const block of open)
        for (const kind of ['log', 'view'])
            expect((await fetch(`${daemon.url}/${kind}/2/${block}.1`)).status === 404, `/${kind}/2/${block}.1 is there`);
    return shown.length;
}

// A match that was beyond the gate when it was shut may end meanwhile, and its news may be on their way to the page: then
// what was compared was not one moment, and is compared again.
async function compareAtRest(daemon, tab, expect) {
    for (;;) {
        await tab.until(`list.matches.size === state.job.decided &&
            document.querySelectorAll('[data-match]').length === list.matches.size`);
        const before = moment(await tab.page.evaluate('state.job.decided'));
        const problems = [];
        const shown = await comparePublished(daemon, tab, (isRight, why) => isRight || problems.push(why));
        const decided = await tab.page.evaluate('state.job.decided');
        if (shown === decided && before === moment(decided)) {
            expect(problems.length === 0, problems[0]);
            return decided;
        }
    }
}

function moment(decided) {
    return JSON.stringify([decided, folders(2, 'open').sort(), folders(2, 'logs').sort()]);
}

async function checkLive(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/2');
    await tab.page.evaluate('window.isTheSame = true');
    while (folders(2, 'open').length === 0)
        await tab.page.waitForTimeout(20);
    expect(await comparePublished(daemon, tab, expect) === 0, 'something is shown before it is decided');
    expect(await tab.page.locator('#no-standings').isVisible(), 'there are standings already');
    setGate(true);
    await tab.until('list.matches.size >= 2');
    setGate(false);
    const decided = await compareAtRest(daemon, tab, expect);
    expect(decided > 0 && decided < 60, `${decided} of 60 are decided while the gate is shut`);
    await tab.until(`document.querySelectorAll('#standings tr').length === 2`);
    await tab.picture('job-live');
    return tab;
}

// Meanwhile the connection is lost for a while; what was missed is there afterwards.
async function checkLiveEnd(tab, expect) {
    const before = await tab.page.evaluate('list.matches.size');
    setGate(true);
    await tab.until(`list.matches.size > ${before}`);
    await tab.page.evaluate('page.live.source.close()');
    spawnSync(REFEREE, ['watch', '2'], {env: {...process.env, REFEREE_SOCKET: SOCKET}});
    await tab.page.evaluate('page.live.connect()');
    await tab.until(`state.job.state === 'done' && list.matches.size === 60`);
    await tab.until(`state.standings.matches === 60`);
    await tab.until(`document.querySelector('#progress').textContent.includes('60 of 60')`);
    expect(await tab.page.evaluate('window.isTheSame') === true, 'the page was loaded again');
    expect((await tab.page.textContent('#state')) === 'done', 'it does not say that it is over');
    expect((await tab.page.textContent('#spoken')) !== '', 'nothing is said to those who do not see');
    await tab.close(expect);
}

async function checkOverview(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/');
    await tab.until(`overview.open.length === 1`);
    expect((await tab.page.textContent('#open')).includes('Evening cup'), 'what is played is not shown');
    expect(/about [\d,]+ \w+ left/.test(await tab.page.textContent('#open')), 'not how long it takes');
    // None of them ends by itself, whether it waits for its turn or has it.
    const numbers = Array.from({length: 27},
        () => submitTournament('Queued', ['gate', 'greedy'], 1, {move_ms: 600000}));
    await tab.until(`overview.open.length === 28`);
    expect(/will take about [\d,]+ \w+/.test(await tab.page.textContent('#open')), 'not how long another takes');
    numbers.forEach(number => referee('cancel', String(number)));
    await tab.until(`overview.open.length === 1 && overview.over.length === 25`);
    expect(await tab.page.locator('#newer').isDisabled(), 'there is nothing newer');
    await tab.page.click('#older');
    await tab.until(`overview.over.at(-1).number === 1`);
    expect(await tab.page.locator('#over tr').count() === 3, 'other jobs on the second page');
    expect(await tab.page.locator('#older').isDisabled(), 'there is nothing older');
    await tab.page.click('#newer');
    await tab.until(`overview.over.length === 25`);
    await tab.page.click('#open a');
    await tab.page.waitForURL('**/jobs/2');
    await tab.close(expect);
}

// Pins stay in the browser, filters in the link.
async function checkFront(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/#bot=rude');
    const {page} = tab;
    const shown = () => page.evaluate(`[overview.pinned, overview.over].map(jobs => jobs.map(job => job.number).join())`);
    await tab.until(`overview.over.length === 1`);
    expect(await page.inputValue('#bot') === 'rude', 'the link does not set the filter');
    await page.click('#over .pin');
    await tab.until(`overview.pinned.length === 1`);
    await page.fill('#bot', 'nobody');
    await tab.until(`overview.over.length === 0`);
    expect((await shown()).join('|') === '1|', `${await shown()}: a pin does not depend on filters`);
    await page.reload();
    await tab.until(`overview.pinned.length === 1`);
    expect(new URL(page.url()).hash === '#bot=nobody', page.url());
    await page.fill('#bot', '');
    await page.selectOption('#kind', 'match');
    await tab.until(`overview.over.length === 0`);
    await page.selectOption('#kind', 'tournament');
    await tab.until(`overview.over.length === 25`);
    await page.fill('#user', '</script>&limit=1');
    await tab.until(`overview.over.length === 0`);
    await page.fill('#user', await page.evaluate('overview.pinned[0].user'));
    await tab.until(`overview.over.length === 25`);
    await page.click('#pinned .pin');
    await tab.until(`overview.pinned.length === 0`);
    expect(await page.locator('#pinned-section').isHidden(), 'an empty section');
    await tab.close(expect);
}

async function checkFilters(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    const matches = await tab.page.evaluate('[...list.matches.values()]');
    const count = fits => matches.filter(fits).length;
    const has = test => ({seats}) => seats.some(test);
    const cases = [
        [{}, matches.length],
        [{bot: 'rude'}, count(has(seat => seat.name === 'rude'))],
        [{bot: 'greedy', place: '1'}, count(has(seat => seat.name === 'greedy' && seat.place === 1))],
        [{fault: '*'}, count(has(seat => seat.fault !== ''))],
        [{fault: '-'}, count(({seats}) => seats.every(seat => seat.fault === ''))],
        [{fault: 'unreadable', bot: 'rude', place: '2'}, count(has(seat => seat.fault === 'unreadable' && seat.place === 2))],
        [{search: 'RANDOM rude'}, count(({seats}) => seats.every(seat => seat.name !== 'greedy'))],
        [{search: '3.1'}, count(({block, number, seats}) => block === 3 && number === 1 ||
            seats.some(seat => `${seat.score}`.includes('3.1')))],
        [{search: 'no such thing'}, 0],
    ];
    for (const [filters, expected] of cases) {
        for (const name of ['bot', 'fault', 'place'])
            await tab.page.selectOption('#' + name, filters[name] ?? '');
        await tab.page.fill('#search', filters.search ?? '');
        const shown = (await tab.shownMatches()).length;
        expect(shown === expected, `${JSON.stringify(filters)} shows ${shown}, not ${expected}`);
    }
    expect(await tab.page.locator('#no-matches').isVisible(), 'it does not say that nothing fits');
    const rude = cases[1][1], faulty = cases[3][1];
    expect(rude > 0 && rude < matches.length && faulty === rude, `${rude} with rude, ${faulty} with faults`);
    await tab.page.fill('#search', '');
    await tab.page.selectOption('#bot', 'rude');
    const again = await Page.openReady(browser, daemon, '/jobs/1' + new URL(tab.page.url()).hash);
    expect((await again.shownMatches()).length === rude, 'the link does not keep the filter');
    await again.close(expect);
    await tab.close(expect);
}

// The logs of matches without the best bot are deleted: the others are still offered.
async function checkPruned(browser, daemon, expect) {
    referee('standings', '--prune', 'best=1', path.join(STORE, 'jobs/1/store'));
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    const rows = await tab.page.evaluate(`Promise.all([...document.querySelectorAll('[data-match]')].map(async item => ({
        links: item.querySelectorAll('[href^="/view/1/"], [href^="/log/1/"]').length, text: item.textContent,
        status: (await fetch('/log/1/' + item.dataset.match)).status})))`);
    const gone = rows.filter(({links}) => links === 0), kept = rows.filter(({links}) => links === 2);
    expect(gone.length > 0 && kept.length > 0 && gone.length + kept.length === 24, JSON.stringify(rows));
    expect(gone.every(({status, text}) => status === 404 && text.includes('log deleted')), JSON.stringify(gone));
    expect(kept.every(({status}) => status === 200), JSON.stringify(kept));
    tab.problems.length = 0;
    await tab.close(expect);
}

async function checkMarkup(browser, daemon, expect) {
    for (const address of ['/jobs/1', '/', '/jobs/1#bot=%3Cimg%20src%3Dx%3E&search=%3Cb%3E']) {
        const tab = await Page.openReady(browser, daemon, address);
        await tab.until(`document.body.textContent.includes(${JSON.stringify(MARKUP)}) ||
            location.pathname === '/' && overview.hasMore`);
        expect(await tab.page.locator('img, b').count() === 0, `${address}: the title is markup`);
        await tab.page.evaluate(() => document.body.append(Object.assign(document.createElement('script'),
            {textContent: 'window.wasRun = true'})));
        expect(await tab.page.evaluate('window.wasRun') === undefined, 'the policy lets other scripts run');
        expect(tab.problems.some(words => words.includes('Content Security Policy')), 'the policy says nothing');
        tab.problems.length = 0;
        await tab.close(expect);
    }
    const replies = await Promise.all(['/api/jobs?limit=200', '/api/jobs/1'].map(address => fetch(daemon.url + address)));
    for (const reply of replies)
        expect(!/[<>&]/.test(await reply.text()), 'markup in JSON');
    expect(!(await (await fetch(daemon.url + '/report/1')).text()).includes('<img'), 'markup in the report');
}

// From the first match on, back, and to the job; and the last one.
async function checkNeighbours(browser, daemon, expect) {
    const tab = await Page.open(browser, daemon, '/view/1/1.1#lang=de');
    const follow = async (act, key) => {
        await Promise.all([tab.page.waitForNavigation(), act()]);
        expect(new URL(tab.page.url()).pathname.endsWith('/' + key), `${tab.page.url()} is not ${key}`);
    };
    expect(await tab.page.locator('#previousMatch').count() === 0, 'a match before the first');
    for (const key of ['1.2', '2.1', '2.2'])
        await follow(() => tab.press('n'), key);
    await follow(() => tab.page.click('#previousMatch'), '2.1');
    await follow(() => tab.press('Shift+N'), '1.2');
    expect(await tab.page.getAttribute('html', 'lang') === 'de', 'the language is lost');
    await follow(() => tab.page.click('#toJob'), '1');
    await tab.page.goto(daemon.url + '/view/1/12.2');
    expect(await tab.page.locator('#nextMatch').count() === 0, 'a match after the last');
    await tab.close(expect);
}

async function checkViewer(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    const key = (await tab.shownMatches())[0];
    await tab.page.click(`[data-key="view${key}"]`);
    await tab.page.waitForURL(`**/view/1/${key}**`);
    const here = await tab.page.evaluate('state.step');
    await tab.page.click('#on');
    await tab.press('ArrowRight', 'Shift+ArrowRight');
    expect(await tab.page.evaluate('state.step') > here, 'the viewer does not step');
    const moment = await Page.open(browser, daemon, new URL(tab.page.url()).pathname + new URL(tab.page.url()).hash);
    expect(await moment.page.textContent('#now') === await tab.page.textContent('#now'), 'a link leads elsewhere');
    await moment.close(expect);
    await tab.page.goBack();
    await tab.page.waitForURL('**/jobs/1**');
    await tab.close(expect);
    const log = await fetch(`${daemon.url}/log/1/${key}`);
    const lines = (await log.text()).trim().split('\n').map(JSON.parse);
    expect(lines.length > 5 && log.headers.get('content-type') === 'application/x-ndjson', 'the log');
    expect(/attachment; filename="job-1-\d+\.\d+\.ndjson"/.test(log.headers.get('content-disposition')), 'its name');
}

async function checkPapers(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    for (const [id, words] of [['table', 'place,bot,name'], ['cross', 'row,column'], ['csv', 'block,match,rounds']]) {
        const reply = await fetch(daemon.url + await tab.page.getAttribute('#' + id, 'href'));
        expect((await reply.text()).startsWith(words), id);
    }
    await tab.page.click('#report');
    await tab.page.waitForURL('**/report/1');
    expect(await tab.page.textContent('h1') === MARKUP, 'the report has another title');
    expect(await tab.page.evaluate(`getComputedStyle(document.querySelector('table')).borderCollapse`) === 'collapse',
        'the report has lost its style');
    await tab.close(expect);
}

// A bot that may know the cards is named with the matches that speak against it. Nobody cheats here, so the page is
// told that somebody does.
async function checkSuspicion(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    await tab.until('state.standings !== null');
    expect(!await tab.page.locator('#warnings').isVisible(), 'honest bots are suspected');
    await tab.page.evaluate(() => {
        const bot = state.standings.bots[0];
        Object.assign(bot.peek, {gain: 9.5, allowed: 4, one_in: 30000, is_suspicious: true});
        state.standings.evidence = [{bot: bot.name, block: 2, rotation: 0}, {bot: 'another', block: 3, rotation: 0}];
        showStandings();
    });
    const warning = await tab.page.textContent('#warnings');
    expect(warning.includes('may know the cards') && warning.includes('9.5'), `it says: ${warning}`);
    const links = await tab.page.$$eval('#warnings a', all => all.map(a => a.getAttribute('href')));
    expect(links.join() === '/view/1/2.1#lang=en', `it leads to ${links}`);
    await tab.page.click('#warnings a');
    await tab.until(`location.pathname === '/view/1/2.1'`);
    await tab.close(expect);
}

async function checkBots(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/bots');
    const names = () => tab.page.locator('#bots th').allTextContents();
    expect((await names()).map(name => name.split(' ')[0]).join() === 'gate,greedy,negotiator,random,rude', await names());
    await tab.page.click('.fold');
    expect(await tab.page.locator('#bots tr').count() === 6, 'the older version is not shown');
    expect(await tab.page.evaluate('document.activeElement.className') === 'fold', 'the focus is lost');
    await tab.press('Enter');
    expect(await tab.page.locator('#bots tr').count() === 5, 'the older version stays');
    expect(/unreadable \d+/.test(await tab.page.textContent('#bots')), 'no faults');
    referee('submit', 'bot', 'newcomer', path.join(BUILD, 'bots', 'random'));
    await tab.until(`document.querySelectorAll('#bots tr').length === 6`);
    await tab.close(expect);
}

async function checkLanguages(browser, daemon, expect) {
    const seen = new Set();
    for (const address of ['/jobs/1', '/', '/bots']) {
        const tab = await Page.openReady(browser, daemon, `${address}#lang=es`);
        expect(await tab.page.getAttribute('html', 'lang') === 'es', 'the language of the link is not taken');
        for (const language of LANGUAGES) {
            await tab.page.selectOption('#language', language);
            const text = await tab.page.evaluate('document.body.innerText');
            expect(await tab.page.getAttribute('html', 'lang') === language, `${language} is not said`);
            for (const words of await tab.page.locator('[data-text]').allTextContents())
                expect(words !== '' && !words.includes('undefined'), `${language}: ${words}`);
            expect(!/undefined|NaN|Invalid/.test(text), `${language} ${address}: ${text}`);
            seen.add(text);
        }
        await tab.close(expect);
    }
    expect(seen.size === 3 * LANGUAGES.length, 'two languages are alike');
    const tab = await Page.openReady(browser, daemon, '/jobs/1', {locale: 'de-AT'});
    expect(await tab.page.getAttribute('html', 'lang') === 'de', 'the language of the browser is not taken');
    await tab.page.selectOption('#language', 'fr');
    expect(await tab.page.textContent('#standings-title') === 'Classement', 'the language is not changed');
    expect(await tab.page.getAttribute('#report', 'href') === '/report/1#fr', 'the report is in another language');
    await tab.page.goto(daemon.url + '/bots');
    await tab.ready();
    expect(await tab.page.getAttribute('html', 'lang') === 'fr', 'the language is not kept');
    await tab.close(expect);
}

function checkTexts(expect) {
    const context = vm.createContext({Intl});
    const file = path.join(ROOT, 'referee/web/pages/texts.js');
    vm.runInContext(fs.readFileSync(file, 'utf8') + ';\nthis.texts = TEXTS;', context);
    for (const language of LANGUAGES)
        compareTexts(context.texts.en, context.texts[language], language, expect);
}

async function checkKeyboard(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/jobs/1');
    const reached = [];
    for (let i = 0; i < 32; i++) {
        await tab.press('Tab');
        reached.push(await tab.page.evaluate(`document.activeElement.id || document.activeElement.dataset.key ||
            document.activeElement.className || document.activeElement.textContent`));
    }
    const key = (await tab.shownMatches())[0];
    for (const name of ['skip', 'Overview', 'Bots', 'language', 'scroll', 'report', 'csv', 'bot', 'place', 'fault',
        'search', 'view' + key, 'log' + key])
        expect(reached.includes(name), `Tab does not reach ${name}: ${reached}`);
    await tab.page.focus('#bot');
    await tab.press('r', 'a');
    await tab.until(`list.filters.bot === 'random'`);
    await tab.page.focus('#search');
    await tab.page.keyboard.type('rude');
    await tab.press('Enter');
    const [first] = await tab.shownMatches();
    await tab.press('Tab');
    expect(await tab.page.evaluate('document.activeElement.dataset.key') === 'view' + first, 'not at the first match');
    await tab.press('Enter');
    await tab.page.waitForURL(`**/view/1/${first}**`);
    await tab.close(expect);
}

// A page that is missing says so by its status, and the browser tells of that.
function forgive(tab, address) {
    tab.problems.splice(0, address === '/nothing' ? 1 : 0);
}

async function checkAxe(browser, daemon, expect) {
    for (const address of PAGES) {
        const tab = await Page.openReady(browser, daemon, address, {reducedMotion: 'reduce'});
        for (const [colorScheme, width, options] of LOOKS) {
            await tab.page.emulateMedia({colorScheme});
            await tab.page.setViewportSize({width, height: 800});
            const violations = await tab.violations(options);
            expect(violations === '', `${address} ${colorScheme} ${width}: ${violations}`);
        }
        forgive(tab, address);
        await tab.close(expect);
    }
}

async function checkPhone(browser, daemon, expect) {
    for (const [i, address] of PAGES.entries()) {
        const tab = await Page.openReady(browser, daemon, address,
            {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
        if (address === '/') {
            await tab.until(`[...document.querySelectorAll('.scroll')].every(box =>
                box.previousElementSibling.hidden !== box.scrollWidth > box.clientWidth)`);
            expect(await tab.page.locator('.scroll').evaluate(box => box.scrollWidth > box.clientWidth), 'no wide table');
        }
        await tab.picture('phone-' + i);
        for (const language of LANGUAGES) {
            await tab.page.selectOption('#language', language);
            expect(await tab.width() <= 360, `${address} ${language}: ${await tab.width()} pixels wide`);
        }
        forgive(tab, address);
        await tab.close(expect);
    }
}

// The first is the one that the README shows.
async function takePictures(browser, daemon, expect) {
    const number = submitTournament('Thursday evening', ['greedy', 'random', 'rude', 'negotiator'], 1,
        {seats: 3, rules: {rounds: 1}});
    spawnSync(REFEREE, ['watch', String(number)], {env: {...process.env, REFEREE_SOCKET: SOCKET}});
    const pictures = [['readme', `/jobs/${number}`, 'light'], ['job-dark', `/jobs/${number}`, 'dark'],
        ['overview', '/', 'light'], ['overview-dark', '/', 'dark'], ['bots', '/bots', 'light'],
        ['viewer', `/view/${number}/2.1`, 'light']];
    for (const [name, address, colorScheme] of pictures) {
        const tab = await Page.open(browser, daemon, address, {colorScheme, viewport: {width: 1200, height: 780}});
        if (name === 'viewer')
            await tab.press('k', 'k');
        else
            await tab.ready();
        await tab.until(`!location.pathname.startsWith('/jobs/') || list.matches.size === 24 && state.standings !== null`);
        const {size} = fs.statSync(await tab.picture(name));
        expect(size > 10000 && (name !== 'readme' || size < 150000), `${name}: ${size} bytes`);
        await tab.close(expect);
    }
}

// A daemon that ends is missed, and found again when it is back; what was missed is asked for.
async function checkReconnect(browser, daemon, expect) {
    const tab = await Page.openReady(browser, daemon, '/');
    await daemon.stop();
    await tab.until(`page.live.state === 'lost'`);
    expect(await tab.page.textContent('#live') === 'Reconnecting …', 'it does not say so');
    await daemon.start(daemon.address);
    const number = submitTournament('After the break', ['random', 'greedy'], 1);
    await tab.until(`page.live.state === 'live' && overview.over.some(job => job.number === ${number})`);
    tab.problems.length = 0;
    await tab.close(expect);
}

async function main() {
    const daemon = new Daemon();
    await daemon.start();
    const browser = await launch();
    try {
        fillDaemon();
        let live = null;
        await report('a job is shown as it is played, and only what is published', async expect => {
            live = await checkLive(browser, daemon, expect);
        });
        await report('the overview follows the queue', expect => checkOverview(browser, daemon, expect));
        await report('the page of a job comes to its end without being loaded again', expect =>
            checkLiveEnd(live, expect));
        const tests = {
            'matches are found by bot, place, fault and words': checkFilters,
            'the front page has pins and filters': checkFront,
            'a title full of HTML stays text': checkMarkup,
            'the viewer opens from the list, steps, and has links to its moments': checkViewer,
            'the viewer leads to the job and to the matches before and after': checkNeighbours,
            'report and tables can be had': checkPapers,
            'bots are shown with their versions and faults': checkBots,
            'a suspicion comes with its evidence': checkSuspicion,
            'the pages speak five languages': checkLanguages,
            'the keyboard alone is enough for the pages': checkKeyboard,
            'axe finds nothing on any page': checkAxe,
            'the pages fit a phone': checkPhone,
            'pictures of the pages are in build/screenshots': takePictures,
            'a log that was deleted is not offered': checkPruned,
            'a page finds the daemon again': checkReconnect,
        };
        for (const [name, check] of Object.entries(tests).filter(([title]) => title.includes(ONLY)))
            await report(name, expect => check(browser, daemon, expect));
        await report('every language of the pages has every text, with the same blanks', checkTexts);
    } finally {
        await browser.close();
        await daemon.stop();
    }
}

await main();
