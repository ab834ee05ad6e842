// A person plays in a real browser at a real daemon: person.mjs FOLDER BUILD. Prints lines as tests/run wants them.

import fs from 'node:fs';
import path from 'node:path';
import {execFileSync, spawn} from 'node:child_process';
import {LANGUAGES, launch, LOOKS, report, Tab} from './browser.mjs';

const [FOLDER, BUILD] = process.argv.slice(2);
const REFEREE = path.join(BUILD, 'referee');
const SOCKET = path.join(FOLDER, 'socket');

function referee(...words) {
    return execFileSync(REFEREE, words, {encoding: 'utf8', env: {...process.env, REFEREE_SOCKET: SOCKET}});
}

// The owner allows less time than the page asks for.
async function startDaemon() {
    const settings = path.join(FOLDER, 'settings');
    fs.writeFileSync(settings, '{"move_ms": 50000, "start_ms": 50000}');
    const daemon = spawn(REFEREE, ['serve', '--socket', SOCKET, '--store', path.join(FOLDER, 'store'),
        '--http', '127.0.0.1:0', '--remote', '--settings', settings], {stdio: ['ignore', 'ignore', 'pipe']});
    let said = '';
    const url = await new Promise((resolve, reject) => {
        daemon.stderr.on('data', bytes => {
            said += bytes;
            const found = /pages: (http:\/\/\S+)[^]*bots: /.exec(said);
            if (found !== null)
                resolve(found[1].replace(/[.,/]$/, ''));
        });
        daemon.on('exit', () => reject(new Error(said)));
    });
    return {url, daemon};
}

class Person extends Tab {
    static async open(browser, url, options = {}) {
        const person = await super.open(browser, url + '/play', new RegExp(`^(data:|${url}/)`), options);
        await person.until('game.me !== null && game.bots.length > 0');
        return person;
    }

    // A short match: the form has no key for that. Events follow each other without a pause.
    async sitDown(...rivals) {
        await this.page.evaluate(`game.pace = 0; editionText = () => 'de2026 rounds=1 set=turn_limit=12'`);
        for (const [i, rival] of rivals.entries())
            await this.page.selectOption('#rival' + i, rival);
        await this.page.click('#setup button');
        await this.until(`game.question !== null && !game.isShowing`);
        // Twice the owner allows less time than the page has asked for.
        const refused = this.problems.filter(problem => problem.includes('status of 400'));
        refused.slice(0, 2).forEach(problem => this.problems.splice(this.problems.indexOf(problem), 1));
    }

    question() {
        return this.page.evaluate('({...game.question, legal: game.legal, seat: game.seat})');
    }

    // Waits for the next question; null at the end.
    async next() {
        await this.until('!game.isShowing && (game.question !== null || game.isEnded && $("after").hidden === false)');
        return await this.page.evaluate('game.question') === null ? null : this.question();
    }

    async job() {
        return Number(new URLSearchParams(new URL(this.page.url()).hash.slice(1)).get('job'));
    }
}

// By mouse and by keyboard, with something said on the way, and a page that is loaded again in between.
async function checkGame(browser, url, expect) {
    const person = await Person.open(browser, url, {reducedMotion: 'reduce'});
    const {page} = person;
    await person.sitDown('random', 'random');
    expect((await person.question()).ms >= 50000, 'the person has less time than the owner allows');
    const asked = [];
    for (let question = await person.next(); question !== null; question = await person.next()) {
        asked.push(question.what);
        const marks = await page.locator('#board .better').count();
        const cells = new Set(question.legal.flatMap(answer => answer.match(/(\d:)?[A-E][1-3]/g) ?? []));
        expect(marks === cells.size, `${marks} cells are marked for ${question.legal}`);
        if (asked.length === 3) {
            await page.reload();
            await page.evaluate('game.pace = 0');
            await person.until('!game.isShowing && game.question !== null');
            expect((await person.question()).id === question.id, 'another question after loading the page again');
        }
        if (asked.length === 2)
            await page.fill('#say', 'hello é <b>');
        await answer(person, question, asked.length);
        await person.until(`game.question?.id !== '${question.id}'`);
    }
    expect(['reveal', 'draw', 'move'].every(what => asked.includes(what)), `asked ${[...new Set(asked)]}`);
    expect((await page.textContent('#board .crowned')) !== '', 'no winner');
    await page.click('#toLog');
    await page.waitForURL('**/view/**');
    const log = await page.evaluate(`({faults: state.log.steps.filter(({kind}) => kind === 'dismissed').length,
        says: state.log.steps.filter(({kind}) => kind === 'said').map(({text}) => text).join(),
        answers: state.log.decisions.flatMap(({answers}) => answers).filter(({seat}) => seat === state.view).length})`);
    expect(log.faults === 0, 'the person is dismissed');
    expect(log.says === 'hello ? <b>', log.says);
    expect(log.answers === asked.length, `${log.answers} answers in the log, ${asked.length} questions`);
    await person.close(expect);
}

