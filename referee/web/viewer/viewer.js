// The page itself: one state, one function that changes it, one that shows it. The link holds the
// state: the step, the view and the language. Buttons, keys, slider, list and link (controls.js) all
// go through goTo() and showAll().

const SPEEDS = [0.5, 1, 2, 5, 20];
const STEP_MS = 900;
const LISTED = 24;
const state = {log: null, review: null, step: 0, view: 'all', language: 'en', timer: null, speed: 1};

function $(id) {
    return document.getElementById(id);
}

function label(name, values) {
    return textIn(state.language, name, values);
}

function table() {
    return tableAt(state.log, state.step);
}

// Moving.

// Cards move if it is the next event or the next decision; while playing, they arrive before the next step.
function goTo(step, isPlaying = false) {
    if (!isPlaying)
        pause();
    const from = state.step, near = stopAfter();
    state.step = Math.min(Math.max(0, step), state.log.steps.length - 1);
    showMoment();
    if (state.step > from && state.step <= near)
        animateSteps($('board'), {before: tableAt(state.log, from), view: state.view,
            steps: state.log.steps.slice(from + 1, state.step + 1), mostMs: isPlaying ? stepMs() / 2 : Infinity});
}

function stopBefore() {
    return state.log.stops.findLast(stop => stop < state.step) ?? 0;
}

function stopAfter() {
    return state.log.stops.find(stop => stop > state.step) ?? state.log.steps.length - 1;
}

function jump(name, isBack) {
    const {isAt, none} = MARKS.find(mark => mark.name === name);
    const steps = state.log.steps;
    const found = isBack ? steps.findLastIndex((step, i) => i < state.step && isAt(step)) :
        steps.findIndex((step, i) => i > state.step && isAt(step));
    if (found >= 0)
        goTo(found);
    tellFound(found >= 0 ? '' : label(none));
}

// Said again if it is said twice: a text that stays the same is not read aloud.
function tellFound(text) {
    $('found').textContent = '';
    if (text !== '')
        requestAnimationFrame(() => { $('found').textContent = text; });
}

// Playing. Passes, and cards shown at the end of a round, go by quickly.

function pause() {
    clearTimeout(state.timer);
    state.timer = null;
    nameButton($('play'));
}

function stepMs() {
    const isQuick = ['shown', 'passed'].includes(state.log.steps[state.step].kind);
    return STEP_MS / state.speed / (isQuick ? 5 : 1);
}

function playOn() {
    state.timer = setTimeout(() => {
        goTo(state.step + 1, true);
        if (state.step < state.log.steps.length - 1)
            playOn();
        else
            pause();
    }, stepMs());
}

function togglePlay() {
    if (state.timer !== null) {
        pause();
        return;
    }
    if (state.step >= state.log.steps.length - 1)
        goTo(0);
    playOn();
    nameButton($('play'));
}

function changeSpeed(by) {
    const index = SPEEDS.indexOf(state.speed) + by;
    state.speed = SPEEDS[Math.min(Math.max(0, index), SPEEDS.length - 1)];
    $('speed').value = String(state.speed);
}

// The link: #d=DECISION&e=EVENTS&seat=VIEW&lang=LANGUAGE. A decision's number stands for the moment before
// it is made, as in `referee replay --at N`; `e` is how many of its events have been shown since. The
// number after the last decision is the end of the match.

// The decision that comes next, or whose events are being shown; undefined at the end.
function decisionAtHand() {
    const {decision} = state.log.steps[state.step];
    return state.log.decisions[state.step === state.log.decisions[decision].last ? decision + 1 : decision];
}

function linkHash() {
    const decision = decisionAtHand();
    const pairs = ['d=' + (decision?.n ?? state.log.decisions.at(-1).n + 1)];
    if (decision !== undefined && state.step >= decision.first)
        pairs.push('e=' + (state.step - decision.first + 1));
    if (state.view !== 'all')
        pairs.push('seat=' + state.view);
    return '#' + pairs.concat('lang=' + state.language).join('&');
}

function readLink() {
    const hash = new URLSearchParams(location.hash.slice(1));
    const language = hash.get('lang');
    if (Object.hasOwn(TEXTS, language ?? ''))
        state.language = language;
    if (state.log === null)
        return;
    state.view = viewOf(hash.get('seat') ?? 'all');
    const decision = state.log.decisions.find(({n}) => String(n) === hash.get('d'));
    const events = /^\d+$/.test(hash.get('e') ?? '') ? Number(hash.get('e')) : 0;
    if (decision !== undefined)
        state.step = Math.max(0, Math.min(decision.first - 1 + events, decision.last));
    else if (hash.get('d') === String(state.log.decisions.at(-1).n + 1))
        state.step = state.log.steps.length - 1;
}

function writeLink() {
    if (location.hash === linkHash())
        return;
    try {
        history.replaceState(null, '', linkHash());
    } catch {
        // Some browsers limit how often this may be called; the next call will do.
    }
}

