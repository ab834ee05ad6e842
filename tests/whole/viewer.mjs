// The viewer's own code against the rules (`states LOG...`, with LOG.json from `replay --json`), and the
// page in a real browser (`browser FOLDER [PART OF A NAME]`). Prints lines as tests/run wants them.

import child_process from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {compareTexts, LANGUAGES, launch, LOOKS, report, ROOT, Tab} from './browser.mjs';

const VIEWER = path.join(ROOT, 'referee/web/viewer');

// The code without the page.

function loadCode() {
    const context = vm.createContext({TextEncoder, Intl});
    const code = ['texts', 'deal', 'table', 'log'].map(name =>
        fs.readFileSync(path.join(VIEWER, name + '.js'), 'utf8')).join('');
    // In a function, because names of the global object of a context are looked up each time, slowly.
    return vm.runInContext(
        `(() => {${code};\nreturn {TEXTS, readLog, tableAt, displayOf, standing, sha256, hexOfBytes, stepText};})()`, context);
}

// What `replay --json` says before decision n, from the viewer's table after decision n - 1.
function linesOf(code, table) {
    const trigger = table.trigger === null ? '-' : table.trigger;
    const face = hidden => ({face, card}) => face === 'gap' ? '.' : face === 'hole' ? '_' :
        face === 'down' ? hidden(card) : String(card);
    const rows = (cells, hidden) => [0, 5, 10].map(first =>
        cells.slice(first, first + 5).map(face(hidden)).join(',')).join('/');
    const displays = Array.from({length: table.seats}, (_, seat) => code.displayOf(table, seat));
    return {
        table: [`round=${table.round} turn=${table.turn} dealer=${table.dealer} draw=${table.draw.length} ` +
            `discard=${table.discard.length} top=${table.discard.at(-1) ?? '-'} trigger=${trigger} ` +
            `totals=${table.totals.join(',')}`,
        ...displays.map((cells, seat) => `display ${seat} ${rows(cells, () => '?')}`)].join('\n'),
        open: displays.map(cells => rows(cells, card => '#' + card)),
        draw: table.draw.join(','), discard: table.discard.join(','),
        held: ['drawn', 'hand', 'taken', 'aside'].map(name => `${name}=${table[name]?.card ?? ''}`).join(' '),
    };
}

function positionOf(text, seats) {
    const words = Object.fromEntries(text.split(/\s+/).map(word => word.split('=')));
    const open = Array.from({length: seats}, (_, seat) => {
        const rows = words['private' + seat].split('/');
        const [left, right] = [words['shared' + seat], words['shared' + (seat + seats - 1) % seats]]
            .map(column => column.split(','));
        return rows.map((row, i) => `${left[i]},${row},${right[i]}`).join('/');
    });
    const held = ['drawn', 'hand', 'taken', 'aside'].map(name => `${name}=${words[name] ?? ''}`).join(' ');
    return {open, draw: words.draw, discard: words.discard, held};
}

function compareStates(code, file, expect) {
    const log = code.readLog(fs.readFileSync(file, 'utf8'));
    const expected = fs.readFileSync(file + '.json', 'utf8').trim().split('\n').map(JSON.parse);
    const byNumber = new Map(log.decisions.map(decision => [decision.n, decision]));
    const isWhole = log.result !== null;
    expect(log.isHashRight === (isWhole ? true : null) && log.misfit === null, `${file}: ${log.isHashRight}`);
    expect(expected.length > 20, `${file}: only ${expected.length} decisions`);
    for (const {n, table, position} of expected) {
        const mine = linesOf(code, code.tableAt(log, byNumber.get(n - 1).last));
        const lines = table.join('\n').replace('table ', '').replace(/active=\d+ /, '');
        const pairs = [[mine.table, lines]];
        if (isWhole) {
            const theirs = positionOf(position, log.header.seats);
            pairs.push(...['draw', 'discard', 'held'].map(name => [mine[name], theirs[name] ?? '']),
                [mine.open.join(' '), theirs.open.join(' ')]);
        }
        for (const [left, right] of pairs)
            expect(left === right, `${path.basename(file)} decision ${n}: ${left} is not ${right}`);
    }
    return expected.length;
}

