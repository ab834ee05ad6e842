// The page on which a person plays. It is a bot like any other: the daemon passes the lines of the bot protocol
// to it and its answers back, and the match judges them. The lines are numbered and begin with the first one, also
// when the page is loaded again; the person's own lines are among them, after `> `.

const EDITIONS = ['de2026', 'en2020', 'nl2023', 'fr2020', 'es2020'];
const RIVALS = 5;
const BUSY_STEPS = 60;
const LISTED_EVENTS = 40;
const TIMES = {start_ms: 60000, move_ms: 60000, bank_ms: 600000};
const game = {language: 'en', me: null, bots: [], job: 0, id: '', seen: 0, isEnded: false, isShowing: false,
    header: null, seat: 0, names: [], table: null, steps: [], done: [], places: null,
    question: null, legal: [], cell: null, letter: '', pace: 450};

function $(id) {
    return document.getElementById(id);
}

function label(name, values) {
    return textIn(game.language, name, values);
}

function showProblem(text) {
    $('problem').textContent = text;
    $('problem').hidden = text === '';
}

// Requests.

async function post(path, body) {
    const reply = await fetch(path, {method: 'POST', cache: 'no-store', headers: {'X-CSRF-Token': game.me.csrf}, body});
    const text = reply.status === 204 ? '' : await reply.text();
    const data = text.startsWith('{') ? JSON.parse(text) : {text};
    if (!reply.ok)
        throw new Error(data.text.trim());
    return data;
}

async function askJson(path) {
    const reply = await fetch(path, {cache: 'no-store'});
    if (!reply.ok)
        throw new Error(`${reply.status} ${(await reply.text()).slice(0, 200)}`);
    return reply.json();
}

async function attempt(act) {
    try {
        showProblem('');
        await act();
    } catch (error) {
        showProblem(error.message);
    }
}

// Sitting down: a remote bot of the person's own, a match with it, and a seat that plays it.

// If the daemon allows less time, it says how much.
async function submitMatch(name, rivals, edition) {
    const times = {...TIMES};
    for (;;) {
        const keys = Object.entries(times).map(([key, value]) => ` ${key}=${value}`).join('');
        try {
            return await post('/api/requests', `match ${[name, ...rivals].join(' ')} edition=${edition}${keys}\n`);
        } catch (error) {
            const [, key, most] = /(\w+_ms) is \d+, and this daemon allows at most (\d+)/.exec(error.message) ?? [];
            if (!(times[key] > Number(most)))
                throw error;
            times[key] = Number(most);
        }
    }
}

function editionText() {
    return $('edition').value;
}

async function sitDown() {
    const name = ('person-' + game.me.user).slice(0, 32);
    const rivals = [...document.querySelectorAll('#rivals select')].map(({value}) => value).filter(Boolean);
    if (!game.bots.some(bot => bot.name === name))
        await post('/api/requests', `submit ${name} remote=yes\n`);
    const {text} = await submitMatch(name, rivals, editionText());
    const job = /job=(\d+)/.exec(text)[1];
    const {id} = await post('/api/seats', `${name} ${job}`);
    location.hash = `job=${job}&seat=${id}`;
}

function listen() {
    const source = new EventSource('/api/seats/' + game.id);
    source.onmessage = ({data, lastEventId}) => {
        if (Number(lastEventId) <= game.seen)
            return;
        game.seen = Number(lastEventId);
        take(data);
        if (game.isEnded)
            source.close();
    };
    source.onerror = () => source.readyState === EventSource.CLOSED && !game.isEnded && finish();
}

async function send(lines) {
    game.question = null;
    showQuestion();
    await attempt(() => post('/api/seats/' + game.id, lines.map(line => line + '\n').join('')));
}

// The lines.

