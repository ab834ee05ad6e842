// Every word of the page, in five languages. `{a}` and the like are filled in by say(); names of
// bots are never translated and never markup. A language that lacks a word shows the English one.

const WORDS = {
    en: {
        language: 'English', title: 'Replay', round: 'Round', turn: 'Turn', decision: 'Decision',
        of: '{a} of {b}', play: 'Play', pause: 'Pause', speed: 'Speed', start: 'Start', end: 'End',
        back: 'Decision back', on: 'Decision on', eventBack: 'Event back', eventOn: 'Event on',
        nextKnock: 'Next knock', nextClear: 'Next clear', nextFault: 'Next fault', nextRound: 'Next round',
        none: 'There is no further one.', view: 'View', everyone: 'What all see', open: 'All cards open',
        seatView: 'Seat {n}: {a}', languageLabel: 'Language', theme: 'Colours', system: 'As the system',
        light: 'Light', dark: 'Dark', openLog: 'Open a log', drop: 'Drop a log here', help: 'Keys',
        close: 'Close', link: 'Link to this moment', copied: 'The link is copied.',
        copyByHand: 'This is the link:', table: 'Table', players: 'Players', events: 'Events',
        timeline: 'Timeline', points: 'Points, if the round ended here', thinking: 'Thinking time',
        inWords: 'The table in words', position: 'Place in the match', draw: 'Draw pile',
        discard: 'Discard pile', down: 'down', gap: 'gap', hole: 'hole', unknown: 'hidden', seat: 'Seat',
        total: 'Points', time: 'Time', autopilot: 'autopilot', given: 'from another log',
        out: 'dismissed: {a}', trigger: 'trigger', active: 'to move', dealer: 'dealer', drawn: 'drawn',
        hand: 'hand', taken: 'taken', aside: 'set aside', pass: 'passes', knock: 'knocks',
        offer: 'knocks, offers {cell}', place: 'Place {n}', asked: 'Question', line: 'Its line',
        ending: 'Its end', stderr: 'Its last words on stderr', marks: 'Marks: knock, clear, fault, round',
        hashRight: 'The hash of the log is right.', hashWrong: 'The hash does not fit: the log was changed.',
        hashNone: 'The log has no end: hidden cards are not known.',
        misfit: 'The events do not fit the cards of this seed.',
        bad: 'This is no log that can be shown ({a}).', row: 'Row {n}',
        keys: [['←  →', 'decision back, on'], ['Shift ←  →', 'event back, on'], ['Home  End', 'start, end'],
            ['Space', 'play, pause'], ['+  −', 'faster, slower'], ['k  c  f  r', 'next knock, clear, fault, round'],
            ['K  C  F  R', 'the same backwards'], ['0 – 5', 'view of that seat'], ['p', 'what all see'],
            ['o', 'all cards open'], ['l', 'link to this moment'], ['?', 'this help']],
        event: {
            round: 'Round {n} begins, {a} deals, the discard pile starts with {card}',
            turned: '{a} turns up {cell}: {card}', turn: 'Turn {n}: {a}',
            reshuffled: 'The discard pile becomes a draw pile of {n} cards',
            drew_pile: '{a} draws {card} from the pile', drew_discard: '{a} takes {card} from the discard pile',
            passed: '{a} passes', knocked: '{a} knocks', offered: '{a} knocks and offers {cell}',
            again: '{a} calls bidding round {n}', declined: '{a} declines',
            accepted: '{a} accepts the knock of {b}', kept: '{a} keeps {card} at {cell}, in place of {old}',
            dropped: '{a} drops {card}', placed: '{a} places {card} at {cell} and holds {old}',
            took: '{a} takes {card} from {cell} of {b}', put: '{a} puts {card} at {cell}, in place of {old}',
            tossed: '{a} tosses {card}', returned: '{a} lays {card} into the hole at {cell}',
            cleared: '{a} clears {cells}: three times {card}', discarded: '{a} discards {card}',
            final: '{a} has no card down: the final round begins', limit: 'The turn limit ends the round after turn {n}',
            exhausted: '{a} chooses the empty pile: the round ends', shown: '{a} shows {cell}: {card}',
            scored: '{a} scores {raw}, which counts {counted}; {total} in all', over: 'The match is over',
            said: '{a} says: “{text}”', dismissed: '{a} is dismissed: {text}', answered: '{a} answers: {text}',
        },
    },
    de: {
        language: 'Deutsch', title: 'Wiedergabe', round: 'Runde', turn: 'Zug', decision: 'Entscheidung',
        of: '{a} von {b}', play: 'Abspielen', pause: 'Anhalten', speed: 'Tempo', start: 'Anfang', end: 'Ende',
        back: 'Entscheidung zurück', on: 'Entscheidung weiter', eventBack: 'Ereignis zurück',
        eventOn: 'Ereignis weiter', nextKnock: 'Nächstes Klopfen', nextClear: 'Nächstes Abräumen',
        nextFault: 'Nächster Fehler', nextRound: 'Nächste Runde', none: 'Es kommt keines mehr.',
        view: 'Ansicht', everyone: 'Was alle sehen', open: 'Alle Karten offen', seatView: 'Platz {n}: {a}',
        languageLabel: 'Sprache', theme: 'Farben', system: 'Wie das System', light: 'Hell', dark: 'Dunkel',
        openLog: 'Protokoll öffnen', drop: 'Protokoll hier ablegen', help: 'Tasten', close: 'Schließen',
        link: 'Link zu diesem Moment', copied: 'Der Link ist kopiert.', copyByHand: 'Dies ist der Link:',
        table: 'Tisch', players: 'Spieler', events: 'Ereignisse', timeline: 'Verlauf',
        points: 'Punkte, wenn die Runde hier endete', thinking: 'Bedenkzeit', inWords: 'Der Tisch in Worten',
        position: 'Stelle im Spiel', draw: 'Nachziehstapel', discard: 'Ablagestapel', down: 'verdeckt',
        gap: 'Lücke', hole: 'Loch', unknown: 'verborgen', seat: 'Platz', total: 'Punkte', time: 'Zeit',
        autopilot: 'Autopilot', given: 'aus anderem Protokoll', out: 'ausgeschieden: {a}', trigger: 'Auslöser',
        active: 'am Zug', dealer: 'Geber', drawn: 'gezogen', hand: 'Hand', taken: 'genommen',
        aside: 'beiseite', pass: 'passt', knock: 'klopft', offer: 'klopft, bietet {cell}', place: 'Rang {n}',
        asked: 'Frage', line: 'Seine Zeile', ending: 'Sein Ende', stderr: 'Seine letzten Worte auf stderr',
        marks: 'Marken: Klopfen, Abräumen, Fehler, Runde', hashRight: 'Die Prüfsumme des Protokolls stimmt.',
        hashWrong: 'Die Prüfsumme stimmt nicht: Das Protokoll wurde geändert.',
        hashNone: 'Das Protokoll hat kein Ende: Verdeckte Karten sind unbekannt.',
        misfit: 'Die Ereignisse passen nicht zu den Karten dieses Startwerts.',
        bad: 'Das ist kein Protokoll, das gezeigt werden kann ({a}).', row: 'Reihe {n}',
        keys: [['←  →', 'Entscheidung zurück, weiter'], ['Umschalt ←  →', 'Ereignis zurück, weiter'],
            ['Pos1  Ende', 'Anfang, Ende'], ['Leertaste', 'abspielen, anhalten'], ['+  −', 'schneller, langsamer'],
            ['k  c  f  r', 'nächstes Klopfen, Abräumen, nächster Fehler, nächste Runde'],
            ['K  C  F  R', 'dasselbe rückwärts'], ['0 – 5', 'Ansicht dieses Platzes'], ['p', 'was alle sehen'],
            ['o', 'alle Karten offen'], ['l', 'Link zu diesem Moment'], ['?', 'diese Hilfe']],
        event: {
            round: 'Runde {n} beginnt, {a} gibt, der Ablagestapel beginnt mit {card}',
            turned: '{a} deckt {cell} auf: {card}', turn: 'Zug {n}: {a}',
            reshuffled: 'Aus dem Ablagestapel wird ein Nachziehstapel von {n} Karten',
            drew_pile: '{a} zieht {card} vom Stapel', drew_discard: '{a} nimmt {card} vom Ablagestapel',
            passed: '{a} passt', knocked: '{a} klopft', offered: '{a} klopft und bietet {cell}',
            again: '{a} ruft die Bietrunde {n} aus', declined: '{a} lehnt ab',
            accepted: '{a} nimmt das Klopfen von {b} an', kept: '{a} behält {card} auf {cell} anstelle von {old}',
            dropped: '{a} legt {card} ab', placed: '{a} legt {card} auf {cell} und hält {old}',
            took: '{a} nimmt {card} von {cell} bei {b}', put: '{a} legt {card} auf {cell} anstelle von {old}',
            tossed: '{a} wirft {card} ab', returned: '{a} legt {card} in das Loch auf {cell}',
            cleared: '{a} räumt {cells} ab: dreimal {card}', discarded: '{a} legt {card} auf den Ablagestapel',
            final: '{a} hat keine verdeckte Karte mehr: Die Schlussrunde beginnt',
            limit: 'Die Zuggrenze beendet die Runde nach Zug {n}',
            exhausted: '{a} wählt den leeren Stapel: Die Runde endet', shown: '{a} zeigt {cell}: {card}',
            scored: '{a} hat {raw}, das zählt {counted}; zusammen {total}', over: 'Das Spiel ist aus',
            said: '{a} sagt: „{text}“', dismissed: '{a} scheidet aus: {text}', answered: '{a} antwortet: {text}',
        },
    },
    nl: {
        language: 'Nederlands', title: 'Terugkijken', round: 'Ronde', turn: 'Beurt', decision: 'Beslissing',
        of: '{a} van {b}', play: 'Afspelen', pause: 'Pauze', speed: 'Snelheid', start: 'Begin', end: 'Einde',
        back: 'Beslissing terug', on: 'Beslissing verder', eventBack: 'Gebeurtenis terug',
        eventOn: 'Gebeurtenis verder', nextKnock: 'Volgende klop', nextClear: 'Volgende afleg',
        nextFault: 'Volgende fout', nextRound: 'Volgende ronde', none: 'Er komt er geen meer.',
        view: 'Weergave', everyone: 'Wat allen zien', open: 'Alle kaarten open', seatView: 'Plaats {n}: {a}',
        languageLabel: 'Taal', theme: 'Kleuren', system: 'Zoals het systeem', light: 'Licht', dark: 'Donker',
        openLog: 'Logboek openen', drop: 'Laat hier een logboek los', help: 'Toetsen', close: 'Sluiten',
        link: 'Link naar dit moment', copied: 'De link is gekopieerd.', copyByHand: 'Dit is de link:',
        table: 'Tafel', players: 'Spelers', events: 'Gebeurtenissen', timeline: 'Tijdlijn',
        points: 'Punten, als de ronde hier eindigde', thinking: 'Bedenktijd', inWords: 'De tafel in woorden',
        position: 'Plaats in het spel', draw: 'Trekstapel', discard: 'Aflegstapel', down: 'gedekt',
        gap: 'leeg', hole: 'gat', unknown: 'verborgen', seat: 'Plaats', total: 'Punten', time: 'Tijd',
        autopilot: 'automaat', given: 'uit ander logboek', out: 'uitgesloten: {a}', trigger: 'afsluiter',
        active: 'aan de beurt', dealer: 'deler', drawn: 'getrokken', hand: 'hand', taken: 'genomen',
        aside: 'opzij', pass: 'past', knock: 'klopt', offer: 'klopt, biedt {cell}', place: 'Rang {n}',
        asked: 'Vraag', line: 'Zijn regel', ending: 'Zijn einde', stderr: 'Zijn laatste woorden op stderr',
        marks: 'Tekens: klop, afleg, fout, ronde', hashRight: 'De controlesom van het logboek klopt.',
        hashWrong: 'De controlesom klopt niet: het logboek is veranderd.',
        hashNone: 'Het logboek heeft geen einde: gedekte kaarten zijn onbekend.',
        misfit: 'De gebeurtenissen passen niet bij de kaarten van deze startwaarde.',
        bad: 'Dit is geen logboek dat getoond kan worden ({a}).', row: 'Rij {n}',
        keys: [['←  →', 'beslissing terug, verder'], ['Shift ←  →', 'gebeurtenis terug, verder'],
            ['Home  End', 'begin, einde'], ['Spatie', 'afspelen, pauze'], ['+  −', 'sneller, langzamer'],
            ['k  c  f  r', 'volgende klop, afleg, fout, ronde'], ['K  C  F  R', 'hetzelfde terug'],
            ['0 – 5', 'weergave van die plaats'], ['p', 'wat allen zien'], ['o', 'alle kaarten open'],
            ['l', 'link naar dit moment'], ['?', 'deze hulp']],
        event: {
            round: 'Ronde {n} begint, {a} deelt, de aflegstapel begint met {card}',
            turned: '{a} draait {cell} om: {card}', turn: 'Beurt {n}: {a}',
            reshuffled: 'De aflegstapel wordt een trekstapel van {n} kaarten',
            drew_pile: '{a} trekt {card} van de stapel', drew_discard: '{a} neemt {card} van de aflegstapel',
            passed: '{a} past', knocked: '{a} klopt', offered: '{a} klopt en biedt {cell}',
            again: '{a} vraagt biedronde {n}', declined: '{a} wijst af',
            accepted: '{a} neemt de klop van {b} aan', kept: '{a} houdt {card} op {cell} in plaats van {old}',
            dropped: '{a} legt {card} weg', placed: '{a} legt {card} op {cell} en houdt {old} vast',
            took: '{a} neemt {card} van {cell} bij {b}', put: '{a} legt {card} op {cell} in plaats van {old}',
            tossed: '{a} gooit {card} weg', returned: '{a} legt {card} in het gat op {cell}',
            cleared: '{a} legt {cells} af: driemaal {card}', discarded: '{a} legt {card} op de aflegstapel',
            final: '{a} heeft geen gedekte kaart meer: de slotronde begint',
            limit: 'De beurtgrens beëindigt de ronde na beurt {n}',
            exhausted: '{a} kiest de lege stapel: de ronde eindigt', shown: '{a} toont {cell}: {card}',
            scored: '{a} heeft {raw}, dat telt als {counted}; samen {total}', over: 'Het spel is afgelopen',
            said: '{a} zegt: „{text}”', dismissed: '{a} is uitgesloten: {text}', answered: '{a} antwoordt: {text}',
        },
    },
    fr: {
        language: 'Français', title: 'Relecture', round: 'Manche', turn: 'Tour', decision: 'Décision',
        of: '{a} sur {b}', play: 'Lire', pause: 'Pause', speed: 'Vitesse', start: 'Début', end: 'Fin',
        back: 'Décision précédente', on: 'Décision suivante', eventBack: 'Événement précédent',
        eventOn: 'Événement suivant', nextKnock: 'Prochain toc', nextClear: 'Prochain retrait',
        nextFault: 'Prochaine faute', nextRound: 'Prochaine manche', none: 'Il n’y en a plus.',
        view: 'Vue', everyone: 'Ce que tous voient', open: 'Toutes les cartes visibles',
        seatView: 'Place {n} : {a}', languageLabel: 'Langue', theme: 'Couleurs', system: 'Comme le système',
        light: 'Clair', dark: 'Sombre', openLog: 'Ouvrir un journal', drop: 'Déposez un journal ici',
        help: 'Touches', close: 'Fermer', link: 'Lien vers ce moment', copied: 'Le lien est copié.',
        copyByHand: 'Voici le lien :', table: 'Table', players: 'Joueurs', events: 'Événements',
        timeline: 'Déroulement', points: 'Points, si la manche finissait ici', thinking: 'Temps de réflexion',
        inWords: 'La table en mots', position: 'Place dans la partie', draw: 'Pioche', discard: 'Défausse',
        down: 'cachée', gap: 'vide', hole: 'trou', unknown: 'secrète', seat: 'Place', total: 'Points',
        time: 'Temps', autopilot: 'pilote automatique', given: 'd’un autre journal', out: 'exclu : {a}',
        trigger: 'déclencheur', active: 'joue', dealer: 'donneur', drawn: 'piochée', hand: 'main',
        taken: 'prise', aside: 'de côté', pass: 'passe', knock: 'toque', offer: 'toque, propose {cell}',
        place: 'Rang {n}', asked: 'Question', line: 'Sa ligne', ending: 'Sa fin',
        stderr: 'Ses derniers mots sur stderr', marks: 'Marques : toc, retrait, faute, manche',
        hashRight: 'L’empreinte du journal est juste.',
        hashWrong: 'L’empreinte est fausse : le journal a été changé.',
        hashNone: 'Le journal n’a pas de fin : les cartes cachées sont inconnues.',
        misfit: 'Les événements ne correspondent pas aux cartes de cette graine.',
        bad: 'Ce n’est pas un journal que l’on puisse montrer ({a}).', row: 'Rangée {n}',
        keys: [['←  →', 'décision précédente, suivante'], ['Maj ←  →', 'événement précédent, suivant'],
            ['Début  Fin', 'début, fin'], ['Espace', 'lire, pause'], ['+  −', 'plus vite, moins vite'],
            ['k  c  f  r', 'prochain toc, retrait, prochaine faute, manche'], ['K  C  F  R', 'de même en arrière'],
            ['0 – 5', 'vue de cette place'], ['p', 'ce que tous voient'], ['o', 'toutes les cartes visibles'],
            ['l', 'lien vers ce moment'], ['?', 'cette aide']],
        event: {
            round: 'La manche {n} commence, {a} donne, la défausse commence par {card}',
            turned: '{a} retourne {cell} : {card}', turn: 'Tour {n} : {a}',
            reshuffled: 'La défausse devient une pioche de {n} cartes',
            drew_pile: '{a} pioche {card}', drew_discard: '{a} prend {card} dans la défausse',
            passed: '{a} passe', knocked: '{a} toque', offered: '{a} toque et propose {cell}',
            again: '{a} demande l’enchère {n}', declined: '{a} refuse', accepted: '{a} accepte le toc de {b}',
            kept: '{a} garde {card} en {cell} à la place de {old}', dropped: '{a} défausse la carte {card}',
            placed: '{a} pose {card} en {cell} et tient {old}', took: '{a} prend {card} en {cell} chez {b}',
            put: '{a} pose {card} en {cell} à la place de {old}', tossed: '{a} jette {card}',
            returned: '{a} pose {card} dans le trou en {cell}', cleared: '{a} retire {cells} : trois fois {card}',
            discarded: '{a} met {card} sur la défausse',
            final: '{a} n’a plus de carte cachée : le dernier tour commence',
            limit: 'La limite finit la manche après le tour {n}',
            exhausted: '{a} choisit la pioche vide : la manche finit', shown: '{a} montre {cell} : {card}',
            scored: '{a} a {raw}, compté {counted} ; {total} en tout', over: 'La partie est finie',
            said: '{a} dit : « {text} »', dismissed: '{a} est exclu : {text}', answered: '{a} répond : {text}',
        },
    },
    es: {
        language: 'Español', title: 'Repetición', round: 'Ronda', turn: 'Turno', decision: 'Decisión',
        of: '{a} de {b}', play: 'Reproducir', pause: 'Pausa', speed: 'Velocidad', start: 'Inicio', end: 'Final',
        back: 'Decisión anterior', on: 'Decisión siguiente', eventBack: 'Suceso anterior',
        eventOn: 'Suceso siguiente', nextKnock: 'Próximo toque', nextClear: 'Próximo despeje',
        nextFault: 'Próxima falta', nextRound: 'Próxima ronda', none: 'No hay más.', view: 'Vista',
        everyone: 'Lo que todos ven', open: 'Todas las cartas a la vista', seatView: 'Puesto {n}: {a}',
        languageLabel: 'Idioma', theme: 'Colores', system: 'Como el sistema', light: 'Claro', dark: 'Oscuro',
        openLog: 'Abrir un registro', drop: 'Suelte un registro aquí', help: 'Teclas', close: 'Cerrar',
        link: 'Enlace a este momento', copied: 'El enlace está copiado.', copyByHand: 'Este es el enlace:',
        table: 'Mesa', players: 'Jugadores', events: 'Sucesos', timeline: 'Desarrollo',
        points: 'Puntos, si la ronda acabara aquí', thinking: 'Tiempo de reflexión',
        inWords: 'La mesa en palabras', position: 'Lugar en la partida', draw: 'Mazo', discard: 'Descarte',
        down: 'tapada', gap: 'vacío', hole: 'hueco', unknown: 'oculta', seat: 'Puesto', total: 'Puntos',
        time: 'Tiempo', autopilot: 'piloto automático', given: 'de otro registro', out: 'excluido: {a}',
        trigger: 'cierra', active: 'juega', dealer: 'reparte', drawn: 'robada', hand: 'mano', taken: 'tomada',
        aside: 'apartada', pass: 'pasa', knock: 'toca', offer: 'toca, ofrece {cell}', place: 'Lugar {n}',
        asked: 'Pregunta', line: 'Su línea', ending: 'Su final', stderr: 'Sus últimas palabras en stderr',
        marks: 'Marcas: toque, despeje, falta, ronda', hashRight: 'La suma del registro es correcta.',
        hashWrong: 'La suma no coincide: el registro fue cambiado.',
        hashNone: 'El registro no tiene final: las cartas tapadas no se conocen.',
        misfit: 'Los sucesos no corresponden a las cartas de esta semilla.',
        bad: 'No es un registro que se pueda mostrar ({a}).', row: 'Fila {n}',
        keys: [['←  →', 'decisión anterior, siguiente'], ['Mayús ←  →', 'suceso anterior, siguiente'],
            ['Inicio  Fin', 'inicio, final'], ['Espacio', 'reproducir, pausa'], ['+  −', 'más rápido, más lento'],
            ['k  c  f  r', 'próximo toque, despeje, próxima falta, ronda'], ['K  C  F  R', 'lo mismo hacia atrás'],
            ['0 – 5', 'vista de ese puesto'], ['p', 'lo que todos ven'], ['o', 'todas las cartas a la vista'],
            ['l', 'enlace a este momento'], ['?', 'esta ayuda']],
        event: {
            round: 'Empieza la ronda {n}, reparte {a}, el descarte empieza con {card}',
            turned: '{a} destapa {cell}: {card}', turn: 'Turno {n}: {a}',
            reshuffled: 'El descarte pasa a ser un mazo de {n} cartas',
            drew_pile: '{a} roba {card} del mazo', drew_discard: '{a} toma {card} del descarte',
            passed: '{a} pasa', knocked: '{a} toca', offered: '{a} toca y ofrece {cell}',
            again: '{a} pide la ronda de ofertas {n}', declined: '{a} rechaza',
            accepted: '{a} acepta el toque de {b}', kept: '{a} guarda {card} en {cell} en lugar de {old}',
            dropped: '{a} deja {card}', placed: '{a} pone {card} en {cell} y retiene {old}',
            took: '{a} toma {card} de {cell} de {b}', put: '{a} pone {card} en {cell} en lugar de {old}',
            tossed: '{a} tira {card}', returned: '{a} pone {card} en el hueco de {cell}',
            cleared: '{a} despeja {cells}: tres veces {card}', discarded: '{a} descarta {card}',
            final: '{a} no tiene cartas tapadas: empieza la última vuelta',
            limit: 'El límite acaba la ronda tras el turno {n}',
            exhausted: '{a} elige el mazo vacío: la ronda acaba', shown: '{a} muestra {cell}: {card}',
            scored: '{a} tiene {raw}, cuenta {counted}; {total} en total', over: 'La partida ha terminado',
            said: '{a} dice: «{text}»', dismissed: '{a} queda excluido: {text}', answered: '{a} responde: {text}',
        },
    },
};

