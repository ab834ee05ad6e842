// What the tests in a real browser share: reporting, a tab that notices whatever goes wrong in it, axe.

import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.join(HERE, '../..');
export const PICTURES = path.join(process.env.BROWSER ?? path.join(ROOT, 'build/browser'), '../screenshots');
// How a page is looked at by axe. Contrast takes longest, and is the same however wide the page is; in the dark
// nothing else is different.
export const LOOKS = [['light', 1200, {}], ['dark', 1200, {runOnly: ['color-contrast']}],
    ['light', 360, {rules: {'color-contrast': {enabled: false}}}]];
export const LANGUAGES = ['en', 'de', 'nl', 'fr', 'es'];

// Prints a line as tests/run wants it.
export async function report(name, check) {
    const problems = [];
    try {
        await check((isRight, why) => isRight || problems.push(why));
    } catch (error) {
        problems.push(error.stack);
    }
    console.log(problems.length === 0 ? `ok ${name}` : `not ok ${name}: ${problems[0]}`);
}

export async function launch() {
    const require = createRequire(path.join(process.env.BROWSER, 'package.json'));
    const {chromium} = require('playwright-core');
    fs.mkdirSync(PICTURES, {recursive: true});
    return chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'],
        timeout: 300000});
}

// Each language has the texts of English, with the same blanks.
export function compareTexts(english, other, where, expect) {
    const blanks = text => (String(text).match(/\{\w+\}/g) || []).sort().join();
    expect(Object.keys(english).sort().join() === Object.keys(other).sort().join(), `${where}: other texts`);
    for (const key of Object.keys(english).filter(name => typeof english[name] === 'string'))
        expect(blanks(english[key]) === blanks(other[key]), `${where}: ${key}`);
}

// Tabs that were closed, by their options. A new one takes a second of CPU time, an old one a third of that.
const idle = new Map();
const EVENTS = ['console', 'pageerror', 'dialog', 'request'];

export class Tab {
    constructor(page, problems, options, key) {
        Object.assign(this, {page, problems, options, key});
    }

    // Opens an address in a tab of its own, which asks for nothing but what fits `allowed`. Cards move and buttons
    // fade only for tests that want motion: each frame is painted without a GPU.
    static async open(browser, address, allowed, options = {}) {
        options = {viewport: {width: 1280, height: 900}, locale: 'en-GB', reducedMotion: 'reduce', ...options};
        // In the place of a browser there may be a context, in which somebody is signed in: its tabs are not used again.
        const key = 'newContext' in browser ? JSON.stringify(options) : null;
        const page = idle.get(key)?.pop() ?? await browser.newPage(options);
        page.setDefaultTimeout(300000);
        const problems = [];
        page.on('console', message => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
        page.on('pageerror', error => problems.push(error.message));
        page.on('dialog', dialog => { problems.push('a dialog: ' + dialog.message()); dialog.dismiss(); });
        page.on('request', request => allowed.test(request.url()) || problems.push(request.url()));
        await page.goto(address);
        return new this(page, problems, options, key);
    }

    // The policy of a page forbids what the driver's own waiting does, so this asks again and again. While another
    // page is loaded, nothing can be asked, and then not everything is there yet.
    async until(expression, seconds = 300) {
        const end = Date.now() + seconds * 1000;
        let why = '';
        while (Date.now() < end) {
            try {
                if (await this.page.evaluate(expression))
                    return;
            } catch (error) {
                why = ': ' + error.message;
            }
            await new Promise(done => setTimeout(done, 20));
        }
        throw new Error('never: ' + expression + why);
    }

    async press(...keys) {
        for (const key of keys)
            await this.page.keyboard.press(key);
    }

    // Another colour scheme and width, as if the reader had changed them.
    async look(colorScheme, width) {
        await this.page.emulateMedia({colorScheme});
        await this.page.setViewportSize({width, height: 800});
    }

    async width() {
        return this.page.evaluate('document.documentElement.scrollWidth');
    }

    async picture(name, options = {}) {
        const file = path.join(PICTURES, name + '.png');
        await this.page.screenshot({path: file, ...options});
        return file;
    }

    // What axe finds, in words; nothing if nothing. `options` are those of axe.run().
    async violations(options = {}) {
        const file = path.join(process.env.BROWSER, 'node_modules/axe-core/axe.min.js');
        if (await this.page.evaluate('window.axe === undefined'))
            await this.page.evaluate(fs.readFileSync(file, 'utf8'));
        // What passes is not described, and no style sheet is loaded twice: both take longer than the rules.
        const all = {resultTypes: ['violations'], preload: false, ...options};
        const {violations} = await this.page.evaluate(`axe.run(${JSON.stringify(all)})`);
        return violations.map(({id, nodes}) => `${id} at ${nodes[0].html} (${nodes[0].failureSummary})`).join('; ');
    }

    async close(expect) {
        expect(this.problems.length === 0, `the browser says: ${this.problems[0]}`);
        if (this.key === null) {
            await this.page.close();
            return;
        }
        await this.forget();
        idle.set(this.key, [...idle.get(this.key) ?? [], this.page]);
    }

    // Leaves nothing for the next test: what the page has stored, and how it was looked at.
    async forget() {
        const {page, options} = this;
        EVENTS.forEach(name => page.removeAllListeners(name));
        await page.evaluate('localStorage.clear(); sessionStorage.clear()');
        await page.context().clearCookies();
        await page.goto('about:blank');
        await page.emulateMedia({colorScheme: options.colorScheme ?? null, reducedMotion: options.reducedMotion});
        await page.setViewportSize(options.viewport);
    }
}
