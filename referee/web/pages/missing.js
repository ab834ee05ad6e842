// A page that does not exist.

'use strict';

$('live').hidden = true;
begin(() => { document.title = 'ALLEGRA · ' + label('missing'); });