function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// A word of the page in that language.
function say(language, word, values = {}) {
    return fill(WORDS[language][word] ?? WORDS.en[word], values);
}

function cardWord(card) {
    return card === null || card === undefined ? '?' : String(card).replace('-', '−');
}

function pointsWord(points, language) {
    return new Intl.NumberFormat(language, {maximumFractionDigits: 1}).format(points);
}

function timeWord(us, language) {
    const [value, unit] = us < 1000 ? [us, 'µs'] : us < 1e6 ? [us / 1e3, 'ms'] : [us / 1e6, 's'];
    const digits = unit === 'µs' ? 0 : value < 10 ? 2 : 1;
    return new Intl.NumberFormat(language, {maximumFractionDigits: digits}).format(value) + '\u00a0' + unit;
}

function eventValues(step, names, language) {
    const name = word => names[Number(word)] ?? word;
    const place = word => ({a: name(String(word).split(':')[0]), cell: String(word).split(':')[1]});
    const [kind, one, two, three, four] = step.words;
    const points = word => pointsWord(Number(word), language);
    switch (kind) {
    case 'round': return {n: one, a: name(two), card: cardWord(three)};
    case 'turned': case 'shown': case 'returned': return {...place(one), card: cardWord(two)};
    case 'turn': return {n: one, a: name(two)};
    case 'drew': return {a: name(two), card: cardWord(three)};
    case 'knocked': return {a: name(one), cell: two && place(two).cell};
    case 'again': return {a: name(one), n: two};
    case 'accepted': return {a: name(one), b: name(two)};
    case 'kept': case 'put': case 'placed': return {...place(one), card: cardWord(two), old: cardWord(three)};
    case 'took': return {...place(two), a: name(one), b: place(two).a, card: cardWord(three)};
    case 'cleared': return {...place(one), cells: [one, two, three].map(word => place(word).cell).join(' '),
        card: cardWord(four)};
    case 'scored': return {a: name(one), raw: points(two), counted: points(three), total: points(four)};
    case 'limit': case 'reshuffled': return {n: one};
    default: return {a: name(one), card: cardWord(two)};
    }
}

// A step in words. `hides` is set where the viewer may not know the card in a knocker's hand.
function stepWords(step, names, language, hides) {
    const patterns = WORDS[language].event;
    if (step.words === undefined)
        return fill(patterns[step.kind], {a: names[step.seat], text: step.text ??
            step.fault.code + (step.fault.words === '' ? '' : ', ' + step.fault.words)});
    const key = step.kind === 'drew' ? 'drew_' + step.words[1] :
        step.kind === 'knocked' && step.words.length > 2 ? 'offered' : step.kind;
    if (!Object.hasOwn(patterns, key))
        return step.words.join(' ');
    const values = eventValues(step, names, language);
    return fill(patterns[key], hides ? {...values, old: '?'} : values);
}
