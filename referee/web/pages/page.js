// What all pages share: the language, elements, requests to the daemon, and its events. Texts become text
// nodes and attributes, never markup.

'use strict';

const page = {language: 'en', show: () => {}, live: null, isRefused: false,
    me: {user: 'guest', is_signed_in: false, may_change: false, is_organiser: false, csrf: ''}};
const PLACES = [['/', 'overview'], ['/bots', 'bots'], ['/ladder', 'ladders'], ['/submit', 'submit'], ['/play', 'play']];

function $(id) {
    return document.getElementById(id);
}

function label(name, values) {
    return textIn(page.language, name, values);
}

// Elements. A child that is null is left out.

function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        if (value !== null && value !== undefined)
            made.setAttribute(name, value);
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}

function drawing(tag, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes))
        made.setAttribute(name, value);
    made.append(...children);
    return made;
}

// Replaces the children. The element that had the focus gets it back, if it still exists.
function replace(parent, children) {
    const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    parent.replaceChildren(...children);
    if (key !== undefined)
        parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

function link(href, text, key, label) {
    return element('a', {href, 'data-key': key, 'aria-label': label}, text);
}

function stateTag(state) {
    return element('span', {class: 'tag ' + state}, label(state));
}

// The progress of a job, as a bar and as text.
function progressOf({decided, matches}) {
    const text = matches > 0 ?
        label('progress', {a: formatNumber(decided, page.language), b: formatNumber(matches, page.language)}) :
        label('unknownLength', {a: formatNumber(decided, page.language)});
    const bar = element('progress', {max: Math.max(1, matches), value: Math.min(decided, matches),
        'aria-label': text});
    return element('div', {class: 'progress'}, bar, element('span', {}, text));
}

function faultTags(faults) {
    return Object.entries(faults).filter(([, count]) => count > 0).map(([code, count]) =>
        element('span', {class: 'tag loud'}, `${code} ${formatNumber(count, page.language)}`));
}

function headRow(names) {
    return element('tr', {}, ...names.map(([name, isNumber]) =>
        element('th', {scope: 'col', class: isNumber ? 'number' : null}, label(name))));
}

// Requests.

async function ask(path) {
    const reply = await fetch(path, {cache: 'no-store'});
    if (!reply.ok)
        throw new Error(`${reply.status} ${(await reply.text()).trim().slice(0, 200)}`);
    return reply;
}

async function askJson(path) {
    return (await ask(path)).json();
}

// Says why the page could not be brought up to date, until it could. An answer to what the reader asked for stays.
function showTrouble(error) {
    if (page.isRefused && error === null)
        return;
    page.isRefused = false;
    $('trouble').hidden = error === null;
    $('trouble').textContent = error === null ? '' : label('trouble', {a: error.message});
}

// Changes. Only our own pages can read the secret that goes with each.

async function post(path, body) {
    const reply = await fetch(path, {method: 'POST', cache: 'no-store', headers: {'X-CSRF-Token': page.me.csrf}, body});
    if (reply.ok)
        return reply.status === 204 ? null : reply.json();
    const text = (await reply.text()).trim();
    throw new Error(text.startsWith('{') ? JSON.parse(text).text : text.slice(0, 200));
}

// A word of a request: in quotes if it needs them.
function quoted(word) {
    const plain = String(word).replace(/[^\x20-\x7e]/g, '?');
    return /^[!#-~]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
}

const PART_BYTES = 60000;

// Makes a request of the control protocol: words, keys that are not empty, and a block of bytes, which is sent in
// parts; `onPart` is told which share of it is sent. Returns the reply.
async function request(words, keys = {}, block = null, onPart = () => {}) {
    const pairs = Object.entries(keys).filter(([, value]) => value !== '' && value !== null && value !== undefined)
        .flatMap(([key, values]) => [values].flat().map(value => `${key}=${quoted(value)}`));
    const size = block === null ? [] : [`bytes=${block.length}`];
    const line = [words[0], ...words.slice(1).map(quoted), ...pairs, ...size].join(' ') + '\n';
    let reply = await post('/api/requests', new Blob([line]));
    for (let sent = 0; block !== null && sent < block.length; sent += PART_BYTES) {
        onPart(sent / block.length);
        reply = await post('/api/requests/' + reply.id, block.slice(sent, sent + PART_BYTES));
    }
    return reply;
}

// The value of a key in a reply "ok KEY=VALUE ...".
function valueIn(reply, key) {
    return new RegExp(`(?:^| )${key}=(\\S+)`).exec(reply.text)?.[1];
}

// Does what a reader asked for; says why it could not be done.
async function attempt(act) {
    try {
        page.isRefused = false;
        showTrouble(null);
        await act();
    } catch (error) {
        page.isRefused = true;
        $('trouble').hidden = false;
        $('trouble').textContent = error.message;
    }
}

// Runs a function at once, then at most once per pause however often it is called, and never concurrently.
function throttle(act, pauseMs) {
    let isWanted = false, isRunning = false;
    const run = async () => {
        isRunning = true;
        while (isWanted) {
            isWanted = false;
            try {
                await act();
                showTrouble(null);
            } catch (error) {
                showTrouble(error);
            }
            await new Promise(resolve => setTimeout(resolve, pauseMs));
        }
        isRunning = false;
    };
    return () => {
        isWanted = true;
        if (!isRunning)
            run();
    };
}

// Events. A hidden page does not keep a connection; after reconnecting, everything is loaded again, because
// events may have been missed.

const HIDDEN_MS = 60000;
const AGAIN_MS = 3000;

class Live {
    constructor(path, onOpen, onEvent) {
        Object.assign(this, {path, onOpen, onEvent, source: null, state: 'lost', timer: null});
        document.addEventListener('visibilitychange', () => this.look());
        this.connect();
    }

    connect() {
        clearTimeout(this.timer);
        this.source?.close();
        this.source = new EventSource(this.path);
        this.source.onopen = () => {
            this.enter('live');
            this.onOpen();
        };
        this.source.onmessage = ({data}) => this.hear(data);
        this.source.onerror = () => {
            this.enter('lost');
            if (this.source.readyState === EventSource.CLOSED)
                this.timer = setTimeout(() => this.connect(), AGAIN_MS);
        };
    }

    hear(line) {
        const [number, what, ...rest] = line.split(' ');
        if (number === '0' && what === 'ending')
            this.enter('ending');
        this.onEvent(Number(number), what, rest);
    }

    enter(state) {
        this.state = state;
        showLive();
    }

    look() {
        clearTimeout(this.timer);
        if (document.hidden)
            this.timer = setTimeout(() => {
                this.source.close();
                this.enter('lost');
            }, HIDDEN_MS);
        else if (this.source.readyState === EventSource.CLOSED)
            this.connect();
    }
}

function showLive() {
    const state = page.live?.state ?? 'lost';
    $('live').className = 'live ' + state;
    if ($('live').textContent !== label(state))
        $('live').textContent = label(state);
}

// The top of every page: where one can go, and who is signed in.

function topOfPage() {
    const places = PLACES.map(([href, name]) => element('a', {href, 'data-text': name,
        'aria-current': location.pathname === href ? 'page' : null}));
    return [element('p', {class: 'brand'}, link('/', 'ALLEGRA')),
        element('nav', {'aria-label': 'ALLEGRA'}, ...places),
        element('p', {id: 'live', class: 'live lost', role: 'status'}),
        element('p', {id: 'me', class: 'me'}),
        element('label', {class: 'language'}, element('span', {class: 'unseen', 'data-text': 'languageLabel'}), ' ',
            element('select', {id: 'language'}))];
}

function showMe() {
    if (!page.me.is_signed_in) {
        const next = location.pathname === '/' || location.pathname === '/sign-in' ? '' : '#next=' + location.pathname;
        replace($('me'), [link('/sign-in' + next, label('signIn'), 'sign-in')]);
        return;
    }
    const button = element('button', {type: 'button', class: 'plain', 'data-key': 'sign-out'}, label('signOut'));
    button.addEventListener('click', () => attempt(async () => {
        await post('/api/sign-out');
        location.assign('/');
    }));
    replace($('me'), [link('/users/' + page.me.user, page.me.user, 'me'), button]);
}

// Who has signed in; the page is shown again when that is known.
async function loadMe() {
    page.me = await askJson('/api/me');
    showMe();
    page.show();
}

// The language: from the link, or chosen earlier, or the browser's.

function readHash() {
    return new URLSearchParams(location.hash.slice(1));
}

function writeHash(values) {
    const pairs = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''));
    if (readHash().has('lang'))
        pairs.set('lang', page.language);
    const hash = pairs.toString();
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : '#' + hash);
}

