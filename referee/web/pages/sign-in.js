// The form to sign in with a token.

'use strict';

// The page that wanted it, if it is one of ours.
function nextPage() {
    const next = readHash().get('next') ?? '/';
    return /^\/[\w./-]*$/.test(next) && !next.startsWith('//') ? next : '/';
}

$('sign-in').addEventListener('submit', async event => {
    event.preventDefault();
    await attempt(async () => {
        await post('/api/sign-in', $('token').value.trim());
        location.assign(nextPage());
    });
    $('token').select();
});
begin(() => { document.title = 'ALLEGRA · ' + label('signIn'); });
$('live').hidden = true;
$('token').focus();