async function states(files) {
    const code = loadCode();
    await report('the tables of the page are those of the rules', expect => {
        const count = files.reduce((sum, file) => sum + compareStates(code, file, expect), 0);
        console.log(`count ${count} tables compared`);
    });
    await report('what a display counts is what is scored', expect => {
        for (const file of files) {
            const log = code.readLog(fs.readFileSync(file, 'utf8'));
            for (const [index, {kind, fields}] of log.steps.entries()) {
                const seat = kind === 'scored' ? Number(fields[1]) : -1;
                expect(seat < 0 || code.standing(code.tableAt(log, index), seat, null) === Number(fields[2]),
                    `${path.basename(file)}: ${fields?.join(' ')}`);
            }
        }
    });
    await report('SHA-256 of the page is the standard one', expect => {
        const {createHash} = createRequire(import.meta.url)('node:crypto');
        for (let length = 0; length < 300; length += 7) {
            const bytes = Uint8Array.from({length}, (_, i) => i * 37 + length);
            expect(code.hexOfBytes(code.sha256(bytes)) === createHash('sha256').update(bytes).digest('hex'),
                `${length} bytes`);
        }
    });
    await report('every language has every text, with the same blanks', expect => {
        for (const language of LANGUAGES) {
            const mine = code.TEXTS[language], english = code.TEXTS.en;
            compareTexts(english, mine, language, expect);
            compareTexts(english.event, mine.event, language + ' event', expect);
            expect(mine.keys.length === english.keys.length, `${language}: keys`);
        }
    });
    await report('a damaged log is refused in one sentence', expect => {
        const text = fs.readFileSync(files[0], 'utf8');
        const wrong = ['', 'x', '{}', 'null', '[]', text.slice(0, 400), text.replace('"seats":', '"seats":1'),
            text.replace('turned 0:', 'turned 9:'), text.replace('turned 0:', 'turned Z'),
            text.replace('"deck":"8,', '"deck":"'), text.replace('"n":1,"seat":', '"n":1,"seat":7')];
        wrong.forEach((damaged, i) => {
            try {
                code.readLog(damaged);
                expect(false, `number ${i} was shown`);
            } catch (error) {
                expect(error.constructor.name === 'LogError', `number ${i}: ${error.stack}`);
            }
        });
        expect(code.readLog(text.replace('"us":', '"us":1')).isHashRight === false, 'a changed time is not noticed');
        const open = code.readLog(text.split('\n').slice(0, 40).join('\n'));
        expect(open.seed === null && open.isHashRight === null, 'a running match');
    });
}

// The page in a browser.

class Viewer extends Tab {
    static open(browser, file, hash = '', options = {}) {
        return super.open(browser, pathToFileURL(file).href + hash, /^(file|data):/, options);
    }

    step() {
        return this.page.evaluate('state.step');
    }

    now() {
        return this.page.textContent('#now');
    }

    kind() {
        return this.page.evaluate('state.log.steps[state.step].kind');
    }

    async drop(name, text) {
        const data = await this.page.evaluateHandle(([title, content]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([content], title));
            return transfer;
        }, [name, text]);
        await this.page.dispatchEvent('#board', 'dragover', {dataTransfer: data});
        await this.page.dispatchEvent('#board', 'drop', {dataTransfer: data});
    }
}

async function checkSteps(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'en2020.html'));
    const {page} = viewer;
    expect(await viewer.step() === 0, 'it does not begin at the beginning');
    expect((await viewer.now()).startsWith('Round 1 begins'), await viewer.now());
    await page.click('#on');
    expect(await page.evaluate('state.log.steps[state.step].decision') === 1, 'a decision on');
    await page.click('#on');
    const here = await viewer.step();
    await page.click('#eventOn');
    expect(await viewer.step() === here + 1, 'an event on');
    await page.click('#eventBack');
    await page.click('#back');
    expect(await viewer.step() < here, 'a decision back');
    await page.click('#end');
    const winner = await page.evaluate('state.log.names[placesOf(state.log).indexOf(1)]');
    expect(await viewer.now() === `The match is over. Victory for ${winner}`, await viewer.now());
    expect((await page.textContent('#board .crowned')).includes(winner), 'no crown');
    expect(await page.locator('#board .slice.winner').count() === 1, 'the winner is not marked');
    expect(await page.locator('#players .tag', {hasText: 'Place 1'}).count() >= 1, 'no winner');
    await page.click('#start');
    await page.fill('#slider', '30');
    expect(await viewer.step() === 30, 'the slider');
    await page.click('#events li:last-child button');
    expect(await viewer.step() > 30, 'the list of events');
    expect(await page.locator('#events [aria-current]').count() === 1, 'no current event');
    expect(await page.locator('#board .card').count() >= 60, 'the table has too few cards');
    await page.click('#points', {position: {x: 1, y: 20}});
    expect(await viewer.step() < 10, 'the chart');
    await viewer.close(expect);
}

