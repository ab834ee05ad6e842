// Bots and jobs as rows of tables, and what their users can do with them.

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

const BOT_HEADS = [['matches', true], ['winShare', true], ['faults'], ['median', true], ['p99', true]];

function userLink(user, key) {
    return link('/users/' + user, user, key);
}

// Cancelling takes two clicks: what was cancelled does not come back.
function cancelButton(job) {
    const button = element('button', {type: 'button', 'data-key': 'cancel' + job.number}, label('cancel'));
    let isSure = false;
    button.addEventListener('click', () => {
        if (isSure)
            attempt(() => request(['cancel', job.number]));
        else
            button.textContent = label('cancelSure');
        isSure = !isSure;
    });
    return button;
}

function resumeButton(job) {
    const button = element('button', {type: 'button', 'data-key': 'resume' + job.number}, label('resume'));
    button.addEventListener('click', () => attempt(() => request(['resume', job.number])));
    return button;
}

// What the reader can do with a job now; nothing if it is another user's.
function jobButtons(job) {
    if (!page.me.may_change || job.user !== page.me.user)
        return [];
    if (job.state === 'queued' || job.state === 'playing')
        return [cancelButton(job)];
    return job.state === 'paused' || job.state === 'failed' ? [resumeButton(job)] : [];
}
