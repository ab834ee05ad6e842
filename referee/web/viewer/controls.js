// User input: keys, buttons, the slider, dropping a log. Every key has a button, and every button can
// be reached by keyboard.

// A log is part of the page, is dropped on it, or is opened with the file button.

const LOG_BYTES_MAX = 64 << 20;

function openLog(text, review = null) {
    pause();
    try {
        const log = readLog(text);
        Object.assign(state, {log, review, step: 0, view: 'all'});
        return true;
    } catch (error) {
        showProblem(label('bad', {a: error.message.slice(0, 200)}));
        return false;
    }
}

// Whether a file was compressed with zstd, as the logs of tournaments are.
async function isPacked(file) {
    const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    return [0x28, 0xb5, 0x2f, 0xfd].every((byte, i) => start[i] === byte);
}

// Few browsers can decompress it. A file that never ends is cut off.
async function unpack(file) {
    const reader = file.stream().pipeThrough(new DecompressionStream('zstd')).getReader();
    const pieces = [];
    for (let length = 0, part; length < LOG_BYTES_MAX && !(part = await reader.read()).done; length += part.value.length)
        pieces.push(part.value);
    return new Blob(pieces).text();
}

async function openFile(file) {
    let text;
    try {
        if (file !== undefined)
            text = await (await isPacked(file) ? unpack(file) : file.text());
    } catch {
        showProblem(label('packed'));
    }
    if (text !== undefined && openLog(text))
        showAll();
}

// Keys.

function setView(view) {
    state.view = view;
    showAll();
}

const KEYS = {
    ArrowLeft: event => goTo(event.shiftKey ? state.step - 1 : stopBefore()),
    ArrowRight: event => goTo(event.shiftKey ? state.step + 1 : stopAfter()),
    Home: () => goTo(0),
    End: () => goTo(state.log.steps.length - 1),
    ' ': togglePlay,
    '+': () => changeSpeed(1),
    '-': () => changeSpeed(-1),
    k: event => jump('knock', event.shiftKey),
    c: event => jump('clear', event.shiftKey),
    f: event => jump('fault', event.shiftKey),
    r: event => jump('round', event.shiftKey),
    b: event => jumpToCostly(event.shiftKey),
    n: event => $(event.shiftKey ? 'previousMatch' : 'nextMatch')?.click(),
    p: () => setView('all'),
    o: () => setView('open'),
    l: copyLink,
    '?': () => $('keys').showModal(),
};

function onKey(event) {
    const target = event.target, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isTyping = target.matches('select, input:not([type=range]), textarea');
    const isPressing = key === ' ' && target.matches('button, summary, a, label');
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isPressing || $('keys').open ||
        state.log === null)
        return;
    if (/^[0-5]$/.test(key) && Number(key) < state.log.header.seats)
        setView(Number(key));
    else if (Object.hasOwn(KEYS, key))
        KEYS[key](event);
    else
        return;
    event.preventDefault();
}

const CLICKS = {
    start: () => goTo(0),
    back: () => goTo(stopBefore()),
    eventBack: () => goTo(state.step - 1),
    play: togglePlay,
    eventOn: () => goTo(state.step + 1),
    on: () => goTo(stopAfter()),
    end: () => goTo(state.log.steps.length - 1),
    nextKnock: () => jump('knock', false),
    nextClear: () => jump('clear', false),
    nextFault: () => jump('fault', false),
    nextRound: () => jump('round', false),
    nextCostly: () => jumpToCostly(false),
    link: copyLink,
    help: () => $('keys').showModal(),
    keysClose: () => $('keys').close(),
};

function listen() {
    for (const [id, act] of Object.entries(CLICKS))
        $(id).addEventListener('click', () => (state.log !== null || id.startsWith('keys')) && act());
    document.addEventListener('keydown', onKey);
    $('slider').addEventListener('input', () => state.log !== null && goTo(Number($('slider').value)));
    $('speed').addEventListener('change', () => { state.speed = Number($('speed').value); });
    $('view').addEventListener('change', () => setView(viewOf($('view').value)));
    $('language').addEventListener('change', () => {
        state.language = $('language').value;
        showAll();
    });
    $('theme').addEventListener('change', () => { document.documentElement.dataset.theme = $('theme').value; });
    $('file').addEventListener('change', () => openFile($('file').files[0]));
    $('events').addEventListener('click', event => {
        const button = event.target.closest('[data-step]');
        if (button !== null)
            goTo(Number(button.dataset.step));
    });
    for (const id of ['marks', 'chances', 'points', 'thinking'])
        $(id).addEventListener('click', event => {
            const box = $(id).getBoundingClientRect();
            goTo(Math.round((event.clientX - box.left) / box.width * (state.log.steps.length - 1)));
        });
    window.addEventListener('hashchange', () => {
        readLink();
        showAll();
    });
    listenToDrops();
}

function listenToDrops() {
    document.addEventListener('dragover', event => {
        event.preventDefault();
        $('drop').hidden = false;
    });
    document.addEventListener('dragleave', event => {
        if (event.relatedTarget === null)
            $('drop').hidden = true;
    });
    document.addEventListener('drop', event => {
        event.preventDefault();
        $('drop').hidden = true;
        openFile(event.dataTransfer.files[0]);
    });
}

function begin() {
    const preferred = navigator.language.slice(0, 2);
    state.language = Object.hasOwn(TEXTS, preferred) ? preferred : 'en';
    readLink();
    openLog(JSON.parse($('log').textContent), reviewInPage());
    readLink();
    listen();
    showAll();
}

begin();