async function checkJumps(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'manners.html'));
    for (const [button, kind] of [['#nextKnock', 'knocked'], ['#nextClear', 'cleared'], ['#nextRound', 'round']]) {
        await viewer.page.click(button);
        expect(await viewer.kind() === kind, `${button} led to ${await viewer.kind()}`);
    }
    await viewer.press('Home');
    await viewer.page.click('#nextFault');
    expect((await viewer.now()).includes('late is dismissed: late'), await viewer.now());
    expect(await viewer.page.textContent('#found') === '', 'it says that it found nothing');
    await viewer.press('End');
    expect(await viewer.page.getAttribute('#found', 'role') === 'status', 'nothing is read aloud');
    for (const [button, text] of [['#nextKnock', 'No more knocks.'], ['#nextClear', 'No more clears.'],
        ['#nextFault', 'No more faults.'], ['#nextRound', 'No more rounds.']]) {
        await viewer.page.click(button);
        await viewer.until(`$('found').textContent === '${text}'`);
    }
    await viewer.close(expect);
}

// Where the cards that move start and end: their animations by place.
const FLIGHTS = `Object.fromEntries(document.getAnimations().map(animation => animation.effect)
    .filter(({target}) => target.dataset.place !== undefined).map(effect => [effect.target.dataset.place,
        effect.getKeyframes()[0].transform]))`;

// A drawn card starts on its pile; three cleared ones end on the other, two of them under the last.
async function checkMoves(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'en2020.html'), '', {reducedMotion: 'no-preference'});
    const {page} = viewer;
    const flightsOf = async kind => {
        await page.evaluate(`goTo(state.log.steps.findLastIndex(({kind}) => kind === '${kind}') - 1)`);
        await page.evaluate('goTo(state.step + 1)');
        return page.evaluate(FLIGHTS);
    };
    const drawn = await flightsOf('drew');
    expect(/^translate\(-?0.6px, 0px\)/.test(drawn.drawn), JSON.stringify(drawn));
    expect(Object.keys(await flightsOf('cleared')).join() === 'discard', 'cleared cards do not go to the pile');
    expect(await page.locator('#board svg > g:not([data-place]) .card').count() === 3,
        'under the top there are not two cards and the old top');
    expect(Object.keys(await flightsOf('round')).length === 60, 'the deal');
    await page.evaluate('goTo(state.step + 40)');
    expect(Object.keys(await page.evaluate(FLIGHTS)).length === 0, 'cards move in a jump');
    await page.emulateMedia({reducedMotion: 'reduce'});
    expect(Object.keys(await flightsOf('drew')).length === 0, 'cards move though the reader wants no motion');
    await viewer.close(expect);
}

// From the moment it is accepted to the end of the turn.
async function checkKnock(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'de2026.html'));
    const {page} = viewer;
    const marks = () => page.evaluate(`({arrows: document.querySelectorAll('#board .arrow').length,
        knocker: document.querySelector('#board .slice.knocker')?.getAttribute('class').match(/seat(\\d)/)[1],
        tags: [...document.querySelectorAll('#players .tag')].filter(({textContent}) => textContent === 'knocker').length,
        active: document.querySelector('#board .slice.active').getAttribute('class').match(/seat(\\d)/)[1],
        letters: [...document.querySelectorAll('#board .badge')].map(({textContent}) => textContent).join('')})`);
    const accepted = await page.evaluate(`state.log.steps.findIndex(({kind}) => kind === 'accepted')`);
    const [, active, knocker] = await page.evaluate(`state.log.steps[${accepted}].fields`);
    const end = await page.evaluate(`state.log.steps.findIndex(({kind}, i) => i > ${accepted} && kind === 'turn')`);
    for (const [step, isKnock] of [[accepted - 1, false], [accepted, true], [end - 1, true], [end, false]]) {
        await page.evaluate(`goTo(${step})`);
        const seen = await marks();
        expect(seen.arrows === Number(isKnock) && seen.tags === Number(isKnock) &&
            seen.knocker === (isKnock ? knocker : undefined), `step ${step - accepted}: ${JSON.stringify(seen)}`);
        expect(step === end || seen.active === active, 'the active seat is not outlined in its colour');
        expect(seen.letters === 'ABCDE123', seen.letters);
    }
    await viewer.close(expect);
}