// Questions about a cell: every other one by keys, the others by a click on the table, or by a button.
async function answer(person, {id, what, legal}, count) {
    const {page} = person;
    const cell = /[A-E][1-3]/.exec(legal[0])?.[0];
    if (cell === undefined || what === 'clear' || what === 'knock') {
        if (!await page.evaluate(`$('all').open`))
            await page.click('#all summary');
        const isDeclined = what === 'answer' && count % 2 === 0;
        await page.click('#allAnswers button' + (isDeclined ? '[data-answer=decline]' : ''));
        return;
    }
    if (count % 2 === 1) {
        await page.evaluate('document.activeElement.blur()');
        await person.press(cell[0].toLowerCase(), cell[1]);
    } else {
        const place = await page.evaluate(`placesOf(${JSON.stringify(legal[0])})[0]`);
        const {x, y, width, height} = await page.locator(`#board [data-place="${place}"] rect`).boundingBox();
        await page.mouse.click(x + width / 2, y + height / 2);
    }
    if (what === 'move' && await page.evaluate(`game.question?.id === '${id}'`))
        await page.click('#answers button');
}

// A page that goes away leaves its seat: the match goes on without the person, and ends.
async function checkLeaving(browser, url, expect) {
    const person = await Person.open(browser, url, {reducedMotion: 'reduce'});
    await person.sitDown('random');
    const job = await person.job();
    await person.page.click('#leave');
    await person.page.waitForURL('**/jobs/**');
    await person.close(expect);
    execFileSync(REFEREE, ['watch', String(job)], {env: {...process.env, REFEREE_SOCKET: SOCKET}, stdio: 'ignore'});
    const {state} = await (await fetch(`${url}/api/jobs/${job}`)).json();
    expect(state === 'done', `the job is ${state}`);
    const log = await (await fetch(`${url}/log/${job}/1.1`)).text();
    expect(/"fault":"gone"/.test(log), 'the person is not dismissed');
}

// Without the secret, or as another site, nobody gets a seat or answers in one.
async function checkForeign(browser, url, expect) {
    for (const [address, headers] of [['/api/seats', {}], ['/api/seats', {Origin: 'http://example.org'}],
        ['/api/seats/0', {}], ['/api/seats/0/leave', {}]]) {
        const reply = await fetch(url + address, {method: 'POST', headers, body: 'person-guest 1'});
        expect(reply.status === 403, `${address}: ${reply.status}`);
    }
    const reply = await fetch(url + '/api/seats/0123456789abcdef0123456789abcdef');
    expect(reply.status === 404, `a seat that is not there: ${reply.status}`);
}

async function checkLooks(browser, url, expect) {
    const person = await Person.open(browser, url, {reducedMotion: 'reduce'});
    for (const language of LANGUAGES) {
        await person.page.selectOption('#language', language);
        expect(!/undefined|[{}]/.test(await person.page.textContent('main')), `${language}: a blank is left`);
    }
    await person.page.selectOption('#language', 'en');
    expect(await person.violations() === '', `the form: ${await person.violations()}`);
    await person.sitDown('random', 'greedy', 'random');
    await person.picture('person');
    // Whoever can type `b2` must see what B and 2 are, also before the first turn.
    const named = `[...document.querySelectorAll('#board .badge')].map(({textContent}) => textContent).join('')`;
    expect(await person.page.evaluate(named) === 'ABCDE123', 'rows and columns have no names');
    for (const [colorScheme, width, options] of LOOKS) {
        await person.look(colorScheme, width);
        expect(await person.width() <= width, `wider than ${width}`);
        expect(await person.violations(options) === '', `${colorScheme} ${width}: ${await person.violations(options)}`);
    }
    await person.picture('person-phone');
    await person.page.click('#leave');
    await person.page.waitForURL('**/jobs/**');
    await person.close(expect);
}

async function main() {
    const {url, daemon} = await startDaemon();
    const browser = await launch();
    try {
        referee('submit', 'bot', 'greedy', path.join(BUILD, 'bots', 'greedy'));
        referee('submit', 'bot', 'random', path.join(BUILD, 'bots', 'random'));
        const tests = {
            'a person plays a match by mouse and keyboard': checkGame,
            'a person who leaves is dismissed, and the match ends': checkLeaving,
            'nobody else can take a seat or answer in it': checkForeign,
            'the page for a person: five languages, axe, a phone': checkLooks,
        };
        for (const [name, check] of Object.entries(tests))
            await report(name, expect => check(browser, url, expect));
    } finally {
        await browser.close();
        daemon.removeAllListeners('exit');
        const ended = new Promise(resolve => daemon.on('exit', resolve));
        daemon.kill('SIGTERM');
        daemon.kill('SIGINT');
        await ended;
    }
}

await main();
