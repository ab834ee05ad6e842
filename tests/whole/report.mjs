// The report of a tournament in a real browser, without scripts: `report.mjs FOLDER` with the pages that report.py
// puts there.

import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {LANGUAGES, launch, LOOKS, report, Tab} from './browser.mjs';

const folder = process.argv[2];
const TITLES = {en: 'Standings', de: 'Tabelle', nl: 'Stand', fr: 'Classement', es: 'Clasificación'};
const SCORES = {en: '9.00', de: '9,00', nl: '9,00', fr: '9,00', es: '9,00'};

function open(browser, name, hash = '', options = {}) {
    return Tab.open(browser, pathToFileURL(path.join(folder, name + '.html')).href + hash, /^file:/, options);
}

// The languages of all texts that are shown, links aside.
function shownLanguages(tab) {
    return tab.page.evaluate(`[...new Set([...document.body.querySelectorAll('[lang]:not(a)')]
        .filter(node => node.getClientRects().length > 0).map(node => node.lang))].join()`);
}

async function checkLanguage(tab, language, expect) {
    expect(await shownLanguages(tab) === language, `${language}: shown are ${await shownLanguages(tab)}`);
    expect(await tab.page.locator('h2:visible').first().innerText() === TITLES[language], `${language}: the title`);
    const score = await tab.page.locator('#scores-of-1').innerText();
    expect(score.startsWith(SCORES[language] + ' ±'), `${language}: ${score}`);
    const current = tab.page.locator('.languages:visible [aria-current]');
    expect(await current.getAttribute('lang') === language, `${language} is not marked`);
}

async function checkChoice(browser, expect) {
    const tab = await open(browser, 'all');
    await checkLanguage(tab, 'en', expect);
    for (const language of ['de', 'nl', 'fr', 'es', 'en']) {
        await tab.page.click(`.languages:visible a[lang=${language}]`);
        // The browser scrolls a moment after the click.
        await tab.until('window.scrollY === 0');
        await checkLanguage(tab, language, expect);
        for (const name of ['standings', 'times', 'cross', 'worst']) {
            await tab.page.click(`nav:visible a[href^="#${name}"]`);
            expect(await shownLanguages(tab) === language, `a link to ${name} changes ${language}`);
        }
    }
    await tab.close(expect);
}

async function checkLinks(browser, expect) {
    for (const [name, hash, language] of [['all', '#de', 'de'], ['all', '#cross-fr', 'fr'], ['all', '#facts-nl', 'nl'],
        ['all', '#ratings', 'en'], ['all', '#nothing', 'en'], ['empty', '#es', 'es'], ['one', '', 'de']]) {
        const tab = await open(browser, name, hash);
        expect(await shownLanguages(tab) === language, `${name}${hash} is in ${await shownLanguages(tab)}`);
        await tab.close(expect);
    }
}

// The page in all languages once, then those in one language, which are a fifth of its size and show the same: report.py
// compares them.
async function checkAxe(browser, expect) {
    for (const [number, name] of ['all', ...LANGUAGES].entries()) {
        const [colorScheme, width, options] = LOOKS[number % LOOKS.length];
        const tab = await open(browser, name);
        await tab.look(colorScheme, width);
        const violations = await tab.violations(options);
        expect(violations === '', `${name}: ${violations}`);
        await tab.close(expect);
    }
}

async function checkPhone(browser, expect) {
    for (const [name, ...languages] of [['all', ...LANGUAGES], ['wide', 'de'], ['empty', 'fr']]) {
        const tab = await open(browser, name, '', {viewport: {width: 320, height: 700}});
        for (const language of languages) {
            await tab.page.evaluate(`location.hash = '${language}'`);
            expect(await shownLanguages(tab) === language, `${name}: ${language} is not shown`);
            expect(await tab.width() <= 320, `${name} ${language} is ${await tab.width()} wide`);
        }
        await tab.close(expect);
    }
}

const browser = await launch();
try {
    const tests = {
        'the_report_shows_one_language_and_the_reader_chooses': checkChoice,
        'the_report_opens_in_the_language_of_its_address': checkLinks,
        'axe_finds_nothing_in_the_report': checkAxe,
        'the_report_fits_a_phone_in_every_language': checkPhone,
    };
    for (const [name, check] of Object.entries(tests))
        await report(name, expect => check(browser, expect));
} finally {
    await browser.close();
}