// The points beside the names are those of the curves, whose scale has round numbers.
async function checkPoints(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'nl2023.html'), '#d=40');
    const {page} = viewer;
    const rim = await page.locator('#board .points').allTextContents();
    const points = await page.evaluate(`pointsNow().map(value => pointsText(value, 'en'))`);
    expect(rim.join() === points.join(), `${rim} is not ${points}`);
    const ticks = await page.locator('#points .tick').evaluateAll(nodes =>
        nodes.map(node => [Number(node.textContent.replace('−', '-')), parseFloat(node.style.top)]));
    const heights = ticks.slice(1).map(([value, top], i) => (top - ticks[i][1]) / (value - ticks[i][0]));
    expect(ticks.length >= 2 && ticks.some(([value]) => value === 0), JSON.stringify(ticks));
    expect(Math.max(...heights) - Math.min(...heights) < 0.1, 'the scale is not even');
    await viewer.close(expect);
}

async function checkPlaying(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'de2026.html'));
    await viewer.page.selectOption('#speed', '20');
    await viewer.page.click('#play');
    expect(await viewer.page.getAttribute('#play', 'aria-label') === 'Pause', 'the button does not say Pause');
    await viewer.until('state.step >= 5');
    await viewer.page.click('#play');
    expect(await viewer.page.evaluate('state.timer') === null, 'it plays on');
    await viewer.close(expect);
}

// A link shows the table that `replay --at` shows: the one before the decision.
async function checkMoments(viewer, file, expect) {
    const documents = fs.readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
    for (const {n, table, answers} of [1, 9, 20, documents.length].map(number => documents[number - 1])) {
        const hash = `#d=${n}&seat=open&lang=es`;
        await viewer.page.evaluate(`location.hash = '#d=${n}&e=1'; readLink(); showAll()`);
        await viewer.page.evaluate(`location.hash = '${hash}'; readLink(); showAll()`);
        const mine = await viewer.page.evaluate('({turn: table().turn, totals: table().totals.join(","), ' +
            'draw: table().draw.length, discard: table().discard.length, hash: linkHash(), ' +
            'words: $("decision").textContent})');
        const [line] = table;
        expect([`turn=${mine.turn} `, `totals=${mine.totals}`, `draw=${mine.draw} `, `discard=${mine.discard} `]
            .every(words => line.includes(words)), `d=${n}: ${JSON.stringify(mine)} is not ${line}`);
        expect(mine.hash === hash, `d=${n}: ${mine.hash}`);
        expect(mine.words.includes(` ${n} `) && mine.words.includes(answers[0].do), `d=${n}: ${mine.words}`);
    }
}

