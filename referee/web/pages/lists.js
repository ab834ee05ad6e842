// Bots, jobs and ladders as rows of tables, and what users can do with them.

'use strict';

function botCells(bot) {
    const faults = faultTags(bot.faults);
    const {language} = page;
    return [
        element('td', {class: 'number'}, formatNumber(bot.matches, language)),
        element('td', {class: 'number'}, formatNumber(bot.wins, language),
            bot.matches > 0 ? element('span', {class: 'soft'}, ` ${formatShare(bot.wins / bot.matches, language)}`) : null),
        element('td', {}, ...(faults.length > 0 ? faults : ['–'])),
        element('td', {class: 'number'}, bot.matches > 0 ? formatTime(bot.median_us, language) : '–'),
        element('td', {class: 'number'}, bot.matches > 0 ? formatTime(bot.p99_us, language) : '–'),
    ];
}

function disqualifiedTag(bot) {
    return bot?.is_disqualified ? element('span', {class: 'tag loud'}, label('disqualified')) : null;
}

const BOT_HEADS = [['matches', true], ['winShare', true], ['faults'], ['median', true], ['p99', true]];

function userLink(user, key) {
    return link('/users/' + user, user, key);
}

// What does not come back takes two clicks.
function sureButton(key, text, sureText, act) {
    const button = element('button', {type: 'button', 'data-key': key}, text);
    let isSure = false;
    button.addEventListener('click', () => {
        if (isSure)
            attempt(act);
        else
            button.textContent = sureText;
        isSure = !isSure;
    });
    return button;
}

function actButton(key, text, act) {
    const button = element('button', {type: 'button', 'data-key': key}, text);
    button.addEventListener('click', () => attempt(act));
    return button;
}

function cancelButton(job) {
    return sureButton('cancel' + job.number, label('cancel'), label('cancelSure'), () => request(['cancel', job.number]));
}

function resumeButton(job) {
    return actButton('resume' + job.number, label('resume'), () => request(['resume', job.number]));
}

// Whether a bot or a job may be changed by the reader: its user, or an organiser.
function mayChange({user}) {
    return page.me.may_change && (user === page.me.user || page.me.is_organiser);
}

// What the reader can do with a job now; nothing if it is another user's.
function jobButtons(job) {
    if (!mayChange(job))
        return [];
    if (job.state === 'queued' || job.state === 'playing')
        return [cancelButton(job)];
    return job.state === 'paused' || job.state === 'failed' ? [resumeButton(job)] : [];
}

// The ranks that a version may have in a ladder: "4th to 9th".
function ladderRanks({best, worst}) {
    if (best === 0)
        return '–';
    return best === worst ? ordinal(best) : label('rankRange', {a: ordinal(best), b: ordinal(worst)});
}

function ordinal(rank) {
    if (page.language !== 'en')
        return label(rank === 1 ? 'ordinalFirst' : 'ordinal', {n: rank});
    const endings = {one: 'st', two: 'nd', few: 'rd', other: 'th'};
    return rank + endings[new Intl.PluralRules('en', {type: 'ordinal'}).select(rank)];
}

function ladderRating(row) {
    if (row.rating === null)
        return element('td', {class: 'number'}, '–');
    const whole = value => value === null ? '?' : formatNumber(value, page.language);
    return element('td', {class: 'number'}, formatNumber(row.rating, page.language),
        element('span', {class: 'soft'}, ` ${whole(row.low)} … ${whole(row.high)}`));
}
