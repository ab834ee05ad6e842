// The page of a ladder in a real browser. Arguments: the address of the pages. The ladder `club` has the bots good,
// same and weak, the last one in two versions. With `suspicion` and the evidence JOB/BLOCK.MATCH,...: it has the bots
// reader, which is suspected, one and two.

import {LANGUAGES, LOOKS, Tab, launch, report} from './browser.mjs';

const [address, mode, evidence] = process.argv.slice(2);
const allowed = new RegExp(`^(data:|${address}/)`);
const browser = await launch();

if (mode === 'suspicion') {
    await report('a_suspicion_is_on_the_page_of_a_ladder', async expect => {
        const tab = await Tab.open(browser, address + '/ladder/club', allowed);
        await tab.until(`document.querySelectorAll('#ladder-rows tr').length === 3`);
        const words = await tab.page.textContent('#warnings');
        expect(words.includes('reader (version 1) may know the cards'), words);
        const tags = await tab.page.$$eval('#ladder-rows tr', rows => rows.filter(row => row.innerText.includes('suspicious'))
            .map(row => row.querySelector('th a').textContent));
        expect(tags.join() === 'reader', `marked: ${tags}`);
        const links = await tab.page.$$eval('#warnings a', all => all.map(a => a.getAttribute('href')));
        const wanted = evidence.split(',').flatMap(one => [`/jobs/${one.split('/')[0]}`, `/view/${one}#lang=en`]);
        expect(links.join() === wanted.join(), `it leads to ${links}, not ${wanted}`);
        await tab.picture('ladder-suspicion', {fullPage: true});
        for (const [scheme, width, options] of LOOKS) {
            await tab.look(scheme, width);
            const found = await tab.violations(options);
            expect(found === '', `${scheme} ${width}: ${found}`);
            expect(await tab.width() <= width, `wider than ${width}`);
        }
        for (const language of LANGUAGES) {
            await tab.page.selectOption('#language', language);
            const said = await tab.page.textContent('main');
            expect(said.includes('reader') && !/undefined|\{\w\}/.test(said), `${language}: ${said}`);
        }
        await tab.close(expect);
    });
    await browser.close();
    process.exit();
}
await report('a_ladder_has_a_page', async expect => {
    const tab = await Tab.open(browser, address + '/ladder', allowed);
    await tab.until(`document.querySelector('#ladder-list a') !== null`);
    await tab.page.click('#ladder-list a');
    await tab.until(`document.querySelectorAll('#ladder-rows tr').length === 3`);
    const text = await tab.page.textContent('#ladder-rows');
    expect(/1st( to \d(nd|rd))?/.test(text) && text.includes('good'), text);
    expect(/^.bots.(good|same|weak)$/.test(await tab.page.getAttribute('#ladder-rows th a', 'href')), 'no way to a bot');
    await tab.page.click('.fold');
    await tab.until(`document.querySelectorAll('#ladder-rows tr.older').length === 1`);
    await tab.picture('ladder', {fullPage: true});
    for (const [scheme, width, options] of LOOKS) {
        await tab.look(scheme, width);
        const found = await tab.violations(options);
        expect(found === '', `${scheme} ${width}: ${found}`);
        expect(await tab.width() <= width, `wider than ${width}`);
    }
    for (const language of LANGUAGES) {
        await tab.page.selectOption('#language', language);
        const words = await tab.page.textContent('main');
        expect(!/undefined|\{\w\}/.test(words), `${language}: ${words}`);
    }
    await tab.close(expect);
});
await report('the_page_of_a_bot_has_its_ratings_in_ladders', async expect => {
    const tab = await Tab.open(browser, address + '/bots/weak', allowed);
    await tab.until(`document.querySelectorAll('#ladders tr').length === 2`);
    const rows = await tab.page.evaluate(`[...document.querySelectorAll('#ladders tr')].map(row => row.innerText)`);
    expect(/^club\s+2\b.*\b[123](st|nd|rd)\b/.test(rows[0]) && /^club\s+1\b/.test(rows[1]), rows.join());
    const drawn = await tab.page.evaluate(`({lines: document.querySelectorAll('#ladder-charts .line').length,
        dots: document.querySelectorAll('#ladder-charts .dot').length, known: seen.ladders[0].history.length})`);
    expect(drawn.lines === 2 && drawn.dots === drawn.known, JSON.stringify(drawn));
    expect(await tab.page.isHidden('#ratings-table'), 'tables of the ladder are listed one by one');
    await tab.until(`document.querySelectorAll('#last li[data-match]').length === 8`);
    expect(/^.jobs.\d+$/.test(await tab.page.getAttribute('#last li .links a', 'href')), 'no way to the job of a match');
    const numbers = await tab.page.evaluate(`newestFirst([{number: 9}, {number: 3}], [{number: 3}, {number: 1}])
        .map(job => job.number).join()`);
    expect(numbers === '9,3,1', numbers);
    await tab.picture('bot-ladder', {fullPage: true});
    for (const [scheme, width, options] of LOOKS) {
        await tab.look(scheme, width);
        const found = await tab.violations(options);
        expect(found === '', `${scheme} ${width}: ${found}`);
        expect(await tab.width() <= width, `wider than ${width}`);
    }
    await tab.close(expect);
});
await report('the_tables_of_a_ladder_are_listed_only_on_request', async expect => {
    const tab = await Tab.open(browser, address + '/', allowed);
    const users = () => tab.page.evaluate('overview.over.map(job => job.user)');
    const isLoaded = `overview.status !== null && document.getElementById('kind').options.length > 0`;
    await tab.until(isLoaded);
    expect(!(await users()).includes('ladder:club'), `listed: ${await users()}`);
    await tab.page.selectOption('#kind', 'ladder');
    await tab.until(`overview.over.length > 0`);
    expect((await users()).every(user => user === 'ladder:club'), `not only tables: ${await users()}`);
    await tab.close(expect);
});
await browser.close();
