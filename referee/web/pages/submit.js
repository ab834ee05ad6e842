// Submitting: a bot, a match or a tournament.

'use strict';

const form = {bots: null, editions: [], isFilled: false};
const SEATS_MAX = 6;

// A new version is built and run like the last one of its author. By default the command is the file itself, whose name
// may be another one now.
function fillForm() {
    const bot = form.bots.find(({name}) => name === readHash().get('name'));
    if (form.isFilled || bot?.command === undefined)
        return;
    form.isFilled = true;
    if (bot.build_command === '' && bot.command.startsWith('./'))
        return;
    for (const [id, text] of [['command', bot.command], ['build', bot.build_command]])
        if ($(id).value === '')
            $(id).value = text;
}

function showForms() {
    document.title = 'ALLEGRA · ' + label('submit');
    $('need').hidden = page.me.may_change || page.me.csrf === '';
    if (form.bots === null)
        return;
    fillForm();
    const chosen = new Set([...document.querySelectorAll('#players input:checked')].map(box => box.value));
    replace($('players'), form.bots.map(bot => {
        const box = element('input', {type: 'checkbox', name: 'player', value: bot.name, 'data-key': 'player' + bot.name});
        box.checked = chosen.has(bot.name);
        return element('label', {}, box, ' ', bot.name, element('span', {class: 'soft'}, ` ${bot.user}`));
    }));
    $('no-bots').hidden = form.bots.length > 0;
    const edition = $('edition').value;
    $('edition').replaceChildren(...form.editions.map(name => element('option', {value: name}, name)));
    $('edition').value = edition === '' ? form.editions[0] : edition;
}

async function bytesOf(input) {
    return new Uint8Array(await input.files[0].arrayBuffer());
}

// What the daemon says about a version: whether it was built and said hello, with what was printed if it failed.
function trialReply(name, reply) {
    const [version, build, hello] = ['version', 'build', 'hello'].map(key => valueIn(reply, key));
    const failed = build === 'failed' ? 'stepBuild' : hello === 'failed' ? 'stepHello' : null;
    const text = {stepBuild: 'buildFailed', stepHello: 'helloFailed'}[failed] ?? (hello === 'ok' ? 'saysHello' : 'notTried');
    const words = [label('accepted', {a: name, n: version}), label(text)];
    if (failed !== null && Number(version) > 1)
        words.push(label('earlierPlays'));
    return [element('p', {class: failed === null ? 'fine' : 'problem'}, words.join(' '), ' ', link('/bots/' + name, label('toBot'))),
        ...(failed === null ? [] : [element('pre', {tabindex: '0', role: 'group', 'aria-label': label(failed)}, reply.block ?? '')])];
}

// The name of the file becomes one that can be used in a command.
async function sendBot() {
    const name = $('name').value;
    const file = $('file').files[0].name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^[^A-Za-z0-9]/, 'x');
    const keys = {file, command: $('command').value, build: $('build').value};
    const reply = await request(['submit', name], keys, await bytesOf($('file')), share => {
        $('upload').value = share;
    });
    $('bot-reply').replaceChildren(...trialReply(name, reply));
}

// Runs while the form cannot be sent again.
function onSubmit(id, act) {
    $(id).addEventListener('submit', async event => {
        event.preventDefault();
        const buttons = [...$(id).querySelectorAll('button')];
        buttons.forEach(button => { button.disabled = true; });
        await attempt(() => act(event.submitter));
        buttons.forEach(button => { button.disabled = false; });
    });
}

function openJob(reply) {
    location.assign('/jobs/' + valueIn(reply, 'job'));
}

// A match has the chosen bots at one table; in a tournament all meet at tables of two.
async function startJob(kind) {
    const players = [...document.querySelectorAll('#players input:checked')].map(box => box.value);
    const [edition, rounds, deals, title] = ['edition', 'rounds', 'deals', 'job-name'].map(id => $(id).value);
    if (players.length < 2 || kind === 'match' && players.length > SEATS_MAX)
        throw new Error(label(players.length < 2 ? 'tooFew' : 'tooMany'));
    if (kind === 'match')
        return openJob(await request(['match', ...players], {edition, rounds, deals, title}));
    const file = {name: title === '' ? label('tournament') : title, bots: players, seats: 2, edition,
        deals: Number(deals === '' ? 1 : deals), seatings: 'all', rules: rounds === '' ? {} : {rounds: Number(rounds)}};
    return openJob(await request(['tournament'], {}, new TextEncoder().encode(JSON.stringify(file))));
}

onSubmit('bot', async () => {
    $('bot-reply').replaceChildren();
    $('upload').hidden = false;
    try {
        await sendBot();
    } finally {
        $('upload').hidden = true;
    }
});
onSubmit('job', button => startJob(button.value));
onSubmit('cup', async () => openJob(await request(['tournament'], {}, await bytesOf($('cup-file')))));

const load = throttle(async () => {
    const [{bots}, {editions}] = await Promise.all([askJson('/api/bots'), askJson('/api/status')]);
    Object.assign(form, {editions, bots: [...new Map(bots.map(bot => [bot.name, bot])).values()]
        .sort((one, other) => one.name.localeCompare(other.name, page.language))});
    showForms();
}, 1000);

$('name').value = readHash().get('name') ?? '';
begin(showForms);
page.live = new Live('/events', load, (number, what) => what === 'bot' && load());
