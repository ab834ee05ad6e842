// A page that does not exist.

'use strict';

begin(() => { document.title = 'ALLEGRA · ' + label('missing'); });
$('live').hidden = true;
