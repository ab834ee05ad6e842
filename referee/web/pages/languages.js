// The languages for bots that the referee's machine has, and how a bot in each is built and started.

'use strict';

const known = {languages: null};

function languageRow({name, is_installed, program, file, build, command}) {
    return element('tr', {},
        element('th', {scope: 'row'}, name),
        element('td', {}, element('span', {class: is_installed ? 'tag done' : 'tag'}, label(is_installed ? 'yes' : 'no'))),
        ...[program, file, build, command].map(text => element('td', {}, text === '' ? '–' : element('code', {}, text))));
}

function showLanguages() {
    document.title = 'ALLEGRA · ' + label('languages');
    if (known.languages === null)
        return;
    $('languages-head').replaceChildren(headRow([['languageOf'], ['installed'], ['program'], ['file'], ['stepBuild'],
        ['startedBy']]));
    replace($('languages'), known.languages.map(languageRow));
    $('languages-table').hidden = false;
}

const load = throttle(async () => {
    const {languages} = await askJson('/api/languages');
    known.languages = languages.toSorted((one, other) => other.is_installed - one.is_installed);
    showLanguages();
}, 2000);

begin(showLanguages);
page.live = new Live('/events', load, () => {});