function pairsOf(words) {
    return Object.fromEntries(words.map(word => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
}

const LINES = {
    error: (words, line) => showProblem(line),
    allegra: () => { game.isGreeted = false; setTimeout(greet); },
    match: words => {
        const {seats, seat, edition} = pairsOf(words);
        Object.assign(game, {header: {seats: Number(seats), dealer: 0, edition}, seat: Number(seat)});
    },
    rules: words => {
        game.header.rules = pairsOf(words);
        game.table = newTable(game.header, null);
        $('talk').hidden = game.header.rules.talk === 'off';
    },
    player: ([seat, name]) => { game.names[Number(seat)] = name; },
    legal: (words, line) => { game.legal = line.slice('legal '.length).split('|'); },
    ask: ([id, what, ms, ...keys]) => { game.question = {id, what, ms: Number(ms), ...pairsOf(keys)}; },
    said: ([seat, ...words]) => addStep({kind: 'said', seat: Number(seat), text: words.join(' ')}),
    dismissed: ([seat, code]) => addStep({kind: 'dismissed', seat: Number(seat), fault: {code, message: ''}}),
    result: words => { game.places = words.map(Number); },
    '>': ([first]) => {
        if (first === 'hello')
            game.isGreeted = true;
        else if (first === game.question?.id)
            game.question = null;
    },
    end: () => finish(),
};

function addStep(step) {
    game.steps.push({...step, isFirst: step.kind === 'turn' || step.kind === 'said'});
}

function take(line) {
    const [first, ...words] = line.split(' ');
    if (Object.hasOwn(LINES, first))
        LINES[first](words, line);
    else if (Object.hasOwn(EVENTS, first))
        addStep({kind: first, fields: line.split(' ')});
    if (!game.isShowing)
        showSteps();
}

// The greeting is answered once, and not again by a page that is loaded later.
function greet() {
    if (!game.isGreeted)
        send(['hello person legal=on']);
}

// Showing: events one after the other, then the question. A page that has many to show, because it was loaded again,
// shows only the last ones one by one.

function pause(ms) {
    return new Promise(resolve => setTimeout(resolve, ms));
}

async function showSteps() {
    game.isShowing = true;
    await pause(0);
    while (game.steps.length > 0) {
        const isQuick = game.steps.length > BUSY_STEPS, step = game.steps.shift(), before = copyTable(game.table);
        applyStep(game.table, step);
        game.done.push(step);
        if (isQuick)
            continue;
        showTable();
        $('now').textContent = stepText(step, game.names, game.language, false);
        animateSteps($('board'), {before, steps: [step], view: game.seat, mostMs: game.pace});
        await pause(['passed', 'shown', 'turn'].includes(step.kind) ? game.pace / 4 : game.pace);
    }
    game.isShowing = false;
    showTable();
    showQuestion();
}

function choices() {
    return game.question === null ? [] : game.legal.map(answer => ({answer, places: placesOf(answer)}));
}

// The places that belong to an answer, as in spotOf().
function placesOf(answer) {
    const seats = game.header.seats;
    const cells = [...answer.matchAll(/(?:(\d):)?([A-E][1-3])/g)].map(([, owner, cell]) =>
        cellNumber(seats, owner === undefined ? game.seat : Number(owner), cell));
    return cells.length > 0 ? cells : answer === 'pile' ? ['draw'] : answer === 'discard' ? ['discard'] : [];
}

// Whose cells the person chooses from: the person's own, or the knocker's from which a card is taken.
function seatOfCells() {
    return game.question.what === 'take' ? Number(game.question.knocker) : game.seat;
}

function showTable() {
    if (game.table === null || game.table.round === 0)
        return;
    const isAsked = !game.isShowing && game.question !== null;
    const marked = isAsked ? choices().flatMap(({places}) => places).filter(Number.isInteger) : [];
    const points = pointsOf(game.table, meanCard(game.table));
    $('board').replaceChildren(drawTable(game.table, {names: game.names, view: game.seat, language: game.language,
        points, places: game.places, better: [...new Set(marked)], chosen: isAsked ? seatOfCells() : null}));
    $('board').className = isAsked ? 'choosing' : '';
    $('tables').replaceChildren(...describeTable(game.table, game.names, game.seat, game.language));
    $('events').replaceChildren(...game.done.slice(-LISTED_EVENTS).reverse().map(step =>
        element('li', {class: step.isFirst ? 'first' : null}, [stepText(step, game.names, game.language, false)])));
}

function answerText(answer) {
    const [verb, first] = answer.split(' '), cells = answer.match(/[A-E][1-3]/g) ?? [];
    const owner = /(\d):/.exec(answer)?.[1] ?? (verb === 'accept' ? first : undefined);
    const key = verb === 'knock' && cells.length > 0 ? 'knockFor' : verb;
    return fill(TEXTS[game.language].answers[key] ?? answer,
        {cell: cells[0], cells: cells.join(' '), b: game.names[Number(owner)]});
}

function questionText({what, drawn, taken, by, knocker}) {
    return fill(TEXTS[game.language].questions[what] ?? what,
        {card: cardText(drawn ?? taken), b: game.names[Number(by ?? knocker)]});
}

function answerButton(answer) {
    const button = element('button', {type: 'button', 'data-answer': answer}, [answerText(answer)]);
    button.addEventListener('click', () => give(answer));
    return button;
}

function showQuestion() {
    const isAsked = game.question !== null && !game.isShowing && !game.isEnded, all = isAsked ? choices() : [];
    $('question').textContent = isAsked ? questionText(game.question) : game.isEnded ? '' : label('waitTurn');
    $('limit').textContent = isAsked ? label('timeToAnswer', {a: formatTime(1000 * game.question.ms, game.language)}) : '';
    const shown = all.filter(({places}) => game.cell === null ? !places.some(Number.isInteger) || all.length === 1 :
        places.includes(game.cell));
    $('answers').replaceChildren(...shown.map(({answer}) => answerButton(answer)));
    $('allAnswers').replaceChildren(...all.map(({answer}) => answerButton(answer)));
    $('all').hidden = all.length === 0;
}

// Answering.

function give(answer) {
    const text = $('say').value.replace(/[^ -~]/g, '?').trim();
    const lines = [...text === '' ? [] : [`say ${text}`], `${game.question.id} ${answer}`];
    $('say').value = '';
    game.cell = null;
    $('question').focus();
    send(lines);
}

// A place was chosen: if it means one answer, that is given; otherwise its answers are offered.
function choose(place) {
    const fitting = choices().filter(({places}) => places.includes(place));
    if (game.isShowing || fitting.length === 0)
        return;
    if (fitting.length === 1) {
        give(fitting[0].answer);
        return;
    }
    game.cell = place;
    showQuestion();
    $('answers').querySelector('button').focus();
}

// A letter and a number choose a cell.
function onKey(event) {
    const key = event.key.toUpperCase();
    if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey || game.question === null)
        return;
    if (/^[A-E]$/.test(key)) {
        game.letter = key;
    } else if (/^[1-3]$/.test(key) && game.letter !== '') {
        choose(cellNumber(game.header.seats, seatOfCells(), game.letter + key));
        game.letter = '';
    } else if (key === 'ESCAPE') {
        game.cell = null;
        showQuestion();
    }
}

// The end: the log can be watched when the job is over.
async function finish() {
    game.isEnded = true;
    game.question = null;
    showQuestion();
    $('leave').hidden = true;
    await attempt(async () => {
        for (;;) {
            const {state} = await askJson('/api/jobs/' + game.job);
            if (state !== 'playing' && state !== 'queued')
                break;
            await pause(500);
        }
        $('toLog').href = `/view/${game.job}/1.1#seat=${game.seat}&lang=${game.language}`;
        $('after').hidden = false;
    });
}

// The form.

function showForm() {
    const names = [...new Set(game.bots.filter(({kind}) => kind !== 'remote').map(({name}) => name))].sort();
    const chosen = [...document.querySelectorAll('#rivals select')].map(({value}) => value);
    $('rivals').replaceChildren(...Array.from({length: RIVALS}, (_, i) => element('label', {}, [
        label('rival', {n: i + 1}) + ' ', element('select', {id: 'rival' + i, required: i === 0 ? '' : null},
            [...i === 0 ? [] : [''], ...names].map(name => element('option', {value: name}, [name])))])));
    chosen.forEach((value, i) => { $('rival' + i).value = value; });
    if ($('edition').children.length === 0)
        $('edition').replaceChildren(...EDITIONS.map(name => element('option', {value: name}, [name])));
}

function showTexts() {
    document.documentElement.lang = game.language;
    document.title = `ALLEGRA: ${label('playTitle')}`;
    document.querySelectorAll('[data-text]').forEach(node => { node.textContent = label(node.dataset.text); });
    $('language').value = game.language;
    showForm();
    showTable();
    showQuestion();
}

// What the link says: a seat, or nothing yet.
function enter() {
    const hash = new URLSearchParams(location.hash.slice(1));
    const isSeated = hash.has('seat');
    $('setup').hidden = isSeated;
    for (const id of ['table-part', 'question-part', 'events-part', 'text-part'])
        $(id).hidden = !isSeated;
    if (!isSeated || game.id !== '')
        return;
    Object.assign(game, {job: Number(hash.get('job')), id: hash.get('seat').replace(/[^0-9a-f]/g, '')});
    listen();
}

async function begin() {
    const preferred = navigator.language.slice(0, 2);
    game.language = Object.hasOwn(TEXTS, preferred) ? preferred : 'en';
    $('language').replaceChildren(...Object.entries(TEXTS).map(([value, {language}]) =>
        element('option', {value, lang: value}, [language])));
    $('language').addEventListener('change', () => {
        game.language = $('language').value;
        showTexts();
    });
    $('setup').addEventListener('submit', event => {
        event.preventDefault();
        attempt(sitDown);
    });
    $('leave').addEventListener('click', () => attempt(async () => {
        await post(`/api/seats/${game.id}/leave`, '');
        location.assign('/jobs/' + game.job);
    }));
    $('board').addEventListener('click', ({target}) => {
        const place = target.closest('[data-place]')?.dataset.place;
        if (place !== undefined && game.question !== null)
            choose(/^\d+$/.test(place) ? Number(place) : place);
    });
    document.addEventListener('keydown', onKey);
    window.addEventListener('hashchange', enter);
    showTexts();
    await attempt(async () => {
        [game.me, {bots: game.bots}] = await Promise.all([askJson('/api/me'), askJson('/api/bots')]);
        const {has_remote: hasRemote} = await askJson('/api/status');
        showTexts();
        enter();
        if (!hasRemote)
            showProblem(label('noPeople'));
        else if (!game.me.may_change)
            showProblem(label('signInFirst'));
    });
}

begin();
