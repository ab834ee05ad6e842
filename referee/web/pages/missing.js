// A page that is not there.

'use strict';

$('live').hidden = true;
begin(() => { document.title = 'ALLEGRA · ' + word('missing'); });
