// The bots: the newest version of each, and the older ones on request.

'use strict';

const catalogue = {bots: null, unfolded: new Set()};

function cells(bot) {
    return [
        element('td', {class: 'number'}, formatNumber(bot.version, page.language)),
        element('td', {}, userLink(bot.user, `user${bot.name}${bot.version}`)),
        element('td', {}, label(bot.kind)),
        ...botCells(bot),
    ];
}

function foldButton(name) {
    const isOpen = catalogue.unfolded.has(name);
    const button = element('button', {type: 'button', class: 'fold', 'data-key': 'fold' + name,
        'aria-expanded': String(isOpen), 'aria-label': label('olderVersions', {a: name})}, isOpen ? '▾' : '▸');
    button.addEventListener('click', () => {
        if (isOpen)
            catalogue.unfolded.delete(name);
        else
            catalogue.unfolded.add(name);
        showBots();
    });
    return button;
}

// The newest version first; below it the others, if they are unfolded.
function rowsOf(versions) {
    const [newest, ...older] = versions;
    const {name} = newest;
    const first = element('tr', {}, element('th', {scope: 'row'}, link('/bots/' + name, name, 'bot' + name), ' ',
        disqualifiedTag(newest), older.length > 0 ? foldButton(name) : null),
        ...cells(newest));
    return [first, ...(catalogue.unfolded.has(name) ? older : []).map(bot =>
        element('tr', {class: 'older'}, element('th', {scope: 'row'}, element('span', {class: 'soft'}, name)),
            ...cells(bot)))];
}

function showBots() {
    document.title = 'ALLEGRA · ' + label('bots');
    if (catalogue.bots === null)
        return;
    const byName = groupByName(catalogue.bots);
    const names = [...byName.keys()].sort((one, other) => one.localeCompare(other, page.language));
    $('bots-head').replaceChildren(headRow([['name'], ['version', true], ['user'], ['kind'],
        ...BOT_HEADS]));
    replace($('bots'), names.flatMap(name => rowsOf(byName.get(name).toReversed())));
    $('bots-table').hidden = names.length === 0;
    $('no-bots').hidden = names.length > 0;
}

function groupByName(bots) {
    const byName = new Map();
    for (const bot of bots)
        byName.set(bot.name, [...byName.get(bot.name) ?? [], bot]);
    return byName;
}

const load = throttle(async () => {
    catalogue.bots = (await askJson('/api/bots')).bots;
    showBots();
}, 1000);

begin(showBots);
page.live = new Live('/events', load, (number, what) => ['bot', 'over'].includes(what) && load());