async function copyLink() {
    writeLink();
    try {
        await navigator.clipboard.writeText(location.href);
        note(label('copied'));
    } catch {
        const field = element('input', {readonly: '', value: location.href, 'aria-label': label('link')});
        $('note').replaceChildren(label('copyByHand') + ' ', field);
        field.select();
    }
}

function viewOf(text) {
    return text === 'open' || text === 'all' ? text :
        /^[0-5]$/.test(text) && Number(text) < state.log.header.seats ? Number(text) : 'all';
}

// Showing.

function note(text) {
    $('note').textContent = text;
}

function textOfStep(step) {
    const hides = step.kind === 'placed' && state.view !== 'open' &&
        state.view !== Number(step.fields[1].split(':')[0]) && step.isPrivate;
    return stepText(step, state.log.names, state.language, hides);
}

// Each seat's points if the round ended now, as far as the view knows them.
function pointsNow() {
    return state.log.points[state.view === 'open' ? 'open' : 'closed'][state.step];
}

function placesOf(log) {
    return Array.isArray(log.result?.places) ? log.result.places.map(Number) : null;
}

function showBoard(now) {
    $('board').replaceChildren(drawTable(now, {names: state.log.names, view: state.view, language: state.language,
        points: pointsNow(), places: placesOf(state.log), better: betterCells(now.seats)}));
    $('tables').replaceChildren(...describeTable(now, state.log.names, state.view, state.language));
}

// The seat that decides, its answer and the time it took; and the details of a fault.
function decisionLines(decision) {
    const lines = decision.answers.map(({seat, answer, us, by}) => {
        const time = by === 'autopilot' ? label('autopilot') : by === 'log' ? label('given') :
            formatTime(us, state.language);
        return label('pair', {a: state.log.names[seat], b: `${answer} (${time})`});
    });
    for (const {kind, fault} of state.log.steps.slice(decision.first, decision.last + 1)) {
        if (kind === 'dismissed')
            ['ask', 'line', 'ending', 'stderr'].filter(name => fault[name] !== '').forEach(name =>
                lines.push(label('pair', {a: label(name === 'ask' ? 'asked' : name), b: fault[name]})));
    }
    return lines.join('\n');
}

function showStep(now, step) {
    const last = state.log.decisions.at(-1), decision = decisionAtHand() ?? last;
    const place = `${label('round')} ${now.round}, ${label('turn')} ${now.turn} · ` +
        `${label('decision')} ${label('of', {a: decision.n, b: last.n})}`;
    const winners = winnersOf(now, placesOf(state.log)).map(seat => state.log.names[seat]);
    $('now').textContent = textOfStep(step) + (winners.length === 0 ? '' :
        '. ' + label('victory', {a: new Intl.ListFormat(state.language).format(winners)}));
    $('decision').textContent = place + '\n' + decisionLines(decision);
    $('slider').value = String(state.step);
    $('slider').setAttribute('aria-valuetext', label('pair', {a: place, b: textOfStep(step)}));
}

function tagsOf(now, seat) {
    const tags = [];
    const held = name => now[name] !== null && now[name].seat === seat;
    if (now.active === seat && !now.isOver)
        tags.push(label('active'));
    if (now.knocker === seat)
        tags.push(label('knocker'));
    if (now.dealer === seat)
        tags.push(label('dealer'));
    if (now.trigger === seat)
        tags.push(label('trigger'));
    for (const name of ['drawn', 'taken', 'aside', 'hand'].filter(held))
        tags.push(`${label(name)} ${name === 'hand' && hidesHand(now.hand, state.view) ? '?' :
            cardText(now[name].card)}`);
    if (now.bids[seat] !== undefined)
        tags.push(bidText(now.bids[seat], state.language));
    if (now.isOver && placesOf(state.log) !== null)
        tags.push(label('place', {n: placesOf(state.log)[seat]}));
    return [...tags, ...reviewTags(seat)].map(tag => element('span', {class: 'tag'}, [tag]));
}

function showPlayers(now) {
    const used = Array(now.seats).fill(0);
    state.log.decisions.slice(0, state.log.steps[state.step].decision + 1).forEach(({answers}) =>
        answers.forEach(({seat, us}) => { used[seat] += us; }));
    $('players').replaceChildren(...state.log.names.map((name, seat) => {
        const out = now.dismissed[seat];
        const head = [element('b', {class: 'key'}, [`${seat} ${name}`]), ...tagsOf(now, seat)];
        if (out !== undefined)
            head.push(element('span', {class: 'tag loud'}, [label('out', {a: out})]));
        const isSettled = pointsNow()[seat] === now.totals[seat];
        head.push(element('span', {class: 'number'}, [pointsText(now.totals[seat], state.language)]),
            element('span', {class: 'soft'}, [isSettled ? '' : label('pointsNow',
                {n: pointsText(pointsNow()[seat], state.language)})]),
            element('span', {class: 'soft'}, [formatTime(used[seat], state.language)]));
        return element('li', {class: 'seat' + seat}, [element('div', {class: 'row'}, head),
            ...(now.says[seat] || []).map(text => element('p', {class: 'say'}, [label('quote', {text})]))]);
    }));
}