function remembered() {
    try {
        return localStorage.getItem('language');
    } catch {
        return null;
    }
}

function remember(language) {
    try {
        localStorage.setItem('language', language);
    } catch {
        // Some browsers store nothing; then the choice is lost.
    }
}

function chooseLanguage() {
    const wanted = [readHash().get('lang'), remembered(), ...navigator.languages.map(name => name.slice(0, 2))];
    page.language = wanted.find(name => Object.hasOwn(TEXTS, name ?? '')) ?? 'en';
}

function showTexts() {
    document.documentElement.lang = page.language;
    for (const shown of document.querySelectorAll('[data-text]'))
        shown.textContent = label(shown.dataset.text);
    for (const shown of document.querySelectorAll('[data-name]'))
        shown.setAttribute('aria-label', label(shown.dataset.name));
    $('language').value = page.language;
    showLive();
    showMe();
    page.show();
}

function changeLanguage() {
    page.language = $('language').value;
    remember(page.language);
    if (readHash().has('lang')) {
        const hash = readHash();
        hash.set('lang', page.language);
        history.replaceState(null, '', '#' + hash);
    }
    showTexts();
}

// A table that is wider than its box says so, and its edge has a shadow (style.css).
function hintAtWidth(box) {
    const hint = element('p', {class: 'soft small', 'data-text': 'scrollHint', hidden: ''});
    const observer = new ResizeObserver(() => { hint.hidden = box.scrollWidth <= box.clientWidth; });
    box.before(hint);
    [box, ...box.children].forEach(part => observer.observe(part));
}

// Starts a page; `show` renders everything it knows.
function begin(show) {
    page.show = show;
    document.querySelector('header.top').replaceChildren(...topOfPage());
    $('language').replaceChildren(...Object.entries(TEXTS).map(([value, texts]) =>
        element('option', {value, lang: value}, texts.language)));
    $('language').addEventListener('change', changeLanguage);
    window.addEventListener('hashchange', () => {
        chooseLanguage();
        showTexts();
    });
    chooseLanguage();
    document.querySelectorAll('.scroll').forEach(hintAtWidth);
    showTexts();
    loadMe().catch(showTrouble);
}
