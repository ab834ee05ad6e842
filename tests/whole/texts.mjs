// Prints the texts of the viewer and of the pages as JSON: {viewer: {en: {...}, ...}, pages: ...}.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {ROOT} from './browser.mjs';

function textsOf(folder) {
    const context = vm.createContext({});
    vm.runInContext(fs.readFileSync(path.join(ROOT, 'referee/web', folder, 'texts.js'), 'utf8') + ';\nthis.texts = TEXTS;',
        context);
    return context.texts;
}

console.log(JSON.stringify({viewer: textsOf('viewer'), pages: textsOf('pages')}));