async function checkLinks(browser, folder, expect) {
    const file = path.join(folder, 'nl2023.html');
    const first = await Viewer.open(browser, file);
    await first.press('k', 'k', 'Shift+ArrowRight', '1');
    await first.page.selectOption('#language', 'fr');
    const hash = new URL(first.page.url()).hash;
    const second = await Viewer.open(browser, file, hash);
    expect(/^#d=\d+(&e=\d+)?&seat=1&lang=fr$/.test(hash), hash);
    expect(await second.step() === await first.step(), 'another step');
    expect(await second.now() === await first.now(), 'other words');
    expect(await second.page.inputValue('#view') === '1', 'another view');
    await second.press('l');
    await second.until(`$('note').textContent !== ''`);
    await second.page.evaluate(`location.hash = '#d=9&seat=open&lang=es'`);
    await second.until(`document.documentElement.lang === 'es'`);
    await checkMoments(second, path.join(folder, 'nl2023.ndjson.json'), expect);
    for (const strange of ['#d=99999999&seat=9&lang=xx', '#d=-1&e=9999', '#seat=constructor&lang=constructor'])
        await second.page.evaluate(`location.hash = '${strange}'; readLink(); showAll()`);
    await (await Viewer.open(browser, file, '#%%%')).close(expect);
    await first.close(expect);
    await second.close(expect);
}

async function checkDrop(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'de2026.html'), '#d=20');
    await viewer.drop('other.ndjson', fs.readFileSync(path.join(folder, 'es2020.ndjson'), 'utf8'));
    await viewer.until(`state.log.header.edition === 'es2020'`);
    expect(await viewer.step() === 0, 'the dropped log does not begin at its beginning');
    await viewer.drop('no.txt', 'this is no log');
    await viewer.page.waitForSelector('#problem:not([hidden])');
    expect(await viewer.page.evaluate('state.log.header.edition') === 'es2020', 'the log before is lost');
    await viewer.page.setInputFiles('#file', path.join(folder, 'fr2020.ndjson'));
    await viewer.until(`state.log.header.edition === 'fr2020'`);
    const packed = path.join(folder, 'packed.zst');
    child_process.execFileSync('zstd', ['-qf', path.join(folder, 'nl2023.ndjson'), '-o', packed]);
    await viewer.page.setInputFiles('#file', packed);
    await viewer.until(`state.log.header.edition === 'nl2023' || $('problem').textContent.includes('zstd -d')`);
    await viewer.close(expect);
}

async function checkMarkup(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'manners.html'));
    const name = `<img src=x onerror="alert(1)"><script>alert(2)</script>&amp;{a}$&`;
    const text = fs.readFileSync(path.join(folder, 'manners.ndjson'), 'utf8');
    expect(await viewer.page.locator('img').count() === 0, 'markup from the log');
    const lines = text.split('\n');
    const header = JSON.parse(lines[0]);
    header.bots[0].name = name;
    await viewer.drop('x', [JSON.stringify(header), ...lines.slice(1)].join('\n'));
    await viewer.until('state.log.isHashRight === false');
    await viewer.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    expect((await viewer.page.textContent('#players')).includes(name), 'the name is not shown as it is');
    expect(await viewer.page.locator('img').count() === 0, 'the name is markup');
    expect(await viewer.page.locator('script').count() === 2, 'the name is a script');
    await viewer.page.evaluate(() => document.body.append(Object.assign(document.createElement('script'),
        {textContent: 'window.wasRun = true'})));
    expect(await viewer.page.evaluate('window.wasRun') === undefined, 'the policy lets other scripts run');
    expect(viewer.problems.some(words => words.includes('Content Security Policy')), 'the policy says nothing');
    viewer.problems.length = 0;
    await viewer.close(expect);
}

async function checkKeyboard(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'manners.html'));
    const {page} = viewer;
    const focused = () => page.evaluate(`document.activeElement.id`);
    const reached = [];
    for (let i = 0; i < 24; i++) {
        await viewer.press('Tab');
        reached.push(await focused());
    }
    for (const id of ['view', 'language', 'theme', 'start', 'back', 'play', 'on', 'speed', 'nextKnock', 'slider'])
        expect(reached.includes(id), `Tab does not reach ${id}`);
    await page.focus('#on');
    await viewer.press('Enter');
    expect(await viewer.step() > 0, 'Enter on a button');
    await viewer.press('End', 'Home', 'ArrowRight');
    const here = await viewer.step();
    await viewer.press('Shift+ArrowRight');
    expect(await viewer.step() === here + 1, 'Shift and an arrow');
    for (const [key, kind] of [['k', 'knocked'], ['c', 'cleared'], ['r', 'round'], ['Shift+K', 'knocked']]) {
        await viewer.press(key);
        expect(await viewer.kind() === kind, `${key} led to ${await viewer.kind()}`);
    }
    await page.evaluate('document.activeElement.blur()');
    await viewer.press('Space');
    expect(await page.evaluate('state.timer') !== null, 'Space does not play');
    await viewer.press('Space', '2');
    expect(await page.inputValue('#view') === '2', 'the view of seat 2');
    await viewer.press('o');
    expect(await page.inputValue('#view') === 'open', 'all cards open');
    await viewer.press('?');
    expect(await page.locator('dialog[open]').count() === 1, 'no help');
    await viewer.press('Escape');
    expect(await page.locator('dialog[open]').count() === 0, 'help stays');
    await viewer.close(expect);
}