function showEvents() {
    const first = Math.max(0, state.step - LISTED / 2);
    const hadFocus = $('events').contains(document.activeElement);
    const items = state.log.steps.slice(first, first + LISTED).map((step, i) => {
        const isNow = first + i === state.step;
        const button = element('button', {type: 'button', 'data-step': first + i,
            'aria-current': isNow ? 'step' : null}, [textOfStep(step)]);
        return element('li', {class: step.isFirst ? 'first' : null}, [button]);
    });
    $('events').replaceChildren(...items);
    const current = $('events').querySelector('[aria-current]');
    $('events').scrollTop = current.offsetTop - $('events').clientHeight / 3;
    if (hadFocus)
        current.focus({preventScroll: true});
}

function showMoment() {
    const now = table(), step = state.log.steps[state.step];
    showBoard(now);
    showStep(now, step);
    showAdvice();
    showPlayers(now);
    showEvents();
    moveCursors(state.step);
    writeLink();
}

function nameButton(button) {
    const isPause = button.id === 'play' && state.timer !== null;
    const name = label(isPause ? 'pause' : button.dataset.name);
    button.setAttribute('aria-label', name);
    button.title = name;
    if (button.dataset.sign !== undefined)
        button.textContent = isPause ? '❚❚' : button.dataset.sign;
}

function option(value, text) {
    return element('option', {value}, [text]);
}

function showLabels() {
    document.documentElement.lang = state.language;
    document.querySelectorAll('[data-text]').forEach(node => { node.textContent = label(node.dataset.text); });
    document.querySelectorAll('[data-name]').forEach(nameButton);
    $('language').replaceChildren(...Object.entries(TEXTS).map(([code, {language}]) => option(code, language)));
    $('language').value = state.language;
    const {keys, reviewKeys, linkKeys} = TEXTS[state.language];
    $('keyList').replaceChildren(...[...keys, ...state.review === null ? [] : reviewKeys,
        ...$('links') === null ? [] : linkKeys].flatMap(([key, meaning]) =>
        [element('dt', {}, [key]), element('dd', {}, [meaning])]));
    const [head, names] = label('marks').split(/(?<=:) /);
    $('legend').replaceChildren(head + ' ', ...names.split(', ').flatMap((name, i) =>
        [i > 0 ? ', ' : '', element('b', {class: MARKS[i].name}, [name])]));
}

function showFacts() {
    const {header, isHashRight, misfit, seed} = state.log;
    const hash = isHashRight === null || seed === null ? 'hashNone' : isHashRight ? 'hashRight' : 'hashWrong';
    const isWrong = hash === 'hashWrong' || misfit !== null;
    document.title = `ALLEGRA: ${state.log.names.join(', ')}`;
    $('facts').textContent = `${header.edition}${header.variant ? `, ${header.variant}` : ''}: ${state.log.names.join(', ')}. ${label(hash)}`;
    showProblem(isWrong ? label(misfit !== null ? 'misfit' : 'hashWrong') : '');
    $('view').replaceChildren(option('all', label('everyone')), option('open', label('open')),
        ...state.log.names.map((a, n) => option(n, label('seatView', {n, a}))));
    $('view').value = String(state.view);
}

function showProblem(text) {
    $('problem').textContent = text;
    $('problem').hidden = text === '';
}

// The daemon puts the match's neighbours into the page: their keys, BLOCK.MATCH, if they can be seen.
function showLinks() {
    const links = $('links');
    if (links === null)
        return;
    const {job, previous, next} = links.dataset;
    const made = (href, name, text) => href === null ? element('span', {class: 'soft'}, [text]) :
        element('a', {href: `${href}#lang=${state.language}`, id: name}, [text]);
    const match = key => key === '' ? null : `/view/${job}/${key}`;
    links.replaceChildren(made('/jobs/' + job, 'toJob', label('toJob', {n: job})),
        made(match(previous), 'previousMatch', label('previousMatch')),
        made(match(next), 'nextMatch', label('nextMatch')));
    links.setAttribute('aria-label', label('matches'));
}

function showAll() {
    showLabels();
    showLinks();
    if (state.log === null)
        return;
    showFacts();
    $('slider').max = String(state.log.steps.length - 1);
    $('marks').replaceChildren(drawMarks(state.log));
    showReview();
    $('points').replaceChildren(...drawPoints(state.log, state.view, state.language));
    $('thinking').replaceChildren(drawThinking(state.log));
    $('longest').textContent = `(≤ ${formatTime(longestTime(state.log), state.language)})`;
    showMoment();
}
