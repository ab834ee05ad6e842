// What the tests of the daemon's pages share: a real daemon, its clients, and a tab that knows when a page is ready. The
// script that uses it is called with FOLDER and BUILD.

import fs from 'node:fs';
import path from 'node:path';
import {execFileSync, spawn} from 'node:child_process';
import {Tab} from './browser.mjs';

export const [FOLDER, BUILD] = process.argv.slice(2);
export const REFEREE = path.join(BUILD, 'referee');
export const SOCKET = path.join(FOLDER, 'socket');
export const STORE = path.join(FOLDER, 'store');
export const TEMPORARY = path.join(FOLDER, 'tmp');
const RULES = {rounds: 1, turn_limit: 6};

// The daemon.

export class Daemon {
    async start(address = '127.0.0.1:0', ...more) {
        this.child = spawn(REFEREE, ['serve', '--socket', SOCKET, '--store', STORE, '--http', address, ...more],
            {stdio: ['ignore', 'ignore', 'pipe'], env: {...process.env, TMPDIR: TEMPORARY}});
        this.ended = new Promise(resolve => this.child.on('exit', resolve));
        this.said = '';
        await new Promise((resolve, reject) => {
            this.child.stderr.on('data', bytes => {
                this.said += bytes;
                const found = /pages: http:\/\/(\S+)[^]*bots: /.exec(this.said);
                if (found !== null)
                    resolve(this.address = found[1]);
            });
            this.child.on('exit', () => reject(new Error(this.said)));
        });
    }

    get url() {
        return 'http://' + this.address;
    }

    async stop() {
        this.child.kill('SIGTERM');
        this.child.kill('SIGINT');
        const timer = setTimeout(() => this.child.kill('SIGKILL'), 300000);
        await this.ended;
        clearTimeout(timer);
    }
}

export function referee(...words) {
    return execFileSync(REFEREE, words, {encoding: 'utf8', env: {...process.env, REFEREE_SOCKET: SOCKET}});
}

export function submitTournament(name, bots, deals, more = {}) {
    const file = path.join(FOLDER, 'cup.json');
    fs.writeFileSync(file, JSON.stringify({name, bots, seats: 2, edition: 'en2020', rules: RULES, deals, seatings: 'all',
        move_ms: 60000, start_ms: 60000, ...more}));
    return Number(/\d+/.exec(referee('submit', 'tournament', file))[0]);
}

// The pages.

export class Page extends Tab {
    static open(browser, daemon, address, options = {}) {
        return super.open(browser, daemon.url + address, new RegExp(`^(data:|${daemon.url}/)`), options);
    }

    async ready() {
        await this.until(`document.getElementById('live').hidden ||
            document.getElementById('live').className === 'live live'`);
        await this.until(`(location.pathname !== '/' || overview.status !== null) &&
            (!location.pathname.startsWith('/jobs') || state.job !== null) &&
            (location.pathname !== '/bots' || catalogue.bots !== null) &&
            (!location.pathname.startsWith('/bots/') || seen.versions !== null) &&
            (!location.pathname.startsWith('/users/') || person.bots !== null) &&
            (location.pathname !== '/submit' || form.bots !== null) && page.me.csrf !== ''`);
    }

    static async openReady(...words) {
        const page = await this.open(...words);
        await page.ready();
        if (words[2].startsWith('/jobs/1'))
            await page.until('list.matches.size === 24');
        return page;
    }

    shownMatches() {
        return this.page.evaluate(`[...document.querySelectorAll('[data-match]')].map(item => item.dataset.match)`);
    }
}