async function checkLanguages(browser, folder, expect) {
    const seen = new Set();
    const viewer = await Viewer.open(browser, path.join(folder, 'fr2020.html'), '#d=12', {locale: 'de-AT'});
    const {page} = viewer;
    expect(await page.getAttribute('html', 'lang') === 'de', 'the language of the browser is not taken');
    for (const language of LANGUAGES) {
        await page.selectOption('#language', language);
        expect(await page.getAttribute('html', 'lang') === language, `${language} is not said`);
        seen.add(await page.textContent('#events'));
        for (const text of await page.locator('[data-text]').allTextContents())
            expect(text !== '' && !text.includes('undefined') && !text.includes('{'), `${language}: ${text}`);
        await viewer.press('End');
        expect(!/undefined|[{}]|NaN/.test(await page.textContent('main')), `${language}: a blank is left`);
        await viewer.press('Home');
    }
    expect(seen.size === LANGUAGES.length, 'two languages are alike');
    await viewer.close(expect);
}

async function checkViews(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'nl2023.html'));
    const {page} = viewer;
    const peeks = () => page.locator('#board .peek').count();
    expect(await peeks() === 0, 'all see down cards');
    await viewer.press('1');
    expect(await peeks() === 0, 'seat 1 sees down cards');
    await viewer.press('o');
    expect(await peeks() > 0, 'open cards are not open');
    const hidden = await page.evaluate(`state.log.steps.findIndex(step => step.isPrivate)`);
    expect(hidden > 0, 'no knocker held a hidden card');
    const knocker = await page.evaluate(`Number(state.log.steps[${hidden}].fields[1][0])`);
    const words = async view => {
        await page.evaluate(`goTo(${hidden}); setView(${view})`);
        return viewer.now();
    };
    expect(/ \?$/.test(await words((knocker + 1) % 4)), 'another seat knows the card');
    expect(/ \?$/.test(await words(`'all'`)), 'all know the card');
    expect(/ −?\d+$/.test(await words(knocker)), 'the knocker does not know the card');
    await viewer.close(expect);
}

// The page of `review --html`, and that another log takes the review away.
async function checkReview(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'review.html'));
    const {page} = viewer;
    expect(await page.locator('#chances .plot:not(.costly)').count() === 6, 'not one curve per seat');
    expect(await page.evaluate(`[...document.querySelectorAll('#chances .costly')].every((lane, seat) =>
        !lane.getAttribute('d').match(/ [0-9.]+V/g)?.some(from => parseFloat(from) !== 102 + 9 * seat))`),
        'a mark that is not below the curves, in the lane of its seat');
    const costly = await page.evaluate('costlySteps()');
    expect(costly.length > 0, 'six bots, some of them random, make no mistake');
    for (const [keys, step] of [[['b'], costly[0]], [['b', 'Shift+B'], costly[0]]]) {
        await viewer.press(...keys);
        expect(await viewer.step() === step, `${keys} led to ${await viewer.step()}, not ${step}`);
    }
    const answer = await page.evaluate('adviceAtHand().find(({sure}) => sure)');
    expect((await page.textContent('#advice')).includes(answer.better), await page.textContent('#advice'));
    expect((await page.evaluate('betterCells(6).length')) === await page.locator('#board .better').count(), 'marks');
    expect((await page.textContent('#players')).includes('chance '), 'no chances at the players');
    for (const language of LANGUAGES) {
        await page.selectOption('#language', language);
        expect(!/undefined|[{}]|NaN/.test(await page.textContent('main')), `${language}: a blank is left`);
    }
    await page.click('#end');
    await page.click('#nextCostly');
    await viewer.until(`$('found').textContent === label('noneCostly')`);
    await viewer.drop('other.ndjson', fs.readFileSync(path.join(folder, 'es2020.ndjson'), 'utf8'));
    await viewer.until('state.review === null');
    for (const id of ['chances', 'nextCostly', 'advice'])
        expect(await page.locator('#' + id).isHidden(), `${id} stays`);
    await viewer.close(expect);
}

async function checkAxe(browser, folder, expect) {
    const review = await Viewer.open(browser, path.join(folder, 'review.html'));
    await review.press('b');
    for (const [colorScheme, width, options] of [LOOKS[0], LOOKS.at(-1)]) {
        await review.look(colorScheme, width);
        expect(await review.width() <= width, `a review is wider than ${width}`);
        const violations = await review.violations(options);
        expect(violations === '', `review, ${colorScheme} ${width}: ${violations}`);
    }
    await review.close(expect);
    const viewer = await Viewer.open(browser, path.join(folder, 'manners.html'), '#d=12');
    await viewer.press('f');
    await viewer.page.click('#as-text summary');
    for (const isHelp of [false, true]) {
        if (isHelp)
            await viewer.press('?');
        for (const [colorScheme, width, options] of LOOKS) {
            await viewer.look(colorScheme, width);
            const violations = await viewer.violations(options);
            expect(violations === '', `${colorScheme} ${width}: ${violations}`);
        }
    }
    await viewer.close(expect);
}

// Upright nothing is wider than the screen; on its side table, text and controls are on it without scrolling.
async function checkPhone(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'de2026.html'), '#d=40',
        {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
    const {page} = viewer;
    for (const edition of ['de2026', 'nl2023', 'es2020']) {
        await page.setInputFiles('#file', path.join(folder, edition + '.ndjson'));
        await viewer.until(`state.log.header.edition === '${edition}'`);
        await page.setViewportSize({width: 360, height: 740});
        const width = await viewer.width();
        expect(width <= 360, `${edition}: ${width} pixels wide`);
        const card = await page.locator('#board .card').first().boundingBox();
        expect(Math.min(card.width, card.height) > 15, `${edition}: cards of ${Math.round(card.width)} pixels`);
        await page.tap('#on');
        expect(await viewer.step() > 0, 'tapping');
        await viewer.picture('viewer-phone-' + edition);
        await page.setViewportSize({width: 740, height: 360});
        await page.evaluate('goTo(40); scrollTo(0, 0)');
        expect(await viewer.width() <= 740, `${edition}: wider than a phone on its side`);
        for (const part of ['#board svg', '#now', '#play', '#speed', '#nextRound', '#slider', '#points']) {
            const {x, y, width: across, height} = await page.locator(part).boundingBox();
            expect(x >= 0 && y >= 0 && x + across <= 740 && y + height <= 360,
                `${edition}: ${part} is at ${[x, y, across, height].map(Math.round)} of 740, 360`);
        }
        await viewer.picture('viewer-landscape-' + edition);
    }
    await viewer.close(expect);
}

async function takePictures(browser, folder, expect) {
    const viewer = await Viewer.open(browser, path.join(folder, 'de2026.html'));
    for (const [edition, colorScheme] of [['en2020', 'light'], ['de2026', 'dark'], ['es2020', 'light']]) {
        await viewer.page.setInputFiles('#file', path.join(folder, edition + '.ndjson'));
        await viewer.until(`state.log.header.edition === '${edition}' && state.step === 0`);
        await viewer.look(colorScheme, 1280);
        await viewer.press('k', 'k', 'k');
        const file = await viewer.picture(`viewer-${edition}-${colorScheme}`, {fullPage: true});
        expect(fs.statSync(file).size > 10000, file);
    }
    await viewer.close(expect);
}

async function browserTests(folder, only = '') {
    const browser = await launch();
    const tests = {
        'the page steps by decision and by event': checkSteps,
        'the page jumps to knocks, clears, faults and rounds': checkJumps,
        'cards move, unless the reader wants no motion': checkMoves,
        'a knock is marked until it is over': checkKnock,
        'the points beside the names are those of the curves': checkPoints,
        'the page plays and pauses': checkPlaying,
        'a link restores the moment': checkLinks,
        'a dropped log is shown, and what is none is refused': checkDrop,
        'a name full of HTML stays text': checkMarkup,
        'the keyboard alone is enough': checkKeyboard,
        'the page speaks five languages': checkLanguages,
        'a seat sees only what it may': checkViews,
        'a review shows chances, luck and better answers': checkReview,
        'axe finds nothing': checkAxe,
        'the page fits a phone': checkPhone,
        'pictures of the page are in build/': takePictures,
    };
    for (const [name, check] of Object.entries(tests).filter(([title]) => title.includes(only)))
        await report(name, expect => check(browser, folder, expect));
    await browser.close();
}

const [mode, ...rest] = process.argv.slice(2);
await (mode === 'states' ? states(rest) : browserTests(...rest));
